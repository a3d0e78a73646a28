"""The command `conditions`: one law for runs under different conditions."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from dolq_core.cli.codes import NOTHING
from dolq_core.cli.options import LOUDNESS, OUT, loud_of, problem_of, problem_options, sets
from dolq_core.cli.showing import fail, try_out, write
from dolq_core.errors import FitError

MOST = 1e6
"""Nats that stand for a number that cannot be taken the other way at all."""


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
    from dolq_core.views.terms import read_choices

    try_out(out)
    loud = loud_of(asked)
    problem, notes = problem_of((csv, *more), asked)
    for note in notes if loud else ():
        click.echo(note, err=True)
    store = runs.memory_store()
    run = runs.start(store, problem)
    said = read_choices(problem, asked["vetoes"], asked["pins"])
    if said is not None:
        runs.intervene(store, run, said)
    state = runs.load(store, run).state
    try:
        found = compared.compare(state, by, lambda told: click.echo(told, err=True) if loud else None)
    except FitError as error:
        fail(str(error), NOTHING)
    for line in compared.lines(found):
        click.echo(line)
    if out is not None:
        finite = replace(found, constants=tuple(replace(one, nats=min(one.nats, MOST)) for one in found.constants))
        write(out, {"format": "dolq-conditions/1", **asdict(finite)})
