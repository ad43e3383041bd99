"use strict";
/* One step of the decoder, slowly: thirteen stations from the token that is read to the token that is written, with
   the numbers that engine.js computes. One layer and one head are shown, which the reader chooses.

   Step.mount(panel, engine) → {show({memory, steps, at})}   memory of engine.encoder, steps as engine.write yields
                                                             them, and the number of the one to look at */

const Step = (() => {
  const {make, makeSvg, say, button, redraw, shorn, showToken, showChapters} = Elements;
  const STAY = {preventScroll: true};
  const WRITTEN = 4; // how many numbers of a vector are written out
  const ACTIVATIONS = {relu: "ReLU", gelu: "GELU", gelu_tanh: "GELU", silu: "SiLU"};

  // ---- Elements --------------------------------------------------------------------------------------------

  function tell(parent, ko, en) { // sentences
    make("div", parent, ko, {lang: "ko"});
    make("div", parent, en, {lang: "en"});
  }

  function fold(parent, view, name, ko, en) { // stays open or shut when what is in it is drawn anew
    const details = make("details", parent, "", {"data-name": "fold-" + name});
    details.open = view.open.has(name);
    details.addEventListener("toggle", () => view.open[details.open ? "add" : "delete"](name));
    say(make("summary", details), ko, en);
    return details;
  }

  // ---- Numbers ---------------------------------------------------------------------------------------------

  const total = (values) => values.reduce((sum, value) => sum + value, 0);
  const dot = (x, y) => total(Array.from(x, (value, i) => value * y[i]));
  const largestOf = (vectors) => Math.max(1e-9, ...vectors.map((values) => Math.max(...values.map(Math.abs))));
  const upTo = (length) => Array.from({length}, (_, i) => i);

  function number(value) { // with three decimals
    const text = Math.abs(value).toFixed(3);
    return value < 0 && Number(text) ? "−" + text : text;
  }

  function addUp(values) { // rounded so that what is shown adds up to the rounded sum
    const floors = values.map((value) => Math.floor(1000 * value));
    const rest = (i) => 1000 * values[i] - floors[i];
    const up = Math.round(1000 * total(values)) - total(floors);
    const order = upTo(values.length).sort((a, b) => rest(b) - rest(a));
    for (const i of order.slice(0, up)) floors[i]++;
    return floors.map((floor) => floor / 1000);
  }

  // ---- Pictures --------------------------------------------------------------------------------------------

  function drawBars(parent, values, largest) { // a bar a number, up for + and down for −
    const viewBox = `0 -1.05 ${values.length} 2.1`;
    const picture = makeSvg("svg", parent, {viewBox, preserveAspectRatio: "none", "aria-hidden": "true"});
    for (const [kind, sign] of [["plus", 1], ["minus", -1]]) {
      const bars = Array.from(values, (value, i) =>
        value * sign > 0 ? `M${i + 0.1} 0h.8v${(-value / largest).toFixed(3)}h-.8z` : "");
      makeSvg("path", picture, {d: bars.join(""), class: kind});
    }
  }

  function drawVector(place, name, [symbol, ko, en], values, {largest = largestOf([values]), written} = {}) {
    const row = make("div", place, "", {class: "vector", "data-name": name});
    const label = make("div", row, "", {class: "label"});
    make("b", label, symbol + " ");
    say(label, ko, en);
    make("small", label, ` (${values.length})`);
    drawBars(row, values, largest);
    const line = make("div", row, "", {class: "numbers"});
    for (const value of written ?? values.slice(0, WRITTEN)) make("span", line, number(value));
    if (values.length > WRITTEN) make("span", line, "…");
  }

  function drawSum(place, ...terms) { // each [name, label, values]; the last is the sum of the others
    const parts = terms.slice(0, -1).map(([, , values]) => values), sum = terms.at(-1)[2];
    const columns = upTo(Math.min(WRITTEN, sum.length)).map((i) => addUp(parts.map((values) => values[i])));
    const largest = largestOf([...parts, sum]);
    terms.forEach(([name, label, values], row) => drawVector(place, name, label, values, {
      largest, written: columns.map((column) => row < parts.length ? column[row] : total(column)),
    }));
  }

  function drawTable(place, name, heads, rows) { // a cell is a text, or a function that draws into it
    const table = make("table", place, "", {"data-name": name});
    const fill = (cell, content) => typeof content === "function" ? content(cell) : cell.append(content);
    const line = make("tr", make("thead", table));
    for (const head of heads) fill(make("th", line, "", {scope: "col"}), head);
    const body = make("tbody", table);
    for (const [first, ...cells] of rows) {
      const row = make("tr", body);
      fill(make("th", row, "", {scope: "row"}), first);
      for (const cell of cells) fill(make("td", row), cell);
    }
    return table;
  }

  const both = (ko, en) => (cell) => say(cell, ko, en);
  const bar = (value, largest = 1) => (cell) => {
    cell.className = "bar";
    make("i", cell, "", {class: value < 0 ? "minus" : "plus"}).style.width = 100 * Math.abs(value) / largest + "%";
  };
  const bars = (values, largest) => (cell) => drawBars(cell, values, largest);
  const token = (text) => (cell) => showToken(cell, text);

  // ---- What is at a station ----------------------------------------------------------------------------------
  // Each takes the place to draw into and a scene: engine, memory, step, view {layer, head, key, open}, and the
  // functions go(station) and redraw().

  function ofHead({engine, step, view}, part) { // what one head sees of "attention" or "cross", and its name
    const {d_model, n_heads} = engine.options, d_head = d_model / n_heads, start = view.head * d_head;
    const sublayer = step.inside.layers[view.layer][part], its = (x) => x.slice(start, start + d_head);
    return {
      d_head, sublayer,
      name: `decoder.layers.${view.layer}.${part === "cross" ? "cross_attention" : "attention"}`,
      q: its(sublayer.q), keys: sublayer.keys.map(its), values: sublayer.values.map(its), heads: its(sublayer.heads),
      scores: sublayer.scores[view.head], weights: sublayer.weights[view.head],
    };
  }

  const readTokens = ({engine, step}) => step.state.ids.map((id) => engine.tgt.tokens[id]);
  const sourceTokens = ({engine, memory}) => memory.src.map((id) => engine.src.tokens[id]);
  const tokensOf = (scene, part) => part === "cross" ? sourceTokens(scene) : readTokens(scene);

  function drawMemory(place, scene) {
    const {memory, engine} = scene, {d_model} = engine.options, length = memory.src.length;
    tell(place, `인코더가 원문의 토큰 ${length}개를 한 번 읽어, 토큰마다 수 ${d_model}개짜리 벡터를 만듭니다. ` +
      "이것이 메모리이고, 문장을 다 쓸 때까지 바뀌지 않습니다.",
    `The encoder reads the ${length} source tokens once and makes a vector of ${d_model} numbers for each. ` +
      "This is the memory; it stays the same until the sentence is written.");
    make("p", place, `memory (${length}, ${d_model})`, {class: "shape"});
    const largest = largestOf(memory.states);
    sourceTokens(scene).forEach((text, i) =>
      drawVector(place, "memory-" + i, [shorn(text), `번호 ${memory.src[i]}`, `id ${memory.src[i]}`],
        memory.states[i], {largest}));
  }

  function drawEmbedding(place, scene) {
    const {engine, step} = scene, {d_model} = engine.options, {embedding} = step.inside;
    const texts = readTokens(scene), position = texts.length - 1, id = step.state.ids[position];
    tell(place, `지금까지 쓴 것 가운데 마지막 토큰을 읽습니다. 임베딩 표에서 ${id}번 행을 꺼내 ` +
      `√${d_model}배(≈ ${number(Math.sqrt(d_model))}배) 하고, 위치 ${position}의 벡터를 더합니다.`,
    `The last token written so far is read. Row ${id} of the embedding table is multiplied by ` +
      `√${d_model} ≈ ${number(Math.sqrt(d_model))}, and the vector of position ${position} is added.`);
    const list = make("ol", place, "", {class: "tokens", start: 0});
    texts.forEach((text, i) => token(text)(make("li", list, "", i === position ? {class: "read"} : {})));
    const row = embedding.token.map((value) => value / Math.sqrt(d_model));
    drawVector(place, "row", [shorn(texts[position]), "임베딩 표의 행", "row of the table"], row);
    drawSum(place, ["token", [`· √${d_model}`, "곱한 행", "the row, multiplied"], embedding.token],
      ["position", ["+", `위치 ${position}`, `position ${position}`], embedding.position],
      ["x", ["= x", "첫 층에 들어가는 것", "goes into the first layer"], embedding.x]);
  }

  function drawQueryKeyValue(place, scene) {
    const {d_head, sublayer, q, keys, values} = ofHead(scene, "attention"), last = keys.length - 1;
    tell(place, `선형 층 하나가 쿼리 q, 키 k, 값 v를 만들고, 헤드 ${scene.view.head}번은 그 가운데 ${d_head}개씩을 ` +
      `맡습니다.` + (last ? ` 앞 토큰 ${last}개의 k와 v는 전에 계산해 둔 것을 씁니다(KV 캐시).` : ""),
    `A linear layer makes a query q, a key k and a value v; head ${scene.view.head} has ${d_head} numbers of each.` +
      (last ? ` The k and v of the ${last} earlier ${last === 1 ? "token" : "tokens"} are kept (the KV cache).` : ""));
    if (scene.engine.options.norm_first) {
      drawVector(place, "x", ["x", "이 층에 들어온 것", "comes into this layer"], sublayer.x);
      drawVector(place, "input", ["norm(x)", "정규화한 것", "normalized"], sublayer.input);
    } else {
      drawVector(place, "input", ["x", "이 층에 들어온 것", "comes into this layer"], sublayer.input);
    }
    const largest = largestOf([q, keys[last], values[last]]);
    drawVector(place, "q", ["q", "쿼리: 묻는 것", "query: what it asks"], q, {largest});
    drawVector(place, "k", ["k", "키: 쿼리와 비교할 것", "key: what queries are compared with"], keys[last], {largest});
    drawVector(place, "v", ["v", "값: 건네는 것", "value: what it hands over"], values[last], {largest});
  }

  function drawScores(place, scene, part = "attention") {
    const {d_head, q, keys, scores} = ofHead(scene, part), texts = tokensOf(scene, part);
    if (part === "attention") {
      tell(place, "쿼리와 키를 성분끼리 곱해 모두 더하면 스코어입니다. 뒤의 토큰은 아직 없으니, 인과 마스크가 가릴 것이 " +
        "없습니다. 키를 누르면 그 곱셈이 보입니다.",
      "Query and key are multiplied number by number, and the products summed: the score. Later tokens do not exist " +
        "yet, so the causal mask has nothing to hide. Tap a key to see its products.");
    }
    const raw = scores.map((score) => score * Math.sqrt(d_head));
    const key = scene.view.key ?? raw.indexOf(Math.max(...raw)), most = largestOf([raw]);
    drawTable(place, "scores", [both("키", "key"), "q·k", ""], raw.map((score, i) => [
      (cell) => token(texts[i])(button(cell, () => { scene.view.key = i; scene.redraw(); }, {"aria-pressed": i === key})),
      number(score),
      bar(score, most),
    ]));

    const products = Array.from(q, (value, i) => value * keys[key][i]), shown = addUp(products);
    const largest = largestOf([q, keys[key]]);
    drawVector(place, "q", ["q", "쿼리", "query"], q, {largest});
    drawVector(place, "k", ["k", `키: ${shorn(texts[key])}`, `key: ${shorn(texts[key])}`], keys[key], {largest});
    drawVector(place, "products", ["q × k", "곱", "products"], products, {written: shown.slice(0, WRITTEN)});
    make("p", place, shown.slice(0, WRITTEN).map(inSum).join(" + ") + (d_head > WRITTEN ? " + … = " : " = ") +
      number(total(shown)), {class: "equation", "data-name": "score"});
    const all = fold(place, scene.view, "products", `곱 ${d_head}개를 모두 더하기`, `All ${d_head} products, summed`);
    drawTable(all, "products", ["", "q", "k", "q × k", both("여기까지 합", "sum so far")],
      shown.map((product, i) => [String(i), number(q[i]), number(keys[key][i]), number(product),
        number(total(shown.slice(0, i + 1)))]));
  }

  const inSum = (value, i) => value < 0 && i ? `(${number(value)})` : number(value);

  function drawWeights(place, scene, part = "attention") {
    const {d_head, scores, weights} = ofHead(scene, part), texts = tokensOf(scene, part), shown = addUp(weights);
    const root = number(Math.sqrt(d_head));
    if (part === "attention") {
      tell(place, `스코어를 √d(√${d_head} ≈ ${root})로 나누고 소프트맥스를 취하면, 합이 1인 어텐션 가중치가 됩니다. ` +
        "무엇을 얼마나 읽을지가 이것으로 정해집니다.",
      `Divided by √${d_head} ≈ ${root} and put through a softmax, the scores become attention weights that sum to 1: ` +
        "how much is read of what.");
    }
    const rows = weights.map((weight, i) => [token(texts[i]), number(scores[i] * Math.sqrt(d_head)), number(scores[i]),
      number(shown[i]), bar(weight)]);
    drawTable(place, "weights", [both("키", "key"), "q·k", `÷ √${d_head}`, "softmax", ""],
      [...rows, [both("합", "sum"), "", "", number(total(shown)), ""]]);
  }

  function drawValues(place, scene, part = "attention") {
    const {d_head, weights, values, heads} = ofHead(scene, part), texts = tokensOf(scene, part);
    if (part === "attention") {
      tell(place, `값 v에 가중치 w를 곱해 모두 더합니다. 그 합인 수 ${d_head}개가 이 헤드의 출력입니다. v₀은 값의 첫 번째 ` +
        "수입니다.",
      `Each value v is multiplied by its weight w, and all are summed: ${d_head} numbers, the head's output. ` +
        "v₀ is the first number of a value.");
    }
    const weighted = values.map((value, i) => value.map((one) => one * weights[i]));
    const shown = addUp(weighted.map((one) => one[0])), largest = largestOf([...weighted, heads]);
    const shares = addUp(weights); // as they were shown before
    const rows = values.map((value, i) => [token(texts[i]), number(shares[i]), number(value[0]), number(shown[i]),
      bars(weighted[i], largest)]);
    const sum = [both("합", "sum"), "", "", number(total(shown)), bars(heads, largest)];
    drawTable(place, "values", [both("값", "value"), "w", "v₀", "w · v₀", "w · v"], [...rows, sum]);
  }

  function drawJoined(place, {engine}, {heads}) {
    const names = upTo(engine.options.n_heads).map((head) => `h${head}`);
    drawVector(place, "heads", [names.join(" "), "이은 헤드", "heads, joined"], heads);
  }

  function drawProjection(place, scene) {
    const {engine, view} = scene, {n_heads, d_model} = engine.options, {d_head, name, sublayer} = ofHead(scene, "attention");
    tell(place, `헤드 ${n_heads}개의 출력을 이으면 다시 수 ${d_model}개입니다. 선형 층 W_O가 이것을 섞습니다. 표는 결과의 ` +
      "첫 번째 수에 헤드마다 얼마를 더했는지 보여 줍니다.",
    `The outputs of the ${n_heads} heads side by side are ${d_model} numbers again. A linear layer, W_O, mixes them; ` +
      "the table shows what each head adds to the first number that comes out.");
    drawJoined(place, scene, sublayer);
    const row = engine.weights[name + ".w_o.weight"].slice(0, d_model), bias = engine.weights[name + ".w_o.bias"][0];
    const cut = (x, head) => x.slice(head * d_head, (head + 1) * d_head);
    const shares = addUp([...upTo(n_heads).map((head) => dot(cut(row, head), cut(sublayer.heads, head))), bias]);
    const names = [...upTo(n_heads).map((head) => both(`헤드 ${head}`, `head ${head}`)), both("편향", "bias")];
    const largest = largestOf([shares]);
    const table = drawTable(place, "shares", ["", both("첫 번째 수", "first number"), ""], [
      ...shares.map((share, i) => [names[i], number(share), bar(share, largest)]),
      [both("합", "sum"), number(total(shares)), ""]]);
    table.tBodies[0].rows[view.head].className = "chosen";
    drawVector(place, "output", ["W_O", "나온 것", "what comes out"], sublayer.output,
      {written: [total(shares), ...sublayer.output.slice(1, WRITTEN)]});
  }

  function drawResidual(place, {engine}, sublayer, name) {
    const first = engine.options.norm_first, mean = total(sublayer.sum) / sublayer.sum.length;
    const deviation = Math.sqrt(total(Array.from(sublayer.sum, (value) => (value - mean) ** 2)) / sublayer.sum.length);
    drawSum(place, ["x", ["x", "들어온 것", "what came in"], sublayer.x],
      ["output", ["+ " + name, "더하는 것", "is added"], sublayer.output],
      ["sum", [first ? "= x" : "= x + " + name, "잔차 연결", "residual connection"], sublayer.sum]);
    if (first) return;
    say(make("p", place, "", {class: "equation", "data-name": "moments"}),
      `평균 ≈ ${number(mean)}, 표준 편차 ≈ ${number(deviation)}`,
      `mean ≈ ${number(mean)}, standard deviation ≈ ${number(deviation)}`);
    drawVector(place, "result", ["norm", "층 정규화", "layer normalization"], sublayer.result);
  }

  function drawFirstResidual(place, scene) {
    const {engine, step, view} = scene;
    if (engine.options.norm_first) {
      tell(place, "W_O에서 나온 것을 x에 더합니다. 이 모델은 pre-LN이라서 정규화는 서브층 앞에서 했습니다.",
        "What W_O gives is added to x. This model is pre-LN: the norm came before the sublayer.");
    } else {
      tell(place, "W_O에서 나온 것을 x에 더하고, 그 합에서 평균을 빼고 표준 편차로 나눕니다. 그다음 학습한 가중치를 " +
        "곱하고 편향을 더합니다.",
      "What W_O gives is added to x. The sum has its mean subtracted and is divided by its standard deviation; then come " +
        "a learned weight and bias.");
    }
    drawResidual(place, scene, step.inside.layers[view.layer].attention, "W_O");
  }

  function drawCrossWeights(place, scene) {
    const {engine, memory, step, view} = scene, {written, state} = step;
    tell(place, `똑같이 한 번 더, 이번에는 키와 값이 메모리 ${memory.src.length}행에서 옵니다. 읽은 토큰 → 쓰는 토큰마다 ` +
      "원문의 어디를 볼지 정합니다.",
    `The same once more, but keys and values come from the ${memory.src.length} rows of the memory: for every ` +
      "token read → token written, where to look in the source.");
    const pair = make("p", place, "", {class: "pair-read"});
    token(engine.tgt.tokens[state.ids.at(-1)])(pair);
    pair.append(" → ");
    token(engine.tgt.tokens[written])(pair);
    drawVector(place, "q", ["q", "쿼리", "query"], ofHead(scene, "cross").q);
    drawWeights(place, scene, "cross");
    drawScores(fold(place, view, "scores", "내적을 손으로", "The dot products by hand"), scene, "cross");
  }

  function drawCrossOutput(place, scene) {
    tell(place, "원문의 값 v에 가중치 w를 곱해 더하고, 헤드를 이어 W_O를 지나, 들어온 것에 더합니다. " +
      "원문의 내용이 여기서 번역문으로 건너옵니다.",
    "The values v of the source are mixed by their weights w, the heads joined, passed through W_O and added to what " +
      "came in. Here the source enters the translation.");
    const {cross} = scene.step.inside.layers[scene.view.layer];
    drawValues(place, scene, "cross");
    drawJoined(place, scene, cross);
    drawResidual(place, scene, cross, "W_O");
  }

  const countAbove = ({hidden}) => hidden.filter((value) => value > 0).length;

  function drawFeedForward(place, scene) {
    const {engine, step, view} = scene, {d_model, d_ff, activation} = engine.options;
    const {feedForward} = step.inside.layers[view.layer], above = countAbove(feedForward), name = ACTIVATIONS[activation];
    tell(place, `선형 층이 수 ${d_model}개로 ${d_ff}개를 만들고, 그 가운데 ${above}개가 0보다 큽니다. ` +
      (name === "ReLU" ? "ReLU는 나머지를 0으로 만들고, " : `${name}는 나머지를 0 가까이로 줄이고, `) +
      `둘째 선형 층이 다시 ${d_model}개로 줄입니다.`,
    `A linear layer turns ${d_model} numbers into ${d_ff}; ${above} of them are above 0. ` +
      (name === "ReLU" ? "ReLU sets the others to 0, " : `${name} shrinks the others toward 0, `) +
      `and a second linear layer makes them ${d_model} again.`);
    const largest = largestOf([feedForward.hidden]);
    drawVector(place, "hidden", ["linear1", "첫 선형 층", "first linear layer"], feedForward.hidden, {largest});
    drawVector(place, "activated", [name, "활성 함수", "activation function"], feedForward.activated, {largest});
    drawResidual(place, scene, feedForward, "linear2");
  }

  function drawLayers(place, scene) {
    const {engine, step, view} = scene, {n_layers, norm_first} = engine.options, {layers, embedding, x} = step.inside;
    tell(place, `층 ${n_layers}개가 같은 일을 저마다의 가중치로 합니다. 표에는 층마다 가장 많이 본 토큰이 있습니다` +
      "(헤드의 평균). 층을 누르면 그 층을 차례로 보여 줍니다.",
    `${n_layers === 1 ? "One layer does this" : `All ${n_layers} layers do the same, each with weights of its own`}. The ` +
      "table has the token that each looks at most (mean of the heads). Tap a layer to walk through it.");
    const most = (weights, texts) => {
      const means = weights[0].map((_, i) => total(weights.map((row) => row[i])) / weights.length);
      const best = means.indexOf(Math.max(...means));
      return (cell) => { token(texts[best])(cell); cell.append(" " + number(means[best])); };
    };
    const walk = (layer) => (cell) => {
      const open = () => { view.layer = layer; scene.go(QUERY); };
      say(button(cell, open, {"aria-pressed": layer === view.layer}), `층 ${layer}`, `layer ${layer}`);
    };
    drawTable(place, "layers", ["", both("셀프", "self"), both("크로스", "cross"), both("0보다 큼", "above 0")],
      layers.map(({attention, cross, feedForward}, layer) => [walk(layer),
        most(attention.weights, readTokens(scene)), most(cross.weights, sourceTokens(scene)),
        `${countAbove(feedForward)}/${feedForward.hidden.length}`])).className = "loose";
    drawVector(place, "embedding", ["x", "층에 들어가기 전", "before the layers"], embedding.x);
    layers.forEach(({feedForward}, layer) =>
      drawVector(place, "layer-" + layer, [String(layer), "층을 지난 뒤", "after this layer"], feedForward.result));
    if (norm_first) drawVector(place, "norm", ["norm", "마지막 정규화", "the last norm"], x);
  }

  function drawLogits(place, scene) {
    const {engine, step} = scene, {logits, written, inside} = step, {eos_id, tokens} = engine.tgt;
    const probabilities = Engine.softmax(logits), ids = Engine.top(logits, 5);
    if (!ids.includes(written)) ids.push(written);
    tell(place, `generator가 마지막 벡터로 토큰 ${tokens.length}개마다 로짓 하나를 만들고, 소프트맥스가 확률로 바꿉니다. ` +
      (written === eos_id ? "<eos>를 골랐으므로 문장이 끝납니다." : "고른 토큰이 다음 스텝에서 읽을 토큰입니다."),
    `From the last vector the generator makes a logit for each of the ${tokens.length} tokens; a softmax turns them into ` +
      (written === eos_id ? "probabilities. <eos> is chosen: the sentence ends." :
        "probabilities. The token chosen is the one that the next step reads."));
    drawVector(place, "x", ["x", "generator에 들어가는 것", "goes into the generator"], inside.x);
    const others = 1 - total(ids.map((id) => probabilities[id])), left = tokens.length - ids.length;
    const shown = addUp([...ids.map((id) => probabilities[id]), others]);
    const table = drawTable(place, "logits", [both("토큰", "token"), both("로짓", "logit"), "softmax", ""], [
      ...ids.map((id, i) => [token(tokens[id]), number(logits[id]), number(shown[i]), bar(probabilities[id])]),
      [both(`다른 ${left}개`, `${left} others`), "", number(shown.at(-1)), bar(others)],
      [both("합", "sum"), "", number(total(shown)), ""]]);
    table.tBodies[0].rows[ids.indexOf(written)].className = "chosen";
    const chosen = say(make("p", place, "", {class: "pair-read", "data-name": "written"}), "고른 토큰", "chosen");
    chosen.append(": ");
    token(tokens[written])(chosen);
  }

  const QUERY = 2; // where a layer begins
  const STATIONS = [ // with the chapters that build it; layer, head: what can be chosen there
    {title: ["원문에서 메모리로", "From source to memory"], chapters: [1, 8], draw: drawMemory},
    {title: ["읽는 토큰을 벡터로", "The token read, as a vector"], chapters: [2, 3], draw: drawEmbedding},
    {title: ["셀프 어텐션: 쿼리, 키, 값", "Self-attention: query, key, value"], chapters: [4, 12], head: true, draw: drawQueryKeyValue},
    {title: ["스코어: 쿼리와 키의 내적", "Scores: query times key"], chapters: [4, 6], head: true, draw: drawScores},
    {title: ["√d로 나누고 소프트맥스", "Divide by √d, then softmax"], chapters: [4], head: true, draw: drawWeights},
    {title: ["값을 섞기", "Mixing the values"], chapters: [4], head: true, draw: drawValues},
    {title: ["헤드를 잇고 W_O", "Join the heads, W_O"], chapters: [5], head: true, draw: drawProjection},
    {title: ["잔차 연결과 층 정규화", "Residual connection and norm"], chapters: [7], layer: true, draw: drawFirstResidual},
    {title: ["크로스 어텐션: 원문의 어디를 보나", "Cross-attention: where to look"], chapters: [9], head: true, draw: drawCrossWeights},
    {title: ["원문에서 가져오기", "Bringing in the source"], chapters: [9, 5], head: true, draw: drawCrossOutput},
    {title: ["피드포워드 네트워크", "The feed-forward network"], chapters: [7], layer: true, draw: drawFeedForward},
    {title: ["모든 층", "All the layers"], chapters: [9], draw: drawLayers},
    {title: ["로짓에서 토큰으로", "From logits to a token"], chapters: [10, 12], draw: drawLogits},
  ];

  // ---- The panel -------------------------------------------------------------------------------------------

  function mount(panel, engine) {
    const view = {station: 0, layer: 0, head: 0, key: null, open: new Set()};
    let sentence = null;

    const source = make("p", panel, "", {class: "source"});
    const steps = make("div", panel, "", {class: "tokens", role: "group", "aria-label": "쓴 토큰 · tokens written"});
    const frame = make("div", panel, "", {class: "frame"}); // as high as the window, so that the buttons stay where they are
    const title = make("div", frame, "", {class: "title", role: "status"});
    const stage = make("div", frame, "", {class: "stage"});
    const hint = make("div", frame, "", {class: "hint"});
    tell(hint, "막대 하나가 수 하나입니다. 위는 +, 아래는 −입니다. 괄호는 형태(shape)이고, 수는 소수점 아래 세 자리까지 적습니다.",
      "Each bar is a number, up for + and down for −. Parentheses give the shape; numbers are rounded to three decimals.");
    const walk = make("div", frame, "", {class: "walk", role: "group", "aria-label": "순서 · stations"});
    const stops = make("div", walk, "", {class: "stops"});
    STATIONS.forEach(({title: [ko, en]}, i) => button(stops, () => go(i), {"aria-label": `${i + 1} ${ko} · ${en}`}));
    const back = button(walk, () => go(view.station - 1), {"aria-keyshortcuts": "ArrowLeft"}, "← ");
    say(back, "이전", "Back");
    const next = button(walk, () => go(view.station + 1), {class: "next", "aria-keyshortcuts": "ArrowRight"});
    say(next, "다음", "Next").append(" →");

    function go(station) {
      if (station < 0 || station >= STATIONS.length) return;
      Object.assign(view, {station, key: null});
      draw();
      frame.scrollIntoView();
    }

    document.addEventListener("keydown", (event) => {
      const {key, target} = event;
      const away = target !== document.body && !panel.contains(target);
      if (away || !panel.offsetParent || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (key === "ArrowLeft") go(view.station - 1);
      if (key === "ArrowRight") go(view.station + 1);
    });

    function choose(place, name, count, [ko, en]) { // buttons for layer or head
      if (count < 2) return;
      const row = make("div", place, "", {class: "choice", role: "group"});
      row.setAttribute("aria-label", `${ko} · ${en}`);
      say(make("small", row), ko, en);
      for (const i of upTo(count)) {
        const take = () => { Object.assign(view, {[name]: i, key: null}); draw(); };
        button(row, take, {"aria-pressed": i === view[name]}, String(i));
      }
    }

    function drawSteps() {
      source.textContent = engine.src.decode(sentence.memory.src);
      redraw(steps, () => sentence.steps.forEach(({written}, i) => {
        const take = () => { sentence.at = i; view.key = null; draw(); };
        token(engine.tgt.tokens[written])(button(steps, take, {"aria-pressed": i === sentence.at}), STAY);
      }));
    }

    function drawTitle() {
      const {title: [ko, en]} = STATIONS[view.station], count = `${view.station + 1}/${STATIONS.length}`;
      if (title.dataset.station === count) return; // said once, not at every choice
      title.dataset.station = count;
      title.textContent = "";
      say(make("h3", title, count + " "), ko, en);
    }

    function draw() {
      const {head, layer, chapters, draw: drawStation} = STATIONS[view.station], {n_layers, n_heads} = engine.options;
      const step = sentence.steps[sentence.at];
      drawSteps();
      drawTitle();
      redraw(stage, () => {
        const choices = make("div", stage, "", {class: "choices"});
        if (layer || head) choose(choices, "layer", n_layers, ["층", "layer"]);
        if (head) choose(choices, "head", n_heads, ["헤드", "head"]);
        drawStation(stage, {engine, memory: sentence.memory, step, view, go, redraw: draw});
        showChapters(make("p", stage, "", {class: "chapters"}), chapters);
      }, STAY);
      [...stops.children].forEach((stop, i) => stop.setAttribute("aria-current", i === view.station ? "step" : "false"));
      back.setAttribute("aria-disabled", view.station === 0);
      next.setAttribute("aria-disabled", view.station === STATIONS.length - 1);
    }

    return {
      show({memory, steps, at}) {
        sentence = {memory, steps, at};
        view.key = null;
        draw();
      },
    };
  }

  return {mount};
})();
