"""How the official files come onto this machine: from their publishers, into a folder."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import requests
from platformdirs import user_cache_path

from bluered.corpora.download import TIMEOUT_SECONDS, Progress, retrieve
from bluered.corpora.entry import Download
from bluered.errors import FormatError
from bluered.normalize.sources.catalog import Unit, source, sources
from bluered.normalize.sources.recognise import check

Bar = Callable[[str], Progress | None]
"""Give a progress callback for a download by its name."""


def downloads() -> Path:
    """Return the folder that downloads are kept in."""
    return user_cache_path("bluered") / "terms"


def fetch(
    wanted: Sequence[str], folder: Path, *, bar: Bar = lambda _: None
) -> dict[str, tuple[Path, ...]]:
    """Download the files of some sources (all without any) and return them by their units.

    Those that are in the folder are kept; a transfer that broke off is gone on with.
    """
    folder.mkdir(parents=True, exist_ok=True)
    units = [unit for name in wanted or list(sources()) for unit in source(name).units]
    return {unit.name: (_fetch(unit, folder, bar=bar),) for unit in units}


def _fetch(unit: Unit, folder: Path, *, bar: Bar) -> Path:
    url = _address(unit.url)
    name = url.rsplit("/", 1)[-1]
    path = retrieve(Download(name=name, url=url), folder, progress=bar(name))
    try:
        check(path, unit)
    except FormatError:
        path.unlink()
        raise
    return path


def _address(url: str) -> str:
    """Return the address for this year, or last year's while this year's file is not out."""
    if "{year}" not in url:
        return url
    year = datetime.now(UTC).year
    current = url.format(year=year)
    try:
        answer = requests.head(current, timeout=TIMEOUT_SECONDS, allow_redirects=True)
    except requests.RequestException:
        return current  # the download itself says what is wrong
    missing = answer.status_code == requests.codes.not_found
    return url.format(year=year - 1) if missing else current
