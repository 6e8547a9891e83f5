"""The training loop: epochs of batches, evaluation on dev, the best weights kept, resumable.

After each epoch the whole state is written to `state.pt` in the run's folder; a run that was
stopped goes on from there and gives the same weights as one that was not.
"""

import json
import logging
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from bluered.training.config import Optimisation

log = logging.getLogger(__name__)

Batch = TypeVar("Batch")
Scores = dict[str, float]

STATE = "state.pt"
WEIGHTS = "best.safetensors"
LOG = "log.jsonl"


def parameter_groups(model: nn.Module, settings: Optimisation) -> list[dict[str, object]]:
    """Return AdamW's groups: encoder and head rates, no decay on biases and norms."""
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        pretrained = ".encoder." in f".{name}" and ".kinds." not in f".{name}"
        rate = settings.encoder_rate if pretrained else settings.head_rate
        decay = 0.0 if parameter.ndim < 2 else settings.weight_decay
        groups.setdefault((rate, decay), []).append(parameter)
    return [{"params": p, "lr": rate, "weight_decay": d} for (rate, d), p in groups.items()]


def _schedule(step: int, *, total: int, warmup: float) -> float:
    ramp = max(1, int(total * warmup))
    return min((step + 1) / ramp, max(0.0, (total - step) / max(1, total - ramp)))


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
    optimizer = torch.optim.AdamW(
        parameter_groups(model, settings),
        fused=True,  # a quarter of the time: the embeddings are half of the weights
    )
    total = settings.epochs * len(batches(0))
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: _schedule(step, total=total, warmup=settings.warmup)
    )
    averaged = (
        AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(settings.average))
        if settings.average
        else None
    )
    start, best, stale = 0, Scores(), 0
    if (folder / STATE).exists():
        state = torch.load(folder / STATE, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
        if averaged is not None:
            averaged.load_state_dict(state["averaged"])
        torch.set_rng_state(state["rng"])
        start, best, stale = state["epoch"], state["best"], state["stale"]
        log.info("resuming after epoch %d", start)
    for epoch in range(start, min(settings.epochs, settings.stop or settings.epochs)):
        if settings.patience and stale >= settings.patience:
            log.info("no better dev score in %d epochs: stopping", stale)
            break
        began = time.monotonic()
        mean = _epoch(
            model,
            progress(batches(epoch), f"epoch {epoch + 1}/{settings.epochs}"),
            loss=loss,
            optimizer=optimizer,
            scheduler=scheduler,
            averaged=averaged,
            clip=settings.clip,
        )
        judged = model if averaged is None else averaged.module
        judged.eval()
        with torch.inference_mode():
            scores = evaluate(judged)
        seconds = round(time.monotonic() - began, 1)
        record = {"epoch": epoch + 1, "loss": round(mean, 4), "seconds": seconds, **scores}
        log.info("%s", record)
        with (folder / LOG).open("a") as file:
            file.write(json.dumps(record) + "\n")
        stale += 1
        if not best or next(iter(scores.values())) > next(iter(best.values())):
            best, stale = scores, 0
            _save_weights(judged, folder / WEIGHTS)
        state = {
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "scheduler": scheduler.state_dict(),
            "averaged": averaged.state_dict() if averaged is not None else {},
            "rng": torch.get_rng_state(),
            "epoch": epoch + 1,
            "best": best,
            "stale": stale,
        }
        torch.save(state, folder / f"{STATE}.part")
        (folder / f"{STATE}.part").replace(folder / STATE)
    model.load_state_dict(load_file(folder / WEIGHTS))
    model.eval()
    return best


def _epoch(
    model: nn.Module,
    batches: Iterable[Batch],
    *,
    loss: Callable[[nn.Module, Batch], Tensor],
    optimizer: torch.optim.Optimizer,
    scheduler: torch.optim.lr_scheduler.LRScheduler,
    averaged: AveragedModel | None,
    clip: float,
) -> float:
    model.train()
    total, count = 0.0, 0
    for batch in batches:
        value = loss(model, batch)
        optimizer.zero_grad(set_to_none=True)
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        scheduler.step()
        if averaged is not None:
            averaged.update_parameters(model)
        total += value.item()
        count += 1
    return total / max(1, count)


def _save_weights(model: nn.Module, path: Path) -> None:
    save_file({k: v.detach().clone().contiguous() for k, v in model.state_dict().items()}, path)
