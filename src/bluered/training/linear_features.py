"""What the linear baselines see of texts, pairs of texts and tokens."""

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from bluered.documents.examples import TextPair

WORD = re.compile(r"\w+")
PLACEHOLDER = re.compile(r"@[^@$\s]+\$")


def between(text: str) -> str:
    """Return what stands between the first and the last placeholder of a blinded sentence.

    >>> between("We saw that @CHEMICAL$ blocks @GENE$ here")
    '@CHEMICAL$ blocks @GENE$'
    """
    places = [match.span() for match in PLACEHOLDER.finditer(text)]
    return text[places[0][0] : places[-1][1]] if places else ""


def pair_words(pair: TextPair) -> str:
    """Return the words of both texts, marked as only in the first, only in the second or shared.

    >>> pair_words(TextPair(id="1", first="he sleeps", second="he wakes"))
    'both_he first_sleeps second_wakes'
    """
    first, second = (set(WORD.findall(t.lower())) for t in (pair.first, pair.second))
    marked = {f"both_{word}" for word in first & second}
    marked |= {f"first_{word}" for word in first - second}
    marked |= {f"second_{word}" for word in second - first}
    return " ".join(sorted(marked))


def overlap_features(
    texts: Sequence[str],
) -> Callable[[Sequence[TextPair]], NDArray[np.float64]]:
    """Return the function that measures how much two texts share, (pairs, 4).

    The cosines of their TF-IDF vectors of words and of character n-grams (weighted as in `texts`),
    the share of words in common, and the ratio of their lengths.
    """
    vectors = [
        TfidfVectorizer(sublinear_tf=True).fit(texts),
        TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True).fit(texts),
    ]

    def measure(pairs: Sequence[TextPair]) -> NDArray[np.float64]:
        first, second = [p.first for p in pairs], [p.second for p in pairs]
        columns = [
            np.asarray(v.transform(first).multiply(v.transform(second)).sum(axis=1)).ravel()
            for v in vectors
        ]
        words = [tuple(set(WORD.findall(t.lower())) for t in (p.first, p.second)) for p in pairs]
        columns.append(np.asarray([len(a & b) / max(1, len(a | b)) for a, b in words]))
        sizes = [(len(a), len(b)) for a, b in words]
        columns.append(np.asarray([min(s) / max(1, *s) for s in sizes]))
        return np.column_stack(columns)

    return measure


def token_features(tokens: Sequence[str]) -> list[dict[str, float]]:
    """Return for each token of a sentence its word, form, beginning and end, and its neighbours."""
    alone = [_alone(token) for token in tokens]
    rows = []
    for index in range(len(tokens)):
        row = dict.fromkeys(alone[index], 1.0)
        for offset in (-2, -1, 1, 2):
            place = index + offset
            near = alone[place][:2] if 0 <= place < len(tokens) else ["end"]
            row |= {f"{offset}:{name}": 1.0 for name in near}
        rows.append(row)
    return rows


def _alone(token: str) -> list[str]:
    lower = token.lower()
    begins = [f"p{size}={lower[:size]}" for size in (2, 3, 4)]
    ends = [f"s{size}={lower[-size:]}" for size in (2, 3, 4)]
    return [f"w={lower}", f"form={form(token)}", *begins, *ends]


def form(token: str) -> str:
    """Return the form of a token: capitals, small letters, digits, signs, repeats left out.

    >>> form("SCN5A"), form("p53"), form("aspirin")
    ('A0A', 'a0', 'a')
    """
    return re.sub(r"(.)\1+", r"\1", "".join(map(_kind, token)))


def _kind(sign: str) -> str:
    if sign.isalpha():
        return "A" if sign.isupper() else "a"
    return "0" if sign.isdigit() else sign
