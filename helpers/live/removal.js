"use strict";
/* What comes of a sentence without some heads, beside what comes with all.

   Removal.mount(engine, run, onchange) → {heads(), take(heads), draw(sentence)}
     run        of `Work.start`
     onchange   called when other heads are removed
     heads      the removed ones, as engine.encoder takes them; take: remove these and no others */

const Removal = (() => {
  const {get, make, say, button, percent, showWords} = Elements;

  function mount(engine, run, onchange) {
    const {n_layers, n_heads} = engine.options;
    const toggles = []; // [button, head]
    let removed = [], sentence = null;

    const isSame = (one, other) => ["part", "layer", "head"].every((key) => one[key] === other[key]);
    const isRemoved = (head) => removed.some((one) => isSame(one, head));

    function drawSwitches() {
      for (const [part, ko, en] of Attention.PARTS) {
        say(make("h3", get("switches")), ko, en);
        for (let layer = 0; layer < n_layers; layer++) {
          const row = make("div", get("switches"), "", {class: "switches"});
          say(make("small", row), `층 ${layer}`, `layer ${layer}`);
          const heads = Numbers.upTo(n_heads).map((head) => ({part, layer, head}));
          for (const one of heads) {
            const toggle = button(row, () => change([one]));
            toggles.push([toggle, one]);
            say(make("span", toggle, "", {class: "unseen"}), "헤드", "head");
            toggle.append(String(one.head));
          }
          say(button(row, () => change(heads)), "모두", "all");
        }
      }
      showPressed();
    }

    function showPressed() {
      for (const [toggle, head] of toggles) toggle.setAttribute("aria-pressed", isRemoved(head));
    }

    function change(heads) { // remove them, or put them back where all of them are removed
      const kept = removed.filter((one) => !heads.some((head) => isSame(one, head)));
      removed = heads.every(isRemoved) ? kept : [...kept, ...heads];
      showPressed();
      draw(sentence);
      onchange();
    }

    get("restore").addEventListener("click", () => {
      change(removed);
      get("switches").querySelector("button").focus(); // the button itself is gone
    });

    function draw(one) {
      sentence = one;
      const count = removed.length, pair = document.querySelector(".live .pair");
      get("restore").hidden = !count;
      get("removed").textContent = "";
      const noted = get("noted"), said = [`없앤 헤드 ${count}개`, `${count} head${count > 1 ? "s" : ""} removed`];
      noted.hidden = !count; // it is above, where the whole translation stands
      noted.textContent = "";
      if (count) {
        say(get("removed"), ...said);
        say(noted, said[0] + ". 위의 번역과 아래의 그림에는 모든 헤드를 썼습니다. ", said[1] + ". The translation above and the picture below use all heads. ");
        say(button(noted, () => get("removal").scrollIntoView()), "없앤 뒤의 번역 보기", "See the translation without them");
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
        if (count) say(make("small", get("without")), `원래 번역이 나올 확률은 이제 ${left}`, `the original translation now has probability ${left}`);
        else say(make("small", get("without")), "아직 없앤 헤드가 없습니다.", "no head is removed yet");
      });
    }

    function take(heads) {
      removed = heads;
      if (removed.length) get("removal").open = true;
      showPressed();
    }

    drawSwitches();
    return {heads: () => removed, take, draw};
  }

  return {mount};
})();
