"use strict";
/* Forms of Korean verbs, and how a sentence ends; verbs of `course_words`.

   Forms.plainly(text, verbs) → string     without what honors somebody or is only meant: 사셨어요 is 샀어요
   Forms.formOf(stem, tense, verbs) → the form of a verb in a tense, or nothing
   Forms.deniedStem(words) → string        of the verb that is denied at the end: 가, of 가지 않았다; or nothing
   Forms.denied(form, end, not) → string   먹지 않았다, or for 못 먹지 못했다, with the ending of `end`
   Forms.byEnd(end, said, asked, polite)   one of the three, as the end of a sentence is
   Forms.endings(verb), Forms.plain(verb) → [word]   what the end of a sentence may be in the course, and in a book
   Forms.sound(word) → string              what it sounds like: the same for 읽었다 and 일것다
   Forms.NUMBERS                           of things that are counted
   Forms.FUTURE                            finds an end that tells of the future, in jamo: 읽을거다 */

const Forms = {
  NUMBERS: ["두", "세", "네", "다섯"],
  FUTURE: new RegExp(`\u11af(${"거다 거야 거예요 거니 겁니다 것이다 것임 까 까요".normalize("NFD").split(" ").join("|")})(?=\\??$)`),

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

  formOf: (stem, tense, verbs) => verbs.find((one) => one.stem === stem && one.tense === tense),

  deniedStem: (words) => /^[못않]/.test(words.at(-1)) ? words.at(-2)?.match(/^(.+)지$/)?.[1] : undefined, // of 가지 않았다: 가

  denied({stem, tense}, end = "", not = "안") { // 먹지 않았다, or for 못 먹지 못했다, with the ending of `end`
    const nots = not === "못" ? {past: ["못했다", "못했니?", "못했어요"]}
      : {past: ["않았다", "않았니?", "않았어요"], present: ["않는다", "않니?", "않아요"], future: ["않을 것이다", "않을 거니?", "않을 거예요"]};
    return nots[tense] ? `${stem}지 ${Forms.byEnd(end, ...nots[tense])}` : "";
  },

  byEnd: (end, said, asked, polite) => /\?$/.test(end) ? asked : /요$/.test(end) ? polite : said,

  endings(verb) { // what the end of a sentence may be in the course
    const root = verb.match(/^(.+?)(어|습니다|습니까)\??$/)?.[1]; // 마셨어, 마셨습니다
    const tails = /\?$/.test(verb) ? ["니?"] : /습니다$/.test(verb) ? ["어요", "는다"] : ["다", "는다"];
    const asked = verb.normalize("NFD").replace(new RegExp(`\u11b8?${"니까".normalize("NFD")}\\?$`), "니?").normalize("NFC"); // 갑니까?
    return [verb, asked, verb.replace(/나요\?$/, "니?"), ...root ? tails.map((tail) => root + tail) : [], Forms.joined(verb.replace(/니다$/, "다"), "\u11b8"), verb + "요"];
  },

  plain(verb) { // forms of it as they stand in a book
    const stem = verb.replace(/(어요|요|니\??)$/, "");
    return [verb, ...["다", "는다"].map((end) => stem + end), Forms.joined(stem + "다", ""), verb.replace(/거(예요|니\??)$/, "것이다")];
  },

  joined: (verb, last) => verb.normalize("NFD").replace(new RegExp(last + "\u1103\u1161$"), "\u11ab\u1103\u1161").normalize("NFC"), // 가다, 갑다: 간다

  CARRIED: { // a last consonant is said with the vowel after it
    "\u11a8": "\u1100", "\u11ab": "\u1102", "\u11ae": "\u1103", "\u11af": "\u1105", "\u11b7": "\u1106", "\u11b8": "\u1107", "\u11ba": "\u1109",
    "\u11bd": "\u110c", "\u11b0": "\u11af\u1100", "\u11b2": "\u11af\u1107", "\u11b9": "\u11b8\u1109",
  },

  sound: (word) => word.normalize("NFD").replace(/([\u11a8-\u11bd])\u110b/g, (all, last) => Forms.CARRIED[last] ?? all).replace(/\u11bb/g, "\u11ba"),
};
