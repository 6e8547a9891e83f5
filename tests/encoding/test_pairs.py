import numpy as np
import pytest
from msgspec import structs

from bluered.documents import Entity, Span, simple_document
from bluered.documents.biored_types import CHEMICAL, DISEASE, GENE, PAIR_TYPES, VARIANT
from bluered.documents.sentences import sentences
from bluered.encoding.marking import mark, sentence_of_piece, window_arrays
from bluered.encoding.pairs import FEATURE_SIZES, candidates, mention_table, node_ids, pair_features


def document(*mentions: tuple[str, str, str], text: str = ""):
    """Make a document of (name, type, id) mentions, found in the text one after the other."""
    made = simple_document("1", "A study.", text or " ".join(name for name, _, _ in mentions))
    entities, place = [], 0
    for name, kind, concept in mentions:
        start = made.text.index(name, place)
        place = start + len(name)
        entities.append(
            Entity(type=kind, spans=(Span(start, place),), text=name, concepts=(concept,))
        )
    return structs.replace(made, entities=tuple(entities))


def test_every_pair_of_related_types_is_a_candidate_once():
    made = document(
        ("BRCA1", GENE, "672"),
        ("cancer", DISEASE, "D1"),
        ("olaparib", CHEMICAL, "C1"),
        ("V600E", VARIANT, "p|SUB|V|600|E"),
        ("mice", "OrganismTaxon", "10090"),
        ("BRCA1", GENE, "672"),
    )
    found = candidates(made)
    names = {frozenset((found.concepts[a].id, found.concepts[b].id)) for a, b in found.pairs}
    assert names == {
        frozenset(pair)
        for pair in [
            ("672", "D1"),
            ("672", "C1"),
            ("D1", "C1"),
            ("D1", "p|SUB|V|600|E"),
            ("C1", "p|SUB|V|600|E"),
        ]
    }  # a gene and a variant are not related in BioRED
    assert len(found.pairs) == 5
    for (a, b), kind in zip(found.pairs, found.kinds, strict=True):
        assert (found.concepts[a].type, found.concepts[b].type) == PAIR_TYPES[kind]


def test_placeholders_take_no_part():
    made = document(("BRCA1", GENE, "-"), ("cancer", DISEASE, "-1"), ("TP53", GENE, "7157"))
    assert len(candidates(made).pairs) == 0


def test_a_composite_mention_is_one_concept_and_alternatives_are_several():
    spans = (Span(0, 1),)
    composite = Entity(
        type=DISEASE, spans=spans, text="x", concepts=("D1", "D2"), combination="composite"
    )
    assert node_ids(composite) == ("D1|D2",)
    assert node_ids(structs.replace(composite, combination="alternatives")) == ("D1", "D2")


def test_features_stay_within_their_sizes_and_see_the_sentence():
    made = document(
        ("BRCA1", GENE, "672"),
        ("cancer", DISEASE, "D1"),
        ("pain", DISEASE, "D2"),
        text="BRCA1 causes cancer. Long " + "filler " * 80 + "ends. We saw pain.",
    )
    found = candidates(made)
    features = pair_features(made, found, sentences(made))
    assert features.shape == (2, len(FEATURE_SIZES))
    assert (features >= 0).all()
    assert (features < np.asarray(FEATURE_SIZES)).all()
    near = [found.concepts[a].id for a, _ in found.pairs].index("D1")
    assert features[near, 1] == 1
    assert features[1 - near, 1] == 0
    assert features[1 - near, 2] > features[near, 2]


def test_no_candidates_no_rows():
    made = document(("mice", "OrganismTaxon", "10090"))
    assert pair_features(made, candidates(made), sentences(made)).shape == (0, len(FEATURE_SIZES))


def test_a_marker_stands_before_each_mention(tiny_tokenizer):
    made = document(("BRCA1", GENE, "672"), ("cancer", DISEASE, "D1"), text="BRCA1 in cancer.")
    text = mark(made, tiny_tokenizer, size=64, overlap=8)
    marker = tiny_tokenizer.token_to_id("[unused1]")
    assert (text.ids == marker).sum() == 2
    assert (text.ids[text.markers] == marker).all()
    assert text.kinds[text.markers].tolist() == [1, 3]
    assert text.kinds[text.markers + 1].tolist() == [2, 4]
    assert text.places[text.markers].tolist() == [e.start for e in made.entities]
    ids, kinds = window_arrays(text, text.windows[0])
    assert (ids[0], ids[-1]) == (text.opening, text.closing)
    assert kinds[0] == kinds[-1] == 0
    assert len(ids) == len(kinds) == len(text.ids) + 2


def test_the_mentions_of_a_concept_are_listed_with_their_markers(tiny_tokenizer):
    made = document(
        ("BRCA1", GENE, "672"),
        ("cancer", DISEASE, "D1"),
        ("BRCA1", GENE, "672"),
    )
    text = mark(made, tiny_tokenizer, size=64, overlap=8)
    table = mention_table(text.markers, candidates(made))
    assert table.tolist() == [[text.markers[0], text.markers[2]], [text.markers[1], -1]]


@pytest.mark.parametrize("size", [16, 20, 64])
def test_long_texts_lose_no_piece(tiny_tokenizer, size):
    made = document(("BRCA1", GENE, "672"), text="loss " * 60 + "BRCA1 " + "loss " * 60)
    text = mark(made, tiny_tokenizer, size=size, overlap=6)
    kept = np.concatenate([text.ids[w.keep_start : w.keep_end] for w in text.windows])
    assert kept.tolist() == text.ids.tolist()
    assert all(len(window_arrays(text, w)[0]) <= size for w in text.windows)
    parts = sentences(made)
    owner = sentence_of_piece(text, [p.start for p in parts])
    assert len(owner) == len(text.ids)
    assert 0 <= owner.min() <= owner.max() < len(parts)
