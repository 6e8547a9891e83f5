"""Fixtures shared by all tests."""

import os
import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from msgspec.structs import replace
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from bluered.corpora import catalog
from bluered.corpora.counts import Counts
from bluered.corpora.entry import Sum
from bluered.documents.biored_types import CELL_LINE, CHEMICAL, DISEASE, GENE, SPECIES
from bluered.documents.document import Document, Entity, Relation, Span
from bluered.documents.sentences import sentences
from bluered.errors import BlueredError
from bluered.normalize.linker import Linker, load_linker
from bluered.normalize.locate import find_terminology
from bluered.normalize.store import write_terminology
from bluered.normalize.term import Term
from bluered.pipeline.pipeline import Pipeline

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")  # a busy machine is no fault of the code

DATA = Path(os.environ.get("BLUERED_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder with the real corpora; skips where there is none."""
    if not (DATA / "biored").is_dir():
        pytest.skip(f"no corpora at {DATA}: set BLUERED_DATA or run `bluered corpora fetch`")
    return DATA


@pytest.fixture(params=["", "  ", "\x01\x02", "\n\n"], ids=repr)
def wordless(request) -> Document:
    """A document whose text has no word, with a mention of a gene and of a disease in it."""
    text = request.param
    half = len(text) // 2
    spans = {"6331": (0, half, GENE), "D1": (half, len(text), DISEASE)}
    entities = tuple(
        Entity(type=kind, spans=(Span(a, b),), text=text[a:b], concepts=(concept,))
        for concept, (a, b, kind) in spans.items()
    )
    return Document(id="1", text=text, entities=entities)


INVENTED = Path(__file__).parent / "data"


@pytest.fixture
def invented(tmp_path) -> Callable[[str], Path]:
    """Give a copy of a folder of tests/data: invented corpora in the form of real ones."""

    def copy(name: str) -> Path:
        return Path(shutil.copytree(INVENTED / name, tmp_path / "corpora" / name))

    return copy


@pytest.fixture
def invented_counts(monkeypatch) -> None:
    """Have the catalogue expect what the invented corpora hold; all else of its entries stays."""
    entries = dict(catalog.own_entries())
    for name, facts in tomllib.loads((INVENTED / "counts.toml").read_text("utf-8")).items():
        counts = msgspec.convert(facts.get("counts", {}), dict[str, Counts])
        sums = msgspec.convert(facts.get("sums", []), tuple[Sum, ...])
        tasks = {
            task: replace(entry, counts=facts.get("tasks", {}).get(task, {}))
            for task, entry in entries[name].tasks.items()
        }
        entries[name] = replace(entries[name], counts=counts, sums=sums, tasks=tasks)
    monkeypatch.setattr(catalog, "own_entries", lambda: entries)


NAMES = {
    "BRCA1": "GeneOrGeneProduct",
    "breast cancers?": "DiseaseOrPhenotypicFeature",
    "olaparib": "ChemicalEntity",
    "MCF-7": "CellLine",
}


class RuleTagger:
    def tag(self, document: Document) -> tuple[Entity, ...]:
        if "BREAK" in document.text:
            raise ValueError("a text this tagger cannot bear")
        found = [
            Entity(type=kind, spans=(Span(*m.span()),), text=m[0], confidence=0.9)
            for name, kind in NAMES.items()
            for m in re.finditer(name, document.text, re.IGNORECASE)
        ]
        return tuple(sorted(found, key=lambda e: e.spans))


class RuleRelater:
    """Relates every two concepts that share a sentence."""

    def relate(self, document: Document) -> tuple[Relation, ...]:
        if "HALT" in document.text:
            raise RuntimeError
        found: dict[tuple[str, str], Relation] = {}
        for sentence in sentences(document):
            inside = [e for e in document.entities if sentence.start <= e.start < sentence.end]
            for first in inside:
                for second in inside:
                    pair = (first.concepts[0], second.concepts[0])
                    if first.start < second.start and pair[0] != pair[1]:
                        found.setdefault(
                            pair,
                            Relation(
                                type="Association",
                                head=pair[0],
                                tail=pair[1],
                                novel=True,
                                confidence=0.5,
                                evidence=(sentence,),
                            ),
                        )
        return tuple(found.values())


def rules(linker: Linker | None = None, *, threads: int = 1) -> Pipeline:
    """Return a pipeline of plain rules, so that what is around it is tested without a model."""
    return Pipeline(RuleTagger(), RuleRelater(), linker=linker, model="rules", threads=threads)


@pytest.fixture
def nlp() -> Pipeline:
    """A pipeline of plain rules that gives local ids."""
    return rules()


SMALL_TERMS = (
    Term("672", GENE, "BRCA1", ("RNF53",), ("BRCA1 DNA repair associated",), "9606"),
    Term("12189", GENE, "Brca1", (), (), "10090"),
    Term("675", GENE, "BRCA2", (), (), "9606"),
    Term("12190", GENE, "Brca2", (), (), "10090"),
    Term("673", GENE, "BRAF", (), (), "9606"),
    Term("D001943", DISEASE, "Breast Neoplasms", ("Breast Cancer", "Cancer of the Breast")),
    Term("D010051", DISEASE, "Ovarian Neoplasms", ("Ovarian Cancer",)),
    Term("D008133", DISEASE, "Long QT Syndrome"),
    Term("OMIM:114500", DISEASE, "hereditary bowel cancer"),
    Term("C531550", CHEMICAL, "olaparib", ("AZD 2281",)),
    Term("9606", SPECIES, "Homo sapiens", ("human", "patients")),
    Term("10090", SPECIES, "Mus musculus", ("mouse", "mice")),
    Term("CVCL_0031", CELL_LINE, "MCF-7"),
)
"""A terminology of a few concepts as the official sources have them."""


@pytest.fixture(scope="session")
def small_terms(tmp_path_factory) -> Path:
    """The folder of a small terminology, so that linking is tested without the shipped one."""
    folder = tmp_path_factory.mktemp("small-terms")
    write_terminology(SMALL_TERMS, folder, name="small", built="2026-01-01", sources=())
    return folder


@pytest.fixture(scope="session")
def linker(small_terms) -> Linker:
    """A linker of the small terminology."""
    return load_linker(str(small_terms))


@pytest.fixture(scope="session")
def terms_in_use() -> Path:
    """The terminology that annotating uses; skips where there is none."""
    try:
        return find_terminology()
    except BlueredError as error:
        pytest.skip(f"no terminology in this checkout: {error}")


@pytest.fixture
def linking_nlp(linker) -> Callable[..., Pipeline]:
    """Give a pipeline of plain rules that links with the small terminology, on so many threads."""

    def made(threads: int = 1) -> Pipeline:
        return rules(linker, threads=threads)

    return made


TINY_WORDS = (
    "a an the of in and with is was are were loss gene mutation cause ##s patients mice rat "
    "treat ##ed ##ment reduce ##d increase level expression cancer breast syndrome long qt "
    "scn5a brca ##1 ##2 olaparib aspirin pain fever cell line mcf - 7 ( ) . , : ; one new we "
    "found that study lung tp ##53 human by for on"
).split()


@pytest.fixture(scope="session")
def tiny_tokenizer() -> Tokenizer:
    """A lower-casing word piece tokenizer with some hundred entries, single letters among them."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused1]", *letters]
    pieces += [f"##{letter}" for letter in letters]
    vocabulary = {piece: i for i, piece in enumerate(dict.fromkeys([*pieces, *TINY_WORDS]))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    return tokenizer
