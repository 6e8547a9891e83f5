"""Strict F1 of mentions, as seqeval has it; spans, types, documents that one side lacks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from seqeval.metrics import f1_score as seqeval_f1
from seqeval.scheme import IOB2

from bluered.documents.document import Document, Entity, Span
from bluered.errors import BlueredError
from bluered.tasks.scoring import score

from ..made_up import MENTIONS, made_up, mentions

TAGS = st.lists(st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"]), min_size=8, max_size=8)


def tagged(name: str, tags: list[str]) -> Document:
    """Return the mentions of strict IOB2 tags, one character a token."""
    entities, n = [], 0
    while n < len(tags):
        if tags[n].startswith("B-"):
            end = n + 1
            while end < len(tags) and tags[end] == f"I-{tags[n][2:]}":
                end += 1
            entities.append(Entity(type=tags[n][2:], spans=(Span(n, end),), text=""))
            n = end
        else:
            n += 1
    return Document(id=name, text="", entities=tuple(entities))


@given(st.lists(st.tuples(TAGS, TAGS), min_size=1, max_size=6))
@settings(max_examples=40, deadline=None)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_mentions_equal_seqevals_in_strict_mode(pairs):
    gold = [tagged(f"d{n}", one) for n, (one, _) in enumerate(pairs)]
    predicted = [tagged(f"d{n}", other) for n, (_, other) in enumerate(pairs)]
    task = made_up("named-entities", "mention-f1", types="X Y")
    truth, said = map(list, zip(*pairs, strict=True))
    if not any(d.entities for d in gold) and not any(d.entities for d in predicted):
        return
    micro = seqeval_f1(truth, said, mode="strict", scheme=IOB2, zero_division=0)
    assert score(task, gold, predicted).score == pytest.approx(micro)


@pytest.mark.parametrize(
    ("predicted", "counts"),
    [
        (mentions(d="1-4 6-9+11-12", e="0-2"), (3, 0, 0)),
        (mentions(d="1-4 11-12+6-9", e="0-2"), (3, 0, 0)),
        (mentions(d="1-4 6-9", e="0-2"), (2, 1, 1)),
        (mentions(d="1-5", e="0-2"), (1, 1, 2)),
        (mentions(d="1-4 1-4 1-4", e="0-2 0-2 3-4 3-4"), (2, 1, 1)),
        (mentions(d="1-4"), (1, 0, 2)),
        (mentions(e="0-2", x="1-4 2-3"), (1, 2, 2)),
        (mentions("DISEASE", d="1-4"), (1, 0, 2)),
        (mentions("", d="1-4"), (1, 0, 2)),
    ],
)
def test_mentions_are_strict_sets_per_document(predicted, counts):
    gold = mentions(d="1-4 6-9+11-12", e="0-2")
    details = score(MENTIONS, gold, predicted).details
    assert (details["tp"], details["fp"], details["fn"]) == counts


def test_mentions_of_other_types_are_left_out_and_noted():
    gold = mentions(d="1-4")
    both = [replace(gold[0], entities=(*gold[0].entities, *mentions("Gene", d="7-9")[0].entities))]
    result = score(MENTIONS, both, both)
    assert (result.score, result.details["tp"]) == (1, 1)
    assert result.notes == {"predicted mentions of other types than the task's, left out": 1}


def test_missing_unknown_and_repeated_are_noted():
    result = score(MENTIONS, mentions(d="1-4", e="2-3"), mentions(d="1-4 1-4", x="1-2"))
    assert sorted(result.notes.values()) == [1, 1, 1]
    assert result.details["document_mean_f1"] == pytest.approx(1 / 3)


def test_macro_over_types():
    task = made_up("named-entities", "macro-f1", types="X Y")
    gold = [*mentions("X", d="1-4"), *mentions("Y", e="2-3 5-6")]
    result = score(task, gold, mentions("X", d="1-4"))
    assert result.score == result.details["macro"]["f1"] == 0.5
    assert result.details["by_type"]["Y"]["fn"] == 2


def test_mentions_of_no_type_that_is_asked_for_are_refused():
    with pytest.raises(BlueredError, match=r"of a type of made-up \(Disease\): found Gene"):
        score(MENTIONS, mentions(d="1-4"), mentions("Gene", d="1-4"))


def test_other_documents_and_repeated_ones_are_refused():
    with pytest.raises(BlueredError, match=r"no document of the prediction \(x\) is in the gold"):
        score(MENTIONS, mentions(d="1-4"), mentions(x="1-4"))
    with pytest.raises(BlueredError, match="document d stands twice in the prediction"):
        score(MENTIONS, mentions(d="1-4"), mentions(d="1-4") * 2)
    with pytest.raises(BlueredError, match="the gold holds no document"):
        score(MENTIONS, [], mentions(d="1-4"))


def test_nothing_predicted_is_all_missed():
    assert score(MENTIONS, mentions(d="1-4"), []).score == 0
