"""Typical faults of a language model, and of what stands in Llama in the place of four parts."""

import torch
from torch.nn import functional as F

from helpers.language_model import LanguageModel
from helpers.masking import causal_mask, combine_masks, padding_mask
from helpers.mine.fault import Fault
from helpers.mine.faults_of_functions import ATTENTION, attend
from helpers.mine.faults_of_parts import of_axes, with_forward
from helpers.modern import GroupedQueryAttention, RMSNorm, RotaryEmbedding, SwiGLU
from helpers.multi_head_attention import merge_heads, split_heads


def text(masks=("causal", "padding"), placed=True, normed=True, last=lambda logits: logits):
    """A `LanguageModel` with something changed.

    Args:
        masks: what is hidden: "causal" the future, "padding".
        placed: whether positions are added.
        normed: whether a norm follows the last layer.
        last: what happens to the logits.
    """

    def forward(self, ids):
        x = self.embed(ids) if placed else self.embed.tokens(ids)
        mask = combine_masks(
            padding_mask(ids, self.pad_id) if "padding" in masks else None,
            causal_mask(ids.size(1)) if "causal" in masks else None,
        )
        for layer in self.decoder.layers:
            x = layer(x, mask=mask)
        return last(self.generator(self.decoder.norm(x) if normed else x))

    return with_forward(LanguageModel, forward)


LANGUAGE_MODEL = [
    Fault(
        text(masks=("padding",)),
        "15.4",
        "미래가 보입니다. 디코더에 인과 마스크를 넘기세요.",
        "It sees the future: pass the causal mask to the decoder.",
    ),
    Fault(
        text(masks=("causal",)),
        "15.4",
        "패딩이 보입니다. 패딩 마스크와 인과 마스크를 합치세요.",
        "Padding is seen: combine its mask with the causal one.",
    ),
    Fault(
        text(masks=()),
        "15.4",
        "마스크가 없습니다. 인과 마스크와 패딩 마스크를 합쳐 넘기세요.",
        "There is no mask: combine the causal one with that of padding.",
    ),
    Fault(text(placed=False), "15.4", "위치를 더하지 않았습니다.", "The positions are missing."),
    Fault(
        text(normed=False),
        "8.7",
        "pre-LN에서는 마지막 층 다음에 정규화가 하나 더 있습니다.",
        "With pre-LN one more norm follows the last layer.",
    ),
    Fault(
        text(last=lambda logits: logits.softmax(dim=-1)),
        "15.4",
        "로짓이 아니라 확률을 돌려줍니다. 소프트맥스는 손실이 합니다.",
        "It returns probabilities, not logits; the loss does the softmax.",
    ),
]


def root_mean_square(dim=-1, centered=False, root=True, outside=False, eps=None, scaled=True):
    """An `RMSNorm` with something changed.

    Args:
        dim: along which axis the mean runs.
        centered: whether the variance stands for the mean square.
        root: whether its root is taken.
        outside: whether eps is added outside the root.
        eps: in place of the module's.
        scaled: whether weight counts.
    """

    def forward(self, x):
        size = (x - x.mean(dim=dim, keepdim=True) if centered else x).square().mean(dim=dim, keepdim=True)
        added = self.eps if eps is None else eps
        divided = size.sqrt() + added if outside else (size + added).sqrt() if root else size + added
        return x / divided * (self.weight if scaled else 1.0)

    return with_forward(RMSNorm, forward)


