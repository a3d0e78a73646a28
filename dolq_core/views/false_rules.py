"""What a person has stated of a coefficient and the numbers do not bear out: a sign, limits, a value."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import inf

from dolq_core.bans import by_person
from dolq_core.blocks import is_joint, own_of, required
from dolq_core.fitting import Workbench, names_of
from dolq_core.fitting.identify import is_allowed, polynomials
from dolq_core.loop.evaluate import NEEDED
from dolq_core.records import Blocks, EquationBlocks, EquationFit, FittedTerm
from dolq_core.runs import Run, workbench
from dolq_core.terms import Skeleton, in_sentence
from dolq_core.views.amounts import figure

LARGEST = 4
"""Terms of a law that are kept beside the one that something is stated of, all choices of them."""
SIGN, LIMITS, VALUE = "sign", "limits", "known value"
SAID = "The numbers disagree with your {}: without {}, the coefficient of {} comes out as {}, {}."


@dataclass(frozen=True, slots=True)
class _Rule:
    """One statement on a coefficient: what it is, between which numbers it keeps it, and the rules without it."""

    what: str
    skeleton: Skeleton
    low: float
    high: float
    without: EquationBlocks

    def allows(self, value: float) -> bool:
        return self.low <= value <= self.high


def cost_of_rules(run: Run) -> str:
    """Say of each sign, limit and value of a coefficient that a person stated what the numbers hold against it.

    A law without the rule is held against the law that keeps to it, as a pinned term is against none: by what each
    costs on the rates. Empty where none is better, and before anything was fitted.
    """
    blocks = run.state.problem.blocks
    if run.state.last is None or is_joint(blocks):
        return ""
    rules = ((own.equation, rule) for own in blocks.equations for rule in _rules(own))
    return " ".join(filter(None, (_against(run, equation, rule) for equation, rule in rules)))


def _rules(own: EquationBlocks) -> Iterator[_Rule]:
    for pair in own.signs:
        low, high = (0.0, inf) if pair[1] == "positive" else (-inf, 0.0)
        signs = tuple(one for one in own.signs if one != pair)
        yield _Rule(SIGN, pair[0], low, high, replace(own, signs=signs))
    for bound in (one for one in own.bounds if one.inner is None):
        low, high = -inf if bound.low is None else bound.low, inf if bound.high is None else bound.high
        bounds = tuple(one for one in own.bounds if one != bound)
        yield _Rule(LIMITS, bound.skeleton, low, high, replace(own, bounds=bounds))
    for pair in own.fixed:
        fixed = tuple(one for one in own.fixed if one != pair)
        yield _Rule(VALUE, pair[0], pair[1], pair[1], replace(own, fixed=fixed))


def _against(run: Run, equation: int, rule: _Rule) -> str:
    best = run.state.best[equation]
    terms = () if best is None or best.fit.failure else tuple(term.skeleton for term in best.fit.terms)
    barred = frozenset(key.skeleton for key in run.state.bans if key.equation == equation and by_person(run.state, key))
    found = _found(workbench(run), equation, rule, terms, barred)
    if found is None:
        return ""
    names, (term, nats) = names_of(run.state.problem.dataset), found
    better = f"in a law that is {figure(nats, 2)} nats better" if nats < inf else "and with it no law stands"
    it = "them" if rule.what == LIMITS else "it"
    return SAID.format(rule.what, it, in_sentence(rule.skeleton, names), figure(term.coefficient), better)


@lru_cache(maxsize=64)
def _found(
    bench: Workbench, equation: int, rule: _Rule, terms: tuple[Skeleton, ...], barred: frozenset[Skeleton]
) -> tuple[FittedTerm, float] | None:
    """Return the term as it is fitted in the best law without a rule, and by how many nats that is better.

    Of the laws of it beside terms of a law that keeps to the rule, and one state alone, none of them barred.
    """
    free = bench.under(_without(bench.blocks, rule.without))
    must = {*required(free.blocks, equation)} - {rule.skeleton}
    own = [skeleton for skeleton in terms if skeleton != rule.skeleton]
    kept = [some for n in range(min(len(own), LARGEST) + 1) for some in combinations(own, n) if must <= set(some)]
    plain = [one for one in polynomials(free, 1) if one not in (*own, rule.skeleton)]
    plain = [one for one in plain if is_allowed(free, equation, one) and one not in barred]
    trials = [(*some, *more) for some in (*kept, tuple(own)) for more in ((), *((one,) for one in plain))]
    fits = [free.rough(equation, (*some, rule.skeleton)) for some in trials]
    sound = [fit for fit in fits if not fit.failure]
    if not sound:
        return None
    other = free.fit(equation, [one.skeleton for one in min(sound, key=lambda fit: fit.score).terms])
    term = next((one for one in other.terms if one.skeleton == rule.skeleton), None)
    nats = _score(bench.fit(equation, terms) if terms else None) - _score(other)
    is_told = term is not None and not term.may_be_zero and not rule.allows(term.coefficient) and nats > NEEDED
    return (term, nats) if term is not None and is_told else None


def _without(blocks: Blocks, own: EquationBlocks) -> Blocks:
    rest = (own_of(blocks, one.equation) for one in blocks.equations)
    return replace(blocks, equations=tuple(own if one.equation == own.equation else one for one in rest))


def _score(fit: EquationFit | None) -> float:
    return inf if fit is None or fit.failure else fit.score
