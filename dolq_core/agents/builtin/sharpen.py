"""Noisy samples: the search once more, on the samples themselves along the best system so far.

Under noise many structures reach the floor of the weak form, and the first of them is seldom the right one. Along a
system that explains the data roughly every candidate of an equation can be judged with the power of a fit on
trajectories (`Workbench.along`), before the loop fits and simulates the leading ones.
"""

from collections.abc import Sequence
from typing import TypeAlias

from dolq_core.agents.builtin.library import is_banned, library, removed_terms
from dolq_core.agents.builtin.search import Choice, search
from dolq_core.fitting import Workbench, why_nothing
from dolq_core.records import EquationFit, RunState
from dolq_core.terms import Skeleton, count_params

Structure: TypeAlias = tuple[Skeleton, ...]

ROUGHLY = 5.0
"""Residual over floor up to which a structure of the weak form can carry small differences."""
SWEEPS = 2
"""Rounds over the equations: the first may begin beside a wrong partner."""
AT_NOISE = 1.2
"""Misfit over noise from which terms with inner parameters are searched as well."""
FIXED_STAGE, PARAMETRIC_STAGE = 2, 3
COMPARED = 12
"""Structures of an equation that are carried over from the weak form and the archive."""


def sharpened(state: RunState, bench: Workbench, ranked: Sequence[Sequence[Structure]]) -> list[list[Structure]]:
    """Return the structures to propose, the best first: `ranked` where the data are clean, few or not explained yet.

    The best one of the weak form stays among them, in case the first order is not enough.
    """
    reference = [bench.fit(j, structures[0]) for j, structures in enumerate(ranked)]
    first = [list(structures) for structures in ranked]
    if any(not _explains(bench, fit) for fit in reference):
        return first
    found = [list(structures) for structures in ranked]
    for _ in range(SWEEPS):
        before = [_shape(fit) for fit in reference]
        for j, structures in enumerate(ranked):
            if len(structures) > 1:
                fits = _searched(state, bench, reference, j, structures)
                if not fits:
                    return first
                found[j] = [tuple(term.skeleton for term in fit.terms) for fit in fits]
                reference[j] = fits[0]
        if [_shape(fit) for fit in reference] == before:
            break
    return [_with(list(own), old[0], state.settings.hypotheses) for own, old in zip(found, ranked, strict=True)]


def rivals(state: RunState, bench: Workbench, system: Sequence[EquationFit], equation: int) -> list[Structure]:
    """Return what a search of all fixed families finds beside the best structure of one equation of a system."""
    near = bench.along(system, equation) or bench
    fixed = [
        entry.skeleton
        for entry in library(state, bench.names, equation, max(state.iteration, FIXED_STAGE))
        if not count_params(entry.skeleton)
    ]
    found = search(near, equation, Choice(tuple(fixed)), (), state.settings.max_terms)
    return [tuple(term.skeleton for term in fit.terms) for fit in found]


def _explains(bench: Workbench, fit: EquationFit) -> bool:
    return fit.floor_ratio <= ROUGHLY and not why_nothing(fit, bench.null(fit.equation).score)


def _searched(
    state: RunState, bench: Workbench, reference: Sequence[EquationFit], equation: int, structures: Sequence[Structure]
) -> list[EquationFit]:
    """Fits of one equation along the reference, the best score first; none where that is not possible."""
    near = bench.along(reference, equation)
    if near is None:
        return []
    forced, most = forced_terms(state, equation), state.settings.max_terms
    stage = state.iteration + 1
    every = [entry.skeleton for entry in library(state, bench.names, equation, stage)]
    fixed = [s for s in every if not count_params(s)]
    known = [near.fit(equation, s) for s in _known(state, equation, structures)]
    fits = _merged(
        [fit for fit in known if not fit.failure], search(near, equation, Choice(tuple(fixed)), forced, most)
    )
    if stage >= PARAMETRIC_STAGE and (not fits or fits[0].floor_ratio > AT_NOISE) and len(fixed) < len(every):
        choice = Choice(tuple(every), removed=removed_terms(state, equation))
        fits = _merged(fits, search(near, equation, choice, forced, most))
    return fits


def _known(state: RunState, equation: int, structures: Sequence[Structure]) -> list[Structure]:
    """What the weak form proposes, and the best of what was visited and is still allowed."""
    visited = sorted(
        (v.fit.score, skeletons) for (j, skeletons), v in state.archive.items() if j == equation and not v.fit.failure
    )
    wanted = set(forced_terms(state, equation))
    allowed = [
        s for _, s in visited if s and wanted <= set(s) and not any(is_banned(state, equation, one) for one in s)
    ]
    by_shape = {frozenset(s): s for s in reversed((*structures, *allowed[:COMPARED])) if s}
    return sorted(by_shape.values())


def _merged(first: Sequence[EquationFit], second: Sequence[EquationFit]) -> list[EquationFit]:
    """Fits of distinct structures of both, the best score first."""
    found = {_shape(fit): fit for fit in (*second, *first)}
    return sorted(found.values(), key=lambda fit: (fit.score, [term.skeleton for term in fit.terms]))


def _with(structures: list[Structure], other: Structure, count: int) -> list[Structure]:
    """The first `count` structures, the other one among them."""
    leading = structures[:count]
    if frozenset(other) in {frozenset(s) for s in leading}:
        return leading
    return [*leading[: max(count - 1, 1)], other] if count > 1 else leading


def _shape(fit: EquationFit) -> frozenset[Skeleton]:
    return frozenset(term.skeleton for term in fit.terms)


def forced_terms(state: RunState, equation: int) -> list[Skeleton]:
    """Terms a person wants in: pins and proposals for this iteration."""
    keys = [*state.pins, *(note.key for note in state.proposals)]
    wanted = [key.skeleton for key in keys if key.equation == equation and not is_banned(state, equation, key.skeleton)]
    return list(dict.fromkeys(wanted))
