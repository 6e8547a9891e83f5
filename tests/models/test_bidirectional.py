"""Two language models under one output layer: each guesses from one side alone."""

import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

SENTENCES = [["a", "b", "c", "d"], ["b"], ["d", "a", "a", "c", "b", "e"], []]
VOCABULARY = ["<S>", "</S>", "<UNK>", "a", "b", "c", "d", "e"]


@pytest.fixture(scope="module")
def model():
    from bluered.models.bidirectional import BidirectionalLanguageModel
    from bluered.models.elmo import (
        CharacterOptions,
        Elmo,
        ElmoOptions,
        EmbeddingOptions,
        LstmOptions,
    )

    torch.manual_seed(3)
    options = ElmoOptions(
        CharacterOptions(EmbeddingOptions(4), ((1, 4), (2, 4)), n_highway=1),
        LstmOptions(8, 6, n_layers=2, cell_clip=3.0, proj_clip=3.0, use_skip_connections=True),
    )
    return BidirectionalLanguageModel(Elmo(options), vocabulary=len(VOCABULARY)).eval()


def arrays(sentences):
    """Return characters and words to guess; -1 past the end of shorter sentences."""
    from bluered.encoding.elmo_characters import character_ids

    characters = torch.from_numpy(character_ids(sentences))
    words = torch.full(characters.shape[:2], -1)
    for row, sentence in zip(words, sentences, strict=True):
        row[: len(sentence) + 2] = torch.tensor(
            [VOCABULARY.index(word) for word in ("<S>", *sentence, "</S>")]
        )
    return characters, words


def plain(model, sentence):
    """Return the log-probabilities of one sentence's words, each looked up among those of all."""
    characters, words = arrays([sentence])
    states, size = model.encoder.states(characters)[-1, 0], 6
    onward, back = [], []
    for place in range(len(sentence) + 1):
        before, after = states[place, :size], states[place + 1, size:]
        onward.append(model.output.log_prob(before[None])[0, words[0, place + 1]])
        back.append(model.output.log_prob(after[None])[0, words[0, place]])
    return torch.stack([torch.stack(onward), torch.stack(back)])


@torch.no_grad()
def test_it_equals_looking_each_word_up_whatever_the_batch(model):
    expected = torch.cat([plain(model, sentence) for sentence in SENTENCES], dim=1)
    found = model(*arrays(SENTENCES))
    assert found.shape == (2, sum(len(sentence) + 1 for sentence in SENTENCES))
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)
    alone = torch.cat([model(*arrays([sentence])) for sentence in SENTENCES], dim=1)
    torch.testing.assert_close(found, alone, atol=1e-5, rtol=0)


@torch.no_grad()
def test_the_probabilities_of_all_words_sum_to_one(model):
    states, _ = model.asked(*arrays(SENTENCES))
    for direction in states:
        sums = model.output.log_prob(direction).exp().sum(dim=1)
        torch.testing.assert_close(sums, torch.ones_like(sums))


@torch.no_grad()
def test_no_direction_sees_the_word_it_guesses_or_what_is_past_it(model):
    one, other = (["a", "b", c, "d", "a"] for c in "ce")
    (states, words), (changed, _) = model.asked(*arrays([one])), model.asked(*arrays([other]))
    onward, back = 2, 3  # where the word that differs is guessed
    assert [VOCABULARY[words[0, onward]], VOCABULARY[words[1, back]]] == ["c", "c"]
    torch.testing.assert_close(states[0, : onward + 1], changed[0, : onward + 1])
    assert not torch.allclose(states[0, onward + 1], changed[0, onward + 1])
    torch.testing.assert_close(states[1, back:], changed[1, back:])
    assert not torch.allclose(states[1, back - 1], changed[1, back - 1])
