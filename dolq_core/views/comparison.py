"""Two runs beside each other: where they part, what differs, and whether a person's word helped."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate, takewhile
from math import inf, isfinite
from typing import Any, Literal, TypeAlias

from dolq_core.arrays import same
from dolq_core.blocks import in_words
from dolq_core.export import latex
from dolq_core.fitting import names_of
from dolq_core.loop import advance, begin, standing
from dolq_core.ports import RunInfo, Store
from dolq_core.records import (
    STANDS,
    Dataset,
    Entry,
    Intervention,
    Iteration,
    Pause,
    RunState,
    Settings,
    Standing,
    Start,
)
from dolq_core.runs import Run, load
from dolq_core.runs.recent import Recent
from dolq_core.terms import Names, to_latex
from dolq_core.views.history import Piece, Point, differences, points, said
from dolq_core.views.summary import Summary, summary_of
from dolq_core.views.system import statuses

Verdict: TypeAlias = Literal["early", "nothing", "helped", "hurt", "same", "simpler", "larger", "open"]

NEGLIGIBLE = 1e-6
"""NMSE below which two errors are not told apart: both miss by less than a thousandth of the spread."""
TOLD = 1.05
"""Ratio of two errors from which one is called smaller."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What the numbers say of a word.

    Attributes:
        verdict: "early": one of the runs has not gone on yet and has to; "nothing": no system can be simulated in
            either; "same": the same terms and no other error; "simpler", "larger": fewer or more terms for the same
            error; "open": other terms, as many, for the same error.
        held_out: whether the held-out errors decided, else those of the trajectories.
        turned: the other of the two errors says the opposite.
        since: iterations since they part, with the word and without it.
        others: words that were said since beside this one, in both.
        is_here: whether the run in hand is the one with the word.
    """

    verdict: Verdict
    held_out: bool
    turned: bool
    since: tuple[int, int]
    others: int
    is_here: bool


_Stands: TypeAlias = tuple[Sequence[Entry], Summary]


def effect(here: _Stands, there: _Stands, *, is_here: bool, alike: bool) -> Effect:
    """Compare the run with the word to the one without.

    here, there: what follows the entries in common, and where the run stands.
    is_here: whether `here` has the word; alike: whether the best equations have the same terms.
    """
    (spoken, by_word), (silent, alone) = (here, there) if is_here else (there, here)
    since = _count(spoken, Iteration), _count(silent, Iteration)
    held = by_word.held_out is not None and alone.held_out is not None
    first, second = sign_of(by_word.error, alone.error), sign_of(by_word.held_out, alone.held_out)
    sign, rest = (second, first) if held else (first, 0)
    is_told = since[0] > 0 and (since[1] > 0 or alone.settled)  # a settled run need not go on
    return Effect(
        verdict=_verdict(sign, by_word, alone, alike=alike) if is_told else "early",
        held_out=held,
        turned=sign * rest < 0,
        since=since,
        others=_count(spoken, Intervention) - 1 + _count(silent, Intervention),
        is_here=is_here,
    )


def _verdict(sign: int, by_word: Summary, alone: Summary, *, alike: bool) -> Verdict:
    if not any(error is not None and isfinite(error) for error in (by_word.error, alone.error)):
        return "nothing"
    if sign:
        return "helped" if sign < 0 else "hurt"
    if alike:
        return "same"
    if by_word.terms == alone.terms:
        return "open"
    return "simpler" if by_word.terms < alone.terms else "larger"


def sign_of(one: float | None, other: float | None) -> int:
    """Return -1 where `one` is the smaller error, 1 where it is the larger, 0 where they are not told apart."""
    a, b = (inf if error is None else error for error in (one, other))
    if max(a, b) < NEGLIGIBLE or a == b or max(a, b) < TOLD * min(a, b):
        return 0
    return -1 if a < b else 1


def _count(entries: Sequence[Entry], kind: type[Entry]) -> int:
    return sum(isinstance(entry, kind) for entry in entries)


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs.

    Attributes:
        label: what it is called in the comparison: "with it" and "without it" of a person's word, else "this run"
            and "the other".
        settled_after: the iteration since which every equation is settled; None while one is not.
        then: what follows the entries in common, in words.
    """

    label: str
    summary: Summary
    iterations: int
    interventions: int
    settled_after: int | None
    then: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What is not the same at the start.

    Attributes:
        name: a field of `Settings`, or "data", "columns", "blocks", "seed", "agents", "models".
    """

    name: str
    here: Any
    there: Any


@dataclass(frozen=True, slots=True)
class Pair:
    """The best equations of one state as LaTeX, empty where there is none, and the terms that only one of them has.

    stands_here, stands_there: where each stands in words, as everywhere; empty where there is none.
    """

    name: str
    here: str
    there: str
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]
    stands_here: str
    stands_there: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs beside each other.

    Attributes:
        common: how many entries that stand are the same in both, from the first on.
        words: the descriptions, piece by piece: "removed" is in `here` alone, "added" in `there`; empty where they are
            the same.
        points: the errors by iteration of the equations of `here`, then of `there`; labels: what each is.
        effect: whether the word helped at which they part; None where they do not part at one word.
    """

    common: int
    here: Side
    there: Side
    settings: tuple[Difference, ...]
    words: tuple[Piece, ...]
    equations: tuple[Pair, ...]
    points: tuple[Point, ...]
    labels: tuple[str, ...]
    effect: Effect | None


