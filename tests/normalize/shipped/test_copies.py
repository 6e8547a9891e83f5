"""Copies of documents among the counted ones, with what they count for."""

from bluered.corpora import documents
from bluered.documents.biored_types import DISEASE
from bluered.normalize.names import name_key
from bluered.normalize.shipped.copies import copies, own_names


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
