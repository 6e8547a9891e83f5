"""The step that finds relations."""

from msgspec import structs

from bluered.documents.document import Document
from bluered.pipeline.step import Relater, Step


def relation_step(relater: Relater) -> Step:
    """Return the step that replaces a document's relations by what a model finds."""

    def find_relations(document: Document) -> Document:
        return structs.replace(document, relations=relater.relate(document))

    return find_relations
