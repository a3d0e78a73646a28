"""What a step shows of a run: the same charts and lists as on the other pages, read only."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import lessons, runs
from dolq_core.lessons import Standing, View
from dolq_core.records import EquationFit, TermKey
from dolq_core.views import diagnostics, history
from dolq_core.views.comparison import compare
from dolq_core.views.equations import Panel, Row, panels
from dolq_core.views.forecast import Forecast, forecast
from dolq_core.views.terms import latex_of
from dolq_core.views.trajectories import as_fitted, curves
from pages.discover import plots
from pages.history import answers
from pages.lessons import truth
from pages.ui import charts, compared, convergence, kept, laid, presenting, rates, session, words

AS_FITTED = "fitted to the rates"
CHARTS = {
    "data": "Data", "fit": "Fit", "as fitted": "Two fits", "plane": "Rates", "rates": "Rates in time",
    "errors": "Errors", "decisions": "Decisions", "ahead": "Past the data",
}  # fmt: skip
LONG = 20
"""Letters of a term that a table beside the words has room for."""
LAWS = ("law", "equations")
IN_A_LINE = (r"\tfrac{\mathrm{d}}{\mathrm{d}t}", r"\mathrm{d}/\mathrm{d}t")
AHEAD = 3.0
"""How long laws are followed past the data, in spans of the data."""


def views(now: Standing) -> None:
    """Draw what the step shows now; what stands behind its question first, once it is answered."""
    every = [*now.then, *now.show]
    several = len({view.runs or (now.name,) for view in every}) > 1
    for view in every:
        _view(now, view, several)


def staged(now: Standing, strip: DeltaGenerator) -> None:
    """Draw the same for a room: one chart at a time, and in the strip the law that it is of, once it is told."""
    every = [*now.then, *now.show]
    laws = {(view.runs or (now.name,))[0]: view for view in every if view.kind in LAWS}
    if not laws and _is_told(now):
        laws[now.name] = View(kind="law")
    drawn = [view for view in every if view.kind in CHARTS]
    chosen = drawn[0] if drawn else None
    if len(drawn) > 1:
        number = st.segmented_control(
            "Chart", range(len(drawn)), default=0, format_func=lambda at: _called(now, drawn[at]), required=True,
            key=f"chart·{now.attempt.id}·{now.number}·{len(drawn)}", label_visibility="collapsed",
        )  # fmt: skip
        chosen = drawn[number or 0]
    several = len({view.runs or (now.name,) for view in every}) > 1
    if chosen is not None:
        whose = (chosen.runs or (now.name,))[0]
        with strip:
            for law in [laws[whose]] if whose in laws else laws.values():
                _view(now, law, several)
        _view(now, chosen, several)
    beside = [view for view in every if view.kind not in (*CHARTS, *LAWS)]
    for view in beside if chosen is not None else [*laws.values(), *beside]:
        _view(now, view, several)


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


def _called(now: Standing, view: View) -> str:
    name = now.lesson.runs[view.runs[0]].called if len(view.runs) == 1 else None
    return words.label(f"{CHARTS[view.kind]} {name or ''}".strip())


def _view(now: Standing, view: View, several: bool) -> None:
    names = view.runs or (now.name,)
    called = now.lesson.runs[names[0]].called
    if several and called and len(names) == 1:
        st.markdown(f":blue-badge[{words.label(called)}]")
    found = [lessons.run_for(session.store(), now.attempt, name) for name in names]
    if view.kind == "truth":
        there = lessons.truth_for(session.store(), now.attempt, names[0])
        truth.truth(there, found[0], of_textbook=bool(now.lesson.truth))
    elif view.kind == "helped":
        _helped(*found)
    elif view.kind == "ahead":
        _ahead(found, [now.lesson.runs[name].called or name for name in names])
    else:
        _VIEWS[view.kind](found[0])


def _data(run: runs.Run) -> None:
    dataset = run.state.problem.dataset
    st.markdown(f"**What was measured.** {words.plain(dataset.name)}")
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
    st.markdown(f"**Proposed.** {count} fitted; these are the terms of the best.")
    for panel in panels(run):
        with st.container(key=f"eq_proposed_{panel.equation}", gap="xsmall"):
            st.markdown(f"Change of {words.plain(panel.name)}")
            for row in panel.rows:
                st.markdown(f"{words.tex(row.latex)}")
                st.caption(words.plain(row.proposed_because))
            if not panel.rows:
                of = [term.skeleton for one in done.proposal.candidates for term in one.terms[panel.equation]]
                tried = [words.tex(latex_of(run, TermKey(panel.equation, one))) for one in dict.fromkeys(of)]
                st.markdown(f"Tried: {', '.join([*tried, 'no term at all'])}.")


def _equations(run: runs.Run, *, is_judged: bool = True) -> None:
    """Draw the law; is_judged: with how sure it is, and at a desk with the reason."""
    large = presenting.is_on()
    if not large:
        st.markdown("**The law so far**")
    for panel in panels(run):
        latex = panel.latex or panel.lhs + " = ?"
        latex = latex.replace(*IN_A_LINE) if large else latex
        is_plain = "^" not in latex and "_{" not in latex  # no small letters: a room reads it at their size
        with st.container(key=f"eq_law_{run.id}_{panel.equation}{'_plain' * is_plain}", gap="xsmall"):
            st.markdown(words.tex(rf"\displaystyle {latex}"))
            if run.state.iteration and is_judged:
                reason = "" if large else words.plain(panel.status_reason)
                st.caption(f"{words.verdict(panel.status)} {reason}".rstrip())


def _terms(run: runs.Run) -> None:
    for panel in panels(run):
        st.markdown(f"**Terms in the change of {words.plain(panel.name)}**")
        if not panel.rows:
            st.caption("No term stands.")
            continue
        if presenting.is_on() or max(len(row.text) for row in panel.rows) > LONG:  # a table would be cut off
            for row in panel.rows:
                said = f"Scientist {row.semantic}, numbers {row.evidence}: {words.badge(row.action)}"
                st.markdown(f"{words.tex(row.latex)} · {said}")
            continue
        with st.container(key=f"lesson_terms_{panel.equation}"):
            st.table(_table(panel), border="horizontal", hide_index=True)
        for row in panel.rows:
            st.caption(f"{words.tex(row.latex)} {words.plain(row.reason)}")


def _table(panel: Panel) -> pd.DataFrame:
    def cells(make: Callable[[Row], str]) -> list[str]:
        return [make(row) for row in panel.rows]

    return pd.DataFrame(
        {
            "Term": cells(lambda row: words.tex(row.latex)),
            "Coefficient": cells(lambda row: words.coefficient(row.coefficient, row.std_error)),
            "If dropped": cells(lambda row: words.dropped(row.refitted, row.nats)),
            "Scientist": cells(lambda row: row.semantic),
            "Numbers": cells(lambda row: row.evidence),
            "Verdict": cells(lambda row: words.badge(row.action)),
        }
    )


def _fit(run: runs.Run) -> None:
    plots.fit(run)


def _as_fitted(run: runs.Run) -> None:
    """Draw the same terms twice: with the coefficients of the fit to rates, and those of the fit to trajectories."""
    dataset = run.state.problem.dataset
    first, best = as_fitted(run), kept.once(run, "curves", lambda: curves(run))
    st.markdown("**The same terms, fitted twice**")
    st.caption(compared.key(first, ("first: fitted to the rates", "best: to the trajectories")))
    figure = compared.compared(first, best, ("first", "best"), dataset.states, dataset.time)
    charts.show(
        figure,
        f"lesson.fitted·{run.id}",
        compared.compared_alt(first, best, (AS_FITTED, "the best system"), dataset.states, dataset.time),
    )


def _plane(run: runs.Run) -> None:
    plots.plane(run)


def _rates(run: runs.Run) -> None:
    dataset = run.state.problem.dataset
    st.markdown("**Rates of change**, estimated from the samples and by the law")
    every = kept.once(run, "rates", lambda: diagnostics.rates(run))
    if presenting.is_on() and len(every) > 1:  # one chart at a time
        names = [found.name for found in every]
        chosen = st.segmented_control(
            "State", names, default=names[0], format_func=words.label, required=True, key=f"rates·{run.id}",
            label_visibility="collapsed",
        )  # fmt: skip
        every = [found for found in every if found.name == chosen]
    for found in every:
        charts.show(rates.rates(found, dataset.time), f"lesson.rates·{run.id}·{found.name}", rates.rates_alt(found))


def _errors(run: runs.Run) -> None:
    names = [variable.name for variable in run.state.problem.dataset.states]
    points, marks = history.convergence(run), history.marks(run)
    st.markdown("**Error** (NMSE) by iteration. Line: best; marks: attempts; vertical: a word of yours.")
    alt = convergence.convergence_alt(points, marks, names)
    charts.show(convergence.convergence(points, marks, names), f"lesson.errors·{run.id}", alt)


def _ties(run: runs.Run) -> None:
    st.markdown("**What else fits as well?**")
    for one in lessons.identified(run):
        name = words.plain(run.state.problem.dataset.states[one.equation].name)
        st.markdown(f"Change of {name}: {words.plain(one.words) or 'no other law does about as well.'}")
        for fit in one.fits[:3]:
            st.caption(_structure(run, fit))


def _structure(run: runs.Run, fit: EquationFit) -> str:
    terms = [words.tex(latex_of(run, TermKey(fit.equation, term.skeleton))) for term in fit.terms]
    return f"{', '.join(terms)} · error {words.number(fit.nmse, 2)}"


def _ahead(found: Sequence[runs.Run], names: Sequence[str]) -> None:
    """Draw the laws of several runs over the data of the first one, and AHEAD times as long past them."""
    paths = [kept.once(run, "ahead", lambda run=run: _path(run)) for run in found]
    dataset = found[0].state.problem.dataset
    st.markdown("**The laws followed past the data**")
    figure, alt = laid.laid(paths, names, dataset), laid.laid_alt(paths, names, dataset)
    charts.show(figure, f"lesson.ahead·{'·'.join(run.id for run in found)}", alt)


def _path(run: runs.Run) -> Forecast:
    t = run.state.problem.dataset.trajectories[0].t
    return forecast(run, 0, AHEAD * float(t[-1] - t[0]))


def _helped(here: runs.Run, there: runs.Run) -> None:
    found = compare(here, there)
    with st.container(key="panel_helped", gap="xsmall"):
        for line in answers.answer(found) or ["The two runs do not part at a word."]:
            st.markdown(line)
        for pair in found.equations:
            for head, latex in ((found.here.label, pair.here), (found.there.label, pair.there)):
                st.markdown(f"{head.capitalize()}: {words.tex(latex) if latex else 'none'}")


_VIEWS: Mapping[str, Callable[[runs.Run], None]] = {
    "data": _data,
    "proposal": _proposal,
    "law": partial(_equations, is_judged=False),
    "equations": _equations,
    "terms": _terms,
    "fit": _fit,
    "as fitted": _as_fitted,
    "plane": _plane,
    "rates": _rates,
    "errors": _errors,
    "decisions": plots.actions,
    "ties": _ties,
}
