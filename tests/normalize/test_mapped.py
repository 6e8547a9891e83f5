"""Files that are used where they lie on disk."""

import marisa_trie
import numpy as np
import pytest

from bluered.errors import BlueredError
from bluered.normalize.mapped import map_array, map_trie


def test_arrays_are_mapped_read_only(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(5, dtype=np.uint16))
    found = map_array(tmp_path / "a.npy")
    assert isinstance(found.base, np.memmap)
    assert found.tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 1


def test_empty_arrays_are_read(tmp_path):
    np.save(tmp_path / "a.npy", np.array([], dtype=np.uint64))
    assert map_array(tmp_path / "a.npy").tolist() == []


def test_tries_are_read(tmp_path):
    marisa_trie.Trie(["one", "two"]).save(str(tmp_path / "t.marisa"))
    assert sorted(map_trie(tmp_path / "t.marisa")) == ["one", "two"]


@pytest.mark.parametrize("read", [map_array, map_trie])
def test_what_is_neither_is_an_error(tmp_path, read):
    (tmp_path / "file").write_bytes(b"neither of the two" * 9)
    (tmp_path / "empty").write_bytes(b"")
    for name in ("file", "empty", "missing"):
        with pytest.raises(BlueredError, match=rf"{name}: expected an? .*build it again"):
            read(tmp_path / name)


def test_arrays_of_objects_are_not_unpickled(tmp_path):
    np.save(tmp_path / "a.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(BlueredError, match="expected an array of numbers"):
        map_array(tmp_path / "a.npy")
