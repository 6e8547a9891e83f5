"""`bluered corpora overlap` on invented files, and what it says of wrong arguments."""

import json
from functools import partial

import pytest

from bluered.documents.document import simple_document
from bluered.formats.files import write_file

SENTENCES = (
    "Loss of the gene makes mice of both strains blind within the first three weeks after birth.",
    "The drug that blocks the channel helped eleven of the fourteen patients with the syndrome.",
    "A second family showed no change in that exon but a long deletion upstream of the promoter.",
    "None of the control subjects carried either of these alleles in any tissue that we looked at.",
)


@pytest.fixture
def bluered(monkeypatch, tmp_path, command_line):
    """Run the command line where no corpus is; returns exit status, stdout and stderr."""
    monkeypatch.setenv("BLUERED_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    return partial(command_line, "corpora", "overlap")


@pytest.fixture
def files(tmp_path) -> tuple[str, str]:
    """Two files that share a document under two ids, one of them in capitals, and one id."""
    one = [
        simple_document("11111", SENTENCES[0], SENTENCES[1]),
        simple_document("22222", SENTENCES[2]),
    ]
    two = [
        simple_document("33333", SENTENCES[0].upper(), SENTENCES[1]),
        simple_document("22222", SENTENCES[3]),
        simple_document("44444", "", f"{SENTENCES[3]} {SENTENCES[2]}"),
    ]
    write_file(one, tmp_path / "one.pubtator")
    write_file(two, tmp_path / "two.jsonl")
    return f"one={tmp_path / 'one.pubtator'}", f"two={tmp_path / 'two.jsonl'}"


def test_the_table_has_text_and_id_apart(bluered, files) -> None:
    status, out, err = bluered(*files)
    assert (status, err) == (0, "")
    assert out.splitlines()[1:5] == [
        "     texts  in any other  in one not called test",
        "---  -----  ------------  ----------------------",
        "one      2             2                       2",
        "two      3             3                       3",
    ]
    assert out.splitlines()[7:11] == [
        "     texts  one  two",
        "---  -----  ---  ---",
        "one      2    .  2/1",
        "two      3  2/1  2/0",
    ]


def test_markdown(bluered, files) -> None:
    _, out, _ = bluered(*files, "--markdown")
    assert "| one | 2 | . | 2/1 |" in out


def test_the_texts_are_named(bluered, files) -> None:
    _, out, _ = bluered(*files, "--list")
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows[0] == ["corpus", "id", "and", "id", "share", "found by"]
    assert ["one", "11111", "two", "33333", "1", "text"] in rows
    assert ["one", "22222", "two", "22222", "0", "id"] in rows
    assert ["one", "22222", "two", "44444", "1", "text"] in rows


def test_programs_get_counts_and_pairs(bluered, files) -> None:
    plain = json.loads(bluered(*files, "--json")[1])
    assert plain["parts"][0] == {
        "name": "one",
        "texts": 2,
        "too_short": 0,
        "in_others": 2,
        "in_others_not_test": 2,
    }
    (found,) = [o for o in plain["overlaps"] if o["first"] != o["second"]]
    assert found == {
        "first": "one",
        "second": "two",
        "of": [2, 3],
        "texts": [2, 2],
        "equal": [1, 1],
        "ids": [1, 1],
        "only_texts": [2, 2],
        "only_ids": [1, 1],
    }
    listed = json.loads(bluered(*files, "--json", "--list")[1])
    pairs = next(o["pairs"] for o in listed["overlaps"] if o["first"] != o["second"])
    assert {
        "first": "11111",
        "second": "33333",
        "share": 1.0,
        "equal": True,
        "same_id": False,
    } in pairs


def test_a_text_in_several_parts_counts_once(bluered, files) -> None:
    path = files[1].partition("=")[2]
    found = json.loads(bluered(*files, f"more-test={path}", "--json")[1])["parts"]
    assert [(p["name"], p["in_others"], p["in_others_not_test"]) for p in found] == [
        ("one", 2, 2),
        ("two", 3, 3),
        ("more-test", 3, 3),
    ]
    only_test = json.loads(bluered(files[0], f"more-test={path}", "--json")[1])["parts"]
    assert [p["in_others_not_test"] for p in only_test] == [0, 3]
    listed = json.loads(bluered(*files, "--sentences", "--json")[1])["parts"]
    assert [(p["texts"], p["in_others"]) for p in listed] == [(3, 3), (5, 3)]


def test_sentences_are_looked_for_in_documents(bluered, files) -> None:
    found = json.loads(bluered(*files, "--sentences", "--json")[1])["overlaps"]
    counts = {(o["first"], o["second"]): (o["of"], o["texts"], o["ids"]) for o in found}
    assert counts == {
        ("one", "two"): ([3, 3], [3, 2], None),
        ("two", "one"): ([5, 2], [3, 2], None),
    }


def test_what_is_wrong_is_said(bluered, files, tmp_path) -> None:
    assert bluered("bioredd")[2].startswith("bluered: no corpus 'bioredd'; did you mean 'biored'")
    assert "bluered corpora fetch biored" in bluered("biored:test")[2]
    status, out, err = bluered(files[0], f"one={files[1].partition('=')[2]}")
    assert (status, out) == (1, "")
    assert "'one' comes twice: give each file a LABEL=FILE" in err
    (tmp_path / "empty.pubtator").write_text("")
    assert "empty.pubtator" in bluered(tmp_path / "empty.pubtator")[2]
