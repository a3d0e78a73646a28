"""Files that compiled libraries read are first opened in a process of its own, with limits of memory and time.

A workbook of five kilobytes with a cell in its last corner asks for a terabyte, and the library that reads it then
ends the whole program, with the work of everybody in it. Only what stays within the limits is read here.
"""

import subprocess
import sys
import threading
from collections import OrderedDict
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from dolq_core.data.findings import refusal

MOST_MEMORY: Final = 2 * 2**30
"""Bytes while a workbook or a Parquet file is opened: ten times the largest file that is read."""
MOST_SECONDS: Final = 60
_PROGRAM: Final = Path(__file__).with_name("open_in_sandbox.py")
_AS_TEXT: Final = "Save the table as CSV (UTF-8): it is read with less."
_opened: Final = OrderedDict[bytes, None]()  # the last files that opened: none is tried twice
_lock: Final = threading.Lock()


def check_opens(raw: bytes, kind: Literal["workbook", "parquet"], thing: str) -> None:
    """Refuse a file that cannot be opened within MOST_MEMORY and MOST_SECONDS."""
    digest = sha256(raw).digest()
    with _lock:
        if digest in _opened:
            return
    command = [sys.executable, "-I", str(_PROGRAM), kind, str(MOST_MEMORY), str(MOST_SECONDS)]
    try:
        done = subprocess.run(
            command, input=raw, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        reason = f"to open it takes more than {MOST_SECONDS} s, which is the limit"
        raise refusal("size", thing, reason, _AS_TEXT) from None
    if done.returncode:
        reason = f"it is damaged, or takes more than {MOST_MEMORY / 2**30:g} GB of memory to open, which is the limit"
        raise refusal("size", thing, reason, _AS_TEXT)
    with _lock:
        _opened[digest] = None
        while len(_opened) > 64:
            _opened.popitem(last=False)
