"use strict";
/* What is said beside a translation: what the model cannot know before, and after it what is wrong, and what would
   be right.

   Notes.mount(place, page) → {before(text, src, isTapped), after(sentence)}
     page       {engine, course, words of `Words.of`, run of `Work.start`; longest, how many tokens it reads; width of
                the beam; typed(), the text as it stands there; how(), temperature(), by which tokens are chosen;
                isShown(sentence); and what the page does: enter(text), pick() of words, choose(how), doubt() what it shows}
     before     of a text, its tokens, and whether it goes on from a token that was chosen
     after      of a sentence whose translation is whole; its `added` are then the words that are made up */

const Notes = (() => {
  const {make, say, button, showWords} = Elements;
  const MANY = 3; // words that a translation has wrong: no list of more is read
  const NOT_LOST = ["부정이 빠져서 뜻이 반대가 되었을 수 있습니다.", "The “not” is lost, so the meaning may be reversed."];
  const SWAPPED = ["누가 한 일인지가 뒤바뀌었습니다.", "It mixes up who did what."];
  const NEW_FORM = ["단어는 알지만 이 형태는 학습에 없었습니다. ", "it knows the word, but never saw this form. "];
  const COLORED = ["색칠한 말은 원문에 없거나 원문보다 더 많이 나왔습니다.", "The colored words aren’t in the Korean, or appear more often than in it."];

  function mount(place, {engine, course, words, run, longest, width, typed, how, temperature, isShown, enter, pick, choose, doubt}) {
    const {seen, wordsOf, isSeen, isLong, isUnknown, isNoKorean, hasUnknown, isMostlyForeign, isForeign,
      apart, meantBy, englishOf, formOf, askedBy, isNewShape, isTangled, topicFirst, formsAtEnd,
      lacksObject, hasOddObject, isOfNoKind, rewritten, taught, rewrite, likeOf} = words;
    let sentence = null; // the last one that was whole

    function before(text, src, isTapped) { // what the model cannot know
      place.textContent = "";
      const all = [...new Set(wordsOf(text).filter(isUnknown))], joined = all.filter(apart), unknown = all.filter((word) => !joined.includes(word));
      if (how() === "sample" && src.length) {
        const line = say(make("div", place), `온도 ${temperature().toFixed(1)}에서 샘플링한 번역입니다.`, `Sampled at temperature ${temperature().toFixed(1)}.`);
        line.append(" ");
        say(button(line, () => choose("greedy")), "탐욕 디코딩으로 되돌리기", "Back to greedy decoding");
        if (temperature() >= 1) say(line, " 확률이 낮은 토큰도 뽑혀 엉뚱한 말이 섞이기 쉽습니다. 0.5로 낮추면 줄어듭니다.",
          " Unlikely tokens get drawn, too, so something odd easily slips in; less so at 0.5.");
      } else if (isTapped && src.length) {
        const isBeam = how() === "beam";
        say(make("div", place), `직접 고른 토큰에서 ${isBeam ? "탐욕 디코딩으로 " : ""}이어 쓴 번역입니다.`,
          `Continued from a token that you chose${isBeam ? ", by greedy decoding" : ""}.`);
      }
      if (src.length > longest) {
        say(make("div", place), `너무 깁니다(${src.length}토큰). 한도는 ${longest}토큰입니다.`,
          `Too long: ${src.length} tokens; the limit is ${longest}.`);
      } else if (!text) {
        say(make("div", place), "문장을 입력하거나 아래의 예문을 누르세요.", "Type a sentence, or choose an example below.");
      } else if (isNoKorean(text)) {
        const line = say(make("div", place), "한글로 쓴 한국어만 번역합니다. ", "It translates only Korean, written in Hangul. ");
        const like = likeOf(text);
        if (like) say(button(line, pick), "단어 고르기", "Pick words").after(" ");
        suggestLike(line, like);
      } else if (all.length) {
        const helps = !taught(text) && (!isMostlyForeign(text) || unknown.every((word) => meantBy(word, wordsOf(typed())))); // one word more is no help
        const suggestOn = (words, ko, en) => {
          const line = noteOn(words, ko, en, [], "");
          if (helps) for (const word of words) suggest(line, word);
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
        suggestTaught(place.lastChild, text);
        if (course && !place.querySelector("button")) suggestLike(place.lastChild, likeOf(text));
        if (/[가-힣]{8}/.test(text) && !joined.length) say(make("div", place), "단어 사이를 띄어 쓰세요.", "Put spaces between the words.");
      }
      if (isLong(text) && src.length <= longest)
        say(make("div", place), `단어가 ${wordsOf(text).length}개입니다. ${course.longest}개가 넘는 문장은 학습한 적이 없어, 뒷부분이 빠지거나 엉뚱해지기 쉽습니다.`,
          `It has ${wordsOf(text).length} words; no training sentence had more than ${course.longest}. Parts of it are likely to be missing or wrong.`);
      if (areSeveral()) {
        const line = say(make("div", place), "한 번에 한 문장씩만 번역합니다: ", "It translates one sentence at a time: ");
        for (const one of sentences().slice(0, MANY)) {
          make("bdi", button(line, () => enter(one)), one, {lang: "ko"});
          line.append(" ");
        }
      }
      if (course && /(니|까)$/.test(text)) {
        const line = say(make("div", place), "물음표가 없으면 모델은 질문인 줄 모를 수 있습니다. ", "Without a question mark the model may not know that this is a question. ");
        say(button(line, () => enter(text + "?")), "물음표 붙이기", "Add one");
      }
      if (course && /(^|[^을를] )그리고 /.test(text)) // 그림을 그리고: drew
        say(make("div", place), "‘그리고’는 학습에서 ‘그리다’로만 나와서, 모델은 접속사인 줄 모릅니다.", "그리고 was only ever a form of “draw” in training; the model doesn’t know that it also means “and”.");
    }

    function after(one) { // what it has wrong
      sentence = one;
      const {steps, text} = one, said = engine.textOf(steps), isNoise = one.how === "sample" && temperature() > 1, isOdd = course && isForeign(text);
      if (steps.at(-1).written !== engine.tgt.eos_id)
        say(make("div", place), "문장을 끝내지 못해 길이 제한에서 멈췄습니다.", "The translation never ended, so it was cut off at the length limit.");
      if (said.includes("\ufffd"))
        say(make("div", place), "\ufffd는 글자가 되지 못한 바이트입니다. 모델은 낯선 글자를 바이트로 씁니다.", "\ufffd stands for bytes that make no character; the model spells rare characters in bytes.");
      if (!said) say(make("div", place), "첫 토큰이 <eos>여서 번역이 비었습니다.", "The first token was <eos>, so the translation is empty.");
      const joined = course && !isOdd ? [...new Set(said.match(/[A-Za-z]+/g))].filter((word) => !course.english.includes(word)) : [];
      noteOn(joined, "학습한 영어에 없는 단어입니다. 어울리지 않는 토큰이 이어져 생겼습니다.", "no word of the English it learned; tokens were joined that don’t belong together.");
      if (one.how === "sample") run("offer", {src: one.src}, (found) => {
        if (found && isShown(one) && found.text === said) say(make("div", place), "이번에는 탐욕 디코딩과 같은 문장이 나왔습니다. 온도를 높이면 달라집니다.", "This time it drew what greedy decoding picks; a higher temperature gives more variety.");
      });
      if (joined.length) doubt();
      if (isOdd) one.added = said.toLowerCase().match(/[a-z]+/g) ?? []; // all of it is made up
      else if (course && !isNoise) noteLacking();
      else one.added = joined.map((word) => word.toLowerCase());
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
      const line = make("div", place, "", {class: kind});
      listWords(line, words, (_, i) => line.append(english[i] ? ` (${english[i]})` : ""));
      return say(line, ko, en);
    }

    function suggest(line, word) {
      const all = wordsOf(typed()), meant = meantBy(word, all), verb = all[all.indexOf(word) + 1];
      if (!meant) return;
      const isDenied = word === "안", whole = typed().replace(isDenied ? `안 ${verb}` : word, meant);
      if (meant === word + "요") say(button(line, () => enter(whole)), `${meant}로 바꾸기`, `Change it to ${meant}`);
      else offer(line, whole, meant, isDenied ? "not" : englishOf(meant));
    }

    const offer = (line, whole, word, english) =>
      say(button(line, () => enter(whole)), `혹시 ‘${word}’인가요?`, `Did you mean ${word}${english ? ` (${english})` : ""}?`);

    const isNot = (english) => english === "not";
    const isDropped = (english, text) => /^(i|you)$/i.test(english) && !Lacking.words(text).some((word) => /[은는이가도]$/.test(word)); // in Korean it goes without saying

    function faultsOf(text, said, own) { // all that a translation has wrong; own: a word that the reader has put there
      const words = Lacking.words(text), timesOf = (word) => Lacking.count(said, course.glosses[word]), isThere = ([word]) => timesOf(word) > 0;
      const all = Lacking.find(text, said, course.glosses).filter(([word], i, all) => all.findIndex(([other]) => other === word) === i);
      const lacking = all.filter(([word]) => !isUnknown(word)), marked = Lacking.added(Forms.plainly(text, course.verbs), said, course.glosses).filter((word) => word !== own && !isDropped(word, text));
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

    const tell = (ko, en) => say(make("div", place, "", {class: "lacking"}), ko, en);
    const tellWhy = () => explain(make("div", place, "", {class: "lacking"}));

    const sentences = () => typed().trim().split(/(?<=[가-힣][.?!])\s+(?=[가-힣])/), areSeveral = () => Boolean(course) && sentences().length > 1;

    function noteLacking() {
      const {text, steps, tapped, how} = sentence, asked = sentence, said = engine.textOf(steps);
      const own = steps[tapped] && engine.tgt.tokens[steps[tapped].written].trim().toLowerCase(), meant = hasUnknown(text) && taught(text) && !rewritten.isNear && rewritten.other;
      const faults = faultsOf(text, said, own);
      if (meant) {
        const {added, marked, found} = faultsOf(meant, said, own); // 갈까?: go is in 갈 거니?
        Object.assign(faults, {added, marked, found: found.filter(([, english]) => !isDropped(english, text))});
      }
      const forms = [...new Set(Lacking.words(text))].filter((word) => !seen.has(word) && !isUnknown(word)); // that it never saw
      sentence.added = faults.marked;
      if (areSeveral()) { // that is said, and nearly enough
        if (faults.found.length + faults.added.length) tellLost(faults.found, faults.added, make("div", place, "", {class: "lacking"}));
        return;
      }
      if (isMostlyForeign(text)) { // that is said
        if (faults.isNotLost) tell(...NOT_LOST);
        else if (!taught(text) && faults.added.some(isNot)) noteAdded(["not"], text, said);
        if (!taught(text) && faults.marked.length) tell(...COLORED);
        return;
      }
      const isToldSo = isUnknown(Lacking.words(text).at(-1)) || hasUnknown(text) && taught(text); // 안 간다
      const odd = isToldSo ? [] : Lacking.oddTime(text, course.times, course.tenses);
      const line = noteOn(odd, ...course.times[odd[0]] === "present" // 매일 마셨다
        ? ["학습에서 함께 나온 적이 없습니다. 번역이 어색하거나 틀릴 수 있습니다. ", "never together in training, so the translation may sound odd or be wrong. "]
        : ["때와 시제가 맞지 않습니다. 번역이 어색하거나 틀릴 수 있습니다. ", "time and tense don’t go together, so the translation may sound odd or be wrong. "],
        odd.map((word) => /^(것이다|거예요)$/.test(word) ? "will" : englishOf(word)));
      if (line && !faults.isAny && taught(text)) return suggestTaught(line, text);
      if (faults.isAny && taught(text) && (hasUnknown(text) || forms.length || isNewShape(text))) return noteTaught(text, faults, forms);
      if (faults.added.length + faults.found.length > MANY) return noteMany(text, faults, forms);
      noteEach(text, said, faults);
      if (isNewShape(text) && course.examples.some(([korean, english]) => korean === text && english === said))
        say(make("div", place, "", {class: "praise"}), "이런 구조의 문장은 학습에 없었는데도 바르게 번역했습니다.", "Training had no sentence built this way, and yet the translation is right.");
      const usual = topicFirst(text), isOdd = lacksObject(text) || hasOddObject(text) || isTangled(text) && isNewShape(text) && !faults.areRolesRight;
      if (faults.isAny || isOdd && (how !== "greedy" || tapped >= 0 || !usual)) tellWhy();
      else if (isOdd)
        run("beam", {src: engine.encode(usual), width: 1}, (found) => { // right, if it is translated alike
          if (found && isShown(asked) && found.text !== said) tellWhy();
        });
    }

    function noteTaught(text, {isNotLost, isSwapped, added, found}, forms) { // what would be right says enough
      if (isSwapped) tell(...SWAPPED);
      const line = hasUnknown(text) ? null : noteOn(forms, ...NEW_FORM);
      if (line) suggestTaught(line, text);
      else if (!hasUnknown(text)) tellWhy();
      if (added.some(isNot) && !Lacking.words(text).some(Lacking.negates)) noteAdded(["not"], text, engine.textOf(sentence.steps));
      const others = found.filter(([, english]) => !isNot(english)), isElsewhere = others.length > 0 && added.length > 0; // no one asks then for its “not”
      const isDenialLost = isNotLost || found.length > others.length;
      if (isDenialLost && !isElsewhere) tell(...NOT_LOST);
      if (others.length + added.length)
        tellLost([...others, ...isDenialLost && isElsewhere ? [["", "not"]] : []], added, make("div", place, "", {class: "lacking"}));
    }

    function tellLost(found, added, line) {
      const isThere = (word) => Lacking.words(sentence.text).includes(word); // or else only in the same as the course has it
      const named = ([word, english]) => !isThere(word) ? englishOf(word) || english : englishOf(word) ? `${word} (${englishOf(word)})` : word;
      const lost = found.map(named).join(", ");
      if (found.length > MANY) say(line, `원문의 단어 ${found.length}개가 번역에 없습니다. `, `${found.length} of its words are missing. `);
      else if (found.length) say(line, `번역에 없는 말: ${lost}. `, `Missing: ${lost}. `);
      if (added.length) say(line, ...COLORED);
    }

    function noteMany(text, {added, found, isNotLost}, forms) { // one line for all
      if (isNotLost) tell(...NOT_LOST);
      if (!isLong(text)) noteOn(forms, ...NEW_FORM);
      const line = make("div", place, "", {class: "lacking"});
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
      if (isCut && sentence.steps.at(-1).written === engine.tgt.eos_id) tell("번역이 문장 중간에서 끝났습니다.", "The translation stops in the middle of a sentence.");
      const isTold = hasUnknown(text) && added.length + found.length > 0; // and that is enough
      if (isLooping && !isTold) tell("번역이 같은 말을 되풀이합니다.", "The translation repeats itself.");
      else if (isBroken && !isTold) tell("번역이 올바른 영어 문장이 아닙니다.", "The translation is not a sentence of English.");
      for (const [word, english] of late) {
        const [, ko, en] = Words.TENSES.find(([name]) => name === formOf(word)?.tense) ?? [];
        noteOn([word], `번역의 시제가 다릅니다${ko ? `(원문은 ${ko.replace(/\(.*/, "")})` : ""}.`, `the translation has another tense${en ? ` (the Korean: ${en.replace(/ .*/, "")})` : ""}.`, [english]);
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
      noteOn(others.filter(isMeant), "원문보다 많이 나옵니다.", "appears more often than in the Korean.");
      noteOn(others.filter((word) => !isMeant(word)), ...hasUnknown(text)
        ? ["원문에 없는 말입니다. 모르는 단어가 있어서 모델이 짐작했습니다.", "not in the Korean; the model guessed, because of a word it doesn’t know."]
        : ["원문에 이런 말이 없습니다. 모델이 지어냈습니다.", "nothing in the sentence says so; the model made it up."]);
    }

    function noteFound(found) {
      if (!found.length) return;
      const line = make("div", place, "", {class: "lacking"});
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

    function suggestTaught(line, text) { // the whole, or the only word that differs
      const other = taught(text), words = wordsOf(text), others = other?.split(" ") ?? [];
      if (!other) return;
      if (rewritten.isNear) {
        say(line, "아는 단어로 바꾸면: ", "With words that it knows: ");
        return offerWhole(line, other, text);
      }
      const at = words.findIndex((word, i) => word !== others[i]), rest = words.length - at - 1; // of words after the first that differs
      if (others.length === words.length && at === words.length - 1 && !rewritten.isSlip && !isSeen(words[at])) { // 읽었어 is no slip
        say(line, "모델이 배운 형태: ", "The form it learned: ");
        return offerWhole(line, other, text);
      }
      const isOneWord = others.length === words.length || other.replace(/ /g, "") === text.replace(/ /g, "");
      if (isOneWord && !/지만$/.test(others[at]) && words.slice(at + 1).join(" ") === others.slice(others.length - rest).join(" ")) {
        const word = others.slice(at, others.length - rest).join(" ").replace(/\?$/, "");
        return offer(line, other, word, englishOf(word));
      }
      const isTimed = others.some((word) => course.times[word] && !text.includes(word)); // 매일
      if (isTimed) say(line, "학습한 문장에는 ‘언제’가 있습니다: ", "Written the way it learned, with a time: ");
      else say(line, "학습한 문장처럼 쓰면: ", "Written the way it learned: ");
      offerWhole(line, other, text);
    }

    function suggestLike(line, like) { // or else one of the examples
      const value = typed(), isGreeting = /^(안녕|반가|하이|hello|hi\b)/i.test(value.trim());
      if (like && isNoKorean(value)) say(line, "가장 가까운 한국어 문장: ", "Closest in Korean: ");
      else if (like) say(line, `비슷한 ${/\?$/.test(like) ? "질문" : "문장"}: `, "Try one like it: ");
      else if (isGreeting) say(line, "인사말은 배우지 않았습니다. 이런 문장은 번역합니다: ", "It never learned greetings. Try this one: ");
      else {
        say(button(say(line, "비슷한 문장을 찾지 못했습니다. ", "Nothing close was found. "), pick), "아는 단어 보기", "See the words it knows");
        say(line, " 이런 문장은 번역합니다: ", " Or try this one: ");
      }
      const other = like ?? course.examples[/\?\s*$/.test(value) ? 2 : isGreeting ? 0 : [0, 1, 3][value.length % 3]][0]; // a question for a question, or else not always the same
      offerWhole(line, other, like && isNoKorean(value) ? value : other);
    }

    function offerWhole(line, other, text) { // what is new in it stands out
      const offered = button(line, () => enter(other));
      const isEnglish = isNoKorean(text), plain = (word) => word.toLowerCase().replace(/[.,!?]/g, "");
      showWords(make("bdi", offered, "", {lang: "ko"}), other, isEnglish ? other : text, "b");
      const english = make("span", make("small", offered), "", {lang: "en"}), asked = text.replace(/n['’]t\b/g, " not").split(/\s+/).map(plain);
      run("offer", {src: engine.encode(other)}, (found) => {
        if (!found || !english.isConnected) return;
        const said = found.text;
        if (faultsOf(other, said).isAny) {
          say(english.parentNode, "이 문장도 틀리게 번역합니다", "it gets this one wrong, too");
          return english.remove();
        }
        const same = said.split(" ").filter((word) => !isEnglish || asked.includes(plain(word)));
        showWords(english, said, same.join(" "), "b");
      });
    }

    function explain(line) { // why a translation may be wrong, and what would be right
      const {text, src, how, tapped} = sentence, asked = sentence;
      doubt();
      const example = course.examples.find(([korean, english]) => korean === text && english !== engine.textOf(sentence.steps));
      if (lacksObject(text)) { // 파리에 of 갔다: where to
        const {korean, what} = formsAtEnd(text)[0], [to, en] = askedBy(what[0]) ?? ["무엇을", "what"], ko = `‘${to}’${to === "어디에" ? "가" : "이"}`;
        say(line, `${korean}: ${ko} 있는 문장으로만 배웠습니다. `, `${korean} (${englishOf(korean)}): never seen without “${en}”. `);
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
      run("beam", {src, width}, (found) => {
        if (!found || !isShown(asked)) return;
        const other = found.text;
        if (other === engine.textOf(asked.steps)) return;
        const isLike = (find) => find(text, other, course.glosses).length > 0;
        if ([Lacking.find, Lacking.added].some(isLike) || Lacking.repeats(other) || Lacking.isBroken(other)) return; // no better
        line.append(" ");
        say(button(line, () => choose("beam")), `빔 서치로는: ${other}`, `With beam search: ${other}`);
      });
    }

    return {before, after};
  }

  return {mount};
})();
