"""ASCII for every letter and sign: BLUE's "greeklish", by which it rewrote the texts of ChemProt.

The mapping is that of BLUE's blue/ext/pstring.py (`printable(text, greeklish=True)`): Greek letters
become Latin ones, signs what looks or works like them, and what it does not know is left out.
"""

import string

_LETTERS = (
    ("αβγδεζηικλμνξοπρσςτυφχω", "abgdezhiklmnxoprsstyfxw"),
    ("ΑΒΓΔΕΖΗΙΚΛΜΝΞΟΠΡΣΤΥΦΧΩ", "ABGDEZHIKLMNXOPRSTYFXw"),
    ("άέήίύόώΆΈΉΊΎΌΏ", "aeheuowAEHIYOw"),
    ("ÃÅáçéïöüøßÿœƒɛкµ", "AAaceioumbyofekm"),
)
"""Letters above ASCII. BLUE leaves Ά, Έ and Ί Greek; none of them is in ChemProt."""

_TWO_LETTERS = {"θ": "th", "Θ": "TH", "ψ": "ps", "Ψ": "PS"}

_SIGNS = (
    ("\xa0\u2002\u2005\u2009\u200a", "     "),
    ("¹²³⁵⁷⁹₀₁₂₃₄₅", "123579012345"),
    ("±⁺⁻₋·⋅∗•°×\uf8ff", "++--*******"),
    ("≤⩽≪↓↔≥⩾≫→", "<<<<<>>>>"),
    ("≈≃═∼\u0303∞∑…", "===~~~E."),
    ("″‴´〈〉™®©\ue232\ue2f6", '""\'()Trcxx'),
)
"""Other signs; the last two are letters of a private area that stand for a multiplication sign."""

TABLE = {
    **dict(zip(string.printable, string.printable, strict=True)),
    **{a: b for row in (*_LETTERS, *_SIGNS) for a, b in zip(*row, strict=True)},
    **_TWO_LETTERS,
}


def to_ascii(text: str) -> str:
    """Return a text in ASCII, as BLUE's `printable`: signs outside its table are left out.

    >>> to_ascii("PKCθ binds TNF-α")
    'PKCth binds TNF-a'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(TABLE.get(sign, "") for sign in text)


def ascii_in_place(text: str) -> str:
    """Return a text in ASCII in which every character keeps its place: one for one."""
    if text.isascii():
        return text
    return "".join(TABLE.get(sign, " ")[0] for sign in text)
