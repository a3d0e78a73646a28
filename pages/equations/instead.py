"""What if it were another structure of the front: chosen by a click or in a list, compared, simulated, handed over."""

from collections.abc import Sequence

import streamlit as st

from dolq_core import runs
from dolq_core.records import EquationFit, EquationNote, Intervention, Structure, TermKey, derivative
from dolq_core.views.equations import Panel
from dolq_core.views.rivals import Alternative, alternative, front_error
from dolq_core.views.terms import is_banned, text_of
from dolq_core.views.trajectories import curves
from pages.ui import charts, compared, formulas, frame, goodness, kept, session, words
from pages.ui import front as chart


def click(run: runs.Run, panel: Panel) -> str:
    """Return the key of the chart of an equation's front."""
    return f"front·{run.id}·{panel.equation}"


def clicked(run: runs.Run, panel: Panel, fits: Sequence[EquationFit]) -> None:
    """Choose what was clicked, by its terms: places in the chart change from iteration to iteration."""
    terms = session.clicked(click(run, panel))
    found = next((fit for fit in fits if chart.place(fit) == terms), None)
    if found is not None:
        session.reset(_list(run, panel), _structure(found))


def choose(run: runs.Run, panel: Panel, fits: Sequence[EquationFit], texts: chart.Texts) -> EquationFit | None:
    """Draw the list of the same structures, for those who do not click; return the one that is chosen."""
    by_terms = {_structure(fit): fit for fit in fits}
    best = run.state.best[panel.equation]
    shown = _structure(best.fit) if best else None

    def label(one: Structure) -> str:
        fit = by_terms[one]
        same = ", shown above" if one == shown else ""
        return f"{texts[id(fit)]} ({words.number(front_error(fit), 2)}{same})"

    key = _list(run, panel)
    if session.value(key) not in by_terms:
        session.drop(key)
    found = st.selectbox(
        f"A structure for {words.label(derivative(panel.name))}", list(by_terms), index=None, format_func=label,
        key=key, placeholder="Click a point, or choose here",
    )  # fmt: skip
    return None if found is None else by_terms[found]


def chosen(run: runs.Run, panel: Panel) -> None:
    """Draw the structure that is chosen in the place of the best one of its equation."""
    structure = session.value(_list(run, panel))
    if structure is None or structure not in run.state.archive:
        return
    found = kept.once(run, f"instead {structure}", lambda: alternative(run, structure), "Simulating ...")
    with st.container(key=f"panel_instead_{panel.equation}", gap="small"):
        st.markdown(f"**Instead.** {formulas.law(found.latex)}")
        st.markdown(f"{words.errors(found.fit)} {words.plain(found.words)}")
        if found.is_best:
            return
        if found.rough:
            st.caption("Not fitted to whole runs, as the best was: its curve may mislead.")
        _curves(run, found, panel)
        _offer(run, found, panel)


def _curves(run: runs.Run, found: Alternative, panel: Panel) -> None:
    """Draw the system with this equation in it, beside the data and the best system."""
    dataset = run.state.problem.dataset
    if not found.curves:
        st.caption("Not simulated: an equation is still missing.")
        return
    failure = next((curve.failure for curve in found.curves if curve.failure), "")
    if failure:
        st.markdown(f":orange[:material/error:] With it the system cannot be simulated: {words.plain(failure)}")
        return
    seen, ahead = (tell(found.curves, len(dataset.states)) for tell in (charts.worst, charts.worst_ahead))
    st.markdown(goodness.other("With it", seen, ahead, charts.held(found.curves)))
    best = kept.once(run, "curves", lambda: curves(run))
    st.caption(compared.key(found.curves, ("with it instead", "law")))
    figure = compared.compared(found.curves, best, ("instead", "law"), dataset.states, dataset.time)
    alt = compared.compared_alt(
        found.curves, best, (f"the system with this equation for {panel.name}", "the law"), dataset.states, dataset.time
    )
    charts.show(figure, f"instead·{run.id}·{panel.equation}", alt)


def _offer(run: runs.Run, found: Alternative, panel: Panel) -> None:
    """Draw the button that hands the structure over, or say that it is on its way."""
    note = EquationNote(
        panel.equation, tuple(term.skeleton for term in found.fit.terms), "From the front of sizes and errors."
    )
    if any(set(waiting.skeletons) == set(note.skeletons) for waiting in run.state.equations):
        st.markdown(":blue[:material/check:] The next iteration tries this equation.")
        return
    keys = [TermKey(panel.equation, skeleton) for skeleton in note.skeletons]
    banned = [text_of(run, key) for key in keys if is_banned(run, key)]
    if banned:
        st.caption(f"{words.plain(', '.join(banned))}: banned; this lifts the ban.")
    if st.button("Try it in the next iteration", icon=":material/send:", key=f"propose_{panel.equation}"):
        frame.say(run, Intervention(equations=(note,)))


def _list(run: runs.Run, panel: Panel) -> str:
    return f"structure·{run.id}·{panel.equation}"


def _structure(fit: EquationFit) -> Structure:
    return fit.equation, tuple(sorted(term.skeleton for term in fit.terms))
