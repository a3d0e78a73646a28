"""With which versions it runs: `python -m lab versions`, which writes docs/versions.md in about two minutes.

The lowest version of each package is the one that `requirements.txt` names; the newest tested is the one that was
installed on the day below, where the whole check (`python -m tests`) runs. The lowest set was installed into an
environment of its own, exactly these versions, and what they need in turn as pip chose it; there the tests of the
terms, of the loop and of some pages ran.
"""

import os
import platform
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("pytest", "hypothesis", "sympy", "openpyxl", "scikit-learn")
"""What the tests below need on top, as installed here."""
TESTS = ("tests/terms", "tests/loop", "tests/app/test_owners.py", "tests/app/test_unsafe_html.py")
LONGEST_S = 600


def lowest() -> dict[str, str]:
    """Return the lowest version of each package that requirements.txt allows: that of its `~=`."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return {found[1]: found[2] for line in lines if (found := re.match(r"([\w-]+)~=([\d.]+)", line))}


def python_range() -> str:
    """Return what pyproject.toml says of Python."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]


def measure() -> Iterator[Row]:
    """Install the lowest set, run the tests with it, and yield a row for each package.

    Raises:
        SystemExit: where it cannot be installed, or a test fails with it.
    """
    begun = time.monotonic()
    passed = _tried(lowest())
    seconds = round(time.monotonic() - begun)
    yield {"python": python_range(), "tested": platform.python_version(), "passed": passed, "seconds": seconds}
    for package, number in lowest().items():
        yield {"package": package, "lowest": number, "newest": version(package), "below": _below(number)}


def _below(number: str) -> str:
    """Return the first version that `~=` of this one refuses: ~=2.4.6 means below 2.5."""
    *head, _ = number.split(".")
    return ".".join([*head[:-1], str(int(head[-1]) + 1)])


def _tried(pinned: dict[str, str]) -> int:
    """Return how many tests passed in a fresh environment with these versions."""
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python"
        _run([sys.executable, "-m", "venv", folder])
        exact = [f"{name}=={number}" for name, number in pinned.items()]
        tools = [f"{name}=={version(name)}" for name in TOOLS]
        _run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *exact, *tools])
        said = _run([str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS])
    found = re.search(r"(\d+) passed", said)
    if found is None or "failed" in said or "error" in said.splitlines()[-1]:
        raise SystemExit(said[-2000:])
    return int(found[1])


def _run(command: Sequence[str]) -> str:
    told = {"capture_output": True, "text": True, "timeout": LONGEST_S, "check": False}
    run = subprocess.run(command, cwd=ROOT, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"}, **told)
    if run.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {run.returncode}:\n{(run.stdout + run.stderr)[-2000:]}")
    return run.stdout


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table, and what was run."""
    (ran,) = (row for row in rows if "python" in row)
    packages = [row for row in rows if "package" in row]
    tests = ", ".join(f"`{one}`" for one in TESTS)
    with_lowest = f"With the lowest set {ran['passed']:,} tests passed: {tests}."
    python = f"Python {ran['python'].strip('>=')} or newer, tested with {ran['tested']}. {with_lowest}"
    head = ("package", "lowest, tested", "newest tested", "not yet allowed")
    lines = [(row["package"], row["lowest"], row["newest"], f"{row['below']} and later") for row in packages]
    return [python, report.table(head, lines)]


BENCHMARK = Benchmark("versions", "Versions", __doc__, measure, page, pages=report.RESULTS.parent)
