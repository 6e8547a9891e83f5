"""Each fault of a PubTator file is named by line; the repaired copy is free of it."""

import io

import pytest

from bluered.doctor.examination import examine, repair
from bluered.formats import read_file

TITLE = "Naloxone reverses it"
ABSTRACT = "We gave naloxone to rats. Naloxone helped."
FIRST = "1\t0\t8\tNaloxone\tChemical\tD009270\n"
RATS = "1\t41\t45\trats\tSpecies\t10116\n"
CLEAN = f"""1|t|{TITLE}
1|a|{ABSTRACT}
1\t0\t8\tNaloxone\tChemical\tD009270
1\t29\t37\tnaloxone\tChemical\tD009270
1\t41\t45\trats\tSpecies\t10116
1\tAssociation\tD009270\t10116\tNovel

"""
SECOND = "2|t|Two\n2|a|More.\n2\t0\t3\tTwo\tGene\t5\n\n"


@pytest.fixture
def check(tmp_path):
    """Examine bytes, repair them, and return (codes with lines, repaired text, codes left)."""

    def run(data: str | bytes):
        path, mended = tmp_path / "x.pubtator", tmp_path / "mended.pubtator"
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        found = list(examine(path))
        assert repair(path, mended) == found
        left = [f.code for f in examine(mended) if f.severity != "note"]
        return [(f.code, f.line) for f in found], mended.read_bytes().decode(), left

    return run


def replaced(old: str, new: str, text: str = CLEAN) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_a_clean_file_has_no_faults_and_comes_back(check):
    assert check(CLEAN + SECOND) == ([], CLEAN + SECOND, [])


SWAPPED = replaced(f"1|a|{ABSTRACT}\n{FIRST}", f"{FIRST}1|a|{ABSTRACT}\n")


@pytest.mark.parametrize(
    ("code", "line", "data"),
    [
        ("shifted-offsets", 4, replaced("\t29\t37\t", "\t31\t39\t")),
        ("shifted-offsets", 5, replaced("\t41\t45\t", "\t41\t44\t")),
        ("passage-offsets", 4, replaced("\t29\t37\t", "\t8\t16\t")),
        ("normalised-mention", 3, replaced("\tNaloxone\t", "\tNALOXONE\t")),
        ("bad-offset", 5, replaced("\t41\t45\t", "\t41.0\t45.0\t")),
        ("bad-offset", 5, replaced("\t41\t45\t", "\t\u0664\u0661\t45\t")),
        ("bad-offset", 5, replaced("\t41\t45\t", "\t99999999999999999999999\t45\t")),
        ("stray-blank-line", 5, replaced("1\t41", "\n1\t41")),
        ("white-line", 7, replaced("Novel\n\n", "Novel\n  \n")),
        ("annotation-before-abstract", 2, SWAPPED),
        ("unknown-concept", 6, replaced("D009270\t10116\tNovel", "MESH:D009270\t10116\tNovel")),
        ("spaces-for-tabs", 5, replaced(RATS, RATS.replace("\t", " "))),
        ("nul", 2, replaced("to rats", "to\0rats")),
        ("not-utf8", 2, replaced("helped", "hélped").encode("latin-1")),
        ("no-title", 1, FIRST + replaced(FIRST, "")),
    ],
)  # fmt: skip
def test_errors_that_are_repaired(check, code, line, data):
    found, mended, left = check(data)
    assert (code, line) in found
    assert code not in left
    assert not [c for c in left if c not in ("no-abstract",)]
    assert "1\t41\t45\trats\tSpecies\t10116\n" in mended


