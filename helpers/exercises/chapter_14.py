"""The exercises of chapter 14."""

from functools import partial

import torch
from torch.nn import functional as F

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors

_random = random_tensors()


diagnoses = Prediction(
    answer=["source positions", "norm over the batch", "source padding"],
    choices=("causal mask", "source padding", "source positions", "norm over the batch"),
    why=(
        "환자 1은 순서만, 2는 배치 불변성과 순서를 깨뜨렸고, 3은 원문에 붙인 패딩에 로짓이 움직였습니다.",
        "Patient 1 breaks only order, patient 2 batch invariance and order; patient 3's logits move when the "
        "source is padded.",
    ),
    hints=[
        "14.5절의 그림에서 같은 법칙이 깨진 환자를 찾아보세요.",
        "Look for patients with the same broken laws in the figure of 14.5.",
        "반례에 적힌 것을 보세요. 무엇을 바꾸자 로짓이 움직였나요?",
        "Look at the witnesses: what was changed when the logits moved?",
    ],
)


def _read_from_source(
    model, src, tgt, vocab_size, distance=lambda x: x.abs().max(), rest=False, reset=True, where=slice(None)
):
    before, changed, moved = model(src, tgt), src.clone(), torch.zeros(src.size(1))
    for position in range(src.size(1))[where]:
        changed = src.clone() if reset else changed
        places = slice(position, None if rest else position + 1)
        changed[0, places] = (src[0, places] + 1) % vocab_size
        moved[position] = distance(model(changed, tgt) - before)
    return moved


_table = _random(7, 5)


def _reader(name, *weights):
    """A model that gives the source's positions these weights; the target decides how much it moves."""

    def model(src, tgt):
        read = (_table[src] * torch.tensor(weights)[:, None]).sum(dim=1)  # (B, 5)
        return read[:, None] * _table[tgt] + _table[tgt]

    model.__name__ = name
    return model


def _first_and_last(src, tgt):
    return 10.0 * src[:, :1] * tgt + src[:, -1:]


def _any_reader(draw):
    src, tgt = (torch.tensor([[draw.randrange(7) for _ in range(draw.randint(2, 4))]]) for _ in range(2))
    return _reader("reads", *(draw.uniform(-2, 2) for _ in src[0])), src, tgt, 7


read_from_source = Exercise(
    spec=_read_from_source,
    cases=[
        (_reader("reads_nothing", 0.0, 0.0), torch.tensor([[1, 2]]), torch.tensor([[1, 3]]), 7),
        (_reader("reads_the_last", 0.0, 0.0, 1.0), torch.tensor([[4, 5, 6]]), torch.tensor([[1, 3]]), 7),
        (_reader("reads_all", 2.0, -1.0, 3.0), torch.tensor([[1, 5, 6]]), torch.tensor([[1, 3, 2]]), 7),
    ],
    by_hand=(_first_and_last, torch.tensor([[1, 6]]), torch.tensor([[1, 3]]), 7),
    draw=_any_reader,
    mistakes=[
        partial(_read_from_source, reset=False),
        "앞에서 바꾼 토큰이 되돌아가지 않았습니다. 위치마다 `src`의 새 복사본에서 하나만 바꾸세요.",
        "Tokens changed before stay changed: start from a new copy of `src` at each position.",
        *(
            part
            for distance, ko, en in (
                (lambda moved: moved.abs().mean(), "평균이", "mean"),
                (lambda moved: moved.abs().sum(), "합이", "sum"),
                (torch.norm, "벡터의 노름(norm)이", "norm"),
            )
            for part in (
                partial(_read_from_source, distance=distance),
                f"{ko} 아니라 가장 크게 달라진 로짓의 변화량을 묻습니다.",
                f"This is the {en} of the changes; that of the logit that moves most is asked for.",
            )
        ),
        partial(_read_from_source, distance=lambda moved: moved[:, 0].abs().max()),
        "번역문의 첫 위치만 보았습니다. 모든 위치의 로짓을 보세요.",
        "This looks at the target's first position alone; look at the logits of all of them.",
        *(
            part
            for where, ko, en in ((slice(1, None), "첫", "first"), (slice(-1), "마지막", "last"))
            for part in (
                partial(_read_from_source, where=where),
                f"{ko} 위치를 빠뜨렸습니다. 위치는 0부터 T_src − 1까지입니다.",
                f"The {en} position is left out; positions run from 0 to T_src − 1.",
            )
        ),
        partial(_read_from_source, rest=True),
        "그 위치부터 뒤의 토큰을 모두 바꾸었습니다. 한 번에 하나만 바꾸세요.",
        "This changes all tokens from the position on; change one at a time.",
        lambda model, src, tgt, vocab_size: _read_from_source(
            lambda tgt, src: model(src, tgt), tgt, src, vocab_size
        ),
        "번역문의 토큰을 바꾸었습니다. 원문의 토큰을 바꾸세요.",
        "This changes tokens of the target; change those of the source.",
    ],
    hints=[
        "14.2의 `movements`와 같은 길입니다. 다만 바꾸는 것이 원문입니다.",
        "Do what `movements` of 14.2 does, but change the source.",
        "위치마다 `src.clone()`으로 시작하고, 바꾼 뒤의 로짓과 처음 로짓의 차를 보세요.",
        "Start each position from `src.clone()`, and subtract the logits before from those after.",
        "위치의 값은 `(model(changed, tgt) - before).abs().max()`입니다.",
        "The value of a position is `(model(changed, tgt) - before).abs().max()`.",
    ],
)


