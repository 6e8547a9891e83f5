"""The pair head computes what its formulas say, each pair for itself."""

import numpy as np
import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

HIDDEN, HEADS, PIECES, CONCEPTS, PAIRS, SIZES = 12, 3, 9, 4, 7, (3, 2)


@pytest.fixture
def head():
    from bluered.models.surroundings import SurroundingsHead

    torch.manual_seed(4)
    return SurroundingsHead(HIDDEN, types=2, features=SIZES, heads=HEADS, width=10).eval()


@pytest.fixture
def given():
    """States, names, pairs, zones (some of them empty) and features of an invented document."""
    rng = np.random.default_rng(5)
    zones = rng.random((PAIRS, 3, PIECES)) * (rng.random((PAIRS, 3, 1)) < 0.7)
    names = rng.random((CONCEPTS, PIECES))
    arrays = (
        rng.normal(size=(PIECES, HIDDEN)),
        names / names.sum(axis=1, keepdims=True),
        rng.integers(0, CONCEPTS, (PAIRS, 2)),
        zones / np.maximum(zones.sum(axis=2, keepdims=True), 1e-9),
        np.stack([rng.integers(0, size, PAIRS) for size in SIZES], axis=1),
    )
    return [torch.from_numpy(a.astype(np.int64 if a.dtype == int else np.float32)) for a in arrays]


def scores(head, *arrays):
    with torch.inference_mode():
        return [each.numpy() for each in head(*arrays)]


def slow(head, hidden, names, pairs, zones, features):
    """Return the head's outputs one pair and one attention head at a time."""
    p = {name: value.detach().double().numpy() for name, value in head.named_parameters()}
    hidden, names, zones = (each.double().numpy() for each in (hidden, names, zones))
    size, outputs = HIDDEN // HEADS, []
    concepts = names @ hidden
    query = concepts @ p["query.weight"].T + p["query.bias"]
    key = hidden @ p["key.weight"].T + p["key.bias"]
    value = hidden @ p["value.weight"].T + p["value.bias"]

    def normal(part):
        shifted = part - part.mean()
        scaled = shifted / np.sqrt(part.var() + 1e-5)
        return scaled * p["norm.weight"] + p["norm.bias"]

    for (a, b), zone, layout in zip(pairs.tolist(), zones, features.tolist(), strict=True):
        context, shares = [], []
        for number in range(HEADS):
            own = slice(number * size, (number + 1) * size)
            raw = key[:, own] @ (query[a, own] + query[b, own]) / np.sqrt(size)
            share = np.exp(raw) / np.exp(raw).sum()
            shares.append(share)
            context.append(share @ value[:, own])
        one, other = concepts[a], concepts[b]
        parts = [one, other, one * other, np.concatenate(context), *(zone @ hidden)]
        embedded = [p[f"features.{i}.weight"][at] for i, at in enumerate(layout)]
        joined = np.concatenate([*map(normal, parts), *embedded])
        mixed = p["mix.weight"] @ joined + p["mix.bias"]
        mixed = torch.nn.functional.gelu(torch.from_numpy(mixed)).numpy()
        outputs.append((
            p["relation_type.weight"] @ mixed + p["relation_type.bias"],
            p["novelty.weight"] @ mixed + p["novelty.bias"],
            np.mean(shares, axis=0),
        ))  # fmt: skip
    return [np.stack(each) for each in zip(*outputs, strict=True)]


def test_it_computes_its_formulas(head, given):
    for fast, wanted in zip(scores(head, *given), slow(head, *given), strict=True):
        np.testing.assert_allclose(fast, wanted, atol=1e-5)


def test_the_attention_of_each_pair_is_shared_out_whole(head, given):
    _, _, attention = scores(head, *given)
    assert attention.shape == (PAIRS, PIECES)
    assert (attention >= 0).all()
    np.testing.assert_allclose(attention.sum(axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_pairs_in_parts_are_scored_as_together(head, given, size):
    hidden, names, pairs, zones, features = given
    whole = scores(head, *given)
    parts = [
        scores(head, hidden, names, pairs[at], zones[at], features[at])
        for at in (slice(i, i + size) for i in range(0, PAIRS, size))
    ]
    for name, one in enumerate(whole):
        np.testing.assert_allclose(np.concatenate([p[name] for p in parts]), one, atol=1e-6)


def test_other_concepts_change_nothing(head, given):
    hidden, names, pairs, zones, features = given
    more = torch.cat([torch.rand(2, PIECES), names])
    for one, two in zip(
        scores(head, *given), scores(head, hidden, more, pairs + 2, zones, features), strict=True
    ):
        np.testing.assert_allclose(one, two, atol=1e-6)


def test_a_pair_with_nothing_around_it_learns_without_overflow(head, given):
    hidden, names, pairs, zones, features = given
    head.train()
    types, novelty, _ = head(hidden, names, pairs, torch.zeros_like(zones), features)
    (types.logsumexp(dim=1).sum() + novelty.sum()).backward()
    gradients = [p.grad for p in head.parameters() if p.grad is not None]
    assert len(gradients) > 10
    assert all(bool(torch.isfinite(each).all()) for each in gradients)
