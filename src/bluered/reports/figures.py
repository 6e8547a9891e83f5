"""How a figure is written: in per cent, with its interval."""

from bluered.metrics.significance import Interval


def percent(ratio: float) -> str:
    """Return a ratio in per cent with one decimal, as the papers print it."""
    return f"{100 * ratio:.1f}"


def bracketed(interval: Interval | None) -> str:
    """Return an interval with a blank before it, "" for none."""
    return f" [{percent(interval.low)}, {percent(interval.high)}]" if interval else ""
