"""The command line: `python -m dolq_core discover data.csv`."""

import os

for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")  # small least squares are several times slower on many threads

from dolq_core.cli import main  # noqa: E402

if __name__ == "__main__":
    main(prog_name="python -m dolq_core")
