"""How the command behaves as a process: signals that clean up, standard streams that are closed."""

import os
import signal
import sys
import threading
from types import FrameType

_STOPS = ("SIGTERM", "SIGHUP")  # SIGINT raises KeyboardInterrupt of its own accord


def prepare() -> None:
    """Make signals unwind the program, so that nothing partial is left, and open closed streams."""
    _open_closed()
    if threading.current_thread() is not threading.main_thread():
        return
    for name in _STOPS:
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores it
            signal.signal(number, _stop)


def _stop(number: int, _: FrameType | None) -> None:
    """End the program through its clean-up, with the status a shell gives for the signal."""
    raise SystemExit(128 + number)


def _open_closed() -> None:
    """Put something in the place of standard streams that the caller closed (`>&-`).

    Otherwise the next file opened takes their number. Reading the input gives nothing, writing the
    output fails as it should, and what is said on stderr is lost.
    """
    if sys.stdin is None:
        sys.stdin = _stream(0, os.O_RDONLY, "r")
    if sys.stdout is None:
        sys.stdout = _stream(1, os.O_RDONLY, "w")
    if sys.stderr is None:
        sys.stderr = _stream(2, os.O_WRONLY, "w")


def _stream(number: int, flags: int, mode: str):  # noqa: ANN202 - the type of open() hangs on mode
    opened = os.open(os.devnull, flags)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
    return os.fdopen(number, mode, encoding="utf-8", closefd=False)
