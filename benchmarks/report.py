"""Writes a page of `docs/results/`: title, tables, and how the figures were made."""

import datetime
import os
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).resolve().parent.parent / "docs" / "results"
PACKAGES = ("numpy", "scipy", "pandas", "streamlit", "plotly", "sqlite-utils")


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def write(name: str, title: str, *parts: str) -> Path:
    """Write `docs/results/name.md` and return its path; the command line is the one that is running."""
    module = Path(sys.argv[0]).stem
    command = " ".join(["python -m", f"benchmarks.{module}", *sys.argv[1:]])
    versions = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    python = f"Python {platform.python_version()}"
    day = datetime.datetime.now(tz=datetime.UTC).date()
    made = f"Written by `{command}` on {day} with {python}, {versions}, on {os.cpu_count()} cores."
    path = RESULTS / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join([f"# {title}", *parts, made]) + "\n", encoding="utf-8")
    print(f"Written to {path}")
    return path
