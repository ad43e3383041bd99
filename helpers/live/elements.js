"use strict";
/* What the other scripts make a page of.

   make(tag, parent, text, attributes), makeSvg(tag, parent, attributes)   a new element, the last of its parent
   say(parent, ko, en)                      in both languages, of which the page shows one, or both; → parent
   button(parent, onclick, attributes, text)
   redraw(place, draw, focus)               anew, with the keyboard where it was; focus: options of element.focus
   showToken(parent, text)                  ␣ is a space in front
   showChapters(line, numbers)              links to them, where the page around sets window.CHAPTERS: {"04": address, …} */

const Elements = (() => {
  const CHAPTERS = {
    1: ["토큰화", "Tokenization"], 2: ["임베딩", "Embedding"], 3: ["위치 인코딩", "Positional encoding"],
    4: ["어텐션", "Attention"], 5: ["멀티 헤드 어텐션", "Multi-head attention"], 6: ["마스크", "Masking"],
    7: ["정규화, 잔차, 피드포워드", "Norm, residual, feed-forward"], 8: ["인코더", "The encoder"],
    9: ["디코더", "The decoder"], 10: ["트랜스포머", "The Transformer"], 12: ["디코딩", "Decoding"],
    11: ["학습", "Training"], 13: ["모델의 속", "Looking inside"],
  };

  function attach(parent, element, attributes) {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return parent.appendChild(element);
  }

  function make(tag, parent, text = "", attributes = {}) {
    const element = document.createElement(tag);
    element.textContent = text;
    return attach(parent, element, attributes);
  }

  const makeSvg = (tag, parent, attributes) =>
    attach(parent, document.createElementNS("http://www.w3.org/2000/svg", tag), attributes);

  function say(parent, ko, en) {
    make("span", parent, ko, {lang: "ko"});
    make("span", parent, en, {lang: "en"});
    return parent;
  }

  function button(parent, onclick, attributes = {}, text = "") {
    const element = make("button", parent, text, {type: "button", ...attributes});
    element.addEventListener("click", onclick);
    return element;
  }

  function redraw(place, draw, focus) {
    const focused = [...place.querySelectorAll("button")].indexOf(document.activeElement);
    place.textContent = "";
    draw();
    if (focused >= 0) place.querySelectorAll("button")[focused]?.focus(focus);
  }

  const shorn = (text) => text.replace(/^ /, "").replace(/\s/g, "␣") || "␣";

  function showToken(parent, text) {
    const bdi = make("bdi", parent);
    if (/^ ./.test(text)) make("span", bdi, "␣", {class: "space", "aria-hidden": "true"});
    bdi.append(shorn(text));
  }

  function showChapters(line, numbers) {
    for (const number of numbers) {
      const href = window.CHAPTERS?.[String(number).padStart(2, "0")], [ko, en] = CHAPTERS[number];
      if (href) say(make("a", line, "", {href}), `${number}장 ${ko}`, `Chapter ${number}: ${en}`);
    }
  }

  return {make, makeSvg, say, button, redraw, shorn, showToken, showChapters};
})();
