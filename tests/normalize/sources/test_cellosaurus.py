import gzip

import pytest

from bluered.errors import FormatError
from bluered.normalize.sources.cellosaurus import cell_lines, version_of
from bluered.normalize.term import Term


@pytest.fixture
def path(invented):
    return invented("terms") / "cellosaurus.txt"


def test_entries_become_terms_with_the_species_of_origin(path):
    assert list(cell_lines(path)) == [
        Term(
            id="CVCL_ZZ01",
            type="CellLine",
            name="PLV-9",
            synonyms=("PLV9", "Plv 9", "PLV-9 (swamp)"),
            taxon="9606",
        ),
        Term(id="CVCL_ZZ02", type="CellLine", name="QX1 [Mouse hybridoma]", synonyms=("QX1",)),
    ]


def test_the_head_names_the_version(path):
    assert version_of(path) == "99.0"
    packed = path.with_name("cellosaurus.txt.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert version_of(packed) == "99.0"
    assert list(cell_lines(packed)) == list(cell_lines(path))


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        (b"AC   CVCL_ZZ01\n", b"", 22, "expected an AC line"),
        (b"AC   CVCL_ZZ01", b"AC   ZZ01", 22, "found 'ZZ01'"),
        (b"SY   PLV9", b"SY   PLV\xff", 25, "not UTF-8"),
        (b"Version: 1\n//\n", b"Version: 1\n", 22, "has no end"),
    ],
)
def test_a_broken_entry_is_named_and_the_rest_is_read(path, old, new, line, reason):
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    faults = []
    assert [t.id for t in cell_lines(path, on_error=faults.append)] == ["CVCL_ZZ02"]
    assert [(f.source, f.line) for f in faults] == [(str(path), line)]
    assert reason in str(faults[0])


def test_another_file_is_refused(path):
    path.write_text("format-version: 1.2\n\n[Term]\nid: CVCL_0030\n")
    with pytest.raises(FormatError, match=r"entries of cellosaurus\.txt"):
        list(cell_lines(path))
