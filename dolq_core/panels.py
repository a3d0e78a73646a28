"""What a person sees of a state: rows, curves and lists, made from records. Nothing here changes a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.export import latex
from dolq_core.export.result import last_verdict, scored_fit
from dolq_core.fitting import Workbench, errors_ahead, names_of
from dolq_core.loop import AT_FLOOR, status
from dolq_core.numerics.metrics import nmse
from dolq_core.records import (
    Action,
    Author,
    Choice,
    Entry,
    EquationFit,
    FittedTerm,
    Grade,
    Intervention,
    Iteration,
    RunState,
    Status,
    TermKey,
)
from dolq_core.terms import Names, compile_columns, to_latex, to_text, variables


@dataclass(frozen=True, slots=True)
class Row:
    """One term of the current attempt, with every grade beside it.

    Attributes:
        part: the summand as it stands in the equation, (sign, LaTeX).
        zeroed: relative change of the error with the coefficient set to zero (the paper's figure).
        refitted: error on left-out blocks without the term over the error with it.
        choice: what the person said since this iteration, None when nothing.
        banned: the term is on the ban list now.
    """

    key: TermKey
    text: str
    latex: str
    part: tuple[str, str]
    coefficient: float
    std_error: float | None
    zeroed: float
    refitted: float
    semantic: Grade
    evidence: Grade
    reason: str
    proposed_because: str
    strikes: int
    action: Action
    choice: Choice | None
    choice_reason: str
    conflict: bool
    pinned: bool
    banned: bool


@dataclass(frozen=True, slots=True)
class BestTerm:
    """One summand of the best equation so far, with the newest verdict on it (None when it was never graded)."""

    key: TermKey
    text: str
    latex: str
    part: tuple[str, str]
    coefficient: float
    std_error: float | None
    action: Action | None
    reason: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One equation: the current attempt as title and rows, conflicts first, and where it stands in words.

    Attributes:
        lhs: LaTeX of the left-hand side; `latex` is the whole current attempt, `best_latex` the best so far.
        best: the reported coefficients; scored: the ones that the scores speak of. None before there is a fit.
        words: "at the noise floor", "12 times the noise floor", "no fit yet"; it speaks of the attempt.
    """

    equation: int
    name: str
    unit: str
    lhs: str
    latex: str
    best_latex: str
    best: EquationFit | None
    scored: EquationFit | None
    best_terms: tuple[BestTerm, ...]
    words: str
    at_floor: bool
    status: Status
    status_reason: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """One run of the data and the best system simulated from its start.

    Attributes:
        t: (n,) times of the data; data: (n, d) states, NaN where a cell was missing.
        model_t: (m,) times of the model; model: (m, d), None when it could not be simulated, see `failure`.
        nmse: integral NMSE per state on this run (paper, eq. 1, over the variance); None without a model. Where an end
            of the run is held out: on what comes before it.
        held_from: the time from which the run is held out, None when it is not; the model has not seen that part.
        held_out_nmse: mean squared error per state on that part, over the variance of the whole run.
    """

    label: str
    t: Floats
    data: Floats
    model_t: Floats
    model: Floats | None
    nmse: tuple[float | None, ...] = ()
    failure: str = ""
    held_from: float | None = None
    held_out_nmse: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """The best system of two states on a grid: where each point of the plane moves to.

    Attributes:
        x, y: (n,) values of the first and of the second state.
        dx, dy: (n, n) their rates, at [row of y, column of x]; NaN or infinite where a term is not defined.
    """

    x: Floats
    y: Floats
    dx: Floats
    dy: Floats


@dataclass(frozen=True, slots=True)
class Track:
    """What was decided on one term, iteration by iteration.

    Attributes:
        choices: by iteration; the person's word where there is one, else the machine's.
        yours: the iterations in which the word is the person's.
        kept: share of the iterations with a decision in which it was kept or pinned.
    """

    key: TermKey
    text: str
    choices: Mapping[int, Choice]
    yours: frozenset[int]
    kept: float


@dataclass(frozen=True, slots=True)
class Point:
    """One equation at one iteration: the residual NMSE of the attempt and of the best so far; None when no fit."""

    iteration: int
    equation: int
    best: float | None
    attempt: float | None


@dataclass(frozen=True, slots=True)
class Mark:
    """A person's intervention on the time line: after which iteration, and what in words."""

    iteration: int
    words: str


@dataclass(frozen=True, slots=True)
class BanRow:
    """One line of the ban list."""

    key: TermKey
    equation_name: str
    text: str
    latex: str
    by: Author
    since: int
    reason: str


def panels(state: RunState, entries: Sequence[Entry] = ()) -> tuple[Panel, ...]:
    """Return one panel per equation; `entries`, the log, adds the verdicts on terms of earlier attempts."""
    names = names_of(state.problem.dataset)
    return tuple(_panel(state, names, j, entries) for j in range(len(state.problem.dataset.states)))


def _panel(state: RunState, names: Names, equation: int, entries: Sequence[Entry]) -> Panel:
    variable = state.problem.dataset.states[equation]
    attempt = state.last.attempt[equation] if state.last else None
    visited = state.best[equation]
    best = visited and (visited.refined or visited.fit)
    said, reason = status(state, equation)
    return Panel(
        equation=equation,
        name=variable.name,
        unit=variable.unit,
        lhs=latex.left_side(names, equation),
        latex=latex.equation(attempt, names) if attempt else "",
        best_latex=latex.equation(best, names) if best else "",
        best=best,
        scored=scored_fit(visited) if visited else None,
        best_terms=tuple(_best_term(names, equation, term, entries) for term in best.terms) if best else (),
        words=_floor_words(attempt),
        at_floor=attempt is not None and attempt.floor_ratio <= AT_FLOOR,
        status=said,
        status_reason=reason,
        rows=_rows(state, names, attempt) if attempt else (),
    )


def _best_term(names: Names, equation: int, term: FittedTerm, entries: Sequence[Entry]) -> BestTerm:
    key = TermKey(equation, term.skeleton)
    verdict = last_verdict([entry for entry in entries if isinstance(entry, Iteration)], key)
    return BestTerm(
        key=key,
        text=to_text(term.skeleton, names, term.inner),
        latex=to_latex(term.skeleton, names, term.inner),
        part=latex.term_part(term, names),
        coefficient=term.coefficient,
        std_error=term.std_error,
        action=verdict.action if verdict else None,
        reason=verdict.reason if verdict else "",
    )


def _floor_words(fit: EquationFit | None) -> str:
    if fit is None:
        return "no fit yet"
    if fit.floor_ratio <= AT_FLOOR:
        return "at the noise floor"
    if not isfinite(fit.floor_ratio):
        return "the target has no noise"
    return f"{fit.floor_ratio:.3g} times the noise floor"


def _rows(state: RunState, names: Names, attempt: EquationFit) -> tuple[Row, ...]:
    if state.last is None:
        return ()
    verdicts = {verdict.key: verdict for verdict in state.last.verdicts}
    rows = [
        _row(state, names, attempt.equation, term)
        for term in attempt.terms
        if TermKey(attempt.equation, term.skeleton) in verdicts
    ]
    order = {"remove": 0, "hold": 1, "keep": 2}
    return tuple(sorted(rows, key=lambda row: (not row.conflict, order[row.action])))


def _row(state: RunState, names: Names, equation: int, term: FittedTerm) -> Row:
    assert state.last is not None
    key = TermKey(equation, term.skeleton)
    verdict = next(v for v in state.last.verdicts if v.key == key)
    ablation = next(a for a in state.last.evaluation.ablations if a.key == key)
    wish = state.wishes.get(key)
    fresh = wish is not None and wish.since >= state.iteration
    return Row(
        key=key,
        text=to_text(term.skeleton, names, term.inner),
        latex=to_latex(term.skeleton, names, term.inner),
        part=latex.term_part(term, names),
        coefficient=term.coefficient,
        std_error=term.std_error,
        zeroed=ablation.zeroed,
        refitted=ablation.refitted,
        semantic=verdict.semantic,
        evidence=verdict.evidence,
        reason=verdict.reason,
        proposed_because=state.reasons.get(key, ""),
        strikes=verdict.strikes,
        action=verdict.action,
        choice=wish.choice if wish and fresh else None,
        choice_reason=wish.reason if wish and fresh else "",
        conflict=verdict.conflict,
        pinned=key in state.pins,
        banned=key in state.bans,
    )


def curves(state: RunState, bench: Workbench, points: int = 400) -> tuple[Curve, ...]:
    """Return one curve per run: the data, and the best system on `points` times and more from the run's own start.

    Where an end of the runs is held out, the coefficients are those that have not seen it.
    """
    fits = [scored_fit(visited) for visited in state.best if visited is not None]
    if len(fits) < len(state.best):
        why = "There is no equation for every state yet."
        none = (None,) * len(state.best)
        return tuple(
            Curve(run.label, run.t, run.x, run.t, None, none, why) for run in state.problem.dataset.trajectories
        )
    return tuple(
        _curve(state, bench, fits, number, points) for number in range(len(state.problem.dataset.trajectories))
    )


def _curve(state: RunState, bench: Workbench, fits: Sequence[EquationFit], number: int, points: int) -> Curve:
    run = state.problem.dataset.trajectories[number]
    grid = np.union1d(run.t, np.linspace(float(run.t[0]), float(run.t[-1]), points))
    simulation = bench.simulate(fits, number, t=grid)
    at_data = simulation.x[np.searchsorted(grid, run.t)]
    since = bench.held.since[number] if bench.held else None
    later = run.t >= (inf if since is None else since)
    scores = [nmse(at_data[~later, j], run.x[~later, j]) for j in range(len(fits))]
    ahead = errors_ahead(at_data, run.x, later) if later.any() and not simulation.failure else ()
    return Curve(
        run.label,
        run.t,
        run.x,
        simulation.t,
        simulation.x,
        tuple(_finite(score) for score in scores),
        simulation.failure,
        since,
        tuple(_finite(score) for score in ahead),
    )


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def field(state: RunState, low: Sequence[float], high: Sequence[float], n: int) -> Field | None:
    """Return the best system on n by n points from low to high; None unless two states alone say where it goes."""
    fits = [visited.refined or visited.fit for visited in state.best if visited is not None]
    symbols = tuple(variable.symbol for variable in state.problem.dataset.states)
    used = {name for fit in fits for term in fit.terms for name in variables(term.skeleton)}
    if len(symbols) != 2 or len(fits) != 2 or not used <= set(symbols):
        return None
    x, y = (np.linspace(a, b, n) for a, b in zip(low, high, strict=True))
    at = np.stack([np.tile(x, n), np.repeat(y, n)])
    dx, dy = (_rate(fit, at, symbols).reshape(n, n) for fit in fits)
    return Field(x, y, dx, dy)


def _rate(fit: EquationFit, at: Floats, symbols: tuple[str, ...]) -> Floats:
    rate = t = np.zeros_like(at[0])
    with np.errstate(all="ignore"):
        for term in fit.terms:
            rate = rate + term.coefficient * compile_columns(term.skeleton, symbols)(at, t, term.inner)
    return rate


def tracks(entries: Sequence[Entry], state: RunState) -> tuple[Track, ...]:
    """Return what was decided on every term, by equation, the most often kept first, then the oldest."""
    names = names_of(state.problem.dataset)
    choices: dict[TermKey, dict[int, Choice]] = {}
    yours: dict[TermKey, set[int]] = {}
    now = 0
    for entry in entries:
        if isinstance(entry, Iteration):
            now = entry.number
            for verdict in entry.verdicts:
                choices.setdefault(verdict.key, {})[now] = verdict.action
        elif isinstance(entry, Intervention) and now:
            for key, choice in _chosen(entry):
                choices.setdefault(key, {})[now] = choice
                yours.setdefault(key, set()).add(now)
    found = [
        Track(key, to_text(key.skeleton, names), said, frozenset(yours.get(key, ())), _kept(said) / len(said))
        for key, said in choices.items()
    ]
    return tuple(sorted(found, key=lambda track: (track.key.equation, -_kept(track.choices), -track.kept)))


def _chosen(said: Intervention) -> list[tuple[TermKey, Choice]]:
    """Return the person's word on each term that they named; a term that was only tried has none."""
    banned: list[tuple[TermKey, Choice]] = [(note.key, "remove") for note in said.ban]
    pinned: list[tuple[TermKey, Choice]] = [(note.key, "pin") for note in said.pin]
    return [*((override.key, override.choice) for override in said.overrides), *banned, *pinned]


def _kept(choices: Mapping[int, Choice]) -> int:
    return sum(choice in ("keep", "pin") for choice in choices.values())


def convergence(entries: Sequence[Entry]) -> tuple[Point, ...]:
    """Return, per iteration and equation, the attempt's residual NMSE and the least so far."""
    points: list[Point] = []
    least: dict[int, float] = {}
    for done in entries:
        if not isinstance(done, Iteration):
            continue
        for j, fit in enumerate(done.attempt):
            now = fit.nmse if fit is not None and isfinite(fit.nmse) else None
            if now is not None:
                least[j] = min(now, least.get(j, now))
            points.append(Point(done.number, j, least.get(j), now))
    return tuple(points)


def marks(entries: Sequence[Entry], state: RunState) -> tuple[Mark, ...]:
    """Return what the person did, in words, by the iteration after which it was done."""
    names = names_of(state.problem.dataset)
    found: list[Mark] = []
    iteration = 0
    for entry in entries:
        if isinstance(entry, Iteration):
            iteration = entry.number
        elif isinstance(entry, Intervention):
            found.append(Mark(iteration, _said(entry, names)))
    return tuple(found)


def _said(entry: Intervention, names: Names) -> str:
    said = [f"{override.choice} {to_text(override.key.skeleton, names)}" for override in entry.overrides]
    said += [f"ban {to_text(note.key.skeleton, names)}" for note in entry.ban]
    said += [f"unban {to_text(key.skeleton, names)}" for key in entry.unban]
    said += [f"pin {to_text(note.key.skeleton, names)}" for note in entry.pin]
    said += [f"unpin {to_text(key.skeleton, names)}" for key in entry.unpin]
    said += [f"propose {to_text(note.key.skeleton, names)}" for note in entry.propose]
    said += ["new description"] if entry.description is not None else []
    said += ["a remark"] if entry.remark is not None else []
    return ", ".join(said) or "nothing"


def bans(state: RunState) -> tuple[BanRow, ...]:
    """Return the ban list, the person's own bans first, then by equation and age."""
    names = names_of(state.problem.dataset)
    states = state.problem.dataset.states
    rows = [
        BanRow(
            key,
            states[key.equation].name,
            to_text(key.skeleton, names),
            to_latex(key.skeleton, names),
            ban.by,
            ban.since,
            ban.reason,
        )
        for key, ban in state.bans.items()
    ]
    return tuple(sorted(rows, key=lambda row: (row.by != "human", row.key.equation, row.since, row.key.skeleton)))
