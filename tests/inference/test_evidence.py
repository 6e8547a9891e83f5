"""Sentences that support a relation: those with both concepts first, the nearest before others."""

import re

import numpy as np
import pytest
from msgspec.structs import replace

from bluered.documents.document import Document, Entity, Span, simple_document
from bluered.documents.sentences import sentences
from bluered.encoding.pairs import Concept, candidates
from bluered.inference.evidence import evidence

NAMES = {"Olmatin": ("ChemicalEntity", "C1"), "rash": ("DiseaseOrPhenotypicFeature", "D1")}


def written(*texts: str) -> tuple[Document, tuple[Concept, ...], list[Span]]:
    document = simple_document("1", texts[0], " ".join(texts[1:]))
    found = [
        Entity(type=kind, spans=(Span(*m.span()),), text=m[0], concepts=(concept,))
        for name, (kind, concept) in NAMES.items()
        for m in re.finditer(name, document.text)
    ]
    entities = tuple(sorted(found, key=lambda e: e.spans))
    document = replace(document, entities=entities)
    parts = sentences(document)
    assert len(parts) == len(texts)
    return document, candidates(document).concepts, parts


def chosen(texts: list[str], weights: list[float]) -> list[int]:
    document, ends, parts = written(*texts)
    found = evidence(document, ends, parts, np.asarray(weights, dtype=np.float32))
    assert found == evidence(document, ends[::-1], parts, np.asarray(weights, dtype=np.float32))
    return [parts.index(span) for span in found]


BOTH_FAR = "Olmatin was given to all of them and some had rash."
BOTH_NEAR = "We saw Olmatin rash."
ONE = "Olmatin is new."
OTHER = "It was a rash."
NONE = "We thank them."


@pytest.mark.parametrize(
    ("texts", "weights", "found"),
    [
        ([BOTH_FAR, BOTH_NEAR], [0.9, 0.1], [1, 0]),  # the nearest, whatever the attention
        ([BOTH_NEAR, BOTH_NEAR], [0.4, 0.6], [1, 0]),  # of equals the one attended to
        ([ONE, BOTH_FAR, NONE, OTHER], [0.5, 0.1, 0.4, 0.0], [1, 0]),  # one end, but half of it
        ([ONE, BOTH_FAR, NONE, OTHER], [0.4, 0.1, 0.4, 0.1], [1]),  # less than twice a quarter
        ([NONE, BOTH_FAR, NONE], [1.0, 0.0, 0.0], [1]),  # neither concept: never
        ([ONE, OTHER, ONE, NONE], [0.2, 0.1, 0.3, 0.4], [2, 1]),  # one for each end
        ([OTHER, ONE], [0.5, 0.5], [0, 1]),
        ([BOTH_FAR, ONE], [0.0, 0.0], [0]),
    ],
)
def test_the_order(texts, weights, found):
    assert chosen(texts, weights) == found


def test_many_sentences_of_little_attention_are_left_out():
    texts = [BOTH_NEAR, *[ONE] * 12]
    assert chosen(texts, [0.1, *[0.075] * 12]) == [0]
    assert chosen(texts, [0.1, 0.3, *[0.2 / 10] * 10, 0.4]) == [0, 12, 1]


def test_mentions_before_the_first_sentence_and_within_each_other_do_no_harm():
    document = replace(
        simple_document("1", "Olmatin rash syndrome.", ""),
        entities=(
            Entity(type="ChemicalEntity", spans=(Span(0, 7),), text="Olmatin", concepts=("C",)),
            Entity(
                type="DiseaseOrPhenotypicFeature", spans=(Span(0, 21),), text="...", concepts=("D",)
            ),
        ),
    )
    late = [Span(8, 22)]
    ends = candidates(document).concepts
    assert evidence(document, ends, late, np.ones(1, dtype=np.float32)) == (late[0],)
