class TokenEmbedding:
    def tensors(mine):
        return {"weight": mine.rows}


class SinusoidalPositionalEncoding:
    def tensors(mine):
        return {}


class MultiHeadAttention:
    def tensors(mine):
        found = {"w_o.weight": mine.U.flatten(0, 1).T, "w_o.bias": mine.c}
        for name, w, b in zip("qkv", mine.W, mine.b, strict=True):
            found |= {f"w_{name}.weight": w.transpose(1, 2).flatten(0, 1), f"w_{name}.bias": b.flatten()}
        return found


class LayerNorm:
    def tensors(mine):
        return {"weight": mine.scale, "bias": mine.shift}


class FeedForward:
    def tensors(mine):
        return {
            "linear1.weight": mine.A.T,
            "linear1.bias": mine.a,
            "linear2.weight": mine.B.T,
            "linear2.bias": mine.b,
        }


class EncoderLayer:
    def tensors(mine):
        return {
            "attention": mine.look,
            "feed_forward": mine.think,
            "residuals.0.norm": mine.one.norm,
            "residuals.1.norm": mine.two.norm,
        }


class Encoder:
    def tensors(mine):
        return {"layers": mine.stack} | ({} if mine.last is None else {"norm": mine.last})


class DecoderLayer:
    def tensors(mine):
        return {
            "attention": mine.back,
            "cross_attention": mine.across,
            "feed_forward": mine.think,
            "residuals.0.norm": mine.one.norm,
            "residuals.1.norm": mine.two.norm,
            "residuals.2.norm": mine.three.norm,
        }


class Decoder:
    def tensors(mine):
        return {"layers": mine.stack} | ({} if mine.last is None else {"norm": mine.last})


class Transformer:
    def tensors(mine):
        return {
            "src_embed.tokens": mine.source,
            "tgt_embed.tokens": mine.target,
            "encoder": mine.read,
            "decoder": mine.write,
            "generator.linear": mine.out,
        }
