"""What a scorer returns: for each named measure the counts of every document."""

from collections.abc import Container, Iterable, Mapping

from msgspec import Struct, field

from bluered.documents.document import Document
from bluered.errors import BlueredError
from bluered.metrics.counts import Counts, total

Path = tuple[str, ...]
"""Where a measure stands in the JSON, e.g. ("relations", "by_concept_pair", "Gene-Gene", "all")."""


class Scores(Struct, frozen=True, kw_only=True):
    """The counts of each measure per document, so that intervals and comparisons can be drawn.

    `documents` are the ids; every list in `counts` has one entry for each. `notes` say in words
    what was left out or could not be judged, and how often.
    """

    task: str
    scorer: str
    documents: tuple[str, ...]
    counts: dict[Path, list[Counts]]
    notes: dict[str, int] = field(default_factory=dict)

    def total(self, *path: str) -> Counts:
        """Return the counts of one measure over all documents."""
        return total(self.counts[path])

    def without(self, names: Container[str]) -> "Scores":
        """Return the scores on the documents that are not named."""
        kept = [number for number, name in enumerate(self.documents) if name not in names]
        return Scores(
            task=self.task,
            scorer=self.scorer,
            documents=tuple(self.documents[number] for number in kept),
            counts={path: [rows[n] for n in kept] for path, rows in self.counts.items()},
            notes=self.notes,
        )


def joined(scores: Scores, *others: Scores) -> Scores:
    """Return the measures and notes of several scores of the same documents as one."""
    for other in others:
        if other.documents != scores.documents:
            raise ValueError("scores of different documents cannot be joined")
    return Scores(
        task=scores.task,
        scorer=scores.scorer,
        documents=scores.documents,
        counts={path: rows for one in (scores, *others) for path, rows in one.counts.items()},
        notes={note: number for one in (scores, *others) for note, number in one.notes.items()},
    )


class Paired(Struct, frozen=True):
    """A document of the gold, of the prediction, or of both."""

    id: str
    gold: Document | None
    predicted: Document | None


def pair_documents(gold: Iterable[Document], predicted: Iterable[Document]) -> list[Paired]:
    """Bring gold and predicted documents together by id, in the order of their ids.

    A document of only one side stays in: what is missing is missed, what is unknown is false.
    Two documents of one id, or no id in common, is an error of the user's.
    """
    left, right = by_id(gold, side="gold"), by_id(predicted, side="prediction")
    if not left:
        raise BlueredError("the gold holds no document")
    if not left.keys() & right.keys():
        raise BlueredError(
            f"no document of the prediction ({_some(right)}) is in the gold ({_some(left)}): "
            "are these the files of one corpus and split?"
        )
    ids = sorted(left.keys() | right.keys())
    return [Paired(key, left.get(key), right.get(key)) for key in ids]


def by_id(documents: Iterable[Document], *, side: str) -> dict[str, Document]:
    """Return the documents by their ids; an id that comes twice is an error."""
    found: dict[str, Document] = {}
    for document in documents:
        if document.id in found:
            raise BlueredError(
                f"document {document.id} stands twice in the {side}: which one counts? "
                "(remove one; bluered doctor names the lines)"
            )
        found[document.id] = document
    return found


def different_texts(pairs: Iterable[Paired]) -> list[str]:
    """Return the ids of documents whose predicted text is not the gold text: offsets may differ."""
    return [
        pair.id
        for pair in pairs
        if pair.gold and pair.predicted and pair.gold.text != pair.predicted.text
    ]


def collect(documents: Iterable[Mapping[Path, Counts]]) -> dict[Path, list[Counts]]:
    """Turn per-document measures into one list per measure; absent ones are zero."""
    listed = list(documents)
    paths = dict.fromkeys(path for measures in listed for path in measures)
    return {path: [measures.get(path, Counts()) for measures in listed] for path in paths}


def _some(documents: Mapping[str, Document]) -> str:
    shown = ", ".join(list(documents)[:3])
    return f"{shown}, ..." if len(documents) > 3 else shown or "none"
