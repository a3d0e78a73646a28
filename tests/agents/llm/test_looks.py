"""A model may look before it answers: by functions or in its JSON, within a budget, on record, replayed."""

import json
import re
from dataclasses import replace

import pytest

from dolq_core import runs
from dolq_core.agents.llm.account import account_part
from dolq_core.agents.llm.looks import KINDS, Looker
from dolq_core.bundled import generate, load_bundled
from dolq_core.fitting import Workbench
from dolq_core.loop.advance import begin, calls_of
from dolq_core.ports import Ask
from dolq_core.records import Ban, ModelChoice, Models, Settings, Start, TermKey, Visited
from dolq_core.runs import play
from tests.agents.llm.replies import SYSTEM_2
from tests.agents.llm.server import Text, error, serving
from tests.agents.llm.test_runs_with_models import _no_waiting, started, stepped
from tests.every import every

__all__ = ["_no_waiting"]
CHOICE = ModelChoice("scripted", "script")
GAIN = {"variable": "x0", "terms": ["sin(x1)", "x1"]}


@pytest.fixture(scope="module")
def bench():
    return Workbench.of(load_bundled("system-2").dataset, "gradient")


@pytest.fixture
def state(bench):
    """Half of the glider's law is known: the drag, and the lift."""
    models = Models(CHOICE, CHOICE)
    state = begin(Start(load_bundled("system-2"), Settings(target="gradient"), agents="models", models=models))
    return replace(state, best=(Visited(bench.fit(0, ["x0**2"]), 1), Visited(bench.fit(1, ["x0"]), 1)))


def look(state, bench, name, most=4, **arguments):
    return Looker(state, bench, most).take(Ask(name, json.dumps(arguments)))


def test_a_gain_ranks_terms_by_what_each_adds_with_its_sign(state, bench):
    lines = look(state, bench, "gain", variable="x0", terms=["x1", "sin(x1)", "x0**2"]).splitlines()
    assert lines[1].startswith("- sin(x1): -")
    assert "needed then: x0**2, sin(x1) (NMSE 4" in lines[1]
    assert lines[2].startswith("- x1: ") or lines[2].startswith("+ x1: ")
    assert lines[3] == "in the best law already: x0**2"


def test_a_gain_says_what_a_term_makes_needless(state, bench):
    crowd = replace(state, best=(Visited(bench.fit(0, ["1", "x0", "x1", "x1**2", "x0**2"]), 1), state.best[1]))
    assert "needed then: 1, x1, x0**2, sin(x1)" in look(crowd, bench, "gain", variable="x0", terms=["sin(x1)"])


def test_a_fit_shows_coefficients_errors_and_the_distance_to_the_best(state, bench):
    shown = look(state, bench, "fit", variable="d x1/dt", terms=["x0", "cos(x1)/x0"])
    assert shown.startswith("+1(+-")
    assert " -0.9999(+-" in shown
    assert "NMSE" in shown
    assert shown.endswith("nats to the best")
    assert "-" in shown.rsplit(";", 1)[1]


def test_under_noise_a_look_says_what_whole_runs_say(state):
    problem = generate(2, noise=0.02, relative=True)
    noisy = Workbench.of(problem.dataset)
    powers = ["1", "x0", "x1", "x0**2", "x0*x1", "x1**2"]
    best = tuple(Visited(noisy.fit(j, powers), 1) for j in range(2))
    state = replace(state, problem=problem, best=best)
    true = look(state, noisy, "fit", variable="x1", terms=["x0", "cos(x1)/x0"])
    wrong = look(state, noisy, "fit", variable="x1", terms=["x1"])
    assert float(re.search(r"on whole runs ([+-][\d.e+]+) nats", true)[1]) < -20
    assert "it fails" in wrong or float(re.search(r"on whole runs ([+-][\d.e+]+) nats", wrong)[1]) > 20
    assert "on whole runs" in look(state, noisy, "gain", variable="x1", terms=["cos(x1)/x0"])
    assert "The data are noisy" in account_part(replace(state, archive={(0, ()): best[0]}), noisy, 1)


def test_a_residual_is_averaged_over_ranges_with_its_sign(state, bench):
    lines = look(state, bench, "residual", variable="x0", against="x1").splitlines()
    assert len(lines) == 7
    missing = [float(line.rsplit(" ", 1)[1]) for line in lines[1:]]
    assert missing[0] < 0 < missing[3]  # the rest is -sin(x1), and x1 goes from 0.7 to 7.4


def test_a_simulation_starts_where_it_is_asked_to(state, bench):
    rows = look(state, bench, "simulate", start=[3.0, 0.5]).splitlines()
    assert rows[0] == "t, x0, x1"
    assert rows[1] == "0, 3, 0.5"
    assert len(rows) == 9
    assert look(state, bench, "simulate", start=[]).splitlines()[1].startswith("0, 5, 0.7")


