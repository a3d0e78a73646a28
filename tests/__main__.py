"""The one check command, the same on a laptop and in CI: `python -m tests`.

It runs the tests, beside them every other check of CHECKS in turn, and ends with one line that says what does not hold.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # the tests run side by side already
CHECKS = {
    "format": "ruff format --check .",
    "lint": "ruff check .",
    "types": "basedpyright --pythonpath {python}",
    "layers": "lint-imports --no-logo",
    "dependencies": "deptry .",
    "docs": "sphinx-build -W -q -j 2 docs site",
    # half the files each, in their order; who is done takes from the end of the other's, so that both end together
    "tests": "pytest -n 2 --dist worksteal --durations 40",
}


def holds(name: str, command: str, said: IO[str] | None = None) -> bool:
    """Run one check with the tools of this Python's environment, and write what it says; its exit status decides."""
    print(f"--- {name}: {command}", file=said, flush=True)
    tool, *arguments = [part.format(python=sys.executable) for part in command.split()]
    found = shutil.which(tool, path=sysconfig.get_path("scripts"))
    if found is None:
        print(f"{tool} is not installed here. Run: {sys.executable} -m pip install -r requirements-dev.txt", file=said)
        return False
    own = os.environ | ONE_THREAD
    own.pop("PYTHONDONTWRITEBYTECODE", None)  # each program that is started would compile the core anew
    return subprocess.run([found, *arguments], cwd=ROOT, env=own, stdout=said, stderr=said, check=False).returncode == 0


def main() -> int:
    """Run all checks, also after one that failed; return the exit status."""
    with ThreadPoolExecutor(1) as beside, tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        others = [(name, beside.submit(holds, name, CHECKS[name], said)) for name in CHECKS if name != "tests"]
        tests = holds("tests", CHECKS["tests"])
        broken = [name for name, other in others if not other.result()]
        said.seek(0)
        print(said.read())
    broken += [] if tests else ["tests"]
    print(f"Does not hold: {', '.join(broken)}." if broken else f"All hold: {', '.join(CHECKS)}.")
    return bool(broken)


if __name__ == "__main__":
    sys.exit(main())
