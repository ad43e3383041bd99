"""The exercises of chapter 00."""

import torch
from torch import nn
from torch.nn import functional as F

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
        "번호의 형태 (2, 3)은 그대로 남고, 번호가 있던 곳마다 숫자 16개가 들어갑니다.",
        "The shape of the ids, (2, 3), stays, and each id gives way to 16 numbers.",
    ],
    why=(
        "번호 (2, 3)개마다 표의 한 행, 곧 숫자 16개가 들어갑니다. 표가 몇 행인지는 형태에 남지 않습니다.",
        "Each of the (2, 3) ids is replaced by a row of 16 numbers. How many rows the table has leaves no "
        "trace in the shape.",
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
        "`x.mean(dim=1)`의 형태를 출력해 보세요.",
        "Print the shape of `x.mean(dim=1)`.",
        "오른쪽에서부터 맞추면 (2,)는 행이 아니라 열과 짝이 됩니다. 필요한 형태는 (2, 1)입니다.",
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

second_backward = Prediction(
    answer=-32,
    hints=[
        "첫 번째 `backward()`가 남긴 값은 어디로 갔을까요?",
        "What became of what the first `backward()` left?",
        "`backward()`는 `w.grad`를 덮어쓰지 않고 더합니다.",
        "`backward()` does not overwrite `w.grad`; it adds to it.",
    ],
    why=(
        "`backward()`는 `w.grad`에 더합니다: -16 + (-16). 그래서 학습할 때는 `zero_grad()`로 비웁니다.",
        "`backward()` adds to `w.grad`: -16 + (-16). So training clears it with `zero_grad()`.",
    ),
)


apply_linear = Exercise(
    spec=lambda x, weight, bias: x @ weight.T + bias,
    cases=[
        (torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), torch.arange(3.0)),
        (_random(2, 2), _random(2, 2), _random(2)),
        (_random(3, 2), _random(4, 2), _random(4)),
        (_random(2, 3, 4), _random(1, 4), _random(1)),
        (_random(3), _random(5, 3), _random(5)),
    ],
    forbidden=("linear", "Linear"),
    mistakes=[
        lambda x, weight, bias: x @ (weight.T + bias),
        "편향을 가중치에 더했습니다. 곱한 다음에 더하세요.",
        "The bias is added to the weight; add it after the product.",
    ],
    hints=[
        "x는 (…, in)이고 weight는 (out, in)입니다. 그대로는 안쪽의 크기가 맞지 않습니다.",
        "x is (…, in) and weight is (out, in): as they are, the inner sizes do not match.",
        "`weight.T`의 형태는 (in, out)입니다.",
        "`weight.T` has the shape (in, out).",
    ],
)


class _Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.scale = nn.Parameter(torch.ones(4))
        self.offset = torch.ones(5)


what_is_learned = Prediction(
    answer=lambda: sum(parameter.numel() for parameter in _Mixed().parameters()),
    hints=[
        "옵티마이저는 매개변수만 바꿉니다.",
        "An optimizer changes parameters and nothing else.",
        "`nn.Linear(3, 2)`에는 가중치 6개와 편향 2개가 있습니다. 나머지 둘 중 무엇이 매개변수인가요?",
        "`nn.Linear(3, 2)` has 6 weights and 2 biases. Which of the other two is a parameter?",
    ],
    why=(
        "선형 층 6 + 2, `scale` 4입니다. `offset`은 일반 텐서라서 아무도 학습시키지 않습니다.",
        "6 + 2 from the linear layer, 4 from `scale`. `offset` is a plain tensor, and nothing trains it.",
    ),
)


def _kept_weights():
    layer, other = nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False)
    nn.init.constant_(layer.weight, 3.0)
    kept = layer.state_dict()
    other.load_state_dict(kept)
    with torch.no_grad():
        layer.weight += 1
    return kept["weight"].item(), other.weight.item()


kept_weights = Prediction(
    answer=_kept_weights,
    hints=[
        '`kept["weight"]`는 어느 값을 가리키나요? 그림에서 따라가 보세요.',
        'Which values does `kept["weight"]` point to? Follow it in the picture.',
        "`load_state_dict`는 가리키게 하지 않고 값을 복사합니다. 복사한 다음에 `layer`가 바뀝니다.",
        "`load_state_dict` copies values instead of pointing. `layer` changes after the copy.",
    ],
    why=(
        "`kept`의 이름은 `layer`의 값을 가리키므로 함께 바뀌고, `other`에는 복사한 3이 남습니다. "
        "그 순간의 값을 남기려면 `copy.deepcopy(layer.state_dict())`처럼 복사하세요.",
        "The name in `kept` points to the values of `layer` and changes with it; `other` still has the 3 "
        "that was copied. To keep a moment, copy: `copy.deepcopy(layer.state_dict())`.",
    ),
)


