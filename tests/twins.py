"""A decoder-only model of the transformers library and ours with its weights: they compute the same."""

import copy
import json

import torch
from safetensors.torch import load_file, save_file
from torch.nn import functional as F
from transformers import LlamaConfig, LlamaForCausalLM

from helpers.decoding import generate
from helpers.language_model import next_token_loss
from helpers.published.llama import LLAMA_DEFAULTS
from helpers.published.llama_gguf import read_gguf


def llama_of_transformers(path):
    """A GGUF file as LlamaForCausalLM; transformers reads such files with a further package only."""
    config, weights = read_gguf(path)
    options = {name: config[name] for name in LLAMA_DEFAULTS}
    rope = {"rope_type": "default", "rope_theta": config["rope_theta"]}
    theirs = LlamaForCausalLM(LlamaConfig(**options, rope_parameters=rope)).eval()
    theirs.load_state_dict(weights)
    return theirs


@torch.no_grad()
def assert_same_logits(ours, theirs, length, limit=1e-5):
    """On random ids (3, length); ours has one token more, padding, at the end, which must never be likely."""
    ids = torch.randint(theirs.config.vocab_size, (3, length))
    logits, wanted = ours(ids), theirs(ids, labels=ids)
    torch.testing.assert_close(logits[..., :-1], wanted.logits, rtol=0, atol=limit)
    chances = F.pad(wanted.logits.softmax(dim=-1), (0, 1))  # of every column; that of padding is 0
    torch.testing.assert_close(logits.softmax(dim=-1), chances, rtol=0, atol=limit)
    loss = next_token_loss(ours, ids[:, :-1], ids[:, 1:])
    torch.testing.assert_close(loss, wanted.loss, rtol=1e-5, atol=limit)


def assert_same_texts(ours, theirs, seed, eos=1):
    """Greedy decoding continues six prompts of five tokens alike; the vocabulary has at least 40 tokens."""
    for prompt in torch.randint(2, 40, (6, 1, 5), generator=torch.Generator().manual_seed(seed)):
        wanted = theirs.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            do_sample=False,
            max_new_tokens=20,
            pad_token_id=eos,
        )[0, 5:].tolist()
        (found,) = generate(ours, None, prompt, eos, 20)
        assert found == [id for id in wanted if id != eos]


def save(theirs, folder, rng):
    """Save a model in one file or in several, in float32 or less; it goes on with what was saved."""
    dtype, size = rng.choice([torch.float32, torch.bfloat16, torch.float16]), rng.choice(["1GB", "3KB"])
    copy.deepcopy(theirs).to(dtype).save_pretrained(folder, max_shard_size=size)
    for weight in theirs.parameters():
        weight.data = weight.data.to(dtype).float()


def save_in_one_file(theirs, folder):
    """Save a model in float32, in place of what is there."""
    for file in folder.glob("model*"):
        file.unlink()
    theirs.save_pretrained(folder, max_shard_size="1GB")


def change_config(folder, remove=(), **fields):
    """Give fields of config.json other values; or take some away."""
    file = folder / "config.json"
    config = json.loads(file.read_text("utf-8")) | fields
    file.write_text(json.dumps({name: config[name] for name in config if name not in remove}), "utf-8")


def change_weights(folder, change):
    """Let a function change the weights in model.safetensors, a dictionary."""
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
