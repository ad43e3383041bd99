"use strict";
/* A picture of a beam search: tokens from left to right, the best hypothesis in the first row, forks below.

   BeamTree.draw(parent, found, tokenizer)    found: what engine.beam returns
   BeamTree.place(found, eos_id) → nodes      of the tree, each with its depth, its row, and whether it is best */

const BeamTree = (() => {
  const {makeSvg, widthOf} = Elements;
  const ROW = 26, GAP = 20; // pixels: from row to row, and before a token

  function draw(parent, found, tokenizer) {
    const labelOf = ({id, score, children}) => id === tokenizer.eos_id ? "✓"
      : tokenizer.tokens[id].replace(/^ /, "") + (score !== undefined ? " ✓" : children.length ? "" : " ✕");
    const font = `700 14px ${getComputedStyle(parent).fontFamily}`; // as in the styles, where it is widest
    const roomOf = (node) => 6 + widthOf(labelOf(node), font);
    const nodes = place(found, tokenizer.eos_id), columns = [4]; // x of each depth: as wide as its longest token
    for (const node of nodes) columns[node.depth + 1] = Math.max(columns[node.depth + 1] ?? 0, GAP + roomOf(node));
    for (let depth = 1; depth < columns.length; depth++) columns[depth] += columns[depth - 1];
    const x = (node) => columns[node.depth], y = (node) => ROW * node.row + 18;

    parent.textContent = "";
    const height = ROW * (1 + Math.max(...nodes.map(({row}) => row)));
    const picture = makeSvg("svg", parent, {width: columns.at(-1) - GAP, height, "aria-hidden": "true"});
    for (const node of nodes.slice(1)) { // on from the token before, down, and on to its own
      const before = node.parent, down = node.row === before.row ? "" : `H${x(node) - 14}V${y(node) - 5}`;
      const d = `M${x(before) + roomOf(before)} ${y(before) - 5}${down}H${x(node) - 4}`;
      makeSvg("path", picture, {d, class: node.best ? "best" : ""});
    }
    for (const node of nodes) {
      const kind = node.best ? "best" : node.children.length || node.score !== undefined ? "" : "dropped";
      makeSvg("text", picture, {x: x(node), y: y(node), class: kind}).textContent = labelOf(node);
    }
  }

  function place({ranked, tree}, eos_id) {
    const nodes = [], best = [...ranked[0].ids, eos_id];
    const taken = new Map(); // "row slot" → owner; slot 2 · depth is of a token, 2 · depth + 1 of the lines after it
    const isFree = (row, slot, owner) => [undefined, owner].includes(taken.get(`${row} ${slot}`));
    const first = ({children}) => children.find((child) => child.best) ?? children[0];
    const lengthOf = (node) => node ? 1 + lengthOf(first(node)) : 0; // in its row

    function mark(node, depth, isBest) {
      Object.assign(node, {depth, best: isBest});
      nodes.push(node);
      for (const child of node.children) mark(child, depth + 1, isBest && child.id === best[depth]);
    }

    function placeRow(start, row) { // a token and what follows it, then what forks off, the deepest first
      const chain = [];
      for (let node = start; node; node = first(node)) chain.unshift(node);
      for (let slot = 2 * start.depth; slot <= 2 * chain[0].depth; slot++) taken.set(`${row} ${slot}`, start);
      for (const node of chain) node.row = row;
      for (const node of chain) {
        for (const child of node.children) if (child !== first(node)) placeFork(node, child);
      }
    }

    function placeFork(parent, child) { // in the first row below that has room
      const line = 2 * parent.depth + 1, count = 2 * lengthOf(child) - 1;
      const hasRoom = (row) => isFree(row, line, parent)
        && Array.from({length: count}, (_, i) => line + 1 + i).every((slot) => isFree(row, slot));
      let row = parent.row + 1;
      while (!hasRoom(row)) row++;
      for (let above = parent.row + 1; above <= row; above++) {
        if (isFree(above, line)) taken.set(`${above} ${line}`, parent);
      }
      placeRow(child, row);
    }

    mark(tree, 0, true);
    placeRow(tree, 0);
    return nodes;
  }

  return {draw, place};
})();
