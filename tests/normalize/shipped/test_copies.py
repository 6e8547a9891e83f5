"""Copies of documents among the counted ones, with what they count for."""

from msgspec.structs import replace

from bluered.corpora import documents
from bluered.documents.biored_types import DISEASE
from bluered.documents.document import Entity, Span, simple_document
from bluered.normalize.names import name_key
from bluered.normalize.shipped import copies as module
from bluered.normalize.shipped.copies import copies, own_names
from bluered.normalize.shipped.corpora import Corpus


def test_a_training_document_is_its_own_copy_and_counts_for_its_names(data_dir):
    some = list(documents("biored", "train"))[:3]
    found = {(name, corpus.name) for name, corpus, _ in copies(some, data_dir)}
    assert {(document.id, "BioRED train") for document in some} <= found
    own = own_names(some, data_dir)
    for document in some:
        for entity in document.entities:
            if entity.type == DISEASE and len(entity.concepts) == 1:
                assert own[document.id][DISEASE, name_key(entity.text, kind=DISEASE)] > 0


def test_nothing_of_biored_dev_is_counted(data_dir):
    assert own_names(list(documents("biored", "dev")), data_dir) == {}


def test_the_same_text_in_two_corpora_counts_once_and_a_changed_copy_again(monkeypatch, tmp_path):
    mention = Entity("Disease", (Span(2, 11),), "dull ague", concepts=("D000001",))
    same, changed, other = (
        replace(simple_document(name, text), entities=(mention,))
        for name, text in (("1234567", "A dull ague"), ("1234567", "A dull ague!1"), ("7", "It"))
    )
    names = {"Disease": DISEASE}
    counted = [
        (Corpus("one", "-", names), same),
        (Corpus("two", "-", names), same),
        (Corpus("three", "-", names), changed),
        (Corpus("three", "-", names), other),
    ]
    monkeypatch.setattr(module, "seen_documents", lambda data, corpora: iter(counted))
    own = own_names([same], tmp_path)
    assert own == {"1234567": {(DISEASE, "dullague"): 2}}
