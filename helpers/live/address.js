"use strict";
/* What one looks at, in the address after its #: a reload, the way back and a link that is sent keep it, in a file
   too, and no server is told what follows a #.

   Address.read() → {name: text}              {} where the address has nothing, or null where it names a place
   Address.write(state, isNew)                isNew: the way back leads to what stood there before
   Address.heads(removed), Address.headsIn(text, kinds, n_layers, n_heads)   heads as text, and back */

const Address = (() => {
  function read() {
    const text = location.hash.slice(1);
    return text && !text.includes("=") ? null : Object.fromEntries(new URLSearchParams(text));
  }

  function write(state, isNew = false) {
    const hash = String(new URLSearchParams(Object.entries(state)));
    if (hash === location.hash.slice(1)) return;
    const address = hash ? "#" + hash : location.pathname + location.search;
    try { history[isNew ? "pushState" : "replaceState"](null, "", address); } catch { /* too often, for some browsers */ }
  }

  const heads = (removed) => removed.map(({part, layer, head}) => `${part}.${layer}.${head}`).join(" ");

  function headsIn(text, kinds, n_layers, n_heads) { // what is no head of this model is left out
    const found = [...new Set(text.split(" "))].map((one) => one.split("."));
    return found.filter(([part, layer, head]) => kinds.includes(part) && isBelow(layer, n_layers) && isBelow(head, n_heads))
      .map(([part, layer, head]) => ({part, layer: Number(layer), head: Number(head)}));
  }

  const isBelow = (text, count) => /^\d+$/.test(text) && Number(text) < count;

  return {read, write, heads, headsIn, isBelow};
})();
