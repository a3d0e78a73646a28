"""Options that several commands have: how a table is written, what its columns are, which language models are asked."""

import sys
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from dolq_core.records import Models, Problem, Settings


class Late(click.Choice[str]):
    """A choice whose values are known when they are asked for, so that the core is loaded no sooner."""

    def __init__(self, known: Callable[[], Sequence[str]]) -> None:
        self.case_sensitive = True
        self._known = known

    @cached_property
    def choices(self) -> Sequence[str]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Return the values."""
        return tuple(self._known())


def _providers() -> Sequence[str]:
    from dolq_core.agents.providers import PRESETS

    return ("builtin", *PRESETS)


AGENTS: Final = Late(_providers)


def sets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a bundled set, or the path of a file."""
    from dolq_core.bundled import bundled

    named = [one.id for one in bundled() if one.id.startswith(incomplete)]
    return [*map(CompletionItem, named), CompletionItem(incomplete, type="file")]


def lessons(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a bundled lesson, or the path of a file."""
    from dolq_core.lessons.recorded import folder

    named = sorted(path.stem for path in folder().glob(f"{incomplete}*.toml"))
    return [*map(CompletionItem, named), CompletionItem(incomplete, type="file")]


def stored_runs(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the id of a stored run."""
    from dolq_core import runs

    known = runs.list_runs(runs.open_store(ctx.params.get("db")))
    return [CompletionItem(info.id, help=info.name) for info in known if info.id.startswith(incomplete)]


RUN: Final = click.argument("run", shell_complete=stored_runs)
DATABASE = click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Database of runs. Default: your data directory, or $DOLQ_DB.",
)
_QUIET: Final = click.option("-q", "--quiet", is_flag=True, help="Nothing but the result and errors.")
_VERBOSE: Final = click.option("-v", "--verbose", is_flag=True, help="Also the law after every iteration.")
OUT = click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the result as JSON.")
_DELIMITERS: Final = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "blank": " "}
_DECIMALS: Final = {"point": ".", "comma": ","}


def _row(ctx: click.Context, param: click.Parameter, said: str | None) -> int | None:
    if said is None:
        return None
    if said == "none":
        return 0
    if said.isdecimal() and int(said):
        return int(said)
    raise click.BadParameter(f"'{said}' is no row. Give its number, from 1, or 'none'.")


def settings_said(ctx: click.Context, param: click.Parameter, said: Sequence[str]) -> "Settings":
    """Return the settings with what was said of them; raise BadParameter where that is none."""
    from dolq_core.errors import DataError
    from dolq_core.records import Settings

    lacking = next((one for one in said if "=" not in one), None)
    if lacking is not None:
        raise click.BadParameter(f"'{lacking}' has no value. Write NAME=VALUE, such as held_out=0.")
    pairs = ((name.strip(), value) for name, _, value in (one.partition("=") for one in said))
    try:
        return Settings().with_texts(pairs)
    except DataError as error:
        raise click.BadParameter(str(error)) from error


