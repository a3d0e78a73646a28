"""What the pages start by themselves is noted here, and not done: a process would outlive its test."""

import pytest

from pages.ui import jobs


@pytest.fixture(autouse=True)
def began(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Return the first iterations that pages asked for, as (run, mode)."""
    asked: list[tuple[str, str]] = []
    real = jobs.begin

    def begin(run: str) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(jobs, "start", lambda new, mode: asked.append((new.id, mode)))
            real(run)

    monkeypatch.setattr(jobs, "begin", begin)
    return asked
