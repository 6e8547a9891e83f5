"""ASCII for every letter and sign: BLUE's "greeklish", by which it rewrote the texts of ChemProt.

The mapping is that of BLUE's blue/ext/pstring.py (`printable(text, greeklish=True)`): Greek letters
become Latin ones, signs what looks or works like them, and what it does not know is left out. In
ChemProt only one letter does not become exactly one: θ gives "th", which shifts everything behind it.
"""

import string

_GREEK = (
    ("αβγδεζηικλμνξοπρσςτυφχω", "abgdezhiklmnxoprsstyfxw"),
    ("ΑΒΓΔΕΖΗΙΚΛΜΝΞΟΠΡΣΤΥΦΧΩ", "ABGDEZHIKLMNXOPRSTYFXw"),
    ("άέήίύόώΆΈΉΊΎΌΏ", "aeheuowAEHIYOw"),
)
"""Accented capitals become Latin here; BLUE leaves them Greek. None of them is in ChemProt."""

_TWO_LETTERS = {"θ": "th", "Θ": "TH", "ψ": "ps", "Ψ": "PS"}

_SIGNS = (
    ("\xa0\u2002\u2005\u2009\u200a", "     "),
    ("¹²³⁵⁷⁹₀₁₂₃₄₅", "123579012345"),
    ("±⁺⁻₋·⋅∗•°×\uf8ff", "++--*******"),
    ("≤⩽≪↓↔≥⩾≫→", "<<<<<>>>>"),
    ("≈≃═∼\u0303∞∑…", "===~~~E."),
    ("″‴´〈〉™®©\ue232\ue2f6", '""\'()Trcxx'),
    ("ÃÅáçéïöüøßÿœƒɛкµ", "AAaceioumbyofekm"),
)
"""Each sign with its ASCII, among them ø as m and the two letters of the private area as x."""

TABLE = {
    **{ord(sign): sign for sign in string.printable},
    **{
        ord(a): b
        for signs, letters in (*_GREEK, *_SIGNS)
        for a, b in zip(signs, letters, strict=True)
    },
    **{ord(letter): pair for letter, pair in _TWO_LETTERS.items()},
}


def to_ascii(text: str) -> str:
    """Return a text in ASCII, as BLUE's `printable`: signs outside its table are left out.

    >>> to_ascii("TNF-α ≥ 5 μM")
    'TNF-a > 5 mM'
    """
    return "".join(TABLE.get(ord(sign), "") for sign in text)
