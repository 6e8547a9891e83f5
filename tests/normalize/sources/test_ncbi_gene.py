import gzip
from collections import Counter

import pytest

from bluered.errors import FormatError
from bluered.normalize.sources.ncbi_gene import MODEL_ORGANISMS, genes
from bluered.normalize.term import Term


@pytest.fixture
def path(invented):
    return invented("terms") / "gene_info"


def test_columns_become_names(path):
    assert next(genes(path)) == Term(
        id="900001",
        type="GeneOrGeneProduct",
        name="QZA1",
        synonyms=("QZ1", "FLJ90001"),
        descriptions=("quazin A1 protein", "quazin A1", "quazin-A", "antigen QZ"),
        taxon="9606",
    )


def test_placeholders_and_regions_are_left_out_and_counted(path):
    omitted = Counter()
    assert [t.id for t in genes(path, omitted=omitted)] == ["900001", "900002", "900003", "900004"]
    assert sorted(omitted.values()) == [1, 1]


@pytest.mark.parametrize(
    ("taxa", "expected"),
    [
        (["10090"], ["900002"]),
        (["4932"], ["900003"]),
        (list(MODEL_ORGANISMS), ["900001", "900002", "900003"]),
        (["1"], []),
    ],
)
def test_species_are_chosen_and_strains_are_their_species(path, taxa, expected):
    found = list(genes(path, taxa=taxa))
    assert [t.id for t in found] == expected
    assert {t.taxon for t in found} <= {*taxa}


def test_columns_are_found_by_their_names(path):
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    turned = ["\t".join([line[0], *line[:0:-1]]) for line in lines]
    other = path.with_name("turned.gene_info")
    other.write_text("\n".join(turned) + "\n")
    assert list(genes(other)) == list(genes(path))


def test_a_gzipped_file_is_read_alike(path):
    packed = path.with_name("gene_info.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert list(genes(packed)) == list(genes(path))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"9606\t5\tABC", "3 columns"),
        (b"", "1 columns"),
        (b"9606\tx" + b"\t-" * 14, "must be numbers"),
        (b"9606\t7\t\xff" + b"\t-" * 13, "not UTF-8"),
    ],
)
def test_a_broken_line_is_named_and_the_rest_is_read(path, line, reason):
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], line, *lines[2:]]))
    faults = []
    assert len(list(genes(path, on_error=faults.append))) == 4
    assert [(f.source, f.line) for f in faults] == [(str(path), 3)]
    assert reason in str(faults[0])


def test_a_file_without_the_header_is_refused(path):
    path.write_text(path.read_text().split("\n", 1)[1])
    with pytest.raises(FormatError, match="names its columns"):
        list(genes(path))


def test_a_gene_without_a_symbol_is_called_by_what_there_is(path):
    path.write_text(path.read_text().replace("\tqzb1\tAZC_90004\t", "\t-\t-\t"))
    term = next(genes(path, taxa=["7"]))
    assert (term.name, term.synonyms, term.descriptions) == ("bacterial quazin", (), ())
