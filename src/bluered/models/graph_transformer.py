"""BERT-GT (Lai and Lu 2021): a graph transformer beside the encoder, attending to neighbours only.

After ncbi/bert_gt (`modeling_gt.py`, `run_bert_gt.py`), with which BioRED's BERT-GT row was made:

- The graph transformer starts from the encoder's embeddings, not from its last states, and runs
  beside it. In a layer each piece attends to its neighbours (`encoding.graph_edges`); what it
  attends to goes through a dense layer and a feed-forward block, which is added and normalised. The
  layer's input is not added: a piece keeps itself by attending to itself.
- The last states of the markers of each concept are averaged; both means together go through a
  dense layer with tanh.
- `[CLS]` of the encoder goes through another dense layer with tanh; a linear layer decides from
  both after dropout. There is no dropout inside the graph transformer.

Unlike there, the mean is over the markers that there are (there over ten places, absent ones being
0), and the dense layer on `[CLS]` is new (there the encoder's pooler).
"""

import torch
from torch import Tensor, nn

from bluered.models.encoder import TypedEncoder
from bluered.models.marker_pair import PairDecision


class GraphLayer(nn.Module):
    """Attention to neighbours, then a feed-forward block."""

    def __init__(self, hidden: int, *, heads: int, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(hidden, hidden)
        self.value = nn.Linear(hidden, hidden)
        self.mix = nn.Linear(hidden, hidden)
        self.widen = nn.Linear(hidden, inner)
        self.narrow = nn.Linear(inner, hidden)
        self.norm = nn.LayerNorm(hidden)

    def forward(self, states: Tensor, edges: Tensor) -> Tensor:
        """Return new states (texts, pieces, hidden); edges: (texts, pieces, pieces), bool."""
        attended = self.mix(self._attended(states, edges))
        return self.norm(self.narrow(nn.functional.gelu(self.widen(attended))) + attended)

    def _attended(self, states: Tensor, edges: Tensor) -> Tensor:
        texts, pieces, hidden = states.shape
        query, key, value = (
            layer(states).view(texts, pieces, self.heads, -1).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        )  # (texts, heads, pieces, hidden of a head)
        found = nn.functional.scaled_dot_product_attention(
            query, key, value, attn_mask=edges.unsqueeze(1)
        )
        return found.transpose(1, 2).reshape(texts, pieces, hidden)


class BertGT(nn.Module):
    """A typed encoder, the graph transformer beside it, and the decision from both.

    `layers` of the graph transformer; its heads are as many as the encoder's, a feed-forward block
    is four times as wide inside, as in BERT.
    """

    def __init__(
        self,
        encoder: TypedEncoder,
        *,
        types: int,
        novelty: int,
        layers: int,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        hidden = encoder.hidden_size
        heads: int = encoder.encoder.config.num_attention_heads
        self.graph = nn.ModuleList(
            GraphLayer(hidden, heads=heads, inner=4 * hidden) for _ in range(layers)
        )
        self.whole = nn.Linear(hidden, hidden)
        self.concepts = nn.Linear(2 * hidden, 2 * hidden)
        self.head = PairDecision(3 * hidden, types=types, novelty=novelty, dropout=dropout)

    def forward(
        self, ids: Tensor, mask: Tensor, kinds: Tensor, edges: Tensor, markers: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return what `PairDecision` does.

        ids, mask, kinds: (pairs, pieces); edges: (pairs, pieces, pieces), bool; markers: (pairs, 2,
        pieces), what each piece counts for each of the two concepts.
        """
        states, last = self.encoder.embeddings_and_states(ids, mask, kinds)
        for layer in self.graph:
            states = layer(states, edges)
        whole = torch.tanh(self.whole(last[:, 0]))
        concepts = torch.tanh(self.concepts((markers @ states).flatten(start_dim=1)))
        return self.head(torch.cat([whole, concepts], dim=1))
