"""`--scorer blue` prints what BLUE's scripts print, to every digit, from the same files."""

from math import isnan
from pathlib import Path

import numpy as np
import pytest

from bluered.corpora.catalog import task
from bluered.errors import BlueredError
from bluered.tasks.answers import read
from bluered.tasks.results import Result
from bluered.tasks.scoring import score, shifts

from .blue_originals import ORIGINALS
from .blue_perturb import GOLDS, INVENTED, PERTURBATIONS, Rows, as_file, header

REFUSED = {
    *("dropped", "first_half", "duplicated", "backwards"),
    *("some_missing", "some_not_a_number", "unknown_label"),
}
CASES = [(name, case) for name, cases in ORIGINALS.items() for case in cases]


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("blue")


@pytest.fixture(scope="session")
def golds() -> dict[str, Rows]:
    return {}


@pytest.fixture
def files(request, golds, folder, monkeypatch):
    """Write the gold and one prediction of a task as BLUE's scripts read them."""

    def write(name: str, case: str) -> tuple[Path, Path]:
        if name not in INVENTED:
            monkeypatch.setenv("BLUERED_DATA", str(request.getfixturevalue("data_dir")))
        if name not in golds:
            golds[name] = GOLDS[name]()
        names = header(golds[name])
        gold, predicted = (folder / f"{name}.{end}.tsv" for end in ("gold", case))
        gold.write_text(as_file(golds[name], names))
        predicted.write_text(as_file(PERTURBATIONS[name][case](golds[name]), names))
        return gold, predicted

    return write


def scored(name: str, gold: Path, predicted: Path) -> Result:
    one = task(name)
    sides = read(one, gold, rules="blue"), read(one, predicted, rules="blue")
    return score(one, *sides, scorer="blue")


def test_every_perturbation_has_an_original_figure():
    assert {name: set(cases) for name, cases in ORIGINALS.items()} == {
        name: set(cases) for name, cases in PERTURBATIONS.items()
    }


@pytest.mark.parametrize(("name", "case"), CASES)
def test_printed_figures_equal_the_originals(files, name, case):
    expected = ORIGINALS[name][case]
    if isinstance(expected, str):
        assert stopped(name, *files(name, case))
        return
    printed = scored(name, *files(name, case)).details["printed"]
    assert printed
    if name == "biosses":
        check_correlation(printed, expected)
    else:
        assert list(filter(None, printed)) == list(filter(None, expected))


def stopped(name: str, gold: Path, predicted: Path) -> bool:
    """Tell whether we say that the script stops: beside a score of ours, or without one."""
    try:
        result = scored(name, gold, predicted)
    except BlueredError as error:
        return "stops here: " in str(error) or "compares rows in their order" in str(error)
    notes = [note for note in result.notes if " stops here: " in note]
    return bool(notes) and result.details["printed"] == []


def check_correlation(printed: list[list[str]], expected: list[list[str]]) -> None:
    """Compare all digits but those that depend on how a processor sums up."""
    (*words, ours), (*same, original) = printed[0], expected[0]
    assert words == same
    assert float(ours) == pytest.approx(float(original), abs=2e-15, rel=0, nan_ok=True)


@pytest.mark.parametrize("case", ["rounded", "noise", "some_missing", "constant_with_digits"])
def test_the_correlation_is_pandas_to_the_last_digit(files, case):
    """Which is numpy's corrcoef up to pandas 3.0."""
    gold, predicted = files("biosses", case)
    columns = (
        [float(line.split("\t")[1] or "nan") for line in path.read_text().splitlines()[1:]]
        for path in (gold, predicted)
    )
    table = np.array(list(columns))
    x, y = table[:, ~np.isnan(table).any(axis=0)]
    printed = scored("biosses", gold, predicted).details["printed"]
    assert printed == [["Pearson", "correlation:", str(np.corrcoef(x, y)[0, 1])]]


@pytest.mark.parametrize(
    ("name", "case"),
    [(name, case) for name, case in CASES if name not in ("bc5cdr-chemical", "chemprot")],
)
def test_quirks_lead_from_the_stated_rule_to_the_original(files, name, case):
    one = task(name)
    gold, predicted = (read(one, path, rules="blue") for path in files(name, case))
    try:
        start, end = (score(one, gold, predicted, scorer=rule) for rule in ("correct", "blue"))
    except BlueredError:  # repeated or missing rows, which one of them refuses
        assert case in REFUSED
        return
    moved = sum(shift.moved["score"] for shift in shifts(one, gold, predicted))
    if start.score is None or end.score is None:
        assert isnan(moved) or moved == 0
    else:
        assert start.score + moved == pytest.approx(end.score, abs=1e-12)
