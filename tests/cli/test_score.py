"""`bluered score biored` as a user runs it."""

import json
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "tasks" / "data"
GOLD, PRED = str(DATA / "gold.pubtator"), str(DATA / "pred.pubtator")


@pytest.fixture
def bluered(command_line):
    """Run the command line; returns exit status, stdout and stderr."""

    return command_line


def test_json_of_the_clean_rule(bluered):
    status, out, err = bluered("score", "biored", "--gold", GOLD, "--pred", GOLD, "--json")
    result = json.loads(out)
    assert (status, err) == (0, "")
    assert (result["task"], result["scorer"]) == ("biored", "correct")
    assert result["signature"].startswith("task:biored|scorer:correct|align:ids|docs:4|gold:")
    assert set(result["ner"]) == {"overall", "by_type"}
    assert {"pair", "type", "novelty", "all", "by_concept_pair"} <= set(result["relations"])
    assert result["relations"]["all"]["f1"] == result["ner"]["overall"]["f1"] == 1
    assert set(result["ner"]["overall"]) == {"tp", "fp", "fn", "precision", "recall", "f1"}


def test_ids_are_scored_where_both_sides_have_them(bluered, changed, tmp_path):
    from msgspec.structs import replace

    from bluered.formats.files import read_file, write_file
    from bluered.tasks.biored.evaluate import without_ids

    pred = changed("9000004\t12\t16\trash\tDiseaseOrPhenotypicFeature\tD102", ONE_WRONG)
    result = json.loads(bluered("score", "biored", "--gold", GOLD, "--pred", pred, "--json")[1])
    before = json.loads(bluered("score", "biored", "--gold", GOLD, "--pred", PRED, "--json")[1])
    assert result["linking"]["overall"]["tp"] == before["linking"]["overall"]["tp"] - 1
    assert result["mention_ids"]["overall"]["fn"] == before["mention_ids"]["overall"]["fn"] + 1
    assert result["ner"] == before["ner"]
    _, text, _ = bluered("score", "biored", "--gold", GOLD, "--pred", PRED)
    assert "Concepts of documents: type and id" in text
    bare = tmp_path / "bare.jsonl"
    write_file((replace(without_ids(d), relations=()) for d in read_file(GOLD, check=False)), bare)
    status, out, _ = bluered("score", "biored", "--gold", GOLD, "--pred", bare, "--json")
    assert status == 0
    assert not {"linking", "concepts", "mention_ids"} & set(json.loads(out))


ONE_WRONG = "9000004\t12\t16\trash\tDiseaseOrPhenotypicFeature\tD109"


@pytest.mark.parametrize("scorer", ["correct", "biorex", "bioredirect"])
def test_two_systems_are_compared_by_each_measure(bluered, scorer):
    from bluered.metrics.counts import Counts
    from bluered.metrics.significance import f1_difference

    files = ("--gold", GOLD, "--pred", PRED, "--scorer", scorer)
    status, out, _ = bluered("score", "biored", *files, "--against", GOLD, "--json")
    result = json.loads(out)
    assert status == 0
    found = result["against"]
    if scorer == "correct":
        assert set(found) == {"ner", "relations"}
        assert set(found["relations"]) == {"pair", "type", "novelty", "all"}
        one, other = result["relations"]["pair"], found["relations"]["pair"]
    else:
        name = "typed" if scorer == "biorex" else "rel"
        one, other = result[name], found[name]
    assert other["score"] == pytest.approx(1) or scorer != "correct"
    assert other["difference"] == pytest.approx(one["f1"] - other["score"])
    assert other["interval"][0] <= other["difference"] <= other["interval"][1]
    assert 0 < other["p_value"] <= 1
    assert "too few to tell" in other["too_few"]
    same = f1_difference([Counts(1, 2, 3)], [Counts(1, 2, 3)])
    assert (same.difference, same.p_value) == (0, 1)
    text = bluered("score", "biored", *files, "--against", PRED)[1]
    assert f"{PRED} against {PRED}" in text
    assert "the two are scored alike in all 4 documents" in text


