"""A tiny corpus, encoder and trained bundle: the whole path from recipe to bundle, in seconds."""

import random
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

GENES = {"SCN5A": "6331", "BRCA1": "672", "TP53": "7157"}
DISEASES = {"long QT syndrome": "D008133", "breast cancer": "D001943", "pain": "D010146"}
DRUGS = {"olaparib": "C531550", "aspirin": "D001241"}


def _document(number: int, chance: random.Random) -> str:
    """Return an invented document in PubTator's format; genes cause, drugs treat."""
    gene, disease = chance.choice(list(GENES)), chance.choice(list(DISEASES))
    drug = chance.choice(list(DRUGS))
    title = f"Loss of {gene} in {disease}"
    abstract = f"We found that {drug} reduced {disease} in patients. {gene} was in the study."
    text = f"{title} {abstract}"
    lines = [f"{number}|t|{title}", f"{number}|a|{abstract}"]
    kinds = [
        (gene, "GeneOrGeneProduct", GENES[gene]),
        (disease, "DiseaseOrPhenotypicFeature", DISEASES[disease]),
        (drug, "ChemicalEntity", DRUGS[drug]),
    ]
    mentions = []
    for name, kind, concept in kinds:
        start = text.find(name)
        while start >= 0:
            mentions.append((start, start + len(name), name, kind, concept))
            start = text.find(name, start + 1)
    lines += [f"{number}\t" + "\t".join(map(str, m)) for m in sorted(mentions)]
    lines.append(f"{number}\tAssociation\t{GENES[gene]}\t{DISEASES[disease]}\tNovel")
    lines.append(f"{number}\tNegative_Correlation\t{DRUGS[drug]}\t{DISEASES[disease]}\tNo")
    return "\n".join(lines) + "\n"


RECIPE = """
model = "{model}"
task = "biored"
types = {types}
encoder = "{encoder}"
start_from = "{start_from}"
window = 40
overlap = 10
dropout = 0.0

[optimisation]
epochs = {epochs}
batch = 4
encoder_rate = 3e-3
head_rate = 1e-2
"""


READER = """relations = ["Association", "Negative_Correlation"]
layers = 1
words = "pair-words"
window = 40"""

WORDS = """
model = "pair-words"
task = "biored"
relations = ["Association", "Negative_Correlation"]
encoder = "{encoder}"
"""


@pytest.fixture(scope="session")
def encoder_folder(tiny_tokenizer, tmp_path_factory) -> Path:
    """An untrained BERT of two layers, 32 wide."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=tiny_tokenizer.get_vocab_size(),
        hidden_size=36,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    folder = tmp_path_factory.mktemp("encoder")
    BertModel(config).save_pretrained(folder)
    tiny_tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="session")
def tiny(encoder_folder, tmp_path_factory) -> SimpleNamespace:
    """The paths of the invented corpus (`data`), the recipes and the runs."""
    root = tmp_path_factory.mktemp("tiny")
    chance = random.Random(7)
    (root / "data" / "biored").mkdir(parents=True)
    for split, count in {"Train": 40, "Dev": 10, "Test": 2}.items():
        documents = [_document(i, chance) for i in range(count)]
        (root / "data" / "biored" / f"{split}.PubTator").write_text("\n".join(documents) + "\n")
    entity_types = ["GeneOrGeneProduct", "DiseaseOrPhenotypicFeature", "ChemicalEntity"]
    fields = {"encoder": encoder_folder}
    tagger = RECIPE.format(
        model="tagger", types=entity_types, start_from="", epochs=6, **fields
    ).replace("'", '"')
    relations = RECIPE.format(
        model="document-pairs",
        types=["Association", "Negative_Correlation"],
        start_from="tagger",
        epochs=8,
        **fields,
    ).replace("'", '"')
    reader = RECIPE.format(
        model="reader", types=entity_types, start_from="", epochs=8, **fields
    ).replace("'", '"')
    reader = reader.replace("window = 40", READER)
    (root / "reader.toml").write_text(reader)
    (root / "pair-words.toml").write_text(WORDS.format(**fields))
    (root / "tagger.toml").write_text(tagger)
    (root / "relations.toml").write_text(relations)
    return SimpleNamespace(
        root=root,
        data=root / "data",
        runs=root / "runs",
        tagger=root / "tagger.toml",
        relations=root / "relations.toml",
        reader=root / "reader.toml",
        words=root / "pair-words.toml",
    )


@pytest.fixture
def stopped_once(monkeypatch):
    """Let a training be interrupted in its third epoch, the first time it comes there."""
    from bluered.training.loop import Trainer

    real, calls = Trainer.train_epoch, []

    def stops_in_the_third(self, batches):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(self, batches)

    monkeypatch.setattr(Trainer, "train_epoch", stops_in_the_third)


@pytest.fixture(scope="session")
def trained(tiny):
    """Both recipes trained; returns their results."""
    from bluered.training.run import train

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLUERED_DATA", str(tiny.data))
        return [train(recipe, tiny.runs) for recipe in (tiny.tagger, tiny.relations)]


@pytest.fixture(scope="session")
def trained_reader(tiny):
    """The reader's recipe trained; returns its result."""
    from bluered.training.run import train

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLUERED_DATA", str(tiny.data))
        train(tiny.words, tiny.runs)
        return train(tiny.reader, tiny.runs)


@pytest.fixture(scope="session")
def bundle_folder(tiny, trained_reader) -> Path:
    """The exported bundle of the reader's run."""
    from bluered.export.bundle import export_bundle

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLUERED_DATA", str(tiny.data))
        return export_bundle(tiny.runs / "reader", tiny.root / "bundle", name="tiny")


@pytest.fixture(scope="session")
def float_bundle(tiny, bundle_folder) -> Path:
    """The same bundle with its graphs before they are quantized: what torch gives, exactly."""
    from bluered.export.onnx import export_pairs, export_reader
    from bluered.models.reader import Reader
    from bluered.training.run import load_run

    folder = tiny.root / "float-bundle"
    shutil.copytree(bundle_folder, folder)
    _, model = load_run(tiny.runs / "reader")
    assert isinstance(model, Reader)
    export_reader(model, folder / "reader.onnx")
    export_pairs(model, folder / "pairs.onnx")
    return folder


ELMO = {
    "lstm": {"dim": 32, "projection_dim": 24, "n_layers": 2, "cell_clip": 3, "proj_clip": 3},
    "char_cnn": {"embedding": {"dim": 4}, "filters": [[1, 16], [3, 64]], "n_highway": 1},
}


@pytest.fixture(scope="session")
def elmo_folder(tmp_path_factory) -> Path:
    """An untrained ELMo of two layers, 24 wide in each direction."""
    import msgspec
    import torch

    from bluered.models.elmo import Elmo, ElmoOptions
    from bluered.models.elmo_files import write_elmo

    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("elmo")
    elmo = Elmo(msgspec.convert(ELMO, ElmoOptions))
    write_elmo(elmo, folder / "options.json", folder / "weights.hdf5")
    return folder


@pytest.fixture(scope="session")
def vectors_file(tmp_path_factory) -> Path:
    """Vectors of five numbers for some words of the invented texts, and for words of no text."""
    chance = random.Random(5)
    words = "scn5a brca1 long qt syndrome cancer reduced in of we patients ibuprofen BRAF".split()
    path = tmp_path_factory.mktemp("vectors") / "vectors.txt"
    lines = [f"{w} {' '.join(f'{chance.gauss(0, 1):.3f}' for _ in range(5))}" for w in words]
    path.write_text(f"{len(words)} 5\n" + "\n".join(lines) + "\n")
    return path
