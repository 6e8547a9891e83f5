"""Names of a terminology in texts: windows looked up in the trie against an Aho-Corasick automaton.

    python benchmarks/dictionary.py [--terms NAME|FOLDER] [--documents N]

Finds the names in BioRED's development texts (corpus: BLUERED_DATA, or `bluered corpora fetch
biored`), each way in a process of its own, and prints Markdown tables: what each costs, and how
well the names agree with the annotated mentions (both borders and the type). The automaton is left
out where ahocorasick-rs is not installed. Speed is that of the best of five passes after a first
one; the ratio is the median of passes in turn with the first way, so that it holds on a busy
machine. "are names" counts the mentions whose text is a name of their type in the terminology.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from itertools import pairwise
from time import perf_counter, process_time

import marisa_trie

from bluered.corpora import documents as load_corpus
from bluered.documents.document import Document
from bluered.normalize.dictionary import MOST_WORDS, Dictionary, Hit, Word, join
from bluered.normalize.grouping import LINKED_TYPES
from bluered.normalize.locate import find_terminology
from bluered.normalize.names import name_key
from bluered.normalize.store import WORDS
from bluered.normalize.terminology import Terminology

PASSES = 5
WAYS = {
    "trie": f"windows of 1 to {MOST_WORDS} words, looked up in the trie",
    "automaton": "Aho-Corasick, all finds",
    "leftmost": "Aho-Corasick, leftmost-longest",
}


class Automaton(Dictionary):
    """Finds the keys by an automaton over all of them; `longest` asks for leftmost-longest only."""

    def __init__(self, terms: Terminology, *, longest: bool) -> None:
        """Build the automaton from the keys of names."""
        from ahocorasick_rs import AhoCorasick, MatchKind

        super().__init__(terms)
        trie = marisa_trie.Trie().mmap(str(terms.folder / "keys.marisa"))
        keys = {number: key for key, number in trie.iteritems() if not key.startswith(WORDS)}
        self._numbers = list(keys)
        self._longest_only = longest
        kind = MatchKind.LeftmostLongest if longest else MatchKind.Standard
        self._automaton = AhoCorasick(list(keys.values()), matchkind=kind)

    def names(self, found: Sequence[Word]) -> Iterator[list[Hit]]:
        """Yield the keys that begin with each word; those that are no whole words are dropped."""
        for chain in _chains(found):
            text, starts, ends = "", dict[int, int](), dict[int, int]()
            for number in chain:
                longer = join(text, found[number])
                starts[len(longer) - len(found[number].later if text else longer)] = number
                text = longer
                ends[len(text)] = number
            hits: dict[int, list[Hit]] = {number: [] for number in chain}
            for place, start, end in self._automaton.find_matches_as_indexes(
                text, overlapping=not self._longest_only
            ):
                if start in starts and end in ends and ends[end] - starts[start] < MOST_WORDS:
                    hit = Hit(text[start:end], self._numbers[place], ends[end])
                    hits[starts[start]].append(hit)
            yield from (sorted(hits[number], key=lambda hit: -hit.last) for number in chain)


def _chains(found: Sequence[Word]) -> Iterator[range]:
    """Yield the numbers of the words between which no name can break off."""
    borders = [number for number, word in enumerate(found) if number == 0 or not word.joins]
    yield from (range(start, end) for start, end in pairwise([*borders, len(found)]))


def dictionary(way: str, terms: Terminology) -> Dictionary:
    """Return the dictionary that works in a way."""
    return Dictionary(terms) if way == "trie" else Automaton(terms, longest=way == "leftmost")


def memory() -> tuple[int, int]:
    """Return what the process holds for itself, and what it has mapped from files, in kB."""
    with open("/proc/self/status", encoding="ascii") as status:
        values = dict(line.split(":", 1) for line in status)
    return tuple(int(values[name].split()[0]) for name in ("RssAnon", "RssFile"))  # type: ignore[return-value]


def measure(way: str, folder: str, texts: Sequence[Document]) -> dict[str, object]:
    """Return what a way costs and what it finds."""
    before = memory()[0]
    start = perf_counter()
    found = dictionary(way, Terminology(find_terminology(folder)))
    opened = perf_counter() - start
    own = memory()[0] - before
    matches = [found.matches(document.text) for document in texts]
    trie = Dictionary(found.terms)
    times = [(seconds(trie, texts), seconds(found, texts)) for _ in range(PASSES + 1)][1:]
    return {
        "opened": opened,
        "own": own / 1024,
        "rate": len(texts) / min(mine for _, mine in times),
        "ratio": statistics.median(one / mine for one, mine in times),
        "matches": [[(m.start, m.end, m.type) for m in some] for some in matches],
    }


def seconds(names: Dictionary, texts: Sequence[Document]) -> float:
    """Return the processor time of finding the names in all texts."""
    start = process_time()
    for document in texts:
        names.matches(document.text)
    return process_time() - start


def agreement(
    terms: Terminology, texts: Sequence[Document], found: Sequence[Sequence[Sequence[object]]]
) -> None:
    """Print how well names agree with annotated mentions, and how many mentions are names."""
    gold, given, right, held = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for document, some in zip(texts, found, strict=True):
        mentions = {(e.start, e.end, e.type) for e in document.entities}
        names = {tuple(one) for one in some}
        gold.update(kind for *_, kind in mentions)
        given.update(str(kind) for *_, kind in names)
        right.update(str(kind) for *_, kind in names & mentions)
        for start, end, kind in mentions:
            key = name_key(document.text[start:end], kind=kind)
            held[kind] += bool(kind in LINKED_TYPES and terms.bearers(key, type=kind))
    print("\n| type | mentions | are names | found as names | right | precision | recall |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for kind in LINKED_TYPES:
        precision, recall = right[kind] / max(1, given[kind]), right[kind] / max(1, gold[kind])
        print(
            f"| {kind} | {gold[kind]} | {held[kind] / gold[kind]:.1%} | {given[kind]} "
            f"| {right[kind]} | {precision:.1%} | {recall:.1%} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--terms")
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--way", choices=list(WAYS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    folder = str(find_terminology(options.terms))
    texts = list(load_corpus("biored", "dev"))[: options.documents]
    if options.way:
        json.dump(measure(options.way, folder, texts), sys.stdout)
        return
    ways = list(WAYS) if find_spec("ahocorasick_rs") else ["trie"]
    results = {}
    for way in ways:
        command = [sys.executable, __file__, "--terms", folder, "--way", way]
        command += ["--documents", str(options.documents)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        results[way] = json.loads(done.stdout)
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {platform.machine()}, "
        f"load at the end {os.getloadavg()[0]:.1f}, {len(texts)} documents, terminology "
        f"{Terminology(find_terminology(folder)).manifest.name}\n"
    )
    print(
        "| way | to open or build | memory of its own | documents per second "
        "| times the first way's | names found | same as the first way's |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|")
    first = _flat(results["trie"]["matches"])
    for way, result in results.items():
        mine = _flat(result["matches"])
        print(
            f"| {WAYS[way]} | {result['opened']:.3f} s | {result['own']:.0f} MB "
            f"| {result['rate']:.0f} | {result['ratio']:.2f} | {len(mine)} | {len(mine & first)} |"
        )
    agreement(Terminology(find_terminology(folder)), texts, results["trie"]["matches"])


def _flat(found: Sequence[Sequence[Sequence[object]]]) -> set[tuple[object, ...]]:
    return {(number, *one) for number, some in enumerate(found) for one in some}


if __name__ == "__main__":
    main()
