"""What the tables share: results picked and joined over seeds, figures as text, Markdown."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import fmean, median

from lab.campaign.records import Result, Score, Span, Task

LONG = re.compile(r"\d+\.\d{6,}(?:e[-+]?\d+)?")
YES, NO = "yes", "-"
DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Run:
    """A task with its result."""

    task: Task
    result: Result


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: what the table says, and how its figures were made."""

    title: str
    how: str
    body: str

    def text(self) -> str:
        """Return it as Markdown."""
        return f"## {self.title}\n\n{self.how}\n\n{self.body}"


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def figure(value: float | None) -> str:
    """Return a figure with three digits; a dash for one that is not there."""
    if value is None or value != value:
        return NO
    return "failed" if not isfinite(value) else f"{value:.2e}"


def readable(law: str) -> str:
    """Return an equation with its long numbers cut to six digits."""
    return LONG.sub(lambda number: f"{float(number[0]):.6g}", law)


METHODS = {"dolq": "DoLQ", "icsr": "ICSR", "llm-sr": "LLM-SR", "lasr": "LaSR", "edl": "EDL"}


def who(task: Task) -> str:
    """Return who did the task, as a column is headed."""
    name = {"builtin": "built-in agents", "pysindy": "PySINDy", "pysindy-best": "PySINDy, best"}.get(task.agents, "")
    if task.models is not None:
        name = f"{METHODS[task.models.method]} here, {task.models.sampler.model}"
    return name if usual(task) else f"{name}, {task.variant.name}"


def plain(task: Task) -> bool:
    """Whether a task is of the main comparison: clean data of one start, the given words, own names."""
    return clean(task) and task.words == "given" and task.naming == "own"


def clean(task: Task) -> bool:
    """Whether a task has data without noise of one start."""
    return not (task.noise or task.sigma) and task.runs == 1


def usual(task: Task) -> bool:
    """Whether the loop is run as it is by default; other variants have tables of their own."""
    return task.variant.name == DEFAULT


def sampled_in_full(runs: Sequence[Run]) -> list[Run]:
    """Return the runs whose system is not sampled more often in others of them."""
    most: dict[tuple[str, str], int] = {}
    for run in runs:
        system = (run.task.suite, run.task.case.id)
        most[system] = max(most.get(system, 0), run.task.case.points)
    return [run for run in runs if run.task.case.points == most[run.task.suite, run.task.case.id]]


def by(runs: Iterable[Run], key: Callable[[Task], str]) -> dict[str, list[Run]]:
    """Return the runs by a word of their tasks, in order of appearance."""
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(key(run.task), []).append(run)
    return found


def grouped(runs: Iterable[Run], *keys: Callable[[Task], str]) -> Iterator[tuple[tuple[str, ...], list[Run]]]:
    """Yield the runs by several words of their tasks, in order of appearance: the words, and the runs."""
    if not keys:
        yield (), list(runs)
        return
    for name, those in by(runs, keys[0]).items():
        for names, some in grouped(those, *keys[1:]):
            yield (name, *names), some


def suite(task: Task) -> str:
    """Return the suite of the task."""
    return task.suite


def counted(runs: Sequence[Run], test: Callable[[Result], bool]) -> str:
    """Return how many pass: yes or a dash for one run, else a count."""
    passed = sum(test(run.result) for run in runs)
    if len(runs) == 1:
        return YES if passed else NO
    return f"{passed} of {len(runs)}"


def typical(runs: Sequence[Run], figure_of: Callable[[Result], float]) -> float:
    """Return the median over the runs."""
    return median(figure_of(run.result) for run in runs)


def error(result: Result, kind: str, start: int, span: Span) -> float:
    """Return the NMSE ("residual" or "integral") averaged over the states; infinite where there is none."""
    score = next((one for one in result.scores if (one.start, one.span) == (start, span)), None)
    return float("inf") if score is None else fmean(_of(score, kind))


def worst(result: Result, kind: str, start: int, span: Span) -> float:
    """Return the NMSE of the worst state; infinite where there is none."""
    score = next((one for one in result.scores if (one.start, one.span) == (start, span)), None)
    return float("inf") if score is None else max(_of(score, kind))


def _of(score: Score, kind: str) -> tuple[float, ...]:
    return score.residual if kind == "residual" else score.integral


def seconds(value: float) -> str:
    """Return seconds with three digits."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
