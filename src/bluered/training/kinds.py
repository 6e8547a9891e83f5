"""What can be trained: for each model a recipe may name, its parts in the loop's order."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import PreTrainedModel

from bluered.documents.examples import Example
from bluered.encoding.marking import kind_count
from bluered.encoding.tags import tag_count
from bluered.models.encoder import TypedEncoder
from bluered.models.labels import LabelModel
from bluered.models.reader import Reader
from bluered.models.relations import RelationModel
from bluered.models.similarity import SimilarityModel
from bluered.models.tagger import Tagger
from bluered.models.token_tagger import TokenTagger
from bluered.training import (
    bert,
    bert_gt,
    document_pairs,
    marker_pair,
    pair_labels,
    pair_rows,
    reader,
    sentence_labels,
    sentence_relations,
    similarity,
    tagger,
    token_tagger,
)
from bluered.training.config import ModelName, Recipe
from bluered.training.loop import Scores

Evaluate = Callable[[nn.Module], Scores]


class Kind(Struct, frozen=True):
    """A kind of model.

    `build` puts it on an encoder; `rows` makes the arrays of examples, `length` gives the pieces of
    one; `loss` is that of a batch of rows; `evaluation` scores a model on examples; `answers`
    yields the examples with the model's answers, given the scores (thresholds) chosen on dev.
    """

    build: Callable[[Recipe, PreTrainedModel], nn.Module]
    rows: Callable[[Sequence[Any], Tokenizer, Recipe], list[Any]]
    length: Callable[[Any], int]
    loss: Callable[[nn.Module, list[Any]], Tensor]
    evaluation: Callable[[Sequence[Any], Tokenizer, Recipe], Evaluate]
    answers: Callable[[nn.Module, Sequence[Any], Tokenizer, Recipe, Scores], Iterator[Example]]


def _tagger(recipe: Recipe, encoder: PreTrainedModel) -> nn.Module:
    typed = TypedEncoder(encoder, kinds=0)
    return Tagger(typed, tags=tag_count(recipe.types), dropout=recipe.dropout)


def _bert_softmax(recipe: Recipe, encoder: PreTrainedModel) -> nn.Module:
    typed = TypedEncoder(encoder, kinds=0)
    return TokenTagger(typed, tags=tag_count(recipe.types), crf=False, dropout=recipe.dropout)


def _bert_crf(recipe: Recipe, encoder: PreTrainedModel) -> nn.Module:
    typed = TypedEncoder(encoder, kinds=0)
    return TokenTagger(typed, tags=tag_count(recipe.types), crf=True, dropout=recipe.dropout)


def _document_pairs(recipe: Recipe, encoder: PreTrainedModel) -> nn.Module:
    typed = TypedEncoder(encoder, kinds=kind_count())
    return RelationModel(typed, types=len(recipe.types), dropout=recipe.dropout)


def _sentence_relations(recipe: Recipe, encoder: PreTrainedModel) -> nn.Module:
    return RelationModel(
        TypedEncoder(encoder, kinds=kind_count(sentence_relations.mention_types(recipe))),
        types=len(recipe.types),
        features=sentence_relations.FEATURE_SIZES,
        dropout=recipe.dropout,
    )


def _similarity(_: Recipe, encoder: PreTrainedModel) -> nn.Module:
    return SimilarityModel(TypedEncoder(encoder, kinds=0))


def _sentence_labels(recipe: Recipe, encoder: PreTrainedModel) -> nn.Module:
    typed = TypedEncoder(encoder, kinds=0)
    return LabelModel(typed, labels=len(recipe.types), dropout=recipe.dropout)


def _pair_labels(recipe: Recipe, encoder: PreTrainedModel) -> nn.Module:
    typed = TypedEncoder(encoder, kinds=pair_labels.KINDS)
    return LabelModel(typed, labels=len(recipe.types), dropout=recipe.dropout)


def _reader(recipe: Recipe, encoder: PreTrainedModel) -> nn.Module:
    typed = TypedEncoder(encoder, kinds=0)
    return Reader(typed, **reader.sizes(recipe), dropout=recipe.dropout)


KINDS: dict[ModelName, Kind] = {
    "reader": Kind(
        _reader, reader.rows, reader.length, reader.loss, reader.evaluation, reader.answers
    ),
    "tagger": Kind(
        _tagger, tagger.rows, tagger.length, tagger.loss, tagger.evaluation, tagger.answers
    ),
    "bert-softmax": Kind(
        _bert_softmax,
        token_tagger.rows,
        token_tagger.length,
        token_tagger.loss,
        token_tagger.evaluation,
        token_tagger.answers,
    ),
    "bert-crf": Kind(
        _bert_crf,
        token_tagger.rows,
        token_tagger.length,
        token_tagger.loss,
        token_tagger.evaluation,
        token_tagger.answers,
    ),
    "document-pairs": Kind(
        _document_pairs,
        document_pairs.rows,
        document_pairs.length,
        document_pairs.loss,
        document_pairs.evaluation,
        document_pairs.answers,
    ),
    "marker-pair": Kind(
        marker_pair.build,
        pair_rows.rows,
        pair_rows.length,
        marker_pair.loss,
        marker_pair.evaluation,
        marker_pair.answers,
    ),
    "bert-gt": Kind(
        bert_gt.build,
        pair_rows.rows,
        pair_rows.length,
        bert_gt.loss,
        bert_gt.evaluation,
        bert_gt.answers,
    ),
    "similarity": Kind(
        _similarity,
        similarity.rows,
        similarity.length,
        similarity.loss,
        similarity.evaluation,
        similarity.answers,
    ),
    "pair-labels": Kind(
        _pair_labels,
        pair_labels.rows,
        pair_labels.length,
        pair_labels.loss,
        pair_labels.evaluation,
        pair_labels.answers,
    ),
    "sentence-relations": Kind(
        _sentence_relations,
        sentence_relations.rows,
        sentence_relations.length,
        sentence_relations.loss,
        sentence_relations.evaluation,
        sentence_relations.answers,
    ),
    "sentence-labels": Kind(
        _sentence_labels,
        sentence_labels.rows,
        sentence_labels.length,
        sentence_labels.loss,
        sentence_labels.evaluation,
        sentence_labels.answers,
    ),
    "bert": Kind(bert.build, bert.rows, bert.length, bert.loss, bert.evaluation, bert.answers),
}
"""The kinds by the name that `model` in a recipe gives."""
