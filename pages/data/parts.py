"""What both kinds of data share on the page: header, preview, description, the start of a run."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from dolq_core import runs
from dolq_core.errors import DataError
from dolq_core.fitting.held_out import names_of_runs
from dolq_core.inspection import Rows, clean_names, first_rows
from dolq_core.records import Dataset, Problem, Settings
from dolq_core.views import fitness as fitness_view
from dolq_core.views.description import description_notes
from dolq_core.views.sampling import FitnessVerdict
from pages.data import allowing
from pages.ui import charts, frame, new_run, session, words

SHARES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)  # of each run, at its end
VERDICTS: dict[FitnessVerdict, str] = {
    "good": ":blue[:material/check:]",
    "mind": ":gray[:material/info:]",
    "bad": ":orange[:material/priority_high:]",
}
FAULT = ":orange-badge[:material/error: Not ready]"


def header(name: str, badge: str, dataset: Dataset | None, allowed: Problem | DataError | None = None) -> bool:
    """Draw name, badge, counts and the two buttons; return whether a run shall start.

    allowed: the data with what laws may be made of, or why a rule for them cannot be used, which is told here too.
    """
    fault = isinstance(allowed, DataError)
    facts = _facts(dataset) if dataset else []
    buttons = frame.header(name, FAULT if fault else badge, facts)
    with buttons:
        st.button("Other data", icon=":material/upload:", on_click=new_run.choose_bundled, args=("",))
        pressed = st.button(
            "Start discovery", type="primary", icon=":material/arrow_forward:", key="start",
            disabled=dataset is None or fault,
        )  # fmt: skip
    if fault:
        st.error(words.plain(f"In “Building blocks”, below: {allowed}"), icon=":material/error:")
    return pressed


@dataclass(frozen=True)
class Held:
    """What no fit of the run to come sees: a share of each run, at its end, and whole runs."""

    share: float
    runs: tuple[str, ...] = ()


def rows(names: Sequence[str], cells: Rows) -> None:
    """Draw rows of a table, numbers as they are read best."""
    shown = [[words.plain(cell) if isinstance(cell, str) else _number(cell) for cell in row] for row in cells]
    with st.container(key="rows"):
        frame.table(shown, [words.plain(name) for name in names])


def _number(value: float) -> str:
    return "" if math.isnan(value) else words.bare(value)


def preview(dataset: Dataset, of: str, run: str | None = None) -> Held:
    """Draw the data as they will be fitted, and the choice of what is held out; return that choice.

    run: the column that tells the runs apart.
    """
    longest = max(len(run.t) for run in dataset.trajectories)
    step = charts.thinned(longest)
    drawn = f", 1 in {step} drawn" if step > 1 else ""
    place, first = st.tabs(["Chart", "First rows"])
    with first:
        rows(clean_names(dataset, run), first_rows(dataset, run))
    whole = _held_out_runs(dataset, of)
    refusal = _refusal(dataset, whole)
    if refusal:
        st.error(words.plain(refusal), icon=":material/error:")
    out = () if refusal else whole
    share = _held_out(dataset, of, out)
    since, _ = runs.held_from(dataset, share, out)
    alt = charts.data_alt(dataset.trajectories, dataset.states, dataset.time)
    alt = f"{alt}{charts.inputs_alt(dataset.trajectories, dataset.inputs)}"
    figure = charts.preview(dataset.trajectories, dataset.states, dataset.time, since, dataset.inputs)
    with place:
        st.caption(f"{words.plural(longest, 'row')} in the longest run{drawn}")
        if len(dataset.trajectories) > 1:
            st.caption(charts.key(dataset.trajectories, since))
        also = f" Held out whole: {', '.join(out)}." if out else ""
        charts.show(figure, "preview", f"Measured data. {alt}{also}")
    return Held(share, whole)


def _refusal(dataset: Dataset, whole: tuple[str, ...]) -> str:
    """Return why these runs cannot be held out; empty when they can."""
    try:
        runs.held_from(dataset, 0.0, whole)
    except DataError as error:
        return str(error)
    return ""


def _held_out_runs(dataset: Dataset, of: str) -> tuple[str, ...]:
    """Draw the choice of whole runs where there are several; all but one can be held out."""
    names = names_of_runs(dataset)
    if len(names) < 2:
        return ()
    return tuple(
        st.multiselect(
            "Runs to hold out", names, key=f"held_out_runs·{of}·{len(names)}", max_selections=len(names) - 1,
            placeholder="none", persist_state="session",
            help="No fit sees these runs; the law is simulated from their starts.",
        )
    )  # fmt: skip


def _held_out(dataset: Dataset, of: str, whole: tuple[str, ...]) -> float:
    """Draw the slider; without runs that are long enough, say what is held out and why no more."""
    wanted = new_run.new_run().settings.held_out
    shares = sorted({*SHARES, wanted}, reverse=True)
    some = [share for share in shares if any(runs.held_from(dataset, share)[0])]
    if not some:
        st.caption(words.plain(runs.held_from(dataset, wanted, whole)[1]))
        return wanted
    options = [*some, 0.0 if wanted in some else wanted]
    key, last = _share_key(dataset, of, wanted), f"held_out·{of}"
    before = session.value(last)
    session.seed(key, before if before in options else wanted)
    first = charts.common(runs.held_from(dataset, max(some))[0])
    label = "Held out at the end of each run" if first is None else f"Held out from {words.plain(dataset.time.name)} ="
    share = st.select_slider(
        label, options, key=key, format_func=lambda share: _until(dataset, share), persist_state="session",
        help="Errors and curves there are of coefficients that have not seen this part; those of the law are finally "
        "fitted on all rows. Under noise, structures are compared on it too.",
    )  # fmt: skip
    session.reset(last, share)
    return share


def _until(dataset: Dataset, share: float) -> str:
    held = runs.held_from(dataset, share)[0]
    since = charts.common(held)
    return words.bare(since) if since is not None else f"{share:.0%}" if any(held) else "nothing"


def description(of: str, first: str, dataset: Dataset | None = None) -> str:
    """Draw the field for plain words, and what is to be minded in them; return what it holds.

    dataset: to say so where none of its variables is named.
    """
    key = f"words·{of}"
    session.seed(key, first)
    label = "What is this system, in plain words?"
    said = st.text_area(label, key=key, height=150, persist_state="session").strip()
    st.caption("It guides the proposals. Mechanisms (who eats whom, what flows), not formulas.")
    for note in description_notes(said, dataset):
        verdict = VERDICTS["bad" if note.kind == "formula" else "mind"]
        st.markdown(f"{verdict} {words.plain(note.text)}")
    return said


def fitness(dataset: Dataset, held: Held) -> None:
    """Draw whether the data are fit for discovery, with what is held out: finding and meaning."""
    try:
        found = fitness_view.fitness(Problem(dataset), _settings(held))
    except DataError:  # said where the runs to hold out are chosen
        return
    with st.container(key="panel_fitness"):
        st.header("Are the data good enough?", anchor=False)
        for check in found.checks:
            with st.container(key=f"fit_{check.code.replace(' ', '_')}"):
                finding, meaning = st.columns([1, 1.9], gap="small")
                finding.markdown(f"{VERDICTS[check.verdict]} **{words.plain(check.finding)}**")
                meaning.markdown(words.plain(check.meaning))
                if check.code == "hidden":
                    meaning.markdown(allowing.hidden(dataset))


def _settings(held: Held) -> Settings:
    return replace(new_run.new_run().settings, held_out=held.share, held_out_runs=held.runs)


def _share_key(dataset: Dataset, of: str, wanted: float) -> str:
    """Return the key of the slider: another one where its labels, which are times, are others."""
    times = tuple((len(run.t), float(run.t[0]), float(run.t[-1])) for run in dataset.trajectories)
    return f"held_out·{of}·{wanted:g}·{hash(times):x}"


def variables(dataset: Dataset) -> None:
    """Draw names, units and meanings of the columns of a bundled set."""
    listed = (dataset.time, *dataset.states, *dataset.inputs)
    table = {
        "Column": [words.plain(variable.name) for variable in listed],
        "Unit": [words.plain(variable.unit) for variable in listed],
        "Meaning": [words.plain(variable.meaning) for variable in listed],
    }
    with st.container(key="panel_columns"):
        st.header("Columns", anchor=False)
        frame.table(table)


def start(chosen: Problem, said: str, name: str, held: Held) -> None:
    """Create the run and go to it; chosen: the data with what laws may be made of."""
    problem = runs.with_second_order(replace(chosen, description=said), ())
    frame.enter(lambda: new_run.start(problem, name, _settings(held)), is_new=True)


def _facts(dataset: Dataset) -> list[str]:
    rows = sum(len(run.t) for run in dataset.trajectories)
    return [
        words.plural(rows, "row"),
        words.plural(len(dataset.states), "state"),
        words.plural(len(dataset.trajectories), "run"),
    ]
