"""What equal outputs do not show: dropout, tensors that stay behind, layers that begin as copies."""

import dataclasses
import functools
import inspect

import torch

from helpers.encoder import StackConfig
from helpers.exercises.comparing import difference, run
from helpers.laws import distinct_weights, registration
from helpers.mine.matching import alike
from helpers.mine.rungs import RUNGS
from helpers.mine.yours import find

BEFORE = [rung for rung, (chapter, _) in RUNGS.items() if chapter < "07"]  # where dropout comes
DROPPED = 1.0  # every number that may be dropped is: what is left can be compared


def left_behind(make, sizes):
    """What to say of a part that holds a tensor which does not move with it.

    Args:
        make: from sizes to the reader's part.
        sizes: of a trial.

    Returns:
        (Korean, English), or None.
    """
    verdict = registration(make(*sizes))
    if verdict:
        return None
    name = verdict.witness.split(": ")[-1]
    return (
        f"{name}이라는 텐서를 모듈이 모릅니다. GPU로 함께 가지 않습니다. register_buffer나 nn.Parameter로 "
        "등록하세요. 3.6절을 보세요.",
        f"Your module does not know its tensor {name}, which stays behind on the way to a GPU: register it "
        "with register_buffer or nn.Parameter. See 3.6.",
    )


def dropping(part, trial):
    """The sizes of a trial, with a dropout of 1; None for a part that has none."""
    sizes = trial.sizes
    if dataclasses.is_dataclass(sizes[-1]):
        return (dataclasses.replace(sizes[-1], dropout=DROPPED),)
    return (*sizes, DROPPED) if "dropout" in inspect.signature(part.ours).parameters else None


def dropout(part, own, calls, trial):
    """What a part does with dropout, which no trial has.

    Args:
        part: a `Part` that is a class.
        own: as from `find`.
        calls: two functions from a module and inputs to its output, for the reader's and for ours.
        trial: a `Trial`.

    Returns:
        Whether it is right, and (Korean, English) to be said.
    """
    sizes = dropping(part, trial)
    if sizes is None:
        return True, NOTHING
    ours = trial.weights(part.ours(*sizes))
    try:
        inspect.signature(own.make).bind(*sizes)
    except TypeError:  # the reader's part knows no dropout
        return True, none_yet(part)
    mine = own.make(*sizes)
    alike(mine, ours, own.tensors)
    found = {}  # by whether it is in training
    for training in (False, True):
        found[training] = [
            run(functools.partial(call, module.train(training)), trial.inputs)
            for call, module in zip(calls, (mine, ours), strict=True)
        ]
    if difference(*found[False]):
        return False, ALWAYS
    if not difference(*found[True]):
        is_post = trial.norm_first is False  # there a dropped sum would be normalized
        return True, NOTHING if is_post or drops_weights(part, own, calls[0]) else NO_DROPPED_WEIGHTS
    return True, OTHER_PLACE if difference(found[True][0], found[False][1]) else none_yet(part)


ATTENDING = {  # the attentions of a part, by the name that they have in ours
    "MultiHeadAttention": ("",),
    "EncoderLayer": ("attention.",),
    "DecoderLayer": ("attention.", "cross_attention."),
}


@torch.no_grad()
def drops_weights(part, own, call):
    """Whether each attention of a part drops its weights, as far as its output shows it.

    One token looks at one token, and W_V and W_O change nothing: a dropped weight takes away all that a head
    brings, dropout anywhere else takes single numbers.

    Args:
        part, own: as for `dropout`.
        call: a function from the reader's module and inputs to its output.

    Returns:
        A bool; True for a part that is no attention and no layer.
    """
    sizes = d_model, n_heads, p = 8, 2, 0.5
    is_layer = part.name != "MultiHeadAttention"
    if is_layer:
        sizes = (StackConfig(d_model=d_model, n_heads=n_heads, d_ff=4, dropout=p, norm_first=True),)
    vectors = torch.randn(1024, 1, d_model, generator=torch.Generator().manual_seed(0))
    inputs = (vectors,) * (2 if part.name == "DecoderLayer" else 1 if is_layer else 3)
    for name in ATTENDING.get(part.name, ()):
        ours = part.ours(*sizes)
        for key, weight in ours.named_parameters():
            if key in (f"{name}w_v.weight", f"{name}w_o.weight"):
                weight.copy_(torch.eye(d_model))
            else:
                weight.fill_(float(key.endswith("norm.weight")))
        mine = own.make(*sizes)
        alike(mine, ours, own.tensors)
        with torch.random.fork_rng():
            torch.manual_seed(0)
            brought = call(mine.train(), *inputs, *((None,) if is_layer else ())) - is_layer * vectors
        if (brought.view(-1, n_heads, d_model // n_heads) == 0).all(dim=-1).float().mean() < 0.42:
            return False  # with all weights kept it is 0.06 of the heads, else at least a half
    return True


def none_yet(part):
    """The remark on a part without dropout; nothing while the reader has not come to where dropout is."""
    return NOTHING if part.rung in BEFORE and find("FeedForward") is None else NO_DROPOUT


NOTHING = "", ""
ALWAYS = (
    "eval()에서도 드롭아웃이 켜져 있습니다. nn.Dropout을 쓰거나 F.dropout(x, p, training=self.training)으로 "
    "쓰세요. 7.7절을 보세요.",
    "Dropout stays on after eval(): use nn.Dropout, or F.dropout(x, p, training=self.training). See 7.7.",
)
NO_DROPOUT = (
    "다만 학습할 때 드롭아웃이 없습니다(7.7절).",
    "But there is no dropout in training (7.7).",
)
NO_DROPPED_WEIGHTS = (
    "다만 학습할 때 어텐션 가중치에 드롭아웃이 없습니다. softmax 다음, 밸류를 곱하기 전에 겁니다(7.7절).",
    "But in training there is no dropout on the attention weights: after softmax, before the values (7.7).",
)
OTHER_PLACE = (
    "다만 학습할 때 드롭아웃을 거는 곳이 강의와 다릅니다. 어텐션 가중치, x를 더하기 전의 서브층 출력, "
    "임베딩과 위치의 합에 겁니다(7.7절).",
    "But in training dropout is not where the course has it: on attention weights, on a sublayer's output "
    "before x is added, on embedding plus position (7.7).",
)


def copies(make, sizes):
    """A remark on layers that begin with equal weights, as copies of one do.

    Args:
        make, sizes: as for `left_behind`.

    Returns:
        (Korean, English).
    """
    made = make(*sizes)
    for weight in made.parameters():  # scale and offset of a norm, in one matrix, are equal in all layers
        if not ((weight != 0) & (weight != 1)).any():
            weight.requires_grad_(False)
    verdict = distinct_weights(made)
    if verdict:
        return NOTHING
    names = verdict.witness.split("; the first: ")[-1]
    return (
        f"다만 처음 가중치가 서로 같습니다: {names}. 복사하지 말고 새로 만드세요(8.6절).",
        f"But these begin with equal weights: {names}. Make each anew instead of copying one (8.6).",
    )
