"""`bluered adapt` and `bluered train` as a user runs them."""

import json
import logging
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bluered.cli.main import main

pytestmark = pytest.mark.train
pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")


@pytest.fixture
def run(monkeypatch, capsys, tiny):
    """Run `bluered` on the invented data; returns exit status, stdout and stderr."""
    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)

    def command(*arguments) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bluered", *map(str, arguments)])
        status = 0
        try:
            main()
        except SystemExit as stop:
            if isinstance(stop.code, str):
                sys.stderr.write(f"{stop.code}\n")
            status = 1 if isinstance(stop.code, str) else int(stop.code or 0)
        return status, *capsys.readouterr()

    return command


@pytest.fixture
def texts(tmp_path) -> Path:
    lines = [f"Aspirin and the ligase reduced pain of kind {n} in patients." for n in range(60)]
    (tmp_path / "texts.txt").write_text("\n".join(lines))
    return tmp_path / "texts.txt"


def test_adapt_makes_an_encoder_and_says_how_well_it_guesses(run, texts, encoder_folder, tmp_path):
    made = tmp_path / "made"
    options = ("-o", made, "--window", 32, "--batch", 8, "--epochs", 2, "--vocabulary", 2)
    status, out, err = run("adapt", encoder_folder, texts, "biored:train", *options)
    assert status == 0, err
    assert out.startswith("made\nepoch ")
    assert f"{made}: dev accuracy" in out
    assert ElementTree.parse(made / "curve.svg").getroot().tag.endswith("svg")
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= {
        p.name for p in made.iterdir()
    }
    status, out, _ = run("adapt", encoder_folder, texts, "biored:train", *options, "--json")
    said = json.loads(out)
    assert (status, said["folder"]) == (0, str(made))
    assert set(said["dev"]) == {"accuracy", "entropy"}
    assert said["pieces_per_word"]["after"] < said["pieces_per_word"]["before"]
    assert said["dropped"] > 0  # the invented dev documents are those of train
    status, out, err = run("adapt", encoder_folder, texts, "biored:train", *options, "--seed", 4)
    assert (status, out) == (1, "")
    assert "another recipe (seed differ)" in err


@pytest.mark.parametrize(
    ("encoder", "text", "reason"),
    [
        ("{encoder}", "nowhere.txt", "nowhere.txt"),
        ("{encoder}", "biored:tain", "no split"),
        ("nowhere", "{texts}", "no encoder at nowhere"),
    ],
)
def test_what_is_not_there_is_one_line(run, texts, encoder_folder, tmp_path, encoder, text, reason):
    fields = {"encoder": encoder_folder, "texts": texts}
    arguments = (encoder.format(**fields), text.format(**fields))
    status, out, err = run("adapt", *arguments, "-o", tmp_path / "made")
    assert (status, out) == (1, "")
    assert reason in err
    assert err.count("\n") == 1
    assert not (tmp_path / "made").exists()


def test_train_goes_through_the_stages_and_shows_the_log(
    run, texts, tiny, encoder_folder, tmp_path
):
    (tmp_path / "words.toml").write_text(
        f'''model = "language-model"
encoder = "{encoder_folder}"
texts = ["{texts}"]
window = 32
[optimisation]
epochs = 1
batch = 8
encoder_rate = 1e-3
head_rate = 1e-2
'''
    )
    written = tiny.tagger.read_text().replace(str(encoder_folder), "words")
    (tmp_path / "tags.toml").write_text(written.replace("epochs = 6", "epochs = 2"))
    (tmp_path / "all.toml").write_text('stages = ["words.toml", "tags.toml"]')
    runs = tmp_path / "runs"
    status, out, err = run("train", tmp_path / "all.toml", "--runs", runs)
    assert status == 0, err
    assert [line for line in out.splitlines() if line.startswith(("words", "tags"))][0::2] == [
        "words", "tags"
    ]  # fmt: skip
    assert "2 *" in out or "1 *" in out
    assert all((runs / name / "curve.svg").is_file() for name in ("words", "tags"))
    status, out, _ = run("train", tmp_path / "all.toml", "--runs", runs, "--json")
    assert [json.loads(line)["name"] for line in out.splitlines()] == ["words", "tags"]
    status, out, err = run("train", tmp_path / "all.toml", "--runs", runs, "-o", tmp_path / "b")
    assert (status, out) == (1, "")
    assert "needs the recipe of a reader" in err


def test_a_later_stage_that_lacks_something_is_told_before_the_first(run, tiny, tmp_path):
    written = tiny.tagger.read_text().replace('task = "biored"', 'task = "hoc"')
    (tmp_path / "later.toml").write_text(written)
    runs = tmp_path / "runs"
    status, out, err = run("train", tiny.tagger, tmp_path / "later.toml", "--runs", runs)
    assert (status, out) == (1, "")
    assert "is not on this machine" in err
    assert not runs.exists()


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("stages = []", "stages"),
        ('stages = ["a.toml"]\nseed = 4', "seed"),
        ('stages = ["own.toml"]', "is a recipe of stages: expected one of a single model"),
        ('stages = ["nowhere.toml"]', "no recipe at"),
    ],
)
def test_wrong_stages_are_one_line(run, tmp_path, written, reason):
    (tmp_path / "own.toml").write_text(written)
    status, out, err = run("train", tmp_path / "own.toml", "--runs", tmp_path / "runs")
    assert (status, out) == (1, "")
    assert reason in err
    assert err.count("\n") == 1


WITHOUT_TORCH = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "transformers"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
sys.argv = ["bluered", "adapt", "all-MiniLM-L6-v2", "biored:train", "-o", "nowhere"]
from bluered.cli.main import main
main()
"""


def test_without_the_extra_it_says_what_to_install():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "bluered: training needs torch: pip install 'bluered[train]'\n"


def test_train_goes_from_words_and_reader_to_a_bundle(run, tiny, tmp_path):
    """The words have no epochs, and so no curve."""
    shutil.copyfile(tiny.words, tmp_path / "pair-words.toml")
    written = tiny.reader.read_text().replace("epochs = 8", "epochs = 1")
    (tmp_path / "reader.toml").write_text(written)
    (tmp_path / "all.toml").write_text('stages = ["pair-words.toml", "reader.toml"]')
    runs, made = tmp_path / "runs", tmp_path / "bundle"
    status, out, err = run("train", tmp_path / "all.toml", "--runs", runs, "-o", made, "--json")
    assert status == 0, err
    assert [json.loads(line)["name"] for line in out.splitlines()] == ["pair-words", "reader"]
    assert not (runs / "pair-words" / "curve.svg").exists()
    assert (made / "words.npy").read_bytes() == (runs / "pair-words" / "words.npy").read_bytes()
    card = (made / "README.md").read_text()
    assert "pair-words" in card
    (tmp_path / "turned.toml").write_text('stages = ["reader.toml", "pair-words.toml"]')
    status, out, err = run("train", tmp_path / "turned.toml", "--runs", tmp_path / "others")
    assert (status, out) == (1, "")
    assert "train that recipe first" in err
    assert err.count("\n") == 1
    assert not (tmp_path / "others").exists()
