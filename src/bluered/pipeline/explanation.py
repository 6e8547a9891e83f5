"""What is told of why a document's names have their ids.

As JSON these structs are what `bluered explain --json` prints; docs/annotate.md describes them.
"""

from msgspec import Struct

from bluered.documents.document import Span


class Reason(Struct, frozen=True):
    """Something that speaks for the first candidate and not, or less, for the second.

    `topic` is one of `normalize.reasons.Topic`; `adds` is how far the first one's score (in log
    odds) falls if in this it were like the second; negative where it rises.
    """

    topic: str
    words: str
    adds: float


class Species(Struct, frozen=True):
    """The species that a gene was taken to be of, and where in the text that came from."""

    taxon: str
    name: str
    where: str
    words: str


class Considered(Struct, frozen=True):
    """A concept that a name may stand for; `species` is that of a gene."""

    id: str
    name: str
    species: str
    match: str
    how: str
    probability: float


class Part(Struct, frozen=True):
    """A decision: on a name, or on a part of a name of several concepts ("BRCA1/2").

    `id` is empty where nothing was chosen, and `why_not` says why. `candidates` are the likeliest
    ones, the best first, `more` says how many there were besides. `because` compares the first
    candidate with the second.
    """

    name: str
    id: str
    candidates: tuple[Considered, ...]
    more: int
    because: tuple[Reason, ...]
    long_form: str = ""
    species: Species | None = None
    why_not: str = ""


class Reading(Struct, frozen=True):
    """What is known of a sequence variant; `runner_up` is the id that came second."""

    id: str
    form: str
    match: str
    reason: str
    probability: float
    gene: str
    gene_name: str
    runner_up: str


class Name(Struct, frozen=True):
    """A name of a document: its mentions, the ids they get, and why.

    `parts` are the decisions on it, `variant` is there instead for a sequence variant. `lent_by`
    is the mention whose id it shares where it has none of its own. `given` are the ids that the
    input gave to its mentions; they are shown, not used.
    """

    name: str
    type: str
    mentions: tuple[Span, ...]
    ids: tuple[str, ...]
    local: bool
    given: tuple[str, ...] = ()
    lent_by: str = ""
    parts: tuple[Part, ...] = ()
    variant: Reading | None = None
    why_not: str = ""


class Explanation(Struct, frozen=True):
    """The names of a document in the order of their first mentions."""

    document: str
    names: tuple[Name, ...]
