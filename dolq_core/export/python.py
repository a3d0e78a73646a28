"""The law as Python: a function for a solver, and a program of its own that needs NumPy and SciPy alone."""

from dolq_core.arrays import Floats
from dolq_core.export.comments import about, comment, one_line, with_errors
from dolq_core.export.expressions import added, identifiers, uses_time
from dolq_core.export.law import Law, LawRun, carried
from dolq_core.terms import Syntax

SYNTAX = Syntax(
    functions={name: f"np.{name}" for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "abs", "sign")}
    | {name: f"np.{name}" for name in ("sinh", "cosh", "tanh")}
    | {name: f"np.arc{name[1:]}" for name in ("asin", "acos", "atan")},
    real_power="np.power",
)
"""NumPy's functions answer NaN where there is no real value, as the app does; Python's own raise or go complex."""
RESERVED = frozenset({"np", "state", "inputs"})

_HEAD = """\
# A system of ordinary differential equations, found in data and written by DoLQ.
# Run it:  python {file}  writes the simulated runs as a table. It needs NumPy and SciPy, nothing else.
#
{about}

import csv
import sys

import numpy as np
from scipy.integrate import solve_ivp
"""

_SIMULATE = '''

def input_values(run, t):
    """Return the inputs at time t: straight lines between the samples, the last value beyond them."""
    return [np.interp(t, run["t"], values) for values in run["inputs"]]


def simulate(run, times=None):
    """Return (times (n,), states (n, d)) of one of RUNS; raise ArithmeticError where the law cannot be followed.

    Without times: 401 even ones from the first to the last of the run.
    """
    first, last = run["span"]
    times = np.linspace(first, last, 401) if times is None else np.asarray(times, dtype=float)

    def slope(t, state):
        if not np.all(np.abs(state) < 1e3 * LARGEST):
            raise ArithmeticError(f"The simulation blew up near t = {t:.6g}.")
        found = rates(t, state, input_values(run, t))
        if not np.all(np.isfinite(found)):
            raise ArithmeticError(f"The law is not defined near t = {t:.6g}.")
        return found

    inside = np.concatenate(([first], times[times > first]))  # the start belongs to the first time of the run
    done = solve_ivp(
        slope, (first, inside[-1]), run["start"], method="LSODA", t_eval=inside, rtol=1e-10, atol=1e-13 * LARGEST
    )
    if not done.success:
        raise ArithmeticError(f"The solver stopped: {done.message}")
    return times, done.y.T[-len(times) :]


def main():
    """Write every run as a table: run, time, states."""
    table = csv.writer(sys.stdout, lineterminator="\\n")
    table.writerow(["run", TIME, *STATES])
    for run in RUNS:
        try:
            times, states = simulate(run)
        except ArithmeticError as why:
            print(f"Run {run['label']}: {why}", file=sys.stderr)
            continue
        table.writerows([run["label"], t, *row] for t, row in zip(times.tolist(), states.tolist()))


if __name__ == "__main__":
    main()
'''


def function(law: Law) -> str:
    """Return `rates(t, state, inputs)` with its import, to paste into a program."""
    return f"import numpy as np\n\n\n{_rates(law)}"


def program(law: Law, file: str = "law.py") -> str:
    """Return a program that simulates every run of the data from the start that the law has there."""
    head = _HEAD.format(file=file, about="\n".join(comment("#", about(law, identifiers(law.names, RESERVED)))))
    return head + "\n".join(["", "", _rates(law), "", *_data(law)]) + _SIMULATE


def _data(law: Law) -> list[str]:
    dataset = law.dataset
    said = [
        f"TIME = {quoted(dataset.time.name)}",
        f"STATES = [{', '.join(quoted(column.name) for column in dataset.states)}]",
        f"LARGEST = np.array({list(law.largest)!r})  # the largest size of each state in the data",
        "RUNS = [",
    ]
    for run in carried(law):
        said += ["    {", *_run(law, run), "    },"]
    return [*said, "]", ""]


def _run(law: Law, run: LawRun) -> list[str]:
    said = [
        f'        "label": {quoted(run.label)},',
        f'        "span": ({float(run.t[0])!r}, {float(run.t[-1])!r}),',
        f'        "start": {list(run.start)!r},',
    ]
    if not law.driven:
        constant = [[0.0] for _ in law.dataset.inputs]  # no term uses them
        return [*said, f'        "t": [{float(run.t[0])!r}],', f'        "inputs": {constant!r},']
    said.append(f'        "t": {_array(run.t)},')
    said.append('        "inputs": [')
    said += [f"            {_array(values)}," for values in run.inputs.T]
    return [*said, "        ],"]


def quoted(text: str) -> str:
    """Return a string of Python, between double quotes where it has none."""
    written = repr(text)
    return f'"{written[1:-1]}"' if written[0] == "'" and '"' not in text else written


def _array(values: Floats) -> str:
    return f"np.array([{', '.join(repr(v) if v == v else 'np.nan' for v in values.tolist())}])"


def _rates(law: Law) -> str:
    """Return the function alone."""
    symbols = identifiers(law.names, RESERVED)
    states = [symbols[column.symbol] for column in law.dataset.states]
    inputs = [symbols[column.symbol] for column in law.dataset.inputs]
    lines = ["def rates(t, state, inputs=()):", '    """Return the time derivative of every state."""']
    lines += [f"    {_unpacked(states)} = np.asarray(state, dtype=float)"]
    lines += [f"    {_unpacked(inputs)} = np.asarray(inputs, dtype=float)"] if inputs else []
    lines += ["    t = np.float64(t)"] if uses_time(law) else []
    lines += ['    with np.errstate(all="ignore"):  # where the law has no real value it is NaN', "        return ["]
    for j, column in enumerate(law.dataset.states):
        lines += [f"            # change of {one_line(column.name)}", *_sum(law, j, symbols)]
    return "\n".join([*lines, "        ]", ""])


def _sum(law: Law, equation: int, symbols: dict[str, str]) -> list[str]:
    said = added(law.fits[equation], symbols, SYNTAX)
    if not said:
        return ["            0.0,"]
    lines = with_errors(law, equation, [f"                {line}" for line in said], "#")
    return ["            (", *lines, "            ),"]


def _unpacked(names: list[str]) -> str:
    return f"({names[0]},)" if len(names) == 1 else ", ".join(names)
