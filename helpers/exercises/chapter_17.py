"""The exercises of chapter 17."""

import math
from collections import Counter
from functools import partial

from helpers.exercises.kinds import Exercise, Exploration, Prediction

small_batches = Prediction(
    answer=63,
    why=(
        "7 / (m + 7) ≤ 1/10이려면 m + 7 ≥ 70, 곧 m ≥ 63입니다.",
        "7 / (m + 7) ≤ 1/10 needs m + 7 ≥ 70, so m ≥ 63.",
    ),
    hints=[
        "단계가 p개면 단계마다 p - 1칸이 놉니다.",
        "With p stages, each stage is idle for p - 1 ticks.",
        "전체는 m + p - 1칸입니다. p = 8을 넣으세요.",
        "There are m + p - 1 ticks in all. Put in p = 8.",
        "7 / (m + 7) = 0.1을 푸세요.",
        "Solve 7 / (m + 7) = 0.1.",
    ],
)


def _grams(text, n, of, more):
    units = of(text)
    return Counter(tuple(units[i : i + n]) for i in range(len(units) - n + 1 + more))


def _without_spaces(text):
    return "".join(text.split())


def _character_f(
    translation, reference, n, of=_without_spaces, more=0, weight=4, count=lambda grams: grams, clip=True
):
    ours, theirs = (count(_grams(text, n, of, more)) for text in (translation, reference))
    common = ours & theirs if clip else Counter({gram: ours[gram] for gram in ours if gram in theirs})
    if not common:
        return 0.0
    precision, recall = (common.total() / grams.total() for grams in (ours, theirs))
    return (1 + weight) * precision * recall / (weight * precision + recall)


character_f = Exercise(
    spec=_character_f,
    cases=[
        ("ab", "abc", 1),
        ("abc", "ab", 1),
        ("travel", "traveled", 2),
        ("aaaa", "aa", 1),
        ("a b", "ab", 2),
        ("banana", "banana band", 3),
        ("xyz", "abc", 2),
        ("a", "abc", 2),
        ("Paris", "paris", 1),
        ("I went to Paris.", "I took a trip to Paris.", 4),
        ("to Paris I went", "I went to Paris to sing", 1),
    ],
    mistakes=[
        partial(_character_f, of=str),
        "띄어쓰기도 글자로 셌습니다. 먼저 빼세요.",
        "Spaces count as characters here; take them out first.",
        partial(_character_f, of=str.split),
        "단어를 셌습니다. 글자로 나누세요.",
        "This counts words; count characters.",
        partial(_character_f, of=lambda text: _without_spaces(text).lower()),
        "대문자와 소문자를 같게 보았습니다. 텍스트의 글자를 그대로 두세요.",
        "Capitals count as small letters here; leave the characters as they are.",
        partial(_character_f, count=lambda grams: Counter(set(grams))),
        "토막을 종류로만 셌습니다. 몇 번 나오는지도 세야 합니다.",
        "This counts distinct n-grams; count how often each occurs.",
        partial(_character_f, clip=False),
        "정답에 나온 횟수보다 많이 인정했습니다. 작은 쪽의 횟수까지만입니다.",
        "An n-gram counts more often than it occurs in the reference; take the smaller count.",
        partial(_character_f, weight=2),
        "식에는 β가 아니라 β²이 들어갑니다.",
        "The formula has β², not β.",
        partial(_character_f, weight=1),
        "정밀도와 재현율을 같은 무게로 두었습니다. β는 2입니다.",
        "Precision and recall have equal weight here; β is 2.",
        partial(_character_f, more=-1),
        "마지막 토막이 빠졌습니다. 길이 L인 텍스트의 토막은 L − n + 1개입니다.",
        "The last n-gram is missing; a text of length L has L − n + 1 of them.",
    ],
    hints=[
        "글자 토막을 Counter로 세세요. BLEU의 단어 토막과 같은 방법입니다(12장).",
        "Count character n-grams with a Counter, as chapter 12 did with words for BLEU.",
        (
            "겹친 수는 (ours & theirs).total()입니다. 정밀도는 그것을 번역의 토막 수로, 재현율은 정답의 "
            "토막 수로 나눈 것입니다."
        ),
        (
            "The matches are (ours & theirs).total(). Precision divides them by the n-grams of the "
            "translation, recall by those of the reference."
        ),
        "겹친 것이 없으면 0.0, 있으면 5 · P · R / (4 · P + R)을 돌려주세요.",
        "Return 0.0 if nothing matches, else 5 · P · R / (4 · P + R).",
    ],
)


