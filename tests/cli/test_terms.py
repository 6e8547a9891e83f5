import json

import pytest

from bluered.normalize import locate


@pytest.fixture
def files(invented, monkeypatch, tmp_path):
    """The invented official files; what is built goes to a data folder of the test."""
    monkeypatch.delenv(locate.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(locate, "built_folder", lambda: tmp_path / "data" / "terms")
    return invented("terms")


def test_build_info_and_look_up(files, command_line):
    status, out, err = command_line("terms", "build", "--from", files)
    assert status == 0
    assert out.strip() == str(locate.built_folder() / "full")
    assert "left out: 2 descriptors that are neither diseases nor chemicals" in err

    status, out, err = command_line("terms", "info", "full")
    assert (status, err) == (0, "")
    assert "mesh-descriptors 2026: 5 concepts" in out
    assert "CC BY 4.0" in out

    for name, concept in (
        ("swamp-chill", "D900001"),
        ("fever plovian", "D900001"),
        ("4-Oxozarnol", "C900001"),
        ("qz1", "900001"),
        ("Plovia palustris", "900010"),
        ("patients", "9606"),
        ("plv 9", "CVCL_ZZ01"),
    ):
        status, out, err = command_line("terms", "info", "full", "--name", name)
        assert (status, out.split()[0], err) == (0, concept, "")


def test_genes_of_one_name_are_shown_with_their_species(files, command_line):
    command_line("terms", "build", "ncbi-gene", "--from", files, "--taxa", "9606,10090")
    _, out, _ = command_line("terms", "info", "full", "--name", "QZA1", "--json")
    assert {row["id"]: row["taxon"] for row in json.loads(out)} == {
        "900001": "9606",
        "900002": "10090",
    }
    _, out, _ = command_line("terms", "info", "full", "--id", "900002")
    assert out.splitlines()[0] == "900002  Qza1  [GeneOrGeneProduct, species 10090]"
    assert "  synonym     qz1" in out.splitlines()


def test_every_species_may_be_asked_for(files, command_line):
    _, out, _ = command_line("terms", "build", "ncbi-gene", "--from", files, "--taxa=all", "--json")
    report = json.loads(out)
    assert report["counts"]["GeneOrGeneProduct"]["concepts"] == 4
    assert report["read"][0]["skipped"] == 0
    status, _, err = command_line("terms", "build", "--from", files, "--taxa=human", "--overwrite")
    assert status == 1
    assert "--taxa: expected NCBI Taxonomy numbers" in err


def test_list_marks_the_one_in_use(files, command_line, monkeypatch, tmp_path):
    command_line("terms", "build", "cellosaurus", "--from", files, "--name", "cells")
    command_line("terms", "build", "taxonomy", "--from", files, "-o", tmp_path / "mine")
    monkeypatch.setenv(locate.VARIABLE, "cells")
    status, out, _ = command_line("terms", "list", "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert status == 0
    assert [name for name, row in rows.items() if row["in_use"]] == ["cells"]
    assert rows["cells"]["concepts"] == {"CellLine": 2}
    assert rows["cells"]["bytes"] > 1000
    monkeypatch.setenv(locate.VARIABLE, str(tmp_path / "mine"))
    _, out, _ = command_line("terms", "list")
    assert [line.split()[1] for line in out.splitlines() if line.startswith("*")] == ["mine"]


def test_a_damaged_terminology_is_listed_as_broken(files, command_line):
    command_line("terms", "build", "cellosaurus", "--from", files)
    (locate.built_folder() / "full" / "terms.json").write_text('{"format": 1')
    status, out, err = command_line("terms", "list")
    assert status == 0
    assert "broken" in out
    assert "not the manifest of a terminology" in err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("build", "meshes"), "no source of terms 'meshes'; did you mean 'mesh'"),
        (("build", "--from", "nowhere"), "nowhere is not a folder"),
        (("build", "--name", "A b"), "cannot name a terminology"),
        (("info", "nothing"), "no terminology 'nothing'"),
    ],
)
def test_wrong_arguments_are_one_line(files, command_line, arguments, reason):
    status, out, err = command_line("terms", *arguments)
    assert (status, out) == (1, "")
    assert reason in err
    assert err.count("\n") == 1


def test_an_id_that_is_not_text_is_one_line(files, command_line):
    command_line("terms", "build", "cellosaurus", "--from", files)
    status, out, err = command_line("terms", "info", "full", "--id", "\udcff")
    assert (status, out) == (1, "")
    assert "no concept" in err
    assert err.count("\n") == 1


def test_an_unknown_name_is_an_error_and_no_error_for_programs(files, command_line):
    command_line("terms", "build", "cellosaurus", "--from", files)
    status, _, err = command_line("terms", "info", "full", "--name", "nothing such")
    assert status == 1
    assert "no concept named 'nothing such'" in err
    status, out, _ = command_line("terms", "info", "full", "--name", "nothing such", "--json")
    assert (status, json.loads(out)) == (0, [])


def test_an_existing_one_is_replaced_only_if_asked(files, command_line):
    arguments = ("terms", "build", "cellosaurus", "--from", files)
    assert command_line(*arguments)[0] == 0
    status, _, err = command_line(*arguments)
    assert status == 1
    assert "--overwrite" in err
    assert command_line(*arguments, "--overwrite")[0] == 0
