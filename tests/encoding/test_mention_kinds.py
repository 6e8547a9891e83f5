"""Which pieces are in mentions, of what kind, and which piece stands for a mention."""

import numpy as np

from bluered.documents import Document, Entity, Span
from bluered.encoding.mention_kinds import mention_kinds, mention_table
from bluered.encoding.pairs import candidates
from bluered.encoding.tokens import tokenize

TYPES = ("Gene", "Disease")
TEXT = "Loss of SCN5A in long QT syndrome"


def entity(*spans: tuple[int, int], kind: str = "Gene", concept: str = "1") -> Entity:
    text = " ".join(TEXT[start:end] for start, end in spans)
    return Entity(type=kind, spans=tuple(Span(*s) for s in spans), text=text, concepts=(concept,))


def kinds(tokenizer, *entities):
    tokens = tokenize(TEXT, tokenizer)
    marked = mention_kinds(tokens, entities, TYPES)
    return [(TEXT[s:e], k) for s, e, k in zip(tokens.starts, tokens.ends, marked.kinds, strict=True)
            if k], [TEXT[tokens.starts[i] : tokens.ends[i]] for i in marked.first]  # fmt: skip


def test_first_and_later_pieces_of_a_mention_differ(tiny_tokenizer):
    found, first = kinds(tiny_tokenizer, entity((8, 13)), entity((17, 33), kind="Disease"))
    assert found == [("SCN5A", 1), ("long", 3), ("QT", 4), ("syndrome", 4)]
    assert first == ["SCN5A", "long"]


def test_an_unknown_type_has_a_kind_of_its_own(tiny_tokenizer):
    assert kinds(tiny_tokenizer, entity((8, 13), kind="Protein"))[0] == [("SCN5A", 5)]


def test_the_shorter_of_two_overlapping_mentions_stands_out(tiny_tokenizer):
    outer, inner = entity((8, 33), kind="Disease"), entity((17, 24))
    for order in ((outer, inner), (inner, outer)):
        found, _ = kinds(tiny_tokenizer, *order)
        assert found == [("SCN5A", 3), ("in", 4), ("long", 1), ("QT", 2), ("syndrome", 4)]


def test_what_lies_between_the_parts_of_a_mention_is_plain(tiny_tokenizer):
    found, first = kinds(tiny_tokenizer, entity((17, 21), (25, 33), kind="Disease"))
    assert found == [("long", 3), ("syndrome", 4)]
    assert first == ["long"]


def test_a_text_without_pieces_has_no_kinds(tiny_tokenizer):
    marked = mention_kinds(tokenize("", tiny_tokenizer), [], TYPES)
    assert (marked.kinds.tolist(), marked.first.tolist()) == ([], [])


def test_the_table_has_a_row_for_each_concept(tiny_tokenizer):
    text = "SCN5A and pain. SCN5A."
    genes = [
        Entity(type="GeneOrGeneProduct", spans=(Span(s, s + 5),), text="SCN5A", concepts=("6331",))
        for s in (0, 16)
    ]
    pain = Entity(
        type="DiseaseOrPhenotypicFeature", spans=(Span(10, 14),), text="pain", concepts=("D1",)
    )
    document = Document(id="1", text=text, entities=(genes[0], pain, genes[1]))
    found = candidates(document)
    tokens = tokenize(text, tiny_tokenizer)
    table = mention_table(mention_kinds(tokens, document.entities).first, found)
    rows = {c.id: row.tolist() for c, row in zip(found.concepts, table, strict=True)}
    places = {text[s:e]: i for i, (s, e) in enumerate(zip(tokens.starts, tokens.ends, strict=True))}
    assert rows["D1"] == [places["pain"], -1]
    assert sorted(rows["6331"]) == sorted(np.flatnonzero(np.isin(tokens.starts, [0, 16])).tolist())
