import pytest

from bluered.errors import BlueredError
from bluered.normalize import locate


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A shipped terminology and a built one called `full`, in folders of the test."""
    monkeypatch.delenv(locate.VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(locate, "shipped_terminology", lambda: tmp_path / "shipped")
    monkeypatch.setattr(locate, "built_folder", lambda: tmp_path / "built")
    for name in ("shipped", "built/full", "mine", "built/.bluered-half"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "terms.json").write_text("{}")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        (None, "shipped"),
        ("shipped", "shipped"),
        ("full", "built/full"),
        ("mine", "mine"),
        ("./mine", "mine"),
        ("built/full", "built/full"),
    ],
)
def test_names_and_folders_are_found(places, name, folder):
    assert locate.find_terminology(name).resolve() == places / folder


@pytest.mark.parametrize("value", ["full", "built/full"])
def test_the_variable_names_the_one_in_use(places, monkeypatch, value):
    monkeypatch.setenv(locate.VARIABLE, value)
    assert locate.find_terminology().resolve() == places / "built/full"
    assert locate.find_terminology("shipped") == places / "shipped"


def test_an_unknown_name_names_those_there_are(places, monkeypatch):
    with pytest.raises(BlueredError, match="no terminology 'ful'; did you mean 'full'"):
        locate.find_terminology("ful")
    with pytest.raises(BlueredError, match=r"expected the file terms\.json; no terminology there"):
        locate.find_terminology("./nowhere")
    monkeypatch.setenv(locate.VARIABLE, "ful")
    with pytest.raises(BlueredError, match="BLUERED_TERMS is set to it"):
        locate.find_terminology()


def test_what_is_not_whole_is_not_listed(places):
    (places / "built" / "empty").mkdir()
    assert list(locate.built_terminologies()) == ["full"]


@pytest.mark.parametrize("name", ["shipped", "none", "A b", "../up", "", ".hidden"])
def test_names_that_would_mislead_are_refused(name):
    with pytest.raises(BlueredError, match="cannot name a terminology"):
        locate.named_folder(name)
