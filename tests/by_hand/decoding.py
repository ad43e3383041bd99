import torch


@torch.no_grad()
def generate(model, src, start, eos_id, max_len):
    model.eval()
    tgt = torch.full((len(src), 1), start)
    done = torch.zeros(len(src), dtype=torch.bool)
    for _ in range(max_len):
        logits = model(src, tgt)[:, -1]
        logits[:, 0] = float("-inf")
        nxt = logits.argmax(-1)
        tgt = torch.cat([tgt, nxt[:, None]], 1)
        done |= nxt == eos_id
        if done.all():
            break
    out = []
    for row in tgt[:, 1:].tolist():
        out.append(row[: row.index(eos_id)] if eos_id in row else row)
    return out
