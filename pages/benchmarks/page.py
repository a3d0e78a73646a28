"""Benchmarks: how often the law is found, on systems whose laws are known; stored results, and a small campaign."""

from pages.benchmarks import asking, stored
from pages.ui import frame


def page() -> None:
    """Draw the campaign that is asked for or at work, then the results."""
    frame.header("Benchmarks", "", ["Systems with known laws, run by the built-in agents and scored as in the paper"])
    with frame.part():
        asking.asking()
    stored.stored()


page()
