"""Every real file comes back as it was, and our readers agree with the bioc package's."""

import io
from collections import Counter

import pytest
from msgspec.structs import replace

from bluered.errors import FormatError
from bluered.formats import FORMATS, detect, read_file

PUBTATOR = [
    "biored/Train.PubTator",
    "biored/Dev.PubTator",
    "biored/Test.PubTator",
    "biored/bc8/bc8_biored_task1_train.pubtator",
    "bc5cdr/CDR_TrainingSet.PubTator.txt",
    "bc5cdr/CDR_DevelopmentSet.PubTator.txt",
    "bc5cdr/CDR_TestSet.PubTator.txt",
    "bc5cdr/eval_sample/CDR_sample.gold.PubTator",
    "bc5cdr/eval_sample/CDR_sample.test.CID.PubTator",
    "bc5cdr/eval_sample/CDR_sample.test.DNER.PubTator",
    "bc5cdr/predictions_shipped_with_corpus/TestSet.DNorm.PubTator.txt",
    "bc5cdr/predictions_shipped_with_corpus/TestSet.tmChem.PubTator.txt",
    "ncbi_disease/NCBItrainset_corpus.txt",
    "ncbi_disease/NCBIdevelopset_corpus.txt",
    "ncbi_disease/NCBItestset_corpus.txt",
    *(
        f"ner_pubtator/{name}.PubTator"
        for name in (
            "BioID_Train_revision BioID_Test_revision DrugProt_Test GNormPlus_Train GNormPlus_Test "
            "Linnaeus_Train Linnaeus_Test NLMchem_Test NLMgene_Train NLMgene_Test SPECIES_Train "
            "SPECIES_Test tmVar3_Train tmVar3_Test"
        ).split()
    ),
]
BIORED = [f"biored/{part}" for part in ("Train", "Dev", "Test")]
CDR_XML = [f"bc5cdr/CDR_{part}Set.BioC.xml" for part in ("Training", "Development", "Test")]
BIOC = [f"{path}.BioC.{kind}" for path in BIORED for kind in ("XML", "JSON")] + CDR_XML
CONLL = [
    "mtl_conll/JNLPBA/devel.tsv",
    "mtl_conll/linnaeus-IOB/devel.tsv",
    "ncbi_disease/conll/devel.tsv",
    "bc2gm/conll/devel.tsv",
    "blue_preprocessed/BC5CDR-chem/dev.tsv",
]


def written(name, documents):
    stream = io.BytesIO()
    losses = Counter()
    FORMATS[name].write(documents, stream, losses=losses)
    return stream.getvalue(), losses


def reread(name, documents):
    data, losses = written(name, documents)
    return list(FORMATS[name].read(io.BytesIO(data), check=False, source="x")), losses


@pytest.mark.parametrize("path", PUBTATOR)
def test_pubtator_comes_back_byte_for_byte(data_dir, path):
    assert detect(data_dir / path) == "pubtator"
    documents = list(read_file(data_dir / path, check=False))
    data, losses = written("pubtator", documents)
    assert data == (data_dir / path).read_bytes().replace(b"\r\n", b"\n")
    assert not +losses


@pytest.mark.parametrize("path", BIOC)
def test_bioc_is_the_same_again(data_dir, path):
    name = detect(data_dir / path)
    documents = list(read_file(data_dir / path, check=False))
    assert documents
    again, losses = reread(name, documents)
    assert again == documents
    assert not +losses


@pytest.mark.parametrize("path", [BIOC[2], BIOC[3], CDR_XML[2]])
def test_bioc_is_the_same_in_its_other_form(data_dir, path):
    name = {"bioc-xml": "bioc-json", "bioc-json": "bioc-xml"}[detect(data_dir / path)]
    documents = list(read_file(data_dir / path, check=False))
    assert reread(name, documents)[0] == documents


@pytest.mark.parametrize("path", CONLL)
def test_conll_is_the_same_again(data_dir, path):
    documents = list(read_file(data_dir / path, "conll"))
    again, losses = reread("conll", documents)
    assert again == documents
    assert not +losses


