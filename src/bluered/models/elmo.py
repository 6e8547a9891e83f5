"""ELMo: word vectors from a bidirectional language model that reads characters.

Peters et al. 2018, "Deep contextualized word representations"; its reader of characters is that of
Kim et al. 2016 (convolutions, highway layers of Srivastava et al. 2015), its LSTM that of Sak et
al. 2014 (with a projection). Parameters have the names' shapes and the gate order of the original
weight files (see `elmo_files`), so that reading one is copying.

The original carries the LSTM's state on from one batch to the next, so that its vectors depend on
what it read before. Here the state is zero at the start of each sentence: a sentence's vectors
depend on nothing else, neither on the others of its batch nor on their lengths.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

import torch
from msgspec import Meta, Struct
from torch import Tensor, nn
from torch.nn import functional

from bluered.encoding.elmo_characters import ABSENT, CHARACTERS, PADDING, WIDTH, character_ids

FORGET_BIAS = 1.0  # TensorFlow adds it to the gate; it is not part of the stored bias


Size = Annotated[int, Meta(ge=1)]
Clip = Annotated[float, Meta(gt=0)]


class EmbeddingOptions(Struct, frozen=True):
    """The width of a character's vector."""

    dim: Size


class CharacterOptions(Struct, frozen=True):
    """How words are read; `filters` are pairs of a convolution's width and its channels."""

    embedding: EmbeddingOptions
    filters: Annotated[tuple[tuple[Size, Size], ...], Meta(min_length=1)]
    activation: Literal["relu", "tanh"] = "relu"
    n_highway: Annotated[int, Meta(ge=0)] | None = None
    n_characters: int = CHARACTERS
    max_characters_per_token: Annotated[int, Meta(ge=3)] = WIDTH


class LstmOptions(Struct, frozen=True):
    """The LSTMs of one direction: cells of width `dim`, states projected to `projection_dim`.

    Where the two are equal nothing is projected, and `proj_clip` does nothing, as in TensorFlow.
    """

    dim: Size
    projection_dim: Size
    n_layers: Size = 1
    cell_clip: Clip | None = None
    proj_clip: Clip | None = None
    use_skip_connections: bool = False


class ElmoOptions(Struct, frozen=True):
    """The sizes of a model, by the names of the original `options.json`."""

    char_cnn: CharacterOptions
    lstm: LstmOptions


class Highway(nn.Module):
    """A layer that lets part of its input through: gate * relu(W x + b) + (1 - gate) * x."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.W_carry = nn.Parameter(torch.randn(size, size) * size**-0.5)
        self.b_carry = nn.Parameter(torch.full((size,), -2.0))  # at first, most goes through
        self.W_transform = nn.Parameter(torch.randn(size, size) * size**-0.5)
        self.b_transform = nn.Parameter(torch.zeros(size))

    def forward(self, inputs: Tensor) -> Tensor:
        """Return (words, size) for inputs of shape (words, size)."""
        gate = torch.sigmoid(inputs @ self.W_carry + self.b_carry)
        return torch.lerp(inputs, torch.relu(inputs @ self.W_transform + self.b_transform), gate)


class CharacterLayer(nn.Module):
    """A word's vector from its characters: convolutions, maximum, highway layers, projection."""

    def __init__(self, options: ElmoOptions) -> None:
        super().__init__()
        cnn, size = options.char_cnn, options.char_cnn.embedding.dim
        channels, projected = sum(n for _, n in cnn.filters), options.lstm.projection_dim
        self.activation = torch.tanh if cnn.activation == "tanh" else torch.relu
        self.char_embed = nn.Parameter(torch.empty(CHARACTERS - 1, size).uniform_(-1, 1))
        self.W_cnn = nn.ParameterList(
            torch.randn(1, width, size, n) * (width * size) ** -0.5 for width, n in cnn.filters
        )
        self.b_cnn = nn.ParameterList(torch.zeros(n) for _, n in cnn.filters)
        self.highways = nn.ModuleList(Highway(channels) for _ in range(cnn.n_highway or 0))
        self.W_proj = self.b_proj = None
        if channels != projected:
            self.W_proj = nn.Parameter(torch.randn(channels, projected) * channels**-0.5)
            self.b_proj = nn.Parameter(torch.zeros(projected))

    def forward(self, characters: Tensor) -> Tensor:
        """Return (sentences, words, projected) for ids (sentences, words, characters).

        Each word of the batch is computed once, however often it stands there.
        """
        different, places = torch.unique(characters.flatten(0, 1), dim=0, return_inverse=True)
        words = self._convolved(different)  # (different words, channels)
        for highway in self.highways:
            words = highway(words)
        if self.W_proj is not None and self.b_proj is not None:
            words = words @ self.W_proj + self.b_proj
        return words[places].unflatten(0, characters.shape[:2])

    def _convolved(self, characters: Tensor) -> Tensor:
        characters = characters[:, : self._reach(characters)]
        table = functional.pad(self.char_embed, (0, 0, 1, 0))  # the vector of ABSENT is zero
        embedded = functional.embedding(characters, table).transpose(1, 2)  # (words, size, width)
        pooled = [  # `max` learns twice as fast as `amax`, which shares its gradient among equals
            functional.conv1d(embedded, kernel[0].permute(2, 1, 0)).max(dim=2).values + bias
            for kernel, bias in zip(self.W_cnn, self.b_cnn, strict=True)
        ]
        return self.activation(torch.cat(pooled, dim=1))

    def _reach(self, characters: Tensor) -> int:
        """Return how many characters decide: past the longest word all windows are the same."""
        written = ((characters != PADDING) & (characters != ABSENT)).any(dim=0).nonzero()
        longest = int(written.max()) + 1 if len(written) else 0
        return longest + max(kernel.shape[1] for kernel in self.W_cnn)


