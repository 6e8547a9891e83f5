"""The loop keeps the best weights, and a run that was killed gives what one that was not gives."""

import json
import signal
import subprocess
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

LOOP = """
import os, signal, sys
from pathlib import Path

import torch
from torch import nn

from bluered.training import loop
from bluered.training.config import Optimisation

def learn(folder, *, at=lambda step: None, average=0.9, scores=None, **settings):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.3), nn.Linear(8, 1))
    steps, done = [], []

    def batches(epoch):
        order = torch.Generator().manual_seed(epoch)
        return [torch.randn(4, 3, generator=order) for _ in range(6)]

    def loss(model, batch):
        steps.append(1)
        at(len(steps))
        return ((model(batch) - batch.sum(dim=1, keepdim=True)) ** 2).mean()

    def evaluate(model):
        done.append(1)
        if scores:
            return {"score": scores[len(done) - 1]}
        check = torch.randn(50, 3, generator=torch.Generator().manual_seed(99))
        return {"score": -float(((model(check) - check.sum(dim=1, keepdim=True)) ** 2).mean())}

    given = dict(epochs=3, batch=4, encoder_rate=0.02, head_rate=0.02, average=average) | settings
    best = loop.fit(model, batches=batches, loss=loss, evaluate=evaluate,
                    settings=Optimisation(**given), folder=Path(folder))
    return best, model.state_dict(), len(steps)
"""
made: dict[str, Any] = {}
exec(LOOP, made)  # the same code runs in a process of its own that is killed
learn = made["learn"]


class StopError(Exception):
    """What stops a run at a step."""


def stops_at(number):
    def stop(step):
        if step == number:
            raise StopError

    return stop


def same(one, two) -> bool:
    return all(torch.equal(one[name], two[name]) for name in one)


@pytest.mark.parametrize("average", [0.0, 0.9])
@pytest.mark.parametrize("step", [1, 3, 6, 7, 10, 18])
def test_a_run_stopped_within_an_epoch_goes_on_to_the_same_weights(
    tmp_path, monkeypatch, step, average
):
    from bluered.training import loop

    whole = learn(tmp_path / "whole", average=average)
    monkeypatch.setattr(loop, "SAVE_EVERY", 0.0)
    with pytest.raises(StopError):
        learn(tmp_path / "cut", at=stops_at(step), average=average)
    best, weights, steps = learn(tmp_path / "cut", average=average)
    assert (best, steps) == (whole[0], 18 - (step - 1))
    assert same(weights, whole[1])
    assert [r["epoch"] for r in loop.read_log(tmp_path / "cut")] == [1, 2, 3]


def test_without_a_state_within_the_epoch_it_begins_anew(tmp_path):
    whole = learn(tmp_path / "whole")
    with pytest.raises(StopError):
        learn(tmp_path / "cut", at=stops_at(9))
    best, weights, steps = learn(tmp_path / "cut")
    assert (best, steps) == (whole[0], 12)
    assert same(weights, whole[1])


def test_kill_9_loses_nothing(tmp_path):
    killed = LOOP + (
        "loop.SAVE_EVERY = 0.0\n"
        "learn(sys.argv[1], at=lambda step: step == 9 and os.kill(os.getpid(), signal.SIGKILL))\n"
    )
    done = subprocess.run([sys.executable, "-c", killed, str(tmp_path / "cut")], check=False)
    assert done.returncode == -signal.SIGKILL
    best, weights, steps = learn(tmp_path / "cut")
    whole = learn(tmp_path / "whole")
    assert (best, steps) == (whole[0], 10)
    assert same(weights, whole[1])


def test_a_state_half_written_is_not_taken(tmp_path):
    whole = learn(tmp_path / "whole")
    with pytest.raises(StopError):
        learn(tmp_path / "cut", at=stops_at(8))
    (tmp_path / "cut" / "state.pt.part").write_bytes(b"half")
    assert same(learn(tmp_path / "cut")[1], whole[1])


def test_the_best_epoch_is_kept_and_patience_ends_a_run(tmp_path):
    from bluered.training.loop import read_log

    best, _, steps = learn(tmp_path, epochs=9, patience=2, scores=[0.3, 0.5, 0.5, 0.4, 0.9])
    assert (best, steps) == ({"score": 0.5}, 24)
    assert [record["score"] for record in read_log(tmp_path)] == [0.3, 0.5, 0.5, 0.4]


def test_stop_leaves_the_schedule_as_it_is(tmp_path):
    """Two epochs of nine are the same whether a run was to stop there or lost patience later."""
    long = learn(tmp_path / "long", epochs=9, patience=1, scores=[0.3, 0.5, 0.1])
    short = learn(tmp_path / "short", epochs=9, stop=2, scores=[0.3, 0.5])
    assert (long[2], short[2]) == (18, 12)
    assert same(long[1], short[1])
    assert not same(learn(tmp_path / "two", epochs=2, scores=[0.3, 0.5])[1], short[1])


def test_an_epoch_that_was_measured_twice_counts_once(tmp_path):
    from bluered.training.loop import read_log

    assert read_log(tmp_path) == []
    lines = [{"epoch": 1, "loss": 2}, {"epoch": 2, "loss": 1}, {"epoch": 2, "loss": 1}]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_log(tmp_path) == lines[:2]
