"""The law as PySR takes it: expressions to begin a search with, and the operators that they use."""

from dolq_core.export.expressions import program_parts
from dolq_core.export.law import Law
from dolq_core.export.python import quoted
from dolq_core.export.templates import render
from dolq_core.records import FittedTerm
from dolq_core.terms import FUNCTIONS, Syntax, to_code

_SYNTAX = Syntax("^")


def pysr(law: Law) -> str:
    """Return a script with `regressor()`, a `PySRRegressor` whose search begins with the law."""
    parts = program_parts(law, (), "#", quoted)
    columns = [*law.variables, *([law.dataset.time] if parts["uses_time"] else [])]
    symbols = {column.symbol: f"x{k}" for k, column in enumerate(columns)}
    guesses = [" + ".join(_written(term, symbols) for term in fit.terms) or "0.0" for fit in law.fits]
    unary = [name for name in (*FUNCTIONS, "sqrt") if name in parts["used"]]
    called = [quoted(column.name) for column in columns]
    return render("pysr.py.j2", **parts, guesses=guesses, unary=unary, columns=called)


def _written(term: FittedTerm, symbols: dict[str, str]) -> str:
    return f"({term.coefficient!r}) * {to_code(term.skeleton, term.inner, symbols, _SYNTAX)}"
