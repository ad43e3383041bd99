"""Typical wrong answers to the exercises, and a phrase of the English diagnosis that each must get.

WRONG[chapter][exercise] is a list of at least three pairs (source, phrase). The source defines the function
as a reader would write it.
"""


def answer(line):
    """The source of a function from "name(arguments): body in one line, or several"."""
    return "import math, torch\nfrom torch.nn import functional as F\n\ndef " + line


WRONG = {
    "00": {
        "count_words": [
            (answer("count_words(text): return len(list(text))"), "counts characters"),
            (
                answer("count_words(text): return len(text.split(' '))"),
                "empty strings between doubled spaces",
            ),
            (answer("count_words(text): return sum(c == ' ' for c in text)"), "counts spaces"),
            (answer("count_words(text): return str(len(text.split()))"), "It returns str; return int"),
            (answer("count_words(text): return text.count(' ') + 1"), "empty strings between doubled spaces"),
        ]
    },
    "01": {
        "build_vocabulary": [
            (
                answer(
                    "build_vocabulary(texts):\n"
                    "    tokens = ' '.join(texts).split()\n"
                    "    return {tokens[i]: i for i in range(len(tokens))}"
                ),
                "numbers every token",
            ),
            (
                answer(
                    "build_vocabulary(texts):\n"
                    "    words = sorted({w for t in texts for w in t.split()})\n"
                    "    return dict(zip(words, range(len(words))))"
                ),
                "alphabetical order",
            ),
            (
                answer(
                    "build_vocabulary(texts):\n"
                    "    ids = {}\n"
                    "    for w in ' '.join(texts).split():\n"
                    "        ids.setdefault(w, len(ids) + 1)\n"
                    "    return ids"
                ),
                "start at 1",
            ),
            (
                answer(
                    "build_vocabulary(texts):\n"
                    "    for text in texts:\n"
                    "        return {w: i for i, w in enumerate(dict.fromkeys(text.split()))}"
                ),
                "Only the first text",
            ),
            (
                answer("build_vocabulary(texts): return list(dict.fromkeys(texts[0].split()))"),
                "It returns list; return dict",
            ),
        ],
        "most_frequent_pair": [
            (
                answer(
                    "most_frequent_pair(words):\n"
                    "    total = {}\n"
                    "    for w in words:\n"
                    "        for i in range(len(w) - 1):\n"
                    "            p = (w[i], w[i + 1])\n"
                    "            total[p] = total.get(p, 0) + 1\n"
                    "    return max(total, key=total.get)"
                ),
                "counts are ignored",
            ),
            (
                answer(
                    "most_frequent_pair(words):\n"
                    "    total = {}\n"
                    "    for w, n in words.items():\n"
                    "        for p in zip(w, w[1:]):\n"
                    "            total[p] = total.get(p, 0) + n\n"
                    "    return sorted(total.items(), key=lambda x: (-x[1], [-ord(c) for c in x[0]]))[0][0]"
                ),
                "last in alphabetical order",
            ),
            (
                answer(
                    "most_frequent_pair(words):\n"
                    "    total = {}\n"
                    "    for w, n in words.items():\n"
                    "        for p in zip(w, w[1:]):\n"
                    "            total[p] = total.get(p, 0) + n\n"
                    "    return ''.join(max(total, key=total.get))"
                ),
                "joined string",
            ),
            (
                answer(
                    "most_frequent_pair(words):\n"
                    "    total = {}\n"
                    "    for w, n in words.items():\n"
                    "        for p in dict.fromkeys(zip(w, w[1:])):\n"
                    "            total[p] = total.get(p, 0) + n\n"
                    "    return max(total, key=total.get)"
                ),
                "only once",
            ),
        ],
        "apply_merges": [
            (answer("apply_merges(word, merges): return [c for c in word]"), "nothing is merged"),
            (
                answer(
                    "apply_merges(word, merges):\n"
                    "    pieces = list(word)\n"
                    "    for a, b in reversed(merges):\n"
                    "        out = []\n"
                    "        for p in pieces:\n"
                    "            if out and (out[-1], p) == (a, b): out[-1] = a + b\n"
                    "            else: out.append(p)\n"
                    "        pieces = out\n"
                    "    return pieces"
                ),
                "last learned first",
            ),
            (
                answer(
                    "apply_merges(word, merges):\n"
                    "    pieces = list(word)\n"
                    "    for a, b in merges:\n"
                    "        for i in range(len(pieces) - 1):\n"
                    "            if pieces[i] == a and pieces[i + 1] == b:\n"
                    "                pieces = pieces[:i] + [a + b] + pieces[i + 2:]\n"
                    "                break\n"
                    "    return pieces"
                ),
                "first occurrence",
            ),
            (
                answer(
                    "apply_merges(word, merges):\n"
                    "    pieces = list(word)\n"
                    "    while True:\n"
                    "        hits = [i for i in range(len(pieces) - 1) if tuple(pieces[i:i + 2]) in merges]\n"
                    "        if not hits: return pieces\n"
                    "        pieces[hits[0]:hits[0] + 2] = [pieces[hits[0]] + pieces[hits[0] + 1]]"
                ),
                "leftmost",
            ),
        ],
    },
    "02": {
        "one_hot": [
            (answer("one_hot(ids, vocab_size): return F.one_hot(ids, vocab_size)"), "holds integers"),
            (answer("one_hot(ids, vocab_size): return F.one_hot(ids, vocab_size).float().T"), "swapped"),
            (
                answer(
                    "one_hot(ids, vocab_size):\n"
                    "    out = torch.zeros(vocab_size)\n"
                    "    for i in ids: out[i] += 1\n"
                    "    return out"
                ),
                "summed into one row",
            ),
            (answer("one_hot(ids, vocab_size): return torch.eye(vocab_size)[ids - 1]"), "counted from 1"),
        ],
        "nearest": [
            (
                answer(
                    "nearest(weight, id, k):\n"
                    "    c = F.cosine_similarity(weight, weight[id:id + 1])\n"
                    "    return c.topk(k).indices.tolist()"
                ),
                "among its neighbours",
            ),
            (
                answer(
                    "nearest(weight, id, k):\n"
                    "    s = weight @ weight[id]\n"
                    "    s[id] = -math.inf\n"
                    "    return s.topk(k).indices.tolist()"
                ),
                "favours long vectors",
            ),
            (
                answer(
                    "nearest(weight, id, k):\n"
                    "    d = ((weight - weight[id]) ** 2).sum(-1)\n"
                    "    d[id] = math.inf\n"
                    "    return d.topk(k, largest=False).indices.tolist()"
                ),
                "ranks by distance",
            ),
            (
                answer(
                    "nearest(weight, id, k):\n"
                    "    u = F.normalize(weight, dim=-1)\n"
                    "    c = u @ u[id]\n"
                    "    c[id] = math.inf\n"
                    "    return c.topk(k, largest=False).indices.tolist()"
                ),
                "farthest",
            ),
            (
                answer(
                    "nearest(weight, id, k):\n"
                    "    weight /= weight.norm(dim=-1, keepdim=True)\n"
                    "    c = weight @ weight[id]\n"
                    "    c[id] = -math.inf\n"
                    "    return c.topk(k).indices.tolist()"
                ),
                "changes its arguments",
            ),
        ],
        "embedding_gradient": [
            (
                answer(
                    "embedding_gradient(ids, grad, vocab_size):\n"
                    "    out = torch.zeros(vocab_size, grad.size(1))\n"
                    "    for t in range(len(ids)): out[ids[t]] = grad[t]\n"
                    "    return out"
                ),
                "overwrites",
            ),
            (
                answer(
                    "embedding_gradient(ids, grad, vocab_size):\n"
                    "    hot = F.one_hot(ids, vocab_size).float()\n"
                    "    return hot.T @ grad / hot.sum(0).clamp(min=1)[:, None]"
                ),
                "averaged",
            ),
            (answer("embedding_gradient(ids, grad, vocab_size): return 1 * grad"), "one row per token"),
        ],
    },
    "03": {
        "position_ids": [
            (answer("position_ids(ids): return ids"), "These are token ids"),
            (
                answer("position_ids(ids): return (torch.arange(ids.size(1)) + 1).expand(ids.shape)"),
                "counted from 1",
            ),
            (
                answer("position_ids(ids): return torch.arange(len(ids))[:, None].expand(ids.shape)"),
                "along the batch axis",
            ),
            (answer("position_ids(ids): return torch.arange(ids.numel()).reshape(ids.shape)"), "runs on"),
            (answer("position_ids(ids): return torch.arange(ids.size(1))"), "The shape is"),
        ],
        "sinusoid": [
            (
                answer(
                    "sinusoid(position, d_model):\n"
                    "    a = position / 10000 ** (torch.arange(0, d_model, 2) / d_model)\n"
                    "    return torch.cat([a.sin(), a.cos()])"
                ),
                "should alternate",
            ),
            (
                answer(
                    "sinusoid(position, d_model):\n"
                    "    a = position / 10000 ** (torch.arange(0, d_model, 2) / d_model)\n"
                    "    return torch.stack([a.cos(), a.sin()], 1).flatten()"
                ),
                "swapped",
            ),
            (
                answer(
                    "sinusoid(position, d_model):\n"
                    "    a = position / 10000 ** (torch.arange(d_model) / d_model)\n"
                    "    even = torch.arange(d_model) % 2 == 0\n"
                    "    return torch.where(even, a.sin(), a.cos())"
                ),
                "Every column has its own",
            ),
            (
                answer(
                    "sinusoid(position, d_model):\n"
                    "    a = position / 10000 ** (torch.arange(d_model // 2) / d_model)\n"
                    "    return torch.stack([a.sin(), a.cos()], 1).flatten()"
                ),
                "exponent is i/d_model",
            ),
            (answer("sinusoid(position, d_model): return torch.zeros(d_model, 1)"), "The shape is"),
        ],
        "shift_matrix": [
            (
                answer(
                    "shift_matrix(offset, d_model):\n"
                    "    m = torch.zeros(d_model, d_model)\n"
                    "    for i in range(0, d_model, 2):\n"
                    "        a = offset / 10000 ** (i / d_model)\n"
                    "        m[i, i] = m[i + 1, i + 1] = math.cos(a)\n"
                    "        m[i, i + 1], m[i + 1, i] = -math.sin(a), math.sin(a)\n"
                    "    return m"
                ),
                "wrong way",
            ),
            (
                answer(
                    "shift_matrix(offset, d_model):\n"
                    "    m = torch.zeros(d_model, d_model)\n"
                    "    for i in range(0, d_model, 2):\n"
                    "        m[i, i] = m[i + 1, i + 1] = math.cos(offset)\n"
                    "        m[i, i + 1], m[i + 1, i] = math.sin(offset), -math.sin(offset)\n"
                    "    return m"
                ),
                "same angle",
            ),
            (
                answer(
                    "shift_matrix(offset, d_model):\n"
                    "    m = torch.zeros(d_model, d_model)\n"
                    "    for i in range(0, d_model, 2):\n"
                    "        a = 1 / 10000 ** (i / d_model)\n"
                    "        m[i, i] = m[i + 1, i + 1] = math.cos(a)\n"
                    "        m[i, i + 1], m[i + 1, i] = math.sin(a), -math.sin(a)\n"
                    "    return m"
                ),
                "one place whatever the offset",
            ),
            (answer("shift_matrix(offset, d_model): return torch.eye(d_model)"), "The values differ"),
        ],
    },
    "04": {
        "softmax": [
            (
                answer("softmax(scores): return scores.exp() / scores.exp().sum(1, keepdim=True)"),
                "exp overflows",
            ),
            (
                answer(
                    "softmax(scores):\n"
                    "    e = (scores - scores.max(0, keepdim=True).values).exp()\n"
                    "    return e / e.sum(0)"
                ),
                "wrong axis: dim=0",
            ),
            (
                answer("softmax(scores):\n    e = (scores - scores.max()).exp()\n    return e / e.sum()"),
                "whole matrix sums to 1",
            ),
            (answer("softmax(scores): return scores / scores.sum(1, keepdim=True)"), "without exp"),
        ],
        "attention": [
            (
                answer(
                    "attention(query, key, value):\n"
                    "    s = query @ key.mT / math.sqrt(key.size(-1))\n"
                    "    return F.softmax(s, 1) @ value"
                ),
                "wrong axis: dim=1",
            ),
            (
                answer("attention(query, key, value): return (query @ key.mT).softmax(-1) @ value"),
                "not divided",
            ),
            (
                answer(
                    "attention(query, key, value):\n"
                    "    return torch.softmax(query @ key.mT / key.shape[-1], -1) @ value"
                ),
                "by d_k, not by √d_k",
            ),
            (
                answer("attention(query, key, value): return query @ key.mT @ value / key.size(-1) ** 0.5"),
                "softmax is missing",
            ),
            (
                answer(
                    "attention(query, key, value):\n"
                    "    s = query @ key.mT / key.size(-2) ** 0.5\n"
                    "    return s.softmax(-1) @ value"
                ),
                "number of tokens",
            ),
            (answer("attention(query, key, value): return query @ key @ value"), "It raises an error"),
        ],
        "softmax_jacobian": [
            (answer("softmax_jacobian(p): return torch.diag(p - p**2)"), "Only the diagonal"),
            (answer("softmax_jacobian(p): return torch.diag(p) + p[:, None] * p"), "The sign is wrong"),
            (answer("softmax_jacobian(p): return -p[:, None] * p[None]"), "on the diagonal is missing"),
            (answer("softmax_jacobian(p): return p * (1 - p)"), "The shape is"),
        ],
    },
    "05": {
        "count_parameters": [
            (answer("count_parameters(d_model, n_heads): return 4 * d_model**2"), "biases are missing"),
            (
                answer("count_parameters(d_model, n_heads): return 3 * d_model * (d_model + 1)"),
                "W_O is missing",
            ),
            (
                answer("count_parameters(d_model, n_heads): return n_heads * 4 * d_model * (d_model + 1)"),
                "multiplies by the number of heads",
            ),
            (
                answer("count_parameters(d_model, n_heads): return 4.0 * d_model * (d_model + 1)"),
                "return int",
            ),
        ],
        "attend_in_heads": [
            (
                answer(
                    "attend_in_heads(query, key, value, n_heads):\n"
                    "    d = query.shape[-1]\n"
                    "    inputs = (query, key, value)\n"
                    "    q, k, v = (x.unflatten(2, (n_heads, -1)).transpose(1, 2) for x in inputs)\n"
                    "    return ((q @ k.mT / d**0.5).softmax(-1) @ v).transpose(1, 2).flatten(2)"
                ),
                "divided by √d_model",
            ),
            (
                answer(
                    "attend_in_heads(query, key, value, n_heads):\n"
                    "    b, _, d = query.shape\n"
                    "    q, k, v = (x.reshape(b, n_heads, -1, d // n_heads) for x in (query, key, value))\n"
                    "    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)"
                ),
                "mixes tokens",
            ),
            (
                answer(
                    "attend_in_heads(query, key, value, n_heads):\n"
                    "    inputs = (query, key, value)\n"
                    "    q, k, v = (x.unflatten(2, (n_heads, -1)).transpose(1, 2) for x in inputs)\n"
                    "    return F.scaled_dot_product_attention(q, k, v).reshape(query.shape)"
                ),
                "without swapping the axes back",
            ),
            (
                answer(
                    "attend_in_heads(query, key, value, n_heads):\n"
                    "    b, t, d = query.shape\n"
                    "    q, k, v = (x.view(b, t, n_heads, -1).transpose(1, 2) for x in (query, key, value))\n"
                    "    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, d)"
                ),
                "query's length",
            ),
            (
                answer(
                    "attend_in_heads(query, key, value, n_heads):\n"
                    "    q, k = (x.unflatten(2, (n_heads, -1)).transpose(1, 2) for x in (query, key))\n"
                    "    return F.scaled_dot_product_attention(q, k, k).transpose(1, 2).flatten(2)"
                ),
                "mixes the keys",
            ),
            (
                answer(
                    "attend_in_heads(query, key, value, n_heads):\n"
                    "    return F.scaled_dot_product_attention(query, key, value)"
                ),
                "equals a single head",
            ),
        ],
        "silence_head": [
            (
                answer(
                    "silence_head(weight, head, n_heads):\n"
                    "    w, d = weight.clone(), len(weight) // n_heads\n"
                    "    w[head * d:head * d + d] = 0\n"
                    "    return w"
                ),
                "Rows are cleared",
            ),
            (
                answer(
                    "silence_head(weight, head, n_heads):\n"
                    "    w = weight.clone().view(len(weight), -1, n_heads)\n"
                    "    w[..., head] = 0\n"
                    "    return w.view(weight.shape)"
                ),
                "side by side",
            ),
            (
                answer(
                    "silence_head(weight, head, n_heads):\n"
                    "    w, d = torch.zeros_like(weight), len(weight) // n_heads\n"
                    "    w[:, head * d:head * d + d] = weight[:, head * d:head * d + d]\n"
                    "    return w"
                ),
                "keeps that head",
            ),
            (
                answer(
                    "silence_head(weight, head, n_heads):\n"
                    "    d = len(weight) // n_heads\n"
                    "    weight[:, head * d:head * d + d] = 0\n"
                    "    return weight"
                ),
                "changes its arguments",
            ),
        ],
    },
    "06": {
        "mask_from_lengths": [
            (
                answer(
                    "mask_from_lengths(lengths, length):\n"
                    "    return (torch.arange(length) >= lengths[:, None])[:, None, None]"
                ),
                "It is inverted",
            ),
            (
                answer(
                    "mask_from_lengths(lengths, length):\n"
                    "    return (torch.arange(length) <= lengths[:, None])[:, None, None]"
                ),
                "One too many",
            ),
            (
                answer("mask_from_lengths(lengths, length): return torch.arange(length) < lengths[:, None]"),
                "The shape is (B, T)",
            ),
            (
                answer(
                    "mask_from_lengths(lengths, length):\n"
                    "    return (torch.arange(length) < lengths[:, None])[:, None, :, None]"
                ),
                "masks queries",
            ),
        ],
        "window_mask": [
            (
                answer("window_mask(length, window): return torch.ones(length, length).tril().bool()"),
                "sees the whole past",
            ),
            (
                answer(
                    "window_mask(length, window):\n"
                    "    return torch.ones(length, length, dtype=torch.bool).tril().triu(-window)"
                ),
                "one key too far",
            ),
            (
                answer(
                    "window_mask(length, window):\n"
                    "    i = torch.arange(length)\n"
                    "    return (i[:, None] - i).abs() < window"
                ),
                "sees the future",
            ),
            (
                answer(
                    "window_mask(length, window):\n"
                    "    return torch.ones(length, length, dtype=torch.bool).triu().tril(window - 1)"
                ),
                "swapped",
            ),
        ],
        "packed_mask": [
            (
                answer("packed_mask(sentence): return (sentence[:, :, None] == sentence[:, None])[:, None]"),
                "future of the same sentence",
            ),
            (
                answer(
                    "packed_mask(sentence):\n"
                    "    b, t = sentence.shape\n"
                    "    return torch.ones(b, 1, t, t, dtype=torch.bool).tril()"
                ),
                "Earlier sentences",
            ),
            (
                answer("packed_mask(sentence): return (sentence[:, :, None] == sentence[:, None]).tril()"),
                "axis of the heads is missing",
            ),
            (
                answer(
                    "packed_mask(sentence):\n"
                    "    return (sentence[:, :, None] == sentence[:, None]).triu()[:, None]"
                ),
                "past hidden",
            ),
        ],
    },
    "07": {
        "normalise": [
            (
                answer(
                    "normalise(x): return (x - x.mean(-1, True)) / (x.var(-1, keepdim=True) + 1e-5) ** 0.5"
                ),
                "divided by d_model - 1",
            ),
            (
                answer(
                    "normalise(x):\n"
                    "    c = x - x.mean(-2, keepdim=True)\n"
                    "    return c / ((c * c).mean(-2, keepdim=True) + 1e-5).sqrt()"
                ),
                "across tokens",
            ),
            (
                answer(
                    "normalise(x):\n"
                    "    c = x - x.mean(-1, keepdim=True)\n"
                    "    return c / (c * c).mean(-1, keepdim=True).sqrt()"
                ),
                "eps is missing",
            ),
            (
                answer(
                    "normalise(x):\n"
                    "    c = x - x.mean(-1, keepdim=True)\n"
                    "    return c / ((c * c).mean(-1, keepdim=True) + 1e-5)"
                ),
                "divides by the variance",
            ),
        ],
        "residual": [
            (
                answer(
                    "residual(x, sublayer, norm, norm_first):\n"
                    "    if norm_first:\n"
                    "        x = norm(x)\n"
                    "        return x + sublayer(x)\n"
                    "    return norm(x + sublayer(x))"
                ),
                "starts from norm(x)",
            ),
            (
                answer(
                    "residual(x, sublayer, norm, norm_first):\n"
                    "    return norm(x + sublayer(x)) if norm_first else x + sublayer(norm(x))"
                ),
                "swapped",
            ),
            (
                answer("residual(x, sublayer, norm, norm_first): return x + sublayer(norm(x))"),
                "always normalizes first",
            ),
            (
                answer(
                    "residual(x, sublayer, norm, norm_first):\n"
                    "    return sublayer(norm(x)) if norm_first else norm(sublayer(x))"
                ),
                "residual connection is missing",
            ),
        ],
        "collapse": [
            (
                answer("collapse(w1, b1, w2, b2): return torch.cat([w2 @ w1, b2[:, None]], 1)"),
                "b1 is missing",
            ),
            (
                answer("collapse(w1, b1, w2, b2): return torch.cat([w2 @ w1, (w2 @ b1)[:, None]], 1)"),
                "b2 is missing",
            ),
            (
                answer(
                    "collapse(w1, b1, w2, b2):\n"
                    "    return torch.cat([(w2 @ w1).T, (w2 @ b1 + b2)[:, None]], 1)"
                ),
                "transposed",
            ),
            (answer("collapse(w1, b1, w2, b2): return w2 @ w1, w2 @ b1 + b2"), "It returns tuple"),
        ],
    },
    "08": {
        "layer_parameters": [
            (
                answer("layer_parameters(d_model, d_ff): return 4 * d_model**2 + 2 * d_model * d_ff"),
                "values differ",
            ),
            (
                answer(
                    "layer_parameters(d_model, d_ff):\n"
                    "    return 4 * d_model**2 + 2 * d_model * d_ff + 4 * d_model"
                ),
                "biases are missing",
            ),
            (
                answer(
                    "layer_parameters(d_model, d_ff):\n"
                    "    return 4 * (d_model**2 + d_model) + 2 * d_model * d_ff + d_ff + d_model"
                ),
                "both norms",
            ),
            (
                answer(
                    "layer_parameters(d_model, d_ff):\n"
                    "    return 3 * (d_model**2 + d_model) + 2 * d_model * d_ff + d_ff + 5 * d_model"
                ),
                "4 linear layers, not 3",
            ),
            (
                answer("layer_parameters(d_model, d_ff): return float(d_model * d_ff)"),
                "It returns float; return int",
            ),
        ],
        "run_stack": [
            (
                answer(
                    "run_stack(x, layers, norm, norm_first):\n"
                    "    for layer in layers:\n"
                    "        for f in layer:\n"
                    "            x = x + f(norm(x)) if norm_first else norm(x + f(x))\n"
                    "    return x"
                ),
                "one more norm after the last layer",
            ),
            (
                answer(
                    "run_stack(x, layers, norm, norm_first):\n"
                    "    for layer in layers:\n"
                    "        for f in layer:\n"
                    "            x = x + f(norm(x)) if norm_first else norm(x + f(x))\n"
                    "    return norm(x)"
                ),
                "no further norm",
            ),
            (
                answer(
                    "run_stack(x, layers, norm, norm_first):\n"
                    "    for attend, feed in layers:\n"
                    "        for f in (feed, attend):\n"
                    "            x = x + f(norm(x)) if norm_first else norm(x + f(x))\n"
                    "    return norm(x) if norm_first else x"
                ),
                "attention first",
            ),
            (
                answer(
                    "run_stack(x, layers, norm, norm_first):\n"
                    "    for attend, feed in layers:\n"
                    "        x = norm(attend(x))\n"
                    "        x = norm(feed(x))\n"
                    "    return x"
                ),
                "values differ",
            ),
        ],
        "reach": [
            (
                answer("reach(mask, n_layers): return torch.linalg.matrix_power(mask.float(), n_layers) > 0"),
                "residual connection is missing",
            ),
            (
                answer("reach(mask, n_layers): return mask | torch.eye(len(mask), dtype=torch.bool)"),
                "counts one layer",
            ),
            (
                answer(
                    "reach(mask, n_layers):\n"
                    "    step = (mask | torch.eye(len(mask)).bool()).float().T\n"
                    "    return torch.linalg.matrix_power(step, n_layers) > 0"
                ),
                "Rows and columns are swapped",
            ),
            (
                answer(
                    "reach(mask, n_layers):\n"
                    "    step = (mask | torch.eye(len(mask)).bool()).float()\n"
                    "    return torch.linalg.matrix_power(step, n_layers)"
                ),
                "The dtype is torch.float32, not torch.bool",
            ),
        ],
    },
    "09": {
        "shift_right": [
            (
                answer("shift_right(tgt, bos_id): return F.pad(tgt, (1, 0), value=bos_id)"),
                "last token is still there",
            ),
            (
                answer("shift_right(tgt, bos_id): return F.pad(tgt[:, 1:], (0, 1), value=bos_id)"),
                "to the left",
            ),
            (answer("shift_right(tgt, bos_id): return torch.roll(tgt, 1, 1)"), "come round to the front"),
            (
                answer(
                    "shift_right(tgt, bos_id):\n    tgt = tgt.clone()\n    tgt[:, 0] = bos_id\n    return tgt"
                ),
                "nothing is shifted",
            ),
            (
                answer(
                    "shift_right(tgt, bos_id):\n"
                    "    tgt[:, 1:] = tgt[:, :-1].clone()\n"
                    "    tgt[:, 0] = bos_id\n"
                    "    return tgt"
                ),
                "changes its arguments",
            ),
        ],
        "attend_to_memory": [
            (
                answer(
                    "attend_to_memory(x, memory, w_q, w_k, w_v, memory_mask):\n"
                    "    q, k, v = x @ w_q, memory @ w_k, memory @ w_v\n"
                    "    return (q @ k.T / math.sqrt(q.size(-1))).softmax(-1) @ v"
                ),
                "memory_mask is not used",
            ),
            (
                answer(
                    "attend_to_memory(x, memory, w_q, w_k, w_v, memory_mask):\n"
                    "    q, k, v = x @ w_q, memory @ w_k, memory @ w_v\n"
                    "    s = q @ k.T / math.sqrt(q.size(-1))\n"
                    "    return s.masked_fill(memory_mask, -math.inf).softmax(-1) @ v"
                ),
                "mask is inverted",
            ),
            (
                answer(
                    "attend_to_memory(x, memory, w_q, w_k, w_v, memory_mask):\n"
                    "    q, k, v = x @ w_q, memory @ w_k, memory @ w_v\n"
                    "    return (q @ k.T).masked_fill(~memory_mask, -math.inf).softmax(-1) @ v"
                ),
                "not divided by",
            ),
            (
                answer(
                    "attend_to_memory(x, memory, w_q, w_k, w_v, memory_mask):\n"
                    "    q, k, v = x @ w_q, x @ w_k, x @ w_v\n"
                    "    return (q @ k.T / math.sqrt(q.size(-1))).softmax(-1) @ v"
                ),
                "make them from memory",
            ),
        ],
        "find_leaks": [
            (
                answer(
                    "find_leaks(decode, ids):\n"
                    "    out, leaks = decode(ids), []\n"
                    "    for j in range(ids.size(1)):\n"
                    "        other = ids.clone()\n"
                    "        other[0, j] += 1\n"
                    "        if (decode(other) - out).abs()[0, : j + 1].max() > 1e-6:\n"
                    "            leaks.append(j)\n"
                    "    return leaks"
                ),
                "Output j may see token j",
            ),
            (
                answer(
                    "find_leaks(decode, ids):\n"
                    "    out, leaks = decode(ids), []\n"
                    "    for j in range(1, ids.size(1)):\n"
                    "        other = ids.clone()\n"
                    "        other[0, j] += 1\n"
                    "        if (decode(other) - out).abs()[0, j - 1].max() > 1e-6:\n"
                    "            leaks.append(j)\n"
                    "    return leaks"
                ),
                "only at the output just before",
            ),
            (
                answer(
                    "find_leaks(decode, ids):\n"
                    "    out, leaks = decode(ids), []\n"
                    "    for j in range(1, ids.size(1)):\n"
                    "        ids[0, j] += 1\n"
                    "        if (decode(ids) - out).abs()[0, :j].max() > 1e-6:\n"
                    "            leaks.append(j)\n"
                    "    return leaks"
                ),
                "changes its arguments",
            ),
            (
                answer(
                    "find_leaks(decode, ids):\n"
                    "    out, leaks = decode(ids), []\n"
                    "    for j in range(1, ids.size(1)):\n"
                    "        other = ids.clone()\n"
                    "        other[0, j] = 0\n"
                    "        if (decode(other) - out).abs()[0, :j].max() > 1e-6:\n"
                    "            leaks.append(j)\n"
                    "    return leaks"
                ),
                "changes nothing where it was 0",
            ),
        ],
    },
    "10": {
        "model_parameters": [
            (
                answer(
                    "model_parameters(src, tgt, d, f, n):\n"
                    "    a, ff = 4 * (d * d + d), 2 * d * f + f + d\n"
                    "    return (src + tgt) * d + n * (2 * a + 2 * ff + 10 * d) + tgt * (d + 1)"
                ),
                "Cross-attention is missing",
            ),
            (
                answer(
                    "model_parameters(src, tgt, d, f, n):\n"
                    "    a, ff = 4 * (d * d + d), 2 * d * f + f + d\n"
                    "    return (src + tgt) * d + n * (3 * a + 2 * ff + 10 * d)"
                ),
                "output layer is missing",
            ),
            (
                answer(
                    "model_parameters(src, tgt, d, f, n):\n"
                    "    a, ff = 4 * (d * d + d), 2 * d * f + f + d\n"
                    "    return (src + tgt) * d + n * (3 * a + 2 * ff + 8 * d) + tgt * (d + 1)"
                ),
                "3 norms, not 2",
            ),
            (
                answer(
                    "model_parameters(src, tgt, d, f, n):\n"
                    "    a, ff = 4 * (d * d + d), 2 * d * f + f + d\n"
                    "    return (src + tgt) * d + n * (3 * a + 2 * ff + 10 * d) + tgt * d"
                ),
                "biases of the output layer",
            ),
        ],
        "sentence_log_probs": [
            (
                answer(
                    "sentence_log_probs(logits, tgt, pad_id):\n"
                    "    return logits.log_softmax(-1).gather(2, tgt[..., None])[..., 0].sum(1)"
                ),
                "Padding is counted",
            ),
            (
                answer(
                    "sentence_log_probs(logits, tgt, pad_id):\n"
                    "    return (logits.gather(2, tgt[..., None])[..., 0] * (tgt != pad_id)).sum(1)"
                ),
                "Raw logits",
            ),
            (
                answer(
                    "sentence_log_probs(logits, tgt, pad_id):\n"
                    "    logits = logits.transpose(1, 2)\n"
                    "    return F.cross_entropy(logits, tgt, ignore_index=pad_id, reduction='none').sum(1)"
                ),
                "The sign is wrong",
            ),
            (
                answer(
                    "sentence_log_probs(logits, tgt, pad_id):\n"
                    "    x = logits.log_softmax(-1).gather(2, tgt[..., None])[..., 0]\n"
                    "    return (x * (tgt != pad_id)).sum()"
                ),
                "The shape is ()",
            ),
        ],
        "greedy_batch": [
            (
                answer(
                    "greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):\n"
                    "    ids = torch.full((batch_size, 1), bos_id)\n"
                    "    for _ in range(max_len):\n"
                    "        ids = torch.cat([ids, step(ids)[:, -1].argmax(-1, keepdim=True)], 1)\n"
                    "    return ids[:, 1:]"
                ),
                "does not stop at eos_id",
            ),
            (
                answer(
                    "greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):\n"
                    "    ids = torch.full((batch_size, 1), bos_id)\n"
                    "    for _ in range(max_len):\n"
                    "        ids = torch.cat([ids, step(ids)[:, -1].argmax(-1, keepdim=True)], 1)\n"
                    "        if (ids == eos_id).any(1).all():\n"
                    "            break\n"
                    "    return ids[:, 1:]"
                ),
                "go on talking",
            ),
            (
                answer(
                    "greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):\n"
                    "    ids = torch.full((batch_size, 1), bos_id)\n"
                    "    for _ in range(max_len):\n"
                    "        ids = torch.cat([ids, step(ids)[:, -1].argmax(-1, keepdim=True)], 1)\n"
                    "        if (ids[:, -1] == eos_id).any():\n"
                    "            break\n"
                    "    return ids[:, 1:]"
                ),
                "When one row stops",
            ),
            (
                answer(
                    "greedy_batch(step, batch_size, bos_id, eos_id, pad_id, max_len):\n"
                    "    ids = torch.full((batch_size, 1), bos_id)\n"
                    "    done = torch.zeros(batch_size, 1).bool()\n"
                    "    while ids.size(1) <= max_len and not done.all():\n"
                    "        new = step(ids)[:, -1].argmax(-1, keepdim=True).masked_fill(done, pad_id)\n"
                    "        done |= new == eos_id\n"
                    "        ids = torch.cat([ids, new], 1)\n"
                    "    return ids"
                ),
                "bos_id is still there",
            ),
        ],
    },
    "11": {
        "padding_share": [
            (
                answer(
                    "padding_share(lengths, batches):\n"
                    "    return sum(lengths) / sum(len(b) * max(lengths[i] for i in b) for b in batches)"
                ),
                "share of real tokens",
            ),
            (
                answer(
                    "padding_share(lengths, batches):\n"
                    "    return 1 - sum(lengths) / (len(lengths) * max(lengths))"
                ),
                "padded to the longest sentence of all",
            ),
            (
                answer(
                    "padding_share(lengths, batches):\n"
                    "    rates = []\n"
                    "    for b in batches:\n"
                    "        inside = [lengths[i] for i in b]\n"
                    "        rates.append(1 - sum(inside) / (len(inside) * max(inside)))\n"
                    "    return sum(rates) / len(rates)"
                ),
                "averages over batches",
            ),
            (answer("padding_share(lengths, batches): return 0"), "It returns int; return float"),
        ],
        "smooth": [
            (
                answer(
                    "smooth(answers, vocab_size, smoothing):\n"
                    "    p = torch.full((len(answers), vocab_size), smoothing / vocab_size)\n"
                    "    p[torch.arange(len(answers)), answers] = 1 - smoothing\n"
                    "    return p"
                ),
                "does not sum to 1",
            ),
            (
                answer(
                    "smooth(answers, vocab_size, smoothing):\n"
                    "    p = torch.full((len(answers), vocab_size), smoothing / (vocab_size - 1))\n"
                    "    p[torch.arange(len(answers)), answers] = 1 - smoothing\n"
                    "    return p"
                ),
                "over the wrong words only",
            ),
            (
                answer("smooth(answers, vocab_size, smoothing): return F.one_hot(answers, vocab_size) * 1.0"),
                "no smoothing",
            ),
            (
                answer("smooth(answers, vocab_size, smoothing): return F.one_hot(answers, vocab_size)"),
                "The dtype is torch.int64",
            ),
        ],
        "token_batches": [
            (
                answer(
                    "token_batches(lengths, max_tokens):\n"
                    "    out, batch = [], []\n"
                    "    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):\n"
                    "        if batch and sum(lengths[j] for j in batch) + lengths[i] > max_tokens:\n"
                    "            out.append(batch)\n"
                    "            batch = []\n"
                    "        batch.append(i)\n"
                    "    return out + [batch]"
                ),
                "counts real tokens only",
            ),
            (
                answer(
                    "token_batches(lengths, max_tokens):\n"
                    "    out, batch = [], []\n"
                    "    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):\n"
                    "        if batch and lengths[i] * (len(batch) + 1) > max_tokens:\n"
                    "            out.append(batch)\n"
                    "            batch = []\n"
                    "        batch.append(i)\n"
                    "    return out"
                ),
                "last batch is missing",
            ),
            (
                answer(
                    "token_batches(lengths, max_tokens):\n"
                    "    out, batch = [], []\n"
                    "    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):\n"
                    "        if batch and lengths[i] * (len(batch) + 1) >= max_tokens:\n"
                    "            out.append(batch)\n"
                    "            batch = []\n"
                    "        batch.append(i)\n"
                    "    return out + [batch]"
                ),
                "exactly max_tokens is fine",
            ),
            (
                answer(
                    "token_batches(lengths, max_tokens):\n"
                    "    out, batch = [], []\n"
                    "    for i in range(len(lengths)):\n"
                    "        longest = max(lengths[j] for j in [*batch, i])\n"
                    "        if batch and longest * (len(batch) + 1) > max_tokens:\n"
                    "            out.append(batch)\n"
                    "            batch = []\n"
                    "        batch.append(i)\n"
                    "    return out + [batch]"
                ),
                "not sorted by length",
            ),
        ],
    },
    "12": {
        "likeliest": [
            (
                answer(
                    "likeliest(probabilities, p):\n"
                    "    values, ids = probabilities.sort(descending=True)\n"
                    "    return ids[values.cumsum(0) <= p].tolist()\n"
                ),
                "brings the sum up to p is left out",
            ),
            (
                answer(
                    "likeliest(probabilities, p):\n"
                    "    values, ids = probabilities.sort(descending=True)\n"
                    "    return ids[values >= p].tolist()\n"
                ),
                "by itself; compare their sum",
            ),
            (
                answer(
                    "likeliest(probabilities, p):\n"
                    "    values, ids = probabilities.sort(descending=True)\n"
                    "    return sorted(ids[values.cumsum(0) - values < p].tolist())\n"
                ),
                "wrong order",
            ),
            (
                answer(
                    "likeliest(probabilities, p):\n"
                    "    values, ids = probabilities.sort(descending=True)\n"
                    "    return ids[values.cumsum(0) - values < p]\n"
                ),
                "It returns Tensor; return list",
            ),
        ],
        "attend_with_cache": [
            (
                answer(
                    "attend_with_cache(keys, values, query, key, value):\n"
                    "    keys = torch.cat([keys, key[None]])\n"
                    "    values = torch.cat([values, value[None]])\n"
                    "    return (keys @ query).softmax(0) @ values, keys, values\n"
                ),
                "not divided by √d",
            ),
            (
                answer(
                    "attend_with_cache(keys, values, query, key, value):\n"
                    "    k = torch.cat([keys, key[None]])\n"
                    "    v = torch.cat([values, value[None]])\n"
                    "    return (k @ query / len(query) ** 0.5).softmax(0) @ v, keys, values\n"
                ),
                "are not kept",
            ),
            (
                answer(
                    "attend_with_cache(keys, values, query, key, value):\n"
                    "    keys = torch.cat([key[None], keys])\n"
                    "    values = torch.cat([value[None], values])\n"
                    "    return (keys @ query / len(query) ** 0.5).softmax(0) @ values, keys, values\n"
                ),
                "come first in the cache",
            ),
            (
                answer(
                    "attend_with_cache(keys, values, query, key, value):\n"
                    "    keys = torch.cat([keys, key[None]])\n"
                    "    values = torch.cat([values, value[None]])\n"
                    "    return (keys @ query / len(query) ** 0.5).softmax(0) @ values\n"
                ),
                "It returns Tensor; return tuple",
            ),
        ],
        "beam": [
            (
                answer(
                    "beam(chances, width, max_len):\n"
                    "    text = ''\n"
                    "    for _ in range(max_len):\n"
                    "        if not text.endswith('.'):\n"
                    "            text += max(chances(text), key=chances(text).get)\n"
                    "    return [text]\n"
                ),
                "Only one beginning is kept",
            ),
            (
                answer(
                    "beam(chances, width, max_len):\n"
                    "    beams = [('', 1.0)]\n"
                    "    for _ in range(max_len):\n"
                    "        more = [(t + c, p * q) for t, p in beams if not t.endswith('.')\n"
                    "                for c, q in chances(t).items()]\n"
                    "        beams = sorted(more, key=lambda b: -b[1])[:width]\n"
                    "    return [t for t, _ in beams]\n"
                ),
                "that have ended are lost",
            ),
            (
                answer(
                    "beam(chances, width, max_len):\n"
                    "    beams = [('', 1.0)]\n"
                    "    for _ in range(max_len):\n"
                    "        more = []\n"
                    "        for t, p in beams:\n"
                    "            if t.endswith('.'):\n"
                    "                more.append((t, p))\n"
                    "            else:\n"
                    "                more += [(t + c, q) for c, q in chances(t).items()]\n"
                    "        beams = sorted(more, key=lambda b: -b[1])[:width]\n"
                    "    return [t for t, _ in beams]\n"
                ),
                "Only the newest token's probability",
            ),
            (
                answer(
                    "beam(chances, width, max_len):\n"
                    "    beams = [('', 1.0)]\n"
                    "    for _ in range(max_len):\n"
                    "        more = [(t + c, p * q) for t, p in beams for c, q in chances(t).items()]\n"
                    "        beams = sorted(more, key=lambda b: -b[1])[:width]\n"
                    "    return [t for t, _ in beams]\n"
                ),
                "goes on after it has ended",
            ),
        ],
    },
    "13": {
        "entropy": [
            (
                answer("entropy(weights):\n    return -(weights * torch.log(weights)).sum(-1)\n"),
                "gives NaN",
            ),
            (
                answer("entropy(weights):\n    return torch.xlogy(weights, weights).sum(-1)\n"),
                "The sign is wrong",
            ),
            (
                answer("entropy(weights):\n    return -torch.xlogy(weights, weights).sum(0)\n"),
                "The shape is",
            ),
            (
                answer("entropy(weights):\n    return -torch.xlogy(weights, weights).mean(-1)\n"),
                "the mean instead of the sum",
            ),
            (
                answer("entropy(weights):\n    return -torch.xlogy(weights, weights).sum()\n"),
                "The shape is ()",
            ),
        ],
        "align": [
            (
                answer(
                    "align(weights, source, written, threshold):\n"
                    "    w = weights.mean(0)\n"
                    "    return [(written[i], source[w[i].argmax()]) for i in range(len(written))]\n"
                ),
                "below the threshold are still there",
            ),
            (
                answer(
                    "align(weights, source, written, threshold):\n"
                    "    w = weights[0]\n"
                    "    rows = [(a, r) for a, r in zip(written, w) if r.max() >= threshold]\n"
                    "    return [(a, source[r.argmax()]) for a, r in rows]\n"
                ),
                "Only one head is used",
            ),
            (
                answer(
                    "align(weights, source, written, threshold):\n"
                    "    w = weights.mean(0)\n"
                    "    rows = [(a, r) for a, r in zip(written, w) if r.max() >= threshold]\n"
                    "    return [(source[r.argmax()], a) for a, r in rows]\n"
                ),
                "the wrong way round",
            ),
            (
                answer(
                    "align(weights, source, written, threshold):\n"
                    "    w = weights.max(0).values\n"
                    "    rows = [(a, r) for a, r in zip(written, w) if r.max() >= threshold]\n"
                    "    return [(a, source[r.argmax()]) for a, r in rows]\n"
                ),
                "the largest weight of the heads",
            ),
        ],
        "shares_of_heads": [
            (
                answer(
                    "shares_of_heads(weights, values, w_o):\n"
                    "    n, _, d = values.shape\n"
                    "    out = weights @ values\n"
                    "    return torch.stack([out[h] @ w_o[h * d : (h + 1) * d] for h in range(n)])\n"
                ),
                "cuts the rows of W_O",
            ),
            (
                answer(
                    "shares_of_heads(weights, values, w_o):\n"
                    "    out = (weights @ values).transpose(0, 1).flatten(1)\n"
                    "    return out @ w_o.T\n"
                ),
                "The heads are summed",
            ),
            (
                answer(
                    "shares_of_heads(weights, values, w_o):\n"
                    "    n, _, d = values.shape\n"
                    "    out = weights @ values\n"
                    "    return torch.stack([out[h] @ w_o[:, h::n].T for h in range(n)])\n"
                ),
                "deals them out in turn",
            ),
        ],
    },
}
