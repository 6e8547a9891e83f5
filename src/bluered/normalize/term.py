"""A concept with its names, as the builders of terminologies read it from their sources."""

from typing import Literal

from msgspec import Struct, field

Kind = Literal["name", "synonym", "description", "corpus"]
"""What a name is to its concept: the preferred one, an equal one, a longer or looser one (a gene's
full names), or what authors wrote in a corpus annotated with concept ids."""

KINDS: tuple[Kind, ...] = ("name", "synonym", "description", "corpus")
"""From the strongest to the weakest; a terminology on disk depends on the order."""


class Term(Struct, frozen=True, gc=False):
    """A concept: its id as BioRED writes it, its entity type and its names.

    `id` is an NCBI Gene or Taxonomy number ("672", "9606"), a MeSH unique id ("D001943",
    "C536928"), an OMIM number ("OMIM:114480") or a Cellosaurus accession ("CVCL_0030"). `type` is
    one of `documents.biored_types.ENTITY_TYPES`. `name` is the preferred name, `synonyms` are names
    the source gives as equal (a gene's aliases, MeSH entry terms), `descriptions` longer or looser
    ones (a gene's full names). `taxon` is the NCBI Taxonomy number of a gene's or cell line's
    species, "" where that is unknown or makes no sense. `seen` are the names that annotated corpora
    give the concept, each with the number of documents it was seen in.

    Terms of one id and type are one concept: what several sources say of it is put together, and
    the first preferred name is kept.
    """

    id: str
    type: str
    name: str
    synonyms: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()
    taxon: str = ""
    seen: dict[str, int] = field(default_factory=dict)


class SourceRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the terms of a terminology come from, for its manifest."""

    name: str
    version: str
    licence: str
    url: str = ""
    sha256: str = ""
    citation: str = ""
    concepts: int = 0
