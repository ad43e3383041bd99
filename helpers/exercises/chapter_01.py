"""The exercises of chapter 01."""

from helpers.exercises.kinds import Exercise, Exploration, Prediction
from helpers.tokenization import learn_merges, merge_pair

PAPER = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def _first_pieces():
    alphabet = sorted(set("".join(PAPER)))
    return ["".join(pair) for pair in learn_merges(PAPER, alphabet, len(alphabet) + 3)]


first_pieces = Prediction(
    answer=_first_pieces,
    hints=[
        "쌍마다 그 쌍이 든 단어의 횟수를 더하세요. 예: l·o는 5 + 2.",
        "For each pair add the counts of the words that contain it, e.g. l·o: 5 + 2.",
        "가장 많은 것은 9번이고, 그런 쌍이 둘입니다. 동점이면 왼쪽 글자가 앞인 쌍입니다.",
        "The largest count is 9, and two pairs have it. In a tie, the earlier left character wins.",
        "붙인 다음에는 다시 세세요. newest는 이제 n·e·w·es·t입니다.",
        "Count again after each join: newest is now n·e·w·es·t.",
    ],
    why=(
        "es와 st는 9번으로 동점이고 e가 앞입니다. 다시 세면 es·t가 9번이고 w·e는 8번에서 2번으로 줄어, "
        "그다음은 7번으로 동점인 l·o와 o·w입니다.",
        "es and st tie at 9, and e comes first. Counted again, es·t has 9, and w·e is down from 8 to 2; "
        "so l·o and o·w come next and tie at 7.",
    ),
    slips=[
        ["st", "est", "lo"],
        "동점이면 왼쪽 글자가 앞서는 쌍이 먼저입니다.",
        "In a tie, the pair whose left character comes first wins.",
        ["es", "est", "we"],
        "es·t를 붙인 다음 w·e를 다시 세어 보세요.",
        "Once es·t is joined, count w·e again.",
        ["es", "est", "low"],
        "한 번에 조각 둘만 붙습니다. low는 그다음입니다.",
        "Only two pieces are joined at a time; low comes later.",
    ],
)


def _apply(word, merges):
    pieces = list(word)
    for pair in merges:
        pieces = merge_pair(pieces, pair)
    return pieces


def _leftmost_first(word, merges):
    pieces, i = list(word), 0
    while i < len(pieces) - 1:
        if (pieces[i], pieces[i + 1]) in merges:
            pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
            i = 0
        else:
            i += 1
    return pieces


def _first_only(word, merges):
    pieces = list(word)
    for pair in merges:
        for i in range(len(pieces) - 1):
            if (pieces[i], pieces[i + 1]) == pair:
                pieces[i : i + 2] = ["".join(pair)]
                break
    return pieces


def _by_replace(word, merges):
    text = " ".join(word)
    for left, right in merges:
        text = text.replace(f"{left} {right}", left + right)
    return text.split()


def _from_the_right(word, merges):
    pieces = list(word)
    for pair in merges:
        for i in range(len(pieces) - 2, -1, -1):
            if tuple(pieces[i : i + 2]) == pair:
                pieces[i : i + 2] = ["".join(pair)]
    return pieces


PAIRS = [("a", "b"), ("b", "a"), ("a", "a"), ("ab", "a"), ("b", "ab"), ("aa", "b"), ("ab", "ab")]
apply_merges = Exercise(
    spec=_apply,
    start=_leftmost_first,
    draw=lambda rng: ("".join(rng.choices("ab", k=rng.randint(1, 7))), rng.sample(PAIRS, 3)),
    cases=[
        ("가", []),
        ("파리", []),
        ("파리", [("파", "리")]),
        ("나는", [("파", "리")]),
        ("리파", [("파", "리")]),
        ("파리파리", [("파", "리")]),
        ("하하하", [("하", "하")]),
        ("파리를", [("파", "리"), ("파리", "를")]),
        ("가나다", [("나", "다"), ("가", "나")]),
        ("가나다라", [("가", "나"), ("나", "다")]),
        ("하하하하하", [("하", "하"), ("하하", "하")]),
        ("다가나라", [("다", "가"), ("가", "나")]),
        ("a-b.", [("b", "."), ("-", "b"), ("a", "-")]),
        ("lower", [("w", "e"), ("e", "r"), ("l", "o")]),
        ("1212", [("2", "1"), ("1", "2")]),
        ("여행을여행", [("여", "행"), ("행", "을"), ("여행", "을")]),
        ("xabyc", [("a", "b"), ("b", "y"), ("y", "c")]),
        ("abc", [("b", "c"), ("ab", "c")]),
    ],
    by_hand=14,
    mistakes=[
        _first_only,
        "쌍이 처음 나온 곳만 병합했습니다. 나오는 곳마다 병합해야 합니다.",
        "Only the first occurrence of a pair is merged; merge every one.",
        _by_replace,
        "글자를 넘어 문자열로 찾았습니다. 쌍은 이미 붙은 조각 안에서 찾지 않습니다.",
        "This searches the text; a pair must match two whole pieces, not letters inside joined ones.",
        _from_the_right,
        "오른쪽부터 병합했습니다. '하하하'는 앞의 둘이 붙습니다.",
        "This merges from the right; of three 하 in a row the first two are joined.",
    ],
    hints=[
        "쌍 둘이 글자 하나를 두고 다투는 단어를 넣어 보세요.",
        "Try a word in which two pairs compete for one character.",
        "'가나다'와 [(나, 다), (가, 나)]: 학습할 때는 나·다가 먼저 붙었습니다.",
        "Take 가나다 with [(나, 다), (가, 나)]: in training, 나·다 was joined first.",
        "바깥 반복은 merges를, 안쪽 반복은 조각을 도세요.",
        "Let the outer loop go over merges, the inner one over the pieces.",
    ],
)


