"""`bluered explain` on given mentions: the view, the JSON, one name, wrong uses."""

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

TITLE = "BRCA1/2 and V600E of BRAF in patients with breast cancer (BC)"
ABSTRACT = "XQZ7 of mice differs from the mouse Brca1."
MENTIONS = (
    ("BRCA1/2", "GeneOrGeneProduct", "672"),
    ("V600E", "SequenceVariant", "-"),
    ("BRAF", "GeneOrGeneProduct", "673"),
    ("patients", "OrganismTaxon", "9606"),
    ("breast cancer", "DiseaseOrPhenotypicFeature", "D001943"),
    ("BC", "DiseaseOrPhenotypicFeature", "D010051"),
    ("XQZ7", "GeneOrGeneProduct", ""),
    ("mice", "OrganismTaxon", "10090"),
    ("mouse", "OrganismTaxon", "10090"),
    ("Brca1", "GeneOrGeneProduct", "12189"),
)
TEXT = f"{TITLE} {ABSTRACT}"
PUBTATOR = (
    f"1|t|{TITLE}\n1|a|{ABSTRACT}\n"
    + "".join(
        f"1\t{(at := TEXT.index(name))}\t{at + len(name)}\t{name}\t{kind}\t{concept}\n"
        for name, kind, concept in MENTIONS
    )
    + "\n"
)


