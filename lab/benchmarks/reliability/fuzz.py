"""Strings that a coverage-guided fuzzer makes, read as terms, equations, formulas, laws and skeletons.

The fuzzer (atheris, which is libFuzzer for Python) begins with the hostile strings of the tests, changes them by bytes
and by words of the language, and goes on from every string that reached code no other had reached, and for three in ten
from the 48 that took longest so far. Of each string: nothing is executed, imported or opened; it is refused with a
reason or accepted, and no other error leaves the reader; an accepted term reads again as itself and has a number for
every sample. Every string that it kept, the slowest, and every one that seemed to break a promise, is weighed
afterwards without the fuzzer: the least processor time of three fresh processes and the largest memory.
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from lab.benchmarks.reliability.page import ReliabilityPart
from lab.benchmarks.reliability.promise import LONGEST_MS, MOST_MB, READERS, encoded
from tests.attacks.slow import slow
from tests.terms.hostile import hostile

FOUND = Path("fuzz-found")
MISSING = (
    'The fuzzer is not installed here. On Linux: python -m pip install "atheris~=3.0" (other systems have no wheel).'
)
SEEDS = 2000
LONGEST_SEED = 400
TIMES = 3
GRACE_S = 900.0


def measure(minutes: float, seed: int, found: Path = FOUND) -> ReliabilityPart:
    """Fuzz for so long; what breaks a promise is written to the folder `found`, one file of JSON each.

    Raises:
        SystemExit: where the fuzzer is not installed, or ended by itself.
    """
    if find_spec("atheris") is None:
        raise SystemExit(MISSING)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        _sow(folder / "corpus", seed)
        (folder / "suspects").mkdir()
        (folder / "slow").mkdir()
        hung = _fuzzed(folder, minutes, seed)
        counts: Counter[str] = Counter(json.loads((folder / "counts.json").read_text(encoding="utf-8")))
        for path in (*(folder / "suspects").iterdir(), *(folder / "slow").iterdir()):
            path.rename(folder / "corpus" / path.name)
        each = _weighed(folder)
    broken = [*hung, *(one for one in each if one["faults"])]
    written(broken, found)
    rows = [
        ("strings", f"{counts.total():,}"),
        ("refused, each with a reason", f"{counts['refused']:,}"),
        ("accepted as arithmetic", f"{counts['accepted']:,}"),
        ("kept for the code that they reached or their time, and weighed", f"{len(each):,}"),
        ("longest of these, ms of processor time", f"{max(one['ms'] for one in each):.1f} (bound {LONGEST_MS:.0f})"),
        ("largest of these, MB", f"{max(one['mb'] for one in each):.2f} (bound {MOST_MB:.0f})"),
        ("broke a promise", f"{len(broken)}"),
    ]
    note = " ".join(f"{one['reader']}: {'; '.join(one['faults'])}." for one in broken[:9])
    return ReliabilityPart(
        "fuzz", "Terms made by a fuzzer", " ".join((__doc__ or "").split()), ("", ""), rows,
        counts.total(), counts.total() - len(broken), 0, note=note and f"In {found}: {note}",
    )  # fmt: skip


def _sow(corpus: Path, seed: int) -> None:
    """Write what the fuzzer begins with: the hostile strings of the tests, for each reader in turn."""
    corpus.mkdir()
    names = list(READERS)
    for number, text in enumerate([*hostile(SEEDS, seed), *slow(SEEDS, seed)]):
        if len(text) <= LONGEST_SEED:
            (corpus / f"seed-{number}").write_bytes(encoded(names[number % len(names)], text))


def _fuzzed(folder: Path, minutes: float, seed: int) -> list[dict]:
    """Let the fuzzer run; return the strings on which it hung, which are not tried again."""
    seconds = max(1, round(60.0 * minutes))
    command = [sys.executable, "-m", "lab.benchmarks.reliability.fuzzing", str(folder), str(seconds), str(seed + 1)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=seconds + GRACE_S, check=False)
    hung: list[dict] = []
    for path in sorted((folder / "suspects").glob("timeout-*")):
        hung.append({"reader": "", "faults": ["did not end"], "text": path.read_bytes().decode("utf-8", "replace")})
        path.unlink()
    if run.returncode and not hung and not any((folder / "suspects").iterdir()):
        raise SystemExit(f"The fuzzer ended with {run.returncode}:\n{run.stderr[-2000:]}")
    return hung


def _weighed(folder: Path) -> list[dict]:
    """Weigh what is in the corpus in three processes; of each string its least time, and the faults of that one."""
    of_each: list[list[dict]] = []
    for number in range(TIMES):
        out = folder / f"weighed-{number}.json"
        command = [sys.executable, "-m", "lab.benchmarks.reliability.promise", str(folder / "corpus"), str(out)]
        subprocess.run(command, timeout=GRACE_S, check=True)
        of_each.append(json.loads(out.read_text(encoding="utf-8")))
    return [min(times, key=lambda one: one["ms"]) for times in zip(*of_each, strict=True)]


def written(broken: Iterable[dict], folder: Path) -> None:
    """Write each string that broke a promise, with what it did."""
    for number, one in enumerate(broken, 1):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number:03}.json").write_text(json.dumps(one, indent=1) + "\n", encoding="utf-8")
