import pytest

from bluered.documents.biored_types import GENE
from bluered.normalize.variants.genes import gene_mentions, rank_genes


def first(document, mention=None):
    variants = [e for e in document.entities if e.type != GENE]
    chosen = [e for e in variants if mention in (None, e.text)]
    return rank_genes(document.text, chosen, gene_mentions(document))[0]


@pytest.mark.parametrize(
    "text",
    [
        "[[AAA1|1]] [[V60E]] and [[BBB2|2]]",
        "[[BBB2|2]] is known. [[V60E]] of [[AAA1|1]] is not.",
        "[[BBB2|2]] and the [[C677T]] polymorphism in the [[AAA1|1]] gene",
        "[[AAA1|1]] was sequenced: [[V60E]] was found. [[BBB2|2]] was not.",
        "[[AAA1|1]] ([[V60E]]), [[BBB2|2]]",
        "[[AAA1|1]], [[AAA1|1]], [[AAA1|1]]. With [[V60E]] no binding to the partner [[BBB2|2]].",
    ],
)
def test_the_gene_of_a_variant(document, text):
    assert first(document(text)) == "1"


def test_each_variant_has_its_own(document):
    text = document("[[AAA1|1]] [[C677T]] and [[BBB2|2]] [[A98C]] were typed")
    assert (first(text, "C677T"), first(text, "A98C")) == ("1", "2")


def test_of_several_ids_the_first_comes_first(document):
    text = document("[[AAA1|5,1]] [[V60E]]")
    variants = [text.entities[1]]
    assert rank_genes(text.text, variants, gene_mentions(text)) == ("5", "1")


def test_genes_without_an_id_do_not_count(document):
    text = document("[[AAA1|-]] [[V60E]] of [[BBB2|2]]")
    assert first(text) == "2"
    none = document("[[V60E]]")
    assert rank_genes(none.text, none.entities, gene_mentions(none)) == ()
