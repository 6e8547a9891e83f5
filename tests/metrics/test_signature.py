"""The signature names what was scored, and its hash changes with the gold."""

import random

import pytest
from msgspec.structs import replace

from bluered.documents.document import Entity, Relation, Span, simple_document
from bluered.metrics.signature import gold_hash, signature

DOCUMENT = replace(
    simple_document("1", "Olmatin and rash.", "Olmatin gives rash."),
    entities=(
        Entity(type="ChemicalEntity", spans=(Span(0, 7),), text="Olmatin", concepts=("D002",)),
        Entity(type="ChemicalEntity", spans=(Span(18, 25),), text="Olmatin", concepts=("D002",)),
    ),
    relations=(Relation(type="Association", head="D002", tail="D102", novel=True),),
)


def test_unknown_fields_are_left_out_and_bars_kept_apart():
    fields = {"task": "biored", "split": None, "system": "a|b c", "docs": 3}
    assert signature(fields) == "task:biored|system:a_b_c|docs:3"


def test_hash_does_not_depend_on_order_or_on_what_is_not_gold():
    others = [replace(DOCUMENT, id=str(n)) for n in range(5)]
    shuffled = random.Random(1).sample(others, k=5)
    shuffled[0] = replace(shuffled[0], entities=shuffled[0].entities[::-1], infons={"a": "b"})
    assert gold_hash(others) == gold_hash(shuffled)


@pytest.mark.parametrize(
    "change",
    [
        {"id": "2"},
        {"text": DOCUMENT.text + " "},
        {"entities": DOCUMENT.entities[:1]},
        {"relations": ()},
        {"relations": (replace(DOCUMENT.relations[0], novel=False),)},
        {"relations": (replace(DOCUMENT.relations[0], type="Bind"),)},
    ],
)
def test_hash_changes_with_any_part_of_the_gold(change):
    assert gold_hash([DOCUMENT]) != gold_hash([replace(DOCUMENT, **change)])
