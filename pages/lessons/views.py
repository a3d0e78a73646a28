"""What a step shows of a run: the same charts and lists as on the other pages, read only."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, Final, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import lessons, runs
from dolq_core.lessons import Standing, Truth, View
from dolq_core.records import EquationFit, TermKey, derivative
from dolq_core.views import diagnostics, history
from dolq_core.views.comparison import compare
from dolq_core.views.diagnostics import Rates
from dolq_core.views.equations import Panel, panels
from dolq_core.views.terms import latex_of
from dolq_core.views.trajectories import as_fitted, curves
from pages.discover import plots
from pages.history import answers
from pages.lessons import writing
from pages.ui import ahead, charts, compared, convergence, formulas, frame, kept, presenting, residuals, session, words

AS_FITTED = "fitted to the rates"
LONG = 20
"""Letters of a term that a table beside the words has room for."""
HEADS = ("Term", "Coefficient", "If dropped", "Scientist", "Numbers", "Verdict")
LAWS = ("law", "equations")
AHEAD = 3.0
"""How long laws are followed past the data, in spans of the data."""
LISTED = 3
"""Other laws that are written out."""
IN_A_ROW = 3
"""Parts that a room chooses between side by side; more are a list."""
WORDS = ("proposal", "terms", "ties", "helped")
"""Views without a chart."""


class Part(NamedTuple):
    """What a room sees at a time: what its choice says, what draws it, and whether that is a chart."""

    label: str
    draw: Callable[[], None]
    is_chart: bool = True


def views(now: Standing) -> None:
    """Draw what the step shows now; what stands behind its question first, once it is answered; else the data."""
    every = (*now.then, *now.show)
    for view in every:
        _whose(now, view)
        for part in _parts(now, view):
            part.draw()
    if not every:
        _data(lessons.seen_for(session.store(), now.attempt, now.name))


def staged(now: Standing, strip: DeltaGenerator) -> None:
    """Draw the same for a room: one part at a time, and in the strip the law that it is of, once it is told.

    Words alone have the data below them, where there is room.
    """
    every = [*now.then, *now.show]
    laws = {(view.runs or (now.name,))[0]: view for view in every if view.kind in LAWS}
    if not laws and _is_told(now):
        laws[now.name] = View(kind="law")
    parts = [(view, part) for view in every if view.kind not in LAWS for part in _parts(now, view)]
    labels = [words.label(part.label) for _, part in parts]
    number = _choice(f"chart·{now.attempt.id}·{now.number}·{len(parts)}", labels)
    view, shown = parts[number] if parts else (None, None)
    whose = (view.runs or (now.name,))[0] if view else ""
    with strip:
        for number, law in enumerate([laws[whose]] if whose in laws else laws.values()):
            with st.container(key=f"whose_{number}") if _is_one_of_several(now, law) else nullcontext():
                _whose(now, law)
                _parts(now, law)[0].draw()
    if shown:
        shown.draw()
    if not shown or not shown.is_chart:
        with st.container(key="stage_data"):
            _data(lessons.seen_for(session.store(), now.attempt, whose or now.name))


def _choice(key: str, labels: Sequence[str]) -> int:
    """Let a room choose between parts, in one line; return the number of the part."""
    told: dict[str, Any] = {"format_func": lambda at: labels[at], "key": key, "label_visibility": "collapsed"}
    if len(labels) > IN_A_ROW:
        return st.selectbox("Picture", range(len(labels)), **told)
    if len(labels) < 2:
        return 0
    return st.segmented_control("Picture", range(len(labels)), default=0, required=True, **told) or 0


def _is_told(now: Standing) -> bool:
    """Whether an earlier step has shown the law of this step's run, and nothing was done to the run since."""
    steps = now.lesson.steps
    for step in reversed(steps[: now.number] if now.act is None else ()):
        home = now.lesson.run_name(step)
        if any(view.kind in LAWS and (view.runs or (home,)) == (now.name,) for view in lessons.views_of(step)):
            return True
        if step.act is not None and home == now.name:
            return False
    return False


def _whose(now: Standing, view: View) -> None:
    """Say which run is shown, where the step shows several."""
    if _is_one_of_several(now, view):
        st.markdown(f":blue-badge[{words.label(_called(now, view))}]")


