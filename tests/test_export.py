"""A model that travels: one graph, exported programs, ONNX, other precisions, and no device at all."""

import copy
import logging

import onnxruntime
import pytest
import torch
from torch import nn
from torch.export import Dim

from helpers.decoding import KVCache, generate
from helpers.transformer import Transformer, TransformerConfig

BOS, EOS, LIMIT = 2, 3, 1e-4
KINDS = [{}, {"norm_first": True, "activation": "gelu", "positions": "learned", "tie_generator": True}]


@pytest.fixture(params=KINDS, ids=["post-LN", "pre-LN"])
def model(request):
    torch.manual_seed(0)
    return Transformer(
        TransformerConfig(
            12,
            13,
            d_model=16,
            n_heads=4,
            d_ff=24,
            n_layers=2,
            max_len=40,
            **request.param,
        )
    ).eval()


def sentences(batch, t_src, t_tgt):
    """Ids with padding at the ends."""
    src, tgt = torch.randint(4, 12, (batch, t_src)), torch.randint(4, 13, (batch, t_tgt))
    src[0, t_src // 2 :] = 0
    tgt[-1, t_tgt // 2 :] = 0
    return src, tgt


def largest_difference(ours, theirs):
    return (torch.as_tensor(ours) - torch.as_tensor(theirs)).abs().max().item()


def onnx_session(module, inputs, dynamic_shapes, path):
    """The module as an ONNX file of opset 18, opened by onnxruntime."""
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    torch.onnx.export(
        module,
        inputs,
        path,
        dynamo=True,
        dynamic_shapes=dynamic_shapes,
        opset_version=18,
        verbose=False,
    )
    return onnxruntime.InferenceSession(path)


def run_onnx(session, *inputs):
    names = [each.name for each in session.get_inputs()]
    return session.run(None, {name: x.numpy() for name, x in zip(names, inputs, strict=True)})


def test_the_whole_model_is_one_graph(model):
    """fullgraph=True raises at the first break of the graph, in evaluation and in training."""
    compiled = torch.compile(model, fullgraph=True, backend="eager", dynamic=True)
    for shapes in ((2, 5, 4), (3, 7, 6)):
        src, tgt = sentences(*shapes)
        assert largest_difference(compiled(src, tgt).detach(), model(src, tgt).detach()) < LIMIT
    model.train()
    compiled(*sentences(2, 5, 4)).sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


@torch.no_grad()
def test_the_exported_program_takes_other_shapes(model):
    dynamic = {name: {0: Dim.AUTO, 1: Dim.AUTO} for name in ("src", "tgt")}
    program = torch.export.export(model, sentences(2, 5, 4), dynamic_shapes=dynamic).module()
    for shapes in ((2, 5, 4), (4, 9, 11)):
        src, tgt = sentences(*shapes)
        assert largest_difference(program(src, tgt), model(src, tgt)) < LIMIT


@torch.no_grad()
def test_onnx_gives_the_same_logits_and_translations(model, tmp_path):
    dynamic = {"src": {0: "batch", 1: "t_src"}, "tgt": {0: "batch", 1: "t_tgt"}}
    session = onnx_session(model, sentences(2, 5, 4), dynamic, tmp_path / "model.onnx")
    for shapes in ((2, 5, 4), (4, 9, 11)):
        src, tgt = sentences(*shapes)
        assert largest_difference(run_onnx(session, src, tgt)[0], model(src, tgt)) < LIMIT
    src, _ = sentences(4, 9, 1)
    ids = torch.full((4, 1), BOS)
    for _ in range(8):
        logits = torch.from_numpy(run_onnx(session, src, ids)[0])[:, -1]
        logits[:, 0] = -torch.inf
        ids = torch.cat([ids, logits.argmax(dim=-1, keepdim=True)], dim=1)
    until_eos = [row[1:].tolist() for row in ids]
    until_eos = [row[: row.index(EOS)] if EOS in row else row for row in until_eos]
    assert until_eos == generate(model, src, BOS, EOS, 8)


class Step(nn.Module):
    """One decoding step as a function of tensors: the cache goes in and comes out."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, ids, past, memory_keys, memory, memory_mask):
        cache, layers = KVCache(), self.model.decoder.layers
        cache.tokens = {layer.attention: kept for layer, kept in zip(layers, past, strict=True)}
        cache.memory = {layer.cross_attention: kept for layer, kept in zip(layers, memory_keys, strict=True)}
        hidden = self.model.decode(ids, memory, memory_mask, cache)
        return self.model.generator(hidden[:, -1]), list(cache.tokens.values())


def step_inputs(model, src, tgt):
    """What a step needs for the last token of tgt; and the logits that it must give."""
    memory, memory_mask = model.encode(src)
    cache = KVCache()
    model.decode(tgt[:, :-1], memory, memory_mask, cache)
    kept = [list(which.values()) for which in (cache.tokens, cache.memory)]
    return (tgt, *kept, memory, memory_mask), model(src, tgt)[:, -1]


def step_shapes(n_layers, dim):
    """The axes of `step_inputs` that may change: rows, tokens in the cache, tokens of the source."""
    past, read = {0: dim("batch"), 2: dim("t_tgt")}, {0: dim("batch"), 2: dim("t_src")}
    return {
        "ids": {0: dim("batch"), 1: dim("t_ids")},
        "past": [(past, past)] * n_layers,
        "memory_keys": [(read, read)] * n_layers,
        "memory": {0: dim("batch"), 1: dim("t_src")},
        "memory_mask": {0: dim("batch"), 3: dim("t_src")},
    }


@torch.no_grad()
def test_one_decoding_step_compiles_exports_and_runs_in_onnx(model, tmp_path):
    def inputs(*shapes):
        src, tgt = sentences(*shapes)
        return step_inputs(model, src, tgt.clamp_min(4))

    first, wanted = inputs(3, 5, 4)
    compiled = torch.compile(Step(model), fullgraph=True, backend="eager")
    assert largest_difference(compiled(*first)[0], wanted) < LIMIT
    auto = step_shapes(2, lambda name: Dim.AUTO)
    program = torch.export.export(Step(model), first, dynamic_shapes=auto).module()
    named = step_shapes(2, lambda name: name)
    session = onnx_session(Step(model), first, named, tmp_path / "step.onnx")
    for shapes in ((3, 5, 4), (2, 8, 9)):
        again, wanted = inputs(*shapes)
        assert largest_difference(program(*again)[0], wanted) < LIMIT
        flat, _ = torch.utils._pytree.tree_flatten(again)
        logits, *past = run_onnx(session, *flat)
        assert largest_difference(logits, wanted) < LIMIT
        assert past[0].shape == (shapes[0], 4, shapes[2], 4)


@torch.no_grad()
@pytest.mark.parametrize(("dtype", "limit"), [(torch.bfloat16, 0.1), (torch.float16, 0.02)])
def test_half_precision(model, dtype, limit):
    src, tgt = sentences(2, 5, 4)
    half = copy.deepcopy(model).to(dtype)
    logits = half(src, tgt)
    assert logits.dtype == dtype
    assert largest_difference(logits.float(), model(src, tgt)) < limit
    for row, ids in zip(src, generate(half, src, BOS, EOS, 5), strict=True):  # with a cache
        written = torch.tensor([*ids, EOS][:5])
        again = half(row[None], torch.tensor([[BOS, *ids]]))[0, : len(written)].float()  # without
        chosen = again.gather(1, written[:, None])[:, 0]
        assert (again.amax(dim=1) - chosen).max() < limit  # the likeliest, or as good as it


def test_without_a_device():
    with torch.device("meta"):
        model = Transformer(TransformerConfig(12, 13, d_model=16, n_heads=4, d_ff=24, n_layers=2))
    src, tgt = (ids.to("meta") for ids in sentences(2, 5, 4))
    logits = model(src, tgt)
    assert logits.device.type == "meta" and logits.shape == (2, 4, 13)


def test_a_forward_pass_waits_for_no_device(model, monkeypatch):
    """What would make a GPU wait (item, tolist, bool of a tensor, nonzero) is not called away from a CPU."""

    def waits(*arguments, **options):
        raise AssertionError("the forward pass reads a number back")

    model = model.to("meta")
    src, tgt = (ids.to("meta") for ids in sentences(2, 5, 4))
    for name in ("item", "tolist", "__bool__", "nonzero"):
        monkeypatch.setattr(torch.Tensor, name, waits)
    model(src, tgt)
