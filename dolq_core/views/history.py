"""What happened in a run: errors by iteration, decisions on every term, and the words as they changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from math import isfinite
from typing import Literal, TypeAlias

from dolq_core import grades
from dolq_core.blocks import first_word
from dolq_core.fitting import names_of
from dolq_core.loop import advance, begin, calls_of, replay, standing
from dolq_core.records import (
    TAKEN,
    AgentsNote,
    Choice,
    Entry,
    EquationFit,
    EquationNote,
    FamilyKey,
    Intervention,
    Iteration,
    Problem,
    RunState,
    Start,
    TermKey,
    Variable,
    VariableNote,
    derivative,
)
from dolq_core.runs import Run
from dolq_core.terms import KINDS, Names, open_sum, to_words
from dolq_core.views.labels import called, labels

LABEL = 24
"""Letters that a chart has room for beside its rows."""


@dataclass(frozen=True, slots=True)
class Track:
    """What was decided on one term, iteration by iteration.

    Attributes:
        text, label: in the names of the columns; cut short for a chart, where no other term of the run has the same.
        choices: by iteration; the person's word where there is one, else the machine's.
        yours: the iterations in which the word is the person's.
        kept: share of the iterations with a decision in which it was kept or pinned.
    """

    key: TermKey
    text: str
    label: str
    choices: Mapping[int, Choice]
    yours: frozenset[int]
    kept: float


@dataclass(frozen=True, slots=True)
class Point:
    """One equation at one iteration: the residual NMSE of the attempt and of the best law then; None when no fit.

    held_out: the error of that law on the held-out part; None without one.
    """

    iteration: int
    equation: int
    best: float | None
    attempt: float | None
    held_out: float | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that language models read and wrote for one iteration, failed attempts at it included."""

    iteration: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A person's intervention on the time line: after which iteration, and what in words."""

    iteration: int
    words: str


def tracks(run: Run) -> tuple[Track, ...]:
    """Return what was decided on every term, by equation, the most often kept first, then the oldest."""
    names = names_of(run.state.problem.dataset)
    choices: dict[TermKey, dict[int, Choice]] = {}
    yours: dict[TermKey, set[int]] = {}
    now = 0
    for entry in standing(run.entries):
        if isinstance(entry, Iteration):
            now = entry.number
            for verdict in entry.verdicts:
                choices.setdefault(verdict.key, {})[now] = verdict.action
        elif isinstance(entry, Intervention) and now:
            for key, choice in _chosen(entry):
                choices.setdefault(key, {})[now] = choice
                yours.setdefault(key, set()).add(now)
    skeletons = {key.skeleton: to_words(key.skeleton, called(names)) for key in choices}
    short = dict(zip(skeletons, labels(tuple(skeletons), names, LABEL), strict=True))
    found = [
        Track(
            key, skeletons[key.skeleton], short[key.skeleton], said, frozenset(yours.get(key, ())),
            _kept(said) / len(said),
        )
        for key, said in choices.items()
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda track: (track.key.equation, -_kept(track.choices), -track.kept)))


def _chosen(said: Intervention) -> list[tuple[TermKey, Choice]]:
    """Return the person's word on each term that they named; a term that was only tried has none."""
    banned: list[tuple[TermKey, Choice]] = [(note.key, "remove") for note in said.ban]
    pinned: list[tuple[TermKey, Choice]] = [(note.key, "pin") for note in said.pin]
    return [*((override.key, override.choice) for override in said.overrides), *banned, *pinned]


def _kept(choices: Mapping[int, Choice]) -> int:
    return sum(choice in ("keep", "pin") for choice in choices.values())


def convergence(run: Run) -> tuple[Point, ...]:
    """Return, per iteration and equation, the attempt's residual NMSE and that of the best law then.

    What a person has ruled out since is no best any more.
    """
    return points(run.entries)


def points(entries: Sequence[Entry]) -> tuple[Point, ...]:
    """Return the same of a log; what was taken back does not count."""
    found: list[Point] = []
    state: RunState | None = None
    for entry in standing(entries):
        state = begin(entry) if isinstance(entry, Start) else advance(state, entry) if state else None
        if not isinstance(entry, Iteration) or state is None:
            continue
        for j, fit in enumerate(entry.attempt):
            now = fit.nmse if fit is not None and isfinite(fit.nmse) else None
            best = known.fit if (known := state.best[j]) is not None else None
            shown = best.nmse if best is not None and isfinite(best.nmse) else None
            ahead = best.held_out if best and best.held_out is not None and isfinite(best.held_out) else None
            found.append(Point(entry.number, j, shown, now, ahead))
    return tuple(found)


