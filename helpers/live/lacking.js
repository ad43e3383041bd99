"use strict";
/* Lacking.find(text, translation, glosses) → [[word, its English], …]: words whose English the translation lacks, or
   has less often than the text has the word; glosses of `english_of_words`. A right translation lacks none.
   Lacking.count(translation, english) → number  of times that it has one of the words with | between them
   Lacking.added(text, translation, glosses) → [word]: words that nothing in the text stands for, and those of `SOURCES`
   where not as many do; a right one adds none.
   Lacking.tense(text, translation, tenses) → [[word, its English], …]: verbs whose tense the translation has not; tenses
   of `tenses_of_words`.
   Lacking.oddTime(text, times, tenses) → [word]   a time and a verb of another tense at the end: 내일 …, 다녀왔다; or nothing
   Lacking.roles(text, translation, course) → boolean     whether who bought “the book that Minsu bought” is as in the text;
   null where that cannot be told
   Lacking.ends(translation) → boolean        whether it comes to the end of a sentence
   Lacking.repeats(translation) → boolean     whether it says the same again at once
   Lacking.start(word) → string               how it begins, in jamo
   Lacking.negates(word) → boolean            whether a Korean word says “not”
   Lacking.isBroken(translation) → boolean    whether words stand side by side that no English has so: a apples
   Lacking.words(text) → [word]               without the question mark
   Lacking.withParticle(word, particles, isKnown) → the first that is known of the word with one of these, or nothing
   Lacking.shape(text, endings) → string      as shape_of in known_words.py */

const LOOSE = [[/^(take|took)/, /산책|여행|다녀|사진|찍|[타탔탄탈탑]/], [/^dr[ae]w/, /그[리린릴렸려립]/], [/^walk/, /산책/]]; // English of no word alone: took a walk

const FREE = /^(not|takes?|took|you)$/; // words that a right translation may have more often than the text

const BROKEN = [
  /^[a-z]/, /^Because [^,]*$/, /^(Did|Do|Does|Will)\b.*,? but\b/, /\b(trip|went|goe?s?) [A-Z]/, /\b[Mm]y ([A-Z]\w+|the|an?)\b/, /^(?!Because|Last|Next|Every|Yesterday|Tomorrow)[^,]+, (he|she|they|we|I) /, // had no time, he
  /[a-z],? (Do|Does|Did|Will|What|Where|Because|The|My|He|She|We|They|You|Last|Next|Every)\b/, // a second beginning
  /\b(two|three|four|five|six) (?:\w+ )?(apple|book|letter|movie|picture|photo|puppy|friend|cup|kid|chair|cake)\b/, // three apple
  /\b(an?|the|my) (yesterday|tomorrow|every|last|next)\b/, /\b[Dd]o (my older \w+|[A-Z]\w+)\b/, /\b[Dd]oes (I|you|we|my friends|the children)\b/,
  /\b(an?|the|my) (an?|the|my|not|did|was|were|will|to|at|in|for|of|but|because|drink|drank|eat|ate|buy|bought|sell|sold|write|wrote|meet|met|go|went|draw|drew)\b/, /\b(to|at|in|for|of) (to|at|in|for|of|not|did|was|will|but|because)\b/,
  /\ban? \w+ (not|an?|the|did|will)\b/, /\ban? \w+[^su]s\b/, /\ba ([aeio]|umb)/, /\b(was|were|is|are) (an?|the|my|did)\b/,
  /\b(did|do|does) (you|I|we|[A-Z]\w+|my( older)? \w+|the children) (ate|bought|did|drank|drew|made|met|sold|studied|taught|took|was|went|wrote)\b/, /\ban? (\w+ \w+[^su]s|[A-Z]\w+)\b/,
  /\b(I|[Ww]e|friends|children) (buys|does|draws|drinks|eats|goes|learns|makes|meets|reads|sells|studies|takes|teaches|uses|watches|works|writes)\b/,
  /\bolder (?!brother|sister)/, /\b(not|will|could) (ate|bought|did|drank|drew|made|met|sold|studied|taught|took|was|went|wrote)\b/,
];

const SOURCES = { // English of parts of words
  because: /(^|[^에께])서$/, but: /지만$/, not: /않|못|없(?!어서)|^안$/, could: /못|없(?!어서)|있|수$/, week: /주에?$/, every: /^매|마다$|모든/,
  cups: /잔/, glasses: /잔/, pieces: /조각/, rolls: /줄/,
};

