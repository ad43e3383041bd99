"""Typical faults of layers, stacks and the whole model."""

from helpers.decoder import Decoder, DecoderLayer
from helpers.encoder import Encoder, EncoderLayer
from helpers.masking import causal_mask, combine_masks, padding_mask
from helpers.mine.fault import Fault
from helpers.mine.faults_of_parts import with_forward
from helpers.transformer import Transformer


def sublayer(layer, number, x, function, how):
    """A sublayer inside a residual connection with something changed.

    Args:
        layer: of encoder or decoder.
        number: of the sublayer.
        x: (B, T, d_model).
        function: what the sublayer does.
        how: "" as it should be; else what is changed.
    """
    residual = layer.residuals[0 if how == "one norm" else number]
    norm, before = residual.norm, residual.norm_first != how.endswith("other place")
    if how == "no norm":
        return x + function(x)
    if how.startswith("no residual"):
        return function(norm(x)) if before else norm(function(x))
    if how == "twice normed":
        return norm(x + function(norm(x))) if before else norm(x + function(x))
    if how == "x twice":
        return 2 * x + function(norm(x)) if before else norm(2 * x + function(x))
    if how == "norm of the branch":
        return x + norm(function(x))
    if how == "from the norm" and before:
        return norm(x) + function(norm(x))
    return x + function(norm(x)) if before else norm(x + function(x))


HOW = {
    "no residual": (
        "7.3",
        "잔차가 없습니다. 서브층의 출력에 그 입력 x를 더하세요.",
        "There is no residual: add the sublayer's input x to its output.",
    ),
    "no residual, other place": (
        "7.6",
        "잔차가 없고, 정규화의 자리도 norm_first와 반대입니다. x를 더한 뒤(post-LN), 또는 서브층 "
        "앞(pre-LN)에서 정규화합니다.",
        "There is no residual, and the norm is where norm_first says it is not: it follows the sum with x "
        "(post-LN) or goes before the sublayer (pre-LN).",
    ),
    "other place": (
        "7.6",
        "norm_first와 반대로 정규화했습니다. False면 더한 뒤(post-LN), True면 서브층 앞(pre-LN)입니다.",
        "The norm is where norm_first says it is not: False is after the sum (post-LN), True before the "
        "sublayer (pre-LN).",
    ),
    "always after": (
        "7.6",
        "늘 더한 뒤에 정규화합니다(post-LN). norm_first가 True면 서브층 앞입니다.",
        "The norm always follows the sum (post-LN); with norm_first it goes before the sublayer.",
    ),
    "always before": (
        "7.6",
        "늘 서브층 앞에서 정규화합니다(pre-LN). norm_first가 False면 더한 뒤입니다.",
        "The norm always goes before the sublayer (pre-LN); without norm_first it follows the sum.",
    ),
    "no norm": ("7.4", "정규화가 없습니다.", "There is no normalization."),
    "twice normed": (
        "7.6",
        "pre-LN에서 더한 뒤에도 정규화했습니다. 서브층 앞에서만 정규화합니다.",
        "With pre-LN the sum is normalized, too; normalize only before the sublayer.",
    ),
    "x twice": (
        "7.3",
        "x를 두 번 더했습니다. 잔차는 한 번만 더합니다.",
        "x is added twice; the residual is added once.",
    ),
    "one norm": (
        "8.5",
        "서브층들이 정규화 층 하나를 함께 씁니다. 서브층마다 따로 둡니다.",
        "The sublayers share one norm; each has its own.",
    ),
    "norm of the branch": (
        "7.6",
        "서브층의 출력만 정규화한 다음 x를 더했습니다. 더한 합을 정규화합니다(post-LN).",
        "Only the sublayer's output is normalized, and then x is added; normalize the sum (post-LN).",
    ),
    "from the norm": (
        "7.6",
        "pre-LN에서 정규화한 x를 더했습니다. 더하는 것은 정규화하기 전의 x입니다.",
        "With pre-LN the normalized x is added; add x as it came in.",
    ),
}


