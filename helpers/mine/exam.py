"""The exam: new sentences, translated by the reader's own parts, beside the course's."""

import time

import torch
from torch.nn.utils.rnn import pad_sequence

from helpers.corpus import RUNNING_EXAMPLE, make_pairs
from helpers.decoding import generate
from helpers.engine.files import whole_file
from helpers.engine.languages import say
from helpers.figures import plots
from helpers.mine.course import moved_into_ours, open_mine, own_rungs
from helpers.mine.rungs import RUNGS, section_of
from helpers.mine.yours import folder

BATCH = 100  # sentences at a time
SQUARES = {True: "■", False: "□"}
WRITERS = {
    True: '<span lang="ko">내가 씀</span><span lang="en">mine</span>',
    False: '<span lang="ko">강의의 것</span><span lang="en">the course\'s</span>',
}


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
    print("  ".join(f"{SQUARES[is_mine]} {rung}" for rung, is_mine in own.items()))
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
    draw(own, f"{right} / {number} · {sum(own.values())} / {len(own)}")
    return right


def draw(own, title):
    """Draw the map of the model, on which the reader's parts stand out, as mine/exam.png.

    Args:
        own: {rung: whether it is the reader's}.
        title: what is written above.
    """
    import matplotlib.pyplot as plt

    plots.use_style()
    chapters = [RUNGS[rung][0] for rung, mine in own.items() if mine] + ["03"] * own["embedding"]
    figure = plots.model_map(now=chapters or ["none"])
    figure.text(0.04, 0.97, title, va="top", fontsize=14)
    path = folder() / "exam.png"
    with whole_file(path) as file:
        figure.savefig(file, format="png", dpi=120, facecolor="white")
    plt.close(figure)
    say(
        f"{path.name}: 빨간 테두리가 내가 쓴 부분입니다.",
        f"{path.name}: what you wrote has a red frame.",
    )


def who_wrote(own, gap):
    """Who wrote which part, as a section of a page.

    Args:
        own: {rung: whether it is the reader's}.
        gap: the largest difference of a logit between the reader's code and the page's weights.

    Returns:
        HTML.
    """
    rows = "".join(f"<li>{SQUARES[mine]} {rung} · {WRITERS[mine]}</li>" for rung, mine in own.items())
    parity = f"{gap:.1g}"
    return f"""
<section class="live"><h2><span lang="ko">누가 썼나</span><span lang="en">Who wrote it</span></h2>
<ul style="list-style: none; padding: 0">{rows}</ul>
<p><span lang="ko">내 코드와 이 페이지의 로짓은 {parity}까지 같습니다.</span>
<span lang="en">The logits of my code and of this page agree to {parity}.</span></p></section>"""


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
        f"KV 캐시({section_of('KVCache')}절), 합친 어텐션 커널({section_of('MultiHeadAttention')}절).",
        f"With the same weights the course's code writes {tokens / seconds:.0f} tokens a second "
        f"({tokens / seconds / speed:.1f} times): "
        f"the KV cache ({section_of('KVCache')}), the fused kernel ({section_of('MultiHeadAttention')}).",
    )
