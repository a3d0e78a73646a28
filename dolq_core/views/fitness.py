"""Are the data fit for discovery? What can be said before the first step, from what the fits themselves will use."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dolq_core.agents.builtin import unmeasured
from dolq_core.data.findings import counted
from dolq_core.errors import FitError
from dolq_core.fitting import Workbench
from dolq_core.fitting.provenance import HELD, given_words, prepared_words
from dolq_core.mechanisms import listed
from dolq_core.numerics.holding import Hold, held_between
from dolq_core.numerics.target import Target
from dolq_core.records import Dataset, Problem, Settings
from dolq_core.runs import bench_of
from dolq_core.runs.recent import Recent
from dolq_core.views.measured_rates import measured_rate
from dolq_core.views.sampling import Check, Looked, of_samples, span_of

ALIKE = 0.1
"""Spread of the starts over that of the state, up to which runs begin alike."""
AIMS = {
    "weak": "Weighted means of the rates, which average out noise.",
    "integral": "Samples against integrals of the terms.",
}
MADE_INPUT = "If it was set, make it an input: Input on the page Data, --input on the command line."
AGAIN = "Coefficients are refitted to whole runs."
BENDS = ": there the states bend"
NAMES = {
    "weak": "weak form",
    "integral": "integral form",
    "spline": "slopes of a spline",
    "savgol": "slopes of local polynomials",
    "gradient": "differences between neighbours",
    "given": "given derivatives",
}


@dataclass(frozen=True, slots=True)
class Aim:
    """What the fits had best compare. `trajectories`: coefficients are fitted again on whole trajectories."""

    kind: str
    name: str
    reason: str
    trajectories: bool


@dataclass(frozen=True, slots=True)
class Fitness:
    """All that was looked at, and the recommended target; None where nothing can be fitted."""

    checks: tuple[Check, ...]
    target: Aim | None


def _checked_on(problem: Problem, bench: Workbench, advised: Workbench, settings: Settings) -> Fitness:
    """Check the part of the data that `bench` fits; `advised` is the same workbench with the target left to itself."""
    looked, aim = Looked.at(bench), _aim(advised)
    found = (
        *of_samples(looked),
        _runs(looked),
        _constant(looked),
        _set_by_someone(problem.dataset),
        measured_rate(problem.dataset),
        _hidden("" if problem.dataset.hidden else problem.description, bench.info.hidden or bench.info.crossing),
        _inputs(problem.dataset, bench.holds, set_so=settings.inputs != "auto"),
        _given(looked.dataset),
        _prepared(looked.dataset),
        _chosen(bench.target, aim),
    )
    checks = [check for check in found if check is not None]
    if any(check.code == "hidden" and check.verdict == "bad" for check in checks):
        checks = [_of_no_law(check) if check.code == "slopes" else check for check in checks]
    return Fitness(tuple(checks), aim)


def _of_no_law(slopes: Check) -> Check:
    """Return the check of slopes that no law of the columns has, however well they are known: no tick stands there."""
    if slopes.verdict != "good":
        return slopes
    return replace(slopes, verdict="mind", meaning=f"{slopes.meaning} No law of these columns alone has them, though.")


# --- runs, states, target ---------------------------------------------------------------------------


def _runs(looked: Looked) -> Check | None:
    used = [looked.dataset.trajectories[i] for i in looked.target.sources]
    if len(used) == 1:
        return Check("runs", "mind", "One run only", "A run from another start would tell more laws apart.")
    starts = np.array([run.x[np.argmax(np.isfinite(run.x), axis=0), np.arange(run.x.shape[1])] for run in used])
    spread = np.where(looked.span > 0.0, looked.span, 1.0)
    if np.all(span_of(starts) <= ALIKE * spread):
        return Check("runs", "mind", "All runs start alike", "A run from another start would tell more laws apart.")
    return Check("runs", "good", "Runs from different starts", "They tell more laws apart.")


def _constant(looked: Looked) -> Check | None:
    still = [looked.name(j) for j in range(len(looked.span)) if not looked.moving[j]]
    if not still:
        return None
    named = ", ".join(still)
    finding = f"{named} never {'changes' if len(still) == 1 else 'change'}"
    return Check("constant", "bad", finding, "There is no change to explain: give it another role.")


def _set_by_someone(dataset: Dataset) -> Check | None:
    """Suggest that a state which is held and jumps is an input, where another state moves."""
    columns = [[run.x[:, j] for run in dataset.trajectories] for j in range(len(dataset.states))]
    over = {one.name: n for one, own in zip(dataset.states, columns, strict=True) if (n := held_between(own))}
    if not over or len(over) == len(dataset.states):
        return None
    if len(over) == 1:
        ((name, n),) = over.items()
        held = f"It keeps its value for {n} samples on average, then jumps: a state moves on in between."
        return Check("held", "bad", f"{name} may be an input", f"{held} {MADE_INPUT}")
    held = "; ".join(f"{name} keeps its value for {n} samples on average, then jumps" for name, n in over.items())
    return Check(
        "held", "bad", f"{listed([*over])} may be inputs", f"{held}: a state moves on in between. {MADE_INPUT}"
    )


def _hidden(description: str, proof: str) -> Check | None:
    if proof:
        return Check("hidden", "bad", "No law of these columns alone", proof)
    said = unmeasured(description)
    if said:
        return Check("hidden", "mind", "Hidden state, by the description", f"“{said}”")
    return None


def _inputs(dataset: Dataset, holds: Sequence[Hold], *, set_so: bool) -> Check | None:
    inputs = dataset.inputs
    if not inputs:
        return None
    named = ", ".join(variable.name for variable in inputs)
    values = np.concatenate([run.inputs for run in dataset.trajectories if run.inputs is not None])
    few = [one.name for k, one in enumerate(inputs) if len(np.unique(values[:, k])) <= 2]
    who = ", as the settings say" if set_so else ""
    said = "".join(
        f" {one.name} is {HELD[hold]}{who or BENDS * (hold in ('previous', 'next'))}."
        for one, hold in zip(inputs, holds, strict=True)
        if hold != "linear"
    )
    if few:
        finding = f"{', '.join(few)} {'has' if len(few) == 1 else 'have'} two levels only"
        return Check("inputs", "mind", finding, f"A third level would tell a line from a curve.{said}")
    return Check(
        "inputs", "good", counted(len(inputs), "known input"), f"{named}: in terms, without an equation.{said}"
    )


def _given(dataset: Dataset) -> Check | None:
    said = given_words(dataset).strip()
    if not said:
        return None
    uneven = "Samples have weights" if dataset.weights else "Noise grows with the value"
    finding = "Derivatives are given" if dataset.derivatives else uneven
    return Check("given", "good", finding, said)


def _prepared(dataset: Dataset) -> Check | None:
    said = prepared_words(dataset)
    return Check("prepared", "good", "Columns were prepared", " ".join(said)) if said else None


def _aim(bench: Workbench) -> Aim:
    again, kind = bench.refines, bench.target.kind
    reason = AIMS.get(kind, bench.target.reason.strip())
    if again:
        return Aim(kind, f"{NAMES[kind]}, then trajectories", f"{reason} {AGAIN}", again)
    return Aim(kind, NAMES[kind], reason, again)


def _chosen(target: Target, aim: Aim) -> Check:
    if target.kind == aim.kind:
        return Check("target", "good", f"Target: {aim.name}", aim.reason)
    meaning = f"As in Settings. Better: {aim.name}. {aim.reason}"
    return Check("target", "mind", f"Target: {NAMES[target.kind]}", meaning)


_known: Recent[str, Fitness] = Recent(32)


def fitness(problem: Problem, settings: Settings | None = None) -> Fitness:
    """Return what the data allow, by the very workbench that a run with these settings fits with.

    Raises DataError when a run that is to be held out does not exist. What was checked last is remembered.
    """
    used = settings or Settings()
    return _known.once(_mark(problem, used), lambda: _fitness(problem, used))


def _fitness(problem: Problem, settings: Settings) -> Fitness:
    try:
        bench = bench_of(problem.dataset, settings, problem.blocks)
        left_to_itself = settings.target == "auto"
        advised = bench if left_to_itself else bench_of(problem.dataset, replace(settings, target="auto"))
    except FitError as error:
        return Fitness((Check("unfit", "bad", "Nothing can be fitted", str(error)),), None)
    return _checked_on(problem, bench, advised, settings)


def _mark(problem: Problem, settings: Settings) -> str:
    """Tell apart all that the checks depend on."""
    dataset = problem.dataset
    words = (dataset.time, dataset.states, dataset.inputs, dataset.weights, dataset.derivatives, problem.description)
    mark = hashlib.sha256(repr((words, settings)).encode())
    for run in dataset.trajectories:
        mark.update(repr((run.label, run.x.shape)).encode())
        for values in (run.t, run.x, *(p for p in (run.inputs, run.weights, run.derivatives) if p is not None)):
            mark.update(values.tobytes())
    return mark.hexdigest()
