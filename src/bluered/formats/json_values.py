"""A JSON text read piece by piece, so that a long list need not be held as a whole."""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from bluered.errors import FormatError

_CHUNK = 1 << 18
_SPACE = re.compile(r"[ \t\n\r]*")
_NEAR_END = 16  # a fault this close to the end of the buffer may be a value cut in two

Fields = dict[str, Any]


class JsonReader:
    """A place in a JSON text; what lies behind it is forgotten."""

    def __init__(self, stream: BinaryIO, *, source: str) -> None:
        self.source = source
        self._stream = stream
        self._utf8 = codecs.getincrementaldecoder("utf-8-sig")()
        self._decoder = json.JSONDecoder(parse_constant=_refuse_constant)
        self._buffer = ""
        self._position = 0
        self._line = 1  # of the place up to which line feeds are counted
        self._counted = 0
        self._ended = False

    @property
    def line(self) -> int:
        """The 1-based line of the place."""
        self._line += self._buffer.count("\n", self._counted, self._position)
        self._counted = self._position
        return self._line

    def peek(self) -> str:
        """Return the next character that is not white space, "" at the end."""
        while True:
            self._position = _SPACE.match(self._buffer, self._position).end()  # pyright: ignore[reportOptionalMemberAccess]
            if self._position < len(self._buffer):
                return self._buffer[self._position]
            if self._ended:
                return ""
            self._fill()

    def take(self, expected: str) -> None:
        """Step over one of the expected characters, or raise FormatError."""
        found = self.peek()
        if not found or found not in expected:
            self._fail(f"expected {' or '.join(expected)}", found)
        self._position += 1

    def value(self) -> object:
        """Take one whole value."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._position)
            except RecursionError:
                self._fail("nested too deeply", self.peek())
            except json.JSONDecodeError as error:
                if self._ended or not self._may_be_cut(error):
                    self._position = min(error.pos, len(self._buffer))
                    self._fail(error.msg, self._buffer[error.pos : error.pos + 1])
            except ValueError as error:  # a number of thousands of digits, NaN
                self._fail(str(error), self.peek())
            else:
                if end < len(self._buffer) or self._ended:
                    self._check_surrogates(value, end)
                    self._position = end
                    return value
            self._fill()

    def items(self) -> Iterator[None]:
        """Step through the items of a list; the caller takes each item's value."""
        self.take("[")
        if self.peek() == "]":
            self.take("]")
            return
        while True:
            yield
            if self.peek() == "]":
                self.take("]")
                return
            self.take(",]")

    def members(self) -> Iterator[str]:
        """Yield the keys of an object; the caller takes each key's value."""
        self.take("{")
        while self.peek() != "}":
            if self.peek() != '"':
                self._fail('expected a key in "', self.peek())
            key = self.value()
            self.take(":")
            yield str(key)
            if self.peek() != "}":
                self.take(",}")
        self.take("}")

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated") or error.pos + _NEAR_END > len(self._buffer)

    def _fill(self) -> None:
        """Read on; the buffer doubles while one value is being read."""
        rest = self._buffer[self._position :]
        chunk = self._stream.read(max(_CHUNK, len(rest)))
        self._ended = not chunk
        line = self.line
        self._counted = 0
        try:
            self._buffer = rest + self._utf8.decode(chunk, final=self._ended)
        except UnicodeDecodeError as error:
            line += rest.count("\n") + chunk.count(b"\n", 0, error.start)
            raise FormatError(
                f"byte 0x{error.object[error.start]:02x} is not UTF-8 (convert the file first, "
                "e.g. iconv -f LATIN1 -t UTF-8)",
                source=self.source,
                line=line,
            ) from None
        self._position = 0

    def _check_surrogates(self, value: object, end: int) -> None:
        """Refuse half of a surrogate pair, which no text can hold."""
        if "\\u" not in self._buffer[self._position : end]:
            return
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = error.object[error.start]
            self._fail(f"half a surrogate pair ({half!r}) is not a character", self.peek())

    def _fail(self, message: str, found: str) -> None:
        what = f"found {found!r}" if found else "the text ends (is the file truncated?)"
        raise FormatError(f"not JSON: {message}, {what}", source=self.source, line=self.line)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
