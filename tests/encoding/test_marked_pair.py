"""Marked pairs, compared with markers put into a list of pieces by plain loops."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bluered.documents import Document, Entity, Span
from bluered.documents.biored_types import CHEMICAL, DISEASE, GENE
from bluered.encoding.marked_pair import (
    MARKER_KINDS,
    marked_length,
    marked_pair,
    opens,
    pair_text,
    sides,
)
from bluered.encoding.pairs import candidates

LETTERS = {GENE: "g", DISEASE: "d", CHEMICAL: "c"}


def shown(row, tokenizer) -> str:
    """Write a sequence down, markers as <g1 or g2> by type and concept."""
    names = {}
    for number, letter in enumerate("gdcsvlo"):
        for side in (0, 1):
            names[1 + 4 * number + 2 * side] = f"<{letter}{side + 1}"
            names[2 + 4 * number + 2 * side] = f"{letter}{side + 1}>"
    pieces = [
        names[kind] if kind else tokenizer.id_to_token(piece)
        for piece, kind in zip(row.ids.tolist(), row.kinds.tolist(), strict=True)
    ]
    return " ".join(pieces)


def document(text: str, *mentions: tuple[str, str, tuple[str, ...]]) -> Document:
    """Make a document of (name, type, ids) mentions at the first place of each name."""
    entities = [
        Entity(
            type=kind,
            spans=(Span(text.index(name), text.index(name) + len(name)),),
            text=name,
            concepts=concepts,
            combination="alternatives" if len(concepts) > 1 else None,
        )
        for name, kind, concepts in mentions
    ]
    return Document(id="1", text=text, entities=tuple(entities))


def rows_of(made: Document, tokenizer, size: int = 64) -> list:
    found, text = candidates(made), pair_text(made, tokenizer)
    return [
        marked_pair(text, (found.concepts[a].mentions, found.concepts[b].mentions), size=size)
        for a, b in found.pairs.tolist()
    ]


def test_every_mention_of_both_concepts_is_marked(tiny_tokenizer):
    made = document(
        "loss of brca1 in breast cancer. Olaparib reduced pain",
        ("brca1", GENE, ("672",)),
        ("breast cancer", DISEASE, ("D1",)),
        ("Olaparib", CHEMICAL, ("C1",)),
        ("pain", DISEASE, ("D1",)),
    )
    gene_disease = rows_of(made, tiny_tokenizer)[0]
    text = shown(gene_disease, tiny_tokenizer)
    assert text.startswith("[CLS] loss of <g2 ")  # BioRED's pairs name the disease first
    assert " g2> in <d1 breast cancer d1> . " in text
    assert text.endswith("reduce ##d <d1 pain d1> [SEP]")
    assert "c1" not in text
    assert set(gene_disease.ids[gene_disease.kinds > 0]) == {
        tiny_tokenizer.token_to_id("[unused1]")
    }
    assert gene_disease.sentences.tolist()[0] == gene_disease.sentences.tolist()[-1] == -1
    assert gene_disease.sentences.max() == 1


def test_a_mention_of_both_and_mentions_in_mentions_are_nested(tiny_tokenizer):
    made = document("in mice", ("mice", GENE, ("1", "2")))
    assert shown(rows_of(made, tiny_tokenizer)[0], tiny_tokenizer) == (
        "[CLS] in <g1 <g2 mice g2> g1> [SEP]"
    )
    made = document(
        "breast cancer in mice", ("breast cancer", DISEASE, ("D1",)), ("breast", GENE, ("1",))
    )
    assert shown(rows_of(made, tiny_tokenizer)[0], tiny_tokenizer) == (
        "[CLS] <d1 <g2 breast g2> cancer d1> in mice [SEP]"
    )


@pytest.mark.parametrize("size", [12, 16, 24])
def test_the_window_shows_both_concepts_where_one_can(tiny_tokenizer, size):
    filler = "found " * 30
    made = document(
        f"{filler}mice {filler}breast pain {filler}",
        ("mice", GENE, ("1",)),
        ("breast", GENE, ("1",)),
        ("pain", DISEASE, ("D1",)),
    )
    (row,) = rows_of(made, tiny_tokenizer, size)
    assert len(row.ids) == size
    assert "<g2 breast g2> <d1 pain d1>" in shown(row, tiny_tokenizer)
    places = np.flatnonzero(row.kinds)
    assert abs(places.mean() - size / 2) <= 2  # with text on either side


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), size=st.integers(4, 60))
def test_sequences_are_those_of_plain_loops(invented_documents, tiny_tokenizer, data, size):
    made = data.draw(invented_documents)
    found, text = candidates(made), pair_text(made, tiny_tokenizer)
    for a, b in found.pairs.tolist():
        pair = (found.concepts[a].mentions, found.concepts[b].mentions)
        row = marked_pair(text, pair, size=10_000)
        expected = []
        for place in range(len(text.ids) + 1):
            spans = [
                (*text.mentions[m].tolist(), side, m)
                for side, mentions in enumerate(pair)
                for m in mentions
            ]
            closing = [x for x in spans if x[1] == place and x[0] < x[1]]
            for first, _, side, m in sorted(closing, key=lambda x: (-x[0], -x[2])):
                assert first < place
                expected.append(2 + 4 * int(text.types[m]) + 2 * side)
            opening = [x for x in spans if x[0] == place and x[0] < x[1]]
            for *_, side, m in sorted(opening, key=lambda x: (-x[1], x[2])):
                expected.append(1 + 4 * int(text.types[m]) + 2 * side)
            if place < len(text.ids):
                expected.append(-int(text.ids[place]))
        if len(text.ids):
            said = [
                kind or -piece
                for piece, kind in zip(row.ids.tolist(), row.kinds.tolist(), strict=True)
            ]
            assert said[1:-1] == expected
        assert row.kinds.max(initial=0) < MARKER_KINDS
        assert (opens(row.kinds) & (sides(row.kinds) == 1)).sum() == len(pair[0])
        assert (sides(row.kinds) == 2).sum() == 2 * len(pair[1])
        assert np.isin(np.diff(row.words[1:-1]), (0, 1)).all()
        short = marked_pair(text, pair, size=size)
        assert len(short.ids) == marked_length(text, pair, size=size) <= size
        whole, part = row.kinds[1:-1].tolist(), short.kinds[1:-1].tolist()
        best = max(
            (_worth(whole[i : i + size - 2]) for i in range(max(1, len(whole) - size + 3))),
        )
        assert _worth(part) == best


def _worth(kinds: list[int]) -> tuple[bool, int]:
    sides_there = [(kind - 1) // 2 % 2 for kind in kinds if kind]
    return len(set(sides_there)) == 2, len(sides_there)
