"""How a file is downloaded: with resume, progress and a verified sha256."""

import hashlib
import logging
import os
import re
from collections.abc import Callable
from pathlib import Path

import requests

from bluered.corpora.entry import Download
from bluered.errors import CorpusError

logger = logging.getLogger(__name__)

Progress = Callable[[int, int | None], None]
"""Called with the bytes there are so far and those expected (None where the server is silent)."""

ATTEMPTS = 4
TIMEOUT_SECONDS = (10, 60)
CHUNK_BYTES = 1 << 16


def retrieve(download: Download, folder: Path, *, progress: Progress | None = None) -> Path:
    """Return the download as a file in a folder, fetched unless a good copy is there.

    A transfer that breaks leaves `NAME.part`, from which the next call goes on; a file whose sha256
    is not the catalogue's is removed and CorpusError raised.
    """
    target = folder / download.name
    if target.exists() and not _differs(target, download):
        return target
    part = folder / f"{download.name}.part"
    try:
        _transfer(download.url, part, progress=progress)
    except requests.RequestException as error:
        raise CorpusError(
            f"could not download {download.url} ({_reason(error)}): run the command again to go on "
            f"where it stopped, or download the file elsewhere and put it at {target}"
        ) from None
    if _differs(part, download):
        part.unlink()
        raise CorpusError(
            f"{download.url} is not the published file: expected sha256 {download.sha256}; nothing "
            "was kept (a proxy's page instead of the file, or a new version of the corpus?)"
        )
    os.replace(part, target)
    return target


def _differs(path: Path, download: Download) -> bool:
    """Tell whether a file is not the catalogue's; one without a known sha256 is let pass."""
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    return download.sha256 not in ("", found)


def _reason(error: requests.RequestException) -> str:
    if error.response is not None:
        return f"HTTP status {error.response.status_code}"
    if isinstance(error, requests.Timeout):
        return "no answer in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the transfer broke off"
    if isinstance(error, requests.exceptions.SSLError):
        return "no trusted connection"
    return "no connection"


def _transfer(url: str, part: Path, *, progress: Progress | None) -> None:
    """Bring a file to `part`, going on from what is there; broken transfers are tried again."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            _transfer_once(url, part, progress=progress)
        except (
            requests.ConnectionError,
            requests.Timeout,
            requests.exceptions.ChunkedEncodingError,
        ):
            if attempt == ATTEMPTS:
                raise
            logger.info("transfer of %s broke off, attempt %d of %d", url, attempt, ATTEMPTS)
        else:
            return


def _transfer_once(url: str, part: Path, *, progress: Progress | None) -> None:
    have = part.stat().st_size if part.exists() else 0
    # identity: a range of a compressed answer would not be a range of the file
    headers = {"Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT_SECONDS) as answer:
        if answer.status_code == requests.codes.requested_range_not_satisfiable:
            if _full_length(answer) == have:
                return
            part.unlink()
            raise requests.ConnectionError("the partial file is no part of the file")
        answer.raise_for_status()
        resumed = answer.status_code == requests.codes.partial_content
        if resumed and not answer.headers.get("Content-Range", "").startswith(f"bytes {have}-"):
            part.unlink()
            raise requests.ConnectionError("the server sent another range")
        length = answer.headers.get("Content-Length")
        done = have if resumed else 0
        total = done + int(length) if length else None
        with part.open("ab" if resumed else "wb") as stream:
            for chunk in answer.iter_content(CHUNK_BYTES):
                stream.write(chunk)
                done += len(chunk)
                if progress is not None:
                    progress(done, total)
    if total is not None and done < total:
        raise requests.ConnectionError("the connection was closed early")


def _full_length(answer: requests.Response) -> int | None:
    match = re.fullmatch(r"bytes \*/(\d+)", answer.headers.get("Content-Range", ""))
    return int(match[1]) if match else None
