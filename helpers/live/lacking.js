"use strict";
/* Lacking.find(text, translation, glosses) → [[word, its English], …]: words whose English the translation lacks, or
   has less often than the text has the word; glosses of `english_of_words`. A right translation lacks none. */

const Lacking = {
  find(text, translation, glosses) {
    const said = translation.toLowerCase().match(/[a-z]+/g) ?? [], needed = new Map(); // English → Korean words
    for (const word of text.replace(/\?$/, "").split(/\s+/)) {
      const english = glosses[word];
      if (english) needed.set(english, [...needed.get(english) ?? [], word]);
    }
    return [...needed].flatMap(([english, words]) => {
      const forms = english.toLowerCase().split("|");
      return words.slice(said.filter((one) => forms.includes(one)).length).map((word) => [word, english.split("|")[0]]);
    });
  },
};
