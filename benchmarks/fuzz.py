"""Fuzz what reads terms: `python -m benchmarks.fuzz --minutes 10 [--seed 0]`.

The part "fuzz" of `python -m benchmarks.reliability`, whose page has its rows. What breaks a promise is written to the
folder fuzz-found, and the command ends with 1.
"""

import sys

from benchmarks.reliability.__main__ import main

if __name__ == "__main__":
    sys.argv.insert(1, "fuzz")
    main()
