"""What each oddity of BioREDirect's evaluator moves, from the clean rule to its counts."""

from collections.abc import Iterable, Sequence

from bluered.documents.document import Document
from bluered.metrics.counts import Counts, compare
from bluered.tasks.biored.bioredirect import score
from bluered.tasks.biored.correct import Claim, gold_claims, predicted_claims
from bluered.tasks.biored.labels import concept_key
from bluered.tasks.biored.rows import Label, Row, candidates, row_labels
from bluered.tasks.quirks import Quirk, Step, walk
from bluered.tasks.scores import Paired, pair_documents

QUIRKS = (
    Quirk(
        "candidate_rows",
        "only pairs of ids that the gold's mentions make a row of are looked at: other predictions "
        "are never false, other gold relations never missed",
        "utils.py, dump_documents_2_bioredirect_format",
    ),
    Quirk(
        "novel_by_default",
        "a relation that does not state its novelty is Novel",
        "evaluation.py, convert_to_biored_label",
    ),
    Quirk(
        "one_label",
        "a pair has one label: of several lines the last counts, and of the two orders of its ids "
        "that of the row",
        "convert_pubtator_2_tsv.py, load_pubtator_into_documents",
    ),
    Quirk(
        "labels_of_gold",
        "a predicted type that the gold never uses is not counted as false (and as no relation "
        "where only the pair counts)",
        "evaluation.py, evaluate_biored_f1_score, unique_labels",
    ),
    Quirk(
        "row_per_type",
        "a concept that the gold annotates with two types has two rows, and counts twice",
        "utils.py, dump_documents_2_bioredirect_format",
    ),
    Quirk(
        "association_of_gold",
        "errors of pair_nov are counted only if the gold has an Association, while a predicted "
        "Association is a pair even if it has none",
        "evaluation.py, evaluate_biored_f1_score, merge_labels",
    ),
)

CLEAN = {"pair": "pair", "pair_nov": "novelty", "rel": "type", "rel_nov": "all"}
"""Measures of the clean rule that BioREDirect has too, by its names."""


Element = tuple[str, tuple[str, str], tuple[str, str], str, bool | None]
"""Document, ids, the row's types where those make a difference, relation type, novelty."""


def moves(gold: Sequence[Document], predicted: Sequence[Document]) -> list[Step]:
    """Return what each quirk moves in the measures that the clean rule has too."""
    pairs = pair_documents(gold, predicted)

    def totals(quirks: frozenset[str]) -> dict[str, Counts]:
        if "association_of_gold" in quirks:
            scores = score(gold, predicted)
            return {name: scores.total(name) for name in CLEAN}
        left, right = _elements(pairs, quirks)
        if "labels_of_gold" in quirks:
            types = {element[3] for element in left}
            right = {element for element in right if element[3] in types}
        return {name: _compare(left, right, measure) for name, measure in CLEAN.items()}

    return walk(QUIRKS, totals)


def _elements(pairs: Iterable[Paired], quirks: frozenset[str]) -> tuple[set[Element], set[Element]]:
    left: set[Element] = set()
    right: set[Element] = set()
    for pair in pairs:
        if "one_label" in quirks:
            rows = row_labels(pair.gold, pair.predicted)
            per_type = "row_per_type" in quirks
            left |= {_labelled(pair.id, r, r.gold, per_type=per_type) for r in rows if r.gold.type}
            right |= {
                _labelled(pair.id, row, row.predicted, per_type=per_type)
                for row in rows
                if row.predicted.type
            }
        else:
            left |= _claimed(pair, gold_claims(pair), quirks)
            right |= _claimed(pair, predicted_claims(pair), quirks)
    return left, right


def _claimed(pair: Paired, claims: Iterable[Claim], quirks: frozenset[str]) -> set[Element]:
    rows = {
        tuple(sorted(map(concept_key, ids)))
        for ids, _ in candidates(pair.gold)
        if "candidate_rows" in quirks
    }
    default = True if "novel_by_default" in quirks else None
    return {
        (pair.id, one.ends, ("", ""), one.type, default if one.novel is None else one.novel)
        for one in claims
        if "candidate_rows" not in quirks or one.ends in rows
    }


def _labelled(document: str, row: Row, label: Label, *, per_type: bool) -> Element:
    first, second = sorted(map(concept_key, row.ids))
    types = row.types if per_type else ("", "")
    return (document, (first, second), types, label.type, label.novel)


def _compare(left: set[Element], right: set[Element], measure: str) -> Counts:
    def key(element: Element) -> tuple[object, ...]:
        *pair, name, novel = element
        return (
            *pair,
            name if measure in ("type", "all") else "",
            novel if measure in ("novelty", "all") else None,
        )

    return compare(set(map(key, left)), set(map(key, right)))
