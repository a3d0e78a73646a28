"""Where a run stands in one word per equation, and whether there is a reason to stop."""

from collections.abc import Iterable
from math import inf

from dolq_core import clock
from dolq_core.bans import by_person
from dolq_core.blocks import own_of
from dolq_core.fitting import why_nothing
from dolq_core.fitting.chance import of_few_samples, of_few_whole, says_something
from dolq_core.fitting.limits import is_explained, plainer
from dolq_core.fitting.names import names_of
from dolq_core.loop.answers import unanswered
from dolq_core.loop.fit import DODGES
from dolq_core.loop.followed import (
    goes_astray,
    hangs_together,
    leaves_samples,
    lost_ahead,
    missed,
    of_solver,
    of_steps,
    runs_away,
    times_noise,
    when,
)
from dolq_core.loop.ranking import lost, unharmed
from dolq_core.loop.suspect import doubt, without_time
from dolq_core.mechanisms.words import listed
from dolq_core.records import AT_FLOOR, STANDS, EquationFit, Iteration, RunState, Status, TermKey, Visited
from dolq_core.records.state import CHOSEN, RULED_OUT, TAKEN_UP, UNANSWERED
from dolq_core.terms import in_sentence, variables

SETTLED = "It explains the data to within their own error."
ALONE = "It explains the samples to within their noise, and has no rival among the laws compared."
"""The same where noise hides differences and other laws were compared."""
ALLOWED = "It explains the samples to within their noise, and has no rival among the laws compared that you allow."
"""The same where a person has removed or pinned terms, or said what a coefficient is: what that excludes was not
compared."""
DEFINED = "It holds by definition: {} is the rate of {}."
LAWLESS = "There is no law of {} yet."
EXACTLY = "It leaves less than a millionth of what the rate varies by."
FOLLOWS = "It follows the samples from one to the next, but {}"
NEITHER = "It misses the rates it was fitted to, and {}"
"""Of a law whose simulation does not come to the end (`followed.runs_away`)."""
CUT_SHORT = (
    "No law yet: the limit of time ended the search before all was tried; "
    "a new run with a longer one (time_limit_s, in Settings under Length) tries the rest."
)
NOT_ALL = (
    "It explains the data, but the limit of time ended the search before all was tried; "
    "a new run with a longer one (time_limit_s, in Settings under Length) tries the rest."
)
FOUND = "Found: every equation is settled."
SHORTER = "It explains the data, and so does a shorter law with {}, {} you removed."
BESIDE = "It explained the samples together with a law of {} that you ruled out, and with no other one yet."


def status(state: RunState, equation: int) -> tuple[Status, str]:
    """Return the status of one equation and the reason for it, as a sentence."""
    best = state.best[equation]
    if best is None or state.last is None:
        return "none", _why_none(state, equation)
    rate = state.problem.dataset.rates.get(equation)
    return _of_law(state, state.last, equation, best) if rate is None else _by_definition(state, equation, rate)


def _by_definition(state: RunState, equation: int, rate: int) -> tuple[Status, str]:
    """Return that x' = v holds whatever the samples are: where a simulation misses them the law of v is at fault."""
    own, other = (state.problem.dataset.states[j].name for j in (equation, rate))
    said = DEFINED.format(other, own)
    return ("none", f"{said} {LAWLESS.format(other)}") if status(state, rate)[0] == "none" else ("settled", said)


def _of_law(state: RunState, last: Iteration, equation: int, best: Visited) -> tuple[Status, str]:
    if proof := without_time(state, best.fit):
        return "none", proof
    held, missing = _held(state, equation, best), _missing(state, equation, best)
    if nothing := _nothing(state, last, equation, best):
        return "none", _cut_short(last) or f"{nothing}{when(last, equation)}"
    if few := _of_few(state, last, equation, best):
        return few
    if missing is None:
        over = over_floor(best)
        against = (
            _beside_no_law(state, equation, best)
            or _beside_shorter(state, last, equation)
            or _sentence(FOLLOWS, runs_away(state))
            or _first(of_steps(last.target, j) for j, _ in held)
            or goes_astray(state, equation)
            or doubt(state, best)
            or _first(hangs_together(one) for _, one in held)
            or _first(leaves_samples(state, last, j) for j, _ in held)
            or _first(missed(state, j, one.fit) for j, one in held)
            or (NOT_ALL if _cut_short(last) else "")
        )
        return ("provisional", against) if against else ("settled", _all_explained(state, equation, last, over))
    said = _missed(state, *missing, law=equation)[0]
    return "provisional", f"{said}{of_solver(state, missing[0], over_floor(missing[1]))}{when(last, equation)}"


def _first(said: Iterable[str]) -> str:
    return next(filter(None, said), "")


