"""What an iteration looks at while it works: how many structures, and the best of each size, told twice a second."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any

from dolq_core.records import EquationFit
from dolq_core.terms import Skeleton

EVERY_S = 0.5


@dataclass(frozen=True, slots=True)
class Seen:
    """The best structure of its size so far: equation, terms as skeletons, error of the rate (NMSE) where fitted."""

    equation: int
    terms: tuple[Skeleton, ...]
    error: float


class Looker:
    """Counts the structures of one iteration and keeps the front of each equation."""

    def __init__(self, say: Callable[[dict[str, Any]], None]) -> None:
        self._say = say
        self._told = time.monotonic()
        self.tried = 0
        self.best: dict[tuple[int, int], EquationFit] = {}

    def look(self, fit: EquationFit | None) -> None:
        """Take up one fit, None for that of a whole system; tell what there is by now, unless that was just told."""
        self.tried += 1
        if fit is not None:
            self._keep(fit)
        if time.monotonic() - self._told >= EVERY_S:
            self.tell()

    def _keep(self, fit: EquationFit) -> None:
        place = fit.equation, len(fit.terms)
        if not fit.failure and isfinite(fit.nmse) and (place not in self.best or fit.nmse < self.best[place].nmse):
            self.best[place] = fit

    def tell(self) -> None:
        """Tell how many structures there were, and the front: what nothing smaller beats."""
        self._told = time.monotonic()
        front: list[dict[str, Any]] = []
        least: dict[int, float] = {}
        for (equation, _), fit in sorted(self.best.items()):
            if fit.nmse < least.get(equation, float("inf")):
                least[equation] = fit.nmse
                front.append({"equation": equation, "terms": [t.skeleton for t in fit.terms], "error": fit.nmse})
        self._say({"kind": "seen", "tried": self.tried, "front": front})
