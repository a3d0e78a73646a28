"""What the laws of a run may be made of and what must hold for them, as a person declares it before the run."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dolq_core.terms import Skeleton

Sign: TypeAlias = Literal["positive", "negative"]
Course: TypeAlias = Literal["rising", "falling"]


@dataclass(frozen=True, slots=True)
class Bound:
    """Between which numbers a coefficient lies, or a number inside the term; None: no limit on that side.

    Attributes:
        inner: which of the numbers inside the term; None: its coefficient.
    """

    skeleton: Skeleton
    low: float | None = None
    high: float | None = None
    inner: int | None = None


@dataclass(frozen=True, slots=True)
class EquationBlocks:
    """The same for the equation of one state.

    Attributes:
        equation: number of the state.
        variables: symbols of states, inputs and `t` that its terms may hold; None: all.
        terms: the only terms it may have; None: all that the other rules let in.
        signs: terms whose coefficient has one sign only.
        must: terms that it always has.
        fixed: terms that it always has, each with its known coefficient.
        bounds: limits of coefficients and of numbers inside terms, where the term is there.
        start: the terms of a first hypothesis, which is tried and then a law like any other.
    """

    equation: int
    variables: tuple[str, ...] | None = None
    terms: tuple[Skeleton, ...] | None = None
    signs: tuple[tuple[Skeleton, Sign], ...] = ()
    must: tuple[Skeleton, ...] = ()
    fixed: tuple[tuple[Skeleton, float], ...] = ()
    bounds: tuple[Bound, ...] = ()
    start: tuple[Skeleton, ...] = ()


@dataclass(frozen=True, slots=True)
class Tie:
    """Two terms, (equation, skeleton), that stand together with the same numbers inside: one thing in two places.

    Attributes:
        ratio: coefficient of the second over that of the first; None: any.
    """

    first: tuple[int, Skeleton]
    second: tuple[int, Skeleton]
    ratio: float | None = 1.0


@dataclass(frozen=True, slots=True)
class Mirror:
    """Two states, by number and symbol, that can be exchanged: the equation of one is that of the other."""

    first: int
    second: int
    symbols: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Blocks:
    """Building blocks: by default the whole language of terms.

    Attributes:
        functions: names of functions that terms may call, `sqrt` for broken powers among them; None: all.
        degree: highest degree of a term: 3 lets in x**3 and x*y**2; None: any.
        ratios: whether a term may divide by a variable.
        inner: whether a term may hold numbers that are fitted, as the p in x/(p + x).
        time: whether a term may hold the time itself.
        units: whether a term whose units cannot agree is left out.
        ties: constants that are one in two places.
        conserved: sums of states, as (state, weight), whose rate is zero; what the last one does follows from the rest.
        mirrors: states that can be exchanged.
        positive: states that no law may take below zero; monotone: states that only rise, or only fall.
        vetoes: terms, (equation, skeleton), that are never proposed; pins: terms of every hypothesis. Both are the
            person's first word, and the run can take each back as any other.
    """

    functions: tuple[str, ...] | None = None
    degree: int | None = None
    ratios: bool = True
    inner: bool = True
    time: bool = True
    equations: tuple[EquationBlocks, ...] = ()
    units: bool = False
    ties: tuple[Tie, ...] = ()
    conserved: tuple[tuple[tuple[int, float], ...], ...] = ()
    mirrors: tuple[Mirror, ...] = ()
    positive: tuple[int, ...] = ()
    monotone: tuple[tuple[int, Course], ...] = ()
    vetoes: tuple[tuple[int, Skeleton], ...] = ()
    pins: tuple[tuple[int, Skeleton], ...] = ()
