"""Tasks made up for tests, and their examples in few words."""

from bluered.corpora.catalog import Task
from bluered.corpora.entry import Access, Citation, Columns, Corpus, Metric, TaskEntry, TaskType
from bluered.documents.document import Document, Entity, Span
from bluered.documents.examples import LabelledText, RelationExample, TextPair


def made_up(
    kind: TaskType,
    metric: Metric,
    *,
    labels: str = "",
    negative: str = "",
    types: str = "",
    examples: str = "",
    layout: str = "",
    access: Access = "open",
    columns: Columns = Columns(),  # noqa: B008 - frozen
) -> Task:
    entry = TaskEntry(
        type=kind,
        metric=metric,
        labels=tuple(labels.split()),
        negative=negative,
        entity_types=tuple(types.split()),
        examples=examples,
    )
    corpus = Corpus(
        name="made-up",
        title="Made up",
        version="1",
        licence="none",
        citation=Citation("nobody"),
        splits={"test": "test.tsv"},
        columns=columns,
        layout=layout,
        access=access,
        tasks={"made-up": entry},
    )
    return Task("made-up", corpus, entry)


SIMILARITY = made_up("sentence-similarity", "pearson")
INFERENCE = made_up("inference", "accuracy", labels="yes no maybe")
RELATIONS = made_up(
    "relation-extraction", "micro-f1", labels="A B C", negative="false", examples="chemprot"
)
TOPICS = made_up("document-classification", "example-f1", labels="a b c d", layout="hoc")
MENTIONS = made_up("named-entities", "mention-f1", types="Disease")


def scores(**values: float | None) -> list[TextPair]:
    return [TextPair(id=name, first="", second="", score=value) for name, value in values.items()]


def labels(**values: str) -> list[TextPair]:
    return [TextPair(id=name, first="", second="", label=value) for name, value in values.items()]


def rows(*written: str) -> list[RelationExample]:
    """Return relation examples of "document head tail label"."""
    found = []
    for row in written:
        document, head, tail, label = row.split()
        name = f"{document}.{head}.{tail}"
        found.append(
            RelationExample(id=name, document=document, head=head, tail=tail, text="", label=label)
        )
    return found


def topics(**values: str) -> list[LabelledText]:
    """Return labelled sentences `<document>_s<n>`, the labels written as one word of letters."""
    return [
        LabelledText(id=name, document=name.split("_")[0], text="", labels=tuple(value))
        for name, value in values.items()
    ]


def mentions(kind: str = "Disease", **values: str) -> list[Document]:
    """Return documents with mentions "1-4 6-9+11-12"; a + joins the spans of one."""
    found = []
    for name, written in values.items():
        entities = []
        for mention in written.split():
            pieces = [piece.split("-") for piece in mention.split("+")]
            spans = tuple(Span(int(start), int(end)) for start, end in pieces)
            entities.append(Entity(type=kind, spans=spans, text=mention))
        found.append(Document(id=name, text="", entities=tuple(entities)))
    return found
