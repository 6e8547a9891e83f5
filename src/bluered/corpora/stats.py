"""The counts papers print of a corpus, recounted from what its splits hold."""

from collections import Counter
from collections.abc import Iterable, Iterator

from bluered.corpora.counts import Counts
from bluered.documents.concepts import concept_types
from bluered.documents.document import Document, Relation, known_concepts
from bluered.documents.examples import Example, LabelledText, RelationExample, TextPair

UNKNOWN = "unknown"


class Tally:
    """Counts that grow with each document or example; `counts` gives them as they stand."""

    def __init__(self) -> None:
        self._documents = self._several = self._without = self._selves = self._novel = 0
        self._sentences = self._text_pairs = 0
        self._mentions = Counter[str]()
        self._relations = Counter[str]()
        self._mention_relations = Counter[str]()
        self._pairs = Counter[str]()
        self._document_ids = Counter[str]()
        self._labels = Counter[str]()
        self._ids: set[tuple[str, str]] = set()
        self._names: set[str] = set()
        self._has_novelty = False

    def add(self, example: Example) -> None:
        """Count one document, labelled text, text pair or candidate relation."""
        match example:
            case Document():
                self._add_document(example)
            case LabelledText():
                self._names.add(example.document)
                self._sentences += 1
                self._labels.update(example.labels or ())
            case RelationExample():
                self._names.add(example.document)
                self._add_pair(example)
            case TextPair():
                self._add_pair(example)

    def _add_pair(self, pair: TextPair | RelationExample) -> None:
        self._text_pairs += 1
        if pair.label is not None:
            self._labels[pair.label] += 1

    def _add_document(self, document: Document) -> None:
        self._documents += 1
        ids: set[tuple[str, str]] = set()
        for entity in document.entities:
            concepts = known_concepts(entity)
            self._mentions[entity.type] += 1
            self._several += len(entity.concepts) > 1
            self._without += not concepts
            ids.update((entity.type, concept) for concept in concepts)
        self._ids |= ids
        self._document_ids.update(entity_type for entity_type, _ in ids)
        self._mention_relations.update(relation.type for relation in document.mention_relations)
        types = concept_types(document)
        for relation in document.relations:
            self._relations[relation.type] += 1
            self._pairs[pair_type(relation, types)] += 1
            self._selves += relation.head == relation.tail
            self._novel += relation.novel is True
            self._has_novelty |= relation.novel is not None

    def counts(self) -> Counts:
        """Return what was counted so far."""
        documents = self._documents or len(self._names)
        return Counts(
            documents=documents or (None if self._text_pairs else 0),
            sentences=self._sentences or None,
            pairs=self._text_pairs or None,
            labels=dict(self._labels),
            mentions=dict(self._mentions),
            unique_ids=dict(Counter(entity_type for entity_type, _ in self._ids)),
            document_ids=dict(self._document_ids),
            mentions_with_several_ids=self._several if self._documents else None,
            mentions_without_id=self._without if self._documents else None,
            relations=dict(self._relations),
            concept_pairs=dict(self._pairs),
            self_relations=self._selves if self._documents else None,
            novel=self._novel if self._has_novelty else None,
            mention_relations=dict(self._mention_relations),
        )


def pair_type(relation: Relation, types: dict[str, str]) -> str:
    """Return the types of a relation's ends in alphabetical order, joined by " - "."""
    return " - ".join(sorted(types.get(end, UNKNOWN) for end in (relation.head, relation.tail)))


def count(examples: Iterable[Example]) -> Counts:
    """Return the counts of a stream of documents or other examples."""
    tally = Tally()
    for example in examples:
        tally.add(example)
    return tally.counts()


def counts_by_split(
    splits: Iterable[tuple[str, Iterable[Example]]], *, total: str
) -> Iterator[tuple[str, Counts]]:
    """Yield (name, counts) for each split and, last, for all of them under the name `total`.

    Concept ids that occur in several splits count once in the total.
    """
    everything = Tally()
    for name, examples in splits:
        tally = Tally()
        for example in examples:
            tally.add(example)
            everything.add(example)
        yield name, tally.counts()
    yield total, everything.counts()
