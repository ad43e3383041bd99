"use strict";
/* Where all heads of a sentence look: a thumbnail of each, and the weights of the one that is chosen.

   Attention.mount(engine, meanings) → draw(sentence, at), which does nothing while the part of the page is folded
     meanings   {word: what it means}
     at         the number of the step that is looked at
   Attention.PARTS    the kinds of attention, each with its name in both languages */

const Attention = (() => {
  const {get, chosen, make, say, button, redraw, brief, showToken} = Elements;
  const PARTS = [["cross", "크로스 어텐션", "cross-attention"], ["decoder", "디코더의 셀프 어텐션", "decoder self-attention"],
    ["encoder", "인코더의 셀프 어텐션", "encoder self-attention"]];

  function mount(engine, meanings) {
    const {n_layers, n_heads} = engine.options, tokenOf = (id) => engine.tgt.tokens[id];
    let shown = {part: "cross", layer: n_layers - 1, head: -1}; // -1: the mean of all heads
    let sentence = null, at = 0;

    function weightsOf({part, layer, head}) { // → rows of weights
      if (head < 0) { // the mean
        const heads = Numbers.upTo(n_heads).map((one) => weightsOf({part, layer, head: one}));
        return heads[0].map((_, i) => Engine.meanOf(heads.map((rows) => rows[i])));
      }
      if (part === "encoder") return sentence.memory.attention[layer][head];
      return sentence.steps.map((one) => one.attention[part][layer][head]);
    }

    function draw(one, number) {
      [sentence, at] = [one, number];
      if (get("attention").open) drawAll();
    }

    function drawAll() {
      shown.part = chosen("part");
      redraw(get("heads"), () => {
        for (let layer = 0; layer < n_layers; layer++) {
          const row = make("div", get("heads"));
          say(make("small", row), `층 ${layer}의 헤드`, `heads of layer ${layer}`);
          for (let head = -1; head < n_heads; head++) drawThumbnail(row, {...shown, layer, head});
        }
      });
      drawWeights();
    }

    function choose(head) {
      shown = head;
      drawAll();
      if (get("weights").getBoundingClientRect().top > 0.7 * innerHeight) get("weights").scrollIntoView({block: "nearest"}); // what has changed is seen
    }

    function drawThumbnail(row, head) {
      const pressed = head.layer === shown.layer && head.head === shown.head;
      const thumbnail = button(row, () => choose(head), {"aria-pressed": pressed});
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
      const {part, layer, head} = shown, [, ko, en] = PARTS.find(([name]) => name === part);
      const caption = get("caption");
      caption.textContent = "";
      const mean = head < 0;
      say(caption,
        `${ko}, 층 ${layer}, ${mean ? "헤드의 평균" : `헤드 ${head}`}. ` + (part === "encoder"
          ? "행의 토큰이 열의 토큰을 봅니다." : "행은 읽은 토큰 → 출력하는 토큰, 열은 그때 보는 토큰입니다.") + " 짙을수록 많이 봅니다.",
        `${en[0].toUpperCase() + en.slice(1)}, layer ${layer}, ${mean ? "mean of the heads" : `head ${head}`}. `
          + (part === "encoder" ? "The token of the row looks at that of the column."
          : "Rows: token read → token written; columns: what it looks at.") + " Darker is more.");
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
      weightsOf(shown).forEach((weights, i) => {
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
      const isWide = () => get("weights").scrollWidth > get("weights").clientWidth + 8;
      table.classList.toggle("tall", isWide()); // and its headings stand upright
      if (isWide()) say(caption, " 옆으로 밀어서 보세요.", " The table scrolls sideways.");
    }

    function showMeaning(cell, token) {
      if (!meanings[token.trim()]) return;
      make("br", cell);
      make("small", cell, brief(meanings[token.trim()]), {lang: "en"});
    }

    for (const radio of document.querySelectorAll(".live [name=live-part]")) radio.addEventListener("change", () => { if (sentence) drawAll(); });
    return draw;
  }

  return {mount, PARTS};
})();
