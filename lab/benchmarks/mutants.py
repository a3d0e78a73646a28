"""How many small faults in the code its tests notice: `python -m lab mutants`.

Places in dolq_core/terms, fitting and loop are drawn at random (`--seed`); one operator of cosmic-ray, drawn at random
among those that fit the place, makes the fault: another arithmetic operator, comparison or number, a condition turned
round, a loop that never runs, another kind of exception. Left out: `|` (mostly types), `is` for `==`, and decorators.
Each mutant runs in a process of its own against the tests that ran its line, one case of each and then the others,
quickest first, as many as take `--seconds` of the processor without the fault. It is killed when one of them fails or
they take ten times as long. Tests that drive a page, a process or a server are not among them, so that the share is a
lower bound of what the whole suite kills. `--minutes`: how long it goes on; as the places come in
random order, those that it came to are a sample, too. The interval is Wilson's, 95 %.
"""

import ast
import importlib.util
import json
import os
import resource
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from itertools import islice
from pathlib import Path
from types import ModuleType

import coverage
import hypothesis
import numpy as np
import pandas
import pytest
import scipy.integrate
import scipy.optimize
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row

FOLDERS = ("terms", "fitting", "loop")
TESTS = (
    "tests/terms", "tests/loop", "tests/fitting", "tests/test_fitting.py", "tests/test_evidence.py",
    "tests/test_limits.py", "tests/test_weights.py", "tests/test_correlation.py",
    "tests/test_bad_input.py", "tests/test_given_rates.py", "tests/test_held_out.py", "tests/test_columns.py",
    "tests/test_identify.py", "tests/test_likelihood.py", "tests/test_band.py", "tests/test_all_rows.py",
    "tests/lab/test_methods.py",
)  # fmt: skip
ARITHMETIC = ("Add", "Sub", "Mul", "Div")
SHARED = (pandas, scipy.integrate, scipy.optimize, hypothesis)
"""What every test needs and no fault is in: imported once, before the processes part."""
SLOWER = 10
UNHURT_S = 3600.0
PLUS_S = 20.0
"""Of the processor, for imports and for what a fault makes slow without making it wrong."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: the occurrence of an operator in a file of the core."""

    file: Path
    line: int
    operator: str
    occurrence: int

    def code(self) -> str:
        """Return the file with the fault."""
        return mutate_code(self.file.read_text(encoding="utf-8"), get_operator(self.operator)(), self.occurrence) or ""

    def change(self, code: str) -> tuple[str, str]:
        """Return the first line that differs, before and after."""
        pairs = zip(self.file.read_text(encoding="utf-8").splitlines(), code.splitlines(), strict=False)
        return next(((a.strip(), b.strip()) for a, b in pairs if a != b), ("", ""))


def measure(mutants: int, seed: int, seconds: int, minutes: int) -> Iterator[Row]:
    """Draw so many, and say of each what became of it; no more are begun after so many minutes of faults."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
        known = Path(folder) / "known.json"
        if _apart(partial(_cover, known), UNHURT_S) != 0:
            raise SystemExit("The tests fail without any fault.")
        seen, took = json.loads(known.read_text(encoding="utf-8"))
        asked = [(one, chosen(_tests_of(seen[str(one.file)], one.line), took, seconds)) for one in drawn(mutants, seed)]
        every = sorted({test for _, tests in asked for test in tests})
        if _apart(partial(_pytest, "--collect-only", *every), UNHURT_S) != 0:
            raise SystemExit("The chosen tests cannot be called by their names.")
        end = time.monotonic() + 60 * minutes
        for mutant, tests in asked:
            if time.monotonic() > end:
                return
            code = mutant.code()
            before, after = mutant.change(code)
            limit = SLOWER * sum(took[test] for test in tests) + PLUS_S
            ended = _apart(partial(_fails, mutant.file, code, tests), limit) if tests else 0
            place = f"{mutant.file.relative_to(report.ROOT / 'dolq_core')}:{mutant.line}"
            yield {"place": place, "before": before, "after": after, "tests": len(tests), "fate": _fate(ended)}


def _tests_of(seen: Mapping[str, list[str]], line: int) -> list[str]:
    """Return what ran the statement that the line is part of."""
    begun = [int(known) for known in seen if int(known) <= line]
    return seen[str(max(begun))] if begun else []


def _fate(ended: int) -> str:
    return "survived" if ended == 0 else "killed" if ended > 0 else "too slow"


def drawn(count: int, seed: int) -> list[Mutant]:
    """Return mutants of places that are drawn without putting back."""
    places: dict[tuple[Path, object], list[Mutant]] = defaultdict(list)
    names = [name for name in operator_names() if _is_asked(name.removeprefix("core/"))]
    for file in (file for folder in FOLDERS for file in sorted((report.ROOT / "dolq_core" / folder).rglob("*.py"))):
        nodes = list(ast_nodes(get_ast(file.read_text(encoding="utf-8"))))
        for name in names:
            operator = get_operator(name)()
            found = (place for node in nodes for place in operator.mutation_positions(node))
            for number, place in enumerate(found):
                places[file, place].append(Mutant(file, place[0][0], name, number))
    rng = np.random.default_rng(seed)
    kinds = list(places.values())
    order = (kinds[k][int(rng.integers(len(kinds[k])))] for k in rng.permutation(len(kinds)))
    return list(islice(filter(_is_python, order), count))


def _is_python(mutant: Mutant) -> bool:
    """Whether what the operator made can be run: it takes the stars of `{**a}` for a power."""
    try:
        ast.parse(mutant.code())
    except SyntaxError:
        return False
    return True


def _is_asked(name: str) -> bool:
    kind, *pair = name.split("_")
    if kind == "ReplaceBinaryOperator":
        return pair[0] in {*ARITHMETIC, "Pow", "Mod", "FloorDiv"} and pair[1] in ARITHMETIC
    if kind == "ReplaceComparisonOperator":
        return pair[1] not in {"Is", "IsNot"} if pair[0] not in {"Is", "IsNot"} else pair[1] in {"Is", "IsNot"}
    return kind not in {"RemoveDecorator", "VariableInserter", "VariableReplacer"}


def chosen(tests: Sequence[str], took: Mapping[str, float], seconds: float) -> list[str]:
    """Return tests, quickest first and one case of each before the others, that take so long at most; one at least."""
    quick = sorted(tests, key=lambda test: took[test])
    first = {test.split("[")[0]: test for test in reversed(quick)}
    quick.sort(key=lambda test: first[test.split("[")[0]] != test)  # stable: both parts stay in order
    taken: list[str] = []
    for test in quick:
        if took[test] <= seconds or not taken:
            taken.append(test)
            seconds -= took[test]
    return taken


def _apart(work: Callable[[], int], seconds: float) -> int:
    """Return the exit status of a process that does this, negative when it took more of the processor."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
        try:
            os._exit(work())
        finally:
            os._exit(os.EX_SOFTWARE)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _pytest(*arguments: str, plugins: Sequence[object] = ()) -> int:
    quick = hypothesis.settings(deadline=None, derandomize=True, database=None, max_examples=50)
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)  # a fault that is found is not made smaller
    hypothesis.settings.register_profile("mutants", quick, phases=phases)
    fixed = ["-q", "-p", "no:cacheprovider", "--hypothesis-profile=mutants", "-W", "ignore:Module already imported"]
    os.chdir(report.ROOT)
    return int(pytest.main([*fixed, *arguments], plugins=list(plugins)))


