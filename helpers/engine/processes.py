"""Several processes that train one model together, as `torchrun` starts them; alone, one process of one."""

import contextlib
import functools
import gc
import os
import random
from datetime import timedelta

import torch
import torch.distributed.nn  # before any process group: its functions keep the group that they find, for good
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

PATIENCE = timedelta(hours=2)  # the others wait while the first process validates


def rank():
    """The number of this process, from 0; the first one speaks and saves."""
    return distributed.get_rank() if distributed.is_initialized() else 0


def world_size():
    """How many processes train together."""
    return distributed.get_world_size() if distributed.is_initialized() else 1


@contextlib.contextmanager
def process_group(device):
    """Join the processes that torchrun has started; leave together, so that none is ended at its work.

    What uses the group must be gone by then: threads that outlive it can abort Python at its end.

    Args:
        device: "cuda" talks by NCCL, everything else by gloo.

    Raises:
        ValueError: another process has ended.
    """
    if int(os.environ.get("WORLD_SIZE", 1)) == 1:
        yield
        return
    kind = torch.device(device).type
    if kind == "cuda":  # each process has a GPU of its own, which "cuda" then means
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    distributed.init_process_group("nccl" if kind == "cuda" else "gloo", timeout=PATIENCE)
    try:
        yield
        distributed.barrier()
    except RuntimeError as error:
        if isinstance(error, distributed.DistError) or "gloo" in str(error):
            raise ValueError("processes: another process has ended; see its message above") from None
        raise
    finally:
        gc.collect()  # a trainer that is gone may still hold the group, and with it the threads of gloo
        distributed.destroy_process_group()


@contextlib.contextmanager
def seeded(seed, step, device):
    """Within, random numbers depend on seed, step and process alone; afterwards they go on as before.

    Args:
        seed, step: integers.
        device: whose random numbers are meant, besides those of the CPU.
    """
    kind = torch.device(device).type
    with torch.random.fork_rng([] if kind == "cpu" else [device], device_type=kind):
        # From a hash: neighbors in seed, step or process have nothing in common.
        torch.manual_seed(random.Random(f"{seed} {rank()} {step}").getrandbits(63))
        yield


class _Forward(nn.Module):
    """A function of a model as a module, since DistributedDataParallel shares the forward of a module."""

    def __init__(self, function, model):
        super().__init__()
        self.function = functools.partial(function, model)
        self.weights = nn.ParameterList(model.parameters())  # not the buffers: tables that are alike anyway

    def forward(self, *inputs):
        return self.function(*inputs)


def shared(function, model):
    """`function` of the model; where processes train together, its gradients are the mean over them.

    Args:
        function: called with the model and further inputs; what it returns holds the loss.
        model: a module; its weights become those of the first process.

    Returns:
        A function of the further inputs.
    """
    if world_size() == 1:
        return functools.partial(function, model)
    return DistributedDataParallel(_Forward(function, model))


def shard_batch(batch):
    """This process's part of a batch, and the weight of its mean loss.

    The mean over all processes of weight times loss is the mean over all tokens of the batch.

    Args:
        batch: list of (src, tgt), the same in every process.

    Returns:
        List of (src, tgt), never empty: a process without a sentence takes part with a weight of 0; and the
        weight, a float, 1 for a single process.
    """
    part = batch[rank() :: world_size()]
    mine, all_of_it = (sum(len(tgt) - 1 for _, tgt in pairs) for pairs in (part, batch))
    return part or batch[:1], world_size() * mine / all_of_it


def wait_for_all():
    """Go on when all processes have come here."""
    if world_size() > 1:
        distributed.barrier()


def mean_over_processes(values):
    """Mean of each number over the processes; all of them must call it.

    Args:
        values: 1-D tensor, on the device of the model.

    Returns:
        List of floats.
    """
    if world_size() > 1:
        distributed.all_reduce(values)
    return (values / world_size()).tolist()