def test_a_system_that_names_other_documents_is_compared_on_all(bluered, tmp_path):
    some = tmp_path / "some.pubtator"
    some.write_text(Path(PRED).read_text().split("\n\n")[0] + "\n\n")
    files = ("--gold", GOLD, "--pred", GOLD, "--against", some)
    found = json.loads(bluered("score", "biored", *files, "--json")[1])["against"]
    assert found["ner"]["overall"]["units"] == 4
    swapped = ("--gold", GOLD, "--pred", some, "--against", GOLD)
    back = json.loads(bluered("score", "biored", *swapped, "--json")[1])["against"]
    assert back["ner"]["overall"]["difference"] == -found["ner"]["overall"]["difference"] < 0


def test_json_of_biorex_with_quirks(bluered):
    _, out, _ = bluered(
        "score",
        "biored",
        "--gold",
        GOLD,
        "--pred",
        PRED,
        "--scorer",
        "biorex",
        "--json",
        "--quirks",
    )
    result = json.loads(out)
    typed, binary = result["typed"], result["binary"]
    assert (typed["tp"], typed["fp"], typed["fn"]) == (5, 6, 6)
    assert (binary["tp"], binary["fp"], binary["fn"]) == (7, 3, 4)
    assert {q["quirk"] for q in result["quirks"]} >= {"five_pairs", "missing_documents"}
    assert all(q["source"] and q["says"] for q in result["quirks"])


def test_json_of_bioredirect(bluered):
    _, out, _ = bluered(
        "score", "biored", "--gold", GOLD, "--pred", PRED, "--scorer", "bioredirect", "--json"
    )
    result = json.loads(out)
    assert result["rel_nov"]["fn"] == 10
    assert result["relaxed_all"] == result["relaxed_rel_nov"] == result["relaxed_rel_dir"]


def test_intervals_come_when_asked_for(bluered):
    _, out, _ = bluered("score", "biored", "--gold", GOLD, "--pred", PRED, "--json", "--interval")
    result = json.loads(out)
    low, high = result["relations"]["pair"]["interval"]
    assert low <= result["relations"]["pair"]["f1"] <= high
    assert "bootstrap:documents,BCa,n=9999,seed=1" in result["signature"]


def test_tables_and_markdown_end_with_the_signature(bluered):
    _, text, _ = bluered("score", "biored", "--gold", GOLD, "--pred", PRED)
    assert text.splitlines()[-1].startswith("task:biored|scorer:correct")
    _, markdown, _ = bluered("score", "biored", "--gold", GOLD, "--pred", PRED, "--markdown")
    assert "| pair |" in markdown
    assert markdown.splitlines()[-1].startswith("`task:biored")


def test_other_formats_score_the_same(bluered, tmp_path):
    from bluered.formats.files import read_file, write_file

    first = bluered("score", "biored", "--gold", GOLD, "--pred", PRED, "--json")[1]
    for name in ("pred.jsonl", "pred.bioc.json", "pred.bioc.xml"):
        write_file(read_file(PRED, check=False), tmp_path / name)
        other = bluered("score", "biored", "--gold", GOLD, "--pred", tmp_path / name, "--json")[1]
        assert json.loads(other) == json.loads(first), name


def test_missing_documents_are_named_and_missed(bluered):
    pred = DATA / "pred_missing.pubtator"
    status, out, err = bluered("score", "biored", "--gold", GOLD, "--pred", pred, "--json")
    assert status == 0
    assert "2 gold documents are missing in the prediction (9000003, 9000004)" in err
    assert json.loads(out)["relations"]["pair"]["fn"] >= 2


@pytest.fixture
def changed(tmp_path):
    """Write a copy of the prediction with something replaced."""

    def write(old: str, new: str, name: str = "changed.pubtator") -> Path:
        text = Path(PRED).read_text()
        assert old in text
        path = tmp_path / name
        path.write_text(text.replace(old, new))
        return path

    return write


def test_another_text_is_named(bluered, changed):
    pred = changed("A review of quill fever.", "A revieW of quill fever.")
    _, _, err = bluered("score", "biored", "--gold", GOLD, "--pred", pred)
    assert "1 documents have another text than in the gold (9000003)" in err


def test_unknown_concept_is_one_clear_line_and_can_be_counted_as_false(bluered, changed):
    pred = changed("Association\tD102\tD002", "Association\tD999\tD002")
    status, out, err = bluered("score", "biored", "--gold", GOLD, "--pred", pred)
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    assert "document 9000004: a relation names the concept 'D999'" in err
    status, out, err = bluered(
        "score", "biored", "--gold", GOLD, "--pred", pred, "--keep-going", "--json"
    )
    assert status == 0
    unknown = json.loads(out)["relations"]["by_concept_pair"]["unknown"]["pair"]
    assert unknown["fp"] == 2  # and the id with @, which only BioREx cuts
    assert "1 relation ends are ids that no mention has" in err


