"use strict";
/* Sentences with words of the course that are like another, where that has words that it lacks.

   Alike.near(text, course) → [text]     the same with words of the course for everyday ones that it lacks: 밥을 → 빵을;
   for 오늘 each day that it has; without a word that it lacks; with 못 for 안, as after a reason; and what is no
   question, since it never saw a denied one
   Alike.like(text, course) → string     a sentence of the course with a word of it, or that asks for the same, or what it
   tells as a reason: 커피를 좋아한다 → 나는 커피를 마셨다, 뭐 해? → 너는 무엇을 읽었니?, 날씨가 좋다 → 나는 날씨가 좋아서
   사진을 찍었다; or null
   Alike.meant(text, course) → string    a sentence of the course with what an English text says or asks: I like coffee → the
   first; or null */

const Alike = {
  NEAR: {
    밥: "빵", 떡: "빵", 과자: "케이크", 라면: "김밥", 고기: "김밥", 바나나: "사과", 포도: "사과", 귤: "사과", 주스: "우유", 콜라: "커피", 술: "차", 옷: "모자", 신발: "모자", 시계: "가방",
    친구: "친구들", 동생: "형", 남동생: "형", 여동생: "누나", 오빠: "형", 아빠: "형", 아버지: "형", 할아버지: "형", 언니: "누나", 엄마: "누나", 어머니: "누나", 할머니: "누나", 선생님: "누나", 아이: "아이들", 학생: "아이들", 철수: "민수", 영수: "민수", 지훈: "민수", 준호: "민수", 영희: "유나", 민지: "유나", 지수: "유나", 서연: "유나", 수진: "유나",
    제주도: "부산", 제주: "부산", 대구: "부산", 인천: "서울", 뉴욕: "런던", 미국: "런던", 일본: "도쿄", 베이징: "도쿄", 회사: "가게", 병원: "호텔", 교실: "학교", 바다: "공원", 산: "공원", 마트: "시장", 빵집: "가게", 영화관: "극장", 부엌: "집", 택시: "버스", 비행기: "기차", 드라마: "영화", 만화: "소설", 일기: "편지", 수학: "영어", 지금: "매일", 운동: "산책",
  },

  WHO: {she: "유나는", he: "민수는", they: "친구들은", friend: "친구들은", friends: "친구들은", brother: "형은", sister: "누나는", children: "아이들은", kids: "아이들은"},

  ASKS: [["what", /^([뭐뭘뭔]|무엇|무슨)/, "무엇을"], ["where", /^(어디|어딜|어느)/, "어디에서"], ["who", /^누(가|구야?|구예요)$/, "누가"]], // with the word of the course

  swapped(given, course, today = "어제") { // with words of the course for everyday ones
    const text = Forms.plainly(given, course.verbs).replace(/(?<![비눈][가이]? )(?<=^| )(왔|온다|와요|올 (?=[거것]))/, (come) => ({왔: "갔", 온다: "간다", 와요: "가요"})[come] ?? "갈 ");
    const nouns = {...Alike.NEAR}, known = new Set(course.known);
    for (const [korean, english] of Object.entries(course.parts)) nouns[english] = korean; // Paris에
    const swap = (word) => {
      const noun = Object.keys(nouns).find((one) => word.startsWith(one) && /^([은는이가을를에와과]|에서)?$/.test(word.slice(one.length)));
      if (!noun || known.has(word)) return word;
      const near = nouns[noun], isThere = text.split(" ").some((one) => one.startsWith(near)); // 형은 동생과: not 형과
      const other = isThere && {형: "누나", 누나: "형", 민수: "유나", 유나: "민수"}[near] || near;
      const particle = word.slice(noun.length), either = ["은는", "이가", "을를", "와과"].find((both) => particle && both.includes(particle)) ?? "";
      return Lacking.withParticle(other, either, (form) => known.has(form)) ?? other + particle;
    };
    return text.split(" ").map((word) => /^오늘[은도]?$/.test(word) ? today : swap(word)).filter(Boolean).join(" ");
  },

  near(text, course) {
    const known = new Set(course.known), end = text.split(" ").slice(-2).join(" ").replace(/있/g, "").normalize("NFD");
    const isHabit = !/[\u11bb\u11af]/.test(end), days = /\u11bb/.test(end) ? ["어제", "내일"] : ["내일", "어제"]; // without its time it becomes a habit
    const others = [...days, ...isHabit ? [] : [""]].map((day) => Alike.swapped(text, course, day));
    const words = others[0].split(" "), isLacking = (word, i) => i < words.length - 1 && !known.has(word) && !Taught.SAID[word] && !course.glosses[word] && !/^[것거]/.test(words[i + 1]); // 읽은 is only a new form, and 할 of 할 거니 no word to be left out
    const isBare = (word) => Lacking.withParticle(word, "을를", (form) => known.has(form)), isNumber = (word) => Forms.NUMBERS.includes(word);
    const isLoose = (word, next) => isBare(word) || isNumber(word) // 친구 만나러, 두 상자를
      || /[을를에]$/.test(word) && /(며|면서|고|러|려고|다가|서)$/.test(next) && !/에서$/.test(next); // 사과를 깎으며
    const startOf = (at) => { // of what goes with it
      const start = at && isLoose(words[at - 1], words[at]) ? at - 1 : at;
      return start && isNumber(words[start]) && isBare(words[start - 1]) && /[을를]$/.test(words[at + 1]) ? start - 1 : start; // 커피 두 잔과 빵을
    };
    const without = words.flatMap((word, at) => isLacking(word, at) ? [[...words.slice(0, startOf(at)), ...words.slice(at + 1)].join(" ")] : []);
    const all = [...others, ...without], said = all.map((one) => /[안못않]/.test(one) && !Alike.asksWhy(text) ? one.replace(/(니|어)\?$/, "다") : one);
    return [...new Set([...all, ...said, ...said.map((one) => one.replace(/(^| )안 /, "$1못 "))])].filter((other) => other !== text && (!Alike.asksWhy(text) || Alike.asksWhy(other)));
  },

  like(text, course) {
    const all = Lacking.words(Alike.swapped(text, course).replace(/(배|목)(?=[고마])/, "$1 ")), bare = (word) => word.replace(/([은는이가을를에와과도]|에서)$/, "");
    const has = (words) => all.some((one) => bare(one) === bare(words.split(" ").at(-1)));
    const isStem = (stem) => all.some((word) => word.startsWith(stem) && /^(고|고있.*|지|러|려고|려면|면|면서|자|는|는중.*|기|기가|기를|을게|을래)?$/.test(word.slice(stem.length)));
    const isDenied = /[않못없싫]|(^| )안 /.test(text) && !Alike.asksWhy(text), isAsked = /\?$/.test(text) && !isDenied, isWish = /싶|[자래]\??$|겠/.test(text) || /\u11af ?\u1100\u1165/.test(text.normalize("NFD")); // 할 거야
    const isNow = /고 ?있(다|어요?|습니다)$/.test(text); // 읽고 있다
    const does = (who) => all.some((one) => bare(one) === bare(who) && !/[을를에와과]$/.test(one));
    const [asks, , word] = isAsked && Alike.ASKS.find(([, sign]) => all.some((one) => sign.test(one))) || [];
    const named = asks === "who" ? word : Object.keys(course.slots.who).find(does), who = isAsked && named === "나는" ? "너는" : named ?? (isAsked ? "너는" : "나는");
    const reason = course.reasons.find(([korean]) => / /.test(korean) ? has(korean.replace(/ .*/, "")) : all.some((word) => Lacking.start(word) === Lacking.start(korean)));
    const isSaid = reason && all.includes(reason[0].split(" ").at(-1)); // and not 바쁘지 않다
    if (reason && !isAsked && (!isDenied || isSaid || /없/.test(reason[0])))
      return Alike.because(who, reason, course.verbs);
    const ends = Forms.endings(all.at(-1) + (isAsked ? "?" : "")).flatMap(Forms.plain);
    const isThere = /[있없]\S*$/.test(text); // 집에 없다 tells nothing that is done
    const shared = (form) => (isThere ? [] : ["where", "what"]).filter((slot) => form[slot].some(has)).length
      + (isStem(form.stem) || ends.includes(form.korean) || all.includes(form.korean) || all.includes(form.polite));
    const worth = (form) => shared(form) + form.when.some(has) + (form.tense === (isWish ? "future" : isNow ? "present" : "past")) / 2
      + (shared(form) && Alike.usual(form));
    const canBe = (form) => (form.who.includes(who) || /너는|누가/.test(who) || !named) && !(isAsked && form.tense === "present") && (!asks || form.asked.includes(asks));
    const best = Alike.best(course.verbs.filter(canBe), worth), find = (slot) => best[slot].find(has);
    if (isAsked && (asks || shared(best))) return Alike.asking(best, asks, who, find);
    return shared(best) ? Alike.told(best, who, find, isDenied ? Forms.denied(best) : best.korean) : null;
  },

  meant(text, {verbs, slots, reasons}) {
    const said = ` ${text.toLowerCase().replace(/[^a-z]+/g, " ")} `, plain = (english) => english.toLowerCase().replace(/^(an?|the|to|to the|at|at the|in|in the) (?=\w)/, "");
    const has = (english) => new RegExp(` ${plain(english)}(e?s)? `).test(said), find = (slot, form) => form[slot].find((word) => has(slots[slot][word]));
    const [, question] = text.trim().match(/^(what|where|who|did|does|do|will)\b/i) ?? [], asks = question?.toLowerCase();
    const isDenied = / (not|never) /.test(said) || /(do|does|did|can?|could|wo|is|was)n['’]?t\b/i.test(text), reason = reasons.find(([, , , english]) => has(english));
    const now = (form) => isDenied || question && asks !== "who" ? Forms.formOf(form.stem, "present", verbs) ?? form : form; // did you buy
    const done = (form) => Elements.brief(now(form).english); // took (a photo)
    const worth = (form) => has(done(form)) * (2 + done(form).length / 5) + 3 * Boolean(find("what", form)) + Boolean(find("where", form)) + Boolean(find("when", form))
      + (form.tense === (has("will") ? "future" : / (every|often) /.test(said) || new RegExp(` ${done(form)}e?s `).test(said) ? "present" : "past")) / 2 + Alike.usual(form);
    const isAsked = ({asked}) => asked.includes(asks), isSlot = verbs.some(isAsked);
    const best = Alike.best(isSlot ? verbs.filter(isAsked) : verbs, worth), who = find("who", best) ?? best.who.find((word) => Object.keys(Alike.WHO).some((one) => has(one) && Alike.WHO[one] === word));
    const word = (slot) => find(slot, best), denied = isDenied && ((/ could/.test(said) && Forms.denied(best, "", "못")) || Forms.denied(best));
    if (reason && !question) return Alike.because(who ?? "나는", reason, verbs);
    if (worth(best) < 2 && !isSlot) return null;
    if (question) return Alike.asking(best, isSlot && asks, who && who !== "나는" ? who : "너는", word);
    return Alike.told(best, who ?? best.who[0], word, denied || best.korean);
  },

  because(who, [korean, stem, isNot], verbs) {
    const form = Forms.formOf(stem, "past", verbs);
    return [who, korean, ...form.what.slice(0, 1), isNot ? Forms.denied(form, "", "못") : form.korean].join(" ");
  },

  asking(form, asks, who, find) { // a question; asks: for what it asks, or nothing
    const word = Alike.ASKS.find(([slot]) => slot === asks)?.[2], told = (slot) => slot === asks ? word : find(slot);
    return Alike.told(form, asks === "who" ? word : who, told, form.question);
  },

  told(form, who, find, verb = form.korean) { // a sentence; find(slot): what was said of it; a habit needs a time
    const when = find("when") ?? (form.tense === "present" ? form.when[0] : null);
    return [who, when, find("where"), find("what") ?? form.what[0], verb].filter(Boolean).join(" ");
  },

  usual: ({what}) => what.length ? -(what.length > 6) / 1000 : -1 / 10, // 커피를: rather drunk than bought

  asksWhy: (text) => /(^| )왜 /.test(text),

  best: (forms, worth) => forms.reduce((one, other) => worth(other) > worth(one) ? other : one),
};