def place_of(layer, how):
    """How a sublayer of this layer is wrong: "always after" depends on what is asked for."""
    first = layer.residuals[0].norm_first
    if how in ("always after", "always before"):
        return "other place" if first == (how == "always after") else ""
    return how


def of_layer(layer, names):
    """What can be wrong around each sublayer of a layer: around all of them, then around one.

    Args:
        layer: `encoder_layer` or `decoder_layer`.
        names: of its sublayers, (Korean, English).
    """
    everywhere = [Fault(layer(how), *said) for how, said in HOW.items()]
    alone = [
        Fault(layer(how, (number,)), section, f"{name_ko}: {ko}", f"{name_en}: {en}")
        for how, (section, ko, en) in HOW.items()
        if how not in ("always after", "always before", "one norm")
        for number, (name_ko, name_en) in enumerate(names)
    ]
    return everywhere + alone


def encoder_layer(how="", wrong=(0, 1), masked=True, swapped=False):
    """An `EncoderLayer` with something changed: in which sublayers, whether the mask counts, their order."""

    def forward(self, x, mask=None):
        steps = [lambda x: self.attention(x, x, x, mask if masked else None)[0], self.feed_forward]
        for number in (1, 0) if swapped else (0, 1):
            x = sublayer(self, number, x, steps[number], place_of(self, how) if number in wrong else "")
        return x

    return with_forward(EncoderLayer, forward)


ENCODER_LAYER = [
    *of_layer(encoder_layer, [("어텐션", "Attention"), ("피드포워드", "Feed-forward network")]),
    Fault(
        encoder_layer(masked=False),
        "8.5",
        "어텐션에 마스크를 넘기지 않았습니다.",
        "The mask is not passed to attention.",
    ),
    Fault(
        encoder_layer(swapped=True),
        "8.5",
        "피드포워드가 어텐션보다 앞입니다. 어텐션이 먼저입니다.",
        "The feed-forward network comes before attention; attention is first.",
    ),
]


def decoder_layer(
    how="", wrong=(0, 1, 2), roles=("x", "memory", "memory"), masks=("tgt", "src"), order=(0, 1, 2), added="x"
):
    """A `DecoderLayer` with something changed.

    Args:
        how, wrong: as for `encoder_layer`.
        roles: what query, key and value of cross-attention are: "x", "memory".
        masks: of self-attention and cross-attention: "tgt", "src" or None.
        order: of the sublayers.
        added: "first": cross-attention's residual is what came into the layer.
    """

    def forward(self, x, memory=None, mask=None, memory_mask=None):
        given, came = {"tgt": mask, "src": memory_mask, None: None}, x

        def cross(x):
            inputs = [x if role == "x" else memory for role in roles]
            found = self.cross_attention(*inputs, given[masks[1]])[0]
            return found - x + came if added == "first" and not self.residuals[1].norm_first else found

        steps = [lambda x: self.attention(x, x, x, given[masks[0]])[0], cross, self.feed_forward]
        for number in order:
            x = sublayer(self, number, x, steps[number], place_of(self, how) if number in wrong else "")
        return x

    return with_forward(DecoderLayer, forward)


