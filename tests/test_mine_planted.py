"""A Transformer in another hand, tests/by_hand: it is right, and faults planted in it are named."""

import shutil
from pathlib import Path

import pytest
import torch

from helpers.mine.assembly import assemble
from helpers.mine.checking import check_part
from helpers.mine.rungs import PARTS
from helpers.mine.stubs import write_folder
from helpers.mine.trials import config
from helpers.mine.yours import forget

BY_HAND = Path(__file__).parent / "by_hand"
NOT_WRITTEN = {"beam_search", "LanguageModel"}


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The folder of a reader who has written all that is in tests/by_hand."""
    shutil.copytree(BY_HAND, tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    write_folder()
    yield tmp_path / "mine"
    forget()


def test_it_is_right(mine):
    found = {name: check_part(name) for name in PARTS}
    assert {name for name, outcome in found.items() if outcome.passed is None} == NOT_WRITTEN
    assert not [(name, one.en, one.example) for name, one in found.items() if one.passed is False]


# part, what stands in tests/by_hand, what stands there instead, how the message begins (None: it is only caught)

PLANTED = [
    (
        "GroupedQueryAttention",
        "s = q @ k.mT",
        "q, k = (RotaryEmbedding(D // self.h)(x) for x in (q, k)); s = q @ k.mT",
        "Queries and keys are turned",
    ),
    ("generate", "    model.eval()\n", "", "model.eval() is missing"),
    (
        "GroupedQueryAttention",
        ".repeat_interleave(self.h // self.kv, 1)",
        ".repeat(1, self.h // self.kv, 1, 1)",
        "Keys and values are dealt out in turn",
    ),
    (
        "TokenEmbedding",
        "* math.sqrt(self.table.embedding_dim)",
        "",
        "The vectors are not multiplied by √d_model",
    ),
    (
        "TokenEmbedding",
        "math.sqrt(self.table.embedding_dim)",
        "self.table.embedding_dim",
        "The vectors are mult",
    ),
    (
        "SinusoidalPositionalEncoding",
        "return x + self.t[: x.size(1)]",
        "return self.t[: x.size(1)] + 0 * x",
        "It returns",
    ),
    (
        "SinusoidalPositionalEncoding",
        "t[:, 0::2] = torch.sin(pos * w)",
        "t[:, 0::2] = torch.cos(pos * w)",
        "",
    ),
    (
        "SinusoidalPositionalEncoding",
        "torch.arange(max_len)[:, None]",
        "torch.arange(1, max_len + 1)[:, None]",
        "Positions begin at 1",
    ),
    ("SinusoidalPositionalEncoding", "math.log(10000)", "math.log(1000)", "The base is 1000"),
    (
        "scaled_dot_product_attention",
        " / math.sqrt(query.size(-1))",
        "",
        "The scores are not divided by √d_k",
    ),
    (
        "scaled_dot_product_attention",
        "math.sqrt(query.size(-1))",
        "query.size(-1)",
        "The scores are divided by d_k",
    ),
    ("scaled_dot_product_attention", "s.softmax(-1)", "s.softmax(-2)", "The softmax runs along the queries"),
    ("scaled_dot_product_attention", "masked_fill(~mask", "masked_fill(mask", "The mask is inverted"),
    (
        "scaled_dot_product_attention",
        "        w = w.masked_fill(~mask, 0)",
        "        pass",
        "A query that may see no key becomes NaN",
    ),
    (
        "scaled_dot_product_attention",
        's = s.masked_fill(~mask, float("-inf"))',
        "pass",
        "The mask comes after the softmax",
    ),
    (
        "MultiHeadAttention",
        ".view(B, T, self.h, D // self.h).transpose(1, 2)",
        ".view(B, self.h, T, D // self.h)",
        "view(B, H, T, d_head) in one go",
    ),
    (
        "MultiHeadAttention",
        "o.transpose(1, 2).reshape",
        "o.reshape",
        "The transpose before merging is missing",
    ),
    (
        "MultiHeadAttention",
        "(query, key, value), W",
        "(query, query, value), W",
        "The keys are made of query",
    ),
    ("MultiHeadAttention", "self.qkv.bias.split(D)", "self.qkv.bias.mul(0).split(D)", ""),
    (
        "MultiHeadAttention",
        "self.qkv.weight.split(D),",
        "[self.qkv.weight[:D]] * 3,",
        None,
    ),
    (
        "MultiHeadAttention",
        "return self.out(o.transpose(1, 2).reshape(B, T, H * d))",
        "return o.transpose(1, 2).reshape(B, T, H * d)",
        "W_O is missing",
    ),
    ("MultiHeadAttention", "attention(q, k, v, mask)", "attention(q, k, v)", "The mask is not used"),
    ("padding_mask", "ids != pad_id", "ids == pad_id", "It is True at padding"),
    ("padding_mask", "[:, None, None]", "", "Its shape is (B, T)"),
    ("causal_mask", ">= i", "> i", "The diagonal is hidden"),
    ("causal_mask", ">= i", "<= i", "The past is hidden"),
    ("combine_masks", "out & m", "out | m", "What one mask allows is seen"),
    ("LayerNorm", "unbiased=False", "unbiased=True", "The variance is divided by n − 1"),
    ("LayerNorm", "torch.sqrt(v + self.eps)", "(torch.sqrt(v) + self.eps)", "eps is added outside the root"),
    ("LayerNorm", " + self.b", "", "The bias is not added"),
    (
        "LayerNorm",
        "unbiased=False)",
        "unbiased=False).detach()",
        "The output is right, but the gradient of x is not",
    ),
    ("RotaryEmbedding", "x.chunk(2, -1)", "x.detach().chunk(2, -1)", "The output is detached from the graph"),
    (
        "RotaryEmbedding",
        "b * s, a * s",
        "b * s, a.detach() * s",
        "The output is right, but the gradient of x is not",
    ),
    ("LayerNorm", "(x - m) /", "x /", ""),
    ("FeedForward", "nn.ReLU()", "nn.Identity()", "There is no activation"),
    ("FeedForward", "nn.ReLU()", "nn.GELU()", "This is GELU"),
    ("EncoderLayer", "self.n1(x + self.att(x, x, x, mask))", "self.n1(self.att(x, x, x, mask))", ""),
    ("EncoderLayer", "return self.n2(x + self.ff(x))", "return self.n2(self.ff(x))", ""),
    ("EncoderLayer", "if self.pre:", "if not self.pre:", "The norm is where norm_first says it is not"),
    ("EncoderLayer", "if self.pre:", "if True:", "The norm always goes before"),
    ("Encoder", "LayerNorm(config.d_model) if config.norm_first else nn.Identity()", "nn.Identity()", ""),
    ("Encoder", "x = layer(x, mask)", "x = layer(x)", "The mask is not passed to the layers"),
    (
        "Encoder",
        "for layer in self.layers",
        "for layer in [self.layers[0]] * len(self.layers)",
        "One layer runs again",
    ),
    (
        "Encoder",
        "nn.ModuleList([EncoderLayer(config) for _ in range(config.n_layers)])",
        "[EncoderLayer(config) for _ in range(config.n_layers)]",
        "",
    ),
    (
        "DecoderLayer",
        "memory, memory, memory_mask",
        "memory, memory",
        "Cross-attention does not get memory_mask",
    ),
    ("DecoderLayer", "self.att(x, x, x, mask)", "self.att(x, x, x)", ""),
    ("DecoderLayer", "x = self.n2(x + self.cross(x, memory, memory, memory_mask))", "", ""),
    (
        "Decoder",
        "memory, mask, memory_mask)\n        return",
        "memory, None, memory_mask)\n        return",
        "mask is not passed to the layers",
    ),
    (
        "Transformer",
        "self.pe(self.te(tgt))",
        "self.te(tgt)",
        "The positions are missing in the embedding of the target",
    ),
    ("Transformer", "memory, t, m)", "memory, t)", "The decoder sees the padding of the source"),
    (
        "Transformer",
        "self.pe(self.se(src)), m)",
        "self.pe(self.se(src)))",
        "The encoder sees the padding of the source",
    ),
    (
        "Transformer",
        "combine_masks(padding_mask(tgt, self.tgt_pad), causal_mask(tgt.size(1)))",
        "padding_mask(tgt, self.tgt_pad)",
        "The decoder sees the future",
    ),
    (
        "Transformer",
        "self.pe(self.te(tgt))",
        "self.pe(self.te(tgt) / self.head.in_features**0.5)",
        "√d_model is missing in the embedding of the target",
    ),
    ("token_loss", "y = tgt[:, 1:]", "y = tgt[:, :-1]", "The labels are not shifted by one"),
    ("token_loss", "ignore_index=0", "ignore_index=-100", "Padding counts as a label"),
    ("inverse_sqrt", "min(step**-0.5, step * warmup_steps**-1.5)", "step**-0.5", "The warm-up is missing"),
    ("train_step", "    optimizer.zero_grad()\n", "", "The gradients of earlier steps are never cleared"),
    ("train_step", "    model.train()\n", "", "The model is not set to training"),
    (
        "train_step",
        "    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n",
        "",
        "The gradient is not clipped",
    ),
    ("train_step", "    optimizer.step()\n", "", "The weights stay as they are"),
    ("generate", "[:, -1]", "[:, 0]", "The logits of the first position are read"),
    ("generate", 'logits[:, 0] = float("-inf")', "pass", ""),
    (
        "KVCache",
        "torch.cat([k, keys], 2), torch.cat([v, values], 2)",
        "keys, values",
        "The keys and values that",
    ),
    (
        "KVCache",
        "        self.tokens[attention] = (keys, values)\n",
        "",
        "append returns keys and values but",
    ),
    (
        "KVCache",
        "            self.memory[attention] = (keys, values)\n",
        "",
        "The logits are right, but keys",
    ),
    ("KVCache", "(k[beam_index], v[beam_index])", "(k, v)", "reorder does nothing"),
    (
        "KVCache",
        "return n, ids[:, :n].ne(pad_id).sum(1, keepdim=True)",
        "return n, n",
        "Padding counts as positions",
    ),
    ("KVCache", ".sum(1, keepdim=True)", ".sum(1)", "It raises an error (RuntimeError). Shapes are aligned"),
    (
        "SinusoidalPositionalEncoding",
        "self.t[: x.size(1)]",
        "self.t[: x.size(0)].unsqueeze(1)",
        "Positions are counted along the batch",
    ),
    (
        "EncoderLayer",
        "self.n1(x + self.att(x, x, x, mask))",
        "self.att(self.n1(x), self.n1(x), self.n1(x), mask)",
        "With post-LN: Attention: There is no residual, and the norm is where norm_first says it is not",
    ),
    (
        "EncoderLayer",
        "return self.n2(x + self.ff(x))",
        "return x + self.n2(self.ff(x))",
        "With post-LN: Feed-forward network: Only the sublayer's output is normalized",
    ),
    (
        "EncoderLayer",
        "x + self.ff(x)",
        "x + self.ff(nn.functional.dropout(x))",
        "The result changes from call to call",
    ),
    ("Encoder", "x = layer(x, mask)", "x = x + layer(x, mask)", "x is added to the output of a layer"),
    (
        "DecoderLayer",
        "self.cross(self.n2(x), memory, memory, memory_mask)",
        "self.cross(self.n2(x), memory, self.n2(x), memory_mask)",
        "With pre-LN: The values of cross-attention are x",
    ),
    ("DecoderLayer", "memory, memory, memory_mask", "memory, memory, mask", "Cross-attention gets mask"),
    (
        "DecoderLayer",
        "x = x + self.att(y, y, y, mask)",
        "x = y + self.att(y, y, y, mask)",
        "Self-attention: With pre-LN the normalized x is added",
    ),
    (
        "DecoderLayer",
        "return self.n3(x + self.ff(x))",
        "return x + self.ff(self.n3(x))",
        "With post-LN: Feed-forward network: The norm is where norm_first says it is not",
    ),
    (
        "Decoder",
        "layer(x, memory, mask, memory_mask)",
        "layer(x, x, mask, mask)",
        "The layers are given x in place of the memory",
    ),
    (
        "Decoder",
        "layer(x, memory, mask, memory_mask)",
        "layer(x, memory, memory_mask, mask)",
        "The layers get the two masks in the other order",
    ),
    ("scaled_dot_product_attention", "s.softmax(-1)", "s.sigmoid()", "This is a sigmoid"),
    (
        "scaled_dot_product_attention",
        "s.softmax(-1)",
        "s.exp() / s.exp().sum(-1, keepdim=True)",
        "With large scores exp overflows",
    ),
    ("scaled_dot_product_attention", "w @ value, w", "w, w @ value", "The two results are exchanged"),
    ("scaled_dot_product_attention", 'float("-inf")', "0", "Hidden scores are set to 0"),
    (
        "MultiHeadAttention",
        "attention(q, k, v, mask)",
        "attention(q, v, k, mask)",
        "Keys and values are passed to attention in the other order",
    ),
    (
        "LayerNorm",
        "unbiased=False)",
        "unbiased=False).sqrt()",
        "It is divided by the root of the standard dev",
    ),
    ("LayerNorm", "eps=1e-5", "eps=1e-2", "eps is 0.01"),
    ("FeedForward", "nn.ReLU()", "nn.Sigmoid()", "This is sigmoid"),
    ("token_loss", "tgt[:, :-1]", "tgt[:, 1:]", "The model reads the very tokens that it should predict"),
    (
        "token_loss",
        "flatten(0, 1), y",
        "flatten(0, 1).softmax(-1), y",
        "cross_entropy is given probabilities",
    ),
    ("token_loss", "=label_smoothing)", "=0.1)", "The label smoothing is always 0.1"),
    (
        "token_loss",
        "ignore_index=0,",
        'ignore_index=0, reduction="sum",',
        "The losses of the tokens are added",
    ),
    ("token_loss", "/ real.sum()", "/ real.numel()", "The loss is right, but the accuracy is divided by all"),
    ("inverse_sqrt", "step * warmup_steps**-1.5", "step / warmup_steps", "The warm-up rises at another rate"),
    ("inverse_sqrt", "min(step**-0.5", "min((step + 1) ** -0.5", "1 is added to the step"),
    ("train_step", ", 1.0)", ", 0.1)", "The gradient is clipped to a norm of 0.1"),
    (
        "train_step",
        "optimizer.step()",
        "optimizer.step(), optimizer.step()",
        "optimizer.step() is called twice",
    ),
    ("BPETokenizer", "min(known, key=self.rules.get)", "known[0]", "encode joins the leftmost pair"),
    ("BPETokenizer", "+= freq[w]", "+= 1", "Each word is counted once"),
    ("BPETokenizer", 'r" ?\\w+| ?[^\\w\\s]+|\\s"', 'r" ?\\S+|\\s"', "Punctuation stays with its word"),
    ("BPETokenizer", "if text else []", 'and [" " + text] if text else []', "Pairs are joined across words"),
    (
        "BPETokenizer",
        "(-pairs[p], self.number[p[0]], self.number[p[1]])",
        "-pairs[p]",
        "Of pairs equally frequent",
    ),
    (
        "BPETokenizer",
        "[4 + b for b in part.encode()]",
        "[self.unk_id]",
        "A character never seen becomes <unk>",
    ),
    ("BPETokenizer", "        return ids", "        return [2, *ids, 3]", "encode adds bos and eos"),
    (
        "BPETokenizer",
        'text[1:] if text.startswith(" ") else text',
        "text.strip()",
        "decode removes all space",
    ),
    ("BPETokenizer", 'text[1:] if text.startswith(" ") else text', "text", "decode leaves the space"),
    ("RMSNorm", "x * (x.square()", "(x - x.mean(-1, keepdim=True)) * (x.square()", ""),
    ("RMSNorm", "self.eps).rsqrt()", "self.eps) ** -1", "It is divided by the mean square"),
    ("RotaryEmbedding", "a, b = x.chunk(2, -1)", "b, a = x.chunk(2, -1)", ""),
    (
        "RotaryEmbedding",
        "a * c - b * s, a * s + b * c",
        "a * c + b * s, b * c - a * s",
        "It turns the other way",
    ),
    ("SwiGLU", "g * g.sigmoid()", "g.relu()", "The activation of the gate is ReLU"),
    ("SwiGLU", "g = self.w_gate(x)", "g = self.w_up(x)", ""),
    ("generate", "done.all()", "done.any()", "All rows end with the first that writes eos"),
    (
        "generate",
        "model(src, tgt)[:, -1]",
        "model(src, tgt[:, -1:])[:, -1]",
        "The model is given the last token",
    ),
]


@pytest.mark.parametrize("part, right, wrong, said", PLANTED, ids=[f"{p[0]}: {p[2][:30]}" for p in PLANTED])
def test_a_planted_fault_is_named(mine, part, right, wrong, said):
    path = mine / f"{PARTS[part].rung}.py"
    source = path.read_text()
    assert right in source
    path.write_text(source.replace(right, wrong))
    outcome = check_part(part)
    assert outcome.passed is False
    if said is not None:
        assert outcome.en.startswith(said) and not outcome.en.startswith("The values differ"), outcome.en


@pytest.mark.parametrize("own_attention", [False, True])
def test_a_cache_serves_the_courses_attention_and_harms_no_other(mine, own_attention):
    if not own_attention:
        for path in mine.glob("*.py"):
            if path.stem not in {"__init__", "adapters", "cache"}:
                path.write_text("")
    made = assemble()
    assert made["decoding"].KVCache.__module__ == "mine.cache"
    torch.manual_seed(0)
    model = made["transformer"].Transformer(config(n_layers=2)).eval()
    src, ids = torch.tensor([[1, 2, 3], [4, 5, 0]]), torch.tensor([[1, 4, 5, 3], [1, 6, 2, 2]])
    full, cached = made["decoding"].FullDecoding(model, src), made["decoding"].IncrementalDecoding(model, src)
    for length in range(1, 5):
        torch.testing.assert_close(cached(ids[:, :length]), full(ids[:, :length]))
