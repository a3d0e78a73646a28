"""The page on settings names each one with its default and the paper's."""

import re
from dataclasses import fields
from pathlib import Path

from dolq_core.records import Settings

PAGE = Path(__file__).resolve().parent.parent / "docs" / "settings.md"
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| \S")


def test_every_setting_is_there_with_its_default_and_the_papers():
    rows = [found.groups() for line in PAGE.read_text(encoding="utf-8").splitlines() if (found := ROW.match(line))]
    ours, papers = Settings(), Settings.paper()
    assert rows == [(f.name, repr(getattr(ours, f.name)), repr(getattr(papers, f.name))) for f in fields(Settings)]
