"""Coefficients from stretches of runs, where no whole run is followed: chaos."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from dolq_core.fitting.equations import TRAJECTORY
from dolq_core.fitting.whole_runs import in_order
from dolq_core.numerics.rounding import known_ratio
from dolq_core.records import AT_FLOOR, EquationFit

if TYPE_CHECKING:
    from dolq_core.fitting.workbench import Workbench

STRETCHES: Final = f"{TRAJECTORY} in stretches"


def in_stretches(bench: "Workbench", fits: Sequence[EquationFit]) -> tuple[EquationFit, ...]:
    """Return a system that misses its rates as it follows stretches of the runs; empty where it does not explain them.

    Noise in a fast curve, such as sin(x + z), spoils its rates and no simulation. `floor_ratio` is then the misfit of
    the simulated stretches over the noise. A system at the floor of its rates stays as it is.
    """
    found = bench.judged(fits) if any(fit.floor_ratio > AT_FLOOR for fit in fits) else None
    if found is None or not float(np.max(found[1].misfit)) <= AT_FLOOR:
        return ()
    like, judged = found
    told = zip(judged.misfit.tolist(), like.above_rest(judged), like.whiteness(judged), strict=True)
    measured = (
        bench.measured(replace(fit, terms=terms), STRETCHES)
        for fit, terms in zip(fits, in_order(judged.with_errors, fits), strict=True)
    )
    return tuple(
        replace(fit, floor_ratio=known_ratio(ratio), above_rest=above, whiteness=white)
        for fit, (ratio, above, white) in zip(measured, told, strict=True)
    )
