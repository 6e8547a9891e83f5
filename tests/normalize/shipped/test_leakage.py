"""The shipped terminology and ranker hold nothing from BioRED's development and test parts.

Whatever fails here says numbers only: the held-out parts are not to be looked at.
"""

from collections import Counter
from collections.abc import Sequence

import pytest

from bluered.corpora import documents
from bluered.corpora.overlap import by_text, overlaps
from bluered.corpora.texts import part
from bluered.documents.biored_types import GENE
from bluered.documents.document import Document, known_concepts
from bluered.normalize.grouping import LINKED_TYPES, groups
from bluered.normalize.locate import shipped_terminology
from bluered.normalize.names import name_key
from bluered.normalize.ranker import shipped_ranker
from bluered.normalize.shipped.corpora import (
    FOR_RANKING,
    HELD_OUT,
    Corpus,
    corpus_records,
    corpus_terms,
    seen_documents,
)
from bluered.normalize.term import Term
from bluered.normalize.terminology import Terminology

Read = list[tuple[Corpus, Document]]
Pair = tuple[str, str, str]
"""Entity type, key of the name, concept id."""


@pytest.fixture(scope="module")
def counted(data_dir) -> Read:
    """The documents whose names are counted."""
    return list(seen_documents(data_dir))


@pytest.fixture(scope="module")
def ranked(data_dir) -> Read:
    """The documents that the ranker was learnt from besides."""
    return list(seen_documents(data_dir, FOR_RANKING))


@pytest.fixture(scope="module")
def recounted(data_dir, counted) -> list[Term]:
    """The terms that these documents give."""
    from bluered.normalize.shipped import corpora

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpora, "seen_documents", lambda data: iter(counted))
        return list(corpus_terms(data_dir))


@pytest.fixture(scope="module")
def shipped() -> Terminology:
    folder = shipped_terminology()
    if not (folder / "terms.json").is_file():
        pytest.skip("this checkout has no shipped terminology: make terms")
    return Terminology(folder)


def by_pair(terms: Sequence[Term]) -> Counter[Pair]:
    """Return in how many documents each name was seen for each concept, as it is stored."""
    found: Counter[Pair] = Counter()
    for term in terms:
        for name, number in term.seen.items():
            key = name_key(name, kind=term.type)
            if 0 < len(key) <= 120:
                found[term.type, key, term.id] += number
    return found


def shared(first: Sequence[Document], second: Sequence[Document]) -> int:
    """Return how many pairs of documents are the same by their text or PubMed id."""
    return sum(
        bool(by_text(match) or match.same_id)
        for overlap in overlaps([part("first", first)], [part("second", second)])
        for match in overlap.matches
    )


@pytest.mark.parametrize("split", HELD_OUT)
def test_no_counted_document_stands_in_a_held_out_part(data_dir, counted, split):
    held_out = list(documents("biored", split))
    assert len(held_out) == 100
    for name in dict.fromkeys(corpus.name for corpus, _ in counted):
        own = [document for corpus, document in counted if corpus.name == name]
        assert own
        assert shared(held_out, own) == 0, f"documents of {name} stand in BioRED {split}"


@pytest.mark.parametrize("split", HELD_OUT)
def test_no_document_for_ranking_stands_in_a_held_out_part(data_dir, ranked, split):
    own = [document for _, document in ranked]
    assert own
    assert shared(list(documents("biored", split)), own) == 0


def test_the_held_out_documents_are_found_where_they_stand(data_dir):
    """The overlap that the tests above rely on sees what is there (README of the corpora)."""
    dev = list(documents("biored", "dev"))
    assert shared(dev, dev) == len(dev)
    assert shared(list(documents("biored", "dev")), list(documents("bc5cdr", "train"))) > 0


def test_seen_names_are_those_of_the_counted_documents(shipped, recounted):
    expected = by_pair(recounted)
    stored: Counter[Pair] = Counter()
    for kind, key, _ in expected:
        for bearer in shipped.bearers(key, type=kind):
            stored[kind, key, shipped.concept(bearer.concept).id] = bearer.documents
    different = sum(stored[pair] != number for pair, number in expected.items())
    assert different == 0
    others = sum(shipped.seen_totals().values()) - expected.total()
    assert others == 0


def test_the_counted_corpora_are_the_ones_it_names(shipped):
    named = {record.name for record in shipped.manifest.sources}
    assert {record.name for record in corpus_records()} == {
        name for name in named if name.startswith("names in ")
    }


@pytest.mark.parametrize("split", HELD_OUT)
def test_no_annotation_of_a_held_out_part_was_taken(data_dir, shipped, recounted, split):
    """What a held-out part calls a concept is a seen name only if a counted document has it too."""
    known = by_pair(recounted)
    pairs = {
        (entity.type, name_key(entity.text, kind=entity.type), concept)
        for document in documents("biored", split)
        for entity in document.entities
        if entity.type in LINKED_TYPES
        for concept in known_concepts(entity)
    }
    assert len(pairs) > 500
    taken = only_there = 0
    for kind, key, concept in pairs:
        number = shipped.number(concept, type=kind)
        bearers = shipped.bearers(key, type=kind) if number is not None else []
        bearer = next((b for b in bearers if b.concept == number), None)
        if (kind, key, concept) not in known and bearer is not None:
            only_there += 1
            taken += bearer.documents > 0 or bearer.kind == "corpus"
    assert only_there > 100  # names that the packages know
    assert taken == 0


def names_with_an_id(documents: Read) -> Counter[str]:
    """Return how many names with an id the documents have, by entity type: what is learnt from."""
    ranking = pytest.importorskip("bluered.normalize.shipped.ranking", exc_type=ImportError)
    found: Counter[str] = Counter()
    for corpus, document in documents:
        if corpus.in_passages:  # the names of these are counted only
            continue
        typed = ranking.typed_document(document, corpus.types)
        for group in groups(ranking.without_concepts(typed)):
            used = group.type != GENE or corpus.name in ranking.OF_GENES
            if used and any(typed.entities[number].concepts for number in group.mentions):
                found[group.type] += 1
    return found


def test_the_ranker_was_learnt_from_no_other_documents(data_dir, counted, ranked, shipped):
    """It says how many names it was learnt from: some of those there are, those that are found.

    What it leaves out is less than what the development part would have added.
    """
    made = shipped_ranker().made
    assert made["terms"] == shipped.manifest.built
    learnt = Counter({kind: int(made[f"names of {kind}"]) for kind in LINKED_TYPES})
    names = names_with_an_id([*counted, *ranked])
    own = next(corpus for corpus, _ in counted if corpus.split == ("biored", "train"))
    added = names_with_an_id([(own, document) for document in documents("biored", "dev")])
    assert all(0 < learnt[kind] <= names[kind] for kind in LINKED_TYPES)
    assert (names - learnt).total() < 0.9 * added.total()
