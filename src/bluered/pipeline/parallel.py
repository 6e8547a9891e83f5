"""A function over a stream on several threads or processes, results in the stream's order."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from threading import Thread
from typing import Any, TypeVar

from bluered.errors import BlueredError

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 2  # items taken from the stream for each worker before the first result is awaited


def ordered_map(function: Callable[[T], R], items: Iterable[T], *, threads: int) -> Iterator[R]:
    """Yield `function(item)` for each item, in order; a few items are read ahead.

    When the stream itself raises, the results before that come first. onnxruntime lets go of the
    interpreter while it computes; what is done in Python itself, threads do one after the other.
    """
    if threads <= 1:
        return map(function, items)
    pool = partial(ThreadPoolExecutor, threads, thread_name_prefix="bluered")
    return _through(pool, function, items, ahead=threads * _AHEAD)


def ordered_map_in_processes(
    start: Callable[[], Callable[[Any], R]], items: Iterable[Any], *, processes: int
) -> Iterator[R]:
    """Yield what `start()` makes of each item, in order; each process calls `start` once.

    `start`, items and results are pickled. BlueredError when a process dies.
    """
    pool = partial(
        ProcessPoolExecutor,
        processes,
        mp_context=multiprocessing.get_context("spawn"),  # a fork would copy locks of threads
        initializer=_begin,
        initargs=(start,),
    )
    try:
        yield from _through(pool, _work, items, ahead=processes * _AHEAD)
    except BrokenProcessPool:
        raise BlueredError(
            f"one of {processes} processes died, perhaps for want of memory: use fewer (--threads)"
        ) from None


def _through(
    open_pool: Callable[[], Executor], function: Callable[[T], R], items: Iterable[T], *, ahead: int
) -> Iterator[R]:
    waiting: deque[Future[R]] = deque()
    broken: Exception | None = None
    stream = iter(items)
    pool = open_pool()
    try:
        while True:
            try:
                item = next(stream)
            except StopIteration:
                break
            except Exception as error:  # the stream's, raised again below
                broken = error
                break
            waiting.append(pool.submit(function, item))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
    if broken is not None:
        raise broken


_function: Callable[[Any], Any] | None = None
"""What this process does to each item, where it is one of several."""


def _begin(start: Callable[[], Callable[[Any], Any]]) -> None:
    """Make a new process ready: an interrupt is for its parent, whose end is its own."""
    global _function
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow, daemon=True).start()
    _function = start()


def _follow() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(item: Any) -> Any:  # noqa: ANN401
    assert _function is not None  # noqa: S101
    return _function(item)
