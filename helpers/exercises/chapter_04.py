"""The exercises of chapter 04."""

import math

import torch

from helpers.exercises.kinds import Exercise, Exploration, Prediction, random_tensors

_random = random_tensors()

two_questions = Prediction(
    answer=lambda: torch.tensor([3.0, 0.0, 3.0, 1.0, 0.0]).softmax(dim=0)[2].item(),
    near=0.012,  # 0.45
    hints=[
        "먼저 다섯 스코어를 구하세요. 쿼리 (1, 1)과의 내적은 키의 두 숫자를 더한 것입니다.",
        "Find the five scores first. The dot product with (1, 1) is the sum of the key's two numbers.",
        "스코어는 3, 0, 3, 1, 0입니다. e³ ≈ 20.09, e¹ ≈ 2.72로 합을 구하세요.",
        "The scores are 3, 0, 3, 1, 0. Add up their powers with e³ ≈ 20.09 and e¹ ≈ 2.72.",
        "20.09를 20.09 + 1 + 20.09 + 2.72 + 1로 나누세요.",
        "Divide 20.09 by 20.09 + 1 + 20.09 + 2.72 + 1.",
    ],
    why=(
        "스코어가 똑같이 3인 ‘나는’과 ‘파리’가 20.09씩이고, 나머지 셋도 1 + 2.72 + 1을 가져갑니다. 그래서 "
        "둘은 절반이 아니라 20.09 / 44.9 = 0.45씩입니다.",
        "나는 (I) and 파리 (Paris) both score 3 and get 20.09 each, but the other three get 1 + 2.72 + 1. "
        "So each of the two gets 20.09 / 44.9 = 0.45, and not one half.",
    ),
    slips=[
        0.5,
        "나머지 세 단어의 몫도 있습니다.",
        "The other three words take their share.",
        0.895,
        "그것은 ‘나는’과 ‘파리’를 합친 것입니다.",
        "That's 나는 (I) and 파리 (Paris) together.",
        3 / 7,
        "스코어를 합으로 나누기 전에 exp를 취해야 합니다.",
        "Take exp of the scores before you divide by their sum.",
    ],
)


def _over_sum(powers):
    return powers / powers.sum(dim=-1, keepdim=True)


softmax = Exercise(
    spec=lambda scores: _over_sum((scores - scores.amax(dim=-1, keepdim=True)).exp()),
    cases=[
        (torch.tensor([[0.0, 1.0]]),),
        (torch.tensor([[1.0, 2.0, 0.0], [3.0, 3.0, 0.0]]),),
        (torch.tensor([[-1.0, 0.0, 1.0], [2.0, -2.0, 0.5]]),),
        (_random(4, 5),),
        (_random(3, 3),),
        (torch.tensor([[1000.0, 1001.0], [-1000.0, 0.0]]),),
        (torch.tensor([[-1000.0, -1001.0], [1000.0, 999.0]]),),
    ],
    by_hand=5,
    draw=lambda rng: (_random(rng.randint(1, 4), rng.randint(1, 4)) * rng.choice([1, 5, 500]),),
    mistakes=[
        lambda scores: _over_sum(scores.clamp(max=80).exp()),
        "큰 스코어를 자르면 차이가 사라집니다. 행의 최댓값을 빼면 차이는 그대로입니다.",
        "Clipping large scores loses their differences; subtracting the row's largest keeps them.",
        lambda scores: _over_sum(scores.exp()),
        "큰 스코어에서 exp가 무한대라 NaN이 됩니다. 스코어에 같은 수를 더해도 가중치는 그대로입니다.",
        "exp overflows for large scores and gives NaN. A number added to all scores changes no weight.",
        lambda scores: _over_sum((scores - scores.max()).exp()),
        "전체의 최댓값을 뺐습니다. 행마다 그 행의 최댓값을 빼야 합니다.",
        "The largest of the whole matrix is subtracted; subtract each row's own largest.",
        lambda scores: _over_sum((scores - scores.max(dim=0).values).exp()),
        "열의 최댓값을 뺐습니다. 행마다 그 행의 최댓값을 빼야 합니다.",
        "The largest of each column is subtracted; subtract each row's own largest.",
        lambda scores: _over_sum((scores - scores.mean(dim=-1, keepdim=True)).exp()),
        "행의 평균을 빼도 큰 차이는 남아 exp가 넘칩니다. 가장 큰 스코어가 0이 되게 하세요.",
        "With the row's mean subtracted exp can still overflow; make the largest score 0.",
        _over_sum,
        "exp를 하지 않고 합으로만 나누었습니다. 음수 가중치가 생깁니다.",
        "The scores are divided by their sum without exp; weights can become negative.",
        lambda scores: scores.exp() / scores.exp().sum(),
        "전체의 합으로 나누었습니다. 행마다 그 행의 합으로 나누세요. 큰 스코어에서는 exp가 넘칩니다.",
        "This divides by the sum of the whole matrix; divide each row by its own. And exp overflows.",
    ],
    forbidden=(
        "softmax",
        "special_softmax",
        "_softmax",
        "log_softmax",
        "softmin",
        "scaled_dot_product_attention",
    ),
    hints=[
        "4.4절의 두 단계를 행마다 하면 됩니다: exp, 그리고 합으로 나누기.",
        "Do the two steps of section 4.4 for each row: exp, then divide by the sum.",
        "행마다 더해 (T_q, 1)로 남기려면 .sum(dim=-1, keepdim=True)를 쓰세요.",
        "To sum each row and keep the shape (T_q, 1), use .sum(dim=-1, keepdim=True).",
        "e¹⁰⁰⁰은 무한대입니다. 같은 수를 더하거나 빼도 가중치는 그대로이니, 행의 최댓값을 먼저 빼세요.",
        "e¹⁰⁰⁰ is infinite. A shift changes no weight, so first subtract the largest score of each row.",
    ],
)


