"""Known holes in what the program needs: `python -m tests.audit`, by pip-audit where it is installed.

It asks about the packages of requirements.txt and all that these need, in the versions that are installed here, and
says which ones nobody could answer for: a service that is not reached is no good news. It ends with 1 when a hole is
known that a newer version mends, with 0 otherwise, and never takes longer than LONGEST_S for each of the services.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
SERVICES = ("pypi", "osv")
LONGEST_S = 30.0


def needed(lines: Sequence[str]) -> dict[str, str]:
    """Return name and version of these requirements and of what they need, as installed here."""
    waiting = [Requirement(line.split("#")[0]) for line in lines if re.match(r"\w", line)]
    found: dict[str, str] = {}
    while waiting:
        one = waiting.pop()
        name = re.sub(r"[-_.]+", "-", one.name).lower()
        if name in found or not _applies(one):
            continue
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
        waiting += [Requirement(line) for line in requires(name) or ()]
    return dict(sorted(found.items()))


def _applies(one: Requirement) -> bool:
    return one.marker is None or one.marker.evaluate({"extra": ""})


def asked(command: Sequence[str], longest_s: float = LONGEST_S) -> list[dict]:
    """Return what pip-audit answers for each package; nothing where it does not answer in time, or not in JSON."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=longest_s, check=False)
        return json.loads(run.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, json.JSONDecodeError, KeyError):
        return []


def told(packages: dict[str, str], answers: Sequence[dict]) -> tuple[list[str], bool]:
    """Return what to print, and whether a hole is known that a newer version mends."""
    known = {one["name"]: one["vulns"] for one in answers if "vulns" in one}
    if not known:
        return ["pip-audit reached no service that knows of holes: nothing was looked at."], False
    holes = [
        f"!!! {name} {packages.get(name, '')}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'none'}"
        for name, holes in known.items()
        for hole in holes
    ]
    silent = sorted(set(packages) - set(known))
    lines = [f"pip-audit: {len(known)} of {len(packages)} packages asked about, {len(holes)} known holes."]
    lines += [f"Nobody answered for: {', '.join(silent)}."] if silent else []
    mended = any(hole["fix_versions"] for found in known.values() for hole in found)
    return [*lines, *holes], mended


def main() -> int:
    """Ask, and print the answer; return the exit status."""
    if find_spec("pip_audit") is None:
        print("pip-audit is not installed here, so nothing was looked at: python -m pip install pip-audit")
        return 0
    packages = needed((ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines())
    answers: list[dict] = []
    with tempfile.TemporaryDirectory() as folder:
        pins = Path(folder) / "pins.txt"
        pins.write_text("".join(f"{name}=={number}\n" for name, number in packages.items()), encoding="utf-8")
        fixed = ["-m", "pip_audit", "-r", str(pins), "--no-deps", "--disable-pip", "-f", "json", "--timeout", "5"]
        for service in SERVICES:
            answers = asked([sys.executable, *fixed, "--progress-spinner", "off", "-s", service])
            if any("vulns" in one for one in answers):
                break
    lines, holes = told(packages, answers)
    print(*lines, sep="\n")
    return int(holes)


if __name__ == "__main__":
    sys.exit(main())
