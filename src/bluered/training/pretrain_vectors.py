"""Word vectors of texts: word2vec's skip-gram (Mikolov et al. 2013), by gensim.

What comes out is a file that every program for word vectors reads, with the record beside it:

    vectors.txt  adapted.json

The words are those of `encoding.words`, lower-cased; one thread, so that a seed gives the same
vectors again. A stopped run begins anew: it takes minutes.
"""

import logging
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from msgspec import Struct

from bluered.documents.sentences import sentence_spans
from bluered.encoding.words import words
from bluered.errors import CorpusError, ModelError
from bluered.training.config import VectorsRecipe
from bluered.training.loop import Progress, Scores
from bluered.training.records import RECIPE, RECORD, check_same, put, taken
from bluered.training.texts import lines_of

log = logging.getLogger(__name__)

VECTORS = "vectors.txt"


class TrainedVectors(Struct, frozen=True, kw_only=True):
    """What a training did: `vectors` of so many words, from `words` of `rows` sentences."""

    recipe: VectorsRecipe
    dev: Scores
    rows: int
    words: int
    vectors: int
    dropped: int
    data: dict[str, str]


def pretrain_vectors(
    recipe: VectorsRecipe, folder: Path, *, progress: Progress = lambda items, _: items
) -> Scores:
    """Train word vectors into `folder`; a finished run is not done again.

    `coverage` is the share of the texts' words that have a vector.
    """
    check_gensim()
    if (folder / RECIPE).is_file():
        check_same(taken(folder / RECIPE, VectorsRecipe), recipe, folder)
    if (folder / RECORD).is_file():
        return taken(folder / RECORD, TrainedVectors).dev
    lines, data, dropped = lines_of(recipe.texts)
    folder.mkdir(parents=True, exist_ok=True)
    put(folder / RECIPE, recipe)
    sentences = [s for line in progress(lines, "words") for s in lowered(line)]
    log.info("word vectors of %d sentences, %d lines dropped", len(sentences), dropped)
    from gensim.models import Word2Vec  # a second to import, and only for this

    model = Word2Vec(
        vector_size=recipe.size,
        window=recipe.window,
        min_count=recipe.least,
        negative=recipe.negative,
        sg=1,
        alpha=recipe.rate,
        seed=recipe.seed,
        workers=1,
    )
    model.build_vocab(sentences)
    if not len(model.wv):
        raise CorpusError(
            f"too little to learn from in {', '.join(recipe.texts)}: no word stands there "
            f"{recipe.least} times"
        )
    model.train(sentences, total_examples=model.corpus_count, epochs=recipe.epochs)
    known: list[str] = model.wv.index_to_key  # pyright: ignore[reportAssignmentType]
    write_vectors(known, model.wv.vectors, folder / VECTORS)
    count = sum(map(len, sentences))
    seen = sum(model.wv.get_vecattr(word, "count") for word in known)
    dev = {"coverage": round(seen / count, 4)}
    put(
        folder / RECORD,
        TrainedVectors(
            recipe=recipe,
            dev=dev,
            rows=len(sentences),
            words=count,
            vectors=len(model.wv),
            dropped=dropped,
            data=data,
        ),
    )
    return dev


def check_gensim() -> None:
    """Raise ModelError where gensim is not installed."""
    if find_spec("gensim") is None:
        raise ModelError("word vectors need gensim: pip install 'bluered[train]'")


def lowered(line: str) -> Iterator[list[str]]:
    """Yield the words of each sentence of a text, in lower case."""
    for sentence in sentence_spans(line, 0, len(line)):
        text = line[sentence.start : sentence.end]
        yield [text[word.start : word.end].lower() for word in words(text)]


def write_vectors(names: Sequence[str], vectors: np.ndarray, path: Path) -> None:
    """Write vectors, (words, size), as word2vec writes text: both numbers, then line by line."""
    part = path.with_name(f"{path.name}.part")
    with part.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        file.write("{} {}\n".format(*vectors.shape))
        for name, vector in zip(names, vectors.tolist(), strict=True):
            file.write(" ".join([name, *(f"{number:.5g}" for number in vector)]) + "\n")
    part.replace(path)
