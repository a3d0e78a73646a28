"""A campaign with language models counts what they used, and keeps no key."""

from click.testing import CliRunner

from dolq_core.cli import main
from dolq_core.records import ModelChoice, Models
from dolq_core.store import codec
from lab import campaign
from lab.campaign.records import Variant
from tests.agents.llm.replies import SYSTEM_2
from tests.agents.llm.server import error, serving
from tests.every import every

KEY = "sk-marked-0123456789"


def task_for(server, **changes):
    choice = ModelChoice("openai", "small", f"{server.url}/v1")
    grid = campaign.TaskGrid(
        "paper",
        campaign.read_suite("paper"),
        systems=("2",),
        agents=("models",),
        models=(Models(choice, choice),),
        **changes,
    )
    (task,) = campaign.tasks_of(grid)
    return task


def test_tokens_until_found_and_in_all_are_counted(monkeypatch):
    monkeypatch.setenv("DOLQ_CAMPAIGN_KEY", KEY)
    with serving(*SYSTEM_2) as server:
        task = task_for(server)
        result = campaign.do(task)
        keys = {headers["authorization"] for _, headers, _ in server.asked}
    assert (result.failure, result.exact, result.found_at) == ("", True, 3)
    assert (result.cost.calls, result.cost.tokens_in, result.cost.tokens_out) == (6, 60_000, 12_000)
    assert [step.tokens_in for step in result.steps] == [20_000, 40_000, 60_000]
    assert keys == {f"Bearer {KEY}"}
    assert KEY not in codec.to_json(task) + codec.to_json(result)
    page = campaign.page("Title", {result.task: task}, {result.task: result})
    assert "| 2 | DoLQ here, small | 60 | 12 | 60 | 12 |" in page
    assert {"x0**2", "sin(x1)"} <= {one.term for one in result.actions if one.keep}


def test_several_models_in_several_loops_stand_beside_each_other():
    choices = [ModelChoice("scripted", name) for name in ("small", "large")]
    models = tuple(Models(choice, choice, method=method) for choice in choices for method in ("dolq", "icsr"))
    grid = campaign.TaskGrid("paper", campaign.read_suite("paper"), ("2",), ("builtin", "models"), models=models)
    tasks = campaign.tasks_of(grid)
    assert [(task.agents, task.models) for task in tasks] == [("builtin", None), *(("models", one) for one in models)]
    assert len(campaign.unique(tasks)) == 5
    assert {campaign.name_of(task) for task in tasks[1:]} == {
        f"paper 2: Glider (dimensionless), {method} with {name}"
        for method in ("dolq", "icsr")
        for name in ("small", "large")
    }


def test_a_providers_key_goes_to_no_other_address(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("DOLQ_CAMPAIGN_KEY", raising=False)
    with serving(*SYSTEM_2) as server:
        campaign.do(task_for(server))
        assert every(KEY not in str(headers) for _, headers, _ in server.asked)


def test_a_model_that_stops_answering_leaves_what_was_found_with_the_reason():
    with serving(*SYSTEM_2[:2], error(401, "no such key")) as server:
        result = campaign.do(task_for(server))
    assert "no such key" in result.failure
    assert (result.iterations, len(result.law)) == (1, 2)


def test_without_the_scientist_only_the_sampler_is_asked():
    with serving(*SYSTEM_2[::2]) as server:
        result = campaign.do(task_for(server, variants=(Variant("without Scientist", scientist=False),)))
        prompts = str([body for _, _, body in server.asked])
    assert "Scientist" not in prompts
    assert (result.cost.calls, result.found_at) == (3, 3)


def test_what_leaves_the_machine_is_said_before_the_first_call(tmp_path):
    with serving(*SYSTEM_2) as server:
        command = ["bench", "run", str(tmp_path), "--system", "2", "--agents", "models", "--model", "small"]
        more = ["--base-url", f"{server.url}/v1", "--serial", "--max-tokens", "250"]
        done = CliRunner().invoke(main, [*command, *more])
    assert server.url in done.output
    (result,) = campaign.Ledger(tmp_path).results().values()
    assert result.iterations < 3
    assert "tokens" in result.failure
