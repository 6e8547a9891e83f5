import time

import pytest

from bluered.documents.biored_types import VARIANT
from bluered.documents.document import PLACEHOLDERS
from bluered.formats.files import read_file
from bluered.normalize.variants import known
from bluered.normalize.variants.link import link_variants

CORPORA = """\
# made up
gene	form	rs	documents
11	c|SUB|C|677|T	rs90001	2
"""
UNIPROT = """\
# made up
gene	changes
12	V60E:90002 G80R:90003
13	R90W:90004
"""


@pytest.fixture(autouse=True)
def invented_tables(monkeypatch, request):
    """Have the tables hold invented variants, except in tests on real data."""
    caches = (known._corpora, known._uniprot, known._uniprot_lines, known.lookup_without_gene)
    for cached in caches:
        cached.cache_clear()
    if "data_dir" not in request.fixturenames:
        tables = {known.CORPORA_TABLE: CORPORA, known.UNIPROT_TABLE: UNIPROT}
        monkeypatch.setattr(known, "_content", tables.__getitem__)
    yield
    for cached in caches:
        cached.cache_clear()


def ids(document):
    links = link_variants(document)
    return {document.entities[i].text: link.concepts[0] for i, link in links.items()}


def test_the_mention_gives_its_number(document):
    found = link_variants(document("We typed [[Rs702553]] in [[ABC1|7]]."))
    assert found[0].concepts == ("rs702553",)
    assert (found[0].match, found[0].gene, found[0].form) == ("rs in text", "7", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[C67T]] (rs123)", {"C67T": "rs123"}),
        ("rs123 ([[C67T]])", {"C67T": "rs123"}),
        ("rs123 [[C>T]] was common", {"C>T": "rs123"}),
        ("rs123:[[C>T]] was common", {"C>T": "rs123"}),
        ("the [[C67T]] polymorphism of the gene (dbSNP: rs123)", {"C67T": "rs123"}),
        ("[[C67T]] and [[A98C]] (rs123 and rs124)", {"C67T": "rs123", "A98C": "rs124"}),
        ("rs123 and rs124 ([[C67T]], [[A98C]])", {"C67T": "rs123", "A98C": "rs124"}),
        ("[[c.67C>T]] (rs123; [[p.Arg23Trp]])", {"c.67C>T": "rs123", "p.Arg23Trp": "rs123"}),
        ("rs123, which leads to [[Val50Ala]]", {"Val50Ala": "rs123"}),
        ("at positions -112 (rs123) and +18 (rs124). [[-112A>G]]", {"-112A>G": "rs123"}),
        ("for rs123 and the common deletion ([[30delG]])", {"30delG": "c|DEL|30|G"}),
        ("rs123 was rare. Carriers of [[C67T]]", {"C67T": "c|SUB|C|67|T"}),
    ],
)
def test_a_number_beside_a_variant_is_its(document, text, expected):
    assert ids(document(text)) == expected


def test_all_writings_of_a_variant_share_the_number(document):
    text = (
        "[[C67T]] (rs123) was typed. [[67C>T]], the [[T allele at position 67]], [[67TT]], "
        "[[T67C]] and [[67C]] are it; [[G67A]] is not."
    )
    found = ids(document(text))
    assert found.pop("G67A") == "c|SUB|G|67|A"
    assert set(found.values()) == {"rs123"}
    assert len(found) == 6


def test_what_the_base_does_to_the_protein_is_the_same_variant(document):
    found = ids(document("[[c.67C>T]] (rs123). Later [[R23W]] and [[R23Q]] and [[R24W]]."))
    assert found == {
        "c.67C>T": "rs123",
        "R23W": "rs123",
        "R23Q": "p|SUB|R|23|Q",
        "R24W": "p|SUB|R|24|W",
    }


