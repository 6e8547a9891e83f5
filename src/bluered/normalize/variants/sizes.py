"""How long a deletion or an insertion is: "30-bp", "nine-nucleotide", "5.5 kb"."""

import re

_NUMBERS = {
    "single": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
    "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17",
    "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30",
}  # fmt: skip
_KILO = {"kb": "K", "kbp": "K", "kilobase": "K", "mb": "M", "mbp": "M", "megabase": "M"}
_SIZE = re.compile(
    r"(?<![\w.+-])(?P<number>\d+(?:\.\d+)?(?:-\d+(?:\.\d+)?)?|"
    rf"{'|'.join(_NUMBERS)})[ -]?(?:additional |extra |tandem |in-?frame |homozygous )*"
    r"(?P<unit>kbp?|Mbp?|kilobases?|megabases?|bps?|base[- ]?pairs?|bases?|nts?|nucleotides?"
    r"|amino[- ]acids?|residues?|codons?)(?![a-z])",
    re.IGNORECASE,
)


def size_of(text: str) -> str:
    """Return the first length that a phrase gives, as tmVar writes it; "" if it gives none.

    >>> size_of("nine-nucleotide deletion"), size_of("5.5 kb deletion"), size_of("DNA deletion")
    ('9', '5.5K', '')
    """
    match = _SIZE.search(text)
    if not match:
        return ""
    number = match["number"].lower()
    return _NUMBERS.get(number, number) + _KILO.get(match["unit"].lower().rstrip("s"), "")
