"""On what each part is tried: numbers small enough to read first, then random ones."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from helpers.encoder import StackConfig
from helpers.language_model import LanguageModelConfig
from helpers.masking import causal_mask, padding_mask
from helpers.transformer import Transformer, TransformerConfig

PAD, VOCAB = 0, 7


@dataclass
class Trial:
    """One use of a part.

    Args:
        inputs: what a function is called with, or the forward pass of a module.
        sizes: what the module is made with; None for a function.
        readable: the weights are identity matrices and the biases 0, instead of random numbers.
        use: a function of the part and the inputs, where it is used in another way than by a call.
    """

    inputs: tuple
    sizes: tuple | None = None
    readable: bool = False
    use: Callable | None = None

    @property
    def norm_first(self):
        """Where the norm stands: True, False, or None where there is no such choice."""
        return getattr(self.sizes[0], "norm_first", None) if self.sizes else None

    def weights(self, module):
        """Fill the parameters of a module of ours.

        Args:
            module: `nn.Module`.

        Returns:
            The same module, in evaluation.
        """
        rng = torch.Generator().manual_seed(1)
        for name, parameter in module.named_parameters():
            if not self.readable:
                parameter.data = torch.randn(parameter.shape, generator=rng) * 0.5
            elif parameter.dim() == 2:
                parameter.data = torch.eye(*parameter.shape)
            else:
                parameter.data = torch.full(parameter.shape, float(name.endswith("weight")))
        return module.eval()


def trials(name):
    """The trials of a part, the most readable first; the same at every call.

    Args:
        name: of the part.

    Returns:
        List of `Trial`.
    """
    rng = torch.Generator().manual_seed(0)

    def x(*shape):
        return torch.randn(*shape, generator=rng)

    return TRIALS[name](x)


def tokens(*rows):
    """Token ids (B, T)."""
    return torch.tensor(rows)


def one_hot(length, size):
    """Tokens (1, length, size), each a 1 in a column of its own."""
    return torch.eye(length, size).unsqueeze(0)


def stack(norm_first=False, n_layers=1, d_model=4, n_heads=2):
    """The config of a small stack."""
    return StackConfig(d_model=d_model, n_heads=n_heads, d_ff=6, n_layers=n_layers, norm_first=norm_first)


def of_attention(x):
    """Trials of scaled_dot_product_attention."""
    q, k, v = torch.eye(2, 4) * 2, torch.eye(3, 4) * 2, torch.tensor([[1.0], [2.0], [3.0]])
    hidden = torch.tensor([[True, True, False], [False, False, False]])
    return [
        Trial((q, k, v)),
        Trial((q, k, v, torch.tensor([[True, True, False]]))),
        Trial((q, k, v, hidden)),
        Trial((x(2, 4), x(3, 4), x(3, 5))),
        Trial((x(3, 4) * 4, x(3, 4) * 4, x(3, 4), causal_mask(3))),
        Trial((x(2, 3, 4, 6), x(2, 3, 5, 6), x(2, 3, 5, 6))),
        Trial((x(3, 4) * 16, x(3, 4) * 16, x(3, 4))),  # exp of such scores overflows
        Trial((x(2, 3, 5, 6), x(2, 3, 5, 6), x(2, 3, 5, 6), causal_mask(5))),
    ]


def of_multi_head_attention(x):
    """Trials of MultiHeadAttention."""
    found = []
    for readable, d_model, n_heads, t_q, t_k in (
        (True, 4, 2, 2, 3),
        (False, 4, 2, 2, 3),
        (False, 12, 3, 5, 4),
    ):
        q = one_hot(t_q, d_model) if readable else x(2, t_q, d_model)
        k = one_hot(t_k, d_model) * 2 if readable else x(2, t_k, d_model)
        lengths = torch.arange(t_k) < torch.tensor([t_k, t_k - 1])[: len(k), None]
        sizes = d_model, n_heads
        found += [
            Trial((q, q, q), sizes, readable),
            Trial((q, k, k), sizes, readable),
            Trial((k, k, k, causal_mask(t_k)), sizes, readable),
            Trial((q, k, k, lengths[:, None, None, :]), sizes, readable),
            Trial((q, k, k.flip(1)), sizes, readable),
            Trial((q, q * 2, q.flip(1)), sizes, readable),
        ]
    by_head = x(1, n_heads, t_q, t_k) > 0
    by_head[..., 0] = True
    found.insert(-1, Trial((q, k, k, by_head), sizes))
    found.insert(-1, Trial((q * 64, q * 64, q), sizes))  # exp of such scores overflows
    return found


def of_encoder_layer(x):
    """Trials of EncoderLayer and Encoder."""
    mask = torch.tensor([[True, True, True], [True, True, False]])[:, None, None, :]
    return [
        Trial((one_hot(3, 4) + 1,), (stack(),), True),
        *(
            Trial((x(2, 3, 4) * 2, mask), (stack(norm_first, n_layers),))
            for norm_first in (False, True)
            for n_layers in (1, 2)
        ),
        Trial((x(2, 5, 12),), (stack(True, 3, 12, 3),)),
    ]


def of_decoder_layer(x):
    """Trials of DecoderLayer and Decoder."""
    memory_mask = torch.tensor([[True, True], [True, False]])[:, None, None, :]
    equally_long = torch.tensor([[True, True, True], [True, True, False]])[:, None, None, :]
    return [
        Trial((one_hot(3, 4) + 1, one_hot(2, 4) * 2, causal_mask(3)), (stack(),), True),
        *(
            Trial(
                (x(2, 3, 4) * 2, x(2, 2, 4) * 2, causal_mask(3), memory_mask), (stack(norm_first, n_layers),)
            )
            for norm_first in (False, True)
            for n_layers in (1, 2)
        ),
        *(
            Trial(
                (x(2, 3, 4) * 2, x(2, 3, 4) * 2, causal_mask(3), equally_long), (stack(norm_first, n_layers),)
            )
            for norm_first in (False, True)
            for n_layers in (1, 2)
        ),
        Trial((x(2, 5, 12), x(2, 4, 12), causal_mask(5)), (stack(True, 3, 12, 3),)),
    ]


def of_transformer(x):
    """Trials of Transformer."""
    src, tgt = tokens([1, 2, 3], [4, 5, PAD]), tokens([1, 6, 2, 3], [1, 4, PAD, PAD])
    return [
        Trial((src[:1], tgt[:1, :2]), (config(),)),
        Trial((src, tgt), (config(),)),
        Trial((src, tgt), (config(norm_first=True, n_layers=2),)),
        Trial((src, tgt), (config(src_pad_id=5, tgt_pad_id=3),)),
    ]


def config(**options):
    """The config of a small translator."""
    return TransformerConfig(
        VOCAB, VOCAB, d_model=8, n_heads=2, d_ff=12, max_len=16, **{"n_layers": 1, "dropout": 0.0} | options
    )


def config_of_text(**options):
    """The config of a small language model."""
    sizes = {"d_model": 8, "n_heads": 2, "d_ff": 12, "n_layers": 1, "max_len": 16, "dropout": 0.0} | options
    return LanguageModelConfig(VOCAB, tie_generator=False, **sizes)


@dataclass(frozen=True)
class translator:
    """Stands for a small translator of ours with random weights.

    Args:
        seed: of the weights.
        training: whether it is handed over in training, with a dropout of 1, so that it ignores all it reads.
    """

    seed: int
    training: bool = False

    def built(self):
        """The translator, anew."""
        torch.manual_seed(self.seed)
        return Transformer(config(dropout=float(self.training))).train(self.training)


def with_translator(function, model, *inputs):
    """Call a function of the reader with a translator."""
    return function(model.built(), *inputs)


def of_token_loss(x):
    """Trials of token_loss."""
    src, tgt = tokens([1, 2, 3], [4, 5, PAD]), tokens([1, 6, 2, 3], [1, 4, PAD, PAD])
    batches = (src[:1], tgt[:1]), (src, tgt), (src, tgt, 0.1)
    return [Trial((translator(0), *batch), use=with_translator) for batch in batches]


def steps(train_step, number, label_smoothing):
    """What some steps of gradient descent do: the losses, a part of the weights, the mode at the end."""
    model = translator(0).built()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
    src, tgt = tokens([1, 2, 3], [4, 5, PAD]), tokens([1, 6, 2, 3], [1, 4, PAD, PAD])
    model.eval()
    losses = [train_step(model, optimizer, src, tgt, label_smoothing) for _ in range(number)]
    weight = model.generator.linear.weight.detach()[:3, :4]
    return {"losses": losses, "weights": weight, "training": model.training}


def of_generate(x):
    """Trials of generate, with small random translators."""
    src = tokens([1, 2, 3, 5], [4, 5, PAD, PAD])
    seeds = 0, 1, 2, 3, 14, 43  # of the last two one row ends long before the other
    models = *map(translator, seeds), translator(0, training=True)
    return [Trial((model, src, 1, 2, 6), use=with_translator) for model in models]


def of_beam_search(x):
    """Trials of beam_search: narrow beams, and one as wide as all sequences of the vocabulary."""
    src = tokens([1, 2, 3, 5], [4, 5, PAD, PAD])
    widths = (1, 0.0), (2, 0.0), (2, 0.6), (4, 1.0), (30, 0.6)
    found = [
        Trial((translator(seed), src, 1, 2, 4, *width), use=with_translator)
        for seed in range(2)
        for width in widths
    ]
    return [*found, Trial((translator(0, training=True), src, 1, 2, 4, 1, 0.6), use=with_translator)]


def taken_in(cache, *pieces):
    """What a cache has of an attention when it has taken in keys; the values are ten times as large."""
    cache = cache()
    for keys in pieces:
        keys, values = cache.append("attention", keys, keys * 10)
    return {"keys": keys, "values": values, "length": cache.length}


@torch.no_grad()
def read_in_pieces(cache, model, src, tgt, ends, rows=None):
    """What a decoder of ours makes of a target that it reads piece by piece, with a cache.

    Args:
        cache: what makes the cache.
        model: a `translator`.
        src: (B, T_src).
        tgt: (B, T_tgt).
        ends: how far each piece goes.
        rows: before the last piece, row i continues from row rows[i]; None: from itself.

    Returns:
        Dictionary of logits (B, T_tgt, vocab_size), of how many keys and values the attentions made, and of
        how many tokens were in the cache before each piece.
    """
    made, lengths, logits = [], [], []
    model, cache = model.built(), cache()
    for layer in model.decoder.layers:
        for attention in (layer.attention, layer.cross_attention):
            for linear in (attention.w_k, attention.w_v):
                linear.register_forward_hook(lambda linear, inputs, vectors: made.append(vectors.size(1)))
    memory = model.encode(src)
    for end in ends:
        if rows is not None and end == ends[-1]:
            cache.reorder(torch.tensor(rows))
            tgt = torch.cat([tgt[rows, : ends[-2]], tgt[:, ends[-2] :]], dim=1)
        lengths.append(cache.begin_pass(tgt[:, :end], PAD)[0])  # only a look: nothing passes yet
        logits.append(model.generator(model.decode(tgt[:, :end], *memory, cache=cache)))
    return {"logits": torch.cat(logits, dim=1), "keys and values": sum(made), "lengths": lengths}


def of_cache(x):
    """Trials of KVCache: a token at a time, several at once, rows that end in padding, rows that move."""
    src, tgt = tokens([1, 2, 3], [4, 5, PAD]), tokens([1, 6, 2, 3, 5], [1, 4, 6, 6, 2])
    gaps = tokens([1, 6, 2, 3, 5], [1, PAD, 4, 6, 2])
    model, same = translator(0), src[:1].expand(2, -1)
    inputs = [
        (model, src[:1], tgt[:1], [1, 2]),
        (model, src[:1], tgt[:1], [1, 2, 3, 4, 5]),
        (model, src, tgt, [3, 5]),
        (model, src, gaps, [2, 3, 5]),
        (model, same, tgt, [3, 4], [1, 0]),
        (model, same, tgt, [3, 5], [1, 1]),
    ]
    keys = [torch.tensor(rows).view(1, 1, -1, 1) for rows in ([1.0, 2.0], [3.0])]
    return [
        Trial((keys[0],), use=taken_in),
        Trial((*keys,), use=taken_in),
        *(Trial(one, use=read_in_pieces) for one in inputs),
    ]


def spelled(tokenizer, texts, vocab_size, others):
    """What a tokenizer makes of texts: how many tokens it has learned, which it uses, and what comes back."""
    made = tokenizer(texts, vocab_size)
    ids = [made.encode(text) for text in others]
    return {
        "vocabulary": len(made),
        "tokens": [len(one) for one in ids],
        "decoded": [made.decode(one) for one in ids],
        "pieces": [[made.decode([id]) for id in one] for one in ids],
        "ids": [list(one) for one in ids],
        "special tokens apart": len({made.pad_id, made.bos_id, made.eos_id}) == 3,
    }


TEXTS = ["나는 파리를 여행했다", "나는 파리에 갔다", "너는 파리를 보았다", "나는 빵을 샀다"]


TRIALS = {
    "BPETokenizer": lambda x: [
        Trial((TEXTS[:1] * 2, 280, TEXTS[:1]), use=spelled),
        Trial((TEXTS, 300, TEXTS), use=spelled),
        Trial((TEXTS, 320, ["파리는 나를 보았다", "", "Paris, 東京 🙂", "  두 칸 "]), use=spelled),
        Trial((["xbc ybc zbc wbc kab lab mab"], 273, ["abc", "bab"]), use=spelled),  # bc, ab
        Trial((["xbc ybc qbc rbc sbc kabc labc mabc zab wab vab uab"], 279, ["abc"]), use=spelled),  # and abc
        Trial((["ace ace ace bdf", "bdg bdh"], 272, ["ace", "bd"]), use=spelled),
        Trial((["빵, 빵, 우유! 차, 빵.", "빵, 우유!"], 274, ["우유, 빵!", "“차?”"]), use=spelled),
    ],
    "token_loss": of_token_loss,
    "inverse_sqrt": lambda x: [
        Trial(arguments) for arguments in ((1, 4, 2), (2, 4, 2), (4, 4, 2), (100, 128, 300), (1000, 128, 300))
    ],
    "train_step": lambda x: (
        [Trial((number, 0.0), use=steps) for number in (1, 2)] + [Trial((2, 0.1), use=steps)]
    ),
    "generate": of_generate,
    "beam_search": of_beam_search,
    "KVCache": of_cache,
    "TokenEmbedding": lambda x: [
        Trial((tokens([0, 2]),), (3, 4), True),
        Trial((tokens([0, 2, 1], [2, 2, 0]),), (5, 4)),
        Trial((tokens([10, 3]),), (11, 8)),
    ],
    "SinusoidalPositionalEncoding": lambda x: [
        Trial((torch.zeros(1, 2, 4),), (4, 10)),
        Trial((torch.zeros(1, 10, 4),), (4, 10)),
        Trial((x(2, 5, 8),), (8, 16)),
    ],
    "scaled_dot_product_attention": of_attention,
    "MultiHeadAttention": of_multi_head_attention,
    "padding_mask": lambda x: [
        Trial((tokens([3, 0]), 0)),
        Trial((tokens([3, 1, 0], [2, 0, 0]), 0)),
        Trial((tokens([3, 1, 0], [2, 5, 5]), 5)),
    ],
    "causal_mask": lambda x: [Trial((length,)) for length in (2, 1, 4)],
    "combine_masks": lambda x: [
        Trial((torch.tensor([True, False, True]), torch.tensor([True, True, False]))),
        Trial((padding_mask(tokens([1, 2, 0], [1, 0, 0]), 0), causal_mask(3))),
        Trial((causal_mask(2), None)),
        Trial((None, causal_mask(2), torch.tensor([True, False]))),
        Trial((None, None)),
    ],
    "LayerNorm": lambda x: [
        Trial((torch.tensor([[1.0, 3.0]]),), (2,), True),
        Trial((torch.tensor([[[1.0, 2.0, 6.0, 7.0], [0.0, 0.0, 0.0, 4.0]]]),), (4,), True),
        Trial((torch.full((1, 2, 4), 5.0),), (4,), True),
        Trial((x(2, 3, 4) * 3 + 1,), (4,)),
        Trial((x(2, 3, 6) * 1e-3,), (6,)),
        Trial((x(2, 2, 3, 6),), (6,)),
    ],
    "FeedForward": lambda x: [
        Trial((torch.tensor([[[1.0, -2.0]]]),), (2, 3), True),
        Trial((x(2, 3, 4),), (4, 6)),
        Trial((x(1, 5, 4),), (4, 16)),
        Trial((x(2, 2, 3, 4),), (4, 6)),
    ],
    "LanguageModel": lambda x: [
        Trial((tokens([1, 2]),), (config_of_text(),)),
        Trial((tokens([1, 2, 3, 4], [5, 6, PAD, PAD]),), (config_of_text(n_layers=2),)),
    ],
    "RMSNorm": lambda x: [
        Trial((torch.tensor([[3.0, 4.0]]),), (2,), True),
        Trial((torch.zeros(1, 2, 4),), (4,), True),
        Trial((x(2, 3, 6) * 1e-3,), (6,)),
        Trial((x(2, 3, 6) * 3 + 1,), (6,)),
    ],
    "RotaryEmbedding": lambda x: [
        Trial((torch.tensor([[[1.0, 0.0], [1.0, 0.0]]]),), (2, 4)),
        Trial((torch.eye(4).unsqueeze(0),), (4, 8)),
        Trial((x(2, 3, 5, 8),), (8, 16)),
    ],
    "SwiGLU": lambda x: [Trial((x(1, 2, 2),), (2, 3), True), Trial((x(2, 3, 4),), (4, 6))],
    "GroupedQueryAttention": lambda x: [
        Trial((q, q, q, mask), (d_model, n_heads, n_kv_heads))
        for d_model, n_heads, n_kv_heads in ((4, 2, 1), (8, 4, 2), (8, 4, 4))
        for q, mask in (
            (x(1, 2, d_model), None),
            (x(1, 3, d_model) * 64, None),  # exp of such scores overflows
            (x(2, 3, d_model), causal_mask(3)),
        )
    ],
    "EncoderLayer": of_encoder_layer,
    "Encoder": of_encoder_layer,
    "DecoderLayer": of_decoder_layer,
    "Decoder": of_decoder_layer,
    "Transformer": of_transformer,
}
