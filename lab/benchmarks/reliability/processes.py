"""What the processes of this machine are and hold, from /proc."""

import os
from pathlib import Path

OWN = os.getpid()
PAGE = os.sysconf("SC_PAGE_SIZE")


def below(parent: int) -> dict[int, str]:
    """Return the command lines of all processes that a process has started, and those that they have started."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # it has ended meanwhile
                continue
    found: dict[int, str] = {}
    new = {parent}
    while new:
        new = {pid for pid, above in parents.items() if above in new and pid not in found}
        found |= {pid: _command(pid) for pid in new}
    return found


def megabytes(pid: int) -> float:
    """Return the resident memory of a process; 0 when it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 2**20
    except OSError:
        return 0.0


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
