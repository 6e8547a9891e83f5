"""The type of a concept, by one rule."""

import msgspec
import pytest

from bluered.documents.concepts import concept_types
from bluered.documents.document import Document, Entity, Span


def mention(start: int, text: str, entity_type: str, *concepts: str) -> Entity:
    spans = (Span(start, start + len(text)),)
    return Entity(type=entity_type, spans=spans, text=text, concepts=concepts)


DOCUMENT = Document(
    id="1",
    text="AKT and learning and memory loss, AKT",
    entities=(
        mention(0, "AKT", "Gene", "207"),
        mention(8, "learning and memory loss", "Disease", "D007859", "D008569"),
        mention(34, "AKT", "Variant", "207"),
        mention(8, "learning", "Disease", "-"),
    ),
)


def test_a_concept_has_the_type_of_its_first_mention() -> None:
    assert concept_types(DOCUMENT)["207"] == "Gene"
    assert concept_types(DOCUMENT, prefer="last")["207"] == "Variant"


@pytest.mark.parametrize("prefer", ["first", "last"])
def test_the_order_of_lines_changes_nothing(prefer) -> None:
    turned = msgspec.structs.replace(DOCUMENT, entities=DOCUMENT.entities[::-1])
    assert concept_types(turned, prefer=prefer) == concept_types(DOCUMENT, prefer=prefer)


@pytest.mark.parametrize("name", ["D007859", "D008569", "D007859|D008569", "D007859,D008569"])
def test_the_concepts_of_a_mention_are_typed_alone_and_joined(name) -> None:
    assert concept_types(DOCUMENT)[name] == "Disease"


def test_a_placeholder_is_no_concept() -> None:
    assert "-" not in concept_types(DOCUMENT)


def test_a_single_concept_goes_before_a_joined_name() -> None:
    document = Document(
        id="1",
        text="ab cd",
        entities=(mention(0, "ab", "Gene", "1", "2"), mention(3, "cd", "Variant", "1|2")),
    )
    assert concept_types(document)["1|2"] == "Variant"
