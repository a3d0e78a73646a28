"""Two runs beside each other: where they part, whether your word helped, and everything that differs."""

from collections.abc import Mapping, Sequence

import streamlit as st

from dolq_core import runs
from dolq_core.errors import grouped
from dolq_core.ports import RunInfo
from dolq_core.records import Models, derivative
from dolq_core.views.comparison import Comparison, Difference, Kin, Pair, Side, compare, kin
from dolq_core.views.history import Piece
from pages.discover import versions
from pages.history import answers, table
from pages.ui import charts, convergence, formulas, frame, kept, knobs, session, words

NOBODY = ""  # an id that no run has
MARK = 0.008
"""Of the width of the chart of errors: half a mark, and less than there is before a name."""
WHAT = {
    "data": "Data", "columns": "Columns", "blocks": "What laws may be made of", "seed": "Seed", "agents": "Agents",
    "models": "Language models",
}  # fmt: skip


def comparison(run: runs.Run, found: Sequence[RunInfo]) -> None:
    """Offer the other runs, those that share a beginning first; draw the chosen one beside this one."""
    others = {info.id: info for info in found if info.id != run.id}
    if not others:
        return
    near = {one.id: one for one in kin(session.store(), run)}
    key = f"compare·{run.id}"
    with st.container(horizontal=True, vertical_alignment="bottom", key="heading_compare"):
        chosen = st.selectbox(
            "Compare with another run", [NOBODY, *near, *(other for other in others if other not in near)],
            format_func=_labels(others, near).__getitem__, key=key, width=420,
        )  # fmt: skip
        nearest = next(iter(near.values()), None)
        if nearest is not None and nearest.id != chosen:
            label = f"Compare with {words.plain(nearest.name)}"
            told = f"{_shared(nearest.common).capitalize()} in common"
            st.button(
                label, icon=":material/compare_arrows:", on_click=session.reset, args=(key, nearest.id), help=told
            )
    if chosen in others:
        other = runs.load(session.store(), chosen)
        both = kept.once(run, f"beside {other.id} {len(other.entries)}", lambda: compare(run, other))
        with st.container(key="panel_compare"):
            _beside(run, other, both)


def _labels(others: Mapping[str, RunInfo], near: Mapping[str, Kin]) -> dict[str, str]:
    return {NOBODY: "No other run"} | {
        run: f"{label} · {_shared(near[run].common)} in common" if run in near else label
        for run, label in frame.labels(others).items()
    }


def _shared(count: int) -> str:
    return "the start" if count == 1 else f"entries 1 to {count}"


def _beside(run: runs.Run, other: runs.Run, found: Comparison) -> None:
    heads = [found.here.label.capitalize(), found.there.label.capitalize()]
    names = [f"{head}: **{words.plain(one.name)}**" for head, one in zip(heads, (run, other), strict=True)]
    st.markdown(". ".join(names) + ".")
    for line in answers.answer(found):
        st.markdown(line)
    st.markdown(_parting(found))
    _scores(found, heads)
    _equations(found.equations, heads)
    _settings(found.settings, heads)
    _description(found.words, found.here, found.there)
    _errors(run, other, found)


def _parting(found: Comparison) -> str:
    sides = [f"{side.label}: {words.plain(side.then)}" for side in (found.here, found.there)]
    if not found.common:
        return "They share no entry: what differs from the start on is named below."
    return f"Both have {_shared(found.common)} in common; then {'; '.join(sides)}."


def _scores(found: Comparison, heads: Sequence[str]) -> None:
    sides = (found.here, found.there)
    rows = {
        "Status": [side.summary.status for side in sides],
        "Error of the simulation (NMSE, worst state)": [table.error(side.summary.error) for side in sides],
        "Error held out": [table.error(side.summary.held_out) for side in sides],
        "Terms in all": [str(side.summary.terms) for side in sides],
        "Iterations": [str(side.iterations) for side in sides],
        "Settled since iteration": ["not settled" if s.settled_after is None else str(s.settled_after) for s in sides],
        "Interventions": [str(side.interventions) for side in sides],
        "Tokens": ["no model" if s.summary.tokens is None else grouped(s.summary.tokens) for s in sides],
    }
    frame.table([(name, *cells) for name, cells in rows.items()], ["", *heads])


def _equations(pairs: Sequence[Pair], heads: Sequence[str]) -> None:
    st.markdown("**Best equations**")
    shown = [[_shown(pair, latex) for latex in (pair.here, pair.there)] for pair in pairs]
    frame.table(shown, heads)
    for pair in pairs:
        for head, only in zip(heads, (pair.only_here, pair.only_there), strict=True):
            if only:
                terms = ", ".join(map(words.tex, only))
                st.markdown(f"{words.plain(derivative(pair.name))}, only {head[0].lower()}{head[1:]}: {terms}")
    if not any(pair.only_here or pair.only_there for pair in pairs):
        st.caption("The same terms in both.")


def _shown(pair: Pair, latex: str) -> str:
    return formulas.law(latex) if latex else f"no law of {words.plain(pair.name)}"


def _settings(differences: Sequence[Difference], heads: Sequence[str]) -> None:
    if not differences:
        st.caption("Same data, building blocks, settings, seed and agents.")
        return
    st.markdown("**What differs**")
    rows = [
        (WHAT.get(one.name) or knobs.LABELS[one.name], _value(one.name, one.here), _value(one.name, one.there))
        for one in differences
    ]
    frame.table(rows, ["At the start", *heads])


def _value(name: str, value: object) -> str:
    if name == "models":
        return words.plain(words.models(value)) if isinstance(value, Models) else "built-in agents"
    return words.plain(knobs.word(name, value) if name in knobs.LABELS else str(value))


def _description(pieces: Sequence[Piece], here: Side, there: Side) -> None:
    if not pieces:
        st.caption("The same description.")
        return
    st.markdown(f"**Description.** Struck (−): only {here.label}. Underlined (+): only {there.label}.")
    st.html(f'<p class="dolq-said dolq-changes">{versions.marked(pieces)}</p>')


def _errors(run: runs.Run, other: runs.Run, found: Comparison) -> None:
    if not found.points:
        return
    st.markdown("**Error** (NMSE) by iteration: the best law then as a line, each attempt as a mark.")
    figure = convergence.convergence(found.points, (), found.labels, longest=24).update_layout(margin_r=150)
    first, last = (pick(point.iteration for point in found.points) for pick in (min, max))
    beyond = MARK * max(1, last - first)
    figure.update_xaxes(range=[first - beyond, last + beyond])  # the names stand in the margin
    charts.show(figure, f"beside·{run.id}·{other.id}", convergence.convergence_alt(found.points, (), found.labels))
