"""The law as SymPy: symbols, right-hand sides and equations to go on with by algebra."""

from dolq_core.export.comments import about, comment, one_line, with_errors
from dolq_core.export.expressions import added, identifiers
from dolq_core.export.law import Law
from dolq_core.terms import Syntax

_FUNCTIONS = ("sin", "cos", "tan", "exp", "log", "sqrt", "sign", "sinh", "cosh", "tanh", "asin", "acos", "atan")
SYNTAX = Syntax(functions={name: f"sp.{name}" for name in _FUNCTIONS} | {"abs": "sp.Abs"})
RESERVED = frozenset({"sp", "states", "inputs", "rates", "functions", "equations"})

_TAIL = """
rates = [sp.sympify(rate) for rate in rates]

# The same as equations in functions of time, for sp.dsolve; sp.Matrix(rates).jacobian(states) takes the rates.
functions = {symbol: sp.Function(symbol.name)(t) for symbol in (*states, *inputs)}
equations = [sp.Eq(functions[state].diff(t), rate.subs(functions)) for state, rate in zip(states, rates)]

if __name__ == "__main__":
    for state, rate in zip(states, rates):
        print(f"d {state} / d t = {rate}")
"""


def sympy(law: Law) -> str:
    """Return a script that builds `states`, `inputs`, `rates` and `equations`."""
    symbols = identifiers(law.names, RESERVED)
    head = [
        "# A system of ordinary differential equations, found in data and written by DoLQ.",
        "# It needs SymPy: from this file import states, inputs, t and rates, or run it to print the equations.",
        "#",
        *comment("#", about(law, symbols)),
        "",
        "import sympy as sp",
        "",
        't = sp.Symbol("t", real=True)',
        *(f'{symbols[v.symbol]} = sp.Symbol("{symbols[v.symbol]}", real=True)' for v in law.variables),
        f"states = [{', '.join(symbols[v.symbol] for v in law.dataset.states)}]",
        f"inputs = [{', '.join(symbols[v.symbol] for v in law.dataset.inputs)}]",
        "",
        "rates = [",
    ]
    for j, column in enumerate(law.dataset.states):
        head += [f"    # change of {one_line(column.name)}", *_sum(law, j, symbols)]
    return "\n".join([*head, "]"]) + "\n" + _TAIL


def _sum(law: Law, equation: int, symbols: dict[str, str]) -> list[str]:
    said = added(law.fits[equation], symbols, SYNTAX)
    if not said:
        return ["    0.0,"]
    lines = with_errors(law, equation, [f"        {line}" for line in said], "#")
    return ["    (", *lines, "    ),"]
