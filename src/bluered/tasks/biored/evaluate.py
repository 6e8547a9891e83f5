"""Running a model over BioRED: what it may see, and the scores of what it says."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from bluered.documents.concepts import is_local
from bluered.documents.document import Document, Entity
from bluered.tasks.biored import correct, linking, waterfall
from bluered.tasks.biored.align import align_all
from bluered.tasks.scores import Scores, by_id, joined

OnError = Callable[[Document, Exception], None]

Alignment = Literal["ids", "mentions"]


class Model(Protocol):
    """What can be evaluated: a pipeline, or anything that reads documents in these three ways."""

    def tag(
        self, documents: Iterable[Document], *, on_error: OnError | None = None
    ) -> Iterator[Document]:
        """Yield documents with entities from their text."""
        ...

    def link(
        self, documents: Iterable[Document], *, on_error: OnError | None = None
    ) -> Iterator[Document]:
        """Yield documents with a concept id at every given entity that had none."""
        ...

    def relate(
        self, documents: Iterable[Document], *, on_error: OnError | None = None
    ) -> Iterator[Document]:
        """Yield documents with relations between the concepts of their given entities."""
        ...


@runtime_checkable
class Knowing(Protocol):
    """A model that can also say which concepts its terminology holds."""

    def knows(self, kind: str, concept: str, /) -> bool:
        """Tell whether the terminology holds an id of one of BioRED's entity types."""
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


def without_ids(document: Document) -> Document:
    """Return what a linker may see: text, spans and types; no concept id, no relation."""
    given = with_given_entities(document)
    bare = (replace(entity, concepts=(), combination=None) for entity in given.entities)
    return replace(given, entities=tuple(bare))


class Found(Struct, frozen=True, kw_only=True):
    """What a model says of gold documents.

    `tagged` has mentions from text, `linked` ids of gold mentions, `related` relations between gold
    concepts. From text alone there are `named`, its mentions with ids, and `read`, relations too;
    `halves` has relations from half gold, half predicted input by the name of what was given. Each
    of the last three is empty where it was not asked for.
    """

    tagged: list[Document]
    linked: list[Document]
    related: list[Document]
    named: list[Document]
    read: list[Document]
    halves: dict[str, list[Document]]


def find(
    gold: Sequence[Document],
    model: Model,
    *,
    end_to_end: bool = True,
    stages: bool = False,
    on_error: OnError | None = None,
) -> Found:
    """Run a model over gold documents; one that fails comes out with nothing in it.

    `end_to_end` asks for what comes from text alone, each step on what the one before said,
    `stages` also for relations from half gold input (two more runs of the relation model).
    """
    tagged = list(model.tag(map(text_only, gold), on_error=on_error))
    linked = list(model.link(map(without_ids, gold), on_error=on_error))
    related = list(model.relate(map(with_given_entities, gold), on_error=on_error))
    named, read = list[Document](), list[Document]()
    halves: dict[str, list[Document]] = {}
    if end_to_end:
        named = list(model.link(tagged, on_error=on_error))
        read = list(model.relate(named, on_error=on_error))
        if stages:
            golds = by_id(gold, side="gold")
            ideal = [waterfall.with_gold_ids(golds[d.id], d) for d in tagged]
            halves = {
                "gold_mentions_predicted_ids": list(model.relate(linked, on_error=on_error)),
                "predicted_mentions_gold_ids": list(model.relate(ideal, on_error=on_error)),
            }
    return Found(
        tagged=tagged, linked=linked, related=related, named=named, read=read, halves=halves
    )


def evaluate(
    gold: Sequence[Document],
    model: Model,
    *,
    end_to_end: bool = True,
    stages: bool = False,
    align: Alignment = "ids",
    on_error: OnError | None = None,
) -> Scores:
    """Score a model's mentions, its ids and relations on gold input and, apart, those from text.

    The arguments are those of `find` and `score_found`.
    """
    found = find(gold, model, end_to_end=end_to_end, stages=stages, on_error=on_error)
    return score_found(gold, found, model, align=align)


