"""The layout "annotated": documents with entities and relations, in any of BlueRED's formats."""

from collections.abc import Iterator

from msgspec.structs import replace

from bluered.corpora.source import Source
from bluered.documents.document import Document
from bluered.formats.files import read_file


def read(source: Source) -> Iterator[Document]:
    """Yield the documents of a split; relations get the roles that the entry names."""
    roles = source.corpus.roles
    for path in source.paths:
        for document in read_file(path, source.corpus.format or None):
            if roles and document.relations:
                relations = tuple(
                    replace(r, roles=roles[r.type]) if r.type in roles else r
                    for r in document.relations
                )
                yield replace(document, relations=relations)
            else:
                yield document
