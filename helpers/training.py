"""Training: batches by length, the loss, the learning rate, and the steps. Chapter 11."""

import random

import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence
from tqdm import tqdm

from helpers.checkpoints import save_checkpoint
from helpers.guards import guard_pairs, guard_sizes

CHUNK = 512  # tokens at once, so that their logits stay near the processor


def encode_pairs(pairs, src_tokenizer, tgt_tokenizer):
    """Turn pairs of texts into pairs of id tensors; the target gets bos and eos.

    Args:
        pairs: list of (source, target) texts.
        src_tokenizer, tgt_tokenizer: with `encode`; the target's with `bos_id` and `eos_id`.

    Returns:
        List of (src (T_src), tgt (T_tgt)).

    Raises:
        ValueError: there are no pairs.
    """
    guard_pairs(pairs)
    bos, eos = tgt_tokenizer.bos_id, tgt_tokenizer.eos_id
    return [
        (torch.tensor(src_tokenizer.encode(source)), torch.tensor([bos, *tgt_tokenizer.encode(target), eos]))
        for source, target in pairs
    ]


def length_buckets(lengths, batch_size, seed):
    """Put sentences of about the same length into one batch.

    Args:
        lengths: length of each sentence.
        batch_size: sentences a batch.
        seed: of the random order; another seed mixes batches anew.

    Returns:
        List of batches in random order, each a list of places in `lengths`.

    Raises:
        ValueError: batch_size is not a positive integer.
    """
    guard_sizes(batch_size=batch_size)
    rng = random.Random(seed)
    places = rng.sample(range(len(lengths)), len(lengths))
    places.sort(key=lengths.__getitem__)  # keeps the random order among equal lengths
    batches = [places[start : start + batch_size] for start in range(0, len(places), batch_size)]
    rng.shuffle(batches)
    return batches


def warm_up(step, d_model, steps, scale=1.0):
    """The learning rate of the paper: it rises for `steps` steps, then falls with its inverse square root.

    Args:
        step: number of the step, from 1.
        d_model: size of the model.
        steps: length of the warm-up.
        scale: factor on the whole curve.

    Returns:
        The learning rate, a float.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 5.3.
    """
    guard_sizes(step=step, d_model=d_model, steps=steps)
    return scale * d_model**-0.5 * min(step**-0.5, step * steps**-1.5)


def cool_down(step, last_step):
    """A factor on the learning rate: 1, and in the last 40 % of training straight down to 0.

    Args:
        step: number of the step, from 1.
        last_step: the step at which training ends; None: it has no end.

    Returns:
        The factor, a float from 0 to 1.
    """
    return 1.0 if last_step is None else max(0.0, min(1.0, (last_step + 1 - step) / (0.4 * last_step)))


def token_loss(model, src, tgt, smoothing=0.0):
    """Cross-entropy of the next token, over real tokens only.

    Args:
        model: a `Transformer`.
        src: (B, T_src).
        tgt: (B, T_tgt) with bos and eos; the model sees all but the last, and guesses all but the first.
        smoothing: share of the probability that is spread over the whole vocabulary.

    Returns:
        The mean loss, a scalar; and the share of tokens guessed right, a float.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 5.4.
    """
    answers = tgt[:, 1:]
    real = answers != model.tgt_pad_id  # (B, T_tgt - 1)
    hidden = model.decode(tgt[:, :-1], *model.encode(src))[real]  # (tokens, d_model): no work for padding
    loss, right = 0.0, 0
    for some, wanted in zip(hidden.split(CHUNK), answers[real].split(CHUNK), strict=True):
        logits = model.generator(some)  # (up to CHUNK, tgt_vocab_size)
        loss = loss + F.cross_entropy(logits, wanted, label_smoothing=smoothing, reduction="sum")
        right += (logits.gather(1, wanted.unsqueeze(1)).squeeze(1) == logits.amax(dim=-1)).sum().item()
    return loss / len(hidden), right / len(hidden)


class Trainer:
    """Trains a model on pairs of ids, epoch by epoch; can be saved at any step and taken up again.

    Args:
        model: a `Transformer`.
        pairs: as `encode_pairs` returns them.
        batch_size: sentences a batch.
        warm_up_steps, scale, last_step, smoothing: see `warm_up`, `cool_down` and `token_loss`.
        device: where to train, e.g. "cpu", "cuda", "mps".
        bf16: compute in bfloat16 where that is safe.
        seed: of the order of the data and of dropout; the same seed gives the same weights.
        notes: plain values that go into checkpoints, such as the sizes of the model.

    Raises:
        ValueError: pairs is empty, or a size is not a positive integer.
    """

    def __init__(
        self,
        model,
        pairs,
        batch_size,
        warm_up_steps,
        scale=1.0,
        last_step=None,
        smoothing=0.1,
        device="cpu",
        bf16=False,
        seed=0,
        notes=None,
    ):
        guard_pairs(pairs)
        guard_sizes(batch_size=batch_size, warm_up_steps=warm_up_steps)
        self.model, self.pairs, self.batch_size = model.to(device), pairs, batch_size
        self.warm_up_steps, self.scale, self.last_step = warm_up_steps, scale, last_step
        self.smoothing, self.device, self.bf16, self.seed = smoothing, device, bf16, seed
        self.notes = notes or {}
        self.optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.epoch = self.step = self.done = 0  # done: batches of this epoch
        self.history = []  # of each step: loss, accuracy, learning rate

    def run_epoch(self, checkpoint=None, every=200):
        """Go through the pairs once, or through the rest of an epoch that was interrupted.

        Args:
            checkpoint: where to save every `every` steps and at the end; None saves nothing.
        """
        lengths = [(len(tgt), len(src)) for src, tgt in self.pairs]
        batches = length_buckets(lengths, self.batch_size, seed=f"{self.seed} {self.epoch}")
        for batch in tqdm(batches[self.done :], desc=f"epoch {self.epoch + 1}", leave=False):
            self.take_step([self.pairs[place] for place in batch])
            self.done += 1
            if checkpoint and self.step % every == 0:
                save_checkpoint(self, checkpoint)
        self.epoch, self.done = self.epoch + 1, 0
        if checkpoint:
            save_checkpoint(self, checkpoint)

    def take_step(self, batch):
        """One step on a batch of pairs: forward, loss, backward, clipping, Adam."""
        step = self.step + 1  # counted when it is done
        rate = warm_up(step, self.model.d_model, self.warm_up_steps, self.scale)
        rate *= cool_down(step, self.last_step)
        pads = self.model.src_pad_id, self.model.tgt_pad_id
        src, tgt = (
            pad_sequence(side, batch_first=True, padding_value=pad).to(self.device)
            for side, pad in zip(zip(*batch, strict=True), pads, strict=True)
        )
        torch.manual_seed(self.seed + step)  # dropout depends on the step: a resumed run repeats it
        self.model.train()
        with torch.autocast(torch.device(self.device).type, torch.bfloat16, enabled=self.bf16):
            loss, accuracy = token_loss(self.model, src, tgt, self.smoothing)
        self.optimizer.param_groups[0]["lr"] = rate
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=1.0)
        self.optimizer.step()
        self.step = step
        self.history.append((loss.item(), accuracy, rate))
