from collections import Counter

import pytest

from bluered.errors import FormatError
from bluered.normalize.sources.mesh import descriptors, supplementary

CHEMICAL, DISEASE = "ChemicalEntity", "DiseaseOrPhenotypicFeature"


@pytest.fixture
def files(invented):
    return invented("terms")


def test_trees_decide_which_descriptors_are_diseases_and_chemicals(files):
    omitted = Counter()
    found = [(t.id, t.type) for t in descriptors(files / "desc2026.xml", omitted=omitted)]
    assert found == [
        ("D900001", DISEASE),
        ("D900002", DISEASE),
        ("D900003", DISEASE),
        ("D900003", CHEMICAL),
        ("D900004", CHEMICAL),
    ]
    assert omitted.total() == 2


def test_terms_of_all_concepts_are_synonyms_and_headings_referred_to_are_not(files):
    term = next(descriptors(files / "desc2026.xml"))
    assert term.name == "Plovian Fever"
    assert term.synonyms == ("Fever, Plovian", "Plov's Disease", "Swamp Chills")


def test_class_and_mapped_headings_decide_about_supplementary_records(files):
    trees = {}
    list(descriptors(files / "desc2026.xml", trees=trees))
    found = {t.id: t.type for t in supplementary(files / "supp2026.xml", trees=trees)}
    assert found == {
        "C900001": CHEMICAL,  # class 1
        "C900002": DISEASE,  # class 3
        "C900003": CHEMICAL,  # a protocol of one chemical
        "C900006": CHEMICAL,  # no class, mapped to a chemical
    }


@pytest.mark.parametrize(
    ("name", "trees"),
    [
        ("zarnoxide", ("D12.776.9",)),
        ("zarnoxide", ("D08.811", "D12.776")),
        ("Z protein, mouse", ()),
    ],
)
def test_single_proteins_are_left_out(files, name, trees):
    path = files / "supp2026.xml"
    path.write_text(path.read_text().replace("<String>zarnoxide<", f"<String>{name}<"))
    omitted = Counter()
    found = [t.id for t in supplementary(path, trees={"D900004": trees}, omitted=omitted)]
    assert found[0] == "C900002"
    assert omitted["supplementary records of single proteins"] > 0


def test_supplementary_records_can_be_read_without_descriptors(files):
    found = [t.id for t in supplementary(files / "supp2026.xml", trees={})]
    assert found == ["C900001", "C900002"]


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("<DescriptorUI>D900001<", "<DescriptorUI>900001<", 4, "such as D001943"),
        ("<String>Swamp Chills<", "<String>Swamp & Chills<", 52, "not well-formed"),
        ("<String>Swamp Chills<", "<String>&swamp;<", 52, "not well-formed"),
        ("  </DescriptorRecord>\n", "", 4, "has no </DescriptorRecord>"),
    ],
)
def test_a_broken_record_is_named_by_line_and_the_rest_is_read(files, old, new, line, reason):
    path = files / "desc2026.xml"
    path.write_text(path.read_text().replace(old, new, 1))
    faults = []
    found = [t.id for t in descriptors(path, on_error=faults.append)]
    assert [t for t in found if t != "D900001"] == ["D900002", "D900003", "D900003", "D900004"]
    assert "D900001" not in found
    assert [(f.line, f.source) for f in faults] == [(line, str(path))]
    assert reason in str(faults[0])
    with pytest.raises(FormatError, match=reason):
        list(descriptors(path))


def test_a_truncated_file_is_named(files):
    path = files / "desc2026.xml"
    path.write_bytes(path.read_bytes()[:-400])
    faults = []
    found = [t.id for t in descriptors(path, on_error=faults.append)]
    assert found == ["D900001", "D900002", "D900003", "D900003", "D900004"]
    assert "truncated" in str(faults[0])


def test_entities_of_a_declaration_are_never_expanded_or_loaded(files):
    path = files / "desc2026.xml"
    (files / "secret").write_text("secret")
    declaration = f'<!DOCTYPE x [<!ENTITY swamp SYSTEM "file://{files}/secret">]>'
    text = path.read_text().replace("Swamp Chills", "&swamp;")
    head, rest = text.split("\n", 1)
    path.write_text("\n".join([head, declaration, rest]))
    faults = []
    names = [name for t in descriptors(path, on_error=faults.append) for name in t.synonyms]
    assert len(faults) == 1
    assert "secret" not in " ".join(names)


def test_records_are_cut_alike_wherever_the_chunks_end(files, monkeypatch):
    whole = list(descriptors(files / "desc2026.xml"))
    for size in (7, 50, 333):
        monkeypatch.setattr("bluered.normalize.sources.mesh_records._CHUNK", size)
        assert list(descriptors(files / "desc2026.xml")) == whole


def test_another_file_is_refused(files):
    with pytest.raises(FormatError, match="found none"):
        list(descriptors(files / "supp2026.xml"))
