"""Write `dysts.toml` anew from the package `dysts`: `python -m lab.benchmarks.published.from_dysts`.

It needs sympy and `pip install --no-deps dysts gluonts toolz` (gluonts asks for a pandas older than this program's, and
none of it is used here). The systems are those of the benchmark of Kaptanoglu et al. (2023); their equations with
numbers, as sums of monomials, come from the package's own right-hand sides. Five starts lie four periods apart on one
trajectory from the package's initial state.
"""

from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

SYSTEMS = """
Aizawa Bouali2 BurkeShaw Chen ChenLee Dadras DequanLi Finance GenesioTesi GuckenheimerHolmes Hadley Halvorsen
HenonHeiles HyperBao HyperCai HyperJha HyperLorenz HyperLu HyperPang HyperQi HyperRossler HyperWang HyperXu HyperYan
HyperYangChen KawczynskiStrizhak Laser Lorenz LorenzBounded LorenzStenflo LuChen LuChenCheng MooreSpiegel NewtonLiepnik
NoseHoover NuclearQuadrupole PehlivanWei Qi QiChen RabinovichFabrikant RayleighBenard RikitakeDynamo Rossler Rucklidge
Sakarya ShimizuMorioka SprottA SprottB SprottC SprottD SprottE SprottF SprottG SprottH SprottI SprottJ SprottJerk
SprottK SprottL SprottM SprottN SprottO SprottP SprottQ SprottR SprottS SprottTorus VallisElNino WangSun ZhouChen
""".split()
RUNS, APART = 5, 4.0
PERIODS = 9.99  # 1,000 samples, 100 a period
HEAD = """# The 70 polynomial systems of low-dimensional chaos of Kaptanoglu et al. (2023), from the package dysts {}
# (W. Gilpin, Apache-2.0), as `python -m lab.benchmarks.published.from_dysts` writes them.

title = "Low-dimensional chaos (dysts)"
"""


def system(sympy: Any, flows: Any, name: str) -> str:
    """Return a system as text of a suite."""
    flow = getattr(flows, name)()
    states = sympy.symbols(flow._rhs.__code__.co_varnames[: len(np.atleast_2d(flow.ic)[0])])
    rates = flow._rhs(*states, sympy.Symbol("t"), **{key: sympy.Float(value) for key, value in flow.params.items()})
    texts = [_text(sympy, rate, states) for rate in rates]
    places = [APART * float(flow.period) * (k + 1) for k in range(RUNS)]
    begin = np.atleast_2d(flow.ic)[0]
    path = solve_ivp(
        lambda t, x: flow.rhs(x, t), (0.0, places[-1]), begin, "DOP853", t_eval=places, rtol=1e-10, atol=1e-10
    )
    starts = [[float(f"{value:.6g}") for value in row] for row in path.y.T]
    names = [f"{state}" for state in states]
    lines = [f'id = "{name}"', f"states = {_strings(names)}", f"equations = {_strings(texts)}", f"initial = {starts}"]
    return "\n".join(["\n[[systems]]", *lines, f"t = [0.0, {PERIODS * float(flow.period):.8g}]"])


def _text(sympy: Any, rate: Any, states: Any) -> str:
    terms: list[str] = []
    for powers, number in sympy.Poly(sympy.expand(rate), *states).terms():
        factors = [f"{x}**{p}" if p > 1 else f"{x}" for x, p in zip(states, powers, strict=True) if p]
        size = abs(float(number))
        terms.append(("- " if number < 0 else "+ ") + "*".join([f"{size!r}"] * (size != 1.0 or not factors) + factors))
    return " ".join(terms).removeprefix("+ ").replace("- ", "-", terms[0].startswith("- "))


def _strings(texts: list[str]) -> str:
    return "[" + ", ".join(f'"{text}"' for text in texts) + "]"


def main() -> None:
    """Write the file."""
    sympy, flows = import_module("sympy"), import_module("dysts.flows")
    path = Path(__file__).with_name("dysts.toml")
    text = HEAD.format(version("dysts")) + "\n".join(system(sympy, flows, name) for name in SYSTEMS) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")
    print(f"Written to {path}: {len(SYSTEMS)} systems")


if __name__ == "__main__":
    main()
