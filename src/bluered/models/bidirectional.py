"""ELMo's training: two language models, one guesses each next word and one each word before.

Peters et al. 2018, section 3.1: both read the same characters and guess by the same output layer.
The output layer is no part of what an ELMo is used for. Here it is an adaptive softmax (Grave et
al. 2017), which spends little on rare words, in place of the original's sampled one: it is as fast
and its probabilities are exact, so that perplexities can be told.
"""

import torch
from torch import Tensor, nn

from bluered.models.elmo import Elmo


class BidirectionalLanguageModel(nn.Module):
    """An ELMo (`encoder`), and what guesses words from its highest states.

    vocabulary: how many words are guessed, the most frequent ones first.
    """

    def __init__(self, encoder: Elmo, *, vocabulary: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.output = nn.AdaptiveLogSoftmaxWithLoss(
            encoder.options.lstm.projection_dim,
            vocabulary,
            cutoffs=sorted({max(1, vocabulary // 15), max(1, vocabulary // 3)}),
            div_value=2.0,  # the rarer a word, the fewer places of a state decide on it
        )

    def forward(self, characters: Tensor, words: Tensor) -> Tensor:
        """Return the log-probabilities of words, (2, guesses): after those before, those behind.

        characters: as for `Elmo.states`, (sentences, words + 2, characters). words: the place of
        each word in the vocabulary, begins and ends too, (sentences, words + 2); -1 past an end.
        Forward every word and the end are guessed, backward every word and the begin.
        """
        states, asked = self.asked(characters, words)
        return self.output(states.flatten(0, 1), asked.flatten()).output.unflatten(0, (2, -1))

    def asked(self, characters: Tensor, words: Tensor) -> tuple[Tensor, Tensor]:
        """Return the states that guess, (2, guesses, projected), and the words, (2, guesses)."""
        onward, back = self.encoder.states(characters)[-1].chunk(2, dim=2)
        present = words >= 0
        both = present[:, :-1] & present[:, 1:]
        return (
            torch.stack([onward[:, :-1][both], back[:, 1:][both]]),
            torch.stack([words[:, 1:][both], words[:, :-1][both]]),
        )
