"""What weighs the strings of the fuzzer says so when a promise is broken."""

import json
import time

import numpy as np
import pytest

from dolq_core.errors import TermError
from lab.benchmarks.reliability import fuzz
from lab.benchmarks.reliability.promise import READERS, decoded, encoded, tried, weighed
from tests.terms.hostile import hostile


def _busy(text):
    until = time.thread_time() + 0.06
    while time.thread_time() < until:
        pass


def _silent(text):
    raise TermError(text, " ")


def _unsayable(text):
    raise TermError(text, "half of a letter \ud83d")


PLANTED = {
    "another error": (lambda text: text[99], "IndexError: string index out of range"),
    "code": (lambda text: eval("1 + 1"), "did more than compute: exec"),  # noqa: S307
    "a file": (lambda text: open(__file__).close(), "did more than compute: open"),
    "time": (_busy, "took over 50 ms"),
    "memory": (lambda text: np.ones(8_000_000).sum(), "took over 50 MB"),
    "no reason": (_silent, "refused without a reason"),
    "no words": (_unsayable, "refused in words that cannot be stored or shown"),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_fault_is_told(planted):
    reader, said = PLANTED[planted]
    assert said in weighed(planted, "x0", {planted: reader}).faults


@pytest.mark.parametrize("name", READERS)
def test_the_readers_keep_the_promise(name):
    found = [tried(name, text) for text in hostile(300, seed=7)]
    hurried = [one for one in found if one.ms < 1000.0]  # the bound of 50 ms is for a machine that does nothing else
    assert [one for one in hurried if set(one.faults) - {"took over 50 ms"}] == []
    assert hurried == found
    assert {one.refused for one in found} == {True, False}


def test_bytes_are_a_reader_and_a_text_and_back():
    assert decoded(b"") == ("term", "")
    for name in READERS:
        assert decoded(encoded(name, "λ*\udcff")) == (name, "λ*\udcff")


def test_what_broke_a_promise_is_written_with_its_input(tmp_path):
    fuzz.written([{"reader": "term", "text": "\udcff", "faults": ["took over 50 ms"]}], tmp_path / "found")
    (path,) = (tmp_path / "found").iterdir()
    assert json.loads(path.read_text(encoding="utf-8"))["text"] == "\udcff"


def test_without_the_fuzzer_the_command_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="pip install"):
        fuzz.measure(1.0, 0, tmp_path)