@pytest.fixture
def corpus(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("COLUMNS", "200")
    path = tmp_path / "in.pubtator"
    path.write_text(PUBTATOR)
    return path


@pytest.fixture
def explain(command_line, small_terms):
    return lambda *arguments: command_line(
        "explain", "--terms", small_terms, "--given-entities", *arguments
    )


def blocks(out: str) -> dict[str, list[str]]:
    """Return the lines of each name's block, without what is white, by the name."""
    found: dict[str, list[str]] = {}
    for block in out.split("\n\n")[1:]:
        heading, *lines = (" ".join(line.split()) for line in block.splitlines())
        found[heading.split("]")[0].lstrip("[")] = [heading, *lines]
    return found


def test_each_name_has_a_block(explain, corpus):
    status, out, err = explain(corpus)
    assert (status, err) == (0, "")
    assert "\x1b" not in out
    shown = blocks(out)
    assert [*shown] == [name for name, *_ in MENTIONS if name != "mouse"]  # as "mice"
    gene = shown["Brca1"]
    assert gene[0] == "[Brca1]G gene, 1 mention"
    assert gene[1].startswith("id 12189 Brca1 (Mus musculus), probability ")
    assert gene[2] == "how 'Brca1' is its symbol"
    assert gene[3].startswith("species Mus musculus: 'mouse' stands in the mention or right before")
    assert any(line.startswith("because ") for line in gene)
    assert any(line.startswith("second 672 BRCA1 (Homo sapiens), probability") for line in gene)
    assert gene[-1] == "file the file says 12189 (the same)"


def test_parts_abbreviations_variants_and_local_ids(explain, corpus):
    shown = blocks(explain(corpus)[1])
    both = shown["BRCA1/2"]
    assert "ids 672, 675" in both
    assert "[BRCA2]G" in both
    assert "file the file says 672" in both
    assert any("'BC' is short for 'breast cancer'" in line for line in shown["BC"])
    assert "file the file says D010051" in shown["BC"]
    variant = shown["V600E"]
    assert variant[1].startswith("id rs113488022 p|SUB|V|600|E, right in ")
    assert "gene 673 BRAF" in variant
    assert "second p|SUB|V|600|E" in variant
    local = shown["XQZ7"]
    assert local[1] == "id local:xqz7 (holds within this document only)"
    assert local[2].startswith("why not no concept of the terminology has this name")


def test_json_has_the_documented_shape(explain, corpus):
    status, out, _ = explain(corpus, "--json")
    assert status == 0
    (line,) = out.splitlines()
    told = json.loads(line)
    assert told.keys() == {"document", "names"}
    name = next(n for n in told["names"] if n["name"] == "Brca1")
    assert name.keys() == {
        "name", "type", "mentions", "ids", "local", "given", "lent_by", "parts", "variant",
        "why_not",
    }  # fmt: skip
    at = TEXT.index("Brca1")
    assert name["mentions"] == [{"start": at, "end": at + 5}]
    assert (name["ids"], name["given"], name["local"]) == (["12189"], ["12189"], False)
    (part,) = name["parts"]
    assert part.keys() == {
        "name", "id", "candidates", "more", "because", "long_form", "species", "why_not",
    }  # fmt: skip
    assert part["species"].keys() == {"taxon", "name", "where", "words"}
    assert part["candidates"][0].keys() == {
        "id", "name", "species", "match", "how", "probability",
    }  # fmt: skip
    assert part["because"][0].keys() == {"topic", "words", "adds"}
    variant = next(n for n in told["names"] if n["name"] == "V600E")["variant"]
    assert variant.keys() == {
        "id", "form", "match", "reason", "probability", "gene", "gene_name", "runner_up",
    }  # fmt: skip


def test_the_documentation_names_every_field(explain, corpus):
    page = (Path(__file__).parents[2] / "docs" / "annotate.md").read_text("utf-8")
    section = page.split("## Why this id")[1].split("\n## ")[0]

    def fields(value) -> set[str]:
        if isinstance(value, list):
            return set().union(*map(fields, value))
        if not isinstance(value, dict):
            return set()
        return set(value).union(*map(fields, value.values()))

    missing = {
        f for f in fields(json.loads(explain(corpus, "--json")[1])) if f"`{f}`" not in section
    }
    assert missing == set()


@pytest.mark.parametrize(
    ("mention", "names"), [("brca1", ["BRCA1/2", "Brca1"]), ("Breast-cancers", ["breast cancer"])]
)
def test_one_name_whatever_its_writing(explain, corpus, mention, names):
    assert [*blocks(explain(corpus, "--mention", mention)[1])] == names


def test_a_name_that_is_not_there(explain, corpus):
    status, out, err = explain(corpus, "--mention", "BRCA3")
    assert (status, out) == (1, "")
    assert err.startswith("bluered: no mention 'BRCA3'; did you mean")


def test_limit(explain, corpus):
    told = json.loads(explain(corpus, "--json", "--limit", 1)[1])
    assert {len(part["candidates"]) for n in told["names"] for part in n["parts"]} == {0, 1}


def test_threads_change_nothing(explain, corpus, tmp_path):
    second = tmp_path / "second.pubtator"
    second.write_text(PUBTATOR.replace("1|", "2|").replace("\n1\t", "\n2\t"))
    one, four = (explain(corpus, second, "--json", "--threads", n)[1] for n in (1, 4))
    assert one == four
    assert len(one.splitlines()) == 2


def test_standard_input(explain, monkeypatch):
    stdin = SimpleNamespace(buffer=io.BytesIO(PUBTATOR.encode()), isatty=lambda: False)
    monkeypatch.setattr(sys, "stdin", stdin)
    assert "[BRCA1/2]G" in explain("-")[1]


def test_input_without_mentions(explain, tmp_path):
    path = tmp_path / "one.txt"
    path.write_text("BRCA1 alone")
    status, _, err = explain(path)
    assert status == 0
    assert "without --given-entities they are found" in err


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ("nosuch", "no terminology 'nosuch'"),
        ("none", "without a terminology there is nothing to explain"),
    ],
)
def test_a_wrong_terminology_is_one_line(command_line, corpus, terms, message):
    status, out, err = command_line("explain", corpus, "--given-entities", "--terms", terms)
    assert (status, out) == (1, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_missing_file_and_a_bad_one(explain, tmp_path, corpus):
    assert explain(tmp_path / "none.txt")[0] == 1
    corpus.write_text(PUBTATOR.replace("\t0\t7", "\t1\t8"))
    status, _, err = explain(corpus)
    assert status == 1
    assert "in.pubtator:3" in err


def test_the_model_finds_the_mentions(command_line, terms_in_use, tmp_path):
    path = tmp_path / "one.txt"
    path.write_text(
        "KCNH2 in long QT syndrome\n\nErythromycin made patients with KCNH2 A561T faint."
    )
    status, out, _ = command_line("explain", path, "--terms", terms_in_use)
    assert status == 0
    shown = blocks(out)
    assert shown["KCNH2"][1].startswith("id 3757 KCNH2 (Homo sapiens), probability")
    assert shown["long QT syndrome"][1].startswith("id D008133 Long QT Syndrome")
