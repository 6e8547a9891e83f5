"""A sentence with its two arguments replaced by placeholders: what BLUE gives a model to read."""

from bluered.documents.document import Span


def touching(first: Span, second: Span) -> bool:
    """Tell whether two stretches overlap or stand end to end, as BLUE's replace_text asks."""
    return max(first.start, second.start) <= min(first.end, second.end)


def blind(text: str, head: Span, tail: Span, *, names: tuple[str, str], joint: str) -> str:
    """Return the text with `@name$` for head and tail, or one `@joint$` for both if they touch.

    The spans are offsets into the text. As BLUE's replace_text (blue/bert/create_chemprot_bert.py,
    create_ddi_bert.py); all other mentions stay as they are.

    >>> blind("aspirin blocks COX-1", Span(0, 7), Span(15, 20), names=("CHEMICAL", "GENE"), joint="X")
    '@CHEMICAL$ blocks @GENE$'
    >>> blind("aspirin-COX-1", Span(0, 7), Span(7, 13), names=("CHEMICAL", "GENE"), joint="CHEM-GENE")
    '@CHEM-GENE$'
    """
    if touching(head, tail):
        start, end = min(head.start, tail.start), max(head.end, tail.end)
        return f"{text[:start]}@{joint}${text[end:]}"
    (first, name), (second, other) = sorted(zip((head, tail), names, strict=True))
    middle = text[first.end : second.start]
    return f"{text[: first.start]}@{name}${middle}@{other}${text[second.end :]}"
