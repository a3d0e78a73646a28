"""Whether a law as it is printed is still the law: with few digits its terms may no longer cancel as they should."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.export import latex
from dolq_core.fitting import Workbench
from dolq_core.records import EquationFit
from dolq_core.runs import Run, workbench
from dolq_core.views.system import own_start, reported, seen_by

DIGITS: Final = (6, 8, 10, 12)
"""Digits that are tried where those that are printed do not do; a law that needs more is chaos."""
POINTS: Final = 200
"""Times of a run at which simulations are compared."""
STAYS, UNSEEN = 0.01, 0.5
"""Share of the spread, or of the noise where that is larger, by which a printed law may miss the full one."""


def digits(run: Run) -> int:
    """Return the least digits with which the printed law simulates as the full one; 0 where those of `latex` do.

    And 0 where it cannot be told: without a law for every state, and where no digits do, as in chaos.
    """
    fits = reported(run.state)
    if not fits:
        return 0
    bench = workbench(run)
    paths = [path for k in range(len(run.state.problem.dataset.trajectories)) if (path := _Path.of(run, bench, k))]
    if all(path.is_followed(latex.as_printed(fits)) for path in paths):
        return 0
    return next((n for n in DIGITS if all(path.is_followed(latex.as_printed(fits, n)) for path in paths)), 0)


class _Path:
    """The full law along one run."""

    def __init__(self, bench: Workbench, place: int, start: Floats, t: Floats, x: Floats, most: Floats) -> None:
        self.bench, self.place, self.start, self.t, self.x, self.most = bench, place, start, t, x, most

    @classmethod
    def of(cls, run: Run, bench: Workbench, number: int) -> "_Path | None":
        start, (known, place) = np.array(own_start(run, number)), seen_by(bench, number)
        if not len(start):
            return None
        times = known.times(place)
        t = np.linspace(float(times[0]), float(times[-1]), POINTS)
        path = known.simulate(reported(run.state), place, t=t, start=start)
        if path.failure:
            return None
        most = np.maximum(STAYS * np.std(path.x, axis=0), UNSEEN * np.array(known.info.noise))
        return cls(known, place, start, t, path.x, most)

    def is_followed(self, fits: Sequence[EquationFit]) -> bool:
        """Whether a law comes by the same states (root mean square), from the same start."""
        path = self.bench.simulate(fits, self.place, t=self.t, start=self.start)
        return not path.failure and bool(np.all(np.sqrt(np.mean((path.x - self.x) ** 2, axis=0)) <= self.most))