def score_found(
    gold: Sequence[Document], found: Found, model: Model, *, align: Alignment = "ids"
) -> Scores:
    """Score what a model has found.

    "ner" are mentions from text, "linking" ids of gold mentions, "relations" those between gold
    concepts. From text alone there are "mention_ids", "concepts" and, under "end_to_end",
    relations; `align` says how their concepts are brought to gold ids. What each step costs stands
    under "waterfall", "right_pairs" and "inputs", where half gold input was asked for.
    """
    known = model.knows if isinstance(model, Knowing) else None
    parts = [
        under(correct.score(gold, found.tagged), "ner"),
        where_ids(linking.score_given(gold, found.linked, known=known), gold, found.linked),
        under(correct.score(gold, found.related), "relations"),
    ]
    if found.read:
        parts.append(where_ids(linking.score_concepts(gold, found.named), gold, found.named))
        parts.append(score_end_to_end(gold, found.read, align=align))
    if found.halves:
        parts.append(waterfall.score(gold, brought(gold, found.read, align=align)))
        parts.append(waterfall.score_alone(gold, found.related))
        parts += [_inputs(name, gold, half, align=align) for name, half in found.halves.items()]
    return joined(parts[0], *parts[1:])


def score_predictions(
    gold: Sequence[Document],
    predicted: Sequence[Document],
    *,
    align: Alignment = "ids",
    from_text: bool = False,
) -> Scores:
    """Score any system's finished predictions: mentions, ids and relations.

    `from_text` says that nothing of the gold was given: the relations stand under "end_to_end",
    and which of mentions, ids, pairs, types and novelties has lost them under "waterfall".
    """
    parts = [
        under(correct.score(gold, predicted), "ner"),
        where_ids(linking.score_concepts(gold, predicted), gold, predicted),
        where_ids(linking.score_given(gold, predicted, only_found=True), gold, predicted),
    ]
    near = brought(gold, predicted, align=align)
    if from_text:
        parts.append(score_end_to_end(gold, predicted, align=align))
        parts.append(waterfall.score(gold, near))
    else:
        parts.append(under(correct.score(gold, near), "relations"))
    return joined(parts[0], *parts[1:])


def score_end_to_end(
    gold: Sequence[Document], predicted: Sequence[Document], *, align: Alignment = "ids"
) -> Scores:
    """Score relations between predicted concepts, all measures under "end_to_end".

    What the other way to bring concepts to gold ids gives stands under "end_to_end_mentions" or
    "end_to_end_ids".
    """
    other: Alignment = "mentions" if align == "ids" else "ids"
    scores = under(
        correct.score(gold, brought(gold, predicted, align=align)), "relations", "end_to_end"
    )
    again = correct.score(gold, brought(gold, predicted, align=other))
    beside = {
        (f"end_to_end_{other}", measure): again.counts["relations", measure]
        for measure in correct.MEASURES
    }
    notes = {f"end to end: {note}": number for note, number in scores.notes.items()}
    local = sum(is_local(r.head) or is_local(r.tail) for d in predicted for r in d.relations)
    if local and align == "ids":
        notes["end to end: relations with a local id, which equals no gold id"] = local
    return replace(scores, counts=scores.counts | beside, notes=notes)


def brought(
    gold: Iterable[Document], predicted: Iterable[Document], *, align: Alignment
) -> list[Document]:
    """Return the predicted documents with the ids by which their concepts meet the gold's."""
    return align_all(gold, predicted) if align == "mentions" else list(predicted)


def under(scores: Scores, name: str, *place: str) -> Scores:
    """Return the measures that stand under a name, or bring them from there to another place.

    Notes are about relations, so they go with these only.
    """
    counts = {
        (*(place or (name,)), *path[1:]): found
        for path, found in scores.counts.items()
        if path[0] == name
    }
    return replace(scores, counts=counts, notes=scores.notes if name == "relations" else {})


def where_ids(scores: Scores, gold: Iterable[Document], predicted: Iterable[Document]) -> Scores:
    """Return scores of ids; where one side has none at all only the notes are left."""
    both = linking.have_ids(gold) and linking.have_ids(predicted)
    return scores if both else replace(scores, counts={})


def _inputs(
    name: str, gold: Sequence[Document], related: Iterable[Document], *, align: Alignment
) -> Scores:
    scores = under(correct.score(gold, brought(gold, related, align=align)), "relations")
    counts = {
        ("inputs", name, measure): scores.counts["relations", measure]
        for measure in correct.MEASURES
    }
    return replace(scores, counts=counts, notes={})
