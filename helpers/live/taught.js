"use strict";
/* Taught.of(text, course) → the same sentence as those of the course are written, all of its words known:
   나 커피 마셨어 → 나는 커피를 마셨다; or null. It puts in particles, a subject that goes without saying and an ending, and
   puts first who does it; 안 먹었다 becomes 먹지 않았다, and what is done now gets a time, as a habit has one, and so does
   one thing after the other (먹고 마셨다).
   Taught.near(text, course) → [text]     the same with words of the course for everyday ones that it lacks: 밥을 → 빵을;
   of 오늘 one for each day that it has; without a word that it lacks; with 못 for 안, as after a reason; and what is no
   question, since it never saw a denied one
   Taught.like(text, course) → string     a sentence of the course with a word of it, or that asks for the same, or what it
   tells as a reason: 커피를 좋아한다 → 나는 커피를 마셨다, 뭐 해? → 너는 무엇을 읽었니?, 날씨가 좋다 → 나는 날씨가 좋아서
   사진을 찍었다; or null
   Taught.meant(text, course) → string    a sentence of the course with what an English text says or asks: I like coffee → the
   first; or null
   Taught.sound(word) → string     what it sounds like: the same for 읽었다 and 일것다 */

const Taught = {
  SAID: {뭐: "무엇을", 뭘: "무엇을", 너: "너는", 넌: "너는", 난: "나는", 전: "저는", 제가: "저는", 내가: "나는", 우리가: "우리는", 저희가: "우리는", 네가: "너는"},

  NEAR: {
    밥: "빵", 떡: "빵", 과자: "케이크", 라면: "김밥", 고기: "김밥", 바나나: "사과", 포도: "사과", 귤: "사과", 주스: "우유", 콜라: "커피", 술: "차", 옷: "모자", 신발: "모자", 시계: "가방",
    친구: "친구들", 동생: "형", 남동생: "형", 여동생: "누나", 오빠: "형", 아빠: "형", 아버지: "형", 할아버지: "형", 언니: "누나", 엄마: "누나", 어머니: "누나", 할머니: "누나", 선생님: "누나", 아이: "아이들", 학생: "아이들", 철수: "민수", 영희: "유나",
    제주도: "부산", 제주: "부산", 대구: "부산", 인천: "서울", 뉴욕: "런던", 미국: "런던", 일본: "도쿄", 베이징: "도쿄", 회사: "가게", 병원: "호텔", 교실: "학교", 바다: "공원", 산: "공원", 마트: "시장", 빵집: "가게", 영화관: "극장", 부엌: "집", 택시: "버스", 비행기: "기차", 드라마: "영화", 만화: "소설", 일기: "편지", 수학: "영어", 지금: "매일",
  },

  WHO: {she: "유나는", he: "민수는", they: "친구들은", friends: "친구들은", brother: "형은", sister: "누나는", children: "아이들은", kids: "아이들은"},

  ASKS: [["what", /^([뭐뭘뭔]|무엇|무슨)/, "무엇을"], ["where", /^(어디|어딜|어느)/, "어디에서"], ["who", /^누(가|구야?|구예요)$/, "누가"]], // with the word of the course

  FUTURE: new RegExp(`\u11af(${"거다 거야 거예요 거니 겁니다 것이다 것임 까 까요".normalize("NFD").split(" ").join("|")})(?=\\??$)`),

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
      const place = right.findLastIndex(asTopic), who = place >= 0 ? asTopic(right[place], place) : Taught.byEnd(end, "나는", "너는", "저는");
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
    const couldNot = (all, form) => verbs.find(({korean}) => korean === form + " 것이다")?.stem.concat("지 못했다") ?? all;
    return Taught.plainly(text, verbs).replace(/[\sㄱ-ㅎㅏ-ㅣ!~]+$/, "") // ㅋㅋ
      .replace(/(\S+)(에|로) 여행을? (?=[가갈간갔])/, "$1에 ") // 파리로 여행 갔다
      .replace(/([가-힣]+?)이?랑(?= )/g, withAnd) // 친구랑: 친구와
      .replace(/(^| )않 /, "$1안 ")
      .replace(/(?<=^| )([안못])(?=([가-힣]+)$)/, (not, _, verb) => isKnown(not + verb) ? not : not + " ") // 안갔다
      .replace(/(\S+)[을를] ((?:하|했|해|한|할)\S*)/g, (all, noun, verb) => isKnown(noun + verb) ? noun + verb : all) // 산책을 했다
      .normalize("NFD").replace(Taught.FUTURE, "\u11af $1").normalize("NFC") // 읽을거다
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

  plainly(text, verbs) { // without what honors somebody or is only meant: 사셨어요 is 샀어요
    const isDrink = /(커피|차|물|우유)[를을]? \S+$/.test(text), open = (stem) => stem.normalize("NFD").replace(/\u11af$/, "").normalize("NFC"); // 만드, of 만들
    const formOf = (start, tense) => {
      const stem = start === "드" ? (isDrink ? "마시" : "먹") : start.replace(/으$/, "");
      return verbs.find((form) => form.tense === tense && (form.stem === stem || open(form.stem) === stem));
    };
    const to = (tense, written) => (all, start, tail) => {
      const form = formOf(start, tense);
      return form ? written(form, tail) : all;
    };
    return text.replace(/(\S+)께서는?(?= )/g, (all, who) => who + (/[\u11a8-\u11c2]$/.test(who.normalize("NFD")) ? "은" : "는"))
      .replace(/(\S+)셨(\S+)$/, to("past", ({korean}, tail) => korean.slice(0, -1) + tail))
      .replace(/(\S+)(?:세요|십니까|시나요)\?$/, to("present", ({stem}) => open(stem) + "니?"))
      .replace(/(?<=[은는이가서] .*)(\S+)(?:세요|십니다|신다)$/, to("present", ({polite}) => polite))
      .replace(/(\S+)실( ?[거겁것].*)$/, to("future", ({korean}, tail) => korean.split(" ")[0] + tail))
      .replace(/(\S+)겠(습니다|어요|다|어)$/, to("future", ({korean}, tail) => korean.split(" ")[0] + (/[니요]/.test(tail) ? " 거예요" : " 것이다"))); // 가겠습니다
  },

  swapped(given, course, today = "어제") { // with words of the course for everyday ones
    const text = Taught.plainly(given, course.verbs).replace(/(?<![비눈][가이]? )(?<=^| )(왔|온다|와요|올 (?=[거것]))/, (come) => ({왔: "갔", 온다: "간다", 와요: "가요"})[come] ?? "갈 ");
    const nouns = {...Taught.NEAR}, known = new Set(course.known);
    for (const [korean, english] of Object.entries(course.parts)) nouns[english] = korean; // Paris에
    const swap = (word) => {
      const noun = Object.keys(nouns).find((one) => word.startsWith(one) && /^([은는이가을를에와과]|에서)?$/.test(word.slice(one.length)));
      if (!noun || known.has(word)) return word;
      const particle = word.slice(noun.length), either = ["은는", "이가", "을를", "와과"].find((both) => particle && both.includes(particle)) ?? "";
      return Lacking.withParticle(nouns[noun], either, (form) => known.has(form)) ?? nouns[noun] + particle;
    };
    return text.split(" ").map((word) => word === "오늘" ? today : swap(word)).filter(Boolean).join(" ");
  },

  near(text, course) {
    const known = new Set(course.known), end = text.split(" ").slice(-2).join(" ").replace(/있/g, "").normalize("NFD");
    const isHabit = !/[\u11bb\u11af]/.test(end), days = /\u11bb/.test(end) ? ["어제", "내일"] : ["내일", "어제"]; // without its time it becomes a habit
    const others = [...isHabit ? [] : [""], ...days].map((day) => Taught.swapped(text, course, day));
    const words = others[0].split(" "), isLacking = (word, i) => i < words.length - 1 && !known.has(word) && !Taught.SAID[word] && !course.glosses[word] && !/^[것거]/.test(words[i + 1]); // 읽은 is only a new form, and 할 of 할 거니 no word to be left out
    const isLoose = (word) => Lacking.withParticle(word, "을를", (form) => known.has(form)); // 친구 만나러
    const without = words.flatMap((word, at) => isLacking(word, at) ? [words.filter((one, i) => i !== at && !(i === at - 1 && isLoose(one))).join(" ")] : []);
    const all = [...others, ...without], said = all.map((one) => /[안못않]/.test(one) && !Taught.asksWhy(text) ? one.replace(/(니|어)\?$/, "다") : one);
    return [...new Set([...all, ...said, ...said.map((one) => one.replace(/(^| )안 /, "$1못 "))])].filter((other) => other !== text);
  },

  like(text, course) {
    const all = Lacking.words(Taught.swapped(text, course).replace(/(배|목)(?=[고마])/, "$1 ")), bare = (word) => word.replace(/([은는이가을를에와과도]|에서)$/, "");
    const has = (words) => all.some((one) => bare(one) === bare(words.split(" ").at(-1)));
    const isStem = (stem) => all.some((word) => word.startsWith(stem) && /^(고|고있.*|지|러|려고|려면|면|면서|자|는|는중.*|기|기가|기를|을게|을래)?$/.test(word.slice(stem.length)));
    const isDenied = /[않못없싫]|(^| )안 /.test(text) && !Taught.asksWhy(text), isAsked = /\?$/.test(text) && !isDenied, isWish = /싶|[자래]\??$|겠/.test(text) || /\u11af ?\u1100\u1165/.test(text.normalize("NFD")); // 할 거야
    const does = (who) => all.some((one) => bare(one) === bare(who) && !/[을를에와과]$/.test(one));
    const [asks, , word] = isAsked && Taught.ASKS.find(([, sign]) => all.some((one) => sign.test(one))) || [];
    const named = asks === "who" ? word : Object.keys(course.slots.who).find(does), who = isAsked && named === "나는" ? "너는" : named ?? (isAsked ? "너는" : "나는");
    const start = (word) => word.normalize("NFD").slice(0, 3); // 바쁘다: 바빠서
    const reason = course.reasons.find(([korean]) => / /.test(korean) ? has(korean.replace(/ .*/, "")) : all.some((word) => start(word) === start(korean)));
    const isSaid = reason && all.includes(reason[0].split(" ").at(-1)); // and not 바쁘지 않다
    if (reason && !isAsked && (!isDenied || isSaid || /없/.test(reason[0])))
      return Taught.because(who, reason, course.verbs);
    const ends = Taught.endings(all.at(-1) + (isAsked ? "?" : "")).flatMap(Taught.plain);
    const isThere = /[있없]\S*$/.test(text); // 집에 없다 tells nothing that is done
    const shared = (form) => (isThere ? [] : ["where", "what"]).filter((slot) => form[slot].some(has)).length
      + (isStem(form.stem) || ends.includes(form.korean) || all.includes(form.korean) || all.includes(form.polite));
    const worth = (form) => shared(form) + form.when.some(has) + (form.tense === (isWish ? "future" : "past")) / 2
      + (shared(form) && Taught.usual(form));
    const canBe = (form) => (form.who.includes(who) || /너는|누가/.test(who) || !named) && !(isAsked && form.tense === "present") && (!asks || form.asked.includes(asks));
    const best = Taught.best(course.verbs.filter(canBe), worth), find = (slot) => best[slot].find(has);
    if (isAsked && (asks || shared(best))) return Taught.asking(best, asks, who, find);
    return shared(best) ? Taught.told(best, who, find, isDenied ? Taught.denied(best) : best.korean) : null;
  },

  meant(text, {verbs, slots, reasons}) {
    const said = ` ${text.toLowerCase().replace(/[^a-z]+/g, " ")} `, plain = (english) => english.toLowerCase().replace(/^(an?|the|to|to the|at|at the|in|in the) (?=\w)/, "");
    const has = (english) => said.includes(` ${plain(english)} `), find = (slot, form) => form[slot].find((word) => has(slots[slot][word]));
    const [, question] = text.trim().match(/^(what|where|who|did|will)\b/i) ?? [], asks = question?.toLowerCase();
    const isDenied = / (not|never) /.test(said) || /(do|does|did|can?|could|wo|is|was)n['’]?t\b/i.test(text), reason = reasons.find(([, , , english]) => has(english));
    const now = (form) => isDenied || question && asks !== "who" ? Taught.formOf(form.stem, "present", verbs) ?? form : form; // did you buy
    const done = (form) => now(form).english.replace(/ \(.*/, ""); // took (a photo)
    const worth = (form) => has(done(form)) * (2 + done(form).length / 5) + 3 * Boolean(find("what", form)) + Boolean(find("where", form)) + Boolean(find("when", form))
      + (form.tense === (said.includes(" will ") ? "future" : "past")) / 2 + Taught.usual(form);
    const isAsked = ({asked}) => asked.includes(asks), isSlot = verbs.some(isAsked);
    const best = Taught.best(isSlot ? verbs.filter(isAsked) : verbs, worth), who = find("who", best) ?? best.who.find((word) => Object.keys(Taught.WHO).some((one) => has(one) && Taught.WHO[one] === word));
    const word = (slot) => find(slot, best), denied = isDenied && ((/ could/.test(said) && Taught.denied(best, "", "못")) || Taught.denied(best));
    if (reason && !question) return Taught.because(who ?? "나는", reason, verbs);
    if (worth(best) < 2 && !isSlot) return null;
    if (question) return Taught.asking(best, isSlot && asks, who && who !== "나는" ? who : "너는", word);
    return Taught.told(best, who ?? best.who[0], word, denied || best.korean);
  },

  because(who, [korean, stem, isNot], verbs) {
    const form = Taught.formOf(stem, "past", verbs);
    return [who, korean, ...form.what.slice(0, 1), isNot ? Taught.denied(form, "", "못") : form.korean].join(" ");
  },

  usual: ({what}) => what.length ? -(what.length > 6) / 1000 : -1 / 10, // 커피를: rather drunk than bought

  asksWhy: (text) => /(^| )왜 /.test(text),

  asking(form, asks, who, find) { // a question; asks: for what it asks, or nothing
    const word = Taught.ASKS.find(([slot]) => slot === asks)?.[2], told = (slot) => slot === asks ? word : find(slot);
    return Taught.told(form, asks === "who" ? word : who, told, form.question);
  },

  best: (forms, worth) => forms.reduce((one, other) => worth(other) > worth(one) ? other : one),

  told(form, who, find, verb = form.korean) { // a sentence; find(slot): what was said of it; a habit needs a time
    const when = find("when") ?? (form.tense === "present" ? form.when[0] : null);
    return [who, when, find("where"), find("what") ?? form.what[0], verb].filter(Boolean).join(" ");
  },

  formOf: (stem, tense, verbs) => verbs.find((one) => one.stem === stem && one.tense === tense),

  but(word, next, {verbs, slots}) { // 마시고 나는: 마셨지만, as the course joins what two do
    const past = next in slots.who && verbs.find(({stem, korean, tense}) => tense === "past" && [stem, korean.slice(0, -1)].some((one) => one + "고" === word));
    return past ? past.korean.replace(/다$/, "지만") : null;
  },

  split(words, isKnown, verbs) { // what is given to the verb, the verb as the course has it, and its form in `verbs`
    const last = words.at(-1), negated = Taught.deniedStem(words);
    const isFuture = /^[것거겁]/.test(last), count = negated || isFuture ? 2 : 1, before = words.at(-count - 1);
    const two = words.slice(-2).join(" "), ends = count === 1 ? Taught.endings(last)
      : [two, two.replace("것이니", "거니"), two.replace(/(것이에요|것입니다|겁니다)$/, "거예요")];
    const end = ends.find((one) => one.split(" ").every(isKnown)) ?? "";
    const isOf = ({korean, polite}) => end === polite || Taught.plain(end).includes(korean);
    const form = verbs.find((one) => negated ? one.stem === negated && one.tense === "past" : isOf(one));
    if (!/^[안못]$/.test(before) || !form || negated) return {given: words.slice(0, -count), end, form};
    return {given: words.slice(0, -count - 1), end: Taught.denied(form, end, before), form};
  },

  inTime({given, end, form}, {times, tenses, verbs}) { // in the tense of its time, as the course has it: 내일 간다, 내일 갔다: 갈 것이다
    const [time] = form ? Lacking.oddTime([...given, end].join(" "), times, tenses) : [];
    if (!time) return {given, end, form};
    const other = times[time] !== "present" && Taught.formOf(form.stem, times[time], verbs); // 매일 마셨다 is no slip
    if (!other) return {given, end, form: null};
    return {given, end: /지 /.test(end) ? Taught.denied(other, end) : Taught.byEnd(end, other.korean, other.question, other.polite), form: other};
  },

  deniedStem: (words) => /^[못않]/.test(words.at(-1)) ? words.at(-2)?.match(/^(.+)지$/)?.[1] : undefined, // of 가지 않았다: 가

  denied({stem, tense}, end = "", not = "안") { // 먹지 않았다, or for 못 먹지 못했다, with the ending of `end`
    const nots = not === "못" ? {past: ["못했다", "못했니?", "못했어요"]}
      : {past: ["않았다", "않았니?", "않았어요"], present: ["않는다", "않니?", "않아요"], future: ["않을 것이다", "않을 거니?", "않을 거예요"]};
    return nots[tense] ? `${stem}지 ${Taught.byEnd(end, ...nots[tense])}` : "";
  },

  byEnd: (end, said, asked, polite) => /\?$/.test(end) ? asked : /요$/.test(end) ? polite : said,

  endings(verb) { // what the end of a sentence may be in the course
    const root = verb.match(/^(.+?)(어|습니다|습니까)\??$/)?.[1]; // 마셨어, 마셨습니다
    const tails = /\?$/.test(verb) ? ["니?"] : /습니다$/.test(verb) ? ["어요", "는다"] : ["다", "는다"];
    const asked = verb.normalize("NFD").replace(new RegExp(`\u11b8?${"니까".normalize("NFD")}\\?$`), "니?").normalize("NFC"); // 갑니까?
    return [verb, asked, verb.replace(/나요\?$/, "니?"), ...root ? tails.map((tail) => root + tail) : [], Taught.joined(verb.replace(/니다$/, "다"), "\u11b8"), verb + "요"];
  },

  plain(verb) { // forms of it as they stand in a book
    const stem = verb.replace(/(어요|요|니\??)$/, "");
    return [verb, ...["다", "는다"].map((end) => stem + end), Taught.joined(stem + "다", ""), verb.replace(/거(예요|니\??)$/, "것이다")];
  },

  joined: (verb, last) => verb.normalize("NFD").replace(new RegExp(last + "\u1103\u1161$"), "\u11ab\u1103\u1161").normalize("NFC"), // 가다, 갑다: 간다

  CARRIED: { // a last consonant is said with the vowel after it
    "\u11a8": "\u1100", "\u11ab": "\u1102", "\u11ae": "\u1103", "\u11af": "\u1105", "\u11b7": "\u1106", "\u11b8": "\u1107", "\u11ba": "\u1109",
    "\u11bd": "\u110c", "\u11b0": "\u11af\u1100", "\u11b2": "\u11af\u1107", "\u11b9": "\u11b8\u1109",
  },

  sound: (word) => word.normalize("NFD").replace(/([\u11a8-\u11bd])\u110b/g, (all, last) => Taught.CARRIED[last] ?? all).replace(/\u11bb/g, "\u11ba"),
};
