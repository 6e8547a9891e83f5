"""Write the table of README.md that says how well the shipped model reads, from results/.

    python docs/generate_figures.py README.md results/biored-test.json

What stands outside the two marks is kept.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bluered.inference.bundle import shipped_folder

BEGIN = "<!-- figures: written by `make figures` -->\n"
END = "<!-- end of figures -->\n"

ROWS = (
    ("mentions, exact span and type", ("ner", "overall"), "89.3"),
    ("relations on gold entities: pair", ("relations", "pair"), "72.9"),
    ("+ type", ("relations", "type"), "58.9"),
    ("+ novelty (pair and novelty)", ("relations", "novelty"), ""),
    ("all: pair, type and novelty", ("relations", "all"), "47.7"),
    ("concepts of documents from text (type and id)", ("concepts", "overall"), ""),
    ("relations from text alone, by id: pair", ("end_to_end", "pair"), ""),
    ("all", ("end_to_end", "all"), ""),
)
"""What is told, where it stands in the result, and what PubMedBERT has (Luo et al. 2022)."""

KINDS = {
    "OrganismTaxon": "species",
    "ChemicalEntity": "chemicals",
    "CellLine": "cell lines",
    "DiseaseOrPhenotypicFeature": "diseases",
    "GeneOrGeneProduct": "genes",
    "SequenceVariant": "variants",
}


def lines(result: Mapping[str, Any], *, megabytes: float) -> Iterator[str]:
    """Yield the lines of the table and what follows it."""
    yield f"The shipped model ({result['system']}, {megabytes:.0f} MB, 8 bits):"
    yield ""
    yield "| | BlueRED, shipped | PubMedBERT |"
    yield "|---|---:|---:|"
    for name, path, published in ROWS:
        cell = result[path[0]][path[1]]
        low, high = map(_percent, cell["interval"])
        yield f"| {name} | {_percent(cell['f1'])} [{low}, {high}] | {published} |"
    by_type = result["linking"]["by_type"]
    shares = sorted(((by_type[kind]["f1"], name) for kind, name in KINDS.items()), reverse=True)
    told = ", ".join(f"{name} {_percent(share)}" for share, name in shares)
    yield ""
    yield f"Ids of gold mentions, per cent right: {told}."


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def main() -> None:
    page, source = map(Path, sys.argv[1:])
    result = json.loads(source.read_text(encoding="utf-8"))
    size = sum(path.stat().st_size for path in shipped_folder().iterdir()) / 1e6
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    made = "\n".join(lines(result, megabytes=size)) + "\n"
    page.write_text(before + BEGIN + made + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
