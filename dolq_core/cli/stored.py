"""The commands that read what is stored: list, show, export, import, record and play again."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from dolq_core.cli.options import DATABASE, OUT, RUN, Late
from dolq_core.cli.showing import fail, opened, report


def _targets() -> Sequence[str]:
    from dolq_core.views.files import TARGETS

    return tuple(TARGETS)


FORMS: Final = Late(_targets)


@click.command()
@RUN
@DATABASE
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The file to write.")
def record(run: str, db: Path | None, out: Path) -> None:
    """Write the whole log of RUN to a file that can be handed on and played again."""
    from dolq_core import runs

    store = runs.open_store(db)
    runs.record(runs.load(store, runs.id_of(store, run)), out)
    click.echo(f"Written to {out}. Play it again: python -m dolq_core replay {out}")


@click.command()
@RUN
@DATABASE
def replay(run: str, db: Path | None) -> None:
    """Play RUN again, a stored run or a file of `record`: offline, with the recorded replies of its models."""
    from dolq_core import runs
    from dolq_core.runs.likeness import Likeness

    name, entries = runs.recorded_run(runs.open_store(db), run)
    click.echo(f"{name}: {len(entries) - 1} entries")
    found: list[Likeness] = []
    for number, played in enumerate(runs.play(entries), 1):
        found.append(played.likeness)
        click.echo(f"{number:4d}  {type(played.entry).__name__.lower()}: {runs.likeness_in_words(played.likeness)}")
    click.echo(runs.where_computed(entries))
    unlike = sum(one.same == "different" for one in found)
    if unlike:
        fail(f"{unlike} of {len(found)} entries came out differently: another version of the program?")
    click.echo(runs.played_in_words(found))


@click.command()
@RUN
@click.option("--to", "target", required=True, type=FORMS, help="The form.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="The file, or a folder. Default, and '-': standard output."
)
@DATABASE
def export(run: str, target: str, out: Path | None, db: Path | None) -> None:
    """Write RUN in another form: a program in another language, a document, a table."""
    from dolq_core import runs
    from dolq_core.views import files

    out = None if out == Path("-") else out
    named = "" if out is None or out.is_dir() else out.stem
    store = opened(db)
    made = files.export(runs.load(store, runs.id_of(store, run)), target, named)
    if out is None:
        click.echo(made.content, nl=False)
        return
    place = out / made.name if out.is_dir() else out
    place.write_bytes(made.content)
    click.echo(f"Written to {place}", err=True)


@click.command("import")
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
    if (twin := runs.twin_of(store, run)) is not None:
        click.echo(f"It is a copy: the run {twin.id}, {twin.name}, has the same log.")
    if brought.state.asleep and brought.state.models is not None:
        click.echo(f"Its language models wait until they are chosen again. {llm.disclosure(brought.state.models)[0]}")


@click.command()
@RUN
@DATABASE
@click.option("--yes", is_flag=True, help="Without asking.")
def remove(run: str, db: Path | None, yes: bool) -> None:
    """Remove RUN for good, with all that happened in it; `export RUN --to bundle` keeps a copy."""
    from dolq_core import runs

    store = opened(db)
    there = runs.load(store, runs.id_of(store, run))
    if not yes:
        iterations = f"{there.state.iteration} iteration{'s' * (there.state.iteration != 1)}"
        click.confirm(f"Remove {there.name} ({iterations}) for good?", abort=True)
    runs.remove(store, there.id)
    click.echo(f"Removed: {there.name}.")


@click.command("runs")
@DATABASE
def list_all(db: Path | None) -> None:
    """List the stored runs, the last changed first."""
    from dolq_core import runs

    found = runs.list_runs(opened(db))
    if not found:
        click.echo("No runs yet. Start one: python -m dolq_core discover data.csv")
    for info in found:
        many = "iterations" if info.iterations != 1 else "iteration "
        click.echo(f"{info.id}  {info.changed[:16].replace('T', ' ')}  {info.iterations:3d} {many}  {info.name}")


@click.command()
@RUN
@DATABASE
@OUT
def show(run: str, db: Path | None, out: Path | None) -> None:
    """Show the equations and terms of RUN, a stored run by id or name, or a file of `record`, and its models' use."""
    from dolq_core import loop, runs

    if Path(run).is_file():
        name, entries = runs.recorded_run(runs.open_store(db), run)
        report(runs.Run(run, name, entries, loop.replay(entries)), out)
        return
    store = opened(db)
    report(runs.load(store, runs.id_of(store, run)), out)
