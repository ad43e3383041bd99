"""The exercises of chapter 10."""

from functools import partial

import torch
from torch.nn import functional as F

from helpers.exercises.kinds import Exercise, Exploration, Prediction
from helpers.masking import causal_mask, combine_masks, padding_mask

calls_of_a_translation = Prediction(
    answer=(1, 8, 36),
    why=(
        "원문은 한 번 읽습니다. 디코더는 새 토큰마다 한 번, 즉 8번 호출하고, 그때마다 지금까지의 토큰 1개, "
        "2개, …, 8개를 모두 다시 계산하므로 1 + 2 + … + 8 = 36입니다. 12장의 캐시는 이것을 8로 줄입니다.",
        "The source is read once. The decoder is called once for each new token, 8 times, and each time it "
        "computes all tokens so far, 1, 2, …, 8 of them: 1 + 2 + … + 8 = 36. The cache of chapter 12 makes "
        "that 8.",
    ),
    hints=[
        "encode는 반복문 앞에, decode는 반복문 안에 있습니다.",
        "Look where they're called: encode before the loop, decode inside it.",
        "첫 번째 호출에는 <bos>만, 두 번째 호출에는 토큰 2개가 들어갑니다. 여덟 번째에는 몇 개인가요?",
        "The first call gets <bos> alone, the second 2 tokens. How many does the eighth get?",
    ],
    slips=[
        (8, 8, 36),
        "encode는 반복문 앞에 한 번뿐입니다.",
        "encode is called only once, before the loop.",
        (1, 8, 8),
        "캐시가 없으니 호출마다 앞의 토큰도 모두 다시 지나갑니다.",
        "Without a cache, each call passes all earlier tokens again.",
    ],
)


def _speaker(name, *sentences):
    """A step that says these sentences, one a row, and goes on with their last token."""

    def step(ids):
        if ids.size(1) > 40:
            raise RuntimeError(f"step was called with {ids.size(1)} tokens, far beyond max_len")
        logits = torch.zeros(*ids.shape, 10)
        for row, sentence in enumerate(sentences):
            for position in range(ids.size(1)):
                logits[row, position, sentence[min(position, len(sentence) - 1)]] = 1.0
        return logits

    step.__name__ = name
    return step


def _says_two_sentences(ids):
    said = torch.tensor([[5, 3, 3], [6, 8, 3]])  # 3: <eos>
    return F.one_hot(said[:, : ids.size(1)], 10).float()


def counts_up(ids):
    """A step that follows each token with the next number."""
    return F.one_hot((ids + 1) % 10, 10).float()


def _greedy_batch(
    step,
    batch_size,
    bos_id,
    eos_id,
    pad_id,
    max_len,
    ends=all,
    fill=True,
    position=-1,
    remember=True,
    of=None,
):
    ids, stopped = torch.full((batch_size, 1), bos_id), torch.zeros(batch_size, dtype=torch.bool)
    while ids.size(1) <= max_len and not ends(stopped):
        best = step(ids[:, of] if of else ids)[:, position].argmax(dim=-1)
        best = best.masked_fill(stopped, pad_id) if fill else best
        stopped = (stopped & remember) | (best == eos_id)
        ids = torch.cat([ids, best.unsqueeze(1)], dim=1)
    return ids[:, 1:]


def _without_eos(step, batch_size, bos_id, eos_id, pad_id, max_len):
    ids = _greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len)
    return ids.masked_fill(ids == eos_id, pad_id)


def _never(stopped):
    return False


