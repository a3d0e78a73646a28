"""One panel per equation: the best law term by term, every grade beside it, and what was tried now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import copysign, floor, log10, nan, sqrt

from dolq_core.bans import ban_on
from dolq_core.export import latex
from dolq_core.export.latex import SMALL
from dolq_core.fitting import names_of
from dolq_core.fitting.limits import rivals_of
from dolq_core.fitting.workbench import TRAJECTORY
from dolq_core.grades import ELSEWHERE, verdict_on
from dolq_core.grades import VAGUE as INSIGNIFICANT
from dolq_core.loop import asks_person, is_awaited, standing, status
from dolq_core.loop.ranking import structure
from dolq_core.loop.status import ALLOWED, ALONE
from dolq_core.records import (
    TAKEN,
    UNGRADED,
    Action,
    Choice,
    EquationFit,
    FittedTerm,
    Grade,
    Iteration,
    RunState,
    Status,
    TermKey,
)
from dolq_core.runs import Run
from dolq_core.terms import Names, Skeleton, to_latex
from dolq_core.views.amounts import RAISED, figure
from dolq_core.views.history import stood_before
from dolq_core.views.system import hidden_of

STRONG = 0.95
"""Correlation, either way, from which two coefficients are said to be tied."""
VAGUE = 0.05
"""Relative error of a coefficient from which it is not told well."""
GAIN = 0.5
"""A plain ratio, sum or difference is named where its error is below this share of the smaller one of the two."""
CONSTANT = "the constant"
WITHIN = "Its terms are graded within this structure, which is no law."
FITTED_AGAIN = f"{TAKEN} and fitted again with the whole system: its numbers can differ from those shown there."


@dataclass(frozen=True, slots=True)
class Correlation:
    """The correlation of an equation's coefficients.

    Attributes:
        texts: the k terms, in the order of the equation.
        values: (k, k); None beside a coefficient that has no standard error.
        words: a sentence on the strongest tie, and how many more there are; empty when no two coefficients are tied.
    """

    texts: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    words: str


def correlation_of(fit: EquationFit | None, names: Names) -> Correlation | None:
    """Return the correlation of the coefficients of a fit; None with fewer than two terms or without errors."""
    if fit is None or len(fit.terms) < 2 or not fit.correlation:
        return None
    texts = tuple(CONSTANT if term.skeleton == "1" else latex.in_text(term, names) for term in fit.terms)
    return Correlation(texts, fit.correlation, _words(fit, texts))


def _words(fit: EquationFit, texts: Sequence[str]) -> str:
    pairs: list[tuple[float, int, int]] = []
    for i, j in combinations(range(len(texts)), 2):
        r = fit.correlation[i][j]
        if r is not None and abs(r) > STRONG:
            pairs.append((r, i, j))
    pairs.sort(key=lambda pair: -abs(pair[0]))
    said = [_sentence(fit.terms[i], fit.terms[j], (texts[i], texts[j]), r) for r, i, j in pairs[:1]]
    rest = len(pairs) - 1
    more = [f"{rest} more {'pair' if rest == 1 else 'pairs'} beyond ±{STRONG}."] if rest > 0 else []
    return " ".join([*said, *more])


def _sentence(one: FittedTerm, other: FittedTerm, texts: tuple[str, str], r: float) -> str:
    """Say which combination of two coefficients is known best, with its value and standard error."""
    a, b, sa, sb = one.coefficient, other.coefficient, one.std_error, other.std_error
    if not a or not b or not sa or not sb:
        return ""
    names = [text if text == CONSTANT else f"the coefficient of {text}" for text in texts]
    what, value, error = _combination(a, b, sa, sb, r)
    both = " and ".join(names) if CONSTANT in texts else f"the coefficients of {' and '.join(texts)}"
    what = what.format(both=both, one=names[0], other=names[1])
    well = max(sa / abs(a), sb / abs(b)) <= VAGUE
    known = f"{_number(value, error)} (correlation {_near_one(r)})".replace("-", "\N{MINUS SIGN}")
    return f"The data fix {'best' if well else 'only'} {what}, {known}."


def _number(value: float, error: float) -> str:
    """Return `value ± error`, the value to the second digit of its error; a power of ten stands behind both."""
    power = floor(log10(max(abs(value), error)))
    if not -2 <= power < 6:
        return f"({_number(value / 10.0**power, error / 10.0**power)})×10{str(power).translate(RAISED)}"
    if error < 1e-9 * abs(value):
        return f"{value:.10g}"
    digits = max(1, 2 + floor(log10(abs(value) or error)) - floor(log10(error)))
    small = figure(error, 2) if error < SMALL else f"{error:#.2g}"
    return f"{value:#.{digits}g} ± {small}".replace(". ", " ").removesuffix(".")


def _near_one(r: float) -> str:
    return f"{r:.3f}" if abs(r) < 0.9995 else "over 0.999" if r > 0 else "below -0.999"


def _combination(a: float, b: float, sa: float, sb: float, r: float) -> tuple[str, float, float]:
    """Return name (with gaps for the two), value and standard error of what is told best of a +- sa and b +- sb.

    The ratio by the relative errors, to first order; the plain sum or difference; else the weighted sum of least
    variance, a + w b with w = -r sa / sb and the error sa sqrt(1 - r^2).
    """
    ra, rb, sign = sa / abs(a), sb / abs(b), copysign(1.0, a * b)
    relative = sqrt(max(ra**2 + rb**2 - 2.0 * r * sign * ra * rb, 0.0))
    if relative < GAIN * min(ra, rb):
        return "the ratio of {both}", a / b, abs(a / b) * relative
    way = -copysign(1.0, r)
    plain = sqrt(max(sa**2 + sb**2 + 2.0 * way * r * sa * sb, 0.0))
    if plain < GAIN * min(sa, sb):
        return f"the {'sum' if way > 0 else 'difference'} of {{both}}", a + way * b, plain
    weight = -r * sa / sb
    joint = "plus" if weight > 0 else "minus"
    return f"{{one}} {joint} {figure(abs(weight))} times {{other}}", a + weight * b, sa * sqrt(max(1.0 - r**2, 0.0))


@dataclass(frozen=True, slots=True)
class Row:
    """One term of the law, or of the attempt that was tried now, with the newest grades beside it.

    Attributes:
        part: the summand as it stands in the equation, (sign, LaTeX).
        in_law: it stands in the best equation; else in the attempt alone.
        graded: it was graded in some iteration; else grades are "neutral" and it counts as kept, since it stands.
        zeroed: relative change of the error with the coefficient set to zero (the paper's figure); NaN if not graded.
        refitted: error on left-out blocks without the term over the error with it; NaN if not graded.
        nats: what its evidence is in nats where whole runs were fitted; None elsewhere.
        choice: what the person said since this iteration, None when nothing.
        banned: the term is on the ban list now.
        may_be_zero: the 95 % interval of its coefficient holds zero.
    """

    key: TermKey
    text: str
    latex: str
    part: tuple[str, str]
    in_law: bool
    graded: bool
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
    may_be_zero: bool

    @property
    def told(self) -> str:
        """The reason, for a place that says besides that the coefficient may be zero."""
        return self.reason.replace(INSIGNIFICANT, "").replace("  ", " ").strip() if self.may_be_zero else self.reason

    @property
    def is_ungraded(self) -> bool:
        """Whether the Scientist was asked about it and said nothing: its grade counts as neutral and is none."""
        return self.reason == UNGRADED

    @property
    def is_of_another(self) -> bool:
        """Whether its grades were given in another law than the one that it stands in here."""
        return self.reason.startswith(ELSEWHERE)


@dataclass(frozen=True, slots=True)
class Panel:
    """One equation: the best law, its verdict, and what was tried now where that is another one.

    Attributes:
        lhs: LaTeX of the left-hand side; latex: the best law; tried: the current attempt where its terms are others,
            or where a choice waits to be fitted the law that stood before it. Empty where there is none.
        best: the reported coefficients; scored: the ones that the scores speak of. None before there is a fit.
        status, status_reason: the verdict on the best law (`loop.status`).
        awaited: the equations that a person chose and no iteration has fitted yet, as LaTeX with open coefficients, or
            a question mark where only others are ruled out; empty where there is a law.
        rivals: how many other laws fit as well, of those that were compared; 0 where that is not known, or no law is.
        terms: of the best law, in its order; others: of the attempt alone.
        note: what to know of the attempt's numbers, such as a term that the data cannot tell from the others.
        correlation: how the reported coefficients hang together; None where that is not known.
        aside: that the numbers of a law that was taken from the rivals are others by now, or that what is no law has
            its terms graded all the same; else empty.
        hidden: what is known of a state that nobody measured (`fitting.convention_of`); empty for a measured one.
    """

    equation: int
    name: str
    unit: str
    lhs: str
    latex: str
    tried: str
    best: EquationFit | None
    scored: EquationFit | None
    status: Status
    status_reason: str
    awaited: str
    rivals: int
    terms: tuple[Row, ...]
    others: tuple[Row, ...]
    note: str = ""
    correlation: Correlation | None = None
    aside: str = ""
    hidden: str = ""

    @property
    def is_ruled_out(self) -> bool:
        """Whether the attempt has a term that is banned by now."""
        return any(row.banned for row in self.others)

    @property
    def is_of_whole_runs(self) -> bool:
        """Whether its coefficients were fitted to whole runs."""
        return self.best is not None and TRAJECTORY in self.best.strategy

    @property
    def says_alone(self) -> bool:
        """Whether its reason says that it has no rival."""
        return self.status_reason.startswith((ALONE, ALLOWED))

    @property
    def rows(self) -> tuple[Row, ...]:
        """The terms of the law, then those of the attempt alone; what is disputed first in each."""
        order = {"remove": 0, "hold": 1, "keep": 2}
        return tuple(
            row
            for rows in (self.terms, self.others)
            for row in sorted(rows, key=lambda row: (not row.conflict, order[row.action]))
        )


def panels(run: Run) -> tuple[Panel, ...]:
    """Return one panel per equation."""
    dataset = run.state.problem.dataset
    names, iterations = names_of(dataset), [e for e in standing(run.entries) if isinstance(e, Iteration)]
    return tuple(_panel(run, names, j, iterations) for j in range(len(dataset.states)))


def _panel(run: Run, names: Names, equation: int, iterations: Sequence[Iteration]) -> Panel:
    state = run.state
    variable, visited = state.problem.dataset.states[equation], state.best[equation]
    attempt = _as_reported(state, state.last.attempt[equation]) if state.last else None
    attempt = stood_before(run, equation) if is_awaited(state, equation) else attempt
    best = visited and visited.reported
    own = {term.skeleton for term in best.terms} if best else set[str]()
    is_other = attempt is not None and own != _terms_of(attempt)
    said, reason = status(state, equation)

    def rows(fit: EquationFit | None, *, in_law: bool) -> tuple[Row, ...]:
        if fit is None:
            return ()
        return tuple(
            _row(state, names, term, part, iterations, fit, in_law=in_law)
            for term, part in zip(fit.terms, latex.summands(fit, names), strict=True)
            if in_law or term.skeleton not in own
        )

    return Panel(
        equation=equation,
        name=variable.name,
        unit=variable.unit,
        lhs=latex.left_side(names, equation),
        latex=latex.equation(best, names) if best and best.terms else "",
        tried=latex.equation(attempt, names) if attempt and is_other else "",
        best=best,
        scored=visited.scored if visited else None,
        status=said,
        status_reason=reason,
        awaited=_awaited(state, names, equation),
        rivals=max(rivals_of(state, equation), 0) if best and said != "none" else 0,
        terms=rows(best, in_law=True),
        others=rows(attempt, in_law=False),
        note=attempt.note if attempt else "",
        correlation=correlation_of(best, names),
        aside=_aside(state, best, said),
        hidden=hidden_of(state, equation),
    )


def _aside(state: RunState, best: EquationFit | None, said: Status) -> str:
    if best is None or not best.terms:
        return ""
    if said == "none":
        return WITHIN
    pins = [state.pins.get(TermKey(best.equation, term.skeleton)) for term in best.terms]
    return FITTED_AGAIN if all(pin is not None and pin.reason == TAKEN for pin in pins) else ""


def _as_reported(state: RunState, fit: EquationFit | None) -> EquationFit | None:
    """Return what was tried with the coefficients that are reported of it, and were shown while it was the best law."""
    known = None if fit is None else state.archive.get(structure(fit.equation, fit.terms))
    return fit if fit is None or known is None or known.refined is None else replace(known.refined, note=fit.note)


def _terms_of(fit: EquationFit | None) -> set[Skeleton]:
    return {term.skeleton for term in fit.terms} if fit is not None else set()


def _awaited(state: RunState, names: Names, equation: int) -> str:
    if not is_awaited(state, equation):
        return ""
    chosen = [note.skeletons for note in state.equations if note.equation == equation]
    sums = [" + ".join("C" if s == "1" else rf"C\, {to_latex(s, names)}" for s in own) for own in chosen]
    either = r" \text{ or } ".join(sums) or "?"
    return f"{latex.left_side(names, equation)} = {either}"


def _row(
    state: RunState,
    names: Names,
    term: FittedTerm,
    part: tuple[str, str],
    iterations: Sequence[Iteration],
    fit: EquationFit,
    *,
    in_law: bool,
) -> Row:
    key = TermKey(fit.equation, term.skeleton)
    verdict, ablation = verdict_on(state, key, iterations, None if in_law else fit)
    wish = state.wishes.get(key)
    fresh = wish is not None and wish.since >= state.iteration
    return Row(
        key=key,
        text=latex.in_text(term, names),
        latex=latex.in_latex(term, names),
        part=part,
        in_law=in_law,
        graded=verdict is not None,
        coefficient=term.coefficient,
        std_error=term.std_error,
        zeroed=ablation.zeroed if ablation else nan,
        refitted=ablation.refitted if ablation else nan,
        nats=ablation.nats if ablation else None,
        semantic=verdict.semantic if verdict else "neutral",
        evidence=verdict.evidence if verdict else "neutral",
        reason=verdict.reason if verdict else "",
        proposed_because=state.reasons.get(key, ""),
        strikes=verdict.strikes if verdict and key not in state.pins else 0,  # a pin is never removed
        action=verdict.action if verdict else "keep",
        choice=wish.choice if wish and fresh else None,
        choice_reason=wish.reason if wish and fresh and wish.reason != TAKEN else "",
        conflict=verdict is not None and verdict.conflict and asks_person(state),
        pinned=key in state.pins,
        banned=ban_on(state, key) is not None,
        may_be_zero=term.may_be_zero,
    )
