"use strict";
/* One step of the decoder, slowly, station by station. One layer and one head are shown, which the reader chooses.

   Step.mount(panel, engine, meanings, onmove) → {show(sentence), where(), stand(place)}
     meanings   {word: what it means}
     onmove     called with the number of the step, whenever something else is looked at
     where, stand   the station, from 1, layer and head that are looked at; null: none in particular
     sentence   {memory, steps, at, temperature, how, tapped}: memory of engine.encoder, steps as engine.write yields
                them, the number of the one to look at; "greedy", "beam" or "sample", and the number of the last step
                whose token the reader has chosen, or -1 */

const Step = (() => {
  const {make, say, button, redraw, shorn, showChapters} = Elements, {tell, upTo, token} = Numbers;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const {STATIONS, GROUPS, READING, QUERY, CROSS, BARS, backward, ahead} = Stations;

  function mount(panel, engine, meanings, onmove) {
    const view = {station: 0, layer: 0, head: null, isChosen: false, opened: {}, key: null, open: new Set()};
    let first = {}; // part → the head that is opened, as long as the reader has not chosen one
    let sentence = null;

    const source = make("p", panel, "", {class: "source"});
    const here = make("div", panel, "", {class: "here"});
    const steps = make("div", panel, "", {class: "tokens", role: "group", "aria-label": "쓴 토큰 · tokens written"});
    const shade = () => { // where there is more
      steps.classList.toggle("before", steps.scrollLeft > 4);
      steps.classList.toggle("cut", steps.scrollLeft + steps.clientWidth < steps.scrollWidth - 4);
    };
    steps.addEventListener("scroll", shade, {passive: true});
    const frame = make("div", panel, "", {class: "frame"}); // as high as the window, so that the buttons stay where they are
    const top = make("div", frame, "", {class: "title"}), title = make("div", top, "", {role: "status"});
    const pair = make("p", top, "", {class: "pair-read"});
    const stage = make("div", frame, "", {class: "stage"});
    const hint = make("div", frame, "", {class: "hint"});
    const bars = make("div", hint), digits = make("div", hint);
    tell(bars, ...BARS);
    tell(digits, "계산은 반올림하지 않은 숫자로 하므로, 적힌 숫자로 다시 하면 끝자리가 다를 수 있습니다.",
      "The page computes with the full numbers; if you redo it with the rounded ones, the last digits can differ.");
    say(make("div", hint, "", {class: "keys"}), "← → 키로도 움직입니다.", "The keys ← and → work, too.");
    const walk = make("div", frame, "", {class: "walk", role: "group", "aria-label": "순서 · stations"});
    const stops = make("div", walk, "", {class: "stops"});
    const places = GROUPS.flatMap(([ko, en, length]) => {
      const part = make("div", stops, "", {style: `--stops: ${length}`});
      say(make("small", part), ko, en);
      return Array(length).fill(part);
    });
    const stations = STATIONS.map(({title: [ko, en]}, i) => {
      const name = `${i + 1} ${ko} · ${en}`;
      return button(places[i], () => go(i), {"aria-label": name, title: name});
    });
    const back = button(walk, () => go(view.station - 1), {"aria-keyshortcuts": "ArrowLeft"}, "← ");
    say(back, "이전", "Back");
    const next = button(walk, () => go(view.station + 1), {class: "next", "aria-keyshortcuts": "ArrowRight"});

    function go(station) {
      if (!sentence || station < 0) return;
      if (station === STATIONS.length) sentence.at = (sentence.at + 1) % sentence.steps.length; // on to the next token
      Object.assign(view, {station: station === STATIONS.length ? READING : station, key: null, open: new Set()});
      move();
      const {top} = frame.getBoundingClientRect(), isNear = top > 0 && top < innerHeight / 2 && !calm.matches; // seen to move
      frame.scrollIntoView({behavior: isNear ? "smooth" : "instant"});
    }

    function move() { // another place was chosen
      draw();
      onmove(sentence.at);
    }

    document.addEventListener("keydown", (event) => {
      const {key, target} = event;
      const away = target !== document.body && !panel.contains(target);
      if (away || !panel.offsetParent || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (key === "ArrowLeft") go(view.station - 1);
      if (key === "ArrowRight") go(view.station + 1);
    });

    function choose(place, name, count, [ko, en]) { // buttons for layer or head
      if (count < 2) return;
      const row = make("div", place, "", {class: "choice", role: "group"});
      row.setAttribute("aria-label", `${ko} · ${en}`);
      say(make("small", row), ko, en);
      for (const i of upTo(count)) {
        const take = () => { Object.assign(view, {[name]: i, isChosen: view.isChosen || name === "head"}); move(); }; // the chosen key stays
        button(row, take, {"aria-pressed": i === view[name]}, String(i));
      }
    }

    function drawWhere() { // what is read, and which step of writing this is
      source.textContent = "";
      for (const word of engine.src.decode(sentence.memory.src).split(" ")) {
        const place = make("bdi", source, word);
        if (meanings[word]) make("small", place, meanings[word], {lang: "en"});
      }
      const {tokens} = engine.tgt, {state, written} = sentence.steps[sentence.at];
      pair.textContent = here.textContent = "";
      token(tokens[state.ids.at(-1)])(pair);
      pair.append(" → ");
      token(tokens[written])(pair);
      const before = engine.tgt.decode(state.ids) || "<bos>", after = shorn(tokens[written]);
      tell(here, `지금 스텝: “${before}” 다음에 “${after}” 쓰기. 다른 스텝을 보려면 토큰을 누르세요.`,
        `This step: after “${before}” it writes “${after}”. Choose a token for another step.`);
    }

    function drawSteps() {
      redraw(steps, () => sentence.steps.forEach(({written}, i) => {
        const take = () => { sentence.at = i; view.key = null; move(); };
        token(engine.tgt.tokens[written])(button(steps, take, {"aria-pressed": i === sentence.at}));
      }));
      const pressed = steps.children[sentence.at];
      steps.scrollLeft = pressed.offsetLeft - (steps.clientWidth - pressed.clientWidth) / 2; // it is in the middle
      shade();
    }

    function drawTitle() {
      const {title: [ko, en]} = STATIONS[view.station], count = `${view.station + 1}/${STATIONS.length}`;
      if (title.dataset.station === count) return; // said once, not at every choice
      title.dataset.station = count;
      title.textContent = "";
      say(make("h3", title, count + " "), ko, en);
    }

    function drawNext() {
      const last = view.station === STATIONS.length - 1, {written} = sentence.steps[sentence.at];
      next.textContent = "";
      if (!last) say(next, "다음", "Next");
      else if (sentence.at === sentence.steps.length - 1) say(next, "첫 토큰부터", "From the first token");
      else say(next, `다음 토큰 (‘${shorn(engine.tgt.tokens[written])}’ 뒤)`, `What follows “${shorn(engine.tgt.tokens[written])}”`);
      next.append(" →");
    }

    function open(part) { // a head to begin with
      first[part] ??= part === "cross" ? ahead(sentence, view.layer) : backward(sentence, view.layer, engine.options.n_heads);
      view.head = first[part];
      view.opened[part] ??= `${sentence.at} ${view.layer} ${view.head}`; // what is said of this head holds only here
    }

    function draw() {
      const {head, layer, chapters, isByHand, draw: drawStation} = STATIONS[view.station], {n_layers, n_heads} = engine.options;
      if (!view.isChosen) open(view.station < CROSS ? "attention" : "cross");
      drawWhere();
      drawSteps();
      drawTitle();
      redraw(stage, () => {
        const choices = make("div", stage, "", {class: "choices"});
        if (layer || head) choose(choices, "layer", n_layers, ["층", "layer"]);
        if (head) choose(choices, "head", n_heads, ["헤드", "head"]);
        drawStation(stage, {...sentence, engine, meanings, step: sentence.steps[sentence.at], view, go,
          redraw(name) { // and what has changed is seen
            draw();
            stage.querySelector(`[data-name=${name}]`).scrollIntoView({block: "nearest"});
          }});
        showChapters(make("p", stage, "", {class: "chapters"}), chapters);
      }, {preventScroll: true});
      stations.forEach((stop, i) => stop.setAttribute("aria-current", i === view.station ? "step" : "false"));
      back.setAttribute("aria-disabled", view.station === 0);
      bars.hidden = view.station === 0 || view.station > QUERY; // said there above them, and then enough
      digits.hidden = !isByHand;
      drawNext();
    }

    return {
      show(shown) {
        if (sentence?.steps !== shown.steps) [first, view.opened] = [{}, {}]; // of another sentence other heads
        sentence = {...shown};
        view.key = null;
        draw();
      },
      where: () => ({station: view.station + 1, layer: view.layer, ...(view.isChosen && {head: view.head})}),
      stand({station, layer, head}) {
        const {n_layers, n_heads} = engine.options;
        if (station >= 1 && station <= STATIONS.length) view.station = station - 1;
        if (layer !== null && layer < n_layers) view.layer = layer;
        if (head !== undefined) view.isChosen = head !== null && head < n_heads;
        if (view.isChosen && head !== undefined) view.head = head;
      },
    };
  }

  return {mount};
})();
