"""Downloads: resumed where they broke, verified, and without leftovers."""

import hashlib
import re

import pytest
from werkzeug import Request, Response

from bluered.corpora.download import ATTEMPTS, retrieve
from bluered.corpora.entry import Download
from bluered.errors import CorpusError

CONTENT = bytes(range(256)) * 2000


class Server:
    """Serves CONTENT with ranges; the first `breaks` answers stop after a third of what is left."""

    def __init__(self, breaks: int = 0) -> None:
        self.breaks = breaks
        self.starts: list[int] = []

    def __call__(self, request: Request) -> Response:
        match = re.fullmatch(r"bytes=(\d+)-", request.headers.get("Range", "bytes=0-"))
        assert match is not None
        start = int(match[1])
        self.starts.append(start)
        if start >= len(CONTENT):
            return Response(status=416, headers={"Content-Range": f"bytes */{len(CONTENT)}"})
        rest = CONTENT[start:]
        sent = rest[: len(rest) // 3] if len(self.starts) <= self.breaks else rest
        headers = {"Content-Length": str(len(rest))}  # a list below, since bytes would reset it
        if "Range" in request.headers:
            span = f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}"
            return Response([sent], status=206, headers=headers | {"Content-Range": span})
        return Response([sent], headers=headers)


@pytest.fixture
def download(httpserver) -> Download:
    digest = hashlib.sha256(CONTENT).hexdigest()
    return Download(name="corpus.bin", url=httpserver.url_for("/corpus.bin"), sha256=digest)


def names(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_downloaded_verified_and_its_progress_told(httpserver, download, tmp_path):
    httpserver.expect_request("/corpus.bin").respond_with_handler(Server())
    seen: list[tuple[int, int | None]] = []
    path = retrieve(download, tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert path.read_bytes() == CONTENT
    assert names(tmp_path) == ["corpus.bin"]
    assert seen[-1] == (len(CONTENT), len(CONTENT))


def test_a_broken_transfer_goes_on_where_it_stopped(httpserver, download, tmp_path):
    server = Server(breaks=2)
    httpserver.expect_request("/corpus.bin").respond_with_handler(server)
    assert retrieve(download, tmp_path).read_bytes() == CONTENT
    assert len(server.starts) == 3
    assert 0 == server.starts[0] < server.starts[1] < server.starts[2]


def test_the_next_call_goes_on_where_the_last_gave_up(httpserver, download, tmp_path):
    server = Server(breaks=ATTEMPTS)
    httpserver.expect_request("/corpus.bin").respond_with_handler(server)
    with pytest.raises(CorpusError, match=r"broke off|no connection"):
        retrieve(download, tmp_path)
    assert names(tmp_path) == ["corpus.bin.part"]
    assert retrieve(download, tmp_path).read_bytes() == CONTENT
    assert server.starts[-1] > server.starts[-2] > 0
    assert names(tmp_path) == ["corpus.bin"]


def test_a_server_without_ranges_is_asked_for_the_whole(httpserver, download, tmp_path):
    (tmp_path / "corpus.bin.part").write_bytes(b"something old")
    httpserver.expect_request("/corpus.bin").respond_with_data(CONTENT)
    assert retrieve(download, tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize("extra", [b"", b"too much"])
def test_a_partial_file_of_full_length_is_taken_or_dropped(httpserver, download, tmp_path, extra):
    (tmp_path / "corpus.bin.part").write_bytes(CONTENT + extra)
    server = Server()
    httpserver.expect_request("/corpus.bin").respond_with_handler(server)
    assert retrieve(download, tmp_path).read_bytes() == CONTENT
    assert server.starts == [len(CONTENT + extra)] + ([0] if extra else [])


def test_a_wrong_hash_is_refused_and_leaves_nothing(httpserver, download, tmp_path):
    httpserver.expect_request("/corpus.bin").respond_with_data(b"<html>Log in</html>")
    with pytest.raises(CorpusError, match=f"expected sha256 {download.sha256}"):
        retrieve(download, tmp_path)
    assert names(tmp_path) == []


def test_a_good_copy_is_not_downloaded_again(httpserver, download, tmp_path):
    (tmp_path / "corpus.bin").write_bytes(CONTENT)
    retrieve(download, tmp_path)
    assert httpserver.log == []


def test_an_absent_file_names_the_status_and_where_to_put_it(httpserver, download, tmp_path):
    httpserver.expect_request("/corpus.bin").respond_with_data("", status=404)
    with pytest.raises(CorpusError, match=r"HTTP status 404.*put it at .*corpus\.bin"):
        retrieve(download, tmp_path)


def test_without_a_network_the_url_and_the_place_are_named(tmp_path):
    nobody = Download(name="corpus.bin", url="http://127.0.0.1:9/corpus.bin", sha256="00")
    with pytest.raises(CorpusError, match=r"127\.0\.0\.1:9.*no connection.*put it at"):
        retrieve(nobody, tmp_path)
    assert names(tmp_path) == []
