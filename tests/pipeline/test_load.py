"""The shipped model through the Python API, on the example abstracts."""

from pathlib import Path

import pytest
from msgspec import structs

import bluered
from bluered.documents.checks import faults
from bluered.documents.concepts import is_local
from bluered.documents.document import Entity, Span
from bluered.errors import BlueredError, ModelError
from bluered.inference.bundle import shipped_folder
from bluered.pipeline.load import linker_of
from bluered.reports.page import render_page

ABSTRACTS = sorted((Path(__file__).parents[2] / "examples" / "abstracts").glob("*.txt"))


@pytest.fixture(scope="module")
def nlp():
    if not (shipped_folder() / "bundle.json").is_file():
        pytest.skip("this checkout has no shipped model: export one to inference/assets")
    return bluered.load(threads=2, terms="none")


@pytest.fixture(scope="module")
def annotated(nlp):
    return list(nlp.pipe(next(iter(bluered.read(path))) for path in ABSTRACTS))


def test_examples_show_all_entity_types_and_several_relation_types(annotated):
    assert len(annotated) == 5
    assert len({e.type for d in annotated for e in d.entities}) == 6
    assert len({r.type for d in annotated for r in d.relations}) >= 3
    assert {r.novel for d in annotated for r in d.relations} == {True, False}


def test_what_the_model_finds_is_sound(annotated):
    for document in annotated:
        assert list(faults(document)) == []
        assert all(e.concepts and 0 <= (e.confidence or -1) <= 1 for e in document.entities)
        for relation in document.relations:
            assert relation.evidence
            assert 0 <= (relation.confidence or -1) <= 1
            assert 0.5 <= (relation.novelty_confidence or -1) <= 1


def test_one_text_and_a_stream_agree(nlp, annotated):
    assert nlp(annotated[0].text).entities == annotated[0].entities


def test_a_text_longer_than_any_window_is_read_to_its_end(nlp):
    filler = "We then counted the plates again and wrote the figures down. " * 150
    document = nlp(f"BRCA1 in breast cancer\n\n{filler}Olaparib slows breast cancer in mice.")
    assert document.entities[-1].start > len(filler)


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "?", "\U0001f9ec" * 600, "a" * 5000, "\u2028\x85"]
)
def test_odd_texts_break_nothing(nlp, text):
    assert nlp(text).text == text


def test_page_of_the_examples(annotated):
    page = render_page(annotated)
    assert page.count("<article") == 5
    assert page.count('class="edge') >= 5


def test_a_folder_without_a_model_is_an_error(tmp_path):
    with pytest.raises(ModelError, match="no model bundle"):
        bluered.load(tmp_path)


@pytest.mark.parametrize("threads", [0, -1])
def test_no_threads_is_an_error(threads):
    with pytest.raises(ModelError, match="threads must be 1 or more"):
        bluered.load(threads=threads)


def test_no_terminology_by_name_and_by_environment(monkeypatch):
    assert linker_of("none") is None
    monkeypatch.setenv("BLUERED_TERMS", "none")
    assert linker_of(None) is None


def test_a_terminology_by_folder_and_by_environment(small_terms, monkeypatch):
    monkeypatch.delenv("BLUERED_TERMS", raising=False)
    for terms in (small_terms, str(small_terms)):
        linker = linker_of(terms)
        assert linker
        assert linker.knows("CellLine", "CVCL_0031")
    monkeypatch.setenv("BLUERED_TERMS", str(small_terms))
    assert linker_of(None)


def test_a_terminology_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(BlueredError, match="no terminology 'nosuch'"):
        bluered.load(terms="nosuch")
    with pytest.raises(BlueredError, match="no terminology there"):
        bluered.load(terms=tmp_path)


def test_the_examples_with_the_terminology_in_use(terms_in_use, nlp):
    linking = bluered.load(threads=2, terms=terms_in_use)
    documents = list(linking.pipe(next(iter(bluered.read(path))) for path in ABSTRACTS))
    entities = [entity for document in documents for entity in document.entities]
    linked = [e for e in entities if not is_local(e.concepts[0])]
    assert len(linked) > 0.9 * len(entities)
    assert all(0 < float(e.infons["score"]) <= 1 for e in linked)
    assert all(list(faults(document)) == [] for document in documents)
    ids = {concept for entity in entities for concept in entity.concepts}
    assert ids >= {"672", "D001943", "D008133", "9606", "10116", "CVCL_0031", "rs1057910"}


def test_threads_and_neighbours_change_nothing(annotated):
    alone = bluered.load(threads=1, terms="none")
    documents = [next(iter(bluered.read(path))) for path in ABSTRACTS]
    for document, among_others in zip(documents[::-1], annotated[::-1], strict=True):
        assert alone(document) == among_others


def test_processes_change_nothing(annotated, monkeypatch):
    monkeypatch.setattr("bluered.pipeline.pipeline._BEFORE_PROCESSES", 2)
    several = bluered.load(threads=1, processes=2, terms="none")
    documents = (next(iter(bluered.read(path))) for path in ABSTRACTS)
    assert list(several.pipe(documents)) == annotated


def test_a_document_that_fails_in_a_process_is_told_of(nlp, monkeypatch):
    monkeypatch.setattr("bluered.pipeline.pipeline._BEFORE_PROCESSES", 0)
    several = bluered.load(threads=1, processes=2, terms="none")
    bad = structs.replace(nlp("BRCA1 in man"), entities=(Entity("Gene", (Span(5, 90),), "x"),))
    told = []
    stream = several.pipe([bad, "BRCA1 in breast cancer"], on_error=lambda *what: told.append(what))
    first, second = stream
    assert "FormatError" in first.infons["error"]
    assert second.entities
    assert [(document.id, type(error).__name__) for document, error in told] == [
        (bad.id, "FormatError")
    ]


def test_no_processes_is_an_error():
    with pytest.raises(ModelError, match="processes must be 1 or more"):
        bluered.load(processes=0)
