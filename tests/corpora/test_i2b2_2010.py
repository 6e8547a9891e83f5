"""i2b2/VA 2010: places by line and token, the archives, BLUE's one development record."""

import json
import shutil
import tarfile
from pathlib import Path

import pytest

from bluered.corpora.catalog import corpus
from bluered.corpora.i2b2_2010 import development_records, read
from bluered.corpora.source import Source
from bluered.errors import CorpusError, FormatError

BLUE = json.loads((Path(__file__).parent / "blue_originals.json").read_text("utf-8"))["i2b2-2010"]
TRAINING = "concept_assertion_relation_training_data"
REFERENCE, NOTES = "reference_standard_for_test_data", "test_data"


@pytest.fixture
def folder(invented):
    return invented("i2b2-2010")


def records(folder, split="own-train", names=(TRAINING,)):
    paths = tuple(folder / name for name in names)
    return list(read(Source(corpus("i2b2-2010"), split, paths)))


def held_out(folder, names=(REFERENCE, NOTES)):
    return records(folder, "test", names)


def all_training(folder):
    return records(folder, "all")


def test_concepts_are_those_of_the_original_script(folder) -> None:
    found = [
        {
            "id": entity.id,
            "docid": record.id,
            "locations": [{"start": s.start, "end": s.end, "text": entity.text.lower()}],
            "type": entity.type,
        }
        for record in held_out(folder)
        for entity in record.entities
        for s in entity.spans
    ]
    assert found == sorted(BLUE["test_concepts"], key=lambda concept: concept["id"])


def test_records_come_by_hospital_and_name(folder) -> None:
    assert [r.id for r in all_training(folder)] == ["toy-1", "toy-2", "toy_3", "toy_4", "toy_5"]


def test_a_line_that_begins_with_white_space_has_an_empty_token(folder) -> None:
    first = all_training(folder)[0]
    assert [e.text for e in first.entities[2:5]] == ["Glue", "oil", "the wheel"]


def test_a_relation_names_the_first_concept_at_its_place(folder) -> None:
    second = all_training(folder)[1]
    assert second.entities[1].spans == second.entities[2].spans
    assert [r.tail for r in second.mention_relations] == ["toy-2.con.l1"]
    assert second.entities[1].text == 'the "red" knob'


@pytest.mark.parametrize("concepts", ["concept", "concepts"])
def test_the_folder_of_concepts_has_two_names(folder, concepts) -> None:
    plain = held_out(folder)
    (folder / REFERENCE / "concepts").rename(folder / REFERENCE / concepts)
    for site in ("beth", "partners"):
        (folder / TRAINING / site / "concept").rename(folder / TRAINING / site / concepts)
    assert held_out(folder) == plain
    assert len(all_training(folder)) == 5


def test_archives_are_read_without_unpacking(folder) -> None:
    unpacked = all_training(folder), held_out(folder)
    for name in (TRAINING, REFERENCE, NOTES):
        with tarfile.open(folder / f"{name}.tar.gz", "w:gz") as tar:
            tar.add(folder / name, f"./{name}")
    archives = [f"{name}.tar.gz" for name in (TRAINING, REFERENCE, NOTES)]
    assert (records(folder, "all", archives[:1]), held_out(folder, archives[1:])) == unpacked


def test_texts_beside_the_reference_are_read_as_blue_expects_them(folder) -> None:
    plain = held_out(folder)
    shutil.move(folder / NOTES, folder / REFERENCE / "txt")
    assert held_out(folder, (REFERENCE, f"{REFERENCE}/txt")) == plain


def test_folders_beside_the_hospitals_do_not_matter(folder) -> None:
    plain = all_training(folder)
    shutil.copytree(folder / TRAINING / "beth", folder / TRAINING / "merged")
    assert all_training(folder) == plain


