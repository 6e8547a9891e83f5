import gzip
import shutil
import tarfile

import pytest

from bluered.errors import BlueredError, FormatError
from bluered.normalize.sources.build import build
from bluered.normalize.sources.recognise import recognise
from bluered.normalize.terminology import Terminology

UNITS = ["mesh-descriptors", "mesh-supplementary", "gene-info", "taxdump", "cellosaurus-text"]


@pytest.fixture
def folder(invented):
    return invented("terms")


def pack(folder):
    """Turn the files into what the publishers offer."""
    with tarfile.open(folder / "taxdump.tar.gz", "w:gz") as archive:
        for name in ("names.dmp", "nodes.dmp"):
            archive.add(folder / "taxdump" / name, arcname=name)
    shutil.rmtree(folder / "taxdump")
    for name, packed in (
        ("desc2026.xml", "desc2026.gz"),
        ("supp2026.xml", "supp2026.gz"),
        ("gene_info", "gene_info.gz"),
    ):
        (folder / packed).write_bytes(gzip.compress((folder / name).read_bytes(), mtime=1772500000))
        (folder / name).unlink()


def test_files_are_recognised_plain_and_packed(folder):
    assert list(recognise(folder)) == UNITS
    pack(folder)
    found = recognise(folder)
    assert list(found) == UNITS
    assert [path.name for path in found["taxdump"]] == ["taxdump.tar.gz"]


def test_of_several_years_the_last_is_taken_and_of_genes_all_species(folder):
    shutil.copy(folder / "desc2026.xml", folder / "desc2025.xml")
    assert [p.name for p in recognise(folder)["mesh-descriptors"]] == ["desc2026.xml"]
    shutil.copy(folder / "gene_info", folder / "Homo_sapiens.gene_info")
    assert [p.name for p in recognise(folder)["gene-info"]] == ["gene_info"]
    (folder / "gene_info").rename(folder / "Mus_musculus.gene_info")
    found = [p.name for p in recognise(folder)["gene-info"]]
    assert found == ["Homo_sapiens.gene_info", "Mus_musculus.gene_info"]


def test_what_is_asked_for_must_be_there(folder, tmp_path):
    (folder / "cellosaurus.txt").unlink()
    with pytest.raises(BlueredError, match=r"no file of cellosaurus \(cellosaurus\.txt\)"):
        recognise(folder, ["mesh", "cellosaurus"])
    assert list(recognise(folder, ["mesh"])) == UNITS[:2]
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(BlueredError, match=r"no official file of mesh, .*taxdump\.tar\.gz"):
        recognise(empty)
    with pytest.raises(BlueredError, match="is not a folder"):
        recognise(tmp_path / "nowhere")


def test_a_file_that_only_has_the_name_is_refused(folder):
    (folder / "desc2026.xml").write_text("<html>Please log in</html>")
    with pytest.raises(FormatError, match="not the official file"):
        recognise(folder)


def test_the_manifest_says_where_everything_comes_from(folder, tmp_path):
    pack(folder)
    built = build(recognise(folder), tmp_path / "terms", name="tried")
    manifest = Terminology(tmp_path / "terms").manifest
    assert manifest == built.manifest
    assert [source.name for source in manifest.sources] == UNITS
    mesh, _, genes, _, cells = manifest.sources
    assert (mesh.version, mesh.concepts) == ("2026", 5)
    assert mesh.url.endswith("/xmlmesh/desc2026.gz")
    assert len(mesh.sha256) == 64
    assert (genes.version, genes.concepts) == ("2026-03-03, 25 species", 3)
    assert (cells.version, cells.licence) == ("99.0", "CC BY 4.0")
    assert manifest.counts["OrganismTaxon"].concepts == 2


def test_broken_records_are_counted_with_the_first_reasons(folder, tmp_path):
    path = folder / "gene_info"
    path.write_text(path.read_text() + "9606\tbroken\n" * 5)
    built = build(recognise(folder, ["ncbi-gene"]), tmp_path / "terms", name="tried")
    (report,) = built.reports
    assert (report.concepts, report.skipped, len(report.faults)) == (3, 5, 3)
    assert report.faults[0].startswith(f"{path}:8: 2 columns")


def test_a_file_that_gives_nothing_leaves_nothing_behind(folder, tmp_path):
    place = tmp_path / "built"
    files = recognise(folder)
    text = (folder / "cellosaurus.txt").read_text().replace("AC   CVCL", "AC   ABCD")
    (folder / "cellosaurus.txt").write_text(text)
    with pytest.raises(BlueredError, match=r"no term could be read: .*expected an AC line"):
        build(files, place / "terms", name="tried")
    assert list(place.iterdir()) == []


def test_only_a_terminology_is_replaced_and_only_if_asked(folder, tmp_path):
    place = tmp_path / "built" / "terms"
    files = recognise(folder, ["cellosaurus"])
    build(files, place, name="tried")
    with pytest.raises(BlueredError, match="--overwrite"):
        build(files, place, name="tried")
    wider = recognise(folder, ["taxonomy"])
    build(wider, place, name="tried", overwrite=True)
    assert [source.name for source in Terminology(place).manifest.sources] == ["taxdump"]
    assert [path.name for path in place.parent.iterdir()] == ["terms"]
    other = tmp_path / "mine"
    other.mkdir()
    with pytest.raises(BlueredError, match="is no terminology and is not replaced"):
        build(files, other, name="tried", overwrite=True)
