"""Groups and kinds of errors, worked out by hand, and what must hold for any prediction."""

import random

import pytest
from msgspec.structs import replace

from bluered.documents.document import Document, Entity, Relation, Span, simple_document
from bluered.formats.files import read_file
from bluered.metrics.counts import Counts
from bluered.tasks.biored import correct
from bluered.tasks.biored.mention_errors import KINDS, mention_errors, names_of, total
from bluered.tasks.biored.relation_errors import relation_errors

CHEMICAL, DISEASE, GENE = "ChemicalEntity", "DiseaseOrPhenotypicFeature", "GeneOrGeneProduct"
TEXT = "Olmatin lowers FNR1 in rash. Severe grey ague of mice needs olmatin and zelmatin."
FAR = TEXT + " Nothing else is known. So we waited for it." * 12 + " At last the FNR2 gene came."


def mention(name: str, kind: str, concept: str = "", *, text: str = TEXT) -> Entity:
    start = text.index(name)
    span = Span(start, start + len(name))
    return Entity(type=kind, spans=(span,), text=name, concepts=(concept,) if concept else ())


def document(
    *entities: Entity, relations: tuple[Relation, ...] = (), text: str = TEXT, name: str = "1"
) -> Document:
    return replace(simple_document(name, text), entities=entities, relations=relations)


def relation(head: str, tail: str, kind: str = "Association") -> Relation:
    return Relation(type=kind, head=head, tail=tail, novel=True)


TRAIN = {"olmatin": {CHEMICAL}, "fnr1": {DISEASE}, "grey ague": {DISEASE}}


def groups(gold: Document, predicted: Document):
    return mention_errors([gold], [predicted], names=TRAIN)


def kinds_of(gold: list[Entity], predicted: list[Entity]) -> dict[str, int]:
    found = total(groups(document(*gold), document(*predicted)).values())
    return {kind: number for kind, number in found.kinds.items() if number}


RASH = mention("rash", DISEASE)
AGUE = mention("grey ague", DISEASE)


@pytest.mark.parametrize(
    ("gold", "predicted", "kinds"),
    [
        ([AGUE], [AGUE], {}),
        ([AGUE], [mention("Severe grey ague", DISEASE)], {"border": 1}),
        ([AGUE], [mention("grey ague", GENE)], {"type": 1}),
        ([AGUE], [mention("ague", GENE)], {"both": 1}),
        ([AGUE], [mention("ague", DISEASE), mention("grey ague", GENE)], {"type": 1}),
        ([AGUE], [], {"missed": 1}),
        ([], [AGUE], {"spurious": 1}),
        ([AGUE, RASH], [mention("mice", DISEASE), RASH], {"missed": 1, "spurious": 1}),
        # what is right for another mention is no error of this one
        ([AGUE, mention("ague", DISEASE)], [mention("ague", DISEASE)], {"missed": 1}),
        ([AGUE], [AGUE, mention("ague", DISEASE)], {"spurious": 1}),
    ],
)
def test_kinds_of_errors(gold, predicted, kinds):
    assert kinds_of(gold, predicted) == kinds


def test_names_are_seen_with_the_type_with_another_or_not():
    gold = document(
        mention("Olmatin", CHEMICAL), mention("FNR1", GENE), mention("zelmatin", CHEMICAL)
    )
    predicted = document(mention("Olmatin", CHEMICAL), mention("FNR1", DISEASE))
    found = groups(gold, predicted)
    assert {group: one.counts for group, one in found.items()} == {
        (CHEMICAL, "seen"): Counts(tp=1),
        (CHEMICAL, "unseen"): Counts(fn=1),
        (DISEASE, "seen"): Counts(fp=1),
        (GENE, "other type"): Counts(fn=1),
    }
    assert found[GENE, "other type"].kinds["type"] == 1
    assert names_of([gold])["olmatin"] == {CHEMICAL}


def by_group(gold: Document, predicted: Document, way: str) -> dict[str, Counts]:
    found = relation_errors([gold], [predicted]).groups
    return {member: counts["pair"] for (kind, member), counts in found.items() if kind == way}


CONCEPTS = (
    mention("Olmatin", CHEMICAL, "C1"),
    mention("FNR1", GENE, "G1"),
    mention("rash", DISEASE, "D1"),
    mention("grey ague", DISEASE, "D2"),
    mention("olmatin", CHEMICAL, "C1"),
    mention("zelmatin", CHEMICAL, "C2"),
)


