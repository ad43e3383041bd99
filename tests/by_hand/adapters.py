"""Which of my tensors is which."""


class TokenEmbedding:
    def tensors(mine):
        return {"weight": mine.table.weight}


class SinusoidalPositionalEncoding:
    def tensors(mine):
        return {}


class MultiHeadAttention:
    def tensors(mine):
        return {
            "w_q.weight": mine.qkv.weight[: mine.d],
            "w_k.weight": mine.qkv.weight[mine.d : 2 * mine.d],
            "w_v.weight": mine.qkv.weight[2 * mine.d :],
            "w_q.bias": mine.qkv.bias[: mine.d],
            "w_k.bias": mine.qkv.bias[mine.d : 2 * mine.d],
            "w_v.bias": mine.qkv.bias[2 * mine.d :],
            "w_o": mine.out,
        }


class LayerNorm:
    def tensors(mine):
        return {"weight": mine.g, "bias": mine.b}


class FeedForward:
    def tensors(mine):
        return {"linear1": mine.net[0], "linear2": mine.net[2]}


class EncoderLayer:
    def tensors(mine):
        return {
            "attention": mine.att,
            "feed_forward": mine.ff,
            "residuals.0.norm": mine.n1,
            "residuals.1.norm": mine.n2,
        }


class DecoderLayer:
    def tensors(mine):
        return {
            "attention": mine.att,
            "cross_attention": mine.cross,
            "feed_forward": mine.ff,
            "residuals.0.norm": mine.n1,
            "residuals.1.norm": mine.n2,
            "residuals.2.norm": mine.n3,
        }


class Transformer:
    def tensors(mine):
        return {
            "src_embed.tokens": mine.se,
            "tgt_embed.tokens": mine.te,
            "encoder": mine.enc,
            "decoder": mine.dec,
            "generator.linear": mine.head,
        }
