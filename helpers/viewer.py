"""An attention viewer: one piece of HTML that needs no network. Used by chapter 13."""

import json
from string import Template

PAGE = Template("""<div id="$id" class="attention-viewer">
<style>
#$id {max-width: 46em; font-family: sans-serif; font-size: 14px}
#$id fieldset {display: inline-block; border: 1px solid #999; margin: 0 .6em .6em 0; padding: .1em .6em}
#$id label {margin-right: .6em; cursor: pointer}
#$id .words {display: flex; gap: 5em}
#$id ol {list-style: none; margin: 0; padding: 0}
#$id li {margin: 2px 0}
#$id li > * {font: inherit; color: inherit; display: block; box-sizing: border-box; min-width: 9em;
  padding: .25em .6em; border: 1px solid #bbb; border-radius: 4px; background: none; text-align: left}
#$id button[aria-pressed=true] {border: 2px solid #d55e00; font-weight: bold}
#$id button:focus-visible, #$id input:focus-visible {outline: 3px solid #0072b2}
#$id small {color: #777; display: block; margin: .2em 0}
</style>
<form></form>
<div class="words">
<div><small>쿼리 query</small><ol class="queries"></ol></div>
<div><small>키 key</small><ol class="keys"></ol></div>
</div>
<p class="says" aria-live="polite"></p>
<small>단어를 가리키거나 ↑ ↓ 키로 고르세요 · point at a word, or choose with the ↑ ↓ keys</small>
</div>
<script>
(() => {
  const root = document.getElementById("$id"), parts = $parts, names = Object.keys(parts);
  const weights = /* ≈ “ */ $weights /* ” */; // of a trained model: an example, as these marks say
  for (const name of names) parts[name].weights = weights[name];
  const last = names[names.length - 1];
  const at = {part: last, layer: parts[last].weights.length - 1, head: -1, query: 0};
  const make = (tag, parent, text = "") => {
    const element = parent.appendChild(document.createElement(tag));
    element.textContent = text;
    return element;
  };

  function row() { // the weights of the chosen query; head -1 is the mean of all heads
    const heads = parts[at.part].weights[at.layer];
    if (at.head >= 0) return heads[at.head][at.query];
    const mean = (key) => heads.reduce((sum, head) => sum + head[at.query][key], 0) / heads.length;
    return heads[0][at.query].map((_, key) => mean(key));
  }

  function choice(name, title, options) { // options: [value, text]
    const set = make("fieldset", root.querySelector("form"));
    make("legend", set, title);
    for (const [value, text] of options) {
      const label = make("label", set), input = make("input", label);
      Object.assign(input, {type: "radio", name: "$id-" + name, checked: at[name] === value});
      input.addEventListener("change", () => {
        at[name] = value;
        if (name === "part") write();
        draw();
      });
      label.append(" " + text);
    }
  }

  function write() { // another part has other words
    const {queries, keys} = parts[at.part];
    at.query = Math.min(at.query, queries.length - 1);
    for (const [list, words, tag] of [["queries", queries, "button"], ["keys", keys, "span"]]) {
      const place = root.querySelector("." + list);
      place.textContent = "";
      words.forEach((word) => make(tag, make("li", place), word));
    }
    const buttons = [...root.querySelectorAll("button")];
    buttons.forEach((button, number) => {
      button.type = "button";
      const choose = () => { at.query = number; draw(); };
      for (const event of ["pointerenter", "focus", "click"]) button.addEventListener(event, choose);
      button.addEventListener("keydown", (event) => {
        const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        buttons[(number + step + buttons.length) % buttons.length].focus();
      });
    });
  }

  function draw() {
    const {queries, keys} = parts[at.part], weights = row();
    root.querySelectorAll("button").forEach((button, number) => {
      button.setAttribute("aria-pressed", number === at.query);
    });
    root.querySelectorAll(".keys span").forEach((word, key) => {
      word.textContent = keys[key] + "  " + weights[key].toFixed(2);
      word.style.background = "rgba(0, 114, 178, " + weights[key] + ")";
      word.style.color = weights[key] > 0.5 ? "white" : "inherit";
    });
    const order = weights.map((weight, key) => [weight, key]).sort((a, b) => b[0] - a[0]).slice(0, 3);
    root.querySelector(".says").textContent = queries[at.query] + " → "
      + order.map(([weight, key]) => keys[key] + " " + weight.toFixed(2)).join(", ");
  }

  const numbers = (list) => list.map((_, number) => [number, String(number + 1)]);
  choice("part", "부분 part", names.map((name) => [name, parts[name].title]));
  choice("layer", "층 layer", numbers(parts[at.part].weights));
  choice("head", "헤드 head", [[-1, "평균 mean"], ...numbers(parts[at.part].weights[0])]);
  write();
  draw();
})();
</script>""")


def attention_viewer(weights, labels, id="attention-viewer"):
    """A page in which one chooses part, layer, head and word, and sees where the word looks.

    Args:
        weights: {part: (n_layers, n_heads, T_q, T_k)}, as `attention_weights` of one sentence.
        labels: {part: (title, T_q words for the queries, T_k words for the keys)}.
        id: of the element; another one for each viewer of a page.

    Returns:
        Text of HTML for `IPython.display.HTML`, with style and script in it.

    Raises:
        ValueError: the labels do not fit the weights.
    """
    parts, lists = {}, {}
    for name, (title, queries, keys) in labels.items():
        shape = tuple(weights[name].shape)
        if len(shape) != 4 or shape[2:] != (len(queries), len(keys)):
            wanted = f"(n_layers, n_heads, {len(queries)}, {len(keys)})"
            raise ValueError(f"weights: {name} is {shape}; the labels ask for {wanted}")
        lists[name] = [
            [[[round(x, 3) for x in row] for row in head] for head in layer]
            for layer in weights[name].tolist()
        ]
        parts[name] = {"title": title, "queries": queries, "keys": keys}
    return PAGE.substitute(id=id, parts=as_script(parts), weights=as_script(lists))


def as_script(value):
    """JSON in which no word may be taken for a tag."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
