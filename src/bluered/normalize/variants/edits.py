"""Deletions, insertions, duplications, repeats in notation: 30delG, 1494del6, Delta32, (CA)12."""

import re
from collections.abc import Iterator

from bluered.normalize.variants.amino_acids import residue
from bluered.normalize.variants.notation import AMINO, SEQUENCE, Reading
from bluered.normalize.variants.places import PLACE, dna_place, is_stretch, stretch_between
from bluered.normalize.variants.variant import PROTEIN, Kind, Variant

_EDIT = (
    r"(?P<edit>(?i:delins|del/?ins|ins/del|ins>del|indel|deletion/insertion|insertion/deletion"
    r"|deletion|insertion|duplication|del|ins|dup))\.?"
)
_UNIT = r"(?i:bps?|base-?pairs?|nts?|nucleotides?|N)"
_WHAT = rf"(?P<what>(?:[ACGTUNacgtu]+|\d+)(?:ins[ACGTU]+)?)?(?P<unit>{_UNIT})?"
_KINDS: dict[str, Kind] = {
    "delins": "INDEL", "del/ins": "INDEL", "ins/del": "INDEL", "ins>del": "INDEL",
    "indel": "INDEL", "deletion/insertion": "INDEL", "insertion/deletion": "INDEL",
    "deletion": "DEL", "insertion": "INS", "duplication": "DUP",
    "del": "DEL", "ins": "INS", "dup": "DUP",
}  # fmt: skip

_AT = re.compile(rf"{SEQUENCE}(?P<place>{PLACE})(?:(?P<sign>[_/-])(?P<end>{PLACE}))?{_EDIT}{_WHAT}")
_LETTER_AT = re.compile(rf"{SEQUENCE}(?P<place>-?\d+)(?P<what>[ACGTU]+){_EDIT}")
_SIZE_AT = re.compile(
    r"(?P<place>-?\d+(?:[+-]\d+)?)\s+(?P<what>\d+)\s*(?:N|bp|nt)\s+(?P<edit>ins/del|del/ins|del|ins|dup)"
)
_EDIT_FIRST = re.compile(
    rf"{SEQUENCE}(?P<base>[ACGTU])?{_EDIT}(?P<place>-?\d+)(?:(?P<sign>[_/-])(?P<end>\d+))?(?P<what>[ACGTU]*)"
)
_ONLY_WHAT = re.compile(rf"{_EDIT}-?(?P<what>[ACGTU]+|\d+)(?P<unit>{_UNIT})?")
_AGAINST_NOTHING = re.compile(r"(?:(?P<deleted>[ACGTU]+)/-|-/(?P<inserted>[ACGTU]+))")
_WHAT_FIRST = re.compile(rf"(?P<what>\d+)(?P<unit>{_UNIT})?{_EDIT}")
_PROTEIN = re.compile(
    rf"{SEQUENCE}(?P<ref>{AMINO})-?(?P<place>\d+)(?:(?P<more>(?:[_-]{AMINO}-?\d+)+))?"
    rf"(?:{_EDIT}(?P<what>(?:{AMINO})*))?"
)
_PROTEIN_PLACE = re.compile(rf"{SEQUENCE}(?P<place>\d+){_EDIT}(?P<what>[A-Z]+)")
_LETTERS_PLACE = re.compile(rf"(?P<what>[A-Z]+)(?P<place>\d+)-(?P<end>\d+){_EDIT}")
_DELTA = re.compile(
    r"(?i:delta)-?(?P<ref>[A-Z])?(?P<place>\d+)(?:-(?P<end>\d+))?(?i:deletion|del)?"
)
_REPEAT = re.compile(
    r"\(?\[?(?P<what>[ACGTU]+|poly[ACGTU])[)\]]?\s?(?:\(?(?P<count>\d+(?:-\d+)?|n)\)?)(?:\s?repeats?)?",
)
_PARTS = re.compile(rf"[_-]({AMINO})-?(\d+)")
_AMINOS = re.compile(AMINO)


def read_edit(text: str) -> Reading:
    """Return what a notation of an edit may stand for; the text is without spaces and brackets."""
    for reader in (_delta, _protein_edit, _dna_edit, _edit_first, _what_only):
        if found := tuple(reader(text)):
            return found
    return ()


def read_repeat(text: str) -> Reading:
    """Return a number of repeats: (CCTTT)14. The text is with its spaces and brackets."""
    match = _REPEAT.fullmatch(text)
    if not match or ("(" not in text and "[" not in text):
        return ()
    return (_edit("DUP", "c", what=match["what"], count=match["count"]),)


