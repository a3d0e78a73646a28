"""How far a run is, on standard error: a line that renews itself on a terminal, a line every few seconds elsewhere."""

import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dolq_core.records import EquationFit
    from dolq_core.runs import Run

EVERY_S = 5.0
ON_A_TERMINAL_S = 0.5
PHASES = {
    "sample": "looking for terms", "fit": "fitting", "evaluate": "weighing every term", "decide": "deciding",
}  # fmt: skip


class Progress:
    """Tells how far a run is.

    loud: 0 nothing, 1 where it is, 2 also the law after every iteration.
    """

    def __init__(self, iterations: int, loud: int) -> None:
        self.iterations = iterations
        self.loud = loud
        self._is_terminal = sys.stderr.isatty()
        self._began = monotonic()
        self._done = self._tried = 0
        self._phase = ""
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

    def on_phase(self, phase: str, done: int, of: int) -> None:
        """Take up what an iteration does now."""
        self._phase = PHASES.get(phase, phase) + (f" {done} of {of}" if of > 1 else "")

    def on_step(self, run: "Run") -> None:
        """Take up that an iteration is done."""
        from dolq_core.views import summary, system

        self._done, self._phase = self._done + 1, ""
        if self.loud > 1:
            found = zip(summary.equations(run), system.statuses(run.state), strict=True)
            laws = (f"{law}  ({status})" for law, (status, _) in found)
            self._say(f"Iteration {run.state.iteration}: " + "; ".join(laws), stays=True)

    def _tell(self) -> None:
        while not self._ended.wait(ON_A_TERMINAL_S if self._is_terminal else EVERY_S):
            number = min(self._done + 1, self.iterations)
            doing = f", {self._phase}" if self._phase else ""
            tried = f", {self._tried:,} fits" if self._tried else ""
            self._say(f"Iteration {number} of at most {self.iterations}{doing}{tried}, {self.seconds:.0f} s")

    @property
    def seconds(self) -> float:
        """Since it began."""
        return monotonic() - self._began

    def _say(self, text: str, *, stays: bool = False) -> None:
        if not self._is_terminal:
            click.echo(text, err=True)
            return
        click.echo(f"\r\033[K{text}", nl=stays, err=True)
