"""Writing a terminology and reading it back."""

import json
import multiprocessing
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bluered.documents.biored_types import (
    CELL_LINE,
    CHEMICAL,
    DISEASE,
    ENTITY_TYPES,
    GENE,
    SPECIES,
    VARIANT,
)
from bluered.documents.document import Document, Entity, Span
from bluered.errors import BlueredError
from bluered.normalize.linker import Linker
from bluered.normalize.names import name_key
from bluered.normalize.ranker import Ranker
from bluered.normalize.store import MANIFEST, keys_of, write_terminology
from bluered.normalize.term import KINDS, SourceRecord, Term
from bluered.normalize.terminology import Terminology

TERMS = (
    Term("672", GENE, "BRCA1", ("RNF53",), ("BRCA1 DNA repair associated",), "9606"),
    Term("12189", GENE, "Brca1", (), (), "10090"),
    Term("D003920", DISEASE, "Diabetes Mellitus", ("diabetes",), seen={"diabetic": 7}),
    Term("D003924", DISEASE, "Diabetes Mellitus, Type 2", ("NIDDM",), seen={"diabetes": 2}),
    Term("C531550", CHEMICAL, "olaparib"),
    Term("OMIM:114500", DISEASE, "hereditary bowel cancer"),
    Term("9606", SPECIES, "Homo sapiens", ("human",)),
    Term("rs113488022", VARIANT, "p.V600E"),
    Term("CVCL_0031", CELL_LINE, "MCF-7", taxon="9606"),
)


def ids(terms: Terminology, name: str, kind: str) -> dict[str, str]:
    """Return the ids of the concepts of a name, each with the kind of name."""
    return {terms.concept(b.concept).id: b.kind for b in terms.named(name, type=kind)}


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("brca-1", GENE, {"672": "name", "12189": "name"}),
        ("rnf 53", GENE, {"672": "synonym"}),
        ("BRCA1 DNA repair associated", GENE, {"672": "description"}),
        ("BRCA1", DISEASE, {}),
        ("nothing of the kind", DISEASE, {}),
        ("", DISEASE, {}),
        ("diabetes", DISEASE, {"D003920": "synonym", "D003924": "corpus"}),
        ("hereditary bowel cancers", DISEASE, {"OMIM:114500": "name"}),
        ("Olaparib", CHEMICAL, {"C531550": "name"}),
        ("V600E", VARIANT, {"rs113488022": "name"}),
        ("MCF7", CELL_LINE, {"CVCL_0031": "name"}),
        ("humans", SPECIES, {"9606": "synonym"}),
    ],
)
def test_names_lead_to_concepts(made, name, kind, expected):
    assert ids(made(TERMS), name, kind) == expected


def test_concepts_are_what_was_written(made):
    terms = made(TERMS)
    for term in TERMS:
        number = terms.number(term.id, type=term.type)
        concept = terms.concept(number)
        assert (concept.id, concept.type, concept.name, concept.taxon) == (
            term.id, term.type, term.name, term.taxon,
        )  # fmt: skip
        assert terms.holds(term.type, term.id)
    assert not terms.holds(DISEASE, "672")
    assert not terms.holds("a type of another corpus", "672")
    assert terms.number("673", type=GENE) is None


def test_words_in_any_order(made):
    terms = made(TERMS)
    found = terms.named_in_any_order("type II diabetes mellitus", type=DISEASE)
    assert [terms.concept(b.concept).id for b in found] == ["D003924"]
    assert terms.named_in_any_order("diabetes", type=DISEASE) == []
    # a gene's words have their order
    assert terms.named_in_any_order("DNA repair associated BRCA1", type=GENE) == []


def test_seen_names_are_counted_for_their_concept(made):
    terms = made(TERMS)
    documents = {
        terms.concept(b.concept).id: b.documents for b in terms.named("diabetes", type=DISEASE)
    }
    assert documents == {"D003920": 0, "D003924": 2}
    totals = {terms.concept(n).id: total for n, total in terms.seen_totals().items()}
    assert totals == {"D003920": 7, "D003924": 2}


def test_what_sources_say_of_a_concept_is_put_together(made):
    terms = made(
        [
            Term("1", GENE, "ABC1", ("XYZ",)),
            Term("1", GENE, "XYZ", ("ABC1", "LMN"), ("the abc protein",), "9606"),
            Term("1", GENE, "usual", taxon="10090", seen={"usual": 3, "LMN": 1}),
            Term("1", GENE, "usual", seen={"usual": 2}),
            Term("1", DISEASE, "ABC1 deficiency"),
        ]
    )
    concept = terms.concept(terms.number("1", type=GENE))
    assert concept.name == "ABC1"  # the first preferred name
    assert concept.taxon == "9606"  # the first that is known
    # the strongest kind of each name; a corpus prefers none
    assert ids(terms, "ABC1", GENE) == {"1": "name"}
    assert ids(terms, "XYZ", GENE) == {"1": "name"}
    assert ids(terms, "LMN", GENE) == {"1": "synonym"}
    assert ids(terms, "usual", GENE) == {"1": "corpus"}
    assert [b.documents for b in terms.named("usual", type=GENE)] == [5]
    assert [b.documents for b in terms.named("LMN", type=GENE)] == [1]
    assert terms.manifest.counts[GENE].concepts == 1


