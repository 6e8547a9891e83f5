"""A concept with its names, as the builders of terminologies read it from their sources."""

from msgspec import Struct


class Term(Struct, frozen=True, gc=False):
    """A concept: its id as BioRED writes it, its entity type and its names.

    `id` is an NCBI Gene or Taxonomy number ("672", "9606"), a MeSH unique id ("D001943",
    "C536928"), an OMIM number ("OMIM:114480") or a Cellosaurus accession ("CVCL_0030"). `type` is
    one of `documents.biored_types.ENTITY_TYPES`. `name` is the preferred name, `synonyms` are names
    the source gives as equal (a gene's aliases, MeSH entry terms), `descriptions` longer or looser
    ones (a gene's full names). `taxon` is the NCBI Taxonomy number of a gene's or cell line's
    species, "" where that is unknown or makes no sense.
    """

    id: str
    type: str
    name: str
    synonyms: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()
    taxon: str = ""
