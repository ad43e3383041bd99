"""All typical faults, by part. A reader's part that behaves like one of them in every trial is told so."""

from helpers.mine import faults_of_caches as caches
from helpers.mine import faults_of_functions as functions
from helpers.mine import faults_of_modern_parts as modern
from helpers.mine import faults_of_parts as parts
from helpers.mine import faults_of_stacks as stacks
from helpers.mine import faults_of_tokenizers as tokenizers

FAULTS = {
    "BPETokenizer": tokenizers.TOKENIZER,
    "TokenEmbedding": parts.EMBEDDING,
    "SinusoidalPositionalEncoding": parts.POSITIONS,
    "scaled_dot_product_attention": functions.ATTENTION + functions.RETURNED + functions.NOTHING_SEEN,
    "MultiHeadAttention": parts.MULTI_HEAD,
    "padding_mask": functions.PADDING,
    "causal_mask": functions.CAUSAL,
    "combine_masks": functions.COMBINED,
    "LayerNorm": parts.NORM,
    "FeedForward": parts.FEED_FORWARD,
    "EncoderLayer": stacks.ENCODER_LAYER,
    "Encoder": stacks.ENCODER,
    "DecoderLayer": stacks.DECODER_LAYER,
    "Decoder": stacks.DECODER,
    "Transformer": stacks.TRANSFORMER,
    "token_loss": functions.LOSS,
    "inverse_sqrt": functions.SCHEDULE,
    "train_step": functions.STEP,
    "generate": functions.WRITE,
    "beam_search": functions.BEAM,
    "KVCache": caches.CACHE,
    "LanguageModel": modern.LANGUAGE_MODEL,
    "RMSNorm": modern.RMS_NORM,
    "RotaryEmbedding": modern.ROTARY,
    "SwiGLU": modern.GATED,
    "GroupedQueryAttention": modern.GROUPED,
}
