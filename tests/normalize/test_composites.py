"""Mentions of several concepts at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluered.documents.biored_types import (
    CELL_LINE,
    CHEMICAL,
    DISEASE,
    ENTITY_TYPES,
    GENE,
    SPECIES,
    VARIANT,
)
from bluered.normalize.composites import parts


@pytest.mark.parametrize(
    ("name", "kind", "first"),
    [
        ("BRCA1/2", GENE, ("BRCA1", "BRCA2")),
        ("BRCA1 and 2", GENE, ("BRCA1", "BRCA2")),
        ("BRCA1/-2", GENE, ("BRCA1", "BRCA2")),
        ("BRCA1-and-2", GENE, ("BRCA1", "BRCA2")),
        ("Smad1/5/8", GENE, ("Smad1", "Smad5", "Smad8")),
        ("Smad2, 3 and 4", GENE, ("Smad2", "Smad3", "Smad4")),
        ("IL-1, -2", GENE, ("IL-1", "IL-2")),
        ("HLA-A/B", GENE, ("HLA-A", "HLA-B")),
        ("collagen I and II", GENE, ("collagen I", "collagen II")),
        ("vitamin B1/B2", CHEMICAL, ("vitamin B1", "vitamin B2")),
        ("IL1-3", GENE, ("IL1", "IL2", "IL3")),
        ("miR-1 to 3", GENE, ("miR-1", "miR-2", "miR-3")),
        ("breast and ovarian cancer", DISEASE, ("breast cancer", "ovarian cancer")),
        ("breast, lung, and colon cancer", DISEASE,
         ("breast cancer", "lung cancer", "colon cancer")),
        ("breast and/or ovarian cancer", DISEASE, ("breast cancer", "ovarian cancer")),
        ("nausea/vomiting", DISEASE, ("nausea", "vomiting")),
    ],
)  # fmt: skip
def test_the_likeliest_parts(name, kind, first):
    assert next(parts(name, type=kind)) == first


def test_the_head_may_stand_first():
    found = list(parts("cancer of breast and lung", type=DISEASE))
    assert ("cancer of breast", "cancer of lung") in found
    assert found[-1] == ("cancer of breast", "lung")  # last, as they stand


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("BRCA1", GENE),
        ("breast cancer", DISEASE),
        ("IL3-1", GENE),  # no range downwards
        ("IL1-90", GENE),  # nor a long one
        ("sand and", DISEASE),
        ("and", DISEASE),
        ("/", GENE),
        ("", GENE),
        ("a, b, c, d, e, f, g", DISEASE),  # an enumeration is no name
        ("mice and rats", SPECIES),
        ("HeLa and MCF-7", CELL_LINE),
        ("V600E/K", VARIANT),
    ],
)
def test_single_concepts(name, kind):
    assert list(parts(name, type=kind)) == []


@given(st.text(st.sampled_from("AB12ab /,-&")) | st.text(), st.sampled_from(ENTITY_TYPES))
def test_parts_are_several_and_not_the_whole(name, kind):
    for names in parts(name, type=kind):
        assert len(names) > 1
        assert all(names)
        assert sum(map(len, names)) <= 8 * max(1, len(name))
