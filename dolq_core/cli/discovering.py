"""The commands that compute: `discover` starts a run, `resume` goes on with one, `conditions` compares runs."""

import os
import shlex
import sys
import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from dolq_core.cli.codes import FOUND, INTERRUPTED, NOTHING, PAUSED
from dolq_core.cli.options import (
    AGENTS,
    DATABASE,
    LOUDNESS,
    OUT,
    RUN,
    loud_of,
    model_options,
    models_of,
    problem_of,
    problem_options,
    sets,
    settings_said,
)
from dolq_core.cli.showing import fail, opened, report, try_out, warn, write
from dolq_core.cli.telling import Progress
from dolq_core.errors import AgentError, FitError

if TYPE_CHECKING:
    from dolq_core.records import ModelChoice, Settings
    from dolq_core.runs import Keys, Run
    from dolq_core.store.standby import Standby

MOST: Final = 1e6
"""Nats that stand for a number that cannot be taken the other way at all."""


@click.command()
@click.argument("csv", shell_complete=sets)
@click.argument("more", nargs=-1)
@problem_options
@click.option(
    "--hold-out-run", "held_out_runs", multiple=True, metavar="NAME",
    help="Run that no fit sees and the law is tested on, by its name or number; repeat it.",
)  # fmt: skip
@click.option("--iterations", type=click.IntRange(min=1), default=None, help="Iterations at most.  [default: 10]")
@click.option(
    "--set", "knobs", multiple=True, metavar="NAME=VALUE", callback=settings_said,
    help="Any other setting (docs/settings.md), such as held_out=0, patience=5, time_limit_s=60 or inputs=previous; "
    "repeat it.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--agents", type=AGENTS, default="builtin", show_default=True,
    help="Who proposes and grades: the built-in agents, or language models of this provider.",
)  # fmt: skip
@model_options
@LOUDNESS
@DATABASE
@OUT
def discover(
    csv: str,
    more: tuple[str, ...],
    held_out_runs: tuple[str, ...],
    iterations: int | None,
    knobs: "Settings",
    seed: int,
    agents: str,
    db: Path | None,
    out: Path | None,
    **asked: Any,
) -> None:
    """Find the equations behind CSV: a file, '-' for standard input, or the name of a bundled set such as yeast.

    More files with the same columns are further runs; a pattern in quotes, such as 'runs/*.csv', names several.
    The exit status says what came of it: 0 a law, 2 data that cannot be used, 3 no law, 4 a language model stopped,
    64 a command line that is wrong, 130 interrupted.
    """
    from dolq_core import runs

    try_out(out)
    loud = loud_of(asked)
    problem = problem_of((csv, *more), asked, loud)
    store = opened(db)
    settings = replace(knobs, held_out_runs=(*knobs.held_out_runs, *held_out_runs))
    settings = settings if iterations is None else replace(settings, iterations=iterations)
    models = models_of(agents, settings.hypotheses, asked)
    kind = "builtin" if models is None else "models"
    run = runs.start(store, problem, settings, seed=seed, agents=kind, models=models)
    _go_on(store, run, settings.iterations, out, asked["base_url"], loud)


@click.command()
@RUN
@click.option(
    "--iterations", type=click.IntRange(min=1), help="Iterations more at most. Default: what the run has left."
)
@click.option("--agents", type=AGENTS, help="Who proposes and grades from here on. Default: as before.")
@model_options
@LOUDNESS
@DATABASE
@OUT
def resume(
    run: str, iterations: int | None, agents: str | None, db: Path | None, out: Path | None, **asked: Any
) -> None:
    """Go on with RUN where it stopped."""
    from dolq_core import runs
    from dolq_core.records import AgentsNote, Intervention

    try_out(out)
    loud, store = loud_of(asked), opened(db)
    run = runs.id_of(store, run)
    now = runs.load(store, run)
    models = models_of(agents, now.state.settings.hypotheses, asked)
    if agents is not None:
        note = AgentsNote("builtin" if models is None else "models", models)
        now = runs.intervene(store, run, Intervention(agents=note))
    left = iterations or max(0, now.state.settings.iterations - now.state.iteration)
    _go_on(store, run, left, out, asked["base_url"], loud, beyond=iterations is not None)


def _go_on(
    store: "Standby", run: str, iterations: int, out: Path | None, address: str, loud: int, *, beyond: bool = False
) -> None:
    """Go on with a run; address: of a model server, as it was named on this command line. beyond: as for `auto`."""
    try:
        _iterate(store, run, iterations, out, address, loud, beyond=beyond)
    finally:
        _keep_unstored(store, run, out)


