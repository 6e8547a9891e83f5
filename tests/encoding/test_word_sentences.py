"""A document's words by sentence: where they stand, and what a text without words gives."""

import numpy as np

from bluered.documents.document import Document, Passage
from bluered.encoding.word_sentences import split, word_sentences, words_of

TEXT = "Loss of SCN5A in mice. It was seen twice.No β-blocker helped."


def test_the_words_of_all_sentences_are_those_of_the_text():
    at = split(Document(id="1", text=TEXT))
    starts, ends = at.tokens.word_starts.tolist(), at.tokens.word_ends.tolist()
    assert tuple(TEXT[s:e] for s, e in zip(starts, ends, strict=True)) == words_of(TEXT)
    assert [TEXT[starts[b.start]] for b in at.bounds] == ["L", "I", "N"]
    assert [b.start for b in at.bounds[1:]] == [b.stop for b in at.bounds[:-1]]


def test_a_sentence_holds_its_words_and_their_characters():
    document = Document(id="1", text=TEXT)
    sentences = word_sentences(document, split(document))
    assert sentences[1].words == ("It", "was", "seen", "twice", ".")
    assert len(sentences[1].characters) == 5
    again = word_sentences(Document(id="2", text="It"), split(Document(id="2", text="It")))
    np.testing.assert_array_equal(sentences[1].characters[0], again[0].characters[0])


def test_nothing_to_read_gives_no_sentence():
    title = Passage(type="title", start=0, end=2)
    passages = (title, Passage(type="abstract", start=2, end=5))
    for document in (
        Document(id="1", text=""),
        Document(id="2", text="  \n"),
        Document(id="3", text="  a b", passages=passages),
    ):
        at = split(document)
        assert len(word_sentences(document, at)) == (document.id == "3")
        assert len(at.tokens.first) == (2 if document.id == "3" else 0)
