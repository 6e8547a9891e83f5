"""Which pair of mentions a row is about, in files that name pairs in different ways.

BLUE's evaluation files have `docid`, `arg1` and `arg2` beside a running `id`; its files for models
have one index: `10064839.T49.T56` (ChemProt, i2b2: document and arguments) or
`DDI-DrugBank.d0.s1.p0` (DDI: the pair's own id). A row that names its arguments is looked up by
document and arguments, then by both written as an index; a row with an index only by that.
"""

from collections.abc import Sequence

from bluered.documents.examples import RelationExample


class GoldPairs:
    """The gold's pairs in order, found again by arguments or by id."""

    def __init__(self, rows: Sequence[RelationExample]) -> None:
        self.documents: list[str] = []
        """The document of each pair."""
        self.names: list[str] = []
        """What messages call each pair."""
        self.compared: list[str] = []
        """By what each pair is found: its document and arguments if it has any, else its id."""
        self.of_row: list[int] = []
        """The pair of each gold row."""
        self._arguments: dict[tuple[str, str, str], int] = {}
        self._ids: dict[str, int] = {}
        self._joined: dict[str, int] = {}
        for row in rows:
            self.of_row.append(self._enter(row))

    def __len__(self) -> int:
        return len(self.documents)

    def _enter(self, row: RelationExample) -> int:
        known = self.find(row)
        if known is None:
            known = len(self.documents)
            self.documents.append(document_of(row))
            self.names.append(pair_name(row))
            self.compared.append(compared_name(row))
        if has_arguments(row):
            self._arguments[row.document, row.head, row.tail] = known
            self._joined[_joined(row)] = known
        if row.id:
            self._ids.setdefault(row.id, known)
        return known

    def find(self, row: RelationExample) -> int | None:
        """Return the number of the gold pair a row is about, or None."""
        if not has_arguments(row):
            found = self._ids.get(row.id)
            return self._joined.get(row.id) if found is None else found
        if self._arguments:
            return self._arguments.get((row.document, row.head, row.tail))
        found = self._ids.get(_joined(row))
        return self._ids.get(row.id) if found is None else found


def has_arguments(row: RelationExample) -> bool:
    """Tell whether a row names the two mentions."""
    return bool(row.head and row.tail)


def pair_key(row: RelationExample) -> tuple[str, ...]:
    """Return what tells a row's pair from others of its file."""
    return (row.document, row.head, row.tail) if has_arguments(row) else (row.id,)


def pair_name(row: RelationExample) -> str:
    """Return what messages call the pair of a row."""
    return row.id or _joined(row)


def compared_name(row: RelationExample) -> str:
    """Return by what a row is looked up: document and arguments if it has any, else its id."""
    return _joined(row) if has_arguments(row) else row.id


def document_of(row: RelationExample) -> str:
    """Return the document of a row; of one with an index only, the index without its last parts."""
    return row.document or row.id.rsplit(".", 2)[0]


def _joined(row: RelationExample) -> str:
    return f"{row.document}.{row.head}.{row.tail}"
