from torch import nn

from mine import (
    Decoder,
    Encoder,
    SinusoidalPositionalEncoding,
    TokenEmbedding,
    causal_mask,
    combine_masks,
    padding_mask,
)


class Transformer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.se, self.te = (
            TokenEmbedding(c.src_vocab_size, c.d_model),
            TokenEmbedding(c.tgt_vocab_size, c.d_model),
        )
        self.pe = SinusoidalPositionalEncoding(c.d_model, c.max_len)
        self.enc, self.dec = Encoder(c), Decoder(c)
        self.src_pad, self.tgt_pad = c.src_pad_id, c.tgt_pad_id
        self.head = nn.Linear(c.d_model, c.tgt_vocab_size)

    def forward(self, src, tgt):
        m = padding_mask(src, self.src_pad)
        memory = self.enc(self.pe(self.se(src)), m)
        t = combine_masks(padding_mask(tgt, self.tgt_pad), causal_mask(tgt.size(1)))
        return self.head(self.dec(self.pe(self.te(tgt)), memory, t, m))
