"""What a step does with a run: a person's word, iterations from a recording or computed now, a fork."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

from dolq_core import loop, runs
from dolq_core.lessons.format import Act, Lesson, Say
from dolq_core.lessons.problems import origin, problem_of, skeleton, skeletons, state_of
from dolq_core.lessons.recorded import recording
from dolq_core.ports import Store
from dolq_core.records import (
    Dataset,
    EquationNote,
    FamilyKey,
    FamilyNote,
    Intervention,
    Iteration,
    RunState,
    Settings,
    Start,
    TermKey,
    TermNote,
)
from dolq_core.runs.likeness import alike
from dolq_core.runs.recent import Recent
from dolq_core.store import codec
from dolq_core.terms import KINDS, Kind

_then: Recent[tuple[str, int], RunState] = Recent(256)
_logs: Recent[tuple[str, int], str] = Recent(256)


def begin(store: Store, lesson: Lesson, name: str, made: Mapping[str, str]) -> str:
    """Store a run of the lesson, without an iteration, and return its id; made: those that were begun before."""
    said = lesson.runs[name]
    title = lesson.title if len(lesson.runs) == 1 else f"{lesson.title} ({name})"
    if said.without_word_of is None:
        return runs.start(store, problem_of(lesson, name), Settings(target=said.target), said.seed, name=title)
    before = runs.load(store, made[said.without_word_of])
    words = (at for at, entry in enumerate(before.entries) if isinstance(entry, Intervention))
    return runs.fork(store, before.id, next(words, len(before.entries)), title)


def unbegun(lesson: Lesson, name: str, way: str = "") -> runs.Run:
    """Return a run that no step has begun yet: its data and words alone, in no store."""
    said = lesson.runs[origin(lesson, name)]
    first = Start(problem_of(lesson, name), Settings(target=said.target), said.seed)
    return runs.Run(f"{way}.{name}", lesson.title, (first,), loop.begin(first))


def needed(lesson: Lesson, name: str) -> tuple[str, ...]:
    """Return the runs that must have begun before an act of a run, itself last."""
    before = lesson.runs[name].without_word_of
    return (name,) if before is None else (*needed(lesson, before), name)


def go_on(store: Store, lesson: Lesson, file: str, name: str, run: str, act: Act) -> runs.Run:
    """Say what the act says, then append what is on record of its iterations; the rest is to be computed.

    A recording is followed as far as the run went as the recorded one did.
    """
    now = runs.load(store, run)
    goal = now.state.iteration + act.iterations
    if act.say is not None:
        now = runs.intervene(store, run, word(act.say, now.state.problem.dataset), at=len(now.entries))
    known = recording(lesson, file, name)
    while now.state.iteration < goal and alike(known[: len(now.entries)], now.entries):
        following = known[len(now.entries)] if len(known) > len(now.entries) else None
        if not isinstance(following, Iteration):
            break
        store.append(run, len(now.entries), following)
        now = runs.load(store, run)
    return now


def word(said: Say, dataset: Dataset) -> Intervention:
    """Return what a lesson says as a person's word."""
    terms = bool(said.ban or said.propose or said.pin or said.equation)
    j = state_of(dataset, said.state) if terms or said.state else 0
    equations = [j] if said.state else range(len(dataset.states))

    def notes(texts: tuple[str, ...]) -> tuple[TermNote, ...]:
        return tuple(TermNote(TermKey(j, skeleton(dataset, text)), said.reason) for text in texts)

    own = [EquationNote(j, skeletons(dataset, said.equation, j), said.reason, said.equation)] if said.equation else []
    kind: Kind | None = next((kind for kind in KINDS if KINDS[kind] == said.ban_kind), None)
    return Intervention(
        reason=said.reason,
        ban=notes(said.ban),
        propose=notes(said.propose),
        pin=notes(said.pin),
        ban_families=tuple(FamilyNote(FamilyKey(k, kind), said.reason) for k in equations) if kind else (),
        equations=tuple(own),
        description=said.description,
    )


def run_at(run: runs.Run, entries: int | None) -> runs.Run:
    """Return the run as it was with so many entries; None: as it stands."""
    if entries is None or entries >= len(run.entries):
        return run
    before = run.entries[:entries]
    return runs.Run(run.id, run.name, before, _then.once((run.id, entries), lambda: loop.replay(before)))


def shared(run: runs.Run, name: str) -> runs.Run:
    """Return the run under an id that all runs of this name with this very log have.

    Whatever is kept by the id of a run, such as its curves, is then made once for a whole class. No store knows the id.
    """

    def read() -> str:
        return sha256("\n".join(map(codec.to_json, run.entries)).encode()).hexdigest()

    return replace(run, id=f"{name}.{_logs.once((run.id, len(run.entries)), read)[:24]}")
