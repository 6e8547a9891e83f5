"""Models of BLUE's other task types, and the linear baselines, on tiny invented corpora."""

import json
import random
from pathlib import Path

import pytest

from bluered.corpora.added import Added, remember
from bluered.corpora.catalog import task
from bluered.documents.examples import LabelledText, RelationExample, TextPair
from bluered.tasks.examples import examples
from bluered.tasks.scoring import score

pytestmark = pytest.mark.train

WORDS = "patients mice rat loss gene mutation cancer breast syndrome pain fever cell line".split()


def _pairs(chance: random.Random, number: int) -> list[str]:
    """Rows of sentence pairs whose score is how many of four words they share."""
    rows = ["id\tfirst\tsecond\tscore"]
    for index in range(number):
        words = chance.sample(WORDS, 8)
        shared = chance.randint(0, 4)
        first, second = words[:4], words[:shared] + words[4 : 8 - shared]
        rows.append(f"{index}\t{' '.join(first)}\t{' '.join(second)}\t{shared}")
    return rows


def _inferences(chance: random.Random, number: int) -> list[str]:
    """Rows of pairs: the second text says whether there is a loss."""
    rows = ["id\tfirst\tsecond\tlabel"]
    for index in range(number):
        first, second = chance.sample(WORDS, 3), chance.sample(WORDS, 5)
        rows.append(
            f"{index}\twith {' '.join(first)}\tfound {' '.join(second)}\t"
            f"{'yes' if 'loss' in second else 'no'}"
        )
    return rows


def _texts(chance: random.Random, number: int) -> list[str]:
    """Rows of sentences, three a document: the words pain and cancer are labels."""
    rows = ["id\tdocument\ttext\tlabels"]
    for index in range(number):
        for place in range(3):
            words = chance.sample(WORDS, 4)
            labels = ";".join(w for w in ("pain", "cancer") if w in words)
            rows.append(f"{index}_s{place}\t{index}\twe found {' '.join(words)}\t{labels}")
    return rows


def _relations(chance: random.Random, number: int) -> list[str]:
    """Rows of blinded pairs: the verb between them decides."""
    rows = ["id\tdocument\thead\ttail\ttext\tlabel"]
    verbs = {"reduced": "down", "increased": "up", "and": "none"}
    for index in range(number):
        verb = chance.choice(list(verbs))
        end = chance.choice(WORDS)
        text = f"we found that @DRUG$ {verb} @GENE$ in {end}"
        rows.append(f"{index}\t{index}\tT1\tT2\t{text}\t{verbs[verb]}")
    return rows


TASKS = {
    "likeness": ("sentence-similarity", "pearson", _pairs, "", "id,first,second,score"),
    "inferred": (
        "inference",
        "accuracy",
        _inferences,
        'labels = ["yes", "no"]',
        "id,first,second,label",
    ),
    "marked": (
        "document-classification",
        "example-f1",
        _texts,
        'labels = ["pain", "cancer"]',
        "id,document,text,labels",
    ),
    "verbs": (
        "relation-extraction",
        "micro-f1",
        _relations,
        'labels = ["down", "up"]\nnegative = "none"',
        "id,document,head,tail,text,label",
    ),
}


@pytest.fixture
def corpora(tmp_path, monkeypatch) -> Path:
    """The four invented corpora, added by their TOML files."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    for name, (kind, metric, rows, more, columns) in TASKS.items():
        folder = tmp_path / name
        folder.mkdir()
        chance = random.Random(3)
        for split, number in {"train": 60, "dev": 20, "test": 30}.items():
            (folder / f"{split}.tsv").write_text("\n".join(rows(chance, number)) + "\n")
        named = "\n".join(f'{column} = "{column}"' for column in columns.split(","))
        entry = folder / f"{name}.toml"
        entry.write_text(
            f"""
name = "{name}"
title = "Invented"
version = "1"
licence = "CC0"
layout = "table"
separator = ";"
citation = {{ text = "Nobody 2020" }}
splits = {{ train = "train.tsv", dev = "dev.tsv", test = "test.tsv" }}
[columns]
{named}
[tasks.{name}]
type = "{kind}"
metric = "{metric}"
{more}
"""
        )
        remember(name, Added(str(folder), str(entry)))
    return tmp_path


RECIPE = """
model = "{model}"
task = "{task}"
encoder = "{encoder}"
window = 40
overlap = 10
dropout = 0.0
[optimisation]
epochs = {epochs}
batch = 4
encoder_rate = 3e-3
head_rate = 1e-2
"""


def _trained(corpora: Path, text: str, name: str) -> Path:
    from bluered.training.run import train

    recipe = corpora / f"{name}.toml"
    recipe.write_text(text)
    train(recipe, corpora / "runs")
    return corpora / "runs" / name


@pytest.mark.parametrize(
    ("name", "model", "epochs", "least"),
    [
        ("likeness", "similarity", 12, 0.5),
        ("inferred", "pair-labels", 12, 0.9),
        ("marked", "sentence-labels", 12, 0.9),
    ],
)
def test_an_encoder_learns_each_type_of_task(corpora, encoder_folder, name, model, epochs, least):
    from bluered.training.predict import find_run, predict

    text = RECIPE.format(model=model, task=name, encoder=encoder_folder, epochs=epochs)
    run = _trained(corpora, text, f"run-{name}")
    assert find_run(corpora / "runs", name) == run
    gold = list(examples(task(name), "test"))
    found = score(task(name), gold, list(predict(run, gold)))
    assert found.score is not None
    assert found.score > least


@pytest.mark.parametrize(
    ("name", "least"), [("likeness", 0.8), ("inferred", 0.75), ("marked", 0.9), ("verbs", 0.9)]
)
def test_a_linear_baseline_learns_each_type_of_task(corpora, name, least):
    from bluered.training.predict import predict

    run = _trained(corpora, f'model = "linear"\ntask = "{name}"\ncosts = [10.0]', f"linear-{name}")
    chosen = json.loads((run / "result.json").read_text())["dev"]
    assert chosen["cost"] == 10.0
    gold = list(examples(task(name), "test"))
    found = score(task(name), gold, list(predict(run, gold)))
    assert found.score is not None
    assert found.score > least


def test_a_linear_tagger_finds_the_names_it_has_seen(tiny, tmp_path, monkeypatch):
    from bluered.training.predict import predict

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    folder = tiny.data / "biored"
    entry = tmp_path / "names.toml"
    entry.write_text(
        """
