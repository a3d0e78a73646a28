"""The command `bench`: campaigns over known systems, and the tables of what came out."""

import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from dolq_core.records import Models
    from lab.campaign import Progress, Study
    from lab.campaign.pools import Pool

WORDS = ("given", "none", "partly wrong", "fully wrong", "of the next")
METHODS = ("dolq", "icsr", "llm-sr", "lasr", "edl")
VARIANTS = ("default", "without Scientist", "paper's rules", "best of three")
FOLDER = click.argument("folder", type=click.Path(file_okay=False, path_type=Path))


@click.group()
def bench() -> None:
    """Run many known systems, score them as the paper does, and write its tables with ours beside them."""


@bench.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--study", "studies", multiple=True, help="What to vary: a study of `bench list`, or a file; repeat it.")
@click.option("--suite", "suites", multiple=True, help="Suite of systems, bundled or a file; repeat it.")
@click.option("--system", "systems", multiple=True, help="System of the suite; repeat it. Default: all.")
@click.option("--seeds", type=click.IntRange(min=1), default=1, show_default=True, help="Runs with different seeds.")
@click.option("--noise", multiple=True, type=float, help="White noise, in units of each state's deviation; repeat it.")
@click.option("--runs", type=click.IntRange(min=1), default=1, show_default=True, help="Initial states measured.")
@click.option("--words", multiple=True, type=click.Choice(WORDS), help="Description the agents get; repeat it.")
@click.option("--anonymous", is_flag=True, help="Columns are called x0, x1 ... and have no meaning.")
@click.option("--variant", "variants", multiple=True, type=click.Choice(VARIANTS), help="How the loop is run.")
@click.option(
    "--agents",
    multiple=True,
    type=click.Choice(["builtin", "models", "pysindy", "pysindy-best"]),
    help="Who finds the laws.",
)
@click.option("--points", type=click.IntRange(min=10), help="Samples of each run. Default: as the suite says.")
@click.option("--iterations", type=click.IntRange(min=1), help="Iterations at most.")
@click.option("--provider", default="openai", show_default=True, help="Of the language model for --agents models.")
@click.option("--model", "model_names", multiple=True, help="Name of a language model at its provider; repeat it.")
@click.option("--method", "methods", multiple=True, type=click.Choice(METHODS), help="Loop of the models; repeat it.")
@click.option("--base-url", default="", help="Address of its server. Default: the provider's own.")
@click.option("--max-tokens", "most_tokens", type=click.IntRange(min=1), help="Tokens of one run at most.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes here. Default: one for each processor.")
@click.option("--scheduler", metavar="ADDRESS", help="Run on the Dask cluster of this scheduler.")
@click.option("--keep-logs", is_flag=True, help="Store the log of each run in FOLDER/logs, to import and look at.")
@click.option("--serial", is_flag=True, help="Run in this process, one after the other.")
def run(
    folder: Path,
    studies: tuple[str, ...],
    workers: int | None,
    scheduler: str | None,
    keep_logs: bool,
    serial: bool,
    **asked: Any,
) -> None:
    """Do the runs of a campaign and store them in FOLDER.

    What FOLDER has already is not done again, so the same command goes on where it was stopped.
    """
    from dolq_core.agents import llm
    from lab import campaign

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts behind it ignores Ctrl-C
    found = [campaign.read_study(one, _models(asked)) for one in studies] or [_study(asked)]
    tasks = campaign.unique([task for study in found for grid in study.grids for task in campaign.tasks_of(grid)])
    for case in {task.case.id: task.case for task in tasks.values() if task.case.equations}.values():
        campaign.check(case)
    click.echo(f"{'; '.join(study.title for study in found)}: {len(tasks)} runs, results in {folder}", err=True)
    used = dict.fromkeys(task.models for task in tasks.values() if task.models is not None)
    for sentence in dict.fromkeys(sentence for models in used for sentence in llm.disclosure(models)):
        click.echo(sentence, err=True)
    try:
        pool = _pool(workers, scheduler, serial)
        done = campaign.run_campaign(campaign.Ledger(folder), tasks, pool, _Told(), keep_logs=keep_logs)
    except KeyboardInterrupt:
        click.echo("\nStopped. What is done is stored; the same command goes on with the rest.", err=True)
        sys.exit(130)
    click.echo(f"{done.done} of {done.total} runs have ended, {done.failed} without a result.")
    click.echo(f"The tables: python -m dolq_core bench tables {folder}")
    if keep_logs:
        click.echo(f"A run, to look at in the app: python -m dolq_core import {folder / 'logs' / 'ID.zip'}")
    sys.exit(1 if done.failed else 0)


