"use strict";
/* Taught.of(text, course) → the same sentence as those of the course are written, all of its words known:
   나 커피 마셨어 → 나는 커피를 마셨다; or null. It puts in particles, a subject that goes without saying and an ending, and
   puts first who does it; 안 먹었다 becomes 먹지 않았다, and what is done now gets a time, as a habit has one, and so does
   one thing after the other (먹고 마셨다). A verb gets the tense of its time: 내일 갔다 → 내일 갈 것이다.
   Taught.SAID     how the course writes what people say for who and what */

const Taught = {
  SAID: {__proto__: null, 뭐: "무엇을", 뭘: "무엇을", 너: "너는", 넌: "너는", 난: "나는", 전: "저는", 제가: "저는", 내가: "나는", 우리가: "우리는", 저희가: "우리는", 네가: "너는"},

  of(text, course) {
    const known = new Set(course.known), isKnown = (word) => known.has(word.replace(/\?$/, ""));
    const joined = Taught.tidy(text, isKnown, course.verbs).split(" ").reduce((all, word) => { // 다녀 왔다
      const both = all.at(-1) + word, isOne = all.length && !(isKnown(all.at(-1)) && isKnown(word)) && isKnown(both);
      return isOne ? [...all.slice(0, -1), both] : [...all, word];
    }, []);
    const both = joined.map((word, i) => Taught.but(word, joined[i + 1], course) ?? Taught.particled(word, isKnown));
    const {given: found, end, form} = Taught.inTime(Taught.split(both, isKnown, course.verbs), course);
    if (!form) return null;
    const given = found.map((word) => Taught.placed(word, form));
    const withParticle = (word, i) => {
      const slots = i ? ["what", "where", "when", "who"] : ["who", "what", "where", "when"];
      return slots.flatMap((slot) => form[slot]).find((one) => one.replace(/([은는을를에]|에서)$/, "") === word) ?? Taught.SAID[word] ?? word;
    };
    const right = given.map((word, i) => isKnown(word) && i < given.length - 1 ? word : withParticle(word, i)); // 커피 두 잔을 is right
    if (!right.some((word) => form.who.includes(word) || /^(저는|너는|누가)$/.test(word))) {
      const isInside = (i) => right.slice(i).some((word) => course.tenses[word] && !Lacking.shape(word, course.endings)); // 민수가 산 빵을: who eats it goes without saying
      const asTopic = (word, i) => Taught.SAID[word] ?? (/[이가]$/.test(word) && !isInside(i) ? form.who.find((one) => one.slice(0, -1) === word.slice(0, -1)) : undefined);
      const place = right.findLastIndex(asTopic), who = place >= 0 ? asTopic(right[place], place) : Forms.byEnd(end, "나는", "너는", "저는");
      right.splice(Math.max(place, 0), place < 0 ? 0 : 1);
      right.unshift(who);
    }
    const isTo = (word) => /[을를에]$/.test(word) && !form.when.includes(word); // 샀다 without what
    if (form.what.length && !right.some(isTo)) return null;
    const needsTime = (form.tense === "present" || right.some((word) => Lacking.shape(word, course.endings) === "a"))
      && !right.some((word) => form.when.some((time) => time.split(" ").includes(word)));
    if (needsTime) right.splice(1, 0, form.when[0]); // 매일
    const other = [...right, end].join(" ");
    return other !== text && other.split(" ").every(isKnown) ? other : null;
  },

  tidy(text, isKnown, verbs) { // what is said in two ways, in one of them, and with the spaces of the course
    const withAnd = (all, noun) => Lacking.withParticle(noun, "와과", isKnown) ?? all;
    const COUNT = `(${[...Forms.NUMBERS, "한"].join("|")}) (잔|권|개|조각|줄|장)`;
    const counted = (all, noun, number, unit) => { // 물을 두 잔: 물 두 잔을
      const [object, units] = [noun.replace(/[을를]$/, ""), unit].map((one) => Lacking.withParticle(one, "을를", isKnown));
      return !object ? all : number === "한" ? object : units ? `${object.slice(0, -1)} ${number} ${units}` : all;
    };
    const couldNot = (all, form) => verbs.find(({korean}) => korean === form + " 것이다")?.stem.concat("지 못했다") ?? all;
    return Forms.plainly(text, verbs).replace(/[\sㄱ-ㅎㅏ-ㅣ!~]+$/, "") // ㅋㅋ
      .replace(/(\S+?)[에로]? 여행을? (?=[가갈간갔])/, "$1에 ") // 파리로 여행 갔다
      .replace(/([가-힣]+?)이?랑(?= )/g, withAnd) // 친구랑: 친구와
      .replace(new RegExp(`${COUNT}의 (\\S+[을를])(?= )`), (all, number, unit, noun) => counted(all, noun, number, unit)) // 두 개의 사과를
      .replace(new RegExp(`(\\S+) ${COUNT}[을를]?(?= )`), counted)
      .replace(/(^| )않 /, "$1안 ")
      .replace(/(?<=^| )([안못])(?=([가-힣]+)$)/, (not, _, verb) => isKnown(not + verb) ? not : not + " ") // 안갔다
      .replace(/(\S+)[을를] ((?:하|했|해|한|할)\S*)/g, (all, noun, verb) => isKnown(noun + verb) ? noun + verb : all) // 산책을 했다
      .normalize("NFD").replace(Forms.FUTURE, "\u11af $1").normalize("NFC") // 읽을거다
      .replace(/ (거다|거야|것임)$/, " 것이다").replace(/ (거야|까요?)\?$/, " 거니?") // 갈까?
      .replace(/(^| )배고(파|프)/, "$1배가 고$2")
      .replace(/(^| )(날씨|비|배|시간|목) ?(?=(좋아|와|고파|없어|말라)서)/, (all, space, noun) => space + noun + (/[간목]$/.test(noun) ? "이 " : "가 "))
      .replace(/고있/, "고 있")
      .replace(/(\S+) 수 없었(다|어요?)$/, couldNot); // 갈 수 없었다
  },

  particled(word, isKnown) { // 커피을: 커피를
    const [, noun, particle] = word.match(/^(.+)([을를은는이가와과])$/) ?? [], both = ["을를", "은는", "이가", "와과"].find((pair) => pair.includes(particle));
    return noun && !isKnown(word) ? Lacking.withParticle(noun, both, isKnown) ?? word : word;
  },

  placed(word, form) { // with the particle that goes with the verb: 파리를 갔다, 시장에 샀다
    const bare = (one) => one.replace(/(을|를|에|에서)$/, "");
    if (form.what.includes(word) || form.when.some((time) => time.split(" ").includes(word)) || bare(word) === word) return word;
    return [...form.what.filter((one) => /에$/.test(one)), ...form.where].find((one) => bare(one) === bare(word)) ?? word;
  },

  but(word, next, {verbs, slots}) { // 마시고 나는: 마셨지만, as the course joins what two do
    const past = next in slots.who && verbs.find(({stem, korean, tense}) => tense === "past" && [stem, korean.slice(0, -1)].some((one) => one + "고" === word));
    return past ? past.korean.replace(/다$/, "지만") : null;
  },

  split(words, isKnown, verbs) { // what is given to the verb, the verb as the course has it, and its form in `verbs`
    const last = words.at(-1), negated = Forms.deniedStem(words);
    const isFuture = /^[것거겁]/.test(last), count = negated || isFuture ? 2 : 1, before = words.at(-count - 1);
    const two = words.slice(-2).join(" "), ends = count === 1 ? Forms.endings(last)
      : [two, two.replace("것이니", "거니"), two.replace(/(것이에요|것입니다|겁니다)$/, "거예요")];
    const end = ends.find((one) => one.split(" ").every(isKnown)) ?? "";
    const isOf = ({korean, polite}) => end === polite || Forms.plain(end).includes(korean);
    const form = verbs.find((one) => negated ? one.stem === negated && one.tense === "past" : isOf(one));
    if (!/^[안못]$/.test(before) || !form || negated) return {given: words.slice(0, -count), end, form};
    return {given: words.slice(0, -count - 1), end: Forms.denied(form, end, before), form};
  },

  inTime({given, end, form}, {times, tenses, verbs}) { // in the tense of its time, as the course has it: 내일 간다, 내일 갔다: 갈 것이다
    const [time] = form ? Lacking.oddTime([...given, end].join(" "), times, tenses) : [];
    if (!time) return {given, end, form};
    const other = times[time] !== "present" && Forms.formOf(form.stem, times[time], verbs); // 매일 마셨다 is no slip
    if (!other) return {given, end, form: null};
    return {given, end: /지 /.test(end) ? Forms.denied(other, end) : Forms.byEnd(end, other.korean, other.question, other.polite), form: other};
  },
};
