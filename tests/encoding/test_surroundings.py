"""What surrounds pairs in any document, against loops over its pieces."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bluered.documents import Document, Entity, Span
from bluered.documents.sentences import sentences
from bluered.encoding.meetings import meetings
from bluered.encoding.pairs import candidates
from bluered.encoding.surroundings import (
    BESIDE,
    BETWEEN,
    SENTENCE,
    ZONES,
    mention_pieces,
    name_weights,
    surroundings,
    zone_weights,
)
from bluered.encoding.tokens import tokenize

GENE, DISEASE = "GeneOrGeneProduct", "DiseaseOrPhenotypicFeature"


def read(made, tokenizer):
    """Return the candidates, tokens and surroundings of a document."""
    found, parts = candidates(made), sentences(made)
    tokens = tokenize(made.text, tokenizer)
    return found, tokens, surroundings(made, tokens, meetings(made, found, parts))


def slow_place(parts, start):
    """Return the sentence that holds a place: the last that begins before it, else the first."""
    return max([number for number, part in enumerate(parts) if part.start <= start], default=0)


def slow_meetings(made):
    """Return pair, both mentions and sentence of every meeting."""
    found, parts = candidates(made), sentences(made)
    places = [slow_place(parts, entity.start) for entity in made.entities]
    return [
        (row, one, other, places[one])
        for row, (a, b) in enumerate(found.pairs.tolist())
        for one in found.concepts[a].mentions
        for other in found.concepts[b].mentions
        if parts and places[one] == places[other]
    ]


def slow_mention(entity, tokens):
    """Return the pieces of a mention, or the nearest one after it, or the last."""
    bounds = list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))
    own = [i for i, (a, b) in enumerate(bounds) if b > entity.start and a < entity.end]
    after = [i for i, (_, b) in enumerate(bounds) if b > entity.start]
    return own or after[:1] or [max(0, len(bounds) - 1)]


def slow_zones(made, tokens):
    """Return what each piece counts around each pair, one meeting and one piece at a time."""
    pieces, parts = range(len(tokens.ids)), sentences(made)
    mentions = [slow_mention(entity, tokens) for entity in made.entities]
    named = {piece for mention in mentions for piece in mention}
    weights = np.zeros((len(candidates(made).pairs), ZONES, len(pieces)))
    for row, one, other, place in slow_meetings(made):
        left, right = mentions[one], mentions[other]
        if left[0] > right[0]:
            left, right = right, left
        for piece in pieces:
            if piece in named:
                continue
            start = tokens.starts[piece]
            inside = slow_place(parts, start) == place and start >= parts[place].start
            before = left[0] - 8 <= piece < left[0]
            after = right[-1] < piece <= right[-1] + 8
            weights[row, SENTENCE, piece] += inside
            weights[row, BETWEEN, piece] += left[-1] < piece < right[0]
            weights[row, BESIDE, piece] += inside * (before + after)
    sums = weights.sum(axis=2, keepdims=True)
    return np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0)


@settings(deadline=None)
@given(data=st.data())
def test_pairs_meet_where_loops_find_two_of_their_mentions(data, invented_documents):
    made = data.draw(invented_documents)
    met = meetings(made, candidates(made), sentences(made))
    rows = zip(met.pairs, met.one, met.other, met.sentences, strict=True)
    assert [tuple(map(int, row)) for row in rows] == slow_meetings(made)


@settings(deadline=None)
@given(data=st.data())
def test_zones_and_names_are_those_of_loops(data, invented_documents, tiny_tokenizer):
    made = data.draw(invented_documents)
    found, tokens, around = read(made, tiny_tokenizer)
    weights = zone_weights(around, slice(0, len(found.pairs)))
    assert weights.dtype == np.float32
    np.testing.assert_allclose(weights, slow_zones(made, tokens), atol=1e-6)
    wanted = np.zeros((len(found.concepts), len(tokens.ids)))
    for row, concept in zip(wanted, found.concepts, strict=True):
        for mention in concept.mentions:
            row[slow_mention(made.entities[mention], tokens)[: len(row)]] += 1
        row /= max(1, row.sum())
    np.testing.assert_allclose(name_weights(found, around), wanted, atol=1e-6)


@settings(deadline=None)
@given(data=st.data(), size=st.integers(1, 4))
def test_rows_sum_to_one_or_nothing_in_parts_as_whole(
    data, size, invented_documents, tiny_tokenizer
):
    found, tokens, around = read(data.draw(invented_documents), tiny_tokenizer)
    count = len(found.pairs)
    whole = zone_weights(around, slice(0, count))
    sums = whole.sum(axis=2)
    assert np.all((np.abs(sums - 1) < 1e-5) | (sums == 0))
    assert (whole >= 0).all()
    parts = [zone_weights(around, slice(i, min(i + size, count))) for i in range(0, count, size)]
    np.testing.assert_array_equal(np.concatenate([whole[:0], *parts]), whole)
    if len(tokens.ids):
        np.testing.assert_allclose(name_weights(found, around).sum(axis=1), 1, atol=1e-5)


@settings(deadline=None)
@given(data=st.data())
def test_the_order_of_mentions_changes_no_zone(data, invented_documents, tiny_tokenizer):
    """Where two mentions begin with one piece, which of them is the left one goes by the pair."""
    made = data.draw(invented_documents)
    turned = replace(made, entities=made.entities[::-1])
    told = []
    for each in (made, turned):
        found, tokens, around = read(each, tiny_tokenizer)
        firsts = [slow_mention(entity, tokens)[0] for entity in each.entities]
        if len(set(firsts)) < len(firsts):
            return
        weights = zone_weights(around, slice(0, len(found.pairs)))
        ends = [frozenset(found.concepts[i].id for i in pair) for pair in found.pairs.tolist()]
        told.append({pair: row.tobytes() for pair, row in zip(ends, weights, strict=True)})
    assert told[0] == told[1]


def mention(text, name, concept, kind):
    start = text.index(name)
    return Entity(
        type=kind, spans=(Span(start, start + len(name)),), text=name, concepts=(concept,)
    )


def test_a_pair_that_never_meets_has_empty_zones(tiny_tokenizer):
    text = "Loss of SCN5A was found. We found pain."
    made = Document(
        id="1",
        text=text,
        entities=(mention(text, "SCN5A", "6331", GENE), mention(text, "pain", "D1", DISEASE)),
    )
    found, tokens, around = read(made, tiny_tokenizer)
    assert len(found.pairs) == 1
    assert around.zones.shape == (0, 4)
    assert not zone_weights(around, slice(0, 1)).any()
    assert zone_weights(around, slice(0, 1)).shape == (1, ZONES, len(tokens.ids))


def test_nested_mentions_have_nothing_between_them(tiny_tokenizer):
    text = "We found that loss of SCN5A in lung was new."
    made = Document(
        id="1",
        text=text,
        entities=(
            mention(text, "loss of SCN5A in lung", "D1", DISEASE),
            mention(text, "SCN5A", "6331", GENE),
        ),
    )
    found, tokens, around = read(made, tiny_tokenizer)
    (weights,) = zone_weights(around, slice(0, len(found.pairs)))
    assert not weights[BETWEEN].any()
    said = {text[tokens.starts[i] : tokens.ends[i]] for i in np.flatnonzero(weights[BESIDE])}
    assert said == {"We", "found", "that", "was", "new", "."}


def test_mentions_in_a_text_without_words_meet_nobody_and_have_a_piece(tiny_tokenizer, wordless):
    found, tokens, around = read(wordless, tiny_tokenizer)
    assert len(found.pairs) == 1
    assert mention_pieces(tokens, wordless.entities).tolist() == [[0, 1], [0, 1]]
    assert zone_weights(around, slice(0, 1)).shape == (1, ZONES, 0)
    assert name_weights(found, around).shape == (2, 0)
