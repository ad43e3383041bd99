"""Several processes under torchrun: the result of one, and no process that hangs or is lost."""

import os
import re
import socket
import subprocess
import sys

import pytest
import torch

from helpers.corpus import make_pairs
from helpers.engine.checkpoints import read_checkpoint
from notebook_parts import ROOT, prose_cells, read
from small_commands import SMALL, write_pairs

WORKER = str(ROOT / "tests" / "torchrun_worker.py")


ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1", "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """Pairs of which the last batch has a single sentence, so that one process is left without."""
    return write_pairs(tmp_path_factory.mktemp("pairs") / "pairs.tsv", make_pairs("train", 113))


@pytest.fixture(scope="module")
def train(pairs):
    """Train in so many processes, as torchrun starts them."""

    def run(count, what, checkpoint, *options):
        command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc_per_node={count}"]
        command += [WORKER, what, "train", pairs, "--checkpoint", str(checkpoint), *options]
        return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)

    return run


@pytest.fixture(scope="module")
def unbroken(train, tmp_path_factory):
    """The checkpoint of two processes that nothing has disturbed, and what they said."""
    path = tmp_path_factory.mktemp("unbroken") / "model.pt"
    return path, train(2, "nothing", path, *SMALL)


def test_one_process_and_two_give_the_same_weights(train, unbroken, tmp_path):
    alone = tmp_path / "alone.pt"
    for count, done in ((1, train(1, "nothing", alone, *SMALL)), (2, unbroken[1])):
        assert done.returncode == 0, done.stderr
        assert len(re.findall("^epoch 2:", done.stderr, re.M)) == 1  # the first process alone speaks
        if sys.platform == "linux":  # a thread that is left may abort Python at its end
            assert re.findall("threads of gloo left: (.*)", done.stderr) == ["0"] * count
    one, two = read_checkpoint(alone), read_checkpoint(unbroken[0])
    losses, others = ([loss for loss, _, _ in state["trainer"]["history"]] for state in (one, two))
    assert len(losses) == 16 and others == pytest.approx(losses, abs=1e-5)
    for name, weight in one["model"].items():
        if not name.endswith("w_k.bias"):  # the gradient of a key's bias is 0 but for rounding
            torch.testing.assert_close(two["model"][name], weight, rtol=0, atol=1e-5)


def test_the_script_of_a_depth_gives_the_losses_of_one_process_with_half_of_the_parameters(tmp_path):
    path = ROOT / "notebooks" / "deeper" / "11_how_do_many_gpus_train_one_model.ipynb"
    prose = "\n".join(source for _, source in prose_cells(read(path)))
    (script,) = (code for code in re.findall(r"```python\n(.*?)```", prose, re.S) if "fully_shard" in code)
    (tmp_path / "sharded.py").write_text(script, encoding="utf-8")
    found = []
    for count in (1, 2):
        command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc_per_node={count}"]
        command.append(str(tmp_path / "sharded.py"))
        done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        held, losses = re.fullmatch(
            r"processes \d, parameters held (\d+), losses ([\d. ]+)\n", done.stdout
        ).groups()
        found.append((int(held), [float(loss) for loss in losses.split()]))
    (whole, losses), (half, others) = found
    assert whole == 2 * half and len(losses) == 3
    assert others == pytest.approx(losses, abs=2e-5)


def test_if_one_process_is_killed_the_launcher_ends(train, tmp_path):
    done = train(2, "killed", tmp_path / "model.pt", *SMALL)
    assert done.returncode != 0 and "SIGKILL" in done.stderr


def test_if_one_process_is_killed_the_other_says_so_and_ends(pairs, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
    meeting = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    command = [sys.executable, WORKER, "killed", "train", pairs, *SMALL]
    command += ["--checkpoint", str(tmp_path / "model.pt")]
    second = subprocess.Popen(command, env={**ENVIRONMENT, **meeting, "RANK": "1"})
    first = subprocess.run(
        command, env={**ENVIRONMENT, **meeting, "RANK": "0"}, capture_output=True, text=True, timeout=120
    )
    assert second.wait(timeout=120) < 0 < first.returncode
    assert first.stderr.splitlines()[-1].startswith("error: processes: another process has ended")


def test_a_launcher_that_is_told_to_end_leaves_a_checkpoint_to_go_on_from(train, unbroken, tmp_path):
    done = train(2, "told", tmp_path / "model.pt", *SMALL)
    step = int(re.search(r"^stopped at step (\d+); go on with --resume$", done.stderr, re.M)[1])
    assert done.returncode != 0 and 5 <= step < 16
    assert read_checkpoint(tmp_path / "model.pt")["trainer"]["step"] == step
    assert train(2, "nothing", tmp_path / "model.pt", "--resume").returncode == 0
    states = [read_checkpoint(path) for path in (tmp_path / "model.pt", unbroken[0])]
    torch.testing.assert_close(states[0]["model"], states[1]["model"], rtol=0, atol=0)
