import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluered.normalize.variants.parse import parse_variant, readings
from bluered.normalize.variants.variant import from_form

SUBSTITUTIONS = {
    "c.1072T>C": "c|SUB|T|1072|C",
    "c.592C-->T": "c|SUB|C|592|T",
    "c.6799G --> A": "c|SUB|G|6799|A",
    "c. 1093-1G>T": "c|SUB|G|1093-1|T",
    "c.2554+1G>T": "c|SUB|G|2554+1|T",
    "c.*557G>A": "c|SUB|G|*557|A",
    "c.G1714C": "c|SUB|G|1714|C",
    "c2403T --> C": "c|SUB|T|2403|C",
    "g.3318-34C>T": "g|SUB|C|3318-34|T",
    "IVS3 + 18C > T": "c|SUB|C|IVS3+18|T",
    "IVS51 + 1G-->A": "c|SUB|G|IVS51+1|A",
    "IVS9+459, A/G": "c|SUB|A|IVS9+459|G",
    "IVSII-1 (G > A)": "c|SUB|G|IVS2-1|A",
    "Ex2+860G>C": "c|SUB|G|Ex2+860|C",
    "C-1228T": "c|SUB|C|-1228|T",
    "G472A": "c|SUB|G|472|A",
    "T/C-344": "c|SUB|T|-344|C",
    "-1082(G/A)": "c|SUB|G|-1082|A",
    "+3100 T/G": "c|SUB|T|+3100|G",
    "735-6 TG>AT": "c|SUB|TG|735_736|AT",
    "C35322C": "c|SUB|C|35322|C",
    "G/A": "c|SUB|G||A",
    "CC to TT": "c|SUB|C||T",
    "CAT to TAT": "c|SUB|CAT||TAT",
    "V600E": "p|SUB|V|600|E",
    "Val600Glu": "p|SUB|V|600|E",
    "p.V600E": "p|SUB|V|600|E",
    "p.(Val600Glu)": "p|SUB|V|600|E",
    "NP_004324.2:p.Val600Glu": "p|SUB|V|600|E",
    "BRAF V600E mutation": "p|SUB|V|600|E",
    "VAL600GLU": "p|SUB|V|600|E",
    "S75X": "p|SUB|S|75|X",
    "p.Trp26*": "p|SUB|W|26|X",
    "E873stop": "p|SUB|E|873|X",
    "p.Arg987Ter": "p|SUB|R|987|X",
    "272gly----stop": "p|SUB|G|272|X",
    "273ser----phe": "p|SUB|S|273|F",
    "E873-TAG": "p|SUB|E|873|X",
    "Ile(146)-->Leu": "p|SUB|I|146|L",
    "Cys 23-Ser 23": "p|SUB|C|23|S",
    "R-4Q": "p|SUB|R|-4|Q",
    "192Q/R": "p|SUB|Q|192|R",
    "55M/L": "p|SUB|M|55|L",
    "Ile/Val": "p|SUB|I||V",
    "CAC(3543)TAC": "p|SUB|H|3543|Y",
}

