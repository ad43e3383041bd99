"""Hints for each part, in steps: from a nudge to nearly the code."""

import contextlib

from helpers.engine.files import write_whole
from helpers.exercises.hinting import say_next
from helpers.exercises.kinds import in_turn
from helpers.mine.checking import check_part
from helpers.mine.report import names_in
from helpers.mine.yours import folder, forget

# Korean and English in turn.
HINTS = {
    "BPETokenizer": (
        "일이 둘입니다. 배우기: 단어를 글자로 나누고, 가장 자주 이웃하는 쌍을 하나로 붙이기를 "
        "되풀이합니다. encode: 단어를 글자로 나누고, 배운 쌍을 배운 순서대로 붙입니다.",
        "There are two jobs. Learning: split words into characters, and join the most frequent pair of "
        "neighbors, again and again. encode: split a word into characters, and join the learned pairs in "
        "the order learned.",
        "단어는 앞의 공백까지 한 단어입니다. 그래서 decode는 모두 이은 다음 맨 앞의 공백 하나만 지웁니다. "
        "어휘 사전은 특수 토큰 4개, 바이트 256개, 정렬한 글자, 붙인 조각의 순서입니다.",
        "A word includes the space in front of it, so decode joins everything and removes one space at "
        "the very front. The vocabulary: 4 special tokens, 256 bytes, the sorted characters, the joined "
        "pieces.",
        "횟수가 같으면 번호가 작은 쌍이 이깁니다: min(count, key=lambda pair: (-count[pair], "
        "ids[pair[0]], ids[pair[1]])). 쌍의 횟수는 단어가 나온 횟수만큼 셉니다.",
        "Of equally frequent pairs the one with the smaller ids wins: min(count, key=lambda pair: "
        "(-count[pair], ids[pair[0]], ids[pair[1]])). A pair counts as often as its word occurs.",
        "처음 보는 글자는 바이트로 적습니다: [4 + byte for byte in character.encode()]. decode는 모든 "
        '토큰의 바이트를 이은 다음 한 번에 글로 바꿉니다: data.decode("utf-8", "replace").',
        "A character never seen is spelled by its bytes: [4 + byte for byte in character.encode()]. "
        'decode joins the bytes of all tokens, and turns them into text at once: data.decode("utf-8", '
        '"replace").',
    ),
    "TokenEmbedding": (
        "토큰마다 한 행인 표가 nn.Parameter 하나입니다. forward는 번호의 행을 꺼냅니다.",
        "A table with one row per token is the only nn.Parameter. forward takes out the rows of the ids.",
        "꺼낸 벡터에는 √d_model을 곱합니다. 그래서 표는 torch.randn을 √d_model로 나눈 것으로 시작합니다.",
        "The vectors taken out are multiplied by √d_model. That is why the table begins as torch.randn "
        "divided by √d_model.",
        "self.weight는 (vocab_size, d_model)이고, self.weight[ids]는 곱셈 없이 (B, T, d_model)입니다.",
        "self.weight is (vocab_size, d_model), and self.weight[ids] is (B, T, d_model) without any product.",
    ),
    "SinusoidalPositionalEncoding": (
        "표는 학습하지 않으니 __init__에서 한 번 만들어 register_buffer로 둡니다. forward는 x에 표의 앞 "
        "T행을 더합니다.",
        "The table is not trained: make it once in __init__ and keep it with register_buffer. forward "
        "adds its first T rows to x.",
        "0, 2, 4, …열은 sin, 1, 3, 5, …열은 cos이고, 열 2i와 2i + 1은 각도가 같습니다: 위치 / 10000^(2i / "
        "d_model).",
        "Columns 0, 2, 4, … are sines, columns 1, 3, 5, … cosines, and columns 2i and 2i + 1 have the "
        "same angle: position / 10000^(2i / d_model).",
        "위치를 (max_len, 1)로 세우고 10000 ** (-torch.arange(0, d_model, 2) / d_model)을 곱하면 각도가 "
        "모두 나옵니다. 그 sin을 table[:, 0::2]에, cos을 table[:, 1::2]에 넣으세요.",
        "Positions as (max_len, 1) times 10000 ** (-torch.arange(0, d_model, 2) / d_model) are all the "
        "angles. Put their sines into table[:, 0::2], their cosines into table[:, 1::2].",
    ),
    "scaled_dot_product_attention": (
        "세 단계입니다. 쿼리와 키의 내적이 스코어이고, 소프트맥스가 가중치로 바꾸고, 가중치로 value를 "
        "섞습니다.",
        "Three steps: query · key is the score, softmax makes weights of the scores, and the weights mix "
        "the values.",
        "앞의 축이 몇 개여도 되도록 키는 마지막 두 축만 맞바꿉니다: key.transpose(-2, -1). 스코어는 "
        "√d_k로 나누는데, d_k는 쿼리의 마지막 축입니다.",
        "So that any number of leading axes will do, swap only the last two of the keys: "
        "key.transpose(-2, -1). Divide the scores by √d_k, where d_k is the last axis of the query.",
        "소프트맥스는 키의 축, 즉 dim=-1에 씌웁니다. 마스크는 그 전에 씁니다: scores.masked_fill(~mask, "
        "-math.inf).",
        "Softmax goes over the keys, dim=-1. The mask comes before it: scores.masked_fill(~mask, -math.inf).",
        "키가 모두 가려진 행은 NaN이 되므로, 소프트맥스 다음에 가린 가중치를 한 번 더 0.0으로 채우세요. "
        "weights @ value와 weights를 함께 돌려줍니다.",
        "A row whose keys are all hidden becomes NaN, so after softmax fill the hidden weights with 0.0 "
        "once more. Return both weights @ value and weights.",
    ),
    "MultiHeadAttention": (
        "d_model에서 d_model로 가는 선형 층이 넷입니다. 투영하고, 헤드로 나누고, 헤드마다 어텐션을 하고, "
        "합쳐서 마지막 선형 층에 넣습니다.",
        "There are four linear layers, each from d_model to d_model. Project, split into heads, attend in "
        "every head, merge, and apply the last layer.",
        "나눌 때는 shape가 이렇게 바뀝니다: (B, T, d_model) → (B, T, n_heads, d_head) → (B, n_heads, T, "
        "d_head). 한 번에 가면 토큰이 섞입니다. T는 쿼리와 키에서 다를 수 있습니다.",
        "The shapes on the way: (B, T, d_model) → (B, T, n_heads, d_head) → (B, n_heads, T, d_head). In a "
        "single step tokens get mixed up. T may differ between queries and keys.",
        "view(B, T, n_heads, d_head) 다음에 transpose(1, 2)로 나누고, 어텐션 뒤에는 transpose(1, 2) "
        "다음에 reshape(B, T, d_model)로 합칩니다. 어텐션은 여러분의 scaled_dot_product_attention에 "
        "마스크까지 넘기면 됩니다.",
        "Split with view(B, T, n_heads, d_head) and then transpose(1, 2); after attention merge with "
        "transpose(1, 2) and then reshape(B, T, d_model). For attention call your "
        "scaled_dot_product_attention, and pass the mask on.",
    ),
    "padding_mask": (
        "진짜 토큰이면 True입니다. 번호를 pad_id와 비교하면 (B, T)가 나옵니다.",
        "True stands for a real token. Compare the ids with pad_id: that is (B, T).",
        "마스크는 (B, n_heads, T_q, T_k)에 브로드캐스팅됩니다. 헤드와 쿼리의 자리에 길이가 1인 축을 "
        "끼우세요: [:, None, None, :].",
        "The mask broadcasts to (B, n_heads, T_q, T_k). Put in axes of length 1 for heads and queries: "
        "[:, None, None, :].",
    ),
    "causal_mask": (
        "행이 쿼리, 열이 키입니다. 쿼리 i는 키 0부터 i까지 봅니다. 자기 자신도 봅니다.",
        "Rows are queries, columns are keys. Query i sees the keys 0 to i, itself included.",
        "모두 True인 (T, T) 텐서에서 대각선 위를 지우세요: tril().",
        "Begin with a (T, T) tensor of True, and clear what is above the diagonal: tril().",
    ),
    "combine_masks": (
        "모든 마스크가 True인 곳만 True입니다. None은 가리는 것이 없다는 뜻이니 건너뜁니다.",
        "Only what is True in every mask is True. None hides nothing: skip it.",
        "None에서 시작해 하나씩 &로 합치세요. 첫 번째 마스크는 그대로 받습니다. 끝까지 None이면 None을 "
        "돌려줍니다.",
        "Begin with None and join one mask after another with &; the first is taken as it is. What is "
        "None to the end is returned as None.",
    ),
    "LayerNorm": (
        "토큰마다 마지막 축에 걸쳐 평균을 0, 분산을 1로 맞춥니다. 그다음 학습하는 벡터 하나를 곱하고 "
        "하나를 더합니다.",
        "Bring every token to mean 0 and variance 1 over the last axis. Then multiply by one learned "
        "vector and add another.",
        "분산은 d_model로 나눈 것이고(d_model − 1이 아닙니다), eps는 분산에 더한 다음 제곱근을 씌웁니다.",
        "The variance is divided by d_model (not d_model − 1), and eps is added to it before the root.",
        "x.mean(dim=-1, keepdim=True)를 빼고, 남은 것의 square()를 같은 방법으로 평균하면 분산입니다. "
        "곱하는 벡터는 1, 더하는 벡터는 0으로 시작합니다.",
        "Subtract x.mean(dim=-1, keepdim=True); the square() of what is left, averaged the same way, is "
        "the variance. The vector that multiplies begins at 1, the one that is added at 0.",
    ),
    "FeedForward": (
        "토큰마다 d_model을 d_ff로 넓히고, 활성화 함수를 거치고, 다시 d_model로 좁힙니다.",
        "For each token: widen d_model to d_ff, apply the activation, and narrow to d_model again.",
        "nn.Linear 둘이면 됩니다. relu는 그 사이에 한 번만 오고, 마지막 선형 층 뒤에는 오지 않습니다.",
        "Two nn.Linear will do. relu comes once, between them, and not after the last.",
    ),
    "EncoderLayer": (
        "서브층이 둘입니다: 셀프 어텐션과 피드포워드. 서브층마다 잔차 연결과 자기 LayerNorm이 있습니다.",
        "There are two sublayers: self-attention and feed-forward. Each has a residual connection and a "
        "LayerNorm of its own.",
        "post-LN은 norm(x + sublayer(x))이고, config.norm_first이면 x + sublayer(norm(x))입니다. "
        "드롭아웃은 서브층의 출력에만 씁니다.",
        "Post-LN is norm(x + sublayer(x)); with config.norm_first it is x + sublayer(norm(x)). Dropout "
        "acts on the sublayer's output only.",
        "셀프 어텐션에서는 쿼리, 키, 값이 모두 같은 것에서 나옵니다(pre-LN이면 셋 다 정규화한 것). "
        "MultiHeadAttention은 둘을 돌려주니 [0]을 쓰세요: self.attention(x, x, x, mask)[0].",
        "In self-attention query, key and value are all the same thing (with pre-LN, the normalized one). "
        "MultiHeadAttention returns two things, so take [0]: self.attention(x, x, x, mask)[0].",
    ),
    "Encoder": (
        "층을 config.n_layers개 새로 만들어 nn.ModuleList에 담습니다. 보통 리스트에 담으면 학습되지 "
        "않습니다.",
        "Make config.n_layers new layers and keep them in an nn.ModuleList; in a plain list they are not "
        "trained.",
        "x는 층을 차례로 지나고, 마스크는 모든 층에 같습니다. pre-LN이면 마지막 층 뒤에 LayerNorm이 하나 "
        "더 옵니다. post-LN이면 nn.Identity()면 됩니다.",
        "x goes through one layer after another, with the same mask for all. With pre-LN one more "
        "LayerNorm follows the last layer; with post-LN nn.Identity() will do.",
    ),
    "DecoderLayer": (
        "서브층이 셋입니다: 셀프 어텐션, 크로스 어텐션, 피드포워드. 서브층마다 잔차 연결과 자기 "
        "LayerNorm이 있습니다.",
        "There are three sublayers: self-attention, cross-attention and feed-forward. Each has a residual "
        "connection and a LayerNorm of its own.",
        "크로스 어텐션의 쿼리는 x에서, 키와 값은 memory에서 옵니다. 마스크는 memory_mask입니다. 그 결과는 "
        "memory가 아니라 x에 더합니다.",
        "The queries of cross-attention come from x, keys and values from memory. Its mask is "
        "memory_mask. Its result is added to x, not to memory.",
        "self.attention(x, x, x, mask)[0], self.cross_attention(x, memory, memory, memory_mask)[0], "
        "self.feed_forward(x)의 순서입니다. pre-LN이어도 memory는 정규화하지 않습니다. "
        "cross_attention=False이면 가운데 것을 뺍니다.",
        "In this order: self.attention(x, x, x, mask)[0], self.cross_attention(x, memory, memory, "
        "memory_mask)[0], self.feed_forward(x). Even with pre-LN, memory is not normalized. With "
        "cross_attention=False the one in the middle is left out.",
    ),
    "Decoder": (
        "인코더처럼 층을 쌓습니다. 모든 층이 같은 memory를 봅니다.",
        "Stack layers as in the encoder. Every layer sees the same memory.",
        "층마다 layer(x, memory, mask, memory_mask)를 호출하고, pre-LN이면 끝에 LayerNorm이 하나 더 옵니다.",
        "Call layer(x, memory, mask, memory_mask) for each; with pre-LN one more LayerNorm comes at the end.",
    ),
    "Transformer": (
        "원문과 번역문의 임베딩에 저마다 위치를 더하고, 인코더, 디코더, 로짓을 내는 선형 층을 잇습니다.",
        "Source and target each have an embedding with positions added; then come the encoder, the "
        "decoder, and a linear layer that makes logits.",
        "마스크는 모델이 번호를 보고 만듭니다. 원문의 패딩 마스크는 인코더와 크로스 어텐션이 함께 쓰고, "
        "디코더의 셀프 어텐션은 번역문의 패딩 마스크와 인과 마스크를 합친 것을 씁니다.",
        "The model makes the masks from the ids. Encoder and cross-attention share the padding mask of "
        "the source; the decoder's self-attention uses the target's padding mask combined with the causal "
        "mask.",
        "memory는 encoder(원문의 벡터, 원문 마스크)이고, decoder(번역문의 벡터, memory, 번역문 마스크, "
        "원문 마스크)에 선형 층을 씌우면 로짓입니다. 소프트맥스는 씌우지 않습니다. 드롭아웃은 위치를 더한 "
        "다음에 옵니다.",
        "memory is encoder(source vectors, source mask); a linear layer on decoder(target vectors, "
        "memory, target mask, source mask) gives the logits. No softmax. Dropout comes after the "
        "positions are added.",
    ),
    "token_loss": (
        "모델은 tgt에서 마지막 토큰을 뺀 것을 보고, 첫 토큰을 뺀 것을 맞힙니다. 패딩은 손실에 들어가지 "
        "않습니다.",
        "The model sees tgt without its last token and predicts tgt without its first. Padding does not "
        "count.",
        "로짓은 model(src, tgt[:, :-1]), 정답은 tgt[:, 1:]입니다. 손실도 맞힌 비율도 패딩이 아닌 정답의 "
        "수로 나눕니다.",
        "The logits are model(src, tgt[:, :-1]), the targets tgt[:, 1:]. Both the loss and the share of "
        "hits are divided by the number of targets that are not padding.",
        "F.cross_entropy에는 logits.flatten(0, 1)과 targets.flatten()을 넣고, ignore_index=0(패딩)과 "
        "label_smoothing도 넘기세요. 맞힌 비율은 real = targets != 0인 곳에서만 셉니다.",
        "Give F.cross_entropy logits.flatten(0, 1) and targets.flatten(), with ignore_index=0, the "
        "padding, and label_smoothing. Count hits only where real = targets != 0.",
    ),
    "inverse_sqrt": (
        "워밍업 동안은 스텝에 비례해 올라가고, 그다음에는 스텝의 제곱근에 반비례해 내려갑니다.",
        "During the warm-up it rises with the step, and then falls with the inverse of the step's square "
        "root.",
        "d_model^(−0.5)에 둘 가운데 작은 것을 곱합니다: step^(−0.5)와 step · warmup_steps^(−1.5).",
        "It is d_model^(−0.5) times the smaller of two: step^(−0.5), and step · warmup_steps^(−1.5).",
    ),
    "train_step": (
        "순서가 있습니다: 학습 모드, 손실, 그래디언트 비우기, 역전파, 클리핑, 옵티마이저의 스텝.",
        "There is an order: training mode, loss, clear the gradients, backpropagation, clipping, the "
        "optimizer's step.",
        "model.train()이 없으면 드롭아웃이 꺼진 채이고, zero_grad()가 없으면 지난 배치의 그래디언트가 "
        "더해집니다.",
        "Without model.train() dropout stays off; without zero_grad() the gradient of the last batch is "
        "added.",
        "손실은 token_loss가 돌려주는 첫 번째 것입니다. backward() 다음, step() 전에 "
        "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)을 호출하고, loss.item()을 돌려줍니다.",
        "The loss is the first thing that token_loss returns. Between backward() and step() call "
        "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0), and return loss.item().",
    ),
    "generate": (
        "모든 행이 start에서 시작합니다. 다음 토큰 가운데 가장 그럴듯한 것을 뒤에 붙이기를, 모든 행이 "
        "eos를 내거나 max_len개를 쓸 때까지 되풀이합니다.",
        "Every row begins with start. Append the likeliest next token, again and again, until each row "
        "has written eos, or max_len tokens.",
        "쓸 로짓은 마지막 위치의 것뿐입니다: model(src, ids)[:, -1]. 패딩의 로짓은 −∞로 두고, 끝난 행에는 "
        "패딩을 붙입니다. 먼저 model.eval()을 호출하고 torch.no_grad() 안에서 하세요.",
        "Only the logits of the last position matter: model(src, ids)[:, -1]. Set that of padding to −∞, "
        "and append padding to rows that are done. Call model.eval() first, and work inside "
        "torch.no_grad().",
        "끝난 행을 finished에 적어 둡니다: token = logits.argmax(-1).masked_fill(finished, 0), finished = "
        "finished | (token == eos_id). 끝에는 행마다 start, eos, 패딩을 뺀 리스트를 돌려줍니다.",
        "Note the rows that are done: token = logits.argmax(-1).masked_fill(finished, 0), finished = "
        "finished | (token == eos_id). At the end return a list for each row, without start, eos and "
        "padding.",
    ),
    "beam_search": (
        "문장마다 끝나지 않은 가설을 num_beams개 두고, 끝난 가설은 따로 모읍니다. 가설은 토큰들과 로그 "
        "확률의 합입니다.",
        "For each sentence keep num_beams hypotheses that are not finished, and collect finished ones "
        "apart. A hypothesis is its tokens and the sum of their log-probabilities.",
        "스텝마다 가설에 다음 토큰의 로그 확률(log_softmax)을 더한 것이 후보입니다. eos로 끝나는 후보는 "
        "끝난 쪽으로 가고, 나머지에서 가장 좋은 num_beams개가 남습니다.",
        "At each step, candidates are hypotheses plus the log-probability (log_softmax) of a next token. "
        "Those that end in eos go to the finished ones; of the others the best num_beams stay.",
        "끝난 가설의 점수는 로그 확률 / ((5 + 길이) / 6)^alpha이고, 길이에는 eos도 셉니다. max_len에 이른 "
        "가설은 eos가 없어도 끝난 것입니다.",
        "The score of a finished hypothesis is log-probability / ((5 + length) / 6)^alpha, and the length "
        "counts eos. A hypothesis that reaches max_len is finished even without eos.",
        "한 문장씩 파이썬 리스트로 써도 됩니다: beams = [(0.0, [start])]. 후보를 좋은 것부터 2 · "
        "num_beams개만 보면 eos로 끝나지 않는 것이 num_beams개 남습니다. 끝에는 (점수, eos 없는 번호)를 "
        "좋은 것부터 num_beams개 돌려줍니다.",
        "Sentence by sentence with Python lists is fine: beams = [(0.0, [start])]. The best 2 · num_beams "
        "candidates leave num_beams that do not end in eos. Return the best num_beams (score, ids without "
        "eos), best first.",
    ),
    "KVCache": (
        "앞 토큰의 키와 밸류는 뒤 토큰이 와도 바뀌지 않습니다. 그래서 한 번 만든 것을 어텐션마다 딕셔너리에 "
        "모아 두고, 새 것만 만들어 뒤에 붙입니다.",
        "Keys and values of earlier tokens do not change when later ones come. So keep what was made, for "
        "each attention, in a dictionary; only what is new is made, and put behind.",
        "self.tokens는 셀프 어텐션의 것으로 torch.cat(…, dim=2)로 자라고, self.memory는 크로스 어텐션의 "
        "것으로 처음 받은 그대로입니다. length는 self.tokens에 든 것의 dim 2의 크기이고, 비었으면 0입니다.",
        "self.tokens has those of self-attentions and grows by torch.cat(…, dim=2); self.memory has those of "
        "cross-attentions as they first came. length is the size of dim 2 of what is in self.tokens, 0 where "
        "it is empty.",
        "begin_pass는 (길이, 앞의 길이만큼 가운데 패딩이 아닌 것의 수 (B, 1))을 돌려줍니다. reorder는 "
        "self.tokens의 모든 텐서에서 x[beam_index]를 고릅니다.",
        "begin_pass returns the length, and how many of that many first ids are no padding, (B, 1). reorder "
        "takes x[beam_index] of every tensor in self.tokens.",
    ),
    "LanguageModel": (
        "임베딩에 위치를 더하고, 크로스 어텐션이 없는 디코더와 로짓을 내는 선형 층을 잇습니다.",
        "An embedding with positions added, a decoder without cross-attention, and a linear layer that "
        "makes logits.",
        "디코더는 Decoder(config, cross_attention=False)이고 memory를 넘기지 않습니다. 마스크는 패딩 "
        "마스크와 인과 마스크를 합친 것입니다.",
        "The decoder is Decoder(config, cross_attention=False), called without memory. Its mask combines "
        "the padding mask with the causal mask.",
    ),
    "RMSNorm": (
        "LayerNorm에서 평균을 빼는 일과 더하는 벡터가 없습니다.",
        "It is LayerNorm without subtracting the mean, and without the vector that is added.",
        "토큰마다 제곱의 평균에 eps를 더해 제곱근을 씌우고, 그것으로 나눈 다음 weight를 곱합니다. "
        "keepdim=True를 잊지 마세요.",
        "For each token add eps to the mean of the squares, take the root, divide by it, and multiply by "
        "weight. Mind keepdim=True.",
    ),
    "RotaryEmbedding": (
        "위치를 더하지 않고, 위치만큼 돌립니다. 열 i와 열 i + d_head / 2가 한 점의 두 좌표입니다.",
        "Positions are not added: vectors are turned by them. Columns i and i + d_head / 2 are the two "
        "coordinates of a point.",
        "각도는 위치 / base^(2i / d_head)입니다. 그 cos과 sin의 표 (max_len, d_head / 2)를 버퍼 둘로 둡니다.",
        "The angle is position / base^(2i / d_head). Keep its cosines and sines, (max_len, d_head / 2), "
        "as two buffers.",
        "first, second = x.chunk(2, dim=-1)이면 새 좌표는 first · cos − second · sin과 first · sin + "
        "second · cos이고, torch.cat이 둘을 다시 붙입니다.",
        "With first, second = x.chunk(2, dim=-1) the new coordinates are first · cos − second · sin and "
        "first · sin + second · cos; torch.cat joins them again.",
    ),
    "SwiGLU": (
        "선형 층이 셋입니다. 하나의 출력에 silu를 씌워 다른 하나의 출력에 곱하고, 세 번째가 다시 좁힙니다.",
        "There are three linear layers: silu of one's output is multiplied by another's output, and the "
        "third narrows again.",
        "w_gate와 w_up은 d_model에서 d_ff로, w_down은 d_ff에서 d_model로 가고, 모두 bias=False입니다. "
        "silu는 w_gate 쪽에만 씌웁니다.",
        "w_gate and w_up go from d_model to d_ff, w_down from d_ff to d_model, all with bias=False. silu "
        "is for w_gate's side alone.",
    ),
    "GroupedQueryAttention": (
        "멀티 헤드 어텐션과 같지만 키와 값의 헤드는 n_kv_heads개뿐입니다. 이웃한 쿼리 헤드 여럿이 그 "
        "하나를 함께 씁니다.",
        "It is multi-head attention with only n_kv_heads heads of keys and values. Several neighboring "
        "heads of queries share one of them.",
        "w_k와 w_v는 d_model에서 n_kv_heads · d_head로 갑니다. 헤드로 나눈 다음 헤드의 축을 n_heads로 "
        "늘리면 나머지는 그대로입니다.",
        "w_k and w_v go from d_model to n_kv_heads · d_head. Split into heads, stretch the axis of heads "
        "to n_heads, and the rest stays as it was.",
        "k.repeat_interleave(n_heads // n_kv_heads, dim=1)입니다. repeat는 헤드의 순서가 다릅니다.",
        "That is k.repeat_interleave(n_heads // n_kv_heads, dim=1); repeat has another order of heads.",
    ),
}


def hint_mine(rung):
    """Print the next hint; each call goes one further, and the last one stays.

    Args:
        rung: name of a part; or of a rung: its first part that is not right yet.

    Raises:
        ValueError: as `names_in`.
    """
    names = names_in(rung)
    forget()
    name = next((name for name in names[:-1] if not check_part(name).passed), names[-1])
    path = folder() / ".hints" / name
    given = 0
    with contextlib.suppress(OSError, ValueError):
        given = int(path.read_text(encoding="utf-8"))
    given = say_next(in_turn(HINTS[name], 2), given, "" if name == rung else f"{name}: ")
    write_whole(path, str(given).encode())
