"""Ids of given mentions on BC5CDR and NCBI Disease, by the rules of BioRED's table.

    python benchmarks/linking_elsewhere.py [--split test|dev] [--terms NAME|FOLDER] [-o NAME]

Prints Markdown tables; `-o results/linking` writes them to results/linking.md and, for programs,
results/linking.json. The corpora are read from the folder BLUERED_DATA (bc5cdr/ and ncbi_disease/).
A mention is right if it has the gold's ids and no other; of a composite mention all of them. "In
terminology" are mentions whose gold ids the terminology holds. "Unseen" are the documents that
stand in none of the corpora whose names the terminology counts or the ranker learnt from, by their
text or id: BC5CDR shares documents with BioRED train. The development parts are among those.
"""

import argparse
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bluered import __version__
from bluered.documents.biored_types import CHEMICAL, DISEASE
from bluered.documents.document import Document
from bluered.formats.files import read_file
from bluered.formats.streams import replacing
from bluered.metrics.counts import Counts
from bluered.metrics.signature import gold_hash, signature
from bluered.metrics.significance import RESAMPLES, SEED
from bluered.normalize.linker import Linker, load_linker
from bluered.normalize.locate import find_terminology
from bluered.normalize.shipped.copies import copies
from bluered.normalize.shipped.corpora import CORPORA, FOR_RANKING
from bluered.normalize.store import MANIFEST
from bluered.reports.figures import bracketed, percent
from bluered.reports.scores import intervals, to_json
from bluered.reports.tables import Table, as_markdown
from bluered.tasks.biored.elsewhere import mentioned_by, renamed
from bluered.tasks.biored.evaluate import without_ids
from bluered.tasks.biored.linking import score_given
from bluered.tasks.scores import Scores

TYPES = {name: corpus.types for corpus in CORPORA for name in [corpus.name.removesuffix(" dev")]}
BC5CDR, NCBI = "BC5CDR", "NCBI Disease"
FILES = {
    (BC5CDR, "dev"): "bc5cdr/CDR_DevelopmentSet.PubTator.txt",
    (BC5CDR, "test"): "bc5cdr/CDR_TestSet.PubTator.txt",
    (NCBI, "dev"): "ncbi_disease/NCBIdevelopset_corpus.txt",
    (NCBI, "test"): "ncbi_disease/NCBItestset_corpus.txt",
}
TAGGERS = {
    "DNorm": ("bc5cdr/predictions_shipped_with_corpus/TestSet.DNorm.PubTator.txt", DISEASE),
    "tmChem": ("bc5cdr/predictions_shipped_with_corpus/TestSet.tmChem.PubTator.txt", CHEMICAL),
}
"""What the organisers of BC5CDR gave for its test part: mentions from text, with ids."""

BIOSYN = "BioSyn's README (github.com/dmis-lab/BioSyn)"
PUBLISHED = (
    ("BioSyn, BioBERT", NCBI, DISEASE, 91.1, BIOSYN),
    ("BioSyn, SapBERT", NCBI, DISEASE, 92.4, BIOSYN),
    ("BioSyn, BioBERT", BC5CDR, DISEASE, 93.2, BIOSYN),
    ("BioSyn, SapBERT", BC5CDR, DISEASE, 93.5, BIOSYN),
    ("BioSyn, BioBERT", BC5CDR, CHEMICAL, 96.6, BIOSYN),
    ("BioSyn, SapBERT", BC5CDR, CHEMICAL, 96.6, BIOSYN),
)
NOTES = (
    "[95% interval]: bootstrap over documents.",
    "Each mention counts, composite ones too; a gold id that the terminology lacks is an error.",
    "Published: accuracy of the first answer (Acc@1), mentions given, composite ones taken apart "
    "and abbreviations spelt out beforehand, a dictionary made for the corpus: orientation only.",
    "Of tmChem's 5,107 mentions 161 have a ChEBI id, which counts as wrong: the gold's are MeSH's.",
)


class Check(Struct, frozen=True):
    """A corpus linked: its documents and what came of them, and which of them were seen."""

    corpus: str
    gold: Sequence[Document]
    linked: Sequence[Document]
    scores: Scores
    seen: frozenset[str]


def check(corpus: str, split: str, linker: Linker, data: Path) -> Check:
    """Link the given mentions of a corpus."""
    file = data / FILES[corpus, split]
    documents = [renamed(one, TYPES[corpus]) for one in read_file(file, "pubtator", check=False)]
    gold = list({document.id: document for document in documents}.values())
    linked = [linker(without_ids(document)) for document in gold]
    scores = replace(score_given(gold, linked, known=linker.knows), task="linking")
    seen = {name for name, *_ in copies(gold, data, [*CORPORA, *FOR_RANKING])}
    return Check(corpus, gold, linked, scores, frozenset(seen))


