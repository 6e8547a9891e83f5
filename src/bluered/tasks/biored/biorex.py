"""`--scorer biorex`: what BioREx's evaluator prints, with each of its oddities in one function.

Source: github.com/ncbi/BioREx at 1f199d8, src/utils/run_pubtator_eval.py, functions `eval` and
`retrive_relation_pairs_dict`, called as its option `biored_eval` does (five concept pairs; once
typed, once binary). Its published setting splits ids at `;`, with which it stops at the released
files, whose ids are joined by `,`; both are split at here.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from bluered.documents.biored_types import CHEMICAL, DISEASE, GENE
from bluered.documents.document import Document, Entity, Relation
from bluered.formats.identifiers import join_concepts
from bluered.formats.pubtator import BLANKS_AFTER, COLUMNS, EXTRA, SCORE
from bluered.metrics.counts import Counts, compare, total
from bluered.tasks.biored.correct import types_of
from bluered.tasks.biored.labels import (
    CONCEPT_PAIRS,
    UNKNOWN_PAIR,
    concept_key,
    entity_type,
    relation_type,
)
from bluered.tasks.quirks import Quirk, Step, walk
from bluered.tasks.scores import Path, Scores, collect, pair_documents

_READER = "run_pubtator_eval.py, retrive_relation_pairs_dict"
_EVAL = "run_pubtator_eval.py, eval"

QUIRKS = (
    Quirk(
        "five_pairs",
        "only chemical-chemical, chemical-disease, chemical-gene, disease-gene and gene-gene "
        "relations count: 966 of the 1163 of BioRED test",
        "run_pubtator_eval.py, _is_five_considered_ne_pairs",
    ),
    Quirk(
        "types_must_agree",
        "a concept has the type of its last mention in its own file, and a relation is right only "
        "if both files give its concepts the same types",
        _READER,
    ),
    Quirk(
        "names_as_written",
        "names are not brought to BioRED's: an entity type 'Gene' is in none of the five pairs, "
        "a relation 'positive_correlation' is another type than 'Positive_Correlation'",
        _READER,
    ),
    Quirk(
        "ids_split",
        "a relation end of several ids joined by , or ; becomes one relation per id",
        _READER,
    ),
    Quirk("at_sign", "of an id with @ only what follows the first @ is kept", _READER),
    Quirk(
        "six_columns",
        "a relation line of six columns or more (novelty and score) is read as a mention and lost",
        _READER,
    ),
    Quirk(
        "unknown_ids",
        "a relation that names an id no mention has, or a mention without an identifier column, "
        "stops the original with a KeyError; here that line is left out and counted in the notes",
        _READER,
    ),
    Quirk(
        "blank_lines",
        "a second blank line after a document wipes its relations, no blank line hands them to "
        "the next document, and a last document without either relations or blank line vanishes",
        _READER,
    ),
    Quirk(
        "missing_documents",
        "gold documents that the prediction lacks are not missed",
        _EVAL,
    ),
)

ALL = frozenset(quirk.name for quirk in QUIRKS)

FIVE_PAIRS = {frozenset(p) for p in ((CHEMICAL,), (CHEMICAL, DISEASE), (CHEMICAL, GENE))} | {
    frozenset(p) for p in ((DISEASE, GENE), (GENE,))
}

MEASURES = ("typed", "binary")

Element = tuple[str, ...]
"""Two concepts in alphabetical order, the relation type, and perhaps the two concepts' types."""


def score(
    gold: Sequence[Document], predicted: Sequence[Document], *, quirks: Collection[str] = ALL
) -> Scores:
    """Score relations as BioREx does; documents come in the order of their files.

    With `quirks` empty the counts are those of `correct` for "type" (typed) and "pair" (binary).
    """
    pair_documents(gold, predicted)  # raises where the files cannot belong together
    notes: Counter[str] = Counter()
    golds = {document.id: document for document in gold}
    rows: dict[str, dict[Path, Counts]] = {}
    for measure in MEASURES:
        binary = measure == "binary"
        kept: Counter[str] = notes if binary else Counter()
        left = relations(gold, golds, binary=binary, quirks=quirks, notes=kept)
        right = relations(predicted, golds, binary=binary, quirks=quirks, notes=kept)
        for key in sorted({d.id for d in [*gold, *predicted]}):
            found = _compare(left.get(key), right.get(key), quirks=quirks)
            rows.setdefault(key, {}).update(_measures(found, measure))
    return Scores(
        task="biored",
        scorer="biorex",
        documents=tuple(rows),
        counts=_in_order(collect(rows.values())),
        notes=dict(notes),
    )


def moves(gold: Sequence[Document], predicted: Sequence[Document]) -> list[Step]:
    """Return what each quirk moves, on the way from the clean rule to BioREx's."""

    def totals(quirks: frozenset[str]) -> dict[str, Counts]:
        scores = score(gold, predicted, quirks=quirks)
        return {measure: scores.total(measure) for measure in MEASURES}

    return walk(QUIRKS, totals)


Elements = dict[Element, str]
"""Each element with the name of its pair of concept types."""


