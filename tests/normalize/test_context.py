"""What a document says that helps to link its mentions."""

import pytest
from msgspec.structs import replace

from bluered.documents.biored_types import CHEMICAL, DISEASE, GENE, SPECIES
from bluered.documents.document import Document, Entity, Span
from bluered.normalize.context import HUMAN, Context, long_forms, read_context

MOUSE, RAT = "10090", "10116"
TAXA = {"mouse": MOUSE, "mice": MOUSE, "rat": RAT, "rats": RAT, "human": HUMAN, "patients": HUMAN}


def context_of(document: Document) -> Context:
    species = [(e, TAXA[e.text.lower()]) for e in document.entities if e.type == SPECIES]
    return read_context(document, species)


def gene(document: Document, name: str) -> Entity:
    return next(e for e in document.entities if e.type == GENE and e.text == name)


@pytest.mark.parametrize(
    ("text", "species", "near", "beside"),
    [
        ("We cloned Fgf2.", [], "", ""),
        ("In mouse Fgf2 is small.", ["mouse"], MOUSE, MOUSE),
        ("In the mouse kidney Fgf2 is small.", ["mouse"], MOUSE, MOUSE),  # a word between
        ("In the mouse kidney cortex Fgf2 is small.", ["mouse"], MOUSE, ""),
        ("Rats differ from mice, where Fgf2 is small.", ["Rats", "mice"], MOUSE, ""),
        ("Rats and mice were fed and later Fgf2 rose.", ["Rats", "mice"], MOUSE, ""),
        ("Fgf2 rose in rats and then in mice.", ["rats", "mice"], RAT, ""),
        # not in the sentence: the one named most often
        (
            "Rats came. Mice and mice came. As expected Fgf2 rose.",
            ["Rats", "Mice", "mice"],
            MOUSE,
            "",
        ),
        (
            "Rats came. Mice came. As expected Fgf2 rose.",
            ["Rats", "Mice"],
            RAT,
            "",
        ),  # the first of equals
    ],
)
def test_the_species_of_a_gene(mentioning, text, species, near, beside):
    mentions = sorted(
        [*((name, SPECIES) for name in dict.fromkeys(species)), ("Fgf2", GENE)],
        key=lambda mention: text.index(mention[0]),
    )
    document = mentioning(text, *mentions)
    context = context_of(document)
    assert context.species_near(gene(document, "Fgf2")) == near
    assert context.species_beside(gene(document, "Fgf2")) == beside


def test_a_species_within_the_gene_s_name(mentioning):
    document = mentioning("Rats have human insulin.", ("Rats", SPECIES), ("human insulin", GENE))
    inside = Entity(SPECIES, (Span(10, 15),), "human")
    document = replace(document, entities=(*document.entities, inside))
    insulin = gene(document, "human insulin")
    assert context_of(document).species_beside(insulin) == HUMAN
    assert context_of(document).species_near(insulin) == HUMAN


def test_shares_of_species(mentioning):
    document = mentioning(
        "A rat, a mouse, a rat.", *[(n, SPECIES) for n in ("rat", "mouse", "rat")]
    )
    species = context_of(document).species
    assert (species.usual, species.share(RAT), species.share(HUMAN)) == (RAT, 2 / 3, 0)
    silent = read_context(document, ()).species
    assert (silent.usual, silent.share(RAT)) == (HUMAN, 0)


def test_species_need_not_come_in_order(mentioning):
    text = "Rats differ from mice, where Fgf2 is small."
    document = mentioning(text, ("Rats", SPECIES), ("mice", SPECIES), ("Fgf2", GENE))
    backwards = replace(document, entities=document.entities[::-1])
    assert context_of(document) == context_of(backwards)


def test_sentences_are_numbered(mentioning):
    context = read_context(mentioning("One is here. Two is there."), ())
    assert [context.sentence(place) for place in (0, 11, 13, 20)] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("text", "mentions", "found"),
    [
        ("The long QT syndrome (LQTS) is rare.", (), {"LQTS": "long QT syndrome"}),
        ("The LQTS (long QT syndrome) is rare.", (), {"LQTS": "long QT syndrome"}),
        (
            "We gave lead (Pb) to rats.",
            [("lead", CHEMICAL), ("Pb", CHEMICAL)],
            {"Pb": "lead"},  # no letter agrees, but both are chemicals
        ),
        ("We gave lead (Pb) to rats.", [("lead", CHEMICAL), ("Pb", DISEASE)], {}),
        ("We gave lead Pb to rats.", [("lead", CHEMICAL), ("Pb", CHEMICAL)], {}),
        ("A chemokine (CCL2) rose.", [("chemokine", GENE), ("CCL2", GENE)], {}),
        ("We gave a drug [XY; 2 mg].", [("drug", CHEMICAL), ("XY", CHEMICAL)], {"XY": "drug"}),
        ("Pain (pancreatitis) rose.", [("Pain", DISEASE), ("pancreatitis", DISEASE)], {}),
        ("Nothing (at all) here.", (), {}),
        ("", (), {}),
    ],
)
def test_abbreviations(mentioning, text, mentions, found):
    assert long_forms(mentioning(text, *mentions)) == found


def test_the_first_definition_counts(mentioning):
    document = mentioning("Acute pain (AP) and, later, action potential (AP) were seen.")
    assert long_forms(document) == {"AP": "Acute pain"}


def test_brackets_within_a_long_form_are_left_out(mentioning):
    document = mentioning("The tumor (local) necrosis factor (TNF) rose.")
    assert long_forms(document)["TNF"] == "tumor necrosis factor"


def test_names_are_spelt_out(mentioning):
    context = read_context(
        mentioning("Multidrug resistant (MDR) tuberculosis (TB) is not MDR TB of old."), ()
    )
    assert context.spelt_out("MDR") == "Multidrug resistant"
    assert context.spelt_out("MDR TB") == "Multidrug resistant tuberculosis"
    assert context.spelt_out("MDR cancer") == "Multidrug resistant cancer"
    assert context.spelt_out("cancer") == context.spelt_out("of old") == context.spelt_out("") == ""
