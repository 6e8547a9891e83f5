"""Numbers as tables write them."""


def as_number(text: str) -> float:
    """Return a number written in ASCII, or raise ValueError.

    Python's own `float` also takes `1_0` for ten and the digits of other scripts, which in a table
    are rather a slip.
    """
    if not text.isascii() or "_" in text:
        raise ValueError(f"{text!r} is no number")
    return float(text)
