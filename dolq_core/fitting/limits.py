"""What terms are on the samples: alike, as x*exp(p*y) with p near zero is x, or far larger than what they add up to."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations
from math import sqrt

import numpy as np
from scipy.optimize import minimize

from dolq_core.arrays import Floats, frozen
from dolq_core.records import AT_FLOOR, Dataset, EquationFit, FittedTerm, RunState, TermKey, Visited
from dolq_core.terms import Skeleton, compile_columns, count_params, parse_term, read, variables
from dolq_core.terms.expr import Expr, Mul, Num, Pow, Sym, walk

ALIKE = 0.9995
"""Cosine of the values on the samples from which a term looks like a product of powers: a difference of 3 %."""
SAME = 1.0 - 1e-9
"""The same for a term without numbers inside, which nothing bends to another: tanh(x) of a large x is a constant."""
TWIN = 1.0 - 1e-5
"""The same for one with more numbers inside beside other terms, which take up the better part of most curves."""
NOTHING = 1e-6
"""Share of a term that the others of its law may leave of it as if they were the whole of it."""
SERIES, CLOSE_BY = 6, 5e-3
"""Terms of which every sum is held against a removed one, those that act most: 57 sums of two and more. And what such a
sum may leave of it, over how much it varies."""
DEGREE = 3
MOST_ROWS = 2000
"""Of each run; more change nothing in a size."""
EXACT, NEAR_EXACT = 1e-12, 20.0
"""NMSE, and residual over floor, from which a structure is as good as at its floor."""
FEW, CONSTANTS = 4, 5
"""Terms, and constants with those inside them, up to which such a structure is the law: no wrong one of 152 clean runs
came so near with so few terms. Of 84 clean systems of `clinic`, `judges` and `practice` 14 true equations of so few
terms leave more than their floor, none with more constants; two wrong ones did, with six and with eight."""
REFUTED = 1e-3
"""NMSE on the held-out ends of runs from which they refute a law that is as good as exact on the rest: of 381 true
equations on clean samples the worst leaves 2e-8, where its law has a kink there."""
GHOST = 1e-4
"""Size of what a term adds, over that of the rate, below which it is no term but a trace of an integrator's error, ours
or that of who made the samples (1e-8 of the mean square)."""
LOOKS = 60
"""Values of the inner numbers of a removed term that are held against one with more of them."""
UNCOMPARED = -1
"""Stands for a number of rivals that is not known yet."""


def is_exact(fit: EquationFit) -> bool:
    """Whether a structure leaves less than any term would that is no trace; a kink in a law leaves some."""
    return fit.nmse <= EXACT and fit.floor_ratio <= NEAR_EXACT


def is_refuted(state: RunState, fit: EquationFit) -> bool:
    """Whether a law, as good as exact on its rows, is wrong on the ends of the runs; no whole run counts."""
    return is_exact(fit) and fit.held_out is not None and fit.held_out > REFUTED and not state.settings.held_out_runs


def explains(fit: EquationFit) -> bool:
    """Whether an equation explains the data to their own error, or leaves next to nothing with few terms."""
    return fit.floor_ratio <= AT_FLOOR or (is_exact(fit) and is_short(fit))


def is_short(fit: EquationFit) -> bool:
    """Whether a structure has so few terms and constants that it cannot come near to another law by chance."""
    return len(fit.terms) <= FEW and sum(1 + len(term.inner) for term in fit.terms) <= CONSTANTS


def is_explained(best: Visited) -> bool:
    """Whether an equation explains the data with its reported coefficients."""
    return explains(best.reported)


def plainer(state: RunState, equation: int) -> tuple[Skeleton, ...]:
    """Return the best structure with products of powers in place of the terms that look like them, as fitted.

    Under noise such a term can reach the floor first; what it is taken for has to be fitted before the run may end.
    Empty where no term looks like one, where that structure was fitted already, and where a term of it is banned.
    """
    best = state.best[equation] if state.best else None
    if best is None or best.fit.failure:
        return ()
    fit = best.reported
    found = {_plain(state.problem.dataset, term) for term in fit.terms}
    tried = (equation, tuple(sorted(found))) in state.archive
    banned = any(TermKey(equation, skeleton) in state.bans for skeleton in found)
    return () if tried or banned or found == {term.skeleton for term in fit.terms} else tuple(sorted(found))


def rivals_of(state: RunState, equation: int) -> int:
    """Return how many other structures explain an equation as well as its best one.

    0 where data are clean and none ties, UNCOMPARED where a person's word brought another best one since the last look.
    """
    found = state.last.rivals if state.last else ()
    return found[equation] if found else 0


def imitated(
    dataset: Dataset,
    term: FittedTerm,
    skeletons: Sequence[Skeleton],
    beside: Sequence[FittedTerm] = (),
    *,
    loosely: bool = False,
) -> Skeleton | None:
    """Return which of some terms another one looks like on the samples, as fitted: alone, or beside others of its law.

    Alone they are terms without inner parameters. Beside a constant 1/(K + x) is x/(K + x), beside x, with K far above
    every x, x/(K + x) is x**2, and beside x**2 x*(1 - x) is x: beside others a term with inner parameters is held
    against those, too, that have as many, with its numbers. One with more of them is held against what it is where
    the number that it has more does nothing: x/(K + x + L*y) is x/(K + x) with L near zero.
    """
    plain = [(s, ()) for s in skeletons if not count_params(s)]
    if (term.skeleton, ()) in plain:
        return None
    found = _like(dataset, term, plain, (), ALIKE if term.inner or loosely else SAME)
    found = found or next((s for s in skeletons if _is_widened(dataset, term, s, ())), None)
    if found is not None or not beside:
        return found
    if not term.inner:
        return _like(dataset, term, plain, beside, SAME)
    alike = [(s, term.inner) for s in skeletons if count_params(s) == len(term.inner) and s != term.skeleton]
    found = _like(dataset, term, [*plain, *alike], beside, ALIKE)
    return found or next((s for s in skeletons if _is_widened(dataset, term, s, beside)), None)


def series(
    dataset: Dataset, terms: Sequence[FittedTerm], skeletons: Sequence[Skeleton]
) -> tuple[tuple[Skeleton, ...], Skeleton] | None:
    """Return two or more terms of a law, as fitted, whose sum is one of some others on the samples, and that one.

    Where x is removed, functions of x alone can make it up to the last digit of clean samples, as a series does. What
    they leave is held against how much the removed one varies: where it hardly does, all look alike.
    """
    for skeleton in skeletons:
        own = [term for term in terms if variables(term.skeleton) <= variables(skeleton)]
        if len(own) < 2 or count_params(skeleton) or any(term.skeleton == skeleton for term in own):
            continue
        *rows, wanted = _values_on_samples(dataset, [*((t.skeleton, t.inner) for t in own), (skeleton, ())])
        acting = sorted(
            zip(own, rows, strict=True), key=lambda one: -float(np.linalg.norm(one[0].coefficient * one[1]))
        )
        for some in (c for n in range(2, SERIES + 1) for c in combinations(acting[:SERIES], n)):
            row: Floats = np.sum([term.coefficient * values for term, values in some], axis=0)
            scale = float(row @ wanted) / float(wanted @ wanted)
            left: Floats = row - scale * wanted
            if float(np.linalg.norm(left)) <= CLOSE_BY * abs(scale) * float(np.std(wanted)) * sqrt(len(wanted)):
                return tuple(term.skeleton for term, _ in some), skeleton
    return None


def disguised(
    dataset: Dataset,
    terms: Sequence[FittedTerm],
    removed: Sequence[Skeleton],
    spared: Collection[Skeleton] = (),
    *,
    loosely: bool = False,
) -> bool:
    """Whether a law has a removed term under another name: as one term, alone or beside the others, or as a sum.

    spared: its terms that are let in as they are. loosely: see `imitated`.
    """
    free = [term for term in terms if term.skeleton not in spared] if removed else []
    beside = ([other for other in terms if other is not term] for term in free)
    alone = (
        imitated(dataset, term, removed, others, loosely=loosely) for term, others in zip(free, beside, strict=True)
    )
    return any(twin is not None for twin in alone) or series(dataset, free, removed) is not None


def share_of(dataset: Dataset, term: FittedTerm, other: Skeleton, beside: Sequence[FittedTerm] = ()) -> float:
    """Return what a term, as fitted, has of another one without inner parameters, as a coefficient of that one."""
    own = [(one.skeleton, one.inner) for one in (term, *beside)]
    row, *others, wanted = _values_on_samples(dataset, [*own, (other, ())])
    by: Floats = np.array([wanted, *others])
    found: Floats = np.asarray(np.linalg.lstsq(by.T, term.coefficient * row, rcond=None)[0], dtype=np.float64)
    return float(found[0])


def _like(
    dataset: Dataset,
    term: FittedTerm,
    known: Sequence[tuple[Skeleton, tuple[float, ...]]],
    beside: Sequence[FittedTerm],
    least: float,
) -> Skeleton | None:
    """Return the first of some terms with their numbers that a term looks like beside others.

    least: the cosine from which it does.
    """
    if not known:
        return None
    own = [(one.skeleton, one.inner) for one in (term, *beside)]
    rows = _values_on_samples(dataset, [*own, *known])
    alike = cosines(rows[0], rows[len(own) :], rows[1 : len(own)])
    return next((s for (s, _), cosine in zip(known, alike, strict=True) if cosine >= least), None)


def _is_widened(dataset: Dataset, term: FittedTerm, skeleton: Skeleton, beside: Sequence[FittedTerm]) -> bool:
    """Whether a term with more numbers inside than another one looks like it, with the numbers that suit that best."""
    count = count_params(skeleton)
    if not 0 < count < len(term.inner) or not variables(skeleton) <= variables(term.skeleton):
        return False
    own = [(one.skeleton, one.inner) for one in (term, *beside)]

    def cosine(inner: Sequence[float] | Floats) -> float:
        row, *others, last = _values_on_samples(dataset, [*own, (skeleton, tuple(map(float, inner)))])
        return cosines(row, last[None], others)[0]

    least = TWIN if beside else ALIKE
    ratios = [a / b for a, b in permutations(term.inner, 2) if b and a / b > 0.0] if count == 1 else []
    begin = max([*permutations(term.inner, count), *((ratio,) for ratio in ratios)], key=cosine)
    if cosine(begin) >= least:
        return True
    found = minimize(lambda inner: -cosine(inner), begin, method="Nelder-Mead", options={"maxfev": LOOKS})
    return -float(found.fun) >= least


def _plain(dataset: Dataset, term: FittedTerm) -> Skeleton:
    """Return the product of powers of the term's own variables that it looks like, the simplest first; else itself."""
    symbols = [variable.symbol for variable in (*dataset.states, *dataset.inputs)]
    own = sorted(variables(term.skeleton) & set(symbols))
    if not term.inner or not own:
        return term.skeleton
    texts = ["*".join(some) or "1" for n in range(DEGREE + 1) for some in combinations_with_replacement(own, n)]
    powers = list(dict.fromkeys(parse_term(text, symbols).skeleton for text in texts))
    return imitated(dataset, term, powers) or term.skeleton