@pytest.mark.parametrize(
    ("content", "dev"),
    [
        ("toy-1\ntoy_3\ntoy_4", {"toy_4"}),
        ("toy-1\r\ntoy_3\r\ntoy_4", {"toy_4"}),
        ("toy-1\ntoy_3\ntoy_4\n", set()),
    ],
)
def test_only_the_last_id_of_blues_list_counts_and_no_line_end_may_follow(
    folder, content, dev
) -> None:
    """The original reads the ids by readlines(), so all but the last keep their line ends."""
    path = folder / "dev-docids.txt"
    path.write_bytes(content.encode())
    with path.open() as stream:
        listed = stream.readlines()
    as_original = {r.id for r in all_training(folder) if r.id in listed}
    assert development_records(path) == as_original == dev
    if not dev:  # for BLUE there would be no development part
        for split in ("dev", "train"):
            with pytest.raises(CorpusError, match="names none of the documents for dev: of dev-d"):
                records(folder, split, (TRAINING, "dev-docids.txt"))
        return
    found = records(folder, "dev", (TRAINING, "dev-docids.txt"))
    assert {r.id for r in found} == dev
    assert len(records(folder, "train", (TRAINING, "dev-docids.txt"))) == 5 - len(dev)


def test_blues_dev_table_gives_the_same_record(folder) -> None:
    row = "toy_4.toy_4.con.l0.toy_4.con.l1\t@treatment$ made @problem$ .\tTrCP\n"
    (folder / "dev.tsv").write_text("index\tsentence\tlabel\n" + row)
    assert [r.id for r in records(folder, "dev", (TRAINING, "dev.tsv"))] == ["toy_4"]
    (folder / "dev.tsv").write_text(row)
    with pytest.raises(FormatError, match=r"dev\.tsv:1: expected a header"):
        records(folder, "dev", (TRAINING, "dev.tsv"))


def test_own_splits_take_every_fifth_record(folder) -> None:
    assert [r.id for r in records(folder, "own-dev")] == ["toy_5"]
    assert len(records(folder, "own-train")) == 4


CONCEPTS, RELATIONS = "beth/concept/toy-1.con", "beth/rel/toy-1.rel"


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        (CONCEPTS, "1:0 1:0||t", "1:0||t", 'expected c="..." line:token'),
        (CONCEPTS, "1:0 1:0||t", "1:0 2:0||t", "within one line, found one over 1 to 2"),
        (CONCEPTS, "1:0 1:0||t", "1:9 1:9||t", "tokens 9 to 9 of line 1 .* 8 tokens"),
        (CONCEPTS, "1:0 1:0||t", "9:0 9:0||t", "line 9 .* 0 tokens"),
        (CONCEPTS, "1:0 1:0||t", "1:1 1:1||t", r"the text at 1:1 1:1 is not the one in c="),
        (RELATIONS, 'r="TrAP"', 'r="wheel"', "expected r to be one of PIP, TeCP"),
        (RELATIONS, "||r=", "|r=", 'expected c="..." ...||r='),
        (RELATIONS, 'c="oil" 1:0 1:0', 'c="was given" 1:1 1:2', "where the .con file has no"),
    ],
)
def test_a_fault_is_told_by_file_and_line_without_the_text(folder, name, old, new, message) -> None:
    path = folder / TRAINING / name
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(FormatError, match=message.replace("||", r"\|\|")) as caught:
        all_training(folder)
    assert str(caught.value).startswith(f"{path}:1:")
    assert not any(word in str(caught.value).lower() for word in ("oil", "wheel", "was given"))


def test_records_that_lack_a_file_are_named(folder) -> None:
    for name in ("toy-1.con", "toy-2.con"):
        (folder / TRAINING / "beth" / "concept" / name).unlink()
    (folder / TRAINING / "beth" / "txt" / "toy-2.txt").unlink()
    with pytest.raises(CorpusError, match=r"toy-1\.con, toy-2\.txt, toy-2\.con missing"):
        all_training(folder)


def test_a_hospital_that_is_missing_is_named(folder) -> None:
    shutil.rmtree(folder / TRAINING / "partners")
    with pytest.raises(CorpusError, match="has no folder 'partners'"):
        all_training(folder)
