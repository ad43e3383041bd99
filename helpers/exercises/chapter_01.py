"""The exercises of chapter 01."""

from collections import Counter

from helpers.exercises.kinds import Exercise, Mistake
from helpers.tokenization import merge_pair


def _words(texts):
    return [word for text in texts for word in text.split()]


build_vocabulary = Exercise(
    spec=lambda texts: {word: id for id, word in enumerate(dict.fromkeys(_words(texts)))},
    cases=[
        (["파리"],),
        (["파리 여행"],),
        (["파리  여행"],),
        (["나는 나는 파리"],),
        (["나는 파리", "너는 파리"],),
        (["나는 최근 파리 여행을 다녀왔다", "나는 최근 서울 여행을 다녀왔다"],),
    ],
    mistakes=[
        Mistake(
            lambda texts: {word: id for id, word in enumerate(_words(texts))},
            "서로 다른 단어가 아니라 토큰마다 번호를 매겨서, 같은 단어가 또 나오면 번호에 구멍이 생깁니다.",
            "This numbers every token, not every distinct word: a repeated word leaves a hole in the ids.",
        ),
        Mistake(
            lambda texts: {word: id for id, word in enumerate(sorted(set(_words(texts))))},
            "가나다순으로 번호를 매겼습니다. 처음 나온 순서여야 합니다.",
            "The ids are in alphabetical order; they should follow first appearance.",
        ),
        Mistake(
            lambda texts: {word: id for id, word in enumerate(dict.fromkeys(_words(texts)), start=1)},
            "번호가 1부터 시작합니다. 0부터여야 합니다.",
            "The ids start at 1; they should start at 0.",
        ),
        Mistake(
            lambda texts: {word: id for id, word in enumerate(dict.fromkeys(_words(texts[:1])))},
            "첫 문장만 보았습니다. 모든 문장의 단어가 필요합니다.",
            "Only the first text is read; take the words of all of them.",
        ),
    ],
)


def _pairs(words, weigh=lambda count: count, unique=list):
    total = Counter()
    for word, count in words.items():
        for pair in unique(zip(word, word[1:], strict=False)):
            total[pair] += weigh(count)
    return total


def _first_best(total):
    return max(total, key=total.get)  # of equals, max keeps the one that came first


most_frequent_pair = Exercise(
    spec=lambda words: _first_best(_pairs(words)),
    cases=[
        ({"파리": 1},),
        ({"나는": 1, "파리": 2},),
        ({"서울": 1, "가나": 1},),
        ({"가나": 1, "서울": 1},),
        ({"가나": 1, "다나": 1, "파리에": 3},),
        ({"하하하": 2, "파리": 3},),
        ({"파리를": 3, "파리에": 2, "서울을": 4, "여행을": 2},),
    ],
    mistakes=[
        Mistake(
            lambda words: _first_best(_pairs(words, weigh=lambda count: 1)),
            "단어가 몇 번 나왔는지를 빠뜨렸습니다. 쌍마다 단어의 횟수만큼 더하세요.",
            "The words' counts are ignored; add the count of the word for each pair.",
        ),
        Mistake(
            lambda words: _first_best(_pairs(words, unique=lambda pairs: list(dict.fromkeys(pairs)))),
            "한 단어 안에서 되풀이되는 쌍을 한 번만 셌습니다.",
            "A pair that repeats inside a word is counted only once.",
        ),
        Mistake(
            lambda words: min(_pairs(words), key=_pairs(words).get),
            "가장 드문 쌍을 골랐습니다.",
            "This picks the rarest pair.",
        ),
        Mistake(
            lambda words: max((count, pair) for pair, count in _pairs(words).items())[1],
            "횟수가 같을 때 먼저 나온 쌍이 아니라 가나다순으로 뒤인 쌍을 골랐습니다.",
            "Of pairs equally frequent this picks the last in alphabetical order, not the first seen.",
        ),
        Mistake(
            lambda words: max(reversed(_pairs(words)), key=_pairs(words).get),
            "횟수가 같을 때 먼저 나온 쌍이 아니라 나중에 나온 쌍을 골랐습니다.",
            "Of pairs equally frequent this picks the last seen, not the first.",
        ),
        Mistake(
            lambda words: "".join(_first_best(_pairs(words))),
            "쌍을 합친 문자열을 돌려주었습니다. (왼쪽, 오른쪽) 튜플이어야 합니다.",
            "This returns the joined string; return the tuple (left, right).",
        ),
    ],
)


def _apply(word, merges):
    pieces = list(word)
    for pair in merges:
        pieces = merge_pair(pieces, pair)
    return pieces


def _first_only(word, merges):
    pieces = list(word)
    for pair in merges:
        for i in range(len(pieces) - 1):
            if (pieces[i], pieces[i + 1]) == pair:
                pieces[i : i + 2] = ["".join(pair)]
                break
    return pieces


def _leftmost(word, merges):
    pieces, i = list(word), 0
    while i < len(pieces) - 1:
        if (pieces[i], pieces[i + 1]) in merges:
            pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
            i = 0
        else:
            i += 1
    return pieces


def _by_replace(word, merges):
    text = " ".join(word)
    for left, right in merges:
        text = text.replace(f"{left} {right}", left + right)
    return text.split()


apply_merges = Exercise(
    spec=_apply,
    cases=[
        ("가", []),
        ("파리", [("파", "리")]),
        ("나는", [("파", "리")]),
        ("파리파리", [("파", "리")]),
        ("파리를", [("파", "리"), ("파리", "를")]),
        ("가나다", [("나", "다"), ("가", "나")]),
        ("가나다라", [("가", "나"), ("나", "다")]),
        ("다가나라", [("다", "가"), ("가", "나")]),
        ("하하하", [("하", "하"), ("하하", "하")]),
        ("여행을여행", [("여", "행"), ("행", "을"), ("여행", "을")]),
    ],
    mistakes=[
        Mistake(
            lambda word, merges: _apply(word, merges[::-1]),
            "병합을 배운 순서의 반대로 적용했습니다. 먼저 배운 것부터 적용하세요.",
            "The merges are applied last learned first; start with the earliest.",
        ),
        Mistake(
            _first_only,
            "쌍이 처음 나온 자리만 병합했습니다. 나오는 자리마다 병합해야 합니다.",
            "Only the first occurrence of a pair is merged; merge every one.",
        ),
        Mistake(
            _leftmost,
            "맨 왼쪽 쌍부터 병합했습니다. 자리가 아니라 배운 순서가 먼저입니다.",
            "The leftmost pair is merged first; the order learned comes before the place.",
        ),
        Mistake(
            _by_replace,
            "글자를 넘어 문자열로 찾았습니다. 쌍은 이미 붙은 조각 안에서 찾지 않습니다.",
            "This searches the text; a pair must match two whole pieces, not letters inside joined ones.",
        ),
        Mistake(
            lambda word, merges: list(word),
            "글자로 나누기만 하고 병합하지 않았습니다.",
            "The word is cut into characters, and nothing is merged.",
        ),
    ],
)
