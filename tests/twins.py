"""A decoder-only model of the transformers library and ours with its weights: equal logits, equal texts."""

import torch

from helpers.decoding import generate


@torch.no_grad()
def assert_same_logits(ours, theirs, length):
    """On random ids (3, length); ours has one token more, padding, at the end of its vocabulary."""
    ids = torch.randint(theirs.config.vocab_size, (3, length))
    torch.testing.assert_close(ours(ids)[..., :-1], theirs(ids).logits, rtol=0, atol=1e-5)


def assert_same_texts(ours, theirs, seed, eos=1):
    """Greedy decoding continues six prompts of five tokens alike; the vocabulary has at least 40 tokens."""
    for prompt in torch.randint(2, 40, (6, 1, 5), generator=torch.Generator().manual_seed(seed)):
        wanted = theirs.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            do_sample=False,
            max_new_tokens=20,
            pad_token_id=eos,
        )[0, 5:].tolist()
        (found,) = generate(ours, None, prompt, eos, 20)
        assert found == [id for id in wanted if id != eos]
