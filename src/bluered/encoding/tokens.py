"""Word pieces of a text with their code point offsets, and the words they make up.

A word is what BERT's pre-tokenizer makes, whatever tokenizer cuts the text: white space and every
punctuation mark separate. The tagger labels words, so that a mention never ends inside one.
"""

import json
import re
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tokenizers.pre_tokenizers import BertPreTokenizer

Ints = NDArray[np.int64]
Spans = NDArray[np.int64]

_HALF_PAIRS = re.compile("[\ud800-\udfff]")


class Tokens(Struct, frozen=True):
    """The pieces of a text, without special tokens, and its words.

    `ids`, `starts` and `ends` have shape (pieces,); `word_starts`, `word_ends` (code points) and
    `first`, `last` (indices of the word's first and last piece) have shape (words,).
    """

    ids: Ints
    starts: Ints
    ends: Ints
    word_starts: Ints
    word_ends: Ints
    first: Ints
    last: Ints


def load_tokenizer(path: Path) -> Tokenizer:
    """Load a `tokenizer.json`, made ready by `cut_at_words`."""
    return cut_at_words(Tokenizer.from_file(str(path)))


def cut_at_words(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer without its truncation and padding, of which no piece spans two words.

    BERT's and its kin's are so already. Those of bytes (RoBERTa, ModernBERT) and of SentencePiece
    (ALBERT, DeBERTa) join marks, as in `),`, or leave them with the word before: they are given
    each mark by itself, with the space before it, and cut as ever within that.
    """
    if not isinstance(tokenizer.pre_tokenizer, BertPreTokenizer):
        content = json.loads(tokenizer.to_str())
        own = content["pre_tokenizer"]
        steps = own["pretokenizers"] if own and own["type"] == "Sequence" else [own] if own else []
        steps = [step | _WITHIN.get(step["type"], {}) for step in steps if step != _MARKS]
        content["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [_MARKS, *steps]}
        tokenizer = Tokenizer.from_str(json.dumps(content))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


_MARKS = {
    "type": "Split",
    "pattern": {"Regex": r" ?[\p{P}$+<=>^`|~]"},  # what BERT's pre-tokenizer calls punctuation
    "behavior": "Isolated",
    "invert": False,
}
_WITHIN = {
    "Metaspace": {"prepend_scheme": "first"},  # no space before a mark where the text has none
    "ByteLevel": {"add_prefix_space": False},
}


def whole_characters(text: str) -> str:
    """Return a text of the same length that UTF-8 can say: halves of a character replaced."""
    return _HALF_PAIRS.sub("\N{REPLACEMENT CHARACTER}", text)


def tokenize(text: str, tokenizer: Tokenizer) -> Tokens:
    """Return the pieces and words of a text; a text without words gives arrays of length 0.

    Pieces of white space alone are left out.
    """
    whole = whole_characters(text)
    encoding = tokenizer.encode(whole, add_special_tokens=False)
    ids = np.asarray(encoding.ids, dtype=np.int64)
    spans = np.asarray(encoding.offsets, dtype=np.int64).reshape(-1, 2)
    if isinstance(tokenizer.pre_tokenizer, BertPreTokenizer):
        words = np.asarray([-1 if w is None else w for w in encoding.word_ids], dtype=np.int64)
    else:
        ids, spans, words = _in_words(ids, spans, whole)
    first = np.flatnonzero(np.diff(words, prepend=-2))
    last = np.append(first[1:], len(words)) - 1 if len(words) else first
    return Tokens(
        ids=ids,
        starts=spans[:, 0],
        ends=spans[:, 1],
        word_starts=spans[first, 0],
        word_ends=spans[last, 1],
        first=first,
        last=last,
    )


def _in_words(ids: Ints, spans: Spans, text: str) -> tuple[Ints, Spans, Ints]:
    """Return the pieces that stand in a word, their spans without white space, and which word."""
    found = [span for _, span in BertPreTokenizer().pre_tokenize_str(text)]
    bounds = np.asarray(found, dtype=np.int64).reshape(-1, 2)
    words = np.searchsorted(bounds[:, 1], spans[:, 0], side="right")
    inside = np.flatnonzero(words < len(bounds))
    inside = inside[bounds[words[inside], 0] < spans[inside, 1]]
    words = words[inside]
    starts = np.maximum(spans[inside, 0], bounds[words, 0])
    ends = np.minimum(spans[inside, 1], bounds[words, 1])
    return ids[inside], np.stack([starts, ends], axis=1), words
