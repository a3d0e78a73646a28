"""The versions and hashes that the container and CI install: `python -m tests.lock`, by uv where it is installed.

`locked/container.txt` is requirements.txt with the part of Streamlit that a login needs, `locked/ci.txt` is
requirements-dev.txt; both for every platform. `pip install --require-hashes -r FILE` takes nothing else.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKED = {"container.txt": ("requirements.txt", "streamlit[auth]"), "ci.txt": ("requirements-dev.txt", "")}
OPTIONS = ("--universal", "--python-version", "3.11", "--generate-hashes", "--no-annotate", "--no-header", "--upgrade")
OPTIONS += ("--no-strip-extras",)
"""The extras stay: `google-auth==2.62.2` alone lets an older pip look at a newer `google-auth[requests]` and refuse."""


def main() -> int:
    """Resolve anew and write the files; return the exit status."""
    uv = shutil.which("uv")
    if uv is None:
        print("uv is not installed here: python -m pip install uv")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        for name, (source, more) in LOCKED.items():
            extra = Path(folder) / "more.in"
            extra.write_text(more, encoding="utf-8")
            command = [uv, "pip", "compile", "-q", source, str(extra), *OPTIONS, "-o", str(ROOT / "locked" / name)]
            subprocess.run(command, cwd=ROOT, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
