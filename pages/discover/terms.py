"""One equation as a title, and its terms as rows: what everybody says of each, and the person's choice."""

import hashlib
from collections.abc import Mapping

import streamlit as st

from dolq_core import runs
from dolq_core.records import Choice, TermKey, derivative
from dolq_core.views.equations import Panel, Row
from dolq_core.views.history import are_words_newer
from pages.ui import drafts, formulas, frame, session, words
from pages.ui.colours import colours

WIDE = 10  # letters of a term that still fit beside its coefficient
HEADS = ("Term", "Coefficient", "If dropped", "Scientist", "Numbers", "Verdict", "You")
EXPLAINED = (
    "If dropped: factor on the cross-validated error, or loss of log-likelihood in nats, net of the term's cost; the "
    "rest refitted. No fit: the rest cannot follow the samples."
)
HOLDS = " 1/2: first of two holds before removal."

LOOSE = ":orange[:material/priority_high: By its own error it may be zero.] "


def heading(panel: Panel, wished: Mapping[TermKey, Choice] | None = None) -> None:
    """Draw the equation as the title of its panel, its verdict beside it and the reason below.

    wished: what is chosen and waits; None for the law without a mark on its terms, on the page that shows its rivals.
    """
    with st.container(key=f"title_{panel.equation}", horizontal=True, vertical_alignment="center", wrap=False):
        st.markdown(_law(panel, wished), width="stretch")
        rivals = words.rivals(panel.rivals) if wished is None else ""
        st.markdown(f"{frame.standing(panel)} {rivals}{words.HIDDEN * bool(panel.hidden)}", width="content")
        if panel.rivals and not rivals:
            st.page_link(
                "pages/equations/page.py", label=words.plural(panel.rivals, "rival"), icon=words.RIVAL,
                query_params={"run": session.run_id()}, width="content",
            )  # fmt: skip
    st.caption(words.plain(" ".join(filter(None, (panel.status_reason, panel.aside, panel.hidden)))))


def _law(panel: Panel, wished: Mapping[TermKey, Choice] | None) -> str:
    """Return the law as LaTeX that can break: disputed terms marked, held ones grey, removed ones struck.

    Grey as a whole where it is none: the best that was tried.
    """
    none = panel.status == "none"
    if not panel.terms or (wished is None and not none):
        return formulas.law(panel.latex or panel.awaited or f"{panel.lhs} = ?")
    parts = [_part(row, (wished or {}).get(row.key, current(row)), grey=none) for row in panel.terms]
    equals = r"\approx" if none else "="
    return formulas.law(f"{panel.lhs} {equals} {' '.join(parts).removeprefix('+')}")


def _part(row: Row, choice: Choice, *, grey: bool) -> str:
    palette = colours()
    sign, body = row.part
    if row.conflict:
        return rf"{sign} \textcolor{{{palette.remove_text}}}{{\underline{{{body}}}}}"
    if choice == "remove":
        return rf"{sign} \textcolor{{{palette.muted}}}{{\cancel{{{body}}}}}"
    return rf"{sign} \textcolor{{{palette.muted}}}{{{body}}}" if grey or choice == "hold" else f"{sign} {body}"


def head(place: str) -> None:
    """Draw the names of the columns."""
    with st.container(key=f"hd_terms_{place}"):
        st.markdown(words.cells(HEADS))


def current(row: Row) -> Choice:
    """Return what holds for the term now: the person's word, else the machine's."""
    return row.choice or ("pin" if row.pinned else row.action)


def term(run: runs.Run, row: Row) -> None:
    """Draw one term: open with four buttons when it is in dispute, quiet otherwise."""
    name = f"{row.key.equation}_{hashlib.sha256(row.key.skeleton.encode()).hexdigest()[:10]}"
    if row.conflict:
        with st.container(key=f"ask_{name}"):
            _row(run, row, name)
            _dispute(row, earlier=are_words_newer(run))
            _ask(run, row, beside=230)
    else:
        _row(run, row, name)


