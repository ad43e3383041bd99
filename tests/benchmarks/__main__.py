"""make bench: all tables; ends with an error if a bound fails. python -m benchmarks decoding: one of them."""

import importlib
import sys

from benchmarks.measure import show

failed = []
for name in sys.argv[1:] or ("training", "decoding", "language", "attention"):
    benchmark = importlib.import_module(f"benchmarks.{name}")
    failed += show(benchmark.TITLE, benchmark.rows)
sys.exit(f"\n{len(failed)} of the bounds fail" if failed else 0)
