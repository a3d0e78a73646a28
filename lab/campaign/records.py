"""What flows through a campaign: systems with known laws, runs to do, and what came out. Plain data, all of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from dolq_core.errors import DolqError
from dolq_core.records import Dataset, Models, Settings, Variable

Words: TypeAlias = Literal["given", "none", "partly wrong", "fully wrong", "of the next"]
Naming: TypeAlias = Literal["own", "anonymous"]
Agents: TypeAlias = Literal["builtin", "models", "pysindy", "pysindy-best"]
Span: TypeAlias = Literal["id", "ext"]


class CampaignError(DolqError):
    """A campaign that cannot be run as it was asked for."""


@dataclass(frozen=True, slots=True)
class Case:
    """One system of a suite: its words, and either its law or its measured data.

    Attributes:
        equations: the true right-hand sides as text, in the order of the states; empty for measured data.
        initial: initial states; the first is that of the data, the others are for testing.
        t: the span of the data; t_ext: the longer one for testing, from the same start.
        points: samples on either span.
        partly_wrong, fully_wrong: descriptions that mislead; next_words: the description of the suite's next system.
        measured: the data, where there is no law.
    """

    id: str
    title: str
    description: str
    states: tuple[Variable, ...]
    equations: tuple[str, ...] = ()
    initial: tuple[tuple[float, ...], ...] = ()
    t: tuple[float, float] = (0.0, 1.0)
    t_ext: tuple[float, float] = (0.0, 1.0)
    points: int = 1000
    partly_wrong: str = ""
    fully_wrong: str = ""
    next_words: str = ""
    measured: Dataset | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """How the loop is run, under a name that the tables show. scientist: whether anybody grades the terms."""

    name: str = "default"
    settings: Settings = Settings()
    scientist: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """One run to do, complete: a worker needs nothing else, wherever it is.

    Attributes:
        agents: the built-in ones, or language models (`models` says which), or a baseline.
        noise: standard deviation of white noise, in units of each state's own along the data.
        sigma: the same in the states' own unit; the two add up.
        runs: how many of the initial states are measured.
        words: which description the agents get; naming: whether they see the columns' own names and meanings.
    """

    suite: str
    case: Case
    agents: Agents = "builtin"
    seed: int = 0
    noise: float = 0.0
    sigma: float = 0.0
    runs: int = 1
    words: Words = "given"
    naming: Naming = "own"
    variant: Variant = Variant()
    models: Models | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """The paper's two errors of a law from one initial state over one span, per state; inf where it failed.

    Attributes:
        start: which initial state of the case.
        residual: NMSE of the right-hand side against the true one, along the true trajectory.
        integral: NMSE of the simulation against the true trajectory.
    """

    start: int
    span: Span
    residual: tuple[float, ...]
    integral: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One iteration of a run.

    Attributes:
        nmse: of the best structure so far against the data's own target, per equation; None before there is one.
        passed: whether the system of this iteration passes the NMSE test; None where there is no known law.
        keep, hold, remove: how many terms got which verdict.
        tokens_in, tokens_out: of all calls up to here.
    """

    number: int
    nmse: tuple[float | None, ...]
    passed: bool | None
    keep: int
    hold: int
    remove: int
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class TermActions:
    """How often a term got which verdict in a run. true: whether it is a term of the law."""

    equation: int
    term: str
    keep: int
    hold: int
    remove: int
    true: bool


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run has cost. peak_mib: the largest resident memory of its process during the run; 0 where unknown."""

    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_mib: float = 0.0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """What came out of one run.

    Attributes:
        task: the id of the task (`lab.campaign.tasks.task_id`).
        law: the right-hand sides that were found, in the names the agents saw; statuses: what is claimed of each.
        scores: empty for measured data.
        nmse_test: whether the integral NMSE is below 1e-3 for every state on the extended span (paper, "Scores").
        term_test: whether the terms are the true ones but for negligible parts; exact: the same without any grace.
        found_at: the first iteration that passes the NMSE test; None where none does.
        simulated: NMSE per state of the simulation against the data themselves, over the variance.
        adopted: how many fits each optimizer won.
        failure: why there is no result; empty where there is one.
        worker, finished: where and when (ISO 8601, UTC); for people only.
    """

    task: str
    law: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    scores: tuple[Score, ...] = ()
    nmse_test: bool = False
    term_test: bool = False
    exact: bool = False
    iterations: int = 0
    found_at: int | None = None
    simulated: tuple[float, ...] = ()
    steps: tuple[Step, ...] = ()
    actions: tuple[TermActions, ...] = ()
    adopted: Mapping[str, int] = field(default_factory=dict[str, int])
    stopped: str = ""
    conflict: str = ""
    failure: str = ""
    cost: Cost = Cost()
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    worker: str = ""
    finished: str = ""
