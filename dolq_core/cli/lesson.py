"""The command `lesson`: list the bundled lessons, check a lesson's file, record its runs, begin a new one."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dolq_core.cli.options import lessons
from dolq_core.errors import grouped

if TYPE_CHECKING:
    from dolq_core.lessons.format import Lesson

FILE = click.argument("file", type=click.Path(dir_okay=False, path_type=Path), shell_complete=lessons)


def _found(file: Path) -> Path:
    """Return the file, or that of the bundled lesson of this name where there is none."""
    from dolq_core.lessons.recorded import folder

    bundled = folder() / f"{file}.toml"
    return bundled if not file.exists() and file.name == str(file) and bundled.is_file() else file


def _read(file: Path) -> "Lesson":
    """Read a lesson; print what is wrong with it and end where it is none."""
    from dolq_core.lessons.reading import LessonError, read_file

    try:
        return read_file(file)
    except LessonError as error:
        for problem in error.problems:
            click.echo(str(problem), err=True)
        sys.exit(1)


@click.group()
def lesson() -> None:
    """Guided demonstrations: check and record the files that a teacher writes."""


@lesson.command(name="list")
def list_all() -> None:
    """List the lessons that come with the program."""
    from dolq_core.lessons.bundled import bundled

    for one in bundled():
        click.echo(f"{one.id:<12} {len(one.lesson.steps):>3} steps  {one.lesson.title}: {one.lesson.question}")


@lesson.command()
@FILE
@click.option("--words", "words_only", is_flag=True, help="Read it only; do not walk it with the engine.")
@click.option("--live", is_flag=True, help="Compute every iteration, also where the lesson has a recording.")
def check(file: Path, words_only: bool, live: bool) -> None:
    """Read a lesson, then walk it from its first to its last step: is what it says what comes out?

    FILE may be the name of a bundled lesson, such as yeast.
    """
    from dolq_core.lessons.checking import walk

    file = _found(file)
    found = _read(file)
    if words_only:
        click.echo(f"{file.name}: {len(found.steps)} steps, nothing wrong in its words.")
        return
    walked = walk(found, str(file), live=live)
    for step, name, run, value in walked.shown:
        said = value if isinstance(value, str) else f"{value:.4g}"
        click.echo(f"  step {step}: {name} = {said} ({found.figures[name].figure} of the run {run})")
    for said in walked.warnings:
        click.echo(f"  {said}")
    for said in walked.problems:
        click.echo(f"{file.name}, {said}", err=True)
    if walked.problems:
        sys.exit(1)
    waits = f"the slowest press takes {walked.seconds:.1f} s, all together {walked.total:.1f} s"
    click.echo(f"{file.name}: {len(found.steps)} steps, all as the lesson says; {waits} on this computer.")


@lesson.command()
@FILE
@click.option("--key", "is_key", is_flag=True, help="The teacher's sheet: with figures, answers and misconceptions.")
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="Default: beside the lesson.")
def sheet(file: Path, is_key: bool, out: Path | None) -> None:
    """Write a lesson as a page to print: the worksheet, or the answer key."""
    from dolq_core.lessons.sheet import answer_key, worksheet

    found = _read(file)
    text = answer_key(found, str(file), "{:.4g}".format) if is_key else worksheet(found)
    place = out or file.with_suffix(".key.html" if is_key else ".worksheet.html")
    place.write_text(text, encoding="utf-8")
    click.echo(f"{place} ({grouped(len(text.encode()))} bytes)")


@lesson.command()
@FILE
@click.option("--inside", "is_inside", is_flag=True, help="Write them into the lesson's own file, to be handed on.")
def record(file: Path, is_inside: bool) -> None:
    """Walk a lesson with the engine and write its recorded runs beside it, to be the same in every class room."""
    from dolq_core.lessons.checking import walk
    from dolq_core.lessons.reading import read
    from dolq_core.lessons.recorded import inside, place, write

    found = _read(file)
    walked = walk(found, str(file), live=True)
    for said in walked.problems:
        click.echo(f"{file.name}, {said}", err=True)
    wanted = [name for name, run in found.runs.items() if run.recorded]
    if wanted and is_inside:
        content = inside(file.read_text(encoding="utf-8-sig"), {name: walked.logs[name] for name in wanted}).encode()
        read(content, file.name)
        file.write_bytes(content)
        click.echo(f"{file} ({grouped(len(content))} bytes, with {', '.join(wanted)})")
    for name in () if is_inside else wanted:
        path = place(str(file), name, file.parent)
        write(path, f"{found.title} ({name})", walked.logs[name])
        click.echo(f"{path} ({grouped(path.stat().st_size)} bytes, {len(walked.logs[name])} entries)")
    if not wanted:
        click.echo("No run of this lesson says recorded = true.")
