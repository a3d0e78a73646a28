"""The group of all commands, how their errors are shown, and the two around the others: `app` and `completion`."""

import codecs
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final
from unicodedata import normalize

import click
from click.shell_completion import get_completion_class

from dolq_core.cli.codes import USAGE
from dolq_core.cli.discovering import conditions, discover, resume
from dolq_core.cli.inspecting import inspect
from dolq_core.cli.lesson import lesson
from dolq_core.cli.showing import fail
from dolq_core.cli.stored import bring_in, export, list_all, record, remove, replay, show
from dolq_core.errors import DolqError
from dolq_core.extensions import extension
from dolq_core.version import VERSION

BESIDE: Final = ("bench",)
"""Commands of rooms beside the core."""
CORE: Final = Path(__file__).resolve().parents[1]
PLACES: Final = (CORE / "app" / "app.py", CORE.parent / "app.py")
"""The app in a wheel, and in the source tree."""
SHELLS: Final = ("bash", "zsh", "fish")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    """Return what comes nearest to characters that a console has not: a plain space for a thin one, else "?"."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = normalize("NFKD", error.object[error.start : error.end])
    return text.encode("ascii", "replace").decode("ascii"), error.end


NEAREST: Final = "dolq.nearest"
codecs.register_error(NEAREST, _nearest)


@contextmanager
def _usage() -> Generator[None]:
    """Give what is wrong with the command line itself a status of its own."""
    try:
        yield
    except click.UsageError as error:
        error.show()
        raise click.exceptions.Exit(USAGE) from error


class _Plain(click.Group):
    """Shows the errors of the core as they stand: one message on stderr, a status of `codes`, no traceback.

    The commands of `BESIDE` are loaded when they are asked for (`dolq_core.extensions`).
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *BESIDE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return extension(cmd_name) if cmd_name in BESIDE else super().get_command(ctx, cmd_name)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors=NEAREST)
        with _usage():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _usage():
                return super().invoke(ctx)
        except DolqError as error:
            fail(f"{error} ({error.option})" if error.option else str(error))
        except BrokenPipeError:  # who reads has seen enough, as `head` does
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except OSError as error:
            fail(f"{error.filename or 'A file'}: {error.strerror or error}")


@click.group(cls=_Plain, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name=None, version=VERSION, prog_name="dolq")
def main() -> None:
    """Discover ordinary differential equations from a table of measurements."""


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def app(options: tuple[str, ...]) -> None:
    """Open the app in a browser. OPTIONS are those of `streamlit run`, such as --server.port 8502."""
    page = next((place for place in PLACES if place.is_file()), None)
    if page is None or find_spec("streamlit") is None:
        raise DolqError("The app", "its packages are not installed", "Install them: pip install 'dolq[app]'")
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "streamlit", "run", str(page), *options])


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what makes SHELL complete commands, options, data sets and runs of `dolq`.

    For bash, in ~/.bashrc: eval "$(dolq completion bash)"
    """
    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(main, {}, "dolq", "_DOLQ_COMPLETE").source())


COMMANDS = (
    discover, conditions, inspect, resume, record, replay, export, bring_in, list_all, show, remove, lesson, app,
    completion,
)  # fmt: skip
for _command in COMMANDS:
    main.add_command(_command)
