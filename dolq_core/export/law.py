"""The law that all targets write: equations with coefficients, the data it was found in, the description."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.errors import ExportError, grouped
from dolq_core.numerics.holding import Hold, knots
from dolq_core.records import STANDS, Dataset, EquationFit, FittedTerm, Problem, Status, Variable, derivative
from dolq_core.terms import Names, variables

NO_LAW: Final = "no law found"
"""What stands in the place of a right-hand side that is no law."""
ATTEMPT: Final = f"{NO_LAW}, the best attempt"
"""What is said of a right-hand side that is shown and is no law."""

MOST_INPUTS = 20_000
"""Samples of inputs that a program carries inside; it would be a file that no editor opens otherwise."""

MOST_SAMPLES = 20_000
"""Samples in a notebook, for the same reason."""


@dataclass(frozen=True, slots=True, eq=False)
class LawRun:
    """One run of the data, and where the law starts to follow it.

    Attributes:
        label: the run's own name, or its number.
        t, x: (n,), (n, d) the run as measured; NaN where a cell was missing.
        inputs: (n, u) the known inputs; u may be 0.
        start: (d,) the state of the law at t[0]; empty where it is not known.
        is_held_out: whether the run is held out whole, so that no fit has seen it.
        counts: (n, d) factors of the residuals where samples have weights, NaN where one does not count; else None.
        holds: per input what it does between samples.
    """

    label: str
    t: Floats
    x: Floats
    inputs: Floats
    start: tuple[float, ...]
    is_held_out: bool = False
    counts: Floats | None = None
    holds: tuple[Hold, ...] = ()

    @property
    def driving(self) -> tuple[Floats, Floats]:
        """Times (m,) and inputs (m, u) at them; between them straight lines, and the last value beyond them."""
        return knots(self.t, self.inputs, self.holds)


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """The best system of a run with its reported coefficients.

    Attributes:
        title: the run's name; iteration: how many were done.
        fits: one equation per state; statuses: where each stands, and why.
        record: how often laws with the evidence of this one were right in tests, as a sentence; empty if not known.
        names: own names and symbols, states first.
        digits: those that a law for reading needs at least to simulate as this one; 0 where the usual ones do.
    """

    title: str
    iteration: int
    problem: Problem
    names: Names
    fits: tuple[EquationFit, ...]
    statuses: tuple[tuple[Status, str], ...]
    runs: tuple[LawRun, ...]
    record: str = ""
    digits: int = 0

    @property
    def dataset(self) -> Dataset:
        """The data that the law was found in."""
        return self.problem.dataset

    @property
    def variables(self) -> tuple[Variable, ...]:
        """States, then inputs."""
        return self.dataset.variables

    @property
    def terms(self) -> tuple[FittedTerm, ...]:
        """All terms of all equations."""
        return tuple(term for fit in self.fits for term in fit.terms)

    @property
    def heading(self) -> str:
        """What the equations are, without a claim: where they stand is said of each."""
        return f"the {self.kind} of DoLQ after {self.iteration} iteration{'s' * (self.iteration != 1)}."

    @property
    def kind(self) -> str:
        """What the equations are in two words: equations where any is a law."""
        return "best attempts" if len(self.refused) == len(self.fits) else "best equations"

    @property
    def refused(self) -> frozenset[int]:
        """The equations that are no law."""
        return frozenset(j for j, (status, _) in enumerate(self.statuses) if status == "none")

    def rate(self, equation: int) -> str:
        """Return what an equation is of, and that it is no law where it is none."""
        said = derivative(self.dataset.states[equation].name)
        return f"{said}: {ATTEMPT}" if equation in self.refused else said

    @property
    def verdicts(self) -> tuple[str, ...]:
        """Where each equation stands and why, then the record, as sentences."""
        said = zip(self.dataset.states, self.statuses, strict=True)
        lines = (f"{derivative(one.name)}: {STANDS[status]}. {reason}".rstrip() for one, (status, reason) in said)
        return (*lines, *filter(None, [self.record]))

    @property
    def driven(self) -> bool:
        """Whether an input stands in a term, so that a simulation needs its values."""
        return is_driven(self.fits, self.dataset)

    @property
    def largest(self) -> tuple[float, ...]:
        """The largest size of each state in the data, 1 where it is 0: what tolerances are measured in."""
        sizes = np.nanmax(np.abs(np.concatenate([run.x for run in self.runs])), axis=0)
        return tuple(np.where(sizes > 0.0, sizes, 1.0).tolist())


def is_driven(fits: Sequence[EquationFit], dataset: Dataset) -> bool:
    """Whether an input of the data stands in a term."""
    found = {name for fit in fits for term in fit.terms for name in variables(term.skeleton)}
    return any(column.symbol in found for column in dataset.inputs)


def too_many_inputs(fits: Sequence[EquationFit], dataset: Dataset) -> str:
    """Return why a program cannot carry the inputs that the law needs; empty where it can."""
    samples = sum(len(run.t) for run in dataset.trajectories) if is_driven(fits, dataset) else 0
    if samples <= MOST_INPUTS:
        return ""
    return f"it would carry {grouped(samples)} samples of inputs, and {grouped(MOST_INPUTS)} is the limit"


def measured_runs(law: Law) -> Sequence[LawRun]:
    """Return the runs with a known start, for a file that holds the data; raise ExportError for too many samples."""
    if why := too_many_samples(law.dataset):
        raise ExportError("The notebook", why, "Take the program and the data as a table.")
    return [run for run in law.runs if run.start]


def too_many_samples(dataset: Dataset) -> str:
    """Return why a file cannot hold the data; empty where it can."""
    samples = sum(len(run.t) for run in dataset.trajectories)
    reason = f"it would hold {grouped(samples)} samples, and {grouped(MOST_SAMPLES)} is the limit"
    return reason if samples > MOST_SAMPLES else ""


def simulated_runs(law: Law) -> Sequence[LawRun]:
    """Return the runs that a program can simulate; raise ExportError where their inputs are too long for a program."""
    if why := too_many_inputs(law.fits, law.dataset):
        raise ExportError("The program", why, "Take the equations as text, LaTeX or SymPy, or the data as a table.")
    return [run for run in law.runs if run.start]