SUBLAYERS = [
    ("셀프 어텐션", "Self-attention"),
    ("크로스 어텐션", "Cross-attention"),
    ("피드포워드", "Feed-forward network"),
]
DECODER_LAYER = [
    *of_layer(decoder_layer, SUBLAYERS),
    Fault(
        decoder_layer(roles=("x", "memory", "x")),
        "9.2",
        "크로스 어텐션의 밸류가 x입니다. 키처럼 밸류도 메모리에서 옵니다.",
        "The values of cross-attention are x; like the keys they come from the memory.",
    ),
    Fault(
        decoder_layer(roles=("x", "x", "memory")),
        "9.2",
        "크로스 어텐션의 키가 x입니다. 밸류처럼 키도 메모리에서 옵니다.",
        "The keys of cross-attention are x; like the values they come from the memory.",
    ),
    Fault(
        decoder_layer(roles=("memory", "x", "x")),
        "9.2",
        "크로스 어텐션의 역할이 바뀌었습니다. 쿼리가 x이고, 키와 밸류가 메모리입니다.",
        "The roles in cross-attention are exchanged: x makes the queries, the memory keys and values.",
    ),
    Fault(
        decoder_layer(masks=("tgt", "tgt")),
        "9.3",
        "크로스 어텐션에 mask를 넘겼습니다. 메모리의 마스크는 memory_mask입니다.",
        "Cross-attention gets mask; the mask of the memory is memory_mask.",
    ),
    Fault(
        decoder_layer(masks=("src", "tgt")),
        "9.3",
        "mask와 memory_mask가 바뀌었습니다. mask는 셀프 어텐션의 것입니다.",
        "mask and memory_mask are exchanged; mask is that of self-attention.",
    ),
    Fault(
        decoder_layer(masks=("src", "src")),
        "9.3",
        "셀프 어텐션에 memory_mask를 넘겼습니다. 셀프 어텐션의 마스크는 mask입니다.",
        "Self-attention gets memory_mask; its mask is mask.",
    ),
    Fault(
        decoder_layer(roles=("x", "x", "x")),
        "9.2",
        "크로스 어텐션이 메모리를 보지 않습니다. 키와 밸류는 메모리에서 옵니다.",
        "Cross-attention never sees the memory; keys and values come from it.",
    ),
    Fault(
        decoder_layer(roles=("x", "x", "x"), masks=("tgt", "tgt")),
        "9.2",
        "크로스 어텐션이 셀프 어텐션을 되풀이합니다. 키와 밸류는 메모리에서, 마스크는 memory_mask입니다.",
        "Cross-attention repeats self-attention: keys and values come from the memory, with memory_mask.",
    ),
    Fault(
        decoder_layer(masks=(None, "src")),
        "9.3",
        "셀프 어텐션에 마스크를 넘기지 않았습니다. 미래가 보입니다.",
        "Self-attention gets no mask: it sees the future.",
    ),
    Fault(
        decoder_layer(masks=("tgt", None)),
        "9.3",
        "크로스 어텐션에 memory_mask를 넘기지 않았습니다.",
        "Cross-attention does not get memory_mask.",
    ),
    Fault(
        decoder_layer(order=(1, 0, 2)),
        "9.3",
        "크로스 어텐션이 셀프 어텐션보다 앞입니다.",
        "Cross-attention comes before self-attention.",
    ),
    Fault(
        decoder_layer(order=(0, 2)),
        "9.3",
        "크로스 어텐션이 없습니다.",
        "There is no cross-attention.",
    ),
    Fault(
        decoder_layer(order=(0, 1)),
        "9.3",
        "피드포워드가 없습니다.",
        "There is no feed-forward network.",
    ),
    Fault(
        decoder_layer(added="first"),
        "9.3",
        "크로스 어텐션의 잔차로 층의 입력 x를 더했습니다. 셀프 어텐션을 지난 것을 더합니다.",
        "The residual of cross-attention is the layer's input; add what self-attention made of it.",
    ),
]


def stack(
    kind,
    layers=lambda layers: layers,
    norm=lambda stack, x: stack.norm(x),
    masked=True,
    after=lambda x, y: y,
):
    """An `Encoder` or `Decoder` with something changed: the layers that run, what follows, the masks.

    Args:
        kind: `Encoder` or `Decoder`.
        layers: a function of the layers: which of them run.
        norm: a function of the stack and the output of its last layer.
        masked: whether the masks are passed on.
        after: a function of a layer's input and output: the input of the next.
    """

    def forward(self, x, *inputs):
        for layer in layers(list(self.layers)):
            x = after(x, layer(x, *(inputs if masked else ())))
        return norm(self, x)

    return with_forward(kind, forward)


