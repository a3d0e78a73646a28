"""What the laws of a run may be made of, as a person declares it before the run."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from dolq_core.terms import Skeleton

Sign: TypeAlias = Literal["positive", "negative"]


@dataclass(frozen=True, slots=True)
class EquationBlocks:
    """The same for the equation of one state.

    Attributes:
        equation: number of the state.
        variables: symbols of states, inputs and `t` that its terms may hold; None: all.
        terms: the only terms it may have; None: all that the other rules let in.
        signs: terms whose coefficient has one sign only.
    """

    equation: int
    variables: tuple[str, ...] | None = None
    terms: tuple[Skeleton, ...] | None = None
    signs: tuple[tuple[Skeleton, Sign], ...] = ()


@dataclass(frozen=True, slots=True)
class Blocks:
    """Building blocks: by default the whole language of terms.

    Attributes:
        functions: names of functions that terms may call, `sqrt` for broken powers among them; None: all.
        degree: highest degree of a term: 3 lets in x**3 and x*y**2; None: any.
        ratios: whether a term may divide by a variable.
        inner: whether a term may hold numbers that are fitted, as the p in x/(p + x).
        time: whether a term may hold the time itself.
    """

    functions: tuple[str, ...] | None = None
    degree: int | None = None
    ratios: bool = True
    inner: bool = True
    time: bool = True
    equations: tuple[EquationBlocks, ...] = ()
