"""On what each part is tried: numbers small enough to read first, then random ones."""

from dataclasses import dataclass

import torch

from helpers.encoder import StackConfig
from helpers.masking import causal_mask, padding_mask
from helpers.transformer import TransformerConfig

PAD, VOCAB = 0, 7


@dataclass
class Trial:
    """One use of a part.

    Args:
        inputs: what a function is called with, or the forward pass of a module.
        sizes: what the module is made with; None for a function.
        readable: the weights are identity matrices and the biases 0, instead of random numbers.
    """

    inputs: tuple
    sizes: tuple | None = None
    readable: bool = False

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
        ]
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
    return [
        Trial((one_hot(3, 4) + 1, one_hot(2, 4) * 2, causal_mask(3)), (stack(),), True),
        *(
            Trial(
                (x(2, 3, 4) * 2, x(2, 2, 4) * 2, causal_mask(3), memory_mask), (stack(norm_first, n_layers),)
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
    ]


def config(**options):
    """The config of a small translator."""
    return TransformerConfig(
        VOCAB, VOCAB, d_model=8, n_heads=2, d_ff=12, max_len=16, dropout=0.0, **{"n_layers": 1} | options
    )


TRIALS = {
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
    "EncoderLayer": of_encoder_layer,
    "Encoder": of_encoder_layer,
    "DecoderLayer": of_decoder_layer,
    "Decoder": of_decoder_layer,
    "Transformer": of_transformer,
}
