"""Training in several processes that share each batch, as `torchrun` starts them."""

import torch
from torch import distributed

from helpers.training import Trainer


class SharedTrainer(Trainer):
    """A `Trainer` whose processes each take a part of every batch and step with the gradient of the whole.

    Without dropout, several processes give the loss and the weights of one.

    Args, methods: as `Trainer`; `torch.distributed.init_process_group` has been called.
    """

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        for parameter in self.model.parameters():
            parameter.register_post_accumulate_grad_hook(self.sum_gradient)

    def take_step(self, batch):
        part = batch[distributed.get_rank() :: distributed.get_world_size()]
        self.share = count_targets(part) / count_targets(batch)  # of the tokens that the loss is a mean of
        super().take_step(part or batch[:1])  # a process without a sentence takes part with a share of 0
        loss, accuracy, rate = self.history[-1]
        whole = torch.tensor([loss, accuracy], device=self.device) * self.share
        distributed.all_reduce(whole)
        self.history[-1] = (*whole.tolist(), rate)

    def sum_gradient(self, parameter):
        parameter.grad.mul_(self.share)
        distributed.all_reduce(parameter.grad)


def count_targets(pairs):
    """How many tokens these pairs ask for."""
    return sum(len(tgt) - 1 for _, tgt in pairs)