def in_common(one: Sequence[Entry], other: Sequence[Entry]) -> int:
    """Return how many entries two logs share, from the first on, without what was taken back."""
    pairs = zip(standing(one), standing(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def compare(run: Run, other: Run) -> Comparison:
    """Return two runs beside each other: where they part, what differs, and whether a word helped."""
    state_here, state_there = run.state, other.state
    mine, yours = standing(run.entries), standing(other.entries)
    common = in_common(mine, yours)
    texts = state_here.problem.description, state_there.problem.description
    ours, theirs = mine[common:], yours[common:]
    equations = tuple(_pairs(state_here, state_there))
    spoken = [bool(rest) and isinstance(rest[0], Intervention) for rest in (ours, theirs)]
    found = None
    labels = ("this run", "the other")
    if common and spoken[0] != spoken[1]:
        labels = ("with it", "without it") if spoken[0] else ("without it", "with it")
        found = effect(
            (ours, summary_of(state_here)),
            (theirs, summary_of(state_there)),
            is_here=spoken[0],
            alike=not any(pair.only_here or pair.only_there for pair in equations),
        )
    return Comparison(
        common=common,
        here=_side(labels[0], mine, state_here, common),
        there=_side(labels[1], yours, state_there, common),
        settings=tuple(_differences(mine[0], yours[0])),
        words=differences(*texts) if texts[0] != texts[1] else (),
        equations=equations,
        points=_points(mine, yours, len(state_here.best)),
        labels=tuple(
            f"{variable.name}, {label}"
            for label, state in zip(labels, (state_here, state_there), strict=True)
            for variable in state.problem.dataset.states
        ),
        effect=found,
    )


def _side(label: str, entries: Sequence[Standing], state: RunState, common: int) -> Side:
    return Side(
        label=label,
        summary=summary_of(state),
        iterations=state.iteration,
        interventions=sum(isinstance(entry, Intervention) for entry in entries),
        settled_after=_settled_after(entries, state),
        then=_then(entries, state, common),
    )


def _settled_after(entries: Sequence[Standing], state: RunState) -> int | None:
    first, *rest = entries
    assert isinstance(first, Start)
    after = None
    _, *states = accumulate(rest, advance, initial=begin(first))
    for entry, then in zip(rest, states, strict=True):
        if isinstance(entry, Iteration):
            after = (after or entry.number) if summary_of(then).settled else None
    return after if summary_of(state).settled else None


def _then(entries: Sequence[Standing], state: RunState, common: int) -> str:
    if common == len(entries):
        return "nothing more"
    match entries[common]:
        case Intervention() as entry:
            return f"your word ({said(entry, names_of(state.problem.dataset))})"
        case Iteration(number=number):
            return f"iteration {number}"
        case Pause():
            return "a pause"
        case Start():
            return "a start of its own"


def _differences(here: Entry, there: Entry) -> Iterator[Difference]:
    assert isinstance(here, Start)
    assert isinstance(there, Start)
    one, other = here.problem.dataset, there.problem.dataset
    pairs: list[tuple[str, Any, Any]] = [("data", one.name, other.name)]
    if _same_samples(one, other):
        told = _told(one, other), _told(other, one)
        pairs.append(("columns", *told))
        if not any(told) and replace(other, name=one.name) != one:
            pairs.append(("data", "the same samples", "read in another way"))
    elif one.name == other.name:
        pairs.append(("data", "the same name", "other samples"))
    pairs.append(("blocks", _allowed(here), _allowed(there)))
    pairs += [("seed", here.seed, there.seed), ("agents", here.agents, there.agents)]
    pairs += [("models", here.models, there.models)]
    pairs += [(f.name, getattr(here.settings, f.name), getattr(there.settings, f.name)) for f in fields(Settings)]
    yield from (Difference(name, mine, yours) for name, mine, yours in pairs if mine != yours)


def _same_samples(one: Dataset, other: Dataset) -> bool:
    """Whether times and states are the same, whatever the columns are called."""
    runs = one.trajectories, other.trajectories
    return len(runs[0]) == len(runs[1]) and all(
        same(mine.t, yours.t) and same(mine.x, yours.x) for mine, yours in zip(*runs, strict=True)
    )


def _told(one: Dataset, other: Dataset) -> str:
    """The columns that are called otherwise in another table, with unit and meaning."""
    theirs = [(column.name, column.unit, column.meaning) for column in other.columns]
    own = [column for column in one.columns if (column.name, column.unit, column.meaning) not in theirs]
    return "; ".join(", ".join(filter(None, (column.name, column.unit, column.meaning))) for column in own)


def _allowed(start: Start) -> str:
    return " ".join(in_words(start.problem.blocks, names_of(start.problem.dataset))) or "everything"


def _pairs(here: RunState, there: RunState) -> Iterator[Pair]:
    """The equations by the name of their state: those of `here` first, then what only `there` has.

    Of the same samples by their place, in the names of `here`: one table may have been read with other names.
    """
    one, other = here.problem.dataset, there.problem.dataset
    names = names_of(one)
    alike = _same_samples(one, other) and names.symbols == names_of(other).symbols
    ours, theirs = _equations(here, names), _equations(there, names if alike else names_of(other))
    for name in {**ours, **theirs}:
        (left, terms, stands), (right, others, stands_there) = (side.get(name, ("", {}, "")) for side in (ours, theirs))
        yield Pair(
            name,
            left,
            right,
            tuple(shown for skeleton, shown in terms.items() if skeleton not in others),
            tuple(shown for skeleton, shown in others.items() if skeleton not in terms),
            stands,
            stands_there,
        )


def _equations(state: RunState, names: Names) -> dict[str, tuple[str, dict[str, str], str]]:
    """By the name of the state: the best equation, its terms by how they are set in own names, and where it stands."""
    found: dict[str, tuple[str, dict[str, str], str]] = {}
    for name, visited, (stands, _) in zip(names.own, state.best, statuses(state), strict=False):
        if visited is not None:
            fit = visited.reported
            terms = {shown: shown for shown in (to_latex(term.skeleton, names) for term in fit.terms)}
            found[name] = latex.equation(fit, names, refused=stands == "none"), terms, STANDS[stands]
        else:
            found[name] = "", {}, ""
    return found


def _points(here: Sequence[Entry], there: Sequence[Entry], offset: int) -> tuple[Point, ...]:
    others = (replace(point, equation=point.equation + offset) for point in points(there))
    return (*points(here), *others)


@dataclass(frozen=True, slots=True)
class Kin:
    """Another run that begins as a run does; common: how many entries they share."""

    id: str
    name: str
    common: int


_shared: Recent[tuple[str, int, str, int], int] = Recent(1000)


def kin(store: Store, run: Run) -> tuple[Kin, ...]:
    """Return the runs that begin as this one does, such as its forks and what it was forked from, the nearest first."""
    dataset = run.state.problem.dataset.name
    alike = [info for info in store.runs() if info.id != run.id and info.dataset == dataset]
    found = [Kin(info.id, info.name, _common(store, run, info)) for info in alike]
    return tuple(sorted((one for one in found if one.common), key=lambda one: -one.common))


def _common(store: Store, run: Run, other: RunInfo) -> int:
    """Return how many entries two runs share; counted anew only when one of the logs has grown."""
    pair = run.id, len(run.entries), other.id, other.entries
    return _shared.once(pair, lambda: in_common(run.entries, load(store, other.id).entries))
