"""Two files of a bundle: requirements.txt with the installed versions, and README.txt."""

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_HERE = Path(__file__).parents[2] / "requirements.txt"


def frozen_requirements() -> str:
    """Return the program's own requirements with the versions that are installed here, one a line."""
    found = sorted({pinned for name in _wanted() if (pinned := _pinned(name))})
    return "\n".join(["# The versions that this run was exported with.", *found, ""])


def _wanted() -> Iterable[str]:
    """The requirements of the installed package, or of the checkout that runs."""
    try:
        lines = requires("dolq") or []
    except PackageNotFoundError:
        lines = _HERE.read_text(encoding="utf-8").splitlines() if _HERE.exists() else ["numpy", "scipy"]
    return [found[0] for line in lines if "extra ==" not in line and (found := _NAME.match(line))]


def _pinned(name: str) -> str:
    try:
        return f"{name}=={version(name)}"
    except PackageNotFoundError:
        return ""


def read_me(title: str, files: Mapping[str, str]) -> str:
    """Return what each file of a bundle is; files: descriptions by name."""
    lines = [f"{title}: a run of DoLQ, with everything that was found and how.", ""]
    lines += [f"{name:34s} {what}" for name, what in files.items()]
    lines += ["", "To open it again, in another place too: python -m dolq_core import THIS_FILE", ""]
    return "\n".join(lines)
