"""The process that fuzzes: `python -m lab reliability.fuzzing FOLDER SECONDS SEED`, under atheris.

FOLDER/corpus holds what it begins with and gets every string that reached code no other had reached; FOLDER/suspects
gets what seems to break a promise, FOLDER/slow the strings that took longest, FOLDER/counts.json the counts, once a
second. Three strings in ten are made of those that took longest: so it looks for time as well as for faults.
"""

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

LONGEST = 2100
"""Bytes of a string; past 2,000 characters every reader refuses unread."""
ALIKE = 3
"""Suspects that are kept of one kind."""
HUNG_S = 20
SLOWEST = 48
"""Strings that took longest, which are kept and changed further."""
AT_TIME = 0.3
"""Share of the strings that are made of these."""
WORDS = (
    "x0", "`temp (°C)`", "λ", "t", "C", "params[0]", "params[7]", "p1", "np.", "math.", "sin(", "exp(", "log(", "sqrt(",
    "abs(", "power(", "maximum(", "(", ")", "[", "]", "`", "**", "*", "/", "+", "-", ",", "=", "d x0/dt = ", "x0' = ",
    "1e30", "1e-30", "1e308", "0.5", "60", "0", "99999", "**-1", "**0.5", "__class__", "lambda: 0", "ｓin", "х0", "\0",
    "\n", "\u202e", "\udcff", "1j", "\\\n",
)  # fmt: skip


def main() -> None:
    """Fuzz until the time is over."""
    folder, seconds, seed = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    atheris = import_module("atheris")
    with atheris.instrument_imports(include=["dolq_core.terms"]):
        promise = import_module("lab.benchmarks.reliability.promise")
    look = Watch(folder, promise)
    options = [
        f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={LONGEST}", f"-timeout={HUNG_S}",
        f"-artifact_prefix={folder}/suspects/", "-print_final_stats=1", "-rss_limit_mb=2048", "-verbosity=1",
    ]  # fmt: skip
    change = Mutator(atheris, promise, look.slowest)
    atheris.Setup([sys.argv[0], *options, f"{folder}/corpus"], look, custom_mutator=change)
    atheris.Fuzz()


class Watch:
    """Tries one string, counts, and keeps what seems to break a promise."""

    def __init__(self, folder: Path, promise: Any) -> None:
        self._folder, self._promise = folder, promise
        self._counts: Counter[str] = Counter()
        self._alike: Counter[tuple[str, str]] = Counter()
        self._noted = time.monotonic()
        self.slowest: dict[bytes, float] = {}

    def __call__(self, data: bytes) -> None:
        """Try what the fuzzer made."""
        found = self._promise.tried(*self._promise.decoded(data))
        self._rank(data, found.ms)
        self._counts["refused" if found.refused else "accepted"] += 1
        for fault in found.faults:
            self._keep(data, (found.reader, fault.split(":")[0]))
        if time.monotonic() - self._noted > 1.0:
            (self._folder / "counts.json").write_text(json.dumps(self._counts), encoding="utf-8")
            self._noted = time.monotonic()
            for number, each in enumerate(self.slowest):
                (self._folder / "slow" / f"slow-{number}").write_bytes(each)

    def _rank(self, data: bytes, ms: float) -> None:
        """Keep a string that takes longer than one of the slowest; a second look takes off what only the first cost."""
        if len(self.slowest) == SLOWEST and ms <= min(self.slowest.values()):
            return
        name, text = self._promise.decoded(data)
        again = self._promise.tried(name, text + " ").ms  # the readers remember the string itself
        self.slowest[data] = min(ms, again, self.slowest.get(data, ms))
        if len(self.slowest) > SLOWEST:
            del self.slowest[min(self.slowest, key=self.slowest.__getitem__)]

    def _keep(self, data: bytes, kind: tuple[str, str]) -> None:
        self._alike[kind] += 1
        if self._alike[kind] <= ALIKE:
            (self._folder / "suspects" / f"suspect-{sum(self._alike.values()):06}").write_bytes(data)


class Mutator:
    """Half of the time a word of the language or of an attack goes in or another piece out, else bytes change."""

    def __init__(self, atheris: Any, promise: Any, slowest: Mapping[bytes, float]) -> None:
        self._atheris, self._promise, self._slowest = atheris, promise, slowest

    def __call__(self, data: bytes, most: int, seed: int) -> bytes:
        """Return the string, changed."""
        draw = random.Random(seed)  # noqa: S311
        if self._slowest and draw.random() < AT_TIME:
            data = draw.choice([*self._slowest])
        elif draw.random() < 0.5:
            return self._atheris.Mutate(data, most)  # there once Fuzz() runs
        reader, text = self._promise.decoded(data)
        if draw.random() < 0.05:
            reader = draw.choice(list(self._promise.READERS))
        for _ in range(draw.randint(1, 4)):
            start = draw.randint(0, len(text))
            end = start + draw.choice((0, 0, 0, 1, draw.randint(0, 9)))
            new = draw.choice((*WORDS, text[start : start + draw.randint(1, 20)], f"({text})"))
            text = text[:start] + new + text[end:]
        return self._promise.encoded(reader, text)[:most]


if __name__ == "__main__":
    main()
