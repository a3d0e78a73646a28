"""Whether the data single out one structure, and the start from which a further run would.

Two structures tie when their log errors differ by less than 8 / Meff, with the target's own error added (half the
difference of a term's cost in the score, see `fitting.score`). They are different when their right-hand sides differ
by more than 2 % of the larger one's size on the box of the data, widened by half; others are one structure written
in two ways. The condition number of the columns says neither (docs: numerics).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from math import log
from typing import TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.blocks import required, why_not, wrong_sign
from dolq_core.errors import TermError
from dolq_core.fitting.rivals import Fields, differ, field
from dolq_core.fitting.workbench import Simulation, Workbench
from dolq_core.numerics.least_squares import least_squares
from dolq_core.records import AT_FLOOR, EquationFit, TermKey
from dolq_core.terms import Skeleton, count_params, parse_term

MayStand: TypeAlias = Callable[[Collection[Skeleton]], bool]
Dodges: TypeAlias = Callable[[EquationFit], object]

TIE = 8.0
"""Over Meff: difference of log errors that chance makes (measured on the paper's systems)."""
WIDER = 0.5
"""For few samples: the count goes by what they can show. `fitting.rivals` looks wider."""
POINTS = 512
DEGREE = 3
MOST_SWAPS = 4000
STARTS = 64
LOST = 1e4
ENOUGH = 30.0
"""Standard errors: starts that tell tied structures apart so far are equal, and the newest states win."""
TOLD = 4.0
"""Standard errors that a structure must stay away from somewhere to count: an alias stays nowhere."""
TIMES = 60


@dataclass(frozen=True, slots=True)
class Ties:
    """One equation: how many functionally different structures of its size or smaller fit as well.

    Attributes:
        words: a sentence; empty when the structure is the only one.
        fits: some of them, the best score first; `count` of them in all.
        larger: the best structure with one more term, when its score is within TIE / 2 nats: not counted, but a
            further run should tell it apart as well.
        twins: some structures that fit as well and are the same function where the data are, such as x and sin(x)
            near 0; not counted, but a further run can tell them apart elsewhere.
    """

    equation: int
    count: int
    words: str
    fits: tuple[EquationFit, ...] = ()
    larger: EquationFit | None = None
    twins: tuple[EquationFit, ...] = ()


@dataclass(frozen=True, slots=True)
class Experiment:
    """A start from which a further run tells tied structures apart.

    Attributes:
        start: the state at which the run begins; duration: how long it is to last.
        apart: how far the nearest of the tied structures stays from the best one when it is fitted again to that run
            and to those that are there, in standard errors. Without noise: the least distance between simulations,
            in millionths of the states' standard deviations.
        fitted_again: whether it is so, in standard errors.
    """

    start: tuple[float, ...]
    duration: float
    apart: float
    fitted_again: bool


def ties(
    bench: Workbench,
    best: EquationFit,
    seen: Iterable[Sequence[Skeleton]],
    system: Sequence[EquationFit] = (),
    may_stand: MayStand = lambda _: True,
    dodges: Dodges = lambda _: None,
) -> Ties:
    """Count what ties with `best` among structures `seen` and single swaps of its terms, those that `may_stand`.

    dodges: says of a fitted one that it holds, under another name, what may not stand.

    system: one fit per equation; where noise is the limit, structures are compared by the error of the samples
    around it (`Workbench.output_error`), which tells more apart than the weak form does.
    """
    sharp = bench.output_error(system, best.equation) if system else None
    again = None if sharp is None else sharp.fit(best.equation, [term.skeleton for term in best.terms])
    if sharp is None or again is None or not again.floor_ratio <= AT_FLOOR:
        return _ties(bench, best, seen, may_stand, dodges)
    return _ties(sharp, again, seen, may_stand, dodges)


def _ties(
    bench: Workbench, best: EquationFit, seen: Iterable[Sequence[Skeleton]], may_stand: MayStand, dodges: Dodges
) -> Ties:
    bench = bench.for_equation(best.equation)
    at = box_of(bench)
    reference = field_of(best, bench, at)
    limit = log_error(bench, best) + TIE / bench.target.effective
    fields, kept = Fields(at.shape[1]), list[EquationFit]()
    twins: list[EquationFit] = []
    for skeletons in _alternatives(bench, best, seen):
        if not may_stand(skeletons) or any(bench.column(s) is None for s in skeletons if not count_params(s)):
            continue
        fit = bench.rough(best.equation, skeletons)
        if fit.failure or wrong_sign(bench.blocks, best.equation, fit.terms) or log_error(bench, fit) > limit:
            continue
        if dodges(fit):
            continue
        field = field_of(fit, bench, at)
        if not differ(field, reference):
            twins.append(fit)
        elif fields.add(field):
            kept.append(fit)
    found = sorted(kept, key=lambda fit: fit.score)
    twins = sorted(twins, key=lambda fit: fit.score)
    return Ties(
        best.equation,
        len(found),
        in_words(len(found)),
        tuple(found[:5]),
        _larger(bench, best, may_stand, dodges),
        tuple(twins[:5]),
    )


def _larger(bench: Workbench, best: EquationFit, may_stand: MayStand, dodges: Dodges) -> EquationFit | None:
    own = tuple(term.skeleton for term in best.terms)
    new = [s for s in polynomials(bench) if s not in own and is_allowed(bench, best.equation, s)]
    added = [s for s in new if bench.column(s) is not None]
    fits = [bench.rough(best.equation, (*own, s)) for s in added if may_stand((*own, s))]
    found = min((fit for fit in fits if not fit.failure and not dodges(fit)), key=lambda fit: fit.score, default=None)
    return found if found is not None and found.score < best.score + 0.5 * TIE else None


def next_experiment(
    bench: Workbench,
    best: Sequence[EquationFit],
    tied: Sequence[Ties],
    low: Sequence[float],
    high: Sequence[float],
    most: int = STARTS,
) -> Experiment | None:
    """Return the start in the box [low, high], of `most`, from which tied systems differ most; None without a tie."""
    systems = [list(best)]
    for one in tied:
        for fit in (*one.fits, *((one.larger,) if one.larger else ())):
            systems.append([fit if fit.equation == j else own for j, own in enumerate(best)])
    if len(systems) == 1:
        return None
    t = bench.times(0)
    duration = float(t[-1] - t[0])
    times: Floats = np.linspace(float(t[0]), float(t[-1]), TIMES)
    starts = _spread_over(np.array(low, dtype=np.float64), np.array(high, dtype=np.float64))[:most]
    noise = np.array(bench.info.noise)
    unit = np.where(noise > 0.0, noise, 1e-6 * np.std(bench.x, axis=1))
    refitted = np.array([_apart_refitted(bench, best, tied, start, times) for start in starts])
    tried = [_apart(bench, systems, start, times, unit) for start in starts]
    told = refitted[:, np.max(refitted, axis=0, initial=0.0) >= TOLD]
    stay = told.shape[1] > 0
    if stay:
        tried = [(float(least), new) for least, (_, new) in zip(np.min(told, axis=1), tried, strict=True)]
    chosen = max(range(len(tried)), key=lambda i: (min(tried[i][0], ENOUGH), tried[i][1], -i))
    return Experiment(tuple(float(v) for v in starts[chosen]), duration, tried[chosen][0], stay)


def in_words(count: int) -> str:
    """Return how many other laws do as well, as a sentence; empty for none."""
    if not count:
        return ""
    others = f"{count} other laws explain" if count > 1 else "1 other law explains"
    return f"{others} the data about as well; a run from another start may tell them apart."


def log_error(bench: Workbench, fit: EquationFit) -> float:
    """Return the logarithm of what a fit leaves, with the target's own error."""
    floor = float(bench.target.floor[fit.equation]) ** 2
    return log(max(fit.mse + floor, 1e-300))


def _alternatives(
    bench: Workbench, best: EquationFit, seen: Iterable[Sequence[Skeleton]]
) -> list[tuple[Skeleton, ...]]:
    """Structures of at most the best one's size: those seen, and one term or two swapped for any known term."""
    own = tuple(sorted(term.skeleton for term in best.terms))
    visited = [tuple(sorted(skeletons)) for skeletons in seen]
    pool = sorted({s for skeletons in visited for s in skeletons} | set(polynomials(bench)))
    fixed = [s for s in pool if not count_params(s)]
    found = dict.fromkeys(skeletons for skeletons in visited if len(skeletons) <= len(own))
    rest = [tuple(s for j, s in enumerate(own) if j != i) for i in range(len(own))]
    found.update(dict.fromkeys(tuple(sorted({*kept, other})) for kept in rest for other in pool))
    found.update(dict.fromkeys(rest))
    pairs = [tuple(s for j, s in enumerate(own) if j not in drop) for drop in combinations(range(len(own)), 2)]
    swaps = [tuple(sorted({*kept, *two})) for kept in pairs for two in combinations(fixed, 2)]
    found.update(dict.fromkeys(swaps[:MOST_SWAPS]))
    must, out = required(bench.blocks, best.equation), {s for s in pool if not is_allowed(bench, best.equation, s)}
    return [one for one in found if one and one != own and out.isdisjoint(one) and set(must) <= set(one)]


def is_allowed(bench: Workbench, equation: int, skeleton: Skeleton) -> bool:
    """Whether what a person says of the laws lets a term stand in an equation."""
    return not why_not(bench.blocks, TermKey(equation, skeleton))


def polynomials(bench: Workbench, degree: int = DEGREE) -> list[Skeleton]:
    """Products of the symbols to a degree, and 1; of long names those that can be written."""
    products = (names for n in range(degree + 1) for names in combinations_with_replacement(bench.symbols, n))
    found: list[Skeleton] = []
    for names in products:
        with suppress(TermError):  # a term has a longest text
            found.append(parse_term("*".join(names) or "1", bench.names).skeleton)
    return found


def box_of(bench: Workbench) -> Floats:
    """Points (symbols, POINTS) that fill the box of the data, widened by half: a Halton sequence."""
    low, high = np.min(bench.values, axis=1), np.max(bench.values, axis=1)
    wider = 0.5 * WIDER * (high - low)
    return _halton(low - wider, high + wider, POINTS)


def _spread_over(low: Floats, high: Floats) -> Floats:
    return _halton(low, high, STARTS).T


def _halton(low: Floats, high: Floats, count: int) -> Floats:
    primes = [p for p in range(2, 200) if all(p % q for q in range(2, p))][: len(low)]
    unit = np.array([[_radical_inverse(i, p) for i in range(1, count + 1)] for p in primes])
    return low[:, None] + (high - low)[:, None] * unit


def _radical_inverse(i: int, base: int) -> float:
    value, scale = 0.0, 1.0 / base
    while i:
        i, digit = divmod(i, base)
        value += digit * scale
        scale /= base
    return value


def field_of(fit: EquationFit, bench: Workbench, at: Floats) -> Floats:
    """Return the right-hand side (n,) at points (symbols, n), the times of the data spread over them."""
    return field(fit.terms, bench.symbols, (at, np.linspace(float(bench.t[0]), float(bench.t[-1]), at.shape[1])))


def _apart(
    bench: Workbench, systems: Sequence[Sequence[EquationFit]], start: Floats, times: Floats, unit: Floats
) -> tuple[float, float]:
    """Return the least distance between the first system and each other one, and how new the states are.

    New: the mean distance of a path from the mean of the data, in their standard deviations, in the state where that
    is least. A system that blows up where another does not is LOST times the noise away from it.
    """
    paths = [bench.simulate(fits, 0, t=times, start=start) for fits in systems]
    sound = [path.x for path in paths if not path.failure]
    if not sound:
        return 0.0, 0.0
    own, *others = paths
    apart = min(_distance(own, other, unit) for other in others)
    spread: Floats = np.std(bench.x, axis=1)
    away: Floats = np.mean(np.abs(sound[0] - np.mean(bench.x, axis=1)), axis=0) / np.where(spread > 0.0, spread, 1.0)
    return apart, float(np.min(away))


def _apart_refitted(
    bench: Workbench, best: Sequence[EquationFit], tied: Sequence[Ties], start: Floats, times: Floats
) -> list[float]:
    """Return how far each structure that fits as well stays from what the best one predicts when it is fitted again.

    A law that is a little wrong can often follow a single further run; what counts is whether it can follow all.
    Zeros where that is not known.
    """
    path = bench.simulate(best, 0, t=times, start=start)
    found: list[float] = []
    for one in tied:
        own = best[one.equation]
        pairs = [(own, fit) for fit in (*one.fits, *one.twins)] + ([(one.larger, own)] if one.larger else [])
        near = bench.output_error(best, one.equation) if pairs and not path.failure else None
        new = None if near is None else bench.ahead(best, one.equation, path, len(bench.times(0)))
        benches = [] if near is None or new is None else [near, new]
        found += [_missed(benches, true, other) if benches else 0.0 for true, other in pairs]
    return found


def _missed(benches: Sequence[Workbench], true: EquationFit, other: EquationFit) -> float:
    """Standard errors by which the other structure, fitted again, misses what the true one predicts."""
    a = [[bench.column(term.skeleton, term.inner) for term in (*true.terms, *other.terms)] for bench in benches]
    rows = [np.array([column for column in columns if column is not None]) for columns in a]
    if any(len(row) < len(columns) for row, columns in zip(rows, a, strict=True)):
        return 0.0
    every = np.hstack(rows)
    b = np.array([term.coefficient for term in true.terms]) @ every[: len(true.terms)]
    found = least_squares(every[len(true.terms) :], b, float(len(b)))
    return float(np.sqrt(found.mse * len(b)))


def _distance(one: Simulation, other: Simulation, unit: Floats) -> float:
    if one.failure or other.failure:
        return 0.0 if one.failure and other.failure else LOST
    return float(np.max(np.sqrt(np.mean((other.x - one.x) ** 2, axis=0)) / unit))
