"""Names found by how they look."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bluered.normalize.ngrams import NgramIndex, write_index

DISEASES = (
    "hypertension hypotension diabetes asthma leukemia lymphoma melanoma psoriasis arthritis "
    "hepatitis nephritis thrombocytopenia thrombocytosis neutropenia cardiomyopathy"
).split()


def index(folder, keys) -> NgramIndex:
    write_index([(100 + number, key) for number, key in enumerate(keys)], folder)
    return NgramIndex(folder)


@pytest.fixture
def diseases(tmp_path) -> NgramIndex:
    return index(tmp_path, DISEASES)


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("hypertensoin", "hypertension"),
        ("hypotensive", "hypotension"),
        ("trombocytopenia", "thrombocytopenia"),
        ("psoriaris", "psoriasis"),
        ("cardiomyopathies", "cardiomyopathy"),
    ],
)
def test_the_nearest_comes_first(diseases, asked, nearest):
    found = diseases.like(asked, least=0.2)
    assert DISEASES[found[0].key - 100] == nearest


@pytest.mark.parametrize("key", DISEASES)
def test_a_name_is_nearest_to_itself(diseases, key):
    best = diseases.like(key)[0]
    assert DISEASES[best.key - 100] == key
    assert best.cosine == pytest.approx(1, abs=0.01)  # weights are rounded to a byte


def test_best_first_none_below_the_least_and_no_more_than_asked(diseases):
    found = diseases.like("thrombocytopeniasis", best=3, least=0.1)
    assert len(found) == 3
    assert [f.cosine for f in found] == sorted((f.cosine for f in found), reverse=True)
    assert all(f.cosine >= 0.1 for f in found)
    assert diseases.like("thrombocytopeniasis", best=3, least=0.99) == []


@pytest.mark.parametrize("asked", ["", "a", "zzzzzz", "1234", "\ud800", "\N{DNA DOUBLE HELIX}"])
def test_nothing_looks_like_it(diseases, asked):
    assert diseases.like(asked) == []


def test_an_empty_index_finds_nothing(tmp_path):
    empty = index(tmp_path, [])
    assert empty.like("asthma") == empty.like("") == []


@settings(max_examples=60, deadline=None)
@given(
    keys=st.lists(st.text("abcα1-", max_size=12), min_size=1, max_size=20, unique=True),
    asked=st.text("abcα1-", max_size=12),
)
def test_cosines_are_those_of_the_vectors(tmp_path_factory, keys, asked):
    folder = tmp_path_factory.mktemp("index")
    found = {
        like.key - 100: like.cosine for like in index(folder, keys).like(asked, best=99, least=0)
    }
    assert all(0 <= cosine <= 1 for cosine in found.values())

    def grams(key: str) -> list[bytes]:
        data = f"^{key}$".encode()
        return [data[i : i + 3] for i in range(max(1, len(data) - 2))]

    having = {g: sum(g in grams(k) for k in keys) for k in [*keys, asked] for g in grams(k)}
    rarity = {g: np.log((1 + len(keys)) / (1 + n)) for g, n in having.items()}

    def vector(key: str) -> np.ndarray:
        values = np.array([grams(key).count(g) * rarity[g] for g in sorted(rarity)])
        return values / (np.linalg.norm(values) or 1)

    for number, key in enumerate(keys):
        expected = float(vector(key) @ vector(asked)) if vector(asked).any() else 0.0
        assert found.get(number, 0.0) == pytest.approx(expected, abs=0.02)