def _study(asked: dict[str, Any]) -> "Study":
    from lab import campaign

    grid: dict[str, Any] = {
        "systems": asked["systems"],
        "seeds": list(range(asked["seeds"])),
        "runs": [asked["runs"]],
        "naming": ["anonymous" if asked["anonymous"] else "own"],
        "points": asked["points"],
        "iterations": asked["iterations"],
        **{name: list(asked[name]) for name in ("noise", "words", "variants", "agents") if asked[name]},
    }
    suites = asked["suites"] or ("paper",)
    said = {"title": "Campaign", "grids": [{**grid, "suite": suite} for suite in suites]}
    return campaign.study_of(said, Path("command line"), _models(asked))


def _models(asked: dict[str, Any]) -> "tuple[Models, ...]":
    """Return every model in every loop, as the command line names them."""
    from dolq_core.records import Budget, ModelChoice, Models

    choices = [ModelChoice(asked["provider"], name, asked["base_url"]) for name in asked["model_names"]]
    budget = Budget(tokens=asked["most_tokens"])
    return tuple(
        Models(choice, choice, budget=budget, method=method)
        for choice in choices
        for method in asked["methods"] or METHODS[:1]
    )


def _pool(workers: int | None, scheduler: str | None, serial: bool) -> "Pool":
    from lab.campaign import pools

    if scheduler:
        return pools.cluster(scheduler)
    return pools.here() if serial else pools.processes(workers or 0)


class _Told:
    """Says where a campaign stands: on one line of a terminal, else a line every few seconds."""

    def __init__(self) -> None:
        self.on_terminal = sys.stderr.isatty()
        self.said = -1e9

    def __call__(self, now: "Progress") -> None:
        if not self.on_terminal and time.monotonic() - self.said < 5.0 and now.done < now.total:
            return
        self.said = time.monotonic()
        left = "" if now.left_s is None or now.done == now.total else f", about {_span(now.left_s)} left"
        lost = f", a worker died {now.lost} times" if now.lost else ""
        failed = f", {now.failed} without a result" if now.failed else ""
        line = f"{now.done} of {now.total} runs{failed}{lost}, {_span(now.seconds)}{left}"
        click.echo(f"\r\x1b[2K{line}" if self.on_terminal else line, err=True, nl=not self.on_terminal)
        if self.on_terminal and now.done == now.total:
            click.echo(err=True)


def _span(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole} s" if whole < 120 else f"{whole // 60} min" if whole < 7200 else f"{whole / 3600:.1f} h"


@bench.command()
@FOLDER
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the page there. Default: print it.")
@click.option("--title", default="Campaign", show_default=True, help="Title of the page.")
def tables(folder: Path, out: Path | None, title: str) -> None:
    """Write the tables of the campaign in FOLDER as Markdown."""
    from lab import campaign

    ledger = campaign.Ledger(folder)
    tasks = ledger.tasks()
    if not tasks:
        raise click.UsageError(f"{folder} holds no campaign. Run one: python -m dolq_core bench run {folder}")
    text = campaign.page(title, tasks, ledger.results())
    if out is None:
        click.echo(text, nl=False)
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8")
    click.echo(f"Written to {out}")


@bench.command("list")
def list_all() -> None:
    """List the suites and studies that come with the program."""
    from lab import campaign

    for name in campaign.bundled_suites():
        cases = campaign.read_suite(name)
        ids = ", ".join(case.id for case in cases)
        click.echo(f"suite {name:10s} {len(cases)} systems: {'put aside' if name in campaign.PUT_ASIDE else ids}")
    for name in campaign.bundled_studies():
        study = campaign.read_study(name)
        count = sum(len(campaign.tasks_of(grid)) for grid in study.grids)
        click.echo(f"study {name:10s} {count} runs: {study.title}")


@bench.command()
def example() -> None:
    """Print a suite to start your own from: `bench example > mine.toml`, then `bench check mine.toml`."""
    from lab import campaign

    click.echo(campaign.EXAMPLE.strip())


@bench.command()
@click.argument("suite")
def check(suite: str) -> None:
    """Read SUITE and simulate its systems as a campaign will; say what is wrong with it."""
    from lab import campaign

    cases = campaign.read_suite(suite)
    for case in cases:
        campaign.check(case)
        states = ", ".join(state.name for state in case.states)
        click.echo(f"{case.id}: {states}; {'measured data' if case.measured else '; '.join(case.equations)}")
    click.echo(f"{len(cases)} systems, all can be used.")
