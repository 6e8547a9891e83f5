"""What is counted of a corpus: the same shape for what was found and what is expected."""

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import asdict

TOTAL = "total"
"""The name under which the counts over all splits stand beside those of each split."""


class Counts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Counts of one split, or of all of them; what is None or empty was not counted.

    `unique_ids` are the different concept ids of each entity type; `document_ids` the same counted
    once per document and summed. `concept_pairs` are relations by the types of their two ends, in
    alphabetical order. The placeholders for "no id" are no ids. `mention_relations` are those
    between two mentions, by type. `sentences`, `pairs` and `labels` are for corpora that are not
    made of documents: labelled texts, text pairs or candidate relations, and how often each label
    was given.
    """

    documents: int | None = None
    sentences: int | None = None
    pairs: int | None = None
    labels: dict[str, int] = field(default_factory=dict)
    mentions: dict[str, int] = field(default_factory=dict)
    unique_ids: dict[str, int] = field(default_factory=dict)
    document_ids: dict[str, int] = field(default_factory=dict)
    mentions_with_several_ids: int | None = None
    mentions_without_id: int | None = None
    relations: dict[str, int] = field(default_factory=dict)
    concept_pairs: dict[str, int] = field(default_factory=dict)
    self_relations: int | None = None
    novel: int | None = None
    mention_relations: dict[str, int] = field(default_factory=dict)


class Row(Struct, frozen=True):
    """One count: `part` is the type it is about, "all" for the sum over types, "" where none is."""

    measure: str
    part: str
    value: int

    @property
    def label(self) -> str:
        """The row's name in a table."""
        words = self.measure.replace("_", " ")
        return f"{words}: {self.part}" if self.part else words


def rows(counts: Counts) -> Iterator[Row]:
    """Yield every count, for counts by type first their sum, then the types by name."""
    for measure, value in asdict(counts).items():
        if isinstance(value, dict):
            if value:
                yield Row(measure, "all", sum(value.values()))
            yield from (Row(measure, part, value[part]) for part in sorted(value))
        elif value is not None:
            yield Row(measure, "", value)


def differences(found: Counts, expected: Counts) -> Iterator[str]:
    """Yield one line for each expected count that was not found, and each unexpected type."""
    seen = {(row.measure, row.part): row.value for row in rows(found)}
    asked = {(row.measure, row.part): row for row in rows(expected)}
    for key, row in asked.items():
        if seen.get(key, 0) != row.value:
            yield f"{row.label}: expected {row.value}, found {seen.get(key, 0)}"
    measures = {measure for measure, _ in asked}
    for row in rows(found):
        if row.measure in measures and (row.measure, row.part) not in asked:
            yield f"{row.label}: expected none, found {row.value}"
