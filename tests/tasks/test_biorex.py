"""`--scorer biorex` counts what BioREx's evaluator counts, quirk by quirk."""

import pytest

from bluered.documents.document import Document
from bluered.formats import pubtator
from bluered.tasks.biored import biorex, correct

from .originals import CASES, FOLDER, ORIGINALS, figures
from .perturb import from_bytes

MEASURES = ("typed", "binary")


def invented(name: str) -> list[Document]:
    return from_bytes((FOLDER / "data" / f"{name}.pubtator").read_bytes())


@pytest.mark.parametrize("names", ORIGINALS["invented"])
def test_counts_equal_the_originals_on_invented_files(names):
    gold, predicted = map(invented, names.split())
    expected = ORIGINALS["invented"][names].biorex
    assert figures(biorex.score(gold, predicted), *MEASURES) == expected


@pytest.mark.parametrize(("split", "name"), CASES, indirect=["split"])
def test_counts_equal_the_originals_on_perturbed_gold(split, name):
    gold, predicted = split.gold, split.predicted(name)
    expected = ORIGINALS[split.name][name].biorex
    scores = biorex.score(gold, predicted)
    if expected is None:
        assert scores.notes["relations with an unknown id: the original stops there"] > 0
    else:
        assert figures(scores, *MEASURES) == expected


@pytest.mark.parametrize(("split", "name"), CASES, indirect=["split"])
def test_without_quirks_it_counts_like_the_clean_rule(split, name):
    gold, predicted = split.gold, split.predicted(name)
    clean = correct.score(gold, predicted)
    bare = biorex.score(gold, predicted, quirks=())
    assert bare.total("typed") == clean.total("relations", "type")
    assert bare.total("binary") == clean.total("relations", "pair")


@pytest.mark.parametrize("names", ORIGINALS["invented"])
def test_moves_add_up_to_the_whole_difference(names):
    gold, predicted = map(invented, names.split())
    clean = correct.score(gold, predicted)
    scores = biorex.score(gold, predicted)
    for measure, same in (("typed", "type"), ("binary", "pair")):
        moved = [step.moved[measure] for step in biorex.moves(gold, predicted)]
        start, end = clean.total("relations", same), scores.total(measure)
        assert start.tp + sum(m.tp for m in moved) == end.tp
        assert start.fp + sum(m.fp for m in moved) == end.fp
        assert start.fn + sum(m.fn for m in moved) == end.fn


@pytest.mark.parametrize("split", ["test"], indirect=True)
@pytest.mark.parametrize(
    ("perturbation", "quirk"),
    [
        ("identical", "five_pairs"),
        ("mentions_retyped", "types_must_agree"),
        ("short_type_names", "names_as_written"),
        ("lower_case_types", "names_as_written"),
        ("multiple_ids", "ids_split"),
        ("at_signs", "at_sign"),
        ("novelty_and_score", "six_columns"),
        ("unknown_ids", "unknown_ids"),
        ("double_blank_lines", "blank_lines"),
        ("some_blank_lines_missing", "blank_lines"),
        ("missing_documents", "missing_documents"),
    ],
)
def test_each_quirk_moves_counts_where_its_cause_is_present(split, perturbation, quirk):
    steps = biorex.moves(split.gold, split.predicted(perturbation))
    moved = {step.quirk.name for step in steps if any(step.moved.values())}
    assert quirk in moved
    allowed = {quirk, "five_pairs"}
    if perturbation == "some_blank_lines_missing":  # and their documents are missed by nobody
        allowed |= {"missing_documents"}
    assert moved <= allowed


def test_half_the_documents_missing_still_give_full_marks(split):
    """The quirk that matters most: the original prints F1 1.000 for half a prediction."""
    gold = split.gold
    half = gold[: len(gold) // 2]
    assert biorex.score(gold, half).total("binary").f1 == 1
    assert correct.score(gold, half).total("relations", "pair").f1 < 0.75


def test_966_of_1163_test_relations_count(data_dir):
    with (data_dir / "biored" / "Test.PubTator").open("rb") as stream:
        gold = list(pubtator.read(stream))
    assert biorex.score(gold, gold).total("typed").tp == 966
    assert correct.score(gold, gold).total("relations", "type").tp == 1163
