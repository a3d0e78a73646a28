"""Proposes the best few-term structures of a library of mechanisms, each term with its reason. No language model."""

from collections.abc import Sequence

import numpy as np

from dolq_core.agents.builtin.library import Entry, explanations, is_banned, library
from dolq_core.agents.builtin.search import search
from dolq_core.fitting import Workbench
from dolq_core.records import EquationFit, ProposedTerm, RunState, Sampling, TermKey
from dolq_core.terms import Skeleton, to_text

SETTLED = 1.3
"""Residual over floor below which an equation's best structure is proposed again instead of searching on."""

Structure = tuple[Skeleton, ...]


class BuiltinSampler:
    """Searches best subsets by size over mechanism families; the library widens with every iteration."""

    def propose(self, state: RunState, bench: Workbench, rng: np.random.Generator) -> Sampling:
        """Return `state.settings.hypotheses` systems: the best structure of each equation, the second, the third."""
        d = len(state.problem.dataset.states)
        ranked = [_ranked(state, bench, j) for j in range(d)]
        count = min(state.settings.hypotheses, max(len(structures) for structures in ranked))
        hypotheses = tuple(
            tuple(
                _proposed(state, bench, j, structures[min(h, len(structures) - 1)])
                for j, structures in enumerate(ranked)
            )
            for h in range(count)
        )
        return Sampling(hypotheses, note=_note(state, ranked))


def _ranked(state: RunState, bench: Workbench, equation: int) -> list[Structure]:
    """The structures to propose for one equation, the best first; never empty, never with a banned term."""
    best = state.best[equation] if state.best else None
    forced = _forced(state, equation)
    if best is not None and _is_settled(best.fit) and set(forced) <= {t.skeleton for t in best.fit.terms}:
        return [tuple(term.skeleton for term in best.fit.terms)]
    entries = library(state, bench.names, equation)
    carried = [t.skeleton for t in best.fit.terms] if best is not None else []
    allowed = [s for s in carried if not is_banned(state, equation, s)]
    skeletons = dict.fromkeys((*allowed, *(entry.skeleton for entry in entries)))
    fits = search(bench, equation, list(skeletons), forced, state.settings.max_terms)
    ranked = [tuple(term.skeleton for term in fit.terms) for fit in fits]
    if best is not None and allowed == carried and carried:
        known = frozenset(carried)
        ranked = [s for s in ranked if frozenset(s) != known]
        at = sum(fit.score < best.fit.score for fit in fits if frozenset(t.skeleton for t in fit.terms) != known)
        ranked.insert(at, tuple(carried))
    return ranked[: state.settings.hypotheses] or [()]


def _forced(state: RunState, equation: int) -> list[Skeleton]:
    """Terms a person wants in: pins and proposals for this iteration."""
    keys = [*state.pins, *(note.key for note in state.proposals)]
    wanted = [key.skeleton for key in keys if key.equation == equation and not is_banned(state, equation, key.skeleton)]
    return list(dict.fromkeys(wanted))


def _is_settled(fit: EquationFit) -> bool:
    return bool(fit.terms) and not fit.failure and fit.floor_ratio <= SETTLED


def _proposed(state: RunState, bench: Workbench, equation: int, structure: Structure) -> tuple[ProposedTerm, ...]:
    known = explanations(state.problem, bench.names, equation)
    return tuple(_term(state, bench, equation, skeleton, known.get(skeleton)) for skeleton in structure)


def _term(state: RunState, bench: Workbench, equation: int, skeleton: Skeleton, entry: Entry | None) -> ProposedTerm:
    if entry is not None:
        return ProposedTerm(skeleton, entry.reason, entry.family.name)
    said = state.reasons.get(TermKey(equation, skeleton), "")
    own = bench.names.own[equation]
    return ProposedTerm(skeleton, said or f"{to_text(skeleton, bench.names)} was asked for in the equation of {own}.")


def _note(state: RunState, ranked: Sequence[Sequence[Structure]]) -> str:
    stage = {
        0: "polynomials and families that the words suggest",
        1: "all fixed families",
        2: "families with inner parameters",
    }
    breadth = stage.get(state.iteration, "all families, open exponents and products")
    frozen = sum(len(structures) == 1 for structures in ranked)
    kept = f" {frozen} of {len(ranked)} equations are not searched further." if frozen and state.iteration else ""
    return f"Built-in search, not a language model: best subsets over {breadth}.{kept}"
