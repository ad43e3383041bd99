"""What would go wrong in silence is refused here, by the name that the caller knows it by."""

import math

import torch


def check_sizes(**sizes):
    """Sizes given by name are positive integers.

    Args:
        sizes: numbers, by the names that the caller knows.

    Raises:
        ValueError: one is not.
    """
    for name, size in sizes.items():
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise ValueError(f"{name}: {size!r} is not a size; use an integer of at least 1")


def check_id(name, id, vocab_size):
    """A special id is in the vocabulary.

    Args:
        name: what the caller calls it, e.g. "src_pad_id".
        id: an integer.
        vocab_size: number of tokens.

    Raises:
        ValueError: it is not.
    """
    if id not in range(vocab_size):
        raise ValueError(f"{name}: {id} is not an id of the vocabulary; use 0 to {vocab_size - 1}")


def check_groups(n_kv_heads, n_heads):
    """Heads of queries can share heads of keys and values.

    Args:
        n_kv_heads: heads of keys and values.
        n_heads: heads of queries.

    Raises:
        ValueError: n_kv_heads does not divide n_heads.
    """
    if n_kv_heads < 1 or n_heads % n_kv_heads:
        raise ValueError(f"n_kv_heads: {n_kv_heads} does not divide n_heads, {n_heads}; use one that does")


def check_values(k, v):
    """Each key has its value; PyTorch's fused kernel would read past the end of values that are too few.

    Args:
        k, v: (…, T_k, d_head).

    Raises:
        ValueError: they are not equally long.
    """
    if k.size(-2) != v.size(-2):
        raise ValueError(f"value: {v.size(-2)} tokens for {k.size(-2)} keys; each key needs its value")


def check_tokens(name, ids, vocab_size, max_len):
    """Token ids can be read by a model.

    Args:
        name: what the caller calls them, e.g. "src".
        ids: (B, T).
        vocab_size: number of tokens.
        max_len: the longest sequence that the model handles.

    Raises:
        ValueError: not (B, T); no or too many tokens; or ids beyond the vocabulary, which is looked at only
            where that costs nothing: on a CPU, and not while a graph is being made.
    """
    if ids.dim() != 2 or ids.size(1) == 0:
        raise ValueError(f"{name}: shape is {tuple(ids.shape)}; expected (B, T) with at least one token")
    if ids.size(1) > max_len:
        raise ValueError(f"{name}: {ids.size(1)} tokens, but max_len is {max_len}; shorten {name}")
    if ids.device.type == "cpu" and ids.numel() and not torch.compiler.is_compiling():
        low, high = ids.min().item(), ids.max().item()
        if low < 0 or high >= vocab_size:
            raise ValueError(f"{name}: ids run from {low} to {high}; use 0 to {vocab_size - 1}")


def check_same_batch(name, given, other_name, other):
    """Two tensors are of one batch.

    Args:
        name, other_name: what the caller calls them.
        given, other: (B, …) each.

    Raises:
        ValueError: they are not.
    """
    if given.size(0) != other.size(0):
        found = f"batch of {given.size(0)}, but {other_name} has {other.size(0)}"
        raise ValueError(f"{name}: {found}; make them equal")


def check_memory(memory, x, cross_attention):
    """There is a memory where a decoder layer looks at one, and only there.

    Args:
        memory: (B, T_src, d_model), or None.
        x: (B, T_tgt, d_model).
        cross_attention: the attention that looks at it, or None.

    Raises:
        ValueError: memory is missing, not wanted, or of another batch.
    """
    if (memory is None) != (cross_attention is None):
        given = "missing; pass the encoder's output" if memory is None else "given; leave it out"
        raise ValueError(f"memory: {given}, or build with cross_attention={memory is not None}")
    if memory is not None:
        check_same_batch("memory", memory, "x", x)


def check_logits(logits, ids):
    """What a model returns are logits.

    Args:
        logits: what it returns.
        ids: (B, T), the target that it was given.

    Raises:
        ValueError: they are no tensor (B, T, V).
    """
    found = tuple(logits.shape) if isinstance(logits, torch.Tensor) else type(logits).__name__
    if not isinstance(logits, torch.Tensor) or found[:-1] != tuple(ids.shape):
        raise ValueError(f"model: it returns {found}; wrap it so that it returns logits (B, T_tgt, V)")


def check_later_token(tgt):
    """A target has a token that another comes after: without, causality would try nothing.

    Args:
        tgt: token ids (B, T).

    Raises:
        ValueError: it has one token.
    """
    if tgt.size(1) < 2:
        raise ValueError(f"tgt: {tgt.size(1)} token; causality needs a later one: give at least 2")


def check_another_sentence(src):
    """A batch has two sentences: without, batch invariance would try nothing.

    Args:
        src: token ids (B, T).

    Raises:
        ValueError: it has one.
    """
    if len(src) < 2:
        raise ValueError(f"src: {len(src)} sentence; batch invariance needs another: give at least 2")


def check_swapped(src, swapped):
    """Two tokens that change places make another sentence.

    Args:
        src, swapped: token ids (B, T), before and after.

    Raises:
        ValueError: they are equal.
    """
    if torch.equal(swapped, src):
        raise ValueError("src: no sentence begins with two tokens that differ; order needs one that does")


def check_gradients_left(left):
    """A step of a training loop leaves gradients: without, there is nothing to compare.

    Args:
        left: list of tensors.

    Raises:
        ValueError: there are none.
    """
    if not left:
        raise ValueError("step: it leaves no gradients; call zero_grad before backward, not after the step")