EDITS = {
    "30delG": "c|DEL|30|G",
    "c.474delA": "c|DEL|474|A",
    "-134delA": "c|DEL|-134|A",
    "1494del6": "c|DEL|1494|6",
    "c.640_667del28": "c|DEL|640_667|28",
    "c.1970_2177del": "c|DEL|1970_2177|",
    "c.609+28_610-16del": "c|DEL|609+28_610-16|",
    "2238-9del AG": "c|DEL|2238_2239|AG",
    "1782-83delAG": "c|DEL|1782_1783|AG",
    "g.99367-102002del": "g|DEL|99367_102002|",
    "g.80_87delT CGCGAAG": "g|DEL|80_87|TCGCGAAG",
    "del642T": "c|DEL|642|T",
    "-652 6N del": "c|DEL|-652|6",
    "delTTCA": "c|DEL||TTCA",
    "AGCTCC/-": "c|DEL||AGCTCC",
    "Delta32": "c|DEL||32",
    "\u039432": "c|DEL||32",
    "DD32": "c|DEL||32",
    "Delta30-4995": "c|DEL|4995|30",
    "\u0394F508": "p|DEL|508|F",
    "F508del": "p|DEL|508|F",
    "p.V239del": "p|DEL|239|V",
    "p.G204_K247del": "p|DEL|204_247|",
    "D487_S488_F489 deletion": "p|DEL|487_489|DSF",
    "AVAQ 594-597 deletion": "p|DEL|594_597|AVAQ",
    "Val624-Val625del": "p|DEL|624_625|VV",
    "46delS": "p|DEL|46|S",
    "c.14_15insC": "c|INS|14_15|C",
    "118-119insA": "c|INS|118_119|A",
    "c.1146+25insA": "c|INS|1146+25|A",
    "AFF344-345ins": "p|INS|344_345|AFF",
    "A124ins": "p|INS|124|A",
    "899dupC": "c|DUP|899|C|",
    "c.429_452dup": "c|DUP|429_452||",
    "dup24bp": "c|DUP||24|",
    "(CCTTT)14": "c|DUP||CCTTT|14",
    "ins/del 6 bp": "c|INDEL||6",
    "c.2153_2155delinsTCCTGG": "c|INDEL|2153_2155|TCCTGG",
    "c.1044_1049delTTCTGGinsACACT": "c|INDEL|1044_1049|ACACT",
    "-652 6N ins/del": "c|INDEL|-652|6",
    "Y329fs": "p|FS|Y|329||",
    "p.G204VfsX28": "p|FS|G|204|V|28",
    "p.Ser119fsX": "p|FS|S|119||",
    "p.A27fsX132": "p|FS|A|27||132",
    "p.(Arg97Profs*23)": "p|FS|R|97|P|23",
}

ALLELES = {
    "1858T": "c|Allele|T|1858",
    "-395A": "c|Allele|A|-395",
    "-889TT": "c|Allele|T|-889",
    "689 AA": "c|Allele|A|689",
    "IVS9 + 217T": "c|Allele|T|IVS9+217",
    "IVS9+459 GA+GG": "c|Allele|GA|IVS9+459",
    "T(-13,910)": "c|Allele|T|-13910",
    "C262": "c|Allele|C|262",
    "Cys326": "p|Allele|C|326",
    "302H": "p|Allele|H|302",
    "399 Gln": "p|Allele|Q|399",
    "192RR": "p|Allele|R|192",
    "p.Thr26": "p|Allele|T|26",
    "M 235": "p|Allele|M|235",
}

