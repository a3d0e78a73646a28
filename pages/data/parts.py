"""What both kinds of data share on the page: header, preview, description, the start of a run."""

import pandas as pd
import streamlit as st

from dolq_core import runs
from dolq_core.records import Dataset, Problem
from pages.ui import charts, frame, session, words


def header(name: str, badge: str, dataset: Dataset | None) -> bool:
    """Draw name, badge, counts and the two buttons; return whether a run shall start."""
    facts = _facts(dataset) if dataset else []
    _, buttons = frame.header(name, badge, facts)
    with buttons:
        st.button("Other data", icon=":material/upload:", on_click=_other)
        return st.button(
            "Start discovery", type="primary", icon=":material/arrow_forward:", disabled=dataset is None, key="start"
        )


def preview(dataset: Dataset) -> None:
    """Draw the data as they will be fitted."""
    longest = max(len(run.t) for run in dataset.trajectories)
    step = charts.thinned(longest)
    drawn = f", one of {step} drawn" if step > 1 else ""
    st.markdown(f"**Preview.** {words.plural(longest, 'row')} in the longest run{drawn}")
    if len(dataset.trajectories) > 1:
        st.caption(charts.key(dataset.trajectories))
    alt = charts.data_alt(dataset.trajectories, dataset.states, dataset.time)
    charts.show(charts.preview(dataset.trajectories, dataset.states, dataset.time), "preview", f"Measured data. {alt}")


def description(of: str, first: str) -> str:
    """Draw the field for plain words; return what it holds."""
    key = f"words·{of}"
    session.seed(key, first)
    label = "What is this system? Plain words; they guide the proposals."
    return st.text_area(label, key=key, height=150, persist_state="session").strip()


def variables(dataset: Dataset) -> None:
    """Draw names, units and meanings of the columns."""
    listed = (dataset.time, *dataset.states, *dataset.inputs)
    table = {
        "Column": [words.plain(variable.name) for variable in listed],
        "Unit": [words.plain(variable.unit) for variable in listed],
        "Meaning": [words.plain(variable.meaning) for variable in listed],
    }
    with st.container(key="panel_columns"):
        st.subheader("Its columns", anchor=False)
        st.table(pd.DataFrame(table), border="horizontal", hide_index=True)


def start(dataset: Dataset, said: str, name: str) -> None:
    """Create the run and go to it."""
    new = session.new_run()
    problem = Problem(dataset, said)
    made = frame.attempt(
        lambda: session.open_run(runs.start(session.store(), problem, new.settings, new.seed, name=name))
    )
    if made:
        st.switch_page("pages/discover/page.py", query_params={"run": session.run_id()})
    st.rerun()


def _other() -> None:
    session.choose_bundled("")


def _facts(dataset: Dataset) -> list[str]:
    rows = sum(len(run.t) for run in dataset.trajectories)
    return [
        words.plural(rows, "row"),
        words.plural(len(dataset.states), "state"),
        words.plural(len(dataset.trajectories), "run"),
    ]
