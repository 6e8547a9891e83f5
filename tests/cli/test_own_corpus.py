"""A corpus of each type of task, added by a TOML file alone, goes through every command."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bluered.cli.main import app
from bluered.errors import BlueredError

PAGE = (Path(__file__).parents[2] / "docs" / "own-corpus.md").read_text("utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, with no corpora, notes or caches of the user's."""
    for variable, name in (
        ("BLUERED_DATA", "data"),
        ("XDG_DATA_HOME", "share"),
        ("XDG_CACHE_HOME", "cache"),
    ):
        monkeypatch.setenv(variable, str(tmp_path / name))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def bluered(line: str) -> str:
    result = CliRunner().invoke(app, shlex.split(line))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


SIMILAR = "id\tfirst\tsecond\tscore\n1\tA b.\tA c.\t4\n2\tD.\tE.\t1\n3\tF.\tG.\t0\n"
INFERRED = "id,sentence1,sentence2,label\n1,A b.,A c.,entailment\n2,D.,E.,neutral\n"
LABELLED = (
    '{"id": "7_s0", "document": "7", "text": "A b.", "labels": ["x", "y"]}\n'
    '{"id": "7_s1", "document": "7", "text": "C d.", "labels": []}\n'
    '{"id": "8_s0", "document": "8", "text": "E f.", "labels": ["x"]}\n'
)
RELATED = (
    "1.T1.T2\t1\t@CHEMICAL$ binds @GENE$ .\tbinds\n"
    "1.T1.T3\t1\t@CHEMICAL$ binds X, not @GENE$ .\tnone\n"
    "2.T1.T2\t2\t@GENE$ makes @CHEMICAL$ .\tmakes\n"
)
MENTIONS = (
    "1|t|HeLa cells and MCF-7\n1|a|None.\n1\t0\t4\tHeLa\tCell\t-\n1\t15\t20\tMCF-7\tCell\t-\n"
    "1\t5\t10\tcells\tOther\t-\n\n"
)
RELATION_KEYS = (
    'labels = ["binds", "makes"]\nnegative = "none"\n'
    "[columns]\nid = 0\ndocument = 1\ntext = 2\nlabel = 3\n"
)

CASES = {
    "sentence-similarity": ("tsv", SIMILAR, "", "pearson", 3, 3),
    "inference": ("csv", INFERRED, 'labels = ["entailment", "neutral"]\n', "accuracy", 2, 2),
    "document-classification": ("jsonl", LABELLED, "", "example-f1", 2, 3),
    "relation-extraction": ("tsv", RELATED, RELATION_KEYS, "micro-f1", 2, 3),
    "named-entities": ("pubtator", MENTIONS, 'entity_types = ["Cell"]\n', "mention-f1", 2, 2),
}
"""For each type of task the form of its files, their content, further keys, what comes out."""

WORSE = {
    "sentence-similarity": ('"score":4', '"score":2'),
    "inference": ("entailment", "neutral"),
    "document-classification": ('"x","y"', '"x"'),
    "relation-extraction": ('"label":"makes"', '"label":"binds"'),
    "named-entities": ("1\t0\t4\tHeLa\tCell\t-\n", ""),
}
"""How a worse prediction is made of the gold."""


@pytest.mark.parametrize("kind", CASES)
def test_a_toml_file_is_enough_for_every_command(folder, kind) -> None:
    ending, content, keys, metric, number, lines = CASES[kind]
    for split in ("train", "dev", "test"):
        (folder / f"{split}.{ending}").write_text(content)
    splits = "".join(f'{split} = "{split}.{ending}"\n' for split in ("train", "dev", "test"))
    (folder / "mine.toml").write_text(f'[splits]\n{splits}\n[task]\ntype = "{kind}"\n{keys}')

    assert str(folder) in bluered("corpora add mine.toml")
    listed = {entry["name"]: entry for entry in json.loads(bluered("corpora list --json"))}
    assert listed["mine"]["present"]
    assert f"as {folder / 'mine.toml'} describes" in bluered("corpora info mine")
    assert str(folder / f"train.{ending}") in bluered("corpora fetch mine").splitlines()
    counts = json.loads(bluered("corpora stats mine --json"))["tasks"]["mine"]["splits"]
    assert {split: count["found"] for split, count in counts.items()} == {
        "train": number,
        "dev": number,
        "test": number,
    }
    bluered("corpora validate mine")

    bluered("examples mine --split test -o gold.jsonl")
    assert (folder / "gold.jsonl").read_text().count("\n") == lines
    right = f"test.{ending}" if kind == "named-entities" else "gold.jsonl"
    worse = (folder / right).read_text().replace(*WORSE[kind], 1)
    assert worse != (folder / right).read_text()
    (folder / f"worse-{right}").write_text(worse)
    scores = [
        json.loads(bluered(f"score mine --pred {name} --json"))
        for name in (right, f"worse-{right}")
    ]
    assert [score["metric"] for score in scores] == [metric, metric]
    assert scores[0]["score"] == pytest.approx(1)
    assert scores[1]["score"] < 1
    row = json.loads(bluered(f"bench mine --predictions worse-{right} --json"))["rows"][0]
    assert row["score"] == pytest.approx(scores[1]["score"])

    bluered("corpora remove mine")
    with pytest.raises(BlueredError, match="no task 'mine'"):
        bluered("examples mine")


BLOCK = re.compile(r"`([\w.]+\.\w+)`[^`\n]*\n\n```\w+\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"^    bluered (?!:)([\w -].*)$", re.MULTILINE)
ERROR = re.compile(r"^    bluered: (.*)$", re.MULTILINE)


def test_the_example_of_the_page_works(folder) -> None:
    files = dict(BLOCK.findall(PAGE))
    assert list(files) == ["train.tsv", "test.tsv", "paraphrases.toml", "predicted.tsv"]
    for name, content in files.items():
        (folder / name).write_text(content)
    commands = COMMAND.findall(PAGE.partition("## What the file may say")[0])
    assert [line.split()[0] for line in commands] == [
        *("corpora", "corpora", "examples", "score", "bench")
    ]
    said = [bluered(line) for line in commands]
    assert "paraphrases  pairs  3/-" in said[1]
    assert len((folder / "train.jsonl").read_text().splitlines()) == 3
    assert "overlap of words" in said[4]


@pytest.mark.parametrize(
    ("name", "old", "new", "error"),
    [
        ("paraphrases.toml", "similarity", "similarty", 0),
        ("test.tsv", "0.5", "high", 1),
    ],
)
def test_the_errors_of_the_page_are_those_of_the_program(folder, name, old, new, error) -> None:
    for file, content in BLOCK.findall(PAGE):
        (folder / file).write_text(content.replace(old, new) if file == name else content)
    with pytest.raises(BlueredError) as caught:
        bluered("corpora add paraphrases.toml")
    assert ERROR.findall(PAGE)[error] in str(caught.value)


def test_the_recipes_of_the_page_can_be_read(tmp_path) -> None:
    config = pytest.importorskip("bluered.training.config")
    recipes = re.findall(r"```toml\n(model = .*?)```", PAGE, re.DOTALL)
    models = []
    for text in recipes:
        (tmp_path / "recipe.toml").write_text(text)
        models.append(config.load_recipe(tmp_path / "recipe.toml").model)
    assert models == ["linear", "similarity"]
