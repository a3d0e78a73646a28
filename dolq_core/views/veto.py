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
    vetoes = [(at, veto) for at, one in enumerate(entries) if (veto := _veto_in(one)) != Intervention()]
    if not vetoes:
        return ""
    last, veto = vetoes[-1]
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
    asked = said(veto, names_of(now.problem.dataset))
    return f"Worse since your veto ({asked}): {what} of {'; of '.join(worse)}." if worse else ""


def _veto_in(entry: Entry) -> Intervention:
    """Return what a person rules out with an entry, and nothing else of it."""
    if not isinstance(entry, Intervention) or entry.by != "human":
        return Intervention()
    removed = tuple(one for one in entry.overrides if one.choice == "remove")
    return Intervention(overrides=removed, ban=entry.ban, ban_families=entry.ban_families)


def _same_terms(one: Visited, other: Visited) -> bool:
    return {term.skeleton for term in one.fit.terms} == {term.skeleton for term in other.fit.terms}
