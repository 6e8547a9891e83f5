"""Why a variant has its id, in a sentence, and how often such an id is right."""

from typing import Literal

Match = Literal["rs in text", "apposition", "known variant", "same variant", "normal form"]

SCORES: dict[Match, float] = {
    "rs in text": 0.99,
    "apposition": 0.97,
    "known variant": 0.94,
    "same variant": 0.91,
    "normal form": 0.77,
}
"""The share of ids found so that are BioRED's, about, on its development part."""

_KINDS = {
    "SUB": "substitution",
    "DEL": "deletion",
    "INS": "insertion",
    "DUP": "duplication or repeat",
    "INDEL": "insertion-deletion",
    "FS": "frame shift",
    "Allele": "allele",
}


def reason(
    match: Match,
    *,
    mention: str,
    rs: str,
    other: str = "",
    told_by: str = "",
    gene: str = "",
    form: str = "",
) -> str:
    """Return why a mention has its id: what the text or which table says so."""
    match match:
        case "rs in text":
            return f"the mention gives the dbSNP number {rs}"
        case "apposition":
            return f"the text puts {rs} beside '{other}'"
        case "known variant":
            return f"{told_by}: {form} of gene {gene} is {rs}"
        case "same variant":
            told = f"known from {told_by} as {rs}" if told_by else f"beside {rs} in the text"
            return f"'{mention}' is the same variant as '{other}', {told}"
        case "normal form":
            return f"read as {_phrase(form)}; no dbSNP number is known for it"


def _phrase(form: str) -> str:
    sequence, kind, *_ = form.split("|")
    molecule = "a protein" if sequence == "p" else "DNA"
    word = _KINDS[kind]
    return f"{'an' if word[0] in 'aeiouI' else 'a'} {word} in {molecule}, {form}"