def test_seen_names_of_one_key_are_added_up(made):
    terms = made(
        [Term("1", DISEASE, "breast cancer", seen={"Breast Cancer": 2, "breast-cancer": 3})]
    )
    assert [b.documents for b in terms.named("breast cancers", type=DISEASE)] == [5]


def test_more_documents_than_a_count_holds(made):
    terms = made([Term("1", DISEASE, "flu", seen={"flu": 70_000})])
    assert [b.documents for b in terms.named("flu", type=DISEASE)] == [65_535]


@pytest.mark.parametrize("bearers", [255, 256, 257])
def test_a_name_of_very_many_concepts(made, bearers):
    terms = made([*(Term(str(n), GENE, "ABC") for n in range(bearers)), Term("x", GENE, "ABD")])
    found = {terms.concept(b.concept).id for b in terms.named("abc", type=GENE)}
    assert found == {str(n) for n in range(bearers)}
    assert ids(terms, "ABD", GENE) == {"x": "name"}


def test_names_that_cannot_be_looked_up(made):
    terms = made(
        [
            Term("1", GENE, "", ("ABC", "")),
            Term("2", DISEASE, "x" * 5_000, ("y" * 121, "z" * 120)),
            Term("3", CHEMICAL, "***"),
        ]
    )
    assert ids(terms, "ABC", GENE) == {"1": "synonym"}
    assert terms.concept(terms.number("1", type=GENE)).name == ""
    assert terms.concept(terms.number("2", type=DISEASE)).name == "x" * 5_000
    assert ids(terms, "x" * 5_000, DISEASE) == ids(terms, "y" * 121, DISEASE) == {}
    assert ids(terms, "z" * 120, DISEASE) == {"2": "synonym"}
    assert ids(terms, "***", CHEMICAL) == {"3": "name"}


@pytest.mark.parametrize("terms", [[], [Term("1", GENE, "")], [Term("1", GENE, "x" * 500)]])
def test_terms_without_a_name_are_refused(made, terms):
    with pytest.raises(BlueredError, match="no terms to write; expected at least one with a name"):
        made(terms)


def test_a_term_of_no_entity_type_is_refused(made):
    with pytest.raises(BlueredError, match=r"no entity type 'Gene'.*term 672"):
        made([Term("672", "Gene", "BRCA1")])


def test_keys_of_a_concept_are_those_of_its_term(made):
    terms = made(TERMS)
    for term in TERMS:
        expected: dict[str, str] = {}
        for key, kind in keys_of(term):
            expected[key] = min(kind, expected.get(key, kind), key=KINDS.index)
        assert dict(terms.keys_of(terms.number(term.id, type=term.type))) == expected


def test_beginnings_come_shortest_first(made):
    terms = made(Term(str(n), DISEASE, "long" + "q" * n) for n in range(8))
    found = terms.beginning("longq", most=8)
    assert [key for _, key in found] == ["longqq", "longqqq", "longqqqq"]
    assert [terms.key(number) for number, _ in found] == [key for _, key in found]
    assert terms.beginning("short", most=100) == []


