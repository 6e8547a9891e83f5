"""BLUE's candidate relations of ChemProt: every chemical with every gene of the same sentence.

After blue/bert/create_chemprot_bert.py of ncbi-nlp/BLUE_Benchmark, rule by rule.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from bluered.documents.document import Document, Entity, Span
from bluered.documents.examples import RelationExample
from bluered.tasks.relations.ascii import to_ascii
from bluered.tasks.relations.blinding import blind
from bluered.tasks.relations.sentences import sentence_spans

CHEMICAL = "CHEMICAL"
GENES = ("GENE-N", "GENE-Y")
"""The types of gene mention in the order in which BLUE lists them."""

NEGATIVE = "false"


def examples(documents: Iterable[Document]) -> Iterator[RelationExample]:
    """Yield the candidate pairs of each document with their labels, in BLUE's order."""
    for document in documents:
        yield from _of_document(document)


def _of_document(document: Document) -> Iterator[RelationExample]:
    text = to_ascii(document.text)
    labels = labels_of_pairs(document)
    for sentence in sentence_spans(text, document.id):
        for chemical, gene in pairs(document, sentence):
            spans = [_within(e, sentence) for e in (chemical, gene)]
            blinded = blind(
                text[sentence.start : sentence.end],
                *spans,
                names=(CHEMICAL, "GENE"),
                joint="CHEM-GENE",
            )
            for label in labels.get((chemical.id, gene.id), (NEGATIVE,)):
                yield RelationExample(
                    id=f"{document.id}.{chemical.id}.{gene.id}",
                    document=document.id,
                    head=chemical.id,
                    tail=gene.id,
                    text=blinded,
                    label=label,
                    sentence=document.text[sentence.start : sentence.end],
                    head_spans=(spans[0],),
                    tail_spans=(spans[1],),
                    head_type=chemical.type,
                    tail_type=gene.type,
                )


def labels_of_pairs(document: Document) -> dict[tuple[str, str], list[str]]:
    """Return the labels of each related pair, those of the last line of the file first (as BLUE)."""
    labels: dict[tuple[str, str], list[str]] = defaultdict(list)
    for relation in reversed(document.mention_relations):
        labels[relation.head, relation.tail].append(relation.type)
    return labels


def pairs(document: Document, sentence: Span) -> Iterator[tuple[Entity, Entity]]:
    """Yield each chemical with each gene that lie in the sentence as wholes."""
    inside = [e for e in document.entities if sentence.start <= e.start and e.end <= sentence.end]
    chemicals = [e for e in inside if e.type == CHEMICAL]
    genes = [e for kind in GENES for e in inside if e.type == kind]
    return ((chemical, gene) for chemical in chemicals for gene in genes)


def _within(entity: Entity, sentence: Span) -> Span:
    return Span(entity.start - sentence.start, entity.end - sentence.start)
