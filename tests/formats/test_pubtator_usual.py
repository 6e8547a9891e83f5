"""Reading PubTator by columns gives what reading it line by line gives, or declines."""

import io
import random

import pytest

from bluered.formats import pubtator, pubtator_blocks, pubtator_usual
from bluered.formats.pubtator_blocks import Block, blocks, pieces

BIORED = (
    "1|t|TNF-\u03b1 & \U0001f9ec.\n1|a|TNF it 7 77.\n1\t0\t5\tTNF-\u03b1\tGene\t7124\n"
    "1\t8\t9\t\U0001f9ec\tMix\tD1|D2\n1\t11\t14\tTNF\tGene\t7124,7125\n1\t18\t19\t7\tGene\t\n"
    "1\t20\t22\t77\tVariant\tc|DEL|-1607|G\n1\tBind\t7124\t7125\tNovel\n1\tBind\tD1|D2\tD1\tNo"
)
CDR = (
    "20|t|Pain of it\n20|a|A cell\n20\t0\t4\tPain\tDisease\tD010146\n20\t13\t17\tcell\tC\t-1\n"
    "20\tCID\t-1\tD010146"
)
SIGNS = [*'\t\n\r|0 7-,+a"\\', "\t\t", "\n\n", "\nx\t", "\n1\t", "|t|", "\0", "\u0661", "\u2028"]


def outcome(data: bytes, *, check: bool = True):
    """What reading gives: documents and errors."""
    errors = []
    stream = io.BytesIO(data)
    documents = list(pubtator.read(stream, source="x", check=check, on_error=errors.append))
    return documents, [(str(error), error.line, error.document) for error in errors]


def by_lines(data: bytes, monkeypatch, *, check: bool = True):
    with monkeypatch.context() as patch:
        patch.setattr(pubtator_usual, "documents", all_blocks)
        return outcome(data, check=check)


def all_blocks(stream):
    line = 1
    for piece in pieces(stream):
        yield from blocks(line, piece)
        line += piece.count(b"\n")


def alone(text: str):
    return pubtator_usual.alone(Block(1, text.encode(), 0, 1))


def wounded(text: str, chance: random.Random) -> str:
    """The text with a character or line dropped, altered or doubled."""
    lines = text.split("\n")
    line, place = chance.randrange(len(lines)), chance.randrange(len(text))
    match chance.randrange(6):
        case 0:
            del lines[line]
            return "\n".join(lines)
        case 1:
            lines.insert(line, chance.choice(lines))
            return "\n".join(lines)
        case 2:
            columns = [*lines[line].split("\t"), "x"]
            chance.shuffle(columns)
            lines[line] = "\t".join(columns[: chance.randint(3, 7)])
            return "\n".join(lines)
        case 3:
            return text[:place] + text[place + 1 :]
        case 4:
            return text[:place] + text[place] + text[place:]
        case _:
            return text[:place] + chance.choice(SIGNS) + text[place + chance.randrange(2) :]


@pytest.mark.parametrize("text", [BIORED, CDR])
def test_the_usual_form_is_read_by_columns(text, monkeypatch):
    data = text.encode() + b"\n\n"
    assert alone(text) is not None
    assert outcome(data) == by_lines(data, monkeypatch)
    assert outcome(data)[0][0].relations


@pytest.mark.parametrize("seventh", ["a|b", "1|2", "", "either"])
@pytest.mark.parametrize("lines", [1, 3, 5])
def test_seventh_columns_are_kept(seventh, lines, monkeypatch):
    head = BIORED.split("\n", 2)
    rows = head.pop().split("\n")
    rows[:lines] = [f"{row}\t{seventh}" for row in rows[:lines]]
    text = "\n".join([*head, *rows])
    document = alone(text)
    assert document is not None
    assert [len(entity.infons) for entity in document.entities] == [1] * lines + [0] * (5 - lines)
    assert outcome(text.encode()) == by_lines(text.encode(), monkeypatch)


@pytest.mark.parametrize(
    "between", ["\n\n", "\n\n\n\n", "\n", "\n \n", "\n\nx\n\n", "\n\n5|t|T\n5|a|A |t| B\n\n"]
)
def test_many_documents_are_read_as_each_alone(between, monkeypatch):
    chance = random.Random(between)
    texts = [BIORED.replace("1|", "3|").replace("\n1\t", "\n3\t"), CDR, BIORED, CDR]
    texts += [wounded(text, chance) for text in texts]
    for _ in range(60):
        chance.shuffle(texts)
        data = ("\n" * chance.randrange(3) + between.join(texts)).encode()
        found = outcome(data)
        assert found == by_lines(data, monkeypatch)
        assert len(found[0]) + len(found[1]) >= 2


