"""Train in two processes again and again beside a busy one, with and without starved threads of gloo.

Not collected by pytest; `python tests/stress_two_processes.py 20` prints what failed, of 20 runs each.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SMALL = "--vocab-size 700 --d-model 16 --n-heads 2 --d-ff 16 --n-layers 1 --batch-size 16 --epochs 2"


def main(runs):
    from helpers.corpus import make_pairs

    settings = {**os.environ, "OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1", "PYTHONPATH": str(ROOT)}
    kinds = ["nothing", "starved"] if hasattr(os, "SCHED_IDLE") else ["nothing"]
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    failed = dict.fromkeys(kinds, 0)
    try:
        for number in range(runs * len(kinds)):
            kind = kinds[number % len(kinds)]
            with tempfile.TemporaryDirectory() as folder:
                pairs = Path(folder) / "pairs.tsv"
                lines = (f"{source}\t{target}\n" for source, target in make_pairs("train", 113))
                pairs.write_text("".join(lines), encoding="utf-8")
                command = [
                    sys.executable,
                    "-m",
                    "torch.distributed.run",
                    "--standalone",
                    "--nproc_per_node=2",
                ]
                command += [str(ROOT / "tests" / "torchrun_worker.py"), kind, "train", str(pairs)]
                command += ["--checkpoint", f"{folder}/model.pt", *SMALL.split()]
                done = subprocess.run(command, env=settings, capture_output=True, text=True)
                if done.returncode:
                    failed[kind] += 1
                    print(done.stderr[-3000:], flush=True)
                if (number + 1) % 20 == 0:
                    print(f"{number + 1} runs, {sum(failed.values())} failed", flush=True)
    finally:
        busy.kill()
    for kind, count in failed.items():
        print(f"{kind}: {count} of {runs} failed")
    sys.exit(any(failed.values()))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
