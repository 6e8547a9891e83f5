"""The shorter names that a mention is looked up by."""

import time

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
from bluered.normalize.shortenings import core, shortenings


@pytest.mark.parametrize(
    ("name", "kind", "short"),
    [
        ("human BRCA1 gene", GENE, "BRCA1"),
        ("hTERT", GENE, "TERT"),
        ("mFgf2", GENE, "Fgf2"),
        ("anti-CD4 antibodies", GENE, "CD4"),
        ("TNF-alpha", GENE, "TNF-a"),
        ("TNF-α", GENE, "TNF-a"),
        ("severe diabetes", DISEASE, "diabetes"),
        ("congenital long QT syndrome", DISEASE, "long QT syndrome"),
        ("breast cancer patients", DISEASE, "breast cancer"),
        ("HeLa cells", CELL_LINE, "HeLa"),
        ("human MCF-7 cell line", CELL_LINE, "MCF-7"),
        ("propranolol hydrochloride", CHEMICAL, "propranolol"),
        ("Ca(2+)", CHEMICAL, "Ca"),
        ("Ca2+", CHEMICAL, "Ca"),
        ("(3)H-thymidine", CHEMICAL, "H-thymidine"),
        ("45Ca", CHEMICAL, "Ca"),
        ("aspirin (ASA)", CHEMICAL, "aspirin"),
        ("HIV isolates", SPECIES, "HIV"),
    ],
)
def test_shorter_names(name, kind, short):
    assert short in list(shortenings(name, type=kind))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("BRCA1", GENE), ("asthma", DISEASE), ("aspirin", CHEMICAL), ("HeLa", CELL_LINE),
        ("mouse", SPECIES), ("V600E", VARIANT), ("", GENE), (" ", DISEASE), ("()", CHEMICAL),
    ],
)  # fmt: skip
def test_names_that_cannot_be_shorter(name, kind):
    assert list(shortenings(name, type=kind)) == []


def test_an_affix_alone_is_no_name():
    assert "syndrome" not in list(shortenings("Wolff syndrome", type=DISEASE))
    assert "therapy" not in list(shortenings("strange therapy", type=CHEMICAL))


def test_the_likeliest_comes_first():
    found = list(shortenings("human BRCA1 gene", type=GENE))
    assert found[:2] == ["human BRCA1", "BRCA1"]


@pytest.mark.parametrize(
    ("name", "kind", "bare"),
    [
        ("human recombinant BRCA1 protein", GENE, "BRCA1"),
        ("morphine sulfate", CHEMICAL, "morphine"),
        ("seizure disorder", DISEASE, "seizure"),
        ("p.V600E", VARIANT, "p.V600E"),
        ("gene", GENE, "gene"),
    ],
)
def test_cores(name, kind, bare):
    assert core(name, type=kind) == bare


NAMES = st.text(st.sampled_from("aB1 -()[]+,/α "), max_size=30) | st.text(max_size=15)


@given(name=NAMES, kind=st.sampled_from(ENTITY_TYPES))
def test_each_once_not_the_name_and_nothing_longer(name, kind):
    found = list(shortenings(name, type=kind))
    assert len(found) == len(set(found))
    assert name not in found
    assert "" not in found
    assert all(len(short) <= len(name) for short in found)
    assert name.endswith(core(name, type=kind)) or core(name, type=kind) in name


N = 10_000
ODD = {
    "blanks": " " * N,
    "blanks within": "x" + " " * N + "y",
    "hyphens": "-" * N,
    "open brackets": "(" * N,
    "nested brackets": "(" * (N // 2) + ")" * (N // 2),
    "brackets and blanks": "[ " * (N // 2),
    "one word": "a" * N,
    "digits": "1" * N,
    "Roman": "I" * N,
    "letters": "A/" * (N // 2) + "!",
    "numbers": "A1" + "/-1" * (N // 3) + "!",
    "few numbers": "A1" + "/-1" * 30 + "!",
    "and numbers": "A1" + "-and-1" * (N // 6) + "!",
    "numbers with letters": "A1a" + "/1a" * (N // 3) + "!",
    "words": "ab " * (N // 3),
    "words and one": "ab " * (N // 3) + " and c",
    "coordination": "x" + " and y" * (N // 6),
    "commas": "," * N,
    "genes": "x" + " gene" * (N // 5),
    "humans": "human " * (N // 6) + "x",
    "Greek": "alpha" * (N // 5),
    "astral": "\N{DNA DOUBLE HELIX}" * N,
    "surrogates": "\ud800" * N,
}


@pytest.mark.parametrize("name", ODD.values(), ids=ODD.keys())
def test_odd_mentions_take_no_time(name):
    begun = time.process_time()
    for kind in ENTITY_TYPES:
        assert len(list(shortenings(name, type=kind))) < 400
        assert len(core(name, type=kind)) <= len(name)
        assert sum(1 for _ in parts(name, type=kind)) < 400
    assert time.process_time() - begun < 0.5
