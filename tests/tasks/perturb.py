"""Prediction files made from gold by rule, so that anybody can make them again.

Each function takes the gold documents and returns the bytes of a PubTator file.
"""

import io
import random
from collections.abc import Callable, Iterable
from itertools import combinations

from msgspec.structs import replace

from bluered.documents.document import Document, Relation
from bluered.formats import pubtator

TYPES = (
    "Association",
    "Positive_Correlation",
    "Negative_Correlation",
    "Bind",
    "Cotreatment",
    "Comparison",
    "Drug_Interaction",
    "Conversion",
)
Documents = list[Document]


def to_bytes(documents: Iterable[Document]) -> bytes:
    stream = io.BytesIO()
    pubtator.write(documents, stream)
    return stream.getvalue()


def from_bytes(content: bytes) -> Documents:
    return list(pubtator.read(io.BytesIO(content), check=False))


def each(documents: Documents, change: Callable[[int, Relation], list[Relation]]) -> Documents:
    """Apply a change to every relation, given its running number in the file."""
    changed, number = [], 0
    for document in documents:
        relations: list[Relation] = []
        for relation in document.relations:
            relations += change(number, relation)
            number += 1
        changed.append(replace(document, relations=tuple(relations)))
    return changed


def plain(relation: Relation) -> Relation:
    return replace(relation, infons={})


def next_type(relation: Relation, step: int = 1) -> str:
    return TYPES[(TYPES.index(relation.type) + step) % len(TYPES)]


def concepts(document: Document, *, sort: str | None = None) -> list[str]:
    """Return the single ids of the document in order of mention, of one type if asked."""
    found = [
        c
        for e in document.entities
        for c in e.concepts
        if c != "-" and len(e.concepts) == 1 and sort in (None, e.type)
    ]
    return list(dict.fromkeys(found))


def identical(gold: Documents) -> bytes:
    return to_bytes(gold)


def dropped(gold: Documents) -> bytes:
    return to_bytes(each(gold, lambda n, r: [] if n % 3 == 0 else [r]))


def added(gold: Documents) -> bytes:
    changed = []
    for document in gold:
        names = concepts(document)
        known = {frozenset({r.head, r.tail}) for r in document.relations}
        new = [
            Relation(type=TYPES[i % 3], head=a, tail=b, novel=i % 2 == 0)
            for i, (a, b) in enumerate(combinations(names, 2))
            if frozenset({a, b}) not in known and i % 4 == 0
        ]
        changed.append(replace(document, relations=document.relations + tuple(new)))
    return to_bytes(changed)


def retyped(gold: Documents) -> bytes:
    return to_bytes(each(gold, lambda n, r: [replace(r, type=next_type(r)) if n % 4 == 0 else r]))


def retyped_rarely_annotated(gold: Documents) -> bytes:
    rare = ("Conversion", "Drug_Interaction")
    return to_bytes(each(gold, lambda n, r: [replace(r, type=rare[n % 2]) if n % 9 == 0 else r]))


def weakened(gold: Documents) -> bytes:
    return to_bytes(each(gold, lambda n, r: [replace(r, type="Association") if n % 2 == 0 else r]))


def swapped(gold: Documents) -> bytes:
    return to_bytes(each(gold, lambda _, r: [replace(r, head=r.tail, tail=r.head)]))


def duplicated(gold: Documents) -> bytes:
    return to_bytes(each(gold, lambda _, r: [r, replace(r, head=r.tail, tail=r.head), r]))


def conflicting(gold: Documents) -> bytes:
    return to_bytes(
        each(
            gold,
            lambda n, r: (
                [r, replace(r, type=next_type(r, 2), novel=not r.novel)] if n % 5 == 0 else [r]
            ),
        )
    )


def multiple_ids(gold: Documents) -> bytes:
    changed = []
    for document in gold:
        names = concepts(document)
        relations = [
            replace(r, head=f"{r.head},{names[n % len(names)]}") if n % 3 == 0 else r
            for n, r in enumerate(document.relations)
        ]
        changed.append(replace(document, relations=tuple(relations)))
    return to_bytes(changed)


def at_signs(gold: Documents) -> bytes:
    return to_bytes(each(gold, lambda n, r: [replace(r, head=f"99@{r.head}") if n % 6 == 0 else r]))


