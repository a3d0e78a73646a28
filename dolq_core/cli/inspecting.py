"""The command `inspect`: how a table would be read."""

import sys
from pathlib import Path
from typing import Any

import click

from dolq_core.cli.options import table_of, table_options
from dolq_core.cli.showing import remark, warn, write


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@table_options
@click.option(
    "--clean", "clean_out", type=click.Path(dir_okay=False, path_type=Path),
    help="Write the table as it was understood: run, time, states, with decimal points.",
)  # fmt: skip
@click.option(
    "--report", "report_out", type=click.Path(dir_okay=False, path_type=Path), help="Write the report as JSON."
)
def inspect(files: tuple[Path, ...], clean_out: Path | None, report_out: Path | None, **asked: Any) -> None:
    """Say how a table would be read: what was found in FILES, what was assumed, and how to change it.

    The exit status is 0 when `discover` can take the table, else 2.
    """
    from dolq_core import inspection, runs
    from dolq_core.records import Problem

    found = runs.inspect(files, **table_of(asked))
    for line in inspection.lines(found):
        click.echo(line)
    if report_out is not None:
        write(report_out, inspection.report(found))
    if found.reading is None:
        sys.exit(2)
    problem = Problem(found.reading.dataset)
    remark(problem)
    warn(problem)
    if clean_out is not None:
        clean_out.write_text(inspection.clean(found.reading.dataset, found.reading.roles.run), encoding="utf-8")
        click.echo(f"Written to {clean_out}")