greedy_batch = Exercise(
    spec=_greedy_batch,
    cases=[
        (_speaker("says_5_eos", [5, 3, 7]), 1, 2, 3, 0, 8),
        (_speaker("never_stops", [5, 6]), 1, 2, 3, 0, 3),
        (counts_up, 2, 4, 7, 0, 8),
        (_speaker("stop_apart", [5, 3, 7], [6, 8, 4, 3]), 2, 2, 3, 0, 8),
        (_speaker("one_never_stops", [3, 9], [6, 8, 4], [7, 3, 3]), 3, 1, 3, 2, 5),
    ],
    by_hand=(_says_two_sentences, 2, 2, 3, 0, 8),
    mistakes=[
        partial(_greedy_batch, position=0),
        "위치 0의 로짓을 보았습니다. 다음 토큰은 마지막 위치에서 나옵니다.",
        "It looks at the logits of position 0; the next token comes from the last position.",
        partial(_greedy_batch, of=slice(-1, None)),
        "step이 마지막 토큰만 받습니다. 지금까지의 토큰을 모두 넣으세요.",
        "step is given only the last token; pass all tokens so far.",
        partial(_greedy_batch, fill=False),
        "멈춘 행이 토큰을 계속 씁니다. eos_id 다음은 pad_id로 채우세요.",
        "Rows keep writing after they stopped; after eos_id, write pad_id.",
        _without_eos,
        "eos_id가 pad_id로 바뀌었습니다. eos_id는 남기고 그 뒤만 채우세요.",
        "eos_id itself has become pad_id; keep it and fill only what follows.",
        partial(_greedy_batch, remember=False),
        "한 번 멈춘 행은 계속 멈춰 있어야 합니다. 지난 스텝에 멈춘 행을 잊었습니다.",
        "Once stopped, a row stays stopped; this forgets which rows stopped in earlier steps.",
        partial(_greedy_batch, ends=any),
        "한 행이 멈추자 모두 멈추었습니다.",
        "When one row stops, all stop.",
        partial(_greedy_batch, ends=_never),
        "모두 멈춘 뒤에도 max_len까지 채웁니다. 모두 멈추면 끝내세요.",
        "It goes on to max_len after all rows have stopped; end there.",
    ],
    hints=[
        "먼저 10.1절의 translate처럼 max_len번 되풀이하고, 멈추는 것은 나중에 넣으세요.",
        "First repeat max_len times, as translate does in section 10.1; add the stopping afterwards.",
        "행마다 멈추었는지를 (B) 불리언 텐서로 기억하세요. 한 번 True가 되면 그대로입니다.",
        "Remember for each row whether it has stopped, in a boolean tensor (B); once True, always True.",
        "새 토큰은 best.masked_fill(stopped, pad_id)입니다. 그다음 stopped |= best == eos_id입니다.",
        "The new tokens are best.masked_fill(stopped, pad_id); then stopped |= best == eos_id.",
    ],
)


def _masks_of(src, tgt, src_pad_id, tgt_pad_id):
    src_mask = padding_mask(src, src_pad_id)
    tgt_mask = combine_masks(padding_mask(tgt, tgt_pad_id), causal_mask(tgt.size(1)))
    return src_mask, tgt_mask, src_mask


def _on_the_queries(src, tgt, src_pad_id, tgt_pad_id):
    src_mask, tgt_mask, memory_mask = _masks_of(src, tgt, src_pad_id, tgt_pad_id)
    return src_mask.transpose(2, 3), tgt_mask, memory_mask


def _changed(number, mask_of):
    """The right masks, but for one."""

    def masks(*given):
        found = list(_masks_of(*given))
        found[number] = mask_of(found[number], *given)
        return tuple(found)

    return masks


def _expanded(masks, src, tgt, *_):
    """Each mask for all queries: one that is broadcast is as good."""
    sizes = ((src, src), (tgt, tgt), (tgt, src))
    return tuple(
        mask.expand(len(src), 1, queries.size(1), keys.size(1)) if mask is not None else None
        for mask, (queries, keys) in zip(masks, sizes, strict=True)
    )


