"""What a person reads of a run: panels, curves, lists and the result document. Nothing here changes a run."""

from collections.abc import Mapping, Sequence
from typing import Any

from dolq_core import loop, panels
from dolq_core.agents.builtin import rivals
from dolq_core.bans import ban_on, family_name, is_covered
from dolq_core.errors import TermError
from dolq_core.export.law import Law
from dolq_core.export.result import result as result_document
from dolq_core.export.text import readable
from dolq_core.fitting import names_of
from dolq_core.fitting.identify import Experiment, Ties, in_words, ties
from dolq_core.fitting.identify import next_experiment as tell_apart
from dolq_core.fitting.limits import UNCOMPARED
from dolq_core.fitting.provenance import given_words, prepared_words
from dolq_core.loop.front import Front
from dolq_core.loop.front import front as loop_front
from dolq_core.panels import Subject, Trial, Version
from dolq_core.panels.system import reported
from dolq_core.records import (
    EquationNote,
    FamilyBan,
    FamilyKey,
    Iteration,
    RunState,
    Structure,
    TermKey,
)
from dolq_core.runs.recent import Recent
from dolq_core.runs.running import Run, bench_for
from dolq_core.terms import KINDS, parse_equation, parse_term, to_latex, to_text


def read_key(state: RunState, equation: int, text: str) -> TermKey:
    """Read a term as a person typed it; raise TermError."""
    return TermKey(equation, parse_term(text, names_of(state.problem.dataset)).skeleton)


def read_equation(state: RunState, equation: int, text: str, reason: str = "") -> EquationNote:
    """Read a whole right-hand side as a person typed it; raise TermError, also for more terms than are allowed."""
    limit = state.settings.max_terms
    terms = parse_equation(text, names_of(state.problem.dataset), equation, max_params=state.settings.max_params)
    if len(terms) > limit:
        raise TermError(text, f"it has {len(terms)} terms, and {limit} is the limit", "Write fewer terms")
    return EquationNote(equation, tuple(term.skeleton for term in terms), reason)


def families(run: Run, equation: int) -> Mapping[FamilyKey, str]:
    """Return every family of terms that can be banned in one equation, in words: kinds, and kinds with a variable."""
    dataset = run.state.problem.dataset
    variables = (*dataset.states, *dataset.inputs)
    found = {FamilyKey(equation, kind): words for kind, words in KINDS.items() if kind != "any"}
    for variable in variables:
        for kind, words in KINDS.items():
            if kind not in ("constant", "linear"):
                found[FamilyKey(equation, kind, variable.symbol)] = f"{words} with {variable.name}"
    return found


def is_banned(run: Run, key: TermKey) -> bool:
    """Whether a ban stands on a term, its own or its family's."""
    return ban_on(run.state, key) is not None


def covered(run: Run, family: FamilyKey) -> tuple[TermKey, ...]:
    """Return the terms that were proposed so far and that a ban of this family would forbid."""
    ban = FamilyBan(family, run.state.iteration, "")
    return tuple(key for key in sorted(run.state.reasons) if is_covered(ban, key))


def family_text(run: Run, family: FamilyKey) -> str:
    """Return a family as a person reads it, with its equation."""
    return f"{family_name(run.state, family)} in the change of {run.state.problem.dataset.states[family.equation].name}"


def equation_text(run: Run, note: EquationNote) -> str:
    """Return an equation of the person's as it is read, its coefficients still open."""
    terms = [text_of(run, TermKey(note.equation, skeleton)) for skeleton in note.skeletons]
    return f"d{run.state.problem.dataset.states[note.equation].name}/dt = {' + '.join(terms)}"


def result(run: Run) -> dict[str, Any]:
    """Return the result document, `dolq-result/1`."""
    dataset = run.state.problem.dataset
    statuses = [loop.status(run.state, j) for j in range(len(dataset.states))]
    return result_document(
        loop.standing(run.entries), run.state, names_of(dataset), statuses, loop.reason_to_stop(run.state)
    )