def usage(run: Run) -> tuple[Usage, ...]:
    """Return the tokens of every iteration; empty where no language model was asked."""
    found: list[Usage] = []
    since = 0
    for entry in run.entries:
        since += sum(call.tokens_in + call.tokens_out for call in calls_of(entry))
        if isinstance(entry, Iteration):
            found.append(Usage(entry.number, since))
            since = 0
    return tuple(found) if any(one.tokens for one in found) else ()


def marks(run: Run) -> tuple[Mark, ...]:
    """Return what the person did, in words, by the iteration after which it was done."""
    names = names_of(run.state.problem.dataset)
    found: list[Mark] = []
    iteration = 0
    for entry in standing(run.entries):
        if isinstance(entry, Iteration):
            iteration = entry.number
        word = first_word(entry.problem.blocks) if isinstance(entry, Start) else entry
        if isinstance(word, Intervention) and word != Intervention():
            found.append(Mark(iteration, said(word, names)))
    return tuple(found)


def last_word_of(run: Run) -> str:
    """Return what the person did last, in words; empty where an iteration or nothing of theirs came after it."""
    last = standing(run.entries)[-1]
    if not isinstance(last, Intervention) or last.by != "human":
        return ""
    return said(last, names_of(run.state.problem.dataset))


def is_insight_older(run: Run) -> bool:
    """Whether the person has said something since the insight was written: it may be of a law that stands no longer."""
    last = standing(run.entries)[-1]
    return bool(last_word_of(run)) and isinstance(last, Intervention) and last.insight is None


def are_words_newer(run: Run) -> bool:
    """Whether description, meanings or units were changed since the last iteration, which spoke of the earlier ones."""
    return grades.is_of_earlier_words(run.state)


def conflict(run: Run) -> str:
    """Return where description and data disagree, and of which words that was said; empty where they agree."""
    return grades.conflict(run.state)


def before_last_word(run: Run) -> Run | None:
    """Return the run as it was before the person's last word that an iteration followed; None without a law there."""
    entries = standing(run.entries)
    last = max((at for at, one in enumerate(entries) if isinstance(one, Iteration)), default=0)
    words = [at for at, one in enumerate(entries[:last]) if isinstance(one, Intervention) and one.by == "human"]
    if not words or not any(isinstance(one, Iteration) for one in entries[: words[-1]]):
        return None
    before = tuple(entries[: words[-1]])
    return Run(run.id, run.name, before, replay(before))


def stood_before(run: Run, equation: int) -> EquationFit | None:
    """Return the law that stood before the words that left its equation without one; None where there was none."""
    entries = standing(run.entries)
    laws = (replay(entries[:at]).best[equation] for at in range(len(entries), 0, -1))
    return next((law.reported for law in laws if law is not None), None)


def taken_back_by(run: Run, number: int) -> str:
    """Return what the entry of this number, which takes one back, took back: "iteration 3", "your word (ban x**2)"."""
    before = standing(run.entries[:number])
    last = before[-1]
    if isinstance(last, Intervention):
        return f"your word ({said(last, names_of(run.state.problem.dataset))})"
    return (
        f"iteration {sum(isinstance(one, Iteration) for one in before)}" if isinstance(last, Iteration) else "a pause"
    )


def said(entry: Intervention, names: Names) -> str:
    """Return what the person did, in words."""
    parts = [f"{override.choice} {_term(override.key, names)}" for override in entry.overrides]
    parts += [f"ban {_term(note.key, names)}" for note in entry.ban]
    parts += [f"unban {_term(key, names)}" for key in entry.unban]
    parts += [f"pin {_term(note.key, names)}" for note in entry.pin if note.reason != TAKEN]
    parts += [f"unpin {_term(key, names)}" for key in entry.unpin]
    parts += [f"propose {_term(note.key, names)}" for note in entry.propose]
    parts += [
        f"{'take from the rivals' if note.is_taken else 'propose the equation'} {right_side(note, names)}"
        f"{_where(note.equation, names)}"
        for note in entry.equations
    ]
    parts += [f"ban {KINDS[note.key.kind]}{_holding(note.key, names)}" for note in entry.ban_families]
    parts += [f"unban {KINDS[key.kind]}{_holding(key, names)}" for key in entry.unban_families]
    parts += ["new description"] if entry.description is not None else []
    parts += ["new meanings or units"] if entry.variables else []
    parts += ["insight corrected"] if entry.insight is not None else []
    parts += ["a remark"] if entry.remark is not None else []
    parts += [_agents(entry.agents)] if entry.agents is not None else []
    return ", ".join(parts) or "nothing"


