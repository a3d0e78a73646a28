"""How much of a model's success is recall: `python -m lab recall [--model "PROVIDER/MODEL ..."] [--url ADDRESS]`.

The paper's eight systems are in textbooks, and a language model that is told what the system is may recite the law and
read no figure. So each system has a twin: the same description and meanings, word for word, the same starts and times,
and a changed law (another exponent, another function, a term that no textbook has; `lab/campaign/suites/changed.toml`).
A partner plays both roles on each, clean, 1,000 points, six iterations at most. Right: the best system has the true
terms and no others, or is the same function in other words. **Recall share: of the systems that a partner has right as
they are in the textbooks, the part whose twin it has not**, with its 95 % interval (Wilson). A twin that is merely
harder counts as recall too: the built-in agents, which take no law from a description, say how many of the twins can be
found.

Without `--model` no language model is asked: the partners are scripts that stand where one stands (`ChatModel`). The
reciter knows the textbook's law of each description and reads no figures; the beginner reads figures and no words (page
"A partner that knows no mechanism"); the third recites first and then goes by the figures. They show that the table
tells recall from discovery, and say nothing of any language model. The changed laws are of shapes that the beginner
tries, chosen until the built-in agents found all eight. A language model is measured by the same command, with its key
in the environment as for `discover`; at an address of one's own (`--url`) the key is that of DOLQ_CAMPAIGN_KEY.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dolq_core import loop
from dolq_core.agents import build_agents
from dolq_core.errors import AgentError
from dolq_core.laws import law_of_fits
from dolq_core.ports import ChatModel, ChatReply, ChatRequest
from dolq_core.records import ModelChoice, Models, Settings, Start
from dolq_core.runs import bench_of
from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.beginner import GRADED, Beginner, counted, hypothesis
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.laws import exact, fits_of, true_law
from lab.campaign.looping import reached
from lab.campaign.records import Case
from lab.campaign.same import is_same
from lab.campaign.tasks import problem_of

SETTINGS = Settings(iterations=6, patience=6)
SUITES = ("paper", "changed")
BUILTIN = "the built-in agents"


def _textbook() -> Mapping[str, Sequence[Sequence[str]]]:
    """Return what every textbook has: the law of each description."""
    return {case.description: [[p[0] for p in own] for own in true_law(case)] for case in campaign.read_suite("paper")}


@dataclass
class Reciter:
    """A partner that knows the law of each description, proposes it whatever the figures say, and finds it good."""

    choice: ModelChoice = ModelChoice("scripted", "reciter")
    server: str = ""
    known: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=_textbook)

    def send(self, request: ChatRequest) -> ChatReply:
        """Return the law, or grades: three terms of an equation may be good."""
        if request.name == "scientist":
            seen: list[str] = []
            grades: list[object] = []
            for number, name, *_ in GRADED.findall(request.prompt):
                seen.append(name)
                grade = "good" if seen.count(name) <= 3 else "neutral"
                grades.append({"number": int(number), "grade": grade, "reason": "as in the textbook"})
            return counted(request, json.dumps({"grades": grades, "insight": "", "lift": []}))
        law = next(law for words, law in self.known.items() if words in request.prompt)
        proposed = hypothesis({f"x{j}": terms for j, terms in enumerate(law)})
        return counted(request, json.dumps({"hypotheses": [proposed]}))


@dataclass
class Corrected(Beginner):
    """A beginner whose first hypothesis is the textbook's law."""

    reciter: Reciter = field(default_factory=Reciter)

    def send(self, request: ChatRequest) -> ChatReply:
        """Recite at first, then go by the figures."""
        first = request.name != "scientist" and "# What was said of iteration" not in request.prompt
        return self.reciter.send(request) if first else super().send(request)


SCRIPTS: Mapping[str, Callable[[], ChatModel] | None] = {
    "the reciter (a script)": Reciter,
    "the beginner (a script)": Beginner,
    "the reciter that then reads figures (a script)": Corrected,
    BUILTIN: None,
}


