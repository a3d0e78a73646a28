"""The attacks of `tests/attacks`, each run once more: how many were tried, and how many the product survived.

Malicious model servers that speak the real wire formats to the real clients, hostile bundles, other sites' pages in a
real browser for which every name is this machine, killed forks, flipped bits, people who want more than each may have,
terms that are made to take long. A test is one attack in one variant; what one test draws many times counts as one. The
memory is the largest of any process that the attacks had.
"""

import resource
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET  # reads what pytest wrote a moment before
from collections import Counter
from pathlib import Path

from dolq_core.errors import DolqError
from lab.benchmarks import report
from lab.benchmarks.reliability.page import ReliabilityPart

FOLDER = "tests/attacks"
TITLES = {
    "test_keys": "a key that is wanted by a bundle, a server or a redirect",
    "test_replies": "replies without an end, malformed, or made to take long",
    "test_bundles": "bundles: small bombs, damage, impossible values",
    "test_limits": "limits that are to be passed",
    "test_sites": "other sites, names and frames",
    "test_terms": "terms that are made to take long",
    "test_names": "columns that look like something else",
    "test_store": "kills, flipped bits, changes by hand",
    "test_claims": "signals without a law that look like one",
    "test_supply": "packages and files of others",
}


def measure() -> ReliabilityPart:
    """Run them all, and count by file."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "attacks.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", FOLDER, f"--junit-xml={out}"]
        subprocess.run(command, cwd=report.RESULTS.parents[1], stdout=subprocess.DEVNULL, check=False)
        if not out.exists():
            raise DolqError("The attacks", "pytest wrote no result", f"Run it by hand: {' '.join(command)}")
        cases = list(ET.parse(out).getroot().iter("testcase"))
    tried, survived = Counter[str](), Counter[str]()
    for case in cases:
        file = case.attrib["classname"].split(".")[-1]
        if case.find("skipped") is not None:
            continue
        tried[file] += 1
        survived[file] += case.find("failure") is None and case.find("error") is None
    rows = [(TITLES.get(file, file), f"`{FOLDER}/{file}.py`", f"{n}", f"{survived[file]}") for file, n in tried.items()]
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return ReliabilityPart(
        name="attacks",
        title="Attacks",
        how=" ".join((__doc__ or "").split("\n\n", 1)[1].split()),
        head=("attack", "as a test", "tried", "survived"),
        rows=rows,
        faults=tried.total(),
        survived=survived.total(),
        lost=0,
        memory=f"{memory:,.0f} MB",
    )
