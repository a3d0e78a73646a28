"""Reads a file that may become a run once, within limits, and keeps nothing. Run as a program by `importing`.

    python -m dolq_core.runs.sandboxed BYTES SECONDS < FILE

The exit status is 0 where the file can be read or is refused in words, which are said where it is read in earnest;
another one where that would take more than the limits.
"""

import sys

from dolq_core.data.sandbox import TOO_LARGE, limit
from dolq_core.errors import DolqError
from dolq_core.runs.importing import read


def main() -> int:
    """Read the file that stands in the input; return the exit status."""
    limit(int(sys.argv[1]), int(sys.argv[2]))
    try:
        read(sys.stdin.buffer.read())
    except DolqError:
        return 0
    except MemoryError:
        return TOO_LARGE
    return 0


if __name__ == "__main__":
    sys.exit(main())
