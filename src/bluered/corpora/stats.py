"""The counts papers print of a corpus, recounted from the documents."""

from collections import Counter
from collections.abc import Iterable, Iterator

from bluered.corpora.counts import Counts
from bluered.documents.concepts import concept_types
from bluered.documents.document import Document, Relation, known_concepts

UNKNOWN = "unknown"


class Tally:
    """Counts that grow document by document; `counts` gives them as they stand."""

    def __init__(self) -> None:
        self._documents = self._several = self._without = self._selves = self._novel = 0
        self._mentions = Counter[str]()
        self._relations = Counter[str]()
        self._pairs = Counter[str]()
        self._document_ids = Counter[str]()
        self._ids: set[tuple[str, str]] = set()
        self._has_novelty = False

    def add(self, document: Document) -> None:
        """Count one document."""
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
        types = concept_types(document)
        for relation in document.relations:
            self._relations[relation.type] += 1
            self._pairs[pair_type(relation, types)] += 1
            self._selves += relation.head == relation.tail
            self._novel += relation.novel is True
            self._has_novelty |= relation.novel is not None

    def counts(self) -> Counts:
        """Return what was counted so far."""
        return Counts(
            documents=self._documents,
            mentions=dict(self._mentions),
            unique_ids=dict(Counter(entity_type for entity_type, _ in self._ids)),
            document_ids=dict(self._document_ids),
            mentions_with_several_ids=self._several,
            mentions_without_id=self._without,
            relations=dict(self._relations),
            concept_pairs=dict(self._pairs),
            self_relations=self._selves,
            novel=self._novel if self._has_novelty else None,
        )


def pair_type(relation: Relation, types: dict[str, str]) -> str:
    """Return the types of a relation's ends in alphabetical order, joined by " - "."""
    return " - ".join(sorted(types.get(end, UNKNOWN) for end in (relation.head, relation.tail)))


def count(documents: Iterable[Document]) -> Counts:
    """Return the counts of a stream of documents."""
    tally = Tally()
    for document in documents:
        tally.add(document)
    return tally.counts()


def counts_by_split(
    splits: Iterable[tuple[str, Iterable[Document]]], *, total: str
) -> Iterator[tuple[str, Counts]]:
    """Yield (name, counts) for each split and, last, for all of them under the name `total`.

    Concept ids that occur in several splits count once in the total.
    """
    everything = Tally()
    for name, documents in splits:
        tally = Tally()
        for document in documents:
            tally.add(document)
            everything.add(document)
        yield name, tally.counts()
    yield total, everything.counts()
