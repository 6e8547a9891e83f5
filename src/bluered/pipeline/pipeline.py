"""From a text to entities, concepts, relations and novelty, one document after the other."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice

from msgspec import structs

from bluered.documents.checks import validate
from bluered.documents.document import Document
from bluered.pipeline.entities import entity_step
from bluered.pipeline.linking import link_step
from bluered.pipeline.parallel import ordered_map, ordered_map_in_processes
from bluered.pipeline.passages import document_from_text, with_passages
from bluered.pipeline.relations import relation_step
from bluered.pipeline.step import Linker, Relater, Step, Tagger

logger = logging.getLogger(__name__)

ERROR = "error"
"""The infon of a document that a step could not annotate: what went wrong, in words."""

OnError = Callable[[Document, Exception], None]
Attempt = tuple[Document, Document | Exception]

_ALL = ("tag", "link", "relate")
_BEFORE_PROCESSES = 32
"""Documents of a stream that are done by threads: a few do not pay for starting processes."""


class Pipeline:
    """Annotates texts and documents: `nlp("...")` one, `nlp.pipe(...)` a stream of them.

    `tag`, `link` and `relate` are its three steps, each on a stream of documents.
    """

    def __init__(
        self,
        tagger: Tagger,
        relater: Relater,
        *,
        linker: Linker | None = None,
        model: str = "",
        threads: int = 1,
        processes: int = 1,
        again: "Callable[[], Pipeline] | None" = None,
    ) -> None:
        """Take the models; `linker` finds concept ids, `model` is the name shown to readers.

        Mentions that the linker finds no id for, all without one, get ids that hold within their
        document. `threads` documents of a stream are worked on at a time, of a long one by that
        many `processes`, each with a pipeline that `again` loads.
        """
        self.model = model
        self._threads = threads
        self._processes = processes if again is not None else 1
        self._again = again
        self._linker = linker
        self._steps: dict[str, Step] = {
            "tag": entity_step(tagger),
            "link": link_step(linker),
            "relate": relation_step(relater),
        }

    def __call__(self, text: str | Document) -> Document:
        """Return the annotated document; an error is raised."""
        return run(self._chosen(_ALL), as_document(text))

    def pipe(
        self,
        texts: Iterable[str | Document],
        *,
        given_entities: bool = False,
        on_error: OnError | None = None,
    ) -> Iterator[Document]:
        """Yield each document annotated, in order; a few are read ahead.

        One that fails comes out without annotations, its infon "error" says why, and `on_error` is
        called with it. `given_entities` keeps the entities that documents have: they get ids and
        relations. TypeError for an item that is neither a text nor a document.
        """
        if isinstance(texts, str | bytes | Document):
            raise TypeError("pipe takes many texts: for a single one call the pipeline itself")
        documents = (as_document(text, str(n)) for n, text in enumerate(texts, start=1))
        names = _ALL[1:] if given_entities else _ALL
        return self._stream(names, documents, on_error, keep=given_entities)

    def tag(
        self, documents: Iterable[Document], *, on_error: OnError | None = None
    ) -> Iterator[Document]:
        """Yield the documents with entities found by the model in place of their own."""
        return self._stream(("tag",), documents, on_error)

    def link(
        self, documents: Iterable[Document], *, on_error: OnError | None = None
    ) -> Iterator[Document]:
        """Yield the documents with a concept id at every entity that had none."""
        return self._stream(("link",), documents, on_error, keep=True)

    def relate(
        self, documents: Iterable[Document], *, on_error: OnError | None = None
    ) -> Iterator[Document]:
        """Yield the documents with relations found by the model between their concepts."""
        return self._stream(("relate",), documents, on_error, keep=True)

    def knows(self, kind: str, concept: str) -> bool:
        """Tell whether `link` can find an id of an entity type; local ids are not known."""
        return self._linker is not None and self._linker.knows(kind, concept)

    def attempt(self, names: Sequence[str], document: Document) -> Attempt:
        """Return a document, and what the steps of those names make of it or why they failed."""
        try:
            return document, run(self._chosen(names), document)
        except Exception as error:  # whatever it is, the other documents must not suffer
            logger.debug("document %s failed", document.id, exc_info=True)
            return document, error

    def _chosen(self, names: Sequence[str]) -> list[Step]:
        return [self._steps[name] for name in names]

    def _stream(
        self,
        names: Sequence[str],
        documents: Iterable[Document],
        on_error: OnError | None,
        *,
        keep: bool = False,
    ) -> Iterator[Document]:
        """Yield the documents after all steps; of one that fails, `keep` keeps the entities."""
        for document, result in self._attempts(names, iter(documents)):
            if not isinstance(result, Exception):
                yield result
                continue
            if on_error is not None:
                on_error(document, result)
            yield failed(document, result, keep=keep)

    def _attempts(self, names: Sequence[str], documents: Iterator[Document]) -> Iterator[Attempt]:
        """Yield each document with what came of it: the first by threads, many by processes."""
        attempt = partial(self.attempt, names)
        if self._processes <= 1 or self._again is None:
            yield from ordered_map(attempt, documents, threads=self._threads)
            return
        few = islice(documents, _BEFORE_PROCESSES)
        yield from ordered_map(attempt, few, threads=self._threads)
        for following in documents:  # is there one more?
            start = partial(_attempting, self._again, names)
            rest = chain([following], documents)
            yield from ordered_map_in_processes(start, rest, processes=self._processes)


def _attempting(
    load: Callable[[], Pipeline], names: Sequence[str]
) -> Callable[[Document], Attempt]:
    """Return what a process of its own does to each document."""
    return partial(load().attempt, names)


def as_document(text: str | Document, document_id: str = "text") -> Document:
    """Return a document with passages from a text or a document; TypeError for anything else."""
    if isinstance(text, Document):
        return with_passages(text)
    if not isinstance(text, str):
        raise TypeError(
            f"expected a text (str) or a Document to annotate, found {type(text).__name__}"
        )
    return document_from_text(text, document_id)


def run(steps: Iterable[Step], document: Document) -> Document:
    """Return a document after all steps; FormatError if its spans do not fit its text."""
    validate(structs.replace(document, relations=(), mention_relations=()))  # those are replaced
    for step in steps:
        document = step(document)
    return document


def failed(document: Document, error: Exception, *, keep: bool = False) -> Document:
    """Return the document without annotations and with what went wrong in its infons."""
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return structs.replace(
        document,
        entities=document.entities if keep else (),
        relations=(),
        mention_relations=(),
        infons=document.infons | {ERROR: reason},
    )