def _sentence(about: str, said: str) -> str:
    return about.format(said) if said else ""


def _held(state: RunState, equation: int, best: Visited) -> list[tuple[int, Visited]]:
    """Return the equations that a law answers for: its own, and the definition of which it moves the rate."""
    others = state.problem.dataset.defined_by(equation)
    return [(equation, best), *((j, one) for j in others if (one := state.best[j]) is not None)]


def _missing(state: RunState, equation: int, best: Visited) -> tuple[int, Visited] | None:
    """Return the first of them that does not explain the data; None where all do."""
    return next((one for one in _held(state, equation, best) if not is_explained(one[1])), None)


def _nothing(state: RunState, last: Iteration, equation: int, best: Visited) -> str:
    """Return why a law says nothing of its state; empty where it does."""
    null_score = last.target.null_score[equation] if last.target.null_score else None
    nothing = "" if says_something(best.reported) else why_nothing(best.fit, null_score)
    if nothing or _missing(state, equation, best) is None:
        return nothing
    astray = _first(lost_ahead(state, j, one) for j, one in _held(state, equation, best))
    return astray or _sentence(NEITHER, runs_away(state))


def _beside_no_law(state: RunState, equation: int, best: Visited) -> str:
    """Return that a law explained whole runs beside one that a person's word took, where it hangs on that state."""
    if equation not in unharmed(state):
        return ""
    inside = {symbol for term in best.reported.terms for symbol in variables(term.skeleton)}
    states = [state.problem.dataset.states[k] for k in sorted(lost(state))]
    names = [one.name for one in states if one.symbol in inside]
    return BESIDE.format(" and ".join(names)) if names else ""


def _beside_shorter(state: RunState, last: Iteration, equation: int) -> str:
    """Return that a law of fewer terms explains clean data as well, and which of its terms a person removed."""
    law = last.shorter[equation] if last.shorter else None
    removed = [t.skeleton for t in (law.terms if law else ()) if by_person(state, TermKey(equation, t.skeleton))]
    names = names_of(state.problem.dataset)
    which = "which" if any(TermKey(equation, skeleton) in state.bans for skeleton in removed) else "of a kind that"
    return SHORTER.format(listed([in_sentence(skeleton, names) for skeleton in removed]), which) if removed else ""


def _of_few(state: RunState, last: Iteration, equation: int, best: Visited) -> tuple[Status, str] | None:
    """Return what keeps few samples from bearing an equation out."""
    sensible, target = _makes_sense(state, last, best.fit), last.target
    if target.null_score and target.walk_score:
        still, walk = target.null_score[equation], target.walk_score[equation]
        return of_few_samples(best.fit, still, walk, sensible=sensible)
    return of_few_whole(best.reported, state.problem.dataset, sensible=sensible)


def _missed(state: RunState, equation: int, best: Visited, *, law: int) -> tuple[str, str]:
    """Return by how much an equation above the floor misses the data, as a sentence on a law and in short.

    By its simulation, as it is drawn, or by its rate. The coefficients of all samples may miss them by more than those
    that have not seen the held-out part miss the rest.
    """
    over, by = over_floor(best), times_noise(state, equation)
    samples = "the samples" if law == equation else f"the samples of {state.problem.dataset.states[equation].name}"
    if over <= best.fit.floor_ratio and best.reported.above_rest is None:
        return f"Its error is {_times(over)} that of the data.", f"error {_times(over)} that of the data"
    if by is not None and by > AT_FLOOR:
        return f"Its simulation misses {samples} by {_times(by)} the noise.", f"error {_times(by)} the noise"
    said = f"simulation misses {samples} by {_times(over)} the noise."
    if best.fit.held_out is None:
        return f"Its {said}", f"error {_times(over)} the noise"
    return f"With the held-out part its {said}", f"error {_times(over)} the noise with the held-out part"


def _all_explained(state: RunState, equation: int, last: Iteration, over: float) -> str:
    said = EXACTLY if over > AT_FLOOR else ALONE if last.rivals and not last.clean else SETTLED
    if said == ALONE and is_narrowed(state, equation):
        said = ALLOWED
    return f"{said} {last.target.total}".rstrip()


def is_narrowed(state: RunState, equation: int) -> bool:
    """Whether a person's bans, pins or signs keep laws of an equation from being compared with the best."""
    own = own_of(state.problem.blocks, equation)
    if own.signs or own.bounds or own.fixed:
        return True
    barred = any(by_person(state, key) for key in state.bans if key.equation == equation)
    return barred or any(key.equation == equation for key in (*state.families, *state.pins))


def _cut_short(last: Iteration) -> str:
    """Return that the search was not done, where a limit of time ended it: it says nothing of what it did not try."""
    return CUT_SHORT if clock.ENDED in last.proposal.note else ""