def test_relations_by_where_their_concepts_stand():
    far = mention("FNR2", GENE, "G2", text=FAR)
    gold = document(
        *CONCEPTS, far, text=FAR,
        relations=(relation("C1", "D1"), relation("C2", "D1"), relation("D1", "G2")),
    )  # fmt: skip
    unknown = Entity(type=GENE, spans=(Span(0, 3),), text="Olm", concepts=("G9",))
    predicted = document(
        *CONCEPTS, far, unknown, text=FAR,
        relations=(relation("C1", "D1"), relation("D2", "C1"), relation("D1", "G9")),
    )  # fmt: skip
    assert by_group(gold, predicted, "sentence") == {
        "one sentence": Counts(tp=1, fp=2),  # C1-D2: the second olmatin; D1-G9: as predicted
        "several sentences": Counts(fn=2),
    }
    assert by_group(gold, predicted, "distance") == {
        "0 to 19": Counts(tp=1, fp=1),
        "20 to 49": Counts(fp=1, fn=1),
        "400 and more": Counts(fn=1),
    }
    bare = replace(predicted, entities=(), relations=(relation("C1", "X"),))
    assert by_group(gold, bare, "sentence")["not mentioned"] == Counts(fp=1)


def test_documents_are_grouped_in_thirds():
    golds, predictions = [], []
    for number in range(6):
        text = TEXT + " More." * number
        one = document(*CONCEPTS, relations=(relation("C1", "D1"),), text=text, name=str(number))
        golds.append(one)
        predictions.append(replace(one, relations=() if number > 3 else one.relations))
    found = relation_errors(golds, predictions).groups
    lengths = {m: c["pair"] for (way, m), c in found.items() if way == "length"}
    sizes = [len(one.text) for one in golds]
    assert lengths == {
        f"{sizes[0]} to {sizes[1]}": Counts(tp=2),
        f"{sizes[2]} to {sizes[3]}": Counts(tp=2),
        f"{sizes[4]} to {sizes[5]}": Counts(fn=2),
    }
    assert [m for way, m in found if way == "concepts"] == ["5 to 5"]  # equal ones stay together


def test_types_are_confused_pair_by_pair():
    gold = document(
        *CONCEPTS,
        relations=(
            relation("C1", "D1", "Bind"), relation("C2", "D1"), relation("C2", "D2"),
            relation("G1", "D1"), relation("G1", "D1", "Bind"),
        ),
    )  # fmt: skip
    predicted = document(
        *CONCEPTS,
        relations=(
            relation("D1", "C1"), relation("C2", "D1"), relation("C1", "D2", "Bind"),
            relation("G1", "D1", "Bind"),
        ),
    )  # fmt: skip
    assert relation_errors([gold], [predicted]).confusion == {
        ("Bind", "Association"): 1,
        ("Association", "Association"): 1,
        ("Association", "none"): 2,  # C2-D2, and the other type of G1-D1
        ("none", "Bind"): 1,
        ("Bind", "Bind"): 1,
    }


@pytest.mark.parametrize("seed", range(3))
def test_the_groups_sum_to_the_scores(data_dir, seed):
    rng = random.Random(seed)
    gold = list(read_file(data_dir / "biored" / "Dev.PubTator"))[:30]
    types = ("Association", "Bind", "Positive_Correlation")
    predicted = [
        replace(
            one,
            entities=tuple(
                replace(e, type=rng.choice((e.type, e.type, GENE)))
                for e in one.entities
                if rng.random() < 0.8
            ),
            relations=tuple(
                replace(r, type=rng.choice(types)) for r in one.relations if rng.random() < 0.7
            ),
        )
        for one in gold
    ]
    scores = correct.score(gold, predicted)
    names = names_of(read_file(data_dir / "biored" / "Train.PubTator"))
    mentions = mention_errors(gold, predicted, names=names)
    assert total(mentions.values()).counts == scores.total("ner", "overall")
    for kind in {kind for kind, _ in mentions}:
        whole = total(one for (name, _), one in mentions.items() if name == kind)
        assert whole.counts == scores.total("ner", "by_type", kind)
        assert sum(whole.kinds[name] for name in KINDS[:-1]) == whole.counts.fn
        assert whole.kinds["spurious"] <= whole.counts.fp
    relations = relation_errors(gold, predicted)
    for way in {way for way, _ in relations.groups}:
        for measure in ("pair", "type", "all"):
            parts = [c[measure] for (name, _), c in relations.groups.items() if name == way]
            assert sum(parts, start=Counts()) == scores.total("relations", measure), way
    right = sum(n for (one, other), n in relations.confusion.items() if one == other)
    assert right == scores.total("relations", "type").tp
    mixed = list(zip(gold, predicted, strict=True))
    rng.shuffle(mixed)
    again = relation_errors([one for one, _ in mixed], [other for _, other in mixed])
    assert again == relations
