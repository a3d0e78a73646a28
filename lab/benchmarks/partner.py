"""What a partner without any mechanism makes of the prompts: `python -m lab partner`.

No language model is at hand where this is measured. In its place stands a partner that reads the figures of the prompts
and nothing else (`lab/benchmarks/beginner.py`): it starts from polynomials, asks what simple shapes would add, and
proposes what is then needed. Words, names and meanings say nothing to it. It plays both roles on the paper's eight
systems (clean, 1,000 points, six iterations at most), three times: with the account of the run and looks, as models
get them; with the account alone; and with neither, told of each term whether it was kept, as models once were. Exact:
the best system has the true terms and no others. Tokens are letters over 3.5, of all that is sent and received. The
list of shapes was put together by somebody who knows the eight systems: measured is whether the prompts lead from
figures to a law, not whether the list would do elsewhere. The conversation at the end is one of these runs, to the
letter; of a later prompt the parts that stood in the one before are left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median

from dolq_core import loop
from dolq_core.agents import build_agents
from dolq_core.bundled import PAPER_SYSTEMS, System, generate
from dolq_core.laws import as_law, compared
from dolq_core.ports import ChatModel
from dolq_core.records import ModelCall, Models, RunState, Settings, Start
from dolq_core.runs import bench_of
from lab.benchmarks import report
from lab.benchmarks.beginner import CHOICE, Beginner, Blinded
from lab.benchmarks.report import Benchmark, Row
from lab.benchmarks.truth import names_of, true_skeletons

SETTINGS = Settings(iterations=6, patience=6)
ALL = Models(CHOICE, CHOICE)
WAYS: Mapping[str, Models] = {
    "account and looks": ALL,
    "account": replace(ALL, looks=0),
    "neither": replace(ALL, looks=0, portrait=False),
}


TOLD = 2
"""The system whose conversation is shown: the glider."""


def measure() -> Iterator[Row]:
    """Run every way on every system, and keep one conversation."""
    for way in WAYS:
        for system in PAPER_SYSTEMS:
            state, calls = talked(system.id, way)
            spent = state.spent
            yield {
                "way": way,
                "system": system.id,
                "exact": is_exact(state, system),
                "iterations": state.iteration,
                "calls": spent.calls,
                "looks": spent.looks,
                "tokens": spent.tokens_in + spent.tokens_out,
            }
            if way == "account and looks" and system.id == TOLD:
                yield from map(_said, calls)


def talked(system: int, way: str) -> tuple[RunState, list[ModelCall]]:
    """Return where a run with the partner has ended, and its calls."""
    models = WAYS[way]
    partner: ChatModel = Blinded(Beginner()) if way == "neither" else Beginner()
    problem = generate(system)
    agents = build_agents("models", models, SETTINGS, lambda _role, _choice: partner)
    setup = loop.Setup(*agents, bench_of(problem.dataset, SETTINGS))
    state, calls = loop.begin(Start(problem, SETTINGS, agents="models", models=models)), list[ModelCall]()
    while not loop.reason_to_stop(state):
        done = loop.step(state, setup)
        state, calls = loop.advance(state, done), [*calls, *loop.calls_of(done)]
    return state, calls


def _said(call: ModelCall) -> Row:
    looks = [f"{look.name} {look.asked}" for look in call.looks]
    return {"role": call.role, "prompt": call.prompt, "reply": call.reply or "\n".join(looks)}


def is_exact(state: RunState, system: System) -> bool:
    """Whether every equation has the true terms and no others."""
    laws = [[as_law(t, names_of(system)) for t in best.fit.terms] if best else [] for best in state.best]
    return not any(any(compared(found, true_skeletons(system, j))) for j, found in enumerate(laws))


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table by way, that by system, and the conversation."""
    runs = [row for row in rows if "way" in row]
    by_way = {way: [row for row in runs if row["way"] == way] for way in WAYS}
    lines = [
        (
            way,
            f"{sum(row['exact'] for row in some)} of {len(some)}",
            *(f"{median(row[name] for row in some):,g}" for name in COUNTED),
        )
        for way, some in by_way.items()
    ]
    each = [
        (row["way"], row["system"], "yes" if row["exact"] else "no", *(f"{row[name]:,}" for name in COUNTED))
        for row in runs
    ]
    return [
        report.table(("the partner gets", "exact", *(f"{name} (median)" for name in COUNTED)), lines),
        report.table(("the partner gets", "system", "exact", *COUNTED), each),
        "## One conversation, whole",
        *_conversation([row for row in rows if "role" in row]),
    ]


COUNTED = ("iterations", "calls", "looks", "tokens")


def _conversation(calls: Sequence[Row]) -> Iterator[str]:
    """Every prompt and reply; of a prompt that goes on where the last one to the same role ended, what is new."""
    before: dict[str, str] = {}
    for call in calls:
        role, prompt = call["role"], call["prompt"]
        known = before.get(role, "").split("\n\n")
        parts = [part if part not in known else _skipped(part) for part in prompt.split("\n\n")]
        before[role] = prompt
        said = "\n\n".join(parts)
        yield f"To the {role.capitalize()}:\n\n```text\n{said}\n```\n\nIts reply:\n\n```text\n{call['reply']}\n```"


def _skipped(part: str) -> str:
    first = part.split("\n", 1)[0]
    return f"{first}\n[as before]" if "\n" in part else part


BENCHMARK = Benchmark("partner", "A partner that knows no mechanism", __doc__, measure, page)