def of_stack(kind, masks):
    """The faults of a stack; masks says what the encoder's and the decoder's are called."""
    section = "9.4" if kind is Decoder else "8.6"
    return [
        Fault(
            stack(kind, lambda layers: layers[:1]),
            section,
            "첫 층만 지납니다. n_layers개를 모두 지나야 합니다.",
            "Only the first layer runs; all n_layers should.",
        ),
        Fault(
            stack(kind, lambda layers: layers[:1] * len(layers)),
            section,
            "같은 층을 여러 번 지납니다. 층마다 가중치가 따로 있습니다.",
            "One layer runs again and again; each has weights of its own.",
        ),
        Fault(
            stack(kind, lambda layers: layers[::-1]),
            section,
            "층의 순서가 거꾸로입니다.",
            "The layers run in reverse order.",
        ),
        Fault(
            stack(kind, norm=lambda stack, x: x),
            "8.7",
            "pre-LN에서는 마지막 층 다음에 정규화가 하나 더 있습니다.",
            "With pre-LN one more norm follows the last layer.",
        ),
        Fault(
            stack(kind, after=lambda x, y: x + y),
            section,
            "층의 출력에 x를 또 더했습니다. 잔차는 층 안에 있습니다.",
            "x is added to the output of a layer once more; the residuals are inside the layers.",
        ),
        *masks,
    ]


ENCODER = of_stack(
    Encoder,
    [
        Fault(
            stack(Encoder, masked=False),
            "8.6",
            "층에 마스크를 넘기지 않았습니다.",
            "The mask is not passed to the layers.",
        )
    ],
)


def passes(inputs):
    """A `Decoder` that passes on something else: inputs is a function of x, memory, mask, memory_mask."""

    def forward(self, x, memory=None, mask=None, memory_mask=None):
        for layer in self.layers:
            x = layer(*inputs(x, memory, mask, memory_mask))
        return self.norm(x)

    return with_forward(Decoder, forward)


DECODER = of_stack(
    Decoder,
    [
        Fault(
            passes(lambda x, memory, mask, memory_mask: (x, memory, None, memory_mask)),
            "9.4",
            "층에 mask를 넘기지 않았습니다. 미래가 보입니다.",
            "mask is not passed to the layers: they see the future.",
        ),
        Fault(
            passes(lambda x, memory, mask, memory_mask: (x, memory, mask)),
            "9.4",
            "층에 memory_mask를 넘기지 않았습니다.",
            "memory_mask is not passed to the layers.",
        ),
        Fault(
            passes(lambda x, memory, mask, memory_mask: (x, memory, memory_mask, mask)),
            "9.4",
            "층에 넘긴 두 마스크의 순서가 바뀌었습니다. mask가 먼저, memory_mask가 다음입니다.",
            "The layers get the two masks in the other order: first mask, then memory_mask.",
        ),
        *(
            Fault(
                passes(inputs),
                "9.4",
                "층에 메모리 대신 x를 넘겼습니다.",
                "The layers are given x in place of the memory.",
            )
            for inputs in (
                lambda x, memory, mask, memory_mask: (x, x, mask, mask),
                lambda x, memory, mask, memory_mask: (x, x, mask, memory_mask),
            )
        ),
    ],
)


def whole(
    scaled=(True, True),
    placed=(True, True),
    hidden=("encoder", "decoder", "target"),
    causal=True,
    pads=("src_pad_id", "tgt_pad_id"),
    last=lambda logits: logits,
    memory=lambda model, memory, embedded: memory,
):
    """A `Transformer` with something changed.

    Args:
        scaled, placed: whether source and target are multiplied by √d_model, and get positions.
        hidden: where padding is hidden.
        causal: whether the future is.
        pads: whose id hides the padding of source and target.
        last: what happens to the logits.
        memory: what the decoder is given: of the encoder's output and its input.
    """

    class Wrong(Transformer):
        def forward(self, src, tgt):
            x = self.embedded(self.src_embed, src, scaled[0], placed[0])
            y = self.embedded(self.tgt_embed, tgt, scaled[1], placed[1])
            source = padding_mask(src, getattr(self, pads[0]))
            seen = self.encoder(x, source if "encoder" in hidden else None)
            mask = combine_masks(
                padding_mask(tgt, getattr(self, pads[1])) if "target" in hidden else None,
                causal_mask(tgt.size(1)) if causal else None,
            )
            source = source if "decoder" in hidden else None
            return last(self.generator(self.decoder(y, memory(self, seen, x), mask, source)))

        def embedded(self, embed, ids, scaled, placed):
            x = embed.tokens(ids)
            x = x if scaled else x / self.d_model**0.5
            return embed.positions(x) if placed else x

    return Wrong


