"""Concept ids between tagging and relating: given, found, lent, local; what follows from them."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from bluered.documents.biored_types import CELL_LINE, CHEMICAL, DISEASE, GENE, SPECIES, VARIANT
from bluered.documents.checks import faults
from bluered.documents.document import Document, Entity, Relation, Span, simple_document
from bluered.encoding.pairs import candidates
from bluered.formats import read_file, write_file
from bluered.normalize.linker import MATCH, NAME, SCORE
from bluered.pipeline.concepts import LENT
from bluered.pipeline.linking import link_step
from bluered.reports.page import render_page


def document(text: str, *mentions: tuple, id: str = "1") -> Document:
    """Return a document with mentions (name, type, concepts...), each at its next place."""
    entities, position = [], 0
    for name, kind, *concepts in mentions:
        position = text.index(name, position)
        span = Span(position, position + len(name))
        entities.append(Entity(type=kind, spans=(span,), text=name, concepts=tuple(concepts)))
        position += 1
    title, abstract = text.split(". ", 1) if ". " in text else (text, "")
    made = simple_document(id, title + ("." if abstract else ""), abstract)
    return replace(made, entities=tuple(entities))


def ids(document: Document) -> list[str]:
    return ["|".join(entity.concepts) for entity in document.entities]


def test_names_are_linked_and_say_how(linking_nlp):
    found = linking_nlp()(
        "BRCA1 in breast cancer\n\nOlaparib slows breast cancers. MCF-7 lacks BRCA1."
    )
    assert [(e.text, *e.concepts) for e in found.entities] == [
        ("BRCA1", "672"), ("breast cancer", "D001943"), ("Olaparib", "C531550"),
        ("breast cancers", "D001943"), ("MCF-7", "CVCL_0031"), ("BRCA1", "672"),
    ]  # fmt: skip
    gene, disease, *_ = found.entities
    assert (gene.infons[NAME], gene.infons[MATCH]) == ("BRCA1", "exact name")
    assert (disease.infons[NAME], disease.infons[MATCH]) == ("Breast Neoplasms", "exact synonym")
    assert all(0 < float(e.infons[SCORE]) <= 1 for e in found.entities)
    assert ("C531550", "D001943") in {(r.head, r.tail) for r in found.relations}
    assert list(faults(found)) == []


def test_given_ids_are_kept_and_lent_before_names_are_looked_up(linker):
    given = document(
        "BRCA1 and brca1, BRCA2", ("BRCA1", GENE, "99"), ("brca1", GENE), ("BRCA2", GENE)
    )
    linked = link_step(linker)(given)
    assert ids(linked) == ["99", "99", "675"]
    assert linked.entities[0].infons == {}
    assert linked.entities[1].infons == {MATCH: LENT}


def test_a_name_that_is_not_known_gets_a_local_id(linker):
    linked = link_step(linker)(document("XQZ7 and BRCA1", ("XQZ7", GENE), ("BRCA1", GENE)))
    assert ids(linked) == ["local:xqz7", "672"]
    assert linked.entities[0].infons == {}


def test_without_a_linker_all_ids_are_local(nlp):
    assert ids(nlp("BRCA1 and olaparib")) == ["local:brca1", "local:olaparib"]
    assert not nlp.knows(GENE, "672")


def test_what_was_found_is_lent_to_the_abbreviation(linker):
    text = "Breast cancer (BC) kills. BC returns."
    linked = link_step(linker)(
        document(text, ("Breast cancer", DISEASE), ("BC", DISEASE), ("BC", DISEASE))
    )
    assert ids(linked) == ["D001943"] * 3


def test_an_unknown_abbreviation_gets_what_its_long_form_was_given(linker):
    text = "Frobnitz syndrome (FS) kills"
    linked = link_step(linker)(
        document(text, ("Frobnitz syndrome", DISEASE, "D9"), ("FS", DISEASE))
    )
    assert ids(linked) == ["D9", "D9"]


def test_a_lent_id_brings_what_is_known_of_it():
    def knows_the_long_form(document: Document) -> Document:
        first, *rest = document.entities
        infons = {NAME: "Long QT Syndrome", MATCH: "exact name", SCORE: "0.900"}
        first = replace(first, concepts=("D008133",), infons=infons)
        return replace(document, entities=(first, *rest))

    text = "Long QT syndrome (LQTS)"
    linked = link_step(knows_the_long_form)(
        document(text, ("Long QT syndrome", DISEASE), ("LQTS", DISEASE))
    )
    assert ids(linked) == ["D008133", "D008133"]
    assert linked.entities[1].infons == {NAME: "Long QT Syndrome", MATCH: LENT, SCORE: "0.900"}


@pytest.mark.parametrize(
    ("text", "gene"),
    [
        ("Brca1 in mice. The mouse Brca1 gene was lost in mice", "12189"),
        ("BRCA1 in humans. The human BRCA1 gene was lost in patients", "672"),
    ],
)
def test_genes_are_those_of_the_species_spoken_of(linker, text, gene):
    name = text.split()[0]
    species = [("mice", SPECIES), ("mouse", SPECIES)] if "mice" in text else [("human", SPECIES)]
    mentions = [(name, GENE), *species, (name, GENE)]
    linked = link_step(linker)(document(text, *mentions))
    assert {i for e, i in zip(linked.entities, ids(linked), strict=True) if e.type == GENE} == {
        gene
    }


COMPOSITE = document(
    "BRCA1/2 in breast and ovarian cancer. BRCA1 was lost; olaparib helped in p.V600E",
    ("BRCA1/2", GENE),
    ("breast and ovarian cancer", DISEASE),
    ("BRCA1", GENE),
    ("olaparib", CHEMICAL),
    ("p.V600E", VARIANT),
)


def test_a_mention_of_several_concepts_names_each(linker):
    linked = link_step(linker)(COMPOSITE)
    assert ids(linked)[:4] == ["672|675", "D001943|D010051", "672", "C531550"]
    assert {e.combination for e in linked.entities[:2]} == {"alternatives"}
    assert linked.entities[0].infons[NAME] == "BRCA1; BRCA2"


def test_relations_stand_between_the_single_concepts_of_such_a_mention(linker):
    concepts = {c.id: c.mentions for c in candidates(link_step(linker)(COMPOSITE)).concepts}
    assert concepts["672"] == (0, 2)
    assert concepts["675"] == (0,)
    assert not any("|" in name or "," in name for name in concepts if name[0].isdigit())


def annotated(linker) -> Document:
    """A document with ids of every source, a mention of two concepts, and relations."""
    given = document("hereditary bowel cancer was seen", ("hereditary bowel cancer", DISEASE))
    assert ids(link_step(linker)(given)) == ["OMIM:114500"]
    linked = link_step(linker)(COMPOSITE)
    relations = (
        Relation("Association", "672", "D001943", id="R0", novel=True),
        Relation("Association", "675", "D010051", id="R1", novel=False),
        Relation("Bind", "C531550", "672", id="R2", novel=True),
    )
    return replace(linked, relations=relations)


@pytest.mark.parametrize(
    ("name", "keeps_infons"),
    [("o.jsonl", True), ("o.bioc.xml", True), ("o.bioc.json", True), ("o.pubtator", False)],
)
def test_ids_come_back_from_files(linker, tmp_path, name, keeps_infons):
    written = annotated(linker)
    losses: Counter[str] = Counter()
    write_file([written], tmp_path / name, losses=losses)
    (read,) = read_file(tmp_path / name)
    assert ids(read) == ids(written)
    assert [e.combination for e in read.entities] == [e.combination for e in written.entities]
    assert [(r.type, r.head, r.tail, r.novel) for r in read.relations] == [
        (r.type, r.head, r.tail, r.novel) for r in written.relations
    ]
    if keeps_infons:
        assert [e.infons for e in read.entities] == [e.infons for e in written.entities]
    else:
        count = sum(len(e.infons) for e in written.entities)
        assert {number for what, number in losses.items() if "infons" in what} == {count}


def test_the_page_names_and_links_the_concepts(linker):
    page = render_page([annotated(linker)])
    assert 'href="https://meshb.nlm.nih.gov/record/ui?ui=D001943"' in page
    assert "Breast Neoplasms" in page
    assert 'href="https://www.ncbi.nlm.nih.gov/gene/675"' in page
    assert 'title="exact name, score 0.' in page
    assert "BRCA1; BRCA2" in page  # the tooltip of the mention of both


def test_known_ids(linking_nlp):
    nlp = linking_nlp()
    assert nlp.knows(GENE, "672")
    assert nlp.knows(VARIANT, "p|SUB|V|600|E")
    assert not nlp.knows(GENE, "1")
    assert not nlp.knows(DISEASE, "672")


def test_threads_change_nothing(linking_nlp):
    found = []
    for threads in (1, 4):
        texts = (f"BRCA1 in breast cancer of mice; olaparib {n} (MCF-7)." for n in range(40))
        found.append(list(linking_nlp(threads).pipe(texts)))
    assert found[0] == found[1]
    assert {c for d in found[0] for e in d.entities for c in e.concepts} >= {"C531550", "D001943"}


AFTER_FORK = """
import os, sys
from bluered.documents.document import Entity, Span, simple_document
from bluered.normalize.linker import load_linker
from msgspec.structs import replace
linker = load_linker(sys.argv[1])
entity = Entity("GeneOrGeneProduct", (Span(0, 5),), "BRCA1")
text = replace(simple_document("1", "BRCA1"), entities=(entity,))
assert linker(text).entities[0].concepts == ("672",)
child = os.fork()
if not child:
    os._exit(0 if linker(text).entities[0].concepts == ("672",) else 3)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork on this system")
