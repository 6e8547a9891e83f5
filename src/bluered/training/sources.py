"""The corpora that the shipped model learns from, and what each of them says in BioRED's terms.

A corpus annotates some of BioRED's entity types only, so what it leaves unmarked is open for the
others (`encoding.tags.possible_tags`). The types were mapped by comparing copies: of the documents
that a corpus shares with BioRED's training part, `why` says how its mentions are typed there.
Documents that hold text of BioRED's dev or test part are dropped, and so are copies of training
documents, which BioRED itself annotates in full.
"""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from bluered.corpora import documents
from bluered.corpora.catalog import corpus
from bluered.corpora.locate import roots, split_paths
from bluered.documents.biored_types import (
    CELL_LINE,
    CHEMICAL,
    DISEASE,
    ENTITY_TYPES,
    GENE,
    SPECIES,
    VARIANT,
)
from bluered.documents.document import Document
from bluered.errors import CorpusError, unknown_name
from bluered.formats.files import read_file
from bluered.training.held_out import shared
from bluered.training.pair_targets import Rule, biored, cid, cpr


class Source(Struct, frozen=True, kw_only=True):
    """A part of a corpus: CORPUS:SPLIT of the catalogue or a file below BLUERED_DATA.

    `types` maps its entity types to BioRED's; those that are left out are not looked at.
    `relations` says what its relations tell, None where it has none. `mentions` takes only
    documents that have at least one mention.
    """

    name: str
    types: dict[str, str]
    why: str
    file: str = ""
    relations: Rule | None = None
    mentions: bool = False


_CDR = {"Chemical": CHEMICAL, "Disease": DISEASE}
_CDR_WHY = "chemicals 94%, diseases 99% the same type (85 shared documents)"
_CHEMPROT = {"CHEMICAL": CHEMICAL, "GENE-Y": GENE, "GENE-N": GENE}
_CHEMPROT_WHY = "no shared document; genes and chemicals as in DrugProt, which BioREx trains on too"
_NCBI_TYPES = ("SpecificDisease", "DiseaseClass", "Modifier", "CompositeMention")
_NCBI: dict[str, str] = {kind: DISEASE for kind in _NCBI_TYPES}  # noqa: C420 - of any str
_NCBI_WHY = "26 of 30 mentions are diseases there (4 shared documents)"
_TMVAR = {
    "Gene": GENE, "Disease": DISEASE, "Species": SPECIES, "CellLine": CELL_LINE,
    "DNAMutation": VARIANT, "ProteinMutation": VARIANT, "SNP": VARIANT, "AcidChange": VARIANT,
    "OtherMutation": VARIANT, "DNAAllele": VARIANT, "ProteinAllele": VARIANT,
}  # fmt: skip

SOURCES = {
    source.name: source
    for source in (
        Source(name="biored:train", types={kind: kind for kind in ENTITY_TYPES}, why="BioRED",
               relations=biored),
        Source(name="bc5cdr:train", types=_CDR, why=_CDR_WHY, relations=cid),
        Source(name="bc5cdr:dev", types=_CDR, why=_CDR_WHY, relations=cid),
        Source(name="chemprot:train", types=_CHEMPROT, why=_CHEMPROT_WHY, relations=cpr),
        Source(name="chemprot:dev", types=_CHEMPROT, why=_CHEMPROT_WHY, relations=cpr),
        Source(name="ncbi-disease:train", types=_NCBI, why=_NCBI_WHY,
               file="ncbi_disease/NCBItrainset_corpus.txt"),
        Source(name="ncbi-disease:dev", types=_NCBI, why=_NCBI_WHY,
               file="ncbi_disease/NCBIdevelopset_corpus.txt"),
        Source(name="nlm-gene:train", types={"Gene": GENE, "FamilyName": GENE},
               why="genes 96%, families 84% genes (74 shared documents); half of its cells are "
               "cell lines, so cells stay open", file="ner_pubtator/NLMgene_Train.PubTator"),
        Source(name="gnormplus:train", types={"Gene": GENE, "FamilyName": GENE},
               why="genes 96%, families 22 of 28 genes, domains none (36 shared documents)",
               file="ner_pubtator/GNormPlus_Train.PubTator"),
        Source(name="tmvar3:train", types=_TMVAR,
               why="every type but chemicals, 86% (species) to 100% the same (65 shared documents)",
               file="ner_pubtator/tmVar3_Train.PubTator"),
        Source(name="drugprot:dev", types={"Chemical": CHEMICAL, "Gene": GENE}, why=_CHEMPROT_WHY,
               file="ner_pubtator/DrugProt_Test.PubTator"),
        Source(name="bioid:train", types={"CellLine": CELL_LINE}, mentions=True,
               why="captions that name cell lines; no shared document",
               file="ner_pubtator/BioID_Train_revision.PubTator"),
    )
}  # fmt: skip
"""By name. Left out on purpose: Species-800 and Linnaeus, which do not mark "patients" as a species
as BioRED does; BC2GM, single sentences with other borders of names; every test part."""


class Example(Struct, frozen=True):
    """A document with its mentions in BioRED's types, and the source it is of."""

    document: Document
    source: Source


def source(name: str) -> Source:
    """Return a source by its name, or raise CorpusError."""
    if name not in SOURCES:
        raise CorpusError(unknown_name("corpus to learn from", name, list(SOURCES)))
    return SOURCES[name]


def read(each: Source) -> Iterator[Document]:
    """Yield a source's documents as the corpus has them; unreadable records are left out."""
    if not each.file:
        name, _, split = each.name.partition(":")
        return documents(name, split)
    return read_file(path_of(each), "pubtator", check=False, on_error=lambda error: None)


def paths_of(each: Source) -> tuple[Path, ...]:
    """Return the files of a source, or raise CorpusError for one that is not here."""
    if each.file:
        return (path_of(each),)
    name, _, split = each.name.partition(":")
    return split_paths(corpus(name), split)


def path_of(each: Source) -> Path:
    """Return where the one file of a source lies, or raise CorpusError."""
    places = [root / each.file for root in roots()]
    for place in places:
        if place.is_file():
            return place
    raise CorpusError(
        f"{each.name}: no {each.file} below {places[0].parents[len(Path(each.file).parts) - 1]} "
        "(BLUERED_DATA)"
    )


def examples(name: str) -> list[Example]:
    """Return the documents of a source that a model may learn from, each text once."""
    each = source(name)
    found: dict[str, Document] = {}
    for document in read(each):
        typed = in_biored_types(document, each)
        if typed.entities or not each.mentions:
            found.setdefault("".join(document.text.split()), typed)
    kept = list(found.values())
    if each.name != "biored:train":
        out = shared(kept, also=("biored:train",))
        kept = [document for document in kept if document.id not in out]
    return [Example(document, each) for document in kept]


def in_biored_types(document: Document, each: Source) -> Document:
    """Return the document with the mentions that a source speaks of, in BioRED's types."""
    entities = tuple(
        replace(entity, type=each.types[entity.type])
        for entity in document.entities
        if entity.type in each.types
    )
    return replace(document, entities=entities)
