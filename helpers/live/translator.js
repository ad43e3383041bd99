"use strict";
/* What one sees of the translator: the page around the other scripts. Needs window.TRANSLATOR and the section
   .live. */

(() => {
  const {get, chosen, make, say, button, redraw, percent, showToken, showChapters} = Elements;
  const engine = new Engine(window.TRANSLATOR), run = Work.start(window.TRANSLATOR);
  const course = window.TRANSLATOR.course; // null where it is another language than that of the course
  for (const table of course ? [...Object.values(course), ...Object.values(course.slots)] : [])
    if (table.constructor === Object) Object.setPrototypeOf(table, null); // or else it would have a word for “constructor”
  const words = Words.of(engine, course), meant = Object.create(null); // what words and tokens of the sentence mean: 세 of an unknown 세계 is no three
  const {n_layers, n_heads, max_len, parameters} = engine.options;
  const MAX_TOKENS = Math.min(max_len, 100); // of a source, so that a phone can keep up
  const DELAY = 90; // ms a token
  const PAUSE = 700; // ms without a key
  const WIDTH = 4; // of the beam
  const COOL = 0.8; // temperature at which sampling begins: at 1, one token in ten is an unlikely one
  const MARKS = /[.,!。、…~"'“”‘’]/g; // which the course does without

  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  let sentence = null; // what is shown: {text, src, memory, steps, how, tapped}, a step being what engine.write yields; and `added` of notes.js
  let at = 0; // number of the step that is looked at
  let asking = null; // the sentence that is asked for, until it is whole
  let timer = 0, pause = 0, step = null; // step: the second tab, once it has been opened
  let picked = false; // whether the step was chosen, and not only found
  let led = null; // where the address leads, once the sentence is there

  const live = document.querySelector(".live");

  const {port1, port2} = new MessageChannel(), later = [];
  port1.onmessage = () => later.shift()();
  const soon = (todo) => { later.push(todo); port2.postMessage(0); }; // in a task of its own, so that none is long

  const tokenOf = (id) => engine.tgt.tokens[id];
  const temperature = () => Number(get("temperature").value);

  const notes = Notes.mount(get("notes"), {
    engine, course, words, run, enter, temperature,
    longest: MAX_TOKENS,
    width: WIDTH,
    typed: () => get("text").value,
    how: () => chosen("how"),
    isShown: (one) => sentence === one && !asking,
    pick: () => get("words").click(),
    choose: (how) => document.querySelector(`.live [name=live-how][value=${how}]`).click(),
    doubt: () => get("translation").classList.add("guessed"),
  });
  const drawAttention = Attention.mount(engine, meant), removal = Removal.mount(engine, run, () => remember());
  const tellComposer = course && Composer.mount(course, words, enter, hold);

  // ---- Translating -----------------------------------------------------------------------------------------

  // prefix: ids with which the translation begins; tapped: the number of the last one that the reader has chosen;
  // at: the step to look at, or else one is found; isNew: whether the way back leads to what was there before
  function translate({prefix = [], tapped = prefix.length - 1, at = null, slowly = true, isNew = true} = {}) {
    clearTimeout(timer);
    clearTimeout(pause);
    asking = null;
    const text = cleaned(), src = engine.encode(text);
    grow();
    notes.before(text, src, prefix.length > 0);
    const nothing = !src.length || src.length > MAX_TOKENS || words.isNoKorean(text);
    for (const id of ["tokens", "writing", "attention", "removal"]) get(id).hidden = nothing;
    for (const id of ["tab-step", "share"]) get(id).disabled = nothing;
    live.setAttribute("aria-busy", !nothing);
    live.classList.toggle("empty", nothing);
    get("translation").classList.toggle("guessed", words.hasUnknown(text));
    get("translation").classList.toggle("slight", words.isMostlyForeign(text)); // what helps says more
    if (nothing) {
      picture.clear();
      get("noted").hidden = true;
      led = null;
      get("translation").style.minHeight = ""; // which playing has set
      get("translation").classList.remove("writing");
      get("translation").textContent = get("said").textContent = "";
      return;
    }
    get("translation").textContent = get("shared").textContent = "";
    get("link").hidden = true; // it was the one before's
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

  function cleaned() { // what the model reads of what is typed
    const text = Engine.clean(get("text").value);
    return course ? Engine.clean(text.replace(MARKS, "").replace(/ {2,}/g, " ")) : text;
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
    get("said").textContent = engine.textOf(steps);
    notes.after(sentence);
    drawTranslation();
    soon(() => {
      if (asking) return; // the next one is on its way
      drawAll();
      remember(isNew);
      soon(() => {
        live.setAttribute("aria-busy", asking !== null);
        setTimeout(() => { // once the picture has its caption
          led?.scrollIntoView();
          led = null;
        });
      });
    });
  }

  function look(number) { // at this step
    [at, picked] = [number, true];
    drawTranslation();
    drawAll();
    remember();
  }

  function drawAll() {
    if (asking) return; // it comes when the sentence is whole
    const drawn = sentence;
    soon(() => sentence === drawn && picture.show(sentence, at));
    drawNext();
    removal.draw(drawn);
    soon(() => drawAttention(sentence, at));
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
    if (removal.heads().length) state.removed = Address.heads(removal.heads());
    const isOpening = text === course?.examples[0][0] && !Object.keys(state).length;
    Address.write(isOpening ? {} : {text, ...state}, isNew);
  }

  function restore(event) { // what the address says, as far as it can be had
    const asked = Address.read();
    if (!asked) return false;
    const {text = course?.examples[0][0] ?? "", how = "greedy", written = "", removed: heads = ""} = asked;
    const among = (name) => Address.isBelow(asked[name] ?? "", 1000) ? Number(asked[name]) : null;
    const prefix = written.split(" ").filter((id) => Address.isBelow(id, engine.tgt.tokens.length)).map(Number);
    get("text").value = text;
    for (const radio of document.querySelectorAll(".live [name=live-how]")) radio.checked = radio.value === how;
    if (!document.querySelector(".live [name=live-how]:checked")) document.querySelector(".live [value=greedy]").checked = true;
    setTemperature(Number(asked.temperature) || 1);
    removal.take(Address.headsIn(heads, Attention.PARTS.map(([name]) => name), n_layers, n_heads));
    const place = {station: among("station"), layer: among("layer"), head: among("head")};
    openTab(asked.tab === "step" && text.trim() ? "step" : "translate", {isNew: false, place});
    translate({prefix, tapped: prefix.length ? among("tapped") ?? -1 : -1, at: among("at"), slowly: false, isNew: false});
    led = asked.tab && (!asked.text || !event) ? document.querySelector(".live .tabs") : null; // going back, the browser knows where one was
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

  // ---- Tokens ----------------------------------------------------------------------------------------------

  function drawSource() {
    const list = get("source");
    list.textContent = "";
    for (const word of Object.keys(meant)) delete meant[word];
    get("bytes").hidden = !sentence.src.some((id) => engine.src.isByte(id));
    for (const word of engine.src.split(sentence.text)) {
      const ids = engine.src.encodeWord(word), isStrange = words.isUnknown(word.trim());
      for (const one of [word, ...ids.map((id) => engine.src.tokens[id])].map((text) => text.trim()))
        if (!isStrange && words.meanings[one]) meant[one] = words.meanings[one];
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
    showText(engine.textOf(steps));
    get("echo").textContent = engine.textOf(steps);
    get("wrong").textContent = "";
    const isWrong = !asking && get("notes").querySelector(".lacking") !== null;
    if (isWrong) say(button(get("wrong"), () => get("translation").scrollIntoView({block: "center"})), ...Composer.WRONG);
    tellComposer?.(sentence.text, engine.textOf(steps), isWrong);
    redraw(get("target"), () => steps.forEach(({written}, number) => {
      const token = button(get("target"), () => look(number),
        {"aria-pressed": number === at});
      showToken(token, tokenOf(written));
      make("small", token, String(written));
    }));
  }

  function showText(text) { // words that the model made up are marked
    const place = get("translation"), parts = text.split(/\b/), meant = new Set();
    Lacking.words(sentence.text).forEach((word, k, words) => (course?.glosses[word] ?? "").toLowerCase().split("|").forEach((form) => { // once for each word of the text
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
    const before = engine.textOf(sentence.steps.slice(0, at)) || "<bos>";
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
    if (course && temperature() === 1 && probabilities[ids[0]] > 0.8) {
      const line = say(make("div", get("rest")), "확신하는 자리에서도 이만큼 남는 것은 레이블 스무딩으로 학습했기 때문입니다.",
        "Even where the model is sure, the others keep that much: it was trained with label smoothing.");
      line.append(" ");
      showChapters(line, [11]);
    }
  }

  function goOn(id) {
    if (cleaned() !== sentence.text) return translate(); // another has been typed
    translate({prefix: [...sentence.steps.slice(0, at).map(({written}) => written), id]});
  }

  function drawBeam(found) {
    get("ranked").textContent = "";
    for (const {score, ids} of found.ranked) {
      const item = make("li", get("ranked"));
      make("bdi", item, engine.decode(ids) + " ");
      make("small", item, score.toFixed(2).replace("-", "−"));
    }
    BeamTree.draw(get("tree"), found, engine.tgt);
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
    say(label, course ? "한국어 문장 " : "문장", course ? "Type Korean " : "A sentence");
    if (course) say(make("small", label), "작은 모델, 배운 단어만", "(or pick words)");
    get("about").textContent = ""; // it is no longer being loaded
    say(get("about"),
      (course ? "아주 작은 모델입니다. 강의에서 만든 문장(형과 누나, 친구, 여행, 책, 빵, 커피 …)으로만 학습했습니다. " : "")
        + `매개변수는 ${size}개입니다. 번역은 이 페이지 안에서만 하고, 문장은 어디에도 보내지 않습니다.`,
      (course ? "A small model of a small world: it was trained only on sentences generated for the course "
        + "(an older brother or sister, friends, trips, books, bread, coffee …). " : "")
        + `It has ${size} parameters and runs inside this page; nothing you type leaves it.`);
    if (!course) return;
    get("text").lang = "ko";
    get("text").value = course.examples[0][0];
    for (const id of ["translation", "echo", "whole", "said"]) get(id).lang = "en";
    for (const [korean, english] of course.examples) {
      const example = button(get("examples"), () => showExample(korean)), odd = korean.split(" ").find(words.isUnknown);
      make("bdi", example, korean, {lang: "ko"});
      const small = make("small", example);
      make("span", small, (odd ? "It should be: " : "") + english, {lang: "en"});
      if (odd) say(make("small", example), `배운 적이 없는 단어: ${odd}`, `a word it never saw: ${odd}`);
      else if (words.isNewShape(korean)) say(make("small", example), "배운 적이 없는 문장 구조", "a sentence pattern it never saw");
    }
    for (const id of ["another", "words", "compose"]) get(id).hidden = false;
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
  function hold(element) { held = sticks(element) ? null : {element, place: placeOf(element)}; }
  const sticks = (element) => element && (/sticky|fixed/.test(getComputedStyle(element).position) || sticks(element.parentElement)); // where it is tells nothing of the page
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
      setTemperature(chosen("how") === "sample" ? COOL : 1); // what was drawn at another is gone
      if (sentence || asking) translate(); // also while the first one is on its way
    });
  }

  function setTemperature(degrees) {
    get("temperature").value = degrees;
    get("degrees").textContent = temperature().toFixed(1);
    if (sentence) drawNext();
  }

  get("temperature").addEventListener("input", () => setTemperature(temperature()));
  get("temperature").addEventListener("change", () => { if ((sentence || asking) && chosen("how") === "sample") translate(); });
  get("again").addEventListener("click", () => { hold(get("again")); translate(); });
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
  const picture = Picture.mount(get("picture"), document.querySelector(".live .line"), engine, meant, look, () => goTo("step"), (count) => { // while it plays
    if (asking) return; // the next one is on its way
    const {steps} = sentence, place = get("translation"), isWhole = count === steps.length;
    place.style.minHeight = isWhole ? "" : place.style.minHeight || place.offsetHeight + "px"; // what is below stays there
    showText(engine.textOf(steps.slice(0, count)));
    for (const one of [place, get("notes")]) one.classList.toggle("writing", !isWhole); // what is wrong in it is said once it is there
  });
  describe();
  prepareTabs();
  if (!restore()) { // the address names a place on the page
    const named = document.getElementById(location.hash.slice(1));
    if (named?.matches("details")) named.open = true;
    translate({slowly: false, isNew: false});
    if (live.contains(named)) led = named;
  }
  addEventListener("popstate", restore);
})();
