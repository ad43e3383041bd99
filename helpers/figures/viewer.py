"""An attention viewer: one piece of HTML that needs no network. Used by chapter 13."""

import html
import json
from string import Template

from helpers.engine.languages import chosen, words

PAGE = Template("""<div id="$id" class="attention-viewer">
<style>
#$id {max-width: 46em; font-family: sans-serif; font-size: 14px;
  word-break: keep-all; overflow-wrap: anywhere; --ink: #000; --paper: #fff; --bar: $bar}
@supports (color: light-dark(#000, #fff)) { /* where the page around is dark */
  #$id {--ink: light-dark(#000, #fff); --paper: light-dark(#fff, #1f2226); --bar: light-dark($bar, $dark)}
}
#$id fieldset {display: inline-block; min-width: 0; border: 1px solid #888;
  margin: 0 .6em .6em 0; padding: .1em .6em}
#$id label {display: inline-block; margin-right: .6em; cursor: pointer; white-space: nowrap}
#$id .words {display: flex; gap: clamp(.6em, 5vw, 5em)}
#$id .words > div {flex: 1 1 0; min-width: 0; max-width: 15em}
#$id ol {list-style: none; margin: 0; padding: 0}
#$id li {margin: 2px 0}
#$id li > * {font: inherit; display: flex; justify-content: space-between; gap: .6em; width: 100%;
  box-sizing: border-box; padding: .25em .6em; border: 1px solid #888; border-radius: 4px; text-align: left;
  color: var(--ink); background-color: var(--paper)}
#$id li span + span {white-space: nowrap}
#$id button {cursor: pointer}
#$id button[aria-pressed=true] {outline: 3px solid #d55e00; outline-offset: -3px; font-weight: bold}
#$id button:focus-visible, #$id input:focus-visible {outline: 3px solid #0072b2; outline-offset: -1px}
#$id table {border-collapse: collapse}
</style>
$table
</div>
<script>
(() => {
  const root = document.getElementById("$id"), parts = $parts, names = Object.keys(parts), titles = {$titles};
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
    const set = make("fieldset", form);
    make("legend", set).innerHTML = title;
    for (const [value, text] of options) {
      const label = make("label", set), input = make("input", label);
      Object.assign(input, {type: "radio", name: "$id-" + name, checked: at[name] === value});
      input.addEventListener("change", () => {
        at[name] = value;
        if (name === "part") write();
        draw();
      });
      make("span", label).innerHTML = " " + text;
    }
  }

  function column(title) {
    const place = make("div", words);
    make("div", place).innerHTML = title;
    return make("ol", place);
  }

  function write() { // another part has other words
    const {queries, keys} = parts[at.part];
    at.query = Math.min(at.query, queries.length - 1);
    left.textContent = right.textContent = "";
    keys.forEach((word) => {
      const item = make("span", make("li", right));
      make("span", item, word);
      make("span", item);
    });
    const buttons = queries.map((word) => make("button", make("li", left), word));
    buttons.forEach((button, number) => {
      button.type = "button";
      const choose = () => { at.query = number; draw(); };
      for (const event of ["pointerenter", "focus", "click"]) button.addEventListener(event, choose);
    });
  }

  function draw() {
    const {queries, keys} = parts[at.part], weights = row();
    [...left.querySelectorAll("button")].forEach((button, number) => {
      button.setAttribute("aria-pressed", number === at.query);
      button.tabIndex = number === at.query ? 0 : -1; // Tab goes to the chosen word, then on
    });
    [...right.children].forEach(({firstChild: item}, key) => { // a bar as long as the weight
      item.lastChild.textContent = weights[key].toFixed(2);
      const end = (100 * weights[key]).toFixed(1) + "%";
      item.style.backgroundImage = "linear-gradient(90deg, var(--bar) " + end + ", transparent " + end + ")";
    });
    const order = weights.map((weight, key) => [weight, key]).sort((a, b) => b[0] - a[0]).slice(0, 3);
    says.textContent = queries[at.query] + ": "
      + order.map(([weight, key]) => keys[key] + " " + weight.toFixed(2)).join(", ");
  }

  root.querySelector("div").remove(); // the table
  const form = make("form", root), words = make("div", root);
  words.className = "words";
  const left = column('$query'), right = column('$key'), says = make("p", root);
  says.setAttribute("aria-live", "polite");
  make("div", root).innerHTML = '$advice';
  // A key pressed here is not for the notebook, where it could move to another cell or delete this one.
  // Notebook 7 listens at the document, before its children: so this listens at the window, before that.
  window.addEventListener("keydown", (event) => {
    const passed = event.ctrlKey || event.metaKey || event.altKey || ["Escape", "Tab"].includes(event.key);
    if (!root.contains(event.target) || passed || (event.shiftKey && event.key === "Enter")) return;
    event.stopPropagation();
    const buttons = [...left.querySelectorAll("button")], number = buttons.indexOf(event.target);
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (number < 0 || !step) return;
    event.preventDefault();
    buttons[(number + step + buttons.length) % buttons.length].focus();
  }, true);
  const numbers = (list) => list.map((_, number) => [number, String(number)]);
  choice("part", '$part', names.map((name) => [name, titles[name]]));
  choice("layer", '$layer', numbers(parts[at.part].weights));
  choice("head", '$head', [[-1, '$mean'], ...numbers(parts[at.part].weights[0])]);
  write();
  draw();
})();
</script>""")
LABELS = {  # in Korean and English
    "part": ("부분", "part"),
    "layer": ("층", "layer"),
    "head": ("헤드", "head"),
    "mean": ("평균", "mean"),
    "query": ("쿼리", "query"),
    "key": ("키", "key"),
    "advice": (
        "왼쪽 단어를 누르거나 ↑ ↓ 키로 고르세요.",
        "Tap a word on the left, or choose with the ↑ ↓ keys.",
    ),
}
BAR = "#8fc7e8"  # the text on it is black
DARK_BAR = "#1d5f8a"  # and on this one white


