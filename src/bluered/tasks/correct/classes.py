"""Which labels a task counts, and what is done with one it does not know."""

from collections.abc import Iterable

from bluered.corpora.catalog import Task
from bluered.errors import BlueredError, unknown_name


def counted_labels(task: Task, seen: Iterable[str]) -> tuple[str, ...]:
    """Return the labels that count, in the entry's order; those seen if the entry names none."""
    if task.entry.labels:
        return task.entry.labels
    return tuple(sorted(set(seen) - {task.entry.negative}))


def known_labels(task: Task) -> tuple[str, ...]:
    """Return every label that may be answered, the negative one too; empty if any may."""
    if not task.entry.labels:
        return ()
    negative = task.entry.negative
    return (*task.entry.labels, negative) if negative else task.entry.labels


def may_quote(task: Task) -> bool:
    """Tell whether messages may show what stands in a file.

    Not of a corpus under an agreement: where columns are mixed up, that may be a patient's record.
    """
    return task.corpus.access != "agreement"


def label_fault(task: Task, label: str) -> str | None:
    """Return what is wrong with an answered label, or None."""
    known = known_labels(task)
    if not label:
        return "the label is empty" + (f"; one of {', '.join(known)} is expected" if known else "")
    if not known or label in known:
        return None
    fault = unknown_name(f"label of {task.name}", label, list(known))
    return fault if may_quote(task) else fault.replace(f" '{label}'", " like this", 1)


def check_label(task: Task, label: str | None, *, side: str, example: str) -> str:
    """Return the label, or raise BlueredError if it is missing or not one of the task's."""
    if label is None:
        raise BlueredError(f"{example} has no label in the {side}")
    fault = label_fault(task, label)
    if fault:
        raise BlueredError(f"{example} in the {side}: {fault}")
    return label