def relations(
    documents: Sequence[Document],
    golds: Mapping[str, Document],
    *,
    binary: bool,
    quirks: Collection[str],
    notes: Counter[str],
) -> dict[str, Elements]:
    """Return the elements of each document of one file, as the evaluator's reader gathers them.

    The reader hands over what it has gathered at every blank line, and once more at the end of the
    file if anything is left; types, too, are forgotten at a blank line only.
    """
    found: dict[str, Elements] = {}
    gathered: Elements = {}
    types: dict[str, str] = {}
    for document in documents:
        if "types_must_agree" in quirks:
            types |= types_of_last_mentions(document, quirks)
        else:
            types |= types_of(document) | types_of(golds.get(document.id))
        gathered |= dict(_elements(document, types, binary=binary, quirks=quirks, notes=notes))
        for _ in range(blank_lines_after(document) if "blank_lines" in quirks else 1):
            found[document.id] = gathered
            gathered, types = {}, {}
    if gathered:
        found[documents[-1].id] = gathered
    return found


def blank_lines_after(document: Document) -> int:
    """Return how many blank lines follow a document in its file (1 if it was no PubTator file)."""
    return int(document.infons.get(BLANKS_AFTER, "1"))


def types_of_last_mentions(document: Document, quirks: Collection[str]) -> dict[str, str]:
    """Return the type of each concept's last line in the file: later lines overwrite earlier."""
    types: dict[str, str] = {}
    for entity in document.entities:
        name = entity.type if "names_as_written" in quirks else entity_type(entity.type)
        types.update(dict.fromkeys(mention_ids(entity, quirks), name))
    return types


def mention_ids(entity: Entity, quirks: Collection[str]) -> list[str]:
    """Return the ids a mention gives a type to."""
    column = join_concepts(entity)
    if "at_sign" in quirks:
        column = after_at_sign(column)
    if "ids_split" in quirks:
        return split_ids(column)
    return [concept_key(column), *entity.concepts]


def split_ids(column: str) -> list[str]:
    """Split an id at `,` and `;` and nothing else, so that `D014693|D017180` stays whole."""
    return re.split("[,;]", column)


def after_at_sign(identifier: str) -> str:
    """Return what stands between the first and the second `@` of an id, or the id without one."""
    return identifier.split("@")[1] if "@" in identifier else identifier


def relation_ends(relation: Relation, quirks: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of ids a relation line stands for, each in alphabetical order."""
    if "ids_split" in quirks:
        pairs = [(a, b) for a in split_ids(relation.head) for b in split_ids(relation.tail)]
    else:
        pairs = [(concept_key(relation.head), concept_key(relation.tail))]
    for head, tail in pairs:
        if "at_sign" in quirks:
            head, tail = after_at_sign(head), after_at_sign(tail)
        yield (head, tail) if head < tail else (tail, head)


def columns_of(relation: Relation) -> int:
    """Return how many columns the relation's PubTator line has."""
    extra = relation.infons.get(EXTRA)
    return (
        4
        + (relation.novel is not None)
        + (SCORE in relation.infons)
        + (len(extra.split("\t")) if extra is not None else 0)
    )


def _elements(
    document: Document,
    types: Mapping[str, str],
    *,
    binary: bool,
    quirks: Collection[str],
    notes: Counter[str],
) -> Iterator[tuple[Element, str]]:
    if "unknown_ids" in quirks:
        _note_bare_mentions(document, notes)
    for relation in document.relations:
        if "six_columns" in quirks and columns_of(relation) > 5:
            notes["relation lines of more than five columns, lost"] += 1
            continue
        label = "Association" if binary else relation.type
        if "names_as_written" not in quirks:
            label = relation_type(label)
        for head, tail in relation_ends(relation, quirks):
            known = head in types and tail in types
            if not known and "unknown_ids" in quirks:
                notes["relations with an unknown id: the original stops there"] += 1
                continue
            pair = _pair(types[head], types[tail], quirks) if known else UNKNOWN_PAIR
            if pair is None:
                continue
            agree = known and "types_must_agree" in quirks
            yield (head, tail, label, *((types[head], types[tail]) if agree else ())), pair


def _pair(first: str, second: str, quirks: Collection[str]) -> str | None:
    """Return the name of the pair of types, or None for one that does not count."""
    pair = frozenset({first, second})
    if "five_pairs" in quirks and pair not in FIVE_PAIRS:
        return None
    return CONCEPT_PAIRS.get(pair)


def _note_bare_mentions(document: Document, notes: Counter[str]) -> None:
    bare = sum(e.infons.get(COLUMNS) == "5" or not join_concepts(e) for e in document.entities)
    if bare:
        notes["mention lines without an identifier: the original stops there"] += bare


def _compare(
    gold: Elements | None, predicted: Elements | None, *, quirks: Collection[str]
) -> dict[str, Counts]:
    """Count the elements of one document by pair of concept types."""
    if predicted is None and "missing_documents" in quirks:
        return {}
    left, right = gold or {}, predicted or {}
    return {
        name: compare(
            {e for e, pair in left.items() if pair == name},
            {e for e, pair in right.items() if pair == name},
        )
        for name in {*left.values(), *right.values()}
    }


def _measures(by_pair: Mapping[str, Counts], measure: str) -> dict[Path, Counts]:
    measures: dict[Path, Counts] = {(measure,): total(by_pair.values())}
    for name, counts in by_pair.items():
        measures["by_concept_pair", name, measure] = counts
    return measures


def _in_order(counts: Mapping[Path, list[Counts]]) -> dict[Path, list[Counts]]:
    names = [*CONCEPT_PAIRS.values(), UNKNOWN_PAIR]
    paths: list[Path] = [(measure,) for measure in MEASURES]
    paths += [("by_concept_pair", name, measure) for name in names for measure in MEASURES]
    return {path: counts[path] for path in paths if path in counts}
