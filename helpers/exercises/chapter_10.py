"""The exercises of chapter 10."""

import torch
from torch.nn import functional as F

from helpers.exercises.kinds import Exercise, Mistake, random_tensors

_random = random_tensors()


def _model_parameters(
    src_vocab_size, tgt_vocab_size, d_model, d_ff, n_layers, tables=2, cross=1, bias=1, norms=5, final=0
):
    attention = 4 * (d_model**2 + d_model)
    feed_forward = 2 * d_model * d_ff + d_ff + d_model
    layers = n_layers * ((2 + cross) * attention + 2 * feed_forward + norms * 2 * d_model) + final * d_model
    table = (src_vocab_size + tgt_vocab_size) * d_model if tables == 2 else tgt_vocab_size * d_model
    return table + layers + tgt_vocab_size * (d_model + bias)


model_parameters = Exercise(
    spec=_model_parameters,
    cases=[(1, 1, 1, 1, 1), (5, 7, 2, 3, 1), (30, 20, 16, 64, 2), (8000, 8000, 256, 512, 3)],
    mistakes=[
        Mistake(
            lambda *sizes: _model_parameters(*sizes, cross=0),
            "디코더의 크로스 어텐션이 빠졌습니다. 디코더 층에는 어텐션이 2개입니다.",
            "Cross-attention is missing: a decoder layer has 2 attentions.",
        ),
        Mistake(
            lambda *sizes: _model_parameters(*sizes, tables=1),
            "원문의 임베딩 표가 빠졌습니다.",
            "The embedding table of the source is missing.",
        ),
        Mistake(
            lambda *sizes: _model_parameters(*sizes, bias=0),
            "출력층의 편향이 빠졌습니다.",
            "The biases of the output layer are missing.",
        ),
        Mistake(
            lambda *sizes: _model_parameters(*sizes) - sizes[1] * (sizes[2] + 1),
            "출력층이 빠졌습니다. 표를 함께 쓰지 않는 모델입니다.",
            "The output layer is missing; this model shares no table.",
        ),
        Mistake(
            lambda *sizes: _model_parameters(*sizes) - sizes[1] * sizes[2],
            "출력층의 행렬이 빠졌습니다. 함께 쓰지 않으니 tgt_vocab_size × d_model개가 더 있습니다.",
            "The matrix of the output layer is missing: tgt_vocab_size × d_model more, as nothing is shared.",
        ),
        Mistake(
            lambda *sizes: _model_parameters(*sizes, norms=4),
            "디코더 층의 층 정규화는 2개가 아니라 3개입니다.",
            "A decoder layer has 3 norms, not 2.",
        ),
        Mistake(
            lambda *sizes: _model_parameters(*sizes, final=4),
            "post-LN에는 맨 끝의 정규화가 없습니다.",
            "Post-LN has no norm at the very end.",
        ),
        Mistake(
            lambda *sizes: _model_parameters(*sizes[:4], 1),
            "한 층만 셌습니다. n_layers를 곱하세요.",
            "This counts one layer; multiply by n_layers.",
        ),
    ],
)


def _of_tokens(logits, tgt):
    return logits.gather(2, tgt.unsqueeze(2)).squeeze(2)


def _sentence_log_probs(logits, tgt, pad_id):
    return (_of_tokens(logits.log_softmax(dim=-1), tgt) * (tgt != pad_id)).sum(dim=1)


sentence_log_probs = Exercise(
    spec=_sentence_log_probs,
    cases=[
        (torch.zeros(1, 2, 4), torch.tensor([[1, 3]]), 0),
        (torch.tensor([[[0.0, 2.0, 1.0], [5.0, 0.0, 0.0]]]), torch.tensor([[1, 0]]), 0),
        (_random(3, 4, 6), torch.tensor([[1, 2, 3, 4], [5, 2, 0, 0], [2, 0, 0, 0]]), 0),
        (_random(2, 3, 5), torch.tensor([[1, 0, 4], [0, 4, 4]]), 4),
    ],
    mistakes=[
        Mistake(
            lambda logits, tgt, pad_id: _of_tokens(logits.log_softmax(dim=-1), tgt).sum(dim=1),
            "패딩까지 더했습니다.",
            "Padding is counted too.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: (_of_tokens(logits, tgt) * (tgt != pad_id)).sum(dim=1),
            "로짓을 그대로 더했습니다. 로그 소프트맥스를 먼저 하세요.",
            "Raw logits are summed; apply log-softmax first.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: (_of_tokens(logits.softmax(-1), tgt) * (tgt != pad_id)).sum(1),
            "확률을 더했습니다. 로그 확률을 더하세요.",
            "Probabilities are summed; sum their logarithms.",
        ),
        Mistake(
            lambda *given: -_sentence_log_probs(*given),
            "부호가 반대입니다. 로그 확률은 0 이하입니다.",
            "The sign is wrong: a log-probability is at most 0.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: (_of_tokens(logits.log_softmax(1), tgt) * (tgt != pad_id)).sum(1),
            "로그 소프트맥스가 자리들에 걸렸습니다. 사전에 걸쳐, 마지막 축에서 해야 합니다.",
            "The log-softmax runs over places; it belongs on the last axis, over the vocabulary.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: (logits.log_softmax(-1).amax(-1) * (tgt != pad_id)).sum(1),
            "가장 그럴듯한 토큰의 로그 확률입니다. tgt의 토큰을 고르세요.",
            "These are the log-probabilities of the likeliest tokens; take those of tgt.",
        ),
        Mistake(
            lambda *given: _sentence_log_probs(*given) / (given[1] != given[2]).sum(dim=1),
            "토큰 수로 나누었습니다. 더하기만 하세요.",
            "This divides by the number of tokens; only sum.",
        ),
        Mistake(
            lambda logits, tgt, pad_id: _sentence_log_probs(logits, tgt, 0),
            "패딩이 늘 0이라고 보았습니다. pad_id를 쓰세요.",
            "Padding is taken to be 0; use pad_id.",
        ),
    ],
)


