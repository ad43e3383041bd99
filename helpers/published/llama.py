"""A `ModernLanguageModel` with the weights of a Llama, read from its folder. Chapter 16."""

import json
import math
from pathlib import Path

import torch

from helpers.engine.checks import check_llama, llama_rope
from helpers.modern import ModernConfig, ModernLanguageModel


def load_llama(folder):
    """A `ModernLanguageModel` that computes the logits of a Llama.

    As with `load_gpt2`, our vocabulary has one token more, the last, for padding.

    Args:
        folder: with config.json and a single model.safetensors, as `save_pretrained` of the transformers
            library writes them.

    Returns:
        The model, in evaluation.

    Raises:
        ValueError: the folder holds another kind of model, or a Llama with an option that ours lacks.

    Source: Touvron et al. 2023, https://arxiv.org/abs/2302.13971, section 2.2.
    """
    from safetensors.torch import load_file  # comes with the transformers library

    config = json.loads((Path(folder) / "config.json").read_text("utf-8"))
    check_llama(config, folder)
    model = ModernLanguageModel(
        ModernConfig(
            config["vocab_size"] + 1,
            d_model=config["hidden_size"],
            n_heads=config["num_attention_heads"],
            n_kv_heads=config["num_key_value_heads"],
            d_ff=config["intermediate_size"],
            n_layers=config["num_hidden_layers"],
            max_len=config["max_position_embeddings"],
            pad_id=config["vocab_size"],
            tie_generator=False,
            rope_base=llama_rope(config)["rope_theta"],
            eps=config["rms_norm_eps"],
        )
    )
    weights = load_file(Path(folder) / "model.safetensors")
    model.load_state_dict(llama_weights(weights, config["num_hidden_layers"]))
    return model.eval()


def llama_weights(weights, n_layers):
    """The weights of a Llama under the names and in the shapes of a `ModernLanguageModel`.

    Args:
        weights: {name: tensor}.
        n_layers: number of layers.

    Returns:
        {name: tensor}, for `load_state_dict`.
    """
    table = weights["model.embed_tokens.weight"]
    head = weights.get("lm_head.weight", table)  # tied: the file has it once
    padding = torch.zeros_like(table[:1])
    ours = {
        "tgt_embed.tokens.weight": torch.cat([table, padding]) / math.sqrt(table.size(1)),  # ours multiplies
        "decoder.norm.weight": weights["model.norm.weight"],
        "generator.linear.weight": torch.cat([head, padding]),
        "generator.linear.bias": table.new_zeros(len(table) + 1),  # Llama has none
    }
    names = {
        "attention.w_qkv": ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"],
        "attention.w_o": ["self_attn.o_proj"],
        "feed_forward.w_gate": ["mlp.gate_proj"],
        "feed_forward.w_up": ["mlp.up_proj"],
        "feed_forward.w_down": ["mlp.down_proj"],
        "residuals.0.norm": ["input_layernorm"],
        "residuals.1.norm": ["post_attention_layernorm"],
    }
    for layer in range(n_layers):
        for our_name, their_names in names.items():
            stacked = [weights[f"model.layers.{layer}.{name}.weight"] for name in their_names]
            ours[f"decoder.layers.{layer}.{our_name}.weight"] = torch.cat(stacked)
    return ours
