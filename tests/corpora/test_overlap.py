"""Texts in common are found whatever the corpora did to them; those of the real ones are known."""

import random
from pathlib import Path

import pytest

from bluered.corpora.fingerprints import SHORTEST, fingerprints
from bluered.corpora.normal_text import normal_text
from bluered.corpora.overlap import Match, Overlap, by_id, by_text, is_numbered, overlaps
from bluered.corpora.texts import Part, part, parts_of, texts
from bluered.documents.document import Document, Passage, simple_document
from bluered.documents.examples import LabelledText, RelationExample, TextPair
from bluered.errors import CorpusError

WORDS = "gene loss causes the rare syndrome in mice while drugs that block it help some".split()


def invented(seed: int, words: int = 120) -> str:
    """A text of its own: no two seeds share a stretch of 31 letters."""
    rng = random.Random(seed)
    return " ".join(f"{rng.choice(WORDS)}{rng.randrange(10**6)}" for _ in range(words))


def documents(*named: tuple[str, str]) -> list[Document]:
    return [simple_document(name, "", text) for name, text in named]


def one(first: Part, second: Part) -> Overlap:
    (found,) = overlaps([first], [second])
    return found


def shares(found: Overlap) -> list[tuple[str, str, bool, bool | None]]:
    return [(m.first, m.second, m.equal, m.same_id) for m in found.matches if by_text(m)]


# What a fingerprint promises


def test_a_stretch_of_a_text_has_fingerprints_of_the_text() -> None:
    text = normal_text(invented(1))
    whole = set(fingerprints([text]).hashes.tolist())
    for start in range(0, 200, 7):
        for length in (SHORTEST, 50, 200):
            inner = set(fingerprints([text[start : start + length]]).hashes.tolist())
            assert inner
            assert inner <= whole


def test_fingerprints_do_not_cross_texts_nor_hang_on_what_else_is_there() -> None:
    pieces = [normal_text(invented(seed, 30)) for seed in range(20)]
    together = fingerprints(pieces)
    for number, piece in enumerate(pieces):
        own = together.hashes[together.owners == number]
        assert own.tolist() == fingerprints([piece]).hashes.tolist()


def test_short_texts_have_none() -> None:
    found = fingerprints([b"", b"a" * (SHORTEST - 1), b"ab" * SHORTEST])
    assert set(found.owners.tolist()) == {2}
    assert len(found.digests) == 3


# Which texts are the same


def test_equal_texts_with_other_ids_and_tokens_are_found() -> None:
    text = invented(1) + " (TNF-α)"
    first = part("a", documents(("11111", text), ("22222", invented(2))))
    second = part("b", documents(("33333", text.upper().replace("(", "( ").replace("Α", "alpha"))))
    found = one(first, second)
    assert shares(found) == [("11111", "33333", True, False)]
    assert found.count(by_text) == (1, 1)
    assert found.count(by_id) == (0, 0)


def test_a_text_with_changed_words_is_found_and_called_unequal() -> None:
    words = invented(1, 200).split()
    changed = " ".join("different" if n % 40 == 0 else w for n, w in enumerate(words))
    first, second = (
        part(n, documents(("1", t))) for n, t in (("a", " ".join(words)), ("b", changed))
    )
    (match,) = one(first, second).matches
    assert match.share > 0.5
    assert not match.equal


def test_a_text_that_shares_a_third_is_another_one() -> None:
    own, common = invented(1, 100), invented(3, 50)
    first = part("a", documents(("1", f"{common} {own}")))
    second = part("b", documents(("2", f"{common} {invented(2, 100)}")))
    assert one(first, second).matches == ()