def _attend(query, key, value, mask):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ value


def _scores(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))


def _divided_by_length(query, key, value, mask):
    scores = query @ key.transpose(-2, -1)  # (T_q, T_k)
    scores = scores / math.sqrt(scores.size(-1))
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights @ value


def _causal(t):
    return torch.ones(t, t, dtype=torch.bool).tril()


masked_attention = Exercise(
    spec=_attend,
    cases=[
        (
            torch.tensor([[1.0]]),
            torch.tensor([[1.0], [0.0]]),
            torch.tensor([[1.0], [5.0]]),
            torch.tensor([[True, False]]),
        ),
        (  # one dimension, three keys
            torch.tensor([[1.0]]),
            torch.tensor([[2.0], [0.0], [0.0]]),
            torch.tensor([[1.0], [0.0], [5.0]]),
            torch.tensor([[True, True, False]]),
        ),
        (
            torch.tensor([[1.0, 0.0], [0.0, 1.0]]),
            torch.tensor([[1.0, 0.0], [0.0, 2.0]]),
            torch.tensor([[1.0], [2.0]]),
            _causal(2),
        ),
        (_random(4, 4), _random(4, 4), _random(4, 4), _causal(4)),
        (  # a hidden score far above the visible ones
            torch.tensor([[9.0, 9.0]]),
            torch.tensor([[9.0, 9.0], [-9.0, -9.0], [-9.0, -8.0]]),
            _random(3, 2),
            torch.tensor([[False, True, True]]),
        ),
    ],
    by_hand=(
        torch.tensor([[1.0]]),
        torch.tensor([[1.0], [0.0], [0.0]]),
        torch.tensor([[1.0], [0.0], [5.0]]),
        torch.tensor([[True, True, False]]),
    ),
    draw=lambda rng: (_random(3, 4), _random(5, 4), _random(5, 2), (_random(3, 5) > 0) | _causal(5)[2:]),
    mistakes=[
        lambda query, key, value, mask: (_scores(query, key).softmax(dim=-1) * mask) @ value,
        "소프트맥스 다음에 가렸습니다. 남은 가중치의 합이 1보다 작습니다. 소프트맥스 전에 가리세요.",
        "This hides after the softmax: what is left sums to less than 1. Hide before the softmax.",
        lambda query, key, value, mask: (_scores(query, key) * mask).softmax(dim=-1) @ value,
        "마스크를 곱하면 스코어가 0이 되는데, e⁰ = 1이라서 가중치는 0이 아닙니다.",
        "Multiplying by the mask makes a score 0, and since e⁰ = 1 its weight isn't 0.",
        lambda query, key, value, mask: (_scores(query, key) + mask).softmax(dim=-1) @ value,
        "마스크를 더하면 보이는 스코어가 1 커질 뿐, 가려지는 것은 없습니다.",
        "Adding the mask raises visible scores by 1 and hides nothing.",
    ],
    start=_divided_by_length,
    hints=[
        "두 호출에서 가리지 않은 스코어를 출력해 보세요. 무엇이 달라졌나요?",
        "In both calls, print the scores that aren't hidden. What has changed?",
        "scores.size(-1)은 무엇의 개수인가요? 4.7절에서는 무엇의 제곱근으로 나누었나요?",
        "What does scores.size(-1) count? By the square root of what did section 4.7 divide?",
        "T_k가 아니라 d_k입니다. scores.size(-1) 대신 query.size(-1)을 쓰세요.",
        "It is d_k, not T_k: instead of scores.size(-1) use query.size(-1).",
    ],
)


two_anns = Exploration(
    look_for=(
        "Ann을 뽑은 사람의 가중치는 두 Ann에게 거의 반씩 나뉩니다. Ben의 이름을 단 키는 없어졌지만 "
        "가중치의 합은 여전히 1이라서, Ben을 뽑은 사람은 그나마 잘 맞는 다른 키를 봅니다.",
        "The weights of whoever drew Ann are split almost evenly between the two Anns. No key has Ben's name "
        "now, but the weights still sum to 1, so whoever drew Ben looks at whichever other keys fit best.",
    ),
    hints=[
        "바로 위 셀의 마지막 줄에서 #을 지우고 실행하면 가중치가 그려집니다.",
        "Remove the # from the last line of the cell above and run it to see the weights.",
        "누가 Ann과 Ben을 뽑았는지는 그림의 행 이름에 있습니다.",
        "The row labels say who drew Ann and who drew Ben.",
    ],
)
