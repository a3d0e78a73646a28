"""A run whose language model answers badly half of the time, iteration after iteration.

A local server speaks the wire format of chat.completions. Each answer is drawn: a good one, or one of the faults (busy,
broken, cut, HTML, trickling, refused forms, truncated JSON, nothing, another shape, a key that is refused, a model that
is gone), or text that a fault of its own has mutated, or terms that are attacks. Every iteration must be stored, or the
run pause with a reason; then it is asked again. The waits between attempts are left out. Afterwards the log is read
anew: every iteration is there once, and what it folds to is the state that the run had.
"""

import random
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from dolq_core import runs
from dolq_core.agents.llm import asking
from dolq_core.errors import AgentError
from dolq_core.loop import replay
from dolq_core.records import Budget, Iteration, ModelChoice, Models, Pause, Settings
from lab.benchmarks.reliability import processes
from lab.benchmarks.reliability.page import ReliabilityPart
from tests.agents.llm.replies import grades, proposal
from tests.agents.llm.server import Text, error, serving
from tests.agents.llm.test_runs_with_models import FAULTS
from tests.loop.states import logistic_problem
from tests.terms.hostile import hostile

KEY = "sk-soak"
TERMS = ["x", "x**2", "1", "x**3", "sin(x)", "exp(-x)", "1/(1+x)", "t", "x*t", "tanh(x)", "params[0]*x", "log(x)"]
DEADLY = {"401": [error(401)], "404": [error(404)]}
TWISTED, ATTACKS = "mutated text", "attacks as terms"


@dataclass
class Tally:
    """What the server has answered, by kind."""

    rng: random.Random
    kinds: Counter[str] = field(default_factory=Counter[str])
    waiting: list[Any] = field(default_factory=list[Any])
    attacks: list[str] = field(default_factory=list[str])

    def answer(self, body: dict) -> Any:
        """Return the next answer: what a fault still has to say, or a new one."""
        if self.waiting:
            return self.waiting.pop(0)
        kind = self.rng.choice(["good", *FAULTS, *DEADLY, TWISTED, ATTACKS]) if self.rng.random() < 0.5 else "good"
        self.kinds[kind] += 1
        good = _good(body, self.rng)
        if kind == TWISTED:
            return Text(_mutated(good, self.rng))
        if kind == ATTACKS:
            return Text(proposal({"x": self.rng.sample(self.attacks, 4)}))
        first, *self.waiting = [*FAULTS.get(kind, DEADLY.get(kind, [Text(good)]))]
        return Text(first) if isinstance(first, str) else first


def _good(body: dict, rng: random.Random) -> str:
    prompt = body["messages"][-1]["content"]
    if '"grades"' in prompt or "grades" in str(body.get("response_format", {})):
        return grades(x={term: rng.choice(["good", "neutral", "bad"]) for term in rng.sample(TERMS, 6)})
    return proposal(*({"x": rng.sample(TERMS, rng.randint(1, 5))} for _ in range(3)))


def _mutated(text: str, rng: random.Random) -> str:
    letters = list(text)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(letters))
        letters[at : at + rng.randint(0, 3)] = rng.choice(['"', "{", "}", "\\", "\0", "\ud800", "NaN", "]", ""])
    return "".join(letters).encode("utf-8", "replace").decode()


def measure(iterations: int, seed: int) -> ReliabilityPart:
    """Ask so often for an iteration; return the part of the page."""
    asking.LiveLine.wait = lambda self, seconds: None  # type: ignore[method-assign]
    asking.DEADLINE_S = 1.0
    told = Tally(random.Random(seed), attacks=list(islice(hostile(2000), 2000)))  # noqa: S311
    with tempfile.TemporaryDirectory() as folder, serving(*[told.answer] * 100_000) as server:
        store = runs.open_store(Path(folder) / "runs.db")
        choice = ModelChoice("openai", "m", f"{server.url}/v1")
        models = Models(choice, choice, budget=Budget(calls=None, tokens=None))
        settings = Settings(iterations=iterations, patience=iterations)
        run = runs.start(store, logistic_problem(60), settings, agents="models", models=models)
        outcomes, memory = _soaked(lambda: runs.step_once(store, run, keys=lambda _: KEY), iterations)
        entries = runs.open_store(Path(folder) / "runs.db").entries(run)
        state = runs.load(store, run).state
    numbers = [entry.number for entry in entries if isinstance(entry, Iteration)]
    pauses = [entry for entry in entries if isinstance(entry, Pause)]
    whole = numbers == list(range(1, outcomes["stored"] + 1)) and replay(entries) == state
    silent = sum(not pause.reason for pause in pauses) + (len(pauses) != outcomes["paused"])
    survived = outcomes["stored"] + outcomes["paused"] - silent
    rows = [
        ("iterations asked for", f"{iterations:,}"),
        ("stored", f"{outcomes['stored']:,}"),
        ("paused with a reason", f"{outcomes['paused'] - silent:,}"),
        *((f"ended with {kind}", f"{n}") for kind, n in outcomes.items() if kind not in ("stored", "paused")),
        ("answers of the server", ", ".join(f"{n} {kind}" for kind, n in told.kinds.most_common())),
        ("memory after a tenth, at the end", f"{memory[0]:.0f} MB, {memory[1]:.0f} MB"),
        ("the log read anew", "every iteration once, the same state" if whole else "DIFFERENT"),
    ]
    return ReliabilityPart(
        "replies", "A language model that answers badly", " ".join((__doc__ or "").split()), ("", ""), rows,
        iterations, survived, 0 if whole else 1, memory=f"{memory[0]:.0f} to {memory[1]:.0f} MB",
    )  # fmt: skip


def _soaked(step: Callable[[], object], times: int) -> tuple[Counter[str], tuple[float, float]]:
    outcomes: Counter[str] = Counter()
    memory = [0.0, 0.0]
    for number in range(times):
        try:
            step()
            outcomes["stored"] += 1
        except AgentError:
            outcomes["paused"] += 1
        except Exception as error:  # noqa: BLE001  anything else is a fault of ours, and is counted by its name
            outcomes[f"{type(error).__name__}: {error}"[:120]] += 1
        if number == times // 10:
            memory[0] = processes.megabytes(processes.OWN)
    memory[1] = processes.megabytes(processes.OWN)
    return outcomes, (memory[0], memory[1])
