"""The law as one file for MATLAB and GNU Octave."""

from dolq_core.arrays import Floats
from dolq_core.export.comments import about, comment, one_line, with_errors
from dolq_core.export.expressions import identifiers, trailing, used_functions
from dolq_core.export.law import Law, LawRun, carried
from dolq_core.terms import Syntax

REAL = {"sqrt": "real_sqrt", "log": "real_log", "asin": "real_asin", "acos": "real_acos"}
"""MATLAB's own functions go complex outside their domain, without a word; the app answers NaN."""
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

_GUARDS = {
    "real_sqrt": "y = NaN; if x >= 0, y = sqrt(x); end",
    "real_log": "y = NaN; if x >= 0, y = log(x); end",
    "real_asin": "y = NaN; if abs(x) <= 1, y = asin(x); end",
    "real_acos": "y = NaN; if abs(x) <= 1, y = acos(x); end",
}

_MAIN = """\
function found = {name}(points)
{about}
  if nargin < 1
    points = 401;
  end
  largest = [{largest}];  % the largest size of each state in the data
  runs = the_runs();
  found = struct('label', {{}}, 't', {{}}, 'x', {{}});
  for k = 1:numel(runs)
    run = runs{{k}};
    times = linspace(run.span(1), run.span(2), points);
    options = odeset('RelTol', 1e-9, 'AbsTol', 1e-11 * largest);
    slope = @(t, state) rates(t, state, input_values(run, t));
    [t, x] = ode45(slope, times, run.start, options);  % a stiff system: take ode15s
    if size(x, 1) < points || ~all(isfinite(x(:)))
      warning('The law cannot be followed through all of run %s.', run.label);
    end
    found(k).label = run.label;
    found(k).t = t;
    found(k).x = x;
  end
end
"""

_INPUTS = """\
function values = input_values(run, t)
% The inputs at time t: straight lines between the samples, the last value beyond them.
  n = numel(run.t);
  if n < 2 || t <= run.t(1)
    values = run.inputs(1, :);
  elseif t >= run.t(n)
    values = run.inputs(n, :);
  else
    k = find(run.t <= t, 1, 'last');
    part = (t - run.t(k)) / (run.t(k + 1) - run.t(k));
    values = run.inputs(k, :) + part * (run.inputs(k + 1, :) - run.inputs(k, :));
  end
end
"""


def matlab(law: Law, name: str = "law") -> str:
    """Return a function file whose result has every run of the data, followed from the start that the law has there.

    name: of the function, which must be that of the file.
    """
    symbols = identifiers(law.names, RESERVED)
    said = [
        f"found = {name}()  follows every run of the data: found(k).label, .t (n by 1) and .x (n by states).",
        f"found = {name}(points)  with so many even times; 401 otherwise.",
        "A system of ordinary differential equations, found in data and written by DoLQ; for MATLAB and GNU Octave.",
        "",
        f"Columns of x: {', '.join(one_line(column.name) for column in law.dataset.states)}",
        "",
        *about(law, symbols),
    ]
    largest = " ".join(repr(value) for value in law.largest)
    parts = [_MAIN.format(name=name, about="\n".join(comment("%", said)), largest=largest)]
    parts += [_rates(law, symbols), _INPUTS, *_guards(law), _runs(law)]
    return "\n".join(parts)


def _rates(law: Law, symbols: dict[str, str]) -> str:
    lines = ["function dstate = rates(t, state, inputs)", "% The time derivative of every state."]
    lines += [f"  {symbols[v.symbol]} = state({k});" for k, v in enumerate(law.dataset.states, 1)]
    lines += [f"  {symbols[v.symbol]} = inputs({k});" for k, v in enumerate(law.dataset.inputs, 1)]
    lines.append(f"  dstate = zeros({len(law.fits)}, 1);")
    for j, column in enumerate(law.dataset.states):
        lines += [f"  % change of {one_line(column.name)}", *_sum(law, j, symbols)]
    return "\n".join([*lines, "end", ""])


def _sum(law: Law, equation: int, symbols: dict[str, str]) -> list[str]:
    said = trailing(law.fits[equation], symbols, SYNTAX)
    left = f"  dstate({equation + 1}) ="
    if not said:
        return [f"{left} 0;"]
    ends = [" ..."] * (len(said) - 1) + [";"]
    lines = [f"    {line}{end}" for line, end in zip(said, ends, strict=True)]
    return [f"{left} ...", *with_errors(law, equation, lines, "%")]


def _guards(law: Law) -> list[str]:
    used = used_functions(law)
    found = [
        f"function y = {guard}(x)\n% NaN where there is no real value.\n  {body}\nend\n"
        for guard, body in _GUARDS.items()
        if guard in {REAL.get(name) for name in used}
    ]
    if "real_power" in used:
        body = "y = NaN; if x >= 0 || p == fix(p), y = x^p; end"
        found.append(f"function y = real_power(x, p)\n% NaN where there is no real value.\n  {body}\nend\n")
    return found


def _runs(law: Law) -> str:
    lines = ["function runs = the_runs()", "% Where the law starts in each run of the data.", "  runs = {};"]
    for run in carried(law):
        lines += _run(law, run)
    return "\n".join([*lines, "end", ""])


def _run(law: Law, run: LawRun) -> list[str]:
    times = run.t if law.driven else run.t[:1]
    inputs = run.inputs if law.driven else run.inputs[:1] * 0.0  # no term uses them
    rows = "; ...\n    ".join(_row(values) for values in inputs.T)
    return [
        "  run = struct();",
        f"  run.label = {quoted(run.label)};",
        f"  run.span = [{float(run.t[0])!r} {float(run.t[-1])!r}];",
        f"  run.start = [{' '.join(repr(v) for v in run.start)}];",
        f"  run.t = [{_row(times)}];",
        f"  run.inputs = [{rows}]';" if inputs.shape[1] else f"  run.inputs = zeros({len(times)}, 0);",
        "  runs{end + 1} = run;",
    ]


def _row(values: Floats) -> str:
    return " ".join(repr(v) if v == v else "NaN" for v in values.tolist())


def quoted(text: str) -> str:
    """Return a character vector: nothing in it ends it."""
    return "'" + one_line(text).replace("'", "''") + "'"
