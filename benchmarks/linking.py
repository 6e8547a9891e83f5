"""What concept ids cost: time per document against the tagger's, opening time, memory.

    python benchmarks/linking.py [--terms NAME|FOLDER] [--documents N] [--runs N]

Tags and links the 100 development documents of BioRED from their text alone, on one core (corpus:
BLUERED_DATA, or `bluered corpora fetch biored`), and prints a Markdown table. The ratio is taken
within each run, so that other work on the machine makes it worse for both.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from bluered.corpora import documents as load_corpus
from bluered.documents.document import Document
from bluered.formats.files import write_file
from bluered.normalize.locate import find_terminology
from bluered.pipeline.concepts import add_local_concepts
from bluered.pipeline.load import linker_of, load_tagger
from bluered.tasks.biored.evaluate import text_only

OPEN = """
import sys
import bluered.normalize.linker
from time import perf_counter
from bluered.documents.document import Document
start = perf_counter()
bluered.normalize.linker.load_linker(sys.argv[1])(Document(id="1", text=""))
print(perf_counter() - start)
"""
LINK = """
import sys
from bluered.formats.files import read_file
from bluered.normalize.linker import load_linker
linker = load_linker(sys.argv[1])
for document in read_file(sys.argv[2]):
    linker(document)
for line in open("/proc/self/status"):
    if line.startswith(("VmHWM", "RssAnon", "RssFile")):
        print(line.split()[1])
"""


def output(code: str, *arguments: str) -> str:
    """Return what Python code prints in a process of its own."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def timed(function: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    start = perf_counter()
    function()
    return perf_counter() - start


def peak_of_annotate(texts: Path, *options: str) -> float:
    """Return the most memory that `bluered annotate` holds, in MB."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, "
        "capture_output=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    annotate = [sys.executable, "-m", "bluered", "annotate", str(texts), *options]
    return int(output(code, *annotate)) / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--terms")
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()

    terms = str(find_terminology(options.terms))
    texts = [text_only(document) for document in load_corpus("biored", "dev")][: options.documents]
    tag, link = load_tagger(), linker_of(terms)
    assert link is not None
    warm = add_local_concepts(link(tag(texts[0])))  # the first run allocates
    assert warm.entities
    runs: list[tuple[float, float]] = []
    tagged: list[Document] = []
    for _ in range(options.runs):
        tagged.clear()
        tagging = timed(lambda: tagged.extend(map(tag, texts)))
        linking = timed(lambda: [add_local_concepts(link(document)) for document in tagged])
        runs.append((tagging, linking))
    linked = [add_local_concepts(link(document)) for document in tagged]
    mentions = sum(len(document.entities) for document in linked)
    local = sum(e.concepts[0].startswith("local:") for d in linked for e in d.entities)

    count = len(texts)
    with tempfile.TemporaryDirectory() as folder:
        bare, with_mentions = Path(folder) / "texts.jsonl", Path(folder) / "tagged.jsonl"
        write_file(texts, bare)
        write_file(tagged, with_mentions)
        opening = [float(output(OPEN, terms)) for _ in range(options.runs)]
        memory = [int(number) for number in output(LINK, terms, str(with_mentions)).split()]
        peaks = [peak_of_annotate(bare, "--terms", name) for name in (terms, "none")]
    rows = [
        ("documents, mentions, of them linked", f"{count}, {mentions:,}, {mentions - local:,}"),
        *(
            (name, " / ".join(f"{1000 * run[place] / count:.1f}" for run in runs))
            for place, name in enumerate(("tagging, ms per document", "linking, ms per document"))
        ),
        ("linking / tagging", " / ".join(f"{link / tag:.2f}" for tag, link in runs)),
        ("opening the terminology, new process", f"{statistics.median(opening):.3f} s"),
        ("linking alone: most memory", f"{memory[0] / 1024:.0f} MB"),
        (
            "of it its own, mapped from files (shared by processes)",
            f"{memory[1] / 1024:.0f}, {memory[2] / 1024:.0f} MB",
        ),
        ("`bluered annotate`: most memory", f"{peaks[0]:.0f} MB"),
        ("`bluered annotate --no-terms`: most memory", f"{peaks[1]:.0f} MB"),
    ]
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {platform.machine()}, "
        f"load at the end {os.getloadavg()[0]:.1f}\n"
    )
    print("| measured | |\n|---|---:|")
    for name, value in rows:
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
