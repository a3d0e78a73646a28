"""What else explains the data: other laws about as well as the best one, or one law before a time and another after."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import inf

import numpy as np

from dolq_core.bans import is_covered
from dolq_core.blocks import required, wrong_sign
from dolq_core.fitting import Workbench
from dolq_core.fitting.changes import change_words
from dolq_core.fitting.exact_ties import exact_ties, of_fewer, shorter
from dolq_core.fitting.identify import polynomials, ties
from dolq_core.fitting.known_starts import refitted
from dolq_core.fitting.likelihood import Judged, Likelihood, System
from dolq_core.fitting.limits import explains
from dolq_core.fitting.prior import Prior
from dolq_core.fitting.rivals import rivals_of_system
from dolq_core.loop.advance import advance
from dolq_core.loop.ranking import dodged, may_stand, unharmed
from dolq_core.mechanisms import explanations
from dolq_core.numerics.integrate import BLEW_UP, NO_VALUE
from dolq_core.records import EquationFit, Iteration, RunState, TermKey
from dolq_core.terms import Skeleton, count_params
from dolq_core.terms.jumps import has_direction, jumps_in

SHOWN = 5
"""Rivals of an equation that are kept with their coefficients."""
STARTS = 12
"""Starts within the range of the data from which a law is simulated."""


def compared(state: RunState, done: Iteration, bench: Workbench) -> Iteration:
    """Add the rivals of each best equation: how many, and the first of them."""
    after = advance(state, done)
    best = [None if visited is None else visited.reported for visited in after.best]
    system = [one for one in best if one is not None]
    if bench.is_clean:
        tied = [_exact_ties(after, bench, one) for one in best]
        counts = tuple(len(fits) for fits in tied)
        short = tuple(_shorter(after, bench, one) for one in best)
        done = replace(done, clean=True, shorter=short if any(short) else ())
        return replace(done, rivals=counts, beside=tuple(fits[:SHOWN] for fits in tied)) if any(counts) else done
    if not (bench.is_sparse or bench.refines):
        return done
    judged = bench.judged(system) if len(system) == len(best) and not bench.is_sparse else None
    if judged is None:
        tied = [_ties(after, bench, system, one) for one in best]
        counts, beside = tuple(count for count, _ in tied), tuple(fits for _, fits in tied)
        return _as_before(state, after, replace(done, rivals=counts, beside=beside))
    like, own = judged
    _judge_visited(after, like, own)
    _judge_rivals(state, like, own)
    found = rivals_of_system(like, own, Prior(state.problem), lambda one: _may_stand(after, system, one))
    beside = tuple(tuple(_fits(bench, j, rivals.close)) for j, rivals in enumerate(found))
    counts = tuple(len(rivals.close) for rivals in found)
    gaps = tuple(rivals.gap for rivals in found)
    done = replace(done, rivals=counts, beside=beside, gaps=_no_wider(state, after, gaps))
    short = tuple(_shorter_on_runs(after, bench, (like, own), one) for one in system)
    return _as_before(state, after, replace(done, shorter=short) if any(short) else done)


def changed(state: RunState, done: Iteration, bench: Workbench) -> Iteration:
    """Add when the law of an equation above its error floor seems to change, where it does."""
    best = [None if visited is None else visited.reported for visited in advance(state, done).best]
    high = [one is not None and not explains(one) for one in best]
    said = tuple(change_words(bench, j) if above and not bench.info.jumps[j] else "" for j, above in enumerate(high))
    return replace(done, changes=said) if any(said) else done


def strayed(state: RunState, done: Iteration, bench: Workbench) -> Iteration:
    """Add from how many starts within the range of the data the best system runs away, where it explains the data.

    Of each state of a start the value is one that it has had at some time, of different states at different times. In
    the run itself a law of terms that cancel may follow the samples; from elsewhere it does not. A path that comes to
    the edge of where the law has values, as a tank that has run empty does under a root, runs away nowhere; nor does
    one that no solver takes further because a jump of the law holds it there, as dry friction holds a sled and a
    dog stays where it has swum to.
    """
    after = advance(state, done)
    best = [visited.reported for visited in after.best if visited is not None]
    if len(best) < bench.d or not all(map(explains, best)):
        return done
    last = state.last
    if last is not None and last.strays is not None and last.refined == done.refined and state.best == after.best:
        return replace(done, strays=last.strays)
    values = bench.values[: bench.d]
    rng = np.random.default_rng(0)
    starts = np.array([row[rng.integers(len(row), size=STARTS)] for row in values]).T
    ends = [bench.simulate(best, 0, start=start).failure for start in starts]
    skeletons = [term.skeleton for one in best for term in one.terms]
    is_held = bool(jumps_in(skeletons)) or has_direction(skeletons)
    lost = [end.startswith(BLEW_UP) if is_held else bool(end) and not end.startswith(NO_VALUE) for end in ends]
    return replace(done, strays=sum(lost))


def _judge_visited(after: RunState, like: Likelihood, best: Judged) -> None:
    """Fit the best system with each other structure that was visited and that nobody has removed a term of."""
    for (j, skeletons), visited in after.archive.items():
        if visited.fit.terms and not visited.fit.failure and may_stand(after, j, skeletons):
            system = tuple(visited.fit.terms if i == j else own for i, own in enumerate(best.system))
            like.judged(system, best, best.fit)


def _judge_rivals(before: RunState, like: Likelihood, best: Judged) -> None:
    """Fit the best system with each rival of the iteration before: what was close is not refuted by another search."""
    for fit in (fit for fits in (before.last.beside if before.last else ()) for fit in fits):
        system = tuple(fit.terms if i == fit.equation else own for i, own in enumerate(best.system))
        like.judged(system, best, best.fit)


def _no_wider(before: RunState, after: RunState, gaps: tuple[float | None, ...]) -> tuple[float | None, ...]:
    """Return the gaps, but none wider than the same system had before, unless a person has removed a term since.

    A search for what a person wants tried compares the law with less than the search that found it.
    """
    last = before.last
    removed = any(ban.by == "human" and ban.since >= before.iteration for ban in after.bans.values())
    if last is None or removed or len(last.gaps) != len(gaps) or _shapes(before) != _shapes(after):
        return gaps
    known = [[gap for gap in pair if gap is not None] for pair in zip(gaps, last.gaps, strict=True)]
    return tuple(min(pair, default=None) for pair in known)


def _as_before(before: RunState, after: RunState, done: Iteration) -> Iteration:
    """Leave what was compared with the laws that a veto in another equation has not harmed: that system is gone."""
    last, kept = before.last, unharmed(after)
    if last is None or not kept or not len(done.rivals) == len(last.rivals) == len(last.beside):
        return done
    same = [
        j in kept and shape == old for j, (shape, old) in enumerate(zip(_shapes(after), _shapes(before), strict=True))
    ]
    rivals, beside = (
        tuple(old if stays else new for new, old, stays in zip(now, then, same, strict=True))
        for now, then in ((done.rivals, last.rivals), (done.beside, last.beside))
    )
    return replace(done, rivals=rivals, beside=beside)


def _shapes(state: RunState) -> list[tuple[str, ...] | None]:
    """Return the terms of each equation's best law."""
    return [None if v is None else tuple(t.skeleton for t in v.reported.terms) for v in state.best]


