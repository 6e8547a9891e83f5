import datetime

import pytest
from msgspec.structs import replace

from bluered.errors import CorpusError, FormatError
from bluered.normalize.sources import catalog, fetch

YEAR = datetime.datetime.now(datetime.UTC).year


@pytest.fixture
def served(httpserver, monkeypatch):
    """Have the catalogue's files come from a server of the test; returns the server."""
    moved = {
        name: replace(
            source,
            units=tuple(
                replace(u, url=httpserver.url_for(f"/{u.url.rsplit('/', 1)[-1]}"))
                for u in source.units
            ),
        )
        for name, source in catalog.sources().items()
    }
    monkeypatch.setattr(catalog, "sources", lambda: moved)
    monkeypatch.setattr(fetch, "sources", lambda: moved)
    return httpserver


@pytest.fixture
def files(invented):
    return invented("terms")


def test_files_are_downloaded_once(served, files, tmp_path):
    content = (files / "cellosaurus.txt").read_bytes()
    served.expect_ordered_request("/cellosaurus.txt").respond_with_data(content)
    moved = []
    bar = {"cellosaurus.txt": lambda done, _: moved.append(done)}
    for _ in range(2):
        found = fetch.fetch(["cellosaurus"], tmp_path, bar=bar.get)
    assert found == {"cellosaurus-text": (tmp_path / "cellosaurus.txt",)}
    assert found["cellosaurus-text"][0].read_bytes() == content
    assert moved[-1] == len(content)


def test_last_year_s_file_is_taken_while_this_year_s_is_not_out(served, files, tmp_path):
    for unit, name in (("desc", "desc2026.xml"), ("supp", "supp2026.xml")):
        content = (files / name).read_bytes()
        served.expect_request(f"/{unit}{YEAR}.gz").respond_with_data(status=404)
        served.expect_request(f"/{unit}{YEAR - 1}.gz").respond_with_data(content)
    found = fetch.fetch(["mesh"], tmp_path)
    assert [p.name for (p,) in found.values()] == [f"desc{YEAR - 1}.gz", f"supp{YEAR - 1}.gz"]


def test_a_page_in_the_file_s_place_is_refused_and_removed(served, tmp_path):
    served.expect_request("/cellosaurus.txt").respond_with_data("<html>Please log in</html>")
    with pytest.raises(FormatError, match="not the official file"):
        fetch.fetch(["cellosaurus"], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_there_says_what_to_do(served, tmp_path):
    served.expect_request("/cellosaurus.txt").respond_with_data(status=404)
    with pytest.raises(CorpusError, match=r"status 404.*or download the file elsewhere"):
        fetch.fetch(["cellosaurus"], tmp_path)
