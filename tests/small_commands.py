"""What tests of the command line share: a small model, and files of pairs."""

SMALL = "--vocab-size 700 --d-model 16 --n-heads 2 --d-ff 16 --n-layers 1 --batch-size 16".split()
SMALL += "--dropout 0 --epochs 2".split()


def write_pairs(path, pairs):
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), encoding="utf-8")
    return str(path)
