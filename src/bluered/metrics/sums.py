"""Figures that depend only on sums over documents or pairs: F1, macro F1, accuracy, Pearson.

Each function takes an array whose last axis holds the sums and gives the figure for each row, so
that thousands of resamples are one call. Counts stand as tp, fp, fn.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Statistic = Callable[[Array], Array]
"""Turn sums `(..., k)` into figures `(...)`; nan where the figure does not exist."""


def micro_f1(sums: Array) -> Array:
    """Return F1 of counts summed over classes; the last axis holds tp, fp, fn of each class."""
    tp, fp, fn = np.moveaxis(by_class(sums).sum(axis=-2), -1, 0)
    return share(2 * tp, 2 * tp + fp + fn)


def macro_f1(sums: Array) -> Array:
    """Return the mean F1 of the classes that gold or prediction has; 0 if there is none."""
    tp, fp, fn = np.moveaxis(by_class(sums), -1, 0)
    whole = 2 * tp + fp + fn
    return share(share(2 * tp, whole).sum(axis=-1), (whole > 0).sum(axis=-1))


def example_f1(sums: Array) -> Array:
    """Return F of mean precision and mean recall; the sums are precision, recall, documents."""
    precision = share(sums[..., 0], sums[..., 2])
    recall = share(sums[..., 1], sums[..., 2])
    return share(2 * precision * recall, precision + recall)


def accuracy(sums: Array) -> Array:
    """Return the share that is right; the sums are right ones and all."""
    return share(sums[..., 0], sums[..., 1])


def pearson(sums: Array) -> Array:
    """Return the correlation from sums of 1, x, y, xx, yy, xy; nan if x or y is constant.

    The values should be centred, or the differences below lose their digits.
    """
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    spread = (n * xx - x * x) * (n * yy - y * y)
    known = spread > 1e-12 * np.abs(n * xx) * np.abs(n * yy)
    root = np.sqrt(np.where(known, spread, 1.0))
    return np.where(known, np.clip((n * xy - x * y) / root, -1.0, 1.0), np.nan)


def pearson_terms(x: Array, y: Array) -> Array:
    """Return the table (pairs, 6) whose sums `pearson` takes, both sides with mean 0 and spread 1.

    So that rows of two systems can be swapped, whatever their scales, to compare the systems.
    """
    x, y = _standard(x), _standard(y)
    return np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=-1)


def _standard(values: Array) -> Array:
    values = centred(values)
    return values / (values.std() or 1.0)


def centred(values: Array) -> Array:
    """Return finite values about their mean and of the order of 1: their correlations are the same.

    Only powers of two are divided by, so that no digit is lost; the squares of values far from 1
    have no place in a float. The mean is taken twice because the first is rounded.
    """
    values = _scaled(values)
    values = values - values.mean()
    return _scaled(values - values.mean())


def _scaled(values: Array) -> Array:
    exponents = np.frexp(values)[1]
    return np.ldexp(values, -exponents.max())


def by_class(sums: Array) -> Array:
    """Return counts `(..., classes * 3)` as `(..., classes, 3)`."""
    return sums.reshape(*sums.shape[:-1], -1, 3)


def share(part: Array, whole: Array) -> Array:
    """Divide; nothing of nothing is 0."""
    return np.divide(part, whole, out=np.zeros(np.shape(part)), where=np.asarray(whole) != 0)