def test_a_frame_shift_begins_at_the_lost_base(document):
    found = ids(document("[[c.549delC]] (rs123). Later [[p.Pro184ArgfsX19]], [[p.Gly300fs]]."))
    assert found["p.Pro184ArgfsX19"] == "rs123"
    assert found["p.Gly300fs"] == "p|FS|G|300||"


def test_a_change_without_a_place_is_the_only_one_that_it_fits(document):
    assert ids(document("[[Ser32Cys]] (rs123). A [[Ser-->Cys]] change."))["Ser-->Cys"] == "rs123"
    two = "[[Ser32Cys]] (rs123), [[Ser99Cys]] (rs124). A [[Ser-->Cys]] change."
    assert ids(document(two))["Ser-->Cys"] == "p|SUB|S||C"


def test_a_known_variant_of_the_gene_has_its_number(document):
    link = link_variants(document("[[AAA1|11]] [[677C>T]] in [[BBB2|12]] carriers"))[1]
    assert link.concepts == ("rs90001",)
    assert (link.match, link.gene, link.runner_up) == ("known variant", "11", "c|SUB|C|677|T")
    assert "annotated documents" in link.reason


def test_uniprot_knows_a_change_of_the_protein_and_the_bases_that_make_it(document):
    # codon 80 begins at base 238; G>A there turns some codons of glycine into arginine
    found = ids(document("[[BBB2|12]]: [[Val60Glu]], [[c.238G>A]], [[c.239G>A]], [[V60V]]"))
    assert found == {
        "Val60Glu": "rs90002",
        "c.238G>A": "rs90003",
        "c.239G>A": "c|SUB|G|239|A",
        "V60V": "rs90002",
    }


def test_the_variant_of_another_gene_is_not_taken_where_genes_are_linked(document):
    assert ids(document("[[CCC3|99]] [[R90W]]")) == {"R90W": "p|SUB|R|90|W"}
    assert ids(document("[[R90W]]")) == {"R90W": "rs90004"}


def test_a_known_reading_goes_before_the_usual_one(document):
    assert ids(document("[[AAA1|11]] has [[C677T]], [[BBB2|12]] [[G80R]]"))["C677T"] == "rs90001"


def test_without_a_number_the_form_is_the_id(document):
    found = link_variants(document("[[CCC3|99]] [[30delG]], [[delta F508]]"))
    assert found[1].concepts == ("c|DEL|30|G",)
    assert found[1].reason == (
        "read as a deletion in DNA, c|DEL|30|G; no dbSNP number is known for it"
    )
    assert found[2].concepts == ("p|DEL|508|F",)


def test_what_cannot_be_read_is_absent(document):
    assert link_variants(document("[[the mutation]] of [[AAA1|11]]")) == {}
    assert link_variants(document("[[AAA1|11]] alone")) == {}


def test_reasons_name_mention_and_number(document):
    found = link_variants(document("[[C67T]] (rs123). Carriers of [[67TT]]."))
    assert found[0].reason == "the text puts rs123 beside 'C67T'"
    assert found[1].reason == ("'67TT' is the same variant as 'C67T', beside rs123 in the text")
    assert found[0].score > found[1].score > 0.5


def test_the_development_part_of_biored_is_linked(data_dir):
    """Measured: 214 of 250 (0.856); of those with a number in the text all."""
    documents = list(read_file(data_dir / "biored" / "Dev.PubTator"))
    right = total = in_text = in_text_right = 0
    for document in documents:
        links = link_variants(document)
        for index, entity in enumerate(document.entities):
            if entity.type != VARIANT or set(entity.concepts) & PLACEHOLDERS:
                continue
            is_right = index in links and links[index].concepts == entity.concepts
            right += is_right
            total += 1
            if entity.concepts[0].startswith("rs") and entity.concepts[0] in document.text.lower():
                in_text += 1
                in_text_right += is_right
    assert total == 250
    assert right >= 212
    assert in_text_right == in_text > 30
    started = time.perf_counter()
    for document in documents:
        link_variants(document)
    assert time.perf_counter() - started < 0.01 * len(documents)
