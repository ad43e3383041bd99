"use strict";
/* A sentence put together by tapping words, of which those are shown that go with the chosen ones.

   Composer.mount(course, words, enter, hold) → tell(text, translation, isWrong)
     words      of `Words.of`
     enter      called with a sentence, once it is whole and whenever it changes
     hold       called with the button that was tapped, so that it stays where it is
     tell       shows the translation beside the sentence, if the text is that of the sentence, and where to read what is
                wrong in it */

const Composer = (() => {
  const {get, make, say, button, redraw} = Elements;
  const SLOTS = [["who", "누가", "who"], ["verb", "동사", "does what"], ["what", "무엇을", "what"],
    ["kind", "어떤", "what kind"], ["where", "어디에서", "where"], ["when", "언제", "when"]];
  const KINDS = [["korean", "평서문", "statement"], ["denied", "부정문", "with “not”"], ["question", "의문문", "question"]]; // forms of a verb
  const WRONG = ["틀린 곳 보기 ↑", "See what is wrong ↑"];
  const ORDER = ["who", "when", "where", "kind", "what", "verb"]; // of Korean: the verb comes last

  function mount(course, {meanings, formOf, askedBy}, enter, hold) {
    let tense = "past", kind = "korean", choice = {who: "나는"};
    let own = choice; // as it was tapped, before a tense or a kind has changed it

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
      const time = wordsOfSlot("when").find((when) => fits({...kept, when})); // a habit needs its time
      if (tense === "present" && kept.verb && !kept.when && time) kept.when = time;
      return kept;
    }

    function draw() {
      const leftOut = Object.keys(own).filter((slot) => !choice[slot]).map((slot) => own[slot]);
      const isOther = (slot) => choice[slot] && choice[slot] !== own[slot]; // a tense or a kind has changed it
      const inner = get("compose").querySelector(".inner");
      redraw(inner, () => {
        const top = make("div", inner, "", {class: "top"}), composed = make("p", top, "", {class: "composed"});
        make("p", top, "", {id: "live-composed", lang: "en"});
        for (const slot of ORDER.filter((slot) => choice[slot])) {
          const place = make("bdi", composed, shownOf(slot, choice[slot]));
          make("small", place, glossOf(slot, choice[slot]), {lang: "en"});
        }
        const open = missing();
        if (!open.length) sayWay(button(make("p", top), () => get("translation").scrollIntoView(), {id: "live-way"}), false);
        else {
          const line = say(make("p", top, "", {class: "hint open"}), "아직 고르지 않은 것: ", "Still to choose: ");
          for (const slot of open) {
            const lead = () => get("slot-" + (get("slot-" + slot[0]) ? slot[0] : "verb")).scrollIntoView();
            say(button(line, lead), ...nameOf(slot));
          }
          if (tense === "present" && !choice.when) say(line, " 습관에는 빈도가 필요합니다(매일, 자주 …).", " A habit needs a time (every day, often …).");
        }
        drawRadios(inner, "tense", ["시제", "tense"], Words.TENSES, tense, (name) => { tense = name; });
        drawRadios(inner, "kind", ["종류", "kind"], KINDS, kind, (name) => { kind = name; });
        if (leftOut.length) say(make("p", inner, leftOut.map((word) => `${word} (${meanings[word]})`).join(", "), {class: "hint"}), ": 이 조합은 배운 적이 없어 뺐습니다.", ": left out; it never saw them together.");
        if (own.who && isOther("who")) say(make("p", inner, "", {class: "hint"}), `‘${own.who.slice(0, -1)}’에 대한 질문은 학습에 없어서 ‘너는’으로 바꾸었습니다.`, `No question in training was about ${own.who.slice(0, -1)} (${meanings[own.who]}), so it became 너는 (you).`);
        if (isOther("when")) say(make("p", inner, "", {class: "hint"}), `습관에는 빈도가 필요해서 ‘${choice.when}’을 넣었습니다.`, `A habit needs a time, so ${choice.when} (${meanings[choice.when]}) was put in.`);
        say(button(inner, () => { [choice, tense, kind] = [{}, "past", "korean"]; own = choice; draw(); }, {class: "anew"}), "처음부터", "Start over");
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
          take(value);
          choice = inTense(own);
          draw();
          use();
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
          own = choice;
          draw();
          get("compose").querySelectorAll(".words button").forEach((other) => {
            if (other.dataset.word !== word) return;
            other.focus({preventScroll: true});
            scrollBy({top: other.getBoundingClientRect().top - top, behavior: "instant"});
            hold(other);
          });
          use();
        }, {"aria-pressed": pressed, "data-word": word});
        make("bdi", option, shownOf(slot, word), {lang: "ko"});
        make("small", option, glossOf(slot, word), {lang: "en"});
      }
    }

    function missing() { // slots without which there is no sentence; the course never tells of a habit without its time
      const form = formOf(choice.verb);
      const needed = ["who", "verb", form?.what.length ? "what" : "who", tense === "present" ? "when" : "who"];
      return SLOTS.filter(([slot]) => needed.includes(slot) && !choice[slot]);
    }

    const shownOf = (slot, word) => slot === "verb" ? formOf(word)[kind] : word;
    const glossOf = (slot, word) => slot !== "verb" || kind === "korean" ? meanings[word] : kind === "denied" ? formOf(word).not : formOf(word).not.replace(" not ", " … ") + "?";
    const composedText = () => ORDER.filter((slot) => choice[slot]).map((slot) => shownOf(slot, choice[slot])).join(" ");

    function use() {
      if (!missing().length) enter(composedText());
    }

    function tell(text, translation, isWrong) { // of a text that may be the composed one
      if (missing().length || text !== composedText()) return;
      get("composed").textContent = translation;
      sayWay(get("way"), isWrong);
    }

    function sayWay(place, isWrong) {
      place.textContent = "";
      say(place, ...isWrong ? WRONG : ["번역하는 과정 보기 ↑", "See how it was translated ↑"]);
    }

    get("compose").addEventListener("toggle", draw, {once: true}); // hundreds of words, once they are looked for
    return tell;
  }

  return {mount, WRONG};
})();
