"""Which mentions are missed and invented: by type, by whether training texts have the name, how.

A gold mention that was not found exactly has one kind of error, from the first of these rules that
holds for a wrong prediction (one that is itself right for another mention does not count):

- type: a prediction has its spans and another type.
- border: a prediction of its type overlaps it.
- both: a prediction of another type overlaps it.
- missed: no wrong prediction overlaps it.

A wrong prediction that overlaps no gold mention that was not found is spurious. These are the
classes of MUC-5's scorer (Chinchor and Sundheim 1993) with "partial" told apart by type.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set

from msgspec import Struct

from bluered.documents.document import Document
from bluered.metrics.counts import Counts
from bluered.tasks.biored.correct import Mention, mentions
from bluered.tasks.biored.labels import entity_type
from bluered.tasks.scores import Paired, pair_documents

KINDS = ("border", "type", "both", "missed", "spurious")
"""How a mention can be wrong; all but the last are of gold mentions."""

Seen = str
SEEN: tuple[Seen, ...] = ("seen", "other type", "unseen")
"""Whether the training part has the name: as this type, only as another one, not at all."""

Names = Mapping[str, Set[str]]
"""The types that each name has in training texts."""


class Group(Struct, frozen=True):
    """The mentions of a type whose names are (un)seen: what was counted, and kinds of error."""

    counts: Counts
    kinds: dict[str, int]


def names_of(documents: Iterable[Document]) -> dict[str, set[str]]:
    """Return the types of each name in documents; case and white space do not count."""
    found: dict[str, set[str]] = {}
    for document in documents:
        for entity in document.entities:
            found.setdefault(_name(entity.text), set()).add(entity_type(entity.type))
    return found


def mention_errors(
    gold: Iterable[Document], predicted: Iterable[Document], *, names: Names
) -> dict[tuple[str, Seen], Group]:
    """Return the errors by type and by whether the name was seen; only groups that occur."""
    counts: dict[tuple[str, Seen], Counts] = {}
    kinds: Counter[tuple[str, Seen, str]] = Counter()
    for pair in pair_documents(gold, predicted):
        for mention, count, kind in _judged(pair):
            group = (mention[1], _seen(_text(mention, pair), mention[1], names))
            counts[group] = counts.get(group, Counts()) + count
            if kind:
                kinds[*group, kind] += 1
    return {
        group: Group(counts[group], {kind: kinds[*group, kind] for kind in KINDS})
        for group in sorted(counts)
    }


def total(groups: Iterable[Group]) -> Group:
    """Return several groups as one."""
    listed = list(groups)
    counts = sum((one.counts for one in listed), start=Counts())
    return Group(counts, {kind: sum(one.kinds[kind] for one in listed) for kind in KINDS})


def _judged(pair: Paired) -> Iterator[tuple[Mention, Counts, str]]:
    """Yield each mention of either side with what it counts and its kind of error, "" for none."""
    gold, predicted = mentions(pair.gold), mentions(pair.predicted)
    missed, wrong = gold - predicted, predicted - gold
    for mention in gold & predicted:
        yield mention, Counts(tp=1), ""
    for mention in missed:
        yield mention, Counts(fn=1), _kind(mention, wrong)
    for mention in wrong:
        touched = any(_overlap(mention, other) for other in missed)
        yield mention, Counts(fp=1), "" if touched else "spurious"


def _kind(mention: Mention, wrong: Set[Mention]) -> str:
    near = [other for other in wrong if _overlap(mention, other)]
    if any(other[0] == mention[0] for other in near):
        return "type"
    if any(other[1] == mention[1] for other in near):
        return "border"
    return "both" if near else "missed"


def _overlap(one: Mention, other: Mention) -> bool:
    return any(a[0] < b[1] and b[0] < a[1] for a in one[0] for b in other[0])


def _text(mention: Mention, pair: Paired) -> str:
    document = pair.gold or pair.predicted
    text = document.text if document else ""
    return " ".join(text[start:end] for start, end in mention[0])


def _seen(text: str, kind: str, names: Names) -> Seen:
    types = names.get(_name(text))
    return "unseen" if not types else "seen" if kind in types else "other type"


def _name(text: str) -> str:
    return " ".join(text.lower().split())
