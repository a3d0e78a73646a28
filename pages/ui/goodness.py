"""The answer to "Does it fit?" in words, as the pages show them: what a stranger has named is harmless in it."""

from collections.abc import Sequence
from functools import partial

from dolq_core import runs
from dolq_core.views import goodness
from dolq_core.views.goodness import other as other
from dolq_core.views.trajectories import Curve
from pages.ui import words

answer = partial(goodness.answer, shown=words.plain)


def of_curves(run: runs.Run, curves: Sequence[Curve]) -> str:
    """Answer from the curves of a run's law."""
    return goodness.of_curves(run, curves, words.plain)
