"""Why names have their ids: the parts of an explanation and what they hold."""

from math import exp
from typing import ClassVar

from bluered.documents.biored_types import CELL_LINE, DISEASE, ENTITY_TYPES, GENE, SPECIES, VARIANT
from bluered.documents.document import Document, Entity, Span
from bluered.pipeline.explain import explain
from bluered.pipeline.explanation import Name
from bluered.pipeline.linking import link_step


def document(text: str, *mentions: tuple) -> Document:
    """Return a document with mentions (name, type, concepts...), each at its next place."""
    entities, position = [], 0
    for name, kind, *concepts in mentions:
        position = text.index(name, position)
        span = Span(position, position + len(name))
        entities.append(Entity(type=kind, spans=(span,), text=name, concepts=tuple(concepts)))
        position += 1
    return Document(id="1", text=text, entities=tuple(entities))


def names(linker, text: str, *mentions: tuple, limit: int = 3) -> list[Name]:
    return list(explain(document(text, *mentions), linker, limit=limit).names)


def test_a_name_tells_id_how_and_what_came_second(linker):
    (gene,) = names(linker, "BRCA1 and BRCA1", ("BRCA1", GENE), ("BRCA1", GENE))
    assert (gene.name, gene.ids, gene.local) == ("BRCA1", ("672",), False)
    assert gene.mentions == (Span(0, 5), Span(10, 15))
    (part,) = gene.parts
    first, second = part.candidates
    assert (first.id, first.name, first.species) == ("672", "BRCA1", "Homo sapiens")
    assert (first.match, first.how) == ("exact name", "'BRCA1' is its symbol")
    assert (second.id, second.species) == ("12189", "Mus musculus")
    assert part.id == first.id
    assert part.species
    assert (part.species.taxon, part.species.where) == ("9606", "none")
    assert first.probability > second.probability


def test_reasons_tell_what_makes_the_first_better(linker):
    (gene,) = names(linker, "BRCA1", ("BRCA1", GENE))
    because = gene.parts[0].because
    assert {reason.topic for reason in because} <= {"name", "species", "writing", "papers"}
    assert [abs(r.adds) for r in because] == sorted((abs(r.adds) for r in because), reverse=True)
    assert because[0].adds > 0
    assert "second" not in because[0].words


class Additive:
    """A ranker whose scores are sums, so that what a reason adds is known."""

    least: ClassVar[dict[str, float]] = {}
    weights: ClassVar[dict[str, float]] = {"species near": 2.0, "of human": -0.5}

    def probabilities(self, candidates, *, type):
        scores = [sum(self.weights.get(n, 0) * v for n, v in some.items()) for some in candidates]
        odds = [exp(score - 3) for score in scores]
        return [odd / (1 + odd) for odd in odds]


def test_what_a_reason_adds(linker):
    additive = type(linker)(linker.terms, Additive())
    (gene,) = names(additive, "BRCA1", ("BRCA1", GENE))
    assert [(r.topic, r.adds) for r in gene.parts[0].because] == [
        ("species", 2.0), ("writing", -0.5),
    ]  # fmt: skip
    assert gene.parts[0].because[1].words.startswith("genes of the second's species")


def test_the_species_comes_from_the_text(linker):
    found = names(linker, "Mice lack Brca1", ("Mice", SPECIES), ("Brca1", GENE))
    species = found[1].parts[0].species
    assert species
    assert (species.taxon, species.name) == ("10090", "Mus musculus")
    assert "'Mice'" in species.words


def test_an_unknown_name_says_that_nothing_is_called_so(linker):
    (name,) = names(linker, "XQZ7", ("XQZ7", GENE))
    assert (name.ids, name.local) == (("local:xqz7",), True)
    assert name.parts[0].id == ""
    assert name.parts[0].why_not == "no concept of the terminology has this name, or one like it"


class Doubtful:
    """The shipped ranker, but that it doubts what has a feature of some name."""

    def __init__(self, linker, *, least: float = 0.0, doubts: str = "") -> None:
        self._ranker = linker.ranker
        self.least = dict.fromkeys(ENTITY_TYPES, least)
        self._doubts = doubts

    def probabilities(self, candidates, *, type):
        if any(name.startswith(self._doubts) for some in candidates for name in some):
            return [0.01 / len(candidates) for _ in candidates]
        return self._ranker.probabilities(candidates, type=type)


