"""The left column: a panel per equation, and one bar that names the changes and commits them."""

import streamlit as st

from dolq_core import runs
from dolq_core.loop import unanswered
from dolq_core.records import Choice, Intervention, Override, TermKey, derivative
from dolq_core.views import summary
from dolq_core.views.equations import Panel, Row, panels
from dolq_core.views.history import last_word_of
from dolq_core.views.terms import equation_text, latex_of, text_of
from dolq_core.views.veto import costs, is_pin_borne_out
from pages.discover import table, terms, trying
from pages.ui import drafts, formulas, frame, jobs, session, words

FIRST = "The first iteration: proposing, fitting, grading."
MANY = 6  # rows of a panel above which the kept ones fold away


def _carried(run: runs.Run) -> None:
    """Say which choices wait from an earlier iteration, because the run went on before they were applied."""
    draft = drafts.carry(run.id, run.state.iteration)
    if len(draft) and not jobs.is_working(run.id):
        chosen = [f"{pending.choice} {text_of(run, key)}" for key, pending in draft.wishes.items()]
        chosen += [f"try {text_of(run, note.key)}" for note in draft.proposals]
        chosen += [f"pin {text_of(run, note.key)}" for note in draft.pins]
        chosen += [f"try the equation {equation_text(run, note)}" for note in draft.equations]
        said = words.plain(", ".join(chosen))
        st.info(f"Still to be applied: {said}. The numbers have changed since.")


@st.fragment
def decisions(run: runs.Run, as_table: bool = False) -> None:
    """Draw every equation with its terms, then the bar; as_table: the terms of all of them in one grid.

    Drawn by itself it knows the run as the whole page did: where more has been said since, by "Apply" or elsewhere, the
    whole page is drawn anew.
    """
    if not jobs.is_working(run.id) and session.has_gone_on(run):
        st.rerun()
    _carried(run)
    found = panels(run)
    if run.state.iteration == 0:
        working = jobs.is_working(run.id)
        st.markdown(FIRST if working else "No law yet. Take the first step, or type a term.")
    if as_table:
        table.take_in(run, found)
    for panel in found if run.state.iteration else ():
        _panel(run, panel, None if as_table else len(found) > 2 or len(panel.terms) > MANY)
    if any(panel.rows for panel in found):
        if as_table:
            table.table(run, found)
        with st.container(key="quiet", horizontal=True, vertical_alignment="center", wrap=False):
            holds = any(row.action == "hold" and row.strikes for panel in found for row in panel.rows)
            nats = any(row.nats is not None for panel in found for row in panel.rows)
            also = (words.NATS if nats else "") + (terms.HOLDS if holds else "")
            st.caption(terms.EXPLAINED + also, width="stretch")
            if table.switch() != as_table:
                st.rerun()
    _bar(run, found)


def _panel(run: runs.Run, panel: Panel, crowded: bool | None) -> None:
    """Draw an equation and its terms; crowded: fold what nobody disputes; None: the equation alone."""
    draft = drafts.draft(run.id, run.state.iteration)
    wished: dict[TermKey, Choice] = {key: pending.choice for key, pending in draft.wishes.items()}
    with st.container(key=f"eq_{panel.equation}"):
        terms.heading(panel, wished)
        if crowded is not None:
            _law(run, panel, crowded, draft)
        _tried(run, panel, as_rows=crowded is not None)


def _law(run: runs.Run, panel: Panel, crowded: bool, draft: drafts.Draft) -> None:
    rows = [row for row in panel.rows if row.in_law]
    kept = [row for row in rows if row.action == "keep" and not row.conflict]
    folded = [row for row in kept if crowded and row.key not in draft.wishes]
    _rows(run, [row for row in rows if row not in folded], f"{panel.equation}")
    if folded:
        fold = f"fold_{run.state.iteration}_{panel.equation}"
        with st.expander(words.plural(len(folded), "kept term"), key=fold):
            _rows(run, folded, f"{panel.equation}_folded")


def _tried(run: runs.Run, panel: Panel, as_rows: bool) -> None:
    """Draw what the last iteration tried where it is another equation than the law, and the terms that it alone has."""
    if panel.tried:
        with st.container(key=f"tried_{panel.equation}"):
            later = "**Tried now**, ruled out since" if panel.is_ruled_out else "**Tried now**, not better"
            said = "**Before your choice**" if panel.awaited else later
            st.markdown(f"{said}: {formulas.law(panel.tried)}")
            if as_rows and not panel.awaited:
                _rows(run, [row for row in panel.rows if not row.in_law], f"{panel.equation}_tried")
    if panel.note:
        st.caption(f":material/info: {words.plain(panel.note)}")


def _rows(run: runs.Run, rows: list[Row], place: str) -> None:
    if rows:
        terms.head(place)
    for row in rows:
        terms.term(run, row)