def test_an_abstract_stands_in_a_full_text_and_a_sentence_in_an_abstract() -> None:
    sentence = invented(2, 8)
    abstract = f"{invented(1)} {sentence} {invented(3)}"
    full = part("full", documents(("9", f"{invented(4, 900)} {abstract} {invented(5, 900)}")))
    abstracts = part("abstracts", documents(("1", abstract)))
    pairs = part("pairs", [TextPair(id="1", first=sentence, second=invented(6, 8))])
    assert shares(one(abstracts, full)) == [("1", "9", False, None)]
    assert shares(one(pairs, abstracts)) == [("1.1", "1", False, None)]
    assert shares(one(abstracts, pairs)) == [("1", "1.1", False, None)]


def test_a_phrase_does_not_make_sentences_the_same() -> None:
    phrase = "in patients with chronic obstructive pulmonary disease"
    first = part("a", [TextPair(id="1", first=f"{phrase} {invented(1, 5)}", second=invented(8, 5))])
    second = part(
        "b", [TextPair(id="1", first=f"{invented(2, 5)} {phrase}", second=invented(9, 5))]
    )
    assert one(first, second).matches == ()


def test_a_text_of_a_set_phrase_only_is_the_same_only_where_it_is_all_there_is() -> None:
    phrase = "No drug interactions have been reported so far."
    first = part("a", documents(("1", phrase)))
    second = part("b", documents(("2", f"{invented(1)} {phrase}"), ("3", phrase.upper())))
    assert shares(one(first, second)) == [("1", "3", True, None)]


def test_the_same_id_with_another_text_is_told_apart() -> None:
    first = part("a", documents(("0012345", invented(1))))
    second = part("b", documents(("PMID:12345", invented(2))))
    (match,) = one(first, second).matches
    assert match == Match("0012345", "PMID:12345", 0.0, False, True, (0, 0))


def test_numbers_that_are_no_pubmed_ids_do_not_match() -> None:
    first = part("a", documents(("12", invented(1))))
    second = part("b", documents(("12", invented(2))))
    found = one(first, second)
    assert (found.matches, found.ids_known) == ((), False)


def test_ids_of_one_corpus_match_whatever_they_are() -> None:
    first = part("c:train", documents(("DDI.d1", invented(1))), corpus="c")
    second = part("c:test", documents(("DDI.d1", invented(2))), corpus="c")
    assert one(first, second).count(by_id) == (1, 1)


def test_a_part_against_itself_gives_what_stands_in_it_twice() -> None:
    twice = part(
        "a", documents(("1111", invented(1)), ("2222", invented(2)), ("3333", invented(1)))
    )
    (found,) = overlaps([twice])
    assert found.count(by_text) == (2, 2)
    assert {(m.first, m.second) for m in found.matches} == {("1111", "3333"), ("3333", "1111")}


def test_counts_are_of_texts_not_of_pairs() -> None:
    first = part("a", documents(("1", invented(1))))
    second = part("b", documents(("2", invented(1)), ("3", invented(1)), ("4", invented(4))))
    assert one(first, second).count(by_text) == (1, 2)


def test_empty_and_short_texts_are_counted_and_match_nothing_by_chance() -> None:
    first = part("a", documents(("1", "Case report."), ("2", invented(1)), ("3", "...")))
    second = part("b", documents(("4", "Case report."), ("5", "")))
    assert (first.too_short, second.too_short) == (2, 2)
    assert one(first, second).matches == ()
    assert one(first, part("none", [])).matches == ()
    assert one(part("none", []), first).matches == ()


def test_a_phrase_of_very_many_texts_counts_for_none() -> None:
    phrase = invented(0, 60)
    many = part(
        "many", documents(*((str(n), f"{phrase} {invented(n, 40)}") for n in range(1, 260)))
    )
    rest = part("rest", documents(("x", f"{phrase} {invented(1000, 40)}")))
    assert one(rest, many).matches == ()


# What is compared


