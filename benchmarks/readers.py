"""Our readers against those of the bioc package: speed on the same files, and memory.

    python benchmarks/readers.py [FOLDER OF THE CORPORA]

Both read each file in turn, several times, in one process: the ratio of the best times holds on a
busy machine too. Memory is the highest that Python allocates (tracemalloc) while each document is
read and dropped, for the file once and for its documents ten times over. Writes no files.
"""

import gc
import io
import os
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time

from bioc import biocxml, pubtator

from bluered.formats import detect, get_format

FILES = (
    "biored/Train.PubTator",
    "bc5cdr/CDR_TrainingSet.PubTator.txt",
    "biored/Train.BioC.XML",
    "bc5cdr/CDR_TrainingSet.BioC.xml",
)
THEIRS = {"pubtator": pubtator.load, "bioc-xml": biocxml.load}
ROUNDS = 7


def main() -> None:
    root = Path(sys.argv[1] if sys.argv[1:] else os.environ.get("BLUERED_DATA", "../shared/data"))
    print(f"load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
    print("| file | documents/s | bioc 2.1 | ratio | memory once, 10x | bioc once, 10x |")
    print("|---|---|---|---|---|---|")
    for name in FILES:
        data = (root / name).read_bytes()
        format_name = detect(root / name)
        tenfold = repeated(data, format_name, 10)
        count, ours, theirs = 0, [], []
        for _ in range(ROUNDS):
            theirs.append(seconds(lambda d=data, f=format_name: read_theirs(d, f)))
            ours.append(seconds(lambda d=data, f=format_name: read_ours(d, f)))
        count = read_ours(data, format_name)
        memory = [
            f"{peak(lambda d=d, f=format_name, r=reader: r(d, f)):.1f}"
            for reader in (read_ours, read_theirs)
            for d in (data, tenfold)
        ]
        print(
            f"| {name} | {count / min(ours):,.0f} | {count / min(theirs):,.0f} | "
            f"{min(theirs) / min(ours):.1f} | {memory[0]}, {memory[1]} MB | "
            f"{memory[2]}, {memory[3]} MB |"
        )


def read_ours(data: bytes, format_name: str) -> int:
    errors = []
    documents = get_format(format_name).read(io.BytesIO(data), on_error=errors.append)
    return sum(1 for _ in documents) + len(errors)


def read_theirs(data: bytes, format_name: str) -> None:
    THEIRS[format_name](io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def repeated(data: bytes, format_name: str, times: int) -> bytes:
    """The file with all its documents several times over."""
    if format_name == "pubtator":
        return (data.rstrip() + b"\n\n") * times
    start, end = data.index(b"<document>"), data.rindex(b"</document>") + len(b"</document>")
    return data[:start] + data[start:end] * times + data[end:]


def seconds(run: Callable[[], object]) -> float:
    gc.collect()
    before = process_time()
    run()
    return process_time() - before


def peak(run: Callable[[], object]) -> float:
    """The most MB that Python allocates during a run."""
    with traced():
        run()
        return tracemalloc.get_traced_memory()[1] / 1e6


@contextmanager
def traced() -> Iterator[None]:
    gc.collect()
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


if __name__ == "__main__":
    main()
