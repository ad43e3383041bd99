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
    def __init__(self, config):
        super().__init__()
        self.source = TokenEmbedding(config.src_vocab_size, config.d_model)
        self.target = TokenEmbedding(config.tgt_vocab_size, config.d_model)
        self.place = SinusoidalPositionalEncoding(config.d_model, config.max_len)
        self.drop = nn.Dropout(config.dropout)
        self.read, self.write = Encoder(config), Decoder(config)
        self.out = nn.Linear(config.d_model, config.tgt_vocab_size)
        self.pads = config.src_pad_id, config.tgt_pad_id

    def forward(self, src, tgt):
        hidden = padding_mask(src, self.pads[0])
        memory = self.read(self.drop(self.place(self.source(src))), hidden)
        mask = combine_masks(padding_mask(tgt, self.pads[1]), causal_mask(tgt.shape[1]))
        return self.out(self.write(self.drop(self.place(self.target(tgt))), memory, mask, hidden))
