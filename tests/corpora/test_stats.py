"""The papers' counts come out of the files; a copy that differs is told."""

import io

import msgspec
import pytest

from bluered.corpora import load
from bluered.corpora.catalog import corpus
from bluered.corpora.comparison import compare, deviations
from bluered.corpora.counts import TOTAL, Counts, differences, rows
from bluered.corpora.stats import count, counts_by_split
from bluered.formats import pubtator

DOCUMENTS = """1|t|AKT and learning and memory loss
1|a|Chelator and AKT.
1\t0\t3\tAKT\tGene\t207
1\t8\t32\tlearning and memory loss\tDisease\tD007859|D008569
1\t33\t41\tChelator\tChemical\t-
1\t46\t49\tAKT\tGene\t207,208
1\tAssociation\t207\tD007859|D008569\tNovel
1\tBind\t207\t207\tNo

2|t|AKT
2|a|
2\t0\t3\tAKT\tGene\t207

"""


def documents(text: str = DOCUMENTS):
    return pubtator.read(io.BytesIO(text.encode()))


def test_each_count_follows_its_definition() -> None:
    assert count(documents()) == Counts(
        documents=2,
        mentions={"Gene": 3, "Disease": 1, "Chemical": 1},
        unique_ids={"Gene": 2, "Disease": 2},
        document_ids={"Gene": 3, "Disease": 2},
        mentions_with_several_ids=2,
        mentions_without_id=1,
        relations={"Association": 1, "Bind": 1},
        concept_pairs={"Disease - Gene": 1, "Gene - Gene": 1},
        self_relations=1,
        novel=1,
    )


def test_ids_of_several_splits_count_once_in_the_total() -> None:
    found = dict(counts_by_split([("a", documents()), ("b", documents())], total=TOTAL))
    assert found["a"] == found["b"]
    assert found[TOTAL].unique_ids == found["a"].unique_ids
    assert found[TOTAL].mentions == {"Gene": 6, "Disease": 2, "Chemical": 2}


def test_a_corpus_without_novelty_has_none_to_count() -> None:
    plain = DOCUMENTS.replace("\tNovel", "").replace("\tNo", "")
    assert count(documents(plain)).novel is None


def test_every_difference_is_one_line() -> None:
    expected = Counts(documents=3, mentions={"Gene": 3, "Species": 2}, self_relations=1)
    assert list(differences(count(documents()), expected)) == [
        "documents: expected 3, found 2",
        "mentions: Species: expected 2, found 0",
        "mentions: Chemical: expected none, found 1",
        "mentions: Disease: expected none, found 1",
    ]


def published(name: str, split: str) -> dict[str, int]:
    return {row.label: row.value for row in rows(corpus(name).counts[split])}


# Luo et al. 2022 (totals) and an independent recount of the release (the rest)
BIORED = {
    "train": {
        "documents": 400,
        "mentions: all": 13351,
        "relations: all": 4178,
        "self relations": 3,
        "mentions without id": 31,
        "concept pairs: GeneOrGeneProduct - SequenceVariant": 1,
    },
    "dev": {
        "documents": 100,
        "mentions: all": 3533,
        "relations: all": 1162,
        "self relations": 1,
        "mentions without id": 20,
    },
    "test": {
        "documents": 100,
        "mentions: all": 3535,
        "mentions: GeneOrGeneProduct": 1180,
        "mentions: DiseaseOrPhenotypicFeature": 917,
        "mentions: ChemicalEntity": 754,
        "mentions: OrganismTaxon": 393,
        "mentions: SequenceVariant": 241,
        "mentions: CellLine": 50,
        "mentions without id": 12,
        "relations: all": 1163,
        "relations: Association": 635,
        "relations: Positive_Correlation": 325,
        "relations: Negative_Correlation": 171,
        "relations: Cotreatment": 14,
        "relations: Bind": 9,
        "relations: Comparison": 6,
        "relations: Drug_Interaction": 2,
        "relations: Conversion": 1,
        "concept pairs: DiseaseOrPhenotypicFeature - GeneOrGeneProduct": 295,
        "concept pairs: GeneOrGeneProduct - GeneOrGeneProduct": 240,
        "concept pairs: ChemicalEntity - DiseaseOrPhenotypicFeature": 189,
        "concept pairs: DiseaseOrPhenotypicFeature - SequenceVariant": 171,
        "concept pairs: ChemicalEntity - GeneOrGeneProduct": 148,
        "concept pairs: ChemicalEntity - ChemicalEntity": 94,
        "concept pairs: ChemicalEntity - SequenceVariant": 16,
        "concept pairs: SequenceVariant - SequenceVariant": 10,
        "self relations": 0,
        "novel": 859,
    },
    "total": {"documents": 600, "mentions: all": 20419, "relations: all": 6503},
}
# Li et al. 2016; mentions and relations also in the BLUE paper
BC5CDR = {
    "train": {"documents": 500, "mentions: Disease": 4182, "mentions: Chemical": 5203},
    "dev": {"documents": 500, "mentions: Disease": 4244, "mentions: Chemical": 5347},
    "test": {"documents": 500, "mentions: Disease": 4424, "mentions: Chemical": 5385},
    "total": {"documents": 1500, "relations: CID": 3116},
}
CID = {"train": 1038, "dev": 1012, "test": 1066}


@pytest.mark.parametrize(("name", "facts"), [("biored", BIORED), ("bc5cdr", BC5CDR)])
def test_the_published_counts_come_out(data_dir, monkeypatch, name, facts) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    comparisons = compare(corpus(name))
    for comparison in comparisons:
        found = {row.label: row.value for row in rows(comparison.found)}
        asked = facts[comparison.split]
        assert {label: found.get(label, 0) for label in asked} == asked
    assert [comparison.split for comparison in comparisons] == ["train", "dev", "test", TOTAL]
    assert list(deviations(corpus(name), comparisons)) == []


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_cid_relations_name_their_ends(data_dir, monkeypatch, split) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    relations = [r for document in load("bc5cdr", split) for r in document.relations]
    assert len(relations) == CID[split]
    assert {(r.type, r.roles) for r in relations} == {("CID", ("Chemical", "Disease"))}


@pytest.mark.parametrize(
    ("name", "split", "first", "tenth", "last"),
    [
        ("biored", "train", "10491763", "15099351", "24927617"),
        ("bc5cdr", "test", "8701013", "23872883", "24055495"),
    ],
)
def test_documents_come_in_the_order_of_the_file(
    data_dir, monkeypatch, name, split, first, tenth, last
) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    ids = [document.id for document in load(name, split)]
    assert (ids[0], ids[9], ids[-1]) == (first, tenth, last)


def test_a_copy_that_differs_is_told(data_dir, monkeypatch, tmp_path) -> None:
    folder = tmp_path / "biored"
    folder.mkdir()
    for split in ("Train", "Dev", "Test"):
        content = (data_dir / "biored" / f"{split}.PubTator").read_bytes()
        if split == "Test":
            content = content.replace(b"\tNovel\n", b"\tNo\n", 1)
        (folder / f"{split}.PubTator").write_bytes(content)
    monkeypatch.setenv("BLUERED_DATA", str(tmp_path))
    lines = list(deviations(corpus("biored"), compare(corpus("biored"))))
    assert len(lines) == 3
    assert lines[0].startswith("test: ")
    assert "not the published file" in lines[0]
    assert lines[1:] == [
        "test: novel: expected 859, found 858",
        "total: novel: expected 4532, found 4531",
    ]


def test_counts_survive_json() -> None:
    counts = count(documents())
    assert msgspec.json.decode(msgspec.json.encode(counts), type=Counts) == counts