_TABLE_OPTIONS: Final = (
    click.option("--time", "time_column", help="Column with the time. Default: guessed from names and values."),
    click.option(
        "--state", "states", multiple=True,
        help="Column that is a state; repeat it. Default: every other column of numbers.",
    ),
    click.option("--run", "run_column", help="Column that tells runs apart, or none. Default: guessed."),
    click.option(
        "--input", "inputs", multiple=True, metavar="COL", help="Column that is a known input u(t); repeat it."
    ),
    click.option(
        "--weight", "weights", multiple=True, metavar="COL[=STATE]",
        help="Column with the weights of the samples, of a state or of whole rows; an empty cell is 0; repeat it.",
    ),
    click.option(
        "--derivative", "derivatives", multiple=True, metavar="COL=STATE",
        help="Column that holds the derivative of a state: fitted in place of an estimate; repeat it.",
    ),
    click.option(
        "--derive", multiple=True, metavar='"S = FORMULA"',
        help="A new column by a formula of others, such as \"S [pupils] = 763 - in_bed\"; repeat it.",
    ),
    click.option(
        "--scale", multiple=True, metavar='"COL=FACTOR UNIT"', help='Scale a column, such as "x=0.001 kg"; repeat it.'
    ),
    click.option("--shift-time", "time_shift", type=float, default=0.0, help="Add a number to every time."),
    click.option("--split-at-restarts", "restarting", is_flag=True, help="A new run begins where time restarts."),
    click.option("--average-repeats", "averaging", is_flag=True, help="Average the rows of a run that share a time."),
    click.option("--sort-by-time", "sorting", is_flag=True, help="Put the rows of each run in the order of time."),
    click.option("--side-by-side", is_flag=True, help="Columns such as S_run1, S_run2 are runs of one quantity, S."),
    click.option(
        "--call", "called", multiple=True, metavar="COL=NAME", help="What a column is called from here on; repeat it."
    ),
    click.option(
        "--delimiter", type=click.Choice(list(_DELIMITERS)),
        help="What stands between the columns of a text file. Default: found.",
    ),
    click.option(
        "--decimal", type=click.Choice(list(_DECIMALS)), help="The decimal mark of the numbers. Default: found."
    ),
    click.option("--header", metavar="ROW", callback=_row, help="Row of the names, or 'none'. Default: found."),
    click.option(
        "--comment", metavar="MARK", help="What a comment of a text file begins with, or 'none'. Default: found."
    ),
    click.option("--sheet", default="", help="Sheet of a workbook. Default: the first one with numbers."),
)  # fmt: skip
_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_PROBLEM_OPTIONS: Final = (
    click.option(
        "--allow", type=_FILE, metavar="FILE",
        help="What laws may be made of, in TOML: functions, terms, signs, bounds and more (docs/building-blocks.md).",
    ),
    click.option(
        "--library", type=_FILE, metavar="FILE",
        help="The terms that laws are made of, one a line: 'x*y', or 'x: x*y' for the equation of x alone.",
    ),
    click.option(
        "--second-order", "positions", multiple=True, metavar="STATE",
        help="State of which only the value was measured: look for x'' = f(x, x'). Its rate becomes a state; "
        "repeat it.",
    ),
    click.option(
        "--hidden", multiple=True, metavar='"STATE: TERM"',
        help="A state that was not measured, by the term in which it acts: 'infected: infected*S'; repeat it.",
    ),
    click.option("--description", default="", help="What the system is, in plain words, or @FILE."),
    click.option("--unit", "units", multiple=True, metavar="COL=UNIT", help="Unit of a column; repeat it."),
    click.option("--meaning", "meanings", multiple=True, metavar="COL=WORDS", help="What a column holds; repeat it."),
    click.option(
        "--veto", "vetoes", multiple=True, metavar='"[STATE:] TERM"', help="Term that is never proposed; repeat it."
    ),
    click.option(
        "--pin", "pins", multiple=True, metavar='"[STATE:] TERM"', help="Term of every hypothesis; repeat it."
    ),
)  # fmt: skip
_MODEL_OPTIONS: Final = (
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
        "--method", type=click.Choice(["dolq", "icsr", "llm-sr", "lasr", "edl"]), default="dolq", show_default=True,
        help="Loop in which the models play: this one, or one that the paper compares itself with.",
    ),
    click.option(
        "--looks", type=click.IntRange(min=0), default=4, show_default=True,
        help="Looks at data and fits that each role may take before it answers.",
    ),
    click.option("--max-calls", type=click.IntRange(min=1), help="Calls of language models at most."),
    click.option("--max-tokens", "most_tokens", type=click.IntRange(min=1), help="Tokens of all calls at most."),
)  # fmt: skip


def _with(command: Callable[..., None], options: Sequence[Callable[..., Any]]) -> Callable[..., None]:
    for option in reversed(options):
        command = option(command)
    return command


LOUDNESS: Final = partial(_with, options=(_QUIET, _VERBOSE))
"""Gives a command `-q` and `-v`; `loud_of` reads them."""
table_options: Final = partial(_with, options=_TABLE_OPTIONS)
"""What may be said of a table and its columns; `table_of` takes it out of the options."""
problem_options: Final = partial(_with, options=(*_TABLE_OPTIONS, *_PROBLEM_OPTIONS))
"""The same, and all that may be said of the system; `problem_of` reads it."""
model_options: Final = partial(_with, options=_MODEL_OPTIONS)
"""What may be said of language models; `models_of` reads it."""


def loud_of(asked: dict[str, Any]) -> int:
    """Return how much is told: 0 nothing, 1 progress and notes, 2 also every law; takes it out of the options."""
    quiet, verbose = asked.pop("quiet"), asked.pop("verbose")
    if quiet and verbose:
        raise click.UsageError("-q and -v say opposite things. Give one of them.")
    return 0 if quiet else 2 if verbose else 1


