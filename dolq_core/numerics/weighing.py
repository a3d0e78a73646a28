"""Weights of samples as weights of rows: a row counts by the noise that its samples bring into it.

A sample of weight w has noise of variance sigma^2 / w. A row that is a sum of samples with factors L then has
    v = sum L^2 / w  over  sum L^2
times the variance that it would have with all weights 1, and is scaled by 1 / sqrt(v): weighted least squares.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from dolq_core.arrays import Floats
from dolq_core.numerics.noise import Run
from dolq_core.numerics.target import Target


def row_scales(target: Target, runs: Sequence[Run], weights: Sequence[Floats]) -> Floats:
    """Return (d, M) factors of the rows, of mean square 1; runs and weights (n, d) are those the target is built on."""
    v = _variances(target, runs, weights)
    counts = 1.0 / v
    return np.sqrt(counts / np.mean(counts, axis=1, keepdims=True))


def weighed(target: Target, equation: int) -> Target:
    """Return the target for one equation: its rows scaled, its noise that of the better samples."""
    if target.scales is None:
        return target
    scale: Floats = target.scales[equation]
    counts = scale**2
    ratio = 1.0 / float(np.mean(1.0 / counts))
    noise, floor, white = target.noise.copy(), target.floor.copy(), target.white
    before = 0.0 if white is None else float(white[equation])
    noise[equation] *= np.sqrt(ratio)
    floor[equation] = np.sqrt(max(float(floor[equation]) ** 2 - before**2, 0.0) + before**2 * ratio)
    return replace(
        target,
        b=target.b * scale,
        floor=floor,
        noise=noise,
        effective=target.effective / float(np.mean(counts**2)),  # Kish's effective size
        scales=None,
        scale=scale,
    )


def _variances(target: Target, runs: Sequence[Run], weights: Sequence[Floats]) -> Floats:
    """Return v (d, M) of each row."""
    if target.sums is not None:
        return _of_samples(target, weights)
    ends = np.cumsum(target.lengths)[:-1]
    inverse = np.empty((weights[0].shape[1], len(target.t)))
    for places, (t, _), own in zip(np.split(np.arange(len(target.t)), ends), runs, weights, strict=True):
        for j, w in enumerate(own.T):
            inverse[j, places] = np.interp(target.t[places], t, 1.0 / w)
    if target.rows is None:
        return inverse
    squares = csr_array(target.rows.slope.multiply(target.rows.slope))
    total = np.asarray(squares.sum(axis=1)).ravel()
    return np.array([squares @ row for row in inverse]) / total


def _of_samples(target: Target, weights: Sequence[Floats]) -> Floats:
    """The integral form has a row for each sample, or one for each pair of neighbours where samples are clean."""
    pairs = target.b.shape[1] < sum(map(len, weights))
    parts = [(1.0 / own[1:] + 1.0 / own[:-1]) / 2.0 if pairs else 1.0 / own for own in weights]
    return np.concatenate(parts).T
