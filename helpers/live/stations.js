"use strict";
/* What is at the stations of a step: fourteen, from the token that is read to the token that is written, with the
   numbers that engine.js computes.

   Stations.STATIONS      each {title, chapters, draw(place, scene)}, with the chapters that build it; layer, head: what
                          can be chosen there; isByHand: one computes there oneself
     scene                what is in a sentence of step.js, engine, meanings, the step that is looked at, view {layer,
                          head, key, opened, open}, and the functions go(station) and redraw(name)
   Stations.GROUPS        parts of the model, and how many stations each has
   Stations.READING, .QUERY, .CROSS    the stations where a step and a layer begin, and what is read of the source
   Stations.BARS          how vectors are drawn, in both languages
   Stations.backward(sentence, layer, n_heads), .ahead(sentence, layer)    the head that looks most at the words between
                          <bos> and the one that is read; and the one that looks most where the last layer does */

const Stations = (() => {
  const {make, say, button, percent, brief, shorn, namesOf} = Elements, {argmax, meanOf} = Engine;
  const {WRITTEN, tell, fold, total, dot, largestOf, upTo, number, inSum, share, drawVector, drawTogether,
    drawTable, both, bar, signedBar, bars, token, drawProducts, drawSoftmax} = Numbers;
  const SURE = 0.9; // a weight that leaves nearly nothing to the others
  const ACTIVATIONS = {relu: "ReLU", gelu: "GELU", gelu_tanh: "GELU", silu: "SiLU"};

  function ofHead({engine, step, view}, part) { // what one head sees of "attention" or "cross", and its name
    const {d_model, n_heads} = engine.options, d_head = d_model / n_heads, start = view.head * d_head;
    const sublayer = step.inside.layers[view.layer][part], its = (x) => x.slice(start, start + d_head);
    return {
      d_head, start, sublayer,
      name: `decoder.layers.${view.layer}.${part === "cross" ? "cross_attention" : "attention"}`,
      q: its(sublayer.q), keys: sublayer.keys.map(its), values: sublayer.values.map(its), heads: its(sublayer.heads),
      scores: sublayer.scores[view.head], weights: sublayer.weights[view.head],
    };
  }

  const readTokens = ({engine, step}) => step.state.ids.map((id) => engine.tgt.tokens[id]);
  const sourceTokens = ({engine, memory}) => memory.src.map((id) => engine.src.tokens[id]);
  const tokensOf = (scene, part) => part === "cross" ? sourceTokens(scene) : readTokens(scene);
  const labelsOf = (scene, part) => // of the rows of a table
    tokensOf(scene, part).map((text) => token(text, part === "cross" ? brief(scene.meanings[text.trim()]) : ""));

  function drawFirst(place, {engine, view}, name, [ko, en], layer, row, x, called = "x") { // what row `row` of a linear layer makes of x
    const weight = engine.weights[layer + ".weight"].subarray(row * x.length, (row + 1) * x.length);
    drawProducts(place, view, "first-" + name, [`${ko} 직접 계산해 보기`, `${en} by hand`],
      [called, both(`가중치의 ${row}번 행`, `row ${row} of the weight`)], x, weight, engine.weights[layer + ".bias"][row]);
  }

  function drawFirstOf(place, scene, part, which, x, of = "") { // "q", "k" or "v" of a token: its first number in this head
    const {name, start} = ofHead(scene, part), called = part === "cross" && which !== "q" ? both("메모리", "memory") : "x", [ko, en] = of ? [`‘${of}’ 토큰 `, ` of ${of}`] : ["", ""];
    drawFirst(place, scene, which, [`${ko}${which}의 첫 번째 숫자를`, `The first number of ${which}${en}`], `${name}.w_${which}`, start, x, called);
  }

  const BARS = ["세로 막대 하나가 숫자 하나입니다. 위는 +, 아래는 −이고, 바탕을 칠한 막대는 아래에 숫자로도 적었습니다. 높이는 함께 묶인 그림끼리만 비교할 수 있습니다.",
    "Each upright bar is a number, up for + and down for −; the shaded ones are written as numbers below. Compare heights only within one group of charts."];

  function drawMemory(place, scene) {
    const {memory, engine} = scene, {d_model} = engine.options, length = memory.src.length;
    tell(place, `인코더가 원문의 토큰 ${length}개를 한 번 읽어, 토큰마다 숫자 ${d_model}개로 된 벡터를 만듭니다. ` +
      "이것이 메모리이고, 번역이 끝날 때까지 그대로입니다.",
    `The encoder reads the ${length} source tokens once and makes a vector of ${d_model} numbers for each. ` +
      "This is the memory; it stays the same while the sentence is being written.");
    if (memory.src.some((id) => engine.src.isByte(id)))
      tell(place, "<0x…>는 학습한 적이 없는 글자를 이루는 바이트입니다.", "<0x…> is a byte of a character that it never saw.");
    make("p", place, `memory (${length}, ${d_model})`, {class: "shape"});
    tell(make("div", place, "", {class: "caption"}), "세로 막대 하나가 숫자 하나입니다. 위는 +, 아래는 −입니다.", "Each upright bar is a number, up for + and down for −.");
    const largest = largestOf(memory.states);
    drawTable(place, "memory", [both("토큰", "token"), both("첫 숫자", "first"), both(`숫자 ${d_model}개`, `all ${d_model}`)],
      labelsOf(scene, "cross").map((label, i) => [label, number(memory.states[i][0]), bars(memory.states[i], largest)])).className = "wide-bars";
    tell(place, "인코더 안의 계산은 2~12번 화면에서 볼 디코더의 계산과 같습니다. 다만 크로스 어텐션이 없고, 토큰이 뒤의 토큰도 봅니다.",
      "The encoder works as the decoder does in parts 2 to 12, with two differences: it has no cross-attention, and each token also sees the ones after it.");
    drawReading(place, scene);
  }

  const lastLook = ({attention}) => meanOf(attention.cross.at(-1)); // where the last layer looks in the source

  function drawReading(place, scene) { // through the encoder, of the token that this step looks at most
    const {memory, engine, step, view} = scene, {n_layers, norm_first} = engine.options;
    const i = argmax(lastLook(step)), name = shorn(sourceTokens(scene)[i]), meaning = brief(scene.meanings[name]);
    const inside = fold(place, view, "reading", `‘${name}’의 벡터가 인코더를 지나는 동안`,
      `The vector of ${name}${meaning ? ` (${meaning})` : ""} on its way through the encoder`);
    tell(inside, "이 스텝에서 마지막 층의 크로스 어텐션이 가장 많이 볼 토큰입니다. 층을 지날 때마다 벡터가 바뀝니다. 표는 층마다 이 토큰이 어느 " +
      "토큰을 얼마나 보았는지입니다(헤드 평균).",
    "This is the token that cross-attention will look at most in this step, in the last layer. Each layer changes its vector. The table shows how " +
      "much it looked at each token, layer by layer (the mean of the heads).");
    const names = upTo(n_layers).map((layer) => [`층 ${layer}`, `layer ${layer}`]);
    drawTogether(inside, ["inside-0", ["x", "임베딩 + 위치", "embedding + position"], memory.inside[0][i]],
      ...names.map(([ko, en], layer) => ["inside-" + (layer + 1), ["x", `${ko} 다음`, `after ${en}`], memory.inside[layer + 1][i]]),
      ...norm_first ? [["inside-norm", ["norm", "마지막 정규화", "final norm"], memory.states[i]]] : []);
    const seen = memory.attention.map((heads) => meanOf(heads.map((rows) => rows[i])));
    drawTable(inside, "reading", [both("토큰", "token"), ...names.flatMap(([ko, en]) => [both(ko, en), ""])],
      labelsOf(scene, "cross").map((label, k) => [label, ...seen.flatMap((weights) => [share(weights[k]), bar(weights[k])])]));
  }

  function drawEmbedding(place, scene) {
    const {engine, step} = scene, {d_model} = engine.options, {embedding} = step.inside;
    const texts = readTokens(scene), position = texts.length - 1, id = step.state.ids[position];
    tell(place, (position ? "지금까지 쓴 것 가운데 마지막 토큰을 읽습니다." : "아직 쓴 것이 없으니 문장의 시작을 알리는 <bos>를 읽습니다.") +
      ` 임베딩 표에서 ${id}번 행을 꺼내 ` +
      `√${d_model}배(≈\u00a0${number(Math.sqrt(d_model))}배) 해서 위치 벡터에 묻히지 않게 하고, 위치 ${position}의 벡터를 더합니다. 위치는 0부터 셉니다. 적힌 숫자는 반올림한 것이라, 직접 곱하면 끝자리가 다를 수 있습니다.`,
    (position ? "The last token written so far is read." : "Nothing is written yet, so it reads <bos>, which begins a sentence.") +
      ` Row ${id} of the embedding table is multiplied by ` +
      `√${d_model} ≈ ${number(Math.sqrt(d_model))}, so that the position doesn’t drown it out, and the vector of position ${position} is added. Positions count from 0. The numbers shown are rounded: multiply them yourself, and the last digit can differ.`);
    const list = make("ol", place, "", {class: "read", start: 0});
    texts.forEach((text, i) => token(text)(make("li", list, "", i === position ? {class: "last"} : {})));
    const row = embedding.token.map((value) => value / Math.sqrt(d_model));
    drawTogether(place, ["row", [shorn(texts[position]), "임베딩 표의 행", "row of the table"], row],
      ["token", [`× √${d_model}`, "곱한 행", "the row, multiplied"], embedding.token],
      ["position", ["+", `위치 ${position}: sin, cos`, `position ${position}: sin, cos`], embedding.position],
      ["x", ["= x", "첫 층에 들어갈 벡터", "goes into the first layer"], embedding.x]);
  }

  // Where the x of a sublayer comes from, in words: the number is that of a station.
  const cameFrom = (number) => [`${number}번 화면에서 만든 벡터`, `from part ${number}`];
  const startOf = ({view}) => view.layer ? ["앞 층에서 나온 벡터", "from the layer before"] : cameFrom(2);

  function drawInput(place, {engine}, sublayer, from) { // what a sublayer works on
    if (!engine.options.norm_first) return drawVector(place, "input", ["x", ...from], sublayer.input);
    drawVector(place, "x", ["x", ...from], sublayer.x);
    drawVector(place, "input", ["norm(x)", "정규화한 x", "x, normalized"], sublayer.input);
  }

  const isFirst = ({view, at}, part) => view.opened[part] === `${at} ${view.layer} ${view.head}`; // opened, not chosen

  function drawQueryKeyValue(place, scene) {
    const {d_head, sublayer, q, keys, values} = ofHead(scene, "attention"), last = keys.length - 1;
    const {n_heads, d_model} = scene.engine.options, {head} = scene.view;
    const isOpened = isFirst(scene, "attention") && last > 1;
    tell(place, "이 토큰은 지금까지의 토큰들에서(자신도 포함) 필요한 것을 읽어 옵니다. 그러려고 선형 층 셋이 x로 벡터 셋을 만듭니다. 찾는 것(쿼리 q), 쿼리와 비교할 이름표(키 k), 건넬 내용(밸류 v)입니다. " +
      `숫자 ${d_model}개를 헤드 ${n_heads}개가 ${d_head}개씩 나누어 맡습니다. 여기서는 ${isOpened ? "<bos> 말고 앞에 쓴 단어를 가장 많이 보는 " : ""}헤드 ${head}번을 따라갑니다.`,
    "Here the token reads what it needs from the tokens so far, itself included. For that, three linear layers make three vectors from x: what it looks for " +
      `(the query q), a label to compare queries with (the key k) and the content it hands over (the value v). The ${d_model} numbers of each are split among ${n_heads} heads, ${d_head} per head. We follow head ${head}${isOpened ? ", the one that looks most at the words before this one, leaving <bos> aside" : ""}.`);
    drawInput(place, scene, sublayer, startOf(scene));
    drawTogether(place, ["q", ["q", "쿼리: 찾는 것", "query: what it looks for"], q],
      ["k", ["k", "키: 쿼리와 비교할 이름표", "key: a label for queries"], keys[last]],
      ["v", ["v", "밸류: 건넬 내용", "value: what it hands over"], values[last]]);
    if (last) tell(make("div", place, "", {class: "hint"}), `앞 토큰 ${last}개의 k와 v는 앞 스텝에서 계산해 둔 것을 다시 씁니다(KV 캐시).`,
      `The k and v of the ${last === 1 ? "one earlier token" : `${last} earlier tokens`} were computed at their own steps and kept (the KV cache).`);
    drawFirstOf(place, scene, "attention", "q", sublayer.input);
  }

  function drawScores(place, scene, part = "attention") {
    const {d_head, q, keys, scores} = ofHead(scene, part), labels = labelsOf(scene, part);
    if (part === "attention") {
      tell(place, "쿼리와 키를 성분끼리 곱해 모두 더하면 스코어입니다. 뒤의 토큰은 아직 없으니 가릴 것이 " +
        "없습니다(학습할 때는 인과 마스크가 가립니다). 키를 누르면 표 위에 그 곱셈이 보입니다. 가로 막대는 가운데가 0입니다.",
      "Multiply query and key element by element and sum the products: that’s the score. Later tokens don’t exist " +
        "yet, so there is nothing to hide (in training, a causal mask hides them). Choose a key to see its sum above the table. The bars start at 0, " +
        "in the middle.");
    }
    const raw = scores.map((score) => score * Math.sqrt(d_head));
    const key = scene.view.key ?? argmax(raw), most = largestOf([raw]);
    const products = Array.from(q, (value, i) => value * keys[key][i]), name = shorn(tokensOf(scene, part)[key]);
    const meaning = part === "cross" && scene.meanings[name], glossed = meaning ? `${name} ${meaning}` : name;
    make("p", place, `q·k(${name}) = ` + products.slice(0, WRITTEN).map(inSum).join(" + ") + (d_head > WRITTEN ? " + … = " : " = ") +
      number(raw[key]), {class: "equation", "data-name": "score"});
    drawTable(place, "scores", [both("키", "key"), "q·k", ""], raw.map((score, i) => [
      (cell) => labels[i](button(cell, () => { scene.view.key = i; scene.redraw("score"); }, {"aria-pressed": i === key})),
      number(score),
      signedBar(score, most),
    ]));
    drawTogether(place, ["q", ["q", "쿼리", "query"], q], ["k", ["k", `키: ${name}`, `key: ${glossed}`], keys[key]]);
    drawVector(place, "products", ["q × k", "곱", "products"], products);
    drawProducts(place, scene.view, "products", [`곱 ${d_head}개를 모두 더하기`, `All ${d_head} products, summed`],
      ["q", "k"], q, keys[key]);
    if (part === "cross") drawFirstOf(place, scene, part, "k", scene.memory.states[key]);
  }

  function drawWeights(place, scene, part = "attention") {
    const {d_head, scores, weights} = ofHead(scene, part), root = number(Math.sqrt(d_head));
    const best = argmax(weights), most = shorn(tokensOf(scene, part)[best]), isSelf = best === weights.length - 1;
    if (part === "attention") {
      tell(place, `키의 차원 d_k가 크면 스코어도 커져서, 학습하기 전부터 소프트맥스가 한 토큰에 쏠립니다. 그래서 스코어를 √d_k로 나눕니다(d_k = ${d_head}, √${d_head} ≈ ${root}). 그다음 exp를 취해 그 합으로 나누면(소프트맥스) 합이 1인 어텐션 가중치가 됩니다. ` +
        `어느 토큰에서 얼마나 읽을지가 이것으로 정해집니다. 여기서는 ${isSelf ? "자기 자신인 " : ""}‘${most}’에서 가장 많이 읽습니다.`,
      `The scores are divided by √d_k (d_k is the size of a key, ${d_head}; √${d_head} ≈ ${root}); otherwise an untrained model would give nearly all weight to one token. ` +
        `A softmax, exp of each divided by their sum, turns them into attention weights that sum to 1: how much is read from each token. Here most is read from ${isSelf ? "the token itself, " : ""}“${most}”.`);
      if (weights[best] > SURE && weights.length > 1) tell(place, "이렇게 한 토큰에 쏠리는 것은 이 헤드가 학습으로 익힌 것입니다. 모든 헤드의 평균은 13번 화면에 있습니다.",
        "Training has taught this head to put nearly all its weight on one token here. Part 13 has the average of all heads.");
    }
    const rows = labelsOf(scene, part).map((label, i) => [label, number(scores[i] * Math.sqrt(d_head)), number(scores[i]),
      share(weights[i]), bar(weights[i])]);
    drawTable(place, "weights", [both("키", "key"), "q·k", `÷ √${d_head}`, "softmax", ""],
      [...rows, [both("합", "sum"), "", "", number(total(weights)), ""]]);
    drawSoftmax(place, scores, best);
  }

  function drawValues(place, scene, part = "attention") {
    const {d_head, weights, values, heads} = ofHead(scene, part);
    if (part === "attention") {
      tell(place, `밸류 v에 가중치 w를 곱해 모두 더합니다. 그렇게 더한 숫자 ${d_head}개가 이 헤드의 출력입니다. 토큰에서 ` +
        "읽은 내용이 이렇게 이 토큰으로 모입니다. v₀은 밸류의 첫 번째 숫자입니다.",
      `Each value v is multiplied by its weight w, and all are summed: ${d_head} numbers, the head’s output. ` +
        "This is how the content of tokens gets into this one’s vector. v₀ is the first number of a value.");
    } else {
      tell(place, "이번에는 원문의 밸류 v에 가중치 w를 곱해 더합니다. 원문의 내용이 여기서 번역문으로 건너옵니다.",
        "This time the values v are those of the source. Here its content enters the translation.");
    }
    const weighted = values.map((value, i) => value.map((one) => one * weights[i])), largest = largestOf([...weighted, heads]);
    const rows = labelsOf(scene, part).map((label, i) => [label, share(weights[i]), number(values[i][0]),
      number(weighted[i][0]), bars(weighted[i], largest)]);
    const sum = [both("합", "sum"), "", "", number(heads[0]), bars(heads, largest)];
    drawTable(place, "values", [both("밸류", "value"), "w", "v₀", "w · v₀", "w · v"], [...rows, sum]);
    if (part === "attention") return;
    const most = argmax(weights);
    drawFirstOf(place, scene, part, "v", scene.memory.states[most], shorn(tokensOf(scene, part)[most]));
  }

  function drawProjection(place, scene, part = "attention") {
    const {engine, view} = scene, {n_heads, d_model} = engine.options, {d_head, start, name, sublayer} = ofHead(scene, part);
    if (part === "attention") {
      tell(place, `헤드 ${n_heads}개의 출력을 이어 붙이면 다시 숫자 ${d_model}개입니다. 선형 층 W_O는 헤드마다 따로 읽어 온 것을 벡터 하나로 섞습니다. 표는 나온 ` +
        `벡터의 첫 번째 숫자에 헤드마다 얼마를 더했는지 보여 줍니다. 헤드의 숫자 ${d_head}개와 W_O 0번 행의 해당 부분을 내적한 값입니다.`,
      `The outputs of the ${n_heads} heads side by side are ${d_model} numbers again. A linear layer, W_O, mixes what each head has read on its own into one vector. The ` +
        `table shows what each head adds to the first number that comes out: its ${d_head} numbers times its part of row 0 of W_O.`);
    }
    drawVector(place, "heads", [upTo(n_heads).map((head) => `h${head}`).join(" "), "이어 붙인 헤드", "heads, joined"],
      sublayer.heads, {from: start, bands: n_heads});
    const row = engine.weights[name + ".w_o.weight"].slice(0, d_model), bias = engine.weights[name + ".w_o.bias"][0];
    const cut = (x, head) => x.slice(head * d_head, (head + 1) * d_head);
    const shares = [...upTo(n_heads).map((head) => dot(cut(row, head), cut(sublayer.heads, head))), bias];
    const names = [...upTo(n_heads).map((head) => both(`헤드 ${head}`, `head ${head}`)), both("편향", "bias")];
    const largest = largestOf([shares]);
    const table = drawTable(place, "shares", ["", both("첫 번째 숫자", "first number"), ""], [
      ...shares.map((one, i) => [names[i], number(one), signedBar(one, largest)]),
      [both("합", "sum"), number(sublayer.output[0]), ""]]);
    table.tBodies[0].rows[view.head].className = "chosen";
    drawProducts(place, view, "first-share", [`헤드 ${view.head}의 ${number(shares[view.head])} 직접 계산해 보기`,
      `The ${number(shares[view.head])} of head ${view.head} by hand`], [`h${view.head}`, "W_O"],
    cut(sublayer.heads, view.head), cut(row, view.head));
    drawVector(place, "output", ["W_O(h)", "나온 벡터", "what comes out"], sublayer.output);
  }

  function drawResidual(place, {engine}, sublayer, from, residual, made) {
    const first = engine.options.norm_first, {sum, result} = sublayer, mean = total(sum) / sum.length;
    const variance = total(Array.from(sum, (value) => (value - mean) ** 2)) / sum.length, name = made[0];
    drawTogether(place, ["x", ["x", ...from], sublayer.x],
      ["output", ["+ " + name, made[1], made[2]], sublayer.output],
      ["sum", [first ? "= x" : "= x + " + name, "잔차 연결", "residual connection"], sum]);
    if (first) return;
    const weight = engine.weights[residual + ".norm.weight"][0], bias = engine.weights[residual + ".norm.bias"][0];
    const deviation = Math.sqrt(variance + 1e-5), one = (value) => inSum(value, 1);
    say(make("p", place, "", {class: "equation", "data-name": "moments"}),
      `평균 ≈ ${number(mean)}, 표준편차 ≈ ${number(deviation)}(분산은 개수로 나누고 0.00001을 더함), 학습한 가중치와 편향의 첫 숫자 ≈ ${number(weight)}, ${number(bias)}`,
      `mean ≈ ${number(mean)}, standard deviation ≈ ${number(deviation)} (variance over n, plus 0.00001), first learned weight and bias ≈ ${number(weight)}, ${number(bias)}`);
    make("p", place, `(${number(sum[0])} − ${one(mean)}) ÷ ${number(deviation)} × ${one(weight)} + ${one(bias)} ≈ ${number(result[0])}`,
      {class: "equation", "data-name": "normalized"});
    drawVector(place, "result", ["norm", "레이어 정규화", "layer normalization"], result);
  }

  function drawFirstResidual(place, scene) {
    const {engine, step, view} = scene;
    if (engine.options.norm_first) {
      tell(place, "W_O에서 나온 벡터를 x에 더합니다. 덮어쓰지 않고 더하므로, 토큰이 지니고 있던 내용이 남습니다. 이 모델은 pre-LN이라서 " +
        "정규화는 서브층 앞에서 했습니다.",
      "What comes out of W_O is added to x. It doesn’t replace x, so what the token already held stays. This model is pre-LN: " +
        "the norm came before the sublayer.");
    } else {
      tell(place, "W_O에서 나온 벡터를 x에 더합니다. 덮어쓰지 않고 더하므로, 토큰이 지니고 있던 내용이 남습니다. 그 합에서 평균을 빼고 " +
        "표준편차로 나누어 숫자의 크기를 고르게 합니다. 그다음 학습한 가중치를 곱하고 편향을 더합니다.",
      "What comes out of W_O is added to x. It doesn’t replace x, so what the token already held stays. From the sum we subtract its " +
        "mean and divide by its standard deviation, so that the numbers don’t get out of hand; then we multiply by a learned weight and " +
        "add a learned bias.");
    }
    drawResidual(place, scene, step.inside.layers[view.layer].attention, startOf(scene),
      `decoder.layers.${view.layer}.residuals.0`, ["W_O(h)", "7번 화면에서 나온 벡터", "from part 7"]);
  }

  function drawCrossWeights(place, scene) {
    const {memory, view, step, engine} = scene, {sublayer, q} = ofHead(scene, "cross");
    const deepest = lastLook(step), most = argmax(deepest), name = shorn(sourceTokens(scene)[most]);
    const {word} = namesOf(engine.src, memory.src)[most], isPart = word !== name;
    const meaning = isPart ? `part of “${word}”` : scene.meanings[name] && `“${brief(scene.meanings[name])}”`;
    const later = view.layer === engine.options.n_layers - 1 ? ["", ""] // where the model ends up looking
      : [` 마지막 층의 헤드 ${engine.options.n_heads}개도 이 토큰에 평균 ${percent(deepest[most])}를 줍니다(위의 그림에 적힌 값).`,
        ` The ${engine.options.n_heads} heads of the last layer give it ${percent(deepest[most])} on average, the number in the picture above.`];
    tell(place, `같은 계산을 한 번 더 합니다. 이번에는 키와 밸류를 메모리의 벡터 ${memory.src.length}개로 만듭니다. 토큰을 하나 쓸 ` +
      "때마다 원문의 어디를 볼지 여기서 정합니다. 헤드마다 다른 곳을 볼 수 있습니다. " + (isFirst(scene, "cross")
        ? `여기서는 그 가운데 ‘${name}’${isPart ? `(‘${word}’의 일부)` : ""} 토큰에 가장 큰 가중치를 주는 헤드 ${view.head}번을 따라갑니다.${later[0]}`
        : `여기서는 헤드 ${view.head}번을 따라갑니다. 모든 헤드의 평균은 13번 화면에 있습니다.`),
    `The same computation again, but this time keys and values are made from the ${memory.src.length} vectors of the memory. For each token to ` +
      "write, the weights say where in the source to look. Heads may look at different places. " + (isFirst(scene, "cross")
        ? `We follow head ${view.head}, the one of the ${engine.options.n_heads} that gives the most weight to ${name}${meaning ? ` (${meaning})` : ""}.${later[1]}`
        : `Here we follow head ${view.head}. Part 13 has the average of all heads.`));
    const last = engine.options.n_layers - 1, open = () => { view.layer = last; scene.go(CROSS); };
    if (view.layer < last) say(button(make("p", place), open), `마지막 층(층 ${last})에서 보기`, `See the last layer (${last})`);
    drawWeights(place, scene, "cross");
    drawInput(place, scene, sublayer, cameFrom(8));
    drawVector(place, "q", ["q", "쿼리", "query"], q);
    drawFirstOf(place, scene, "cross", "q", sublayer.input);
    drawScores(fold(place, view, "scores", "q·k를 직접 계산해 보기", "q·k by hand"), scene, "cross");
  }

  const drawCrossValues = (place, scene) => drawValues(place, scene, "cross");

  function drawCrossProjection(place, scene) {
    const {layer} = scene.view, {cross} = scene.step.inside.layers[layer];
    tell(place, "7번과 8번 화면에서처럼, 헤드의 출력을 이어 붙여 W_O에 통과시키고 들어온 x에 더합니다.",
      "As in parts 7 and 8: the heads are joined, pass through W_O, and are added to x.");
    drawProjection(place, scene, "cross");
    drawResidual(place, scene, cross, cameFrom(8), `decoder.layers.${layer}.residuals.1`, ["W_O(h)", "위의 벡터", "as above"]);
  }

  const countAbove = ({hidden}) => hidden.filter((value) => value > 0).length;

  function drawFeedForward(place, scene) {
    const {engine, step, view} = scene, {d_model, d_ff, activation} = engine.options, layer = `decoder.layers.${view.layer}.`;
    const {feedForward} = step.inside.layers[view.layer], above = countAbove(feedForward), name = ACTIVATIONS[activation];
    tell(place, `어텐션은 다른 토큰에서도 읽어 오지만, 여기서는 이 토큰의 벡터만 계산합니다. 선형 층이 숫자 ${d_model}개로 ${d_ff}개를 만들고, 그 가운데 ${above}개가 0보다 큽니다. ` +
      (name === "ReLU" ? "ReLU는 나머지를 0으로 만들고, " : `${name}는 나머지를 0 가까이로 줄이고, `) +
      `두 번째 선형 층이 다시 ${d_model}개로 줄입니다.`,
    `Attention can read from other tokens; this network works on this token’s vector alone. A linear layer turns ${d_model} numbers into ${d_ff}; ${above} of them are above 0. ` +
      (name === "ReLU" ? "ReLU sets the others to 0, " : `${name} shrinks the others toward 0, `) +
      `and a second linear layer makes them ${d_model} again.`);
    drawInput(place, scene, feedForward, cameFrom(11));
    drawTogether(place, ["hidden", ["linear1", "첫 선형 층", "first linear layer"], feedForward.hidden],
      ["activated", [name, "활성화 함수", "activation function"], feedForward.activated]);
    drawFirst(place, scene, "hidden", ["linear1의 첫 번째 숫자를", "The first number of linear1"],
      layer + "feed_forward.linear1", 0, feedForward.input);
    drawFirst(place, scene, "output", ["linear2의 첫 번째 숫자를", "The first number of linear2"],
      layer + "feed_forward.linear2", 0, feedForward.activated);
    drawResidual(place, scene, feedForward, cameFrom(11), layer + "residuals.2",
      ["linear2", "두 번째 선형 층", "second linear layer"]);
  }

  function drawLayers(place, scene) {
    const {engine, step, view} = scene, {n_layers, norm_first} = engine.options, {layers, embedding, x} = step.inside;
    const same = {1: "The one layer does this.", 2: "Both layers do this, each with its own weights."}[n_layers]
      ?? `All ${n_layers} layers do this, each with its own weights.`;
    tell(place, `층 ${n_layers}개가 각자의 가중치로 같은 일을 합니다. 표에는 층마다 가장 많이 본 토큰과 그 가중치, ` +
      `피드포워드에서 0보다 큰 숫자가 몇 개인지 나와 있습니다. 가중치는 헤드 ${engine.options.n_heads}개의 평균이라서, 5번과 9번 화면에서 본 헤드 하나의 값과 다릅니다. 층을 누르면 ${QUERY + 1}번 화면부터 그 층을 보여 줍니다.`,
    `${same} For each layer the table shows the token that gets the most weight, and how many ` +
      `numbers of the feed-forward network are above 0. The weights are averages over the ${engine.options.n_heads} heads, so they differ from those of one head in parts 5 and 9. Choose a layer to walk through it from part ${QUERY + 1}.`);
    const most = (weights, part) => {
      const means = meanOf(weights), best = argmax(means);
      return (cell) => { labelsOf(scene, part)[best](cell); cell.append(" " + number(means[best])); };
    };
    const walk = (layer) => (cell) => {
      const open = () => { view.layer = layer; scene.go(QUERY); };
      say(button(cell, open, {"aria-pressed": layer === view.layer}), `층 ${layer}`, `layer ${layer}`);
    };
    drawTable(place, "layers", ["", both("셀프 어텐션", "self-attention"), both("크로스 어텐션", "cross-attention"), both("0보다 큰 숫자", "numbers > 0")],
      layers.map(({attention, cross, feedForward}, layer) => [walk(layer),
        most(attention.weights, "attention"), most(cross.weights, "cross"),
        `${countAbove(feedForward)}/${feedForward.hidden.length}`])).className = "loose";
    drawTogether(place, ["embedding", ["x", "층에 들어가기 전", "before the layers"], embedding.x],
      ...layers.map(({feedForward}, layer) =>
        ["layer-" + layer, ["x", `층 ${layer} 다음`, `after layer ${layer}`], feedForward.result]));
    if (norm_first) drawVector(place, "norm", ["norm", "마지막 정규화", "the last norm"], x);
  }

  function chosenBy({step: {written}, at, how, tapped, temperature}, probabilities) { // how the token came, in words
    const degrees = temperature.toFixed(1);
    if (how === "sample" && at > tapped) return [`온도 ${degrees}에서 뽑았습니다.`, `It was drawn, at temperature ${degrees}.`];
    if (probabilities[written] === Math.max(...probabilities))
      return ["확률이 가장 높은 토큰입니다.", "It is the likeliest token."];
    if (at <= tapped) return ["첫 번째 탭에서 직접 고른 토큰입니다.", "You chose it in the first tab."];
    return ["빔 서치가 문장 전체의 점수를 보고 골랐습니다.", "Beam search chose it by the score of the whole sentence."];
  }

  function drawLogits(place, scene) {
    const {engine, step: {logits, written, inside}, temperature} = scene, {eos_id, tokens} = engine.tgt;
    const ids = Engine.top(logits, 5), probabilities = Engine.softmax(logits, temperature);
    if (!ids.includes(written)) ids.push(written);
    tell(place, `마지막 선형 층(generator)이 토큰 ${tokens.length}개에 로짓을 하나씩 매기고, 소프트맥스가 확률로 바꿉니다. ` +
      (written === eos_id ? "<eos>가 나왔으므로 문장이 끝납니다." : "여기서 쓴 토큰을 다음 스텝에서 읽습니다."),
    `The last linear layer, the generator, gives each of the ${tokens.length} tokens a score, its logit; a softmax turns them into ` +
      (written === eos_id ? "probabilities. <eos> is written: the sentence ends." :
        "probabilities. The next step reads the token written here."));
    drawVector(place, "x", ["x", "마지막 층에서 나온 벡터", "from the last layer"], inside.x);
    if (engine.weights["generator.linear.weight"] === engine.weights["tgt_embed.tokens.weight"])
      tell(place, "generator의 가중치는 임베딩 표와 같은 표입니다. x와 그 표에서 토큰의 행을 내적하고 편향을 더하면 그 토큰의 로짓입니다.",
        "The weight of the generator is the embedding table itself: a token’s logit is the dot product of x and its row, plus a bias.");
    drawFirst(place, scene, "logit", [`‘${shorn(tokens[written])}’의 로짓을`, `The logit of “${shorn(tokens[written])}”`],
      "generator.linear", written, inside.x);
    const others = 1 - total(ids.map((id) => probabilities[id])), left = tokens.length - ids.length;
    const heated = temperature === 1 ? [] : [`÷ ${temperature.toFixed(1)}`], blank = heated.map(() => "");
    const table = drawTable(place, "logits", [both("토큰", "token"), both("로짓", "logit"), ...heated, "softmax", ""], [
      ...ids.map((id) => [token(tokens[id]), number(logits[id]), ...heated.map(() => number(logits[id] / temperature)),
        share(probabilities[id]), bar(probabilities[id])]),
      [both(`다른 ${left}개`, `${left} others`), "", ...blank, share(others), bar(others)],
      [both("합", "sum"), "", ...blank, number(1), ""]]);
    table.tBodies[0].rows[ids.indexOf(written)].className = "chosen";
    const line = make("p", place, "", {class: "pair-read", "data-name": "written"});
    say(line, "쓴 토큰", "written").append(": ");
    token(tokens[written])(line);
    say(make("p", place), ...chosenBy(scene, probabilities));
    drawSoftmax(place, logits.map((logit) => logit / temperature), written);
    tell(place, "정리: 인코더가 원문을 메모리로 만들었습니다(1). 읽은 토큰은 벡터가 되어(2) 앞의 토큰을 보고(3–8), 원문을 보고(9–11), " +
      "피드포워드 네트워크를 지났습니다(12). 층마다 그렇게 한 다음(13) 이 토큰이 나왔습니다(14).",
    "To sum up: the encoder made a memory of the source (1). The token read became a vector (2), looked at the tokens before it (3–8), " +
      "looked at the source (9–11), and passed through the feed-forward network (12). Every layer did this (13), and the result is this token (14).");
  }

  const READING = 1, QUERY = 2, CROSS = 8; // where a step and a layer begin, and what is read of the source
  const STATIONS = [ // with the chapters that build it; layer, head: what can be chosen there; isByHand: one computes there oneself
    {title: ["원문에서 메모리로", "From source to memory"], chapters: [1, 8], draw: drawMemory},
    {title: ["읽는 토큰을 벡터로", "The token read, as a vector"], chapters: [2, 3], draw: drawEmbedding},
    {title: ["셀프 어텐션: 쿼리, 키, 밸류", "Self-attention: query, key, value"], chapters: [4, 12], head: true, draw: drawQueryKeyValue},
    {title: ["스코어: 쿼리와 키의 내적", "Scores: query times key"], chapters: [4, 6], head: true, isByHand: true, draw: drawScores},
    {title: ["√d_k로 나누고 소프트맥스", "Divide by √d_k, then softmax"], chapters: [4], head: true, isByHand: true, draw: drawWeights},
    {title: ["밸류를 섞기", "Mixing the values"], chapters: [4], head: true, isByHand: true, draw: drawValues},
    {title: ["헤드를 이어 붙이고 W_O로 섞기", "Join the heads, W_O"], chapters: [5], head: true, draw: drawProjection},
    {title: ["잔차 연결과 레이어 정규화", "Residual connection and norm"], chapters: [7], layer: true, isByHand: true, draw: drawFirstResidual},
    {title: ["크로스 어텐션: 원문의 어디를 보나", "Cross-attention: where to look"], chapters: [9], head: true, isByHand: true, draw: drawCrossWeights},
    {title: ["원문의 밸류를 섞기", "Mixing the values of the source"], chapters: [9], head: true, isByHand: true, draw: drawCrossValues},
    {title: ["다시 W_O, 잔차, 정규화", "W_O, residual, norm again"], chapters: [5, 7], head: true, isByHand: true, draw: drawCrossProjection},
    {title: ["피드포워드 네트워크", "The feed-forward network"], chapters: [7], layer: true, isByHand: true, draw: drawFeedForward},
    {title: ["모든 층", "All the layers"], chapters: [9], draw: drawLayers},
    {title: ["로짓에서 토큰으로", "From logits to a token"], chapters: [10, 12], isByHand: true, draw: drawLogits},
  ];

  const GROUPS = [ // parts of the model, and how many stations each has: where one is
    ["인코더", "encoder", 1], ["임베딩", "embedding", 1], ["셀프 어텐션", "self-attention", 6], ["크로스 어텐션", "cross-attention", 3],
    ["피드포워드", "feed-forward", 1], ["모든 층", "layers", 1], ["토큰", "token", 1],
  ];

  function backward({steps, at}, layer, n_heads) { // the head that looks most at the words between <bos> and the one that is read
    const earlier = upTo(n_heads).map((head) => total(steps[at].attention.decoder[layer][head].slice(1, -1)));
    return argmax(earlier);
  }

  function ahead({steps, at}, layer) { // the head that looks most where the last layer does
    const most = argmax(lastLook(steps[at]));
    return argmax(steps[at].attention.cross[layer].map((weights) => weights[most]));
  }

  return {STATIONS, GROUPS, READING, QUERY, CROSS, BARS, backward, ahead};
})();
