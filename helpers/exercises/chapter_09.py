"""The exercises of chapter 09."""

import torch

from helpers.exercises.kinds import Exercise, Mistake, random_tensors

_random = random_tensors()


def _shift_right(tgt, bos_id):
    return torch.cat([torch.full((tgt.size(0), 1), bos_id), tgt[:, :-1]], dim=1)


shift_right = Exercise(
    spec=_shift_right,
    cases=[
        (torch.tensor([[5, 6, 3]]), 2),
        (torch.tensor([[7]]), 2),
        (torch.tensor([[5, 6, 3], [8, 3, 0]]), 1),
    ],
    mistakes=[
        Mistake(
            lambda tgt, bos_id: torch.cat([torch.full((tgt.size(0), 1), bos_id), tgt], dim=1),
            "마지막 토큰이 남았습니다. 길이가 T여야 합니다.",
            "The last token is still there; the length must stay T.",
        ),
        Mistake(
            lambda tgt, bos_id: torch.cat([tgt[:, 1:], torch.full((tgt.size(0), 1), bos_id)], dim=1),
            "왼쪽으로 밀었습니다. 오른쪽으로 밀어야 합니다.",
            "This shifts to the left; shift to the right.",
        ),
        Mistake(
            lambda tgt, bos_id: torch.cat([torch.full((tgt.size(0), 1), bos_id), tgt[:, 1:]], dim=1),
            "첫 토큰이 bos_id로 바뀌었을 뿐, 밀리지 않았습니다.",
            "The first token is replaced by bos_id, but nothing is shifted.",
        ),
        Mistake(
            lambda tgt, bos_id: tgt.roll(1),
            "roll에 dims=1이 없어 문장을 넘어 돕니다. 그리고 맨 앞은 bos_id여야 합니다.",
            "Without dims=1, roll goes round across sentences; and bos_id belongs in front.",
        ),
        Mistake(
            lambda tgt, bos_id: tgt.roll(1, dims=1),
            "마지막 토큰이 맨 앞으로 돌아왔습니다. 맨 앞은 bos_id여야 합니다.",
            "The last token has come round to the front; bos_id belongs there.",
        ),
    ],
)


def _attend_to_memory(x, memory, w_q, w_k, w_v, memory_mask, values=None, scale=True, dim=-1):
    query, key, value = x @ w_q, memory @ w_k, (memory if values is None else values) @ w_v
    scores = query @ key.T / (query.size(-1) ** 0.5 if scale else 1.0)
    return scores.masked_fill(~memory_mask, float("-inf")).softmax(dim=dim) @ value


def _without_mask(x, memory, w_q, w_k, w_v, memory_mask):
    return _attend_to_memory(x, memory, w_q, w_k, w_v, torch.ones_like(memory_mask))


def _inverted(x, memory, w_q, w_k, w_v, memory_mask):
    return _attend_to_memory(x, memory, w_q, w_k, w_v, ~memory_mask)


def _to_itself(x, memory, w_q, w_k, w_v, memory_mask):
    return _attend_to_memory(x, x, w_q, w_k, w_v, torch.ones(len(x), dtype=torch.bool))


def _values_from_x(x, memory, w_q, w_k, w_v, memory_mask):
    return _attend_to_memory(x, memory, w_q, w_k, w_v, memory_mask, values=x)


def _mask_after(x, memory, w_q, w_k, w_v, memory_mask):
    query, key, value = x @ w_q, memory @ w_k, memory @ w_v
    return ((query @ key.T / query.size(-1) ** 0.5).softmax(dim=-1) * memory_mask) @ value


def _by_d_model(x, memory, w_q, w_k, w_v, memory_mask):
    scores = (x @ w_q) @ (memory @ w_k).T / x.size(-1) ** 0.5
    return scores.masked_fill(~memory_mask, float("-inf")).softmax(dim=-1) @ (memory @ w_v)


def _matrices(d_model, d_head):
    return [_random(d_model, d_head) for _ in range(3)]


