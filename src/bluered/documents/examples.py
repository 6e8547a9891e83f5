"""What the tasks beside documents are made of: pairs of texts, labelled texts, candidate relations.

An answer that is None is not known: examples of a test split as a model sees them. Predictions are
the same types with the answer filled in, so that both sides of a score are read alike.
"""

from msgspec import Struct

from bluered.documents.document import Document, Span


class TextPair(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="text-pair"):
    """Two texts with how alike they are (`score`) or how they stand to each other (`label`)."""

    id: str
    first: str
    second: str
    score: float | None = None
    label: str | None = None


class LabelledText(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="labelled-text"):
    """A text, or a sentence of `document`, with any number of labels; None where not known."""

    id: str
    document: str
    text: str
    labels: tuple[str, ...] | None = None


class RelationExample(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="relation"):
    """Two mentions of one sentence and how they are related.

    `text` is the sentence as a model sees it, the two mentions replaced by placeholders
    ("@GENE$"); `sentence` the original, into which the spans point (code points). `head` and `tail`
    are the ids the corpus gives the mentions. One pair may have several labels, then it stands in
    several examples.
    """

    id: str
    document: str
    head: str
    tail: str
    text: str
    label: str | None = None
    sentence: str = ""
    head_spans: tuple[Span, ...] = ()
    tail_spans: tuple[Span, ...] = ()
    head_type: str = ""
    tail_type: str = ""


class TaggedSentence(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="tagged-sentence"):
    """A sentence of `document` as tokens with one BIO tag each; `tags` is None where not known.

    `starts` are the offsets of the tokens in the text of the document (code points). Tags are `O`,
    `B-<type>` and `I-<type>`.
    """

    id: str
    document: str
    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    tags: tuple[str, ...] | None = None


Example = Document | TextPair | LabelledText | RelationExample
"""One item of a task: for named entities a document with the mentions of the task's types."""