def missing_documents(gold: Documents) -> bytes:
    return to_bytes(gold[: len(gold) // 2])


def empty_documents(gold: Documents) -> bytes:
    half = len(gold) // 2
    return to_bytes(gold[:half] + [replace(d, relations=()) for d in gold[half:]])


def unknown_document(gold: Documents) -> bytes:
    return to_bytes([*gold, replace(gold[0], id="99999999")])


def novelty_flipped(gold: Documents) -> bytes:
    return to_bytes(each(gold, lambda n, r: [replace(r, novel=not r.novel) if n % 3 == 0 else r]))


def novelty_left_out(gold: Documents) -> bytes:
    return to_bytes(each(gold, lambda _, r: [replace(r, novel=None)]))


def novelty_and_score(gold: Documents) -> bytes:
    return to_bytes(
        each(
            gold,
            lambda n, r: [replace(r, infons={pubtator.SCORE: "0.9"}) if n % 4 == 0 else r],
        )
    )


def unknown_ids(gold: Documents) -> bytes:
    return to_bytes(each(gold, lambda n, r: [replace(r, head="D999999") if n % 10 == 0 else r]))


def last_without_relations(gold: Documents) -> bytes:
    return to_bytes([*gold[:-1], replace(gold[-1], relations=())]).rstrip(b"\n") + b"\n"


def no_last_blank_line(gold: Documents) -> bytes:
    return to_bytes(gold).rstrip(b"\n") + b"\n"


def double_blank_lines(gold: Documents) -> bytes:
    return to_bytes(gold).replace(b"\n\n", b"\n\n\n")


def some_double_blank_lines(gold: Documents) -> bytes:
    blocks = to_bytes(gold).split(b"\n\n")[:-1]
    return b"".join(
        block + (b"\n\n\n" if n % 10 == 0 else b"\n\n") for n, block in enumerate(blocks)
    )


def some_blank_lines_missing(gold: Documents) -> bytes:
    blocks = to_bytes(gold).split(b"\n\n")[:-1]
    return b"".join(block + (b"\n" if n % 10 == 0 else b"\n\n") for n, block in enumerate(blocks))


def mentions_retyped(gold: Documents) -> bytes:
    changed = []
    for document in gold:
        entities = [
            replace(e, type="GeneOrGeneProduct") if n % 7 == 0 else e
            for n, e in enumerate(document.entities)
        ]
        changed.append(replace(document, entities=tuple(entities)))
    return to_bytes(changed)


def short_type_names(gold: Documents) -> bytes:
    names = {"GeneOrGeneProduct": "Gene", "DiseaseOrPhenotypicFeature": "Disease"}
    changed = []
    for n, document in enumerate(gold):
        entities = [
            replace(e, type=names.get(e.type, e.type)) if n % 2 == 0 else e
            for e in document.entities
        ]
        changed.append(replace(document, entities=tuple(entities)))
    return to_bytes(changed)


def pairs_outside(gold: Documents) -> bytes:
    changed = []
    for document in gold:
        diseases = concepts(document, sort="DiseaseOrPhenotypicFeature")[:2]
        genes = concepts(document, sort="GeneOrGeneProduct")[:1]
        variants = concepts(document, sort="SequenceVariant")[:1]
        species = concepts(document, sort="OrganismTaxon")[:1]
        pairs = [*combinations(diseases, 2), *zip(genes, variants, strict=False)]
        pairs += [*zip(genes, species, strict=False), *((c, c) for c in genes + diseases)]
        new = [Relation(type="Association", head=a, tail=b, novel=True) for a, b in pairs]
        changed.append(replace(document, relations=document.relations + tuple(new)))
    return to_bytes(changed)


def lower_case_types(gold: Documents) -> bytes:
    return to_bytes(each(gold, lambda n, r: [replace(r, type=r.type.lower()) if n % 5 == 0 else r]))


def shuffled(gold: Documents) -> bytes:
    documents = list(gold)
    random.Random(7).shuffle(documents)
    return to_bytes(documents)


def carriage_returns(gold: Documents) -> bytes:
    return to_bytes(gold[::2]).replace(b"\n", b"\r\n")


def a_bad_system(gold: Documents) -> bytes:
    """Everything at once: dropped, added, retyped, flipped, swapped, duplicated, lost documents."""
    rng = random.Random(11)

    def change(_: int, relation: Relation) -> list[Relation]:
        if rng.random() < 0.3:
            return []
        if rng.random() < 0.3:
            relation = replace(relation, type=rng.choice(TYPES))
        if rng.random() < 0.3:
            relation = replace(relation, novel=not relation.novel)
        if rng.random() < 0.5:
            relation = replace(relation, head=relation.tail, tail=relation.head)
        return [relation] * rng.choice([1, 1, 1, 2])

    documents = each(from_bytes(added(gold)), change)
    return to_bytes(document for document in documents if rng.random() < 0.9)


NAMES = [
    identical, dropped, added, retyped, retyped_rarely_annotated, weakened, swapped, duplicated,
    conflicting, multiple_ids, at_signs, missing_documents, empty_documents, unknown_document,
    novelty_flipped, novelty_left_out, novelty_and_score, unknown_ids, last_without_relations,
    no_last_blank_line, double_blank_lines, some_double_blank_lines, some_blank_lines_missing,
    mentions_retyped, short_type_names, pairs_outside, lower_case_types, shuffled,
    carriage_returns, a_bad_system,
]  # fmt: skip
PERTURBATIONS = {function.__name__: function for function in NAMES}
