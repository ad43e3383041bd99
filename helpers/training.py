"""Training: batches by length, the loss, the learning rate, and the steps. Chapter 11."""

import random

import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.optim import Adam
from torch.optim.lr_scheduler import LambdaLR
from tqdm import tqdm

from helpers.engine.checkpoints import fingerprint, save_checkpoint
from helpers.engine.checks import check_sizes
from helpers.engine.processes import mean_over_processes, rank, seeded, shard_batch, shared
from helpers.engine.protocol import in_parts, in_trainable_parts
from helpers.engine.training_checks import check_pairs, check_step, check_training

CHUNK = 512  # tokens whose logits are computed at once


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
    check_pairs(pairs)
    bos, eos = tgt_tokenizer.bos_id, tgt_tokenizer.eos_id
    ids = ((src_tokenizer.encode(src), [bos, *tgt_tokenizer.encode(tgt), eos]) for src, tgt in pairs)
    return [tuple(torch.tensor(side, dtype=torch.long) for side in pair) for pair in ids]


def length_buckets(lengths, batch_size, seed):
    """Put sentences of about the same length into one batch.

    Args:
        lengths: length of each sentence.
        batch_size: sentences a batch.
        seed: of the random order; another seed mixes batches anew.

    Returns:
        List of batches in random order, each a list of indices into `lengths`.

    Raises:
        ValueError: batch_size is not a positive integer.
    """
    check_sizes(batch_size=batch_size)
    rng = random.Random(seed)
    indices = rng.sample(range(len(lengths)), len(lengths))
    indices.sort(key=lengths.__getitem__)  # keeps the random order among equal lengths
    batches = [indices[start : start + batch_size] for start in range(0, len(indices), batch_size)]
    rng.shuffle(batches)
    return batches


def inverse_sqrt(step, d_model, warmup_steps):
    """The learning rate of the paper: it rises for `warmup_steps`, then falls with the step's square root.

    Args:
        step: number of the step, from 1.
        d_model: size of the model.
        warmup_steps: length of the warm-up.

    Returns:
        The learning rate, a float.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 5.3.
    """
    return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)


def linear_cooldown(step, total_steps):
    """A factor on the learning rate: 1, and in the last 40 % of training straight down to 0.

    Args:
        step: number of the step, from 1.
        total_steps: steps of the whole training; None: it has no end.

    Returns:
        The factor, a float from 0 to 1.
    """
    return 1.0 if total_steps is None else max(0.0, min(1.0, (total_steps + 1 - step) / (0.4 * total_steps)))


def token_loss(model, src, tgt, label_smoothing=0.0):
    """Cross-entropy of the next token, over real tokens only.

    Args:
        model: a `Transformer`, or one of your own, see `helpers.engine.protocol`; padding is its tgt_pad_id.
        src: (B, T_src).
        tgt: (B, T_tgt) with bos and eos; the model sees all but the last, and predicts all but the first.
        label_smoothing: probability that is spread over the whole vocabulary, from 0 to 1.

    Returns:
        The mean loss, and the share of tokens predicted correctly; both scalar tensors.

    Raises:
        ValueError: as `in_parts` and the model.

    Source: Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 5.4.
    """
    model = in_parts(model, src)
    targets = tgt[:, 1:]
    real = targets != model.tgt_pad_id  # (B, T_tgt - 1)
    hidden = model.decode(tgt[:, :-1], *model.encode(src))[real]  # (tokens, d_model): no work for padding
    loss, correct = 0.0, 0
    for some, target in zip(hidden.split(CHUNK), targets[real].split(CHUNK), strict=True):
        logits = model.generator(some)  # (up to CHUNK, tgt_vocab_size)
        loss = loss + F.cross_entropy(logits, target, label_smoothing=label_smoothing, reduction="sum")
        scores, place = logits.detach(), target.unsqueeze(1)
        own = scores.gather(1, place)  # a tie with another token is no hit
        correct = correct + (own > scores.scatter_(1, place, -torch.inf).amax(dim=-1, keepdim=True)).sum()
    return loss / len(hidden), correct / len(hidden)


def pad_batch(pairs, model, device):
    """Pairs of ids as two tensors, filled up with the padding of the model.

    Args:
        pairs: list of (src (T_src), tgt (T_tgt)).
        model: a `Transformer`, whose `src_pad_id` and `tgt_pad_id` are used.
        device: where the tensors go.

    Returns:
        src (B, T_src) and tgt (B, T_tgt), as long as the longest of each.
    """
    sides, pads = zip(*pairs, strict=True), (model.src_pad_id, model.tgt_pad_id)
    return [
        pad_sequence(side, batch_first=True, padding_value=pad).to(device)
        for side, pad in zip(sides, pads, strict=True)
    ]