def cosines(row: Floats, others: Floats, beside: Sequence[Floats] | Floats = ()) -> Sequence[float]:
    """Return the size of the cosine between a row (N,) and each of others (k, N); 0 for zeros.

    Of what is left of them beside some more rows (m, N), where these leave anything of them.
    """
    rows = np.vstack((row, others))
    most = np.max(np.abs(rows), axis=1, keepdims=True, initial=0.0)  # a square of exp(661) is no number
    rows = rows / np.where(most > 0.0, most, 1.0)
    if len(beside):
        whole = np.linalg.norm(rows, axis=1)
        known = np.array([own / (np.max(np.abs(own), initial=0.0) or 1.0) for own in beside])
        rows = rows - np.linalg.lstsq(known.T, rows.T, rcond=None)[0].T @ known
        rows[np.linalg.norm(rows, axis=1) <= NOTHING * whole] = 0.0
    row, others = rows[0], rows[1:]
    sizes = float(np.linalg.norm(row)) * np.linalg.norm(others, axis=1)
    return np.divide(np.abs(others @ row), sizes, out=np.zeros(len(others)), where=sizes > 0.0).tolist()


def cancelling(dataset: Dataset, fit: EquationFit) -> float:
    """Return how many times the largest term is what all terms add up to, both as root mean square over the samples.

    A right law near its rest has some tens at most; a rate that is all but constant over the data, such as x/(p + x)
    with p far above every x, needs a partner nearly as large, and has hundreds. 0 without terms or known samples.
    """
    terms = _acting(dataset, fit)
    rate: Floats = terms.sum(axis=0)
    size = float(np.sqrt(np.mean(rate**2))) if rate.size else 0.0
    return float(np.sqrt(np.mean(terms**2, axis=1)).max()) / size if size else 0.0