def _is_one_of_several(now: Standing, view: View) -> bool:
    return bool(_called(now, view)) and len({one.runs or (now.name,) for one in (*now.then, *now.show)}) > 1


def _called(now: Standing, view: View) -> str:
    names = view.runs or (now.name,)
    return now.lesson.runs[names[0]].called or "" if len(names) == 1 else ""


def _parts(now: Standing, view: View) -> list[Part]:
    names = view.runs or (now.name,)
    found = [lessons.seen_for(session.store(), now.attempt, name) for name in names]
    label, run = f"{_VIEWS[view.kind][0]} {_called(now, view) if view.runs else ''}".strip(), found[0]
    if view.kind == "rates":
        rates_of = kept.once(run, "rates", lambda: diagnostics.rates(run))
        return [Part(one.name, partial(_rates, run, one, is_first=one is rates_of[0])) for one in rates_of]
    if view.kind == "truth":
        there = kept.once(run, "truth", lambda: lessons.beside_truth(now.lesson, names[0], run))
        parts = [Part(label, partial(_truth, there, of_textbook=bool(now.lesson.truth)), is_chart=False)]
        beyond = f"{_VIEWS['ahead'][0]} {label.removeprefix(_VIEWS['truth'][0])}".strip()
        return (
            [*parts, Part(beyond, partial(_truth_ahead, there, run))] if there is not None and there.curves else parts
        )
    if view.kind == "ahead":
        return [Part(label, partial(_ahead, found, [now.lesson.runs[name].called or name for name in names]))]
    return [Part(label, partial(_VIEWS[view.kind][1], *found), is_chart=view.kind not in WORDS)]


def _data(run: runs.Run) -> None:
    dataset = run.state.problem.dataset
    key = f"{charts.key(dataset.trajectories)}{charts.left_out(dataset.trajectories)}"
    if presenting.is_on():
        st.markdown(f"**{words.plain(dataset.name)}** · :gray[{key}]")
    else:
        st.markdown(f"**What was measured.** {words.plain(dataset.name)}")
        st.caption(key)
    figure = charts.preview(
        dataset.trajectories, dataset.states, dataset.time, [None for _ in dataset.trajectories], dataset.inputs
    )
    alt = f"Measured data. {charts.data_alt(dataset.trajectories, dataset.states, dataset.time)}"
    charts.show(figure, f"lesson.data·{run.id}", alt)


def _proposal(run: runs.Run) -> None:
    """Draw the terms of the last attempt with the reasons for which they were proposed: no grade, no decision."""
    done = run.state.last
    if done is None:
        return
    count = words.plural(len(done.proposal.candidates), "hypothesis", "hypotheses")
    long = f"**Proposed.** {count} fitted; these are the terms of the best."
    st.markdown(f"**Proposed**, the best of {count}" if presenting.is_on() else long)
    for panel in panels(run):
        is_plain = _is_plain("".join(row.latex for row in panel.rows))
        with st.container(key=f"eq_proposed_{panel.equation}{'_plain' * is_plain}", gap="xsmall"):
            if panel.rows or not presenting.is_on():
                st.markdown(_tex(panel.lhs))
            for row in panel.rows:
                if presenting.is_on():
                    st.markdown(f"{_tex(row.latex)} · :gray[{words.plain(row.proposed_because)}]")
                    continue
                st.markdown(f"{words.tex(row.latex)}")
                st.caption(words.plain(row.proposed_because))
            if not panel.rows:
                of = [term.skeleton for one in done.proposal.candidates for term in one.terms[panel.equation]]
                tried = [words.tex(latex_of(run, TermKey(panel.equation, one))) for one in dict.fromkeys(of)]
                equation = f"{_tex(panel.lhs)} · " if presenting.is_on() else ""
                st.markdown(f"{equation}Tried: {', '.join([*tried, 'no term at all'])}.")


