"""The left column: a panel per equation, and one bar that names the changes and commits them."""

import streamlit as st

from dolq_core import runs
from dolq_core.records import Choice, Intervention, Override, TermKey
from dolq_core.runs import Panel, Row
from pages.discover import terms, trying
from pages.ui import frame, session, words

MANY = 6  # rows of a panel above which the kept ones fold away


def never_applied(run: runs.Run) -> None:
    """Say which choices came too late, because the run went on elsewhere."""
    for draft in session.take_stale(run.id, run.state.iteration):
        chosen = [f"{pending.choice} {runs.text_of(run, key)}" for key, pending in draft.wishes.items()]
        chosen += [f"try {runs.text_of(run, note.key)}" for note in draft.proposals]
        said = words.plain(", ".join(chosen))
        st.warning(f"The run went on elsewhere before you applied: {said}. Choose again, if it still holds.")


@st.fragment
def decisions(run: runs.Run) -> None:
    """Draw every equation with its terms, then the bar."""
    found = runs.show(run)
    if run.state.iteration == 0:
        st.markdown("Press Step for a first proposal, or write a term of your own.")
    for panel in found if run.state.iteration else ():
        _panel(run, panel, crowded=len(found) > 2 or len(panel.rows) > MANY)
    if any(panel.rows for panel in found):
        with st.container(key="quiet"):
            st.caption(terms.EXPLAINED)
    _bar(run, found)


def _panel(run: runs.Run, panel: Panel, crowded: bool) -> None:
    draft = session.draft(run.id, run.state.iteration)
    wished: dict[TermKey, Choice] = {key: pending.choice for key, pending in draft.wishes.items()}
    with st.container(key=f"eq_{panel.equation}"):
        with st.container(key=f"title_{panel.equation}", horizontal=True, vertical_alignment="center", wrap=False):
            st.markdown(terms.title(panel, wished), width="stretch")
            st.markdown(terms.floor_badge(panel), width="content")
        if not panel.rows:
            st.caption(words.plain(panel.status_reason))
            return
        folded = [row for row in panel.rows if crowded and _calm(row) and row.key not in draft.wishes]
        _rows(run, [row for row in panel.rows if row not in folded], f"{panel.equation}")
        if folded:
            fold = f"fold_{run.state.iteration}_{panel.equation}"
            with st.expander(words.plural(len(folded), "kept term"), key=fold):
                _rows(run, folded, f"{panel.equation}_folded")
        if panel.note:
            st.caption(f":material/info: {words.plain(panel.note)}")


def _rows(run: runs.Run, rows: list[Row], place: str) -> None:
    if rows:
        terms.head(place)
    for row in rows:
        terms.term(run, row)


def _calm(row: Row) -> bool:
    return row.action == "keep" and not row.conflict


def _bar(run: runs.Run, found: tuple[Panel, ...]) -> None:
    iteration = run.state.iteration
    draft = session.draft(run.id, iteration)
    rows = {row.key: row for panel in found for row in panel.rows}
    changes = [_change(rows[key], pending.choice) for key, pending in draft.wishes.items() if key in rows]
    changes += [f"Try {words.tex(runs.latex_of(run, note.key))}." for note in draft.proposals]
    with st.container(key="apply", gap="xsmall"):
        said = _summary(run, changes, rows)
        if changes:
            st.markdown(said)
        with st.container(
            key="waits" if changes else "calm", horizontal=True, vertical_alignment="center",
            horizontal_alignment="right", wrap=bool(changes),
        ):  # fmt: skip
            if not changes:
                st.markdown(said, width="stretch")
            trying.try_a_term(run)
            if changes and not session.is_working(run.id):
                _other_ways(run, rows)
            if session.is_working(run.id):
                _while_working(run, rows, bool(changes))
                return
            label = "Apply and continue" if changes else "Continue" if iteration else "First step"
            if st.button(label, type="primary", icon=":material/arrow_forward:", key="go"):
                if _apply(run, rows):
                    frame.attempt(lambda: session.start_job(runs.load(session.store(), run.id), "step"))
                st.rerun()


def _while_working(run: runs.Run, rows: dict[TermKey, Row], changed: bool) -> None:
    """A person's word goes in at once; the iteration under way is dropped, and the next one obeys it."""
    if changed and st.button("Apply now", type="primary", icon=":material/arrow_forward:", key="go"):
        _apply(run, rows)
        st.rerun()


def _other_ways(run: runs.Run, rows: dict[TermKey, Row]) -> None:
    if st.button("Withdraw", type="tertiary", icon=":material/undo:"):
        session.withdraw(run.id, run.state.iteration)
        st.rerun()
    if st.button("Apply", help="Record the changes without a step"):
        _apply(run, rows)
        st.rerun()


def _summary(run: runs.Run, changes: list[str], rows: dict[TermKey, Row]) -> str:
    if changes:
        more = f" And {len(changes) - 2} more." if len(changes) > 2 else ""
        return f"**{words.plural(len(changes), 'change')}.** {' '.join(changes[:2])}{more}"
    disputed = sum(row.conflict for row in rows.values())
    if disputed:
        return f"**{words.plural(disputed, 'term')} in dispute.** Choose, or let the machine."
    if session.is_working(run.id):
        return "At work. What you change counts from the next iteration on."
    if not rows:
        return "No term stands. Continue, or try one." if run.state.iteration else "Nothing is proposed yet."
    stopped = words.plain(runs.reason_to_stop(run))
    return f"{stopped} Continue, or change any row." if stopped else "Nobody disagrees. Continue, or change any row."


def _change(row: Row, choice: Choice) -> str:
    term = words.tex(row.latex)
    if choice == row.action:
        return f"{choice.capitalize()} {term}, as the machine would."
    return f"{choice.capitalize()} {term}; the machine would {row.action} it."


def _apply(run: runs.Run, rows: dict[TermKey, Row]) -> bool:
    """Commit everything that waits as one entry, with what the machine and the numbers said."""
    iteration = run.state.iteration
    draft = session.draft(run.id, iteration)
    if not len(draft):
        return True
    overrides = tuple(_override(run, rows[key], p.choice, p.reason) for key, p in draft.wishes.items() if key in rows)
    said = Intervention(overrides=overrides, propose=draft.proposals)
    done = frame.attempt(lambda: session.intervene(run, said))
    if done:
        session.withdraw(run.id, iteration)
    return done


def _override(run: runs.Run, row: Row, choice: Choice, reason: str) -> Override:
    shown = run.state.last.evaluation.ablations if run.state.last else ()
    ablation = next((ablation for ablation in shown if ablation.key == row.key), None)
    return Override(row.key, choice, reason, row.action, row.semantic, ablation)
