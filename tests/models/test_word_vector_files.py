"""Files of word vectors: each layout is read, and what is broken is named by its place."""

import gzip
import struct

import numpy as np
import pytest

from bluered.errors import FormatError, ModelError
from bluered.models.word_vector_files import read_vectors, row_of

WORDS = ["</s>", "BRCA1", "brca1", "α-synuclein", "of", "\N{NO-BREAK SPACE}", "x\x85y"]
VECTORS = np.random.default_rng(0).normal(size=(len(WORDS), 4)).astype(np.float32)
TEXT = "".join(
    f"{word} {' '.join(str(float(x)) for x in row)}\n"
    for word, row in zip(WORDS, VECTORS, strict=True)
)
HEADER = f"{len(WORDS)} 4\n"


def binary(words, vectors, *, end=b"\n") -> bytes:
    pairs = zip(words, vectors, strict=True)
    rows = (word.encode() + b" " + row.astype("<f4").tobytes() + end for word, row in pairs)
    return b"%d %d\n" % vectors.shape + b"".join(rows)


LAYOUTS = {
    "word2vec-text": (HEADER + TEXT).encode(),
    "fasttext-text": (HEADER + TEXT.replace("\n", " \n")).encode(),
    "glove": TEXT.encode(),
    "windows": (HEADER + TEXT).replace("\n", "\r\n").encode(),
    "no-last-end": (HEADER + TEXT).rstrip("\n").encode(),
    "blank-end": (TEXT + "\n\n").encode(),
    "word2vec-binary": binary(WORDS, VECTORS),
    "gensim-binary": binary(WORDS, VECTORS, end=b""),
    "packed-text": gzip.compress((HEADER + TEXT).encode()),
    "packed-binary": gzip.compress(binary(WORDS, VECTORS)),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "vectors"


def refused(path, content: bytes, **options) -> str:
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        read_vectors(path, **options)
    return str(caught.value).removeprefix(str(path))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("chunk", [1 << 20, 40])
def test_each_layout_is_read(path, monkeypatch, layout, chunk):
    path.write_bytes(LAYOUTS[layout])
    monkeypatch.setattr("bluered.models.word_vector_files._CHUNK", chunk)
    found = read_vectors(path)
    assert list(found.rows.items()) == [(word, i) for i, word in enumerate(WORDS)]
    assert found.vectors.dtype == np.float32
    np.testing.assert_array_equal(found.vectors, VECTORS)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_only_the_words_asked_for_are_kept(path, layout):
    path.write_bytes(LAYOUTS[layout])
    found = read_vectors(path, words=["OF", "BRCA1", "unseen", "\ud800"])
    assert list(found.rows) == ["BRCA1", "brca1", "of"]
    np.testing.assert_array_equal(found.vectors, VECTORS[[1, 2, 4]])
    nothing = read_vectors(path, words=[])
    assert nothing.rows == {}
    assert nothing.vectors.shape == (0, 4)


def test_words_fall_back_to_lower_case():
    rows = {"BRCA1": 0, "brca1": 1, "of": 2}
    assert [row_of(rows, w) for w in ("BRCA1", "Brca1", "OF", "by")] == [0, 1, 2, None]


def test_numbers_may_look_like_spaces_and_line_ends(path):
    odd = [b"    ", b"\n\n\n\n", b" \n \n", b"1.0 ", b"\x00\x00\x80\x3f", b"\n a\n"]
    vectors = np.array([struct.unpack("<f", one) for one in odd], dtype=np.float32)
    words = [f"w{i}" for i in range(len(odd))]
    for end in (b"\n", b""):
        path.write_bytes(binary(words, vectors, end=end))
        for found in (read_vectors(path), read_vectors(path, layout="binary")):
            assert list(found.rows) == words
            assert found.vectors.tobytes() == b"".join(odd)


def test_words_cut_inside_a_character(path):
    vectors = np.array([[1, 2], [3, 4]], dtype=np.float32)
    whole = binary(["aé", "b"], vectors)
    path.write_bytes(whole.replace("é".encode(), b"\xc3"))
    assert list(read_vectors(path).rows) == ["a\N{REPLACEMENT CHARACTER}", "b"]
    path.write_bytes(b"2 2\na\xc3 1 2\nb 3 4\n")
    assert list(read_vectors(path).rows) == ["a\N{REPLACEMENT CHARACTER}", "b"]


TWICE = [
    b"3 1\na 1\nb 2\na 3\n",
    b"a 1\nb 2\na 3\n",
    binary(["a", "b", "a"], np.array([[1.0], [2], [3]])),
]


@pytest.mark.parametrize("content", TWICE)
def test_of_a_word_given_twice_the_first_counts(path, content):
    path.write_bytes(content)
    found = read_vectors(path)
    assert found.rows == {"a": 0, "b": 1}
    assert found.vectors.tolist() == [[1], [2]]


def test_a_word_of_glove_may_hold_spaces(path):
    path.write_bytes(b"the 1 2\n. . . 3 4\nat name@domain.com 5 6\n")
    assert list(read_vectors(path).rows) == ["the", ". . .", "at name@domain.com"]
    assert list(read_vectors(path, words=[". . ."]).rows) == [". . ."]
    assert list(read_vectors(path, words=["the"]).rows) == ["the"]
    assert list(read_vectors(path, words=["."]).rows) == []


@pytest.mark.parametrize("words", [None, ["b"]])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a 1 2\nb 1\n", ":2: expected a word and 2 numbers"),
        (b"2 2\na 1 2\nb 1\n", ":3: expected a word and 2 numbers"),
        (b"a 1 2\nb 1 x\n", ":2: expected 2 finite numbers after 'b'"),
        (b"a 1 2\nb 1 nan\n", ":2: expected 2 finite numbers"),
        (b"a 1 2\nb 1 1e99\n", ":2: expected 2 finite numbers"),
        (b"a 1 2\n 1 2\n", ":2: expected a word and 2 numbers"),
        (b"a 1 2\n\nb 1 2\n", ":2: an empty line before the end"),
        (b"2 2\nb one 2\na 1 2\n", ":2: expected 2 finite numbers after 'b'"),
        (b"3 2\na 1 2\nb 1 2\n", "promises 3 vectors, but the file ends after 2"),
        (b"1 2\na 1 2\nb 1 2\n", "promises 1 vectors, but the file goes on"),
        (b"3 2\n", "ends after 0"),
        (b"", ":1: expected a word and its numbers"),
        (b"alone\n", ":1: expected a word and its numbers"),
        (b"3 0\n", ":1: expected a word and its numbers"),
    ],
)
def test_bad_lines_are_named(path, content, said, words):
    assert said in refused(path, content, words=words)