def test_wrong_offsets_are_one_clear_line_and_can_be_skipped(bluered, changed):
    pred = changed("9000004\t12\t16\trash", "9000004\t13\t17\trash")
    status, _, err = bluered("score", "biored", "--gold", GOLD, "--pred", pred)
    assert (status, len(err.splitlines())) == (1, 1)
    assert "document 9000004" in err
    status, _, err = bluered("score", "biored", "--gold", GOLD, "--pred", pred, "--keep-going")
    assert status == 0
    assert "documents skipped: 1" in err


def test_duplicate_document_is_one_clear_line(bluered, tmp_path):
    path = tmp_path / "twice.pubtator"
    path.write_text(Path(PRED).read_text() * 2)
    status, _, err = bluered("score", "biored", "--gold", GOLD, "--pred", path)
    assert (status, len(err.splitlines())) == (1, 1)
    assert "9000001" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--gold", GOLD, "--pred", "/no/such/file"), "/no/such/file"),
        (("--gold", GOLD, "--pred", str(DATA)), "directory"),
        (("--gold", GOLD, "--pred", PRED, "--quirks"), "--scorer biorex"),
    ],
)
def test_user_errors_are_one_line(bluered, arguments, words):
    status, out, err = bluered("score", "biored", *arguments)
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    assert words in err


def test_an_unknown_task_is_named_with_the_nearest(bluered):
    status, out, err = bluered("score", "biorde", "--gold", GOLD, "--pred", PRED)
    assert (status, out) == (1, "")
    assert "no task 'biorde'; did you mean 'biored'" in err


def test_an_unknown_scorer_is_wrong_usage(bluered):
    assert bluered("score", "biored", "--gold", GOLD, "--pred", PRED, "--scorer", "x")[0] == 2


def test_half_a_prediction_is_punished_where_biorex_sees_nothing(bluered, data_dir, tmp_path):
    gold = data_dir / "biored" / "Test.PubTator"
    half = tmp_path / "half.pubtator"
    half.write_text("\n\n".join(gold.read_text().split("\n\n")[:50]) + "\n\n")
    f1 = {}
    for scorer, path in (("correct", "relations"), ("biorex", "binary")):
        _, out, _ = bluered(
            "score", "biored", "--gold", gold, "--pred", half, "--scorer", scorer, "--json"
        )
        result = json.loads(out)
        f1[scorer] = (result["relations"]["pair"] if scorer == "correct" else result[path])["f1"]
    assert f1["biorex"] == 1
    assert f1["correct"] < 0.75


def test_a_duplicate_document_can_be_skipped(bluered, tmp_path):
    path = tmp_path / "twice.pubtator"
    path.write_text(Path(PRED).read_text() * 2)
    options = ("score", "biored", "--gold", GOLD, "--json", "--pred")
    status, out, err = bluered(*options, path, "--keep-going")
    assert status == 0
    assert "document 9000001: a document with this id came before" in err
    assert json.loads(out)["relations"] == json.loads(bluered(*options, PRED)[1])["relations"]


def test_standard_input_cannot_be_both_sides(bluered):
    status, out, err = bluered("score", "biored", "--gold", "-", "--pred", "-")
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    assert "once only" in err


def test_only_local_ids_are_pointed_out(bluered, tmp_path):
    text = "1|t|BRCA1 in cancer\n1|a|Known.\n"
    mentions = "1\t0\t5\tBRCA1\tGene\t{}\n1\t9\t15\tcancer\tDisease\t{}\n"
    relation = "1\tAssociation\t{}\t{}\tNovel\n"
    files = {}
    for name, ends in {"gold": ("672", "D009369"), "pred": ("local:brca1", "local:cancer")}.items():
        files[name] = tmp_path / f"{name}.pubtator"
        files[name].write_text(text + mentions.format(*ends) + relation.format(*ends))
    asked = ("score", "biored", "--gold", files["gold"], "--pred", files["pred"], "--json")
    status, out, err = bluered(*asked)
    assert status == 0
    assert json.loads(out)["relations"]["pair"]["f1"] == 0
    assert "--align mentions" in err
    _, out, err = bluered(*asked, "--align", "mentions")
    assert json.loads(out)["relations"]["pair"]["f1"] == 1
    assert err == ""
