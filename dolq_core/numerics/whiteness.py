"""Is a series white noise? Its autocorrelation, over runs with gaps, and one test of all lags together."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import chdtrc

from dolq_core.arrays import Floats

MOST_LAGS = 20
LAGS_TESTED = 10
"""Lags in the test; a fifth of the values where that is less (Hyndman and Athanasopoulos, Forecasting, 5.4)."""
BAND = 1.96
"""Standard deviations that hold 95 % of a normal distribution."""
WHITE = 1e-3
"""Chance of white noise below which residuals are something else: one state in a thousand is wronged."""

GROWS = 3.09
"""Standard deviations of a rank correlation from which residuals are the larger the larger the state is: one right law
in a thousand is wronged."""


@dataclass(frozen=True, slots=True, eq=False)
class Whiteness:
    """How a series hangs together in time.

    Attributes:
        n: number of values.
        r: (m,) autocorrelation at the lags 1 to m, in samples.
        band: 95 % of white noise lies within +- this: 1.96 / sqrt(n) (Bartlett, J. R. Stat. Soc. Suppl. 8, 27, 1946).
        chance: that white noise shows as much autocorrelation (Ljung and Box); 1 where nothing can be tested.
    """

    n: int
    r: Floats
    band: float
    chance: float


def whiteness(runs: Sequence[Floats]) -> Whiteness:
    """Measure the autocorrelation of residuals, one array (n,) per run, NaN where there is none.

    No mean is subtracted: residuals are around zero when nothing is missing, so a constant offset counts as well.
    Pairs lie in one run and are both there; a lag counts rows.
    """
    values = np.concatenate([run[np.isfinite(run)] for run in runs]) if runs else np.empty(0)
    n = len(values)
    longest = max((len(run) for run in runs), default=0)
    most = max(0, min(MOST_LAGS, n // 4, longest - 1))
    power = float(np.sum(values**2))
    sums, pairs = np.zeros(most), np.zeros(most)
    for lag in range(1, most + 1):
        products = np.concatenate([run[lag:] * run[:-lag] for run in runs if len(run) > lag])
        seen = np.isfinite(products)
        sums[lag - 1], pairs[lag - 1] = float(np.sum(products[seen])), float(np.sum(seen))
    r = sums / power if power > 0.0 else sums
    return Whiteness(n, r, BAND / sqrt(n) if n else 0.0, _ljung_box(r, pairs, n))


def _ljung_box(r: Floats, pairs: Floats, n: int) -> float:
    """Return the chance of Q = n (n + 2) sum r_k^2 / pairs_k over the first lags, by chi-squared.

    With no value missing pairs_k is n - k and this is the test of Ljung and Box, Biometrika 65, 297 (1978); with gaps
    and several runs, after Stoffer and Toloi, Statistics & Probability Letters 13, 391 (1992).
    `chdtrc` is what `scipy.stats.chi2.sf` calls, without the half second that its import takes.
    """
    lags = min(LAGS_TESTED, n // 5, len(r))
    used = pairs[:lags] > 0.0
    if not used.any():
        return 1.0
    q = n * (n + 2) * float(np.sum(r[:lags][used] ** 2 / pairs[:lags][used]))
    return float(chdtrc(int(np.sum(used)), q))


def grows(left: Floats, size: Floats) -> bool:
    """Whether residuals (n,), NaN where there is none, are the larger the larger the state (n,) is (Spearman)."""
    known = np.isfinite(left) & np.isfinite(size)
    ranks = [_ranks(np.abs(own[known])) for own in (left, size)]
    if not all(np.ptp(own) > 0.0 for own in ranks if len(own)) or int(known.sum()) < 3:
        return False
    found: Floats = np.asarray(np.corrcoef(ranks), dtype=np.float64)
    return float(found[0, 1]) * sqrt(len(ranks[0]) - 1) > GROWS


def _ranks(values: Floats) -> Floats:
    """Return the rank of each of the values (n,), equal ones with the mean of theirs."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = np.cumsum(count) - 0.5 * (count - 1.0)
    return ranks[place]