masks_of = Exercise(
    spec=_masks_of,
    start=_on_the_queries,
    cases=[
        (torch.tensor([[5, 0]]), torch.tensor([[1, 6]]), 0, 9),
        (torch.tensor([[5, 9]]), torch.tensor([[1, 9]]), 0, 9),
        (torch.tensor([[5, 8, 7], [6, 0, 0]]), torch.tensor([[1, 6, 7, 2], [1, 6, 9, 9]]), 0, 9),
        (torch.tensor([[5, 0], [6, 7]]), torch.tensor([[1, 6, 7], [1, 6, 0]]), 0, 0),
        (torch.tensor([[0, 5, 8], [8, 9, 8]]), torch.tensor([[1, 0, 7], [1, 7, 7]]), 8, 7),
    ],
    by_hand=(torch.tensor([[5, 0]]), torch.tensor([[1]]), 0, 9),
    read=_expanded,
    mistakes=[
        _changed(0, lambda mask, *given: mask & mask.mT),
        "src_mask가 패딩을 쿼리로서도 가립니다. 그 행에는 볼 것이 하나도 없습니다. 키만 가리세요.",
        "src_mask hides padding as a query too, and leaves its rows nothing to see; hide only the keys.",
        _changed(0, lambda mask, *given: mask[:, 0, 0]),
        "src_mask의 shape가 (B, T_src)입니다. 헤드와 쿼리의 축을 더해 (B, 1, 1, T_src)로 만드세요.",
        "src_mask has the shape (B, T_src); add axes for heads and queries: (B, 1, 1, T_src).",
        lambda *given: _on_the_queries(*given)[:2] + _on_the_queries(*given)[:1],
        "이제 크로스 어텐션의 마스크까지 쿼리의 축에 있습니다. memory_mask는 처음부터 맞았습니다.",
        "Now the mask of cross-attention is on the axis of queries too; memory_mask was right before.",
        _changed(2, lambda mask, *given: mask.mT),
        "src_mask를 고치자 memory_mask가 쿼리의 축으로 갔습니다. transpose가 아직 있습니다.",
        "src_mask is mended, but memory_mask has moved to the axis of queries: it is still transposed.",
        _changed(2, lambda mask, src, tgt, src_pad_id, tgt_pad_id: padding_mask(tgt, tgt_pad_id)),
        "memory_mask가 번역문에서 나옵니다. 크로스 어텐션의 키는 원문의 토큰입니다.",
        "memory_mask comes from the target; the keys of cross-attention are tokens of the source.",
        _changed(1, lambda mask, src, tgt, src_pad_id, tgt_pad_id: padding_mask(tgt, tgt_pad_id)),
        "디코더에서 미래가 보입니다. tgt_mask는 처음부터 맞았습니다.",
        "The decoder sees the future; tgt_mask was right before.",
    ],
    hints=[
        "마스크의 shape는 (B, H, 쿼리, 키)에 맞춥니다. 셋의 shape를 적어 보세요.",
        "A mask fits (B, H, queries, keys). Write down the shapes of the three.",
        "진짜 토큰이 패딩을 보지 못하게 하려면 쿼리와 키 가운데 어느 축에 False를 두어야 하나요?",
        "To keep real tokens from seeing padding, on which axis must False be, queries or keys?",
        "인코더에서도 크로스 어텐션에서도 키는 원문의 토큰이니, 둘은 같은 마스크를 씁니다.",
        "The encoder and cross-attention both have the source's tokens as keys, so they take the same mask.",
    ],
)

which_pairs = Exploration(
    look_for=(
        "우리가 재었을 때 새 조합의 정확도는 쌍을 더할수록 올라, 10쌍에서 0.0–0.1, 14쌍에서 0.25–0.35, "
        "18쌍에서 0.5–0.75, 20쌍에서 0.7–0.9였습니다. 한 번만 나온 사람의 조합도 함께 좋아졌습니다. 다른 "
        "단어들이 두 조합에 나오면, 한 번만 나온 단어도 따로 읽는 편이 쉬워진다는 뜻일 수 있습니다. 증명은 "
        "아닙니다.",
        "When we measured, accuracy on new combinations rose with the pairs added: 0.0–0.1 at 10 pairs, "
        "0.25–0.35 at 14, 0.5–0.75 at 18, and 0.7–0.9 at 20. Combinations of people that occur only once got "
        "better as well. Perhaps, once other words occur in two combinations, it is easier to read each word "
        "on its own, even one that occurs once. That is no proof.",
    ),
    hints=[
        "n을 0, 2, 4, …, 10으로 바꾸고 시드 셋의 정확도를 적어 보세요.",
        "Let n be 0, 2, 4, …, 10 and write down the accuracy for three seeds.",
        "더한 쌍의 사람과 그렇지 않은 사람을 나누어 재면 어떤가요?",
        "What if you measure people of the added pairs and the others separately?",
    ],
)
