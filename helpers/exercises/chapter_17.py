"""The exercises of chapter 17."""

import math
from collections import Counter

from helpers.exercises.kinds import Exercise, Exploration, Mistake, Prediction

small_batches = Prediction(
    answer=63,
    near=0.02,
    why=(
        "7 / (m + 7) ≤ 1/10이려면 m + 7 ≥ 70, 곧 m ≥ 63입니다.",
        "7 / (m + 7) ≤ 1/10 needs m + 7 ≥ 70, so m ≥ 63.",
    ),
    hints=[
        (
            "단계가 p개면 단계마다 p - 1칸이 놉니다.",
            "With p stages, each stage is idle for p - 1 ticks.",
        ),
        (
            "전체는 m + p - 1칸입니다. p = 8을 넣으세요.",
            "There are m + p - 1 ticks in all. Put in p = 8.",
        ),
        ("7 / (m + 7) = 0.1을 푸세요.", "Solve 7 / (m + 7) = 0.1."),
    ],
)


def _grams(text, n, spaces=False, more=0):
    text = text if spaces else "".join(text.split())
    return Counter(text[i : i + n] for i in range(len(text) - n + 1 + more))


def _f_score(matches, found, wanted, beta=2.0, square=True):
    precision, recall = (matches / total if total else 0.0 for total in (found, wanted))
    if precision + recall == 0:
        return 0.0
    weight = beta**2 if square else beta
    return (1 + weight) * precision * recall / (weight * precision + recall)


def _character_f(
    translation, reference, n, spaces=False, more=0, clip=True, distinct=False, swap=False, unit=0, **options
):
    ours, theirs = _grams(translation, n, spaces, more), _grams(reference, n, spaces, more)
    if distinct:
        ours, theirs = Counter(set(ours)), Counter(set(theirs))
    matches = (
        (ours & theirs).total() if clip else sum(count for gram, count in ours.items() if gram in theirs)
    )
    if unit:
        ours, theirs = _grams(translation, unit), _grams(reference, unit)
    totals = (theirs.total(), ours.total()) if swap else (ours.total(), theirs.total())
    return _f_score(matches, *totals, **options)


character_f = Exercise(
    spec=lambda translation, reference, n: _character_f(translation, reference, n),
    cases=[
        ("ab", "abc", 1),
        ("abc", "ab", 1),
        ("travel", "traveled", 2),
        ("aaaa", "aa", 1),
        ("a b", "ab", 2),
        ("banana", "banana band", 3),
        ("xyz", "abc", 2),
        ("a", "abc", 2),
        ("I went to Paris.", "I took a trip to Paris.", 4),
    ],
    mistakes=[
        Mistake(
            lambda translation, reference, n: _character_f(translation, reference, n, spaces=True),
            "띄어쓰기도 글자로 셌습니다. 먼저 빼세요.",
            "Spaces count as characters here; take them out first.",
        ),
        Mistake(
            lambda translation, reference, n: _character_f(translation, reference, n, distinct=True),
            "토막을 종류로만 셌습니다. 몇 번 나오는지도 세야 합니다.",
            "This counts distinct n-grams; count how often each occurs.",
        ),
        Mistake(
            lambda translation, reference, n: _character_f(translation, reference, n, clip=False),
            "정답에 나온 횟수보다 많이 인정했습니다. 작은 쪽의 횟수까지만입니다.",
            "An n-gram counts more often than it occurs in the reference; take the smaller count.",
        ),
        Mistake(
            lambda translation, reference, n: _character_f(translation, reference, n, swap=True),
            "정밀도와 재현율이 바뀌었습니다. 재현율은 정답의 토막 수로 나눕니다.",
            "Precision and recall are swapped; recall divides by the number in the reference.",
        ),
        Mistake(
            lambda translation, reference, n: _character_f(translation, reference, n, square=False),
            "식에는 β가 아니라 β²이 들어갑니다.",
            "The formula has β², not β.",
        ),
        Mistake(
            lambda translation, reference, n: _character_f(translation, reference, n, beta=1.0),
            "정밀도와 재현율을 같은 무게로 두었습니다. β는 2입니다.",
            "Precision and recall have equal weight here; β is 2.",
        ),
        Mistake(
            lambda translation, reference, n: _character_f(translation, reference, n, more=-1),
            "마지막 토막이 빠졌습니다. 길이 L인 텍스트의 토막은 L − n + 1개입니다.",
            "The last n-gram is missing; a text of length L has L − n + 1 of them.",
        ),
        Mistake(
            lambda translation, reference, n: _character_f(translation, reference, n, more=n - 1),
            "끝에 남은 n글자보다 짧은 토막도 셌습니다. 길이 L인 텍스트의 토막은 L − n + 1개입니다.",
            "Pieces at the end shorter than n count as well; a text of length L has L − n + 1 n-grams.",
        ),
        Mistake(
            lambda translation, reference, n: _character_f(translation, reference, n, unit=1),
            "글자 수로 나누었습니다. n-그램의 수로 나누세요.",
            "This divides by the number of characters; divide by that of the n-grams.",
        ),
    ],
    hints=[
        (
            "글자 토막을 Counter로 세세요. BLEU의 단어 토막과 같은 방법입니다(12장).",
            "Count character n-grams with a Counter, as chapter 12 did with words for BLEU.",
        ),
        (
            "겹친 수는 (ours & theirs).total()입니다. 정밀도는 그것을 번역의 토막 수로, 재현율은 정답의 "
            "토막 수로 나눈 것입니다.",
            "The matches are (ours & theirs).total(). Precision divides them by the n-grams of the "
            "translation, recall by those of the reference.",
        ),
        (
            "겹친 것이 없으면 0.0, 있으면 5 · P · R / (4 · P + R)을 돌려주세요.",
            "Return 0.0 if nothing matches, else 5 · P · R / (4 · P + R).",
        ),
    ],
)


