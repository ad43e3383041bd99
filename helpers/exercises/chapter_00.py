"""The exercises of chapter 00."""

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors

_random = random_tensors()

count_words = Exercise(
    spec=lambda text: len(text.split()),
    draw=lambda rng: ("".join(rng.choices("ab  ", k=rng.randrange(9))),),
    cases=[
        ("파리",),
        ("파리 여행",),
        ("나는  최근 파리 여행을 다녀왔다",),
        ("",),
        (" 여행 ",),
        ("big big world",),
        ("don't walk 3.5 km",),
    ],
    by_hand=4,
    mistakes=[
        len,
        "단어가 아니라 글자를 세고 있습니다.",
        "This counts characters, not words.",
        lambda text: len(text.split(" ")),
        'split(" ")는 공백이 겹치면 빈 문자열도 셉니다. split()을 쓰세요.',
        'split(" ") also counts the empty strings between doubled spaces; use split().',
        lambda text: text.count(" "),
        "단어가 아니라 공백을 세고 있습니다.",
        "This counts spaces, not words.",
    ],
    hints=[
        "문자열을 단어로 나누는 메서드가 있습니다.",
        "A string has a method that cuts it into words.",
        "`text.split()`은 단어의 리스트입니다.",
        "`text.split()` is a list of the words.",
    ],
)

rows_by_id = Prediction(
    answer=lambda: tuple(torch.zeros(5, 16)[torch.tensor([[2, 0, 4], [1, 1, 3]])].shape),
    hints=[
        "번호 하나마다 표의 행 하나가 나옵니다.",
        "Every id brings one row of the table.",
        "번호의 shape (2, 3)은 그대로 남고, 번호가 있던 곳마다 숫자 16개가 들어갑니다.",
        "The shape of the ids, (2, 3), stays, and each id is replaced by 16 numbers.",
    ],
    why=(
        "번호 하나가 표의 한 행, 곧 숫자 16개로 바뀌므로 shape는 (2, 3)에 16이 더 붙습니다. 표가 몇 행인지는 "
        "shape에 남지 않습니다.",
        "Each id becomes a row of the table, 16 numbers, so the shape is (2, 3) with a 16 after it. How many "
        "rows the table has leaves no trace in the shape.",
    ),
)


center_rows = Exercise(
    spec=lambda x: x - x.mean(dim=1, keepdim=True),
    start=lambda x: x - x.mean(dim=1),
    cases=[
        (torch.tensor([[1.0, 3.0], [10.0, 20.0]]),),
        (torch.tensor([[0.0, 6.0]]),),
        (_random(3, 3),),
        (_random(2, 4),),
        (_random(5, 1),),
    ],
    by_hand=(torch.tensor([[2.0, 4.0], [10.0, 30.0]]),),
    draw=lambda rng: (_random(rng.randint(1, 4), rng.randint(1, 4)),),
    mistakes=[
        lambda x: (x - x.mean(dim=1, keepdim=True)) / x.std(dim=1, keepdim=True),
        "표준편차로도 나누었습니다. 평균만 빼세요.",
        "This also divides by the standard deviation; only subtract the mean.",
        lambda x: x - x.mean(),
        "전체의 평균 하나를 뺐습니다. 행마다 제 평균을 빼세요.",
        "This subtracts one mean of everything; each row has a mean of its own.",
    ],
    hints=[
        "`x.mean(dim=1)`의 shape를 출력해 보세요.",
        "Print the shape of `x.mean(dim=1)`.",
        "오른쪽에서부터 맞추면 (2,)는 행이 아니라 열과 짝이 됩니다. 필요한 shape는 (2, 1)입니다.",
        "Aligned from the right, (2,) pairs with the columns, not with the rows. It takes (2, 1).",
        "`mean`에 `keepdim=True`를 주세요.",
        "Give `mean` the argument `keepdim=True`.",
    ],
)


all_dot_products = Exercise(
    spec=lambda query, key: query @ key.T,
    cases=[
        (torch.tensor([[1.0, 2.0], [0.0, 1.0]]), torch.tensor([[3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])),
        (torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 4.0]])),
        (_random(1, 2), _random(3, 2)),
        (_random(3, 4), _random(2, 4)),
        (_random(3, 3), _random(3, 3)),
    ],
    mistakes=[
        lambda query, key: (query[:, None] * key).sum(dim=-1).sum(dim=1, keepdim=True),
        "key마다 따로 두지 않고 모두 더했습니다.",
        "This adds up the products of all keys; keep a column for each.",
        lambda query, key: query[:, None] * key,
        "곱하기만 하고 더하지 않았습니다. 마지막 축을 따라 더하세요.",
        "This multiplies without adding; sum over the last axis.",
    ],
    hints=[
        "행렬 곱의 원소 하나는 왼쪽의 행과 오른쪽의 열의 내적입니다. 그런데 여기서는 둘 다 행입니다.",
        (
            "An element of a matrix product is a row on the left times a column on the right. Here both are "
            "rows."
        ),
        "key의 행을 열로 돌려 세우세요: `key.T`.",
        "Turn the rows of key into columns: `key.T`.",
    ],
)

one_word_is_not_enough = Exploration(
    look_for=(
        "I 다음은 두 번 모두 saw라서 괜찮지만, saw 다음에는 Paris가 한 번, Seoul이 한 번 옵니다. 모델은 앞의 "
        "한 단어만 보므로 둘에 0.5씩 주고, 손실은 2 · ln 2 / 6 = 0.23 아래로 내려가지 않습니다. 모자란 것은 "
        "매개변수가 아니라 입력입니다. 이 문장은 saw의 두 단어 앞까지 보면 외울 수 있습니다. 봐야 할 거리는 "
        "문장마다 다르므로 내용에 따라 볼 곳을 정하는 편이 낫고, 그것이 4장의 어텐션입니다.",
        "“I” is followed by “saw” both times, which does no harm, but “saw” by “Paris” once, “Seoul” once. "
        "The model sees only the word before, so it gives 0.5 to each, and the loss can't fall below "
        "2 · ln 2 / 6 = 0.23. What is missing isn't parameters but input: for this sentence it would be "
        "enough to look two words back from saw. How far to look differs between sentences, so it is better "
        "to choose where by what the words are. That is attention, chapter 4.",
    ),
    hints=[
        "두 번 나오는 단어 I와 saw의 다음 단어를 모두 적어 보세요.",
        "Write down every word that follows I and saw, the words that occur twice.",
        "`saw` 다음에는 무엇이 몇 번 오나요? 모델은 그 앞에 무엇이 있었는지 알 수 있나요?",
        "What follows `saw`, and how often? Can the model know what came before it?",
    ],
)