def named_files(names: Sequence[str]) -> list["str | tuple[str, bytes]"]:
    """Return the files that were named: a pattern as what it matches, '-' as what comes in; raise DataError."""
    from dolq_core.data import LIMIT
    from dolq_core.errors import DataError

    found: list[str | tuple[str, bytes]] = []
    for name in names:
        if name == "-":
            found.append(("standard input", sys.stdin.buffer.read(LIMIT + 1)))
        elif set(name) & set("*?[") and not Path(name).exists():
            matches = sorted(glob(name, recursive=True))
            if not matches:
                raise DataError(f"The pattern '{name}'", "no file matches it", "Check its folder and ending.")
            found += matches
        else:
            found.append(name)
    return found


def words_of(option: str, said: Sequence[str]) -> dict[str, str]:
    """Return what is said of columns, by their names; raise UsageError where one says nothing."""
    lacking = next((one for one in said if not all(part.strip() for part in one.partition("=")[::2])), None)
    if lacking is not None:
        raise click.UsageError(f"{option} {lacking!r} needs a column and what is said of it: COL=WORDS.")
    return {name.strip(): words.strip() for name, _, words in (one.partition("=") for one in said)}


def problem_of(named: Sequence[str], asked: dict[str, Any], loud: int) -> "Problem":
    """Return the problem that a command line describes; say how its files were read unless nothing is to be told."""
    from dolq_core import runs
    from dolq_core.blocks import apart
    from dolq_core.fitting import names_of
    from dolq_core.views.description import description_notes
    from dolq_core.views.stated import contradicted

    first, *others = named_files(named)
    words: str = asked["description"]
    words = Path(words[1:]).read_text(encoding="utf-8") if words.startswith("@") else words
    problem, notes = runs.find_problem(first, description=words.strip(), files=others, **table_of(asked))
    units, meanings = words_of("--unit", asked["units"]), words_of("--meaning", asked["meanings"])
    problem = runs.with_second_order(runs.with_words(problem, units, meanings), asked["positions"], asked["hidden"])
    allow, library = asked["allow"], asked["library"]
    problem = problem if allow is None else runs.with_blocks(problem, allow.read_text(encoding="utf-8"))
    problem = runs.with_choices(problem, asked["vetoes"], asked["pins"])
    problem = problem if library is None else runs.with_library(problem, library.read_text(encoding="utf-8"))
    notes = notes if allow is None else (*notes, apart(allow.read_text(encoding="utf-8"), names_of(problem.dataset)))
    notes = (*notes, *contradicted(problem))
    said = description_notes(problem.description, problem.dataset)
    for note in (*filter(None, notes), *(one.text for one in said if one.kind == "from outside")) if loud else ():
        click.echo(note, err=True)
    return problem


def table_of(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what was said of a table, as `runs.find_problem` takes it; takes it out of the options."""
    from dolq_core import data

    delimiter, decimal, comment = asked.pop("delimiter"), asked.pop("decimal"), asked.pop("comment")
    marks = _DELIMITERS.get(delimiter, ""), _DECIMALS.get(decimal, "")
    weights, derivatives = asked.pop("weights"), asked.pop("derivatives")
    lacking = next((one for one in derivatives if "=" not in one), None)
    if lacking is not None:
        raise click.UsageError(f"--derivative {lacking} needs the state that it is the derivative of: {lacking}=STATE.")
    found = {
        "time": asked.pop("time_column"),
        "states": asked.pop("states") or None,
        "run": asked.pop("run_column"),
        "how": data.Dialect(*marks, asked.pop("header"), "" if comment == "none" else comment, asked.pop("sheet")),
        "weights": dict(_pair(one) for one in weights),
        "preparation": data.read_preparation(asked.pop("derive"), asked.pop("scale"), asked.pop("time_shift")),
        "restarting": asked.pop("restarting"),
        "averaging": asked.pop("averaging"),
        "sorting": asked.pop("sorting"),
        "side_by_side": asked.pop("side_by_side"),
        "called": dict(_pair(one) for one in asked.pop("called")),
    }
    if inputs := asked.pop("inputs"):
        found["inputs"] = inputs
    if derivatives:
        found["derivatives"] = dict(_pair(one) for one in derivatives)
    return found


def _pair(text: str) -> tuple[str, str]:
    column, _, state = text.rpartition("=") if "=" in text else (text, "", "")
    return column.strip(), state.strip()


def models_of(provider: str | None, hypotheses: int, asked: dict[str, Any]) -> "Models | None":
    """Return the language models that were asked for, none for built-in agents; raise UsageError where words disagree.

    provider: None where nobody says who proposes.
    """
    from dolq_core.records import Budget, ModelChoice, Models

    if provider in (None, "builtin"):
        if name := asked["model"]:
            raise click.UsageError(f"--model {name} needs --agents: the provider that has it, such as openai.")
        return None
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
        method=asked["method"],
    )
