"""What other equations hold, in this one: one flow moves several states, each by its own weight.

A lift bends the path of a capsule by the air that brakes it, per speed: v*exp(-h/7) of v**2*exp(-h/7).
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain, combinations
from typing import TypeAlias

from dolq_core import clock
from dolq_core.agents.builtin.atoms import Atoms, Chosen, atoms_of, grown, left, unlike
from dolq_core.agents.builtin.choice import Fitted
from dolq_core.agents.builtin.elsewhere import LONG, with_its_like
from dolq_core.agents.builtin.exact import Exact
from dolq_core.agents.builtin.library import (
    LAST_STAGE,
    at_rest,
    choice_of,
    composed_on_data,
    forced_terms,
    is_banned,
    on_data,
    removed_terms,
)
from dolq_core.blocks import FREE
from dolq_core.errors import TermError
from dolq_core.fitting import Workbench, description_length
from dolq_core.fitting.limits import explains
from dolq_core.fitting.symmetry import Pairs, image
from dolq_core.records import EquationFit, RunState
from dolq_core.terms import Skeleton, count_params, filled, parse_term

Term: TypeAlias = tuple[Skeleton, tuple[float, ...]]
"""With the numbers inside it."""
BEAM, BEST = 24, 3
"""Sets that grow beside each known term, and that are fitted exactly."""


def with_flows(
    state: RunState, bench: Workbench, ranked: Sequence[Sequence[Fitted]], equation: int
) -> Sequence[Fitted]:
    """Return what to propose for one equation, with shorter laws of others that have numbers inside.

    Where totals are constant a longer law of other variables may be at the floor as well, and is found first.
    """
    own = ranked[equation]
    if state.problem.blocks != FREE or forced_terms(state, equation):
        return own
    known = {_structure(terms) for terms in own}
    others = [laws[0] for j, laws in enumerate(ranked) if j != equation and len(laws[0]) < len(own[0])]
    flows = {
        _structure(terms): terms
        for terms in others
        if any(inner for _, inner in terms)
        and _structure(terms) not in known
        and (equation, _structure(terms)) not in state.archive
        and not any(is_banned(state, equation, s) for s, _ in terms)
    }
    like: list[Fitted] = []
    if bench.is_clean and len(own[0]) >= LONG and flows and not removed_terms(state, equation):
        choice = choice_of(state, equation, at_rest(on_data(state, bench, equation, LAST_STAGE)))
        like = [law for one in flows.values() if (law := with_its_like(bench, equation, len(own[0]), choice, one))]
    return [own[0], *like, *flows.values(), *own[1:]][: state.settings.hypotheses]


def _structure(terms: Fitted) -> tuple[Skeleton, ...]:
    return tuple(sorted(skeleton for skeleton, _ in terms))


def known_elsewhere(state: RunState, equation: int) -> Fitted:
    """Return the terms with numbers inside of the other equations that explain the samples."""
    others = [v.fit for v in state.best if v is not None and v.fit.equation != equation and not v.fit.failure]
    return tuple((t.skeleton, t.inner) for fit in others if explains(fit) for t in fit.terms if t.inner)


def from_known(state: RunState, bench: Workbench, equation: int) -> list[EquationFit]:
    """Return the best laws of plain terms and of known ones, their numbers as they are, times or over one variable."""
    known = known_elsewhere(state, equation)
    if not known or state.problem.blocks != FREE or removed_terms(state, equation):
        return []
    bench = bench.for_equation(equation)
    kin = {filled(*term): term for term in _kin(state, bench, equation, known)}
    entries = (e.skeleton for e in on_data(state, bench, equation, LAST_STAGE) if not count_params(e.skeleton))
    plain = dict.fromkeys(chain(entries, composed_on_data(state, bench, equation).plain))
    terms: dict[Skeleton, Term] = {**{s: (s, ()) for s in plain}, **kin}
    rows = [(name, (), row) for name, term in terms.items() if (row := bench.column(*term)) is not None]
    atoms = atoms_of(rows, bench.target.b[equation])
    exact = Exact(bench, equation, atoms, (), {})
    fits = [
        exact.pruned(exact.fitted(terms[atoms.skeletons[i]] for i in chosen))
        for chosen in _best(atoms, bench, equation, terms, state.settings.max_terms)
    ]
    found = {frozenset(term.skeleton for term in fit.terms): fit for fit in fits if not fit.failure}
    return sorted(found.values(), key=lambda fit: fit.score)


def _kin(state: RunState, bench: Workbench, equation: int, known: Fitted) -> Fitted:
    """Known terms, times and over each variable, and with this state exchanged with another, and two more beside."""
    found, pairs = dict[Term, None](), _exchanges(bench.symbols[: bench.d], equation)
    for skeleton, inner in known:
        texts = [skeleton, *(f"({skeleton}){by}{symbol}" for symbol in bench.symbols for by in "*/")]
        texts += [image(skeleton, some) for some in pairs]
        for text in texts:
            with suppress(TermError):
                term = parse_term(text, bench.symbols).skeleton
                if count_params(term) == len(inner) and not is_banned(state, equation, term):
                    found[term, inner] = None
    return tuple(found)


def _exchanges(states: Sequence[str], equation: int) -> list[Pairs]:
    """A state exchanged with another one, and with two more beside them: two eyes, and what tires either."""
    own, found = states[equation], list[Pairs]()
    for other in states:
        rest = [state for state in states if state not in (own, other)]
        found += [((own, other), *more) for more in ((), *zip(combinations(rest, 2)))] if other != own else []
    return found


def _best(atoms: Atoms, bench: Workbench, equation: int, terms: Mapping[Skeleton, Term], most: int) -> list[Chosen]:
    """Return the best sets in which a known term is."""
    floor, power = float(bench.target.floor[equation]), bench.power(equation)
    ranked: list[tuple[float, Chosen]] = []
    for known in (i for i, name in enumerate(atoms.skeletons) if terms[name][1]):
        clock.check()
        beam: list[Chosen] = [(known,)]
        while beam and len(beam[0]) <= most:
            for chosen in beam:
                sizes = [(s, len(inner)) for s, inner in (terms[atoms.skeletons[i]] for i in chosen)]
                mse = left(atoms, chosen) / len(atoms.b)
                ranked.append((description_length(mse, floor, power, bench.target.effective, sizes), chosen))
            beam = grown(atoms, beam, BEAM, atoms.fixed)
    return unlike(atoms, (chosen for _, chosen in sorted(ranked)), BEST)