def rows(check: Check) -> Iterator[list[str]]:
    """Yield a row for each type of a corpus, and for all of them if there are several."""
    rest = check.scores.without(check.seen)
    sides = [(scores, intervals(scores)) for scores in (check.scores, rest)]
    kinds = [path[-1] for path in check.scores.counts if path[:2] == ("linking", "by_type")]
    places = [("by_type", kind) for kind in kinds]
    for place in [*places, ("overall",)] if len(places) > 1 else places:
        row = [check.corpus, place[-1]]
        for scores, found in sides:
            every, held = (_total(scores, "linking", *group, *place) for group in ((), ("known",)))
            interval = bracketed(found.get(("linking", *place)))
            row += [_number(every), percent(every.f1) + interval if _asked(every) else "-"]
            row += [_number(held), percent(held.f1) if _asked(held) else "-"]
        yield row


def against(check: Check, data: Path) -> Iterator[list[str]]:
    """Yield the accuracy of the organisers' taggers on gold mentions that they found, and ours."""
    for name, (file, kind) in TAGGERS.items():
        types = {old: new for old, new in TYPES[BC5CDR].items() if new == kind}
        found = [renamed(one, types) for one in read_file(data / file, "pubtator", check=False)]
        by_id = {document.id: document for document in found}
        gold = [mentioned_by(document, by_id.get(document.id)) for document in check.gold]
        theirs, ours = (score_given(gold, side, only_found=True) for side in (found, check.linked))
        totals = [_total(scores, "linking", "by_type", kind) for scores in (theirs, ours)]
        yield [name, kind, _number(totals[0]), *(percent(one.f1) for one in totals)]


def tables(checks: Sequence[Check], *, split: str, compared: Sequence[list[str]]) -> list[Table]:
    """Return the tables: ours, the taggers', published ones."""
    heads = ["corpus", "type"]
    for side in ("", "unseen: "):
        heads += [f"{side}mentions", "accuracy", f"{side}in terminology", "accuracy of these"]
    seen = [
        f"{check.corpus}: {len(check.gold)} documents, {len(check.seen)} of them seen."
        for check in checks
    ]
    found = [
        Table(
            f"Concept ids of given mentions, {split} (%)",
            heads,
            [row for check in checks for row in rows(check)],
            (*seen, *NOTES[:2]),
        )
    ]
    if compared:
        heads = ["tagger", "type", "mentions it found", "its accuracy", "BlueRED's on these"]
        title = "BC5CDR test, gold mentions that a tagger of its organisers found too (%)"
        found.append(Table(title, heads, compared, NOTES[3:]))
    published = [[*row[:3], f"{row[3]:.1f}", row[4]] for row in PUBLISHED]
    heads = ["published", "corpus", "type", "accuracy", "source"]
    return [*found, Table("Published, test (%)", heads, published, NOTES[2:3])]


def result(check: Check, *, split: str, fields: Mapping[str, str]) -> dict[str, Any]:
    """Return a corpus's scores for programs."""
    report: dict[str, Any] = {}
    rest = check.scores.without(check.seen)
    for name, scores in (("all", check.scores), ("unseen", rest)):
        gold = [document for document in check.gold if document.id in scores.documents]
        signed = signature(
            {
                "task": scores.task,
                "corpus": check.corpus,
                "split": split,
                "scorer": scores.scorer,
                **fields,
                "docs": len(gold),
                "gold": gold_hash(gold),
                "bootstrap": f"documents,BCa,n={RESAMPLES},seed={SEED}",
                "version": __version__,
            }
        )
        report[name] = to_json(scores, signature=signed, intervals=intervals(scores))
    return report | {"seen_documents": len(check.seen)}


def _total(scores: Scores, *path: str) -> Counts:
    return scores.total(*path) if path in scores.counts else Counts()


def _asked(counts: Counts) -> int:
    return counts.tp + counts.fn


def _number(counts: Counts) -> str:
    return f"{_asked(counts):,}"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--split", choices=["test", "dev"], default="test")
    parser.add_argument("--terms")
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    data, split = Path(os.environ["BLUERED_DATA"]), options.split
    folder = find_terminology(options.terms)
    linker = load_linker(str(folder))
    checks = [check(name, split, linker, data) for name in (BC5CDR, NCBI)]
    compared = list(against(checks[0], data)) if split == "test" else []
    found = tables(checks, split=split, compared=compared)
    fields = {
        "terms": _digest(folder / MANIFEST),
        "ranker": hashlib.sha256(msgspec.json.encode(linker.ranker)).hexdigest()[:12],
    }
    report: dict[str, Any] = {
        "split": split,
        "corpora": {one.corpus: result(one, split=split, fields=fields) for one in checks},
        "taggers": [dict(zip(found[1].heads, row, strict=True)) for row in compared],
        "published": [
            dict(zip(("system", "corpus", "type", "accuracy", "source"), row, strict=True))
            for row in PUBLISHED
        ],
    }
    signatures = [one["all"]["signature"] for one in report["corpora"].values()]
    text = "\n\n".join("\n".join(as_markdown(table)) for table in found)
    text += "\n\n" + "\n".join(f"- `{signed}`" for signed in signatures) + "\n"
    if not options.output:
        print(text, end="")
        return
    encoded = msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"
    for ending, content in ((".md", text.encode()), (".json", encoded)):
        with replacing(options.output + ending) as stream:
            stream.write(content)


if __name__ == "__main__":
    main()