def _bar(run: runs.Run, found: tuple[Panel, ...]) -> None:
    iteration = run.state.iteration
    draft = drafts.draft(run.id, iteration)
    rows = {row.key: row for panel in found for row in panel.rows}
    changes = [_change(run, key, rows.get(key), pending.choice) for key, pending in draft.wishes.items()]
    changes += [f"Try {words.tex(latex_of(run, note.key))}." for note in draft.proposals]
    changes += [f"Pin {words.tex(latex_of(run, note.key))}." for note in draft.pins]
    changes += [f"Try the equation {words.plain(equation_text(run, note))}." for note in draft.equations]
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
            if changes:
                _other_ways(run)
            if jobs.is_working(run.id):
                _while_working(run, bool(changes))
                return
            label = "Apply and continue" if changes else "Continue" if iteration else "First step"
            if st.button(label, type="primary", icon=":material/arrow_forward:", key="go"):
                if apply(run):
                    frame.attempt(lambda: jobs.start(runs.load(session.store(), run.id), "step"))
                st.rerun()


def _while_working(run: runs.Run, changed: bool) -> None:
    """A person's word goes in at once; the iteration under way is dropped, and the next one obeys it."""
    label, icon = "Apply now", ":material/arrow_forward:"
    if changed and st.button(label, type="primary", icon=icon, key="go", on_click=_record, args=(run,)):
        st.rerun()


def _other_ways(run: runs.Run) -> None:
    """Offer what ends the wait without a step.

    The work is done before anything is drawn: a page that is drawn anew at this moment would not get as far as here.
    """
    if st.button("Withdraw", type="tertiary", icon=":material/undo:", on_click=drafts.withdraw, args=(run.id,)):
        st.rerun()
    if not jobs.is_working(run.id):
        st.button("Apply", help="Without a step", on_click=_record, args=(run,))


def _summary(run: runs.Run, changes: list[str], rows: dict[TermKey, Row]) -> str:
    if changes:
        more = f" And {len(changes) - 2} more." if len(changes) > 2 else ""
        return f"**{words.plural(len(changes), 'change')}.** {' '.join(changes[:2])}{more}"
    if any(row.conflict for row in rows.values()):
        return _dispute(run, list(rows.values()))
    if jobs.is_working(run.id):
        return "At work. Changes count from the next iteration on."
    if not rows:
        return _no_terms(run)
    stopped = words.plain(runs.reason_to_stop(run, standing=False))
    told = "Your word counts from now on." if last_word_of(run) else _agreed(run)
    return stopped or f"{told} Continue, or change any row.".strip()


def _no_terms(run: runs.Run) -> str:
    """Say that there is nothing to decide; where a language model's answer is why, that it can be asked again."""
    if run.state.last is None:
        return ""
    return "Continue asks again; or try a term." if unanswered(run.state.last) else "No terms. Continue, or try one."


def _agreed(run: runs.Run) -> str:
    """Say that nobody disagrees, where that is so: the numbers may be against a pin, or the law the weaker for it."""
    if not is_pin_borne_out(run):
        return "The numbers disagree with your pin."
    vetoed = any(ban.by == "human" for ban in run.state.bans.values())
    lawless = summary.verdict(run.state).status == "none"
    return "" if vetoed or lawless or costs(run) or runs.asks_person(run) else "Nobody disagrees."


def _dispute(run: runs.Run, rows: list[Row]) -> str:
    """Say how many terms are in dispute, and whether they are of the law at all."""
    disputed = [row for row in rows if row.conflict]
    count, leave = words.plural(len(disputed), "term"), "it" if len(disputed) == 1 else "them"
    if summary.asked(run.state) not in ("", summary.WAITING):
        return f"**{count} in dispute.** {summary.STANDS_ANYWAY}"
    if any(row.in_law for row in rows) and not any(row.in_law for row in disputed):
        return f"**{count} in dispute**, of what was tried and not of the law. Choose, or leave {leave}."
    return f"**{count} in dispute.** Choose, or leave {leave}."


def _change(run: runs.Run, key: TermKey, row: Row | None, choice: Choice) -> str:
    states = run.state.problem.dataset.states
    where = f" in {words.plain(derivative(states[key.equation].name))}" if len(states) > 1 else ""
    term = words.tex(latex_of(run, key) if row is None else row.latex) + where
    if row is None:
        return f"{choice.capitalize()} {term}, no longer in the equation."
    if choice == row.action:
        return f"{choice.capitalize()} {term}, as the machine would."
    too = " too" if (choice, row.action) == ("pin", "keep") else ""
    return f"{choice.capitalize()} {term}; the machine would {row.action} it{too}."


def _record(run: runs.Run) -> None:
    apply(run)


def apply(run: runs.Run) -> bool:
    """Commit everything that waits as one entry, with what the machine and the numbers said."""
    iteration = run.state.iteration
    draft = drafts.draft(run.id, iteration)
    if not len(draft):
        return True
    overrides = tuple(p.seen or Override(key, p.choice, p.reason) for key, p in draft.wishes.items())
    said = Intervention(overrides=overrides, propose=draft.proposals, pin=draft.pins, equations=draft.equations)
    done = frame.attempt(lambda: jobs.intervene(run, said))
    if done:
        drafts.withdraw(run.id, iteration)
    return done