def is_awaited(state: RunState, equation: int) -> bool:
    """Whether there is nothing to judge yet: a person's word leaves none of the laws, or a model's answer gave none."""
    if state.best[equation] is not None:
        return False
    known = (visited for (j, _), visited in state.archive.items() if j == equation)
    return _is_unanswered(state, equation) or any(not visited.fit.failure for visited in known)


def _is_unanswered(state: RunState, equation: int) -> bool:
    """Whether there is no law since a language model's answer could not be used."""
    ended = state.ended[equation] if state.ended else None
    return state.last is not None and ended is None and bool(unanswered(state.last))


def _why_none(state: RunState, equation: int) -> str:
    if _is_unanswered(state, equation):
        return UNANSWERED
    if is_awaited(state, equation):
        chosen = [note for note in state.equations if note.equation == equation]
        return (TAKEN_UP if all(note.is_taken for note in chosen) else CHOSEN) if chosen else RULED_OUT
    tried = state.last.fits if state.last is not None else ()
    failures = [system.equations[equation].failure for system in tried]
    why = failures[0].removeprefix(f"{DODGES}: ") if failures else ""
    return f"No structure can stand: {why}." if why else "No structure was fitted yet."


def reason_to_stop(state: RunState, *, standing: bool = True) -> str:
    """Return why auto mode should end now; empty while it should go on.

    standing: with where every equation stands, unless all are settled.
    """
    if state.iteration == 0:
        return ""
    if is_found(state):
        return FOUND
    if state.since_better >= state.settings.patience:
        why = f"Stopped: nothing better came in {state.since_better} iterations."
    elif state.iteration >= state.settings.iterations:
        most = max(state.settings.iterations, state.iteration)  # a person may have asked for more
        why = f"Stopped: all {most} iterations are used." if most > 1 else "Stopped: its one iteration is used."
    else:
        return ""
    why = f"{why} {unanswered(state.last) if state.last else ''}".rstrip()
    return f"{why} {_standing(state)}" if standing else why


def is_found(state: RunState) -> bool:
    """Whether every equation is settled, and none waits for a second look."""
    d = len(state.best)
    return all(_found(state, j) for j in range(d)) and not any(_is_second_look_due(state, j) for j in range(d))


def asks_person(state: RunState) -> bool:
    """Whether Scientist and numbers, or words and data, disagree on something that a person can still decide.

    Not where a run has ended without a law: what was held is no part of anything that is claimed.
    """
    last = state.last
    if last is None or not (last.evaluation.review.conflict or any(one.conflict for one in last.verdicts)):
        return False
    nothing = all(status(state, j)[0] == "none" for j in range(len(state.best)))
    return not (nothing and reason_to_stop(state, standing=False))


def _found(state: RunState, equation: int) -> bool:
    best = state.best[equation]
    return best is not None and is_explained(best) and status(state, equation)[0] == "settled"


def over_floor(best: Visited) -> float:
    """Residual over floor; where coefficients were fitted on trajectories, what they say (`Workbench.refine`)."""
    return best.reported.floor_ratio


def _is_second_look_due(state: RunState, equation: int) -> bool:
    """Whether a better start than this one is known: a term that only words removed comes back, or a plainer law."""
    best = state.best[equation]
    if best is None or state.settings.strikes != "evidence":
        return False
    if plainer(state, equation):
        return True
    keys = [TermKey(equation, term.skeleton) for term in best.fit.terms]
    return any(key in state.bans and state.disputes.get(key) == 1 for key in keys)


def _standing(state: RunState) -> str:
    """Say where every equation stands, in the words of its verdict; with it the error of one that misses the data."""
    names = [variable.name for variable in state.problem.dataset.states]
    said: dict[Status, list[str]] = {one: [] for one in STANDS}
    for j, (name, best) in enumerate(zip(names, state.best, strict=True)):
        one = status(state, j)[0]
        missing = _missing(state, j, best) if one == "provisional" and best is not None else None
        misses = missing is not None and over_floor(missing[1]) < inf
        said[one].append(f"{name} ({_missed(state, *missing, law=j)[1]})" if missing and misses else name)
    return " ".join(f"{STANDS[one].capitalize()}: {', '.join(some)}." for one, some in said.items() if some)


def _times(ratio: float) -> str:
    return "over 1000 times" if ratio >= 1000.0 else f"{ratio:.3g} times"


def _makes_sense(state: RunState, last: Iteration, fit: EquationFit) -> bool:
    """Whether there is a description, and the Scientist found every term good."""
    good = {verdict.key for verdict in last.verdicts if verdict.semantic == "good"}
    return bool(state.problem.description) and all(TermKey(fit.equation, t.skeleton) in good for t in fit.terms)
