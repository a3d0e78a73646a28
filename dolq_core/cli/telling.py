"""How far a run is, on standard error: a line that renews itself on a terminal, a line every few seconds elsewhere."""

import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

import click

from dolq_core.errors import grouped

if TYPE_CHECKING:
    from dolq_core.records import EquationFit, Variable
    from dolq_core.runs import Run

EVERY_S = 5.0
ON_A_TERMINAL_S = 0.5


class Progress:
    """Tells how far a run is.

    states: of the run, one for each equation. loud: 0 nothing, 1 where it is, 2 also the law after every iteration.
    """

    def __init__(self, iterations: int, states: "Sequence[Variable]", loud: int) -> None:
        self.iterations = iterations
        self.states = states
        self.loud = loud
        self._is_terminal = sys.stderr.isatty()
        self._began = monotonic()
        self._done = self._tried = 0
        self._phase = self._on = ""
        self._lately: set[int | None] = set()
        self._ended = threading.Event()

    @contextmanager
    def told(self) -> Generator[None]:
        """Tell while what is inside works."""
        from dolq_core.fitting.watching import watched

        if not self.loud:
            yield
            return
        teller = threading.Thread(target=self._tell, daemon=True)
        teller.start()
        try:
            with watched(self.look):
                yield
        finally:
            self._ended.set()
            teller.join()
            if self._is_terminal:
                click.echo("\r\033[K", nl=False, err=True)

    def look(self, fit: "EquationFit | None") -> None:
        """Count a structure or a whole system that was fitted."""
        self._tried += 1
        self._lately.add(None if fit is None else fit.equation)

    def on_phase(self, phase: str, done: int, of: int) -> None:
        """Take up what an iteration does now."""
        from dolq_core.views.working import doing

        self._phase, self._on, self._lately = doing(phase, done, of).lower(), "", set()

    def on_step(self, run: "Run") -> None:
        """Take up that an iteration is done."""
        from dolq_core.views import summary, system

        self._done, self._phase, self._on = self._done + 1, "", ""
        if self.loud > 1:
            found = zip(summary.equations(run), system.statuses(run.state), strict=True)
            laws = (f"{law}  ({status})" for law, (status, _) in found)
            self._say(f"Iteration {run.state.iteration}: " + "; ".join(laws), stays=True)

    def _tell(self) -> None:
        from dolq_core.views.working import worked_on

        while not self._ended.wait(ON_A_TERMINAL_S if self._is_terminal else EVERY_S):
            number = min(self._done + 1, self.iterations)
            lately, self._lately = self._lately, set()
            if lately:
                self._on = worked_on(self.states, {one for one in lately if one is not None}, whole=None in lately)
            tried = f"{grouped(self._tried)} fits" if self._tried else ""
            parts = (self._phase, self._on, tried, f"{self.seconds:.0f} s")
            self._say(f"Iteration {number} of at most {self.iterations}, {', '.join(filter(None, parts))}")

    @property
    def seconds(self) -> float:
        """Since it began."""
        return monotonic() - self._began

    def _say(self, text: str, *, stays: bool = False) -> None:
        if not self._is_terminal:
            click.echo(text, err=True)
            return
        click.echo(f"\r\033[K{text}", nl=stays, err=True)
