"""Exported programs run by themselves and go where the app's own simulation goes."""

import csv
import io
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import tree_sitter_julia
import tree_sitter_matlab
from tree_sitter import Language, Parser

from dolq_core import runs
from dolq_core.errors import ExportError
from dolq_core.export.targets import LANGUAGES
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton
from dolq_core.terms.functions import FUNCTIONS
from dolq_core.views import system
from dolq_core.views.files import export, why_not_exported
from tests.export.laws import LAWS, by_hand, simulated
from tests.golden import is_golden
from tests.loop.states import logistic_problem
from tests.waiting import LONGEST_S

CLOSE = 1e-6


def scaled(found, expected):
    """The largest difference, in sizes of each state."""
    return float(np.max(np.abs(found - expected) / np.max(np.abs(expected), axis=0)))


@pytest.fixture(params=LAWS)
def run(request):
    return LAWS[request.param]()


def loaded(text: str) -> dict:
    space: dict = {"__name__": "exported"}
    exec(compile(text, "exported.py", "exec"), space)  # noqa: S102  what is tested is that this text is code
    return space


def text_of(run, target):
    return export(run, target).content.decode("utf-8")


def test_the_python_program_goes_where_the_app_goes(run):
    space = loaded(text_of(run, "python"))
    expected = simulated(run)
    assert len(space["RUNS"]) == len(expected)
    for own, (t, x) in zip(space["RUNS"], expected, strict=True):
        times, states = space["simulate"](own, t)
        assert np.array_equal(times, t)
        assert scaled(states, x) < CLOSE


def test_every_function_of_the_language_has_its_name_in_the_python_program_and_the_sympy_script():
    law = by_hand()
    terms = tuple(FittedTerm(Skeleton(f"{name}(E_)"), 1.0, None) for name in FUNCTIONS)
    every = replace(law, fits=(replace(law.fits[0], terms=terms), *law.fits[1:]))
    here, expected = 0.3, sum(function.number(0.3) for function in FUNCTIONS.values())
    python, sympy = (loaded(LANGUAGES[language].write(every, "every")) for language in ("python", "sympy"))
    assert python["rates"](0.0, [here, 1.0], [0.0])[0] == pytest.approx(expected, rel=1e-14)
    assert float(sympy["rates"][0].subs(sympy["states"][0], here)) == pytest.approx(expected, rel=1e-14)


def test_times_that_begin_later_are_reached_from_the_start_of_the_run():
    run = LAWS["growth"]()
    space, ((t, x),) = loaded(text_of(run, "python")), simulated(run)
    assert scaled(space["simulate"](space["RUNS"][0], t[7:])[1], x[7:]) < CLOSE


def test_a_law_that_leaves_the_reals_says_so_instead_of_going_complex():
    space = loaded(LANGUAGES["python"].write(by_hand(), "sure"))
    assert not np.isfinite(space["rates"](0.0, [1.0, -1.0], [0.0])[1])
    with pytest.raises(ArithmeticError, match="The law is not defined near t = "):
        space["simulate"](space["RUNS"][0])


def test_the_python_program_runs_alone_and_writes_a_table(tmp_path):
    run = LAWS["awkward"]()
    made = export(run, "python")
    (tmp_path / made.name).write_bytes(made.content)
    command = [sys.executable, "-I", made.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, timeout=LONGEST_S)
    header, *rows = csv.reader(io.StringIO(done.stdout.decode("utf-8")))
    assert header == ["run", "hour", "E", "temp (°C)", "lambda", "x0"]
    assert len(rows) == 2 * 401
    assert {row[0] for row in rows} == {'run "1"', "b'; $(x) \\"}


def test_the_sympy_script_has_the_right_hand_sides_of_the_law(run):
    space = loaded(text_of(run, "sympy"))
    law = system.law(run)
    rng = np.random.default_rng(0)
    python = loaded(text_of(run, "python"))["rates"]
    for _ in range(5):
        t, *values = rng.uniform(0.3, 2.0, 1 + len(law.variables))
        at = dict(zip((space["t"], *space["states"], *space["inputs"]), (t, *values), strict=True))
        states, inputs = values[: len(law.fits)], values[len(law.fits) :]
        exact = [float(rate.subs(at)) for rate in space["rates"]]
        assert exact == pytest.approx(python(t, states, inputs), rel=1e-12)
    assert len(space["equations"]) == len(law.fits)


def test_the_matlab_function_goes_where_the_app_goes_in_octave(run, octave, tmp_path):
    made = export(run, "matlab")
    (tmp_path / made.name).write_bytes(made.content)
    expected = simulated(run)
    call = f"f = {made.name.removesuffix('.m')}({len(expected[0][0])}); for k = 1:numel(f), "
    show = "printf('%s\\n', f(k).label); printf('%.17g ', [f(k).t f(k).x]'); printf('\\n'); end"
    command = [octave, "--norc", "--eval", call + show]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=LONGEST_S)
    lines = done.stdout.splitlines()
    assert lines[::2] == [own.label for own in system.law(run).runs]
    for line, (t, x) in zip(lines[1::2], expected, strict=True):
        found = np.array(line.split(), dtype=float).reshape(len(t), -1)
        assert found[:, 0] == pytest.approx(t, abs=1e-9)
        assert scaled(found[:, 1:], x) < CLOSE


KINDS = {
    "julia": {"line_comment", "using_statement", "string_literal", "function_definition", "const_statement"}
    | {"assignment", "if_statement"},
    "matlab": {"function_definition", "\n"},
}


@pytest.mark.parametrize(("language", "grammar"), [("julia", tree_sitter_julia), ("matlab", tree_sitter_matlab)])
def test_the_grammar_of_the_language_takes_the_file_and_finds_nothing_but_the_law_in_it(run, language, grammar):
    tree = Parser(Language(grammar.language())).parse(export(run, language).content)
    assert not tree.root_node.has_error
    assert {child.type for child in tree.root_node.children} <= KINDS[language]


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name not in ("notebook", "sbml")])
def test_the_text_is_the_golden_one(language):
    assert is_golden(f"export_{language}.txt", LANGUAGES[language].write(by_hand(), "sure"))


@pytest.mark.parametrize("language", [name for name, one in LANGUAGES.items() if one.simulates and name != "notebook"])
def test_inputs_that_no_program_can_carry_are_refused_with_a_way_out(language, monkeypatch):
    monkeypatch.setattr("dolq_core.export.law.MOST_INPUTS", 2)
    with pytest.raises(ExportError, match=r"3 samples of inputs, and 2 is the limit. Take the equations as text"):
        LANGUAGES[language].write(by_hand(), "sure")


def test_without_an_equation_for_every_state_there_is_nothing_to_write():
    store = runs.open_store()
    run = runs.load(store, runs.start(store, logistic_problem()))
    for target in ("julia", "report"):
        assert why_not_exported(run, target) == "There is no equation for every state yet."
        with pytest.raises(ExportError, match=r"There is no equation for every state yet\. Go on with it"):
            export(run, target)
    assert why_not_exported(run, "result") == ""


def test_a_target_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(ExportError, match="'cobol'.*Choose from report, bundle, latex, python"):
        export(LAWS["growth"](), "cobol")
