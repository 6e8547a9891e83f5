"""The linear baseline of every task: TF-IDF of words and characters, logistic or ridge regression.

What an encoder buys is seen only beside something that knows no words but those it was trained on.
The strength of the penalty and the threshold are chosen on dev by the task's own metric; a run
keeps them, not the weights, which are fitted again (in seconds) when it is asked.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import FeatureUnion, make_pipeline

from bluered.corpora.catalog import Task, task
from bluered.documents.document import Document, Entity, Span
from bluered.documents.examples import Example, LabelledText, RelationExample, TextPair
from bluered.encoding.tags import decode_tags
from bluered.encoding.viterbi import Chain, best_path, valid_bio
from bluered.errors import ModelError
from bluered.tasks.examples import examples, without_answers
from bluered.tasks.scoring import score
from bluered.tasks.tagging import tagged_sentences
from bluered.training.config import LinearRecipe
from bluered.training.linear_features import (
    between,
    overlap_features,
    pair_words,
    token_features,
)
from bluered.training.loop import Scores
from bluered.training.types import has_one_label, types_of

Decide = Callable[[float], list[Example]]
"""Give the answers at a threshold on the probability (which not every task has)."""

Fitted = Callable[[Sequence[Any]], Decide]
"""Read examples and give what decides them."""

THRESHOLDS = tuple(round(t, 2) for t in np.arange(0.02, 0.9, 0.04).tolist())


def train_linear(recipe: LinearRecipe) -> Scores:
    """Return the best dev score with the cost and threshold that gave it."""
    asked = task(recipe.task)
    train, dev = list(examples(asked, recipe.train)), list(examples(asked, recipe.dev))
    blank = [without_answers(example) for example in dev]
    best: Scores = {}
    for cost in recipe.costs:
        decide = _fit(asked, train, cost)(blank)
        for threshold in THRESHOLDS if asked.entry.type in THRESHOLDED else (0.5,):
            found = score(asked, dev, decide(threshold)).score or 0.0
            if not best or found > best["score"]:
                best = {"score": round(found, 4), "cost": cost, "threshold": threshold}
    return best


def linear_answers(
    recipe: LinearRecipe, asked: Sequence[Example], chosen: Scores
) -> Iterator[Example]:
    """Yield examples with the answers of the model fitted with the chosen settings."""
    about = task(recipe.task)
    fitted = _fit(about, list(examples(about, recipe.train)), chosen["cost"])
    yield from fitted([without_answers(example) for example in asked])(chosen["threshold"])


def _fit(asked: Task, train: Sequence[Any], cost: float) -> Fitted:
    if asked.entry.type not in FITS:
        raise ModelError(f"{asked.name}: there is no linear baseline for {asked.entry.type}")
    return FITS[asked.entry.type](asked, train, cost)


def _logistic(cost: float) -> OneVsRestClassifier:
    return OneVsRestClassifier(LogisticRegression(C=cost, solver="liblinear", random_state=1))


def _words(largest: int = 3) -> TfidfVectorizer:
    return TfidfVectorizer(
        ngram_range=(1, largest),
        min_df=2,
        sublinear_tf=True,
        token_pattern=r"[\w@$]+|[^\w\s]",  # noqa: S106 - signs and placeholders are words too
    )


def _similarity(_: Task, train: Sequence[TextPair], cost: float) -> Fitted:
    features = overlap_features([text for pair in train for text in (pair.first, pair.second)])
    model = Ridge(alpha=1 / cost)
    model.fit(features(train), [pair.score for pair in train])

    def read(pairs: Sequence[TextPair]) -> Decide:
        scores = model.predict(features(pairs)).tolist()
        return lambda _: [replace(p, score=float(s)) for p, s in zip(pairs, scores, strict=True)]

    return read


def _inference(_: Task, train: Sequence[TextPair], cost: float) -> Fitted:
    model = make_pipeline(_words(2), _logistic(cost))
    model.fit([pair_words(pair) for pair in train], [pair.label for pair in train])

    def read(pairs: Sequence[TextPair]) -> Decide:
        labels = model.predict([pair_words(pair) for pair in pairs])
        return lambda _: [replace(p, label=str(x)) for p, x in zip(pairs, labels, strict=True)]

    return read


def _relations(asked: Task, train: Sequence[RelationExample], cost: float) -> Fitted:
    model = make_pipeline(
        FeatureUnion([("sentence", _words(2)), ("between", make_pipeline(_Between(), _words()))]),
        _logistic(cost),
    )
    labels, negative = types_of(asked, train), asked.entry.negative
    known = [e.label if e.label in labels else negative for e in train]
    model.fit([e.text for e in train], known)

    def read(pairs: Sequence[RelationExample]) -> Decide:
        chances = model.predict_proba([e.text for e in pairs])
        classes = model.classes_.tolist()
        positive = [classes.index(label) for label in labels if label in classes]
        likeliest = np.asarray(positive)[chances[:, positive].argmax(axis=1)]
        related = chances[:, positive].sum(axis=1)

        def decide(threshold: float) -> list[Example]:
            return [
                replace(e, label=classes[best] if chance >= threshold else negative)
                for e, best, chance in zip(pairs, likeliest, related, strict=True)
            ]

        return decide

    return read


class _Between:
    """Keeps what stands between the two placeholders of a sentence."""

    def fit(self, texts: Sequence[str], _: object = None) -> "_Between":
        return self

    def transform(self, texts: Sequence[str]) -> list[str]:
        return [between(text) for text in texts]

    def fit_transform(self, texts: Sequence[str], _: object = None) -> list[str]:
        return self.transform(texts)


def _documents(asked: Task, train: Sequence[LabelledText], cost: float) -> Fitted:
    labels, one = types_of(asked, train), has_one_label(asked)
    model = make_pipeline(_words(2), _logistic(cost))
    model.fit([e.text for e in train], [[x in (e.labels or ()) for x in labels] for e in train])

    def read(texts: Sequence[LabelledText]) -> Decide:
        chances = model.predict_proba([e.text for e in texts])

        def decide(threshold: float) -> list[Example]:
            said = [[row.argmax()] if one else np.flatnonzero(row >= threshold) for row in chances]
            return [
                replace(e, labels=tuple(labels[i] for i in found))
                for e, found in zip(texts, said, strict=True)
            ]

        return decide

    return read


def _entities(asked: Task, train: Sequence[Document], cost: float) -> Fitted:
    types = types_of(asked, train)
    names = ["O", *(f"{prefix}-{kind}" for kind in types for prefix in "BI")]
    model = make_pipeline(DictVectorizer(), TfidfTransformer(use_idf=False), _logistic(cost))
    rows, tags = list[dict[str, float]](), list[int]()
    for document in train:
        for sentence in tagged_sentences(document):
            rows += token_features(sentence.tokens)
            tags += [names.index(tag) for tag in sentence.tags or ()]
    model.fit(rows, tags)
    flat = np.zeros(len(names), dtype=np.float32)
    chain = valid_bio(Chain(flat, flat, np.zeros((len(names), len(names)), dtype=np.float32)))

    def mentions(document: Document) -> Iterator[Entity]:
        for sentence in tagged_sentences(document):
            chances = np.full((len(sentence.tokens), len(names)), 1e-6, dtype=np.float32)
            chances[:, model.classes_] += model.predict_proba(token_features(sentence.tokens))
            for span in decode_tags(best_path(np.log(chances), chain)):
                start, last = sentence.starts[span.first], span.end - 1
                end = sentence.starts[last] + len(sentence.tokens[last])
                place = (Span(start, end),)
                yield Entity(types[span.type_index], place, document.text[start:end])

    def read(documents: Sequence[Document]) -> Decide:
        answered = [replace(d, entities=tuple(mentions(d))) for d in documents]
        return lambda _: list(answered)

    return read


FITS: dict[str, Callable[[Task, Sequence[Any], float], Fitted]] = {
    "sentence-similarity": _similarity,
    "inference": _inference,
    "relation-extraction": _relations,
    "document-classification": _documents,
    "named-entities": _entities,
}
"""How a model is fitted, by the type of task."""

THRESHOLDED = frozenset({"relation-extraction", "document-classification"})