@pytest.mark.parametrize(
    ("code", "line", "data"),
    [
        ("byte-order-mark", 1, b"\xef\xbb\xbf" + CLEAN.encode()),
        ("mixed-line-ends", 2, CLEAN.replace("it\n", "it\r\n", 1)),
        ("crlf", 1, CLEAN.replace("\n", "\r\n")),
        ("line-separator", 2, replaced("to rats", "to\u2028rats")),
        ("line-separator", 2, replaced("to rats", "to\x85rats")),
        ("no-final-newline", 6, CLEAN.rstrip()),
        ("no-final-blank-line", 6, CLEAN.rstrip() + "\n"),
        ("leading-blank-line", 1, "\n" + CLEAN),
        ("double-blank-line", 7, CLEAN + "\n" + SECOND),
        ("missing-blank-line", 6, CLEAN.rstrip() + "\n" + SECOND),
        ("no-abstract", 1, "1|t|Naloxone\n1\t0\t8\tNaloxone\tChemical\tD009270\n\n"),
        ("five-columns", 5, replaced("\tSpecies\t10116\n", "\tSpecies\n")),
        ("empty-id", 5, replaced("\tSpecies\t10116\n", "\tSpecies\t\n")),
        (
            "duplicate-annotation",
            4,
            replaced("1\t29", "1\t0\t8\tNaloxone\tChemical\tD009270\n1\t29"),
        ),
        ("duplicate-relation", 7, CLEAN.rstrip() + "\n1\tAssociation\tD009270\t10116\tNovel\n\n"),
    ],
)
def test_warnings_are_repaired(check, code, line, data):
    found, mended, left = check(data)
    assert (code, line) in found
    assert code not in left
    assert b"\r" not in mended.encode()


@pytest.mark.parametrize(
    ("code", "line", "data"),
    [
        ("placeholder-id", 5, replaced("Species\t10116", "Species\t-1")),
        ("bar-in-id", 5, replaced("Species\t10116", "SNP\tp|SUB|V|600|E")),
        ("title-trailing-space", 1, "1|t|Two  \n1|a|More\n\n"),
    ],
)
def test_notes(check, code, line, data):
    assert (code, line) in check(data)[0]


@pytest.mark.parametrize(
    ("code", "line", "data"),
    [
        ("wrong-offsets", 5, replaced("\trats\t", "\tmice\t")),
        ("unknown-concept", 6, replaced("D009270\t10116\tNovel", "D000001\t10116\tNovel")),
        ("unreadable-line", 6, replaced("1\tAssociation\tD009270\t10116\tNovel", "1\tAssociation")),
        ("repeated-text", 3, replaced("1\t0", "1|a|Another abstract.\n1\t0")),
        ("foreign-line", 4, replaced("1\t29", "3\t29")),
        ("duplicate-document", 8, CLEAN + CLEAN.replace("rats", "mice")),
    ],
)
def test_what_is_not_certain_is_left_and_named(check, code, line, data):
    found, _, left = check(data)
    assert (code, line) in found
    assert code in left


def test_lines_of_another_document_go_home(check):
    stray = "1\t41\t45\trats\tSpecies\t10116\n"
    data = replaced(stray, "") + replaced("2\t0", stray + "2\t0", SECOND)
    found, mended, left = check(data)
    assert ("foreign-line", 9) in found
    assert left == []
    assert sorted(mended.split("\n")) == sorted((CLEAN + SECOND).split("\n"))


def test_repeated_documents_of_one_text_are_merged(check):
    shorter = replaced("1\t0\t8\tNaloxone\tChemical\tD009270\n", "")
    found, mended, left = check(shorter + SECOND + CLEAN)
    assert ("duplicate-document", 11) in found
    assert left == []
    assert mended.count("|t|") == 2
    assert "1\t0\t8\tNaloxone" in mended


def test_the_repaired_file_is_read(tmp_path):
    path, mended = tmp_path / "x.pubtator", tmp_path / "m.pubtator"
    path.write_text(replaced("\t29\t37\t", "\t31\t39\t"))
    repair(path, mended)
    (document,) = read_file(mended)
    assert [e.start for e in document.entities] == [0, 29, 41]


def test_standard_input_is_examined(monkeypatch):
    import sys
    from types import SimpleNamespace

    data = io.BytesIO(replaced("\t29\t37\t", "\t31\t39\t").encode())
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=data))
    assert [f.code for f in examine("-")] == ["shifted-offsets"]
