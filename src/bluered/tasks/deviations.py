"""Where the data that a task is scored on are not those its figures were published on."""

from collections.abc import Iterator, Sequence

from bluered.corpora.catalog import Task, split_files
from bluered.corpora.locate import is_published, split_paths
from bluered.corpora.validation import split_faults
from bluered.documents.examples import Example
from bluered.tasks.counts import COUNTED, to_find_in


def deviations(task: Task, split: str, gold: Sequence[Example]) -> Iterator[str]:
    """Yield one line for each file or count of a split that is not the expected one.

    A copy of a corpus under an agreement (`corpora add --anyway` takes one with other counts) has
    no hashes to compare: all its counts are looked at instead.
    """
    files = split_files(task.corpus, split)
    for path, file in zip(split_paths(task.corpus, split), files, strict=True):
        if not is_published(path, file):
            yield f"{path.name} is not the published file (sha256 differs)"
    expected, found = task.entry.counts.get(split), to_find_in(task, gold)
    if expected not in (None, found):
        yield f"{COUNTED[task.entry.type]}: expected {expected}, found {found}"
    elif not all(file.sha256 for file in files):
        yield from (fault.message for fault in split_faults(task.corpus, split))