def _disclose(run: "Run", address: str) -> None:
    """Say what goes where before the first call, and which key does not."""
    from dolq_core.agents import llm, providers

    models = run.state.models
    if models is None or run.state.asleep:
        return
    for sentence in llm.disclosure(models):
        click.echo(sentence, err=True)
    for choice in dict.fromkeys(one for one in (models.sampler, models.scientist) if one is not None):
        variable = providers.PRESETS[choice.provider].key_variable
        if os.environ.get(variable, "").strip() and not _keys(address)(choice):
            way_out = f"To send it, name the address again: --base-url {choice.base_url}"
            click.echo(f"{variable} is not sent to {choice.base_url}. {way_out}", err=True)


def _iterate(
    store: "Standby", run: str, iterations: int, out: Path | None, address: str, loud: int, *, beyond: bool
) -> NoReturn:
    from dolq_core import runs

    begun = runs.load(store, run)
    _disclose(begun, address)
    if begun.state.iteration == 0:
        warn(begun.state.problem, begun.state.settings)
    progress = Progress(iterations, begun.state.problem.dataset.states, loud)
    try:
        with progress.told():
            now = runs.auto(store, run, iterations, progress.on_step, _keys(address), progress.on_phase, beyond=beyond)
    except AgentError as error:
        now = runs.load(store, run)
        if now.state.iteration:
            report(now, out)
        way_on = f"Go on with: {_way_on(store, run)}"
        fail(f"{error}\nPaused after iteration {now.state.iteration}; nothing is lost. {way_on}", PAUSED)
    except KeyboardInterrupt:
        click.echo(f"\nStopped. Nothing is lost; go on with: {_way_on(store, run)}", err=True)
        sys.exit(INTERRUPTED)
    sys.exit(FOUND if report(now, out) else NOTHING)


def _way_on(store: "Standby", run: str) -> str:
    """Return the command that goes on with the run, also where it is in another database than the usual one."""
    from dolq_core import runs

    place = [] if store.path == runs.default_database() else ["--db", str(store.path)]
    return shlex.join(["python", "-m", "dolq_core", "resume", run, *place])


def _keep_unstored(store: "Standby", run: str, out: Path | None) -> None:
    """Write what the database did not take as a bundle, before it goes with this program."""
    from dolq_core import runs
    from dolq_core.views import files

    unstored = store.unstored()
    if unstored is None or run not in unstored.waiting:
        return
    folders = [*([out.parent] if out else []), Path.cwd(), Path(tempfile.gettempdir())]
    kept = files.keep_elsewhere(runs.load(store, run), folders)
    if kept is None:
        fail(f"{unstored.error}. The run went on in memory and no folder takes it: what is printed is all there is.")
    way_on = f"Where there is room, bring it in: python -m dolq_core import {kept}"
    click.echo(f"Warning: {unstored.error}. The run went on in memory and is all in {kept}. {way_on}", err=True)


def _keys(named: str) -> "Keys":
    """The keys of the environment, for the providers' own addresses and for the one that this command line names.

    A run's own address may be a stranger's: it came with a file.
    """
    from dolq_core.agents import providers

    def key(choice: "ModelChoice") -> str:
        given = os.environ.get(providers.PRESETS[choice.provider].key_variable, "").strip()
        typed = bool(named) and named.rstrip("/") == choice.base_url.rstrip("/")
        return providers.key_for(choice, given if typed else "", os.environ)

    return key


@click.command()
@click.argument("csv", shell_complete=sets)
@click.argument("more", nargs=-1)
@problem_options
@click.option(
    "--by", default="", metavar="COL", help="Input that says the condition: one value in each run. Default: each run."
)
@LOUDNESS
@OUT
def conditions(csv: str, more: tuple[str, ...], by: str, out: Path | None, **asked: Any) -> None:
    """Find one law for runs under different conditions, and which of its constants differ.

    CSV and MORE as for `discover`, and what laws may be made of. Name a column that has one value in each run with
    --input, and constants that follow it are given as formulas; with --by, runs of one value are one condition.
    """
    from dolq_core import conditions as compared
    from dolq_core import runs
    from dolq_core.data import meant

    try_out(out)
    loud = loud_of(asked)
    problem = problem_of((csv, *more), asked, loud)
    store = runs.memory_store()
    state = runs.load(store, runs.start(store, problem)).state
    by = meant(by, [one.name for one in problem.dataset.inputs])
    try:
        found = compared.compare(state, by, lambda told: click.echo(told, err=True) if loud else None)
    except FitError as error:
        fail(str(error), NOTHING)
    for line in compared.lines(found):
        click.echo(line)
    if out is not None:
        finite = replace(found, constants=tuple(replace(one, nats=min(one.nats, MOST)) for one in found.constants))
        write(out, {"format": "dolq-conditions/1", **asdict(finite)})
