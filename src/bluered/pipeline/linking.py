"""The step that gives mentions their concept ids."""

from bluered.documents.document import Document
from bluered.pipeline.concepts import add_local_concepts, lend_concepts
from bluered.pipeline.step import Linker, Step


def link_step(linker: Linker | None) -> Step:
    """Return the step that puts a concept id at every mention that has none.

    Ids that the document came with are lent first, then the linker looks names up, and what it
    finds is lent in turn; the rest, all of it without a linker, gets local ids.
    """
    if linker is None:
        return add_local_concepts

    def give_concepts(document: Document) -> Document:
        return add_local_concepts(linker(lend_concepts(document)))

    return give_concepts