@pytest.mark.parametrize(
    ("path", "name", "ending"),
    [*((path, "bioc-xml", "XML") for path in BIORED), (BIORED[2], "bioc-json", "JSON")],
)
def test_converting_pubtator_gives_what_ncbi_publishes(data_dir, path, name, ending):
    converted, losses = reread(name, read_file(data_dir / f"{path}.PubTator"))
    assert converted == list(read_file(data_dir / f"{path}.BioC.{ending}"))
    assert not +losses


@pytest.mark.parametrize("path", ["biored/Dev.PubTator", "bc5cdr/CDR_TestSet.PubTator.txt"])
@pytest.mark.parametrize("name", ["bioc-xml", "bioc-json", "brat", "jsonl"])
def test_pubtator_survives_every_detour(data_dir, path, name):
    data = (data_dir / path).read_bytes().replace(b"\r\n", b"\n")
    again, losses = reread(name, read_file(data_dir / path))
    assert written("pubtator", again)[0] == data
    assert not +losses


def test_brat_holds_discontinuous_mentions(data_dir):
    documents = list(read_file(data_dir / CDR_XML[0], check=False))
    assert sum(len(e.spans) > 1 for d in documents for e in d.entities) > 50
    again, losses = reread("brat", documents)
    unnumbered = [[replace(e, id="") for e in d.entities] for d in again]
    assert unnumbered == [[replace(e, id="") for e in d.entities] for d in documents]
    assert not +losses


@pytest.mark.parametrize(
    ("path", "faults"),
    [
        ("bc5cdr/CDR_TrainingSet.BioC.xml", {"20722491"}),
        ("bc5cdr/CDR_DevelopmentSet.BioC.xml", {"6415512"}),
        ("ncbi_disease/NCBItrainset_corpus.txt", {"10923035"}),
    ],
)
def test_known_faults_of_published_files(data_dir, path, faults):
    """A checked reading names the document that is wrong at the source."""
    errors: list[FormatError] = []
    for _ in read_file(data_dir / path, on_error=errors.append):
        pass
    assert faults <= {error.document for error in errors}


@pytest.mark.parametrize("path", [f"{BIORED[1]}.BioC.XML", CDR_XML[2]])
def test_bioc_xml_agrees_with_the_bioc_package(data_dir, path):
    from bioc import biocxml

    with (data_dir / path).open(encoding="utf-8") as stream:
        theirs = biocxml.load(stream).documents
    ours = list(read_file(data_dir / path, check=False))
    assert [d.id for d in ours] == [d.id for d in theirs]
    for our, their in zip(ours, theirs, strict=True):
        assert [(p.start, our.text[p.start : p.end]) for p in our.passages] == [
            (p.offset, p.text) for p in their.passages
        ]
        annotations = [a for p in their.passages for a in p.annotations]
        assert [
            (e.id, e.type, e.text, [(s.start, s.end) for s in e.spans]) for e in our.entities
        ] == [
            (a.id, a.infons["type"], a.text, [(x.offset, x.end) for x in a.locations])
            for a in annotations
        ]
        assert len(our.relations) == len(their.relations)
        for relation, node in zip(our.relations, their.relations, strict=True):
            values = set(node.infons.values())
            assert {relation.type, relation.head, relation.tail} <= values


@pytest.mark.parametrize("path", ["biored/Test.PubTator", "bc5cdr/CDR_TestSet.PubTator.txt"])
def test_pubtator_agrees_with_the_bioc_package(data_dir, path):
    """Where bioc is right: these files have no title that ends in a space, no id left empty."""
    from bioc import pubtator

    with (data_dir / path).open(encoding="utf-8") as stream:
        theirs = pubtator.load(stream)
    ours = list(read_file(data_dir / path))
    assert [d.id for d in ours] == [d.pmid for d in theirs]
    for our, their in zip(ours, theirs, strict=True):
        assert our.text.rstrip() == f"{their.title} {their.abstract}"  # bioc strips each line
        assert [(e.start, e.end, e.text, e.type) for e in our.entities] == [
            (a.start, a.end, a.text, a.type) for a in their.annotations
        ]
        assert [(r.type, r.head, r.tail) for r in our.relations] == [
            (r.type, r.id1, r.id2) for r in their.relations
        ]
