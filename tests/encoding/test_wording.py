"""The words said of pairs in any document, against loops and plain integers."""

from itertools import pairwise
from zlib import crc32

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bluered.documents import Document, Entity, Span
from bluered.documents.biored_types import PAIR_TYPES
from bluered.documents.sentences import sentences
from bluered.encoding.meetings import meetings
from bluered.encoding.pairs import Candidates, candidates, pair_features
from bluered.encoding.tokens import tokenize
from bluered.encoding.wording import BUCKETS, Wording, weigh, wording

ROLES = 64  # in each group of roles


def columns_of(made, tokenizer, found=None):
    """Return the columns of each pair, in order, and the candidates (all unless given)."""
    found, parts = found or candidates(made), sentences(made)
    said = wording(
        made,
        tokenize(made.text, tokenizer),
        found,
        met=meetings(made, found, parts),
        layout=pair_features(made, found, parts),
    )
    return [said.columns[a:b].tolist() for a, b in pairwise([0, *said.ends.tolist()])], found


def slow_column(value, role):
    """Return the column of a value in a role, by integers of any size cut to 64 bits."""
    whole = (1 << 64) - 1
    mixed = (value + ((role + 1) << 32)) * 0x9E3779B97F4A7C15 & whole
    mixed = (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9 & whole
    return mixed >> 46


def slow_zone(word, left, right, inside):
    """Return where a word stands to two mentions: before, just before, between, just after, after.

    Words of overlapping mentions may stand twice, before and after.
    """
    (begin, end), (first, last) = inside, (left[0], right[1])
    near, far = max(begin, first - 8), min(end, last + 8)
    bounds = ((begin, near), (near, first), (left[1], right[0]), (last, far), (far, end))
    return [zone for zone, (a, b) in enumerate(bounds) if a <= word < b]


def slow_columns(made, tokenizer):
    """Return the set of columns of each pair, one meeting and one word at a time."""
    tokens, found, parts = tokenize(made.text, tokenizer), candidates(made), sentences(made)
    bounds = list(zip(tokens.word_starts.tolist(), tokens.word_ends.tolist(), strict=True))
    number = [crc32(made.text[a:b].lower().encode()) for a, b in bounds]
    ranges = [
        (sum(b <= e.start for _, b in bounds), sum(a < e.end for a, _ in bounds))
        for e in made.entities
    ]
    named = {word for first, end in ranges for word in range(first, end)}
    edges = [sum(a < part.start for a, _ in bounds) for part in parts] + [len(bounds)]
    rows = []
    for row, values in enumerate(pair_features(made, found, parts).tolist()):
        kind = int(found.kinds[row])
        keys = {(column * 64 + value, 6 * ROLES) for column, value in enumerate(values)}
        keys |= {(column * 64 + value, 7 * ROLES + kind) for column, value in enumerate(values)}
        for side, concept in enumerate(found.pairs[row].tolist()):
            for mention in found.concepts[concept].mentions:
                name = made.entities[mention].text
                keys.add((crc32(name.lower().encode()), 4 * ROLES + side))
                keys |= {(number[w], 5 * ROLES + side) for w in range(*ranges[mention])}
        met = meetings(made, found, parts)
        for pair, one, other, place in zip(
            met.pairs, met.one, met.other, met.sentences, strict=True
        ):
            if pair != row:
                continue
            turned = ranges[one][0] > ranges[other][0]
            left, right = ranges[other if turned else one], ranges[one if turned else other]
            for word in set(range(len(number))) - named:
                for zone in slow_zone(word, left, right, edges[place : place + 2]):
                    value = number[word]
                    keys |= {(value, 0), (value, ROLES + zone)}
                    keys |= {(value, 2 * ROLES + 2 * zone + turned)}
                    keys |= {(value, 3 * ROLES + 5 * kind + zone)}
        rows.append({slow_column(*key) for key in keys})
    return rows


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_what_is_said_is_what_loops_find(data, invented_documents, tiny_tokenizer):
    made = data.draw(invented_documents)
    rows, _ = columns_of(made, tiny_tokenizer)
    assert rows == [sorted(row) for row in slow_columns(made, tiny_tokenizer)]
    assert all(0 <= column < BUCKETS for row in rows for column in row)


@settings(deadline=None)
@given(data=st.data())
def test_the_order_of_mentions_changes_no_column(data, invented_documents, tiny_tokenizer):
    """But of two genes, whose first is the first mentioned, and where two mentions tie."""
    made = data.draw(invented_documents)
    tokens = tokenize(made.text, tiny_tokenizer)
    firsts = [int((tokens.word_ends <= e.start).sum()) for e in made.entities]
    if len(set(firsts)) < len(firsts):
        return
    order = data.draw(st.permutations(made.entities))
    told = []
    for each in (made, replace(made, entities=tuple(order))):
        rows, found = columns_of(each, tiny_tokenizer)
        ends = [tuple(found.concepts[i] for i in pair) for pair in found.pairs.tolist()]
        told.append({
            frozenset((a.id, b.id)): row
            for (a, b), row in zip(ends, rows, strict=True)
            if a.type != b.type
        })  # fmt: skip
    assert told[0] == told[1]


@settings(deadline=None)
@given(data=st.data())
def test_the_order_of_pairs_changes_only_theirs(data, invented_documents, tiny_tokenizer):
    made = data.draw(invented_documents)
    rows, found = columns_of(made, tiny_tokenizer)
    order = data.draw(st.permutations(range(len(rows))))
    chosen = np.asarray(order, dtype=np.int64)
    shuffled = Candidates(found.concepts, found.pairs[chosen], found.kinds[chosen])
    again, _ = columns_of(made, tiny_tokenizer, shuffled)
    assert again == [rows[i] for i in order]


def test_roles_of_one_group_never_reach_the_next():
    """Five zones of each pair of types are the most that a group holds."""
    assert 5 * len(PAIR_TYPES) <= ROLES


def test_a_pair_that_meets_nowhere_still_has_names_and_layout(tiny_tokenizer):
    text = "Loss of SCN5A was found. We found pain."
    entities = tuple(
        Entity(
            type=kind,
            spans=(Span(text.index(name), text.index(name) + len(name)),),
            text=name,
            concepts=(concept,),
        )
        for name, concept, kind in (
            ("SCN5A", "6331", "GeneOrGeneProduct"),
            ("pain", "D1", "DiseaseOrPhenotypicFeature"),
        )
    )
    made = Document(id="1", text=text, entities=entities)
    parts, found = sentences(made), candidates(made)
    assert len(meetings(made, found, parts).pairs) == 0
    (row,), _ = columns_of(made, tiny_tokenizer)
    assert len(row) == 2 * 7 + 2 * 2  # the layout twice; of both ends the name and its one word


def test_weights_of_16_bits_are_added_up_in_32():
    rng = np.random.default_rng(3)
    weights = rng.normal(size=(BUCKETS, 2)).astype(np.float16)
    columns = np.sort(rng.choice(BUCKETS, 500, replace=False))
    said = Wording(columns, np.asarray([200, 201, 500]))
    scores = weigh(weights, said)
    assert scores.dtype == np.float32
    wide = weights.astype(np.float64)
    wanted = [
        wide[columns[a:b]].sum(axis=0) / np.sqrt(b - a)
        for a, b in ((0, 200), (200, 201), (201, 500))
    ]
    np.testing.assert_allclose(scores, wanted, rtol=1e-4, atol=1e-4)
