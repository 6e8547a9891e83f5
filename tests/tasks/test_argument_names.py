"""How the arguments of a relation may be written, and by what an error names the pairs."""

import pytest

from bluered.errors import BlueredError
from bluered.tasks.answers import read
from bluered.tasks.scoring import score

from .made_up import RELATIONS, rows

HEADER = "docid\tid\targ1\targ2\tlabel\n"


@pytest.fixture
def file(tmp_path):
    def write(*lines: str):
        path = tmp_path / "answers.tsv"
        path.write_text(HEADER + "".join(line + "\n" for line in lines))
        return path

    return write


def test_chemprots_own_way_of_writing_arguments_is_understood(file):
    path = file("d\tR0\tArg1:T1\tArg2:T2\tA", "d\tR1\tArg1:\tArg12\tB")
    first, second = read(RELATIONS, path)
    assert (first.head, first.tail) == ("T1", "T2")
    assert (second.head, second.tail) == ("Arg1:", "Arg12")
    assert score(RELATIONS, rows("d T1 T2 A"), [first]).score == 1


def test_blues_script_compares_arguments_as_they_are_written(file):
    (row,) = read(RELATIONS, file("d\tR0\tArg1:T1\tArg2:T2\tA"), rules="blue")
    assert (row.head, row.tail) == ("Arg1:T1", "Arg2:T2")


def test_where_no_pair_is_known_the_arguments_are_named(file):
    predicted = read(RELATIONS, file("d\tR0\tX1\tX2\tA"))
    with pytest.raises(BlueredError, match=r"prediction \(d\.X1\.X2\) is in the gold \(d\.T1\.T2"):
        score(RELATIONS, rows("d T1 T2 A"), predicted)
