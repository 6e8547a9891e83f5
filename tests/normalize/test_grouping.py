"""Mentions that are linked as one."""

import pytest
from msgspec.structs import replace

from bluered.documents.biored_types import DISEASE, GENE, SPECIES, VARIANT
from bluered.normalize.grouping import given, groups, most_frequent


def test_one_name_in_other_writing_is_one_group(mentioning):
    document = mentioning(
        "Breast cancers: breast-cancer. TNF-alpha, TNF alpha.",
        ("Breast cancers", DISEASE), ("breast-cancer", DISEASE),
        ("TNF-alpha", GENE), ("TNF alpha", GENE),
    )  # fmt: skip
    assert [(g.type, g.name, g.mentions) for g in groups(document)] == [
        (DISEASE, "Breast cancers", (0, 1)),
        (GENE, "TNF-alpha", (2, 3)),
    ]


def test_genes_are_told_apart_by_capitals_and_all_by_type(mentioning):
    document = mentioning(
        "BRCA1 and Brca1, CAT and CAT.",
        ("BRCA1", GENE), ("Brca1", GENE), ("CAT", GENE), ("CAT", SPECIES),
    )  # fmt: skip
    assert [group.mentions for group in groups(document)] == [(0,), (1,), (2,), (3,)]
    assert [group.mentions for group in groups(document, (SPECIES,))] == [(3,)]


def test_mentions_with_ids_variants_and_other_types_are_left_out(mentioning):
    document = mentioning(
        "flu flu flu V600E thing", ("flu", DISEASE), ("flu", DISEASE), ("flu", DISEASE),
        ("V600E", VARIANT), ("thing", "Thing"),
    )  # fmt: skip
    first, second, *others = document.entities
    document = replace(
        document,
        entities=(replace(first, concepts=("D1",)), replace(second, concepts=("-",)), *others),
    )
    assert [group.mentions for group in groups(document)] == [(1, 2)]


def test_groups_follow_the_text_not_the_list(mentioning):
    document = mentioning("TNF alpha, flu, TNF-alpha", ("TNF alpha", GENE), ("flu", DISEASE),
                          ("TNF-alpha", GENE))  # fmt: skip
    document = replace(document, entities=document.entities[::-1])
    assert [(g.name, g.mentions) for g in groups(document)] == [
        ("TNF alpha", (2, 0)),
        ("flu", (1,)),
    ]


def test_given_ids_are_the_single_ones_of_a_type(mentioning):
    document = mentioning("rat mouse man cat", *[(n, SPECIES) for n in "rat mouse man cat".split()])
    ids = (("10116",), ("10090", "10088"), ("-",), ())
    entities = [replace(e, concepts=c) for e, c in zip(document.entities, ids, strict=True)]
    document = replace(document, entities=tuple(entities))
    assert [(e.text, c) for e, c in given(document, SPECIES)] == [("rat", "10116")]
    assert list(given(document, GENE)) == []


@pytest.mark.parametrize(
    ("values", "usual"), [([], ""), (["a"], "a"), (["a", "b", "b"], "b"), (["b", "a"], "b")]
)
def test_the_most_frequent_value(values, usual):
    assert most_frequent(values) == usual