def _loss_of_target(
    logits, tgt, pad_id, read=slice(None), wanted=slice(1, None), count=lambda real: real.sum()
):
    labels = tgt[:, wanted]
    losses = F.cross_entropy(logits[:, read].transpose(1, 2), labels, reduction="none")
    real = labels != pad_id
    return (losses * real).sum() / count(real)


def _per_sentence(logits, tgt, pad_id):
    each = [_loss_of_target(logits[i : i + 1], tgt[i : i + 1], pad_id) for i in range(len(tgt))]
    return torch.stack(each).mean()


_target = torch.tensor([[2, 5, 6, 3, 0, 0], [2, 4, 5, 4, 6, 3], [2, 6, 3, 0, 0, 0]])
loss_of_target = Exercise(
    spec=_loss_of_target,
    start=partial(_loss_of_target, wanted=slice(-1), count=torch.numel),
    cases=[
        (torch.tensor([[[0.0, 1, 2], [1, 0, 3], [2, 0, 1]]]), torch.tensor([[1, 2, 2, 0]]), 0),
        (_random(1, 3, 7), torch.tensor([[2, 5, 6, 3]]), 0),
        (_random(2, 3, 7), torch.tensor([[2, 5, 6, 3], [2, 4, 3, 0]]), 0),
        (_random(3, 5, 7), _target, 0),
        (_random(2, 4, 7), torch.tensor([[2, 0, 6, 3, 1], [2, 4, 3, 1, 1]]), 1),
    ],
    by_hand=(torch.tensor([[[0.0, 2.0], [2.0, 0.0], [0.0, 0.0]]]), torch.tensor([[1, 1, 1, 0]]), 0),
    mistakes=[
        partial(_loss_of_target, wanted=slice(-1)),
        "읽은 토큰을 그대로 쓰라고 합니다. 정답은 한 자리 뒤의 토큰입니다.",
        "This asks for the token that was just read; the label is the one after it.",
        partial(_loss_of_target, count=torch.numel),
        "패딩까지 세어 나누었습니다. 진짜 토큰의 수로 나누세요.",
        "The sum is divided by all positions, padding included; divide by the real tokens.",
        lambda logits, tgt, pad_id: F.cross_entropy(logits.mT, tgt[:, 1:]),
        "패딩도 정답으로 세었습니다. 그 위치는 빼야 합니다.",
        "Padding counts as a label here; leave those positions out.",
        _per_sentence,
        "문장마다 평균한 다음 다시 평균했습니다. 모든 진짜 토큰을 한꺼번에 평균하세요.",
        "This averages within each sentence first; average over all real tokens at once.",
        *(
            part
            for read, wanted in ((slice(1, None), slice(1, -1)), (slice(-1), slice(2, None)))
            for part in (
                partial(_loss_of_target, read=read, wanted=wanted),
                "정답이 로짓과 한 자리 어긋났습니다. 로짓의 위치 i는 토큰 i를 읽고 토큰 i + 1을 씁니다.",
                "Labels and logits are one place apart: position i has read token i and writes token i + 1.",
            )
        ),
    ],
    hints=[
        "로짓의 위치 0은 bos를 읽었습니다. 무엇을 써야 하나요?",
        "At position 0, the model has read bos. Which token should it predict?",
        "패딩 위치의 손실을 0으로 만든 다음에도, 나누는 수에는 그 위치가 들어 있습니다.",
        "Even after the loss at padding is set to 0, those positions still count in the divisor.",
        "정답은 `tgt[:, 1:]`이고, `ignore_index=pad_id`가 나머지를 합니다.",
        "The labels are `tgt[:, 1:]`, and `ignore_index=pad_id` does the rest.",
    ],
)

own_patient = Exploration(
    look_for=(
        "우리가 재었을 때 활성화 함수를 뺀 모델은 exact match가 0.96–1.00이었고, 쌍둥이와의 비교만 "
        "깨졌습니다. 번역을 망치지 않는 결함은 점수로 찾을 수 없습니다. 쌍둥이만 잡는 결함이라면, 쌍둥이 "
        "없이 잡을 법칙을 하나 더 생각해 보세요.",
        "When we measured, exact match without the activation function was 0.96–1.00, and only parity "
        "with the twin was broken. A score can't find a fault that hurts no translation. If only the "
        "twin catches yours, think of one more law that would find it without a twin.",
    ),
    hints=[
        "`FeedForward`를 물려받은 클래스에서 `forward`만 새로 쓰세요.",
        "Derive a class from `FeedForward` and rewrite only its `forward`.",
        "14.5절의 `broken_laws`와 14.6절의 쌍둥이로 검사하고, `clinic.train`과 `clinic.examine`으로 재세요.",
        "Examine it with `broken_laws` of 14.5 and the twin of 14.6; measure with `clinic.train` and "
        "`clinic.examine`.",
    ],
)
