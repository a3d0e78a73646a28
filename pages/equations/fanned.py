"""The picture of doubt: laws that explain the data about as well, where they part, and what to do about it."""

from collections.abc import Sequence

import streamlit as st

from dolq_core import runs
from dolq_core.views.fan import Fan, Path, chosen, fan, plan
from dolq_core.views.rivals import Ties, asked_for
from pages.ui import ahead, charts, formulas, frame, jobs, kept, session, words

SIMULATED = "Simulating the laws past the data ..."
USE = (
    "“Use this one” pins the terms of that law, bans those of the law above that it lacks, "
    "and starts an iteration that fits it again, with the whole system: its numbers can change."
)
TOLD = 3.0  # times the noise, from which two simulations are told apart


def fanned(run: runs.Run, tied: Sequence[Ties]) -> None:
    """Draw the laws over the data and on, then each with what can be done with it."""
    asked = f"fan·{run.id}"
    if len(run.state.best) > 1 and not session.value(asked):  # a system takes seconds
        st.button(
            "See where they part", icon=":material/call_split:", key="see_fan", on_click=session.reset,
            args=(asked, True),
        )  # fmt: skip
        return
    found = kept.once(run, "fan", lambda: fan(run, tied), SIMULATED)
    if found is None:
        st.caption("None of them follows whole runs as well.")
        return
    dataset = run.state.problem.dataset
    charts.show(ahead.fan(found, dataset), "fan", ahead.fan_alt(found, dataset))
    _measure(run, found)
    st.caption(USE)
    for number, path in enumerate(found.paths):
        _law(run, path, number)
    if said := _not_drawn(found):
        st.caption(said)


def _not_drawn(found: Fan) -> str:
    """Say how many of all rivals are drawn, and why the others are not; empty where all are."""
    drawn = len(found.paths) - 1
    every = drawn + found.left + found.lost
    said = [f"{drawn} of {words.plural(every, 'rival')} {'is' if drawn == 1 else 'are'} drawn, the closest."]
    said += [f"{words.plural(found.lost, 'law')} with as good rates cannot follow whole runs."] if found.lost else []
    return " ".join(said) if every > drawn else ""


def _law(run: runs.Run, path: Path, number: int) -> None:
    with st.container(key=f"fan_{number}", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.html(ahead.sample(number), width=44)
        if path.equation is None:
            st.markdown("The law above", width="stretch")
            return
        st.markdown(formulas.law(path.latex), width="stretch")
        if st.button("Use this one", key=f"use_{number}"):
            if frame.attempt(lambda: jobs.intervene(run, chosen(run, path))):
                frame.attempt(lambda: jobs.begin(run.id))
                frame.discover()
            st.rerun()


def _measure(run: runs.Run, found: Fan) -> None:
    wanted = found.experiment
    if wanted is None:
        return
    with st.container(key="measure", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.markdown(f":material/star: {words.plain(asked_for(wanted, run.state.problem.dataset))}", width="stretch")
        st.download_button(
            "Plan to fill in (CSV)", lambda: plan(run, wanted), f"{runs.download_name(run.name, 'run')} plan.csv",
            "text/csv", icon=":material/download:", on_click="ignore",
            help="Download a table with the times of a run from this start.",
        )  # fmt: skip
    if wanted.apart < TOLD:
        st.caption("Hardly more than the noise: measure longer, more exactly, or start further away.")
