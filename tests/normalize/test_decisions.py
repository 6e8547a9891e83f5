"""From mentions to a decision for each name."""

from collections.abc import Callable

import pytest

from bluered.documents.biored_types import CHEMICAL, DISEASE, GENE, SPECIES
from bluered.normalize.candidates import Finder
from bluered.normalize.decisions import Decider, Decision
from bluered.normalize.forest import Forest, Tree
from bluered.normalize.names import name_key
from bluered.normalize.ranker import Ranker
from bluered.normalize.term import Term
from bluered.normalize.terminology import Terminology

TERMS = (
    Term("1", GENE, "ABC1", (), ("alpha beta channel",), "9606"),
    Term("2", GENE, "Abc1", taxon="10090"),
    Term("3", GENE, "XYZ", ("ABC",), taxon="9606"),
    Term("4", GENE, "alphin", ("ABC",), ("alpha beta channel protein",), "9606"),
    Term("D1", DISEASE, "long sleep disease", ("LSD",)),
    Term("D2", DISEASE, "late strange dreams", ("LSD", "dreaming")),
    Term("D3", DISEASE, "weariness", seen={"sleepy": 1}),
    Term("C1", CHEMICAL, "lysergide", ("LSD",)),
    Term("9606", SPECIES, "Homo sapiens", ("human",)),
)


def on(feature: str, *, adds: float) -> Ranker:
    """Return a ranker of genes and diseases that goes by one feature."""
    tree = Tree([0, 0, 0], [0.01, 0, 0], [1, 1, 2], [2, 1, 2], [0, 0, adds])
    forest = Forest([feature], -1.0, [tree], 1)
    return Ranker({GENE: forest, DISEASE: forest})


@pytest.fixture
def terms(made) -> Terminology:
    return made(TERMS)


@pytest.fixture
def decide(terms, mentioning) -> Callable[..., dict[tuple[str, str], list[Decision]]]:
    def decide(ranker, text, *mentions, less=()):
        document = mentioning(text, *mentions)
        decider = Decider(terms, Finder(terms, None), ranker)
        numbered = frozenset(
            (name_key(name, kind=kind), terms.number(concept, type=kind))
            for kind, concept, name in less
        )
        found = decider.decide(document, decider.context(document), less=numbered)
        return {(group.type, group.name): decisions for group, decisions in found}

    return decide


@pytest.fixture
def best(terms) -> Callable[[list[Decision]], list[str]]:
    def best(decisions):
        return [terms.concept(d.choices[0].candidate.concept).id for d in decisions]

    return best


def test_a_long_form_decides_for_its_abbreviation(decide, best):
    text = "The long sleep disease (LSD) is odd, and LSD is rare."
    found = decide(Ranker({}), text, ("long sleep disease", DISEASE), ("LSD", DISEASE))
    assert best(found[DISEASE, "LSD"]) == best(found[DISEASE, "long sleep disease"]) == ["D1"]
    (short,) = found[DISEASE, "LSD"]
    assert (short.asked.name, short.asked.long_form) == ("LSD", "long sleep disease")
    routes = {e.route for c in short.choices for e in c.candidate.evidence}
    assert "long form" in routes
    assert "exact" not in routes


def test_an_unknown_long_form_does_not(decide):
    text = "The least secret disorder (LSD) is odd."
    found = decide(Ranker({}), text, ("least secret disorder", DISEASE), ("LSD", DISEASE))
    assert found[DISEASE, "least secret disorder"][0].choices == ()
    assert len(found[DISEASE, "LSD"][0].choices) == 2


def test_types_decide_apart(decide, best):
    text = "The long sleep disease (LSD) is not of LSD."
    found = decide(Ranker({}), text, ("long sleep disease", DISEASE), ("LSD", CHEMICAL))
    assert best(found[CHEMICAL, "LSD"]) == ["C1"]


def test_of_genes_the_surer_one_decides(decide, best):
    text = "The alpha beta channel (ABC) was cloned."
    mentions = (("alpha beta channel", GENE), ("ABC", GENE))
    by_symbol = decide(on("exact, synonym", adds=3), text, *mentions)
    assert best(by_symbol[GENE, "ABC"])[0] in {"3", "4"}
    assert by_symbol[GENE, "alpha beta channel"] == by_symbol[GENE, "ABC"]
    by_name = decide(on("exact, description", adds=3), text, *mentions)
    assert best(by_name[GENE, "ABC"]) == best(by_name[GENE, "alpha beta channel"]) == ["1"]


def test_of_equally_sure_genes_the_abbreviation_s_own_stays(decide, terms):
    text = "The alpha beta channel (ABC) was cloned."
    found = decide(Ranker({}), text, ("alpha beta channel", GENE), ("ABC", GENE))
    name, symbol = found[GENE, "alpha beta channel"], found[GENE, "ABC"]
    assert [c.candidate.concept for c in name[0].choices] == [
        c.candidate.concept for c in symbol[0].choices
    ]


def test_what_is_also_named_otherwise_is_told(decide, terms):
    text = "Late strange dreams, dreaming and LSD."
    found = decide(
        Ranker({}), text,
        ("Late strange dreams", DISEASE), ("dreaming", DISEASE), ("LSD", DISEASE),
    )  # fmt: skip
    told = {
        terms.concept(c.candidate.concept).id: c.features["also named otherwise"] > 0
        for c in found[DISEASE, "LSD"][0].choices
    }
    assert told == {"D1": False, "D2": True}


def test_a_document_does_not_vouch_for_its_own_names(decide):
    def seen(**more) -> float:
        found = decide(Ranker({}), "A sleepy man.", ("sleepy", DISEASE), **more)
        choices = found[DISEASE, "sleepy"][0].choices
        return max((c.features["seen so"] for c in choices), default=0)

    assert seen() > 0
    assert seen(less=[(DISEASE, "D3", "sleepy")]) == 0


def test_parts_of_a_composite_are_decided_one_by_one(decide, best):
    found = decide(Ranker({}), "The ABC1 and XYZ.", ("ABC1 and XYZ", GENE))
    decisions = found[GENE, "ABC1 and XYZ"]
    assert [decision.asked.name for decision in decisions] == ["ABC1", "XYZ"]
    assert best(decisions)[1] == "3"


def test_only_what_is_likely_enough_is_chosen(decide):
    (decision,) = decide(Ranker({}), "LSD.", ("LSD", DISEASE))[DISEASE, "LSD"]
    assert [choice.probability for choice in decision.choices] == [0.5, 0.5]
    assert decision.chosen(0.5) is decision.choices[0]
    assert decision.chosen(0.6) is None
    assert Decision(decision.asked, ()).chosen() is None


def test_the_context_has_the_linked_species(terms, mentioning):
    decider = Decider(terms, Finder(terms, None), Ranker({}))
    document = mentioning("A human and a yeti.", ("human", SPECIES), ("yeti", SPECIES))
    species = decider.context(document).species
    assert [(m.taxon, m.start) for m in species.mentions] == [("9606", 2)]