def _may_stand(after: RunState, best: Sequence[EquationFit], other: System) -> bool:
    """Whether a person's word lets a system stand; a removed term under another name is removed."""
    fits = [replace(fit, terms=terms) for fit, terms in zip(best, other, strict=True)]
    return all(may_stand(after, fit.equation, [t.skeleton for t in fit.terms]) for fit in fits) and not any(
        dodged(after, fit) for fit in fits
    )


def _fits(bench: Workbench, equation: int, rivals: Sequence[Judged]) -> list[EquationFit]:
    fits = [bench.fit(equation, [t.skeleton for t in one.system[equation]]) for one in rivals[:SHOWN]]
    return [fit for fit in fits if not fit.failure and not wrong_sign(bench.blocks, equation, fit.terms)]


def _shorter(after: RunState, bench: Workbench, one: EquationFit | None) -> EquationFit | None:
    """Return a shorter law that explains clean samples as well, and that a person has ruled out by a term of it."""
    if one is None or not explains(one):
        return None
    return shorter(bench, one, _ruled_out(after, bench, one.equation), _asked_for(after, bench, one.equation))


def _shorter_on_runs(
    after: RunState, bench: Workbench, judged: tuple[Likelihood, Judged], one: EquationFit
) -> EquationFit | None:
    """Return the same of noisy samples: a law of fewer numbers that describes whole runs in fewer nats."""
    removed, j = _ruled_out(after, bench, one.equation), one.equation
    if not removed or not explains(one):
        return None
    (like, best), prior = judged, Prior(after.problem)
    rough = (bench.rough(j, trial) for trial in of_fewer(one, removed, _asked_for(after, bench, j)))
    fits = sorted((fit for fit in rough if not fit.failure), key=lambda fit: fit.score)[:SHOWN]
    systems = [tuple(fit.terms if i == j else own for i, own in enumerate(best.system)) for fit in fits]
    lengths = [like.length(like.judged(system, best, best.fit), prior) for system in systems]
    least = min(lengths, default=inf)
    return fits[lengths.index(least)] if least < like.length(best, prior) else None


