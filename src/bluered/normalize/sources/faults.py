"""What becomes of a record that cannot be read: it is reported and left out, the rest goes on."""

from collections.abc import Callable

from bluered.errors import FormatError

OnError = Callable[[FormatError], None]


def report(error: FormatError, on_error: OnError | None) -> None:
    """Hand an error over, or raise it where nobody takes it."""
    if on_error is None:
        raise error
    on_error(error)
