"""Files that compiled libraries read are opened in a process apart first: a small one can ask for any memory.

A workbook of five kilobytes with a cell in its last corner asks for a terabyte, and the library that reads it then
ends the whole program, with the work of everybody in it. So the file is tried in a process that has a limit of memory
and time; only what stays within them is read here.
"""

import subprocess
import sys
import threading
from collections import deque
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from dolq_core.data.findings import refusal

MOST_MEMORY: Final = 2 * 2**30
"""Bytes while a workbook or a Parquet file is opened: ten times the largest file that is read."""
MOST_SECONDS: Final = 60
_TRIAL: Final = Path(__file__).with_name("trial.py")
_TEXT: Final = "Save the table as CSV (UTF-8): it is read with less."


class _Passed:
    """The marks of the last files that opened, so that no file is tried twice. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._marks: deque[bytes] = deque(maxlen=64)

    def has(self, mark: bytes) -> bool:
        with self._lock:
            return mark in self._marks

    def add(self, mark: bytes) -> None:
        with self._lock:
            self._marks.append(mark)


_passed = _Passed()


def check_opens(raw: bytes, kind: Literal["workbook", "parquet"], thing: str) -> None:
    """Refuse a file that cannot be opened within MOST_MEMORY and MOST_SECONDS."""
    mark = sha256(raw).digest()
    if _passed.has(mark):
        return
    command = [sys.executable, "-I", str(_TRIAL), kind, str(MOST_MEMORY), str(MOST_SECONDS)]
    try:
        done = subprocess.run(
            command, input=raw, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise refusal(
            "size", thing, f"to open it takes more than {MOST_SECONDS} s, which is the limit", _TEXT
        ) from None
    if done.returncode:
        reason = f"it is damaged, or takes more than {MOST_MEMORY / 2**30:g} GB of memory to open, which is the limit"
        raise refusal("size", thing, reason, _TEXT)
    _passed.add(mark)
