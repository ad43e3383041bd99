"use strict";
(() => {
  const root = document.documentElement, one = (selector) => document.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* nothing is kept here */ } };
  const kept = (key) => { try { return localStorage.getItem(key) ?? ""; } catch { return ""; } };
  const two = (ko, en) => `<span lang="ko">${ko}</span><span class="dot"> · </span><span lang="en">${en}</span>`; // the page shows one, or both
  const both = (ko, en) => ({ko, en, both: ko === en ? ko : `${ko} · ${en}`})[root.dataset.lang];

  // ---- Language -------------------------------------------------------------------------------------------
  const choices = all(".languages button");

  function speak(language) {
    root.dataset.lang = language;
    root.lang = language === "en" ? "en" : "ko";
    for (const button of choices) button.setAttribute("aria-pressed", button.dataset.lang === language);
    for (const element of all("[data-says]"))
      element.setAttribute(element.dataset.says, both(element.dataset.ko, element.dataset.en));
    document.title = both(root.dataset.titleKo, root.dataset.titleEn);
    look();
    reach();
  }

  // What stands at the top of the window stays there, though much above it comes or goes. Where a paragraph in
  // the other language takes its place, one goes on as far into it as one was.
  function stayWhile(change) {
    const edge = one("header").offsetHeight + 4;
    const blocks = all(":is(main, section, details) > :not(section, details[open])", one("main"));
    const here = blocks.find((block) => block.offsetHeight && block.getBoundingClientRect().bottom > edge);
    const far = (block) => (edge - block.getBoundingClientRect().top) / block.offsetHeight;
    const share = here && Math.max(0, far(here)), below = here && here.getBoundingClientRect().top - edge;
    change();
    if (!here) return;
    const near = [here, here.nextElementSibling, here.previousElementSibling];
    const now = near.find((block) => block && block.offsetHeight) || here;
    const top = now.getBoundingClientRect().top - edge;
    scrollBy({top: below > 0 ? top - below : top + share * now.offsetHeight, behavior: "instant"});
  }

  function tell(key, value) { // in the address, too
    const address = new URL(location.href);
    address.searchParams.set(key, value);
    try { history.replaceState(history.state, "", address); } catch { /* some browsers refuse it on file: */ }
  }

  for (const button of choices) button.addEventListener("click", () => {
    stayWhile(() => speak(button.dataset.lang));
    keep("lang", button.dataset.lang);
    tell("lang", button.dataset.lang);
  });
  addEventListener("storage", ({key, newValue}) => { if (key === "lang" && newValue) speak(newValue); });
  if (location.protocol === "file:") document.addEventListener("click", ({target}) => {
    const link = target.closest("a[href]"); // a browser may keep a storage for each file, so the address tells
    if (!link || !/\.html$/.test(link.pathname) || link.pathname === location.pathname) return;
    const asked = new URLSearchParams(link.search);
    for (const key of ["lang", "theme"]) asked.set(key, root.dataset[key]);
    link.search = asked;
  }, true);

  // ---- Light and dark -------------------------------------------------------------------------------------
  one("#theme").addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    keep("theme", root.dataset.theme);
    if (new URLSearchParams(location.search).has("theme")) tell("theme", root.dataset.theme);
  });

  // ---- Contents -------------------------------------------------------------------------------------------
  const menu = one("#menu"), contents = one("#contents");
  function open(wanted) {
    document.body.classList.toggle("open", wanted);
    menu.setAttribute("aria-expanded", wanted);
  }
  menu.addEventListener("click", () => open(!document.body.classList.contains("open")));
  one("main").addEventListener("click", () => open(false));
  contents.addEventListener("click", ({target}) => { if (target.closest("a")) open(false); });
  const current = one("#contents [aria-current]");
  if (current) contents.scrollTop = current.offsetTop - 120;
  const places = all('#contents a[href^="#"]'); // of the sections of this page
  const headings = places.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const here = one("#here"); // on a phone, where the contents are out of sight
  function mark() { // the section that is read
    const read = headings.findLastIndex((heading) => heading.getBoundingClientRect().top < innerHeight / 3);
    places.forEach((link, i) => { if (i === read) link.setAttribute("aria-current", "location"); else link.removeAttribute("aria-current"); });
    if (here.dataset.read === String(read)) return;
    here.dataset.read = read;
    here.innerHTML = read < 0 ? "" : `${places[read].innerHTML} <small>${read + 1}/${places.length}</small>`;
  }
  here.addEventListener("click", () => open(true));
  if (places.length) addEventListener("scroll", mark, {passive: true});

  // ---- Code: copied, and what is wider than the page is reached by the keyboard -----------------------------
  for (const block of all(".code")) {
    const button = document.createElement("button"), code = block.querySelector("code");
    button.type = "button";
    const name = (ko, en) => { button.innerHTML = two(ko, en); };
    name("복사", "Copy");
    button.addEventListener("click", async () => {
      let isCopied = true;
      getSelection().selectAllChildren(code);
      try { await navigator.clipboard.writeText(code.textContent); } // not where the page is a file
      catch { isCopied = document.execCommand("copy"); }
      if (isCopied) name("복사됨", "Copied"); else name("선택됨", "Selected");
      setTimeout(name, 2000, "복사", "Copy");
    });
    block.append(button);
  }

  const SMALL = .65; // of its width: here a figure has labels that are better read larger

  const LEAST = {MATH: .7, TABLE: .8}; // of their letters: as small as they may become so that nothing is cut

  function fit(wide) {
    const inside = wide.firstElementChild, least = LEAST[inside?.tagName.toUpperCase()];
    if (!least) return;
    inside.style.fontSize = "";
    const share = wide.clientWidth / wide.scrollWidth;
    if (share < 1) inside.style.fontSize = `calc(${Math.max(share - .01, least)} * ${getComputedStyle(inside).fontSize})`;
    if (wide.scrollWidth > wide.clientWidth + 1) inside.style.fontSize = ""; // it is panned, so it need not be small
  }

  function reach() {
    for (const wide of all(":is(pre, .wide, figure):not(.live *)")) { // the translator's are always reached
      fit(wide);
      const isCut = wide.scrollWidth > wide.clientWidth + 1;
      wide.classList.toggle("cut", isCut);
      if (isCut) wide.tabIndex = 0; else wide.removeAttribute("tabindex");
      const image = [...wide.querySelectorAll("figure img")].find(({clientWidth}) => clientWidth);
      wide.classList.toggle("small", !isCut && Boolean(image) && image.clientWidth < SMALL * image.getAttribute("width"));
    }
  }
  addEventListener("resize", reach);
  document.fonts.addEventListener("loadingdone", reach); // formulas in their own font are wider
  addEventListener("toggle", reach, true);

  // ---- From a file, a browser shows a notebook instead of storing it: say where it lies ---------------------
  if (location.protocol === "file:") for (const link of all("a[download]:not(.where a)"))
    link.insertAdjacentHTML("afterend", ` <small class="place">${two("이 폴더의", "in this folder:")} ${link.getAttribute("href")}</small>`);

  // ---- Figures: a tap shows one whole, if it was not, and the next larger than the window ---------------------
  const larger = one("#larger");
  document.addEventListener("click", (event) => {
    const link = event.target.closest("figure a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const image = event.target.matches("img") ? event.target : [...link.querySelectorAll("img")].find(({clientWidth}) => clientWidth);
    const shown = larger.appendChild(document.createElement("img"));
    Object.assign(shown, {src: image.src, alt: image.alt});
    larger.showModal();
    try { history.pushState("larger", ""); } catch { /* some browsers refuse it on file: */ } // the way back closes it
    shown.dataset.width = Math.max(1.5 * innerWidth, 1.2 * image.offsetWidth);
    const isWide = image.naturalWidth > image.naturalHeight, onItsSide = Math.min(innerHeight, innerWidth * image.naturalWidth / image.naturalHeight);
    const isLarger = isWide && onItsSide > 1.25 * image.offsetWidth;
    if (link.closest(".cut") || isLarger) shown.classList.add("whole", ...isWide ? ["wide"] : []);
    else enlarge(shown, image, event);
  });
  function enlarge(shown, image, {clientX, clientY}) { // what was tapped is in view, and the beginning if both fit
    const box = image.getBoundingClientRect(), {width} = shown.dataset;
    const share = (at, from, all) => at ? (at - from) / all : 0; // none: by the keyboard
    const [x, y] = [share(clientX, box.left, box.width), share(clientY, box.top, box.height)];
    shown.classList.remove("whole", "wide");
    shown.style.width = `${width}px`;
    const start = (at, all, seen) => at * all < 0.8 * seen ? 0 : at * all - seen / 2;
    larger.scrollTo(start(x, width, innerWidth), start(y, shown.offsetHeight, innerHeight));
  }
  larger.addEventListener("click", (event) => {
    const image = event.target, isOnItsSide = image.matches(".wide") && innerHeight >= innerWidth; // it is as large as it gets
    if (image.matches(".whole") && !isOnItsSide) enlarge(image, image, event); else larger.close();
  });
  larger.addEventListener("close", () => {
    larger.querySelector("img").remove();
    if (history.state === "larger") history.back();
  });
  addEventListener("popstate", () => larger.close());

  // ---- Predictions ------------------------------------------------------------------------------------------
  const number = (text) => { // 0.5, 1/2, 50%, √64, 2 · π · 3, 2e4, 약 2만
    const plain = text.replace("−", "-").replace(/\s|^약|^about|[~≈]/g, "").replace(/루트/g, "√").replace(/(?:(?:math|torch)\.)?(cos|sin|exp)\((-?[\d.]+)\)/gi, (_, name, one) => Math[name.toLowerCase()](Number(one)).toFixed(6)).replace(/^([\d.]+)만/, (_, one) => one * 10000).replace(/[·×]/g, "*").replace(/(\d)(?=pi|π)/gi, "$1*").replace(/pi|π/gi, Math.PI)
      .replace(/([\d.]+)(?:\^|\*\*)\(?([\d.]+)(?:\/([\d.]+))?\)?/g, (_, base, power, root = 1) => base ** (power / root)).replace(/(?:√|sqrt)\(?([\d.]+)\)?/gi, (_, one) => Math.sqrt(one));
    const [, product, divisor = 1, percent] = plain.match(/^([-+]?[\d.]+(?:e\d+)?(?:\*[\d.]+)*)(?:\/([\d.]+))?(%?)$/i) ?? [];
    return product ? product.split("*").reduce((value, one) => value * one, 1) / divisor / (percent ? 100 : 1) : NaN;
  };

  function isNear(part, wanted, {near, least = 1e-9, isByHand}) {
    if (typeof wanted !== "number") return part.toLowerCase() === String(wanted).trim().toLowerCase();
    const isClose = (guess) => Math.abs(guess - wanted) <= Math.max(near * Math.abs(wanted), least);
    return isClose(number(part)) || !isByHand && wanted < 1 && number(part) > 1 && isClose(number(part) / 100); // 94: a percentage
  }

  const grouping = (text) => text.replaceAll("tensor", "").replace(/([^\s[\](),])\s+(?=[^\s[\](),])/g, "$1,").replace(/\s/g, "").replace(/\(/g, "[").replace(/\)/g, "]").replace(/[^[\],]+/g, ".").replaceAll(",", ""); // [[1, 2], [0]] is [[..][.]]

  function core(groups) { // without brackets that tell nothing: [[[..]]] is [..]
    let before;
    do [before, groups] = [groups, groups.replace(/\[(\[(?:[^[\]]|\[(?:[^[\]]|\[[^[\]]*\])*\])*\])\]/g, "$1")]; while (groups !== before);
    return groups;
  }

  function partsOf(entered, {wanted, isNumber, choices}) { // 1, 8, 36; 1 GiB; [[1 0] [1 1]]; FFT; l·o; I 나는, went 갔다
    let text = entered.replace(/tensor|[[\]()"'“”]/g, "");
    const upTo = (all, from, to) => to > from ? Array.from({length: to - from + 1}, (_, i) => Number(from) + i).join() : all;
    if (isNumber) text = text.replace(/참/g, "T").replace(/거짓/g, "F");
    if (isNumber && wanted.length > 1) text = text.replace(/(?<![\d.])(\d{1,2})[-–~](\d{1,2})(?![\d.])/g, upTo); // 4-7: 4, 5, 6, 7
    if (isNumber && /^[tf\s,]+$/i.test(text)) text = text.replace(/t/gi, "1,").replace(/f/gi, "0,").replace(/,[\s,]+/g, ","); // of a mask
    else if (isNumber && /^[01\s,]+$/.test(text) && text.match(/\d/g)?.length === wanted.length) text = text.match(/\d/g).join(); // 110 111
    else if (isNumber && wanted.length === 1) text = text.replace(/(\d),(?=\d{3}(?!\d))/g, "$1"); // 19,869
    const cut = (by) => text.split(by).map((part) => part.trim()).filter(Boolean), finely = cut(/[\s,:=→-]+/);
    const parts = cut(wanted.length > 1 && !choices.length && !text.includes(",") ? /\s+/ : ",");
    if (choices.length) return parts;
    if (isNumber) return parts.map((part) =>
      part.replace(/^true$/i, "1").replace(/^false$/i, "0").replace(/(\d) *(만)? *([a-z]{2,}|[가-힣]*)$/i, "$1$2"));
    return (finely.length === wanted.length ? finely : parts).map((part) => part.replaceAll("·", ""));
  }

  const EXAMPLES = ["0.5, 1/2, 50%", "0.5, 1/2 or 50%"], AGAIN = ["힌트를 열어 보거나 다시 해 보세요. 두 번째에는 답이 나옵니다.",
    "Open a hint or try again; after the second try, you’ll see the answer."];

  function formOf(parts, entered, {wanted, isNumber, choices, isByHand, isRagged}) { // what to enter instead of what is no answer; or nothing
    const many = wanted.length, isExact = wanted.every(Number.isInteger), isEmpty = !parts.length && !/[[(]/.test(entered);
    if (isEmpty) return ["먼저 답을 적으세요.", "Enter an answer first."];
    if (choices.length && (parts.length !== many || parts.some((part) => !choices.includes(part.toLowerCase()))))
      return [`이 가운데에서 ${many}개를 차례로 고르세요: ${choices.join(", ")}.`, `Choose ${many} of these, in order: ${choices.join(", ")}.`];
    if (isRagged && parts.length && !/[[(]/.test(entered)) return ["리스트마다 괄호를 쓰세요, [[4], [5, 6]]처럼.", "Write the brackets of each list, as in [[4], [5, 6]]."];
    if (!isByHand && many > 1 && parts.length !== many) // how many there are is part of what is asked
      return ["개수가 다릅니다. 쉼표로 나누어 모두 적으세요.", "That’s not how many there are. Write them all, with commas between them."];
    if (!isNumber || parts.length === many && !parts.some((part) => Number.isNaN(number(part)))) return null;
    return many === 1 ? [`숫자 1개를 적으세요.${isExact ? "" : ` ${EXAMPLES[0]}처럼 적을 수 있습니다.`}`, `Enter a number${isExact ? "" : `, such as ${EXAMPLES[1]}`}.`]
      : [`쉼표로 나누어 숫자 ${many}개를 적으세요.${isExact ? "" : ` ${EXAMPLES[0]}처럼 적을 수 있습니다.`}`,
        `Enter ${many} numbers, with commas between them.${isExact ? "" : ` Each may be written as ${EXAMPLES[1]}.`}`];
  }

  function judge(entered, asked) { // {isRight, said: what is to be said of a wrong answer}, or {form: what to enter instead}
    const {wanted, isNumber, isByHand, isRagged, groups, slips} = asked, parts = partsOf(entered, asked);
    const isLike = (all) => parts.length === all.length && all.every((each, i) => isNear(parts[i], each, asked));
    const isFlat = !/\[.*\[|\(.*\(/.test(entered), isIn = (as, given) => [as, as.slice(1, -1)].includes(given); // no brackets inside brackets
    const isGrouped = (as) => isRagged ? isIn(as, grouping(entered)) : !isByHand || isFlat || isIn(core(as), core(grouping(entered)));
    const isRight = isLike(wanted) && isGrouped(groups), slip = !isRight && slips.find((one) => isLike(one.parts) && isGrouped(one.groups));
    const form = formOf(parts, entered, asked), sorted = (all) => all.map((each) => isNumber ? number(String(each)) : String(each).toLowerCase()).sort().join();
    if (slip) return {isRight, said: slip.said};
    if (form) return {form};
    if (isLike(wanted)) return {isRight, said: ["값은 맞지만 다르게 묶였습니다.", "The values are right, but they are grouped differently."]};
    if (isByHand && sorted(parts) === sorted(wanted)) return {isRight, said: ["값은 맞는데 순서가 다릅니다.", "These are the right values, in another order."]};
    const many = wanted.length, count = parts.filter((part, i) => parts.length === many && isNear(part, wanted[i], asked)).length;
    return {isRight, said: count ? [`${many}개 가운데 ${count}개가 맞습니다.`, `You have ${count} of ${many} right.`] : null};
  }

  function askedIn(form) {
    const bytes = Uint8Array.from(atob(form.dataset.asked), (letter) => letter.charCodeAt(0)), asked = JSON.parse(new TextDecoder().decode(bytes));
    const wanted = [asked.answer].flat();
    return {slips: [], near: 0, ...asked, wanted, isNumber: wanted.every((each) => typeof each === "number"), isByHand: form.matches(".by-hand")};
  }

  const nameOf = (i) => `${location.pathname.replace(/.*\//, "")} ${i}`; // of what was guessed, for the next visit
  all("form.guess").forEach((form, i) => form.addEventListener("submit", (event) => {
    event.preventDefault();
    const {value: entered} = form.querySelector("input"), status = form.querySelector("[role=status]"), asked = askedIn(form);
    const {noted, right, wrong, why, shown} = asked;
    keep(nameOf(i), entered);
    if (noted) { // what one looks for is neither right nor wrong
      status.innerHTML = entered.trim() ? two(...noted.map(safe)) : two("먼저 예상한 것을 적으세요.", "Enter what you expect first.");
      return;
    }
    const {isRight, said, form: instead} = judge(entered, asked);
    const then = (n) => form.dataset.tried ? `${["답", "Answer"][n]}: ${shown}. ${why[n]}` : AGAIN[n];
    const texts = instead ?? [0, 1].map((n) => isRight ? `${right[n]} ${why[n]}` : [wrong[n], said?.[n], then(n)].filter(Boolean).join(" "));
    if (isRight === false) form.dataset.tried = true;
    status.innerHTML = two(...texts.map(safe));
    status.dataset.right = isRight ?? "";
  }));
  for (const button of all("form.guess button[type=button]")) button.addEventListener("click", () => { // a choice is written by a tap
    const field = button.form.querySelector("input");
    field.value = [...field.value.split(",").map((part) => part.trim()).filter(Boolean), button.textContent].join(", ");
  });

  // ---- Search -----------------------------------------------------------------------------------------------
  // By parts of words, so that 어텐션 finds 어텐션을. A word that is nowhere loses its ending, or else is taken for
  // one that differs by a letter.
  const query = one("#query"), found = one("#found");
  const fold = (text) => text.normalize("NFC").toLowerCase().replaceAll("’", "'");
  const spelled = (text) => text + "\n" + [...new Set(text.match(/[a-z]{3,}-[a-z]+/g))].join("\n").replaceAll("-", ""); // warm-up: warmup, too
  const safe = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const pages = {}; // name → its titles
  let sections = null, terms = null, vocabulary = null, typedAs = null; // word → how often it is there; keys → word

  function load() { // by a script, so that it works from a file
    if (one("script[src='search.js']")) return;
    const script = document.createElement("script");
    script.src = "search.js";
    script.addEventListener("load", () => {
      sections = window.SEARCH.map(({deep, ko_point, en_point, ...section}, i) => ({...section, deep, point: {ko: ko_point, en: en_point, both: ko_point}, head: fold(`${section.ko_title} ${section.ko_title.replace(/\s/g, "")} ${section.en_title}`),
        text: spelled(fold(Object.values(section).join("\n"))), packed: fold(section.ko_title + section.ko).replace(/\s/g, ""), first: window.SEARCH[i - 1]?.page !== section.page,
        exercise: /^연습 \d/.test(section.ko_title), defined: fold((section.ko.match(/[가-힣]+\([a-z][a-z -]+\)/gi) ?? []).join())})); // 쿼리(query)
      terms = window.TERMS.map(([number, phrase, isNear]) => ({section: sections[number], isNear, ...bare(fold(phrase).split(/\s+/))}));
      for (const section of sections) { // 1장. 토큰화 → 1장 토큰화
        pages[section.page] ??= ["ko_title", "en_title"].map((key) => section[key].replace(/^(\d+장|Chapter \d+)\./, "$1").replace(/`/g, ""));
      }
      look();
    });
    document.head.append(script);
  }

  const beginnings = {}; // short word → pattern
  const begins = (word) => beginnings[word] ??= new RegExp(`(?<![a-z])${word}`);
  const isIn = ({text, packed}, word) => // 빔 서치 is often written 빔서치; rag is no part of average
    /^[a-z]{1,4}$/.test(word) ? begins(word).test(text)
      : text.includes(word) || /[가-힣]{3}/.test(word) && packed.includes(word);
  const isThere = (word) => sections.some((section) => isIn(section, word));
  const isTold = (word) => sections.some(({ko, en}) => fold(ko + en).includes(word)); // and not only in code

  const OFTEN = 10; // times
  const COMMON = new Set("a an and are at be by can do does for from has have function how i in is it its know of on or the this to we different differ what when where which why with you vs versus difference between what's 차이 왜 얼마나 알아야 차이가 차이는 차이점 차이점이 뭐예요 뭐에요 뭔데 뭐지 뭡니까 무엇인지 함수 쓰나 쓰나요 하나요 되나요 어떻게 무엇 해 해요 함 하지 뭐 뭐야 뭔가요 무엇인가요 그 수 것 이유 이유가".split(" "));

  const SAYS = { // other words for what the course names
    라벨: "레이블", 파라미터: "매개변수", 바이어스: "편향", 그리디: "탐욕", 에포크: "에폭", 질의: "쿼리", 드랍아웃: "드롭아웃", 루트: "√", 제곱근: "√", sqrt: "√", "-inf": "∞", 무한대: "∞", infinity: "∞", 포지셔널: "위치", 마스킹: "마스크", 레이어놈: "레이어 정규화", 챗gpt: "chatgpt", 챗지피티: "chatgpt", 쳇gpt: "chatgpt", 라마: "llama", 로라: "lora", 로프: "rope", 마스크드: "마스크", 아담: "adam", 코랩: "colab",
    역전파: "그래디언트", backpropagation: "gradient", backprop: "gradient", 파인튜닝: "lora", finetuning: "lora", 챗봇: "채팅", chatbot: "chat", ffn: "feed-forward", 티처포싱: "교사 강요", 레이어노름: "레이어 정규화", 서브레이어: "서브층", 값: "밸류", 버트: "bert", 벨류: "밸류", "top-k": "top_k", 기울기: "그래디언트", 파라메터: "매개변수", 핸드폰: "휴대폰", 모바일: "휴대폰",
  };
  const PHRASES = [[/\bq,? k,? v\b/g, "query key value"], [/(?:sqrt|루트) ?\(?d_?k\)?/g, "√d_k"], [/multihead(?!attention)/g, "multi-head"], [/layernorm/g, "layer norm"], [/square roots?( of)?/g, "√"], [/원 ?핫/g, "원-핫"], [/what (?:does|do) (.+) mean/g, "$1"], [/how (?:does|do) (.+) work/g, "$1"], [/(\S+?)[은는이가] 어떻게 (?:동작|작동)\S*/g, "$1"], [/supervised fine[- ]tun\w+|지도 ?미세 ?조정/g, "sft"], [/fine[- ]tun\w+|미세 ?조정|파인 튜닝/g, "파인튜닝"], [/크로스 ?엔트로피/g, "교차 엔트로피"],
    [/티처 포싱/g, "티처포싱"], [/스킵 ?커넥션/g, "잔차 연결"]];

  const PARTICLES = "은|는|이|가|을|를|의|에|에서|에게|로|으로|와|과|랑|이랑|이란|란";
  const AFTER_LATIN = new RegExp(`(?<=[a-z0-9])(?:${PARTICLES})$`); // softmax가: softmax
  const BASE = /(?<=[a-z]{4})([a-z])\1(ing|ed)$|(?<=[a-z]{4})(ing|ed)$|(?<=[a-z]{3})s$/; // overfitting: overfits, too
  const SUBJECT = /(?<=[가-힣]{2})[은는이가을를]$/;
  const PARTICLE = new RegExp(`(?<=[가-힣]{3})(${PARTICLES})$`); // 트랜스포머가: 트랜스포머는, too
  const ENDING = new RegExp(`(?<=[가-힣]{2})(${PARTICLES}|도|만|나|다|기|면|지|요|니|고|하기|하는|하나|해|해요|한가요|할까|할까요|합니다|해야|려면)$`);

  function known(word, isRight) { // what to look for in its place, and whether that says the same or is near; isRight: no slip
    const stem = word.replace(ENDING, ""), bare = word.replace(PARTICLE, ""), same = SAYS[word] ?? SAYS[stem];
    const base = word.replace(BASE, "$1"), isRare = (one) => sections.filter(({en}) => fold(en).includes(one)).length < 4;
    const isWord = (one) => { // probing: not prob
      const whole = new RegExp(`\\b${one.replace(SIGNS, "\\$&")}(?:s|ed|ing|er)?\\b`);
      return sections.some(({text}) => whole.test(text));
    };
    const [tail] = word.match(/(ing|ed)$/) ?? [], near = tail && !isRight && !isThere(word) ? nearest(word) : null;
    const slip = near?.endsWith(tail) ? near : null; // embeding: not embed
    const inTitle = (one) => sections.some(({head}) => head.includes(one));
    const there = same ?? (!slip && base !== word && isWord(base) && isRare(word) ? base : null)
      ?? [word.replace(SUBJECT, ""), word, stem].find(inTitle) ?? [bare, word, stem].find(isThere) ?? word.match(/(?<=[.])[^.]+$/)?.find(isTold); // 토큰이: 토큰; torch.tril: tril
    const found = there ?? slip ?? otherKeyboard(word) ?? (isRight ? null : nearest(stem) ?? nearest(word)) ?? word;
    return {word: found, isSame: Boolean(same) && !/[√∞]/.test(same), isNear: !there && found !== word};
  }

  const KEYS = ["r R s e E f a q Q t T d w W c z x v g", "k o i O j p u P h hk ho hl y n nj np nl b m ml l", " r R rt s sw sg e f fr fa fq ft fx fv fg a q qt t T d w c z x v g"].map((keys) => keys.toLowerCase().split(" "));
  const SINGLE = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ";

  const keysOf = (text) => text.replace(/[가-힣]/g, (syllable) => { // that type it: djxpstus for 어텐션
    const number = syllable.charCodeAt() - 0xAC00;
    return KEYS[0][Math.floor(number / 588)] + KEYS[1][Math.floor(number % 588 / 28)] + KEYS[2][number % 28];
  }).replace(/[ㄱ-ㅣ]/g, (letter) => [...KEYS[0], ...KEYS[1]][SINGLE.indexOf(letter)] ?? letter);

  function otherKeyboard(word) { // what was typed with the keyboard of the other language: djxpstus, ㅁㅅㅅ두샤ㅐㅜ
    if (/[ㄱ-ㅣ]/.test(word)) return [keysOf(word)].find(isTold);
    if (!/^[a-z]{4,}$/.test(word)) return null;
    typedAs ??= new Map(sections.flatMap(({ko}) => ko.match(/[가-힣]{2,}/g) ?? []).map((one) => [keysOf(one), one]));
    return typedAs.get(word);
  }

  const letters = (word) => [...word.normalize("NFD")]; // of 텐: ㅌ, ㅔ, ㄴ

  function nearest(word) { // of the words that differ by one letter, or by two if it is long, the one that is there most often
    if (/^[^aeiou가-힣]{1,5}$/.test(word)) return null; // RNNs are no slip of runs
    if (!vocabulary) {
      vocabulary = new Map();
      for (const {text, ko_title} of sections) {
        const words = ko_title.match(/[가-힣]+/g) ?? []; // 빔 서치: 빔서치, too
        words.slice(1).forEach((word, i) => vocabulary.set(words[i] + word, 1));
        for (const piece of text.match(/[a-z_]{4,}|[가-힣]{2,}/g) ?? []) vocabulary.set(piece, (vocabulary.get(piece) ?? 0) + 1);
      }
      for (const {spaced} of terms) for (const word of spaced.match(/\S{6,}/g) ?? []) vocabulary.set(word, vocabulary.get(word) ?? 1); // backpropagation
    }
    const mine = letters(word), isLong = mine.length >= (/[가-힣]/.test(word) ? 12 : 8), most = mine.length < 4 ? 0 : isLong ? 2 : 1;
    const least = /^([a-z]{4}|[가-힣]{2})$/.test(word) ? OFTEN : 1; // short words are like many others
    let best = null;
    for (const [piece, count] of vocabulary) {
      const part = /[가-힣]/.test(word) ? piece.slice(0, word.length) : piece; // without what hangs on a Korean word
      const far = distance(mine, letters(part), most);
      if (count >= least && far <= most && (!best || far < best.far || far === best.far && count > best.count)) best = {part, count, far};
    }
    return best?.part;
  }

  function distance(x, y, most) { // how many letters are changed, put in, left out or exchanged; more than `most` is all the same
    if (Math.abs(x.length - y.length) > most) return Infinity;
    let before = [], row = y.map((_, j) => j).concat(y.length);
    x.forEach((letter, i) => {
      const next = [i + 1];
      y.forEach((other, j) => {
        next.push(Math.min(row[j] + (letter !== other), row[j + 1] + 1, next[j] + 1));
        if (i && j && letter === y[j - 1] && x[i - 1] === other) next[j + 1] = Math.min(next[j + 1], before[j - 1] + 1);
      });
      [before, row] = [row, next];
    });
    return row.at(-1);
  }

  function search(text) { // what is there in the language of the page, then what is only in the other
    const typed = PHRASES.reduce((text, phrase) => text.replace(...phrase), fold(text)).replace(/(\w)\((\w*)\)/g, "$1 $2").split(/\s+/).map((word) => word.replace(/(?<=.)[?!,.:]+$/, "").replace(/^<(\w+)>/, "$1").replace(AFTER_LATIN, "")).filter(Boolean);
    const telling = typed.filter((word) => !COMMON.has(word) && !/^[a-z][가-힣]?$/.test(word));
    const sought = telling.length ? telling : typed, isShort = (word) => /^[가-힣]{2}$/.test(word) && sought.length > 1; // 예제 beside others: no slip of 이제
    const asked = sought.map((word) => known(word, isShort(word))), words = [...new Set(asked.map(({word}) => word))];
    const rates = sections.map((section) => words.filter((word) => isIn(section, word)).length), most = Math.max(...rates), hits = [];
    for (const section of most ? sections.filter((_, i) => rates[i] === most) : []) { // all words, or else as many as are together
      const {head, text, first, deep, exercise, defined} = section, {lang} = root.dataset;
      const own = lang === "both" ? text : fold([section[lang], section[lang + "_title"], section.code].join("\n"));
      const isTitled = (word) => head.includes(word) || word.length > 6 && head.includes(word.slice(0, -2)); // tokenizer: tokenization
      const count = (word) => isTitled(word) * (50 + 100 * first + 100 * word.length / head.length) / (1 + 3 * deep) / (1 + 3 * exercise)
        + 60 * defined.includes(word) + Math.min(20, text.split(word).length - 1); // titles of chapters, and short ones, first
      const late = (parseInt(section.page) || 0) / 8; // what is said first explains
      const score = words.map(count).reduce((a, b) => a + b) - late;
      const isOwn = (word) => !isIn(section, word) || own.includes(word) || first && head.includes(word) || lang === "ko" && section.packed.includes(word);
      hits.push([score + 1000 * words.every(isOwn), section]);
    }
    const isGuess = asked.some(({isNear}) => isNear), kept = (_, i) => isGuess || asked[i].isSame; // of a related word: it alone
    const said = [...new Set(asked.map(({word, isSame, isNear}, i) => isSame || isNear ? word : sought[i]).filter(kept))].join(" "), meant = asked.some(({isSame, isNear}) => isSame || isNear) && said !== sought.join(" ") ? said : "";
    const right = new Map(sought.map((word, i) => [word, asked[i].word])), fixed = typed.map((word) => right.get(word) ?? word); // tranformer vs rnn
    return {typed, telling, words, fixed, meant, isGuess, isPartly: most < words.length, hits: hits.sort((a, b) => b[0] - a[0]).map((hit) => hit[1])};
  }
  // What readers call a section leads there, if it is most of what is asked: KV캐시, 경사하강법, flash attention.
  const bare = (all) => {
    const words = all.map((word) => word.replace(AFTER_LATIN, ""));
    return {packed: words.join("").replace(/-/g, ""), spaced: ` ${words.join(" ")} `, isKorean: /[가-힣]/.test(words.join(""))};
  };

  function called(...ways) { // of what readers call a section, the longest that is there
    const asked = ways.flatMap((words) => [words, words.map((word) => word.replace(/(?<=[a-z]{4})s$/, ""))]).map(bare); // embeddings: embedding, too
    const isAsked = (term) => asked.some(({packed, spaced}) => (term.isKorean ? packed.includes(term.packed) : spaced.includes(term.spaced)) && 2 * term.packed.length >= packed.length);
    return terms.filter(isAsked).reduce((best, term) => term.packed.length > best.packed.length ? term : best, {packed: ""});
  }

  function searchAll(text) {
    const found = search(text), written = called(found.typed, found.telling), corrected = called(found.words, found.fixed), {isGuess} = found;
    const isTyped = written.packed.length >= corrected.packed.length, {section, isNear} = isTyped ? written : corrected;
    if (!section) return found;
    const isWhole = written.packed.length >= .7 * bare(found.telling).packed.length; // what is called so is most of it: 플래시 어텐션
    const isQuestion = isWhole && found.telling.length < found.typed.length, isOn = ({head}) => found.words.every((word) => head.includes(word)); // how long does it take: not all that takes long
    const others = isNear || isWhole && found.isPartly || isTyped && isGuess ? [] // what is called so is no slip
      : found.hits.filter((hit) => hit !== section && (!isQuestion || isOn(hit)));
    const isSaid = found.hits.length > 0 && !isGuess, meant = isTyped && isGuess ? "" : found.meant;
    return {...found, section, isSaid, isUntaught: isNear, hits: [section, ...others], isPartly: found.isPartly && !isWhole && !isNear && found.hits.includes(section), meant};
  }
  window.siteSearch = (text) => searchAll(text).hits;

  const SIGNS = /[.*+?^${}()|[\]\\]/g; // of patterns
  const patternOf = (words) => new RegExp(words.map((word) => /[가-힣]{3}/.test(word) ? [...word].join("\\s?") : /^[a-z]{6,}$/.test(word) ? "(?<![a-z])" + [...word].join("-?") : (/^[a-z]+$/.test(word) ? "(?<![a-z])" : "") + word.replace(SIGNS, "\\$&")).join("|"), "gi"); // 셀프어텐션: 셀프 어텐션

  const shownOf = (section) => ({ko: ["ko", "code"], en: ["en", "code"], both: ["ko", "en", "code"]})[root.dataset.lang].map((name) => section[name]);

  function excerpt(section, words, pattern, isCalled) { // of what is called so, its beginning, if the words are not together
    const texts = shownOf(section), found = texts.find((text) => fold(text).search(pattern) >= 0) ?? texts[0];
    const text = root.dataset.lang === "en" ? found.replace(/(?:"[^"\n]*[가-힣][^"\n]*",? ?)+/g, "…") : found, folded = fold(text), rest = (at) => folded.slice(at, at + 110);
    const starts = [...folded.matchAll(pattern)].map(({index}) => index);
    const rate = (at) => words.filter((word) => patternOf([word]).test(rest(at))).length;
    const best = starts.reduce((best, one) => rate(one) > rate(best) ? one : best, starts[0] ?? 0); // where most words are together
    const at = isCalled && 2 * rate(best) < words.length ? 0 : best;
    const from = at > 40 ? text.indexOf(" ", at - 40) + 1 : 0, piece = text.slice(from, from + 150).replace(text.length > from + 150 ? / \S*$/ : "", ""); // whole words
    return (from ? "… " : "") + marked(piece, pattern) + " …";
  }

  function point(section, words, pattern) { // what it comes to, if that has all words, or no sentence there has half of them
    const said = section.point[root.dataset.lang], rate = (text) => words.filter((word) => patternOf([word]).test(text)).length;
    const isTold = () => shownOf(section).slice(0, -1).map(fold).some((text) => [...text.matchAll(pattern)].some(({index}) => 2 * rate(text.slice(index, index + 110)) >= words.length));
    return said && (rate(fold(said)) === words.length || !isTold()) && marked(said, pattern);
  }

  function marked(piece, pattern) { // HTML
    let html = "", last = 0;
    for (const match of piece.matchAll(pattern)) {
      html += safe(piece.slice(last, match.index)) + `<mark>${safe(match[0])}</mark>`;
      last = match.index + match[0].length;
    }
    return html + safe(piece.slice(last));
  }

  function look() {
    if (!sections || !query.value.trim()) { found.hidden = true; return; }
    const {words, meant, isGuess, isPartly, isUntaught, hits, section: first, isSaid = true} = searchAll(query.value), quoted = `‘${safe(meant)}’`, pattern = patternOf(words);
    found.hidden = false;
    const taken = isGuess ? both(`혹시 이 말인가요? ${quoted}`, `Did you mean ${quoted}?`)
      : both(`관련된 말로 찾았습니다: ${quoted}`, `Found by a related word: ${quoted}`);
    const said = (isUntaught ? `<small>${both("이 강의에서는 다루지 않습니다. 가장 가까운 절입니다.", "The course doesn't cover this. The nearest section:")}</small>`
      : !isSaid && !meant && /^\d/.test(first.page) ? `<small>${both("강의에서는 다른 말로 설명합니다.", "The course explains this in other words.")}</small>` : "")
      + (meant && hits.length ? `<small>${taken}</small>` : "")
      + (isPartly && hits.length ? `<small>${both("모든 단어가 든 절은 없어서, 일부라도 든 절을 보여 드립니다.", "No section has all the words; these have some.")}</small>` : "");
    found.innerHTML = said + hits.slice(0, isPartly ? 5 : 20).map((section) => `<a href="${section.page}.html#${section.anchor}">`
      + `<i>${section.first ? "" : safe(both(...pages[section.page]))}</i><b>${safe(both(section.ko_title, section.en_title)).replace(/`/g, "")}</b><small>${section === first && point(section, words, pattern) || excerpt(section, words, pattern, section === first)}</small></a>`).join("")
      || `<small>${both("검색 결과가 없습니다. 이 강의에서 다루지 않는 주제일 수 있습니다. 다른 말로 찾거나 차례를 보세요.", "Nothing found. The course may not cover it. Try other words, or look at the contents.")}</small>`;
  }

  for (const kind of ["focus", "input"]) query.addEventListener(kind, () => { load(); look(); });
  found.addEventListener("click", ({target}) => {
    if (!target.closest("a")) return;
    history.replaceState({...history.state, query: query.value}, ""); // who comes back finds it there
    found.hidden = true;
  });
  addEventListener("pageshow", () => { query.value ||= history.state?.query ?? ""; });
  addEventListener("click", ({target}) => { if (!target.closest(".search")) found.hidden = true; });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      if (!found.hidden) query.focus();
      if (contents.contains(event.target)) menu.focus();
      found.hidden = true;
      open(false);
    }
    if (event.key === "/" && !event.target.matches("input, textarea, select")) {
      event.preventDefault();
      query.focus();
    }
    if (event.key === "Enter" && event.target === query && !found.hidden) one("#found a")?.click();
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key], rows = [query, ...all("#found a")];
    const next = rows[rows.indexOf(event.target) + step];
    if (!found.hidden && step && next && event.target.closest(".search")) {
      event.preventDefault();
      next.focus();
    }
  });

  speak(root.dataset.lang);
  all("form.guess").forEach((form, i) => {
    const guess = kept(nameOf(i));
    form.querySelector("input").value = guess;
    if (guess) form.requestSubmit();
  });
})();
