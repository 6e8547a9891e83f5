"""The training loop: epochs of batches, evaluation on dev, the best weights kept, resumable.

The whole state is written to `state.pt` in the run's folder after each epoch, and within one every
few minutes; a run that was stopped goes on from there and gives the same weights as one that was
not.
"""

import json
import logging
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from bluered.training.config import Optimisation

log = logging.getLogger(__name__)

Batch = TypeVar("Batch")
Scores = dict[str, float]
Progress = Callable[[Iterable[Any], str], Iterable[Any]]

STATE = "state.pt"
SAVE_EVERY = 240.0
"""Seconds of work that a run that is killed can lose."""

WEIGHTS = "best.safetensors"
LOG = "log.jsonl"


_NEW = ("kinds.weight", "unknown")
"""What stands inside an encoder and is not pretrained: kinds of piece, the unknown word."""


def parameter_groups(model: nn.Module, settings: Optimisation) -> list[dict[str, object]]:
    """Return AdamW's groups: encoder and head rates, no decay on biases and norms."""
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        pretrained = ".encoder." in f".{name}" and not name.endswith(_NEW)
        rate = settings.encoder_rate if pretrained else settings.head_rate
        decay = 0.0 if parameter.ndim < 2 else settings.weight_decay
        groups.setdefault((rate, decay), []).append(parameter)
    return [{"params": p, "lr": rate, "weight_decay": d} for (rate, d), p in groups.items()]


def _schedule(step: int, *, total: int, warmup: float) -> float:
    ramp = max(1, int(total * warmup))
    return min((step + 1) / ramp, max(0.0, (total - step) / max(1, total - ramp)))


class Trainer(Generic[Batch]):
    """A model with all that its training changes: optimiser, schedule, average, progress."""

    def __init__(
        self,
        model: nn.Module,
        *,
        loss: Callable[[nn.Module, Batch], Tensor],
        settings: Optimisation,
        steps: int,
        folder: Path,
    ) -> None:
        """Begin, or go on from the state that `folder` holds; `steps` are those of all epochs."""
        self.model, self.loss, self.settings, self.folder = model, loss, settings, folder
        self.optimizer = torch.optim.AdamW(
            parameter_groups(model, settings),
            fused=True,  # a quarter of the time: the embeddings are half of the weights
        )
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda step: _schedule(step, total=steps, warmup=settings.warmup)
        )
        self.averaged = (
            AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(settings.average))
            if settings.average
            else None
        )
        self.epoch = self.batch = self.stale = 0
        self.losses = 0.0
        self.seconds = 0.0
        self.best = Scores()
        if (folder / STATE).exists():
            self._restore(torch.load(folder / STATE, weights_only=True))

    @property
    def judged(self) -> nn.Module:
        """The model that is evaluated and kept: the running average where there is one."""
        return self.model if self.averaged is None else self.averaged.module

    def train_epoch(self, batches: Iterable[Batch]) -> float:
        """Take a step for each batch not yet done in this epoch; return the mean loss."""
        self.model.train()
        began = saved = time.monotonic()
        for number, batch in enumerate(batches):
            if number < self.batch:
                continue
            self._step(batch)
            self.batch = number + 1
            now = time.monotonic()
            if now - saved >= SAVE_EVERY:
                self.seconds += now - began
                self.save()
                began = saved = time.monotonic()
        self.seconds += time.monotonic() - began
        return self.losses / max(1, self.batch)

    def _step(self, batch: Batch) -> None:
        value = self.loss(self.model, batch)
        self.optimizer.zero_grad(set_to_none=True)
        value.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        self.optimizer.step()
        self.scheduler.step()
        if self.averaged is not None:
            self.averaged.update_parameters(self.model)
        self.losses += value.item()

    def finish_epoch(self, scores: Scores) -> None:
        """Keep the weights if they are the best so far, and the state."""
        self.stale += 1
        if not self.best or next(iter(scores.values())) > next(iter(self.best.values())):
            self.best, self.stale = scores, 0
            _save_weights(self.judged, self.folder / WEIGHTS)
        self.epoch, self.batch, self.losses, self.seconds = self.epoch + 1, 0, 0.0, 0.0
        self.save()

    def save(self) -> None:
        """Write the whole state; one that is half written never takes the place of a whole one."""
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "scheduler": self.scheduler.state_dict(),
            "averaged": self.averaged.state_dict() if self.averaged is not None else {},
            "rng": torch.get_rng_state(),
        } | {name: getattr(self, name) for name in _COUNTS}
        torch.save(state, self.folder / f"{STATE}.part")
        (self.folder / f"{STATE}.part").replace(self.folder / STATE)

    def _restore(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.scheduler.load_state_dict(state["scheduler"])
        if self.averaged is not None:
            self.averaged.load_state_dict(state["averaged"])
        torch.set_rng_state(state["rng"])
        for name in _COUNTS:
            setattr(self, name, state[name])
        log.info("resuming after epoch %d and %d batches", self.epoch, self.batch)


_COUNTS = ("epoch", "batch", "stale", "losses", "seconds", "best")
"""What a trainer has done so far, apart from what torch keeps."""


def fit(
    model: nn.Module,
    *,
    batches: Callable[[int], list[Batch]],
    loss: Callable[[nn.Module, Batch], Tensor],
    evaluate: Callable[[nn.Module], Scores],
    settings: Optimisation,
    folder: Path,
    progress: Callable[[Iterable[Batch], str], Iterable[Batch]] = lambda items, _: items,
) -> Scores:
    """Train, keep the weights that score best on dev, load them into `model`; return their scores.

    `batches(epoch)` gives the same batches for the same epoch; `evaluate` returns scores of which
    the first decides.
    """
    folder.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(
        model,
        loss=loss,
        settings=settings,
        steps=settings.epochs * len(batches(0)),
        folder=folder,
    )
    last = min(settings.epochs, settings.stop or settings.epochs)
    while trainer.epoch < last:
        if settings.patience and trainer.stale >= settings.patience:
            log.info("no better dev score in %d epochs: stopping", trainer.stale)
            break
        number = trainer.epoch
        mean = trainer.train_epoch(
            progress(batches(number), f"epoch {number + 1}/{settings.epochs}")
        )
        began = time.monotonic()
        trainer.judged.eval()
        with torch.inference_mode():
            scores = evaluate(trainer.judged)
        seconds = round(trainer.seconds + time.monotonic() - began, 1)
        record = {"epoch": number + 1, "loss": round(mean, 4), "seconds": seconds, **scores}
        log.info("%s", record)
        with (folder / LOG).open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        trainer.finish_epoch(scores)
    model.load_state_dict(load_file(folder / WEIGHTS))
    model.eval()
    return trainer.best


def read_log(folder: Path) -> list[dict[str, float]]:
    """Return what a run's log says of each epoch; [] for a run without one.

    A run that was killed while it wrote its state has measured an epoch twice: once counts.
    """
    if not (folder / LOG).is_file():
        return []
    lines = (folder / LOG).read_text(encoding="utf-8").splitlines()
    return list({record["epoch"]: record for record in map(json.loads, lines)}.values())


def _save_weights(model: nn.Module, path: Path) -> None:
    save_file({k: v.detach().clone().contiguous() for k, v in model.state_dict().items()}, path)
