import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluered.encoding.windows import windows


@given(
    length=st.integers(0, 3000),
    size=st.integers(4, 512),
    overlap=st.integers(0, 200),
    data=st.data(),
)
def test_every_piece_is_kept_exactly_once_inside_a_window(length, size, overlap, data):
    starts = sorted(data.draw(st.sets(st.integers(0, max(0, length - 1)), max_size=200)) | {0})
    made = windows(length, starts, size=size, overlap=min(overlap, size - 2))
    kept = [i for w in made for i in range(w.keep_start, w.keep_end)]
    assert kept == list(range(length))
    for window in made:
        assert window.start <= window.keep_start <= window.keep_end <= window.end
        assert window.end - window.start <= size


def test_a_short_text_is_one_window():
    (window,) = windows(10, [0, 5], size=512, overlap=128)
    assert (window.start, window.end) == (0, 10)


def test_windows_are_cut_between_words():
    starts = list(range(0, 1000, 7))
    made = windows(1000, starts, size=100, overlap=30)
    assert len(made) > 10
    for window in made[:-1]:
        assert window.end in starts
        assert window.keep_end in starts


@pytest.mark.parametrize("length", [511, 512, 513])
def test_the_edge_of_the_window(length):
    made = windows(length, list(range(length)), size=512, overlap=128)
    assert len(made) == (1 if length <= 512 else 2)
