"""The command `conditions`: one law for runs under different conditions."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dolq_core.cli.options import OUT, more_of, table_options
from dolq_core.cli.showing import write

if TYPE_CHECKING:
    from dolq_core.data import Dialect

MOST = 1e6
"""Nats that stand for a number that cannot be taken the other way at all."""


@click.command()
@click.argument("csv")
@click.argument("more", nargs=-1)
@table_options
@click.option(
    "--by", default="", metavar="COL", help="Input that says the condition: one value in each run. Default: each run."
)
@click.option("--description", default="", help="What the system is, in plain words, or @FILE.")
@OUT
def conditions(
    csv: str,
    more: tuple[str, ...],
    time_column: str | None,
    states: tuple[str, ...],
    run_column: str | None,
    how: "Dialect",
    by: str,
    description: str,
    out: Path | None,
    **asked: Any,
) -> None:
    """Find one law for runs under different conditions, and which of its constants differ.

    CSV and MORE as for `discover`. Name a column that has one value in each run with --input, and constants that
    follow it are given as formulas; with --by, runs of one value are one condition.
    """
    from dolq_core import conditions as compared
    from dolq_core import runs
    from dolq_core.records import Settings

    words = Path(description[1:]).read_text(encoding="utf-8") if description.startswith("@") else description
    problem, notes = runs.find_problem(
        csv, time_column, states or None, run_column, words.strip(), files=more, how=how, **more_of(asked)
    )
    for note in notes:
        click.echo(note, err=True)
    found = compared.compare(problem, Settings(), by, lambda said: click.echo(said, err=True))
    for line in compared.lines(found):
        click.echo(line)
    if out is not None:
        finite = replace(found, constants=tuple(replace(one, nats=min(one.nats, MOST)) for one in found.constants))
        write(out, {"format": "dolq-conditions/1", **asdict(finite)})
