"""The law as SymPy: symbols, right-hand sides and equations to go on with by algebra."""

from dolq_core.export.expressions import equations, program_parts
from dolq_core.export.law import Law
from dolq_core.export.templates import render
from dolq_core.terms import Syntax

_FUNCTIONS = ("sin", "cos", "tan", "exp", "log", "sqrt", "sign", "sinh", "cosh", "tanh", "asin", "acos", "atan", "erf")
SYNTAX = Syntax(functions={name: f"sp.{name}" for name in _FUNCTIONS} | {"abs": "sp.Abs"})
RESERVED = frozenset({"sp", "states", "inputs", "rates", "functions", "equations"})


def sympy(law: Law) -> str:
    """Return a script that builds `states`, `inputs`, `rates` and `equations`."""
    parts = program_parts(law, RESERVED, "#", repr)
    return render("sympy.py.j2", **parts, equations=equations(law, RESERVED, SYNTAX, "#"))
