"""The exercises of chapter 02."""

import torch
from torch.nn import functional as F

from helpers.embedding import TokenEmbedding
from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors

_random = random_tensors()


def _table_gradient(ids):
    """The gradient of a table (9, 16) where the loss is the sum of the vectors looked up."""
    embedding = TokenEmbedding(9, 16)
    embedding(torch.tensor(ids)).sum().backward()
    return embedding.weight.grad


rows_with_gradient = Prediction(
    answer=lambda: _table_gradient([[4, 5, 6, 7, 8], [4, 7, 8, 0, 0]]).any(dim=1).sum().item(),
    hints=[
        "손실은 꺼낸 벡터를 모두 더한 값입니다.",
        "The loss adds up all vectors that were looked up.",
        "꺼낸 번호를 모두 적고 겹치는 것을 지우세요.",
        "List all ids looked up and cross out repetitions.",
    ],
    why=(
        "배치에 나온 단어 5개와, 패딩으로 꺼낸 0번 행입니다.",
        "They are the 5 words of the batch, and row 0, which the padding looked up.",
    ),
    slips=[
        5,
        "패딩이 꺼낸 행도 있습니다.",
        "The padding looks up a row, too.",
        10,
        "같은 번호가 여러 번 나와도 행은 하나입니다.",
        "An id that occurs several times is still one row.",
        9,
        "아무도 꺼내지 않은 행에는 그래디언트가 없습니다.",
        "A row that nobody looks up gets no gradient.",
    ],
)


def _gradient(ids, grad, vocab_size):
    return F.one_hot(ids, vocab_size).to(grad.dtype).T @ grad


def _overwritten(ids, grad, vocab_size):
    result = torch.zeros(vocab_size, grad.size(-1))
    for row, id in zip(grad, ids, strict=True):
        result[id] = row
    return result


def _averaged(ids, grad, vocab_size):
    counts = torch.bincount(ids, minlength=vocab_size).clamp(min=1).unsqueeze(1)
    return _gradient(ids, grad, vocab_size) / counts


embedding_gradient = Exercise(
    spec=_gradient,
    cases=[
        (torch.tensor([1]), torch.tensor([[2.0]]), 3),
        (torch.tensor([0, 2]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]), 3),
        (torch.tensor([1, 1]), torch.tensor([[1.0], [3.0]]), 2),
        (torch.tensor([3, 0, 3, 3]), _random(4, 2), 5),
        (torch.tensor([2, 1, 0]), _random(3, 3), 3),  # as many tokens as rows
        (torch.arange(12) % 5, _random(12, 3), 7),
    ],
    by_hand=2,
    draw=lambda rng: (torch.tensor(rng.choices(range(4), k=5)), _random(5, 2), 4),
    mistakes=[
        _overwritten,
        "같은 번호가 또 나오면 앞의 그래디언트를 덮어씁니다. 더해야 합니다.",
        "A repeated id overwrites the earlier gradient; add them up.",
        _averaged,
        "같은 번호의 그래디언트를 평균했습니다. 합이어야 합니다.",
        "Gradients of a repeated id are averaged; they are summed.",
        lambda ids, grad, vocab_size: _gradient(ids, grad, vocab_size)[ids],
        "토큰마다 한 행입니다. 표의 행마다 한 행을 돌려주세요.",
        "The sums are listed per token; return one row per row of the table.",
        lambda ids, grad, vocab_size: (_gradient(ids, grad, vocab_size) != 0).float(),
        "그래디언트를 받는 행만 표시했습니다. 값을 더하세요.",
        "This only marks the rows that get a gradient; add up the values.",
    ],
    forbidden=("backward", "autograd"),
    hints=[
        "0으로 채운 (vocab_size, d_model) 텐서에서 시작해, 토큰마다 제 행에 더하세요.",
        "Start from zeros of shape (vocab_size, d_model) and add each token's gradient to its row.",
        "조회는 one_hot @ weight입니다. 그렇다면 그래디언트는 one_hot의 전치와 무엇의 곱일까요?",
        "A lookup is one_hot @ weight. So the gradient is the transpose of one_hot times what?",
    ],
)


