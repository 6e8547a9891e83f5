"""Reading a document once: what the tagger and the relation model both start from."""

from collections.abc import Callable, Iterable
from functools import partial
from threading import local

import numpy as np
from msgspec import Struct

from bluered.encoding.name_features import Name, name_features
from bluered.encoding.tagging import TaggerWindow, tagger_batch, tagger_windows
from bluered.encoding.tokens import Tokens, load_tokenizer
from bluered.encoding.viterbi import Floats
from bluered.inference.bundle import Bundle
from bluered.inference.session import open_session, run

FindNames = Callable[[str], Iterable[Name]]
"""Find the known names in a text, which the model is told of."""


class Reading(Struct, frozen=True):
    """A text as the model has read it.

    `emissions` (words, tags), raw; `states` has one array (pieces, hidden) for each window, with
    those of the special tokens around it.
    """

    tokens: Tokens
    windows: tuple[TaggerWindow, ...]
    emissions: Floats
    states: tuple[Floats, ...]


class Reader:
    """The encoder and tagger of a bundle; safe to share between threads.

    Each thread keeps its last reading, so that a document that is tagged and then related is read
    once.
    """

    def __init__(self, bundle: Bundle, names: FindNames, *, threads: int | None = None) -> None:
        """Open the bundle's graph; `names` finds what the model is to know of a text."""
        self.bundle = bundle
        self._tokenizer = load_tokenizer(bundle.folder / "tokenizer.json")
        self._session = open_session(bundle.folder / "reader.onnx", threads=threads)
        self._names = names
        self._last = local()

    def read(self, text: str) -> Reading:
        """Return what the model makes of a text of any length."""
        if getattr(self._last, "text", None) != text:
            self._last.reading = self._read(text)
            self._last.text = text
        return self._last.reading

    def _read(self, text: str) -> Reading:
        settings = self.bundle.settings
        types = settings.tagger.types
        tokens, windows = tagger_windows(
            text,
            self._tokenizer,
            size=settings.window,
            overlap=settings.overlap,
            features=partial(name_features, names=self._names(text), types=types),
        )
        emissions = np.zeros((len(tokens.first), len(settings.tagger.starts)), dtype=np.float32)
        states = []
        for window in windows:
            batch = tagger_batch([window])
            scores, hidden = run(
                self._session,
                ids=batch.ids,
                first=batch.first,
                last=batch.last,
                characters=batch.characters,
                names=batch.names,
            )
            emissions[window.keep_start : window.keep_end] = scores[0][window.kept]
            states.append(hidden[0])
        return Reading(tokens, tuple(windows), emissions, tuple(states))