PHRASES = {
    "G-->A at position -1228": "c|SUB|G|-1228|A",
    "G\u2192A at position \u22121228": "c|SUB|G|-1228|A",
    "G to A at nucleotide position 1359": "c|SUB|G|1359|A",
    "T to A transition at the nucleotide position +387": "c|SUB|T|387|A",
    "A/G transition -1,071 bp": "c|SUB|A|-1071|G",
    "C to T at 33468": "c|SUB|C|33468|T",
    "thymidine to cytosine mutation at position 28": "c|SUB|T|28|C",
    "G>A substitution at nucleotide +1 of intron 2": "c|SUB|G|IVS2+1|A",
    "C to T substitution at a polymorphic site 13,910 bp upstream": "c|SUB|C|-13910|T",
    "G to C at codon 158": "c|SUB|G|CODON158|C",
    "A was replaced by a G in codon 38": "c|SUB|A|CODON38|G",
    "(TAC-->AA) at codon 329": "c|SUB|TAC|CODON329|AA",
    "G to A or G to C substitution at nucleotide position 1138": "c|SUB|G|1138|A,C",
    "codon 787 CAG/CAA": "p|SUB|Q|787|Q",
    "codon 29, GGC-->AGC": "p|SUB|G|29|S",
    "GTT-->GCT transition at codon 23": "p|SUB|V|23|A",
    "alanine for valine at position 88": "p|SUB|A|88|V",
    "histidine 626-to-arginine": "p|SUB|H|626|R",
    "valine-539-aspartic acid": "p|SUB|V|539|D",
    "arginine 150 proline": "p|SUB|R|150|P",
    "Glu 272 to stop": "p|SUB|E|272|X",
    "stop codon for glutamine at codon 298": "p|SUB|Q|298|X",
    "tyrosine codon at amino acid position 67 into a stop": "p|SUB|Y|67|X",
    "valine (Val) to alanine (Ala) substitution at amino acid 16": "p|SUB|V|16|A",
    "codon 358, tyrosine to histidine": "p|SUB|Y|358|H",
    "326 from Ser to Cys": "p|SUB|S|326|C",
    "R to G mutation at position 76": "p|SUB|R|76|G",
    "glutamate by glycine": "p|SUB|E||G",
    "glutamine replacement of arginine": "p|SUB|R||Q",
    "T allele at -31": "c|Allele|T|-31",
    "A at position -1082": "c|Allele|A|-1082",
    "lysine at residue 223": "p|Allele|K|223",
    "(R) allele at codon 620": "p|Allele|R|620",
    "codon 435 (Thr)": "p|Allele|T|435",
    "deletion of 6 bp at position 1494": "c|DEL|1494|6",
    "nine-nucleotide deletion starting at position 1952": "c|DEL|1952|9",
    "adenine 474 deletion": "c|DEL|474|A",
    "single base pair deletion of a cytosine nucleotide": "c|DEL||C",
    "8-bp nucleotide (TTAAATGG) deletion": "c|DEL||TTAAATGG",
    "5.5 kb deletion": "c|DEL||5.5K",
    "deletion of 54 Mbp": "c|DEL||54M",
    "33-bp genomic deletion": "g|DEL||33",
    "deletion of valine 624, valine 625": "p|DEL|624_625|VV",
    "deletion of amino acids 809-852": "p|DEL|809_852|",
    "nucleotide T insertion at 7916 and 7917": "c|INS|7916_7917|T",
    "insertion of the four nucleotides CCCC": "c|INS||CCCC",
    "insertion of 18 amino acids": "p|INS||18",
    "-120 bp duplication": "c|DUP|-120||",
    "single base 'G' duplication": "c|DUP||G|",
    "CAG repeat": "c|DUP||CAG|",
    "14 bp insertion/deletion": "c|INDEL||14",
    "indel polymorphism at position -4825": "c|INDEL|-4825||",
}

ALL = SUBSTITUTIONS | EDITS | ALLELES | PHRASES


@pytest.mark.parametrize(("mention", "form"), ALL.items())
def test_mentions_are_read_as_biored_writes_them(mention, form):
    variant = parse_variant(mention)
    assert variant is not None
    assert variant.form() == form


@pytest.mark.parametrize("form", sorted(set(ALL.values())))
def test_a_form_is_read_back(form):
    assert from_form(form).form() == form


def test_letters_of_both_alphabets_have_two_readings():
    assert [variant.form() for variant in readings("C677T")] == [
        "c|SUB|C|677|T",
        "p|SUB|C|677|T",
    ]
    assert [variant.form() for variant in readings("p.C677T")] == ["p|SUB|C|677|T"]


def test_for_leaves_the_original_residue_open():
    assert [v.form() for v in readings("lysine for glutamic acid at amino acid 325")] == [
        "p|SUB|K|325|E",
        "p|SUB|E|325|K",
    ]


@pytest.mark.parametrize(
    "mention", ["", "polymorphism", "the mutation", "haplotype 2", "wild type"]
)
def test_words_that_tell_no_variant_are_not_read(mention):
    assert parse_variant(mention) is None


@given(st.text(max_size=60))
def test_any_text_can_be_tried(mention):
    for variant in readings(mention):
        assert variant.form().count("|") >= 2


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="no kind of variant 'SYB'"):
        from_form("c|SYB|T2734|C")