WRITTEN = st.lists(
    st.builds(
        Term,
        id=st.sampled_from(["1", "2", "D3", "OMIM:4"]),
        type=st.sampled_from(ENTITY_TYPES),
        name=st.text("ab -1α", min_size=1, max_size=8),
        synonyms=st.lists(st.text("ab -1α", max_size=8), max_size=3).map(tuple),
        taxon=st.sampled_from(["", "9606", "10090"]),
        seen=st.dictionaries(st.text("ab1", min_size=1, max_size=3), st.integers(1, 9), max_size=2),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=40, deadline=None)
@given(written=WRITTEN)
def test_every_name_is_found_and_no_other(tmp_path_factory, written):
    folder = tmp_path_factory.mktemp("terms")
    write_terminology(written, folder, name="x", built="2026-01-01", sources=())
    terms = Terminology(folder)
    expected: dict[tuple[str, str], dict[str, str]] = {}
    seen: dict[tuple[str, str, str], int] = {}
    for term in written:
        for key, kind in keys_of(term):
            bearers = expected.setdefault((term.type, key), {})
            bearers[term.id] = min(kind, bearers.get(term.id, kind), key=KINDS.index)
        for name, documents in term.seen.items():
            place = (term.type, name_key(name, kind=term.type), term.id)
            seen[place] = seen.get(place, 0) + documents
    for kind in ENTITY_TYPES:
        for _, key in {*expected, ("", "ab"), ("", "b1")}:
            found = {terms.concept(b.concept).id: b for b in terms.bearers(key, type=kind)}
            assert {i: b.kind for i, b in found.items()} == expected.get((kind, key), {})
            assert {i: b.documents for i, b in found.items()} == {
                i: seen.get((kind, key, i), 0) for i in found
            }


def write(folder, terms=TERMS, **more) -> dict[str, bytes]:
    folder.mkdir()
    source = SourceRecord(name="a source", version="1", licence="CC0")
    write_terminology(terms, folder, name="x", built="2026-01-01", sources=[source], **more)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_same_terms_give_the_same_bytes(tmp_path):
    assert write(tmp_path / "one") == write(tmp_path / "two")


def test_the_order_of_concepts_does_not_count(tmp_path):
    backwards = write(tmp_path / "two", TERMS[::-1])
    written = write(tmp_path / "one")
    different = {name for name in written if written[name] != backwards[name]}
    # look-alikes are listed in the order in which they came
    assert all(name.startswith("ngram_") or name == MANIFEST for name in different)


def test_a_changed_file_is_reported(made):
    terms = made(TERMS)
    assert terms.damaged() == []
    path = terms.folder / "names.npy"
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert terms.damaged() == ["names.npy"]


def open_all(folder) -> Linker:
    terms = Terminology(folder)
    linker = Linker(terms, Ranker({}))
    terms.name(0)
    return linker


def files() -> list[str]:
    return [
        "concepts.marisa", "counts.npy", "entries.npy", "keys.marisa", "names.marisa", "names.npy",
        "ngram_keys.npy", "ngram_names.npy", "ngram_rarity.npy", "ngram_starts.npy",
        "ngram_weights.npy", "seen.npy", "seen_documents.npy", "starts.npy", "taxa.npy",
        "types.npy",
    ]  # fmt: skip


@pytest.mark.parametrize("name", files())
@pytest.mark.parametrize("harm", ["missing", "cut off", "empty", "of something else"])
def test_a_harmed_file_is_named(made, name, harm):
    folder = made(TERMS).folder
    path = folder / name
    data = path.read_bytes()
    if harm == "missing":
        path.unlink()
    else:
        spoilt = {"cut off": data[:-1], "empty": b"", "of something else": b"x" * len(data)}
        path.write_bytes(spoilt[harm])
    with pytest.raises(BlueredError, match=rf"{name}: expected .* build it again"):
        open_all(folder)


def test_the_list_of_files_is_complete(made):
    folder = made(TERMS).folder
    assert sorted(path.name for path in folder.iterdir()) == sorted([*files(), MANIFEST])
    assert sorted(Terminology(folder).manifest.files) == files()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not the manifest"),
        (b"\xff\xfe\x00", "not the manifest"),
        (b"[]", "not the manifest"),
        (b'{"format": 1}', "not the manifest"),
        (b"{" * 1000, "not the manifest"),
    ],
)
def test_a_manifest_that_cannot_be_read(made, content, message):
    folder = made(TERMS).folder
    (folder / MANIFEST).write_bytes(content)
    with pytest.raises(BlueredError, match=message):
        Terminology(folder)


def test_a_manifest_of_another_format(made):
    path = made(TERMS).folder / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 99}))
    with pytest.raises(BlueredError, match="format 99, this version reads 1: build it again"):
        Terminology(path.parent)


def test_files_that_the_manifest_does_not_name_are_missed_too(made):
    path = made(TERMS).folder / MANIFEST
    manifest = json.loads(path.read_text())
    del manifest["files"]
    path.write_text(json.dumps(manifest))
    (path.parent / "keys.marisa").unlink()
    with pytest.raises(BlueredError, match=r"keys.marisa: expected a MARISA trie"):
        Terminology(path.parent)


def test_no_terminology_at_all(tmp_path):
    (tmp_path / "file").write_text("x")
    for folder in (tmp_path, tmp_path / "nowhere", tmp_path / "file"):
        with pytest.raises(BlueredError, match="no terminology there"):
            Terminology(folder)


def test_foreign_files_beside_it_do_no_harm(made):
    folder = made(TERMS).folder
    (folder / "notes.txt").write_text("x")
    (folder / "more").mkdir()
    assert open_all(folder).terms.damaged() == []


LOOK_UP = """
import sys
from pathlib import Path
from bluered.normalize.terminology import Terminology
terms = Terminology(Path(sys.argv[1]))
print(*(terms.concept(b.concept).id for b in terms.named("BRCA-1", type="GeneOrGeneProduct")))
"""


def test_processes_of_their_own_open_it_at_once(made):
    terms = made(TERMS)
    command = [sys.executable, "-c", LOOK_UP, str(terms.folder)]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for child in children:
        output, _ = child.communicate(timeout=60)
        assert sorted(output.split()) == ["12189", "672"]
        assert child.returncode == 0


@pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning")
def test_forked_processes_use_what_is_open(made):
    linker = open_all(made(TERMS).folder)
    mention = Entity(DISEASE, (Span(0, 8),), "diabetes")
    document = Document(id="1", text="diabetes", entities=(mention,))
    here = linker(document)
    fork = multiprocessing.get_context("fork")
    results = fork.SimpleQueue()
    children = [
        fork.Process(target=lambda: results.put(linker(document).entities[0].concepts))
        for _ in range(2)
    ]
    for child in children:
        child.start()
    assert [results.get(), results.get()] == [here.entities[0].concepts] * 2
    for child in children:
        child.join(60)
        assert child.exitcode == 0
