"""Training the words beside the reader: a linear model of what is said of a pair.

Few pairs and many words suit a convex model with a penalty: it learns names and words by heart that
a network of states smooths over, and errs elsewhere. Softmax regression on `encoding.wording`,
fitted in seconds by L-BFGS; the same for novelty, on the related pairs.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import logsumexp
from tokenizers import Tokenizer

from bluered.corpora.catalog import Task, task
from bluered.documents.document import Document
from bluered.documents.sentences import sentences
from bluered.encoding.meetings import meetings
from bluered.encoding.pairs import candidates, pair_features
from bluered.encoding.tags import Bools
from bluered.encoding.tokens import Ints, Tokens, tokenize
from bluered.encoding.wording import BUCKETS, Wording, wording
from bluered.errors import ModelError
from bluered.inference.relations import softmax
from bluered.inference.words import PairWords
from bluered.tasks.examples import examples
from bluered.training.config import WordsRecipe
from bluered.training.loop import Scores
from bluered.training.pair_targets import PairTargets, biored
from bluered.training.relation_scores import judge, related, relation_count, relation_scores

WEIGHTS = "words.npy"
_STEPS = 100


class _Known(Struct, frozen=True):
    """The pairs of all documents: features, possible types, novelty (below 0: unknown)."""

    features: csr_matrix
    possible: Bools
    novelty: Ints


def train_words(recipe: WordsRecipe, tokenizer: Tokenizer, folder: Path) -> Scores:
    """Write the weights of a recipe to the folder of its run and return its scores on dev."""
    about = task(recipe.task)
    learned, dev = (_paired(about, split) for split in (recipe.train, recipe.dev))
    known = _known(learned, tokenizer, recipe)
    counts = np.bincount(known.features.indices, minlength=BUCKETS)
    used = np.flatnonzero(counts >= recipe.least)
    features = known.features[:, used]
    told = known.novelty >= 0
    types = _fit(features, known.possible, recipe.penalty)
    news = np.eye(2, dtype=bool)[known.novelty[told]]
    novelty = _fit(features[told], news, recipe.novelty_penalty)
    weights = np.zeros((BUCKETS, types.shape[1] + 2), dtype=np.float16)
    weights[used] = np.concatenate([types, novelty], axis=1)
    np.save(folder / WEIGHTS, weights)
    return _dev_scores(PairWords(folder / WEIGHTS), dev, tokenizer, recipe)


def wording_of(targets: PairTargets, tokens: Tokens) -> Wording:
    """Return what a document says of its candidate pairs."""
    document, found = targets.document, targets.found
    parts = sentences(document)
    return wording(
        document,
        tokens,
        found,
        met=meetings(document, found, parts),
        layout=pair_features(document, found, parts),
    )


def words_answers(
    run: Path, documents: Sequence[Document], tokenizer: Tokenizer, recipe: WordsRecipe, dev: Scores
) -> Iterator[Document]:
    """Yield the documents with the relations that a run finds between the ids of their entities."""
    words = PairWords(run / WEIGHTS)
    for document in documents:
        targets = biored(document, recipe.relations)
        types, novelty = words.scores(wording_of(targets, tokenize(document.text, tokenizer)))
        found = related(softmax(types), novelty, targets, recipe.relations, dev["threshold"])
        yield replace(document, relations=tuple(found))


def _paired(about: Task, split: str) -> list[Document]:
    """Return the documents of a split, or raise ModelError if they hold no candidate pair."""
    found = [d for d in examples(about, split) if isinstance(d, Document)]
    if not any(len(candidates(d).pairs) for d in found):
        raise ModelError(f"{about.name}:{split} has no pairs of concepts that may be related")
    return found


def _known(documents: Sequence[Document], tokenizer: Tokenizer, recipe: WordsRecipe) -> _Known:
    targets = [biored(document, recipe.relations) for document in documents]
    said = [wording_of(t, tokenize(t.document.text, tokenizer)) for t in targets]
    lengths = np.concatenate([np.diff(each.ends, prepend=0) for each in said])
    columns = np.concatenate([each.columns for each in said])
    values = np.repeat(1 / np.sqrt(lengths), lengths)
    bounds = np.append(0, np.cumsum(lengths))
    return _Known(
        csr_matrix((values, columns, bounds), shape=(len(lengths), BUCKETS)),
        np.concatenate([each.possible for each in targets]),
        np.concatenate([each.novelty for each in targets]),
    )


def _fit(features: csr_matrix, possible: Bools, penalty: float) -> np.ndarray:
    """Return weights (columns, classes) of the least penalised loss; possible: (rows, classes)."""
    turned = features.T.tocsr()
    shape = (turned.indptr.size - 1, possible.shape[1])
    impossible = np.where(possible, 0.0, -1e9)

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(shape)
        scores = features @ weights
        every, some = (logsumexp(s, axis=1, keepdims=True) for s in (scores, scores + impossible))
        wrong = np.exp(scores - every) - np.exp(scores + impossible - some)
        value = float((every - some).sum() + penalty / 2 * (weights**2).sum())
        return value, (turned @ wrong + penalty * weights).ravel()

    start = np.zeros(shape).ravel()
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    return found.x.reshape(shape)


def _dev_scores(
    words: PairWords, documents: Sequence[Document], tokenizer: Tokenizer, recipe: WordsRecipe
) -> Scores:
    judged = []
    for document in documents:
        targets = biored(document, recipe.relations)
        if len(targets.found.pairs):
            tokens = tokenize(document.text, tokenizer)
            types, novelty = words.scores(wording_of(targets, tokens))
            judged.append(judge(softmax(types), novelty, targets))
    gold = relation_count(documents)
    return relation_scores(judged, gold)
