"""The law as one file for MATLAB and GNU Octave."""

from dolq_core.export.expressions import REAL, comment, equations, followed, guards, one_line, program_parts
from dolq_core.export.law import Law
from dolq_core.export.templates import render
from dolq_core.terms import Syntax

SYNTAX = Syntax("^", REAL, "real_power")
KEYWORDS = frozenset(
    """
    break case catch classdef continue else elseif end for function global if otherwise parfor persistent return spmd
    switch try while do until endif endfor endwhile endfunction endswitch end_try_catch end_unwind_protect
    unwind_protect unwind_protect_cleanup endclassdef endenumeration endevents endmethods endproperties enumeration
    events methods properties arguments endarguments endparfor import
    """.split()
)
RESERVED = KEYWORDS | frozenset({"dstate", "state", "inputs", "real_power", "i", "j", "Inf", "NaN", *REAL.values()})


_GUARDS = (
    ("real_sqrt", "x", "y = NaN; if x >= 0, y = sqrt(x); end"),
    ("real_log", "x", "y = NaN; if x >= 0, y = log(x); end"),
    ("real_asin", "x", "y = NaN; if abs(x) <= 1, y = asin(x); end"),
    ("real_acos", "x", "y = NaN; if abs(x) <= 1, y = acos(x); end"),
    ("real_power", "x, p", "y = NaN; if x >= 0 || p == fix(p), y = x^p; end"),
)


def matlab(law: Law, name: str = "law") -> str:
    """Return a function file whose result has every run of the data, followed from the start that the law has there.

    name: of the function, which must be that of the file.
    """
    used = guards(law)
    parts = program_parts(law, RESERVED, "%", quoted)
    said = [
        f"found = {name}()  follows every run of the data: found(k).label, .t (n by 1) and .x (n by states).",
        f"found = {name}(points)  with so many even times; 401 otherwise.",
        "A system of ordinary differential equations, fitted to data and written by DoLQ; for MATLAB and GNU Octave.",
        "",
        f"Columns of x: {', '.join(one_line(column.name) for column in law.dataset.states)}",
        "",
    ]
    return render(
        "program.m.j2",
        **{**parts, "about": [*comment("%", said), *parts["about"]]},
        name=name,
        guards=[guard for guard in _GUARDS if guard[0] in used],
        equations=equations(law, RESERVED, SYNTAX, "%", trailing=True, ends=(" ...", ";")),
        runs=followed(law),
    )


def quoted(text: str) -> str:
    """Return a character vector: nothing in it ends it."""
    return "'" + one_line(text).replace("'", "''") + "'"