def test_sentences_of_a_document_and_passages_of_a_full_text_come_as_one() -> None:
    labelled = [LabelledText(id=f"5_s{n}", document="5", text=t) for n, t in enumerate("ab")]
    assert [(t.id, t.text) for t in texts(labelled)] == [("5", "a b")]
    assert [(t.id, t.text) for t in texts(labelled, by_sentence=True)] == [
        ("5.1", "a"),
        ("5.2", "b"),
    ]
    passages = [
        Document(id="7", text="one"),
        Document(id="7", text="two"),
        Document(id="8", text="x"),
    ]
    assert [(t.id, t.text) for t in texts(passages)] == [("7", "one two"), ("8", "x")]


def test_candidate_pairs_of_a_sentence_give_it_once() -> None:
    rows = [
        RelationExample(
            id=f"d.{n}", document="d", head="T1", tail=f"T{n}", text="@A$", sentence="s"
        )
        for n in (2, 3)
    ]
    assert [(t.id, t.text) for t in texts(rows)] == [("d", "s")]


def test_a_corpus_of_sentences_keeps_its_own() -> None:
    text = "One. Two. three"
    passages = (
        Passage(type="sentence", start=0, end=9),
        Passage(type="sentence", start=10, end=15),
    )
    document = Document(id="1", text=text, passages=passages)
    assert [t.text for t in texts([document], by_sentence=True)] == ["One. Two.", "three"]


def test_what_cannot_be_found_is_told(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="did you mean 'biored'"):
        list(parts_of("bioredd"))
    with pytest.raises(CorpusError, match="no split of biored named 'tset'; did you mean 'test'"):
        list(parts_of("biored:tset"))
    with pytest.raises(CorpusError, match=r"no file .*absent"):
        list(parts_of(f"x={tmp_path / 'absent'}"))


# The real corpora


@pytest.fixture(scope="module")
def compared(data_dir: Path) -> dict[tuple[str, str], Overlap]:
    """All splits of the open corpora and the other corpora at hand, compared with each other."""
    files = {
        "nlm-gene-train": "ner_pubtator/NLMgene_Train.PubTator",
        "nlm-gene-test": "ner_pubtator/NLMgene_Test.PubTator",
        "tmvar3-train": "ner_pubtator/tmVar3_Train.PubTator",
        "tmvar3-test": "ner_pubtator/tmVar3_Test.PubTator",
        "gnormplus-train": "ner_pubtator/GNormPlus_Train.PubTator",
        "drugprot": "ner_pubtator/DrugProt_Test.PubTator",
        "ncbi-train": "ncbi_disease/NCBItrainset_corpus.txt",
        "linnaeus-train": "ner_pubtator/Linnaeus_Train.PubTator",
        "ohsumed": "text/ohsumed/ohsumed_single23_titles_abstracts.txt",
        "bc2gm-train": "bc2gm/conll/train.tsv",
        "bc2gm-test": "bc2gm/conll/test.tsv",
    }
    if absent := [path for path in files.values() if not (data_dir / path).exists()]:
        pytest.skip(f"not at {data_dir}: {', '.join(absent)}")
    patch = pytest.MonkeyPatch()
    patch.setenv("BLUERED_DATA", str(data_dir))
    names = ["biored", "bc5cdr", "chemprot", "ddi", "hoc", "biosses"]
    names += [f"{name}={data_dir / path}" for name, path in files.items()]
    parts = [part for name in names for part in parts_of(name)]
    patch.undo()
    return {(found.first, found.second): found for found in overlaps(parts)}


# First part, second part, texts of the one and of the other found by text, and by id.
KNOWN = [
    ("biored:test", "bc5cdr:train", (10, 10), (10, 10)),
    ("biored:test", "bc5cdr:dev", (11, 11), (11, 11)),
    ("biored:test", "bc5cdr:test", (13, 13), (13, 13)),
    ("biored:test", "nlm-gene-train", (21, 21), (21, 21)),
    ("biored:test", "nlm-gene-test", (3, 3), (3, 3)),
    ("biored:test", "tmvar3-train", (24, 24), (24, 24)),
    ("biored:test", "tmvar3-test", (12, 12), (12, 12)),
    ("biored:test", "gnormplus-train", (5, 5), (5, 5)),
    ("biored:test", "chemprot:train", (1, 1), (1, 1)),
    ("biored:test", "ncbi-train", (1, 1), (1, 1)),
    ("biored:train", "bc5cdr:test", (53, 53), (53, 53)),
    ("biored:dev", "bc5cdr:test", (16, 16), (16, 16)),
    ("chemprot:test", "drugprot", (235, 235), (235, 235)),
]


