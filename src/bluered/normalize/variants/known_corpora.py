"""The dbSNP numbers that annotated documents give to variants, by gene and normal form.

Of a mention that is linked to an rs number the rest is read by the grammar. tmVar3 names the gene
beside the number (`p|SUB|V|600|E;Gene:673;RS#:113488022`); in BioRED it is the gene that the
mention most likely belongs to.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from bluered.corpora import documents
from bluered.corpora.overlap import overlaps
from bluered.corpora.texts import part
from bluered.documents.biored_types import VARIANT
from bluered.documents.document import Document
from bluered.formats.files import read_file
from bluered.formats.identifiers import join_concepts
from bluered.normalize.variants.context import choose
from bluered.normalize.variants.genes import gene_mentions, rank_genes
from bluered.normalize.variants.parse import readings
from bluered.normalize.variants.rs import rs_number
from bluered.normalize.variants.sameness import is_whole
from bluered.normalize.variants.variant import Variant

HELD_OUT = ("dev", "test")
"""The parts of BioRED of which nothing may be in the table."""

TMVAR = ("tmVar3_Train", "tmVar3_Test")
_TMVAR_TYPES = frozenset(
    ("DNAMutation", "ProteinMutation", "OtherMutation", "AcidChange", "DNAAllele", "ProteinAllele")
)
_GENE = re.compile(r"Gene[:;]?(\d+)(?!\d*,)")
_NUMBER = re.compile(r"RS#:(\d+)")


class Told(Struct, frozen=True):
    """A variant mention whose gene and rs number its annotators tell."""

    variant: Variant
    gene: str
    rs: str


def source_documents(data: Path) -> Iterator[tuple[str, Document]]:
    """Yield the documents that the table is made of, with the name of their corpus.

    None stands in BioRED's development or test part, by its text or its PubMed id.
    """
    held_out = [part(f"biored:{split}", documents("biored", split)) for split in HELD_OUT]
    sources = {"biored": list(documents("biored", "train"))}
    for name in TMVAR:
        path = data / "ner_pubtator" / f"{name}.PubTator"
        sources[name] = list(read_file(path, "pubtator", check=False))
    for name, found in sources.items():
        own = [part(name, found)]
        excluded = {m.first for shared in overlaps(own, held_out) for m in shared.matches}
        yield from ((name, document) for document in found if document.id not in excluded)


def known_variants(data: Path) -> list[tuple[str, str, str, int]]:
    """Return gene, normal form, rs number and number of documents of each known variant.

    A document that stands in BioRED and in tmVar3 counts once. Where documents disagree, the rs
    number of most of them is taken; on a tie the variant is left out.
    """
    seen: defaultdict[tuple[str, str], defaultdict[str, set[str]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for name, document in source_documents(data):
        for told in _told(name, document):
            seen[told.gene, told.variant.form()][told.rs].add(document.id)
    rows: list[tuple[str, str, str, int]] = []
    for (gene, form), numbers in sorted(seen.items(), key=lambda item: (int(item[0][0]), item[0])):
        counts = Counter({rs: len(ids) for rs, ids in numbers.items()}).most_common(2)
        if len(counts) == 1 or counts[0][1] > counts[1][1]:
            rows.append((gene, form, *counts[0]))
    return rows


def _told(corpus: str, document: Document) -> Iterator[Told]:
    reader = _told_by_biored if corpus == "biored" else _told_by_tmvar
    for told in reader(document):
        if told.gene.isdigit() and is_whole(told.variant):
            yield told


def _told_by_biored(document: Document) -> Iterator[Told]:
    numbers = {
        index: entity.concepts[0]
        for index, entity in enumerate(document.entities)
        if entity.type == VARIANT and rs_number(entity.concepts[0]) and not rs_number(entity.text)
    }
    chosen = _read(document, list(numbers))
    genes = gene_mentions(document)
    for index, variant in chosen.items():
        ranked = rank_genes(document.text, [document.entities[index]], genes)
        yield Told(variant, next(iter(ranked), ""), numbers[index])


def _told_by_tmvar(document: Document) -> Iterator[Told]:
    told = {
        index: (gene[1], f"rs{number[1]}", column)
        for index, entity in enumerate(document.entities)
        if entity.type in _TMVAR_TYPES
        and (column := join_concepts(entity))
        and (gene := _GENE.search(column))
        and (number := _NUMBER.search(column))
    }
    for index, variant in _read(document, list(told)).items():
        gene, rs, column = told[index]
        form = column.partition(";")[0]
        options = readings(document.entities[index].text)
        same = next((option for option in options if option.form() == form), variant)
        yield Told(same, gene, rs)


def _read(document: Document, indices: Sequence[int]) -> dict[int, Variant]:
    """Return what the mentions say, read in the light of one another."""
    texts = {index: document.entities[index].text for index in indices}
    return choose({index: (text, readings(text)) for index, text in texts.items()})
