"""The figures of a cell: answers to a task's split, scored as `bluered bench` scores them."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from bluered.corpora.catalog import Task, split_files
from bluered.corpora.leakage import leaks
from bluered.corpora.locate import is_published, split_paths
from bluered.documents.document import Document
from bluered.documents.examples import Example
from bluered.errors import BlueredError
from bluered.metrics.counts import Counts, total
from bluered.metrics.signature import gold_hash
from bluered.metrics.significance import f1_interval
from bluered.tasks.benchmark import Answer, evaluate, left_out
from bluered.tasks.biored import correct
from bluered.tasks.cells import NER, RELATIONS, Figure
from bluered.tasks.examples import examples
from bluered.tasks.scores import Scores

BIORED = "biored"
"""The metric of BioRED's task, which has several figures."""


class Scored(Struct, frozen=True, kw_only=True):
    """What is known of a cell from its answers alone; the fields are those of Cell."""

    metric: str
    figures: dict[str, Figure]
    units: int
    gold: str
    differs: tuple[str, ...]
    left_out: str
    seen: int
    notes: dict[str, int]


def scored(task: Task, split: str, answer: Answer, *, trained_on: Sequence[str] = ()) -> Scored:
    """Score the answers to a split by our rule, with 95% intervals."""
    if task.entry.metric == BIORED:
        return _of_biored(task, split, answer, trained_on)
    row = evaluate(task, split, answer, trained_on=trained_on)
    result = row.result
    assert result is not None  # noqa: S101 - a split that cannot be scored is an error
    figure = Figure(score=result.score, interval=result.interval, details=result.details)
    return Scored(
        metric=result.metric,
        figures={result.metric: figure},
        units=result.units,
        gold=row.gold,
        differs=row.differs,
        left_out=left_out(row),
        seen=row.seen.units if row.seen else 0,
        notes=result.notes,
    )


def _of_biored(task: Task, split: str, answer: Answer, trained_on: Sequence[str]) -> Scored:
    """Score documents: the mentions of a tagger, or relations between the entities of the gold."""
    gold = [example for example in examples(task, split) if isinstance(example, Document)]
    answered = _documents(answer(gold))
    scores = correct.score(gold, answered)
    relates = given_entities(gold, answered)
    figures = _relations(scores) if relates else {NER: _figure(scores.counts["ner", "overall"])}
    paths = zip(split_paths(task.corpus, split), split_files(task.corpus, split), strict=True)
    differs = tuple(
        f"{path.name} is not the published file (sha256 differs)"
        for path, file in paths
        if not is_published(path, file)
    )
    found = leaks(task.corpus, split, trained_on) if trained_on else []
    return Scored(
        metric="all" if relates else NER,
        figures=figures,
        units=len(gold),
        gold=gold_hash(gold),
        differs=differs,
        left_out=f"not the data that was published ({'; '.join(differs)})" if differs else "",
        seen=len({text for leak in found for text in leak.texts}),
        notes=scores.notes if relates else {},
    )


def _documents(answered: Any) -> list[Document]:  # noqa: ANN401 - checked here
    found = list(answered)
    if any(not isinstance(document, Document) for document in found):
        raise BlueredError("the answers to BioRED's task are to be documents")
    return found


def given_entities(gold: Sequence[Example], answered: Sequence[Example]) -> bool:
    """Tell whether answers hold the gold's entities with their ids, as a relation model keeps them.

    A tagger finds mentions without ids.
    """
    pairs = zip(gold, answered, strict=False)
    return len(gold) == len(answered) and all(
        isinstance(one, Document) and isinstance(other, Document) and one.entities == other.entities
        for one, other in pairs
    )


def _relations(scores: Scores) -> dict[str, Figure]:
    return {name: _figure(scores.counts["relations", name]) for name in RELATIONS}


def _figure(documents: Sequence[Counts]) -> Figure:
    counts = total(documents)
    ratios = {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}
    return Figure(
        score=counts.f1,
        interval=f1_interval(documents),
        details=asdict(counts) | ratios,
    )
