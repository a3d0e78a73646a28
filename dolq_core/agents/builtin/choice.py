"""What the search of one equation may choose from: of clean samples (Choice), of noisy ones (Library)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from dolq_core.blocks import FREE
from dolq_core.mechanisms import Composed
from dolq_core.records import Blocks
from dolq_core.terms import Skeleton

Fitted: TypeAlias = tuple[tuple[Skeleton, tuple[float, ...]], ...]
"""Terms with their inner parameters."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a search may choose from.

    Attributes:
        skeletons: the terms.
        favoured: terms with inner parameters that are tried even when they look poor at their starts.
        kinds: term with inner parameters -> its mechanism; the best of every mechanism is followed.
        simpler: what a term becomes where an inner parameter has a special value; tried in place of a fitted one.
        shared: terms of the other equations with the inner parameters they have there; starts for this one.
        known: those of them of equations that explain the samples; tried beside every curve, in a last resort.
        flows: all terms of each other equation: what leaves one state mostly enters another.
        removed: terms that a person removed; what comes to the same as fitted is not taken either.
        blocks: whose signs a coefficient must have.
    """

    skeletons: tuple[Skeleton, ...]
    favoured: tuple[Skeleton, ...] = ()
    kinds: Mapping[Skeleton, str] = field(default_factory=dict[Skeleton, str])
    simpler: Mapping[Skeleton, tuple[Skeleton, ...]] = field(default_factory=dict[Skeleton, tuple[Skeleton, ...]])
    shared: Fitted = ()
    known: Fitted = ()
    flows: tuple[Fitted, ...] = ()
    removed: tuple[Skeleton, ...] = ()
    blocks: Blocks = FREE


NOTHING = Composed((), (), ())


@dataclass(frozen=True, slots=True)
class Library:
    """What one equation may be made of.

    Attributes:
        stages: libraries to search one after the other, each wider than the one before.
        forced: terms that every structure has to hold.
        simpler: what a term becomes where an inner parameter has a special value; tried in place of a fitted one.
        rare, composed: terms that only words bring in, and those that no mechanism writes down: for what none of the
            stages explains.
    """

    stages: tuple[tuple[Skeleton, ...], ...]
    forced: tuple[Skeleton, ...] = ()
    simpler: Mapping[Skeleton, tuple[Skeleton, ...]] = field(default_factory=dict[Skeleton, tuple[Skeleton, ...]])
    rare: tuple[Skeleton, ...] = ()
    composed: Composed = NOTHING

    def holds(self, skeleton: Skeleton) -> bool:
        """Whether a structure may have a term."""
        if skeleton in {*self.stages[-1], *self.forced, *self.rare} or skeleton in self.composed.terms:
            return True
        return any(skeleton in some for some in self.simpler.values())
