"""Texts that are compared to the letter. After a wanted change: DOLQ_GOLDEN=write python -m pytest tests/agents."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent


def is_golden(name: str, text: str) -> bool:
    """Whether `text` equals the stored one of this name; with DOLQ_GOLDEN=write it is stored instead."""
    path = FOLDER / name
    if os.environ.get("DOLQ_GOLDEN") == "write":
        path.write_text(text + "\n", encoding="utf-8")
    assert text + "\n" == path.read_text(encoding="utf-8")
    return True