def test_an_unlikely_candidate_is_named(linker):
    doubtful = type(linker)(linker.terms, Doubtful(linker, least=0.1, doubts="exact"))
    (name,) = names(doubtful, "MCF-7", ("MCF-7", CELL_LINE))
    assert name.local
    assert name.parts[0].candidates[0].id == "CVCL_0031"
    assert name.parts[0].why_not == (
        "the likeliest concept has a probability of 0.01, under the least of 0.10"
    )


def test_each_part_of_a_composite_mention_is_told_of(linker):
    (name,) = names(linker, "BRCA1/2", ("BRCA1/2", GENE))
    assert name.ids == ("672", "675")
    assert [(part.name, part.id) for part in name.parts] == [("BRCA1", "672"), ("BRCA2", "675")]


def test_an_abbreviation_names_what_it_is_short_for(linker):
    found = names(linker, "breast cancer (BC)", ("breast cancer", DISEASE), ("BC", DISEASE))
    assert found[1].ids == ("D001943",)
    assert found[1].parts[0].long_form == "breast cancer"
    assert "'BC' is short for 'breast cancer'" in found[1].parts[0].candidates[0].how


def test_given_ids_are_shown_and_not_used(linker):
    found = names(linker, "BRCA1, MCF-7", ("BRCA1", GENE, "99"), ("MCF-7", CELL_LINE, "-"))
    assert [(n.ids, n.given) for n in found] == [(("672",), ("99",)), (("CVCL_0031",), ())]


def test_variants_have_a_reading(linker):
    mentions = ("BRAF", GENE), ("V600E", VARIANT), ("odd one", VARIANT)
    gene, variant, odd = names(linker, "BRAF V600E, odd one", *mentions)
    assert variant.variant
    assert variant.ids == (variant.variant.id,) == ("rs113488022",)
    assert (variant.variant.gene, variant.variant.gene_name) == ("673", "BRAF")
    assert variant.variant.runner_up == variant.variant.form == "p|SUB|V|600|E"
    assert "V|600|E" in variant.variant.reason
    assert odd.why_not == "it could not be read as a sequence variant"
    assert odd.local
    assert gene.variant is None


def test_other_types_are_said_not_to_be_linked(linker):
    (name,) = names(linker, "kidney", ("kidney", "Anatomy"))
    assert (name.local, name.why_not) == (True, "mentions of the type Anatomy are not linked")


def test_an_abbreviation_has_the_decision_on_its_long_form(linker):
    doubtful = type(linker)(linker.terms, Doubtful(linker, least=0.1, doubts="long form"))
    long, short = names(doubtful, "breast cancer (BC)", ("breast cancer", DISEASE), ("BC", DISEASE))
    assert (long.ids, long.lent_by) == (("D001943",), "")
    assert (short.ids, short.lent_by, short.local) == (("D001943",), "", False)
    assert (short.parts[0].id, short.parts[0].long_form) == ("D001943", "breast cancer")


def test_what_is_told_is_what_annotating_gives(linker):
    text = "BRCA1/2, breast cancer (BC), V600E, BC, XQZ7, mice, MCF-7, XQZ7"
    kinds = (GENE, DISEASE, DISEASE, VARIANT, DISEASE, GENE, SPECIES, CELL_LINE, GENE)
    texts = ("BRCA1/2", "breast cancer", "BC", "V600E", "BC", "XQZ7", "mice", "MCF-7", "XQZ7")
    made = document(text, *zip(texts, kinds, strict=True))
    linked = link_step(linker)(made)
    told = {span: name.ids for name in explain(made, linker).names for span in name.mentions}
    assert told == {e.spans[0]: e.concepts for e in linked.entities}


def test_limit_bounds_the_candidates(linker):
    (name,) = names(linker, "BRCA1", ("BRCA1", GENE), limit=1)
    assert len(name.parts[0].candidates) == 1
    assert name.parts[0].more == 1
    assert name.parts[0].because  # still over the second