def _rows_of_size(size, n_rows, rank):
    return min(rank * size, n_rows), min((rank + 1) * size, n_rows)


def _rows_of_process(n_rows, rank, world_size):
    return _rows_of_size(math.ceil(n_rows / world_size), n_rows, rank)


def _floor_rows(n_rows, rank, world_size, rest=False):
    size = n_rows // world_size
    last = rest and rank == world_size - 1
    return rank * size, n_rows if last else (rank + 1) * size


def _even_rows(n_rows, rank, world_size):
    size, rest = divmod(n_rows, world_size)
    start = rank * size + min(rank, rest)
    return start, start + size + (rank < rest)


rows_of_process = Exercise(
    spec=_rows_of_process,
    cases=[
        (4, 0, 2),
        (4, 1, 2),
        (5, 1, 2),
        (5, 1, 3),
        (7, 2, 3),
        (9, 3, 4),
        (5, 3, 4),
        (2, 3, 4),
        (64, 5, 8),
        (1, 0, 3),
    ],
    mistakes=[
        Mistake(
            lambda n_rows, rank, world_size: _rows_of_size(round(n_rows / world_size), n_rows, rank),
            "크기를 반올림했습니다. 내림이 되면 마지막 행들을 아무도 갖지 않으니 올림하세요.",
            "The size is rounded to the nearest; where that is down, nobody has the last rows: round up.",
        ),
        Mistake(
            lambda n_rows, rank, world_size: _rows_of_size(n_rows // world_size + 1, n_rows, rank),
            "나누어떨어질 때 크기가 1만큼 큽니다. 올림은 math.ceil입니다.",
            "Where it divides evenly, the size is one too large; math.ceil rounds up.",
        ),
        Mistake(
            lambda n_rows, rank, world_size: _rows_of_process(n_rows, rank - 1, world_size),
            "프로세스를 1번부터 셌습니다. 번호는 0부터입니다.",
            "Processes are counted from 1 here; the first is number 0.",
        ),
        Mistake(
            _floor_rows,
            "나누어떨어지지 않으면 마지막 행들을 아무도 갖지 않습니다.",
            "Where it does not divide evenly, nobody has the last rows.",
        ),
        Mistake(
            lambda n_rows, rank, world_size: _floor_rows(n_rows, rank, world_size, rest=True),
            "나머지를 마지막 프로세스가 모두 가졌습니다. 앞에서부터 올림한 크기만큼씩입니다.",
            "The last process takes all of the rest; from the first on, each takes the size rounded up.",
        ),
        Mistake(
            _even_rows,
            "나머지를 하나씩 고르게 나누었습니다. torch.chunk는 올림한 크기로 앞에서부터 채웁니다.",
            "The rest is spread evenly; torch.chunk fills up from the front with the size rounded up.",
        ),
        Mistake(
            lambda n_rows, rank, world_size: tuple(n_rows * end // world_size for end in (rank, rank + 1)),
            "나머지가 프로세스 사이에 흩어집니다. torch.chunk는 앞에서부터 채웁니다.",
            "The rest is spread over the processes; torch.chunk fills up from the front.",
        ),
        Mistake(
            lambda n_rows, rank, world_size: tuple(
                end * math.ceil(n_rows / world_size) for end in (rank, rank + 1)
            ),
            "마지막 프로세스의 끝이 행의 수를 넘습니다.",
            "The end goes beyond the number of rows.",
        ),
        Mistake(
            lambda n_rows, rank, world_size: (
                rank * math.ceil(n_rows / world_size),
                min((rank + 1) * math.ceil(n_rows / world_size), n_rows),
            ),
            "가질 것이 없는 프로세스의 시작이 행의 수를 넘습니다. 빈 구간도 그 안에 있어야 합니다.",
            "For a process with nothing, the start goes beyond the number of rows; keep it inside, too.",
        ),
        Mistake(
            lambda n_rows, rank, world_size: (
                _rows_of_process(n_rows, rank, world_size)[0],
                _rows_of_process(n_rows, rank, world_size)[1] - 1,
            ),
            "끝은 슬라이스처럼 마지막 행의 다음입니다.",
            "As in a slice, the end is the row after the last.",
        ),
    ],
    hints=[
        (
            "5행을 둘이 나누면 3행과 2행입니다.",
            "Five rows for two processes are 3 and 2.",
        ),
        (
            "크기는 math.ceil(n_rows / world_size)입니다.",
            "The size is math.ceil(n_rows / world_size).",
        ),
        (
            "시작은 rank * 크기, 끝은 (rank + 1) * 크기이고, 둘 다 n_rows를 넘지 않게 min을 씁니다.",
            "It starts at rank * size and ends at (rank + 1) * size; use min to keep both within n_rows.",
        ),
    ],
)


def _score_of_draw(matches, totals, rows):
    return sum(matches[row] for row in rows) / sum(totals[row] for row in rows)


def _wrong_draw(matches, totals, rows):
    shares = [matches[row] / totals[row] for row in set(rows)]
    return sum(shares) / len(shares)


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
    start=_wrong_draw,
    mistakes=[
        Mistake(
            lambda matches, totals, rows: sum(matches[row] / totals[row] for row in rows) / len(rows),
            "문장마다 비율을 구해 평균했습니다. 말뭉치의 점수는 횟수를 더한 다음에 나눕니다(12장).",
            "This averages the shares of sentences; a corpus score adds up the counts and divides last "
            "(chapter 12).",
        ),
        Mistake(
            lambda matches, totals, rows: _score_of_draw(matches, totals, set(rows)),
            "두 번 뽑힌 문장을 한 번만 셌습니다. 되돌려 놓으며 뽑았으니 뽑힌 만큼 셉니다.",
            "A sentence drawn twice counts once here; drawn with replacement, it counts as often as it was "
            "drawn.",
        ),
        Mistake(
            lambda matches, totals, rows: sum(matches[row] for row in rows) / sum(totals),
            "분모는 모든 문장이 아니라 뽑힌 문장에서 더합니다.",
            "The denominator adds up all sentences; add up those that were drawn.",
        ),
        Mistake(
            lambda matches, totals, rows: sum(matches) / sum(totals),
            "rows를 쓰지 않았습니다. 이것은 뽑기 전의 점수입니다.",
            "`rows` is not used; this is the score before any draw.",
        ),
        Mistake(
            lambda matches, totals, rows: sum(matches[row] for row in rows) / len(rows),
            "토막의 수가 아니라 문장의 수로 나누었습니다.",
            "This divides by the number of sentences instead of n-grams.",
        ),
        Mistake(
            lambda matches, totals, rows: sum(matches[row] / totals[row] for row in rows) / len(set(rows)),
            "뽑힌 문장의 비율을 서로 다른 문장의 수로 나누었습니다. 횟수를 모두 더한 다음에 나누세요.",
            "The shares of all that were drawn are divided by the number of different ones; add up the "
            "counts and divide last.",
        ),
        Mistake(
            lambda matches, totals, rows: _score_of_draw(matches, totals, [row - 1 for row in rows]),
            "문장을 1번부터 셌습니다. 번호는 0부터입니다.",
            "Sentences are counted from 1 here; the first is number 0.",
        ),
    ],
    hints=[
        (
            "두 군데가 틀렸습니다. rows에 같은 번호가 두 번 있을 때와 문장의 길이가 다를 때를 보세요.",
            "Two things are wrong. Look at rows with a number twice, and at sentences of different lengths.",
        ),
        (
            "set은 두 번 뽑힌 것을 한 번으로 만듭니다.",
            "A set keeps what was drawn twice only once.",
        ),
        (
            "뽑힌 문장의 matches를 모두 더하고, totals를 모두 더하고, 한 번 나누세요.",
            "Add up the matches of the drawn sentences, add up their totals, and divide once.",
        ),
    ],
)

beyond_trips = Exploration(
    look_for=(
        "우리가 넣어 본 문장에서는 여행 이야기를 지어냈습니다. 모르는 조각은 <unk>가 되어 사라지고, 디코더는 "
        "학습에서 본 문장으로 빈자리를 채웁니다. 빔 서치의 점수는 대개 여행 문장보다 낮지만, 점수만 보고 "
        "틀렸다고 알 수 있는 경계는 없었습니다.",
        "With the sentences that we tried it made up something about trips. Unknown pieces become <unk> and "
        "are lost, and the decoder fills the gap with sentences from training. The score of the beam search "
        "was mostly lower than for trips, but there was no score below which a translation is wrong.",
    ),
    hints=[
        (
            "`pieces.convert_ids_to_tokens(src_side.encode(text))`로 조각부터 보세요.",
            "First look at the pieces: `pieces.convert_ids_to_tokens(src_side.encode(text))`.",
        ),
        (
            "`beam_search(real, torch.tensor([src_side.encode(text)]), BOS, config.eos_token_id, 40)`의 "
            "점수를 여행 문장과 비교하세요.",
            "Compare the scores of `beam_search(real, torch.tensor([src_side.encode(text)]), BOS, "
            "config.eos_token_id, 40)` with those of sentences about trips.",
        ),
    ],
)
