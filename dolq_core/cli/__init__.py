"""The command line: a file for each group of commands; the core is loaded when a command runs, so `--help` is quick."""

from dolq_core.cli.main import main

__all__ = ["main"]