_one = torch.ones(1, 1)
attend_to_memory = Exercise(
    spec=_attend_to_memory,
    cases=[
        (
            torch.tensor([[1.0]]),
            torch.tensor([[0.0], [2.0], [4.0]]),
            _one,
            _one,
            _one,
            torch.tensor([True, True, False]),
        ),
        (_random(3, 4), _random(5, 4), *_matrices(4, 2), torch.tensor([True, True, True, False, False])),
        (_random(4, 8), _random(2, 8), *_matrices(8, 8), torch.tensor([True, True])),
    ],
    mistakes=[
        Mistake(_without_mask, "memory_mask를 쓰지 않았습니다.", "memory_mask is not used."),
        Mistake(
            _inverted,
            "마스크가 뒤집혔습니다. True가 보아도 되는 자리입니다.",
            "The mask is inverted: True = may be looked at.",
        ),
        Mistake(
            _to_itself,
            "키와 값이 x에서 왔습니다. memory에서 만드세요.",
            "Keys and values come from x; make them from memory.",
        ),
        Mistake(
            _values_from_x,
            "값이 x에서 왔습니다. 키와 값 모두 memory에서 만드세요.",
            "The values come from x; make both keys and values from memory.",
        ),
        Mistake(
            _mask_after,
            "소프트맥스 다음에 가렸습니다. 스코어를 먼저 가려야 남은 가중치의 합이 1입니다.",
            "This masks after the softmax; mask the scores first, so that what is left sums to 1.",
        ),
        Mistake(
            _by_d_model,
            "√d_model로 나누었습니다. √d_head로 나누세요.",
            "This divides by √d_model; divide by √d_head.",
        ),
        Mistake(
            lambda *given: _attend_to_memory(*given, scale=False),
            "스코어를 √d_head로 나누지 않았습니다.",
            "The scores are not divided by √d_head.",
        ),
        Mistake(
            lambda *given: _attend_to_memory(*given, dim=0),
            "소프트맥스가 쿼리 축에 걸렸습니다. 원문의 토큰들에 걸쳐, 마지막 축에서 해야 합니다.",
            "The softmax runs over the queries; it belongs on the last axis, over the tokens of the source.",
        ),
    ],
)


def causal(ids):
    """The mean of the tokens so far."""
    x = ids.double().unsqueeze(-1)
    return x.cumsum(dim=1) / torch.arange(1, ids.size(1) + 1).unsqueeze(-1)


def off_by_one(ids):
    """Token i + 1 shows at place i."""
    return causal(ids) + torch.nn.functional.pad(ids[:, 1:], (0, 1)).double().unsqueeze(-1)


def sees_all(ids):
    """Every place knows the sum."""
    return causal(ids) + ids.double().sum()


def falls_with_all(ids):
    """As `sees_all`, but what leaks makes numbers smaller."""
    return causal(ids) - ids.double().sum()


def sees_the_last(ids):
    """Every place knows the last token."""
    return causal(ids) + ids[:, -1:].double().unsqueeze(-1)


def two_ahead(ids):
    """Token i + 2 shows at place i."""
    return causal(ids) + torch.nn.functional.pad(ids[:, 2:], (0, 2)).double().unsqueeze(-1)


def _find_leaks(decode, ids, offset=0, only_neighbor=False, value=None):
    before, leaks = decode(ids), []
    for j in range(ids.size(1)):
        changed = ids.clone()
        changed[0, j] = ids[0, j] + 1 if value is None else value
        moved = ((decode(changed) - before)[0].abs() > 1e-6).any(dim=-1)
        start = max(j - 1, 0) if only_neighbor else 0
        if moved[start : j + offset].any():
            leaks.append(j)
    return leaks


find_leaks = Exercise(
    spec=_find_leaks,
    cases=[
        (causal, torch.tensor([[5, 6, 7]])),
        (sees_the_last, torch.tensor([[5, 6, 7]])),
        (off_by_one, torch.tensor([[5, 0, 7, 0]])),
        (two_ahead, torch.tensor([[5, 6, 7, 8]])),
        (sees_all, torch.tensor([[4, 4]])),
        (sees_all, torch.tensor([[9]])),
        (falls_with_all, torch.tensor([[5, 6]])),
    ],
    mistakes=[
        Mistake(
            lambda decode, ids: _find_leaks(decode, ids, offset=1),
            "출력 j는 토큰 j를 보아도 됩니다. j보다 앞의 출력만 보세요.",
            "Output j may see token j; look only at outputs before j.",
        ),
        Mistake(
            lambda decode, ids: _find_leaks(decode, ids, only_neighbor=True),
            "바로 앞의 출력만 보았습니다. 앞의 모든 출력을 보세요.",
            "This looks only at the output just before j; look at all that come before.",
        ),
        Mistake(
            lambda decode, ids: _find_leaks(decode, ids, offset=ids.size(1)),
            "j 뒤의 출력은 움직여도 됩니다. j보다 앞의 출력만 보세요.",
            "Outputs after j may move; look only at those before j.",
        ),
        Mistake(
            lambda decode, ids: _find_leaks(decode, ids, value=0),
            "0이던 토큰을 0으로 바꾸면 바뀐 것이 없습니다. 1을 더하세요.",
            "Setting a token to 0 changes nothing where it was 0; add 1.",
        ),
        Mistake(
            lambda decode, ids: [j - 1 for j in _find_leaks(decode, ids)],
            "움직인 출력의 번호입니다. 바꾼 토큰의 번호 j를 담으세요.",
            "These are places of outputs; collect the places j of the tokens changed.",
        ),
    ],
)
