"""make bench: decoding beside our own without a cache, MarianMTModel.generate and CTranslate2.

All have the same weights, and no sentence ends before the last token: both sides do the same work. How many
translations are equal is printed.
"""

import copy
import tempfile
import time

import ctranslate2
import torch
import transformers
from tokenizers import Tokenizer, models

from benchmarks.measure import BF16, CORES, Times, threads
from helpers.decoding import FullDecoding, IncrementalDecoding, beam_search, generate
from helpers.published.marian import from_marian
from marian import marian

EOS, WIDTH, ALPHA = 0, 4, 0.6


def their_model(vocab_size, d_model, n_heads, d_ff, n_layers, max_len):
    """A Marian that never ends a sentence, and hardly repeats itself."""
    model = marian(vocab_size, d_model, n_heads, d_ff, n_layers, max_len, EOS)
    model.final_logits_bias[:, EOS] = -1e9
    with torch.no_grad():  # else what is likeliest after a token is the token itself: both have one table
        model.model.decoder.layers[-1].final_layer_norm.weight[1::2] *= -1
    return model


def translator(model):
    """A Marian in CTranslate2, in float32 on one thread; the token of an id is the id in digits."""
    pad_id = model.config.pad_token_id
    vocabulary = {str(id): id for id in range(pad_id)} | {"<pad>": pad_id}
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.WordLevel(vocabulary, unk_token="1")),
        eos_token=str(EOS),
        unk_token="1",  # CTranslate2 asks for one
        pad_token="<pad>",
    )
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(f"{folder}/marian")
        tokenizer.save_pretrained(f"{folder}/marian")
        ctranslate2.converters.TransformersConverter(f"{folder}/marian").convert(f"{folder}/converted")
        return ctranslate2.Translator(
            f"{folder}/converted", compute_type="float32", inter_threads=1, intra_threads=1
        )


def rows(
    vocab_size=8001, d_model=256, n_heads=8, d_ff=512, n_layers=3, batch=64, src_len=14, short=32, long=128
):
    """The rows of the table; short and long are numbers of tokens to write."""
    transformers.utils.logging.disable_progress_bar()
    marian_model = their_model(vocab_size, d_model, n_heads, d_ff, n_layers, max_len=max(src_len, long))
    model = from_marian(marian_model)
    converted = translator(marian_model)
    bos = vocab_size  # the token that `from_marian` adds
    src = torch.randint(1, vocab_size - 1, (batch, src_len), generator=torch.Generator().manual_seed(0))
    src_tokens = [[str(id) for id in ids] for ids in src.tolist()]
    at_once = {"input_ids": src, "attention_mask": torch.ones_like(src), "do_sample": False}

    def greedy(model=model, length=short, decoding=IncrementalDecoding):
        return lambda: generate(model, src, bos, EOS, length, decoding=decoding)

    def beam(model=model):
        def run():
            found = beam_search(
                model, src, bos, EOS, short, WIDTH, ALPHA, penalty=lambda length, alpha: length**alpha
            )
            return [best for (_, best), *_ in found]

        return run

    def marian_search(**options):
        return lambda: marian_model.generate(**at_once, max_new_tokens=short, **options)[:, 1:].tolist()

    def ctranslate2_search(beam_size):
        def run():
            found = converted.translate_batch(
                src_tokens,
                beam_size=beam_size,
                length_penalty=ALPHA,
                min_decoding_length=short,
                max_decoding_length=short,
            )
            return [[int(token) for token in result.hypotheses[0]] for result in found]

        return run

    def on_two_threads(run):
        def on_two():
            with threads(2):
                return run()

        return on_two

    to_short, wide = f"greedy to {short} tokens", f"beam of {WIDTH} to {short} tokens"
    hugging_face = "MarianMTModel.generate"
    found = [
        Times(
            f"{to_short}: ours with a cache, ours without", greedy(), greedy(decoding=FullDecoding), ">= 6"
        ),
        Times(
            f"greedy to {long} tokens: ours with a cache, ours without",
            greedy(length=long),
            greedy(length=long, decoding=FullDecoding),
            ">= 16",
        ),
        Times(f"{to_short}: ours, {hugging_face}", greedy(), marian_search(num_beams=1), ">= 1.0"),
        Times(
            f"{wide}: ours, {hugging_face}",
            beam(),
            marian_search(num_beams=WIDTH, length_penalty=ALPHA, early_stopping="never"),
            ">= 1.0",
        ),
        Times(f"{to_short}: ours, CTranslate2 in float32", greedy(), ctranslate2_search(1), ">= 0.6"),
        Times(f"{wide}: ours, CTranslate2 in float32", beam(), ctranslate2_search(WIDTH), ">= 0.5"),
    ]
    if BF16:
        halved = copy.deepcopy(model).bfloat16()
        found.append(Times(f"{to_short}: ours in bf16, ours in fp32", greedy(halved), greedy()))
        found.append(Times(f"{wide}: ours in bf16, ours in fp32", beam(halved), beam()))
    if len(CORES) > 1:
        for what, run in ((to_short, greedy()), (wide, beam())):
            text = f"{what}: ours on two threads, on one"
            found.append(Times(text, on_two_threads(run), run, clock=time.perf_counter))
    return found


TITLE = """decoding: 64 sentences of 14 tokens, vocabulary 8000 and padding, d_model 256,
8 heads, d_ff 512, 3+3 layers, fp32 on one thread where nothing else is said"""