def _equations(run: runs.Run, *, is_judged: bool = True) -> None:
    """Draw the law; is_judged: with how sure it is, and at a desk with the reason."""
    large = presenting.is_on()
    if not large:
        st.markdown("**The law so far**")
    for panel in panels(run):
        latex = formulas.best(panel)
        latex = presenting.in_a_line(latex) if large else latex
        with st.container(key=f"eq_law_{run.id}_{panel.equation}{'_plain' * _is_plain(latex)}", gap="xsmall"):
            st.markdown(formulas.law(latex))
            if run.state.iteration and is_judged:
                reason = "" if large else words.plain(panel.status_reason)
                st.caption(f"{words.verdict(panel.status)} {reason}".rstrip())


def _is_plain(latex: str) -> bool:
    """Whether it has no small letters: a room reads it at their size."""
    return "^" not in latex and "_{" not in latex


def _terms(run: runs.Run) -> None:
    for panel in panels(run):
        st.markdown(f"**Terms of** {_tex(panel.lhs)}")
        if not panel.rows:
            st.caption("No term stands.")
            continue
        if panel.aside:
            st.caption(words.plain(panel.aside))
        if presenting.is_on() or max(len(row.text) for row in panel.rows) > LONG:  # a table would be cut off
            for row in panel.rows:
                said = f"Scientist {row.semantic}, numbers {row.evidence}: {words.badge(row.action)}"
                st.markdown(f"{_tex(row.latex)} · {writing.number(row.coefficient)} · {said}")
            continue
        with st.container(key=f"lesson_terms_{panel.equation}"):
            _table(panel)
        for row in panel.rows:
            st.caption(f"{words.tex(row.latex)} {words.plain(row.reason)}")


def _table(panel: Panel) -> None:
    cells = [
        (
            words.tex(row.latex),
            words.coefficient(row.coefficient, row.std_error),
            words.dropped(row.refitted, row.nats),
            row.semantic,
            row.evidence,
            words.badge(row.action),
        )
        for row in panel.rows
    ]
    frame.table(cells, HEADS)


def _as_fitted(run: runs.Run) -> None:
    """Draw the same terms twice: with the coefficients of the fit to rates, and those of the fit to trajectories."""
    dataset = run.state.problem.dataset
    first, best = kept.once(run, "as fitted", lambda: as_fitted(run)), kept.once(run, "curves", lambda: curves(run))
    if not presenting.is_on():  # the key says it too
        st.markdown("**The same terms, fitted twice**")
    st.caption(compared.key(first, ("first: fitted to the rates", "best: to the trajectories")))
    figure = compared.compared(first, best, ("first", "best"), dataset.states, dataset.time)
    charts.show(
        figure,
        f"lesson.fitted·{run.id}",
        compared.compared_alt(first, best, (AS_FITTED, "the best system"), dataset.states, dataset.time),
    )


def _rates(run: runs.Run, found: Rates, *, is_first: bool) -> None:
    if is_first or presenting.is_on():
        st.markdown("**Rates of change.** Dotted: estimated from the samples. Solid: by the law.")
    time = run.state.problem.dataset.time
    charts.show(residuals.rates(found, time), f"lesson.rates·{run.id}·{found.name}", residuals.rates_alt(found))


def _errors(run: runs.Run) -> None:
    names = [variable.name for variable in run.state.problem.dataset.states]
    points, marks = history.convergence(run), history.marks(run)
    dotted = " Dotted: best, held out." if any(point.held_out is not None for point in points) else ""
    said = "**Error of the rates** (NMSE) by iteration. Line: best; marks: attempts; vertical: a word of yours."
    st.markdown(f"{said}{dotted}")
    alt = convergence.convergence_alt(points, marks, names)
    charts.show(convergence.convergence(points, marks, names), f"lesson.errors·{run.id}", alt)


def _ties(run: runs.Run) -> None:
    if not presenting.is_on():
        st.markdown("**What else fits as well?**")
    for one in lessons.identified(run):
        rate = words.plain(derivative(run.state.problem.dataset.states[one.equation].name))
        st.markdown(f"{rate}: {words.plain(one.words) or 'no other law does about as well.'}")
        best = run.state.best[one.equation]
        if one.fits and best is not None:
            st.caption(f"The law: {_structure(run, best.fit)}")
        listed = [_structure(run, fit) for fit in one.fits[: LISTED - presenting.is_on()]]  # all on one screen
        if listed and one.count > len(listed):
            listed[-1] += f" · and {one.count - len(listed)} more"
        for said in listed:
            st.caption(said)


