"""Where pairs meet, what surrounds their meetings, and what is said there, against plain loops."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bluered.documents import Document, Entity, Span
from bluered.documents.sentences import sentences
from bluered.encoding import surroundings as zones
from bluered.encoding.meetings import meetings, ordered, spread
from bluered.encoding.pairs import candidates, pair_features
from bluered.encoding.surroundings import name_weights, surroundings, zone_weights
from bluered.encoding.tokens import tokenize
from bluered.encoding.wording import BUCKETS, weigh, wording

TEXT = "Loss of SCN5A in pain. SCN5A and olaparib reduced pain of TP53. Nothing here. TP53 again."
NAMES = {
    "SCN5A": ("GeneOrGeneProduct", "6331"),
    "TP53": ("GeneOrGeneProduct", "7157"),
    "pain": ("DiseaseOrPhenotypicFeature", "D1"),
    "olaparib": ("ChemicalEntity", "C1"),
}


def document(text: str = TEXT) -> Document:
    found = []
    for name, (kind, concept) in NAMES.items():
        start = text.find(name)
        while start >= 0:
            spans = (Span(start, start + len(name)),)
            found.append(Entity(type=kind, spans=spans, text=name, concepts=(concept,)))
            start = text.find(name, start + 1)
    return Document(id="1", text=text, entities=tuple(sorted(found, key=lambda e: e.start)))


def parts_of(made, tokenizer):
    found, parts = candidates(made), sentences(made)
    met = meetings(made, found, parts)
    return found, parts, met, tokenize(made.text, tokenizer)


def test_a_pair_meets_in_each_sentence_with_two_of_its_mentions(tiny_tokenizer):
    made = document()
    found, parts, met, _ = parts_of(made, tiny_tokenizer)
    told = set()
    for pair, one, other, place in zip(met.pairs, met.one, met.other, met.sentences, strict=True):
        ends = [found.concepts[i].id for i in found.pairs[pair]]
        assert made.entities[one].concepts == (ends[0],)
        assert made.entities[other].concepts == (ends[1],)
        told.add((frozenset(ends), int(place)))
    places = [
        {e.concepts[0] for e in made.entities if part.start <= e.start < part.end} for part in parts
    ]
    wanted = {
        (frozenset((found.concepts[a].id, found.concepts[b].id)), number)
        for a, b in found.pairs.tolist()
        for number, ids in enumerate(places)
        if {found.concepts[a].id, found.concepts[b].id} <= ids
    }
    assert told == wanted
    assert len(wanted) > 4


def test_left_and_right_are_by_place(tiny_tokenizer):
    made = document()
    _, _, met, tokens = parts_of(made, tiny_tokenizer)
    places = zones.mention_pieces(tokens, made.entities)
    left, right, turned = ordered(places, met)
    assert (left[:, 0] <= right[:, 0]).all()
    for row, (one, other) in enumerate(zip(met.one, met.other, strict=True)):
        assert turned[row] == (made.entities[one].start > made.entities[other].start)
    assert set(turned.tolist()) == {0, 1}


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(-3, 9)), max_size=12))
def test_ranges_are_spread_as_loops_do(ranges):
    first = np.asarray([a for a, _ in ranges], dtype=np.int64)
    end = np.asarray([a + size for a, size in ranges], dtype=np.int64)
    numbers, whose = spread(first, end)
    wanted = [(n, i) for i, (a, b) in enumerate(zip(first, end, strict=True)) for n in range(a, b)]
    assert list(zip(numbers.tolist(), whose.tolist(), strict=True)) == wanted


def slow_zone(made, tokens, parts, zone, ends):
    """Return what each piece counts in a zone of a pair, by loops."""
    counts = np.zeros(len(tokens.ids))
    places = zones.mention_pieces(tokens, made.entities).tolist()
    inside = {p for first, end in places for p in range(first, end)}
    for part in parts:
        pieces = [i for i, s in enumerate(tokens.starts.tolist()) if part.start <= s < part.end]
        here = [i for i, e in enumerate(made.entities) if part.start <= e.start < part.end]
        for one in (i for i in here if ends[0] in made.entities[i].concepts):
            for other in (i for i in here if ends[1] in made.entities[i].concepts):
                left, right = sorted((places[one], places[other]))
                for piece in pieces:
                    near = left[0] - 8 <= piece < left[0] or right[1] <= piece < right[1] + 8
                    between = left[1] <= piece < right[0]
                    if piece not in inside and (near, between, True)[(1, 0, 2)[zone]]:
                        counts[piece] += 1
    return counts / max(1, counts.sum())


def test_zones_are_those_of_plain_loops(tiny_tokenizer):
    made = document()
    found, parts, met, tokens = parts_of(made, tiny_tokenizer)
    weights = zone_weights(surroundings(made, tokens, met), slice(0, len(found.pairs)))
    for row, (a, b) in enumerate(found.pairs.tolist()):
        ends = found.concepts[a].id, found.concepts[b].id
        for zone in (zones.BETWEEN, zones.BESIDE, zones.SENTENCE):
            wanted = slow_zone(made, tokens, parts, zone, ends)
            np.testing.assert_allclose(weights[row, zone], wanted, atol=1e-6)
    sums = weights.sum(axis=2)
    assert np.all((np.abs(sums - 1) < 1e-5) | (sums == 0))


@pytest.mark.parametrize("size", [1, 2, 5])
def test_zones_of_some_pairs_are_those_of_all(tiny_tokenizer, size):
    made = document()
    found, _, met, tokens = parts_of(made, tiny_tokenizer)
    around = surroundings(made, tokens, met)
    count = len(found.pairs)
    whole = zone_weights(around, slice(0, count))
    some = [zone_weights(around, slice(i, min(i + size, count))) for i in range(0, count, size)]
    np.testing.assert_array_equal(np.concatenate(some), whole)


def test_names_are_the_pieces_of_all_mentions(tiny_tokenizer):
    made = document()
    found, _, met, tokens = parts_of(made, tiny_tokenizer)
    weights = name_weights(found, surroundings(made, tokens, met))
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)
    for concept, row in zip(found.concepts, weights, strict=True):
        said = {made.text[tokens.starts[i] : tokens.ends[i]] for i in np.flatnonzero(row)}
        mentions = {made.entities[i].text for i in concept.mentions}
        assert all(any(piece in name for name in mentions) for piece in said)


@pytest.mark.parametrize("text", ["", "   ", "🧬🧬", "SCN5A", "SCN5A pain"])
def test_any_text_has_surroundings(tiny_tokenizer, text):
    made = document(text)
    found, _, met, tokens = parts_of(made, tiny_tokenizer)
    around = surroundings(made, tokens, met)
    count = len(found.pairs)
    assert zone_weights(around, slice(0, count)).shape == (count, 3, len(tokens.ids))
    assert name_weights(found, around).shape == (len(found.concepts), len(tokens.ids))


def test_a_mention_without_pieces_of_its_own_gets_one(tiny_tokenizer):
    made = document("SCN5A in pain.")
    blank = Entity(type="ChemicalEntity", spans=(Span(14, 14),), text="", concepts=("C9",))
    made = replace(made, entities=(*made.entities, blank))
    places = zones.mention_pieces(tokenize(made.text, tiny_tokenizer), made.entities)
    assert (places[:, 1] > places[:, 0]).all()


def said_of(made, tokenizer):
    found, parts, met, tokens = parts_of(made, tokenizer)
    layout = pair_features(made, found, parts)
    said = wording(made, tokens, found, met=met, layout=layout)
    bounds = np.append(0, said.ends)
    rows = [set(said.columns[a:b].tolist()) for a, b in pairwise(bounds)]
    ids = [frozenset(found.concepts[i].id for i in pair) for pair in found.pairs.tolist()]
    return dict(zip(ids, rows, strict=True)), said


def test_what_is_said_does_not_hang_on_the_order_of_mentions(tiny_tokenizer):
    made = document()
    rows, said = said_of(made, tiny_tokenizer)
    turned, _ = said_of(replace(made, entities=made.entities[::-1]), tiny_tokenizer)
    assert all(0 <= column < BUCKETS for column in said.columns.tolist())
    gene_pairs = frozenset(("6331", "7157"))  # whose first concept is the first mentioned
    assert {k: v for k, v in turned.items() if k != gene_pairs} == {
        k: v for k, v in rows.items() if k != gene_pairs
    }


def test_a_word_between_two_mentions_tells_only_of_them(tiny_tokenizer):
    """A word tells of the pairs of its sentence."""
    before, _ = said_of(document(), tiny_tokenizer)
    after, _ = said_of(document(TEXT.replace("reduced", "induced")), tiny_tokenizer)
    changed = {pair for pair in before if before[pair] != after[pair]}
    assert frozenset(("C1", "D1")) in changed
    quiet, _ = said_of(document(TEXT.replace("Nothing", "Little")), tiny_tokenizer)
    assert quiet == before  # a sentence in which no pair meets


def test_words_inside_mentions_count_as_names_only(tiny_tokenizer):
    text = "TP53 and SCN5A in pain."
    rows, _ = said_of(document(text), tiny_tokenizer)
    other, _ = said_of(document(text.replace("TP53", "XXXX")), tiny_tokenizer)
    pair = frozenset(("6331", "D1"))
    assert rows[pair] < other[pair]  # XXXX is a word beside the two


def test_scores_are_the_sum_over_features(tiny_tokenizer):
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(BUCKETS, 3)).astype(np.float16)
    rows, said = said_of(document(), tiny_tokenizer)
    wanted = [
        weights[sorted(row)].astype(float).sum(axis=0) / len(row) ** 0.5 for row in rows.values()
    ]
    np.testing.assert_allclose(weigh(weights, said), wanted, atol=1e-3)
    _, nothing = said_of(document("Nothing."), tiny_tokenizer)
    assert weigh(weights, nothing).shape == (0, 3)
