"""The answer to "Does it fit?" in words."""

from collections.abc import Callable, Sequence

from dolq_core.data.findings import counted
from dolq_core.records import Status, Variable
from dolq_core.runs import Run
from dolq_core.views.amounts import of_spread
from dolq_core.views.summary import stands as stands_of
from dolq_core.views.trajectories import Curve, held, of_measured, worst, worst_ahead

YES, ROUGHLY = 0.01, 0.1  # NMSE of the simulation up to which it fits, and fits roughly
NOTHING = 0.5  # from which it says hardly more than the mean


def of_curves(run: Run, curves: Sequence[Curve], shown: Callable[[str], str] = str) -> str:
    """Answer from the curves of a run's law; shown: how a stranger's words are written where the answer goes.

    Of a hidden state there is nothing to compare with.
    """
    dataset = run.state.problem.dataset
    states, hidden = dataset.states, dataset.hidden
    failures = [f"{curve.label}: {curve.failure}".removeprefix(": ") for curve in curves if curve.failure]
    if len(same := {curve.failure for curve in curves}) == 1:
        failures = [one for one in same if one]
    seen, ahead = worst(curves, len(states)), worst_ahead(curves, len(states))
    return answer(
        of_measured(seen, hidden), of_measured(states, hidden), failures, of_measured(ahead, hidden), held(curves),
        of_measured(stands_of(run.state), hidden), shown,
    )  # fmt: skip


def answer(
    errors: Sequence[float | None],
    states: Sequence[Variable],
    failures: Sequence[str],
    ahead: Sequence[float | None] = (),
    held: str = "part",
    stands: Sequence[tuple[Status, bool, float]] = (),
    shown: Callable[[str], str] = str,
) -> str:
    """Answer "Does it fit?" in words, from the errors of the simulated trajectories, or why there are none.

    `ahead` are the errors on what was held out, "the held-out `held`"; without one, nothing is said of it.
    stands: of each equation what `views.summary.stands` says; the answer agrees with it. shown: as for `of_curves`.
    """
    known = [error for error in errors if error is not None]
    if len(known) < len(states):
        more = f" ({counted(len(failures) - 1, 'further run')} cannot be simulated.)" if len(failures) > 1 else ""
        return f"Not yet. {shown(failures[0])}{more}" if failures else "Nothing is simulated yet."
    later = [error for error in ahead if error is not None]
    misses = f"off by {of_spread(max(known))} of the spread{_most(known, states, shown)}."
    if max(known) >= NOTHING and stands and all(status == "none" for status, *_ in stands):
        return f"No: {misses}"
    answer, more = _answer(max(known)), ""
    if answer == "Yes" and stands:
        told = zip(known, stands, strict=True)
        if any(status != "settled" and not at_noise and error > noise for error, (status, at_noise, noise) in told):
            answer = "Close, but not to within the noise"
    elif stands:
        if all(error <= noise for error, (_, _, noise) in zip(known, stands, strict=True)):
            answer = "Yes, to within the noise"
        elif max(known) >= ROUGHLY and all(at_noise for _, at_noise, _ in stands):
            return f"From sample to sample, not over whole runs, where small differences grow: {misses}"
    if answer != "Not yet" and any(status == "none" for status, *_ in stands):
        more = " A good fit is not yet a law."
    if len(later) < len(states):
        return f"{answer}: {misses}{more}"
    tested = f"Held-out {held}: {_answer(max(later)).lower()}, {of_spread(max(later))}{_most(later, states, shown)}."
    return f"{answer}: {misses} {tested}{more}"


def other(what: str, errors: Sequence[float | None], ahead: Sequence[float | None], held: str) -> str:
    """Say in short whether another system fits as well, from the same figures as `answer`."""
    known = [error for error in errors if error is not None]
    later = [error for error in ahead if error is not None]
    if len(known) < len(errors):
        return f"{what}: not known."
    also = f"; held-out {held}: {_answer(max(later)).lower()}, {of_spread(max(later))}" if later else ""
    found = _answer(max(known))
    word = "" if found == "Yes" else f"{found.lower()}, "  # whether it is a yes depends on more than the figure
    return f"{what}: {word}off by {of_spread(max(known))} of the spread{also}."


def _answer(error: float) -> str:
    return "Yes" if error < YES else "Roughly" if error < ROUGHLY else "Not yet"


def _most(errors: Sequence[float], states: Sequence[Variable], shown: Callable[[str], str]) -> str:
    """Say which state is missed most, before a full stop that its name may bring (`Plasma conc.`)."""
    name = states[errors.index(max(errors))].name.removesuffix(".")
    return f", most in {shown(name)}" if len(states) > 1 else ""