const Lacking = {
  withParticle: (word, particles, isKnown) => [...particles].map((particle) => word + particle).find(isKnown), // 친구와, of 친구

  words: (text) => text.replace(/\?$/, "").split(/\s+/),

  find(text, translation, glosses) {
    const needed = new Map(); // English → Korean words
    for (const word of Lacking.words(text)) {
      const english = glosses[word];
      if (english) needed.set(english, [...needed.get(english) ?? [], word]);
    }
    return [...needed].flatMap(([english, words]) =>
      words.slice(Lacking.count(translation, english)).map((word) => [word, english.split("|")[0]]));
  },

  count(translation, english) { // took a trip is one
    const said = translation.toLowerCase().match(/[a-z]+/g) ?? [], forms = english.toLowerCase().split("|");
    return said.filter((one, i) => forms.includes(one) && !(said[i - 1] === "a" && forms.includes(said[i - 2]))).length;
  },

  added(text, translation, glosses) {
    const words = Lacking.words(text), said = translation.toLowerCase().split(/[^a-z]+/);
    const englishOf = (all) => new Set(all.flatMap((english) => english.toLowerCase().split("|")));
    const formOf = (word) => glosses[word] ? word : Lacking.withParticle(word, "는은를을에", (form) => glosses[form]); // 우리: 우리는
    const partsOf = (word) => {
      const root = word.replace(/(어|아|래|까|네|지|죠)요?\??$/, ""); // 갔어, 볼래
      return formOf(word) ?? Object.keys(glosses).filter((part) => part.length > 1 && word.includes(part) || part === root || part === root + "다"
        || /[^에]서$/.test(part) && Lacking.start(part) === Lacking.start(word)); // 파리여행을, and 좋다 of 좋아서
    };
    const parts = words.flatMap(partsOf), oftenIn = (word) => parts.filter((part) => englishOf([glosses[part]]).has(word)).length;
    const count = (word) => Lacking.count(translation, word);
    const isFree = (word) => FREE.test(word) || /^(i|we)$/.test(word) && words.some((one) => /[은는]$/.test(one) && glosses[one]?.toLowerCase() === word); // I sold what I bought
    const more = [...Object.keys(SOURCES).filter((word) => count(word) > words.filter((one) => SOURCES[word].test(one)).length),
      ...new Set(said.filter((word) => !isFree(word) && oftenIn(word) > 0 && count(word) > oftenIn(word)))]; // drank, drank
    const known = englishOf(Object.values(glosses)), there = englishOf(parts.map((part) => glosses[part]));
    const isLater = there.has("tomorrow") || there.has("next"); // 내일 간다 is will go
    const isMade = (word) => word !== "not" && known.has(word) && !there.has(word) && !(isLater && word === "will");
    const isLoose = (word, i) => LOOSE.some(([english, korean]) => english.test(word) && korean.test(text))
      && !isMade(said.slice(i + 1).find((one) => one && !/^(an?|the|my)$/.test(one)));
    return [...more, ...new Set(said.filter((word, i) => isMade(word) && !isLoose(word, i)))];
  },

  tense(text, translation, tenses) {
    const said = new Set(translation.toLowerCase().match(/[a-z]+/g)), all = Lacking.words(text);
    const isOfOne = (i) => /^(누나|형|동생|민수|유나)/.test(all.slice(0, i).findLast((word) => /[은는이가]$/.test(word)) ?? ""); // she reads: read is no present
    const formsOf = (word) => tenses[word]?.split("|") ?? [], isSaid = (one) => said.has(one);
    const isPast = (word) => formsOf(word).some((one) => one === "did" || one === "could"), isPresent = (word) => formsOf(word).includes("does");
    const isLate = isSaid("did") && !isSaid("do") && !isSaid("does") && !all.some(isPast); // did you go: go is no present
    const right = (word, i) => isPresent(word) && isOfOne(i) && !isSaid("do") ? formsOf(word).slice(1) : formsOf(word);
    const isWrong = (word, i) => isLate && isPresent(word) || !right(word, i).some(isSaid);
    return all.filter((word, i) => tenses[word] && isWrong(word, i)).map((word) => [word, formsOf(word)[0]]);
  },

  oddTime(text, times, tenses) {
    const all = Lacking.words(text), ends = all.map((word, i) => i < all.length - 1 && /지만$|[.?!]$/.test(word)), verb = all.at(-1);
    const from = ends.lastIndexOf(true) + 1, clause = all.slice(from).join(" ");
    if (!/[다니요까]$/.test(verb)) return []; // 사과를 샀다 어제
    const tense = /(것이다|거니|거예요|겁니다|겠다|게요|[^니]까요?)$/.test(verb) ? "future"
      : /\u11bb(\u1103\u1161|\u1102\u1175|\u110b\u1165\u110b\u116d|\u1109\u1173\u11b8)/.test(verb.normalize("NFD")) ? "past" : "present"; // 왔다, 왔니, 왔어요, 왔습니다
    const time = Object.keys(times).find((one) => ` ${clause} `.includes(` ${one} `) && times[one] !== tense);
    const isOfAnother = time && all.slice(all.indexOf(time.split(" ").at(-1), from) + 1, -1).some((word) => tenses[word]); // 어제 산 책을 읽을
    return time && !isOfAnother ? [time, verb] : [];
  },

  roles(text, translation, {slots, glosses}) {
    const people = Object.keys(slots.who), isPerson = (word) => people.some((one) => word.slice(0, -1) === one.slice(0, -1));
    const who = Lacking.words(text).map((word) => Taught.SAID[word] ?? word).filter((word) => /[은는이가]$/.test(word) && isPerson(word)); // 내가, too
    const main = who.find((word) => /[은는]$/.test(word)) ?? who.at(-1), other = who.find((word) => word !== main);
    const inside = translation.match(/\bthat (?:my )?(?:older |younger )?(\w+)/)?.[1].toLowerCase();
    const isOf = (word) => (glosses[word] ?? "").toLowerCase().split("|").includes(inside);
    return who.length !== 2 || isOf(main) === isOf(other) ? null : isOf(other);
  },

  start: (word) => word.normalize("NFD").slice(0, 3), // 바쁘다: 바빠서

  negates: (word) => SOURCES.not.test(word),

  isBroken: (translation) => BROKEN.some((one) => one.test(translation.replace(/^(Did|Does) (My|The)\b/, "$1").replace(/^you\b/, "You"))), // only a capital is wrong

  ends: (translation) => /[.?]$/.test(translation),

  repeats: (translation) => /\b(\w+(?: \w+)*),? \1\b|\b(\w+ \w+) (?:the|an?) \2\b/i.test(translation), // went to the went to

  shape(text, endings) {
    const letterOf = (word) => endings.find(([, ending]) => new RegExp(ending).test(word))?.[0] ?? "";
    return text.split(/\s+/).map((word) => letterOf(word.replace(/\?$/, ""))).join("");
  },
};
