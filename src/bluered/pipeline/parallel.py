"""A function over a stream on several threads, results in the stream's order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 2  # items taken from the stream for each thread before the first result is awaited


def ordered_map(function: Callable[[T], R], items: Iterable[T], *, threads: int) -> Iterator[R]:
    """Yield `function(item)` for each item, in order; a few items are read ahead.

    When the stream itself raises, the results before that come first. onnxruntime lets go of the
    interpreter while it computes, so threads are enough to keep all cores busy.
    """
    if threads <= 1:
        yield from map(function, items)
        return
    waiting: deque[Future[R]] = deque()
    broken: Exception | None = None
    stream = iter(items)
    pool = ThreadPoolExecutor(threads, thread_name_prefix="bluered")
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
            if len(waiting) >= threads * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
    if broken is not None:
        raise broken
