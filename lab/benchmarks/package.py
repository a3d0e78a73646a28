"""From a wheel to an equation: `python -m lab package`.

The committed project is cloned, and a wheel is built of it. In an empty environment the wheel alone is installed, with
what it needs, and finds the law of the yeast; a bundled lesson is walked there. In a second one, with `[app]`, the app
is started until its server answers, and each of its pages is drawn. In a third one are the lowest versions that
pyproject.toml allows, exactly these, and the tests below. Wall time, downloads included.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Final

from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row
from tests.e2e.server import free_port

LONGEST_S: Final = 600
TOOLS: Final = ("hypothesis", "openpyxl", "pytest", "scikit-learn", "sympy")
TESTS: Final = ("tests/terms", "tests/loop", "tests/data", "tests/estimator", "tests/store/test_sqlite.py")
"""Those of the core that need no further package."""
DRAWS_ALL: Final = """
import os, sys
from pathlib import Path
import dolq_core
from streamlit.testing.v1 import AppTest
root = Path(dolq_core.__file__).parent / "app"
sys.path.insert(0, str(root))
app = AppTest.from_file(str(root / "app.py"), default_timeout=120).run()
for page in sorted((root / "pages").glob("*/page.py")):
    app.switch_page(str(page.relative_to(root))).run()
    assert not app.exception and len(app.main), page
    print(page.parent.name)
sys.stdout.flush()
os._exit(0)  # the app's workers wait for work
"""


def lowest() -> dict[str, str]:
    """Return the lowest version of each package that the core needs."""
    project = tomllib.loads((report.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return dict(re.match(r"([\w-]+)>=([\d.]+)$", one).groups() for one in project["dependencies"])  # type: ignore[union-attr]


def measure() -> Iterator[Row]:
    """Yield a row for each step with its seconds, then one with what came out."""
    steps: list[tuple[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        clone = place / "dolq"
        run(["git", "clone", "-q", str(report.ROOT), str(clone)])
        with timed(steps, "a wheel is built"):
            run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(place), str(clone)])
        (wheel,) = place.glob("*.whl")
        alone = environment(place / "alone")
        with timed(steps, "`pip install` of the wheel, with all it needs"):
            run([str(alone / "pip"), "install", "-q", str(wheel)])
        with timed(steps, "`dolq discover yeast`"):
            said = run([str(alone / "dolq"), "discover", "yeast"], place)
        with timed(steps, "`dolq lesson check yeast`"):
            lesson = run([str(alone / "dolq"), "lesson", "check", "yeast"], place).splitlines()[-1]
        with_app = environment(place / "with_app")
        with timed(steps, "`pip install` of the wheel with `[app]`"):
            run([str(with_app / "pip"), "install", "-q", f"{wheel}[app]"])
        with timed(steps, "`dolq app`, until its server answers"):
            opened(with_app, place)
        pages = run([str(with_app / "python"), "-c", DRAWS_ALL], place).split()
        passed = with_lowest(environment(place / "lowest"), wheel, clone)
        yield from ({"step": name, "s": seconds} for name, seconds in steps)
        yield {
            "law": next(line for line in said.splitlines() if line.startswith("d yeast")),
            "lesson": lesson,
            "pages": pages,
            "passed": passed,
            "lowest": lowest(),
            "bytes": wheel.stat().st_size,
        }


@contextmanager
def timed(steps: list[tuple[str, float]], name: str) -> Iterator[None]:
    """Note how long something takes."""
    begun = time.monotonic()
    yield
    steps.append((name, time.monotonic() - begun))
    print(f"{name}: {steps[-1][1]:.1f} s", flush=True)


def environment(folder: Path) -> Path:
    """Make an empty environment and return its folder of programs."""
    run([sys.executable, "-m", "venv", str(folder)])
    return folder / ("Scripts" if os.name == "nt" else "bin")


def opened(programs: Path, place: Path) -> None:
    """Start the app, and end it as soon as it answers."""
    port = free_port()
    begun = time.monotonic()
    command = [str(programs / "dolq"), "app", "--server.port", str(port), "--server.headless", "true"]
    with subprocess.Popen(command, cwd=place, env=away(place), stdout=subprocess.DEVNULL) as server:
        try:
            while not answers(f"http://127.0.0.1:{port}/_stcore/health"):
                if server.poll() is not None or time.monotonic() - begun > LONGEST_S:
                    raise SystemExit("The app does not start.")
                time.sleep(0.1)
        finally:
            server.terminate()


def answers(url: str) -> bool:
    """Whether somebody answers at this address."""
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except OSError:
        return False


def with_lowest(programs: Path, wheel: Path, clone: Path) -> int:
    """Return how many tests pass with the lowest versions; raise SystemExit where one does not."""
    exact = [f"{name}=={number}" for name, number in lowest().items()]
    tools = [f"{name}=={version(name)}" for name in TOOLS]
    run([str(programs / "pip"), "install", "-q", str(wheel), *exact, *tools])
    command = [str(programs / "python"), "-m", "pytest", "-q", "-W", "default", "-p", "no:cacheprovider", *TESTS]
    found = re.search(r"(\d+) passed", run(command, clone))
    return int(found[1]) if found else 0


def away(place: Path) -> dict[str, str]:
    """Return an environment without this project's own, with a database of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return kept | {"DOLQ_DB": str(place / "runs.db"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def run(command: Sequence[str], place: Path = report.ROOT) -> str:
    """Return what a command prints; raise SystemExit where it fails."""
    told = {"capture_output": True, "text": True, "timeout": LONGEST_S, "check": False}
    done = subprocess.run(command, cwd=place, env=away(place), **told)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def page(rows: Sequence[Row]) -> list[str]:
    """Return each step, and what came out."""
    steps = [(row["step"], f"{row['s']:.1f}") for row in rows if "step" in row]
    said = next(row for row in rows if "law" in row)
    found = sum(row["s"] for row in rows if "step" in row and ("discover" in row["step"] or "all it" in row["step"]))
    tests = ", ".join(f"`{one}`" for one in TESTS)
    numbers = ", ".join(f"{name} {number}" for name, number in said["lowest"].items())
    return [
        f"From `pip install` to an equation: {found:.0f} s. The wheel has {said['bytes'] / 1e6:.1f} MB.",
        report.table(["step", "seconds"], steps),
        f"The law: `{said['law']}`. The lesson: {said['lesson']}",
        f"Pages drawn without a fault: {', '.join(said['pages'])}.",
        f"With {numbers}, {said['passed']:,} tests pass: {tests}.",
    ]


BENCHMARK = Benchmark("package", "From a wheel to an equation", __doc__, measure, page)
