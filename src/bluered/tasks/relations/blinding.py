"""A sentence with its two arguments replaced by placeholders: what BLUE gives a model to read."""

from bluered.documents.document import Span


def touching(first: Span, second: Span) -> bool:
    """Tell whether two stretches overlap or stand end to end, as BLUE's replace_text asks."""
    return max(first.start, second.start) <= min(first.end, second.end)


def blind(text: str, head: Span, tail: Span, *, names: tuple[str, str], joint: str) -> str:
    """Return the text with `@name$` for head and tail, or one `@joint$` for both if they touch.

    The spans are offsets into the text. As BLUE's replace_text (blue/bert/create_chemprot_bert.py,
    create_ddi_bert.py), with its oddity: the names stand in the order given, whichever argument
    comes first in the text. So where a gene comes before the chemical, `@CHEMICAL$` stands for the
    gene and `@GENE$` for the chemical. All other mentions stay as they are.

    >>> names = ("CHEMICAL", "GENE")
    >>> blind("aspirin blocks COX-1", Span(0, 7), Span(15, 20), names=names, joint="CHEM-GENE")
    '@CHEMICAL$ blocks @GENE$'
    >>> blind("COX-1 binds aspirin", Span(12, 19), Span(0, 5), names=names, joint="CHEM-GENE")
    '@CHEMICAL$ binds @GENE$'
    >>> blind("aspirin-COX-1", Span(0, 7), Span(7, 13), names=names, joint="CHEM-GENE")
    '@CHEM-GENE$'
    """
    if touching(head, tail):
        start, end = min(head.start, tail.start), max(head.end, tail.end)
        return f"{text[:start]}@{joint}${text[end:]}"
    first, second = sorted((head, tail))
    before, middle, after = text[: first.start], text[first.end : second.start], text[second.end :]
    return f"{before}@{names[0]}${middle}@{names[1]}${after}"
