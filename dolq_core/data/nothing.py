"""Sets in which there is no law to find: white noise and random walks."""

from collections.abc import Callable
from typing import Final

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.data.about import Bundled
from dolq_core.data.sampling import Sampling, check, seed_of, told
from dolq_core.errors import DataError
from dolq_core.records import Dataset, Problem, Trajectory, Variable

MADE: Final[dict[str, Callable[[Floats], Floats]]] = {
    "noise": lambda draws: draws,
    "random-walk": lambda draws: np.cumsum(draws, axis=0),
}
END: Final = 10.0  # of each run


def drawn(words: Bundled, how: Sampling) -> Problem:
    """Return a set of independent normal draws, or of their sums; raise DataError where it cannot be drawn so."""
    check(how)
    if how.noise:
        raise DataError(f"The data set '{words.id}'", "it is noise already", "Leave the noise at 0.")
    dataset = Dataset(
        words.title,
        Variable(words.time.name, "t", words.time.unit, words.time.meaning),
        tuple(Variable(state.name, state.name, state.unit, state.meaning) for state in words.states),
        (),
        source=words.source,
    )
    runs = [_run(words, how, start) for start in range(how.starts)]
    return Problem(told(dataset, runs, how, f"seed {how.seed}"), words.description)


def _run(words: Bundled, how: Sampling, start: int) -> Trajectory:
    draws = np.random.default_rng(seed_of(how, start)).normal(size=(how.points, len(words.states)))
    return Trajectory(frozen(np.linspace(0.0, END, how.points)), frozen(MADE[words.id](draws)))
