"""The terms that may be tried in an equation now: families made concrete, widened as iterations go by."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from dolq_core.agents.builtin.choice import Choice
from dolq_core.agents.builtin.modulated import is_modulated
from dolq_core.arrays import Floats
from dolq_core.bans import ban_on, by_person
from dolq_core.blocks import required
from dolq_core.fitting import Workbench
from dolq_core.fitting.limits import imitated
from dolq_core.mechanisms import ONLY_BY_WORDS, Composed, Entry, composed, entries, given_terms, words_of
from dolq_core.numerics.noise import levels
from dolq_core.records import Dataset, FittedTerm, RunState, TermKey
from dolq_core.terms import Names, Skeleton, compile_columns, count_params, read, variables
from dolq_core.terms.expr import Mul, Sym, walk

LAST_STAGE = 4
"""The widest library of noisy samples: every family that needs no words has been tried from that iteration on."""
EVERY = ONLY_BY_WORDS
"""The library of all families, spoken of or not."""
MOST_TERMS = 900
"""Terms without inner parameters in one library; the simplest families come first."""
MOST_PARAMETRIC = 120
"""Terms with inner parameters in one library; those that words suggest come first."""

SIZE_OF = re.compile(r"(?<!sqrt\()\babs\(([^()]+)\)")
"""What a term takes the size of, but under a root: that of a difference is no plainer term."""
DIVISOR = re.compile(r"/(?:([A-Za-z_]\w*)\b(?!\()|\(([^()]+)\))")
"""What a term divides by: a variable, or a sum in brackets."""
ACROSS = 4.0
"""Standard deviations of its noise that what changes its sign goes to either side of zero."""
SWITCH = 2
"""Levels of an input that is only switched."""
EITHER_WAY = re.compile(
    r"\balways against\b|\b(?:either|both) (?:way|direction)s?\b|\bwhichever (?:way|direction)\b"
    r"|\bback and forth\b|\bto and fro\b|\brevers(?:e|es|ing)\b"
)
"""What says of a resistance that it turns with the motion, in a clause in lower case."""
Structure: TypeAlias = tuple[Skeleton, ...]
"""The terms of one equation."""


def library(state: RunState, names: Names, equation: int, stage: int) -> tuple[Entry, ...]:
    """Return the terms for one equation: families of this stage or suggested by words, without bans.

    Stages: 1 polynomials, 2 all fixed shapes, 3 shapes with inner parameters, 4 products and open exponents, 5 what
    only words bring in else. A suggested family enters early: at stage 1 without inner parameters, else at stage 2.
    """
    words, given = words_of(state.problem), given_terms(state.problem, equation)
    found = [
        entry
        for entry in entries(names, len(state.problem.dataset.states), equation, words, given)
        if _is_open(entry, stage) and not is_banned(state, equation, entry.skeleton)
    ]
    fixed = [entry for entry in found if "params[" not in entry.skeleton][:MOST_TERMS]
    moving = sorted((entry for entry in found if "params[" in entry.skeleton), key=lambda entry: not entry.word)
    driven = [entry for entry in moving if is_modulated(entry.skeleton)]
    at_rest = [entry for entry in moving if not is_modulated(entry.skeleton)]
    most = len(moving) if stage == EVERY else MOST_PARAMETRIC
    return (*fixed, *at_rest[:most], *driven[:most])


def on_data(state: RunState, bench: Workbench, equation: int, stage: int) -> list[Entry]:
    """Return the same without terms that are plainer ones on these data: x*abs(x) where x has one sign.

    And x*abs(x - y) where x - y has, but for words: it is one term for two, and says what comes when the sign turns.
    But of a resistance that turns with the motion x*abs(x) stays, and x**2, which would drive what turns, goes.

    Without those with a pole that a run goes through: no rate is infinite between two samples. Without those that
    a person removed under another name: tanh(x) of a large x is a constant. And without shapes in an input that is only
    switched on and off: on its two levels every shape is a line.
    """
    found = library(state, bench.names, equation, stage)
    spoken = [entry.skeleton for entry in found if entry.word and _is_of_difference(entry.skeleton)]
    turning = turning_drag(state, bench, equation, found)
    told = _told_apart(state, bench, equation, [entry.skeleton for entry in found], [*spoken, *turning])
    return [entry for entry in found if entry.skeleton in told and entry.skeleton not in turning.values()]


def composed_on_data(state: RunState, bench: Workbench, equation: int) -> Composed:
    """Return the composed terms of one equation, likewise."""
    known = composed(bench.names)
    free = [s for s in (*known.plain, *known.curved) if not is_banned(state, equation, s)]
    told = _told_apart(state, bench, equation, free)
    plain, curved = (tuple(s for s in some if s in told) for some in (known.plain, known.curved))
    return Composed(plain, curved, tuple(base for base in known.bases if told.issuperset(base)))


def _told_apart(
    state: RunState,
    bench: Workbench,
    equation: int,
    skeletons: Sequence[Skeleton],
    spoken: Sequence[Skeleton] = (),
) -> set[Skeleton]:
    """Return those of the terms that these data tell from plainer ones, or are `spoken`, and that no person removed."""
    removed, switches = removed_terms(state, equation), _switches(state.problem.dataset)
    found = [s for s in skeletons if not any(_bends(s, switch) for switch in switches)]
    found = [s for s in found if not _is_removed(state, s, removed)]
    divisors = {divisor for s in found for divisor in divisors_of(s)}
    poles = {divisor for divisor in divisors if is_crossed(bench, divisor)}
    found = [s for s in found if not poles & divisors_of(s)]
    sized = {inside for s in found for inside in SIZE_OF.findall(s) if "params" not in inside}
    one_signed = {inside for inside in sized if has_one_sign(bench, inside)}
    return {s for s in found if s in spoken or not one_signed & set(SIZE_OF.findall(s))}


def _is_of_difference(skeleton: Skeleton) -> bool:
    """Whether a term has the size of more than one variable, and no fitted numbers."""
    return any(" " in inside and "params" not in inside for inside in SIZE_OF.findall(skeleton))


def turning_drag(state: RunState, bench: Workbench, equation: int, found: Sequence[Entry]) -> dict[Skeleton, Skeleton]:
    """Return u*abs(u) with u**2, whose place it takes, where words name a square of a state that may turn but does not.

    It may where the description says so, or where another state in the same unit turns: the other components of a
    velocity. These data tell no difference; a forecast past zero does.
    """
    own = state.problem.dataset.states[equation]
    drag, square = Skeleton(f"{own.symbol}*abs({own.symbol})"), Skeleton(f"{own.symbol}**2")
    spoken = any(e.skeleton == drag and e.is_named and e.family.sign == "-" for e in found)
    if not spoken or is_banned(state, equation, drag) or square in forced_terms(state, equation):
        return {}
    alike = [v.symbol for v in state.problem.dataset.states if v.unit and v.unit == own.unit and v != own]
    turns = any(EITHER_WAY.search(clause) for clause in words_of(state.problem).clauses)
    if not (turns or any(is_crossed(bench, symbol) for symbol in alike)) or not has_one_sign(bench, own.symbol):
        return {}
    return {drag: square}


def _is_removed(state: RunState, skeleton: Skeleton, removed: Sequence[Skeleton]) -> bool:
    if not removed or count_params(skeleton):
        return False
    return imitated(state.problem.dataset, FittedTerm(skeleton, 1.0), removed) is not None


def _switches(dataset: Dataset) -> list[str]:
    """Return the symbols of known inputs with no more than two levels."""
    known = [run.inputs for run in dataset.trajectories]
    columns = np.concatenate([u for u in known if u is not None]).T if dataset.inputs else ()
    return [own.symbol for own, column in zip(dataset.inputs, columns, strict=True) if levels(column) <= SWITCH]


@lru_cache(maxsize=20_000)
def _bends(skeleton: Skeleton, symbol: str) -> bool:
    """Whether a term holds a variable in another way than as a factor."""
    tree = read(skeleton)
    factors = tree.parts if isinstance(tree, Mul) else (tree,)
    inside = sum(node == Sym(symbol) for node in walk(tree))
    return inside > 1 or (inside == 1 and Sym(symbol) not in factors)


def has_one_sign(bench: Workbench, text: str) -> bool:
    """Whether an expression in safe symbols keeps its sign in these data, to within their noise."""
    values, band = _values(bench, text)
    return bool(np.min(values) >= -band or np.max(values) <= band)


def divisors_of(skeleton: Skeleton) -> set[str]:
    """Return what a term divides by, but for what is fitted inside it."""
    found = (name or inside for name, inside in DIVISOR.findall(skeleton))
    return {divisor for divisor in found if "params" not in divisor}


def is_crossed(bench: Workbench, text: str) -> bool:
    """Whether an expression in safe symbols changes its sign within one run, by more than its noise."""
    values, band = _values(bench, text)
    runs = np.split(values, np.cumsum(bench.target.lengths)[:-1])
    return any(np.min(run) < -band and np.max(run) > band for run in runs)


def _values(bench: Workbench, text: str) -> tuple[Floats, float]:
    """Return an expression on the samples (N,), and how far noise may take it across zero."""
    values = compile_columns(Skeleton(text), bench.symbols)(bench.values, bench.t, ())
    inside = variables(Skeleton(text))
    noise = [sigma for symbol, sigma in zip(bench.symbols, bench.info.noise, strict=False) if symbol in inside]
    return values, ACROSS * float(np.linalg.norm(noise))


def _is_open(entry: Entry, stage: int) -> bool:
    suggested = (1 if "params[" not in entry.skeleton else 2) if entry.word else entry.family.stage
    return min(entry.family.stage, suggested) <= stage


def removed_terms(state: RunState, equation: int) -> tuple[Skeleton, ...]:
    """Return the terms that a person removed from an equation."""
    return tuple(sorted(key.skeleton for key in state.bans if key.equation == equation and by_person(state, key)))


def is_banned(state: RunState, equation: int, skeleton: Skeleton) -> bool:
    """Whether a ban, soft or human, stands on the term or its family."""
    return ban_on(state, TermKey(equation, skeleton)) is not None


def forced_terms(state: RunState, equation: int) -> list[Skeleton]:
    """Terms a person wants in: what an equation always has, pins and proposals for this iteration."""
    must = [TermKey(equation, skeleton) for skeleton in required(state.problem.blocks, equation)]
    keys = [*must, *state.pins, *(note.key for note in state.proposals)]
    wanted = [key.skeleton for key in keys if key.equation == equation and not is_banned(state, equation, key.skeleton)]
    return list(dict.fromkeys(wanted))


def at_rest(entries: Sequence[Entry]) -> list[Entry]:
    """Return the terms that no rhythm modulates."""
    return [entry for entry in entries if not is_modulated(entry.skeleton)]


def choice_of(state: RunState, equation: int, entries: Sequence[Entry]) -> Choice:
    """Return what the search of one equation may choose from, with what the other equations hold by now."""
    moving = [entry for entry in entries if count_params(entry.skeleton)]
    others = [v.fit for v in state.best if v is not None and v.fit.equation != equation and not v.fit.failure]
    flows = [
        tuple((t.skeleton, t.inner) for t in fit.terms if not is_banned(state, equation, t.skeleton)) for fit in others
    ]
    shared = tuple((s, inner) for terms in flows for s, inner in terms if inner)
    spoken = tuple(entry.skeleton for entry in moving if entry.word)
    return Choice(
        skeletons=tuple(entry.skeleton for entry in entries),
        favoured=tuple(dict.fromkeys((*(s for s, _ in shared), *spoken))),
        shared=shared,
        flows=tuple(flows),
        kinds={entry.skeleton: entry.family.name for entry in moving},
        simpler={entry.skeleton: _allowed(state, equation, entry) for entry in moving},
        removed=removed_terms(state, equation),
        blocks=state.problem.blocks,
    )


def _allowed(state: RunState, equation: int, entry: Entry) -> tuple[Skeleton, ...]:
    removed = removed_terms(state, equation)
    free = (s for s in entry.simpler if not is_banned(state, equation, s))
    return tuple(s for s in free if not _is_removed(state, s, removed))
