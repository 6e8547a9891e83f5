"""Documents per second from text to relations, peak memory, and start-up time.

    python benchmarks/annotate.py [--model BUNDLE] [--threads N] [--documents N]

Annotates the 100 test documents of BioRED from their text alone (corpus: BLUERED_DATA, or `bluered
corpora fetch biored`) and prints a Markdown table: once by threads, then ten times over by as many
processes, starting them included. Other work on the machine makes every figure worse: the load
before the run is printed too.
"""

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from msgspec import structs

from bluered.corpora import documents as load_corpus
from bluered.documents.document import Document
from bluered.pipeline.load import cores, load

EXAMPLES = sorted((Path(__file__).parents[1] / "examples" / "abstracts").glob("*.txt"))
START_UP_RUNS = 7
TIMES = 10


def text_only(documents: Iterator[Document]) -> list[Document]:
    """Return the documents without any annotation."""
    return [structs.replace(d, entities=(), relations=(), mention_relations=()) for d in documents]


def timed(function: Callable[[], object]) -> float:
    """Return the seconds a call takes."""
    start = perf_counter()
    function()
    return perf_counter() - start


def command_time(*arguments: str) -> float:
    """Return the median seconds of a command from a new process."""
    command = [sys.executable, "-m", "bluered", *arguments]
    return statistics.median(
        timed(lambda: subprocess.run(command, check=True, capture_output=True))
        for _ in range(START_UP_RUNS)
    )


def peak_memory(of: int = resource.RUSAGE_SELF) -> float:
    """Return the most memory this process has held, or one of its ended children, in MB."""
    peak = resource.getrusage(of).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--model", type=Path)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--documents", type=int, default=100)
    options = parser.parse_args()

    load_before = os.getloadavg()[0]
    documents = text_only(load_corpus("biored", "test"))[: options.documents]
    loading = perf_counter()
    nlp = load(options.model, threads=options.threads)
    loading = perf_counter() - loading
    nlp(documents[0])  # the first run allocates
    annotated: list[Document] = []
    whole = timed(lambda: annotated.extend(nlp.pipe(documents)))
    steps = {}
    current = documents
    for name in ("tag", "link", "relate"):
        step = getattr(nlp, name)
        result: list[Document] = []
        steps[name] = timed(
            lambda step=step, result=result, current=current: result.extend(step(current))
        )
        current = result

    own = peak_memory()
    used = options.threads or cores()
    several = load(options.model, threads=used, processes=used)
    long = timed(lambda: deque(several.pipe(documents * TIMES), maxlen=0))
    each = peak_memory(resource.RUSAGE_CHILDREN)

    count = len(documents)
    characters = sum(len(d.text) for d in documents)
    rows = [
        ("documents, characters", f"{count}, {characters:,}"),
        ("mentions, relations found", f"{sum(len(d.entities) for d in annotated):,}, "
                                      f"{sum(len(d.relations) for d in annotated):,}"),
        ("documents per second, text to relations, by threads", f"{count / whole:.1f}"),
        (f"the same {TIMES} times over, by processes", f"{TIMES * count / long:.1f}"),
        *((f"milliseconds per document, {n}", f"{1000 * s / count:.1f}") for n, s in steps.items()),
        ("peak memory by threads; of each process", f"{own:.0f} MB; {each:.0f} MB"),
        ("loading the model", f"{loading:.2f} s"),
        ("`bluered --help`, new process", f"{command_time('--help'):.2f} s"),
        (
            f"`bluered annotate` of {len(EXAMPLES)} examples, new process",
            f"{command_time('annotate', *model_option(options.model), *map(str, EXAMPLES)):.2f} s",
        ),
    ]  # fmt: skip
    print(
        f"{nlp.model}, {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, "
        f"{platform.machine()}, {cores()} cores, {used} threads or processes, "
        f"load before the run {load_before:.1f}\n"
    )
    print("| measured | |\n|---|---:|")
    for name, value in rows:
        print(f"| {name} | {value} |")


def model_option(model: Path | None) -> list[str]:
    """Return the option that names the model to the command."""
    return ["--model", str(model)] if model else []


if __name__ == "__main__":
    main()