def _cosines(vectors):
    unit = vectors / vectors.norm(dim=-1, keepdim=True)
    return unit @ unit.T


def _others(matrix):
    """(n, n) without its diagonal: (n, n - 1)."""
    n = len(matrix)
    return matrix[~torch.eye(n, dtype=torch.bool)].view(n, n - 1)


def _least_like_the_mean(vectors):
    return F.cosine_similarity(vectors, vectors.mean(dim=0), dim=-1).argmin().item()


def _scrambled(weight, ids):
    batch_size, length = ids.shape
    one_hot = F.one_hot(ids.T.reshape(-1), weight.size(0)).to(weight.dtype)
    return (one_hot @ weight).view(batch_size, length, -1)


_batches = [
    (_random(4, 2), torch.tensor([[1, 3]])),  # one sentence: the start is right
    (torch.tensor([[0.0], [1.0], [2.0], [3.0]]), torch.tensor([[0, 1], [2, 3]])),
    (_random(5, 3), torch.tensor([[4, 0, 2], [1, 1, 3]])),
    (_random(5, 3), torch.tensor([[4], [0], [1]])),
    (_random(9, 4), torch.tensor([[4, 5, 6, 7, 8], [4, 7, 8, 0, 0]])),
]
embed = Exercise(
    spec=lambda weight, ids: weight[ids],
    cases=_batches,
    by_hand=(torch.tensor([[0.0], [10.0], [20.0], [30.0]]), torch.tensor([[3, 1], [0, 2]])),
    mistakes=[
        lambda weight, ids: _scrambled(weight, ids).transpose(0, 1),
        "뒤섞인 채로 배치 축과 위치 축을 바꾸었습니다. 번호를 펼치는 순서를 보세요.",
        "The words are still mixed, and the axes are swapped on top. Look at the order of the ids.",
    ],
    hints=[
        "문장이 둘인 ids에서 ids.T.reshape(-1)을 출력해 보세요.",
        "Print ids.T.reshape(-1) for ids of two sentences.",
        "view는 순서대로 자르기만 합니다. 펼칠 때도 문장 순서여야 합니다.",
        "view only cuts in order, so the ids must be unrolled sentence by sentence.",
    ],
    start=_scrambled,
)

rare_word = Exploration(
    look_for=(
        "48과 12는 거의 같습니다. "
        "12문장이면 부산은 시간 표현 4개와 뒤에 오는 단어 3개를 모두 만나기 때문입니다. "
        "3이면 시간 표현을 최근 하나만 만나 코사인이 0.5쯤, 1이면 0.4쯤이고 노름은 3을 넘습니다. "
        "0이면 그래디언트가 없어 무작위 값 그대로입니다. "
        "스텝마다 모든 짝을 쓰는 이 실험에서는 드물다는 것 자체보다 주변 단어의 비율이 중요합니다. "
        "노름은 답이 얼마나 몰리는지를 말해 줍니다. "
        "주변 단어가 적으면 몇 단어에 확률을 몰아주어야 하고, 그러려면 로짓이 커야 합니다.",
        "48 and 12 hardly differ: in 12 sentences 부산 (Busan) meets all 4 times and all 3 words that "
        "follow. With 3 it meets only one time, 최근 (recently): the cosine is about 0.5, with 1 about 0.4, "
        "and the norm is above 3. With 0 there is no gradient, so the random values stay. "
        "That rarity itself does no harm is an artifact of this setup, where every step uses all pairs: "
        "what matters here is the mix of context words. "
        "The norm tells you how concentrated the predictions are: few context words share all the "
        "probability, which takes large logits.",
    ),
    hints=[
        "keep을 바꿀 때마다 시드 세 개의 두 숫자를 표로 적어 두세요.",
        "Keep a table: the two numbers of the three seeds for every value of keep.",
        "keep이 0이면 부산의 행은 그래디언트를 한 번도 받지 않습니다. 그때의 코사인이 베이스라인입니다.",
        "With keep = 0 the row of 부산 (Busan) never gets a gradient: its cosines are the baseline.",
    ],
)
