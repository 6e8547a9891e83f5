"""A sequence variant and its normal form, as BioRED writes it."""

from typing import Literal

from msgspec import Struct

Kind = Literal["SUB", "DEL", "INS", "DUP", "INDEL", "FS", "Allele"]

PROTEIN = "p"


class Variant(Struct, frozen=True, kw_only=True, gc=False):
    """What a mention says of a variant; what it does not say is empty.

    `sequence` is HGVS's letter: c, g, m, n, r or p; a variant of DNA without one has c. `reference`
    and `alternative` are nucleotides or one-letter amino acids (X is a stop codon); of deletions,
    insertions and duplications `alternative` is what is deleted or inserted, letters or their
    number; an allele has it in `reference`. `position` is a place ("600", "-1082", "IVS3+18",
    "640_667", "CODON38"). `count` is how often a repeat comes, or the length of the reading frame
    after a frame shift.
    """

    kind: Kind
    sequence: str = "c"
    reference: str = ""
    position: str = ""
    alternative: str = ""
    count: str = ""

    @property
    def is_protein(self) -> bool:
        """Whether the letters are amino acids."""
        return self.sequence == PROTEIN

    def form(self) -> str:
        """Return the normal form of tmVar (Wei et al. 2013 and 2022), whose ids BioRED took over.

        The number of bars after an insertion or a deletion is BioRED's: a duplication always has a
        field for the count, an insertion-deletion of unknown content an empty field more.
        """
        fields = [self.sequence, self.kind]
        match self.kind:
            case "SUB":
                fields += [self.reference, self.position, self.alternative]
            case "FS":
                fields += [self.reference, self.position, self.alternative, self.count]
            case "Allele":
                fields += [self.reference, self.position]
            case "DUP":
                fields += [self.position, self.alternative, self.count]
            case "INDEL" if not self.alternative:
                fields += [self.position, "", ""]
            case _:
                fields += [self.position, self.alternative]
        return "|".join(fields)


def from_form(form: str) -> Variant:
    """Return the variant of a normal form that `form` has given.

    >>> from_form("p|SUB|V|600|E").position
    '600'
    """
    sequence, kind, *rest = form.split("|")
    fields = (*rest, "", "", "", "")
    match kind:
        case "SUB" | "FS":
            reference, position, alternative, count, *_ = fields
        case "Allele":
            (reference, position), alternative, count = fields[:2], "", ""
        case "DEL" | "INS" | "DUP" | "INDEL":
            reference, (position, alternative, count) = "", fields[:3]
        case _:
            raise ValueError(f"no kind of variant '{kind}' in the normal form {form}")
    return Variant(
        kind=kind,
        sequence=sequence,
        reference=reference,
        position=position,
        alternative=alternative,
        count=count,
    )
