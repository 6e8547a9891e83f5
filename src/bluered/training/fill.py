"""Filling a matrix: every cell that is not there is trained and scored; finished ones are left."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from bluered.corpora.catalog import task
from bluered.errors import BlueredError
from bluered.tasks.benchmark import absent
from bluered.tasks.cells import Cell, Gap, read_cell
from bluered.training.cell import Done, Work, cell_path
from bluered.training.matrix import Asked
from bluered.training.plan import Plan, has_seed, plan, write_recipes

Say = Callable[[str], None]
"""Tell the user how far it is."""

Do = Callable[[Work], Done]
"""Do a piece of work, in a process of its own."""

KILLED = 9
"""The signal by which Linux ends a process when there is no memory left."""


def fill(
    asked: Sequence[Asked],
    folder: Path,
    *,
    split: str = "test",
    train: bool = True,
    say: Say = lambda _: None,
    do: Do | None = None,
) -> Iterator[Cell | Gap]:
    """Yield the cells in their order, trained below `folder` where they are not there yet.

    One that cannot be had yields its reason and stops nothing. Without `train` only what is there
    is read. A recipe that comes out alike with every seed is run with the first.
    """
    do = do or in_process
    planned = [_planned(each, folder) for each in _distinct(asked)]
    states = [_state(each, split) for each in planned]
    plans = [
        each
        for each, state in zip(planned, states, strict=True)
        if isinstance(each, Plan) and state is None
    ]
    lacking = _lacking(plans, do) if train and plans else {}
    number = 0
    for each, state in zip(planned, states, strict=True):
        if state is not None or not isinstance(each, Plan):
            assert state is not None
            yield state
            continue
        number += 1
        reason = next((lacking[name] for name in each.encoders if lacking.get(name)), "")
        if not train:
            reason = "not trained yet"
        elif not reason:
            say(f"[{number}/{len(plans)}] {each.title} ...")
            reason = _run(each, split, do)
            if reason:
                say(f"[{number}/{len(plans)}] {each.title}: {reason}")
        yield _result(each, split, reason)


def _distinct(asked: Sequence[Asked]) -> Iterator[Asked]:
    """Yield the cells, one only of those that would come out alike."""
    seen: set[tuple[str, Path]] = set()
    for each in asked:
        key = (each.row.name, each.recipe)
        try:
            alike = not has_seed(each.recipe)
        except BlueredError:
            alike = True  # one reason is enough
        if key in seen and alike:
            continue
        seen.add(key)
        yield each


def _planned(asked: Asked, folder: Path) -> Plan | Gap:
    try:
        found = plan(asked, folder)
        task(found.task)
        return found
    except BlueredError as error:
        return Gap(
            row=asked.row.name,
            recipe=asked.name,
            seed=asked.seed,
            task="",
            reason=str(error),
        )


def _state(each: Plan | Gap, split: str) -> Cell | Gap | None:
    """Return a cell that is there, or why it will never be; None for one that is to be run."""
    if isinstance(each, Gap):
        return each
    try:
        found = read_cell(cell_path(each.folder, each.name, split))
        if found is None:
            reason = absent(task(each.task).corpus)
            return _gap(each, reason) if reason else None
    except BlueredError as error:
        return _gap(each, str(error))
    if found.digest != each.digest:
        held = f"{each.folder / each.name} holds a run of another recipe"
        return _gap(each, f"{held}: remove that folder and {each.name}.{split}.json")
    return found


def _lacking(plans: Sequence[Plan], do: Do) -> dict[str, str]:
    """Return the encoders that cannot be had here, each with its reason."""
    encoders = tuple(dict.fromkeys(name for each in plans for name in each.encoders))
    if not encoders:
        return {}
    done = do(Work(what="check", encoders=encoders))
    return dict.fromkeys(encoders, done.reason) if done.reason else done.encoders


def _run(each: Plan, split: str, do: Do) -> str:
    """Train and ask a cell's model; return the reason why not, "" if all went well."""
    write_recipes(each)
    work = Work(
        what="train",
        recipes=tuple((str(stage.path), str(stage.runs)) for stage in each.stages),
        folder=str(each.folder),
        name=each.name,
        split=split,
        row=each.row,
        seed=each.seed,
        task=each.task,
        encoder=each.encoder,
        digest=each.digest,
    )
    return do(work).reason or do(msgspec.structs.replace(work, what="answer")).reason


def _result(each: Plan, split: str, reason: str) -> Cell | Gap:
    found = None if reason else read_cell(cell_path(each.folder, each.name, split))
    return _gap(each, reason or "its process left no scores") if found is None else found


def _gap(each: Plan, reason: str) -> Gap:
    return Gap(row=each.row, recipe=each.name, seed=each.seed, task=each.task, reason=reason)


def in_process(work: Work) -> Done:
    """Do a piece of work in a process of its own; what it says goes to stderr."""
    command = [sys.executable, "-m", "bluered.training.cell", msgspec.json.encode(work).decode()]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)  # noqa: S603 - our own
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    try:
        return msgspec.json.decode(lines[-1] if lines else "", type=Done)
    except msgspec.DecodeError:
        return Done(reason=ended(done.returncode))


def ended(status: int) -> str:
    """Return how a process ended that said nothing."""
    if status == -KILLED:
        return "its process was killed (signal 9): was there too little memory?"
    if status < 0:
        return f"its process was ended by signal {-status}"
    return f"its process ended with status {status}: what it said stands above"
