"""How sure a system was of each thing that it said of BioRED documents, and whether it was right.

- A mention is right with exactly the gold's spans and type.
- A relation is right with the gold's two concepts and type: its confidence is that of both.
- A novelty is judged where the pair of concepts is right; it is right if the gold says the same.

What was not predicted has no confidence and is no part of it. As in `correct`, what is said twice
counts once (with the greatest confidence), and relations outside the eight pairs are not judged.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from bluered.documents.document import Document, Entity
from bluered.errors import BlueredError
from bluered.tasks.biored.correct import claim, gold_claims, mentions, types_of
from bluered.tasks.scores import Paired, pair_documents

TARGETS = ("mentions", "relations", "novelty")

Said = tuple[Hashable, float | None, bool]
"""What is said once, how sure, and whether it is right."""


class Answers(Struct, frozen=True):
    """The confidences of what was predicted, whether each is right, and how many have none."""

    confidences: tuple[float, ...]
    right: tuple[bool, ...]
    without: int


def answers(
    gold: Iterable[Document], *, tagged: Iterable[Document], related: Iterable[Document]
) -> dict[str, Answers]:
    """Return the answers of each target: mentions of `tagged`, the others of `related`."""
    golds = list(gold)
    found: dict[str, list[Said]] = {target: [] for target in TARGETS}
    for pair in pair_documents(golds, tagged):
        found["mentions"] += _checked(pair, "mention", _mentions(pair))
    for pair in pair_documents(golds, related):
        found["relations"] += _checked(pair, "relation", _relations(pair))
        found["novelty"] += _checked(pair, "novelty", _novelties(pair))
    return {target: _answers(said) for target, said in found.items()}


def _mentions(pair: Paired) -> Iterator[Said]:
    right = mentions(pair.gold)
    for entity in pair.predicted.entities if pair.predicted else ():
        key = _key(entity)
        yield key, entity.confidence, key in right


def _key(entity: Entity) -> Hashable:
    """Return what a mention is compared by."""
    alone = Document(id="", text="", entities=(replace(entity, concepts=()),))
    return next(iter(mentions(alone)))


def _relations(pair: Paired) -> Iterator[Said]:
    right = {one.key("type") for one in gold_claims(pair)}
    types = types_of(pair.predicted) | types_of(pair.gold)
    for relation in pair.predicted.relations if pair.predicted else ():
        if (one := claim(relation, types)) is not None:
            key = one.key("type")
            yield key, relation.confidence, key in right


def _novelties(pair: Paired) -> Iterator[Said]:
    gold = gold_claims(pair)
    pairs, right = ({one.key(measure) for one in gold} for measure in ("pair", "novelty"))
    types = types_of(pair.predicted) | types_of(pair.gold)
    for relation in pair.predicted.relations if pair.predicted else ():
        one = claim(relation, types)
        if one is not None and one.novel is not None and one.key("pair") in pairs:
            key = one.key("novelty")
            yield key, relation.novelty_confidence, key in right


def _checked(pair: Paired, what: str, said: Iterable[Said]) -> Iterator[Said]:
    """Yield what a document says, each thing once; refuse a confidence that is no probability."""
    once: dict[Hashable, Said] = {}
    for key, confidence, right in said:
        if confidence is not None and not 0 <= confidence <= 1:
            raise BlueredError(
                f"document {pair.id}: the confidence of a {what} is {confidence:g}, which is no "
                "probability: calibration needs confidences from 0 to 1"
            )
        before = once[key][1] if key in once else None
        if key not in once or (confidence or 0) > (before or 0):
            once[key] = (key, confidence, right)
    yield from once.values()


def _answers(said: Iterable[Said]) -> Answers:
    listed = list(said)
    known = [(confidence, right) for _, confidence, right in listed if confidence is not None]
    return Answers(
        tuple(confidence for confidence, _ in known),
        tuple(right for _, right in known),
        len(listed) - len(known),
    )


def have_confidences(found: Mapping[str, Answers]) -> bool:
    """Tell whether anything has a confidence."""
    return any(one.confidences for one in found.values())
