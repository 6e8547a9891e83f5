"""Which documents stand in the corpora whose names are counted, and what they count for there.

One text can stand in several corpora (BioRED train shares documents with BC5CDR, NLM-Gene and
others); copies that differ in some letters are counted each for itself.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from bluered.corpora.overlap import by_text, overlaps
from bluered.corpora.texts import part
from bluered.documents.document import Document
from bluered.normalize.names import name_key
from bluered.normalize.shipped.corpora import CORPORA, Corpus, names_by_text, seen_documents


def copies(
    documents: Sequence[Document], data: Path, corpora: Sequence[Corpus] = CORPORA
) -> Iterator[tuple[str, Corpus, Document]]:
    """Yield the id of each document that is counted, with its copy and the corpus of that.

    A document is a copy by its text or its PubMed id; one that stands in a corpus itself is too.
    """
    counted: dict[str, list[tuple[Corpus, Document]]] = {}
    for corpus, document in seen_documents(data, corpora):
        counted.setdefault(corpus.name, []).append((corpus, document))
    parts = [part(name, [document for _, document in some]) for name, some in counted.items()]
    for overlap in overlaps([part("documents", documents)], parts):
        for match in overlap.matches:
            if by_text(match) or match.same_id:
                yield (match.first, *counted[overlap.second][match.numbers[1]])


def own_names(
    documents: Sequence[Document], data: Path, corpora: Sequence[Corpus] = CORPORA
) -> dict[str, Counter[tuple[str, str]]]:
    """Return how often each document is counted for a name, by type and key, all copies together.

    This is what `Dictionary.matches` leaves out with `own`; documents not counted are absent.
    Copies of the very same letters are counted as one text (`corpora.names_by_text`).
    """
    found: defaultdict[str, list[tuple[Corpus, Document]]] = defaultdict(list)
    for name, corpus, document in copies(documents, data, corpora):
        found[name].append((corpus, document))
    return {name: _counted(some) for name, some in found.items()}


def _counted(some: Sequence[tuple[Corpus, Document]]) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for names in names_by_text(some).values():
        bare = {(kind, concept, name) for kind, concept, name, _ in names}
        counts.update((kind, name_key(name, kind=kind)) for kind, _, name in bare)
    return counts
