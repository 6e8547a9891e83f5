"""Names counted in annotated corpora, without the documents that are held out."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bluered.documents.biored_types import (
    CELL_LINE,
    CHEMICAL,
    DISEASE,
    ENTITY_TYPES,
    GENE,
    SPECIES,
    VARIANT,
)
from bluered.documents.document import Document, Entity, Span, simple_document
from bluered.normalize.shipped import corpora
from bluered.normalize.shipped.corpora import (
    CORPORA,
    FOR_RANKING,
    HELD_OUT,
    Corpus,
    concept_id,
    corpus_records,
    corpus_terms,
    seen_documents,
    seen_names,
)
from bluered.normalize.term import Term

TYPES = {"Disease": DISEASE, "Gene": GENE}
ABSTRACTS = (
    "We studied the wheezing of children in a small town by the sea, whose fathers work in mines.",
    "Old men with tremor were given a cup of tea every morning, and of coffee in the afternoon.",
    "In forty cows with a cold, the milk was thinner than that of others on the same green meadow.",
    "A rash of the left hand was seen in nine of the ten gardeners who had planted the new roses.",
    "Seven sailors who had lost their teeth were asked what they had eaten during their voyages.",
)


def pubtator(number: str, abstract: str, *mentions: tuple[str, str, str]) -> str:
    title = "A study"
    lines = [f"{number}|t|{title}", f"{number}|a|{abstract}"]
    text = f"{title} {abstract}"
    for name, kind, concept in mentions:
        start = text.index(name)
        lines.append(f"{number}\t{start}\t{start + len(name)}\t{name}\t{kind}\t{concept}")
    return "\n".join(lines) + "\n\n"


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    """A folder with two corpora, and held-out parts that share documents with them."""
    held_out = {
        "dev": [simple_document("900", "A study", ABSTRACTS[1].upper())],  # another id
        "test": [simple_document("10000033", "Another", ABSTRACTS[4] + " " + ABSTRACTS[4][::-1])],
    }

    def documents(name: str, split: str) -> Iterator[Document]:
        assert name == "biored"
        return iter(held_out[split])

    monkeypatch.setattr(corpora, "documents", documents)
    (tmp_path / "one.txt").write_text(
        pubtator("11", ABSTRACTS[0], ("wheezing", "Disease", "D000011"), ("town", "Place", "D9"))
        + pubtator("12", ABSTRACTS[1], ("tremor", "Disease", "D000012"))
        + pubtator("10000033", ABSTRACTS[2], ("cold", "Disease", "D000013"))
        + pubtator("14", ABSTRACTS[3], ("rash", "Disease", "MESH:D000014"))
        + pubtator("14", ABSTRACTS[3], ("rash", "Disease", "D000014"))  # twice in the file
    )
    (tmp_path / "two.txt").write_text(
        pubtator(
            "14", ABSTRACTS[3], ("rash", "Disease", "D000014"), ("gardeners", "Gene", "7(Tax:9606)")
        )
        + pubtator("15", ABSTRACTS[0] + " Yes.", ("wheezing", "Disease", "D000011"))
    )
    return tmp_path


OWN = (
    Corpus("one", "CC0", TYPES, file="one.txt"),
    Corpus("two", "CC0", TYPES, file="two.txt"),
)


def test_documents_by_text_or_id_of_a_held_out_part_are_left_out(data):
    found = [(corpus.name, document.id) for corpus, document in seen_documents(data, OWN)]
    assert found == [("one", "11"), ("one", "14"), ("two", "14"), ("two", "15")]


def test_names_are_counted_by_document(data, monkeypatch):
    monkeypatch.setattr(corpora, "seen_documents", lambda data: seen_documents(data, OWN))
    found = {(term.type, term.id): term for term in corpus_terms(data)}
    assert set(found) == {(DISEASE, "D000011"), (DISEASE, "D000014"), (GENE, "7")}
    assert found[DISEASE, "D000011"].seen == {"wheezing": 2}
    assert found[GENE, "7"] == Term("7", GENE, "gardeners", taxon="9606", seen={"gardeners": 1})


def document(*entities: Entity) -> Document:
    return Document(id="1", text="x" * 50, entities=entities)


def mention(kind: str, text: str, *concepts: str) -> Entity:
    return Entity(kind, (Span(0, len(text)),), text, concepts=concepts)


def test_only_mentions_of_one_well_formed_id_count():
    own = {kind: kind for kind in ENTITY_TYPES if kind != VARIANT}
    some = document(
        mention(GENE, "abc", "7"),
        mention(GENE, "both", "7", "8"),
        mention(GENE, "no number", "D000007"),
        mention(DISEASE, "broken\n  over lines", "D000009"),
        mention(DISEASE, "omim", "OMIM:100100"),
        mention(DISEASE, "placeholder", "-"),
        mention(DISEASE, "nothing"),
        mention(DISEASE, "a gene", "1234"),
        mention(CELL_LINE, "a species", "9606"),
        mention(CELL_LINE, "HeLa", "CVCL_0030"),
        mention(SPECIES, "man", "9606"),
        mention(CHEMICAL, "drug", "C000009"),
        mention(VARIANT, "V600E", "rs1"),
        mention("Other", "thing", "7"),
    )
    assert list(seen_names(some, own)) == [
        (GENE, "7", "abc", ""),
        (DISEASE, "D000009", "broken over lines", ""),
        (DISEASE, "OMIM:100100", "omim", ""),
        (CELL_LINE, "CVCL_0030", "HeLa", ""),
        (SPECIES, "9606", "man", ""),
        (CHEMICAL, "C000009", "drug", ""),
    ]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("672", ("672", "")),
        ("MESH:D000001", ("D000001", "")),
        ("672(Tax:9606)", ("672", "9606")),
        (" 672 ", ("672", "")),
        ("OMIM:100100", ("OMIM:100100", "")),
        ("672(Tax:)", ("672(Tax:)", "")),
    ],
)
def test_ids_are_written_as_biored_does(written, expected):
    assert concept_id(written) == expected


def test_no_corpus_is_a_held_out_part():
    for corpus in (*CORPORA, *FOR_RANKING):
        assert corpus.split is not None or corpus.file
        assert corpus.split not in {("biored", name) for name in HELD_OUT}
        assert "biored" not in corpus.file.lower()
    assert HELD_OUT == ("dev", "test")


def test_every_counted_corpus_is_named_with_its_licence():
    records = corpus_records()
    assert [record.name for record in records] == [f"names in {corpus.name}" for corpus in CORPORA]
    assert all(record.licence for record in records)
