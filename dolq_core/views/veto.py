"""What a veto, a pin or a statement on a coefficient has cost: the law that stands after it against the one before."""

from math import isfinite

from dolq_core.fitting import names_of
from dolq_core.grades import verdict_on
from dolq_core.loop import is_awaited, replay, standing, status
from dolq_core.records import STANDS, TAKEN, Entry, Intervention, Iteration, TermKey, Visited
from dolq_core.runs import Run
from dolq_core.terms import to_text
from dolq_core.views.amounts import figure
from dolq_core.views.comparison import sign_of
from dolq_core.views.false_rules import cost_of_rules
from dolq_core.views.history import said
from dolq_core.views.stated import contradicted


def costs(run: Run) -> tuple[str, ...]:
    """Return what the numbers hold against a person's vetoes, pins and rules, where they do."""
    rules = (f"The samples contradict your rule: {said}" for said in contradicted(run.state.problem))
    return tuple(filter(None, (cost_of_veto(run), cost_of_pins(run), cost_of_rules(run), *rules)))


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


def cost_of_pins(run: Run) -> str:
    """Say of each pin what the numbers hold against it, and that its law was settled before and is not any more.

    Empty where they hold nothing against any. A law that was taken from the rivals is no pin of this kind.
    """
    state = run.state
    pins = [key for key, pin in sorted(state.pins.items()) if pin.reason != TAKEN]
    return " ".join(filter(None, (f"{_against(run, key)} {_unsettled(run, key)}".strip() for key in pins)))


def is_pin_borne_out(run: Run) -> bool:
    """Whether the numbers hold nothing against what a person has pinned."""
    return not any(_against(run, key) for key, pin in run.state.pins.items() if pin.reason != TAKEN)


def _against(run: Run, key: TermKey) -> str:
    best = run.state.best[key.equation]
    if best is None or not any(term.skeleton == key.skeleton for term in best.fit.terms):
        return ""
    done = [entry for entry in standing(run.entries) if isinstance(entry, Iteration)]
    verdict, figures = verdict_on(run.state, key, done)
    if verdict is None or verdict.evidence != "bad":
        return ""
    term = to_text(key.skeleton, names_of(run.state.problem.dataset))
    if figures is not None and figures.nats is not None and isfinite(figures.nats) and figures.nats < 0.0:
        return f"The numbers disagree with your pin: {term} costs {figure(-figures.nats, 2)} nats."
    return f"The numbers disagree with your pin: they do not bear {term} out."


def _unsettled(run: Run, key: TermKey) -> str:
    entries, j = standing(run.entries), key.equation
    at = [number for number, entry in enumerate(entries) if _pins(entry, key)]
    before, (now, _) = replay(entries[: at[-1]]) if at else run.state, status(run.state, j)
    if status(before, j)[0] != "settled" or now == "settled":
        return ""
    dataset = run.state.problem.dataset
    since = f", and is {STANDS[now]} now" if now == "provisional" else ", and there is none now"
    since = "" if is_awaited(run.state, j) else since
    said = f"The law of {dataset.states[j].name} was settled before your pin"
    return f"{said} ({to_text(key.skeleton, names_of(dataset))}){since}."


def _pins(entry: Entry, key: TermKey) -> bool:
    if not isinstance(entry, Intervention) or entry.by != "human":
        return False
    chosen = any(one.key == key and one.choice == "pin" for one in entry.overrides)
    return chosen or any(note.key == key for note in entry.pin)


def _veto_in(entry: Entry) -> Intervention:
    """Return what a person rules out with an entry, and nothing else of it."""
    if not isinstance(entry, Intervention) or entry.by != "human":
        return Intervention()
    removed = tuple(one for one in entry.overrides if one.choice == "remove")
    return Intervention(overrides=removed, ban=entry.ban, ban_families=entry.ban_families)


def _same_terms(one: Visited, other: Visited) -> bool:
    return {term.skeleton for term in one.fit.terms} == {term.skeleton for term in other.fit.terms}
