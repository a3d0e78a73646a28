"""One iteration as it happened: sampled, fitted, evaluated, decided, simulated; drawn when it is opened."""

import math

import streamlit as st

from dolq_core import runs
from dolq_core.loop import calls_of, unanswered, ungraded
from dolq_core.records import Iteration, derivative
from dolq_core.views.iteration import Account, JudgedTerm, Tried, account
from pages.history import calls
from pages.ui import formulas, frame, words

SOURCES = {
    "builtin": "built-in agents",
    "human": "you",
    "pin": "your pin",
    "model": "language model",
    "script": "a script",
}


def iteration(run: runs.Run, number: int, done: Iteration) -> None:
    """Draw a line with what was decided; below it, once it is opened, every phase."""
    counts = {action: sum(v.action == action for v in done.verdicts) for action in ("keep", "hold", "remove")}
    said = ", ".join(f"{count} {words.PAST[action]}" for action, count in counts.items() if count) or _silent(done)
    key = f"iteration·{run.id}·{number}"  # by entry: after a step back a number comes again
    box = st.expander(f"**Iteration {done.number}**: {said}", icon=":material/science:", key=key, on_change="rerun")
    if box.open:
        with box:
            _phases(run, number, done)


def _silent(done: Iteration) -> str:
    return "no answer that can be used" if unanswered(done) else "nothing to judge"


def _phases(run: runs.Run, number: int, done: Iteration) -> None:
    found = account(run, done)
    st.caption(f"{_seconds(sum(found.seconds.values()))} in all")
    for said in filter(None, (unanswered(done), ungraded(done))):
        st.markdown(f":orange[:material/warning:] {words.plain(said)}")
    _sampled(found)
    _fitted(found)
    _evaluated(found, done)
    _decided(found, run.state.settings.max_holds)
    _simulated(found)
    calls.calls(calls_of(done), f"{run.id}.{number}")


def _head(found: Account, phase: str, number: int, name: str, said: str = "") -> None:
    taken = [_seconds(found.seconds[phase])] if phase in found.seconds else []
    st.markdown(" · ".join([f"**{number}. {name}**", *taken, *([said] if said else [])]))


def _seconds(taken: float) -> str:
    return f"{words.number(taken, 2)} s" if taken >= 1e-3 else "under 0.001 s"


def _sampled(found: Account) -> None:
    refused = f", {len(found.refused)} refused" if found.refused else ""
    _head(found, "sample", 1, "Sampled", words.plural(found.hypotheses, "hypothesis", "hypotheses") + refused)
    if found.said:
        frame.says(found.said, muted=True)
    if found.sampled:
        frame.table(
            {
                "Equation": [words.plain(derivative(term.name)) for term in found.sampled],
                "Term": [words.tex(term.latex) for term in found.sampled],
                "Hypotheses": [", ".join(map(str, term.hypotheses)) for term in found.sampled],
                "From": [words.plain(SOURCES.get(term.source, term.source)) for term in found.sampled],
                "Why": [words.plain(term.reason or "no reason given") for term in found.sampled],
            }
        )
    for no in found.refused:
        place = words.plain(f"hypothesis {no.hypothesis}{f', {derivative(no.name)}' if no.name else ''}")
        st.markdown(
            f":orange[:material/block:] Refused: **{words.plain(no.text)}** ({place}): {words.plain(no.reason)}"
        )


def _fitted(found: Account) -> None:
    _head(found, "fit", 2, "Fitted", words.plural(len(found.tried), "equation"))
    if found.tried:
        frame.table(
            {
                "Hypothesis": [str(fit.hypothesis) for fit in found.tried],
                "Equation": [formulas.law(fit.latex) for fit in found.tried],
                "Error (NMSE)": [_figure(fit.error) for fit in found.tried],
                "Over the floor": [
                    words.times(fit.floor_ratio) if math.isfinite(fit.floor_ratio) else "–" for fit in found.tried
                ],
                "What became of it": [_end(fit) for fit in found.tried],
            }
        )


def _figure(error: float) -> str:
    return words.number(error, 2) if math.isfinite(error) else "failed"


def _end(fit: Tried) -> str:
    said = ["**tried further**"] if fit.chosen else []
    said += ["already known"] if fit.duplicate else []
    said += [words.plain(part) for part in (fit.failure, fit.note) if part]
    return "; ".join(said) or "fitted"


def _evaluated(found: Account, done: Iteration) -> None:
    _head(found, "evaluate", 3, "Evaluated", words.plural(len(found.judged), "term"))
    if found.judged:
        frame.table(
            {
                "Equation": [words.plain(derivative(term.name)) for term in found.judged],
                "Term": [words.tex(term.latex) for term in found.judged],
                "If dropped, rest refitted": [words.dropped(term.refitted, term.nats) for term in found.judged],
                "Error if set to zero (paper)": [words.times(1 + term.zeroed) for term in found.judged],
                "Numbers": [term.numbers for term in found.judged],
                "Scientist": [words.NO_GRADE if term.is_ungraded else term.scientist for term in found.judged],
                "The Scientist's reason": [
                    words.plain("none given" if term.is_ungraded else term.reason or "none given")
                    for term in found.judged
                ],
            }
        )
        if any(term.nats is not None for term in found.judged):
            st.caption(words.NATS.strip())
    if done.evaluation.review.insight:
        st.markdown("Insight")
        frame.says(done.evaluation.review.insight, muted=True)
    for note in done.evaluation.review.notes:
        st.caption(words.plain(note))
    for lift in done.evaluation.review.lifts:
        st.caption(words.plain(f"The Scientist lifted the ban of {lift.key.skeleton}: {lift.reason}"))


def _decided(found: Account, max_holds: int) -> None:
    _head(found, "decide", 4, "Decided")
    for term in found.judged:
        st.markdown(_decision(term, max_holds))
    for name, latex in found.pardoned:
        st.markdown(f":material/undo: Ban lifted by chance: {words.tex(latex)} in {words.plain(derivative(name))}")
    if not found.judged and not found.pardoned:
        st.caption("No terms.")


def _decision(term: JudgedTerm, max_holds: int) -> str:
    said = [f"{words.badge(term.action)} {words.tex(term.latex)} in {words.plain(derivative(term.name))}"]
    said += [f"strike {term.strikes} of {max_holds}"] if term.strikes else []
    said += ["Scientist and numbers disagree"] if term.conflict else []
    return " · ".join(said)


def _simulated(found: Account) -> None:
    _head(found, "simulate", 5, "Simulated", "the best system so far")
    if not found.simulated:
        st.caption("No system to simulate.")
        return
    if found.failure:
        frame.fault(found.failure)
    held = any(ahead is not None for _, _, ahead in found.simulated)
    columns = {
        "State": [words.plain(name) for name, _, _ in found.simulated],
        "Error (NMSE)": [_figure(error) for _, error, _ in found.simulated],
    }
    if held:
        columns["Held out"] = ["–" if ahead is None else _figure(ahead) for _, _, ahead in found.simulated]
    frame.table(columns)
    if found.strategies:
        st.caption(words.plain(f"Coefficients: {'; '.join(map(words.strategy, found.strategies))}."))
