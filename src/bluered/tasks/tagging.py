"""Sentences with BIO tags, made of documents with mentions, as BLUE gives them to a tagger.

The rules are those of BLUE's create_cdr_bert.py and ext/preprocessing.py: a token is a run of
letters, digits, underscores and apostrophes, or a single sign; it belongs to a mention if it lies
inside one of its pieces or the piece inside it; the first token of a mention is B, every later one
I, also behind a gap or in the next sentence; where mentions overlap, the later in the file counts.
BLUE applies them to the sentences and words of spaCy; here sentences are BlueRED's, and of what
spaCy cuts only 's and quotation marks at the ends of a word are cut off ("10mg" is one token). BLUE
loses signs beyond ASCII; here they stay.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from bluered.documents.document import Document, Entity
from bluered.documents.examples import TaggedSentence
from bluered.documents.sentences import sentences

TOKEN = re.compile(r"'s\b|\w+(?:'(?!s\b)\w+)*|[^\w\s]")
OUTSIDE = "O"


def tagged_sentences(document: Document) -> Iterator[TaggedSentence]:
    """Yield the sentences of a document, tagged with all its mentions; `<document>_s<i>` is the id.

    Tokens never follow from the mentions, so that a test text is cut as it is for a model.
    """
    pieces = [
        [(match.start(), match.end()) for match in TOKEN.finditer(document.text, *limits)]
        for limits in ((sentence.start, sentence.end) for sentence in sentences(document))
    ]
    tokens = [token for piece in pieces for token in piece]
    tags = _tags(tokens, document.entities)
    first = 0
    for number, piece in enumerate(piece for piece in pieces if piece):
        yield TaggedSentence(
            id=f"{document.id}_s{number}",
            document=document.id,
            tokens=tuple(document.text[start:end] for start, end in piece),
            starts=tuple(start for start, _ in piece),
            tags=tuple(tags[first : first + len(piece)]),
        )
        first += len(piece)


def mentions_begun(sentence: TaggedSentence) -> int:
    """Return how many mentions begin in a sentence."""
    return sum(tag.startswith("B-") for tag in sentence.tags or ())


def _tags(tokens: list[tuple[int, int]], entities: Iterable[Entity]) -> list[str]:
    tags = [OUTSIDE] * len(tokens)
    ends = [end for _, end in tokens]
    for entity in entities:
        prefix = "B-"
        for span in entity.spans:
            for index in range(bisect_left(ends, span.start + 1), len(tokens)):
                start, end = tokens[index]
                if start >= span.end:
                    break
                inside = span.start <= start and end <= span.end
                around = start <= span.start and span.end <= end
                if inside or around:
                    tags[index] = prefix + entity.type
                    prefix = "I-"
    return tags
