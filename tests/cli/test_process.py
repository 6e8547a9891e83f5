"""The command as a process: stopped half-way, with closed streams, with nowhere to write."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

BLUERED = [sys.executable, "-m", "bluered"]
DOCUMENT = b"1|t|BRCA1\n1|a|In cancer.\n\n"
MANY = b"".join(DOCUMENT.replace(b"1|", b"%d|" % number) for number in range(5000))

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and shells of POSIX")


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", command.replace("bluered", " ".join(BLUERED))],
        cwd=folder, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def _default_signals() -> None:
    """Undo what the test run's parent may ignore (nohup, a shell's background job)."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.mark.parametrize("output", ["o.jsonl", "o.pubtator.gz", "o.brat.d"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_leaves_nothing(tmp_path, name, output):
    command = [*BLUERED, "convert", "-", output, "--from", "pubtator"]
    command += ["--to", "brat"] if output == "o.brat.d" else []
    process = subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.PIPE, restore_signals=True,
        preexec_fn=_default_signals,
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(MANY)
    process.stdin.flush()
    for _ in range(600):
        if list(tmp_path.iterdir()):  # it has begun to write
            break
        time.sleep(0.05)
    assert list(tmp_path.iterdir())
    process.send_signal(getattr(signal, name))
    _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + getattr(signal, name)
    assert b"Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_closed_standard_streams(tmp_path):
    (tmp_path / "a.pubtator").write_bytes(DOCUMENT)
    result = shell("bluered convert - o.jsonl --from pubtator <&-", tmp_path)
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert result.stderr.startswith("bluered: <stdin>: ")
    for command in (
        "convert a.pubtator - --to jsonl",
        "score biored --gold a.pubtator --pred a.pubtator",
    ):
        result = shell(f"bluered {command} >&-", tmp_path)
        assert result.returncode == 1
        assert result.stderr == "bluered: <stdout>: Bad file descriptor\n"
    result = shell("bluered convert a.pubtator o.jsonl <&- >&- 2>&-", tmp_path)
    assert result.returncode == 0
    assert (tmp_path / "o.jsonl").read_text().startswith('{"id":"1"')


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("convert a.pubtator /dev/full --to jsonl", "/dev/full"),
        ("convert a.pubtator - --to jsonl >/dev/full", "<stdout>"),
        ("score biored --gold a.pubtator --pred a.pubtator >/dev/full", "<stdout>"),
        ("corpora list >/dev/full", "<stdout>"),
    ],
)
def test_a_full_disk_is_named(tmp_path, command, name):
    (tmp_path / "a.pubtator").write_bytes(DOCUMENT)
    result = shell(f"bluered {command}", tmp_path)
    assert result.returncode == 1
    assert result.stderr == f"bluered: {name}: No space left on device\n"


def test_an_input_that_cannot_be_read_is_named(tmp_path):
    result = shell("bluered convert - o.jsonl --from pubtator 0>/dev/null", tmp_path)
    assert result.returncode == 1
    assert result.stderr == "bluered: <stdin>: Bad file descriptor\n"


def test_a_long_name_can_be_written(tmp_path):
    (tmp_path / "a.pubtator").write_bytes(DOCUMENT)
    name = "x" * 249 + ".jsonl"  # 255 bytes, the most a file system takes
    result = shell(f"bluered convert a.pubtator {name}", tmp_path)
    assert (result.returncode, result.stderr.count("Error")) == (0, 0)
    assert (tmp_path / name).exists()
