"""The exam: new sentences, translated by the reader's own parts, beside the course's."""

import time

import torch
from torch.nn.utils.rnn import pad_sequence

from helpers.corpus import RUNNING_EXAMPLE, make_pairs
from helpers.decoding import generate
from helpers.engine.languages import say
from helpers.mine.course import moved_into_ours, open_mine, own_rungs
from helpers.mine.rungs import RUNGS

BATCH = 100  # sentences at a time
SQUARES = {True: "■", False: "□"}


def exam(number=500):
    """Translate new sentences with the reader's translator, and say how many are right, and whose it is.

    Args:
        number: of sentences.

    Returns:
        How many are right.

    Raises:
        ValueError: as `open_mine`.
    """
    mine, own = open_mine(), own_rungs()
    pairs = make_pairs("unseen", number)
    write = mine.modules["decoding"].generate
    found, seconds, tokens = translated(write, mine.model, mine.src_tokenizer, mine.tgt_tokenizer, pairs)
    right = sum(text == target for text, (_, target) in zip(found, pairs, strict=True))
    first, *_ = translated(write, mine.model, mine.src_tokenizer, mine.tgt_tokenizer, [RUNNING_EXAMPLE])
    print("  ".join(f"{SQUARES[own[rung]]} {rung}" for rung in RUNGS))
    print(f"\n    {RUNNING_EXAMPLE[0]}\n    {first[0]}\n")
    say(
        f"새 문장 {number}개 가운데 {right}개를 맞게 옮겼습니다 · "
        f"{len(own)}단계 가운데 {sum(own.values())}단계를 직접 썼습니다.",
        f"{right} of {number} new sentences right · {sum(own.values())} of {len(own)} parts yours.",
    )
    say(
        f"학습 {mine.seconds:.0f}초, 디코딩 {tokens / seconds:.0f}토큰/초.",
        f"Training {mine.seconds:.0f} s, decoding {tokens / seconds:.0f} tokens a second.",
    )
    beside_ours(mine, pairs, tokens / seconds)
    return right


def translated(write, model, src_tokenizer, tgt_tokenizer, pairs):
    """Translate the sources of pairs, a batch at a time.

    Returns:
        Texts, seconds, and the number of tokens that were written.
    """
    texts, written, begun = [], 0, time.monotonic()
    for start in range(0, len(pairs), BATCH):
        ids = [torch.tensor(src_tokenizer.encode(source)) for source, _ in pairs[start : start + BATCH]]
        src = pad_sequence(ids, batch_first=True, padding_value=src_tokenizer.pad_id)
        with torch.no_grad():
            found = write(model, src, tgt_tokenizer.bos_id, tgt_tokenizer.eos_id, 2 * src.size(1) + 10)
        texts += [tgt_tokenizer.decode(list(row)) for row in found]
        written += sum(len(row) + 1 for row in found)
    return texts, time.monotonic() - begun, written


def beside_ours(mine, pairs, speed):
    """Say how fast the course's own code is with the same weights, and why."""
    try:
        model, *tokenizers, _ = moved_into_ours(mine)
    except ValueError as error:
        return print(f"    {error}")
    _, seconds, tokens = translated(generate, model, *tokenizers, pairs)
    say(
        f"같은 가중치로 강의의 코드는 {tokens / seconds:.0f}토큰/초입니다({tokens / seconds / speed:.1f}배): "
        "KV 캐시(12장), 합친 어텐션 커널(5장).",
        f"With the same weights the course's code writes {tokens / seconds:.0f} tokens a second "
        f"({tokens / seconds / speed:.1f} times): the KV cache (chapter 12), the fused kernel (chapter 5).",
    )
