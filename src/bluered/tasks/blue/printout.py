"""What a script of BLUE prints: its table of classes (pmetrics.py), figure by figure as text."""

from collections.abc import Sequence

import numpy as np

from bluered.metrics.sums import Array, share

HEADINGS: tuple[str, ...] = (
    *("Class", "TP", "TN", "FP", "FN", "Precision", "Recall", "F-score"),
    *("Accuracy", "Sensitivity", "Specificity", "PPV", "NPV", "Support"),
)

Lines = list[list[str]]
"""The cells of each printed line; an empty line is []."""


def confusion(gold: Sequence[str], predicted: Sequence[str], labels: Sequence[str]) -> Array:
    """Return how often each gold label (rows) was predicted as each label (columns)."""
    place = {label: number for number, label in enumerate(labels)}
    cells = [place[g] * len(labels) + place[p] for g, p in zip(gold, predicted, strict=True)]
    counts = np.bincount(np.array(cells, dtype=int), minlength=len(labels) ** 2)
    return counts.reshape(len(labels), len(labels)).astype(float)


def class_counts(matrix: Array) -> Array:
    """Return TP, TN, FP and FN (rows) of each class (columns)."""
    tp = np.diag(matrix)
    fp, fn = matrix.sum(axis=0) - tp, matrix.sum(axis=1) - tp
    return np.stack([tp, matrix.sum() - (fp + fn + tp), fp, fn])


def class_lines(labels: Sequence[str], counts: Array, *, whole: str = "d") -> Lines:
    """Return the table of classes and their micro average as pmetrics prints it.

    "Accuracy" is recall there. `whole` formats the counts: of its second table, which is made of
    floats, with six digits ("g").
    """
    lines: Lines = [list(HEADINGS)]
    for label, column in zip(labels, counts.T, strict=True):
        lines.append([label, *_cells(column, whole=whole)])
    cells = _cells(counts.sum(axis=1), whole=whole)
    cells[7] = "nan"  # the average has no accuracy
    return [*lines, ["micro", *cells]]


def ratios(counts: Array) -> tuple[float, float, float]:
    """Return precision, recall and F1 of TP, TN, FP, FN, rounded as pmetrics' operations do."""
    tp, _, fp, fn = counts
    precision, recall = float(share(tp, tp + fp)), float(share(tp, tp + fn))
    return precision, recall, f1(precision, recall)


def f1(precision: float, recall: float) -> float:
    """Return F1 as pmetrics calculates it."""
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0


def _cells(counts: Array, *, whole: str) -> list[str]:
    tp, tn, fp, fn = counts
    precision, recall, both = ratios(counts)
    specificity, npv = float(share(tn, tn + fp)), float(share(tn, tn + fn))
    shares = (precision, recall, both, recall, recall, specificity, precision, npv)
    shown = [_count(value, whole) for value in (tp, tn, fp, fn)]
    return [*shown, *(f"{value:.3f}" for value in shares), _count(tp + fn, whole)]


def _count(value: float, whole: str) -> str:
    return f"{int(value):d}" if whole == "d" else f"{value:g}"
