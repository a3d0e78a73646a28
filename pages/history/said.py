"""A person's word in the log: everything that one entry decided, named, with the reasons."""

import streamlit as st

from dolq_core import runs
from dolq_core.records import Intervention, TermKey, derivative
from dolq_core.views.terms import equation_text, family_text, latex_of
from pages.ui import frame, words


def said(run: runs.Run, number: int, entry: Intervention) -> None:
    """Draw one entry of the person's."""
    with st.container(key=f"panel_{number}", gap="xsmall"):
        who = "You" if entry.by == "human" else words.plain(entry.by)
        st.markdown(_with(f":material/person: **{who}**", entry.reason))
        for line in (*_on_terms(run, entry), *_on_many(run, entry)):
            st.markdown(line)
        if entry.budget is not None:
            st.markdown("Changed the budget of the language models")
        if entry.agents is not None:
            st.markdown(words.plain(words.agents(entry.agents)))
        for what, text in (
            ("New description", entry.description),
            ("Insight, corrected", entry.insight),
            ("Remark", entry.remark),
        ):
            if text is not None:
                st.markdown(f"**{what}**")
                frame.says(text)


def _on_terms(run: runs.Run, entry: Intervention) -> list[str]:
    """Return a line for each single term that was decided on."""
    lines: list[str] = []
    for override in entry.overrides:
        agrees = override.machine == "keep" and override.choice == "pin"
        machine = f"; the machine would {override.machine} it{' too' * agrees}" if override.machine else ""
        lines.append(_with(f"{words.badge(override.choice)} {named(run, override.key)}{machine}", override.reason))
    for what, notes in (("Banned", entry.ban), ("Pinned", entry.pin), ("Proposed", entry.propose)):
        lines += [_with(f"{what} {named(run, note.key)}", note.reason) for note in notes]
    for what, keys in (("Lifted the ban of", entry.unban), ("Unpinned", entry.unpin)):
        lines += [f"{what} {named(run, key)}" for key in keys]
    return lines


def _on_many(run: runs.Run, entry: Intervention) -> list[str]:
    """Return a line for each equation, kind of terms and column that was spoken of."""
    lines = [
        _with(f"Proposed the equation {words.plain(equation_text(run, note))}", note.reason) for note in entry.equations
    ]
    lines += [_with(f"Banned {words.plain(family_text(run, note.key))}", note.reason) for note in entry.ban_families]
    lines += [f"Lifted the ban of {words.plain(family_text(run, key))}" for key in entry.unban_families]
    for note in entry.variables:
        told = ", ".join(part for part in (note.unit and f"in {note.unit}", note.meaning) if part) or "nothing"
        lines.append(f"Said of the column {words.plain(note.name)}: {words.plain(told)}")
    return lines


def named(run: runs.Run, key: TermKey) -> str:
    """Return a term as LaTeX, and its equation."""
    rate = words.plain(derivative(run.state.problem.dataset.states[key.equation].name))
    return f"{words.tex(latex_of(run, key))} in {rate}"


def _with(told: str, reason: str) -> str:
    return f"{told} · {words.plain(reason)}" if reason else told
