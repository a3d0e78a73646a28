"""The law as PySR takes it: expressions to begin a search with, and the operators that they use."""

from dolq_core.export.expressions import added, program_parts, uses_time
from dolq_core.export.law import Law
from dolq_core.export.python import quoted
from dolq_core.export.templates import render
from dolq_core.terms import FUNCTIONS, Syntax

_SYNTAX = Syntax("^")


def pysr(law: Law) -> str:
    """Return a script with `regressor()`, a `PySRRegressor` whose search begins with the law."""
    columns = [*law.variables, *([law.dataset.time] if uses_time(law) else [])]
    symbols = {column.symbol: f"x{k}" for k, column in enumerate(columns)}
    guesses = [" ".join(added(fit, symbols, _SYNTAX)) or "0.0" for fit in law.fits]
    parts = program_parts(law, (), "#", quoted)
    unary = [name for name in (*FUNCTIONS, "sqrt") if name in parts["used"]]
    called = [quoted(column.name) for column in columns]
    return render("pysr.py.j2", **parts, guesses=guesses, unary=unary, columns=called)
