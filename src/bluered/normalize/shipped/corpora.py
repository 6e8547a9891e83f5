"""Names that annotated corpora give to concepts, counted by document.

What authors call a concept is not always what a terminology calls it ("VPA" is valproic acid), and
of the concepts that share a name some are written about far more often than others. The training
parts of open corpora tell both. No document that stands in BioRED's development or test part is
counted, whatever its id: texts are compared (`corpora.overlap`).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from bluered.corpora import documents
from bluered.corpora.normal_text import normal_text
from bluered.corpora.overlap import by_text, overlaps
from bluered.corpora.texts import part
from bluered.documents.biored_types import (
    CELL_LINE,
    CHEMICAL,
    DISEASE,
    ENTITY_TYPES,
    GENE,
    SPECIES,
    VARIANT,
)
from bluered.documents.document import Document, known_concepts
from bluered.formats.files import read_file
from bluered.normalize.term import SourceRecord, Term

_MESH = re.compile(r"[CD]\d{6,9}\Z|OMIM:\d{6}\Z")
_NUMBER = re.compile(r"[1-9]\d*\Z")
_FORMS = {
    GENE: _NUMBER,
    SPECIES: _NUMBER,
    DISEASE: _MESH,
    CHEMICAL: _MESH,
    CELL_LINE: re.compile(r"CVCL_[0-9A-Z]{4}\Z"),
}
"""What ids of a type look like: corpora have slips, such as a species for a cell line."""

HELD_OUT = ("dev", "test")
"""The parts of BioRED of which nothing may be in the terminology."""

_NCBI_DISEASE: dict[str, str] = dict.fromkeys(
    ("SpecificDisease", "DiseaseClass", "Modifier", "CompositeMention"), DISEASE
)
_TMVAR = {"Gene": GENE, "Disease": DISEASE, "Species": SPECIES, "CellLine": CELL_LINE}
_GENE_WITH_TAXON = re.compile(r"(\d+)\(Tax:(\d+)\)\Z")


_OWN = {kind: kind for kind in ENTITY_TYPES if kind != VARIANT}


SeenName = tuple[str, str, str, str]
"""Entity type, concept id, name, and species where it is given."""


class Corpus(Struct, frozen=True):
    """An annotated corpus: a split of the catalogue or a file, and what its types are called.

    `in_passages` says that its documents are passages of articles, under the article's id.
    """

    name: str
    licence: str
    types: dict[str, str]
    split: tuple[str, str] | None = None
    file: str = ""
    in_passages: bool = False

    def read(self, data: Path) -> Iterator[Document]:
        """Yield its documents; those of a file that cannot be read are left out."""
        if self.split is not None:
            return documents(*self.split)
        return read_file(data / self.file, "pubtator", check=False, on_error=lambda error: None)


CORPORA = (
    Corpus("BioRED train", "public domain", _OWN, split=("biored", "train")),
    Corpus(
        "BC5CDR train", "public domain", {"Chemical": CHEMICAL, "Disease": DISEASE},
        split=("bc5cdr", "train"),
    ),
    Corpus(
        "BC5CDR dev", "public domain", {"Chemical": CHEMICAL, "Disease": DISEASE},
        split=("bc5cdr", "dev"),
    ),
    Corpus(
        "NCBI Disease train", "public domain", _NCBI_DISEASE,
        file="ncbi_disease/NCBItrainset_corpus.txt",
    ),
    Corpus(
        "NCBI Disease dev", "public domain", _NCBI_DISEASE,
        file="ncbi_disease/NCBIdevelopset_corpus.txt",
    ),
    Corpus("NLM-Gene train", "CC0", {"Gene": GENE}, file="ner_pubtator/NLMgene_Train.PubTator"),
    Corpus(
        "GNormPlus train", "MIT (ncbi/AIONER)", {"Gene": GENE},
        file="ner_pubtator/GNormPlus_Train.PubTator",
    ),
    Corpus(
        "tmVar3 train", "MIT (ncbi/AIONER)", _TMVAR, file="ner_pubtator/tmVar3_Train.PubTator"
    ),
    Corpus(
        "Linnaeus train", "CC BY 4.0", {"Species": SPECIES},
        file="ner_pubtator/Linnaeus_Train.PubTator",
    ),
    Corpus("NLM-Gene test", "CC0", {"Gene": GENE}, file="ner_pubtator/NLMgene_Test.PubTator"),
    Corpus(
        "GNormPlus test", "MIT (ncbi/AIONER)", {"Gene": GENE},
        file="ner_pubtator/GNormPlus_Test.PubTator",
    ),
    Corpus("tmVar3 test", "MIT (ncbi/AIONER)", _TMVAR, file="ner_pubtator/tmVar3_Test.PubTator"),
    Corpus(
        "NLM-Chem test", "CC0", {"Chemical": CHEMICAL},
        file="ner_pubtator/NLMchem_Test.PubTator", in_passages=True,
    ),
)  # fmt: skip


FOR_RANKING = (
    Corpus(
        "BioID train", "unknown", {"CellLine": CELL_LINE},
        file="ner_pubtator/BioID_Train_revision.PubTator",
    ),
)  # fmt: skip
"""Corpora that candidates are ranked by, but whose names are not counted."""


def seen_documents(
    data: Path, corpora: Sequence[Corpus] = CORPORA
) -> Iterator[tuple[Corpus, Document]]:
    """Yield the documents that names are counted in: each text once, none that is held out."""
    held_out = [part(f"biored:{name}", documents("biored", name)) for name in HELD_OUT]
    known: set[str] = set()
    for corpus in corpora:
        found = list(corpus.read(data))
        excluded = _shared(corpus.name, found, held_out)
        for document in found:
            text = "".join(document.text.split())
            if document.id not in excluded and (corpus.name + text) not in known:
                known.add(corpus.name + text)
                yield corpus, document


def _shared(name: str, found: Sequence[Document], held_out: Sequence[object]) -> set[str]:
    """Return the ids of the documents that stand in a held-out part, by their text or id."""
    own = [part(name, found)]
    return {
        match.second
        for overlap in overlaps(held_out, own)  # type: ignore[arg-type]
        for match in overlap.matches
        if by_text(match) or match.same_id
    }


def seen_names(document: Document, types: dict[str, str]) -> Iterator[SeenName]:
    """Yield entity type, concept id, name and (if given) species of a document's mentions.

    Mentions of several concepts are left out: they do not say which name is whose.
    """
    for entity in document.entities:
        concepts = known_concepts(entity)
        if (kind := types.get(entity.type)) and len(concepts) == 1:
            concept, taxon = concept_id(concepts[0])
            if _FORMS[kind].match(concept):
                yield kind, concept, " ".join(entity.text.split()), taxon


def concept_id(written: str) -> tuple[str, str]:
    """Return the id as BioRED writes it, and the species that GNormPlus puts behind it."""
    bare = written.strip().removeprefix("MESH:")
    if match := _GENE_WITH_TAXON.match(bare):
        return match[1], match[2]
    return bare, ""


def text_key(corpus: Corpus, document: Document) -> bytes:
    """Return what is equal for copies of one text, and for the passages of one article."""
    if corpus.in_passages:
        return f"{corpus.name} {document.id}".encode()
    return normal_text(document.text)


def names_by_text(
    documents: Iterable[tuple[Corpus, Document]],
) -> dict[bytes, set[SeenName]]:
    """Return the names in each text, by its letters: a document of two corpora counts once."""
    found: defaultdict[bytes, set[SeenName]] = defaultdict(set)
    for corpus, document in documents:
        found[text_key(corpus, document)].update(seen_names(document, corpus.types))
    return found


def corpus_terms(data: Path) -> Iterator[Term]:
    """Yield the concepts of the corpora with their names and in how many documents each stood."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    taxa: dict[tuple[str, str], str] = {}
    for names in names_by_text(seen_documents(data)).values():
        for kind, concept, name, taxon in sorted(names):
            counts[kind, concept][name] += 1
            if taxon:
                taxa[kind, concept] = taxon
    for (kind, concept), names in counts.items():
        usual = names.most_common(1)[0][0]
        taxon = taxa.get((kind, concept), "")
        yield Term(id=concept, type=kind, name=usual, taxon=taxon, seen=dict(names))


def corpus_records(names: Iterable[Corpus] = CORPORA) -> list[SourceRecord]:
    """Return the corpora for the manifest."""
    return [
        SourceRecord(name=f"names in {corpus.name}", version="", licence=corpus.licence)
        for corpus in names
    ]