RMS_NORM = [
    Fault(
        root_mean_square(root=False),
        "16.2",
        "제곱의 평균으로 나누었습니다. 그 제곱근으로 나눕니다.",
        "It is divided by the mean square; divide by its root.",
    ),
    Fault(
        root_mean_square(outside=True),
        "16.2",
        "eps를 제곱근 밖에서 더했습니다. √(제곱의 평균 + eps)입니다.",
        "eps is added outside the root; it is √(mean square + eps).",
    ),
    Fault(
        root_mean_square(eps=0.0),
        "16.2",
        "eps가 빠졌습니다. 0으로만 된 토큰에서 0으로 나눕니다.",
        "eps is missing: a token of zeros is divided by 0.",
    ),
    Fault(
        root_mean_square(scaled=False),
        "16.2",
        "weight를 곱하지 않았습니다.",
        "It is not multiplied by weight.",
    ),
    Fault(
        root_mean_square(centered=True),
        "16.2",
        "표준편차로 나누었습니다. RMSNorm은 평균을 빼지 않고 제곱의 평균을 냅니다.",
        "It is divided by the standard deviation; RMSNorm takes the mean of the squares themselves.",
    ),
    Fault(
        root_mean_square(dim=-2),
        "16.2",
        "토큰의 축을 따라 평균을 냈습니다. 토큰마다 마지막 축을 따라 냅니다.",
        "The mean runs along the tokens; each token has its own, along the last axis.",
    ),
    Fault(
        with_forward(
            RMSNorm,
            lambda self, x: (
                F.rms_norm(x, self.weight.shape, self.weight, self.eps)
                - (
                    x.mean(-1, keepdim=True)
                    * self.weight
                    * (x.square().mean(-1, keepdim=True) + self.eps).rsqrt()
                )
            ),
        ),
        "16.2",
        "평균을 뺐습니다. RMSNorm은 크기만 맞춥니다.",
        "The mean is subtracted; RMSNorm only fixes the size.",
    ),
    Fault(
        with_forward(
            RMSNorm, lambda self, x: F.layer_norm(x, self.weight.shape, self.weight, None, self.eps)
        ),
        "16.2",
        "평균을 뺐습니다. 그것은 레이어 정규화입니다. RMSNorm은 크기만 맞춥니다.",
        "The mean is subtracted: this is layer normalization; RMSNorm only fixes the size.",
    ),
]


