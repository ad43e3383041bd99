"use strict";
/* What one sees of the translator: the page around the other scripts. Needs window.TRANSLATOR and the section
   .live. */

(() => {
  const {make, say, button, redraw, showToken, showChapters} = Elements;
  const engine = new Engine(window.TRANSLATOR), run = Work.start(window.TRANSLATOR);
  const course = window.TRANSLATOR.course; // null where it is another language than that of the course
  const {n_layers, n_heads, max_len, parameters} = engine.options;
  const {bos_id, eos_id} = engine.tgt;
  const MAX_TOKENS = Math.min(max_len, 100); // of a source, so that a phone can keep up
  const DELAY = 90; // ms a token
  const PAUSE = 700; // ms without a key
  const WIDTH = 4; // of the beam
  const MANY = 3; // words that a translation has wrong: no list of more is read
  const MARKS = /[.,!。、…~"'“”‘’]/g; // which the course does without
  const PARTS = [["cross", "크로스 어텐션", "cross-attention"], ["decoder", "디코더의 셀프 어텐션", "decoder self-attention"],
    ["encoder", "인코더의 셀프 어텐션", "encoder self-attention"]];

  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  let sentence = null; // what is shown: {text, src, memory, steps}; a step is what engine.write yields
  let at = 0; // number of the step that is looked at
  let shownHead = {part: "cross", layer: n_layers - 1, head: -1}; // -1: the mean of all heads
  let removed = []; // as engine.encoder takes them
  let asking = null; // the sentence that is asked for, until it is whole
  let timer = 0, pause = 0, step = null; // step: the second tab, once it has been opened
  let picked = false; // whether the step was chosen, and not only found
  const KOREAN = /[ㄱ-ㅣ가-힣]/;
  let isLed = false; // whether the address leads to a tab, and to no sentence

  // ---- Elements --------------------------------------------------------------------------------------------

  const get = (id) => document.getElementById("live-" + id), live = document.querySelector(".live");

  const {port1, port2} = new MessageChannel(), later = [];
  port1.onmessage = () => later.shift()();
  const soon = (todo) => { later.push(todo); port2.postMessage(0); }; // in a task of its own, so that none is long

  const tokenOf = (id) => engine.tgt.tokens[id];
  const chosen = (name) => document.querySelector(`.live [name=live-${name}]:checked`).value;
  const temperature = () => Number(get("temperature").value);
  const percent = (p) => (p >= 0.9995 ? "100" : p < 0.0001 ? "<\u00a00.01" : (100 * p).toFixed(p < 0.001 ? 2 : 1)) + "%";

  // ---- Translating -----------------------------------------------------------------------------------------

  // prefix: ids with which the translation begins; tapped: the number of the last one that the reader has chosen;
  // at: the step to look at, or else one is found; isNew: whether the way back leads to what was there before
  function translate({prefix = [], tapped = prefix.length - 1, at = null, slowly = true, isNew = true} = {}) {
    clearTimeout(timer);
    clearTimeout(pause);
    asking = null;
    let text = Engine.clean(get("text").value);
    if (course) text = Engine.clean(text.replace(MARKS, "").replace(/ {2,}/g, " "));
    const src = engine.encode(text);
    grow();
    note(text, src, prefix.length > 0);
    const nothing = !src.length || src.length > MAX_TOKENS || isNoKorean(text);
    for (const id of ["tokens", "writing", "attention", "removal"]) get(id).hidden = nothing;
    for (const id of ["tab-step", "share"]) get(id).disabled = nothing;
    live.setAttribute("aria-busy", !nothing);
    live.classList.toggle("empty", nothing);
    get("translation").classList.toggle("guessed", hasUnknown(text));
    get("translation").classList.toggle("slight", isMostlyForeign(text)); // what helps says more
    if (nothing) {
      picture.clear();
      get("translation").classList.remove("writing");
      get("translation").textContent = get("said").textContent = "";
      return;
    }
    get("translation").textContent = "";
    get("translation").classList.add("writing");
    get("picture").classList.add("old"); // until that of the new sentence is there
    const how = chosen("how"), begun = asking = {text, src, memory: null, steps: [], how, tapped};
    const width = how === "beam" && !prefix.length ? WIDTH : 0; // of the beam
    const known = how === "beam" ? 0 : prefix.length; // what has been there before comes at once
    const arrived = []; // steps that are not yet shown
    let isWhole = false, beam = null;
    const next = () => {
      timer = 0;
      if (!arrived.length) return isWhole ? finish(at, isNew) : null;
      if (sentence !== begun) begin(begun, beam);
      begun.steps.push(arrived.shift());
      drawTranslation();
      if (slowly && !calm.matches && begun.steps.length > known) timer = setTimeout(next, DELAY);
      else next();
    };
    at ??= prefix.length && tapped >= 0 ? tapped : null;
    timer = 0;
    run("write", {src, prefix, width, temperature: how === "sample" ? temperature() : 0}, (found) => {
      if (asking !== begun) return;
      if (found?.memory) begun.memory = found.memory;
      if (found?.beam) beam = found.beam;
      if (found?.step) arrived.push(found.step);
      isWhole = !found;
      if (!timer) next();
    });
  }

  function grow() { // to all lines of the sentence, where the styles cannot
    if (CSS.supports("field-sizing: content")) return;
    get("text").style.height = "auto";
    get("text").style.height = get("text").scrollHeight + 2 + "px";
  }

  function begin(begun, beam) { // with its first step it takes the place of the sentence before
    sentence = begun;
    at = 0;
    drawSource();
    get("beam").hidden = !beam; // from a token that was chosen it goes on without one
    get("again").hidden = begun.how !== "sample";
    if (beam) drawBeam(beam);
  }

  function finish(asked, isNew) {
    const {steps} = sentence, last = steps.length - 1;
    const isWord = (id) => /^ ?\p{L}/u.test(tokenOf(id));
    const probabilities = steps.map(({logits, written}) => isWord(written) ? Engine.softmax(logits)[written] : 1);
    asking = null;
    const far = steps.map(({attention, written}, i) => { // of words for which all layers look where another word stands, how surely
      const weights = Engine.meanOf(attention.cross.flat()), most = Math.max(...weights);
      return isWord(written) && Math.abs(weights.indexOf(most) - i) > 1 ? most : 0;
    });
    const most = Math.max(...far);
    picked = asked !== null;
    at = picked ? Math.max(0, Math.min(asked, last)) : most ? far.indexOf(most) : probabilities.indexOf(Math.min(...probabilities));
    get("translation").classList.remove("writing");
    get("said").textContent = textOf(steps);
    if (steps[last].written !== eos_id)
      say(make("div", get("notes")), "문장을 끝내지 못해 길이 제한에서 멈췄습니다.", "The translation never ended, so it was cut off at the length limit.");
    const isNoise = sentence.how === "sample" && temperature() > 1, isOdd = course && isForeign(sentence.text);
    if (textOf(steps).includes("\ufffd"))
      say(make("div", get("notes")), "\ufffd는 글자가 되지 못한 바이트입니다. 모델은 낯선 글자를 바이트로 씁니다.", "\ufffd stands for bytes that make no character; the model spells rare characters in bytes.");
    if (isOdd) sentence.added = textOf(steps).toLowerCase().match(/[a-z]+/g) ?? []; // all of it is made up
    else if (course && !isNoise) noteLacking();
    drawTranslation();
    soon(() => {
      if (asking) return; // the next one is on its way
      drawAll();
      remember(isNew);
      soon(() => {
        live.setAttribute("aria-busy", asking !== null);
        if (isLed) document.querySelector(".live .tabs").scrollIntoView();
        isLed = false;
      });
    });
  }

  const textOf = (steps) => engine.decode(steps.map(({written}) => written));

  function look(number) { // at this step
    [at, picked] = [number, true];
    drawTranslation();
    drawAll();
    remember();
  }

  function drawAll() {
    const drawn = sentence;
    soon(() => sentence === drawn && picture.show(sentence, at));
    drawNext();
    drawRemoval();
    soon(drawAttention);
    if (step && !get("step").hidden) showStep();
  }

  const showStep = () => step.show({...sentence, at, temperature: sentence.how === "sample" ? temperature() : 1});

  // ---- The address -----------------------------------------------------------------------------------------

  function remember(isNew = false) { // nothing, as long as the page is as it opens
    if (!sentence) return;
    const state = {}, {text, steps, how, tapped} = sentence, ids = steps.map(({written}) => written);
    const kept = how === "sample" ? ids : ids.slice(0, tapped + 1), isStep = !get("step").hidden;
    if (how !== "greedy") state.how = how;
    if (how === "sample") state.temperature = temperature().toFixed(1);
    if (kept.length) Object.assign(state, {written: kept.join(" "), tapped});
    if (picked) state.at = at;
    if (isStep) Object.assign(state, {tab: "step"}, step.where());
    if (removed.length) state.removed = Address.heads(removed);
    const isOpening = text === course?.examples[0][0] && !Object.keys(state).length;
    Address.write(isOpening ? {} : {text, ...state}, isNew);
  }

  function restore() { // what the address says, as far as it can be had
    const asked = Address.read();
    if (!asked) return false;
    const {text = course?.examples[0][0] ?? "", how = "greedy", written = "", removed: heads = ""} = asked;
    const among = (name) => Address.isBelow(asked[name] ?? "", 1000) ? Number(asked[name]) : null;
    const prefix = written.split(" ").filter((id) => Address.isBelow(id, engine.tgt.tokens.length)).map(Number);
    get("text").value = text;
    for (const radio of document.querySelectorAll(".live [name=live-how]")) radio.checked = radio.value === how;
    if (!document.querySelector(".live [name=live-how]:checked")) document.querySelector(".live [value=greedy]").checked = true;
    setTemperature(Number(asked.temperature) || 1);
    removed = Address.headsIn(heads, PARTS.map(([name]) => name), n_layers, n_heads);
    if (removed.length) get("removal").open = true;
    drawSwitches();
    const place = {station: among("station"), layer: among("layer"), head: among("head")};
    openTab(asked.tab === "step" && text.trim() ? "step" : "translate", {isNew: false, place});
    translate({prefix, tapped: prefix.length ? among("tapped") ?? -1 : -1, at: among("at"), slowly: false, isNew: false});
    isLed = Boolean(asked.tab && !asked.text);
    return true;
  }

  async function share() { // the address, for somebody else or another day
    remember(); // where the address does not name the sentence
    const link = location.href;
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(link);
    } catch { // no clipboard here: it can be copied by hand
      get("link").hidden = false;
      get("link").value = link;
      get("link").select();
      isCopied = document.execCommand("copy");
    }
    get("shared").textContent = "";
    say(get("shared"), ...isCopied ? ["복사했습니다.", "Copied."] : ["이 주소를 복사하세요.", "Copy this address."]);
  }

  function note(text, src, isTapped) { // what the model cannot know
    const notes = get("notes");
    notes.textContent = "";
    const all = [...new Set(wordsOf(text).filter(isUnknown))], joined = all.filter(apart), unknown = all.filter((word) => !joined.includes(word));
    if (src.length > MAX_TOKENS) {
      say(make("div", notes), `너무 깁니다(${src.length}토큰). ${MAX_TOKENS}토큰까지만 읽습니다.`,
        `Too long: ${src.length} tokens; it reads up to ${MAX_TOKENS}.`);
    } else if (!text) {
      say(make("div", notes), "문장을 입력하거나 아래의 예문을 누르세요.", "Type a sentence, or choose an example below.");
    } else if (isNoKorean(text)) {
      const line = say(make("div", notes), "한글로 쓴 한국어만 번역합니다. ", "It translates only Korean, written in Hangul. ");
      say(button(line, () => get("words").click()), "단어 고르기", "Pick words");
      line.append(" ");
      suggestLike(line, likeOf(text));
    } else if (all.length) {
      const suggestOn = (words, ko, en) => {
        const line = noteOn(words, ko, en, [], "");
        if (!taught(text)) for (const word of words) suggest(line, word);
      };
      suggestOn(joined, "모델은 띄어 쓴 형태로 배웠습니다. ", "the model learned these as separate words. ");
      suggestOn(unknown, ...isForeign(text)
        ? ["학습에 없던 단어입니다. 아는 단어가 하나도 없어서 번역은 모두 짐작입니다. ",
          "never seen in training. The model knows no word of this sentence, so all of its translation is a guess. "]
        : isMostlyForeign(text)
        ? ["학습에 없던 단어입니다. 아는 단어가 절반도 안 되어서 번역은 대부분 짐작입니다. ",
          "never seen in training. The model knows less than half of the words, so most of its translation is a guess. "]
        : ["학습에 없던 단어라서, 모델이 빼거나 엉뚱한 말로 바꾸기 쉽습니다. ",
          "never seen in training, so the model is likely to leave it out or make something up. "]);
      suggestTaught(notes.lastChild, text);
      if (course && !notes.querySelector("button")) suggestLike(notes.lastChild, likeOf(text));
      if (/[가-힣]{8}/.test(text) && !joined.length) say(make("div", notes), "단어 사이를 띄어 쓰세요.", "Put spaces between the words.");
    }
    if (chosen("how") === "sample" && src.length) {
      const line = say(make("div", notes), `온도 ${temperature().toFixed(1)}에서 샘플링한 번역입니다.`, `Sampled at temperature ${temperature().toFixed(1)}.`);
      if (temperature() >= 1) say(line, " 확률이 낮은 토큰도 뽑혀 엉뚱한 말이 섞이기 쉽습니다. 0.5로 낮추면 줄어듭니다.",
        " Unlikely tokens get drawn, too, so something odd easily slips in; less so at 0.5.");
    } else if (isTapped && src.length) {
      const isBeam = chosen("how") === "beam";
      say(make("div", notes), `직접 고른 토큰에서 ${isBeam ? "탐욕 디코딩으로 " : ""}이어 쓴 번역입니다.`,
        `Continued from a token that you chose${isBeam ? ", by greedy decoding" : ""}.`);
    }
    if (isLong(text) && src.length <= MAX_TOKENS)
      say(make("div", notes), `단어가 ${wordsOf(text).length}개입니다. ${course.longest}개가 넘는 문장은 학습한 적이 없어, 뒷부분이 빠지거나 엉뚱해지기 쉽습니다.`,
        `It has ${wordsOf(text).length} words; no training sentence had more than ${course.longest}. Parts of it are likely to be missing or wrong.`);
    if (areSeveral()) say(make("div", notes), "한 번에 한 문장씩만 번역합니다.", "It translates one sentence at a time.");
    if (course && /(니|까)$/.test(text))
      say(make("div", notes), "질문이면 물음표(?)를 붙이세요. 물음표가 없으면 모델은 질문인 줄 모를 수 있습니다.", "If this is a question, end it with a question mark; otherwise the model may not know.");
    if (course && /(^|[^을를] )그리고 /.test(text)) // 그림을 그리고: drew
      say(make("div", notes), "‘그리고’는 학습에서 ‘그리다’로만 나왔습니다. 접속사인 줄 모릅니다.", "그리고 was only ever a form of “draw” in training; the model doesn’t know that it also means “and”.");
  }

  function listWords(line, words, detail = () => {}) { // before what is said of them
    words.forEach((word, i) => {
      make("b", line, word);
      detail(word, i);
      line.append(i + 1 < words.length ? ", " : ": ");
    });
  }

  function noteOn(words, ko, en, english = [], kind = "lacking") {
    if (!words.length) return;
    const line = make("div", get("notes"), "", {class: kind});
    listWords(line, words, (_, i) => line.append(english[i] ? ` (${english[i]})` : ""));
    return say(line, ko, en);
  }

  function isUnknown(word) { // a word that the course does not have, or a character spelled in bytes
    const bare = word.replace(/\?$/, "");
    const isForm = bare !== "않" && Lacking.withParticle(bare, "을를", (form) => seen.has(form)); // 두 권, of 두 권을; but not 않, of 않을
    return bare !== "" && (course && !known.has(bare) && !isForm || engine.encode(word).some((id) => engine.src.isByte(id)));
  }

  const wordsOf = (text) => text.split(/\s+/), isLong = (text) => Boolean(course) && wordsOf(text).length > course.longest;
  const isNoKorean = (text) => Boolean(course) && !KOREAN.test(text);
  const hasUnknown = (text) => Boolean(course) && wordsOf(text).some(isUnknown);
  const isMostlyForeign = (text) => Boolean(course) && wordsOf(text).filter(isUnknown).length > wordsOf(text).length / 2;
  const isForeign = (text) => Boolean(course) && text.split(" ").every(isUnknown); // no word of the course in it

  function apart(word) { // known words without the spaces between, with them: 파리여행을
    const split = (rest) => {
      for (let i = rest.length; i > 0; i--) {
        const more = seen.has(rest.slice(0, i)) && (i === rest.length ? [] : split(rest.slice(i)));
        if (more) return [rest.slice(0, i), ...more];
      }
      return null;
    };
    const parts = word.length > 3 ? split(word) : null;
    return parts?.length > 1 ? parts.join(" ") : null;
  }

  function suggest(line, word) {
    const all = wordsOf(get("text").value), meant = meantBy(word, all), verb = all[all.indexOf(word) + 1];
    if (!meant) return;
    const isDenied = word === "안", whole = get("text").value.replace(isDenied ? `안 ${verb}` : word, meant);
    if (meant === word + "요") say(button(line, () => enter(whole)), `${meant}로 바꾸기`, `Change it to ${meant}`);
    else offer(line, whole, meant, isDenied ? "not" : englishOf(meant));
  }

  const offer = (line, whole, word, english) =>
    say(button(line, () => enter(whole)), `혹시 ‘${word}’인가요?`, `Did you mean ${word}${english ? ` (${english})` : ""}?`);

  function meantBy(word, all) { // of the words of a sentence: a known one that differs by a letter: in 어재, ㅐ for ㅔ; or nothing
    const isNearEnd = all.indexOf(word) > all.length - 3, isNoun = (other) => Lacking.withParticle(other, "을를", (form) => seen.has(form));
    const isRead = (other) => seen.has(other) && !isUnknown(other) && !/지$/.test(other) && (isNearEnd || !isNoun(other)); // 가지 needs 않다 after it, and 사진 what is done to it: not 사준 in 사준 책을
    const letters = word.normalize("NFD"), sound = Taught.sound(word), isNear = (rest, isStrict = false) => {
      let same = 0;
      while (same < letters.length && letters[same] === rest[same]) same++;
      const isMistaken = /^([\u1161-\u1175]{2}|[\u11ba\u11bb]{2}|[\u1111\u1108]{2}|[\u1103\u1104]{2}|[\u1100\u1101]{2})$/.test(letters[same] + rest[same]); // a vowel, ㅅ for ㅆ, ㅃ for ㅍ, ㄸ for ㄷ
      if ((isStrict || same === 0) && !isMistaken) return false; // 살아요: not 팔아요
      if (/^[있없]/.test(word) || word.length < 3 && (!isMistaken || /[을를]$/.test(word))) return false; // 삿다: 샀다, but not 잔을 for 잠을 and 읽어요 for 있어요
      const [a, b] = [letters.slice(same), rest.slice(same)];
      return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1);
    };
    const plain = [word + "요", word + "에", word.replace(/에$/, ""), ...["어요", "다"].map((end) => shorter(word.replace(/습니다$/, end)))]; // 만났습니다: 만났어요
    const denied = word === "안" && course.verbs.find(({korean}) => korean === all[all.indexOf(word) + 1]);
    if (/[야아]$/.test(word)) return null; // 유나야: not 유나와
    if (/지$/.test(word) && /^[않못]/.test(all[all.indexOf(word) + 1] ?? "")) return null; // 자지 않았다: not 자주
    return denied ? Taught.denied(denied) : apart(word)
      ?? (letters.length > 3 ? plain.find(isRead) ?? [true, false].map((isStrict) => spelled.find((one) => isNear(one.letters, isStrict) && isRead(one.word))?.word).find(Boolean)
        ?? spelled.find((one) => one.sound === sound && isRead(one.word))?.word ?? (/어$/.test(word) ? meantBy(word + "요", all) : null) : null); // 마셧어
  }

  const shorter = (word) => word.replace(/보았/, "봤").replace(/하였/, "했"); // as the course has it
  const englishOf = (word) => (meanings[word] ?? course.tenses[word] ?? course.glosses[word] ?? "").split("|")[0].replace(/ \(.*/, "");
  const isNot = (english) => english === "not";

  function faultsOf(text, said, own) { // all that a translation has wrong; own: a word that the reader has put there
    const words = Lacking.words(text), timesOf = (word) => Lacking.count(said, course.glosses[word]), isThere = ([word]) => timesOf(word) > 0;
    const all = Lacking.find(text, said, course.glosses).filter(([word], i, all) => all.findIndex(([other]) => other === word) === i);
    const lacking = all.filter(([word]) => !isUnknown(word)), marked = Lacking.added(Taught.plainly(text, course.verbs), said, course.glosses).filter((word) => word !== own);
    const late = Lacking.tense(text, said, course.tenses).filter(([word]) => !all.some(([other]) => other === word));
    const isVerbThere = ([word]) => Lacking.count(said, course.glosses[word].replace(/\|trip$/, "")) > 0; // or else there is no tense of it
    const lost = [...lacking.filter((one) => !isThere(one)), ...late.filter((one) => !isVerbThere(one))];
    const differ = (one, other) => one + "s" === other || other + "s" === one; // friend, friends
    const miscounted = lost.filter(([, english]) => marked.some((word) => differ(word, english)));
    const lists = { // of words of the text, each with its English, and of the translation
      found: lost.filter((one) => !miscounted.includes(one)), fewer: lacking.filter(isThere), late: late.filter(isVerbThere), miscounted,
      added: marked.filter((word) => !miscounted.some(([, english]) => differ(word, english)) && !(word === "will" && late.some(isVerbThere))), // or else that is told as a tense
    };
    const areRolesRight = Lacking.roles(text, said, course), signs = {
      isNotLost: words.some((word) => isUnknown(word) && Lacking.negates(word)) && !Lacking.count(said, "not"), // 안, which the model does not know
      isSwapped: areRolesRight === false,
      isCut: !Lacking.ends(said), isLooping: Lacking.repeats(said), isBroken: Lacking.isBroken(said),
    };
    return {...lists, ...signs, marked, areRolesRight, isAny: Object.values(signs).includes(true) || Object.values(lists).some((one) => one.length)};
  }

  const tell = (ko, en) => say(make("div", get("notes"), "", {class: "lacking"}), ko, en);
  const tellWhy = () => explain(make("div", get("notes"), "", {class: "lacking"}));
  const NOT_LOST = ["부정이 빠져서 뜻이 반대가 되었을 수 있습니다.", "The “not” is lost, so the meaning may be reversed."];
  const SWAPPED = ["누가 한 일인지 뒤바뀌었습니다.", "Who did what is reversed."];
  const NEW_FORM = ["단어는 알지만 이 형태는 학습에 없었습니다. ", "it knows the word, but never saw this form. "];
  const COLORED = ["색이 있는 부분은 원문에 없는 내용입니다.", "The colored part isn’t in the Korean."];

  const areSeveral = () => Boolean(course) && /[가-힣][.?!]\s+[가-힣]/.test(get("text").value); // sentences

  function noteLacking() {
    const {text, steps, tapped, how} = sentence, asked = sentence, said = textOf(steps);
    const own = steps[tapped] && tokenOf(steps[tapped].written).trim().toLowerCase(), meant = hasUnknown(text) && taught(text) && !rewritten.isNear && rewritten.other;
    const faults = faultsOf(text, said, own);
    if (meant) ({added: faults.added, marked: faults.marked} = faultsOf(meant, said, own)); // 갈까?: go is in 갈 거니?
    const forms = [...new Set(Lacking.words(text))].filter((word) => !seen.has(word) && !isUnknown(word)); // that it never saw
    sentence.added = faults.marked;
    if (areSeveral()) return; // that is said, and enough
    if (isMostlyForeign(text)) { // that is said
      if (faults.isNotLost) tell(...NOT_LOST);
      else if (!taught(text) && faults.added.some(isNot)) noteAdded(["not"], text, said);
      return;
    }
    const odd = isUnknown(Lacking.words(text).at(-1)) ? [] : Lacking.oddTime(text, course.times, course.tenses);
    const line = noteOn(odd, "학습에서 함께 나온 적이 없습니다. 번역이 어색하거나 틀릴 수 있습니다. ",
      "never together in training, so the translation may sound odd or be wrong. ",
      odd.map((word) => /^(것이다|거예요)$/.test(word) ? "will" : englishOf(word)));
    if (line && !faults.isAny) suggestTaught(line, text);
    if (faults.isAny && taught(text) && (hasUnknown(text) || forms.length || isNewShape(text))) return noteTaught(text, faults, forms);
    if (faults.added.length + faults.found.length > MANY) return noteMany(text, faults, forms);
    noteEach(text, said, faults);
    if (isNewShape(text) && course.examples.some(([korean, english]) => korean === text && english === said))
      say(make("div", get("notes"), "", {class: "praise"}), "이런 구조의 문장은 학습에 없었는데도 바르게 번역했습니다.", "Training had no sentence built this way, and yet the translation is right.");
    const usual = topicFirst(text), isOdd = lacksObject(text) || hasOddObject(text) || isTangled(text) && isNewShape(text) && !faults.areRolesRight;
    if (faults.isAny || isOdd && (how !== "greedy" || tapped >= 0 || !usual)) tellWhy();
    else if (isOdd)
      run("beam", {src: engine.encode(usual), width: 1}, (found) => { // right, if it is translated alike
        if (found && sentence === asked && !asking && found.text !== said) tellWhy();
      });
  }

  function noteTaught(text, {isNotLost, isSwapped, added, found}, forms) { // what would be right says enough
    if (isSwapped) tell(...SWAPPED);
    const line = hasUnknown(text) ? null : noteOn(forms, ...NEW_FORM);
    if (line) suggestTaught(line, text);
    else if (!hasUnknown(text)) tellWhy();
    if (isNotLost || found.some(([, english]) => isNot(english))) tell(...NOT_LOST);
    const others = found.filter(([, english]) => !isNot(english));
    if (others.length + added.length) tellLost(others, added, make("div", get("notes"), "", {class: "lacking"}));
  }

  function tellLost(found, added, line) {
    const lost = found.map(([word]) => word + (englishOf(word) ? ` (${englishOf(word)})` : "")).join(", ");
    if (found.length > MANY) say(line, `원문의 단어 ${found.length}개가 번역에 없습니다. `, `${found.length} of its words are missing. `);
    else if (found.length) say(line, `번역에 없는 말: ${lost}. `, `Missing: ${lost}. `);
    if (added.length) say(line, ...COLORED);
  }

  function noteMany(text, {added, found, isNotLost}, forms) { // one line for all
    if (isNotLost) tell(...NOT_LOST);
    if (!isLong(text)) noteOn(forms, ...NEW_FORM);
    const line = make("div", get("notes"), "", {class: "lacking"});
    if (!isLong(text)) say(line, "번역이 원문에서 크게 벗어났습니다. ", "The translation has little to do with the sentence. ");
    tellLost(found, added, line);
    tellWhy();
  }

  function noteEach(text, said, {added, found, fewer, late, miscounted, isNotLost, isSwapped, isCut, isLooping, isBroken}) {
    noteAdded(added, text, said);
    if (isNotLost) tell(...NOT_LOST);
    if (isSwapped) tell(...SWAPPED);
    for (const [word, english] of miscounted) noteOn([word], ...english.endsWith("s") ? ["원문에는 여럿, 번역에는 하나입니다.", "several in the Korean, one in the translation."]
      : ["원문에는 하나, 번역에는 여럿입니다.", "one in the Korean, several in the translation."], [english]);
    noteFound(found);
    noteFewer(fewer, text, said);
    if (isCut && sentence.steps.at(-1).written === eos_id) tell("번역이 문장 중간에서 끝났습니다.", "The translation stops in the middle of a sentence.");
    const isTold = hasUnknown(text) && added.length + found.length > 0; // and that is enough
    if (isLooping && !isTold) tell("번역이 같은 말을 되풀이합니다.", "The translation repeats itself.");
    else if (isBroken && !isTold) tell("번역이 올바른 영어 문장이 아닙니다.", "The translation is not a sentence of English.");
    for (const [word, english] of late) {
      const [, ko, en] = TENSES.find(([name]) => name === formOf(word)?.tense) ?? [];
      noteOn([word], `번역의 시제가 다릅니다${ko ? `(원문은 ${ko})` : ""}.`, `the translation has another tense${en ? ` (the Korean: ${en.replace(/ .*/, "")})` : ""}.`, [english]);
    }
  }

  function noteAdded(added, text, said) {
    const isPair = added.includes("could") && added.some(isNot) && /\bcould not\b/.test(said); // one line for both
    noteOn(added.filter(isNot).map((word) => isPair ? "could not" : word), ...Lacking.words(text).some(Lacking.negates)
      ? ["원문보다 부정 표현이 많습니다. 뜻이 반대가 되었을 수 있습니다.", "appears more often than in the Korean. The meaning may be reversed."]
      : ["원문에 없는 부정입니다. 뜻이 반대가 되었을 수 있습니다.", "there is no “not” in the Korean. The meaning may be reversed."]);
    const inText = (word) => said.match(new RegExp(`\\b(?:(?:my|older|younger) )*${word}\\b`, "i"))?.[0] ?? word;
    const others = added.filter((word) => !isNot(word) && !(isPair && word === "could")).map(inText).sort((a, b) => said.indexOf(a) - said.indexOf(b));
    const isMeant = (word) => Lacking.words(text).some((one) => course.glosses[one]?.toLowerCase().split("|").includes(word.toLowerCase().split(" ").at(-1)));
    noteOn(others.filter(isMeant), "원문보다 여러 번 나옵니다.", "appears more often than in the Korean.");
    noteOn(others.filter((word) => !isMeant(word)), ...hasUnknown(text)
      ? ["원문에 없는 말입니다. 모르는 단어가 있어서 모델이 짐작했습니다.", "not in the Korean; the model guessed, because of a word it doesn’t know."]
      : ["원문에 이런 말이 없습니다. 모델이 지어냈습니다.", "nothing in the sentence says so; the model made it up."]);
  }

  function noteFound(found) {
    if (!found.length) return;
    const line = make("div", get("notes"), "", {class: "lacking"});
    listWords(line, found.map(([word]) => word), (word, i) => {
      line.append(` (${isNot(found[i][1]) ? "not" : englishOf(word) || found[i][1]}`);
      if (!seen.has(word)) say(line, ", 이 형태로는 배운 적 없음", ", in a form it never saw");
      line.append(")");
    });
    if (sentence.tapped >= 0) say(line, "번역에 없습니다. 직접 고른 토큰에서 이어 썼기 때문일 수 있습니다.", "missing from the translation, perhaps because of the token that you chose.");
    else say(line, "번역에 없습니다. 모델이 빠뜨렸거나 잘못 옮겼습니다.", "missing from the translation, or wrong in it.");
    if (found.some(([, english]) => isNot(english))) say(line, " 뜻이 반대가 되었을 수 있습니다.", " The meaning may be reversed.");
  }

  function noteFewer(fewer, text, said) {
    const timesOf = (english) => Lacking.count(said, english);
    const countOf = ([word]) => {
      const gloss = course.glosses[word], wanted = Lacking.words(text).filter((one) => course.glosses[one] === gloss);
      return `${wanted.length} ${timesOf(gloss)}`;
    };
    for (const count of new Set(fewer.map(countOf))) {
      const some = fewer.filter((one) => countOf(one) === count), [wanted, times] = count.split(" ");
      const alike = ([word]) => [...new Set(Lacking.words(text).filter((one) => course.glosses[one] === course.glosses[word]))].join("·"); // 먹지·먹었다
      noteOn(some.map(alike), `원문에 ${wanted}번, 번역에 ${times}번 나옵니다.`, `${wanted} times in the sentence, ${times} in the translation.`,
        some.map(([word]) => course.glosses[word].split("|").find(timesOf))); // as the translation has it
    }
  }

  function topicFirst(text) { // the same as the course has it, or nothing: 민수가 산 책을 나는 읽었다
    const words = wordsOf(text), topics = words.filter((word) => Lacking.shape(word, course.endings) === "t");
    const other = [...topics, ...words.filter((word) => !topics.includes(word))].join(" ");
    return topics.length === 1 && other !== text && !isNewShape(other) ? other : null;
  }

  const isSeen = (word) => seen.has(word.replace(/\?$/, ""));
  const isNewShape = (text) => wordsOf(text).every(isSeen)
    && !course.shapes.includes(Lacking.shape(text, course.endings));
  const isTangled = (text) => /[tsa].*[tsa]/.test(Lacking.shape(text.replace(/(^| )(비가|날씨가|시간이|배가|목이)(?= )/g, ""), course.endings)); // who does what can be mistaken, or what is done to what

  const formsAtEnd = (text) => {
    const words = Lacking.words(text), denied = Taught.deniedStem(words), ends = [words.at(-1), words.slice(-2).join(" ")].flatMap(Taught.plain); // 갈 거예요
    return hasUnknown(text) ? [] : course.verbs.filter(({stem, korean}) => denied ? stem === denied : ends.includes(korean));
  };
  const lacksObject = (text) => { // as 어제 샀다: of a verb that takes one in the course
    const forms = formsAtEnd(text);
    return forms.length > 0 && forms.every(({what}) => what.length) && !Lacking.words(text).some((word) => /[을를에]$/.test(word));
  };
  const hasOddObject = (text) => { // as 사과를 갔다, 파리에 산다: of a verb that takes another in the course
    const [object = ""] = Lacking.words(text).slice(-2), forms = formsAtEnd(text);
    const ending = course.times[object] || /(^|\s)주에$/.test(object) ? null : object.match(/[을를]$/) ? /[을를]$/ : object.match(/.에$/) ? /에$/ : null;
    return forms.length > 0 && Boolean(ending) && !forms.some(({what}) => what.some((one) => ending.test(one)));
  };
  const isOfNoKind = (text) => isNewShape(text) || lacksObject(text) || hasOddObject(text); // as no sentence of training

  function taught(text) { // the same as the course writes it, if it has such sentences; asked for more than once
    if (!course || isLong(text)) return null;
    if (rewritten.text !== text) Object.assign(rewritten, {text, ...rewrite(text)});
    return rewritten.other;
  }

  const rewritten = {text: null, other: null, isSlip: false, isNear: false}; // isNear: with other words

  function rewrite(text) {
    const all = wordsOf(text);
    const spell = () => all.map((word) => isSeen(word) || word === "안" ? word : isUnknown(word) ? meantBy(word, all) ?? word : shorter(word)).join(" ");
    const asSpelled = (meant) => Taught.of(meant, course) ?? meant, form = Taught.of(text, course), other = form ?? asSpelled(spell());
    const first = (one) => isRight(one) ? one : topicFirst(one) ?? one; // 형이 산 책을 나는 읽었다
    const isRight = (one) => one !== text && wordsOf(one).every(isSeen) && !isOfNoKind(one) && !Lacking.oddTime(one, course.times, course.tenses).length;
    if (isRight(first(other))) return {other: first(other), isSlip: !form, isNear: false};
    return {other: [text, spell()].flatMap((one) => Taught.near(one, course)).map(asSpelled).map(first).find(isRight) ?? null, isSlip: !form, isNear: true};
  }

  function suggestTaught(line, text) { // the whole, or the only word that differs
    const other = taught(text), words = wordsOf(text), others = other?.split(" ") ?? [];
    if (!other) return;
    if (rewritten.isNear) {
      say(line, "아는 단어만 쓰면: ", "With words that it knows: ");
      return offerWhole(line, other, text);
    }
    const at = words.findIndex((word, i) => word !== others[i]), rest = words.length - at - 1; // of words after the first that differs
    if (others.length === words.length && at === words.length - 1 && !rewritten.isSlip && !isSeen(words[at])) { // 읽었어 is no slip
      say(line, "모델이 배운 형태: ", "The form it learned: ");
      return say(button(line, () => enter(other)), others[at], `${others[at]} (${englishOf(others[at].replace(/\?$/, ""))})`);
    }
    const isOneWord = others.length === words.length || other.replace(/ /g, "") === text.replace(/ /g, "");
    if (isOneWord && !/지만$/.test(others[at]) && words.slice(at + 1).join(" ") === others.slice(others.length - rest).join(" ")) {
      const word = others.slice(at, others.length - rest).join(" ").replace(/\?$/, "");
      return offer(line, other, word, englishOf(word));
    }
    const isTimed = others.some((word) => course.times[word] && !text.includes(word)); // 매일
    if (isTimed) say(line, "모델이 배운 문장에는 ‘언제’가 있습니다: ", "Written the way it learned, with a time: ");
    else say(line, "모델이 배운 대로 쓰면: ", "Written the way it learned: ");
    offerWhole(line, other, text);
  }

  function likeOf(text) { // one whose words it knows: it never saw who is not met
    const plain = (english) => english.toLowerCase().replace(/[^a-z]+/g, " ").trim(), example = course.examples.find(([, english]) => plain(english) === plain(text));
    if (example) return example[0];
    const like = isLong(text) ? null : isNoKorean(text) ? Taught.meant(text, course) : Taught.like(text, course);
    return like && wordsOf(like).every(isSeen) ? like : null;
  }

  function suggestLike(line, like) { // or else one of the examples
    const {value} = get("text"), isGreeting = /^(안녕|반가|하이|hello|hi\b)/i.test(value.trim());
    if (like) say(line, `비슷한 ${/\?$/.test(like) ? "질문" : "문장"}: `, "Try one like it: ");
    else if (isGreeting) say(line, "인사말은 배우지 않았습니다. 이런 문장은 번역합니다: ", "It never learned greetings. Try this one: ");
    else say(line, "비슷한 문장을 찾지 못했습니다. 이런 문장은 번역합니다: ", "Nothing close was found. Try this one: ");
    const other = like ?? course.examples[/\?\s*$/.test(value) ? 2 : 1 + 2 * (value.length % 3)][0]; // a question for a question, or else not always the same
    offerWhole(line, other, other);
  }

  function offerWhole(line, other, text) { // what is new in it stands out
    const offered = button(line, () => enter(other));
    showWords(make("bdi", offered, "", {lang: "ko"}), other, text, "b");
    const english = make("span", make("small", offered), "", {lang: "en"});
    run("offer", {src: engine.encode(other)}, (found) => { if (found && english.isConnected) english.textContent = found.text; });
  }

  function explain(line) { // why a translation may be wrong, and what would be right
    const {text, src, how, tapped} = sentence, asked = sentence;
    get("translation").classList.add("guessed");
    const example = course.examples.find(([korean, english]) => korean === text && english !== textOf(sentence.steps));
    if (lacksObject(text)) { // 파리에 of 갔다: where to
      const {korean, what} = formsAtEnd(text)[0], [to, en] = askedBy(what[0]) ?? ["무엇을", "what"], ko = `‘${to}’${to === "어디에" ? "가" : "이"}`;
      say(line, `${korean}: ${ko} 있는 문장으로만 배웠습니다. `, `${korean} (${englishOf(korean)}): training always said ${en}. `);
    } else if (isOfNoKind(text) && !isLong(text))
      say(line, "아는 단어들이지만, 이런 구조의 문장은 학습에 없었습니다. 번역이 틀릴 수 있습니다. ",
        "It knows these words, but training had no sentence built this way, so the translation may be wrong. ");
    if (example) say(line, `바른 번역: ${example[1]} `, `Correct: ${example[1]} `);
    else if (!hasUnknown(text) && taught(text)) suggestTaught(line, text);
    else if (!hasUnknown(text)) {
      const short = /[고만] /.test(text) ? rewrite(text.replace(/\S+에서 /, "")).other : null, like = short ?? likeOf(text); // 공원에서 책을 읽고 집에 갔다
      const isForm = !wordsOf(text).every(isSeen), isNear = isForm || lacksObject(text) || /[^에]서 |\?$/.test(like); // a half of a sentence is not like it
      if (short || like && like !== text && isNear) suggestLike(line, like);
    }
    if (how !== "greedy" || tapped >= 0) return;
    run("beam", {src, width: WIDTH}, (found) => {
      if (!found || sentence !== asked || asking) return;
      const other = found.text;
      if (other === textOf(asked.steps)) return;
      const isLike = (find) => find(text, other, course.glosses).length > 0;
      if ([Lacking.find, Lacking.added].some(isLike) || Lacking.repeats(other) || Lacking.isBroken(other)) return; // no better
      line.append(" ");
      say(button(line, () => document.querySelector(".live [value=beam]").click()), `빔 서치로 쓰면: ${other}`, `With beam search: ${other}`);
    });
  }

  const spelled = (course?.known ?? []).map((word) => ({word, letters: word.normalize("NFD"), sound: Taught.sound(word)}));
  const seen = new Set(course?.known), known = new Set([...seen, ...Object.keys(course?.glosses ?? {})]);
  const meanings = {}, meant = {}; // all, and what words and tokens of the sentence mean: 세 of an unknown 세계 is no three
  if (course) {
    for (const words of [course.meanings, course.parts, ...Object.values(course.slots)]) Object.assign(meanings, words);
    for (const verb of course.verbs) meanings[verb.korean] = verb.english;
  }

  // ---- Tokens ----------------------------------------------------------------------------------------------

  function drawSource() {
    const list = get("source");
    list.textContent = "";
    for (const word of Object.keys(meant)) delete meant[word];
    get("bytes").hidden = !sentence.src.some((id) => engine.src.isByte(id));
    for (const word of engine.src.split(sentence.text)) {
      const ids = engine.src.encodeWord(word), isStrange = isUnknown(word.trim());
      for (const one of [word, ...ids.map((id) => engine.src.tokens[id])].map((text) => text.trim()))
        if (!isStrange && meanings[one]) meant[one] = meanings[one];
      for (const id of ids) {
        const token = engine.src.tokens[id], item = make("li", list, "", isStrange ? {class: "unknown"} : {});
        showToken(item, token);
        make("small", item, String(id));
        if (meant[token.trim()]) make("small", item, meant[token.trim()], {lang: "en"});
      }
    }
  }

  function drawTranslation() {
    const {steps} = sentence;
    showText(textOf(steps));
    get("echo").textContent = textOf(steps);
    if (course && !missing().length && get("text").value === composedText()) get("composed").textContent = textOf(steps);
    redraw(get("target"), () => steps.forEach(({written}, number) => {
      const token = button(get("target"), () => look(number),
        {"aria-pressed": number === at});
      showToken(token, tokenOf(written));
      make("small", token, String(written));
    }));
  }

  function showText(text) { // words that the model made up are marked
    const place = get("translation"), words = Lacking.words(sentence.text), parts = text.split(/\b/), meant = new Set();
    words.forEach((word, k) => (course?.glosses[word] ?? "").toLowerCase().split("|").forEach((form) => { // once for each word of the text
      const same = [...parts.keys()].filter((i) => parts[i].toLowerCase() === form && !meant.has(i)), off = (i) => Math.abs(i / parts.length - k / words.length);
      if (same.length) meant.add(same.reduce((one, other) => off(other) < off(one) ? other : one)); // where it stands in the text, too
    }));
    const marked = parts.map((part, i) => !meant.has(i) && sentence.added?.includes(part.toLowerCase()));
    for (let i = parts.length - 3; i >= 0; i--) if (/^(my|older|younger)$/i.test(parts[i])) marked[i] ||= marked[i + 2]; // of what is made up
    place.textContent = "";
    parts.forEach((part, i) => place.append(marked[i] ? make("mark", place, part) : part));
  }

  function drawNext() {
    const {logits, written} = sentence.steps[at], probabilities = Engine.softmax(logits, temperature());
    const ids = Engine.top(probabilities, 5);
    if (!ids.includes(written)) ids.push(written);
    const title = get("next-title");
    title.textContent = "";
    const before = textOf(sentence.steps.slice(0, at)) || "<bos>";
    say(title, `“${before}” 다음 토큰의 확률`, `Probability of the token after “${before}”`);
    redraw(get("next"), () => ids.forEach((id) => {
      const bar = button(get("next"), () => goOn(id), {"aria-pressed": id === written});
      showToken(bar, tokenOf(id));
      make("i", make("span", bar)).style.width = 100 * probabilities[id] + "%";
      make("b", bar, percent(probabilities[id]));
    }));
    const rest = ids.reduce((left, id) => left - probabilities[id], 1), n = probabilities.length - ids.length;
    get("rest").textContent = "";
    say(get("rest"), `나머지 토큰 ${n}개를 모두 합치면 ${percent(rest)}이고, 샘플링하면 그 가운데서도 뽑힙니다.`,
      `The other ${n} tokens share ${percent(rest)}, and sampling can draw them, too.`);
    if (course && temperature() === 1 && probabilities[ids[0]] > 0.8)
      say(make("div", get("rest")), "확신하는 자리에서도 이만큼 남는 것은 레이블 스무딩으로 학습했기 때문입니다.",
        "Even where the model is sure, about a tenth is left to the others: it was trained with label smoothing.");
  }

  function goOn(id) {
    translate({prefix: [...sentence.steps.slice(0, at).map(({written}) => written), id]});
  }

  function drawBeam(found) {
    get("ranked").textContent = "";
    for (const {score, ids} of found.ranked) {
      const item = make("li", get("ranked"));
      make("bdi", item, engine.decode(ids) + " ");
      make("small", item, score.toFixed(2));
    }
    BeamTree.draw(get("tree"), found, engine.tgt);
  }

  // ---- Attention -------------------------------------------------------------------------------------------

  function weightsOf({part, layer, head}) { // → rows of weights
    if (head < 0) { // the mean
      const heads = Array.from({length: n_heads}, (_, one) => weightsOf({part, layer, head: one}));
      return heads[0].map((row, i) => row.map((_, k) => heads.reduce((sum, rows) => sum + rows[i][k], 0) / n_heads));
    }
    if (part === "encoder") return sentence.memory.attention[layer][head];
    return sentence.steps.map((one) => one.attention[part][layer][head]);
  }

  function drawAttention() {
    if (!get("attention").open) return;
    shownHead.part = chosen("part");
    redraw(get("heads"), () => {
      for (let layer = 0; layer < n_layers; layer++) {
        const row = make("div", get("heads"));
        say(make("small", row), `층 ${layer}의 헤드`, `heads of layer ${layer}`);
        for (let head = -1; head < n_heads; head++) drawThumbnail(row, {...shownHead, layer, head});
      }
    });
    drawWeights();
  }

  function drawThumbnail(row, head) {
    const pressed = head.layer === shownHead.layer && head.head === shownHead.head;
    const thumbnail = button(row, () => { shownHead = head; drawAttention(); }, {"aria-pressed": pressed});
    const rows = weightsOf(head), columns = Math.max(...rows.map((weights) => weights.length)), size = 6;
    const canvas = make("canvas", thumbnail, "", {width: columns * size, height: rows.length * size});
    canvas.setAttribute("aria-hidden", "true");
    const paint = canvas.getContext("2d");
    paint.fillStyle = "#2f8fd0";
    rows.forEach((weights, i) => weights.forEach((weight, k) => {
      paint.globalAlpha = weight;
      paint.fillRect(k * size, i * size, size, size);
    }));
    const name = make("small", thumbnail);
    if (head.head < 0) return say(name, "평균", "mean");
    say(make("span", name, "", {class: "unseen"}), "헤드", "head");
    name.append(" " + head.head);
  }

  function drawWeights() {
    const {part, layer, head} = shownHead, [, ko, en] = PARTS.find(([name]) => name === part);
    const caption = get("caption");
    caption.textContent = "";
    const mean = head < 0;
    say(caption,
      `${ko}, 층 ${layer}, ${mean ? "헤드의 평균" : `헤드 ${head}`}. ` + (part === "encoder"
        ? "행의 토큰이 열의 토큰을 봅니다." : "행은 읽은 토큰 → 출력하는 토큰, 열은 그때 보는 토큰입니다."),
      `${en[0].toUpperCase() + en.slice(1)}, layer ${layer}, ${mean ? "mean of the heads" : `head ${head}`}. `
        + (part === "encoder" ? "The token of the row looks at that of the column."
        : "Rows: token read → token written; columns: what it looks at."));
    const sources = sentence.src.map((id) => engine.src.tokens[id]);
    const read = sentence.steps.map((one) => tokenOf(one.read));
    const columns = part === "decoder" ? read : sources;
    const rows = part === "encoder" ? sources.map((token) => [token])
      : sentence.steps.map((one) => [tokenOf(one.read), tokenOf(one.written)]);
    get("weights").textContent = "";
    const table = make("table", get("weights")), top = make("tr", make("thead", table));
    make("td", top);
    for (const token of columns) {
      const cell = make("th", top, "", {scope: "col"});
      showToken(cell, token);
      if (part !== "decoder") showMeaning(cell, token);
    }
    const body = make("tbody", table);
    weightsOf(shownHead).forEach((weights, i) => {
      const row = make("tr", body, "", part !== "encoder" && i === at ? {class: "chosen"} : {});
      const label = make("th", row, "", {scope: "row"});
      rows[i].forEach((token, k) => {
        if (k) label.append(" → ");
        showToken(label, token);
      });
      if (part === "encoder") showMeaning(label, rows[i][0]);
      for (const weight of weights) {
        const cell = make("td", row, weight.toFixed(2).replace(/^0/, ""));
        cell.style.setProperty("--weight", weight.toFixed(3));
      }
    });
    const {scrollWidth, clientWidth} = get("weights");
    if (scrollWidth > clientWidth) say(caption, " 옆으로 밀어서 보세요.", " The table scrolls sideways.");
  }

  function showMeaning(cell, token) {
    if (!meant[token.trim()]) return;
    make("br", cell);
    make("small", cell, meant[token.trim()], {lang: "en"});
  }

  // ---- Removing heads ----------------------------------------------------------------------------------------

  const isRemoved = ({part, layer, head}) =>
    removed.some((one) => one.part === part && one.layer === layer && one.head === head);

  function drawSwitches() {
    get("switches").textContent = "";
    for (const [part, ko, en] of PARTS) {
      say(make("h3", get("switches")), ko, en);
      for (let layer = 0; layer < n_layers; layer++) {
        const row = make("div", get("switches"), "", {class: "switches"});
        say(make("small", row), `층 ${layer}의 헤드`, `heads of layer ${layer}`);
        for (let head = 0; head < n_heads; head++) {
          const toggle = button(row, () => {
            const kept = removed.filter((one) => one.part !== part || one.layer !== layer || one.head !== head);
            const removing = kept.length === removed.length;
            removed = removing ? [...removed, {part, layer, head}] : kept;
            toggle.setAttribute("aria-pressed", removing);
            changeRemoval();
          }, {"aria-pressed": isRemoved({part, layer, head})});
          say(make("span", toggle, "", {class: "unseen"}), "헤드", "head");
          toggle.append(String(head));
        }
      }
    }
  }

  function changeRemoval() {
    drawRemoval();
    remember();
  }

  get("restore").addEventListener("click", () => {
    removed = [];
    drawSwitches();
    changeRemoval();
    get("switches").querySelector("button").focus(); // the button itself is gone
  });

  function drawRemoval() {
    const count = removed.length, pair = live.querySelector(".pair");
    get("restore").hidden = !count;
    get("removed").textContent = "";
    const noted = get("noted"), said = [`없앤 헤드 ${count}개`, `${count} head${count > 1 ? "s" : ""} removed`];
    noted.hidden = !count; // it is above, where the whole translation stands
    noted.textContent = "";
    if (count) {
      say(get("removed"), ...said);
      say(noted, said[0] + ". 위의 번역과 아래의 그림은 모든 헤드로 쓴 것입니다. ", said[1] + ". The translation above and the picture below use all heads. ");
      say(button(noted, () => get("removal").scrollIntoView()), "없앤 뒤의 번역 보기", "See what comes without them");
    }
    if (!get("removal").open || !sentence) return;
    pair.setAttribute("aria-busy", true);
    run("compare", {src: sentence.src, removed}, (found) => {
      if (!found) return pair.setAttribute("aria-busy", false);
      const {texts: [whole, without], shares} = found;
      showWords(get("whole"), whole, without);
      showWords(get("without"), without, whole);
      const [share, left] = shares.map(percent);
      const [how, way] = sentence.how === "greedy" ? ["", ""] : ["탐욕 디코딩으로 쓴 ", "by greedy decoding; "];
      say(make("small", get("whole")), `${how}이 번역의 확률 ${share}`, `${way}probability of this translation ${share}`);
      if (count) say(make("small", get("without")), `모든 헤드로 쓴 번역의 확률은 이제 ${left}`, `probability of the full model’s translation, now ${left}`);
      else say(make("small", get("without")), "아직 없앤 헤드가 없습니다.", "no head is removed yet");
    });
  }

  function showWords(place, text, other, tag = "mark") { // those that the other text lacks are marked
    const others = new Set(other.split(" "));
    place.textContent = "";
    for (const word of text.split(" ")) {
      make(others.has(word) ? "bdi" : tag, place, word);
      place.append(" ");
    }
  }

  // ---- Composing a sentence ----------------------------------------------------------------------------------

  const SLOTS = [["who", "누가", "who"], ["verb", "무엇을 하나", "does what"], ["what", "무엇을", "what"],
    ["kind", "어떤", "what kind"], ["where", "어디에서", "where"], ["when", "언제", "when"]];
  const TENSES = [["past", "과거", "past"], ["present", "현재(습관)", "present (habit)"], ["future", "미래", "future"]];
  const KINDS = [["korean", "평서문", "statement"], ["denied", "부정문", "with “not”"], ["question", "의문문", "question"]]; // forms of a verb
  const ORDER = ["who", "when", "where", "kind", "what", "verb"]; // of Korean: the verb comes last
  let tense = "past", kind = "korean", choice = {who: "나는"};

  const formOf = (verb) => course.verbs.find(({korean}) => korean === verb);

  const wordsOfSlot = (slot) => slot === "who" && kind === "question" ? course.asked_of : Object.keys(course.slots[slot]);
  const takes = (form, slot, word) => form[slot].includes(word) || slot === "who" && word === "너는";

  function fits(choice) { // is there a verb with which all of this goes?
    const {verb, ...others} = choice;
    if (others.kind && others.what && !course.kinds[others.what]?.includes(others.kind)) return false;
    return course.verbs.some((form) => form.tense === tense && form[kind] && (!verb || form.korean === verb)
      && Object.entries(others).every(([slot, word]) => wordsOfSlot(slot).includes(word) && takes(form, slot, word)));
  }

  function inTense({verb, ...given}) { // the same words as far as they go with the tense and the kind
    const others = {...given, ...given.who && !wordsOfSlot("who").includes(given.who) && {who: wordsOfSlot("who")[0]}}; // 나는: 너는
    const stem = formOf(verb)?.stem, kept = {};
    const now = course.verbs.find((form) => form.stem === stem && form.tense === tense)?.korean;
    for (const [slot, word] of Object.entries({...(now && {verb: now}), ...others}))
      if (fits({...kept, [slot]: word})) kept[slot] = word;
    return kept;
  }

  function drawComposer({leftOut = []} = {}) { // words that did not go with another tense
    const inner = get("compose").querySelector(".inner");
    redraw(inner, () => {
      const top = make("div", inner, "", {class: "top"}), composed = make("p", top, "", {class: "composed"});
      make("p", top, "", {id: "live-composed", lang: "en"});
      for (const slot of ORDER.filter((slot) => choice[slot])) {
        const place = make("bdi", composed, shownOf(slot, choice[slot]));
        make("small", place, glossOf(slot, choice[slot]), {lang: "en"});
      }
      const open = missing();
      if (!open.length) say(button(make("p", top), () => get("translation").scrollIntoView()), "번역하는 과정 보기 ↑", "See how it was translated ↑");
      else {
        const line = say(make("p", top, "", {class: "hint open"}), "아직 고르지 않은 것: ", "Still to choose: ");
        for (const slot of open) {
          const lead = () => get("slot-" + (get("slot-" + slot[0]) ? slot[0] : "verb")).scrollIntoView();
          say(button(line, lead), ...nameOf(slot));
        }
      }
      drawRadios(inner, "tense", ["시제", "tense"], TENSES, tense, (name) => { tense = name; });
      drawRadios(inner, "kind", ["종류", "kind"], KINDS, kind, (name) => { kind = name; });
      if (leftOut.length) say(make("p", inner, leftOut.map((word) => `${word} (${meanings[word]})`).join(", "), {class: "hint"}), ": 이렇게는 배운 적이 없어 뺐습니다.", ": left out; it never saw it this way.");
      say(button(inner, () => { [choice, tense, kind] = [{}, "past", "korean"]; drawComposer(); }, {class: "anew"}), "처음부터", "Start over");
      say(make("p", inner, "", {class: "hint"}), "고른 단어와 어울리는 것만 보입니다. 다시 누르면 빠집니다.",
        "Only words that fit your choices are shown. Choose a word again to remove it.");
      for (const slot of SLOTS) drawSlot(inner, slot);
    });
  }

  function drawRadios(parent, name, legend, options, now, take) { // the words stay as far as they go with it
    const set = make("fieldset", parent);
    say(make("legend", set), ...legend);
    for (const [value, ko, en] of options) {
      const label = make("label", set), input = make("input", label, "", {type: "radio", name: "live-" + name, value});
      input.checked = value === now;
      input.addEventListener("change", () => {
        const before = choice;
        take(value);
        choice = inTense(choice);
        const isLeftOut = (slot) => !choice[slot] || slot === "who" && before.who !== choice.who && !/^[나너]는$/.test(before.who);
        drawComposer({leftOut: Object.keys(before).filter(isLeftOut).map((slot) => before[slot])});
        useComposed();
        parent.querySelector(`[value=${value}]`).focus();
      });
      label.append(" ");
      say(label, ko, en);
    }
  }

  function nameOf([slot, ko, en]) { // some verbs take a place
    return slot === "what" ? askedBy(formOf(choice.verb)?.what[0]) ?? [ko, en] : [ko, en];
  }

  function drawSlot(parent, named) {
    const [slot] = named;
    const words = slot === "verb" ? course.verbs.map((form) => form.korean) : wordsOfSlot(slot);
    const fitting = words.filter((word) => fits({...choice, [slot]: word}));
    const early = !choice[slot] && (slot === "kind" ? !choice.what : !choice.verb && !["who", "verb"].includes(slot)); // what is chosen can be removed
    if (early || !fitting.length) return;
    const title = say(make("h3", parent, "", {id: "live-slot-" + slot}), ...nameOf(named));
    const list = make("div", parent, "", {class: "words", role: "group", "aria-labelledby": title.id});
    for (const word of fitting) {
      const pressed = choice[slot] === word;
      const option = button(list, () => {
        const top = option.getBoundingClientRect().top;
        choice = {...choice, [slot]: word};
        if (pressed) delete choice[slot];
        if (slot === "what") delete choice.kind;
        drawComposer();
        get("compose").querySelectorAll(".words button").forEach((other) => {
          if (other.dataset.word !== word) return;
          other.focus({preventScroll: true});
          scrollBy({top: other.getBoundingClientRect().top - top, behavior: "instant"});
          hold(other);
        });
        useComposed();
      }, {"aria-pressed": pressed, "data-word": word});
      make("bdi", option, shownOf(slot, word), {lang: "ko"});
      make("small", option, glossOf(slot, word), {lang: "en"});
    }
  }

  const askedBy = (object = "") => object.endsWith("에") ? ["어디에", "where to"] : object === "친구를" ? ["누구를", "whom"] : null;

  function missing() { // slots without which there is no sentence; the course never tells of a habit without its time
    const form = formOf(choice.verb);
    const needed = ["who", "verb", form?.what.length ? "what" : "who", tense === "present" ? "when" : "who"];
    return SLOTS.filter(([slot]) => needed.includes(slot) && !choice[slot]);
  }

  const shownOf = (slot, word) => slot === "verb" ? formOf(word)[kind] : word;
  const glossOf = (slot, word) => slot !== "verb" || kind === "korean" ? meanings[word] : kind === "denied" ? `not: ${meanings[word]}` : `${meanings[word]}?`;
  const composedText = () => ORDER.filter((slot) => choice[slot]).map((slot) => shownOf(slot, choice[slot])).join(" ");

  function useComposed() {
    if (missing().length) return;
    enter(composedText());
  }

  // ---- The second tab ----------------------------------------------------------------------------------------

  function openTab(name, {isNew = true, place = {}} = {}) { // place: where to stand in the second tab
    for (const other of ["translate", "step"]) {
      get(other).hidden = other !== name;
      get("tab-" + other).setAttribute("aria-selected", other === name);
      get("tab-" + other).tabIndex = other === name ? 0 : -1;
    }
    if (name === "step") {
      step ??= Step.mount(get("step"), engine, meant, (moved) => {
        if (moved !== at) look(moved); else remember();
      });
      step.stand(place);
      if (sentence) showStep();
    }
    if (isNew) remember(true);
  }

  function goTo(name) { // by a pointer
    openTab(name);
    get(name === "step" ? name : "tab-" + name).focus({preventScroll: true});
    if (get(name).getBoundingClientRect().top > innerHeight / 2) document.querySelector(".live .tabs").scrollIntoView();
  }

  function prepareTabs() {
    document.querySelector(".live .tabs").hidden = false;
    get("translate").setAttribute("role", "tabpanel");
    get("translate").setAttribute("aria-labelledby", "live-tab-translate");
    for (const [name, other] of [["translate", "step"], ["step", "translate"]]) {
      get("tab-" + name).addEventListener("click", ({detail}) => { // detail: of a pointer it is not 0
        if (detail) return goTo(name);
        openTab(name);
        get("tab-" + name).focus({preventScroll: true});
      });
      get("tab-" + name).addEventListener("keydown", ({key}) => {
        if (!["ArrowLeft", "ArrowRight"].includes(key)) return;
        openTab(other);
        get("tab-" + other).focus({preventScroll: true});
      });
    }
  }

  // ---- Beginning -------------------------------------------------------------------------------------------

  function describe() {
    const size = parameters.toLocaleString("en");
    const label = document.querySelector('.live label[for="live-text"]');
    say(label, course ? "한국어 문장 " : "문장", course ? "Korean " : "A sentence");
    if (course) say(make("small", label), "배운 단어만 압니다", "small vocabulary");
    get("about").textContent = ""; // it is no longer being loaded
    say(get("about"),
      (course ? "아주 작은 모델입니다. 강의에서 만든 문장(형과 누나, 친구, 여행, 책, 빵, 커피 …)으로만 학습했습니다. " : "")
        + `매개변수는 ${size}개입니다. 이 페이지 안에서 돌고, 입력한 문장은 어디에도 보내지 않습니다.`,
      (course ? "A small model of a small world: it was trained only on sentences generated for the course "
        + "(an older brother or sister, friends, trips, books, bread, coffee …). " : "")
        + `It has ${size} parameters and runs inside this page; nothing you type leaves it.`);
    if (!course) return;
    get("text").lang = "ko";
    get("text").value = course.examples[0][0];
    for (const id of ["translation", "echo", "whole", "said"]) get(id).lang = "en";
    for (const [korean, english] of course.examples) {
      const example = button(get("examples"), () => showExample(korean)), odd = korean.split(" ").find(isUnknown);
      make("bdi", example, korean, {lang: "ko"});
      make("span", make("small", example), english, {lang: "en"});
      if (odd) say(make("small", example), `배운 적이 없는 단어: ${odd}`, `a word it never saw: ${odd}`);
      else if (isNewShape(korean)) say(make("small", example), "배운 적이 없는 문장 구조", "a sentence pattern it never saw");
    }
    for (const id of ["another", "words", "compose"]) get(id).hidden = false;
    get("compose").addEventListener("toggle", drawComposer, {once: true}); // hundreds of words, once they are looked for
  }

  function enter(text) { // as if it had been typed
    get("text").value = text;
    translate();
  }

  function showExample(korean) {
    held = null; // what is above counts now
    get("text").value = korean;
    document.querySelector(".live .ask").scrollIntoView({block: "nearest"}); // the translation stands below
    translate();
  }

  let example = 0; // the last one that was shown
  get("another").addEventListener("click", () => {
    const texts = course.examples.map(([korean]) => korean), here = texts.indexOf(get("text").value);
    example = ((here < 0 ? example : here) + 1) % texts.length;
    showExample(texts[example]);
  });
  // What changes above what was chosen, or above the open composer, does not move it under the finger.
  const placeOf = (element) => element.getBoundingClientRect().top + scrollY; // on the page, wherever that is scrolled
  const composer = {element: get("compose"), place: 0};
  let held = null; // {element, place} of what was chosen last
  function hold(element) { held = {element, place: placeOf(element)}; }
  const holding = new ResizeObserver(() => {
    if (!held?.element.isConnected) held = null;
    const one = held ?? composer, moved = placeOf(one.element) - one.place, before = one.element.getBoundingClientRect().top - moved;
    if (held ? before >= 0 && before < innerHeight : composer.element.open && before < innerHeight / 2) scrollBy({top: moved, behavior: "instant"});
    for (const each of [held, composer]) if (each) each.place = placeOf(each.element);
  });
  for (const one of [live, document.body, document.querySelector(".live .ask"), get("translation"), get("picture")]) holding.observe(one);
  for (const kind of ["wheel", "touchmove", "keydown"]) addEventListener(kind, () => { held = null; }, {passive: true, capture: true});
  addEventListener("pointerdown", ({target}) => hold(target), {passive: true, capture: true}); // until it is let go, too
  get("words").addEventListener("click", () => {
    get("compose").open = true;
    get("compose").scrollIntoView();
    composer.place = placeOf(composer.element); // what has moved it before does not count again
  });
  document.querySelector(".live .ask").addEventListener("submit", (event) => { event.preventDefault(); translate(); });
  get("text").addEventListener("beforeinput", (event) => { // a sentence has no second line; not a key: Enter may end a syllable of Hangul
    if (event.inputType !== "insertLineBreak") return;
    event.preventDefault();
    get("text").form.requestSubmit();
  });
  get("text").addEventListener("input", () => { // whoever pauses sees what it makes of the text so far
    clearTimeout(pause);
    pause = setTimeout(() => translate({isNew: false}), PAUSE); // the way back does not stop at half a sentence
  });
  for (const radio of document.querySelectorAll(".live [name=live-how]")) {
    radio.addEventListener("change", () => {
      hold(radio);
      if (chosen("how") !== "sample") setTemperature(1); // what was drawn at another is gone
      if (sentence || asking) translate(); // also while the first one is on its way
    });
  }

  function setTemperature(degrees) {
    get("temperature").value = degrees;
    get("degrees").textContent = temperature().toFixed(1);
  }

  get("temperature").addEventListener("input", () => {
    setTemperature(temperature());
    if (sentence) drawNext();
  });
  get("temperature").addEventListener("change", () => { if ((sentence || asking) && chosen("how") === "sample") translate(); });
  get("again").addEventListener("click", () => { hold(get("again")); translate(); });
  for (const radio of document.querySelectorAll(".live [name=live-part]")) radio.addEventListener("change", drawAttention);
  for (const id of ["attention", "removal"]) {
    get(id).addEventListener("toggle", () => { if (sentence) drawAll(); });
  }
  for (const line of document.querySelectorAll(".live [data-chapters]"))
    showChapters(line, line.dataset.chapters.split(" "));
  get("share").addEventListener("click", share);
  for (const link of document.querySelectorAll('main a[href^="#"]')) { // the address is the sentence's
    link.addEventListener("click", (event) => {
      event.preventDefault();
      document.querySelector(link.hash).scrollIntoView();
    });
  }
  const picture = Picture.mount(get("picture"), engine, meant, look, () => goTo("step"), (count) => { // while it plays
    if (asking) return; // the next one is on its way
    const {steps} = sentence, place = get("translation"), isWhole = count === steps.length;
    place.style.minHeight = isWhole ? "" : place.style.minHeight || place.offsetHeight + "px"; // what is below stays there
    showText(textOf(steps.slice(0, count)));
    for (const one of [place, get("notes")]) one.classList.toggle("writing", !isWhole); // what is wrong in it is said once it is there
  });
  describe();
  prepareTabs();
  if (!restore()) translate({slowly: false, isNew: false}); // the address names a place on the page
  addEventListener("popstate", restore);
})();