def right_side(note: EquationNote, names: Names) -> str:
    """Return the right-hand side as it was typed, else with a letter for each number that is to be fitted."""
    return note.text.rpartition("=")[2].strip(" ;,") or open_sum(note.skeletons, names)


def _term(key: TermKey, names: Names) -> str:
    """Return a term as it is read, not as it is typed: a column may have a name that no program allows, as lambda."""
    return f"{to_words(key.skeleton, called(names))}{_where(key.equation, names)}"


def _where(equation: int, names: Names) -> str:
    """The equation, where there is more than one variable: two may have the same term."""
    return f" in {derivative(names.own[equation])}" if len(names.own) > 1 else ""


def _agents(note: AgentsNote) -> str:
    if note.agents != "models":
        return "the built-in agents"
    return "the language models wait to be chosen again" if note.models is None else "other language models"


def _holding(key: FamilyKey, names: Names) -> str:
    return f" with {names.own[names.symbols.index(key.symbol)]}" if key.symbol in names.symbols else ""


Subject: TypeAlias = Literal["description", "columns", "insight", "remark"]
Change: TypeAlias = Literal["same", "added", "removed"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text in a comparison."""

    mark: Change
    text: str


@dataclass(frozen=True, slots=True)
class Version:
    """One wording of a subject.

    Attributes:
        number: from 1; text: the whole wording; by: "you" or "the Scientist".
        since: the first iteration that it guides (an insight of the Scientist is made in the one before).
        pieces: what changed against the version before, word by word; empty for the first.
    """

    number: int
    text: str
    by: str
    since: int
    pieces: tuple[Piece, ...] = ()


def versions(run: Run, subject: Subject) -> tuple[Version, ...]:
    """Return every wording of a subject that stands, the oldest first."""
    found: list[Version] = []
    for text, by, since in _wordings(standing(run.entries), subject):
        if not found or text != found[-1].text:
            pieces = differences(found[-1].text, text) if found else ()
            found.append(Version(len(found) + 1, text, by, since, pieces))
    return tuple(found)


def differences(before: str, after: str) -> tuple[Piece, ...]:
    """Return what was removed and added from one text to the other, word by word (`difflib`)."""
    old, new = before.split(), after.split()
    pieces: list[Piece] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("same", " ".join(old[i1:i2])))
            continue
        if i2 > i1:
            pieces.append(Piece("removed", " ".join(old[i1:i2])))
        if j2 > j1:
            pieces.append(Piece("added", " ".join(new[j1:j2])))
    return tuple(pieces)


def _wordings(entries: Sequence[Entry], subject: Subject) -> Iterator[tuple[str, str, int]]:
    notes: dict[str, VariableNote] = {}
    problem: Problem | None = None
    iteration = 0
    for entry in entries:
        match entry:
            case Start():
                problem = entry.problem
                first = {"description": problem.description, "columns": columns_text(problem, notes)}.get(subject)
                if first is not None:
                    yield first, "you", 1
            case Iteration():
                iteration = entry.number
                if subject == "insight" and entry.evaluation.review.insight:
                    yield entry.evaluation.review.insight, "the Scientist", iteration + 1
            case Intervention():
                notes |= {note.name: note for note in entry.variables}
                text = columns_text(problem, notes) if subject == "columns" and problem else _said(entry, subject)
                if text is not None:
                    yield text, "you", iteration + 1
            case _:
                pass


def _said(entry: Intervention, subject: Subject) -> str | None:
    return {"description": entry.description, "insight": entry.insight, "remark": entry.remark}.get(subject)


def columns_text(problem: Problem, notes: dict[str, VariableNote]) -> str:
    """Return a line per column: name, unit in brackets, meaning."""
    return "\n".join(_line(variable, notes.get(variable.name)) for variable in problem.dataset.columns)


def _line(variable: Variable, note: VariableNote | None) -> str:
    unit, meaning = (variable.unit, variable.meaning) if note is None else (note.unit, note.meaning)
    bracket = f" [{unit}]" if unit else ""
    return f"{variable.name}{bracket}: {meaning or 'no meaning given'};"
