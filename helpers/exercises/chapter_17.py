"""The exercises of chapter 17."""

from functools import partial

from helpers.exercises.kinds import Exercise, Exploration, Prediction

sentences_for_half = Prediction(
    answer=1200,
    near=0.05,
    why=(
        "흔들리는 폭은 문장 수의 제곱근에 반비례하므로, 반으로 줄이려면 네 배인 1,200문장이 필요합니다.",
        "The spread falls with the square root of the number of sentences; half of it takes four times as "
        "many, 1,200.",
    ),
    hints=[
        "동전을 100번 던질 때와 400번 던질 때, 앞면의 비율은 얼마나 흔들릴까요?",
        "How much does the share of heads vary in 100 tosses of a coin, and in 400?",
        "폭은 문장 수가 아니라 그 제곱근에 반비례합니다.",
        "The width falls with the square root of the number of sentences, not with the number.",
        "√n이 두 배가 되려면 n은 몇 배여야 할까요?",
        "How many times n makes √n twice as large?",
    ],
    slips=[
        600,
        "폭은 문장 수가 아니라 그 제곱근에 반비례합니다.",
        "The width falls with the square root of the number of sentences.",
    ],
)


def _plain(text):
    return text.strip().lower()


def _clean_test(train, test, plain=_plain, sides=(0, 1), enough=any, swapped=False):
    seen = [{plain(pair[side]) for pair in train} for side in (0, 1)]
    seen = seen[::-1] if swapped else seen
    return [pair for pair in test if not enough(plain(pair[side]) in seen[side] for side in sides)]


_TRAIN = [("파일 열기", "Open file"), ("닫기", "Close"), ("저장", "Save"), ("Save", "저장하기")]
_TEST = [
    ("파일 열기", "Open a file"),
    ("창 닫기", "Close"),
    ("파일 지우기", "Delete file"),
    ("저장", "Save"),
    ("모두 보기 ", "open file"),
    (" 닫기", "Shut"),
    ("Close", "닫기"),
    ("파일 지우기", "Delete file"),
]

clean_test = Exercise(
    spec=_clean_test,
    cases=[
        ([("닫기", "Close")], [("닫기", "Close"), ("열기", "Open")]),
        ([("닫기", "Close"), ("열기", "Open")], [("닫기", "Open"), ("가기", "Go")]),
        ([("닫기", "Close")], [("닫기", "Shut"), ("창 닫기", "Close"), ("열기", "Open")]),
        ([("닫기", "Close")], [("Close", "닫기")]),
        ([("닫기", "Close")], [("창", " close"), ("닫기 ", "Shut"), ("열기", "Open")]),
        ([("닫기", "Close")], [("열기", "Open"), ("가기", "Go"), ("열기", "Open")]),
        (_TRAIN, _TEST),
        ([], [("열기", "Open")]),
    ],
    by_hand=4,
    mistakes=[
        lambda train, test: [pair for pair in test if pair not in train],
        "쌍이 통째로 같은 것만 뺐습니다. 한쪽만 같아도 빼야 합니다.",
        "Only pairs that are equal as a whole are left out; one equal side is enough.",
        partial(_clean_test, enough=all),
        "두 쪽이 모두 학습에 있는 쌍만 뺐습니다. 한쪽만 있어도 빼야 합니다.",
        "Only pairs with both sides in training are left out; one side is enough.",
        partial(_clean_test, sides=(0,)),
        "원문만 보았습니다. 번역문도 학습에 없어야 합니다.",
        "Only sources are compared; the target may not occur either.",
        partial(_clean_test, sides=(1,)),
        "번역문만 보았습니다. 원문도 학습에 없어야 합니다.",
        "Only targets are compared; the source may not occur either.",
        partial(_clean_test, plain=lambda text: text),
        "대소문자나 공백만 다른 문장을 다른 문장으로 보았습니다.",
        "Sentences that differ only in capitals or spaces count as different here.",
        partial(_clean_test, plain=lambda text: text.lower()),
        "양 끝의 공백만 다른 문장을 다른 문장으로 보았습니다.",
        "Sentences that differ only in spaces at their ends count as different here.",
        partial(_clean_test, plain=lambda text: text.strip()),
        "대소문자만 다른 문장을 다른 문장으로 보았습니다.",
        "Sentences that differ only in capitals count as different here.",
        partial(_clean_test, swapped=True),
        "원문을 번역문과, 번역문을 원문과 비교했습니다.",
        "Sources are compared with targets, and targets with sources.",
        lambda train, test: list(dict.fromkeys(_clean_test(train, test))),
        "시험에 두 번 있는 쌍을 한 번으로 줄였습니다. 학습과 겹치는 것만 빼세요.",
        "A pair that occurs twice in the test is left once; leave out only what training has, too.",
    ],
    hints=[
        "학습의 원문을 모은 집합과 번역문을 모은 집합을 따로 만드세요.",
        "Make one set of the sources of training, and one of its targets.",
        "비교하기 전에 text.strip().lower()로 고치세요. 돌려줄 때는 원래의 쌍입니다.",
        "Compare text.strip().lower(), but return the pairs as they were given.",
        "두 집합 가운데 하나에라도 있으면 그 쌍을 뺍니다.",
        "Leave a pair out as soon as one of its sides is in its set.",
    ],
)