SIDES = {0: ("원문", "the source"), 1: ("번역문", "the target")}
TRANSFORMER = [
    *(
        Fault(
            whole(**{option: (number != 0, number != 1)}),
            "10.3",
            f"{SIDES[number][0]}의 {ko}",
            f"{en} {SIDES[number][1]}.",
        )
        for number in SIDES
        for option, ko, en in (
            ("scaled", "임베딩에 √d_model을 곱하지 않았습니다.", "√d_model is missing in the embedding of"),
            ("placed", "임베딩에 위치를 더하지 않았습니다.", "The positions are missing in the embedding of"),
        )
    ),
    Fault(
        whole(scaled=(False, False)),
        "10.3",
        "임베딩에 √d_model을 곱하지 않았습니다.",
        "√d_model is missing in the embeddings.",
    ),
    Fault(whole(placed=(False, False)), "10.3", "위치를 더하지 않았습니다.", "The positions are missing."),
    Fault(
        whole(hidden=("decoder", "target")),
        "10.4",
        "인코더가 원문의 패딩을 봅니다.",
        "The encoder sees the padding of the source.",
    ),
    Fault(
        whole(hidden=("encoder", "target")),
        "10.4",
        "디코더가 원문의 패딩을 봅니다. 크로스 어텐션에도 원문의 패딩 마스크를 넘기세요.",
        "The decoder sees the padding of the source: pass its mask to cross-attention, too.",
    ),
    Fault(
        whole(hidden=("target",)),
        "10.4",
        "원문의 패딩이 보입니다.",
        "The padding of the source is seen.",
    ),
    Fault(
        whole(hidden=("encoder", "decoder")),
        "10.4",
        "번역문의 패딩이 보입니다. 인과 마스크와 번역문의 패딩 마스크를 합치세요.",
        "The padding of the target is seen: combine its mask with the causal one.",
    ),
    Fault(
        whole(pads=("src_pad_id", "src_pad_id")),
        "6.3",
        "번역문의 패딩을 src_pad_id로 찾습니다. tgt_pad_id입니다.",
        "The padding of the target is looked for with src_pad_id; it is tgt_pad_id.",
    ),
    Fault(
        whole(pads=("tgt_pad_id", "tgt_pad_id")),
        "6.3",
        "원문의 패딩을 tgt_pad_id로 찾습니다. src_pad_id입니다.",
        "The padding of the source is looked for with tgt_pad_id; it is src_pad_id.",
    ),
    Fault(whole(causal=False), "10.4", "디코더가 미래를 봅니다.", "The decoder sees the future."),
    Fault(
        whole(last=lambda logits: logits.softmax(dim=-1)),
        "10.2",
        "로짓이 아니라 확률을 돌려줍니다. 소프트맥스는 손실이 합니다.",
        "It returns probabilities, not logits; the loss does the softmax.",
    ),
    Fault(
        whole(last=lambda logits: logits.log_softmax(dim=-1)),
        "10.2",
        "로그 소프트맥스를 거쳤습니다. 이 강의의 모델은 로짓을 그대로 돌려줍니다.",
        "The logits went through a log-softmax; return them as they are.",
    ),
    Fault(
        whole(memory=lambda model, memory, embedded: embedded),
        "10.5",
        "디코더가 인코더의 출력이 아니라 입력을 받습니다.",
        "The decoder is given the encoder's input, not its output.",
    ),
]