def equations(run: Run, digits: int = 4) -> list[str]:
    """Return one line per equation for a person to read, in the columns' own names, numbers rounded."""
    return readable(result(run), digits)


def law(run: Run) -> Law:
    """Return the best system as programs are written from it; raise ExportError while an equation is missing."""
    statuses = [loop.status(run.state, j) for j in range(len(run.state.problem.dataset.states))]
    return panels.law(run.state, bench_for(run.id, run.state), run.name, statuses)


def provenance(run: Run) -> tuple[str, ...]:
    """Return what was done to the data before they were fitted, and what the table gives besides, in sentences."""
    dataset = run.state.problem.dataset
    given = given_words(dataset).strip()
    return (*prepared_words(dataset), *([given] if given else []))


def copies(run: Run) -> panels.Copies:
    """Return the best system as LaTeX, text and Python, to paste elsewhere."""
    return panels.copies(law(run) if reported(run.state) else None, result(run))


def table(run: Run) -> str:
    """Return the simulated trajectories beside the data, as CSV."""
    return panels.table(curves(run), run.state.problem.dataset)


def show(run: Run) -> tuple[panels.Panel, ...]:
    """Return one panel per equation."""
    return panels.panels(run.state, loop.standing(run.entries))


def what_if(run: Run, key: TermKey) -> Trial:
    """Return what the best equation would be with one more term; nothing is stored."""
    return panels.trial(run.state, bench_for(run.id, run.state), key)


def what_if_equation(run: Run, note: EquationNote) -> Trial:
    """Return what an equation of the person's own would be in place of the best one; nothing is stored."""
    return panels.equation_trial(run.state, bench_for(run.id, run.state), note)


def versions(run: Run, subject: Subject) -> tuple[Version, ...]:
    """Return how a part of the run's words changed, the oldest wording first."""
    return panels.versions(loop.standing(run.entries), subject)


def curves(run: Run) -> tuple[panels.Curve, ...]:
    """Return the data of every run of the table with the best system simulated beside it; the last ones are kept."""
    known = _curves.get(id(run.state))
    if known is None or known[0] is not run.state:
        known = (run.state, panels.curves(run.state, bench_for(run.id, run.state)))
        _curves.put(id(run.state), known)
    return known[1]


_curves: Recent[int, tuple[RunState, tuple[panels.Curve, ...]]] = Recent(8)
"""By the address of a state, which the entry keeps alive."""


def attempted(run: Run) -> tuple[panels.Curve, ...]:
    """Return the same with the current attempt; empty where it has the terms of the best system."""
    return panels.attempted(run.state, bench_for(run.id, run.state))


def as_fitted(run: Run) -> tuple[panels.Curve, ...]:
    """Return the same with the coefficients that the best terms had before they were fitted on trajectories."""
    return panels.as_fitted(run.state, bench_for(run.id, run.state))


def line(run: Run) -> panels.Line | None:
    """Return the rate of the best law over its state; None unless it has one state alone."""
    return panels.line(run.state)


def field(run: Run, low: Sequence[float], high: Sequence[float], n: int) -> panels.Field | None:
    """Return where the best system goes, on n by n points from low to high; None unless it has two states alone."""
    return panels.field(run.state, low, high, n)


def residuals(run: Run) -> tuple[panels.Residuals, ...]:
    """Return what the simulated system leaves over of every state, and whether that looks like noise."""
    bench = bench_for(run.id, run.state)
    return panels.residuals(panels.curves(run.state, bench), run.state.problem.dataset.states, bench.info.noise)


def rates(run: Run) -> tuple[panels.Rates, ...]:
    """Return the rate of every state as estimated from the data, beside that of the law."""
    return panels.rates(run.state, bench_for(run.id, run.state))


def own_start(run: Run, number: int) -> tuple[float, ...]:
    """Return the start of one run of the table, as the best system has it; empty where it is not known."""
    return panels.own_start(run.state, bench_for(run.id, run.state), number)


