"""What a veto has cost: the law that stands after it against the one before."""

from math import isfinite

from dolq_core.fitting import names_of
from dolq_core.loop import replay, standing
from dolq_core.records import Entry, Intervention, Visited
from dolq_core.runs import Run
from dolq_core.views.amounts import figure
from dolq_core.views.comparison import sign_of
from dolq_core.views.history import said


def cost_of_veto(run: Run) -> str:
    """Say by how much the law that stands describes the samples worse than the one before a person's last veto did.

    By the simulation, or by the rates while no iteration has simulated it; empty where it describes them as well.
    """
    entries = standing(run.entries)
    last = next((at for at in reversed(range(len(entries))) if _is_veto(entries[at])), None)
    if last is None:
        return ""
    before, now = replay(entries[:last]), run.state
    pairs = [(old, new) for old, new in zip(before.best, now.best, strict=True) if old is not None and new is not None]
    if len(pairs) < len(now.best) or all(_same_terms(old, new) for old, new in pairs):
        return ""
    errors, what = [(old.fit.nmse, new.fit.nmse) for old, new in pairs], "error (NMSE) of the rate"
    if before.trajectory is not None and now.trajectory is not None:
        errors, what = list(zip(before.trajectory.nmse, now.trajectory.nmse, strict=True)), "simulated error (NMSE)"
    worse = [
        f"{state.name} {figure(new, 2) if isfinite(new) else 'failed'}, it was {figure(old, 2)}"
        for state, (old, new) in zip(now.problem.dataset.states, errors, strict=True)
        if sign_of(new, old) > 0
    ]
    word = entries[last]
    asked = said(word, names_of(now.problem.dataset)) if isinstance(word, Intervention) else ""
    return f"Worse since your veto ({asked}): {what} of {'; of '.join(worse)}." if worse else ""


def _is_veto(entry: Entry) -> bool:
    if not isinstance(entry, Intervention) or entry.by != "human":
        return False
    return bool(entry.ban or entry.ban_families) or any(one.choice == "remove" for one in entry.overrides)


def _same_terms(one: Visited, other: Visited) -> bool:
    return {term.skeleton for term in one.fit.terms} == {term.skeleton for term in other.fit.terms}
