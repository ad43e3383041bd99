"""Hints for every part, from a nudge to almost the code: Korean and English in turn."""

from helpers.exercises.kinds import in_turn
from helpers.mine.rungs import PARTS
from helpers.mine.yours import folder

HINTS = {
    "BPETokenizer": [
        "단어를 글자의 튜플로 적고 세어 두세요. 가장 잦은 이웃 쌍을 찾아 합치기를 되풀이합니다.",
        "Count the words as tuples of characters; find the most frequent neighbors, join them, repeat.",
        "encode는 배운 순서대로 합칩니다. 가장 먼저 배운 쌍부터 더 합칠 것이 없을 때까지입니다.",
        "encode joins in the order learned: the earliest learned pair first, until none is left.",
        "처음 보는 글자는 UTF-8 바이트로 적습니다. 그래서 어휘에 바이트 256개가 있어야 합니다.",
        "A character never seen is spelled by its UTF-8 bytes, so the vocabulary needs 256 of them.",
    ],
    "TokenEmbedding": [
        "표는 (vocab_size, d_model)인 nn.Parameter 하나이고, 번호로 행을 꺼냅니다: weight[ids].",
        "The table is one nn.Parameter (vocab_size, d_model); ids take rows out of it: weight[ids].",
        "표는 1/√d_model의 크기로 시작하고, 꺼낸 벡터에 √d_model을 곱합니다.",
        "The table begins with numbers of size 1/√d_model, and its rows are multiplied by √d_model.",
    ],
    "SinusoidalPositionalEncoding": [
        "표 (max_len, d_model)을 한 번 만들어 register_buffer로 두고, forward에서는 앞의 T행을 더합니다.",
        "Make a table (max_len, d_model) once, keep it with register_buffer, and add its first T rows.",
        "각도는 position / 10000^(2i / d_model)입니다. 짝수 열이 사인, 홀수 열이 코사인입니다.",
        "The angles are position / 10000^(2i / d_model); even columns are sines, odd ones cosines.",
    ],
    "scaled_dot_product_attention": [
        "스코어, 마스크, 소프트맥스, 밸류의 순서입니다. 스코어는 query @ key.transpose(-2, -1)입니다.",
        "Scores, mask, softmax, times the values. The scores are query @ key.transpose(-2, -1).",
        "√d_k로 나누고, mask가 False인 곳을 −∞로 채운 다음, 마지막 축을 따라 소프트맥스를 합니다.",
        "Divide by √d_k, fill with −∞ where mask is False, then softmax along the last axis.",
        "모두 가려진 행은 NaN이 됩니다. 소프트맥스 다음에 가린 가중치를 0으로 채우세요.",
        "A row with everything hidden becomes NaN: fill hidden weights with 0 after the softmax.",
    ],
    "MultiHeadAttention": [
        "선형 층 네 개입니다. w_q, w_k, w_v로 투영해 헤드로 나누고, 어텐션을 하고, 합쳐서 w_o를 거칩니다.",
        "Four linear layers: project with w_q, w_k and w_v, split into heads, attend, join, then w_o.",
        "나누기: view(B, T, n_heads, d_head) 다음에 transpose(1, 2). T는 query와 key가 다를 수 있습니다.",
        "To split: view(B, T, n_heads, d_head), then transpose(1, 2). query and key may differ in T.",
        "합치기: transpose(1, 2) 다음에 reshape(B, T, d_model). mask는 (B, n_heads, T_q, T_k)에 맞춰집니다.",
        "To join: transpose(1, 2), then reshape(B, T, d_model). mask broadcasts to (B, n_heads, T_q, T_k).",
    ],
    "padding_mask": [
        "진짜 토큰에서 True입니다: ids != pad_id.",
        "It is True at real tokens: ids != pad_id.",
        "헤드와 쿼리의 축을 넣어 (B, 1, 1, T)로 만듭니다.",
        "Add the axes of heads and queries: (B, 1, 1, T).",
    ],
    "causal_mask": [
        "쿼리 i는 키 0부터 i까지 봅니다. 행이 쿼리, 열이 키입니다.",
        "Query i sees the keys 0 to i; rows are queries, columns are keys.",
        "True로 찬 (T, T) 행렬의 tril()입니다.",
        "It is tril() of a (T, T) matrix of True.",
    ],
    "combine_masks": [
        "None인 마스크는 건너뜁니다. 마스크가 하나도 없으면 None을 돌려줍니다.",
        "Skip masks that are None; without any mask, return None.",
        "모두가 허락해야 보입니다: &로 이으면 형태는 브로드캐스팅이 맞춥니다.",
        "All must allow it: join them with &, and broadcasting fits the shapes.",
    ],
    "LayerNorm": [
        "토큰마다 마지막 축의 평균을 빼고 표준편차로 나눈 다음, weight를 곱하고 bias를 더합니다.",
        "For each token subtract the mean of the last axis, divide by the deviation; then weight and bias.",
        "분산은 n으로 나누고(unbiased=False), eps는 제곱근 안에서 더합니다.",
        "The variance is divided by n (unbiased=False), and eps is added inside the root.",
    ],
    "FeedForward": [
        "d_model → d_ff → d_model로 가는 선형 층 두 개와 그 사이의 ReLU입니다.",
        "Two linear layers, d_model → d_ff → d_model, with a ReLU between them.",
        "self.linear2(torch.relu(self.linear1(x)))",
        "self.linear2(torch.relu(self.linear1(x)))",
    ],
    "EncoderLayer": [
        "서브층이 둘입니다. 어텐션(x, x, x, mask)과 피드포워드이고, 저마다 잔차와 정규화가 있습니다.",
        "Two sublayers, attention(x, x, x, mask) and feed-forward, each with a residual and a norm.",
        "norm_first가 False면 norm(x + f(x)), True면 x + f(norm(x))입니다.",
        "Without norm_first it is norm(x + f(x)); with it, x + f(norm(x)).",
    ],
    "Encoder": [
        "층 n_layers개를 nn.ModuleList에 담고 차례로 지나갑니다. 층마다 새로 만드세요.",
        "Keep n_layers layers in an nn.ModuleList, each made anew, and go through them in turn.",
        "norm_first가 True면 마지막 층 다음에 정규화가 하나 더 있습니다(config.ends_in_norm).",
        "With norm_first, one more norm follows the last layer (config.ends_in_norm).",
    ],
    "DecoderLayer": [
        "서브층이 셋입니다. 마스크 셀프 어텐션, 크로스 어텐션, 피드포워드이고 정규화도 셋입니다.",
        "Three sublayers, masked self-attention, cross-attention and feed-forward, and three norms.",
        "크로스 어텐션의 쿼리는 x에서, 키와 밸류는 memory에서 옵니다. 마스크는 memory_mask입니다.",
        "In cross-attention queries come from x, keys and values from memory; its mask is memory_mask.",
    ],
    "Decoder": [
        "인코더와 같습니다. 모든 층이 같은 memory와 두 마스크를 받습니다.",
        "As the encoder; every layer is given the same memory and both masks.",
        "for layer in self.layers: x = layer(x, memory, mask, memory_mask)",
        "for layer in self.layers: x = layer(x, memory, mask, memory_mask)",
    ],
    "Transformer": [
        "임베딩 둘, 위치, 인코더, 디코더, 그리고 d_model에서 tgt_vocab_size로 가는 선형 층입니다.",
        "Two embeddings, positions, encoder, decoder, and a linear layer from d_model to tgt_vocab_size.",
        "마스크 셋: 원문의 패딩(인코더와 크로스 어텐션), 번역문의 패딩과 인과 마스크를 합친 것(셀프 어텐션).",
        "Three masks: the source's padding, for encoder and cross-attention; the target's padding and the "
        "causal mask together, for self-attention.",
        "로짓을 그대로 돌려줍니다. 소프트맥스는 손실이 합니다.",
        "Return the logits as they are; the loss does the softmax.",
    ],
    "token_loss": [
        "tgt[:, :-1]을 읽고 tgt[:, 1:]을 맞힙니다. 패딩은 정답으로 세지 않습니다.",
        "Read tgt[:, :-1] and predict tgt[:, 1:]; padding is no label.",
        "F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=0, label_smoothing=…)입니다.",
        "F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=0, label_smoothing=…).",
    ],
    "inverse_sqrt": [
        "논문 5.3절의 식입니다. warmup_steps까지 곧게 오르고, 그 뒤로 step의 제곱근에 반비례해 내려갑니다.",
        "It is the formula of section 5.3: straight up until warmup_steps, then down with the root of step.",
        "d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        "d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
    ],
    "train_step": [
        "model.train(), 손실, zero_grad, backward, 크기 1로 클리핑, optimizer.step(), 이 순서입니다.",
        "model.train(), the loss, zero_grad, backward, clipping to a norm of 1, optimizer.step().",
        "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)이고, 돌려주는 것은 loss.item()입니다.",
        "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0); return loss.item().",
    ],
    "generate": [
        "start로 시작하는 (B, 1)에 토큰을 하나씩 이어 붙입니다. 마지막 위치에서 로짓이 가장 큰 것입니다.",
        "Begin with a (B, 1) of start and append a token at a time: the largest logit of the last position.",
        "패딩은 고르지 않습니다. 모든 행이 eos를 쓰면 멈추고, 행마다 eos 앞까지만 돌려줍니다.",
        "Padding is never chosen. Stop when every row has written eos, and return each row up to its eos.",
    ],
    "beam_search": [
        "문장 하나부터 하세요. 로그 확률의 합이 큰 가설 num_beams개를 단계마다 한 토큰씩 늘립니다.",
        "Begin with one sentence: extend the num_beams hypotheses of the largest log-probability by a token.",
        "eos로 끝난 가설은 따로 둡니다. 점수는 로그 확률의 합 / ((5 + eos까지의 길이) / 6)^alpha입니다.",
        "Hypotheses that end in eos are kept apart; their score is the sum of log-probabilities divided by "
        "((5 + length) / 6)^alpha, the length with eos.",
        "남은 가설이 아무리 잘해도 끝난 가설을 앞지를 수 없을 때, 또는 max_len에서 멈춥니다.",
        "Stop when no open hypothesis can overtake the finished ones any more, or at max_len.",
    ],
    "LanguageModel": [
        "크로스 어텐션이 없는 디코더입니다. 임베딩과 위치, 인과 마스크, 생성 층이 있습니다.",
        "It is a decoder without cross-attention: embedding and positions, a causal mask, a generator.",
        "층은 인코더의 층과 같고, 마스크만 인과 마스크와 패딩 마스크를 합친 것입니다.",
        "Its layers are those of an encoder; only the mask is the causal one with that of padding.",
    ],
    "RMSNorm": [
        "평균을 빼지 않고, 제곱의 평균의 제곱근으로만 나눕니다.",
        "It does not subtract the mean, and divides by the root of the mean square alone.",
        "x * (x.square().mean(-1, keepdim=True) + eps).rsqrt() * weight",
        "x * (x.square().mean(-1, keepdim=True) + eps).rsqrt() * weight",
    ],
    "RotaryEmbedding": [
        "열 i와 열 i + d_head/2가 한 점의 두 좌표입니다. 그 점을 위치에 비례하는 각도만큼 돌립니다.",
        "Column i and column i + d_head/2 are a point; turn it by an angle that grows with the position.",
        "a, b = x.chunk(2, -1)이고, 결과는 cat([a·cos − b·sin, a·sin + b·cos], -1)입니다.",
        "With a, b = x.chunk(2, -1) it is cat([a·cos − b·sin, a·sin + b·cos], -1).",
    ],
    "SwiGLU": [
        "편향이 없는 선형 층 셋입니다: w_gate, w_up, w_down.",
        "Three linear layers without bias: w_gate, w_up, w_down.",
        "w_down(silu(w_gate(x)) * w_up(x))",
        "w_down(silu(w_gate(x)) * w_up(x))",
    ],
    "GroupedQueryAttention": [
        "MultiHeadAttention과 같은데, 키와 밸류의 헤드가 n_kv_heads개뿐입니다.",
        "It is MultiHeadAttention with only n_kv_heads heads of keys and values.",
        "헤드로 나눈 다음 repeat_interleave(n_heads // n_kv_heads, dim=1)로 키와 밸류를 늘립니다.",
        "After the split, repeat keys and values: repeat_interleave(n_heads // n_kv_heads, dim=1).",
    ],
}


def next_hint(name):
    """The next hint for a part; each call goes one further, and the last one stays.

    Args:
        name: of the part.

    Returns:
        Its number, how many there are, and the hint in Korean and English.

    Raises:
        ValueError: there is no such part.
    """
    if name not in PARTS:
        raise ValueError(f"part: {name!r} is not known; use one of {', '.join(PARTS)}")
    hints = in_turn(HINTS[name], 2)
    given = folder() / "hints" / name
    number = min(len(given.read_text()) if given.is_file() else 0, len(hints) - 1)
    given.parent.mkdir(parents=True, exist_ok=True)
    given.write_text("|" * (number + 1))
    return number + 1, len(hints), *hints[number]
