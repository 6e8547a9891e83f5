"""No bytes, however broken, make a reader or the doctor fail otherwise than by a BluredError."""

import io
import random

import pytest

from bluered.doctor.examination import examine, repair
from bluered.errors import BlueredError
from bluered.formats import FORMATS, read_file

DOCUMENT = (
    '{"id":"1","text":"TNF-\u03b1 binds it. \U0001f9ec A cell.","passages":[{"type":"title",'
    '"start":0,"end":15},{"type":"abstract","start":16,"end":25}],"entities":[{"type":"Gene","spans":'
    '[{"start":0,"end":5}],"text":"TNF-\u03b1","id":"T1","concepts":["7124","7125"],"combination":'
    '"alternatives"},{"type":"Cell","spans":[{"start":16,"end":17},{"start":20,"end":24}],"text":'
    '"\U0001f9ec cell","id":"T2","concepts":["c|DEL|-1607|G"]}],"relations":[{"type":"Bind","head":'
    '"7124","tail":"7125","novel":true,"evidence":[{"start":0,"end":3}]}],"mention_relations":'
    '[{"type":"in","head":"T1","tail":"T2"}]}\n'
)
SPLICES = [
    b"\0", b"\xff", b"\xe2\x80\xa8", b"\r\n", b"\n", b"\n\n", b"\t", b"|", b'"', b"\\", b"\\ud800",
    b"{", b"}", b"[", b"]", b",", b":", b"null", b"true", b"1e999", b"NaN", b"-1", b"0",
    b"99999999999999999999999", b"9" * 5000, "\uff11\uff12".encode(), "\u0662".encode(), b"<", b">",
    b"&", b"&x;", b"&#0;", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<document>", b"</document>",
    b"<passage/>", b"<!DOCTYPE x [<!ENTITY x 'y'>]>", b"-DOCSTART-", b"B-", b"T1", b"#document\t",
    b"|t|", b"|a|", b"\xef\xbb\xbf", b"[" * 3000, b'{"a":' * 3000, b"\xed\xa0\x80", b"\x1f\x8b",
]  # fmt: skip
ROUNDS = 250


def samples() -> dict[str, bytes]:
    """A small valid file of each format, written by the formats themselves."""
    documents = list(FORMATS["jsonl"].read(io.BytesIO(DOCUMENT.encode())))
    made = {}
    for name, known in FORMATS.items():
        stream = io.BytesIO()
        known.write(documents * 2 if name != "plain" else documents, stream)
        made[name] = stream.getvalue()
    return made


def broken(data: bytes, chance: random.Random) -> bytes:
    """The data with a few random wounds."""
    for _ in range(chance.randint(1, 4)):
        a, b = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        b = min(b, a + chance.randint(0, 40))
        match chance.randrange(5):
            case 0:
                data = data[:a] + data[b:]
            case 1:
                data = data[:a] + chance.choice(SPLICES) + data[a:]
            case 2:
                data = data[:b] + data[a:b] + data[b:]
            case 3:
                data = data[:a] + chance.choice(SPLICES) + data[b:]
            case _:
                data = data[:a] + bytes([chance.randrange(256)]) + data[a + 1 :]
    return data[: chance.randint(0, len(data))] if chance.random() < 0.1 else data


@pytest.mark.parametrize("name", FORMATS)
def test_readers(name):
    chance = random.Random(f"readers of {name}")
    sample = samples()[name]
    messages = []
    for _ in range(ROUNDS):
        data = broken(sample, chance)
        try:
            documents = list(FORMATS[name].read(io.BytesIO(data)))
        except BlueredError as error:
            messages.append(str(error))
        else:
            for known in FORMATS.values():
                known.write(documents, io.BytesIO())
        errors = []
        list(FORMATS[name].read(io.BytesIO(data), check=False, on_error=errors.append))
    assert all(message and "\n" not in message for message in messages)
    assert len(messages) < ROUNDS


@pytest.mark.parametrize("name", FORMATS)
def test_random_bytes(name, tmp_path):
    chance = random.Random(f"bytes for {name}")
    path = tmp_path / "random"
    messages = []
    for number in range(60):
        alphabet = bytes(range(256)) if number % 2 else b'<>{}[]"|ta\t\n 0123:,document/'
        data = bytes(chance.choice(alphabet) for _ in range(chance.randint(0, 300)))
        path.write_bytes(data)
        for format_name in (name, None):
            try:
                list(read_file(path, format_name))
            except BlueredError as error:
                messages.append(str(error))
    assert messages
    assert all(str(path) in message for message in messages)


@pytest.mark.parametrize("name", FORMATS)
def test_doctor(name, tmp_path):
    chance = random.Random(f"doctor of {name}")
    sample = samples()[name]
    path = tmp_path / "broken"
    for number in range(80):
        path.write_bytes(broken(sample, chance))
        try:
            list(examine(path, name))
            if number % 4 == 0:
                repair(path, tmp_path / "mended", name)
        except BlueredError:
            continue
