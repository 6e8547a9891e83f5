"""The step that finds mentions."""

from msgspec import structs

from bluered.documents.document import Document
from bluered.pipeline.step import Step, Tagger


def entity_step(tagger: Tagger) -> Step:
    """Return the step that replaces a document's entities by what a tagger finds.

    Relations are dropped, since they hold on to the entities that were there before.
    """

    def find_entities(document: Document) -> Document:
        return structs.replace(
            document, entities=tagger.tag(document), relations=(), mention_relations=()
        )

    return find_entities