name = "names"
title = "Invented"
version = "1"
licence = "CC0"
format = "pubtator"
citation = { text = "Nobody 2020" }
splits = { train = "Train.PubTator", dev = "Dev.PubTator" }
[tasks.names]
type = "named-entities"
metric = "mention-f1"
entity_types = ["ChemicalEntity", "DiseaseOrPhenotypicFeature"]
"""
    )
    remember("names", Added(str(folder), str(entry)))
    run = _trained(tmp_path, 'model = "linear"\ntask = "names"\ncosts = [10.0]', "linear-names")
    gold = list(examples(task("names"), "dev"))
    assert score(task("names"), gold, list(predict(run, gold))).score == 1.0


@pytest.mark.parametrize("model", ["linear", "sentence-labels"])
def test_texts_of_one_label_get_one(corpora, encoder_folder, model):
    """Metric accuracy: one label a text; which labels there are need not be said."""
    from bluered.training.predict import predict

    entry = corpora / "marked" / "marked.toml"
    written = entry.read_text().replace("example-f1", "accuracy")
    entry.write_text("\n".join(x for x in written.split("\n") if not x.startswith("labels =")))
    for split in ("train", "dev", "test"):
        path = corpora / "marked" / f"{split}.tsv"
        head, *rows = path.read_text().splitlines()
        kept = [
            f"{row.rpartition(chr(9))[0]}\t{'sick' if 'pain' in row else 'well'}" for row in rows
        ]
        path.write_text("\n".join([head, *kept]) + "\n")
    text = RECIPE.format(model=model, task="marked", encoder=encoder_folder, epochs=8)
    if model == "linear":
        text = 'model = "linear"\ntask = "marked"\ncosts = [10.0]'
    run = _trained(corpora, text, f"one-{model}")
    gold = list(examples(task("marked"), "test"))
    said = list(predict(run, gold))
    assert all(isinstance(e, LabelledText) and len(e.labels or ()) == 1 for e in said)
    found = score(task("marked"), gold, said)
    assert found.metric == "accuracy"
    assert found.score is not None
    assert found.score > 0.9


def test_pairs_of_one_sentence_share_its_markers(tiny_tokenizer, monkeypatch):
    """Two pairs of one sentence are one row; both mentions of a pair keep their own marker."""
    from bluered.documents.document import Span
    from bluered.training import sentence_relations
    from bluered.training.config import Optimisation, Recipe

    recipe = Recipe(
        model="sentence-relations",
        task="chemprot",
        types=("CPR:3",),
        encoder="x",
        optimisation=Optimisation(epochs=1, batch=1, encoder_rate=1, head_rate=1),
    )
    shared = {"document": "1", "text": "", "sentence": "aspirin and olaparib reduce brca1"}
    drugs = {"T1": Span(0, 7), "T2": Span(12, 20)}
    pairs = [
        RelationExample(
            id=f"1.{drug}.T3",
            head=drug,
            tail="T3",
            label=label,
            head_spans=(span,),
            tail_spans=(Span(28, 33),),
            head_type="CHEMICAL",
            tail_type="GENE-Y",
            **shared,
        )
        for (drug, span), label in zip(drugs.items(), ("CPR:3", "false"), strict=True)
    ]
    (row,) = sentence_relations.rows(pairs, tiny_tokenizer, recipe)
    assert row.pairs.tolist() == [[0, 2], [1, 2]]
    assert row.labels.tolist() == [1, 0]
    kinds = row.text.kinds[row.mentions[:, 0]].tolist()
    assert kinds == [1, 1, 3]  # GENE-Y is shown as a gene, with BLUE's two placeholders
    assert row.features.tolist() == [[1, 1, 5], [1, 0, 4]]


def test_examples_are_answered_in_their_order_and_type(corpora):
    """What a model is given has no answers, whatever its type."""
    from bluered.tasks.examples import without_answers

    for name, kind in {"likeness": TextPair, "marked": LabelledText}.items():
        for example in examples(task(name), "test"):
            assert isinstance(example, kind)
            blank = without_answers(example)
            assert blank.id == example.id
            assert getattr(blank, "labels", None) is None
            assert getattr(blank, "score", None) is None


ELMO = """
model = "elmo"
task = "{task}"
elmo = "{elmo}"
hidden = 32
dropout = 0.1
[optimisation]
epochs = 40
batch = 8
encoder_rate = 0.0
head_rate = 1e-2
"""


@pytest.mark.parametrize(
    ("name", "least"), [("likeness", 0.3), ("inferred", 0.75), ("marked", 0.9), ("verbs", 0.9)]
)
def test_elmo_learns_each_type_of_task(corpora, elmo_folder, name, least):
    from bluered.training.predict import find_run, predict

    run = _trained(corpora, ELMO.format(task=name, elmo=elmo_folder), f"elmo-{name}")
    assert find_run(corpora / "runs", name) == run
    gold = list(examples(task(name), "test"))
    found = score(task(name), gold, list(predict(run, gold)))
    assert found.score is not None
    assert found.score > least
