"""The worker: reads one request a line, does one iteration, writes its phases and its end.

    {"database": ..., "owner": ..., "run": ..., "at": 3, "keys": [[provider, base_url, key], ...], "held": ...}
    --> {"kind": "phase", "phase": "fit", "done": 1, "of": 3}
    --> {"kind": "done", "at": 4, "iteration": 2, "reason": ""}
    --> {"kind": "moved", "at": 5}     the run went on meanwhile, by a person's word: the iteration was dropped
    --> {"kind": "failed", "words": "..."}

"held" are entries of the run that its database does not take (`jobs.process`), in the request and in the last answer:
they are kept by the program that asks, for this process may end at any moment.

It ends when its input ends, so it never outlives the program that started it by more than an iteration.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any

from dolq_core import runs
from dolq_core.errors import DolqError, StoreError
from dolq_core.fitting.watching import watched
from dolq_core.jobs.process import packed, unpacked
from dolq_core.records import EquationFit, ModelChoice
from dolq_core.store.standby import MOVED, Standby

Say = Callable[[dict[str, Any]], None]

YIELDS = 10
"""Niceness: beside a busy process on its core a page took 2.5 times as long to draw, beside a nice one no longer."""
GROUP = Path("/proc/self/autogroup")
"""Linux shares its processors between sessions first (sched(7), autogroup) and looks at niceness within each only: to
yield to a browser of another session, the worker's own must be nice."""


EVERY_S = 0.5
"""Seconds between two looks that are told."""


def main() -> None:
    """Serve until the input ends."""
    _yield()
    answers, sys.stdout = sys.stdout, sys.stderr  # whatever a library prints must not look like an answer

    def say(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    say({"kind": "ready"})
    for line in sys.stdin:
        iterate(json.loads(line), say)


def _yield() -> None:
    """Let whoever draws a page go first, where the system has a way to."""
    if not hasattr(os, "nice"):  # on Windows
        return
    os.nice(YIELDS)
    if os.getsid(0) == os.getpid():
        with suppress(OSError):
            GROUP.write_text(str(YIELDS))


def iterate(asked: dict[str, Any], say: Say) -> None:
    """Do one iteration of a run and say how it went."""
    keys = {(provider, address): key for provider, address, key in asked["keys"]}

    def key_of(choice: ModelChoice) -> str:
        return keys.get((choice.provider, choice.base_url), "")

    def on_phase(phase: str, done: int, of: int) -> None:
        say({"kind": "phase", "phase": phase, "done": done, "of": of})

    def end(store: Standby | None, message: dict[str, Any]) -> None:
        unstored = store.unstored() if store else None
        held = packed(unstored.waiting.get(asked["run"])) if unstored else asked.get("held")
        say({**message, "held": held, "error": unstored.error if unstored else ""})

    store = None
    try:
        store = runs.open_standby(Path(asked["database"]), asked["owner"])
        if not store.hold(asked["run"], unpacked(asked.get("held"))):
            end(None, {"kind": "failed", "words": MOVED})
            return
        with watched(Looker(say).look):
            run = runs.step_once(store, asked["run"], on_phase, at=asked["at"], keys=key_of)
    except DolqError as error:
        now = _entries(store, asked["run"])
        moved = isinstance(error, StoreError) and now > asked["at"]
        end(store, {"kind": "moved", "at": now} if moved else {"kind": "failed", "words": str(error)})
        return
    reason = runs.reason_to_stop(run)
    end(store, {"kind": "done", "at": len(run.entries), "iteration": run.state.iteration, "reason": reason})


class Looker:
    """Counts the structures of one iteration and keeps the front of each equation."""

    def __init__(self, say: Callable[[dict[str, Any]], None]) -> None:
        self._say = say
        self._told = time.monotonic()
        self._lately: set[int | None] = set()
        self.tried = 0
        self.best: dict[tuple[int, int], EquationFit] = {}

    def look(self, fit: EquationFit | None) -> None:
        """Take up one fit, None for that of a whole system; tell what there is by now, unless that was just told."""
        self.tried += 1
        self._lately.add(None if fit is None else fit.equation)
        if fit is not None:
            self._keep(fit)
        if time.monotonic() - self._told >= EVERY_S:
            self.tell()

    def _keep(self, fit: EquationFit) -> None:
        place = fit.equation, len(fit.terms)
        if not fit.failure and isfinite(fit.nmse) and (place not in self.best or fit.nmse < self.best[place].nmse):
            self.best[place] = fit

    def tell(self) -> None:
        """Tell how many structures there were, of which equations lately, and the front: what nothing smaller beats."""
        self._told = time.monotonic()
        front: list[dict[str, Any]] = []
        least: dict[int, float] = {}
        for (equation, _), fit in sorted(self.best.items()):
            if fit.nmse < least.get(equation, float("inf")):
                least[equation] = fit.nmse
                front.append({"equation": equation, "terms": [t.skeleton for t in fit.terms], "error": fit.nmse})
        equations = sorted(one for one in self._lately if one is not None)
        self._say(
            {"kind": "seen", "tried": self.tried, "front": front, "equations": equations, "whole": None in self._lately}
        )
        self._lately.clear()


def _entries(store: Standby | None, run: str) -> int:
    """Return how many entries the run has now; 0 when it cannot be read."""
    try:
        return len(store.entries(run)) if store else 0
    except DolqError:
        return 0


if __name__ == "__main__":
    main()
