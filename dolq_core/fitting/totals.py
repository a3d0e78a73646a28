"""Totals that stay constant in the data, as the people of a closed town do: a law is known up to them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import gcd

import numpy as np

from dolq_core.arrays import Floats

STEADY = 1e-5
"""Spread of a constant total over that of its states, on data without noise."""
MOVES = 3.0
"""Spread of a state over what a total may vary, from which the total says anything of it."""
SHARP = 300.0
"""The same for a total with any weights: of noisy samples some such sum of two states in one rhythm seems to stay."""
WEIGHTS = (1, 2)
LARGEST_TOTAL = 4
MOST_STATES = 8


@dataclass(frozen=True, slots=True)
class Total:
    """A sum of states that stays constant inside every run: (state, weight) of each part, whole numbers mostly.

    Attributes:
        allowed: how far it may vary by the noise, root mean square.
    """

    parts: tuple[tuple[int, float], ...]
    allowed: float = 0.0

    def text(self, own: Sequence[str]) -> str:
        """Return the sum in the states' own names."""
        shown = [(own[i], f"{w:.3g}") for i, w in self.parts]
        said = " + ".join(f"{w}*{name}" if abs(float(w)) != 1.0 else w[:-1] + name for name, w in shown)
        return said.replace("+ -", "- ")


def stretches_of(t: Floats) -> tuple[int, ...]:
    """Return the first sample of each stretch in which time only grows, and the number of samples."""
    return (0, *(np.flatnonzero(np.diff(t) <= 0.0) + 1).tolist(), len(t))


def totals(x: Floats, noise: Floats, stretches: Sequence[int]) -> list[Total]:
    """Sums of states (d, n) that stay constant within the noise, the shortest first; none that contains another."""
    if len(x) > MOST_STATES:
        return []
    centred = np.hstack([part - np.mean(part, axis=1, keepdims=True) for part in _parts(x, stretches)])
    spread = np.std(centred, axis=1)
    found: list[Total] = []
    for parts in _candidates(len(x)):
        chosen = {i for i, _ in parts}
        if any({i for i, _ in total.parts} <= chosen for total in found):
            continue
        left = float(np.std(sum(w * centred[i] for i, w in parts)))
        share = min(w * float(spread[i]) for i, w in parts)
        allowed = 1.5 * float(np.sqrt(sum((w * noise[i]) ** 2 for i, w in parts))) + STEADY * share
        if left <= allowed and share >= MOVES * allowed:
            found.append(Total(parts, allowed))
    return found


def total_words(own: Sequence[str], x: Floats, t: Floats, noise: Floats) -> str:
    """Return which sum of states (d, n) has one value in all runs, as a sentence; empty where none has.

    A law of such data may be written with the sum in the place of a state, and differs where the sum does. Weights are
    whole numbers where such a sum stays, else those that yields give: sugar + 2.12*ethanol.
    """
    stretches = stretches_of(t)
    found = totals(x, noise, stretches)
    for total in (*found, *(_weighted(x, noise, stretches) if not found else ())):
        weights = np.array([dict(total.parts).get(i, 0) for i in range(len(x))], dtype=np.float64)
        levels = [float(np.mean(weights @ part)) for part in _parts(x, stretches)]
        if max(levels) - min(levels) <= total.allowed:
            return f"{total.text(own)} is constant in these data: with another total the law may be another one."
    return ""


def _weighted(x: Floats, noise: Floats, stretches: Sequence[int]) -> Iterator[Total]:
    """Sums of states (d, n) of clean data with any weights that stay constant, the first one with weight 1."""
    centred = np.hstack([part - np.mean(part, axis=1, keepdims=True) for part in _parts(x, stretches)])
    spread = np.std(centred, axis=1)
    for size in range(2, min(len(x), LARGEST_TOTAL) + 1) if len(x) <= MOST_STATES else ():
        for states in map(list, combinations(range(len(x)), size)):
            if not np.all(spread[states] > 0.0):
                continue
            least = np.linalg.svd(centred[states] / spread[states][:, None], full_matrices=False)[0][:, -1]
            weights: Floats = least / spread[states]
            weights = weights / weights[0] if weights[0] else weights
            share = float(np.min(np.abs(weights) * spread[states]))
            allowed = 1.5 * float(np.linalg.norm(weights * noise[states])) + STEADY * share
            if float(np.std(weights @ centred[states])) <= allowed and share >= SHARP * allowed:
                yield Total(tuple(zip(states, weights.tolist(), strict=True)), allowed)


def _parts(x: Floats, stretches: Sequence[int]) -> Iterator[Floats]:
    return (x[:, a:b] for a, b in zip(stretches, stretches[1:], strict=False))


def _candidates(d: int) -> Iterator[tuple[tuple[int, int], ...]]:
    for size in range(2, min(d, LARGEST_TOTAL) + 1):
        for states in combinations(range(d), size):
            for weights in product(WEIGHTS, repeat=size):
                if gcd(*weights) == 1:
                    yield tuple(zip(states, weights, strict=True))
