"""The commands around the others: `app` opens the pages, `completion` lets a shell complete what is typed."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click
from click.shell_completion import get_completion_class

from dolq_core.errors import DolqError

CORE: Final = Path(__file__).resolve().parents[1]
PLACES: Final = (CORE / "app" / "app.py", CORE.parent / "app.py")
"""The app in a wheel, and in the source tree."""
SHELLS: Final = ("bash", "zsh", "fish")


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
    from dolq_core.cli.main import main

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(main, {}, "dolq", "_DOLQ_COMPLETE").source())
