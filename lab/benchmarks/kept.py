"""What a measurement has so far, on disk: a machine that stops in the middle costs no more than what ran then.

    with kept(path, made): ... for result in pooled(...)   each result is a line of the file as soon as it is there

The same command by the same program and versions goes on with the rest; what another one measured is not taken.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parents[2]
T = TypeVar("T")


class _Kept:
    """Results in the order of their tasks: those on disk, of which some may not be asked for yet, and new ones."""

    def __init__(self, path: Path, made: Mapping[str, Any]) -> None:
        self._path = path
        head = {**made, "program": _program()}
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
        whole = [json.loads(line) for line in lines if line.endswith("\n")]
        self._left: list[Any] = whole[1:] if whole[:1] == [head] else []
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(one) + "\n" for one in [head, *self._left]), encoding="utf-8")

    def take(self, most: int) -> list[Any]:
        """Return up to so many results that are on disk, each once."""
        taken, self._left = self._left[:most], self._left[most:]
        return taken

    def add(self, result: object) -> None:
        """Write one more."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")


_now: ContextVar[_Kept | None] = ContextVar("kept", default=None)


@contextmanager
def kept(path: Path, made: Mapping[str, Any]) -> Iterator[None]:
    """Keep what `pooled` yields meanwhile in a file, which goes when all is measured and stored.

    made: what the results depend on, besides the program: the command, versions of packages.
    """
    before = _now.set(_Kept(path, made))
    try:
        yield
    finally:
        _now.reset(before)
    path.unlink()


def pooled(outcome: Callable[..., T], *arguments: Iterable[Any], workers: int = 0) -> Iterator[T]:
    """Yield what a function of a module makes of each, in order, in so many processes; 0: one for each core.

    The results are plain JSON where they are kept.
    """
    tasks, store = list(zip(*arguments, strict=True)), _now.get()
    known = [] if store is None else store.take(len(tasks))
    yield from known
    if len(known) == len(tasks):
        return
    with ProcessPoolExecutor(workers or None, mp_context=get_context("spawn")) as pool:
        for result in pool.map(outcome, *zip(*tasks[len(known) :], strict=True)):
            if store is not None:
                store.add(result)
            yield result


def _program() -> str:
    """A fingerprint of the program that measures, and of the suites."""
    files = sorted(
        path for room in ("dolq_core", "lab") for kind in ("py", "toml") for path in (ROOT / room).rglob(f"*.{kind}")
    )
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
