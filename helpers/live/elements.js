"use strict";
/* What the other scripts make a page of.

   make(tag, parent, text, attributes), makeSvg(tag, parent, attributes)   a new element, the last of its parent
   say(parent, ko, en)                      in both languages, of which the page shows one, or both; → parent
   button(parent, onclick, attributes, text)
   redraw(place, draw, focus)               anew, with the keyboard where it was; focus: options of element.focus
   get(id), chosen(name)                    of translator.html: the element live-…, and which radio button is checked
   percent(p)                               a probability as a text
   brief(meaning)                           without what stands in parentheses after it
   widthOf(text, font)                      of a text, in pixels
   shorn(text)                              a token without the space in front
   namesOf(tokenizer, ids) → [{token, word}]     what each is called, and the word of which it is a part
   showToken(parent, text)                  ␣ is a space in front
   showWords(place, text, other, tag)       the text, in which words that the other one lacks are marked
   showChapters(line, numbers)              links, where the page around sets window.CHAPTERS: {4: {file, ko, en}, …} */

const Elements = (() => {
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

  const get = (id) => document.getElementById("live-" + id);
  const chosen = (name) => document.querySelector(`.live [name=live-${name}]:checked`).value;

  const percent = (p) => (p >= 0.9995 ? "100" : p < 0.0001 ? "<\u00a00.01" : (100 * p).toFixed(p < 0.001 ? 2 : 1)) + "%";

  const brief = (meaning = "") => meaning.replace(/ \(.*/, "");

  const shorn = (text) => text.replace(/^ /, "").replace(/\s/g, "␣") || "␣";

  function namesOf(tokenizer, ids) {
    const words = []; // the ids of each
    for (const id of ids) {
      if (tokenizer.tokens[id].startsWith(" ") || !words.length) words.push([]);
      words.at(-1).push(id);
    }
    return words.flatMap((parts) => {
      const word = tokenizer.decode(parts);
      return parts.map((id) => ({token: shorn(tokenizer.tokens[id]).replace(/^<(0x..)>$/, "$1"), word})); // 0xEC: a byte
    });
  }

  function showToken(parent, text) {
    const bdi = make("bdi", parent);
    if (/^ ./.test(text)) make("span", bdi, "␣", {class: "space", "aria-hidden": "true"});
    bdi.append(shorn(text));
  }

  const ruler = document.createElement("canvas").getContext("2d");

  function widthOf(text, font) { // in pixels, without a layout of the page; font: its weight, size and family
    ruler.font = font;
    return ruler.measureText(text).width;
  }

  function showWords(place, text, other, tag = "mark") { // those that the other text lacks are marked
    const others = new Set(other.split(" "));
    place.textContent = "";
    for (const word of text.split(" ")) {
      make(others.has(word) ? "bdi" : tag, place, word);
      place.append(" ");
    }
  }

  function showChapters(line, numbers) {
    for (const number of window.CHAPTERS ? numbers : []) {
      const {file, ko, en} = window.CHAPTERS[number];
      say(make("a", line, "", {href: file}), ko, en);
    }
  }

  return {make, makeSvg, say, button, redraw, get, chosen, percent, brief, shorn, namesOf, showToken, widthOf, showWords, showChapters};
})();