class Trainer:
    """Trains a model on pairs of ids, epoch by epoch; can be saved at any step and taken up again.

    Where `torch.distributed` is initialized, each process takes a part of every batch and steps with the
    gradient of the whole: without dropout, several processes give the loss and the weights of one.

    Args:
        model: a `Transformer`, or one of your own, see `helpers.engine.protocol`.
        pairs: as `encode_pairs` returns them.
        batch_size: sentences a batch.
        warmup_steps, total_steps: see `inverse_sqrt` and `linear_cooldown`.
        lr_scale: factor on the learning rate.
        label_smoothing: see `token_loss`.
        device: where to train, e.g. "cpu", "cuda", "mps".
        bf16: compute in bfloat16 where that is safe.
        seed: of the order of the data and of dropout; the same seed gives the same weights.
        config: plain values that go into checkpoints, such as the options of the model.

    Raises:
        ValueError: pairs is empty, a setting is out of range, or as `in_trainable_parts`.
    """

    def __init__(
        self,
        model,
        pairs,
        batch_size,
        warmup_steps,
        lr_scale=1.0,
        total_steps=None,
        label_smoothing=0.1,
        device="cpu",
        bf16=False,
        seed=0,
        config=None,
    ):
        check_pairs(pairs)
        check_training(batch_size, warmup_steps, lr_scale, label_smoothing)
        self.parts = in_trainable_parts(model, pairs[0])  # of your own, a forward is enough
        self.model, self.pairs, self.fingerprint = model.to(device), pairs, fingerprint(pairs)
        self.batch_size, self.warmup_steps, self.total_steps = batch_size, warmup_steps, total_steps
        self.lr_scale, self.label_smoothing = lr_scale, label_smoothing
        self.device, self.bf16, self.seed, self.config = device, bf16, seed, config or {}
        self.optimizer = Adam(model.parameters(), lr=lr_scale, betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.scheduler = LambdaLR(self.optimizer, lambda steps_done: self.lr_factor(steps_done + 1))
        self.token_loss = shared(token_loss, self.parts)  # of several processes, where they train together
        self.epoch = self.step = self.batches_done = 0  # batches_done: of this epoch
        self.history = []  # of each step: loss, accuracy, learning rate

    def lr_factor(self, step):
        """The learning rate of a step, as a multiple of `lr_scale`.

        Args:
            step: number of the step, from 1.

        Returns:
            A float.
        """
        rise_and_fall = inverse_sqrt(step, self.parts.d_model, self.warmup_steps)
        return rise_and_fall * linear_cooldown(step, self.total_steps)

    def lengths(self):
        """Tokens of each pair, the target's first: batches of about the same have little padding.

        Returns:
            List of (T_tgt, T_src).
        """
        return [(len(tgt), len(src)) for src, tgt in self.pairs]

    def run_epoch(self, checkpoint=None, every=200):
        """Go through the pairs once, or through the rest of an epoch that was interrupted.

        Args:
            checkpoint: where to save every `every` steps and at the end; None saves nothing.
            every: steps.

        Raises:
            ValueError: as `take_step` and `save_checkpoint`.
        """
        batches = length_buckets(self.lengths(), self.batch_size, seed=f"{self.seed} {self.epoch}")
        rest = batches[self.batches_done :]
        for batch in tqdm(rest, f"epoch {self.epoch + 1}", leave=False, disable=rank() > 0 or None):
            self.take_step([self.pairs[index] for index in batch])
            if checkpoint and self.step % every == 0:
                save_checkpoint(self, checkpoint)
        self.epoch, self.batches_done = self.epoch + 1, 0
        if checkpoint:
            save_checkpoint(self, checkpoint)

    def take_step(self, batch):
        """One step on a batch of pairs: forward, loss, backward, clipping, Adam.

        Args:
            batch: list of (src, tgt).

        Raises:
            ValueError: the loss or the gradient is not finite; the weights stay as they were.
        """
        part, weight = shard_batch(batch)  # for a single process: the whole batch, and 1
        src, tgt = pad_batch(part, self.parts, self.device)
        self.model.train()
        autocast = torch.autocast(torch.device(self.device).type, torch.bfloat16, enabled=self.bf16)
        with seeded(self.seed, self.step, self.device), autocast:  # a resumed run repeats its dropout
            loss, accuracy = self.token_loss(src, tgt, self.label_smoothing)
        self.optimizer.zero_grad()
        (loss * weight).backward()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=1.0).item()
        loss, accuracy = mean_over_processes(torch.stack([loss.detach(), accuracy]) * weight)
        check_step(self.step + 1, loss, norm, self.lr_scale)
        self.optimizer.step()
        self.history.append((loss, accuracy, *self.scheduler.get_last_lr()))
        self.scheduler.step()
        self.step, self.batches_done = self.step + 1, self.batches_done + 1
