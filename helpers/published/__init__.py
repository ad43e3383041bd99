"""Models that others published, with their weights in ours: GPT-2, Llama, Marian."""
