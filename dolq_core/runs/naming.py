"""Names that a person, a file or a stranger's bundle gives: as the name of a run, and as the name of a file."""

import re
import unicodedata
from typing import Final

MOST_LETTERS: Final = 80
MOST_BYTES: Final = 180
"""Of a file's name without its ending: file systems take 255 bytes."""
MOST_OF_RUN: Final = 200

_DEVICES: Final = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\..*)?", re.IGNORECASE)
"""What Windows opens as a device, whatever stands behind a point."""
_FORBIDDEN: Final = re.compile(r'[<>:"/\\|?*]')
_FOLDERS: Final = re.compile(r"[/\\]")


def run_name(said: str) -> str:
    """Return what a run is called: one line, nothing that turns or hides letters, MOST_OF_RUN at most; may be empty."""
    return _one_line(said)[:MOST_OF_RUN].strip()


def download_name(said: str, otherwise: str) -> str:
    """Return the name, without its ending, of a file that every system takes, as near to `said` as that can be.

    Only what follows the last / or backslash counts; `otherwise` where nothing is left.
    """
    plain = _FORBIDDEN.sub("_", _one_line(_FOLDERS.split(said)[-1]))
    short = plain[:MOST_LETTERS].encode()[:MOST_BYTES].decode("utf-8", "ignore").strip(" .-~") or otherwise
    return not_a_device(short)


def not_a_device(name: str) -> str:
    """Return the name, with something in front where Windows would open a device of that name."""
    return f"run_{name}" if _DEVICES.fullmatch(name) else name


def _one_line(said: str) -> str:
    """Return the text composed, with a blank for what is not printed: controls, marks of direction, half letters."""
    return "".join(char if char.isprintable() else " " for char in unicodedata.normalize("NFC", said)).strip()