def _structure(run: runs.Run, fit: EquationFit) -> str:
    terms = [_tex(latex_of(run, TermKey(fit.equation, term.skeleton))) for term in fit.terms]
    return f"{', '.join(terms)} · error of the rate {writing.number(fit.nmse, 2)}"


def _tex(latex: str) -> str:
    return words.tex(presenting.in_a_line(latex) if presenting.is_on() else latex)


def _ahead(found: Sequence[runs.Run], names: Sequence[str]) -> None:
    """Draw the laws of several runs over the data of the first one, and AHEAD times as long past them."""
    paths = [kept.once(run, "ahead", lambda run=run: ahead.path(run, AHEAD)) for run in found]
    dataset = found[0].state.problem.dataset
    st.markdown("**The laws followed past the data**")
    figure, alt = ahead.laid(paths, names, dataset), ahead.laid_alt(paths, names, dataset)
    charts.show(figure, f"lesson.ahead·{'·'.join(run.id for run in found)}", alt)


def _helped(here: runs.Run, there: runs.Run) -> None:
    found = compare(here, there)
    with st.container(key="panel_helped", gap="xsmall"):
        for line in answers.answer(found) or ["The two runs do not part at a word."]:
            st.markdown(line)
        for pair in found.equations:
            for head, latex in ((found.here.label, pair.here), (found.there.label, pair.there)):
                law = partial(formulas.room, small=True) if presenting.is_on() else formulas.law
                st.markdown(f"{head.capitalize()}: {law(latex) if latex else 'none'}")


def _truth(found: Truth | None, *, of_textbook: bool = False) -> None:
    """Draw the table of terms, precision and recall.

    of_textbook: the law is a textbook's, and the data were measured: nobody knows their true law.
    """
    st.markdown(f"**Compared with the {'textbook' if of_textbook else 'truth'}**")
    if found is None:
        st.caption("There is no law to compare yet.")
        return
    true, theirs = ("in the textbook's law", "its terms") if of_textbook else ("true", "the true ones")
    share = f"**{found.precision:.0%}** of the found terms are {true}, **{found.recall:.0%}** of {theirs} are found."
    st.markdown(share)
    for row in found.rows:
        parts = ((f"found and {true}", row.right), ("missed", row.missed), (f"found, not {true}", row.wrong))
        said = " · ".join(f"{part}: {_listed(terms)}" for part, terms in parts if terms)
        st.markdown(f"{words.plain(derivative(row.name))}: {said}")


def _truth_ahead(found: Truth, run: runs.Run) -> None:
    """Draw the true trajectories with the found law through them."""
    dataset = run.state.problem.dataset
    st.markdown("**Past the data.** Marks: true law, two starts, twice the time. Lines: found law.")
    figure = charts.trajectories(found.curves, dataset.states, dataset.time)
    alt = f"True law and found law. {charts.trajectories_alt(found.curves, dataset.states, dataset.time)}"
    charts.show(figure, f"lesson.truth·{run.id}", alt)
    if lost := [curve.label for curve in found.curves if curve.model is None]:
        st.caption(f"No line from the {' and the '.join(lost)}: there the found law runs off to infinity.")


def _listed(latex: tuple[str, ...]) -> str:
    """Return terms with their commas inside, so that no line begins with one."""
    return " ".join(_tex(f"{one}," if number < len(latex) else one) for number, one in enumerate(latex, 1))


_VIEWS: Final[Mapping[str, tuple[str, Callable[..., None]]]] = {
    "data": ("Data", _data),
    "proposal": ("Proposal", _proposal),
    "law": ("Law", partial(_equations, is_judged=False)),
    "equations": ("Law", _equations),
    "terms": ("Grades", _terms),
    "fit": ("Fit", plots.fit),
    "as fitted": ("Two fits", _as_fitted),
    "plane": ("Rates", plots.plane),
    "rates": ("Rates in time", _rates),
    "errors": ("Errors", _errors),
    "decisions": ("Decisions", plots.actions),
    "ties": ("Other laws", _ties),
    "truth": ("Truth", _truth),
    "helped": ("Your word", _helped),
    "ahead": ("Past the data", _ahead),
}
"""What a room reads of a view where it chooses between several, and what draws it."""
