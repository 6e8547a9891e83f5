"""A task of a benchmark, scored on a split of its corpus: the figure, or why there is none."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bluered.corpora.added import added, damaged
from bluered.corpora.catalog import Task
from bluered.corpora.entry import Corpus
from bluered.corpora.leakage import Leak, leaks
from bluered.corpora.locate import missing, remedy
from bluered.documents.examples import Example
from bluered.metrics.resampling import interval
from bluered.metrics.signature import gold_hash
from bluered.metrics.significance import Interval
from bluered.tasks.deviations import deviations
from bluered.tasks.examples import examples
from bluered.tasks.results import Result
from bluered.tasks.scoring import Scorer, measure, score

Answer = Callable[[Sequence[Example]], Iterable[Example]]
"""Give the answers to the examples of a split: a file that is read, or a model that is asked."""


class Seen(Struct, frozen=True, kw_only=True):
    """What of the test split was trained on, and the score on the rest.

    `units` are the documents or pairs that were seen; `score` and `interval` are None where
    nothing is left, or where the scorer's figure is not one of sums over documents.
    """

    leaks: tuple[Leak, ...]
    units: int
    of: int
    score: float | None = None
    interval: Interval | None = None


class Row(Struct, frozen=True, kw_only=True):
    """One task: its result, or the reason why it has none; `gold` is the hash of what is asked.

    `differs` says in what the data are not those that the published figures are about.
    """

    task: Task
    split: str
    result: Result | None = None
    reason: str = ""
    gold: str = ""
    differs: tuple[str, ...] = ()
    seen: Seen | None = None


def left_out(row: Row) -> str:
    """Return why a figure stands beside no published one and in no mean, "" if it does."""
    if row.result is None or row.result.score is None:
        return "no figure"
    if row.differs:
        return f"not the data that was published ({'; '.join(row.differs)})"
    if row.result.metric != row.task.entry.metric:
        return f"{row.result.metric} is not the task's own metric, {row.task.entry.metric}"
    return ""


def absent(entry: Corpus) -> str:
    """Return why a corpus cannot be scored on here and what to do, "" if it can."""
    lacking = missing(entry)
    if not lacking:
        return ""
    if entry.name in {*added(), *damaged()}:
        return f"{lacking[0].path} is not on this machine {remedy(entry, lacking[0])}"
    if entry.access == "open":
        return f"not on this machine: bluered corpora fetch {entry.name}"
    return f"needs agreement: {entry.obtain or entry.home}"


def evaluate(
    task: Task,
    split: str,
    answer: Answer,
    *,
    scorer: Scorer = "correct",
    trained_on: Sequence[str] = (),
) -> Row:
    """Score the answers to a split, with the interval; `trained_on` is what the model card says."""
    gold = list(examples(task, split))
    answered = list(answer(gold))
    found = leaks(task.corpus, split, trained_on) if trained_on else []
    return Row(
        task=task,
        split=split,
        result=score(task, gold, answered, scorer=scorer, with_interval=True),
        gold=gold_hash(gold),
        differs=tuple(deviations(task, split, gold)),
        seen=_seen(task, gold, answered, found=found, scorer=scorer) if found else None,
    )


def _seen(
    task: Task,
    gold: Sequence[Example],
    answered: Sequence[Example],
    *,
    found: Sequence[Leak],
    scorer: Scorer,
) -> Seen:
    """Return the score without the documents (or pairs) of which a text was trained on."""
    measured = measure(task, gold, answered, scorer=scorer)
    if task.entry.type in ("sentence-similarity", "inference"):
        found = [_of_pairs(leak) for leak in found]
    texts = {text for leak in found for text in leak.texts}
    rest = [number for number, unit in enumerate(measured.units) if unit not in texts]
    seen = Seen(leaks=tuple(found), units=len(measured.units) - len(rest), of=len(measured.units))
    if not rest or not seen.units:
        return seen
    table = measured.table[rest]
    return Seen(
        leaks=seen.leaks,
        units=seen.units,
        of=seen.of,
        score=float(measured.statistic(table.sum(axis=0))),
        interval=interval(table, measured.statistic),
    )


def _of_pairs(leak: Leak) -> Leak:
    """Return the pairs instead of their texts, which bluered.corpora.texts numbers."""
    return replace(leak, texts=tuple(dict.fromkeys(t.rpartition(".")[0] for t in leak.texts)))
