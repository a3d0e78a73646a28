"""The command line: `dolq discover data.csv`, or `python -m dolq_core discover data.csv` in the source tree."""

import os

for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")  # small least squares are several times slower on many threads

from dolq_core.cli import main as command  # noqa: E402

if __name__ == "__main__":
    command(prog_name="python -m dolq_core")
