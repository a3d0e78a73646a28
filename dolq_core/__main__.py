"""The command line: `python -m dolq_core discover data.csv`."""

import json
import os
import shlex
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")  # small least squares are several times slower on many threads

import click  # noqa: E402

from dolq_core import AgentError, DolqError  # noqa: E402
from dolq_core.extensions import extension  # noqa: E402
from dolq_core.lesson import lesson  # noqa: E402
from dolq_core.options import dialect  # noqa: E402

if TYPE_CHECKING:
    from dolq_core.data import Dialect, More
    from dolq_core.records import ModelChoice, Models
    from dolq_core.runs import Keys, Run
    from dolq_core.store.standby import Standby

PROVIDERS = ("openai", "gemini", "openrouter", "deepseek", "xai", "ollama", "vllm", "lmstudio")
FORMS = (
    "report", "bundle", "latex", "python", "sympy", "julia", "notebook", "matlab", "sbml", "text",
    "result", "model", "data", "decisions", "calls",
)  # fmt: skip
BESIDE = ("bench",)
"""Commands of rooms beside the core."""
DATABASE = click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Database of runs. Default: your data directory, or $DOLQ_DB.",
)
OUT = click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the result as JSON.")
TIME = click.option("--time", "time_column", help="Column with the time. Default: guessed from names and values.")
STATES = click.option(
    "--state", "states", multiple=True,
    help="Column that is a state; repeat it. Default: every other column of numbers.",
)  # fmt: skip
RUN = click.option("--run", "run_column", help="Column that tells runs apart.")
RESTARTS = click.option("--split-at-restarts", "restarting", is_flag=True, help="A new run begins where time restarts.")
INPUTS = click.option(
    "--input", "inputs", multiple=True, metavar="COL", help="Column that is a known input u(t); repeat it."
)
WEIGHTS = click.option(
    "--weight", "weights", multiple=True, metavar="COL[=STATE]",
    help="Column with the weights of the samples, of a state or of whole rows; an empty cell is 0; repeat it.",
)  # fmt: skip
DERIVATIVES = click.option(
    "--derivative", "derivatives", multiple=True, metavar="COL=STATE",
    help="Column that holds the derivative of a state: fitted in place of an estimate; repeat it.",
)  # fmt: skip
DERIVE = click.option(
    "--derive", multiple=True, metavar='"S = FORMULA"',
    help="A new column by a formula of others, such as \"S [pupils] = 763 - in_bed\"; repeat it.",
)  # fmt: skip
SCALE = click.option(
    "--scale", multiple=True, metavar='"COL=FACTOR UNIT"', help='Scale a column, such as "x=0.001 kg"; repeat it.'
)
SHIFT = click.option("--shift-time", "time_shift", type=float, default=0.0, help="Add a number to every time.")

MODEL_OPTIONS = (
    click.option("--model", default="", help="Name of the language model at its provider."),
    click.option(
        "--base-url", default="",
        help="Address of the server; the provider's key of the environment goes there. Default: the provider's own.",
    ),
    click.option("--scientist-model", default="", help="Another model of the same provider for the Scientist."),
    click.option("--no-scientist", is_flag=True, help="Nobody grades the terms (an ablation of the method)."),
    click.option(
        "--model-hypotheses", type=click.IntRange(min=1), help="Hypotheses from the model; the rest are built-in."
    ),
    click.option(
        "--portrait/--no-portrait", default=True, show_default=True,
        help="Tell the model figures of the data: ranges, signs, correlations, where a law misses. Never samples.",
    ),
    click.option(
        "--looks", type=click.IntRange(min=0), default=4, show_default=True,
        help="Looks at data and fits that each role may take before it answers.",
    ),
    click.option("--max-calls", type=click.IntRange(min=1), help="Calls of language models at most."),
    click.option("--max-tokens", "most_tokens", type=click.IntRange(min=1), help="Tokens of all calls at most."),
)  # fmt: skip


def _table_options(command: Callable[..., None]) -> Callable[..., None]:
    """What may be said of the columns of a table, for the commands that read one."""
    every = (TIME, STATES, RUN, INPUTS, WEIGHTS, DERIVATIVES, DERIVE, SCALE, SHIFT, RESTARTS)
    command = dialect(command)
    for option in reversed(every):
        command = option(command)
    return command


def _model_options(command: Callable[..., None]) -> Callable[..., None]:
    """What may be said of the language models of a run."""
    for option in reversed(MODEL_OPTIONS):
        command = option(command)
    return command