class Recorder:
    """Says to coverage which test runs, and how much of the processor each takes."""

    def __init__(self, tracer: coverage.Coverage) -> None:
        self.tracer = tracer
        self.took: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Around the set-up, the call and the tear-down of a test."""
        self.tracer.switch_context(item.nodeid)
        began = time.process_time()
        done = yield
        self.took[item.nodeid] = round(time.process_time() - began, 3)
        return done


def _cover(to: Path) -> int:
    """Run the tests as they are, and write which of them ran each line, and how long each took."""
    tracer = coverage.Coverage(source=[str(report.ROOT / "dolq_core" / folder) for folder in FOLDERS], data_file=None)
    recorder = Recorder(tracer)
    tracer.start()
    failed = _pytest(*TESTS, plugins=[recorder])
    tracer.stop()
    data, seen = tracer.get_data(), defaultdict[str, dict[int, list[str]]](dict)
    for file in data.measured_files():
        lines = data.contexts_by_lineno(file)
        any_test = sorted({test for tests in lines.values() for test in tests if test})
        for line, tests in lines.items():  # what runs once, at import, concerns all tests of the file
            seen[file][line] = [test for test in tests if test] or any_test
    for file in report.ROOT.joinpath("dolq_core").rglob("*.py"):
        seen.setdefault(str(file), {})
    to.write_text(json.dumps([seen, recorder.took]), encoding="utf-8")
    return failed


def _fails(file: Path, code: str, tests: Sequence[str]) -> int:
    """Run the tests with other code in this file; 0 when they all pass."""
    parts = file.relative_to(report.ROOT).with_suffix("").parts
    sys.meta_path.insert(0, Swapped(".".join(parts).removesuffix(".__init__"), file, code))
    return _pytest("-x", *tests)


class Swapped(MetaPathFinder, SourceFileLoader):
    """Finds one module, with other code than its file has."""

    def __init__(self, name: str, path: Path, code: str) -> None:
        super().__init__(name, str(path))
        self.source = code

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return where the module is, when it is that one."""
        if name != self.name:
            return None
        inside = [str(Path(self.path).parent)] if self.path.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(name, self.path, loader=self, submodule_search_locations=inside)

    def get_code(self, fullname: str) -> object:
        """Compile the other code, and leave no trace of it on disk."""
        return compile(self.source, self.path, "exec")


def page(rows: Sequence[Row]) -> list[str]:
    """Return shares by folder, and the survivors."""
    lines: list[tuple[object, ...]] = []
    for folder in (*FOLDERS, ""):
        fates = [row["fate"] for row in rows if row["place"].startswith(folder)]
        if fates:
            dead = sum(fate != "survived" for fate in fates)
            low, high = report.wilson(dead, len(fates))
            share = f"{dead / len(fates):.0%} ({low:.0%} to {high:.0%})"
            lines.append((folder or "all", len(fates), dead, fates.count("too slow"), share))
    alive = [row for row in rows if row["fate"] == "survived"]
    table = [(row["place"], _cell(row["before"]), _cell(row["after"]), row["tests"]) for row in alive]
    return [
        report.table(("folder", "mutants", "killed", "of them too slow", "share killed (interval)"), lines),
        "## What survived",
        report.table(("place", "code", "fault", "tests that ran"), table),
    ]


def _cell(code: str) -> str:
    return f"`{code}`".replace("|", "\\|")


OPTIONS = {"mutants": 300, "seed": 0, "seconds": 5, "minutes": 20}
BENCHMARK = Benchmark("mutants", "Faults that the tests notice", __doc__, measure, page, OPTIONS)
