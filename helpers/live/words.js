"use strict";
/* What the translator of a course knows of Korean, as functions of a word or of a text.

   Words.of(engine, course) → all of them; course of `course_words`, or null: then no word is unknown
     seen, meanings         a set of the words that it has learned, and {word: what it means}
     formOf(word)           of the verbs of the course the one that is written so
     askedBy(object)        how one asks for it, in both languages: ["어디에", "where to"]
     isUnknown(word)        whether the course does not have it
     apart(word)            the same with the spaces that it lacks, or null
     meantBy(word, all)     what a misspelled word of these may mean, or null
     isNewShape(text)       whether no sentence that it has learned is built so; isOfNoKind, for whatever reason
     topicFirst(text)       the same in the usual order, or null
     taught(text)           the same as the course writes it, or null; and rewritten tells how that was found
     likeOf(text)           another of which it knows the words, or null
   The others are what their names and comments say.
   Words.TENSES             each with its name in both languages */

const Words = (() => {
  const {brief} = Elements;
  const KOREAN = /[ㄱ-ㅣ가-힣]/;
  const TENSES = [["past", "과거", "past"], ["present", "현재(습관)", "present (habit)"], ["future", "미래", "future"]];

  function of(engine, course) {
    const spelled = (course?.known ?? []).map((word) => ({word, letters: word.normalize("NFD"), sound: Forms.sound(word)}));
    const seen = new Set(course?.known), known = new Set([...seen, ...Object.keys(course?.glosses ?? {})]);
    const meanings = Object.create(null);
    if (course) {
      for (const words of [course.meanings, course.parts, ...Object.values(course.slots)]) Object.assign(meanings, words);
      for (const verb of course.verbs) meanings[verb.korean] = verb.english;
    }

    const wordsOf = (text) => text.split(/\s+/), isLong = (text) => Boolean(course) && wordsOf(text).length > course.longest;
    const isSeen = (word) => seen.has(word.replace(/\?$/, ""));

    function isUnknown(word) { // a word that the course does not have, or a character spelled in bytes
      const bare = word.replace(/\?$/, "");
      const isForm = bare !== "않" && Lacking.withParticle(bare, "을를", (form) => seen.has(form)); // 두 권, of 두 권을; but not 않, of 않을
      return bare !== "" && (course && !known.has(bare) && !isForm || engine.encode(word).some((id) => engine.src.isByte(id)));
    }

    const isNoKorean = (text) => Boolean(course) && !KOREAN.test(text);
    const hasUnknown = (text) => Boolean(course) && wordsOf(text).some(isUnknown);
    const isMostlyForeign = (text) => Boolean(course) && wordsOf(text).filter(isUnknown).length > wordsOf(text).length / 2;
    const isForeign = (text) => Boolean(course) && text.split(" ").every(isUnknown); // no word of the course in it

    function apart(word) { // known words without the spaces between, with them: 파리여행을
      const split = (rest) => {
        for (let i = rest.length; i > 0; i--) {
          const more = seen.has(rest.slice(0, i)) && (i === rest.length ? [] : split(rest.slice(i)));
          if (more) return [rest.slice(0, i), ...more];
        }
        return null;
      };
      const parts = word.length > 3 ? split(word) : null;
      return parts?.length > 1 ? parts.join(" ") : null;
    }

    function meantBy(word, all) { // of the words of a sentence: a known one that differs by a letter: in 어재, ㅐ for ㅔ; or nothing
      const isNearEnd = all.indexOf(word) > all.length - 3, isNoun = (other) => Lacking.withParticle(other, "을를", (form) => seen.has(form));
      const isRead = (other) => seen.has(other) && !isUnknown(other) && !/지$/.test(other) && (isNearEnd || !isNoun(other)); // 가지 needs 않다 after it, and 사진 what is done to it: not 사준 in 사준 책을
      const letters = word.normalize("NFD"), sound = Forms.sound(word), isNear = (rest, isStrict) => {
        let same = 0;
        while (same < letters.length && letters[same] === rest[same]) same++;
        const isMistaken = /^([\u1161-\u1175]{2}|[\u11ba\u11bb]{2}|[\u1111\u1108]{2}|[\u1103\u1104]{2}|[\u1100\u1101]{2})$/.test(letters[same] + rest[same]); // a vowel, ㅅ for ㅆ, ㅃ for ㅍ, ㄸ for ㄷ
        if ((isStrict || same === 0) && !isMistaken) return false; // 살아요: not 팔아요
        if (/^[있없]/.test(word) || word.length < 3 && (!isMistaken || /[을를]$/.test(word))) return false; // 삿다: 샀다, but not 잔을 for 잠을 and 읽어요 for 있어요
        const [a, b] = [letters.slice(same), rest.slice(same)];
        return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1);
      };
      const plain = [...word === all.at(-1) ? [word + "요"] : [], word + "에", word.replace(/에$/, ""), ...["어요", "다"].map((end) => shorter(word.replace(/습니다$/, end)))]; // 만났습니다: 만났어요
      const denied = word === "안" && course?.verbs.find(({korean}) => korean === all[all.indexOf(word) + 1]);
      if (/[야아]$/.test(word)) return null; // 유나야: not 유나와
      if (/지$/.test(word) && /^[않못]/.test(all[all.indexOf(word) + 1] ?? "")) return null; // 자지 않았다: not 자주
      return denied ? Forms.denied(denied) : apart(word)
        ?? (letters.length > 3 ? plain.find(isRead) ?? [true, false].map((isStrict) => spelled.find((one) => isNear(one.letters, isStrict) && isRead(one.word))?.word).find(Boolean)
          ?? spelled.find((one) => one.sound === sound && isRead(one.word))?.word ?? (/어$/.test(word) ? meantBy(word + "요", all) : null) : null); // 마셧어
    }

    const shorter = (word) => word.replace(/보았/, "봤").replace(/하였/, "했"); // as the course has it
    const englishOf = (word) => brief((meanings[word] ?? course.tenses[word] ?? course.glosses[word] ?? "").split("|")[0]);

    const formOf = (verb) => course.verbs.find(({korean}) => korean === verb);
    const askedBy = (object = "") => object.endsWith("에") ? ["어디에", "where to"] : object === "친구를" ? ["누구를", "whom"] : null;

    const isNewShape = (text) => wordsOf(text).every(isSeen)
      && !course.shapes.includes(Lacking.shape(text, course.endings));
    const isTangled = (text) => /[tsa].*[tsa]/.test(Lacking.shape(text.replace(/(^| )(비가|날씨가|시간이|배가|목이)(?= )/g, ""), course.endings)); // who does what can be mistaken, or what is done to what

    function topicFirst(text) { // the same as the course has it, or nothing: 민수가 산 책을 나는 읽었다
      const words = wordsOf(text), topics = words.filter((word) => Lacking.shape(word, course.endings) === "t");
      const other = [...topics, ...words.filter((word) => !topics.includes(word))].join(" ");
      return topics.length === 1 && other !== text && !isNewShape(other) ? other : null;
    }

    const formsAtEnd = (text) => {
      const words = Lacking.words(text), denied = Forms.deniedStem(words), ends = [words.at(-1), words.slice(-2).join(" ")].flatMap(Forms.plain); // 갈 거예요
      return hasUnknown(text) ? [] : course.verbs.filter(({stem, korean}) => denied ? stem === denied : ends.includes(korean));
    };
    const lacksObject = (text) => { // as 어제 샀다: of a verb that takes one in the course
      const forms = formsAtEnd(text);
      return forms.length > 0 && forms.every(({what}) => what.length) && !Lacking.words(text).some((word) => /[을를에]$/.test(word));
    };
    const hasOddObject = (text) => { // as 사과를 갔다, 파리에 산다: of a verb that takes another in the course
      const [object = ""] = Lacking.words(text).slice(-2), forms = formsAtEnd(text);
      const ending = course.times[object] || /(^|\s)주에$/.test(object) ? null : object.match(/[을를]$/) ? /[을를]$/ : object.match(/.에$/) ? /에$/ : null;
      return forms.length > 0 && Boolean(ending) && !forms.some(({what}) => what.some((one) => ending.test(one)));
    };
    const isOfNoKind = (text) => isNewShape(text) || lacksObject(text) || hasOddObject(text); // as no sentence of training

    const rewritten = {text: null, other: null, isSlip: false, isNear: false}; // isNear: with other words

    function taught(text) { // the same as the course writes it, if it has such sentences; asked for more than once
      if (!course || isLong(text)) return null;
      if (rewritten.text !== text) Object.assign(rewritten, {text, ...rewrite(text)});
      return rewritten.other;
    }

    function rewrite(text) {
      const all = wordsOf(text);
      const spell = () => all.map((word) => isSeen(word) || word === "안" ? word : isUnknown(word) ? meantBy(word, all) ?? word : shorter(word)).join(" ");
      const asSpelled = (meant) => Taught.of(meant, course) ?? meant, form = Taught.of(text, course), other = form ?? asSpelled(spell());
      const first = (one) => isRight(one) ? one : topicFirst(one) ?? one; // 형이 산 책을 나는 읽었다
      const isRight = (one) => one !== text && wordsOf(one).every(isSeen) && !isOfNoKind(one) && !Lacking.oddTime(one, course.times, course.tenses).length;
      if (isRight(first(other))) return {other: first(other), isSlip: !form, isNear: false};
      return {other: [text, spell()].flatMap((one) => Alike.near(one, course)).map(asSpelled).map(first).find(isRight) ?? null, isSlip: !form, isNear: true};
    }

    function likeOf(text) { // one whose words it knows: it never saw who is not met
      const plain = (english) => english.toLowerCase().replace(/[^a-z]+/g, " ").trim(), example = course.examples.find(([, english]) => plain(english) === plain(text));
      if (example) return example[0];
      const like = isLong(text) ? null : isNoKorean(text) ? Alike.meant(text, course) : Alike.like(text, course);
      return like && wordsOf(like).every(isSeen) ? like : null;
    }

    return {
      seen, meanings, wordsOf, isSeen, isLong, isUnknown, isNoKorean, hasUnknown, isMostlyForeign, isForeign,
      apart, meantBy, englishOf, formOf, askedBy, isNewShape, isTangled, topicFirst, formsAtEnd, lacksObject,
      hasOddObject, isOfNoKind, rewritten, taught, rewrite, likeOf,
    };
  }

  return {of, TENSES};
})();