def _row(run: runs.Run, row: Row, name: str) -> None:
    limit = run.state.settings.max_holds
    strikes = f" {row.strikes}/{limit}" if row.action == "hold" and row.strikes else ""
    wide = words.letters(row.latex) > WIDE
    texts = (
        words.tex(row.latex),
        words.coefficient(row.coefficient, row.std_error),
        words.dropped(row.refitted, row.nats) if row.graded else "–",
        _semantic(row) if row.graded else "–",
        words.grade(row.evidence, row.conflict) if row.graded else "–",
        words.badge(row.action) + strikes if row.graded else ":gray[not graded]",
    )
    with st.container(key=f"row_{name}{'_wide' if wide else ''}"):
        st.markdown(words.cells(texts))
        _you(run, row, name)
        loose = LOOSE if row.may_be_zero else ""
        told = "" if row.is_ungraded else row.told
        if not row.conflict and (told or loose):
            st.caption(f"{loose}{words.plain(told)}")


def _semantic(row: Row) -> str:
    return f":gray[{words.NO_GRADE}]" if row.is_ungraded else words.grade(row.semantic, row.conflict)


def _you(run: runs.Run, row: Row, place: str) -> None:
    pending = drafts.draft(run.id, run.state.iteration).wishes.get(row.key)
    said = pending.choice if pending else row.choice or ("pin" if row.pinned else None)
    if row.conflict:
        st.markdown(words.badge(said) if said else ":orange[your turn]")
        return
    name = words.plain(in_full(run, row))  # for a screen reader: the style sheet takes what is emphasised out of sight
    label = f"**{said}** *{name}*" if said else f"agree *to {row.action} {name}*" if row.graded else f"choose *{name}*"
    with frame.editor(run.id, label, f"you·{place}", type="tertiary", width="content"):
        st.markdown(f"Your choice for {words.tex(row.latex)}")
        _ask(run, row)


def _dispute(row: Row, *, earlier: bool) -> None:
    words_of = ", of the earlier words" if earlier else ""
    told = f"“{words.plain(row.reason)}”" if row.reason else f"{row.semantic}, without a reason."
    st.markdown(
        f":orange[:material/balance:] **Disagreement.** Scientist{words_of}: {told} "
        f"Numbers: {words.evidence(row.refitted, row.nats)} You decide."
    )


def _ask(run: runs.Run, row: Row, beside: int = 0) -> None:
    """Draw the four choices and, below or so wide beside them, the reason; both write the draft, nothing else."""
    iteration = run.state.iteration
    pending = drafts.draft(run.id, iteration).wishes.get(row.key)
    choice, reason = _widgets(run, row)
    session.follow(choice, pending.choice if pending else current(row))
    session.follow(reason, pending.reason if pending else row.choice_reason)
    told = {"on_change": _chosen, "args": (run, row)}
    name = in_full(run, row)
    with st.container(horizontal=bool(beside), vertical_alignment="center", gap="small"):
        st.segmented_control(
            words.label(f"Your choice for {name}"), words.CHOICES, format_func=words.choice_label, required=True,
            key=choice, label_visibility="collapsed", **told,
        )  # fmt: skip
        st.text_input(
            words.label(f"Your reason for {name}"), key=reason, placeholder="Your reason", label_visibility="collapsed",
            width=beside or "stretch", **told,
        )  # fmt: skip


def in_full(run: runs.Run, row: Row) -> str:
    """Return a term and its equation."""
    return f"{row.text} in {derivative(run.state.problem.dataset.states[row.key.equation].name)}"


def _widgets(run: runs.Run, row: Row) -> tuple[str, str]:
    return (
        drafts.term_widget("choice", run.id, row.key, current(row)),
        drafts.term_widget("reason", run.id, row.key, row.choice_reason),
    )


def _chosen(run: runs.Run, row: Row) -> None:
    choice, reason = (session.value(widget) for widget in _widgets(run, row))
    wish(run, row, choice or current(row), (reason or "").strip())


def wish(run: runs.Run, row: Row, choice: Choice, reason: str) -> None:
    """Note a choice and its reason in the draft, with the evidence of the moment in which it was made.

    It is taken back where it says what holds anyway.
    """
    iteration = run.state.iteration
    pending = drafts.draft(run.id, iteration).wishes.get(row.key)
    if pending is not None and (pending.choice, pending.reason) == (choice, reason):
        return
    changed = choice != current(row) or reason != row.choice_reason
    new = drafts.Pending(choice, reason, runs.override(run, row.key, choice, reason)) if changed else None
    drafts.wish(run.id, iteration, row.key, new)