def test_lines_are_counted_over_pieces(monkeypatch):
    monkeypatch.setattr(pubtator_blocks, "_CHUNK", 64)
    fault = BIORED.replace("\t0\t5", "\t1\t5")
    data = f"\n{BIORED}\n\n\n{CDR}\n\n{fault}\n\n{CDR}\n\n".encode()
    assert [line for _, line, _ in outcome(data)[1]] == [
        data[: data.index(b"\t1\t5")].count(b"\n") + 1
    ]
    assert outcome(data) == by_lines(data, monkeypatch)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\t0\t5", "\t 0\t5"),
        ("\t0\t5", "\t00\t5"),
        ("\t0\t5", "\t-0\t5"),
        ("\t0\t5", "\t0,5\t5"),
        ("\t0\t5", "\t0.0\t5"),
        ("\t0\t5", "\t\u0660\t5"),
        ("\t0\t5", "\t0\t6"),
        ("\t20\t22", "\t20\t99"),
        ("\tD1|D2\n", "\tD1+D2\n"),
        ("\tD1|D2\n", "\tD1|D2\t0.5\n"),
        ("\tD1|D2\n", "\tD1|D2\ta|b\tc\n"),
        ("\tD1|D2\n", "\n"),
        ("\tGene\t7124\n", "\tGe\nne\t7124\n"),
        ("\tGene\t7124\n", "\tGene\t7124\n1\n"),
        ("\tBind\tD1|D2", "\tBind\tD3"),
        ("\tNovel\n", "\t0.5\n"),
        ("1|a|", "2|a|"),
        ("1|t|", "1|x|t|"),
        ("it 7", "it\0 7"),
    ],
)
def test_any_other_form_is_left_to_the_lines(old, new):
    text = BIORED.replace(old, new, 1)
    assert text != BIORED
    assert alone(text) is None


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("text", [BIORED, CDR])
def test_wounded_documents_are_read_alike(text, check, monkeypatch):
    chance = random.Random("columns or lines")
    usual = 0
    for _ in range(2000):
        broken = text
        for _ in range(chance.randint(1, 2)):
            broken = wounded(broken, chance)
        usual += alone(broken) is not None
        data = f"{broken}\n\n{text}\n".encode()
        assert outcome(data, check=check) == by_lines(data, monkeypatch, check=check), broken
    assert usual > 100


FILES = [
    *("biored/Train.PubTator", "biored/Dev.PubTator", "biored/Test.PubTator"),
    *("biored/bc8/bc8_biored_task1_train.pubtator", "ncbi_disease/NCBItestset_corpus.txt"),
    *(f"bc5cdr/CDR_{part}Set.PubTator.txt" for part in ("Training", "Development", "Test")),
    *(
        f"bc5cdr/predictions_shipped_with_corpus/TestSet.{x}.PubTator.txt"
        for x in ("DNorm", "tmChem")
    ),
    *(f"bc5cdr/eval_sample/CDR_sample.{x}.PubTator" for x in ("gold", "test.CID", "test.DNER")),
]


def files(data_dir):
    return [*(data_dir / name for name in FILES), *(data_dir / "ner_pubtator").glob("*.PubTator")]


def test_real_files(data_dir, monkeypatch):
    for path in files(data_dir):
        data = path.read_bytes()
        assert outcome(data) == by_lines(data, monkeypatch), path


def test_wounded_real_documents(data_dir, monkeypatch):
    chance = random.Random("real wounds")
    for path in files(data_dir):
        with path.open("rb") as stream:
            documents = [block.content.decode() for block in all_blocks(stream)]
        for text in chance.choices(documents, k=12):
            data = f"{wounded(text, chance)}\n\n".encode()
            assert outcome(data) == by_lines(data, monkeypatch), path


@pytest.mark.parametrize("path", ["biored/Train.PubTator", "bc5cdr/CDR_TrainingSet.PubTator.txt"])
def test_the_corpora_have_the_usual_form(data_dir, path):
    with (data_dir / path).open("rb") as stream:
        assert not any(isinstance(found, Block) for found in pubtator_usual.documents(stream))
    with (data_dir / path).open("rb") as stream:
        assert all(map(pubtator_usual.alone, all_blocks(stream)))
