"""`bluered model`: bundles that are there, what they say of themselves, and damage by name."""

import hashlib
import json
from pathlib import Path

import pytest

from bluered.inference import bundle as bundles


@pytest.fixture
def made(tmp_path, monkeypatch) -> Path:
    """A folder of two bundles, one of them the shipped one; their graphs are never opened."""
    for name in ("one", "two"):
        _bundle(tmp_path / name, name)
    monkeypatch.setattr(bundles, "shipped_folder", lambda: tmp_path / "one")
    return tmp_path


def _bundle(folder: Path, name: str) -> None:
    folder.mkdir()
    sums = {}
    for number, file in enumerate(bundles.FILES):
        (folder / file).write_bytes(name.encode() * (1000 * (number + 1)))
        sums[file] = hashlib.sha256((folder / file).read_bytes()).hexdigest()
    settings = {
        "layout": bundles.LAYOUT,
        "name": name,
        "version": "3.1",
        "licence": "CC0",
        "trained_on": ["biored:train", "bc5cdr:train without biored:dev and biored:test"],
        "window": 40,
        "overlap": 10,
        "tagger": {
            "types": ["Gene"],
            "confidence": {"slope": 0.5, "intercept": -0.1},
            "starts": [0.0] * 3,
            "ends": [0.0] * 3,
            "transitions": [[0.0] * 3] * 3,
        },
        "relations": {
            "types": ["Bind", "Cause"],
            "threshold": 0.5,
            "words": 0.4,
            "confidence": {"slope": 1.0, "intercept": 0.0},
            "novelty": {"slope": 1.0, "intercept": 0.0},
        },
        "sha256": sums,
    }
    (folder / "bundle.json").write_text(json.dumps(settings))
    (folder / "README.md").write_text(f"# {name}\n\nAn invented card.\n")


def test_the_shipped_one_and_those_of_a_folder_are_listed(made, command_line):
    status, out, err = command_line("model", "list", made, "--json")
    rows = json.loads(out)
    assert (status, err) == (0, "")
    assert [(r["name"], r["shipped"]) for r in rows] == [
        ("one", True), ("one", False), ("two", False)
    ]  # fmt: skip
    whole = sum(path.stat().st_size for path in (made / "two").iterdir())
    assert rows[2]["bytes"] == whole
    said = hashlib.sha256((made / "two" / "bundle.json").read_bytes()).hexdigest()
    assert rows[2]["sha256"] == said
    _, out, _ = command_line("model", "list", made / "two")
    head, shipped, two = out.splitlines()
    assert head.split() == ["name", "version", "size", "sha256", "where"]
    assert shipped.split()[:2] == ["*", "one"]
    assert two.split() == ["two", "3.1", f"{whole / 1e6:.1f}", "MB", said[:12], str(made / "two")]


def test_what_is_no_bundle_any_more_is_listed_as_broken(made, command_line):
    (made / "two" / bundles.FILES[1]).unlink()
    status, out, err = command_line("model", "list", made)
    assert status == 0
    assert [line.split()[1] for line in out.splitlines() if line.split()[0] == "two"] == ["broken"]
    assert f"lacks {bundles.FILES[1]}" in err


def test_info_says_what_a_model_is_made_of(made, command_line):
    status, out, _ = command_line("model", "info")
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "model      one 3.1"
    assert "relations  Bind, Cause" in lines
    assert "trained on biored:train" in lines
    assert lines[-1] == "An invented card."
    assert "as exported" not in out
    status, out, _ = command_line("model", "info", made / "two", "--json", "--verify")
    said = json.loads(out)
    assert said["entity_types"] == ["Gene"]
    assert said["trained_on"][1].startswith("bc5cdr:train without")
    assert said["files"][bundles.FILES[0]]["bytes"] == 3000
    assert said["card"].startswith("# two")
    assert said["verified"] is True


def test_verify_names_the_file_that_is_another(made, command_line):
    path = made / "two" / bundles.FILES[2]
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert command_line("model", "info", made / "two")[0] == 0
    status, out, err = command_line("model", "info", made / "two", "--verify")
    assert (status, out) == (1, "")
    assert f"{path}: the checksum differs" in err
    assert err.count("\n") == 1
    _, out, _ = command_line("model", "info", "--verify")
    assert "every file is as exported" in out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("list", "nowhere"), "nowhere is not a folder"),
        (("info", "nowhere"), "no model bundle at nowhere"),
    ],
)
def test_wrong_arguments_are_one_line(made, command_line, arguments, reason):
    status, out, err = command_line("model", *arguments)
    assert (status, out) == (1, "")
    assert reason in err
    assert err.count("\n") == 1
