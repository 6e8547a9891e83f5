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

NAMES = (CHEMICAL, "GENE")
NEGATIVE = "false"


def examples(documents: Iterable[Document]) -> Iterator[RelationExample]:
    """Yield the candidate pairs of each document with their labels, in BLUE's order."""
    for document in documents:
        yield from _of_document(document)


def _of_document(document: Document) -> Iterator[RelationExample]:
    labels = labels_of_pairs(document)
    for sentence in sentence_spans(document.text, document.id):
        for chemical, gene in pairs(document, sentence):
            for label in labels.get((chemical.id, gene.id), (NEGATIVE,)):
                yield _example(document, sentence, chemical, gene, label)


def _example(
    document: Document, sentence: Span, chemical: Entity, gene: Entity, label: str
) -> RelationExample:
    """Return a pair as an example; its mentions are blinded where they stand.

    BLUE's script blinds after the change to ASCII by the offsets before it, and so, behind a θ that
    became "th", one character or two too early: in 3 of the 2432 documents.
    """
    original = document.text[sentence.start : sentence.end]
    head, tail = (Span(e.start - sentence.start, e.end - sentence.start) for e in (chemical, gene))
    return RelationExample(
        id=f"{document.id}.{chemical.id}.{gene.id}",
        document=document.id,
        head=chemical.id,
        tail=gene.id,
        text=to_ascii(blind(original, head, tail, names=NAMES, joint="CHEM-GENE")),
        label=label,
        sentence=original,
        head_spans=(head,),
        tail_spans=(tail,),
        head_type=chemical.type,
        tail_type=gene.type,
    )


def labels_of_pairs(document: Document) -> dict[tuple[str, str], list[str]]:
    """Return the labels of each related pair, the last line's first, as BLUE's find_relations."""
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
