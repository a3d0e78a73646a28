"""What happened in a run: errors by iteration, decisions on every term, what the person did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from dolq_core.fitting import names_of
from dolq_core.loop import calls_of
from dolq_core.records import (
    AgentsNote,
    Choice,
    Entry,
    EquationFit,
    EquationNote,
    FamilyKey,
    Intervention,
    Iteration,
    RunState,
    TermKey,
)
from dolq_core.terms import KINDS, Names, to_text


@dataclass(frozen=True, slots=True)
class Track:
    """What was decided on one term, iteration by iteration.

    Attributes:
        choices: by iteration; the person's word where there is one, else the machine's.
        yours: the iterations in which the word is the person's.
        kept: share of the iterations with a decision in which it was kept or pinned.
    """

    key: TermKey
    text: str
    choices: Mapping[int, Choice]
    yours: frozenset[int]
    kept: float


@dataclass(frozen=True, slots=True)
class Point:
    """One equation at one iteration: the residual NMSE of the attempt and of the best so far; None when no fit.

    held_out: the error of the best so far on the held-out part; None without one.
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


def tracks(entries: Sequence[Entry], state: RunState) -> tuple[Track, ...]:
    """Return what was decided on every term, by equation, the most often kept first, then the oldest."""
    names = names_of(state.problem.dataset)
    choices: dict[TermKey, dict[int, Choice]] = {}
    yours: dict[TermKey, set[int]] = {}
    now = 0
    for entry in entries:
        if isinstance(entry, Iteration):
            now = entry.number
            for verdict in entry.verdicts:
                choices.setdefault(verdict.key, {})[now] = verdict.action
        elif isinstance(entry, Intervention) and now:
            for key, choice in _chosen(entry):
                choices.setdefault(key, {})[now] = choice
                yours.setdefault(key, set()).add(now)
    found = [
        Track(key, to_text(key.skeleton, names), said, frozenset(yours.get(key, ())), _kept(said) / len(said))
        for key, said in choices.items()
    ]
    return tuple(sorted(found, key=lambda track: (track.key.equation, -_kept(track.choices), -track.kept)))


def _chosen(said: Intervention) -> list[tuple[TermKey, Choice]]:
    """Return the person's word on each term that they named; a term that was only tried has none."""
    banned: list[tuple[TermKey, Choice]] = [(note.key, "remove") for note in said.ban]
    pinned: list[tuple[TermKey, Choice]] = [(note.key, "pin") for note in said.pin]
    return [*((override.key, override.choice) for override in said.overrides), *banned, *pinned]


def _kept(choices: Mapping[int, Choice]) -> int:
    return sum(choice in ("keep", "pin") for choice in choices.values())


def convergence(entries: Sequence[Entry]) -> tuple[Point, ...]:
    """Return, per iteration and equation, the attempt's residual NMSE and the least so far."""
    points: list[Point] = []
    least: dict[int, EquationFit] = {}
    for done in entries:
        if not isinstance(done, Iteration):
            continue
        for j, fit in enumerate(done.attempt):
            now = fit.nmse if fit is not None and isfinite(fit.nmse) else None
            if fit is not None and now is not None and (j not in least or now < least[j].nmse):
                least[j] = fit
            best = least.get(j)
            ahead = best.held_out if best and best.held_out is not None and isfinite(best.held_out) else None
            points.append(Point(done.number, j, best and best.nmse, now, ahead))
    return tuple(points)


def usage(entries: Sequence[Entry]) -> tuple[Usage, ...]:
    """Return the tokens of every iteration; empty where no language model was asked."""
    found: list[Usage] = []
    since = 0
    for entry in entries:
        since += sum(call.tokens_in + call.tokens_out for call in calls_of(entry))
        if isinstance(entry, Iteration):
            found.append(Usage(entry.number, since))
            since = 0
    return tuple(found) if any(one.tokens for one in found) else ()


def marks(entries: Sequence[Entry], state: RunState) -> tuple[Mark, ...]:
    """Return what the person did, in words, by the iteration after which it was done."""
    names = names_of(state.problem.dataset)
    found: list[Mark] = []
    iteration = 0
    for entry in entries:
        if isinstance(entry, Iteration):
            iteration = entry.number
        elif isinstance(entry, Intervention):
            found.append(Mark(iteration, said(entry, names)))
    return tuple(found)


def said(entry: Intervention, names: Names) -> str:
    """Return what the person did, in words."""
    parts = [f"{override.choice} {to_text(override.key.skeleton, names)}" for override in entry.overrides]
    parts += [f"ban {to_text(note.key.skeleton, names)}" for note in entry.ban]
    parts += [f"unban {to_text(key.skeleton, names)}" for key in entry.unban]
    parts += [f"pin {to_text(note.key.skeleton, names)}" for note in entry.pin]
    parts += [f"unpin {to_text(key.skeleton, names)}" for key in entry.unpin]
    parts += [f"propose {to_text(note.key.skeleton, names)}" for note in entry.propose]
    parts += [f"propose the equation {_sum(note, names)}" for note in entry.equations]
    parts += [f"ban {KINDS[note.key.kind]}{_holding(note.key, names)}" for note in entry.ban_families]
    parts += [f"unban {KINDS[key.kind]}{_holding(key, names)}" for key in entry.unban_families]
    parts += ["new description"] if entry.description is not None else []
    parts += ["new meanings"] if entry.variables else []
    parts += ["insight corrected"] if entry.insight is not None else []
    parts += ["a remark"] if entry.remark is not None else []
    parts += [_agents(entry.agents)] if entry.agents is not None else []
    return ", ".join(parts) or "nothing"


def _agents(note: AgentsNote) -> str:
    if note.agents != "models":
        return "the built-in agents"
    return "the language models wait to be chosen again" if note.models is None else "other language models"


def _sum(note: EquationNote, names: Names) -> str:
    return " + ".join(to_text(skeleton, names) for skeleton in note.skeletons)


def _holding(key: FamilyKey, names: Names) -> str:
    return f" with {names.own[names.symbols.index(key.symbol)]}" if key.symbol in names.symbols else ""