def read_spaced(text: str) -> Reading:
    """Return an edit whose spaces matter: "-652 6N del" has six bases at one place."""
    match = _SIZE_AT.fullmatch(text)
    if not match:
        return ()
    return (_edit(_KINDS[match["edit"]], "c", place=match["place"], what=match["what"]),)


def _edit(
    kind: Kind, sequence: str, *, place: str = "", what: str = "", count: str = ""
) -> Variant:
    return Variant(kind=kind, sequence=sequence, position=place, alternative=what, count=count)


def _kind(match: re.Match[str]) -> Kind:
    return _KINDS[match["edit"].lower()]


def _sequence(match: re.Match[str], otherwise: str = "c") -> str:
    return match["sequence"][0] if match["sequence"] else otherwise


def _place(match: re.Match[str]) -> str:
    """Return the place or the stretch; `a-b` is an offset where b is not behind a."""
    place, end = match["place"], match["end"]
    if not end:
        first, minus, second = place.partition("-")
        if minus and first.isdigit() and second.isdigit() and is_stretch(first, second):
            return stretch_between(first, second)
        return dna_place(place)
    return stretch_between(dna_place(place), end)


def _dna_edit(text: str) -> Iterator[Variant]:
    match = _AT.fullmatch(text)
    if match and _sequence(match) != PROTEIN:
        what = (match["what"] or "").upper()
        kind = _kind(match)
        if "INS" in what:
            kind, what = "INDEL", what.partition("INS")[2]
        yield _edit(kind, _sequence(match), place=_place(match), what=what)
        return
    match = _LETTER_AT.fullmatch(text)
    if match and _sequence(match) != PROTEIN:
        yield _edit(_kind(match), _sequence(match), place=match["place"], what=match["what"])


def _edit_first(text: str) -> Iterator[Variant]:
    match = _EDIT_FIRST.fullmatch(text)
    if match and (match["what"] or match["base"] or match["end"]):
        what = match["base"] or match["what"]
        yield _edit(_kind(match), _sequence(match), place=_place(match), what=what)


def _what_only(text: str) -> Iterator[Variant]:
    if match := _ONLY_WHAT.fullmatch(text) or _WHAT_FIRST.fullmatch(text):
        yield _edit(_kind(match), "c", what=match["what"])
    if match := _AGAINST_NOTHING.fullmatch(text):
        kind: Kind = "DEL" if match["deleted"] else "INS"
        yield _edit(kind, "c", what=match["deleted"] or match["inserted"])


def _protein_edit(text: str) -> Iterator[Variant]:
    match = _PROTEIN.fullmatch(text)
    if match and _sequence(match, PROTEIN) == PROTEIN and (match["edit"] or match["more"]):
        yield from _residues_edited(match)
        return
    match = _PROTEIN_PLACE.fullmatch(text)
    if match and set(match["what"]) - set("ACGTU") and _sequence(match, PROTEIN) == PROTEIN:
        yield _edit(_kind(match), PROTEIN, place=match["place"], what=match["what"])
        return
    if match := _LETTERS_PLACE.fullmatch(text):
        is_dna = not set(match["what"]) - set("ACGTU")
        place = stretch_between(match["place"], match["end"])
        yield _edit(_kind(match), "c" if is_dna else PROTEIN, place=place, what=match["what"])


def _residues_edited(match: re.Match[str]) -> Iterator[Variant]:
    """Yield an edit of named residues: Y248del, G204_K247del, D487_S488_F489deletion."""
    parts = [(match["ref"], match["place"]), *_PARTS.findall(match["more"] or "")]
    numbers = [int(place) for _, place in parts]
    letters = "".join(residue(name) for name, _ in parts)
    given = "".join(residue(name) for name in _AMINOS.findall(match["what"] or ""))
    place = stretch_between(parts[0][1], parts[-1][1])
    if not match["edit"] and numbers[0] >= numbers[-1]:
        return
    kind = _kind(match) if match["edit"] else "DEL"
    if kind in ("DEL", "DUP") or (kind == "INS" and not given and len(parts) == 1):
        whole = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        given = letters if whole else ""
    yield _edit(kind, PROTEIN, place=place, what=given)


def _delta(text: str) -> Iterator[Variant]:
    """Yield a deletion written with a delta: of 32 bases, of F508, of residues 695 to 725."""
    if not (match := _DELTA.fullmatch(text)):
        return
    if match["ref"]:
        yield _edit("DEL", PROTEIN, place=match["place"], what=residue(match["ref"]))
    elif (
        match["end"]
        and is_stretch(match["place"], match["end"])
        and (len(match["end"]) == len(match["place"]))
    ):
        yield _edit("DEL", PROTEIN, place=stretch_between(match["place"], match["end"]))
    else:
        yield _edit("DEL", "c", place=match["end"] or "", what=match["place"])