def _more(asked: dict[str, Any]) -> "More":
    """Return what was said of the columns; takes it out of the options."""
    from dolq_core import data

    weights, derivatives = asked.pop("weights"), asked.pop("derivatives")
    lacking = next((one for one in derivatives if "=" not in one), None)
    if lacking is not None:
        raise click.UsageError(f"--derivative {lacking} needs the state that it is the derivative of: {lacking}=STATE.")
    found: More = {
        "weights": dict(_pair(one) for one in weights),
        "preparation": data.read_preparation(asked.pop("derive"), asked.pop("scale"), asked.pop("time_shift")),
        "restarting": asked.pop("restarting"),
    }
    if inputs := asked.pop("inputs"):
        found["inputs"] = inputs
    if derivatives:
        found["derivatives"] = dict(_pair(one) for one in derivatives)
    return found


def _pair(text: str) -> tuple[str, str]:
    column, _, state = text.rpartition("=") if "=" in text else (text, "", "")
    return column.strip(), state.strip()


class _Plain(click.Group):
    """Shows the errors of the core as they stand: one message on stderr, exit status 2, no traceback.

    The commands of `BESIDE` are loaded when they are asked for (`dolq_core.extensions`).
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *BESIDE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return extension(cmd_name) if cmd_name in BESIDE else super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except DolqError as error:
            _fail(f"{error} ({error.option})" if error.option else str(error))
        except OSError as error:
            _fail(f"{error.filename or 'A file'}: {error.strerror or error}")


def _fail(message: str) -> NoReturn:
    click.echo(f"Error: {message}", err=True)
    sys.exit(2)


@click.group(cls=_Plain, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name=None, version="0.1.0", prog_name="dolq")
def main() -> None:
    """Discover ordinary differential equations from a table of measurements."""


@main.command()
@click.argument("csv")
@click.argument("more", nargs=-1)
@_table_options
@click.option(
    "--hold-out-run",
    "held_out_runs",
    multiple=True,
    metavar="NAME",
    help="Run that no fit sees and the law is tested on, by its name or number; repeat it.",
)
@click.option("--description", default="", help="What the system is, in plain words, or @FILE.")
@click.option("--iterations", type=click.IntRange(min=1), default=None, help="Iterations at most.  [default: 10]")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--agents",
    type=click.Choice(["builtin", *PROVIDERS]),
    default="builtin",
    show_default=True,
    help="Who proposes and grades: the built-in agents, or language models of this provider.",
)
@_model_options
@DATABASE
@OUT
def discover(
    csv: str,
    more: tuple[str, ...],
    time_column: str | None,
    states: tuple[str, ...],
    run_column: str | None,
    how: "Dialect",
    held_out_runs: tuple[str, ...],
    description: str,
    iterations: int | None,
    seed: int,
    agents: str,
    db: Path | None,
    out: Path | None,
    **asked: Any,
) -> None:
    """Find the equations behind CSV: a file, or the name of a bundled set such as yeast.

    More files with the same columns are further runs.
    """
    from dolq_core import runs
    from dolq_core.records import Settings

    words = Path(description[1:]).read_text(encoding="utf-8") if description.startswith("@") else description
    problem, notes = runs.find_problem(
        csv, time_column, states or None, run_column, words.strip(), files=more, how=how, **_more(asked)
    )
    for note in notes:
        click.echo(note, err=True)
    store = _opened(db)
    settings = Settings(held_out_runs=held_out_runs)
    settings = settings if iterations is None else replace(settings, iterations=iterations)
    models = None if agents == "builtin" else _models(agents, settings.hypotheses, asked)
    kind = "builtin" if models is None else "models"
    run = runs.start(store, problem, settings, seed=seed, agents=kind, models=models)
    _go_on(store, run, settings.iterations, out, asked["base_url"])


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@_table_options
@click.option(
    "--clean", "clean_out", type=click.Path(dir_okay=False, path_type=Path),
    help="Write the table as it was understood: run, time, states, with decimal points.",
)  # fmt: skip
@click.option(
    "--report", "report_out", type=click.Path(dir_okay=False, path_type=Path), help="Write the report as JSON."
)
def inspect(
    files: tuple[Path, ...],
    time_column: str | None,
    states: tuple[str, ...],
    run_column: str | None,
    how: "Dialect",
    clean_out: Path | None,
    report_out: Path | None,
    **asked: Any,
) -> None:
    """Say how a table would be read: what was found in FILES, what was assumed, and how to change it.

    The exit status is 0 when `discover` can take the table, else 2.
    """
    from dolq_core import inspection, runs

    found = runs.inspect(files, time_column, states or None, run_column, how=how, **_more(asked))
    for line in inspection.lines(found):
        click.echo(line)
    if report_out is not None:
        _write(report_out, inspection.report(found))
    if found.reading is None:
        sys.exit(2)
    if clean_out is not None:
        clean_out.write_text(inspection.clean(found.reading.dataset, found.reading.roles.run), encoding="utf-8")
        click.echo(f"Written to {clean_out}")


def _write(out: Path, document: dict[str, Any]) -> None:
    out.write_text(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    click.echo(f"\nWritten to {out}")


def _models(provider: str, hypotheses: int, asked: dict[str, Any]) -> "Models":
    from dolq_core.records import Budget, ModelChoice, Models

    if not asked["model"]:
        raise click.UsageError(f"--agents {provider} needs --model: the name of a language model there.")
    sampler = ModelChoice(provider, asked["model"], asked["base_url"])
    scientist = ModelChoice(provider, asked["scientist_model"] or asked["model"], asked["base_url"])
    return Models(
        sampler,
        None if asked["no_scientist"] else scientist,
        proposals=min(asked["model_hypotheses"] or hypotheses, hypotheses),
        budget=Budget(calls=asked["max_calls"], tokens=asked["most_tokens"]),
        portrait=asked["portrait"],
        looks=asked["looks"],
    )


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


@main.command()
@click.argument("run")
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=None,
    help="Iterations more at most. Default: what the run has left.",
)
@click.option(
    "--agents",
    type=click.Choice(["builtin", *PROVIDERS]),
    help="Who proposes and grades from here on. Default: as before.",
)
@_model_options
@DATABASE
@OUT
def resume(
    run: str, iterations: int | None, agents: str | None, db: Path | None, out: Path | None, **asked: Any
) -> None:
    """Go on with RUN where it stopped."""
    from dolq_core import runs
    from dolq_core.records import AgentsNote, Intervention

    store = _opened(db)
    now = runs.load(store, run)
    if agents is not None:
        models = None if agents == "builtin" else _models(agents, now.state.settings.hypotheses, asked)
        note = AgentsNote("builtin" if models is None else "models", models)
        now = runs.intervene(store, run, Intervention(agents=note))
    left = iterations or max(0, now.state.settings.iterations - now.state.iteration)
    _go_on(store, run, left, out, asked["base_url"])


@main.command()
@click.argument("run")
@DATABASE
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The file to write.")
def record(run: str, db: Path | None, out: Path) -> None:
    """Write the whole log of RUN to a file that can be handed on and played again."""
    from dolq_core import runs

    runs.record(runs.load(runs.open_store(db), run), out)
    click.echo(f"Written to {out}. Play it again: python -m dolq_core replay {out}")


@main.command()
@click.argument("run")
@DATABASE
def replay(run: str, db: Path | None) -> None:
    """Play RUN again, a stored run or a file of `record`: offline, with the recorded replies of its models."""
    from dolq_core import likeness, recordings, runs

    name, entries = runs.recorded_run(runs.open_store(db), run)
    click.echo(f"{name}: {len(entries) - 1} entries")
    found: list[likeness.Likeness] = []
    for number, played in enumerate(recordings.play(entries), 1):
        found.append(played.likeness)
        click.echo(f"{number:4d}  {type(played.entry).__name__.lower()}: {runs.likeness_in_words(played.likeness)}")
    click.echo(runs.where_computed(entries))
    unlike = sum(one.same == "different" for one in found)
    if unlike:
        _fail(f"{unlike} of {len(found)} entries came out differently: another version of the program?")
    click.echo(runs.played_in_words(found))


@main.command()
@click.argument("run")
@click.option("--to", "target", required=True, type=click.Choice(FORMS), help="The form.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The file, or a folder. Default: standard output.")
@DATABASE
def export(run: str, target: str, out: Path | None, db: Path | None) -> None:
    """Write RUN in another form: a program in another language, a document, a table."""
    from dolq_core import runs
    from dolq_core.views import files

    made = files.export(runs.load(_opened(db), run), target)
    if out is None:
        click.echo(made.content, nl=False)
        return
    place = out / made.name if out.is_dir() else out
    place.write_bytes(made.content)
    click.echo(f"Written to {place}", err=True)


@main.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@DATABASE
def bring_in(file: Path, db: Path | None) -> None:
    """Store the run of FILE, a bundle or a file of `record`, as a run of this database."""
    from dolq_core import runs
    from dolq_core.agents import llm

    store = runs.open_store(db)
    run = runs.import_run(store, file.read_bytes())
    brought = runs.load(store, run)
    click.echo(f"Run {run}: {brought.name}. Look at it: python -m dolq_core show {run}")
    if brought.state.asleep and brought.state.models is not None:
        click.echo(f"Its language models wait until they are chosen again. {llm.disclosure(brought.state.models)[0]}")


@main.command("runs")
@DATABASE
def list_all(db: Path | None) -> None:
    """List the stored runs, the last changed first."""
    from dolq_core import runs

    found = runs.list_runs(_opened(db))
    if not found:
        click.echo("No runs yet. Start one: python -m dolq_core discover data.csv")
    for info in found:
        click.echo(f"{info.id}  {info.changed[:16].replace('T', ' ')}  {info.iterations:3d} iterations  {info.name}")


@main.command()
@click.argument("run")
@DATABASE
@OUT
def show(run: str, db: Path | None, out: Path | None) -> None:
    """Show the equations and terms of RUN."""
    from dolq_core import runs

    _report(runs.load(_opened(db), run), out)


main.add_command(lesson)


def _opened(db: Path | None) -> "Standby":
    """Open the database, and say where it cannot be written: then a run goes on in memory."""
    from dolq_core import runs

    store = runs.open_standby(db)
    unstored = store.unstored()
    if unstored is not None:
        click.echo(f"Warning: {unstored.error}", err=True)
    return store


def _go_on(store: "Standby", run: str, iterations: int, out: Path | None, address: str) -> None:
    """Go on with a run; address: of a model server, as it was named on this command line."""
    try:
        _iterate(store, run, iterations, out, address)
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


def _iterate(store: "Standby", run: str, iterations: int, out: Path | None, address: str) -> None:
    from dolq_core import runs

    _disclose(runs.load(store, run), address)
    hidden = not sys.stderr.isatty()
    try:
        with click.progressbar(length=iterations, label="Iterations", file=sys.stderr, hidden=hidden) as bar:
            now = runs.auto(store, run, iterations, on_step=lambda _: bar.update(1), keys=_keys(address))
    except AgentError as error:
        now = runs.load(store, run)
        if now.state.iteration:
            _report(now, out)
        way_on = f"Go on with: {_way_on(store, run)}"
        _fail(f"{error}\nPaused after iteration {now.state.iteration}; nothing is lost. {way_on}")
    except KeyboardInterrupt:
        click.echo(f"\nStopped. Nothing is lost; go on with: {_way_on(store, run)}", err=True)
        sys.exit(130)
    _report(now, out)


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
        _fail(f"{unstored.error}. The run went on in memory and no folder takes it: what is printed is all there is.")
    way_on = f"Where there is room, bring it in: python -m dolq_core import {kept}"
    click.echo(f"Warning: {unstored.error}. The run went on in memory and is all in {kept}. {way_on}", err=True)


def _report(run: "Run", out: Path | None) -> None:
    from dolq_core.views import summary

    document = summary.result(run)
    click.echo(f"Run {run.id}: {run.name}, {document['iterations']} iterations. {document['stopped']}".rstrip())
    if document["insight"]:
        click.echo(document["insight"])
    for sentence in summary.provenance(run):
        click.echo(sentence)
    for line, equation in zip(summary.equations(run), document["equations"].values(), strict=True):
        click.echo(f"\n{line}")
        click.echo(f"  {equation['status']}: {equation['reason']}")
        if equation["scores"].get("held_out_nmse") is not None:
            click.echo(f"  {_ahead(equation['scores'])}")
        for term in equation["terms"]:
            error = term["standard_error"]
            spread = "" if error is None else f" +- {error:.2g}"
            verdict = f"{term['last_action'] or ''}  {term['reason']}"
            click.echo(f"  {term['text']:24s} {term['coefficient']: .6g}{spread}  {verdict}")
    if out is not None:
        _write(out, document)


def _ahead(scores: dict[str, Any]) -> str:
    simulated = scores["held_out_integral_nmse"]
    path = "the simulation failed" if simulated is None else f"{simulated:.2g} simulated"
    return f"held out: error (NMSE) {scores['held_out_nmse']:.2g} of the rate, {path}"


if __name__ == "__main__":
    main(prog_name="python -m dolq_core")
