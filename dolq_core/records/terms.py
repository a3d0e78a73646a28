"""Terms as they are proposed, read, refused and fitted."""

from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from dolq_core.records.blocks import Blocks
from dolq_core.records.calls import ModelCall
from dolq_core.terms import Kind, Skeleton


@dataclass(frozen=True, slots=True, order=True)
class TermKey:
    """The identity of a term across iterations: never a position, never a text as it was typed."""

    equation: int
    skeleton: Skeleton


@dataclass(frozen=True, slots=True, order=True)
class FamilyKey:
    """All terms of a kind in one equation; with a symbol, those of them that hold this variable."""

    equation: int
    kind: Kind
    symbol: str = ""


SIGNIFICANT: Final = 2.0
"""Standard errors from zero from which a number is told from it (95 %)."""
AT_FLOOR: Final = 1.5
"""`EquationFit.floor_ratio` up to which an equation explains its rates, and misfit over noise up to which a system
explains its samples: what is missing does not show."""


@dataclass(frozen=True, slots=True)
class ProposedTerm:
    """A term as a Sampler wrote it: text in own names or symbols, with its reason.

    start: inner parameters that the Sampler found; a fit begins there too. Only where the text is the term's skeleton.
    """

    text: str
    reason: str = ""
    family: str = ""
    source: str = "builtin"
    start: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Stated:
    """What a hypothesis holds to be true of its numbers, and what the data say to it.

    Attributes:
        text: as it was said; blocks: what it says.
        holds: whether the fit with it is no worse than chance makes it; None before it was fitted.
        nats: what the fit loses by it; None before it was fitted.
    """

    text: str
    blocks: Blocks
    holds: bool | None = None
    nats: float | None = None


@dataclass(frozen=True, slots=True)
class Sampling:
    """A Sampler's answer: hypotheses[h][equation] is a list of proposed terms; refused: what could not be read.

    stated: what each hypothesis states, in the same order; empty where none states anything.
    """

    hypotheses: tuple[tuple[tuple[ProposedTerm, ...], ...], ...]
    calls: tuple[ModelCall, ...] = ()
    note: str = ""
    refused: tuple["Refusal", ...] = ()
    stated: tuple[tuple[Stated, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """A proposed term that was read: its skeleton, why it is there and where it came from.

    stated: the number that stood in front of it, to compare the sign of the fit with; None where none did.
    start: inner parameters from which its fit begins too; empty where nobody knows any.
    """

    skeleton: Skeleton
    reason: str = ""
    family: str = ""
    source: str = "builtin"
    stated: float | None = None
    start: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A term or a hypothesis that was not taken, and why. equation is None for a whole hypothesis."""

    hypothesis: int
    equation: int | None
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One hypothesis for the whole system: terms[equation]."""

    hypothesis: int
    terms: tuple[tuple[Term, ...], ...]
    stated: tuple[Stated, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the phase `sample` lets through, and what it refused."""

    candidates: tuple[Candidate, ...]
    refused: tuple[Refusal, ...] = ()
    note: str = ""
    calls: tuple[ModelCall, ...] = ()


def may_be_zero(value: float, error: float | None) -> bool:
    """Whether a number is not told from zero: SIGNIFICANT standard errors reach it. False where none is known."""
    return error is not None and abs(value) < SIGNIFICANT * error


@dataclass(frozen=True, slots=True)
class FittedTerm:
    """A skeleton with numbers: outer coefficient, inner parameters in order, and their standard errors.

    A standard error is None where the data do not tell it; there are none of inner parameters in older logs.
    """

    skeleton: Skeleton
    coefficient: float
    std_error: float | None = None
    inner: tuple[float, ...] = ()
    inner_errors: tuple[float | None, ...] = ()

    @property
    def may_be_zero(self) -> bool:
        """Whether the 95 % interval of its coefficient holds zero."""
        return may_be_zero(self.coefficient, self.std_error)

    @property
    def inside(self) -> tuple[tuple[float, float | None], ...]:
        """The inner parameters with their errors."""
        return tuple(zip_longest(self.inner, self.inner_errors[: len(self.inner)]))


@dataclass(frozen=True, slots=True)
class EquationFit:
    """Coefficients for one structure of one equation.

    Attributes:
        mse: residual mean squared error against the target (paper, eq. 2); inf when the fit failed.
        nmse: `mse` over the variance of the target.
        cv_nmse: the same on blocks of the data that were left out of the fit, all blocks together.
        held_out: the same on the held-out part of the data, which this fit has not seen; None without one.
        floor_ratio: root of `mse` over the error that the target itself has; about 1 at the noise floor.
        score: what `best_by="score"` minimises: description length in nats, see `dolq_core.fitting`.
        failure: why there are no coefficients; empty when the fit succeeded.
        duplicate: answered from the archive, not fitted again.
        note: what to know of the numbers: a term that the data cannot tell from the others has the coefficient 0.
        correlation: (k, k) of the errors of the outer coefficients, in the order of the terms; None beside a
            coefficient without a standard error. Empty where there are no standard errors at all.
        above_rest: nats by which the simulation of whole runs explains the samples better than a constant, a random
            walk and one whose speed walks, less what the terms cost; None where whole runs were not compared.
        whiteness: chance that white noise leaves neighbouring residuals of that simulation as much alike.
    """

    equation: int
    terms: tuple[FittedTerm, ...]
    mse: float
    nmse: float
    cv_nmse: float
    floor_ratio: float
    score: float
    strategy: str = "least squares"
    failure: str = ""
    duplicate: bool = False
    held_out: float | None = None
    note: str = ""
    correlation: tuple[tuple[float | None, ...], ...] = ()
    above_rest: float | None = None
    whiteness: float | None = None


@dataclass(frozen=True, slots=True)
class SystemFit:
    """The fits of one candidate, one per equation; they keep what it states and the data do not speak against."""

    hypothesis: int
    equations: tuple[EquationFit, ...]
    stated: tuple[Stated, ...] = ()