def _score_of_draw(matches, totals, rows, of=lambda totals, rows: sum(totals[row] for row in rows)):
    return sum(matches[row] for row in rows) / of(totals, rows)


def _mean_share(matches, totals, rows):
    return sum(matches[row] / totals[row] for row in rows) / len(rows)


score_of_draw = Exercise(
    spec=_score_of_draw,
    cases=[
        ([1, 9], [2, 10], [0, 1]),
        ([1, 3], [4, 4], [0, 0]),
        ([1, 3], [4, 4], [1, 0]),
        ([1, 9, 0], [2, 10, 5], [2, 2, 1]),
        ([5, 0, 7, 2], [8, 3, 20, 2], [3, 0, 3, 3]),
        ([5, 0, 7, 2], [8, 3, 20, 2], [2, 2, 1, 0]),
    ],
    by_hand=([1, 3], [2, 4], [1, 1, 0]),
    start=lambda matches, totals, rows: _mean_share(matches, totals, set(rows)),
    mistakes=[
        _mean_share,
        "문장마다 비율을 구해 평균했습니다. 말뭉치의 점수는 횟수를 더한 다음에 나눕니다(12장).",
        "This averages the shares of sentences; a corpus score adds up the counts and divides last "
        "(chapter 12).",
        lambda matches, totals, rows: _score_of_draw(matches, totals, set(rows)),
        "두 번 뽑힌 문장을 한 번만 셌습니다. 되돌려 놓으며 뽑았으니 뽑힌 만큼 셉니다.",
        "A sentence drawn twice counts once here; drawn with replacement, it counts as often as it was "
        "drawn.",
        partial(_score_of_draw, of=lambda totals, rows: sum(totals)),
        "분모는 모든 문장이 아니라 뽑힌 문장에서 더합니다.",
        "The denominator adds up all sentences; add up those that were drawn.",
        lambda matches, totals, rows: sum(matches) / sum(totals),
        "rows를 쓰지 않았습니다. 이것은 뽑기 전의 점수입니다.",
        "`rows` isn't used; this is the score before any draw.",
        partial(_score_of_draw, of=lambda totals, rows: len(rows)),
        "토막의 수가 아니라 문장의 수로 나누었습니다.",
        "This divides by the number of sentences instead of n-grams.",
    ],
    hints=[
        "두 군데가 틀렸습니다. rows에 같은 번호가 두 번 있을 때와 문장의 길이가 다를 때를 보세요.",
        "Two things are wrong. Look at rows with a number twice, and at sentences of different lengths.",
        "set은 두 번 뽑힌 것을 한 번으로 만듭니다.",
        "A set keeps what was drawn twice only once.",
        "뽑힌 문장의 matches를 모두 더하고, totals를 모두 더하고, 한 번 나누세요.",
        "Add up the matches of the drawn sentences, add up their totals, and divide once.",
    ],
)

no_program_says = Exploration(
    look_for=(
        "우리가 해 본 문장은 하나도 옮기지 못했습니다. 프로그램의 말투로 다른 말을 하거나, 조각을 "
        "되풀이하거나, 없는 단어를 지어냈습니다. 학습한 쌍에 그런 문장도 단어도 없기 때문입니다. "
        "시험 점수는 시험과 비슷한 문장에 대해서만 말해 줍니다.",
        "It translated none of the sentences that we tried: it said something else in the style of programs, "
        "repeated pieces, or made up words. The training pairs have neither such sentences nor such words. A "
        "score tells you only about sentences like those of its test.",
    ),
    hints=[
        "sides[0].encode(text)로 원문이 어떤 조각으로 나뉘는지 먼저 보세요.",
        "First look into which pieces the source is cut: sides[0].encode(text).",
        "학습한 번역문에 bread나 rain이 몇 번 나오는지 세어 보세요.",
        "Count how often bread or rain occurs in the targets of training.",
    ],
)
