"""Word vectors of texts: a file as others write it, the same again by the same seed."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

from bluered.errors import CorpusError, ModelError

pytestmark = pytest.mark.train
pytest.importorskip("gensim", reason="needs the train extra: pip install 'bluered[train]'")

GENES, DRUGS = ("BRCA1", "TP53", "SCN5A"), ("aspirin", "olaparib", "ibuprofen")


@pytest.fixture
def recipe(tiny, tmp_path, monkeypatch):
    from bluered.training.config import VectorsRecipe

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    chance = random.Random(3)
    lines = [
        f"Mutation number {n} of the gene {chance.choice(GENES)} was inherited in a family. "
        f"A daily dose of {chance.choice(DRUGS)} was swallowed by volunteers."
        for n in range(300)
    ]
    (tmp_path / "texts.txt").write_text("\n".join(lines))
    return VectorsRecipe(texts=(str(tmp_path / "texts.txt"),), size=12, epochs=8, rate=0.1)


def test_words_of_the_same_company_are_near(recipe, tmp_path):
    from bluered.models.word_vector_files import read_vectors
    from bluered.training.pretrain_vectors import TrainedVectors, pretrain_vectors
    from bluered.training.records import taken

    dev = pretrain_vectors(recipe, tmp_path / "made")
    found = read_vectors(tmp_path / "made" / "vectors.txt")
    assert found.vectors.shape[1] == 12
    assert "family" in found.rows
    assert "17" not in found.rows  # twice at most: below three times
    genes, drugs = ([found.rows[name.lower()] for name in names] for names in (GENES, DRUGS))
    units = found.vectors / np.linalg.norm(found.vectors, axis=1, keepdims=True)
    alike = units @ units.T
    assert alike[np.ix_(genes, genes)].min() > alike[np.ix_(genes, drugs)].max()
    assert alike[np.ix_(drugs, drugs)].min() > alike[np.ix_(genes, drugs)].max()
    record = taken(tmp_path / "made" / "adapted.json", TrainedVectors)
    assert record.dev == dev
    assert (record.rows, record.words) == (600, 300 * 23)
    assert record.vectors == len(found.rows)
    assert record.dev["coverage"] == round(1 - 300 / (300 * 23), 4)  # all but the numbers


def test_a_seed_gives_the_same_file_in_another_process(recipe, tmp_path):
    import msgspec

    from bluered.training.pretrain_vectors import pretrain_vectors

    pretrain_vectors(recipe, tmp_path / "here")
    content = msgspec.json.encode(recipe).decode()
    code = f"""
import msgspec, pathlib
from bluered.training.config import VectorsRecipe
from bluered.training.pretrain_vectors import pretrain_vectors
recipe = msgspec.json.decode({content!r}, type=VectorsRecipe)
pretrain_vectors(recipe, pathlib.Path({str(tmp_path / "there")!r}))
"""
    subprocess.run(
        [sys.executable, "-c", code], check=True, env=os.environ | {"PYTHONHASHSEED": "7"}
    )
    one, other = ((tmp_path / name / "vectors.txt").read_bytes() for name in ("here", "there"))
    assert one == other


def test_a_recipe_is_trained_once_into_its_run(recipe, tmp_path):
    from bluered.training.run import load_run, train

    path = tmp_path / "vectors.toml"
    path.write_text(
        f'model = "word-vectors"\ntexts = ["{recipe.texts[0]}"]\nsize = 4\nepochs = 1\n'
    )
    result = train(path, tmp_path / "runs")
    assert set(result.data) == set(recipe.texts)
    assert "gensim" in result.versions
    (tmp_path / "runs" / "vectors" / "vectors.txt").unlink()
    assert train(path, tmp_path / "runs") == result
    assert not (tmp_path / "runs" / "vectors" / "vectors.txt").exists()
    with pytest.raises(ModelError, match="answers nothing"):
        load_run(tmp_path / "runs" / "vectors")
    path.write_text(path.read_text().replace("size = 4", "size = 5"))
    with pytest.raises(ModelError, match="another recipe"):
        train(path, tmp_path / "runs")


def test_too_few_words_and_no_gensim_are_said(recipe, tmp_path, monkeypatch):
    from msgspec.structs import replace

    from bluered.training import pretrain_vectors as module

    with pytest.raises(CorpusError, match="no word stands there 99999 times"):
        module.pretrain_vectors(replace(recipe, least=99999), tmp_path / "few")
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(ModelError, match=r"need gensim: pip install 'bluered\[train\]'"):
        module.pretrain_vectors(recipe, tmp_path / "none")