def attention_viewer(weights, labels, id="attention-viewer"):
    """A page in which one chooses part, layer, head and word, and sees where the word looks.

    Where scripts are blocked, a table of the last part stands in its place.

    Args:
        weights: {part: (n_layers, n_heads, T_q, T_k)}, as `attention_weights` of one sentence.
        labels: {part: ((title in Korean, in English), T_q words for the queries, T_k words for the keys)}.
        id: of the element; another one for each viewer of a page.

    Returns:
        Text of HTML for `IPython.display.HTML`, with style and script in it.

    Raises:
        ValueError: the labels do not fit the weights.
    """
    parts, lists = {}, {}
    for name, (_, queries, keys) in labels.items():
        shape = tuple(weights[name].shape)
        if len(shape) != 4 or shape[2:] != (len(queries), len(keys)):
            wanted = f"(n_layers, n_heads, {len(queries)}, {len(keys)})"
            raise ValueError(f"weights: {name} is {shape}; the labels ask for {wanted}")
        lists[name] = [
            [[[round(x, 3) for x in row] for row in head] for head in layer]
            for layer in weights[name].tolist()
        ]
        parts[name] = {"queries": queries, "keys": keys}
    titles = ", ".join(f"{json.dumps(name)}: '{label(*title)}'" for name, (title, *_) in labels.items())
    table = static_table(weights[name], *labels[name])
    scripts = {"parts": as_script(parts), "weights": as_script(lists)}
    said = {name: label(*texts) for name, texts in LABELS.items()}
    return PAGE.substitute(id=id, table=table, bar=BAR, dark=DARK_BAR, titles=titles, **scripts, **said)


def label(ko, en):
    """A label as HTML, in the languages that the reader chose.

    Args:
        ko, en: the label in both, without apostrophes.

    Returns:
        A string; where both are chosen, each has its own span.
    """
    if len(chosen()) == 2:
        return f'<span lang="ko">{ko}</span><span class="dot"> · </span><span lang="en">{en}</span>'
    return html.escape(words(ko, en))


def as_script(value):
    """JSON in which no word may be taken for a tag."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def static_table(weights, title, queries, keys):
    """The mean of the heads of the last layer, (n_layers, n_heads, T_q, T_k), as a table without a script."""
    head = "".join(f"<th>{html.escape(key)}</th>" for key in keys)
    rows = [
        f"<tr><th>{html.escape(query)}</th>" + "".join(f"<td>{weight:.2f}</td>" for weight in row) + "</tr>"
        for query, row in zip(queries, weights[-1].mean(dim=0).tolist(), strict=True)
    ]
    last = len(weights) - 1
    what = label(f"{title[0]}, 층 {last}, 헤드 평균", f"{title[1]}, layer {last}, mean of heads")
    return (
        f"<div><p>{label('뷰어를 쓰려면 이 셀을 실행하세요', 'Run this cell to use the viewer')}</p>\n"
        f"<p>{what}</p>\n"
        f"<table><thead><tr><th></th>{head}</tr></thead>\n"
        "<tbody><!-- ≈ “ -->\n" + "\n".join(rows) + "\n<!-- ” --></tbody></table></div>"
    )
