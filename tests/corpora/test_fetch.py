"""Fetching: what is there is verified, the rest is downloaded and unpacked, all or nothing."""

import hashlib
import io
import tarfile
import zipfile

import msgspec
import pytest

from bluered.corpora import load
from bluered.corpora.catalog import corpus
from bluered.corpora.fetch import fetch
from bluered.corpora.locate import home, missing, split_paths
from bluered.corpora.unpack import unpack
from bluered.errors import CorpusError

from .conftest import TEXT


def contents(folder) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_a_corpus_is_fetched_once(entry, archive, place, httpserver):
    httpserver.expect_oneshot_request("/all.zip").respond_with_data(archive)
    first, second = fetch(entry), fetch(entry)
    assert first.new == ("train.txt",)
    assert second.new == ()
    assert second.files == {"train.txt": place / "invented" / "train.txt"}
    assert split_paths(entry, "train")[0].read_bytes() == TEXT.replace(b"\n", b"\r\n")
    assert contents(place) == ["invented/all.zip", "invented/train.txt"]


def test_an_archive_put_there_by_hand_is_used(entry, archive, place, httpserver):
    (place / "invented").mkdir(parents=True)
    (place / "invented" / "all.zip").write_bytes(archive)
    assert fetch(entry).new == ("train.txt",)
    assert httpserver.log == []


@pytest.mark.parametrize(
    "path", ["invented/train.txt", "invented/Inner/train.txt", "Inner/train.txt"]
)
def test_our_layout_and_the_unpacked_archive_are_found(entry, place, path):
    (place / path).parent.mkdir(parents=True)
    (place / path).write_bytes(TEXT)
    assert not missing(entry)
    assert fetch(entry).new == ()


def test_a_broken_archive_put_there_by_hand_is_named_and_kept(entry, archive, place):
    unhashed = msgspec.structs.replace(entry.downloads[0], sha256="")
    (place / "invented").mkdir(parents=True)
    (place / "invented" / "all.zip").write_bytes(archive[:50])
    with pytest.raises(CorpusError, match=r"not an intact archive.*move .*all\.zip away first"):
        fetch(msgspec.structs.replace(entry, downloads=(unhashed,)))
    assert contents(place) == ["invented/all.zip"]


def test_a_changed_local_file_is_named_and_kept(entry, place):
    changed = place / "invented" / "train.txt"
    changed.parent.mkdir(parents=True)
    changed.write_bytes(TEXT + b"more")
    with pytest.raises(CorpusError, match=r"train\.txt differs from the published"):
        fetch(entry)
    assert changed.read_bytes() == TEXT + b"more"


def test_an_absent_split_says_how_to_get_it(entry, place):
    with pytest.raises(CorpusError, match=r"bluered corpora fetch invented.*BLUERED_DATA"):
        split_paths(entry, "train")


def test_a_changed_member_is_refused_and_leaves_nothing(entry, archive, place, httpserver):
    file = msgspec.structs.replace(entry.files[0], sha256="0" * 64)
    wrong = msgspec.structs.replace(entry, files=(file,))
    httpserver.expect_request("/all.zip").respond_with_data(archive)
    with pytest.raises(CorpusError, match="is not the published file"):
        fetch(wrong)
    assert contents(place) == []


def test_a_corpus_that_is_not_open_says_how_to_obtain_it(entry, place):
    closed = msgspec.structs.replace(entry, access="agreement", obtain="sign at example.org")
    message = r"agreement\): sign at example\.org; then run `bluered corpora add invented PATH`"
    with pytest.raises(CorpusError, match=message):
        fetch(closed)


