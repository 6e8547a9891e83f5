"""One pass per document against one pass per pair: speed and memory of three ways to relations.

    python benchmarks/one_pass.py [--documents N]

Each way goes from the text of the same BioRED development documents (corpus: BLUERED_DATA, or
`bluered corpora fetch biored`) to scored pairs, in a process of its own with both of its threads:

- ours: the shipped bundle, whole pipeline (mentions, ids, relations), 8 bits, no torch;
- torch: a model of the same size in torch, 32 bits, without ids (its weights do not matter);
- pairs: BERT-base in torch, 32 bits: one pass for the mentions, then for each candidate pair one
  pass over the text with its mentions marked, eight pairs at a time, without ids. Weights are
  random, which costs the same. The pairs are those of the gold concepts.

All pairs are of gold concepts in the second and third way, so that they score the same number.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from time import perf_counter

from msgspec.structs import replace

from bluered.corpora import documents as load_corpus
from bluered.documents.document import Document
from bluered.encoding.pairs import candidates

WAYS = {
    "ours": "ours: shipped bundle, text to relations with ids",
    "torch": "the same model in torch, 32 bits, without ids",
    "pairs": "BERT-base, a pass for each pair, without ids",
}
PAIRS_AT_ONCE = 8
FAST_PASSES = 10
"""How often the two faster ways go over the documents, which take them a moment."""
WINDOW = 512


def ours(texts: Sequence[Document]) -> Callable[[], object]:
    """Return what annotates the texts with the shipped model."""
    from bluered.pipeline.load import load

    nlp = load()
    bare = [replace(d, entities=(), relations=(), mention_relations=()) for d in texts]
    nlp(bare[0])  # the first run allocates
    return lambda: list(nlp.pipe(bare))


def in_torch(texts: Sequence[Document]) -> Callable[[], object]:
    """Return what runs a model of the shipped one's size in torch."""
    import torch
    from transformers import AutoModel, BertConfig

    from bluered.documents.biored_types import ENTITY_TYPES, RELATION_TYPES
    from bluered.encoding.tokens import load_tokenizer
    from bluered.inference.bundle import load_bundle
    from bluered.models.encoder import TypedEncoder
    from bluered.models.reader import Reader
    from bluered.training import reader as training
    from bluered.training.config import Optimisation, Recipe
    from bluered.training.known_names import KnownNames
    from bluered.training.sources import Example, source

    tokenizer = load_tokenizer(load_bundle().folder / "tokenizer.json")
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=384, num_hidden_layers=4,
        num_attention_heads=12, intermediate_size=1536,
    )  # fmt: skip
    recipe = Recipe(
        model="reader", task="biored", types=ENTITY_TYPES, relations=RELATION_TYPES, encoder="-",
        optimisation=Optimisation(epochs=1, batch=1, encoder_rate=0, head_rate=0),
    )  # fmt: skip
    encoder = TypedEncoder(AutoModel.from_config(config), kinds=0)
    model = Reader(encoder, **training.sizes(recipe)).eval()
    names = KnownNames(texts)

    def run() -> None:
        with torch.inference_mode():
            for document in texts:
                example = Example(document, source("biored:train"))
                row = training.row_of(example, tokenizer, recipe, names)
                _, states = training.read(model, row.windows)
                if row.pairs is not None:
                    hidden = training.whole_states(states, [row])[0]
                    training.scores_of(model, hidden, row.pairs)

    return run


def by_pair(texts: Sequence[Document]) -> Callable[[], object]:
    """Return what reads each text with BERT-base once for its mentions and once for each pair."""
    import torch
    from transformers import BertConfig, BertModel

    from bluered.encoding.tokens import load_tokenizer, tokenize
    from bluered.inference.bundle import load_bundle

    tokenizer = load_tokenizer(load_bundle().folder / "tokenizer.json")
    model = BertModel(BertConfig(vocab_size=30522)).eval()

    def length(document: Document, marked: int) -> int:
        """Return the pieces of a text with two markers around each marked mention."""
        pieces = len(tokenize(document.text, tokenizer).ids)
        return min(WINDOW, pieces + 2 + 2 * marked)

    def run() -> None:
        with torch.inference_mode():
            for document in texts:
                model(torch.ones((1, length(document, 0)), dtype=torch.int64))
                found = candidates(document)
                marks = [
                    len(found.concepts[a].mentions) + len(found.concepts[b].mentions)
                    for a, b in found.pairs.tolist()
                ]
                for start in range(0, len(marks), PAIRS_AT_ONCE):
                    some = marks[start : start + PAIRS_AT_ONCE]
                    width = length(document, max(some))
                    model(torch.ones((len(some), width), dtype=torch.int64))

    return run


def measure(way: str, texts: Sequence[Document]) -> dict[str, float]:
    """Return the seconds that a way takes for the texts, and its peak memory in MB."""
    passes = 1 if way == "pairs" else FAST_PASSES
    run = {"ours": ours, "torch": in_torch, "pairs": by_pair}[way](list(texts) * passes)
    start = perf_counter()
    run()
    seconds = (perf_counter() - start) / passes
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": seconds, "memory": peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=8)
    parser.add_argument("--way", choices=list(WAYS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    texts = list(load_corpus("biored", "dev"))[: options.documents]
    if options.way:
        json.dump(measure(options.way, texts), sys.stdout)
        return
    pairs = sum(len(candidates(document).pairs) for document in texts)
    load = os.getloadavg()[0]
    results = {}
    for way in WAYS:
        command = [sys.executable, __file__, "--way", way, "--documents", str(len(texts))]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        results[way] = json.loads(done.stdout)
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {platform.machine()}, "
        f"{os.cpu_count()} cores, load before the run {load:.1f}, {len(texts)} documents, "
        f"{pairs} candidate pairs\n"
    )
    print("| way | documents per second | times as long as ours | peak memory |")
    print("|---|---:|---:|---:|")
    mine = results["ours"]["seconds"]
    for way, result in results.items():
        print(
            f"| {WAYS[way]} | {len(texts) / result['seconds']:.2f} "
            f"| {result['seconds'] / mine:.1f} | {result['memory']:.0f} MB |"
        )


if __name__ == "__main__":
    main()
