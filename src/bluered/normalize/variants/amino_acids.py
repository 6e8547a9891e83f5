"""Names of amino acids and nucleotides, and the genetic code."""

from itertools import product

STOP = "X"

ONE_LETTER = {
    "Ala": "A", "Arg": "R", "Asn": "N", "Asp": "D", "Cys": "C", "Gln": "Q", "Glu": "E",
    "Gly": "G", "His": "H", "Ile": "I", "Leu": "L", "Lys": "K", "Met": "M", "Phe": "F",
    "Pro": "P", "Ser": "S", "Thr": "T", "Trp": "W", "Tyr": "Y", "Val": "V", "Sec": "U",
    "Ter": STOP, "Stop": STOP,
}  # fmt: skip

NAMES = {
    "alanine": "Ala", "arginine": "Arg", "asparagine": "Asn", "aspartic acid": "Asp",
    "aspartate": "Asp", "cysteine": "Cys", "cystine": "Cys", "glutamine": "Gln",
    "glutamic acid": "Glu", "glutamate": "Glu", "glycine": "Gly", "histidine": "His",
    "isoleucine": "Ile", "leucine": "Leu", "lysine": "Lys", "methionine": "Met",
    "phenylalanine": "Phe", "proline": "Pro", "serine": "Ser", "threonine": "Thr",
    "tryptophan": "Trp", "tyrosine": "Tyr", "valine": "Val", "selenocysteine": "Sec",
    "termination codon": "Ter", "premature termination": "Ter", "premature stop": "Ter",
    "stop codon": "Ter", "nonsense codon": "Ter", "termination": "Ter", "term": "Ter",
    "stop": "Ter", "amber": "Ter", "ochre": "Ter", "opal": "Ter",
}  # fmt: skip
"""How amino acids and the end of translation are called in full; both spellings of the acids."""

NUCLEOTIDES = {
    "adenine": "A", "adenosine": "A", "cytosine": "C", "cytidine": "C", "guanine": "G",
    "guanosine": "G", "thymine": "T", "thymidine": "T", "uracil": "U", "uridine": "U",
}  # fmt: skip

BASES = "TCAG"
_CODE = "FFLLSSSSYYXXCCXWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"

CODONS = dict(zip(map("".join, product(BASES, repeat=3)), _CODE, strict=True))
"""The standard genetic code (NCBI's table 1), the bases in the order T, C, A, G."""


def residue(name: str) -> str:
    """Return the one-letter code of an amino acid's code or name; "" if it is none.

    >>> residue("Val"), residue("aspartic acid"), residue("*"), residue("B")
    ('V', 'D', 'X', '')
    """
    if len(name) == 1:
        return STOP if name == "*" else name if name in "ACDEFGHIKLMNPQRSTVWYUX" else ""
    code = NAMES.get(name.lower(), name.capitalize())
    return ONE_LETTER.get(code, "")


def translate(codon: str) -> str:
    """Return the amino acid of a codon, in DNA or RNA letters; "" if it is none."""
    return CODONS.get(codon.upper().replace("U", "T"), "")


def explains(reference: str, alternative: str, *, place: int, before: str, after: str) -> bool:
    """Tell whether a change of one base, at a place (0-2) of a codon, turns `before` into `after`.

    >>> explains("G", "A", place=0, before="V", after="M")
    True
    """
    return any(
        amino == before
        and codon[place] == reference
        and CODONS[codon[:place] + alternative + codon[place + 1 :]] == after
        for codon, amino in CODONS.items()
    )