def check_split(training, test):
    """There is something to train and to test with.

    Args:
        training, test: lists.

    Raises:
        ValueError: one is empty.
    """
    for name, pairs in (("training", training), ("test", test)):
        if not pairs:
            raise ValueError(f"{name}: it is empty; disjoint needs pairs on both sides")


def check_search(next_logits, start, eos_id, max_len):
    """Decoding can begin, and end.

    Args:
        next_logits: a `FullDecoding`, or what is called like one.
        start: (B, T), what the rows begin with.
        eos_id: what they end with.
        max_len: at most this many tokens more.

    Raises:
        ValueError: a row begins with nothing but padding; eos_id is not in the vocabulary, or is padding;
            max_len is not a positive integer, or goes beyond the model's.
    """
    pad_id, model = next_logits.pad_id, getattr(next_logits, "model", None)
    if start.dim() != 2 or not (start != pad_id).any(dim=1).all():
        raise ValueError(f"start: a row begins with nothing but padding, {pad_id}; use bos_id, or a prompt")
    if eos_id == pad_id:
        raise ValueError(f"eos_id: {eos_id} is padding, which the masks hide; use an id of its own")
    check_sizes(max_len=max_len)
    if model is None:  # a class of one's own in place of `FullDecoding`
        return
    if linear := getattr(model.generator, "linear", None):
        vocab_size = linear.out_features
    else:  # found by one call
        memory = [x[:1] for x in next_logits.memory]
        vocab_size = model.generator(model.decode(start[:1], *memory)).size(-1)
    check_id("eos_id", eos_id, vocab_size)
    room = model.max_len + 1 - start.size(1)  # the last token is not read any more
    if max_len > room:
        raise ValueError(f"max_len: {max_len} tokens; after the start the model handles 1 to {room}")


def check_beam(num_beams, alpha):
    """A beam has room, and its length penalty is a number to divide by.

    Args:
        num_beams: number of beams.
        alpha: exponent of the length penalty.

    Raises:
        ValueError: num_beams is not a positive integer, or alpha is not between 0 and 10.
    """
    check_sizes(num_beams=num_beams)
    if not isinstance(alpha, int | float) or not 0 <= alpha <= 10:
        raise ValueError(f"alpha: {alpha} is no length penalty; use a number from 0 to 10")


def check_sampler(temperature, top_k, top_p, seed):
    """What a `Sampler` is given leaves something to draw from.

    Args:
        temperature, top_k, top_p, seed: as there.

    Raises:
        ValueError: temperature or top_p is below 1e-6, or too large; top_k is not a positive integer or None;
            seed is not an integer.
    """
    if not isinstance(temperature, int | float) or not 1e-6 <= temperature < math.inf:
        raise ValueError(f"temperature: {temperature} is too low or no number; for the likeliest use greedy")
    if top_k is not None:
        check_sizes(top_k=top_k)
    if not isinstance(top_p, int | float) or not 1e-6 <= top_p <= 1:
        raise ValueError(f"top_p: {top_p} is not a probability; use a number from 1e-6 to 1")
    if not isinstance(seed, int):
        raise ValueError(f"seed: {seed!r} is not an integer; use one")


def check_no_gaps(ids, pad_id):
    """No token follows padding: without a cache its position is not known.

    Args:
        ids: (B, T).
        pad_id: padding.

    Raises:
        ValueError: one does.
    """
    real = ids != pad_id
    if (real[:, 1:] & ~real[:, :-1]).any():
        raise ValueError("ids: tokens follow padding; use IncrementalDecoding")


def check_text(text):
    """A text is a string.

    Args:
        text: a string.

    Raises:
        ValueError: it is not.
    """
    if not isinstance(text, str):
        raise ValueError(f"text: {text!r} is of type {type(text).__name__}; pass a string")


def check_texts(texts):
    """Training texts are strings with a word in them.

    Args:
        texts: strings, from any iterable.

    Returns:
        List of the texts.

    Raises:
        ValueError: they are one string, or hold something else than strings, or no word.
    """
    if isinstance(texts, str):
        raise ValueError("texts: got one string; pass a list of strings, e.g. [text]")
    texts = list(texts)
    for text in texts:
        check_text(text)
    if not any(text.split() for text in texts):
        raise ValueError("texts: no word in it; pass at least one sentence")
    return texts


def check_ids(ids, vocab_size):
    """Ids to be decoded are in the vocabulary.

    Args:
        ids: integers, a list or a tensor.
        vocab_size: number of tokens.

    Returns:
        The ids as a list.

    Raises:
        ValueError: one is not an integer from 0 to vocab_size - 1.
    """
    ids = ids.tolist() if hasattr(ids, "tolist") else list(ids)
    for id in ids:
        if not isinstance(id, int) or not 0 <= id < vocab_size:
            raise ValueError(f"ids: {id!r} is not an id; use integers from 0 to {vocab_size - 1}")
    return ids


def check_vocab_size(vocab_size, smallest):
    """A vocabulary has room for all characters of its text.

    Args:
        vocab_size: number of tokens asked for.
        smallest: number of tokens without any joined piece.

    Raises:
        ValueError: it has not.
    """
    if vocab_size < smallest:
        raise ValueError(f"vocab_size: {vocab_size} is too small; use at least {smallest}")
