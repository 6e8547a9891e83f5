import tarfile
from collections import Counter

import pytest

from bluered.errors import FormatError
from bluered.normalize.sources.taxonomy import date_of, taxa
from bluered.normalize.term import Term


@pytest.fixture
def folder(invented):
    return invented("terms") / "taxdump"


def packed(folder):
    path = folder.with_name("taxdump.tar.gz")
    with tarfile.open(path, "w:gz") as archive:
        for name in ("names.dmp", "nodes.dmp"):
            archive.add(folder / name, arcname=name)
    return path


WORM = Term(
    id="900010",
    type="OrganismTaxon",
    name="Plovia palustris",
    synonyms=("marsh plover worm", "PPAL"),
    descriptions=("Plovia palustrus", "worms"),
)


def test_classes_of_names_decide_what_they_are(folder):
    assert list(taxa(folder))[1] == WORM


def test_everyday_names_are_added(folder):
    human = next(taxa(folder, everyday={"9606": ("patient", "human")}))
    assert (human.name, human.synonyms) == ("Homo sapiens", ("human", "patient"))


def test_what_is_no_organism_of_its_own_is_left_out_and_counted(folder):
    omitted = Counter()
    assert [t.id for t in taxa(folder, omitted=omitted)] == ["9606", "900010"]
    assert sorted(omitted.values()) == [2, 3]


def test_the_archive_is_read_as_the_folder(folder):
    path = packed(folder)
    assert list(taxa(path)) == list(taxa(folder))
    assert len(date_of(path)) == len("2026-01-01")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("900010\t|\tshort\t|", "expected 4 or more fields"),
        ("x\t|\tname\t|\t\t|\tsynonym\t|", "expected a tax_id"),
        ("9999999999\t|\tname\t|\t\t|\tsynonym\t|", "expected a tax_id"),
        ("5\t|\tname\t|\t\t|\tsynonym\t|", "expected them sorted"),
    ],
)
def test_a_broken_line_is_named_and_the_rest_is_read(folder, line, reason):
    path = folder / "names.dmp"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:7], line, *lines[7:]]) + "\n")
    faults = []
    assert list(taxa(folder, on_error=faults.append))[1] == WORM
    assert [(f.source, f.line) for f in faults] == [(f"{folder}, names.dmp", 8)]
    assert reason in str(faults[0])


def test_a_taxon_without_a_scientific_name_is_an_error(folder):
    path = folder / "names.dmp"
    path.write_text(
        path.read_text().replace("Homo sapiens\t|\t\t|\tscientific name", "x\t|\t\t|\tx")
    )
    with pytest.raises(FormatError, match="taxon 9606 has no scientific name"):
        list(taxa(folder))


def test_a_cut_archive_and_one_without_the_files_are_refused(folder):
    path = packed(folder)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match=r"taxdump.tar.gz: a broken archive"):
        list(taxa(path))
    (folder / "nodes.dmp").rename(folder / "other.dmp")
    with tarfile.open(path, "w:gz") as archive:
        archive.add(folder / "names.dmp", arcname="names.dmp")
    with pytest.raises(FormatError, match=r"expected an archive with nodes.dmp"):
        list(taxa(path))