def _loss_after_a_step(lr):
    w = torch.tensor(3.0, requires_grad=True)
    ((2 * w - 10) ** 2).backward()
    return ((2 * (w - lr * w.grad) - 10) ** 2).item()


large_step = Prediction(
    answer=lambda: _loss_after_a_step(0.25),
    hints=[
        "그래디언트는 그대로 -16입니다. w는 어디로 가나요?",
        "The gradient is still -16. Where does w go?",
        "3 - 0.25 · (-16) = 7입니다. (2 · 7 - 10)²은?",
        "3 - 0.25 · (-16) = 7. And (2 · 7 - 10)²?",
    ],
    why=(
        "w는 7로 가서 골짜기 건너편의 같은 높이에 섭니다. 학습률이 이보다 크면 손실이 점점 커집니다.",
        "w goes to 7, across the valley and just as high. With a larger learning rate the loss grows.",
    ),
)


def _picked(values, targets):
    return values.gather(1, targets.unsqueeze(1))


mean_loss = Exercise(
    spec=lambda logits, targets: -_picked(logits.log_softmax(dim=-1), targets).mean(),
    draw=lambda rng: (_random(n := rng.randint(1, 4), 4), torch.tensor(rng.choices(range(4), k=n))),
    cases=[
        (torch.tensor([[0.0, 0.0]]), torch.tensor([0])),
        (torch.tensor([[2.0, 1.0, 0.0]]), torch.tensor([2])),
        (torch.tensor([[2.0, 1.0, 0.0], [0.0, 3.0, 1.0]]), torch.tensor([1, 1])),
        (_random(3, 3), torch.tensor([2, 0, 1])),
        (_random(6, 4), torch.tensor([3, 1, 1, 0, 2, 3])),
    ],
    mistakes=[
        lambda logits, targets: -_picked(logits.softmax(dim=-1), targets).mean().log(),
        "확률의 평균에 로그를 취했습니다. 행마다 로그를 취한 다음 평균을 내세요.",
        "This is the log of the mean probability; take the log of each row first, then the mean.",
        lambda logits, targets: -(F.one_hot(targets, logits.size(1)) * logits.log_softmax(dim=-1)).mean(),
        "모든 원소로 평균을 냈습니다. 행마다 더한 다음, 행들의 평균을 내세요.",
        "This averages over all entries; sum within each row, then average over the rows.",
        lambda logits, targets: -logits.log_softmax(dim=-1).amax(dim=-1).mean(),
        "정답이 아니라 가장 큰 로짓의 확률을 썼습니다.",
        "This takes the largest probability, not that of the target.",
        lambda logits, targets: F.cross_entropy(logits.softmax(dim=-1), targets),
        "소프트맥스를 두 번 했습니다.",
        "The softmax is applied twice.",
        lambda logits, targets: -logits.log_softmax(dim=-1)[:, targets].mean(),
        "행마다 모든 정답을 골랐습니다. 행마다 제 정답 하나만 고르세요.",
        "This takes every target from every row; each row has one target.",
    ],
    forbidden=("cross_entropy", "CrossEntropyLoss", "nll_loss", "NLLLoss"),
    hints=[
        "먼저 한 행만 계산하고, 그다음 모든 행을 도세요.",
        "Compute one row first, then go over all of them.",
        "한 행의 확률은 `row.exp() / row.exp().sum()`이고, 손실은 그 가운데 정답의 것의 `-log`입니다.",
        "The row's probabilities are `row.exp() / row.exp().sum()`; the loss is `-log` of the target's.",
        "`zip(logits, targets)`로 행과 정답을 함께 꺼냅니다. 손실을 더해 `len(targets)`로 나누세요.",
        "`zip(logits, targets)` gives each row with its target. Add up, then divide by `len(targets)`.",
    ],
)

one_word_is_not_enough = Exploration(
    look_for=(
        "I 다음은 두 번 모두 saw라서 괜찮지만, saw 다음에는 Paris가 한 번, Seoul이 한 번 옵니다. 모델은 앞의 "
        "한 단어만 보므로 둘에 0.5씩 주고, 손실은 2 · ln 2 / 6 = 0.23 아래로 내려가지 않습니다. 모자란 것은 "
        "매개변수가 아니라 입력입니다. 이 문장은 saw의 두 단어 앞까지 보면 외울 수 있습니다. 봐야 할 거리는 "
        "문장마다 다르므로 내용에 따라 볼 곳을 정하는 편이 낫고, 그것이 4장의 어텐션입니다.",
        "I is followed by saw both times and does no harm, but after saw comes Paris once and Seoul once. "
        "The model sees only the word before, so it gives 0.5 to each, and the loss cannot fall below "
        "2 · ln 2 / 6 = 0.23. What is missing is not parameters but input: for this sentence it would be "
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