def _rows_of_process(n_rows, rank, world_size, size=math.ceil, limits=(True, True), rest=False):
    size = int(size(n_rows / world_size))
    rows = [
        min(i * size, n_rows) if limit else i * size
        for i, limit in zip((rank, rank + 1), limits, strict=True)
    ]
    return (rows[0], n_rows) if rest and rank == world_size - 1 else tuple(rows)


def _even_rows(n_rows, rank, world_size):
    size, rest = divmod(n_rows, world_size)
    start = rank * size + min(rank, rest)
    return start, start + size + (rank < rest)


def _shares(draw):
    world_size = draw.randint(1, 8)
    return draw.randint(1, 40), draw.randrange(world_size), world_size


rows_of_process = Exercise(
    spec=_rows_of_process,
    cases=[(4, 0, 2), (4, 1, 2), (5, 1, 2), (5, 1, 3), (7, 2, 3), (9, 3, 4), (5, 3, 4), (2, 3, 4), (1, 0, 3)],
    draw=_shares,
    mistakes=[
        partial(_rows_of_process, size=int),
        "나누어떨어지지 않으면 마지막 행들을 아무도 갖지 않습니다.",
        "Where it does not divide evenly, nobody has the last rows.",
        partial(_rows_of_process, size=int, rest=True),
        "나머지를 마지막 프로세스가 모두 가졌습니다. 앞에서부터 올림한 크기만큼씩입니다.",
        "The last process takes all of the rest; from the first on, each takes the size rounded up.",
        *(
            part
            for answer in (
                _even_rows,
                lambda n_rows, rank, world_size: tuple(n_rows * i // world_size for i in (rank, rank + 1)),
            )
            for part in (
                answer,
                "나머지를 여러 프로세스에 나누었습니다. torch.chunk는 올림한 크기로 앞에서부터 채웁니다.",
                "The rest is spread over the processes; torch.chunk fills up from the front with the size "
                "rounded up.",
            )
        ),
        partial(_rows_of_process, limits=(False, False)),
        "마지막 프로세스의 끝이 행의 수를 넘습니다.",
        "The end goes beyond the number of rows.",
        partial(_rows_of_process, limits=(False, True)),
        "가질 것이 없는 프로세스의 시작이 행의 수를 넘습니다. 빈 구간도 그 안에 있어야 합니다.",
        "For a process with nothing, the start goes beyond the number of rows; keep it inside, too.",
    ],
    hints=[
        "5행을 둘이 나누면 3행과 2행입니다.",
        "Five rows for two processes are 3 and 2.",
        "크기는 math.ceil(n_rows / world_size)입니다.",
        "The size is math.ceil(n_rows / world_size).",
        "시작은 rank * 크기, 끝은 (rank + 1) * 크기이고, 둘 다 n_rows를 넘지 않게 min을 씁니다.",
        "It starts at rank * size and ends at (rank + 1) * size; use min to keep both within n_rows.",
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
        "`rows` is not used; this is the score before any draw.",
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
        "`pieces.convert_ids_to_tokens(src_side.encode(text))`로 조각부터 보세요.",
        "First look at the pieces: `pieces.convert_ids_to_tokens(src_side.encode(text))`.",
        (
            "`beam_search(real, torch.tensor([src_side.encode(text)]), BOS, config.eos_token_id, 40)`의 "
            "점수를 여행 문장과 비교하세요."
        ),
        (
            "Compare the scores of `beam_search(real, torch.tensor([src_side.encode(text)]), BOS, "
            "config.eos_token_id, 40)` with those of sentences about trips."
        ),
    ],
)
