"use strict";
/* Numbers on a page: vectors as bars, tables, sums by hand. Texts are given in both languages, as [ko, en].

   tell(parent, ko, en)                        sentences
   fold(parent, view, name, ko, en)            what is folded; view.open: a set of the names that are open
   total(values), dot(x, y), largestOf(vectors), upTo(length)    as in NumPy: sum, dot, abs().max(), arange
   number(value), inSum(value, i), share(p)    as texts: with three decimals, in a sum, of a softmax
   drawVector(place, name, [symbol, ko, en], values, {largest, from, bands})    its bars, and `WRITTEN` of its numbers
   drawTogether(place, …[name, label, values, options])    vectors with one scale
   drawTable(place, name, heads, rows)         a cell is a text, or a function that draws into it, such as of
   both(ko, en), bar(value, largest), signedBar(value, largest), bars(values, largest), token(text, meaning)
   drawProducts(place, view, name, [ko, en], heads, x, y, bias)    x · y + bias by hand, folded
   drawSoftmax(place, scores, i)               number i of it by hand */

const Numbers = (() => {
  const {make, makeSvg, say, button, showToken} = Elements;
  const WRITTEN = 4; // how many numbers of a vector are written out
  const MOST = 64; // products that are all shown at once
  const FEW = 8; // terms of a sum that are written out

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

  const total = (values) => values.reduce((sum, value) => sum + value, 0);
  const dot = (x, y) => total(Array.from(x, (value, i) => value * y[i]));
  const largestOf = (vectors) => Math.max(1e-9, ...vectors.map((values) => Math.max(...values.map(Math.abs))));
  const upTo = (length) => Array.from({length}, (_, i) => i);

  function number(value) { // with three decimals
    const text = Math.abs(value).toFixed(3);
    return value < 0 && Number(text) ? "−" + text : text;
  }

  const inSum = (value, i) => value < 0 && i ? `(${number(value)})` : number(value);

  const share = (p) => p > 0 && p < 0.0005 ? "< 0.001" : number(p); // of a softmax, in which nothing is 0

  function drawBars(parent, values, largest, {from = null, bands = 1} = {}) { // a bar a number, up for + and down for −
    const length = values.length, viewBox = `0 -1.05 ${length} 2.1`;
    const picture = makeSvg("svg", parent, {viewBox, preserveAspectRatio: "none", "aria-hidden": "true"});
    if (from !== null) makeSvg("path", picture, {d: `M${from}-1.05h${WRITTEN}v2.1h-${WRITTEN}z`, class: "written"});
    for (const [kind, sign] of [["plus", 1], ["minus", -1]]) {
      const bars = Array.from(values, (value, i) =>
        value * sign > 0 ? `M${i + 0.1} 0h.8v${(-value / largest).toFixed(3)}h-.8z` : "");
      makeSvg("path", picture, {d: bars.join(""), class: kind});
    }
    if (bands === 1) return;
    const ends = upTo(bands).slice(1).map((band) => `M${band * length / bands}-1.05v2.1`);
    makeSvg("path", picture, {d: ends.join(""), class: "bands"});
  }

  function drawVector(place, name, [symbol, ko, en], values, {largest = largestOf([values]), from = 0, bands = 1} = {}) {
    const row = make("div", place, "", {class: "vector", "data-name": name});
    const label = make("div", row, "", {class: "label"});
    make("b", label, symbol + " ");
    say(label, ko, en);
    const length = values.length, few = length <= WRITTEN, small = make("small", label, " (");
    if (few) small.append(String(length));
    else if (bands === 1) say(small, `${length}개 중 처음 ${WRITTEN}개`, `the first ${WRITTEN} of ${length}`);
    else say(small, `${length}개 중 이 헤드의 처음 ${WRITTEN}개`, `of ${length}, the first ${WRITTEN} of this head`);
    small.append(")");
    drawBars(row, values, largest, {from: few ? null : from, bands});
    const line = make("div", row, "", {class: "numbers"});
    for (const value of values.slice(from, from + WRITTEN)) make("span", line, number(value));
    if (!few) make("span", line, "…");
  }

  function drawTogether(place, ...rows) { // each [name, label, values, options], with one scale
    const largest = largestOf(rows.map(([, , values]) => values));
    for (const [name, label, values, options] of rows) drawVector(place, name, label, values, {largest, ...options});
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
  const bar = (value, largest = 1) => (cell) => { // from the left
    cell.className = "bar";
    make("i", cell).style.width = 100 * value / largest + "%";
  };
  const signedBar = (value, largest) => (cell) => { // from the middle, − to the left
    cell.className = "bar signed";
    const length = 50 * Math.abs(value) / largest, one = make("i", cell, "", {class: value < 0 ? "minus" : "plus"});
    Object.assign(one.style, {width: length + "%", marginLeft: (value < 0 ? 50 - length : 50) + "%"});
  };
  const bars = (values, largest) => (cell) => drawBars(cell, values, largest);
  const token = (text, meaning) => (cell) => {
    showToken(cell, text);
    if (meaning) make("small", cell, " " + meaning, {lang: "en"});
  };

  function drawProducts(place, view, name, [ko, en], heads, x, y, bias = null) { // x · y + bias by hand, folded
    let sum = 0;
    const rows = Array.from(x, (one, i) => {
      sum += one * y[i];
      return [String(i), number(one), number(y[i]), number(one * y[i]), number(sum)];
    });
    if (bias !== null) rows.push([both("편향", "bias"), "", "", number(bias), number(sum + bias)]);
    const inside = fold(place, view, name, ko, en), left = x.length - 2 * WRITTEN;
    const draw = (rows) => drawTable(inside, name, ["", ...heads, both("곱", "product"), both("여기까지 합", "sum so far")], rows);
    if (x.length <= MOST) return draw(rows);
    const table = draw([...rows.slice(0, WRITTEN), ["…", "", "", "", ""], ...rows.slice(WRITTEN + left)]);
    const more = say(button(inside, () => { for (const one of [table, more]) one.remove(); draw(rows); }), `나머지 ${left}개도 펼치기`, `Show the other ${left}`);
  }

  function drawSoftmax(place, scores, i) { // one of them by hand
    const powers = Array.from(scores, Math.exp), large = (power) => power >= 1e4 ? power.toFixed(0) : power.toPrecision(5); // more digits than the quotient has
    const terms = () => powers.map((power) => power < 1000 ? number(power) : large(power)).join(" + ");
    const sum = powers.length > FEW ? "" : `(${terms()}) ≈ ${large(powers[i])} ÷ `;
    make("p", place, `exp(${number(scores[i])}) ÷ Σ exp ≈ ${large(powers[i])} ÷ ${sum}${large(total(powers))} = ${share(powers[i] / total(powers))}`,
      {class: "equation", "data-name": "softmax"});
  }

  return {
    WRITTEN, tell, fold, total, dot, largestOf, upTo, number, inSum, share, drawVector,
    drawTogether, drawTable, both, bar, signedBar, bars, token, drawProducts, drawSoftmax,
  };
})();
