"""The errors BlueRED raises on purpose; anything else that escapes is a bug.

Each message says where (file and line, or document id), what was expected, what was found and
what to do. The command line prints it in one line and exits with status 1.
"""

from difflib import get_close_matches


class BlueredError(Exception):
    """The root of every error a user can cause and mend."""


class FormatError(BlueredError):
    """A file that does not say what its format promises.

    `source` is the file's name, `line` its 1-based line (where the format has lines) and
    `document` the id of the document; each is left out of the message when unknown.
    """

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        document: str | None = None,
    ) -> None:
        self.message = message
        self.source = source
        self.line = line
        self.document = document
        super().__init__(message)

    def __str__(self) -> str:
        place = self.source or ""
        if self.line is not None:
            place = f"{place}:{self.line}" if place else f"line {self.line}"
        if self.document is not None:
            place = f"{place}, document {self.document}" if place else f"document {self.document}"
        whole = f"{place}: {self.message}" if place else self.message
        return whole.replace("\r", " ").replace("\n", " ")  # ids and texts may hold line ends


class CorpusError(BlueredError):
    """A corpus that is unknown, absent, incomplete or not the published one."""


class ModelError(BlueredError):
    """A model bundle that is missing, incomplete or made for another version."""


def unknown_name(kind: str, name: str, known: list[str], hint: str = "") -> str:
    """Return the message for a name that is not in a list, with the nearest known ones.

    >>> unknown_name("corpus", "biored2", ["bc5cdr", "biored"], "bluered corpora list")
    "no corpus 'biored2'; did you mean 'biored'? (bluered corpora list)"
    """
    near = get_close_matches(name, known, n=3)
    guess = " or ".join(f"'{n}'" for n in near) if near else "one of " + ", ".join(sorted(known))
    tail = f" ({hint})" if hint else ""
    return f"no {kind} '{name}'; did you mean {guess}?{tail}"
