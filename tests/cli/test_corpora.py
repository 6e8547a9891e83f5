"""`bluered corpora` as a user runs it."""

import json
import os
import subprocess
import sys

import pytest


def bluered(*arguments: str, data: str, cache: str = "/nonexistent") -> subprocess.CompletedProcess:
    environment = os.environ | {"BLUERED_DATA": data, "XDG_CACHE_HOME": cache}
    command = [sys.executable, "-m", "bluered", "corpora", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_list_says_what_is_here(tmp_path, data_dir) -> None:
    there = json.loads(bluered("list", "--json", data=str(data_dir)).stdout)
    assert {(e["name"], e["access"], e["present"]) for e in there} >= {
        ("biored", "open", True),
        ("bc5cdr", "open", True),
    }
    assert there[0]["folder"].startswith(str(data_dir))
    table = bluered("list", data=str(tmp_path)).stdout.splitlines()
    assert table[0].split() == ["corpus", "title", "tasks", "access", "here", "where"]
    assert all(line.split()[-2:] == ["no", "-"] for line in table[1:])


def test_info_tells_source_citation_terms_and_files(data_dir) -> None:
    text = bluered("info", "bc5cdr", data=str(data_dir)).stdout
    for part in ("https://doi.org/10.1093/database/baw068", "CDR_Data.zip", "public domain"):
        assert part in text
    assert text.count("intact") == 6
    described = json.loads(bluered("info", "bc5cdr", "--json", data=str(data_dir)).stdout)
    assert described["counts"]["total"]["documents"] == 1500
    assert all(state["intact"] for state in described["local"].values())


def test_fetch_uses_what_is_there(data_dir) -> None:
    done = bluered("fetch", "biored", data=str(data_dir))
    assert done.returncode == 0
    assert str(data_dir / "biored" / "Test.PubTator") in done.stdout.splitlines()
    assert done.stderr == "biored: already here, verified by sha256\n"
    report = json.loads(bluered("fetch", "biored", "--json", data=str(data_dir)).stdout)
    assert report["new"] == []
    assert len(report["files"]) == 9


def test_stats_puts_expected_beside_found(data_dir) -> None:
    text = bluered("stats", "biored", data=str(data_dir)).stdout
    table = text.partition("\n\ntasks: ")[0].splitlines()[2:]
    rows = {line.rsplit(maxsplit=4)[0]: line.split()[-4:] for line in table}
    assert rows["documents"] == ["400/400", "100/100", "100/100", "600/600"]
    assert rows["mentions: all"][-1] == "20419/20419"
    assert rows["relations: all"][-1] == "6503/6503"
    assert rows["novel share"][2] == "73.9%"
    assert text.endswith("Every count is as expected; the files are the published ones.\n")
    report = json.loads(bluered("stats", "biored", "--json", data=str(data_dir)).stdout)
    assert report["differences"] == []
    assert report["splits"]["total"]["found"] == report["splits"]["total"]["expected"]
    assert report["tasks"]["biored"]["splits"]["test"]["found"] == 1163


def test_stats_gives_blues_counts_and_says_why_they_differ(data_dir) -> None:
    text = bluered("stats", "ddi", data=str(data_dir)).stdout
    line = next(line for line in text.splitlines() if line.startswith("ddi  positive"))
    assert line.split()[3:] == ["3016/3016", "(2937)", "1004/1004", "979/979"]
    assert "\nddi: train: BLUE" in text
    report = json.loads(bluered("stats", "ddi", "--json", data=str(data_dir)).stdout)
    train = report["tasks"]["ddi"]["splits"]["train"]
    assert train == {"found": 3016, "expected": 3016, "published": 2937}


def test_stats_names_a_count_of_a_task_that_differs(tmp_path) -> None:
    (tmp_path / "hoc").mkdir()
    for split in ("train", "dev", "test"):
        row = "index\tsentence\tlabels\n7_s0\tVessels grow .\tinducing angiogenesis\n"
        (tmp_path / "hoc" / f"{split}.tsv").write_text(row)
    done = bluered("stats", "hoc", data=str(tmp_path))
    assert "1/315!" in done.stdout
    assert "hoc, test: documents with labels: expected 315, found 1" in done.stdout
    assert "test.tsv is not the published file" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["info", "biorde"], 1, "did you mean 'biored'"),
        (["stats", "biored"], 1, "run `bluered corpora fetch biored`"),
        (["stats"], 2, "Missing argument"),
    ],
)
def test_an_error_is_one_line(tmp_path, arguments, status, message) -> None:
    done = bluered(*arguments, data=str(tmp_path), cache=str(tmp_path))
    assert done.returncode == status
    assert message in done.stderr
    assert done.stdout == ""
    if status == 1:
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("verb", ["list", "info biored", "stats biored", "fetch biored"])
def test_a_file_as_the_folder_of_corpora_is_told(tmp_path, verb) -> None:
    file = tmp_path / "file"
    file.touch()
    done = bluered(*verb.split(), data=str(file))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"bluered: BLUERED_DATA is set to {file}, which is not a folder")


def test_a_file_in_the_way_of_a_corpus_is_told(tmp_path) -> None:
    (tmp_path / "biored").touch()
    done = bluered("fetch", "biored", data=str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "a file is in its way" in done.stderr
