"use strict";
/* What takes long is computed in a worker, so that the page never stalls; or, where there is none, in the page.

   const run = Work.start(data)               data as for Engine
   run(name, asked, heard)                    heard(found) for all that a job finds, then heard(null); of each job
                                              only what was asked for last goes on
     "write"    {src, prefix, width, temperature}: a translation; with a width by beam search, with a
                temperature drawn → {memory}, {beam}, {step}, …: what engine.encoder, .beam, .write give
     "beam"     {src, width}: the best text of a beam search → {text}
     "offer"    {src}: of a sentence that is offered, its greedy translation → {text}
     "compare"  {src, removed}: with all heads and without → {texts: [whole, without], shares}: of each, the
                probability that it gives the whole translation */

const Work = (() => {
  function makeRun(data) { // the worker has this as text: it may use nothing from outside but Engine
    const engine = new Engine(data), {eos_id} = engine.tgt, timers = {};
    let read = null; // the last source

    function encoder(src) {
      if (String(read?.src) !== String(src)) read = engine.encoder(src);
      return read;
    }

    const jobs = {
      *write({src, prefix, width, temperature}) {
        const memory = encoder(src), beam = width ? engine.beam(memory, {width}) : null;
        yield {memory};
        if (beam) yield {beam};
        const choose = temperature ? (logits) => Engine.sample(logits, temperature) : undefined;
        const ids = beam ? [...beam.ranked[0].ids, eos_id] : prefix;
        for (const step of engine.write(memory, {prefix: ids, choose})) {
          yield {step: {...step, state: {ids: step.state.ids}}}; // of a state no more than is shown
        }
      },

      *beam({src, width}) {
        yield {text: engine.decode(engine.beam(encoder(src), {width}).ranked[0].ids)};
      },

      *offer({src}) {
        yield {text: engine.decode(engine.greedy(encoder(src)))};
      },

      *compare({src, removed}) {
        const memories = [encoder(src), removed.length ? engine.encoder(src, removed) : encoder(src)];
        const written = memories.map((memory) => engine.greedy(memory)), prefix = [...written[0], eos_id];
        const shares = memories.map((memory) => {
          const steps = [...engine.write(memory, {prefix, maxLength: prefix.length})];
          return steps.reduce((product, {logits, written}) => product * Engine.softmax(logits)[written], 1);
        });
        yield {texts: written.map((ids) => engine.decode(ids)), shares};
      },
    };

    return (name, asked, heard) => {
      const job = jobs[name](asked);
      const next = () => {
        const {value = null} = job.next();
        heard(value);
        if (value) timers[name] = setTimeout(next); // so that something newer can be asked for
      };
      clearTimeout(timers[name]);
      timers[name] = setTimeout(next);
    };
  }

  function listen() { // what the worker does, once it has all the weights
    const weights = [], early = [];
    let run;
    const answer = ({name, asked, number}) => run(name, asked, (found) => postMessage({name, number, found}));
    onmessage = ({data: {piece, rest, ...job}}) => {
      if (piece) weights.push(piece);
      else if (rest) {
        run = makeRun({...rest, weights});
        early.forEach(answer);
      } else if (run) answer(job);
      else early.push(job);
    };
  }

  function start({course, weights, ...rest}) { // of the course nothing is computed
    const latest = {};
    const script = `"use strict"; const Engine = (${makeEngine})(); ${makeRun} (${listen})();`;
    let worker, number = 0;
    try {
      worker = new Worker(URL.createObjectURL(new Blob([script], {type: "text/javascript"})));
    } catch { // there are no workers here
      return makeRun({...rest, weights});
    }
    worker.onmessage = ({data: {name, number, found}}) => {
      if (latest[name].number === number) latest[name].heard(found);
    };
    for (const message of [...weights.map((piece) => ({piece})), {rest}]) // each in a task of its own: none is long
      setTimeout(() => worker.postMessage(message));
    return (name, asked, heard) => {
      latest[name] = {number: ++number, heard};
      worker.postMessage({name, asked, number});
    };
  }

  return {start};
})();
