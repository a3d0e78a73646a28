"""The largest resident memory of a process during one run."""

import sys
from pathlib import Path

_CLEAR, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


class Peak:
    """Counts from here on where the kernel lets it (Linux), else from the start of the process."""

    def __init__(self) -> None:
        try:
            _CLEAR.write_text("5", encoding="ascii")  # the peak begins at what is resident now
        except OSError:
            pass  # not Linux, or not allowed: the peak of the process stands in

    def mib(self) -> float:
        """Return the peak in MiB; 0 where it cannot be known."""
        try:
            for line in _STATUS.read_text(encoding="utf-8").splitlines():
                if line.startswith("VmHWM:"):
                    return round(int(line.split()[1]) / 1024, 1)
        except OSError:
            pass
        return _of_process()


def _of_process() -> float:
    try:
        from resource import RUSAGE_SELF, getrusage  # noqa: PLC0415  Windows has none
    except ImportError:
        return 0.0
    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return round(peak / (1024**2 if sys.platform == "darwin" else 1024), 1)
