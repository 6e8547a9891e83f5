"""Keys of a TOML file are found on their lines, however they are written."""

import pytest

from bluered.corpora.toml_lines import line_of

TEXT = '''# a comment
name = "x"
"quoted key" = 1
a.b = 2
several = """
[no.table]
type = 3
"""
array = [
  {system = "a", score = 1},
  # [a comment
  {sytem = "b"},
]

[task]  # a table
type = "y"
columns = {id = 1, x.y = 2}
[[files]]
path = "p"
  [[files]]
  path = "q"
[files.sub]
z = 1
[tasks.one]
[[tasks.one.published]]
score = 1
[[tasks.one.published]]
score = 2
'''


@pytest.mark.parametrize("text", [TEXT, TEXT.replace("\n", "\r\n")])
@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("name",), 2),
        (("quoted key",), 3),
        (("a", "b"), 4),
        (("several",), 5),
        (("array", 0, "score"), 10),
        (("array", 1, "sytem"), 12),
        (("task",), 15),
        (("task", "type"), 16),
        (("task", "columns", "id"), 17),
        (("task", "columns", "x", "y"), 17),
        (("task", "metric"), 15),
        (("files", 0, "path"), 19),
        (("files", 1, "path"), 21),
        (("files", 1, "sub", "z"), 23),
        (("tasks", "one"), 24),
        (("tasks", "one", "published", 0, "score"), 26),
        (("tasks", "one", "published", 1, "score"), 28),
        (("nowhere",), None),
        ((), None),
    ],
)
def test_a_key_is_found_on_its_line(text, keys, line) -> None:
    assert line_of(text, keys) == line
