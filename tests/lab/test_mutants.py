"""Faults are drawn by chance, put into one module of one process, and told from what the tests let through."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from scipy.stats import norm

from lab.benchmarks import mutants, report

ROOT = Path(__file__).resolve().parents[2]
TRIED = """
from functools import partial
from lab.benchmarks.mutants import _apart, _fails
from lab.benchmarks.report import ROOT
file, tests = ROOT / "dolq_core" / "loop" / "evaluate.py", ["tests/loop/test_evaluate.py"]
code = file.read_text(encoding="utf-8")
for text in (code, code.replace("r.grade == ", "r.grade != ")):
    print(_apart(partial(_fails, file, text, tests), 300))
print(_apart(lambda: [None for _ in iter(int, 1)], 1))
"""


def test_a_fault_is_one_change_that_can_be_read_and_a_seed_draws_the_same_ones(monkeypatch):
    monkeypatch.setattr(mutants, "FOLDERS", ("loop",))
    drawn = mutants.drawn(12, 3)
    assert drawn == mutants.drawn(12, 3)
    assert len({(one.file, one.line, one.occurrence) for one in drawn}) == 12
    for one in drawn:
        code = one.code()
        before, after = one.change(code)
        assert before != after
        assert ast.parse(code)


def test_a_fault_is_seen_by_the_tests_of_its_process_alone_and_one_that_never_ends_is_ended():
    said = subprocess.run([sys.executable, "-c", TRIED], cwd=ROOT, capture_output=True, text=True, check=True)
    unhurt, faulty, endless = map(int, said.stdout.split())
    assert unhurt == 0 < faulty
    assert endless < 0


def test_quick_tests_come_first_and_one_case_of_each_as_long_as_there_is_time():
    took = {"a::slow": 9.0, "a::x[1]": 0.5, "a::x[2]": 0.1, "b::y": 0.2}
    assert mutants.chosen(list(took), took, 5) == ["a::x[2]", "b::y", "a::x[1]"]
    assert mutants.chosen(["a::slow"], took, 5) == ["a::slow"]
    assert mutants.chosen([], took, 5) == []


def test_a_statement_of_several_lines_has_the_tests_of_its_first_one():
    seen = {"3": ["a"], "7": ["b"]}
    assert [mutants._tests_of(seen, line) for line in (2, 3, 6, 9)] == [[], ["a"], ["a"], ["b"]]


def test_the_interval_is_that_of_wilson():
    assert report.wilson(8, 10) == pytest.approx((0.490, 0.943), abs=1e-3)
    low, high = report.wilson(0, 5)
    z = norm.ppf(0.975)
    assert (low, high) == pytest.approx((0.0, z**2 / (5 + z**2)), abs=1e-12)