def _asked_for(after: RunState, bench: Workbench, equation: int) -> set[Skeleton]:
    """Return the terms that a person wants in an equation."""
    return {*required(bench.blocks, equation), *(key.skeleton for key in after.pins if key.equation == equation)}


def _ruled_out(after: RunState, bench: Workbench, equation: int) -> list[Skeleton]:
    """Return the terms that a person has removed from an equation; of a banned kind the plain ones."""
    removed = [k.skeleton for k, ban in after.bans.items() if k.equation == equation and ban.by == "human"]
    kinds = [ban for ban in after.families.values() if ban.key.equation == equation]
    plain = polynomials(bench) + _library(after, bench, equation) if kinds else []
    of_kinds = (s for s in plain if any(is_covered(ban, TermKey(equation, s)) for ban in kinds))
    return [*dict.fromkeys((*removed, *of_kinds))]


def _library(after: RunState, bench: Workbench, equation: int) -> list[Skeleton]:
    """Return the terms without numbers inside that mechanisms explain."""
    return [s for s in explanations(after.problem, bench.names, equation) if not count_params(s)]


def _exact_ties(after: RunState, bench: Workbench, one: EquationFit | None) -> tuple[EquationFit, ...]:
    """Return what leaves as little of clean samples as one equation does, a plain term away from it."""
    if one is None or not explains(one):
        return ()
    library = _library(after, bench, one.equation)
    found = exact_ties(bench, one, library, partial(may_stand, after, one.equation))
    return tuple(fit for fit in found if not dodged(after, fit))


def _ties(
    after: RunState, bench: Workbench, system: Sequence[EquationFit], one: EquationFit | None
) -> tuple[int, tuple[EquationFit, ...]]:
    """Count structures that were visited, or are a term or two away, and fit one equation as well; return some."""
    if one is None or not one.terms:
        return 0, ()
    whole = bench.whole
    seen = [skeletons for j, skeletons in after.archive if j == one.equation]
    again = refitted(whole, one)
    if again.failure:
        return 0, ()
    along = system if len(system) == len(after.best) else ()
    found = ties(whole, again, seen, along, partial(may_stand, after, one.equation), partial(dodged, after))
    return found.count, found.fits