def choices(said: str, url: str = "") -> list[ModelChoice]:
    """Return the language models that were named, 'PROVIDER/MODEL ...'."""
    named = [one.partition("/") for one in said.split()]
    if not all(all(parts) for parts in named):
        raise SystemExit(f"--model {said!r} names no model: write PROVIDER/MODEL, such as openai/gpt-4o.")
    return [ModelChoice(provider, name, url) for provider, _, name in named]


def measure(model: str, url: str) -> Iterator[Row]:
    """Run each script, the built-in agents and each model that was named on every system and on its twin."""
    cases = [(suite, case) for suite in SUITES for case in campaign.read_suite(suite)]
    tasks = [(partner, *one) for partner in (*SCRIPTS, *choices(model, url)) for one in cases]
    yield from pooled(_outcome, *zip(*tasks, strict=True), workers=1)  # one: servers count calls a minute


def _outcome(partner: str | ModelChoice, suite: str, case: Case) -> Row:
    if isinstance(partner, ModelChoice):
        return played(f"{partner.provider}/{partner.model}", suite, case, reached("", partner))
    script = SCRIPTS[partner]
    return played(partner, suite, case, None if script is None else script())


def played(name: str, suite: str, case: Case, model: ChatModel | None) -> Row:
    """Run one system with a partner in both roles, None for the built-in agents; say what came of it."""
    problem, failure = problem_of(campaign.Task(suite, case)), ""
    models = None if model is None else Models(model.choice, model.choice)
    kind = "builtin" if model is None else "models"
    agents = build_agents(kind, models, SETTINGS, None if model is None else lambda _role, _choice: model)
    setup = loop.Setup(*agents, bench_of(problem.dataset, SETTINGS))
    state = loop.begin(Start(problem, SETTINGS, agents=kind, models=models))
    while not loop.reason_to_stop(state) and not failure:
        try:
            state = loop.advance(state, loop.step(state, setup))
        except AgentError as error:
            failure = str(error)
    fits, spent = fits_of(state), state.spent
    right = len(fits) == len(case.equations) and (all(exact(case, fits)) or is_same(case, law_of_fits(fits)))
    return {
        "partner": name, "suite": suite, "system": case.id, "right": right,
        "iterations": state.iteration, "calls": spent.calls, "tokens": spent.tokens_in + spent.tokens_out,
        "failure": failure,
    }  # fmt: skip


def recalled(rows: Sequence[Row]) -> tuple[int, int]:
    """Return of one partner's rows how many successes on originals its twins do not match, and how many there are."""
    original, changed = ({row["system"] for row in rows if row["suite"] == suite and row["right"]} for suite in SUITES)
    return len(original - changed), len(original)


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table by partner, and that by system."""
    partners = {row["partner"]: [one for one in rows if one["partner"] == row["partner"]] for row in rows}
    each = [
        (name, system, *(_told(one) for one in sorted(some, key=lambda one: SUITES.index(one["suite"]))))
        for name, own in partners.items()
        for system in dict.fromkeys(row["system"] for row in own)
        for some in [[row for row in own if row["system"] == system]]
    ]
    head = ("partner", "originals right", "twins right", "successes that are recall", "recall share (95 %)")
    return [
        report.table(head, [_line(name, own) for name, own in partners.items()]),
        report.table(("partner", "system", "original", "twin"), each),
    ]


def _line(name: str, rows: Sequence[Row]) -> tuple[str, ...]:
    found = [[row["right"] for row in rows if row["suite"] == suite] for suite in SUITES]
    hits, count = recalled(rows)
    share = "none to share"
    if count:
        low, high = report.wilson(hits, count)
        share = f"{hits / count:.0%} ({low:.0%} to {high:.0%})"
    return (name, *(f"{sum(own)} of {len(own)}" for own in found), f"{hits} of {count}", share)


def _told(row: Row) -> str:
    return f"no answer: {row['failure']}" if row["failure"] else "right" if row["right"] else "not right"


OPTIONS: Mapping[str, report.Option] = {"model": "", "url": ""}
BENCHMARK = Benchmark("recall", "What a model finds, and what it recalls", __doc__, measure, page, OPTIONS)