@pytest.mark.parametrize("words", [None, ["of"], []])
@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_binary_file_cut_anywhere_is_refused(path, words, end):
    whole = binary(WORDS, VECTORS, end=end)
    for length in range(len(HEADER) + 20, len(whole) - len(end), 7):
        said = refused(path, whole[:length], words=words)
        assert f"promises {len(WORDS)} vectors, but the file ends after" in said


def test_a_binary_file_that_goes_on_or_is_misread(path):
    whole = binary(WORDS, VECTORS)
    assert "goes on" in refused(path, whole.replace(b"7 4", b"6 4", 1))
    assert "promises" in refused(path, whole.replace(b"7 4", b"7 9999", 1))
    bad = VECTORS.copy()
    bad[2, 1] = np.inf
    assert "vector 3: expected a word and 4 finite numbers, found 'brca1'" in refused(
        path, binary(WORDS, bad)
    )
    assert ":1: expected how many" in refused(path, TEXT.encode(), layout="binary")


def test_a_packed_file_cut_off(path):
    packed = gzip.compress((HEADER + TEXT).encode())
    assert "damaged" in refused(path, packed[:-20])


def test_a_model_of_fasttext_says_what_to_do(path):
    path.write_bytes(struct.pack("<ii", 793712314, 12) + bytes(100))
    with pytest.raises(ModelError, match=r"is a fastText model: export .*print-word-vectors"):
        read_vectors(path)


def test_an_absent_file(path):
    with pytest.raises(ModelError, match=r"no word vectors at .*vectors: No such file"):
        read_vectors(path)
