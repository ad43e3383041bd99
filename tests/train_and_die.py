"""Train in processes that are killed after given steps, then to the end; run by test_training.py.

Arguments: the checkpoint, and the steps after which a process is killed.
"""

import os
import signal
import sys
from pathlib import Path

import torch

from helpers.engine.checkpoints import load_checkpoint
from small_training import small_trainer


def train(path, last_step=None):
    trainer = small_trainer()
    if path.exists():
        load_checkpoint(trainer, path)
    take_step = trainer.take_step

    def take_and_die(batch):
        take_step(batch)
        if trainer.step == last_step:
            os.kill(os.getpid(), signal.SIGKILL)

    trainer.take_step = take_and_die
    while trainer.epoch < 3:
        trainer.run_epoch(checkpoint=path, every=1)


def main(path, *steps):
    torch.set_num_threads(1)  # a process with several threads must not fork
    small_trainer().run_epoch()  # what the first step imports, the children need not
    for step in map(int, steps):
        child = os.fork()
        if child == 0:
            train(Path(path), step)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL, status
    train(Path(path))


if __name__ == "__main__":
    main(*sys.argv[1:])
