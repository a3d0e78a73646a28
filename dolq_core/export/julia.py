"""The law as a Julia program in the form of DifferentialEquations.jl."""

from dolq_core.export.expressions import REAL, equations, followed, guards, program_parts
from dolq_core.export.law import Law
from dolq_core.export.templates import render
from dolq_core.terms import Syntax

SYNTAX = Syntax("^", REAL, "real_power")
RESERVED = frozenset(
    {"dstate", "state", "inputs", "real_power", "isa", "where", "outer", "abstract", "primitive", "ccall"}
    | {"im", "Inf", "NaN", "missing", "nothing", "run", "in", *REAL.values()}
)

_GUARDS = {
    "real_sqrt": "real_sqrt(x) = x < 0 ? NaN : sqrt(x)",
    "real_log": "real_log(x) = x < 0 ? NaN : log(x)",
    "real_asin": "real_asin(x) = abs(x) > 1 ? NaN : asin(x)",
    "real_acos": "real_acos(x) = abs(x) > 1 ? NaN : acos(x)",
    "real_power": "real_power(x, y) = x < 0 && !isinteger(y) ? NaN : float(x)^y",
}


def julia(law: Law, file: str = "law.jl") -> str:
    """Return a program that simulates every run of the data from the start that the law has there."""
    return render(
        "program.jl.j2",
        **program_parts(law, RESERVED, "#", quoted),
        file=file,
        guards=[_GUARDS[guard] for guard in sorted(guards(law) & set(_GUARDS))],
        equations=equations(law, RESERVED, SYNTAX, "#", trailing=True),  # a line that goes on must end with its sign
        runs=followed(law),
    )


def quoted(text: str) -> str:
    """Return a string of Julia: nothing in it is a command, an interpolation or the end of the string."""
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if char in '"\\$':
        return f"\\{char}"
    return char if char.isprintable() else f"\\U{0xFFFD if 0xD800 <= ord(char) < 0xE000 else ord(char):08x}"
