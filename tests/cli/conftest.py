"""The command line as a user runs it."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bluered.cli.main import main


@pytest.fixture
def command_line(monkeypatch, capsys) -> Callable[..., tuple[int, str, str]]:
    """Run `bluered` with some arguments; returns exit status, stdout and stderr."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bluered", *map(str, arguments)])
        status = 0
        try:
            main()
        except SystemExit as stop:
            if isinstance(stop.code, str):
                print(stop.code, file=sys.stderr)  # noqa: T201 - as Python does at the end
            status = 1 if isinstance(stop.code, str) else int(stop.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return run
