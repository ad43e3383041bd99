"use strict";
/* The translator in plain JavaScript: what chapters 01 to 12 build, for one sentence at a time.

   const engine = new Engine(data)            data as `helpers.live` writes it: options, tokenizers, weights
   engine.options                             d_model, n_heads, n_layers, d_ff, max_len, norm_first, …
   engine.src, engine.tgt                     Tokenizers: tokens, encode(text) → ids, decode(ids) → text
   engine.encode(text) → ids                  of the source
   engine.decode(ids), .textOf(steps) → text  of the target; steps as engine.write yields them
   engine.encoder(src, removed) → memory      reads the source once; removed: heads that add nothing, as
                                              [{part: "encoder" | "decoder" | "cross", layer, head}, …]
   engine.begin(memory) → state               before the first token of the target
   engine.step(state, id) → {logits, attention, inside, state}
                                              reads one token of the target; a state never changes, so one may
                                              go on from any of them
   engine.write(memory, {prefix, choose, maxLength})
                                              generator of steps with `read` and `written`, until eos
   engine.greedy(memory, maxLength) → ids     the likeliest token at every step
   engine.beam(memory, {width, alpha, maxLength}) → {ranked: [{score, ids}, …], tree}
   Engine.softmax(scores, temperature), Engine.top(values, count), Engine.sample(logits, temperature),
   Engine.argmax(values) → number             where the largest stands
   Engine.meanOf(heads) → weights             of the weights of several heads, the mean for each key

   A vector is a Float32Array, a sequence an array of them. memory.attention[layer][head][query][key] is the
   encoder's, memory.inside[layer][token] what goes into a layer and, at last, comes out; step.attention.decoder and .cross are [layer][head][key], the row of the token that was read.

   step.inside has every number on the way to the logits:
     embedding: {token, position, x}          the row of the table · √d_model; what the position adds; the sum
     layers[layer]: {attention, cross, feedForward}, each a sublayer in its residual connection:
       x, input, …, output, sum, result       input is x, or with pre-LN its norm; sum is x + output; result is
                                              the norm of sum, or with pre-LN the sum
       attention, cross also: q (d_model), keys and values [key](d_model), scores and weights [head][key],
                              heads (d_model, the heads side by side before W_O)
       feedForward also: hidden and activated (d_ff)
     x: (d_model), after the decoder's last norm if it has one; the generator makes logits of it */

