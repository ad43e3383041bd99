"""The exercises of chapter 11."""

from functools import partial

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction

half_known = Prediction(
    answer=4,
    near=0.01,
    why=(
        "손실은 0과 ln 16의 평균인 ln 4이고, 지수를 취하면 4입니다.",
        "The loss is the mean of 0 and ln 16, which is ln 4; its exponential is 4.",
    ),
    hints=[
        "퍼플렉시티를 평균하지 말고 손실부터 구하세요.",
        "Don't average perplexities; find the loss first.",
        "토큰 둘로 생각하세요. 하나의 손실은 -ln 1, 다른 하나는 -ln(1/16)입니다.",
        "Think of two tokens: one has loss -ln 1, the other -ln(1/16).",
        "ln 16의 절반은 ln 4입니다.",
        "Half of ln 16 is ln 4.",
    ],
    slips=[
        8.5,
        "퍼플렉시티가 아니라 손실을 평균합니다.",
        "Average the losses, not the perplexities.",
    ],
)


def _token_batches(lengths, max_tokens, size="padded", sort=True, first_too=False, of_lengths=False):
    batches, batch = [], []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i] if sort else i):
        joined = [lengths[j] for j in [*batch, i]]
        sizes = {"padded": max(joined) * len(joined), "before": max(joined) * len(batch), "real": sum(joined)}
        if (batch or first_too) and sizes[size] > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(i)
    batches.append(batch)
    return [[lengths[i] for i in batch] for batch in batches] if of_lengths else batches


def _lengths(draw):
    return [draw.randint(1, 9) for _ in range(draw.randint(1, 9))], draw.randint(5, 20)


token_batches = Exercise(
    spec=_token_batches,
    cases=[([3, 3], 6), ([3, 3], 5), ([4, 1, 2], 6), ([2, 9, 4, 4, 3, 8, 2], 12), ([7, 1], 5), ([7, 8], 6)],
    draw=_lengths,
    mistakes=[
        partial(_token_batches, size="real"),
        "진짜 토큰만 셌습니다. 배치가 차지하는 칸은 패딩까지입니다.",
        "This counts real tokens only; a batch takes up its padding as well.",
        partial(_token_batches, sort=False),
        "길이순으로 늘어놓지 않았습니다.",
        "The sentences aren't sorted by length.",
        partial(_token_batches, size="before"),
        "담으려는 문장을 빼고 셌습니다. 담은 다음의 칸 수를 보세요.",
        "The sentence about to join isn't counted; look at the cells after it has joined.",
        partial(_token_batches, first_too=True),
        "빈 배치를 넣었습니다. 배치가 비어 있으면 긴 문장이라도 그냥 담으세요.",
        "There is an empty batch: where the batch is empty, even a long sentence joins it.",
        partial(_token_batches, of_lengths=True),
        "문장의 길이를 담았습니다. 문장의 번호를 담으세요.",
        "The batches hold lengths; put the numbers of the sentences into them.",
    ],
    by_hand=2,
    hints=[
        "길이순으로 담으면, 배치에서 가장 긴 것은 언제나 방금 담으려는 문장입니다.",
        "Taken by length, the longest of a batch is always the sentence about to join it.",
        "칸 수는 가장 긴 길이에 문장 수를 곱한 것입니다. 담기 전에 계산해 보세요.",
        "The cells are the longest length times the number of sentences; compute them before adding.",
        (
            "lengths[i] * (len(batch) + 1)이 max_tokens를 넘고 배치가 비어 있지 않으면 새로 시작하고, 끝나면 "
            "마지막 배치도 넣으세요."
        ),
        (
            "If lengths[i] * (len(batch) + 1) exceeds max_tokens and the batch isn't empty, start a new "
            "one; in the end, add the last batch, too."
        ),
    ],
)


def _norm(gradients):
    return sum(gradient.square().sum() for gradient in gradients).sqrt()


def _clip(gradients, max_norm, norm_of=_norm, always=False):
    norm = norm_of(gradients)
    factor = max_norm / norm if always or norm > max_norm else 1.0
    return [gradient * factor for gradient in gradients]