def forecast(run: Run, number: int, ahead: float, start: Sequence[float] | None = None) -> panels.Forecast:
    """Return the best system followed `ahead` past one run of the table, from its own start or another one."""
    return panels.forecast(run.state, bench_for(run.id, run.state), number, ahead, start)


def knobs(run: Run) -> tuple[panels.Knob, ...]:
    """Return every coefficient of the best system with the range in which it can be moved."""
    return panels.knobs(run.state)


def moved(run: Run, number: int, values: Sequence[float]) -> panels.Moved:
    """Return one run of the table simulated with other coefficients, in the order of `knobs`; nothing is stored."""
    return panels.moved(run.state, bench_for(run.id, run.state), number, values)


def unit_badge(run: Run, key: TermKey) -> panels.UnitBadge | None:
    """Return what the units say of a term in its equation; None where a unit that it needs is not known."""
    return panels.unit_badge(run.state, key)


def tracks(run: Run) -> tuple[panels.Track, ...]:
    """Return what was decided on every term, iteration by iteration."""
    return panels.tracks(loop.standing(run.entries), run.state)


def front(run: Run, equation: int) -> Front:
    """Return every structure of one equation that was visited: which ones nothing smaller beats, and the knee."""
    return loop_front(run.state, equation)


def instead(run: Run, chosen: Structure) -> panels.Instead:
    """Return a structure of the front in the place of the best of its equation, simulated and compared."""
    return panels.instead(run.state, bench_for(run.id, run.state), chosen)


def identifiability(run: Run) -> tuple[Ties, ...]:
    """Return, for each equation that has a best structure with terms, how many others fit as well.

    Where the last iteration compared whole systems, what it found; the status says the same.
    """
    last = run.state.last
    if last is not None and last.beside and UNCOMPARED not in last.rivals:
        return tuple(
            Ties(j, last.rivals[j], in_words(last.rivals[j]), last.beside[j])
            for j, best in enumerate(run.state.best)
            if best is not None and best.fit.terms
        )
    bench = bench_for(run.id, run.state).whole
    whole = reported(run.state)
    found: list[Ties] = []
    for j, best in enumerate(run.state.best):
        if best is not None and best.fit.terms:
            seen = [skeletons for i, skeletons in run.state.archive if i == j]
            seen += rivals(run.state, bench, whole, j) if whole else []
            found.append(ties(bench, bench.fit(j, [term.skeleton for term in best.fit.terms]), seen, whole))
    return tuple(found)


def next_experiment(run: Run, low: Sequence[float], high: Sequence[float]) -> Experiment | None:
    """Return the start in the box [low, high] from which tied systems differ most; None when there is nothing to tell.

    low, high: one number per state.
    """
    best = reported(run.state)
    if not best:
        return None
    return tell_apart(bench_for(run.id, run.state).whole, best, identifiability(run), low, high)


def account(run: Run, done: Iteration) -> panels.Account:
    """Return what happened in one iteration of the run, phase by phase."""
    return panels.account(run.state, done)


def convergence(run: Run) -> tuple[panels.Point, ...]:
    """Return the error by iteration and equation."""
    return panels.convergence(loop.standing(run.entries))


def usage(run: Run) -> tuple[panels.Usage, ...]:
    """Return the tokens of language models by iteration; empty where none was asked."""
    return panels.usage(run.entries)


def marks(run: Run) -> tuple[panels.Mark, ...]:
    """Return the person's interventions on the time line."""
    return panels.marks(loop.standing(run.entries), run.state)


def bans(run: Run) -> tuple[panels.BanRow, ...]:
    """Return the ban list."""
    return panels.bans(run.state)


def text_of(run: Run, key: TermKey) -> str:
    """Return a term as a person reads it, in the columns' own names."""
    return to_text(key.skeleton, names_of(run.state.problem.dataset))


def latex_of(run: Run, key: TermKey) -> str:
    """Return a term as LaTeX, in the columns' own names."""
    return to_latex(key.skeleton, names_of(run.state.problem.dataset))
