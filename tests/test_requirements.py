"""What is installed here, where every test runs, is what requirements.txt allows."""

from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

LINES = (Path(__file__).resolve().parent.parent / "requirements.txt").read_text(encoding="utf-8").splitlines()
NEEDED = [Requirement(line.split("#")[0]) for line in LINES if line.split("#")[0].strip()]


@pytest.mark.parametrize("one", NEEDED, ids=lambda one: one.name)
def test_what_is_installed_is_allowed(one):
    assert one.specifier
    assert version(one.name) in one.specifier
