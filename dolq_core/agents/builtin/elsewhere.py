"""A law of clean samples looked at once more: one or two plain terms of the whole library that leave nothing either.

A search ends at the floor, with the first library that reaches it. Along one run a monomer falls as exp(sqrt(starter)),
so M and M*log(M) leave nothing of M*sqrt(I), which is shorter, is the law, and stands in a library that was not looked
at. All single terms and pairs are compared at once; only what noise does not hide can be told so.
"""

import re
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from dolq_core.agents.builtin.atoms import best_pairs, left_with, pair_gains
from dolq_core.agents.builtin.choice import Choice, Fitted
from dolq_core.agents.builtin.sets import Sets
from dolq_core.blocks import wrong_sign
from dolq_core.fitting import Workbench
from dolq_core.records import AT_FLOOR, EquationFit
from dolq_core.terms import Skeleton, count_params, parse_term, variables

LOOKED_AT = 4
"""Single terms and pairs, each, that are fitted."""
LONG = 4
"""Terms of a law beside which one of flows and their like is tried."""


def shorter(bench: Workbench, fit: EquationFit, skeletons: Sequence[Skeleton]) -> list[EquationFit]:
    """Return fits at the floor that cost less: of one or two terms, or of one in the place of some of the law.

    skeletons: the library. None of the new terms has numbers inside, but for an open power of one variable.
    """
    numbers = sum(1 + len(term.inner) for term in fit.terms)
    if numbers == 1:
        return []
    sets = Sets(bench, fit.equation, Choice(tuple(s for s in skeletons if not count_params(s))), ())
    alone = np.argsort(left_with(sets.atoms, ()), kind="stable")[:LOOKED_AT].tolist()
    pairs = best_pairs(pair_gains(sets.atoms), LOOKED_AT) if numbers > 2 else []
    chosen = [*((i,) for i in alone), *pairs, *(_one_for_two(sets, fit) if numbers > 3 else ())]
    trials: list[Fitted] = [tuple((sets.atoms.skeletons[i], ()) for i in some) for some in chosen]
    found = [sets.exact.fitted(trial) for trial in (*trials, *_one_power(fit, skeletons))]
    leave_nothing = [one for one in found if not one.failure and one.floor_ratio <= AT_FLOOR and one.score < fit.score]
    return [one for one in leave_nothing if not wrong_sign(bench.blocks, fit.equation, one.terms)]


def _one_for_two(sets: Sets, fit: EquationFit) -> list[tuple[int, ...]]:
    """For each two terms of a law the best one in their place: x*abs(x - y) for x**2 and x*y."""
    own = [sets.atoms.skeletons.index(t.skeleton) for t in fit.terms if t.skeleton in sets.atoms.skeletons]
    if len(own) < len(fit.terms):
        return []
    kept = combinations(own, len(own) - 2)
    return [(*some, int(np.argmin(left_with(sets.atoms, tuple(sorted(some)))))) for some in kept]


def _one_power(fit: EquationFit, skeletons: Sequence[Skeleton]) -> list[Fitted]:
    """Return the law with an open power of a variable in the place of several of its powers, some of them broken ones.

    S**(2/3), S**(5/3) and S**2 leave nothing of S**1.7.
    """
    found: list[Fitted] = []
    for own in sorted({name for term in fit.terms for name in variables(term.skeleton)}):
        at = {
            t.skeleton: float(e[1] or 1.0)
            for t in fit.terms
            if (e := re.fullmatch(rf"{own}(?:\*\*([\d.]+))?", t.skeleton))
        }
        at |= {t.skeleton: 0.5 for t in fit.terms if t.skeleton == f"sqrt({own})"}
        power = Skeleton(f"{own}**params[0]")
        if len(at) < 2 or all(e.is_integer() for e in at.values()) or power not in skeletons:
            continue
        rest = [(t.skeleton, t.inner) for t in fit.terms if t.skeleton not in at]
        start = (power, (sorted(at.values())[len(at) // 2],))
        found += [(*rest, start), *([(*(one for one in rest if one[0] != "1"), start)] if ("1", ()) in rest else [])]
    return found


def with_its_like(bench: Workbench, equation: int, size: int, choice: Choice, law: Fitted) -> Fitted:
    """Return a law at the floor of fewer than `size` terms, of flows of another equation and of their own like.

    What leaves the first section of a road as a*exp(-a/p) enters the second, and leaves it as b*exp(-b/q): searched
    alone, two terms with numbers inside are found one by one or not at all. Empty where there is none.
    """
    sets, own = Sets(bench, equation, choice, ()), bench.symbols[equation]
    flows = [(s, inner) for s, inner in law if inner and len(variables(s)) == 1 and not variables(s) & {own, "t"}]
    like = [(_of_state(skeleton, own, bench.symbols), inner) for skeleton, inner in flows]
    if not flows or any(skeleton not in sets.allowed for skeleton, _ in like):
        return ()
    fit = sets.exact.pruned(sets.exact.fitted([(sets.atoms.skeletons[i], ()) for i in sets.partners] + flows + like))
    is_one = not fit.failure and fit.floor_ratio <= AT_FLOOR and len(fit.terms) < size
    is_one = is_one and not wrong_sign(bench.blocks, equation, fit.terms)
    return tuple((term.skeleton, term.inner) for term in fit.terms) if is_one else ()


def _of_state(skeleton: Skeleton, own: str, symbols: Sequence[str]) -> Skeleton:
    """Return the same term of another state, that of the one variable in it."""
    (other,) = variables(skeleton)
    return parse_term(re.sub(rf"\b{other}\b", own, skeleton), symbols).skeleton
