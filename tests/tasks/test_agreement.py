"""No message of `score` quotes a file of a corpus under an agreement, whatever column is wrong."""

import json

import pytest
from msgspec.structs import replace

from bluered.corpora.catalog import Task
from bluered.errors import BlueredError
from bluered.tasks.answers import read
from bluered.tasks.answers.files import Rules, Side
from bluered.tasks.scoring import score

from .made_up import INFERENCE, MENTIONS, RELATIONS, SIMILARITY, mentions

SECRET = "Tin birds sing loudly"


def agreed(task: Task) -> Task:
    return replace(task, corpus=replace(task.corpus, access="agreement"))


SIDES: list[tuple[Rules, Side]] = [
    ("correct", "prediction"),
    ("correct", "gold"),
    ("blue", "prediction"),
    ("blue", "gold"),
]
CASES = [
    (SIMILARITY, f"{SECRET}\t{SECRET}.\t2.5\n"),
    (SIMILARITY, f"index\t{SECRET}\n1\t2\n"),
    (SIMILARITY, f"index\tscore\n1\t{SECRET}\n"),
    (SIMILARITY, f"index\tscore\n{SECRET}\t1\n{SECRET}\t2\n"),
    (SIMILARITY, json.dumps({"id": SECRET, "score": 1})),
    (SIMILARITY, json.dumps({"id": "1", "score": SECRET})),
    (SIMILARITY, json.dumps({"id": "1", "score": 1, "type": SECRET})),
    (SIMILARITY, json.dumps({"id": {SECRET: 1}, "score": 1})),
    (INFERENCE, f"index\tlabel\n1\t{SECRET}\n"),
    (RELATIONS, f"index\tlabel\n1\t{SECRET}\n"),
    (RELATIONS, f"index\tlabel\n{SECRET}\tA\n"),
    (RELATIONS, f"docid\targ1\targ2\tlabel\nd\t1\t{SECRET}\tA\n"),
    (RELATIONS, f"docid\targ1\targ2\tlabel\n{SECRET}\t1\t2\tA\n"),
    (MENTIONS, f"1|t|{SECRET}\n1|a|\n1\t0\t4\tfever\tDisease\n"),
    (MENTIONS, f"1|t|{SECRET}\n1|a|\n1\t0\t900\t{SECRET}\tDisease\n"),
    (MENTIONS, f"{SECRET}|t|x\n{SECRET}|a|\n"),
    (MENTIONS, f"{SECRET}\n"),
    (MENTIONS, json.dumps({"docid": SECRET, "locations": [{"start": 0, "end": 2}]})),
]


@pytest.mark.parametrize(("rules", "side"), SIDES)
@pytest.mark.parametrize(("task", "text"), CASES)
def test_a_text_in_the_wrong_place_is_not_quoted(tmp_path, task, text, rules, side):
    path = tmp_path / "answers"
    path.write_text(text)
    with pytest.raises(BlueredError) as error:
        read(agreed(task), path, rules=rules, side=side)
    assert not any(word in str(error.value) for word in SECRET.split())
    assert error.value.__cause__ is None


def test_a_type_that_is_a_text_is_not_quoted():
    gold = mentions(d="1-4")
    with pytest.raises(BlueredError, match=r"\(Disease\): found 1 others"):
        score(agreed(MENTIONS), gold, mentions(SECRET, d="1-4"))


def test_of_other_corpora_messages_show_what_was_found(tmp_path):
    path = tmp_path / "answers"
    path.write_text(f"index\tlabel\n1\t{SECRET}\n")
    with pytest.raises(BlueredError, match=SECRET):
        read(INFERENCE, path)
    path.write_text("index\tlabel\n1\tye\n")
    with pytest.raises(BlueredError, match="no label of made-up like this; did you mean 'yes'"):
        read(agreed(INFERENCE), path)
