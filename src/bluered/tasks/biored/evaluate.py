"""Running a model over BioRED: what it may see, and the scores of what it says."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, Protocol

from msgspec.structs import replace

from bluered.documents.document import Document, Entity
from bluered.metrics.counts import Counts
from bluered.tasks.biored import correct
from bluered.tasks.biored.align import align_all
from bluered.tasks.scores import Path, Scores

OnError = Callable[[Document, Exception], None]

Alignment = Literal["ids", "mentions"]


class Model(Protocol):
    """What can be evaluated: a pipeline, or anything that reads documents in these three ways."""

    def tag(
        self, documents: Iterable[Document], *, on_error: OnError | None = None
    ) -> Iterator[Document]:
        """Yield documents with entities from their text."""
        ...

    def relate(
        self, documents: Iterable[Document], *, on_error: OnError | None = None
    ) -> Iterator[Document]:
        """Yield documents with relations between the concepts of their given entities."""
        ...

    def pipe(
        self, texts: Iterable[str | Document], *, on_error: OnError | None = None
    ) -> Iterator[Document]:
        """Yield documents with entities, concepts and relations from their text."""
        ...


def text_only(document: Document) -> Document:
    """Return what a tagger may see: id, text and passages, nothing that was annotated."""
    return Document(
        id=document.id,
        text=document.text,
        passages=tuple(replace(passage, infons={}) for passage in document.passages),
    )


def with_given_entities(document: Document) -> Document:
    """Return what a relation model may see: text, spans, types and concept ids; no relation."""
    return replace(text_only(document), entities=tuple(map(_bare, document.entities)))


def _bare(entity: Entity) -> Entity:
    return Entity(
        type=entity.type,
        spans=entity.spans,
        text=entity.text,
        id=entity.id,
        concepts=entity.concepts,
        combination=entity.combination,
    )


def evaluate(
    gold: Sequence[Document],
    model: Model,
    *,
    end_to_end: bool = True,
    align: Alignment = "mentions",
    on_error: OnError | None = None,
) -> Scores:
    """Score a model's mentions, its relations on gold entities and, apart, those from text alone.

    The last stand under "end_to_end"; `align` says how their concepts are brought to gold ids.
    A document that fails is scored as found: with nothing in it.
    """
    texts = list(map(text_only, gold))
    tagged = correct.score(gold, model.tag(texts, on_error=on_error))
    given = map(with_given_entities, gold)
    related = correct.score(gold, model.relate(given, on_error=on_error))
    parts = [part(tagged, "ner"), part(related, "relations")]
    notes = dict(related.notes)
    if end_to_end:
        read = list(model.pipe(texts, on_error=on_error))
        scores = score_end_to_end(gold, read, align=align)
        parts.append(scores.counts)
        notes |= {f"end to end: {note}": number for note, number in scores.notes.items()}
    counts = {path: found for some in parts for path, found in some.items()}
    return replace(tagged, counts=counts, notes=notes)


def score_end_to_end(
    gold: Sequence[Document], predicted: Iterable[Document], *, align: Alignment = "mentions"
) -> Scores:
    """Score relations between predicted concepts, all measures under "end_to_end"."""
    aligned = align_all(gold, predicted) if align == "mentions" else predicted
    scores = correct.score(gold, aligned)
    counts = {("end_to_end", *path[1:]): c for path, c in part(scores, "relations").items()}
    return replace(scores, counts=counts)


def part(scores: Scores, name: str) -> dict[Path, list[Counts]]:
    """Return the measures that stand under one name."""
    return {path: counts for path, counts in scores.counts.items() if path[0] == name}