def _match(word, vocabulary):
    pieces = []
    while word:
        ends = [end for end in range(len(word), 0, -1) if word[:end] in vocabulary]
        pieces.append(word[: ends[0]] if ends else "<unk>")
        word = word[ends[0] if ends else 1 :]
    return pieces


def _shortest(word, vocabulary):
    pieces = []
    while word:
        ends = [end for end in range(1, len(word) + 1) if word[:end] in vocabulary]
        pieces.append(word[: ends[0]] if ends else "<unk>")
        word = word[ends[0] if ends else 1 :]
    return pieces


def _from_the_end(word, vocabulary):
    pieces = []
    while word:
        starts = [start for start in range(len(word)) if word[start:] in vocabulary]
        start = starts[0] if starts else len(word) - 1
        pieces.insert(0, word[start:] if starts else "<unk>")
        word = word[:start]
    return pieces


def _longest_anywhere(word, vocabulary):
    for size in range(len(word), 0, -1):
        for start in range(len(word) - size + 1):
            if word[start : start + size] in vocabulary:
                left, right = word[:start], word[start + size :]
                middle = [word[start : start + size]]
                return _longest_anywhere(left, vocabulary) + middle + _longest_anywhere(right, vocabulary)
    return ["<unk>"] * len(word)


PIECES = ["a", "b", "ab", "ba", "aa", "bb", "aba", "abb", "bab", "aab"]
longest_match = Exercise(
    spec=_match,
    draw=lambda rng: ("".join(rng.choices("abc", k=rng.randint(1, 7))), {*rng.sample(PIECES, 5)}),
    cases=[
        ("", {"파"}),
        ("파", {"파"}),
        ("파", set()),
        ("파리", {"파", "리"}),
        ("파리", {"파", "리", "파리"}),
        ("파리에서", {"파리", "에", "서", "에서"}),
        ("파리파리", {"파리"}),
        ("파리", {"파리에"}),
        ("☕파리", {"파리"}),
        ("파☕🥖리", {"파", "리"}),
        ("파리☕", {"파리"}),
        ("abcd", {"a", "ab", "bcd", "c", "d", "b"}),
        ("abcd", {"ab", "abc", "cd"}),
        ("파리에서는요", {"파리에서는", "파리", "에서는", "요", "서"}),
        ("abcdefgh", {*"abcdefgh", "ab", "abc", "cdef", "fgh", "gh"}),
        ("1.25kg", {"1", ".", "25", "2", "k", "kg"}),
        ("Ab", {"ab", "A"}),
    ],
    by_hand=("abcd", {"a", "b", "ab", "bcd", "cd"}),
    mistakes=[
        _shortest,
        "맞는 조각 가운데 가장 짧은 것을 골랐습니다.",
        "This takes the shortest piece that fits, not the longest.",
        _from_the_end,
        "단어의 끝에서부터 떼어 냈습니다. 왼쪽에서 시작하세요.",
        "This cuts from the end of the word; start at the left.",
        _longest_anywhere,
        "단어 전체에서 가장 긴 조각을 먼저 골랐습니다. 왼쪽 끝에서 시작하는 조각만 봅니다.",
        "This takes the longest piece anywhere; look only at pieces that begin at the left end.",
        lambda word, vocabulary: [char if char in vocabulary else "<unk>" for char in word],
        "글자 하나짜리 조각만 찾았습니다.",
        "Only pieces of one character are looked for.",
    ],
    hints=[
        "남은 단어의 앞부분을, 긴 것부터 짧은 것으로 차례로 찾아보세요.",
        "Look up the beginnings of the rest of the word, from long to short.",
        "`word[:end]`에서 end를 len(word)부터 1까지 줄입니다.",
        "In `word[:end]`, let end go down from len(word) to 1.",
        "찾으면 `word = word[end:]`로 줄이고, 못 찾으면 <unk>를 적고 글자 하나를 버립니다.",
        "If found, shorten with `word = word[end:]`; if not, write <unk> and drop one character.",
    ],
)


own_text = Exploration(
    look_for=(
        "비슷한 글로 학습한 토크나이저는 훨씬 작아도 토큰을 더 적게 쓸 수 있습니다. 크기를 늘릴수록 토큰은 "
        "덜 줄고, 글이 짧으면 붙일 쌍이 먼저 바닥나 지정한 크기보다 작은 데서 멈춥니다.",
        "A tokenizer trained on similar text can take fewer tokens even if it is much smaller. The larger it "
        "gets, the less each step saves, and with little text the pairs run out before the size asked for.",
    ),
    hints=[
        "크기를 한 단계 늘릴 때마다 토큰이 몇 % 줄어드는지 계산해 보세요.",
        "Compute by how many percent each step in size lowers the number of tokens.",
        "크기를 고르는 기준을 먼저 세우세요. 예: 토큰이 10% 넘게 줄 때만 키운다.",
        "Set a criterion for the size first, such as: go larger only if that saves over 10% of the tokens.",
    ],
)
