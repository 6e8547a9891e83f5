"""A vocabulary fitted to texts: common words whole, unused pieces gone, any text still written."""

import pytest
from tokenizers import Tokenizer, models

from bluered.errors import ModelError

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

TEXTS = ["olaparib kinase kinase", "Kinase kinase of the ligase", "kinase ligase"] * 3


@pytest.fixture
def fit(tiny_tokenizer):
    from bluered.training.vocabulary import fitted

    return lambda new, texts=TEXTS: fitted(tiny_tokenizer, texts, new=new)


def pieces(tokenizer, text):
    return tokenizer.encode(text, add_special_tokens=False).tokens


def test_words_that_save_most_pieces_are_taken_in(fit, tiny_tokenizer):
    assert len(pieces(tiny_tokenizer, "kinase")) == len(pieces(tiny_tokenizer, "ligase")) == 6
    one, two = fit(1).tokenizer, fit(2).tokenizer
    assert pieces(one, "kinase ligase") == ["kinase", "l", "##i", "##g", "##a", "##s", "##e"]
    assert pieces(two, "kinase ligase") == ["kinase", "ligase"]


def test_a_rare_word_is_not_taken_in(fit):
    rare = [*TEXTS, *["polymerase"] * 4]
    assert len(pieces(fit(9, rare).tokenizer, "polymerase")) > 1
    assert pieces(fit(9, [*rare, "polymerase"]).tokenizer, "polymerase") == ["polymerase"]


def test_unused_pieces_go_and_special_ones_stay(fit):
    tokenizer = fit(2).tokenizer
    kept = tokenizer.get_vocab()
    assert "olaparib" in kept
    assert "syndrome" not in kept
    assert {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} <= kept.keys()
    assert sorted(kept.values()) == list(range(len(kept)))


@pytest.mark.parametrize("text", ["kinase", "Zebra 42 fever", "syndrome of QT", "xyz"])
def test_any_text_is_written_as_before_but_in_other_pieces(fit, tiny_tokenizer, text):
    tokenizer = fit(2).tokenizer
    words = lambda t: "".join(piece.removeprefix("##") for piece in pieces(t, text))  # noqa: E731
    assert words(tokenizer) == words(tiny_tokenizer)
    assert "[UNK]" not in pieces(tokenizer, text)


def test_the_special_tokens_around_a_text_have_their_new_ids(fit):
    tokenizer = fit(2).tokenizer
    encoded = tokenizer.encode("kinase")
    assert encoded.tokens == ["[CLS]", "kinase", "[SEP]"]
    assert encoded.ids == [tokenizer.token_to_id(token) for token in encoded.tokens]


def test_a_word_begins_as_the_mean_of_its_pieces(fit, tiny_tokenizer):
    from bluered.training.vocabulary import fitted_embeddings

    old = torch.randn(tiny_tokenizer.get_vocab_size(), 5)
    vocabulary = fit(2)
    new = fitted_embeddings(old, vocabulary)
    ids = tiny_tokenizer.encode("kinase", add_special_tokens=False).ids
    number = vocabulary.tokenizer.token_to_id
    assert torch.allclose(new[number("kinase")], old[ids].mean(dim=0))
    assert torch.equal(new[number("[SEP]")], old[tiny_tokenizer.token_to_id("[SEP]")])
    assert torch.equal(new[number("##s")], old[tiny_tokenizer.token_to_id("##s")])
    assert len(new) == vocabulary.tokenizer.get_vocab_size()


def test_pieces_per_word_are_counted(fit, tiny_tokenizer):
    from bluered.training.vocabulary import pieces_per_word

    assert pieces_per_word(tiny_tokenizer, ["kinase of", "the"]) == pytest.approx(8 / 3)
    assert pieces_per_word(fit(2).tokenizer, ["kinase of", "the"]) == 1.0


def test_another_kind_of_tokenizer_is_refused():
    from bluered.training.vocabulary import fitted

    with pytest.raises(ModelError, match="WordPiece tokenizer to fit to texts, not BPE"):
        fitted(Tokenizer(models.BPE()), TEXTS, new=3)