class ProjectedLstm(nn.Module):
    """One layer in one direction, its cells and projected states clipped.

    `W_0` has rows for input and state, columns for the gates: input, candidate, forget, output.
    """

    def __init__(self, options: LstmOptions) -> None:
        super().__init__()
        cells, size = options.dim, options.projection_dim
        self.cell_clip, self.proj_clip = options.cell_clip, options.proj_clip
        self.W_0 = nn.Parameter(torch.randn(2 * size, 4 * cells) * (2 * size) ** -0.5)
        self.B = nn.Parameter(torch.zeros(4 * cells))
        self.W_P_0 = None if cells == size else nn.Parameter(torch.randn(cells, size) / cells**0.5)

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the states (sentences, steps, size) for inputs of that shape, from zero on."""
        size = inputs.shape[2]
        from_inputs = (inputs @ self.W_0[:size] + self.B).unbind(1)
        recurrent = self.W_0[size:]
        state = inputs.new_zeros(inputs.shape[0], size)
        cell = inputs.new_zeros(inputs.shape[0], recurrent.shape[1] // 4)
        states = []
        for step in from_inputs:
            admit, candidate, forget, output = (step + state @ recurrent).chunk(4, dim=1)
            kept = torch.sigmoid(forget + FORGET_BIAS) * cell
            cell = kept + torch.sigmoid(admit) * torch.tanh(candidate)
            if self.cell_clip is not None:
                cell = cell.clamp(-self.cell_clip, self.cell_clip)
            state = torch.sigmoid(output) * torch.tanh(cell)
            if self.W_P_0 is not None:
                state = state @ self.W_P_0
                if self.proj_clip is not None:
                    state = state.clamp(-self.proj_clip, self.proj_clip)
            states.append(state)
        return torch.stack(states, dim=1)


class Elmo(nn.Module):
    """The bidirectional language model without its output layer.

    `size` is the width of a word in one layer (twice the projection), `layers` their number: that
    of the characters and those of the LSTMs.
    """

    def __init__(self, options: ElmoOptions) -> None:
        super().__init__()
        self.options = options
        self.size = 2 * options.lstm.projection_dim
        self.layers = options.lstm.n_layers + 1
        self.characters = CharacterLayer(options)
        self.directions = nn.ModuleList(
            nn.ModuleList(ProjectedLstm(options.lstm) for _ in range(options.lstm.n_layers))
            for _ in ("forward", "backward")
        )

    def forward(self, characters: Tensor) -> Tensor:
        """Return each layer's vectors of the words, (layers, sentences, words, size).

        characters: ids of `character_ids`, (sentences, words + 2, characters). The first layer is
        that of the characters, twice; the others are a layer's states forward | backward. The
        sentences' begins and ends are taken away, and past a sentence's words all is zero.
        """
        words = (characters != ABSENT).any(dim=2)[:, 2:]  # a sentence is two longer than its words
        return self.states(characters)[:, :, 1:-1] * words[:, :, None]

    def states(self, characters: Tensor) -> Tensor:
        """Return the same with begins and ends, (layers, sentences, words + 2, size).

        For training a language model: at each place the forward half has read the words up to and
        with it, the backward half those from it on. Past a sentence's end is nothing of meaning.
        """
        lengths = (characters != ABSENT).any(dim=2).sum(dim=1)
        inputs = self.characters(characters)
        turn = _backward_order(lengths, inputs.shape[1])[:, :, None]
        onward, back = (self._direction(number, inputs, turn) for number in (0, 1))
        return torch.stack([torch.cat(pair, dim=2) for pair in zip(onward, back, strict=True)])

    def _direction(self, number: int, inputs: Tensor, turn: Tensor) -> list[Tensor]:
        """Return the layers of one direction, each (sentences, places, projected)."""
        order = turn.expand_as(inputs)
        layer = inputs.gather(1, order) if number else inputs
        found = []
        for depth, lstm in enumerate(self.directions[number]):  # type: ignore[arg-type]
            made = lstm(layer)
            layer = made + layer if depth and self.options.lstm.use_skip_connections else made
            found.append(layer.gather(1, order) if number else layer)
        return [inputs, *found]

    def embed(self, sentences: Sequence[Sequence[str]], *, batch: int = 32) -> list[Tensor]:
        """Return the vectors of each sentence's words, (layers, words, size), without gradient."""
        device = self.characters.char_embed.device
        width = self.options.char_cnn.max_characters_per_token
        order = sorted(range(len(sentences)), key=lambda place: len(sentences[place]))
        found: dict[int, Tensor] = {}
        for places in (order[at : at + batch] for at in range(0, len(order), batch)):
            ids = character_ids([sentences[place] for place in places], width=width)
            with torch.no_grad():
                made = self(torch.from_numpy(ids).to(device))
            for row, place in enumerate(places):
                found[place] = made[:, row, : len(sentences[place])].clone()
        return [found[place] for place in range(len(sentences))]


def concatenated(layers: Tensor) -> Tensor:
    """Return layers of each word side by side, (..., words, layers * size).

    layers: (layers, ..., words, size), from `Elmo` or `Elmo.embed`. BLUE's ELMo baseline (Peng et
    al. 2019) joins the output states of both LSTM layers: give it `layers[1:]`.
    """
    return layers.movedim(0, -2).flatten(-2)


def _backward_order(lengths: Tensor, places: int) -> Tensor:
    """Return where to look for each sentence in reverse, (sentences, places), ends in place."""
    place = torch.arange(places, device=lengths.device).expand(len(lengths), -1)
    return torch.where(place < lengths[:, None], lengths[:, None] - 1 - place, place)
