"""Whether what reads like a name of a terminology is likely one: "WAS" is a disease, "was" is not.

Terminologies hold common words, mostly as aliases: genes called CAN, LARGE or T, genera called The
and Cancer, cell lines called OF and 30. How a word is written tells them apart, and whether authors
of annotated papers have called a concept so. The rules were made on the names found in BioRED
train that are no mentions there.
"""

import re

from bluered.documents.biored_types import CELL_LINE, GENE, SPECIES
from bluered.normalize.term import Kind

_FUNCTION_WORDS = (
    "a about after all also although an and any are as at be because been before both but by "
    "can did do does due each for from had has have he her his how if in into is it its led "
    "may might more most no nor not of off on or other our out over per she so some such than "
    "that the their them then there these they this those to too under up upon us via was we "
    "were what when which while who with within would"
)
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())

_SIGNS = re.compile(r"[=<>%]")
_SHORT = 4
"""Letters below which a word in small letters is no name."""

_SHORTEST_TAXON = 3
"""The same for everyday names of species: rat, dog."""


def plausible(name: str, kind: Kind, documents: int, *, type: str, opens: bool) -> bool:
    """Tell whether a stretch of text is likely used as the name of its key.

    `name` is as the text writes it, `kind` and `documents` are what the terminology says of it;
    `opens` says that it begins a sentence, so that its first letter is large anyway.
    """
    if not any(map(str.isalpha, name)) or _SIGNS.search(name):
        return False
    if any(name.count(one) != name.count(other) for one, other in ("()", "[]")):
        return False
    if type == CELL_LINE and documents == 0:
        return _line_name(name)
    words = name.split()
    if len(words) > 1:
        return not (_is_function(words[0], opens=opens) or _is_function(words[-1], opens=False))
    if sum(map(str.isalnum, name)) < 2 or (documents == 0 and name.lower() in FUNCTION_WORDS):
        return False
    return _word_is_name(name, kind, documents, type=type, opens=opens)


def _is_function(word: str, *, opens: bool) -> bool:
    bare = word.strip("()[],")
    return bare.lower() in FUNCTION_WORDS and (bare.islower() or (opens and bare.istitle()))


def _word_is_name(name: str, kind: Kind, documents: int, *, type: str, opens: bool) -> bool:
    """Apply the rules for a single word."""
    small = not any(map(str.isdigit, name)) and (name.islower() or (opens and name.istitle()))
    letters = sum(map(str.isalnum, name))
    if type == SPECIES:
        return _taxon(name, kind, documents, small=small)
    if small and type != CELL_LINE:
        used = documents > 0 or (_protein(name) if type == GENE else kind != "description")
        return letters >= _SHORT and used
    return documents > 0 or letters > 2


def _taxon(name: str, kind: Kind, documents: int, *, small: bool) -> bool:
    """Tell whether a word names a taxon; a scientific name has one large letter, the first."""
    if documents > 0:
        return name.islower() or len(name) > 2
    if kind == "synonym":
        return small and len(name) >= _SHORTEST_TAXON
    return not small and name.istitle() and len(name) > _SHORT


def _protein(name: str) -> bool:
    """Tell whether a word in small letters ends like a protein's name: ghrelin, dynactins."""
    word = name.lower().removesuffix("s")
    return len(word) > _SHORT and word.endswith(("in", "ase", "gen")) and word != "protein"


def _line_name(name: str) -> bool:
    """Tell whether a name nobody was seen to use has the looks of a cell line's: HEK293, HeLa."""
    letters = sum(map(str.isalpha, name))
    large = sum(map(str.isupper, name))
    if letters < 2 or len(name) < _SHORT or not large or re.search(r"[ (),\[\]]", name):
        return False
    return any(map(str.isdigit, name)) or 1 < large < letters
