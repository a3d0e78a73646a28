"""What the commands print: the law of a run, an error, a warning that nothing can be stored."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from dolq_core.cli.codes import BAD_DATA

if TYPE_CHECKING:
    from dolq_core.records import Problem, Settings
    from dolq_core.runs import Run
    from dolq_core.store.standby import Standby


def fail(message: str, status: int = BAD_DATA) -> NoReturn:
    """Say what is wrong and end with a status of `codes`."""
    click.echo(f"Error: {message}", err=True)
    sys.exit(status)


def opened(db: Path | None) -> "Standby":
    """Open the database, and say where it cannot be written: then a run goes on in memory."""
    from dolq_core import runs

    store = runs.open_standby(db)
    unstored = store.unstored()
    if unstored is not None:
        click.echo(f"Warning: {unstored.error}", err=True)
    return store


def try_out(out: Path | None) -> None:
    """Raise OSError where a file cannot be written, before the work for it is done; leave no trace."""
    if out is not None:
        was_there = out.exists()
        out.open("a", encoding="utf-8").close()
        if not was_there:
            out.unlink()


def write(out: Path, document: dict[str, Any]) -> None:
    """Write a document as JSON, and say so."""
    out.write_text(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    click.echo(f"\nWritten to {out}")


def warn(problem: "Problem", settings: "Settings | None" = None) -> None:
    """Say on standard error what the page Data calls unfit."""
    for line in _checked(problem, settings, "bad"):
        click.echo(f"Warning: {line}", err=True)


def remark(problem: "Problem") -> None:
    """Say what the page Data asks to mind of data that are fit."""
    for line in _checked(problem, None, "mind"):
        click.echo(f"Note: {line}")


def _checked(problem: "Problem", settings: "Settings | None", verdict: str) -> Iterator[str]:
    from dolq_core.views.fitness import fitness

    checks = fitness(problem, settings).checks
    return (f"{check.finding}. {check.meaning}" for check in checks if check.verdict == verdict)


def report(run: "Run", out: Path | None) -> bool:
    """Print the law of a run with its terms; out: also as JSON. Return whether any equation has a law."""
    from dolq_core import loop
    from dolq_core.data.findings import counted
    from dolq_core.export.result import readable
    from dolq_core.fitting import names_of
    from dolq_core.views import summary
    from dolq_core.views.history import is_insight_older
    from dolq_core.views.labels import called
    from dolq_core.views.model_usage import model_usage
    from dolq_core.views.veto import costs

    document = summary.result(run)
    done = counted(document["iterations"], "iteration")
    click.echo(f"Run {run.id}: {run.name}, {done}. {document['stopped']}".rstrip())
    if understood := f"{document['insight']} {document['conflict']}".strip():
        click.echo(f"{'Before your last word: ' * is_insight_older(run)}{understood}")
    for sentence in (*_unused(run, document["stopped"]), *costs(run), *summary.provenance(run)):
        click.echo(sentence)
    for sentence in model_usage(run.entries):
        click.echo(sentence)
    if known := loop.record_in_words(run.state):
        click.echo(known)
    shown = summary.read(run, document)
    exact = document["equations"].values()
    for line, equation, known in zip(
        readable(shown, called(names_of(run.state.problem.dataset))), shown["equations"].values(), exact, strict=True
    ):
        click.echo(f"\n{line}")
        for told in _equation(equation, known["terms"]):
            click.echo(f"  {told}")
    if document["constants"]:
        click.echo("\nEqual constants")
    for one in document["constants"]:
        click.echo(f"  {_constant(one)}")
    if out is not None:
        write(out, document)
    return any(equation["status"] != "none" for equation in document["equations"].values())


def _unused(run: "Run", told: str) -> Iterator[str]:
    """Yield what of the last answers of language models could not be used, unless it is told already."""
    from dolq_core import loop

    last = run.state.last
    if last is None:
        return
    for said in (loop.unanswered(last), loop.ungraded(last)):
        if said and said not in told:
            yield f"Iteration {last.number}: {said} Ask again with resume, or another model (--agents, --model)."


def _equation(equation: dict[str, Any], known: list[dict[str, Any]]) -> Iterator[str]:
    from dolq_core.export.latex import measured
    from dolq_core.records.state import in_a_word

    yield f"{in_a_word(equation['status'], equation['reason'])}: {equation['reason']}"
    if equation["scores"].get("held_out_nmse") is not None:
        yield _ahead(equation["scores"])
    for term, exact in zip(equation["terms"], known, strict=True):
        number = measured(exact["coefficient"], exact["standard_error"])
        verdict = f"{term['last_action'] or 'not graded'}  {term['reason']}".rstrip()
        yield f"{term['text']:24s} {'' if number.startswith('-') else ' '}{number}  {verdict}"
        for told in inside(exact):
            yield f"  {told}"


def inside(term: dict[str, Any]) -> Iterator[str]:
    """Yield the numbers inside a term of the result document, each with its standard error."""
    from dolq_core.export.latex import measured

    for k, (value, error) in enumerate(zip(term["parameters"], term["parameter_errors"], strict=True), start=1):
        yield f"p{k} in it: {measured(value, error)}"


def _constant(one: dict[str, Any]) -> str:
    from dolq_core.export.latex import measured

    places = ", ".join(place["text"] for place in one["places"])
    return f"{measured(one['value'], one['standard_error'])} {one['unit']}".rstrip() + f"  {places}: {one['why']}"


def _ahead(scores: dict[str, Any]) -> str:
    simulated = scores["held_out_integral_nmse"]
    path = "" if simulated is None else f", {simulated:.2g} simulated"
    return f"held out: error (NMSE) {scores['held_out_nmse']:.2g} of the rate{path}"
