"""Write what seeds change of the shipped model's scores: each seed, the mean, the spread.

    python docs/generate_seeds.py results/biored-seeds.md 13=results/biored-test.json 14=FILE ...

Each file is what `bluered bench biored --json` gives for a model of one seed; the first ships.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from generate_figures import ROWS


def lines(results: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the page, given the result of each seed."""
    seeds = list(results)
    yield "# What the seed changes"
    yield ""
    yield "BioRED test, F1. The last stage of training (`reader.toml`, `reader-14.toml`, ...)"
    yield "with other seeds, and where it says so the whole chain (`default.toml`) again from zero,"
    yield f"on another machine. {seeds[0]} ships: of all it is the best on dev."
    yield ""
    yield "| seed | " + " | ".join(seeds) + " | mean | standard deviation |"
    yield "|---|" + "---:|" * (len(seeds) + 2)
    for name, (part, row), _ in ROWS:
        shares = [100 * results[seed][part][row]["f1"] for seed in seeds]
        cells = [*shares, mean(shares), stdev(shares)]
        yield f"| {name} | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |"
    yield ""
    yield "Signatures:"
    yield ""
    yield from (f"- {seed}: `{results[seed]['signature']}`" for seed in seeds)


def main(arguments: Sequence[str]) -> None:
    page, *files = arguments
    named = dict(file.split("=", 1) for file in files)
    results = {seed: json.loads(Path(file).read_text()) for seed, file in named.items()}
    Path(page).write_text("\n".join(lines(results)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