def test_without_a_writable_data_folder_the_cache_is_used(entry, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("BLUERED_DATA", str(tmp_path / "file" / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert home(entry) == tmp_path / "bluered" / "corpora" / "invented"


def test_a_download_may_be_the_file_itself(entry, place, httpserver):
    download = msgspec.structs.replace(
        entry.downloads[0], name="raw", sha256=hashlib.sha256(TEXT).hexdigest()
    )
    file = msgspec.structs.replace(entry.files[0], path="deep/train.txt", download="raw", member="")
    plain = msgspec.structs.replace(
        entry, downloads=(download,), files=(file,), splits={"train": "deep/train.txt"}
    )
    httpserver.expect_request("/all.zip").respond_with_data(TEXT)
    fetch(plain)
    assert split_paths(plain, "train")[0].read_bytes() == TEXT


def packed(kind: str, name: str, content: bytes = TEXT) -> bytes:
    stream = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as zipped:
            zipped.writestr(name, content)
    else:
        with tarfile.open(fileobj=stream, mode="w:gz") as tar:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return stream.getvalue()


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
@pytest.mark.parametrize("name", ["../../outside.txt", "/outside.txt", "plain.txt"])
def test_a_members_name_is_never_a_path(entry, tmp_path, kind, name):
    folder = tmp_path / "corpus"
    folder.mkdir()
    (tmp_path / "archive").write_bytes(packed(kind, name))
    file = msgspec.structs.replace(entry.files[0], member=name)
    unpack(tmp_path / "archive", [file], folder)
    assert contents(tmp_path) == ["archive", "corpus/train.txt"]


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_a_member_of_an_archive_in_the_archive_is_unpacked(entry, tmp_path, kind):
    inner = packed("zip", "part/train.txt")
    (tmp_path / "archive").write_bytes(packed(kind, "Outer/part.zip", inner))
    file = msgspec.structs.replace(entry.files[0], member="Outer/part.zip!part/train.txt")
    unpack(tmp_path / "archive", [file], tmp_path)
    assert (tmp_path / "train.txt").read_bytes() == TEXT
    absent = msgspec.structs.replace(file, member="Outer/part.zip!part/none.txt")
    with pytest.raises(CorpusError, match=r"no member 'Outer/part\.zip!part/none\.txt'"):
        unpack(tmp_path / "archive", [absent], tmp_path)


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_a_broken_archive_in_the_archive_is_told(entry, tmp_path, kind):
    (tmp_path / "archive").write_bytes(packed(kind, "part.zip", b"no archive"))
    file = msgspec.structs.replace(entry.files[0], member="part.zip!train.txt")
    with pytest.raises(CorpusError, match="not an intact archive"):
        unpack(tmp_path / "archive", [file], tmp_path)
    assert contents(tmp_path) == ["archive"]


def test_an_archive_in_the_archive_may_lie_unpacked(entry, place):
    file = msgspec.structs.replace(entry.files[0], member="Outer/part.zip!part/train.txt")
    nested = msgspec.structs.replace(entry, files=(file,))
    (place / "Outer" / "part").mkdir(parents=True)
    (place / "Outer" / "part" / "train.txt").write_bytes(TEXT)
    assert not missing(nested)


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_a_broken_archive_is_told_and_nothing_written(entry, tmp_path, kind):
    whole = packed(kind, "Inner/train.txt")
    middle = len(whole) // 2
    for broken in (whole[:middle], whole[:45] + b"\xff\xff\xff" + whole[48:], b"no archive", b""):
        (tmp_path / "archive").write_bytes(broken)
        with pytest.raises(CorpusError, match=r"archive") as raised:
            unpack(tmp_path / "archive", entry.files, tmp_path)
        assert "\n" not in str(raised.value)
        assert contents(tmp_path) == ["archive"]


def test_a_bomb_is_not_unpacked(entry, tmp_path):
    with zipfile.ZipFile(tmp_path / "archive", "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("Inner/train.txt", b"0" * 4_000_000)
    with pytest.raises(CorpusError, match="far larger than published"):
        unpack(tmp_path / "archive", entry.files, tmp_path)
    assert contents(tmp_path) == ["archive"]


def test_the_real_biored_archive_is_unpacked_whole(data_dir, place):
    (place / "biored").mkdir(parents=True)
    (place / "biored" / "BIORED.zip").write_bytes((data_dir / "biored" / "BIORED.zip").read_bytes())
    fetched = fetch(corpus("biored"))
    assert len(fetched.new) == 9
    assert sum(len(list(load("biored", split))) for split in ("train", "dev", "test")) == 600


def test_bc5cdr_is_found_as_its_archive_unpacks(data_dir, place):
    folder = place / "CDR_Data" / "CDR.Corpus.v010516"
    folder.mkdir(parents=True)
    for file in corpus("bc5cdr").files:
        (folder / file.path).symlink_to(data_dir.resolve() / "bc5cdr" / file.path)
    assert fetch(corpus("bc5cdr")).new == ()
    assert sum(1 for _ in load("bc5cdr", "test")) == 500