const makeEngine = () => {
  // ---- Tokenization (chapter 01) ---------------------------------------------------------------------------

  const SPECIAL_TOKENS = ["<pad>", "<unk>", "<bos>", "<eos>"];
  const BYTE_TOKENS = Array.from({length: 256}, (_, byte) =>
    "<0x" + byte.toString(16).toUpperCase().padStart(2, "0") + ">");
  const FIRST_PIECE = SPECIAL_TOKENS.length + BYTE_TOKENS.length;

  // The classes \w and \s of Python, which are not those of JavaScript.
  const WORD = "\\p{L}\\p{N}_";
  const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const WORDS = new RegExp(` ?[${WORD}]{1,64}| ?[^${WORD}${SPACE}]{1,64}|[${SPACE}]`, "gu");
  const LINE_ENDS = /\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]/g;
  const ENDS = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "g");

  class Tokenizer {
    constructor({alphabet, merges}) {
      const pieces = [...new Set([...alphabet, ...merges.map(([left, right]) => left + right)])];
      this.tokens = [...SPECIAL_TOKENS, ...BYTE_TOKENS, ...pieces];
      this.ids = new Map(pieces.map((piece, i) => [piece, FIRST_PIECE + i]));
      this.ranks = new Map(); // left piece → right piece → rank
      merges.forEach(([left, right], rank) => {
        if (!this.ranks.has(left)) this.ranks.set(left, new Map());
        this.ranks.get(left).set(right, rank);
      });
      [this.pad_id, this.unk_id, this.bos_id, this.eos_id] = [0, 1, 2, 3];
    }

    encode(text) {
      return this.split(text).flatMap((word) => this.encodeWord(word));
    }

    split(text) { // words with the space in front of them
      return text === "" ? [] : (" " + text).match(WORDS) || [];
    }

    encodeWord(word) {
      let pieces = [...word];
      for (;;) {
        let best = Infinity, left, right;
        for (let i = 0; i + 1 < pieces.length; i++) {
          const rank = this.ranks.get(pieces[i])?.get(pieces[i + 1]);
          if (rank < best) [best, left, right] = [rank, pieces[i], pieces[i + 1]];
        }
        if (best === Infinity) break;
        pieces = mergePair(pieces, left, right); // the earliest learned first
      }
      return pieces.flatMap((piece) => this.ids.get(piece) ?? bytesOf(piece)); // a character never seen: its bytes
    }

    isByte(id) {
      return id >= SPECIAL_TOKENS.length && id < FIRST_PIECE;
    }

    decode(ids) {
      const bytes = ids.flatMap((id) => {
        if (id < SPECIAL_TOKENS.length) return [];
        return this.isByte(id) ? [id - SPECIAL_TOKENS.length] : [...new TextEncoder().encode(this.tokens[id])];
      });
      const text = new TextDecoder("utf-8", {ignoreBOM: true}).decode(Uint8Array.from(bytes));
      return text.startsWith(" ") ? text.slice(1) : text;
    }
  }

  function mergePair(pieces, left, right) {
    const merged = [];
    for (let i = 0; i < pieces.length; i++) {
      if (pieces[i] === left && pieces[i + 1] === right) merged.push(left + pieces[++i]);
      else merged.push(pieces[i]);
    }
    return merged;
  }

  function bytesOf(piece) {
    return Array.from(new TextEncoder().encode(piece), (byte) => SPECIAL_TOKENS.length + byte);
  }

  // ---- Weights ---------------------------------------------------------------------------------------------

  function readWeights({shapes, scales, tied, weights}) { // {name: Float32Array}, each read once it is asked for
    const named = {};
    let start = 0;
    function once(name, read) {
      let weight;
      Object.defineProperty(named, name, {get: () => weight ??= read()});
    }
    for (const [name, shape] of Object.entries(shapes)) {
      const from = start, to = start += shape.reduce((product, length) => product * length, 1);
      once(name, () => readWeight(weights, from, to, scales[name]));
    }
    for (const [name, other] of Object.entries(tied)) once(name, () => named[other]);
    return named;
  }

  function readWeight(pieces, from, to, scale) { // the numbers `from` to before `to` of base64 in pieces
    const weight = new Float32Array(to - from), held = pieces[0].length / 4 * 3 / 2; // numbers in all pieces but the last
    for (let number = Math.floor(from / held), at = from; at < to; number++) {
      const text = atob(pieces[number]), end = Math.min(to, (number + 1) * held);
      for (; at < end; at++) {
        const low = 2 * (at - number * held), bits = text.charCodeAt(low) | text.charCodeAt(low + 1) << 8;
        weight[at - from] = (bits << 16 >> 16) * scale; // its highest bit is the sign
      }
    }
    return weight;
  }

  // ---- Functions of vectors (chapters 04 and 07) -------------------------------------------------------------

  const add = (x, y) => x.map((value, i) => value + y[i]);

  function dot(weight, start, x) { // of a row of weights and x; a processor adds four sums side by side
    let a = 0, b = 0, c = 0, d = 0, i = 0;
    for (; i + 3 < x.length; i += 4) {
      a += weight[start + i] * x[i];
      b += weight[start + i + 1] * x[i + 1];
      c += weight[start + i + 2] * x[i + 2];
      d += weight[start + i + 3] * x[i + 3];
    }
    for (; i < x.length; i++) a += weight[start + i] * x[i];
    return a + b + c + d;
  }

  function softmax(scores, temperature = 1) {
    const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
    const powers = Array.from(scores, (score) => Math.exp((score - largest) / temperature));
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((power) => power / sum);
  }

  function logSoftmax(scores) {
    const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
    const sum = scores.reduce((total, score) => total + Math.exp(score - largest), 0);
    return Array.from(scores, (score) => score - largest - Math.log(sum));
  }

  function top(values, count) { // the places of the largest, largest first
    const places = [];
    values.forEach((value, place) => {
      if (places.length === count && !(value > values[places[count - 1]])) return;
      const rank = places.findIndex((other) => value > values[other]);
      places.splice(rank < 0 ? places.length : rank, 0, place);
      if (places.length > count) places.pop();
    });
    return places;
  }

  function likeliest(logits) {
    return logits.reduce((best, logit, id) => logit > logits[best] ? id : best, 0);
  }

  function sample(logits, temperature = 1, random = Math.random) { // an id, drawn by its probability
    let left = random();
    const probabilities = softmax(logits, temperature);
    const drawn = probabilities.findIndex((probability) => (left -= probability) < 0);
    return drawn < 0 ? likeliest(logits) : drawn;
  }

  function erf(x) { // Abramowitz and Stegun 7.1.26, within 1.5e-7
    const t = 1 / (1 + 0.3275911 * Math.abs(x));
    const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    return Math.sign(x) * (1 - sum * Math.exp(-x * x));
  }

  const ACTIVATIONS = {
    relu: (x) => Math.max(0, x),
    gelu: (x) => 0.5 * x * (1 + erf(x / Math.SQRT2)),
    gelu_tanh: (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
    silu: (x) => x / (1 + Math.exp(-x)),
  };

  // ---- The model (chapters 02 to 10) -------------------------------------------------------------------------

  class Engine {
    constructor(data) {
      this.options = data.options;
      this.src = new Tokenizer(data.src);
      this.tgt = new Tokenizer(data.tgt);
      this.weights = readWeights(data);
    }

    static clean(text) { // as `helpers.corpus.reading.clean`: one line, in Unicode's composed form
      return text.normalize("NFC").replace(LINE_ENDS, " ").replace(ENDS, "");
    }

    encode(text) { return this.src.encode(text); }

    decode(ids) { return this.tgt.decode(ids.filter((id) => id !== this.tgt.eos_id)); }

    textOf(steps) { return this.decode(steps.map(({written}) => written)); }

    maxLength(src) { // as `translate_texts`
      return Math.min(2 * src.length + 10, this.options.max_len);
    }

    linear(name, x, from = 0, to = this.weights[name + ".bias"].length) { // rows `from` to before `to`
      const weight = this.weights[name + ".weight"], bias = this.weights[name + ".bias"];
      const y = new Float32Array(to - from), width = x.length;
      for (let row = from; row < to; row++) y[row - from] = dot(weight, row * width, x) + bias[row];
      return y;
    }

    norm(name, x) {
      const weight = this.weights[name + ".weight"], bias = this.weights[name + ".bias"];
      let mean = 0, variance = 0;
      for (const value of x) mean += value / x.length;
      for (const value of x) variance += (value - mean) ** 2 / x.length;
      const scale = 1 / Math.sqrt(variance + 1e-5);
      return x.map((value, i) => (value - mean) * scale * weight[i] + bias[i]);
    }

    finalNorm(stack, x) { // of encoder or decoder: only pre-LN has one
      return this.options.norm_first ? this.norm(stack + ".norm", x) : x;
    }

    embed(side, id, position) {
      const d_model = this.options.d_model, scale = Math.sqrt(d_model);
      const row = this.weights[side + ".tokens.weight"].subarray(id * d_model, (id + 1) * d_model);
      const token = row.map((value) => value * scale), where = this.position(side, position);
      return {token, position: where, x: add(token, where)};
    }

    position(side, position) {
      const d_model = this.options.d_model, learned = this.weights[side + ".positions.weight"];
      if (learned) return learned.subarray(position * d_model, (position + 1) * d_model);
      return new Float32Array(d_model).map((_, i) => {
        const angle = position * 10000 ** (-(i - i % 2) / d_model);
        return i % 2 ? Math.cos(angle) : Math.sin(angle);
      });
    }

    project(name, x, which) { // "q", "k" or "v"
      return this.linear(`${name}.w_${which}`, x);
    }

    attend(name, q, keys, values, removed) { // removed: numbers of heads that add nothing
      const {d_model, n_heads} = this.options, d_head = d_model / n_heads;
      const heads = new Float32Array(d_model), scores = [], weights = [];
      for (let head = 0; head < n_heads; head++) {
        const start = head * d_head, stop = start + d_head;
        scores.push(keys.map((key) => {
          let dot = 0;
          for (let i = start; i < stop; i++) dot += q[i] * key[i];
          return dot / Math.sqrt(d_head);
        }));
        weights.push(softmax(scores[head]));
        if (removed.includes(head)) continue; // its columns of W_O are multiplied by 0
        weights[head].forEach((weight, k) => {
          for (let i = start; i < stop; i++) heads[i] += weight * values[k][i];
        });
      }
      return {q, keys, values, scores, weights, heads, output: this.linear(name + ".w_o", heads)};
    }

    feedForward(name, x) {
      const hidden = this.linear(name + ".linear1", x);
      const activated = hidden.map(ACTIVATIONS[this.options.activation]);
      return {hidden, activated, output: this.linear(name + ".linear2", activated)};
    }

    sublayerInput(name, x) { // pre-LN: the norm comes before the sublayer
      return this.options.norm_first ? this.norm(name + ".norm", x) : x;
    }

    residual(name, x, sublayer) { // x and what the sublayer makes of it; post-LN: the norm comes after the sum
      const input = this.sublayerInput(name, x), found = sublayer(input), sum = add(x, found.output);
      return {x, input, ...found, sum, result: this.options.norm_first ? sum : this.norm(name + ".norm", sum)};
    }

    encoder(src, removed = []) {
      if (src.length > this.options.max_len) {
        throw new Error(`src: ${src.length} tokens, but max_len is ${this.options.max_len}; shorten the text`);
      }
      let states = src.map((id, position) => this.embed("src_embed", id, position).x);
      const attention = [], inside = [states];
      for (let layer = 0; layer < this.options.n_layers; layer++) {
        const name = `encoder.layers.${layer}.`, without = headsOf(removed, "encoder", layer);
        const inputs = states.map((x) => this.sublayerInput(name + "residuals.0", x));
        const keys = inputs.map((x) => this.project(name + "attention", x, "k"));
        const values = inputs.map((x) => this.project(name + "attention", x, "v"));
        const rows = states.map((x) => this.residual(name + "residuals.0", x, (input) => {
          const q = this.project(name + "attention", input, "q");
          return this.attend(name + "attention", q, keys, values, without);
        }));
        states = rows.map(({result}) => this.residual(name + "residuals.1", result, (input) =>
          this.feedForward(name + "feed_forward", input)).result);
        attention.push(Array.from({length: this.options.n_heads}, (_, head) =>
          rows.map(({weights}) => weights[head])));
        inside.push(states);
      }
      states = states.map((x) => this.finalNorm("encoder", x));
      const layers = Array.from({length: this.options.n_layers}, (_, layer) => {
        const name = `decoder.layers.${layer}.cross_attention`; // looks up the same at every step
        return {
          keys: states.map((x) => this.project(name, x, "k")),
          values: states.map((x) => this.project(name, x, "v")),
        };
      });
      return {src, states, layers, attention, inside, removed};
    }

    // ---- Decoding (chapter 12) -------------------------------------------------------------------------------

    begin(memory) {
      return {memory, ids: [], caches: memory.layers.map(() => ({keys: [], values: []}))};
    }

    step({memory, ids, caches}, id) { // a KV cache: only the newest token is computed
      const embedding = this.embed("tgt_embed", id, ids.length);
      const layers = [], grown = [];
      let x = embedding.x;
      memory.layers.forEach((source, layer) => {
        const name = `decoder.layers.${layer}.`;
        const attention = this.residual(name + "residuals.0", x, (input) => {
          const [q, k, v] = [..."qkv"].map((which) => this.project(name + "attention", input, which));
          const cache = {keys: [...caches[layer].keys, k], values: [...caches[layer].values, v]};
          grown.push(cache);
          const without = headsOf(memory.removed, "decoder", layer);
          return this.attend(name + "attention", q, cache.keys, cache.values, without);
        });
        const cross = this.residual(name + "residuals.1", attention.result, (input) => {
          const q = this.project(name + "cross_attention", input, "q");
          const without = headsOf(memory.removed, "cross", layer);
          return this.attend(name + "cross_attention", q, source.keys, source.values, without);
        });
        const feedForward = this.residual(name + "residuals.2", cross.result, (input) =>
          this.feedForward(name + "feed_forward", input));
        layers.push({attention, cross, feedForward});
        x = feedForward.result;
      });
      x = this.finalNorm("decoder", x);
      const logits = this.linear("generator.linear", x);
      logits[this.options.tgt_pad_id] = -Infinity; // padding is no answer
      return {
        logits,
        attention: {
          decoder: layers.map(({attention}) => attention.weights),
          cross: layers.map(({cross}) => cross.weights),
        },
        inside: {embedding, layers, x},
        state: {memory, ids: [...ids, id], caches: grown},
      };
    }

    *write(memory, {prefix = [], choose = likeliest, maxLength = this.maxLength(memory.src)} = {}) {
      let state = this.begin(memory), read = this.tgt.bos_id;
      for (let length = 0; length < maxLength; length++) {
        const step = this.step(state, read);
        const written = length < prefix.length ? prefix[length] : choose(step.logits);
        yield {...step, read, written};
        if (written === this.tgt.eos_id) return;
        [state, read] = [step.state, written];
      }
    }

    greedy(memory, maxLength = this.maxLength(memory.src)) { // ids without eos
      const written = Array.from(this.write(memory, {maxLength}), (step) => step.written);
      return written.filter((id) => id !== this.tgt.eos_id);
    }

    beam(memory, {width = 4, alpha = 0.6, maxLength = this.maxLength(memory.src)} = {}) {
      const penalty = (length) => ((5 + length) / 6) ** alpha;
      const tree = {id: this.tgt.bos_id, logProb: 0, parent: null, children: []};
      let beams = [{node: tree, ids: [], state: this.begin(memory)}], finished = [];
      for (let length = 1; length <= maxLength; length++) {
        const candidates = beams.flatMap(({node, ids, state}) => {
          const step = this.step(state, node.id), logProbs = logSoftmax(step.logits);
          return top(logProbs, 2 * width).map((id) => ({
            node: {id, logProb: node.logProb + logProbs[id], parent: node, children: []},
            ids: [...ids, id],
            state: step.state,
            ends: id === this.tgt.eos_id || length === maxLength,
          }));
        }).sort((a, b) => b.node.logProb - a.node.logProb).slice(0, 2 * width);

        const ended = candidates.slice(0, width).filter(({ends}) => ends);
        for (const {node, ids} of ended) {
          node.score = node.logProb / penalty(length);
          node.ids = ids.filter((id) => id !== this.tgt.eos_id);
        }
        finished = [...finished, ...ended.map(({node}) => node)].sort((a, b) => b.score - a.score).slice(0, width);
        beams = candidates.filter(({ends}) => !ends).slice(0, width);
        for (const {node} of [...ended, ...beams]) node.parent.children.push(node);

        const best = beams.length ? beams[0].node.logProb / penalty(maxLength) : -Infinity;
        if (finished.length === width && best <= finished[width - 1].score) break; // none can overtake any more
        if (!beams.length) break;
      }
      return {ranked: finished.map(({score, ids}) => ({score, ids})), tree};
    }
  }

  function headsOf(removed, part, layer) {
    return removed.filter((one) => one.part === part && one.layer === layer).map(({head}) => head);
  }

  const argmax = (values) => values.indexOf(Math.max(...values));

  const meanOf = (heads) => Array.from(heads[0], (_, k) => heads.reduce((sum, weights) => sum + weights[k], 0) / heads.length);

  return Object.assign(Engine, {softmax, top, sample, argmax, meanOf});
};

const Engine = makeEngine();