def _each_apart(gradients, max_norm):
    return [clipped for gradient in gradients for clipped in _clip([gradient], max_norm)]


clip = Exercise(
    spec=_clip,
    start=_each_apart,
    forbidden=("clip_grad_norm_",),
    cases=[
        ([torch.tensor([3.0]), torch.tensor([4.0])], 1.0),
        ([torch.tensor([3.0, 0.0]), torch.tensor([0.4])], 1.0),
        ([torch.tensor([0.3]), torch.tensor([0.4])], 1.0),
        ([torch.tensor([[2.0, -2.0], [1.0, 0.0]]), torch.tensor([-4.0, 0.0])], 2.5),
        ([torch.tensor([0.6]), torch.tensor([0.6])], 1.0),
        ([torch.tensor([1.2]), torch.tensor([1.2])], 2.0),
        ([torch.zeros(2), torch.zeros(1)], 1.0),
    ],
    by_hand=([torch.tensor([6.0]), torch.tensor([8.0])], 5.0),
    mistakes=[
        partial(_clip, always=True),
        "한도 안에 있는 그래디언트까지 키웁니다. 한도를 넘을 때만 줄이세요.",
        "This enlarges gradients that are within the limit; scale only what is above it.",
        partial(_clip, norm_of=lambda gradients: sum(gradient.norm() for gradient in gradients)),
        "텐서마다 크기를 재서 더했습니다. 이어 붙인 벡터의 크기는 제곱의 합의 제곱근입니다.",
        "This adds the norms of the tensors; the norm of the joined vector is the root of all squares.",
        partial(_clip, norm_of=lambda gradients: max(gradient.norm() for gradient in gradients)),
        "가장 큰 텐서의 크기로 나누었습니다. 모든 텐서를 합해 재세요.",
        "This divides by the norm of the largest tensor; measure all of them together.",
        lambda gradients, max_norm: [gradient.clamp(-max_norm, max_norm) for gradient in gradients],
        "값마다 따로 잘랐습니다. 그러면 방향이 바뀝니다.",
        "This cuts off each value on its own, which changes the direction.",
    ],
    hints=[
        "(3)과 (4)를 이어 붙이면 (3, 4)입니다. 한도가 1이면 어떻게 되어야 하나요?",
        "(3) and (4) joined are (3, 4). What should become of it with a limit of 1?",
        "방향을 지키려면 모든 텐서에 같은 배율을 곱해야 합니다.",
        "To keep the direction, all tensors must be multiplied by the same factor.",
        "크기는 모든 텐서의 제곱을 더한 다음 한 번 제곱근을 취한 것입니다. 반복문 앞에서 재세요.",
        "The norm is one root of the squares of all tensors added up; take it before the loop.",
    ],
)

enough_pairs = Exploration(
    look_for=(
        "1,000쌍만 되어도 300쌍의 1.65에서 0.50으로 줄고, 그다음에는 천천히 줄어듭니다. 400스텝이면 "
        "1,000쌍은 0.33, 3,000쌍부터는 0.13 이하까지 내려가는데, 300쌍은 오히려 1.73으로 올라갑니다.",
        "1,000 pairs already take it from the 1.65 of 300 pairs to 0.50; after that it falls slowly. With "
        "400 steps, it's 0.33 for 1,000 pairs, at most 0.13 from 3,000 pairs on, and 1.73 for 300 pairs.",
    ),
    hints=[
        "count를 300에서 시작해 두 배씩 늘려 보세요.",
        "Start with a count of 300 and keep doubling it.",
        "first_loop(...)[1][-1]은 (스텝, 학습 손실, 검증 손실, 토큰 정확도)입니다.",
        "first_loop(...)[1][-1] is (step, training loss, validation loss, token accuracy).",
        "200스텝은 문장 6,400개를 뽑습니다. 쌍이 그보다 적으면 같은 문장을 여러 번 봅니다.",
        "200 steps draw 6,400 sentences; with fewer pairs, the same ones come several times.",
    ],
)
