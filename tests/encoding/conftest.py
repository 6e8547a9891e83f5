"""Invented documents of every shape, as a strategy: what plain loops are compared on."""

import pytest
from hypothesis import strategies as st

from bluered.documents import Document, Entity, Span

CONCEPTS = {
    "6331": "GeneOrGeneProduct",
    "7157": "GeneOrGeneProduct",
    "D1": "DiseaseOrPhenotypicFeature",
    "C1": "ChemicalEntity",
    "9606": "OrganismTaxon",  # never in a pair
}
WORDS = (
    "Loss SCN5A reduced pain of - in e.g. pain. We (Expression) vs. levels. \x01 \n\n ß 🧬".split(
        " "
    )
)


@st.composite
def invented(draw) -> Document:
    """A text of some sentences, and mentions anywhere: nested, the same, empty, inside words."""
    size = draw(st.integers(0, 40))  # lists alone are mostly short, and no zone is left then
    text = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=size, max_size=size)))
    entities = []
    for _ in range(draw(st.integers(0, 8))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        concept = draw(st.sampled_from(sorted(CONCEPTS)))
        both = concept == "6331" and draw(st.booleans())  # of two genes at once
        entities.append(
            Entity(
                type=CONCEPTS[concept],
                spans=(Span(start, end),),
                text=text[start:end],
                concepts=("6331", "7157") if both else (concept,),
                combination="alternatives" if both else None,
            )
        )
    return Document(id="invented", text=text, entities=tuple(entities))


@pytest.fixture(scope="session")
def invented_documents() -> st.SearchStrategy[Document]:
    """The strategy of invented documents."""
    return invented()