def shares(dataset: Dataset, fit: EquationFit) -> list[float]:
    """Return the share of each term in all that acts, by the mean sizes over the samples; none where nothing acts."""
    terms = _acting(dataset, fit)
    sizes = np.mean(np.abs(terms), axis=1) if terms.size else np.empty(0)
    whole = float(sizes.sum())
    return (sizes / whole).tolist() if whole else []


def spans(dataset: Dataset) -> dict[str, float]:
    """Return how much each state and input varies over all samples, as a share of its largest size; 0 for zeros."""
    inputs = [run.inputs for run in dataset.trajectories if run.inputs is not None]
    values = [*np.concatenate([run.x for run in dataset.trajectories]).T]
    values += [*np.concatenate(inputs).T] if inputs else []
    sizes = [(column, float(np.nanmax(np.abs(column), initial=0.0))) for column in values]
    shares = [float(np.nanmax(column) - np.nanmin(column)) / size if size else 0.0 for column, size in sizes]
    return dict(zip((one.symbol for one in (*dataset.states, *dataset.inputs)), shares, strict=False))


@lru_cache(maxsize=4096)
def bent(skeleton: Skeleton) -> frozenset[str]:
    """Return the variables of which a term is a curve: those that are more than a factor to a whole power."""
    tree = read(skeleton)
    factors = tree.parts if isinstance(tree, Mul) else (tree,)
    curves = (factor for factor in factors if not isinstance(factor, Sym) and not _is_whole_power(factor))
    return frozenset(node.name for factor in curves for node in walk(factor) if isinstance(node, Sym))