@pytest.mark.parametrize(("first", "second", "texts", "ids"), KNOWN)
def test_known_overlaps_are_found_by_text_and_by_id(compared, first, second, texts, ids) -> None:
    found = compared[first, second]
    assert found.count(by_text) == texts
    assert found.count(by_id) == ids


def pairs(found: Overlap) -> set[tuple[str, str]]:
    return {(m.first, m.second) for m in found.matches if by_text(m)}


def test_texts_are_found_that_ids_do_not_show(compared) -> None:
    # A Cochrane review and its update; the PubMed id of an article and its PubMed Central id.
    assert pairs(compared["bc5cdr:dev", "bc5cdr:test"]) == {("19370593", "16034922")}
    assert pairs(compared["nlm-gene-train", "linnaeus-train"]) == {("17223997", "1859974")}
    # DDI has no PubMed ids to compare; by text it shares nothing with the others.
    assert compared["chemprot:test", "ddi:train"].matches == ()
    assert not compared["chemprot:test", "ddi:train"].ids_known


def test_an_abstract_is_found_in_a_file_of_plain_text(compared) -> None:
    assert "2262902" in {first for first, _ in pairs(compared["chemprot:test", "ohsumed"])}


def test_ddi_repeats_texts_from_train_in_test(compared) -> None:
    assert compared["ddi:train", "ddi:test"].count(by_text) == (8, 8)
    assert ("DDI-DrugBank.d261", "DDI-DrugBank.d747") in pairs(compared["ddi:train", "ddi:test"])
    assert compared["ddi:dev", "ddi:test"].count(by_text) == (5, 6)
    assert compared["ddi:train", "ddi:dev"].count(by_id) == (387, 387)


def test_biosses_repeats_sentences_from_train_in_test(compared) -> None:
    shared = compared["biosses:train", "biosses:test"]
    assert shared.count(by_text) == (10, 8)
    assert len({second.rpartition(".")[0] for _, second in pairs(shared)}) == 8


def test_bc2gm_repeats_sentences_from_train_in_test(compared) -> None:
    found = compared["bc2gm-train", "bc2gm-test"]
    assert found.count(lambda match: match.equal) == (11, 11)
    assert not found.ids_known
    assert len(pairs(compared["bc5cdr:test", "bc2gm-train"])) == 1


def test_ncbi_disease_holds_one_document_twice(compared) -> None:
    assert pairs(compared["ncbi-train", "ncbi-train"]) == {("8528200", "8528200")}


def test_ids_that_only_number_the_rows_are_not_compared() -> None:
    def rows(name: str, seed: int, ids: range) -> Part:
        found = (TextPair(id=str(n), first=invented(seed + n), second="") for n in ids)
        return part(name, found, corpus="own")

    first, second = rows("own:train", 100, range(1, 9)), rows("own:test", 200, range(1, 5))
    assert one(first, second).matches == ()
    assert not one(first, second).ids_known
    assert one(rows("own:train", 100, range(9)), second).matches == ()
    again = part("own:test", [TextPair(id="1", first=invented(105), second="")], corpus="own")
    assert shares(one(first, again)) == [("5.1", "1.1", True, None)]
    named = rows("own:dev", 300, range(3, 7))
    same = rows("own:more", 400, range(4, 8))
    assert {m.first for m in one(named, same).matches} == {
        f"{n}.{k}" for n in (4, 5, 6) for k in (1, 2)
    }
    assert is_numbered(["0.1", "0.2", "1.1"])
    assert not is_numbered(["2", "3"])
