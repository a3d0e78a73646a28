"""The law as a Jupyter notebook: data, equations, simulation, errors, the coefficients fitted again, and figures.

The notebook format 4.5 is JSON; it is written here without the libraries of Jupyter, which only a reader needs.
"""

import json
import re
from typing import Any

from dolq_core.arrays import Floats
from dolq_core.export.comments import about, one_line
from dolq_core.export.expressions import identifiers, uses_time
from dolq_core.export.latex import system
from dolq_core.export.law import Law, LawRun, told
from dolq_core.export.python import RESERVED, SYNTAX, quoted
from dolq_core.terms import to_code, to_text

_IMPORTS = """\
import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares"""

_SIMULATE = '''\
def input_values(run, t):
    """The inputs at time t: straight lines between the samples, the last value beyond them."""
    return [np.interp(t, run["t"], values) for values in run["inputs"].T]


def simulate(run, times, p=REPORTED, start=None):
    """The states (n, d) of a run at times (n,), NaN from where the law cannot be followed."""

    def slope(t, state):
        found = np.array(rates(t, state, input_values(run, t), p))
        if not (np.all(np.isfinite(found)) and np.all(np.abs(state) < 1e3 * LARGEST)):
            raise ArithmeticError
        return found

    start = run["start"] if start is None else start
    try:
        done = solve_ivp(
            slope, (run["t"][0], times[-1]), start, method="LSODA", t_eval=times, rtol=1e-9, atol=1e-12 * LARGEST
        )
    except ArithmeticError:
        return np.full((len(times), len(STATES)), np.nan)
    return done.y.T if done.success else np.full((len(times), len(STATES)), np.nan)'''

_ERRORS = """\
model = [simulate(run, run["t"]) for run in RUNS]
data, simulated = np.concatenate([run["x"] for run in RUNS]), np.concatenate(model)
nmse = np.nanmean((simulated - data) ** 2, axis=0) / np.nanvar(data, axis=0)
for state, value in zip(STATES, nmse):
    print(f"{state}: mean squared error of the simulation over the variance of the data, {value:.3g}")"""

_FIGURE = '''\
def axis(k):
    """A title that is shown as it stands: a dollar in a name begins no formula."""
    return STATES[k].replace("$", r"\\$")


figure, axes = plt.subplots(len(STATES), 1, sharex=True, squeeze=False, figsize=(7, 2.4 * len(STATES)))
for k, ax in enumerate(axes[:, 0]):
    for number, run in enumerate(RUNS):
        fine = np.linspace(run["t"][0], run["t"][-1], 400)
        ax.plot(run["t"], run["x"][:, k], "o", mfc="none", ms=3.5, color=f"C{number % 10}")
        ax.plot(fine, simulate(run, fine)[:, k], color=f"C{number % 10}")
    ax.set_ylabel(axis(k))
axes[-1, 0].set_xlabel(TIME.replace("$", r"\\$"))
axes[0, 0].set_title("Circles: data. Lines: the law, from its own start.")
figure.tight_layout()'''

_FIT = '''\
FITTED = [run for run in RUNS if not run["held out"]]
SPREAD = np.nanstd(np.concatenate([run["x"] for run in FITTED]), axis=0)
SPREAD[SPREAD == 0.0] = 1.0


def unknowns(values):
    """Coefficients, and one start per run."""
    p, starts = values[: len(REPORTED)], values[len(REPORTED) :]
    return p * SIZES, starts.reshape(len(FITTED), -1) * SPREAD


def misfit(values):
    """Simulation less data in spreads of each state, all runs below each other, without the gaps."""
    p, starts = unknowns(values)
    left = []
    for run, start in zip(FITTED, starts):
        some = slice(None, None, -(-len(run["t"]) // 500))
        found = (simulate(run, run["t"][some], p, start) - run["x"][some]) / SPREAD
        left.append(np.nan_to_num(found[np.isfinite(run["x"][some])], nan=1e2))
    return np.concatenate(left)


SIZES = np.where(REPORTED != 0.0, np.abs(REPORTED), 1.0)
first = np.concatenate([REPORTED / SIZES, *(run["start"] / SPREAD for run in FITTED)])
fit = least_squares(misfit, first, diff_step=1e-4, xtol=1e-8, ftol=1e-8, max_nfev=20)
again, _ = unknowns(fit.x)
variance = 2.0 * fit.cost / max(len(fit.fun) - len(fit.x), 1)
errors = np.sqrt(np.diag(variance * np.linalg.pinv(fit.jac.T @ fit.jac)))[: len(REPORTED)] * SIZES
for name, reported, new, error in zip(NAMES, REPORTED, again, errors):
    print(f"{name}: reported {reported:.6g}, fitted again {new:.6g} +- {error:.2g}")'''

_COUNTED = """
# Samples count as their weights say: `counts` multiplies a residual, and is nan where a sample does not count.
for run in RUNS:
    run["counted"] = np.where(np.isfinite(run["counts"]), run["x"], nan)"""

_RESIDUALS = """\
figure, axes = plt.subplots(len(STATES), 2, squeeze=False, figsize=(9, 2.4 * len(STATES)))
for k, (along, count) in enumerate(axes):
    for run, found in zip(RUNS, model):
        along.plot(run["t"], run["x"][:, k] - found[:, k], ".", ms=4)
    along.axhline(0.0, lw=0.8, color="0.5")
    along.set_ylabel(axis(k))
    left = (data - simulated)[:, k]
    count.hist(left[np.isfinite(left)], bins=20)
axes[0, 0].set_title("Data less simulation, in time")
axes[0, 1].set_title("and how often")
figure.tight_layout()"""