def _is_whole_power(node: Expr) -> bool:
    match node:
        case Pow(base=Sym(), exponent=Num(value=value)):
            return value > 0.0 and value.is_integer()
        case _:
            return False


def _acting(dataset: Dataset, fit: EquationFit) -> Floats:
    """Return (k, N) what each of the terms adds to the rate at the samples; (0, 0) without terms."""
    if not fit.terms:
        return np.empty((0, 0))
    values = _values_on_samples(dataset, [(term.skeleton, term.inner) for term in fit.terms])
    return values * np.array([[term.coefficient] for term in fit.terms])


def _values_on_samples(dataset: Dataset, terms: Sequence[tuple[Skeleton, tuple[float, ...]]]) -> Floats:
    """Return (k, N) values of k terms with their inner parameters, on those samples where all of them are finite."""
    symbols = tuple(variable.symbol for variable in (*dataset.states, *dataset.inputs))
    parts: list[Floats] = []
    for run in dataset.trajectories:
        every = -(-len(run.t) // MOST_ROWS)
        x: Floats = run.x if run.inputs is None else np.hstack((run.x, run.inputs))
        rows, t = frozen(x[::every].T), run.t[::every]
        parts.append(np.array([compile_columns(skeleton, symbols)(rows, t, inner) for skeleton, inner in terms]))
    values: Floats = np.hstack(parts)
    return values[:, np.isfinite(values).all(axis=0)]
