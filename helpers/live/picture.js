"use strict";
/* The whole model in one picture, through which a sentence runs: tokens enter at the left, their vectors pass the layers
   of the encoder, those of the decoder reach back to what came of them, and words appear at the right.

   Picture.mount(place, above, engine, meanings, onlook, onstep, onwritten) → {show(sentence, at), clear()}
     above      where on the page that begins which is in view with it
     meanings   {word: what it means}, by the time that a sentence is shown
     onlook     called with the number of the step whose row was tapped
     onstep     called to see that step in numbers
     onwritten  called at each scene with how many tokens are written by then
     sentence   {memory, steps, tapped}: as engine.encoder and engine.write give them, and the number of the last step whose
                token the reader has chosen, or -1; at: the step to look at */

const Picture = (() => {
  const {make, makeSvg, say, button, percent, brief, shorn, widthOf, namesOf, showChapters} = Elements, {argmax, meanOf} = Engine, {upTo} = Numbers;
  const SPEEDS = [1, 0.5, 2];
  const NUMBERS = 12; // of a vector are drawn
  const LEAST = 0.03; // weight that is drawn
  const DOTS = 11; // pixels, for "…"
  const SLOWLY = 1800, ONCE = 1000, AGAIN = 350; // ms a scene: what is new, the rest, what was seen before
  const OFTEN = [9, 12]; // chapters, of what was seen before
  const WIDE = 700; // pixels: from here on the decoder stands beside the encoder
  const LOW = 800; // pixels: in a lower window the rows are closer, so that all of them are seen
  const BAR = 56; // pixels: what stays at the top of a page
  const TALL = 54; // of the names over a block
  const motion = matchMedia("(prefers-reduced-motion: reduce)"), isCalm = () => motion.matches;

  const meaningOf = (token, meanings) => brief(meanings[token]).replace(/^(my|(to|at|in) the|the|an?) /, "");
  const isByte = (token) => /^0x/.test(token);
  const quoted = ({token, word}) => isByte(token) ? `“${word}”의 바이트 ${token}` : `“${token}”` + (word === token ? "" : `(“${word}”의 일부)`);
  const withMeaning = ({token, word}, meanings) => isByte(token) ? `${token}, a byte of “${word}”` : word !== token ? `“${token}” (part of “${word}”)`
    : meanings[token] ? `${token} “${meaningOf(token, meanings)}”` : token;

  function mostOf(tokens, heads) { // the one that gets the most weight, and how much
    const weights = meanOf(heads), most = argmax(weights);
    return {most: tokens[most], weight: percent(weights[most])};
  }

  // ---- The scenes --------------------------------------------------------------------------------------------

  function scenesOf(engine, meanings, {memory, steps}) { // name → {number, time, row of the decoder, part, chapters, ko, en}; and tokens
    const {n_layers, d_model} = engine.options, scenes = new Map();
    const add = (name, time, row, part, chapters, ko, en) =>
      scenes.set(name, {number: scenes.size, time, row, part, chapters, ko, en});
    const tokens = namesOf(engine.src, memory.src), nameOf = (id) => shorn(engine.tgt.tokens[id]);

    add("tokens", ONCE, -1, "tokens", [1],
      `문장이 토큰 ${tokens.length}개로 들어옵니다.`, `The sentence enters as ${tokens.length} tokens.`);
    add("embedding", SLOWLY, -1, "embedding", [2, 3],
      `토큰마다 숫자 ${d_model}개, 곧 벡터가 되고(막대는 처음 ${NUMBERS}개), 거기에 위치를 더합니다.`,
      `Each token becomes ${d_model} numbers, a vector (bars: the first ${NUMBERS}); its position is added.`);
    for (const layer of upTo(n_layers)) {
      add(`encoder ${layer}`, layer ? AGAIN : SLOWLY, -1, `encoder encoder-${layer}`, layer ? [5] : [4, 8],
        `어텐션: 층 ${layer}에서 토큰들이 서로를 보고(선) 벡터가 바뀝니다.`,
        `Attention: in layer ${layer} the tokens look at one another (lines), and their vectors change.`);
    }
    add("memory", SLOWLY, -1, "memory", [8],
      "인코더가 다 읽었습니다. 이 벡터들이 메모리이고, 디코더가 돌아봅니다.", "The encoder has read it all. Its vectors are the memory that the decoder looks back at.");
    steps.forEach(({read, written, logits, attention}, i) => {
      const share = percent(Engine.softmax(logits)[written]);
      if (i) {
        const {most, weight} = mostOf(tokens, attention.cross.at(-1)), isWord = /\p{L}/u.test(nameOf(written)) && !nameOf(written).startsWith("<");
        const reached = ["decoder", "reach", ...upTo(n_layers).map((layer) => `decoder-${layer}`)].join(" ");
        if (i > 1) { // as before: told at once
          const told = [OFTEN, `“${nameOf(read)}”까지 읽습니다. ` + (isWord ? `가장 많이 보는 것은 ${quoted(most)}, ${weight}입니다. ` : "") + `다음 토큰: “${nameOf(written)}” ${share}`,
            `It reads “${nameOf(read)}”` + (isWord ? `, looks most at ${withMeaning(most, meanings)} (${weight}), and ` : " and ") + `writes “${nameOf(written)}” (${share}).`];
          add(`read ${i}`, AGAIN, i, "read", ...told);
          add(`layers ${i}`, 2 * AGAIN, i, reached, ...told);
          add(`write ${i}`, AGAIN, i, "write", ...told);
          return;
        }
        add(`read ${i}`, ONCE, i, "read", [12], `방금 쓴 “${nameOf(read)}”까지 읽습니다.`, `It reads “${nameOf(read)}”, which it just wrote.`);
        add(`layers ${i}`, SLOWLY, i, reached, [6, 9],
          "다시 원문을 돌아봅니다." + (isWord ? ` 가장 많이 보는 것은 ${quoted(most)}, ${weight}입니다.` : ""),
          "It looks back at the source again" + (isWord ? `, most of all at ${withMeaning(most, meanings)}, ${weight}.` : "."));
      } else {
        const begun = ["디코더는 문장의 시작인 <bos>를 읽습니다. 아직 볼 토큰이 이것뿐입니다.", "The decoder reads <bos>, where a sentence begins. It has nothing else to look at yet."];
        add("read 0", SLOWLY, 0, "read", [6], ...begun);
        for (const layer of upTo(n_layers)) {
          const {most, weight} = mostOf(tokens, attention.cross[layer]), time = layer ? AGAIN : SLOWLY;
          const again = layer && [`층 ${layer}에서 한 번 더 토큰을 보고, 메모리를 보고, 계산합니다.`, `Once more in layer ${layer}: look at the tokens and the memory, then compute.`];
          add(`self 0 ${layer}`, AGAIN, 0, `decoder decoder-${layer}`, layer ? [9] : [6], ...again || begun);
          add(`cross 0 ${layer}`, time, 0, `reach decoder-${layer}`, [9], ...again || [
            `크로스 어텐션: 쓰기 전에 원문을 돌아봅니다. 가장 많이 보는 것은 ${quoted(most)}, ${weight}입니다.`,
            `Cross-attention: before it writes, it looks back at the source, most at ${withMeaning(most, meanings)}, ${weight}.`]);
          add(`layer 0 ${layer}`, time, 0, `decoder decoder-${layer}`, layer ? [9] : [7], ...again || [
            "피드포워드: 모아 온 것으로 토큰마다 따로 새 벡터를 계산합니다.",
            "Feed-forward: from what it gathered, each token computes a new vector on its own."]);
        }
      }
      add(`write ${i}`, SLOWLY, i, "write", [10],
        `마지막 벡터에서 다음 토큰의 확률이 나옵니다: “${nameOf(written)}” ${share}`,
        `The last vector gives the probabilities of the next token: “${nameOf(written)}”, ${share}`);
    });
    add("end", 0, null, "", [9]); // what is said there depends on the row that is looked at
    const shown = (row, layer, kind) => scenes.get(row ? `layers ${row}` : `${kind} 0 ${layer}`).number;
    return {list: [...scenes.values()], at: (name) => scenes.get(name).number, shown, tokens};
  }

  // ---- Where everything is -----------------------------------------------------------------------------------

  function planOf(width, {n_layers}, n_read, n_written) {
    const wide = width >= WIDE, label = wide ? 92 : width < 340 ? 70 : 78, word = wide ? 112 : 88, between = wide ? 100 : 0;
    const most = Math.max(n_read, n_written), row = !wide ? 27 : innerHeight < LOW ? 24 : most > 14 ? 27 : 32;
    const room = wide ? (width - 2 * label - word - between - 16) / 2 : width - label - word;
    const chip = Math.min(wide ? 56 : 44, room / (1.8 * n_layers + 1)), gap = Math.min(80, (room - (n_layers + 1) * chip) / n_layers);
    const columns = (n_layers + 1) * chip + n_layers * gap, pitch = chip + gap;
    const rows = {decoder: row, encoder: wide ? Math.min(32, Math.max(28, row * n_written / n_read)) : row}; // where there is room, for what a token means
    const more = n_written * row - n_read * rows.encoder, top = {encoder: TALL + (wide ? Math.max(0, more) / 2 : 0)};
    top.decoder = wide ? TALL : top.encoder + n_read * row + 14 + TALL;
    const left = {encoder: label, decoder: wide ? label + columns + between + label : label};
    return {
      wide, label, word, row, rows, chip, gap, columns, left, top,
      x: (side, column) => left[side] + column * pitch,
      y: (side, i) => top[side] + (i + 0.5) * rows[side],
      width: wide ? left.decoder + columns + word + 12 : width,
      height: 10 + Math.max(top.encoder + n_read * rows.encoder, top.decoder + n_written * row),
    };
  }

  // ---- Drawing -----------------------------------------------------------------------------------------------

  function drawVector(parent, values, x, y, {chip, row}, slide) { // its largest number as high as there is room
    const tall = Math.min(24, row - 5), few = values.subarray(0, NUMBERS), step = chip / (few.length + 1);
    const largest = Math.max(1e-9, ...few.map(Math.abs));
    const group = makeSvg("g", parent, {class: "vector", style: `--dx: ${-slide}px`});
    makeSvg("rect", group, {x, y: y - tall / 2, width: chip, height: tall, rx: 5});
    for (const [kind, sign] of [["plus", 1], ["minus", -1]]) {
      const bars = Array.from(few, (value, i) => value * sign <= 0 ? ""
        : `M${(x + (i + 0.65) * step).toFixed(1)} ${y}h${(0.7 * step).toFixed(1)}v${(-value / largest * (tall / 2 - 2)).toFixed(1)}h${(-0.7 * step).toFixed(1)}z`);
      makeSvg("path", group, {d: bars.join(""), class: kind});
    }
    return group;
  }

  function cut(text, most, font) { // to what there is room for
    if (widthOf(text, font) <= most) return text;
    let length = text.length - 1;
    while (length > 1 && widthOf(text.slice(0, length), font) > most - DOTS) length--;
    return text.slice(0, length) + "…";
  }

  function mount(place, above, engine, meanings, onlook, onstep, onwritten) {
    const {n_layers} = engine.options, family = getComputedStyle(place).fontFamily;
    const controls = make("div", place, "", {class: "controls"});
    const play = button(controls, toggle, {class: "main play"});
    const slider = make("input", controls, "", {type: "range", min: 0, step: 1, "aria-label": "장면 · scene"});
    let speed = 0; // which of them
    const pace = button(controls, () => { speed = (speed + 1) % SPEEDS.length; drawPace(); }, {class: "pace"});
    const drawPace = () => { pace.textContent = ""; say(pace, `속도 ${SPEEDS[speed]}×`, `speed ${SPEEDS[speed]}×`); };
    drawPace();
    const caption = make("div", place, "", {class: "told"});
    const bytes = say(make("p", place, "", {class: "hint bytes"}), "0x…: 학습에 없던 글자의 바이트", "0x…: a byte of a character that it never saw");
    say(make("p", place, "", {class: "hint guide"}), "막대는 벡터, 선은 어텐션. 주황 선은 한국어를 봅니다.",
      "Bars are vectors. Orange: attention to the Korean.");
    const stage = make("div", place, "", {class: "stage"});
    const legend = make("ul", place, "", {class: "legend"});
    for (const [kind, chapters, ko, en] of [
      ["vector", [2, 3], `벡터의 처음 ${NUMBERS}개`, `the first ${NUMBERS} numbers of a vector`], ["self", [4, 5, 6], "셀프 어텐션", "self-attention"],
      ["cross", [9], "크로스 어텐션", "cross-attention"], ["layer", [7], "층마다 피드포워드, 잔차, 정규화", "in each layer, feed-forward, residuals, norms"],
    ]) {
      const item = make("li", legend, "", {class: kind});
      say(make("span", item), ko, en);
      for (const number of window.CHAPTERS ? chapters : []) {
        const {file, ko: title, en: other} = window.CHAPTERS[number];
        say(make("a", item, "", {href: file, title: `${title} · ${other}`}), `${number}장`, `ch. ${number}`);
      }
    }
    let shown = null, at = 0, looked = -1, plan, scenes, parts, scene = 0, timer = 0, width = 0, follows = false, isTapped = false, isPlayed = false;
    // looked: the token of the encoder that is looked at, or -1

    function draw() { // everything, of which each scene shows a part
      const {memory, steps} = shown;
      bytes.hidden = !memory.src.some((id) => engine.src.isByte(id));
      plan = planOf(width, engine.options, memory.src.length, steps.length);
      const {x, y, chip, row, rows} = plan, right = (side, column) => x(side, column) + chip;
      stage.textContent = "";
      parts = [];
      const picture = makeSvg("svg", stage, {width: plan.width, height: plan.height, viewBox: `0 0 ${plan.width} ${plan.height}`, role: "group", "aria-label":
        "문장이 모델을 지나는 그림. 장면마다 위에 설명이 있습니다. · The sentence runs through the model; each scene is told above."});
      const [frames, lines, chips, texts] = upTo(4).map(() => makeSvg("g", picture, {}));
      const write = (parent, x, y, text, most, [weight, size], attributes) => { // as in the styles; rather smaller than cut
        const fonts = [size, size - 1, size - 2].map((one) => `${weight} ${one}px ${family}`), font = fonts.find((one) => widthOf(text, one) <= most) ?? fonts[0];
        const element = makeSvg("text", parent, {x, y, style: `font-size: ${font.split(" ")[1]}`, ...attributes});
        element.textContent = cut(text, most, font);
        if (element.textContent !== text) makeSvg("title", element, {}).textContent = text;
      };
      const add = (element, from, of) => { parts.push({element, from, of}); return element; };

      const name = (part, x, y, [ko, en], chapter, anchor = "middle") => { // links where there are chapters
        const {file, ko: title, en: other} = window.CHAPTERS?.[chapter] ?? {};
        const link = makeSvg(file ? "a" : "g", texts, {class: "name " + part, "data-part": part, ...file && {href: file}});
        if (file) makeSvg("title", link, {}).textContent = `${title} · ${other}`;
        for (const [lang, words, down] of [["ko", ko, 0], ["en", en, 13]]) {
          const [short, does] = words.split(/(?=:)/), text = makeSvg("text", link, {x, y: y + down, lang, "text-anchor": anchor});
          text.textContent = short;
          if (does) makeSvg("tspan", text, {}).textContent = does;
        }
      };
      const line = (kind, weight, x1, y1, x2, y2, from, of) => {
        if (weight < LEAST) return;
        const reach = kind === "cross" && !plan.wide
          ? `C${x1 + 34} ${y1} ${x2 + chip / 2 + 30} ${(y1 + y2) / 2} ${x2 + chip / 2} ${y2 - 12}`
          : `C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`;
        add(makeSvg("path", lines, {d: `M${x1} ${y1}${reach}`, class: kind, pathLength: 1,
          style: `--weight: ${weight.toFixed(3)}`}), from, of);
      };

      for (const [side, count] of [["encoder", memory.src.length], ["decoder", steps.length]]) {
        const wide = plan.columns + plan.label + (side === "decoder" ? plan.word : 12);
        const [x0, y0] = [plan.left[side] - plan.label, plan.top[side] - TALL + 4], up = y0 + 37;
        makeSvg("rect", frames, {x: x0, y: y0, width: wide, height: count * rows[side] + TALL + 2, rx: 10, class: "frame"});
        name(side, x0 + 12, y0 + 18, side === "encoder" ? ["인코더: 원문을 읽음", "Encoder: reads the source"] : ["디코더: 번역문을 씀", "Decoder: writes the translation"], side === "encoder" ? 8 : 9, "start");
        name(side === "encoder" ? "tokens" : "read", x0 + plan.label / 2, up, ["토큰", "token"], side === "encoder" ? 1 : 12);
        for (const column of upTo(n_layers + 1)) {
          const last = side === "encoder" && column === n_layers ? " memory" : "";
          if (column) name(`${side}-${column - 1}${last}`, x(side, column) + chip / 2, up,
            [`층 ${column - 1}`, `layer ${column - 1}`], side === "encoder" ? 8 : 9);
          else name(side === "encoder" ? "embedding" : "read", x(side, 0) + chip / 2, up, ["임베딩", "embedding"], 2);
        }
        if (side === "decoder") name("write", right(side, n_layers) + plan.word / 2, up, ["다음 토큰", "next token"], 10);
      }
      if (plan.wide) name("reach", right("encoder", n_layers) + 56, plan.top.decoder - 8, ["크로스 어텐션", "cross-attention"], 9);

      const columns = [...memory.inside.map((vectors) => ({side: "encoder", vectors})),
        ...upTo(n_layers + 1).map((column) => ({side: "decoder", vectors: steps.map(({inside}) =>
          column ? inside.layers[column - 1].feedForward.result : inside.embedding.x)}))];
      columns.forEach(({side, vectors}, i) => {
        const column = i % (n_layers + 1);
        vectors.forEach((values, j) => {
          const from = side === "encoder" ? scenes.at(column ? `encoder ${column - 1}` : "embedding")
            : column ? scenes.shown(j, column - 1, "layer") : scenes.at(`read ${j}`);
          const vector = drawVector(chips, values, x(side, column), y(side, j), plan, column ? chip + plan.gap : 24);
          vector.style.setProperty("--late", side === "decoder" && j ? `${column * 90}ms` : "0ms");
          add(vector, from);
        });
      });

      scenes.tokens.forEach(({token, word}, j) => {
        const group = add(makeSvg("g", texts, {class: "token"}), scenes.at("tokens"));
        const meaning = meaningOf(token, meanings), isPart = isByte(token), below = isPart ? word : meaning; // of what a byte is a part
        write(group, plan.label - 10, y("encoder", j) + 4, token, plan.label - 16, [400, 13], {class: isPart ? "glossed byte" : meaning ? "glossed" : "", "text-anchor": "end"});
        if (below) write(group, plan.label - 10, y("encoder", j) + 13, below, plan.label - 12, [400, 11], {...(!isPart && {lang: "en"}), class: "gloss", "text-anchor": "end"});
        for (const layer of upTo(n_layers)) {
          meanOf(memory.attention[layer].map((rows) => rows[j])).forEach((weight, k) =>
            line(`self of-${j}`, weight, right("encoder", layer), y("encoder", k), x("encoder", layer + 1), y("encoder", j), scenes.at(`encoder ${layer}`)));
        }
        const box = {x: plan.left.encoder - plan.label + 3, y: y("encoder", j) - rows.encoder / 2 + 1, width: plan.columns + plan.label - 6, height: rows.encoder - 2, rx: 7};
        makeSvg("rect", frames, {...box, class: "band reads"});
        const tap = makeSvg("rect", picture, {...box, class: "tap reads"});
        tap.addEventListener("click", () => { stop(); [looked, isTapped] = [j, true]; showScene(scenes.list.length - 1); keepInView(y("encoder", j)); });
      });
      steps.forEach(({read, written: id, logits, attention}, i) => {
        const middle = y("decoder", i), start = plan.left.decoder;
        const band = makeSvg("rect", frames, {x: start - plan.label + 3, y: middle - row / 2 + 1, width: plan.columns + plan.label + plan.word - 6, height: row - 2, rx: 7, class: "band"});
        add(band, scenes.at(`read ${i}`), i);
        const token = add(makeSvg("g", texts, {class: "token", style: `--dx: ${i ? plan.columns + plan.label : -16}px; --dy: ${i ? -row : 0}px`}), scenes.at(`read ${i}`));
        write(token, start - 10, middle + 4, shorn(engine.tgt.tokens[read]), plan.label - 14, [400, 13], {"text-anchor": "end"});
        for (const layer of upTo(n_layers)) {
          const to = x("decoder", layer + 1);
          meanOf(attention.decoder[layer]).forEach((weight, k) =>
            line("self", weight, right("decoder", layer), y("decoder", k), to, middle, scenes.shown(i, layer, "self"), i));
          meanOf(attention.cross[layer]).forEach((weight, k) =>
            line("cross", weight, right("encoder", n_layers), y("encoder", k), to, middle, scenes.shown(i, layer, "cross"), i));
        }
        const p = Engine.softmax(logits)[id], end = right("decoder", n_layers) + 12;
        const word = add(makeSvg("g", texts, {class: "token word", style: "--dx: -20px"}), scenes.at(`write ${i}`));
        write(word, end, middle + 2, shorn(engine.tgt.tokens[id]), plan.word - 16, [650, 13], {});
        makeSvg("rect", word, {x: end, y: middle + 7, width: Math.max(2, (plan.word - 24) * p), height: 3, rx: 1.5});
        const tap = makeSvg("rect", picture, {x: start - plan.label, y: middle - row / 2, width: plan.columns + plan.label + plan.word, height: row, class: "tap"});
        tap.addEventListener("click", () => { stop(); [looked, isTapped] = [-1, true]; scene = scenes.list.length - 1; onlook(i); keepInView(middle); });
      });
      slider.max = scenes.list.length - 1;
      stage.classList.add("still"); // only what is played moves
      if (isCalm()) showScene(scene);
      else setTimeout(() => picture.isConnected && showScene(scene)); // in a task of its own
    }

    function showScene(number) {
      scene = number;
      if (number < scenes.list.length - 1) looked = -1;
      const {row, part, chapters, ...told} = scenes.list[number], {ko, en} = row !== null ? told : looked < 0 ? seen() : seenInEncoder(), now = row ?? at, lit = part.split(" ");
      for (const {element, from, of} of parts) element.classList.toggle("on", from <= number && (of === undefined || of === now));
      for (const name of stage.querySelectorAll(".name")) name.classList.toggle("now", name.dataset.part.split(" ").some((one) => lit.includes(one)));
      stage.firstChild.classList.toggle("reading", row === -1 || looked >= 0);
      for (const line of stage.querySelectorAll(".self, .cross")) line.classList.toggle("aside", looked >= 0 && !line.classList.contains(`of-${looked}`));
      stage.querySelectorAll(".band.reads").forEach((band, j) => band.classList.toggle("on", j === looked));
      onwritten(row === null ? shown.steps.length : scenes.list.slice(0, number + 1).filter((one) => one.part === "write").length);
      slider.value = number;
      place.classList.toggle("running", isTapped || isPlayed || number < scenes.list.length - 1); // what is said stays in view
      slider.setAttribute("aria-valuetext", `${ko} · ${en}`);
      caption.textContent = "";
      say(make("p", caption), ko, en);
      const after = make("p", caption, "", {class: "chapters"});
      if (row === null && looked < 0) say(button(after, onstep, {class: "more"}), "이 토큰을 숫자로 보기 →", "This token, in numbers →");
      showChapters(after, looked < 0 ? chapters : [4, 8]);
      drawPlay();
    }

    function drawPlay() {
      pace.hidden = isCalm();
      play.textContent = timer ? "❚❚ " : isCalm() ? "" : "▶ ";
      if (timer) say(play, "멈춤", "Pause");
      else if (isCalm()) say(play, "다음 장면", "Next scene");
      else say(play, "재생", "Play");
    }

    function stop() {
      clearTimeout(timer);
      timer = 0;
      if (shown) drawPlay();
    }

    function seen() { // what to say of the row that is looked at
      const {attention, read, written: id, logits} = shown.steps[at], {most, weight} = mostOf(scenes.tokens, attention.cross.at(-1));
      const [before, token] = [read, id].map((one) => shorn(engine.tgt.tokens[one])), isNew = !isTapped && !isPlayed && !isCalm();
      const share = percent(Engine.softmax(logits)[id]), isChosen = shown.tapped === at, isAtEnd = timer > 0; // chosen by the reader; it has just been played
      return {
        ko: (isAtEnd ? "번역을 마쳤습니다. " : isNew ? "재생을 누르면 문장이 모델을 지나갑니다. 칠한 행을 보면, " : "")
          + (isChosen ? `“${before}” 다음에 직접 고른 “${token}” 토큰의 확률은 ${share}입니다. 모델은 이때` : (isNew ? "" : `“${before}”까지 읽고 `) + `“${token}” 토큰을 출력할 때`)
          + ` ${quoted(most)} 토큰을 가장 많이 보았습니다(${weight}, 마지막 층` + (isNew || isAtEnd ? ")." : "의 헤드 평균). 다른 행도 눌러 보세요."),
        en: (isAtEnd ? "Done. " : isNew ? "Press Play to watch the sentence run through the model. In the shaded row: " : "")
          + (isChosen ? `You chose “${token}” after “${before}”; the model gave it ${share}. It` : `To write “${token}”${isNew ? "" : ` after “${before}”`}, it`)
          + ` looked most at ${withMeaning(most, meanings)} (${weight}` + (isNew || isAtEnd ? " in the last layer)." : ", averaged over the heads of the last layer). Choose another row of the decoder."),
      };
    }

    function seenInEncoder() { // what to say of the token that is looked at there
      const {tokens} = scenes, most = shown.memory.attention.map((heads) => mostOf(tokens, heads.map((rows) => rows[looked])));
      return {
        ko: `${quoted(tokens[looked])} 토큰이 가장 많이 본 것(헤드의 평균): ${most.map(({most, weight}, layer) => `층 ${layer} ${quoted(most)} ${weight}`).join(", ")}.`,
        en: `${withMeaning(tokens[looked], meanings)} looked most at `
          + `${most.map(({most, weight}, layer) => `${withMeaning(most, meanings)} in layer ${layer} (${weight})`).join(", ")}, averaged over the heads.`,
      };
    }

    function follow() { // to where something happens, at the end to what is said of it, unless the reader goes elsewhere
      const {row} = scenes.list[scene];
      if (row === null && plan.wide) {
        const [{top}, {bottom}] = [place, caption].map((one) => one.getBoundingClientRect()), hidden = bottom + 12 - innerHeight;
        return scrollBy({top: hidden > 0 ? hidden : Math.min(0, top - BAR), behavior: "smooth"});
      }
      if (row !== -1) return row >= 0 && keepInView(plan.y("decoder", row));
      const last = plan.y("encoder", shown.memory.src.length - 1), isShort = last - plan.top.encoder < innerHeight / 2;
      const [{top}, {top: drawn}] = [above, stage].map((one) => one.getBoundingClientRect());
      if (!plan.wide && drawn + last - top < innerHeight - BAR) return scrollBy({top: top - BAR, behavior: "smooth"}); // what it translates, too
      if (isShort) keepInView(last, 24); // and what is said above it
      else keepInView(plan.top.encoder);
    }

    function keepInView(inside, far = 160) { // below what is said at the top of a phone
      const y = stage.getBoundingClientRect().top + inside;
      const top = getComputedStyle(caption).position === "sticky" ? BAR + caption.offsetHeight + 30 : 90, bottom = innerHeight - 16;
      if (y < top || y > bottom) scrollBy({top: y - (y < top ? top + 60 : bottom - far), behavior: "smooth"}); // seldom, and then far
    }
    for (const kind of ["wheel", "touchmove", "keydown"]) addEventListener(kind, () => { follows = false; }, {passive: true});

    function toggle() {
      const last = scenes.list.length - 1, next = scene === last ? 0 : scene + 1;
      if (timer) return stop();
      stage.classList.remove("still");
      if (isCalm()) return showScene(next);
      follows = isPlayed = true;
      const run = () => {
        if (follows) follow();
        timer = scene === last ? 0 : setTimeout(() => { showScene(scene + 1); run(); }, scenes.list[scene].time / SPEEDS[speed]);
        drawPlay();
      };
      if (scene === last) showScene(0);
      run();
    }

    motion.addEventListener("change", stop); // and the button says what it does now
    slider.addEventListener("input", () => {
      stop();
      stage.classList.remove("still");
      showScene(Number(slider.value));
    });
    new ResizeObserver(() => {
      const now = Math.floor(stage.clientWidth);
      if (!now || now === width) return;
      width = now;
      if (shown) draw();
    }).observe(stage);
    drawPlay(); // the button has its name from the beginning

    return {
      show(sentence, step) { // once it is whole
        place.hidden = false;
        place.classList.remove("old");
        width ||= Math.floor(stage.clientWidth); // once: it makes the browser lay out the page
        const isSame = shown === sentence;
        if (isSame && at === step) return showScene(scene);
        stop();
        [at, looked, isTapped, isPlayed] = [step, -1, isSame && isTapped, isSame && isPlayed];
        if (isSame) return showScene(scenes.list.length - 1);
        shown = sentence;
        scenes = scenesOf(engine, meanings, sentence);
        scene = scenes.list.length - 1;
        draw();
      },
      clear() {
        stop();
        place.hidden = true;
      },
    };
  }

  return {mount};
})();