def test_units_are_those_of_the_number_in_front(bench, state):
    data = state.problem.dataset
    metres = replace(data.states[0], unit="m/s"), replace(data.states[1], unit="rad")
    data = replace(data, states=metres, time=replace(data.time, unit="s"))
    known = replace(state, problem=replace(state.problem, dataset=data))
    shown = look(known, bench, "units", variable="x0", terms=["x0**2", "sin(x0)"]).splitlines()
    assert "meter" in shown[0]
    assert shown[1].startswith("sin(x0): none")
    assert "not every unit is known" in look(state, bench, "units", variable="x0", terms=["x0"])


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("stare", {}, "there is no look 'stare'"),
        ("gain", {"variable": "x7", "terms": ["x0"]}, "the states are x0, x1"),
        ("gain", {"variable": "x0"}, "no term is named"),
        ("gain", {"variable": "x0", "terms": ["k*x0"]}, "params[0]"),
        ("fit", {"variable": "x0", "terms": ["x1"]}, "banned by"),
        ("residual", {"variable": "x0", "against": "y"}, "no variable"),
        ("simulate", {"start": [1.0]}, "2 numbers"),
        ("simulate", {"start": "here"}, "start"),
    ],
)
def test_a_look_that_cannot_be_taken_says_why(state, bench, name, arguments, why):
    state = replace(state, bans={TermKey(0, "x1"): Ban(TermKey(0, "x1"), "human", 1, "no")})
    assert why in look(state, bench, name, **arguments)


def test_without_the_permission_only_what_is_told_anyway_can_be_looked_at(state, bench):
    state = replace(state, models=replace(state.models, portrait=False))
    assert set(Looker(state, bench, 4).kinds) == {"fit", "units"}
    assert "there is no look 'residual'" in look(state, bench, "residual", variable="x0", against="x1")


def test_a_look_too_many_shows_nothing(state, bench):
    looker = Looker(state, bench, 1)
    first, second = (looker.take(Ask("gain", json.dumps(GAIN))) for _ in range(2))
    assert "nats" in first
    assert second == "no looks are left"


# --- from the wire to the record ---------------------------------------------------------------------


def prompt_of(body):
    if "messages" in body:
        return body["messages"][1]["content"]
    return body["contents"][0]["parts"][0]["text"]


LOOKED = Text(None, calls=(("gain", GAIN), ("residual", {"variable": "x1", "against": "t"})))
ANSWERED = Text(None, calls=(("answer", json.loads(SYSTEM_2[4])),))


@pytest.mark.parametrize("provider", ["openai", "gemini"])
def test_a_model_looks_by_functions_and_answers_by_one(provider):
    with serving(LOOKED, ANSWERED, SYSTEM_2[5]) as server:
        done = stepped(*started(server, provider))
    first, second, _ = (body for _, _, body in server.asked)
    offered = first["tools"] if provider == "openai" else first["tools"][0]["functionDeclarations"]
    assert [(one.get("function") or one)["name"] for one in offered] == [*KINDS, "answer"]
    assert "# What you have looked at" not in prompt_of(first)
    assert "- sin(x1): " in prompt_of(second)
    assert "Up to 2 looks by the functions are left" in prompt_of(second)
    sampler = done.state.last.proposal.calls
    assert [[look.name for look in call.looks] for call in sampler] == [["gain", "residual"], []]
    assert json.loads(sampler[1].reply) == json.loads(SYSTEM_2[4])
    assert done.state.spent.looks == 2
    assert runs.reason_to_stop(done).startswith("Found")


ASKED = json.dumps({"hypotheses": [], "looks": [{"look": "gain", **GAIN}]})


def test_a_server_without_functions_is_asked_for_looks_in_json():
    with serving(error(400, "tools are not supported"), ASKED, SYSTEM_2[4], SYSTEM_2[5]) as server:
        done = stepped(*started(server, "openai"))
    _, first, second, _ = (body for _, _, body in server.asked)
    assert "looks" in first["response_format"]["json_schema"]["schema"]["properties"]
    assert "# Look first, if it helps" in prompt_of(first)
    assert "- sin(x1): " in prompt_of(second)
    assert done.state.spent.looks == 1
    assert runs.reason_to_stop(done).startswith("Found")


def test_who_looks_on_and_on_is_asked_to_answer():
    with serving(*[LOOKED] * 2, ANSWERED, SYSTEM_2[5]) as server:
        done = stepped(*started(server, "openai", looks=3))
    third = server.asked[2][2]
    assert "tools" not in third
    assert "looks" not in third["response_format"]["json_schema"]["schema"]["properties"]
    assert "no looks are left" in prompt_of(third)
    assert done.state.last.fits


def test_without_looks_nothing_is_offered():
    with serving(SYSTEM_2[4], SYSTEM_2[5]) as server:
        stepped(*started(server, "openai", looks=0))
    assert every("tools" not in body and "look" not in prompt_of(body) for _, _, body in server.asked)


def test_a_run_with_looks_replays_to_the_last_bit():
    with serving(LOOKED, ANSWERED, LOOKED, SYSTEM_2[5]) as server:
        done = stepped(*started(server, "openai"))
    (played,) = play(done.entries)
    assert played.likeness.same == "identical"
    assert [len(call.looks) for call in calls_of(played.entry)] == [2, 0, 2, 0]
