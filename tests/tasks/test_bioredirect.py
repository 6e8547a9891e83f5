"""`--scorer bioredirect` counts what BioREDirect's evaluator counts."""

import pytest
from msgspec.structs import replace

from bluered.documents.document import Document
from bluered.tasks.biored import bioredirect, bioredirect_quirks, correct

from .originals import CASES, FOLDER, ORIGINALS, figures
from .perturb import each, from_bytes

ROWS = "candidate rows (pairs of ids)"


def invented(name: str) -> list[Document]:
    return from_bytes((FOLDER / "data" / f"{name}.pubtator").read_bytes())


def check(gold: list[Document], predicted: list[Document], expected: dict) -> None:
    scores = bioredirect.score(gold, predicted)
    assert {"rows": scores.notes[ROWS]} | figures(scores, *bioredirect.MEASURES) == expected


@pytest.mark.parametrize("names", ORIGINALS["invented"])
def test_counts_equal_the_originals_on_invented_files(names):
    gold, predicted = map(invented, names.split())
    check(gold, predicted, ORIGINALS["invented"][names].bioredirect)


@pytest.mark.parametrize(
    ("split", "name"),
    [case for case in CASES if ORIGINALS["test"][case[1]].bioredirect],
    indirect=["split"],
)
def test_counts_equal_the_originals_on_perturbed_gold(split, name):
    expected = ORIGINALS[split.name][name].bioredirect
    check(split.gold, split.predicted(name), expected)


@pytest.mark.parametrize("names", ORIGINALS["invented"])
def test_moves_start_at_the_clean_rule_and_end_at_the_originals(names):
    gold, predicted = map(invented, names.split())
    clean = correct.score(gold, predicted)
    scores = bioredirect.score(gold, predicted)
    steps = bioredirect_quirks.moves(gold, predicted)
    for measure, same in bioredirect_quirks.CLEAN.items():
        moved = [step.moved[measure] for step in steps]
        start, end = clean.total("relations", same), scores.total(measure)
        assert start.tp + sum(m.tp for m in moved) == end.tp
        assert start.fp + sum(m.fp for m in moved) == end.fp
        assert start.fn + sum(m.fn for m in moved) == end.fn


@pytest.mark.parametrize(
    ("gold", "predicted", "quirks"),
    [
        ("gold", "pred", {"candidate_rows", "novel_by_default", "one_label", "labels_of_gold"}),
        ("gold_two_types", "pred", {"labels_of_gold", "row_per_type", "association_of_gold"}),
    ],
)
def test_each_quirk_moves_counts_where_its_cause_is_present(gold, predicted, quirks):
    steps = bioredirect_quirks.moves(invented(gold), invented(predicted))
    assert quirks <= {step.quirk.name for step in steps if any(step.moved.values())}


def test_a_wrong_direction_is_seen_by_rel_dir_alone():
    """The relaxed measures of direction repeat those of novelty, as in the original."""
    gold = each(invented("gold"), lambda _, r: [replace(r, roles=("Subject", "Object"))])
    turned = each(gold, lambda _, r: [replace(r, roles=("Object", "Subject"))])
    scores = bioredirect.score(gold, turned)
    assert scores.total("rel").f1 == scores.total("rel_nov").f1 == 1
    assert scores.total("rel_dir").tp == scores.total("all").tp == 0
    assert scores.total("relaxed_rel_dir").f1 == scores.total("relaxed_all").f1 == 1