def _speaker(name, *sentences):
    """A step that says these sentences, one a row, and goes on with their last token."""

    def step(ids):
        logits = torch.zeros(*ids.shape, 10)
        for row, sentence in enumerate(sentences):
            for place in range(ids.size(1)):
                logits[row, place, sentence[min(place, len(sentence) - 1)]] = 1.0
        return logits

    step.__name__ = name
    return step


def _greedy_batch(
    step, batch_size, bos_id, eos_id, pad_id, max_len, wait="all", fill=True, place=-1, remember=True
):
    ids, stopped = torch.full((batch_size, 1), bos_id), torch.zeros(batch_size, dtype=torch.bool)
    while ids.size(1) <= max_len and not (wait == "all" and stopped.all() or wait == "any" and stopped.any()):
        best = step(ids)[:, place].argmax(dim=-1)
        best = best.masked_fill(stopped, pad_id) if fill else best
        stopped = (stopped & remember) | (best == eos_id)
        ids = torch.cat([ids, best.unsqueeze(1)], dim=1)
    return ids[:, 1:]


def _without_eos(step, batch_size, bos_id, eos_id, pad_id, max_len):
    ids = _greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len)
    return ids.masked_fill(ids == eos_id, pad_id)


greedy_batch = Exercise(
    spec=_greedy_batch,
    cases=[
        (_speaker("says_5_eos", [5, 3, 7]), 1, 2, 3, 0, 8),
        (_speaker("never_stops", [5, 6]), 1, 2, 3, 0, 3),
        (_speaker("stop_apart", [5, 3, 7], [6, 8, 4, 3]), 2, 2, 3, 0, 8),
        (_speaker("one_never_stops", [3, 9], [6, 8, 4], [7, 3, 3]), 3, 1, 3, 2, 5),
    ],
    mistakes=[
        Mistake(
            lambda *given: _greedy_batch(*given, fill=False),
            "멈춘 줄이 말을 계속합니다. eos_id 다음은 pad_id로 채우세요.",
            "Rows that have stopped go on talking; after eos_id fill up with pad_id.",
        ),
        Mistake(
            _without_eos,
            "eos_id가 pad_id로 바뀌었습니다. eos_id는 남기고 그 뒤만 채우세요.",
            "eos_id itself has become pad_id; keep it and fill only what follows.",
        ),
        Mistake(
            lambda *given: _greedy_batch(*given, remember=False),
            "한 번 멈춘 줄은 계속 멈춰 있어야 합니다. 지난 스텝의 stopped를 잊었습니다.",
            "Once stopped, a row stays stopped; this forgets who stopped in earlier steps.",
        ),
        Mistake(
            lambda *given: _greedy_batch(*given, wait="any"),
            "한 줄이 멈추자 모두 멈추었습니다.",
            "When one row stops, all stop.",
        ),
        Mistake(
            lambda *given: _greedy_batch(*given, wait="none"),
            "모두 멈춘 뒤에도 max_len까지 채웁니다. 모두 멈추면 끝내세요.",
            "It goes on to max_len after all rows have stopped; end there.",
        ),
        Mistake(
            lambda *given: _greedy_batch(*given, wait="none", fill=False),
            "eos_id에서 멈추지 않습니다.",
            "It does not stop at eos_id.",
        ),
        Mistake(
            lambda *given: _greedy_batch(*given, place=0),
            "첫 자리의 로짓을 보았습니다. 다음 단어는 마지막 자리에서 나옵니다.",
            "It looks at the logits of the first place; the next word comes from the last.",
        ),
        Mistake(
            lambda *given: F.pad(_greedy_batch(*given), (1, 0), value=given[2]),
            "bos_id가 남았습니다.",
            "bos_id is still there.",
        ),
        Mistake(
            lambda *given: _greedy_batch(*given[:5], given[5] - 1),
            "토큰 하나가 모자랍니다. bos_id를 빼고 max_len개까지입니다.",
            "One token too few: max_len tokens, not counting bos_id.",
        ),
    ],
)
