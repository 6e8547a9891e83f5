"""How good concept ids are: accuracy on given mentions, mentions with ids, concepts of documents.

Ids are compared without the prefix `MESH:`, without outer blanks and without case. A placeholder
for "no id" and an id that holds within its document only name no concept: they are no answer.
Everything is counted per document and summed (micro average). docs/scores.md has the rules with a
worked example.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from bluered.documents.biored_types import ENTITY_TYPES
from bluered.documents.concepts import is_local
from bluered.documents.document import Document, Entity, known_concepts
from bluered.formats.identifiers import split_identifier
from bluered.metrics.counts import Counts, compare
from bluered.tasks.biored.correct import Mention
from bluered.tasks.biored.labels import entity_type
from bluered.tasks.scores import Paired, Path, Scores, collect, pair_documents

Known = Callable[[str, str], bool]
"""Whether a terminology holds a concept, by its BioRED type and its id as the gold writes it."""

_PREFIX = re.compile(r"mesh:", re.IGNORECASE)


class Answer(Struct, frozen=True):
    """The concepts a mention has been given: their keys, the ids as written, whether it is all.

    `composite`: the mention names all of them; else it stands for any.
    """

    keys: frozenset[str]
    written: tuple[str, ...]
    composite: bool = False


NONE = Answer(frozenset(), ())


def id_key(identifier: str) -> str:
    """Return what a single id is compared by.

    >>> id_key("MESH:D003924") == id_key(" d003924")
    True
    """
    return _PREFIX.sub("", identifier.strip(), count=1).casefold()


def real_ids(entity: Entity) -> tuple[str, ...]:
    """Return the ids of a mention that name a concept: no placeholder, none made up for a document.

    An id that is several joined ones is split.
    """
    known = (concept for concept in known_concepts(entity) if not is_local(concept))
    return tuple(part for concept in known for part in split_identifier(concept).concepts)


def answers(document: Document | None) -> dict[Mention, Answer]:
    """Return what each mention of a document, by its spans and type, has been given.

    A mention that stands twice has the ids of both.
    """
    found: dict[Mention, Answer] = {}
    for entity in document.entities if document else ():
        spans = tuple((span.start, span.end) for span in entity.spans)
        key = (spans, entity_type(entity.type))
        before, ids = found.get(key, NONE), real_ids(entity)
        found[key] = Answer(
            before.keys | set(map(id_key, ids)),
            (*before.written, *ids),
            before.composite or entity.combination == "composite",
        )
    return found


def right(gold: Answer, given: Answer) -> bool:
    """Tell whether a mention's ids are right.

    All of the gold's and no other where the gold has one or names several (composite); of
    alternatives one or more, and no other.
    """
    if gold.composite or len(gold.keys) == 1:
        return given.keys == gold.keys
    return bool(given.keys) and given.keys <= gold.keys


def reachable(gold: Answer, kind: str, known: Known) -> bool:
    """Tell whether a terminology holds what a right answer needs."""
    held = (known(kind, concept) for concept in gold.written)
    return all(held) if gold.composite else any(held)


def score_given(
    gold: Iterable[Document],
    linked: Iterable[Document],
    *,
    known: Known | None = None,
    only_found: bool = False,
) -> Scores:
    """Score the ids given to gold mentions, all measures under "linking".

    Asked are gold mentions with an id. Each is right or wrong, so that precision, recall and F1 of
    a measure are one number, the accuracy; no answer is wrong. "answered" has the accuracy among
    the mentions that got an id, "known" that among those whose id the terminology holds.
    `only_found` asks only for mentions that `linked` has too, as in a file of any system.
    """
    pairs = pair_documents(gold, linked)
    notes: Counter[str] = Counter()
    counts = collect(_given(pair, known, notes, only_found=only_found) for pair in pairs)
    if known is not None:
        ids = _gold_ids(pairs)
        notes[f"linking: of {len(ids)} gold ids the terminology does not hold"] = sum(
            not known(kind, concept) for kind, concept in ids.values()
        )
    return _scores(pairs, counts, notes)


def score_concepts(gold: Iterable[Document], predicted: Iterable[Document]) -> Scores:
    """Score the concepts of each document and its mentions with ids.

    "concepts" compares sets of type and id, each id of a mention for itself. "mention_ids"
    compares mentions with an id: spans and type must be the gold's exactly, the ids right.
    """
    pairs = pair_documents(gold, predicted)
    notes: Counter[str] = Counter()
    counts = collect(_concepts(pair, notes) for pair in pairs)
    return _scores(pairs, counts, notes)


def have_ids(documents: Iterable[Document]) -> bool:
    """Tell whether a mention of any document has an id that names a concept."""
    return any(real_ids(entity) for document in documents for entity in document.entities)


def _scores(
    pairs: Iterable[Paired], counts: Mapping[Path, list[Counts]], notes: Mapping[str, int]
) -> Scores:
    return Scores(
        task="biored",
        scorer="correct",
        documents=tuple(pair.id for pair in pairs),
        counts=_in_order(counts),
        notes=dict(notes),
    )


def _given(
    pair: Paired, known: Known | None, notes: Counter[str], *, only_found: bool
) -> dict[Path, Counts]:
    found = answers(pair.predicted)
    measures: dict[Path, Counts] = {}

    def count(outcome: Counts, *groups: str) -> None:
        for path in (("linking", *groups, "overall"), ("linking", *groups, "by_type", mention[1])):
            measures[path] = measures.get(path, Counts()) + outcome

    for mention, answer in answers(pair.gold).items():
        if not answer.keys:
            notes["linking: gold mentions without an id, not asked"] += 1
            continue
        if only_found and mention not in found:
            notes["linking: gold mentions that the prediction lacks, not asked"] += 1
            continue
        given = found.get(mention, NONE)
        outcome = Counts(tp=1) if right(answer, given) else Counts(fp=1, fn=1)
        count(outcome)
        if given.keys:
            count(outcome, "answered")
        if known is not None and reachable(answer, mention[1], known):
            count(outcome, "known")
    return measures


def _gold_ids(pairs: Iterable[Paired]) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the gold's types and ids, each once, by what they are compared by."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for pair in pairs:
        for (_, kind), answer in answers(pair.gold).items():
            for concept in answer.written:
                found.setdefault((kind, id_key(concept)), (kind, concept))
    return found


def _concepts(pair: Paired, notes: Counter[str]) -> dict[Path, Counts]:
    gold, predicted = answers(pair.gold), answers(pair.predicted)
    for side, given in (("gold", gold), ("predicted", predicted)):
        if without := sum(not answer.keys for answer in given.values()):
            notes[f"concepts: {side} mentions without an id that names a concept"] += without
    measures = _by_type("concepts", set(_named(gold)), set(_named(predicted)))
    return measures | _mention_ids(gold, predicted)


def _named(given: Mapping[Mention, Answer]) -> Iterator[tuple[str, str]]:
    for (_, kind), answer in given.items():
        for key in answer.keys:
            yield kind, key


def _by_type(
    name: str, gold: set[tuple[str, str]], predicted: set[tuple[str, str]]
) -> dict[Path, Counts]:
    measures: dict[Path, Counts] = {(name, "overall"): compare(gold, predicted)}
    for kind in {kind for kind, _ in gold | predicted}:
        measures[name, "by_type", kind] = compare(
            {one for one in gold if one[0] == kind}, {one for one in predicted if one[0] == kind}
        )
    return measures


def _mention_ids(
    gold: Mapping[Mention, Answer], predicted: Mapping[Mention, Answer]
) -> dict[Path, Counts]:
    measures: dict[Path, Counts] = {("mention_ids", "overall"): Counts()}

    def count(kind: str, outcome: Counts) -> None:
        for path in (("mention_ids", "overall"), ("mention_ids", "by_type", kind)):
            measures[path] = measures.get(path, Counts()) + outcome

    for mention in gold.keys() | predicted.keys():
        sought, given = gold.get(mention, NONE), predicted.get(mention, NONE)
        if sought.keys and right(sought, given):
            count(mention[1], Counts(tp=1))
        else:
            count(mention[1], Counts(fp=int(bool(given.keys)), fn=int(bool(sought.keys))))
    return measures


def _in_order(counts: Mapping[Path, list[Counts]]) -> dict[Path, list[Counts]]:
    """Put the measures in the order of the types; those that are of nothing at all are left out."""
    some = {path for path, found in counts.items() if any(one != Counts() for one in found)}
    known = [path for path in _paths() if path in some]
    return {path: counts[path] for path in [*known, *sorted(some - set(known))]}


def _paths() -> Iterator[Path]:
    for prefix in (
        ("mention_ids",), ("concepts",), ("linking",), ("linking", "answered"),
        ("linking", "known"),
    ):  # fmt: skip
        yield (*prefix, "overall")
        for name in ENTITY_TYPES:
            yield (*prefix, "by_type", name)