def turned(base=10000.0, first=0, exponent=2, sign=1, alternating=False, exchanged=(False, False)):
    """A `RotaryEmbedding` with something changed.

    Args:
        base, exponent: of the frequencies.
        first: position of the first token.
        sign: −1 turns the other way.
        alternating: pairs are columns 2i and 2i + 1.
        exchanged: whether the two coordinates are, before and after turning.
    """

    def forward(self, x):
        frequency = base ** (-exponent * torch.arange(x.size(-1) // 2) / x.size(-1))
        angles = (first + torch.arange(x.size(-2))).unsqueeze(1) * frequency * sign
        one, other = (x[..., 0::2], x[..., 1::2]) if alternating else x.chunk(2, dim=-1)
        one, other = (other, one) if exchanged[0] else (one, other)
        pairs = one * angles.cos() - other * angles.sin(), one * angles.sin() + other * angles.cos()
        pairs = pairs[::-1] if exchanged[1] else pairs
        return torch.stack(pairs, dim=-1).flatten(-2) if alternating else torch.cat(pairs, dim=-1)

    return with_forward(RotaryEmbedding, forward)


ROTARY = [
    Fault(
        turned(alternating=True),
        "16.3",
        "이웃한 두 열(2i, 2i + 1)을 짝지었습니다. 이 강의와 Llama의 짝은 i와 i + d_head / 2입니다.",
        "Neighboring columns (2i, 2i + 1) are paired; here, as in Llama, column i goes with i + d_head / 2.",
    ),
    Fault(
        turned(sign=-1),
        "16.3",
        "반대로 돌렸습니다. 첫 좌표는 x cos − y sin, 두 번째 좌표는 x sin + y cos입니다.",
        "It turns the other way: the first coordinate is x cos − y sin, the second x sin + y cos.",
    ),
    *(
        Fault(
            turned(exchanged=exchanged),
            "16.3",
            "두 좌표가 바뀌었습니다. 앞쪽 절반이 첫 좌표, 뒤쪽 절반이 두 번째 좌표입니다.",
            "The coordinates are exchanged: those of the first kind fill the first half of the columns.",
        )
        for exchanged in ((True, False), (False, True))
    ),
    Fault(
        turned(first=1),
        "16.3",
        "위치가 1부터 시작합니다. 첫 토큰은 돌리지 않습니다.",
        "Positions begin at 1; the first token is not turned.",
    ),
    Fault(
        turned(exponent=1),
        "16.4",
        "지수가 i/d_head입니다. 짝마다 2i/d_head입니다.",
        "The exponent is i/d_head; for each pair it is 2i/d_head.",
    ),
    Fault(
        turned(exponent=-2),
        "16.4",
        "뒤의 짝일수록 빨라집니다. 느려져야 합니다.",
        "Later pairs turn faster; they should be slower.",
    ),
    Fault(
        turned(exponent=0),
        "16.4",
        "모든 짝이 같은 속도로 돕니다. 뒤의 짝일수록 느려져야 합니다.",
        "All pairs turn at one speed; later pairs should be slower.",
    ),
    Fault(
        turned(base=1000.0),
        "16.4",
        "밑이 1000입니다. 기본값은 10000입니다.",
        "The base is 1000; its default is 10000.",
    ),
    Fault(
        with_forward(RotaryEmbedding, lambda self, x: x),
        "16.3",
        "아무것도 돌리지 않습니다.",
        "Nothing is turned.",
    ),
]


def gated(activation=F.silu, gate="w_gate", up="w_up", join=torch.mul):
    """A `SwiGLU` with another activation, other layers or another way to join them."""

    def forward(self, x):
        return self.w_down(join(activation(getattr(self, gate)(x)), getattr(self, up)(x)))

    return with_forward(SwiGLU, forward)


GATED = [
    Fault(
        gated(activation=lambda x: x),
        "16.5",
        "게이트에 활성화 함수가 없습니다. SiLU를 거칩니다.",
        "The gate has no activation; it goes through SiLU.",
    ),
    *(
        Fault(
            gated(activation=activation),
            "16.5",
            f"게이트의 활성화 함수가 {name}입니다. SwiGLU에서는 SiLU입니다.",
            f"The activation of the gate is {name}; in SwiGLU it is SiLU.",
        )
        for name, activation in {"ReLU": F.relu, "GELU": F.gelu, "sigmoid": torch.sigmoid}.items()
    ),
    Fault(
        gated(gate="w_up", up="w_gate"),
        "16.5",
        "w_gate와 w_up이 바뀌었습니다. SiLU를 거치는 것은 w_gate입니다.",
        "w_gate and w_up are exchanged: it is w_gate that goes through SiLU.",
    ),
    Fault(
        gated(join=torch.add),
        "16.5",
        "게이트를 더했습니다. 곱해야 합니다.",
        "The gate is added; multiply by it.",
    ),
    Fault(
        gated(join=lambda gate, up: gate),
        "16.5",
        "w_up을 쓰지 않았습니다.",
        "w_up is not used.",
    ),
]


def shared(
    share=lambda x, n: x.repeat_interleave(n, dim=1), split=split_heads, merge=merge_heads, look=attend
):
    """A `GroupedQueryAttention` with something changed: sharing, splitting, joining or attending."""

    def forward(self, query, key, value, mask=None):
        groups = self.n_heads // self.n_kv_heads
        q = split(self.w_q(query), self.n_heads)
        k, v = (
            share(split(layer(x), self.n_kv_heads), groups)
            for layer, x in ((self.w_k, key), (self.w_v, value))
        )
        return self.w_o(merge(look(q, k, v, mask)[0]))

    return with_forward(GroupedQueryAttention, forward)


def attend_turned(q, k, v, mask=None):
    """`attend` with rotary positions."""
    rotary = RotaryEmbedding(q.size(-1))
    return attend(rotary(q), rotary(k), v, mask)


GROUPED = [
    Fault(
        shared(look=attend_turned),
        "16.6",
        "쿼리와 키를 돌렸습니다. 여기서는 돌리지 않습니다.",
        "Queries and keys are turned; here they are not.",
    ),
    Fault(
        shared(lambda x, n: x.repeat(1, n, 1, 1)),
        "16.6",
        "키와 밸류의 헤드를 번갈아 주었습니다. 이웃한 쿼리 헤드끼리 함께 씁니다(repeat_interleave).",
        "Keys and values are dealt out in turn; neighboring query heads share them (repeat_interleave).",
    ),
    Fault(
        shared(lambda x, n: x[:, :1].expand(-1, x.size(1) * n, -1, -1)),
        "16.6",
        "모든 쿼리 헤드가 키와 밸류의 첫 헤드를 씁니다.",
        "All query heads use the first head of keys and values.",
    ),
    *of_axes(shared),
    *(Fault(shared(look=fault.wrong), fault.section, fault.ko, fault.en) for fault in ATTENTION),
]
