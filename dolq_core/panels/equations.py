"""One panel per equation: the current attempt term by term, every grade beside it, and the best so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from dolq_core.bans import ban_on
from dolq_core.export import latex
from dolq_core.export.result import last_verdict, scored_fit
from dolq_core.fitting import names_of
from dolq_core.loop import AT_FLOOR, status
from dolq_core.panels.correlation import Correlation, correlation_of
from dolq_core.records import (
    Action,
    Choice,
    Entry,
    EquationFit,
    FittedTerm,
    Grade,
    Iteration,
    RunState,
    Status,
    TermKey,
)
from dolq_core.terms import Names, to_latex, to_text


@dataclass(frozen=True, slots=True)
class Row:
    """One term of the current attempt, with every grade beside it.

    Attributes:
        part: the summand as it stands in the equation, (sign, LaTeX).
        zeroed: relative change of the error with the coefficient set to zero (the paper's figure).
        refitted: error on left-out blocks without the term over the error with it.
        nats: what its evidence is in nats where whole runs were fitted; None elsewhere.
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
    nats: float | None
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
        note: what to know of the attempt's numbers, such as a term that the data cannot tell from the others.
        correlation: how the reported coefficients hang together; None where that is not known.
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
    note: str = ""
    correlation: Correlation | None = None


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
        note=attempt.note if attempt else "",
        correlation=correlation_of(best, names),
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
    times = "over 1000" if fit.floor_ratio >= 1000.0 else f"{fit.floor_ratio:.3g}"
    return f"{times} times the noise floor"


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
        nats=ablation.nats,
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
        banned=ban_on(state, key) is not None,
    )
