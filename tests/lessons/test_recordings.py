"""A lesson that is handed on as one file has its recordings inside, and what is inside is looked at from all sides."""

import base64
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from dolq_core import runs
from dolq_core.cli import main
from dolq_core.lessons import attempting, walking
from dolq_core.lessons.reading import LessonError, read
from dolq_core.lessons.recorded import inside, unpacked
from dolq_core.runs import play
from dolq_core.store.files import run_text
from tests.every import every
from tests.export.test_bundle import hostile
from tests.lessons.test_reading import GOOD

WANTED = GOOD.replace('data = "yeast"', 'data = "yeast"\nrecorded = true').replace("Look: {limit}.", "Look.")


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A teacher's lesson with its recording, made twice as a person would who changes a word between."""
    file = tmp_path / "mine.toml"
    file.write_text(WANTED, encoding="utf-8")
    for words in ("Press.", "Press it."):
        file.write_text(file.read_text(encoding="utf-8").replace("Press.", words), encoding="utf-8")
        done = CliRunner().invoke(main, ["lesson", "record", str(file), "--inside"])
        assert (done.exit_code, "with first" in done.output) == (0, True), done.output
    return file


def test_a_lesson_in_one_file_computes_nothing_in_the_class(shared):
    text = shared.read_text(encoding="utf-8")
    assert text.startswith(WANTED.replace("Press.", "Press it.").rstrip())
    assert (text.count("[recordings]"), list(shared.parent.glob("recorded"))) == (1, [])
    store, way = runs.open_store(), attempting.begin("sent.toml", shared.read_bytes())
    way = walking.press(store, walking.move(walking.answer(way, "1"), 1))
    now = walking.stand(store, attempting.attempt(way.id), str)
    assert (now.waits, now.left, now.acted) == ("", 0, True)
    known = unpacked(now.lesson.recordings["first"], "first")
    assert walking.run_for(store, now.attempt, "first").entries == known
    assert every(played.likeness.same == "identical" for played in play(known))


def test_a_recording_of_another_run_is_said_and_not_followed(shared):
    shared.write_text(shared.read_text(encoding="utf-8").replace("recorded = true", "recorded = true\nseed = 5"))
    done = CliRunner().invoke(main, ["lesson", "check", str(shared)])
    assert done.exit_code == 1
    assert "the recording of 'first' is of another run" in done.output


def refused(text: str) -> str:
    with pytest.raises(LessonError) as caught:
        read(text.encode(), "sent.toml")
    return str(caught.value)


@pytest.mark.parametrize("said", list(hostile()))
def test_a_log_that_the_program_could_not_have_written_is_refused(said):
    told = refused(inside(WANTED, {"first": hostile()[said]}))
    assert told.startswith("sent.toml: recordings, first: ")
    assert said in told


LOG = zlib.compress(run_text("a", hostile()["is no plain name"]).encode())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (zlib.compress(bytes(9 * 2**20)), "it is cut off, or has more than 8 MB"),
        (LOG[:-9], "it is cut off"),
        (b"no zlib", "it cannot be unpacked"),
        (zlib.compress(b"[" * 100_000), "it cannot be read as a recorded run"),
        (zlib.compress(b"{}"), "it is no recorded run"),
    ],
)
def test_what_is_no_recording_is_refused(content, said):
    assert said in refused(f'{WANTED}\n[recordings]\nfirst = "{base64.b64encode(content).decode()}"\n')


def test_a_recording_that_no_run_asks_for_is_refused():
    assert "no run 'first' says recorded = true" in refused(f'{GOOD}\n[recordings]\nfirst = ""\n')
    assert "it cannot be unpacked" in refused(f'{WANTED}\n[recordings]\nfirst = "***"\n')
