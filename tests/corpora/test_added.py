"""The notes of added corpora: names that are none, and notes that cannot be read."""

import os

import pytest

from bluered.corpora.added import Added, added, damaged, forget, notes, remember
from bluered.errors import CorpusError


@pytest.mark.parametrize("name", ["../../settings", "..", "", "a/b", "A", "a" * 101, "{tmp}/x"])
def test_only_what_is_a_name_leads_to_a_note(place, tmp_path, name) -> None:
    name = name.format(tmp=tmp_path)
    remember("good", Added("/somewhere"))
    foreign = [notes().parents[1] / "settings.json", tmp_path / "x.json", notes() / "A.json"]
    for path in foreign:
        path.write_text("{}")
    before = sorted(tmp_path.rglob("*"))
    assert not forget(name)
    with pytest.raises(CorpusError, match="cannot be the name of a corpus"):
        remember(name, Added("/elsewhere"))
    assert sorted(tmp_path.rglob("*")) == before
    assert list(added()) == ["good"]
    assert damaged() == {}
    assert forget("good")


def test_a_note_that_cannot_be_read_does_not_hide_the_others_and_can_be_removed(place) -> None:
    remember("good", Added("/somewhere"))
    (notes() / "broken.json").write_text("{")
    (notes() / "latin.json").write_bytes(b'{"folder": "\xff"}')
    (notes() / "link.json").symlink_to(notes() / "nowhere")
    os.mkfifo(notes() / "pipe.json")
    assert list(added()) == ["good"]
    assert list(damaged()) == ["broken", "latin", "link", "pipe"]
    for name, message in damaged().items():
        assert f"{notes() / name}.json is damaged" in message
        assert f"bluered corpora remove {name}" in message
        assert forget(name)
    assert damaged() == {}