def notebook(law: Law) -> str:
    """Return the notebook as JSON; it runs from top to bottom with NumPy, SciPy and Matplotlib."""
    cells = [
        _words(f"# {escaped(one_line(law.title))}\n\n{_said(law)}\n\n$$\n{system(law.fits, law.names, 3)}\n$$"),
        _code(_IMPORTS),
        _words("## The data\n\nEvery run as it was measured, and the state from which the law follows it."),
        _code("\n".join(_data(law)) + (_COUNTED if _weighed(law) else "")),
        _words("## The law\n\n`p` has every fitted number, the reported ones in full precision."),
        _code("\n".join(_rates(law))),
        _code(_SIMULATE),
        _words("## Does it fit?"),
        _code(_weighing(law, _ERRORS)),
        _code(_FIGURE),
        _words(
            "## The coefficients, fitted again\n\nLeast squares on the simulated trajectories of the runs that no one "
            "held out, from the reported numbers, the starts free. DoLQ itself fits clean and dense data in the weak "
            "form (integrals of the equation), so the last digits may differ."
        ),
        _code(_weighing(law, _FIT)),
        _words("## What is left over\n\nNoise when the law is right; a pattern when a term is missing."),
        _code(_RESIDUALS),
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    document = {
        "cells": [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells, 1)],
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1, ensure_ascii=True) + "\n"


def _weighed(law: Law) -> bool:
    return any(run.counts is not None for run in law.runs)


def _weighing(law: Law, code: str) -> str:
    """Return the code of a cell with the weights of the samples in it, where they have some."""
    if not _weighed(law):
        return code
    return code.replace('run["x"]', 'run["counted"]').replace(") / SPREAD\n", ') / SPREAD * run["counts"][some]\n')


def escaped(text: str) -> str:
    """Return `text` so that Markdown shows it as it stands: no markup, no formula, no HTML."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def _said(law: Law) -> str:
    said = about(law, identifiers(law.names, RESERVED))
    paragraphs = "\n".join(said).split("\n\n")
    return "\n\n".join("  \n".join(escaped(line) for line in part.splitlines()) for part in paragraphs)


def _words(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(text: str) -> dict[str, Any]:
    source = text.splitlines(keepends=True)
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}


def _data(law: Law) -> list[str]:
    said = [
        f"TIME = {quoted(law.dataset.time.name)}",
        f"STATES = [{', '.join(quoted(column.name) for column in law.dataset.states)}]",
        f"LARGEST = np.array({list(law.largest)!r})  # the largest size of each state",
        "nan = np.nan",
        "RUNS = [",
    ]
    for run in told(law):
        said += _run(run)
    return [*said, "]"]


def _run(run: LawRun) -> list[str]:
    return [
        "    {",
        f'        "label": {quoted(run.label)},',
        f'        "held out": {run.is_apart},',
        f'        "start": np.array({list(run.start)!r}),',
        f'        "t": np.array({run.t.tolist()!r}),',
        '        "x": np.array([',
        *_rows(run.x),
        "        ]),",
        f'        "inputs": np.empty(({len(run.t)}, 0)),'
        if not run.inputs.shape[1]
        else '        "inputs": np.array([',
        *([*_rows(run.inputs), "        ]),"] if run.inputs.shape[1] else []),
        *([] if run.counts is None else ['        "counts": np.array([', *_rows(run.counts), "        ]),"]),
        "    },",
    ]


def _rows(values: Floats) -> list[str]:
    return [f"            {row!r}," for row in values.tolist()]


def _rates(law: Law) -> list[str]:
    symbols = identifiers(law.names, RESERVED | {"p"})
    names: list[str] = []
    values: list[float] = []
    sums: list[str] = []
    for fit, column in zip(law.fits, law.dataset.states, strict=True):
        sums.append(f"            # change of {one_line(column.name)}")
        parts: list[str] = []
        for term in fit.terms:
            place = len(values)
            text = to_code(term.skeleton, (), symbols, SYNTAX, lambda k, place=place: f"p[{place + 1 + k}]")
            parts.append(f"p[{place}]" if term.skeleton == "1" else f"p[{place}] * {text}")
            words = f"{to_text(term.skeleton, law.names)} in the change of {column.name}"
            names += [words, *(f"number {k} inside {words}" for k in range(1, len(term.inner) + 1))]
            values += [term.coefficient, *term.inner]
        sums.append(f"            {' + '.join(parts) or '0.0'},")
    states, inputs = law.dataset.states, law.dataset.inputs
    return [
        f"REPORTED = np.array({values!r})",
        "NAMES = [",
        *(f"    {quoted(one_line(name))}," for name in names),
        "]",
        "",
        "",
        "def rates(t, state, inputs, p=REPORTED):",
        '    """The time derivative of every state; NaN where the law has no real value."""',
        f"    [{', '.join(symbols[column.symbol] for column in states)}] = np.asarray(state, dtype=float)",
        *(
            [f"    [{', '.join(symbols[c.symbol] for c in inputs)}] = np.asarray(inputs, dtype=float)"]
            if inputs
            else []
        ),
        *(["    t = np.float64(t)"] if uses_time(law) else []),
        '    with np.errstate(all="ignore"):',
        "        return [",
        *sums,
        "        ]",
    ]
