"""Other corpora's documents as BioRED's."""

from msgspec.structs import replace

from bluered.documents.document import Entity, Relation, Span, simple_document
from bluered.tasks.biored.elsewhere import mentioned_by, renamed

TEXT = "Zelm and ague"
ZELM = Entity("Chemical", (Span(0, 4),), "Zelm", concepts=("D1",))
AGUE = Entity("Disease", (Span(9, 13),), "ague", concepts=("D2",))
DOCUMENT = replace(
    simple_document("1", TEXT), entities=(ZELM, AGUE), relations=(Relation("CID", "D1", "D2"),)
)


def test_types_are_renamed_and_others_left_out():
    found = renamed(DOCUMENT, {"Disease": "DiseaseOrPhenotypicFeature"})
    assert found.entities == (replace(AGUE, type="DiseaseOrPhenotypicFeature"),)
    assert found.relations == ()
    assert found.text == DOCUMENT.text


def test_only_mentions_of_both_are_kept_with_the_own_ids():
    other = replace(DOCUMENT, entities=(replace(ZELM, concepts=("D9",)), replace(AGUE, type="X")))
    assert mentioned_by(DOCUMENT, other).entities == (ZELM,)
    assert mentioned_by(DOCUMENT, None).entities == ()