def test_the_linker_works_after_a_fork(small_terms):
    command = [sys.executable, "-c", AFTER_FORK, str(small_terms)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


EXAMPLES = Path(__file__).parents[2] / "examples" / "abstracts"


EXPECTED = {
    "long-qt": [
        ("KCNH2", GENE, "3757"),
        ("LQTS", DISEASE, "D008133"),
        ("woman", SPECIES, "9606"),
    ],
    "warfarin-amiodarone": [
        ("warfarin", CHEMICAL, "D014859"),
        ("rs1057910", VARIANT, "rs1057910"),
    ],
    "doxorubicin-heart": [("rats", SPECIES, "10116"), ("melatonin", CHEMICAL, "D008550")],
    "braf-melanoma": [("BRAF", GENE, "673"), ("V600E", VARIANT, "rs113488022")],
    "breast-cancer-parp": [("PALB2", GENE, "79728"), ("MCF-7", CELL_LINE, "CVCL_0031")],
}


def test_the_terminology_in_use_knows_the_examples(terms_in_use):
    from bluered.pipeline.load import linker_of

    linker = linker_of(terms_in_use)
    assert linker is not None
    texts = {p.stem: next(iter(read_file(p))).text for p in EXAMPLES.glob("*.txt")}
    for name, mentions in EXPECTED.items():
        entities = tuple(
            Entity(kind, (Span(at := texts[name].index(text), at + len(text)),), text)
            for text, kind, _ in mentions
        )
        linked = linker(Document(id=name, text=texts[name], entities=entities))
        assert ids(linked) == [concept for *_, concept in mentions], name
