"""The law as a Julia program in the form of DifferentialEquations.jl."""

from dolq_core.arrays import Floats
from dolq_core.export.comments import about, comment, one_line, with_errors
from dolq_core.export.expressions import identifiers, trailing, used_functions
from dolq_core.export.law import Law, LawRun, carried
from dolq_core.terms import Syntax

REAL = {"sqrt": "real_sqrt", "log": "real_log", "asin": "real_asin", "acos": "real_acos"}
"""Julia's own functions raise outside their domain; the app answers NaN, and a solver then takes a smaller step."""
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

_SIMULATE = """\
"Return the inputs at time t: straight lines between the samples, the last value beyond them."
function input_values(run, t)
    times = run.t
    if t <= times[1] || length(times) == 1
        return [values[1] for values in run.inputs]
    elseif t >= times[end]
        return [values[end] for values in run.inputs]
    end
    k = searchsortedlast(times, t)
    part = (t - times[k]) / (times[k + 1] - times[k])
    return [values[k] + part * (values[k + 1] - values[k]) for values in run.inputs]
end

"Return the solution of one of RUNS at `times`, by default 401 even ones: solution.t and solution.u."
function simulate(run; times = range(run.span[1], run.span[2], length = 401))
    slope!(dstate, state, run, t) = rates!(dstate, state, input_values(run, t), t)
    problem = ODEProblem(slope!, run.start, run.span, run)
    return solve(problem; reltol = 1e-9, abstol = 1e-12 .* LARGEST, saveat = times)
end

cell(text) = "\\"" * replace(text, "\\"" => "\\"\\"") * "\\""

if abspath(PROGRAM_FILE) == @__FILE__
    println(join(["run", cell(TIME), cell.(STATES)...], ","))
    for run in RUNS
        solution = simulate(run)
        for (t, state) in zip(solution.t, solution.u)
            println(join([cell(run.label), t, state...], ","))
        end
    end
end
"""


def julia(law: Law, file: str = "law.jl") -> str:
    """Return a program that simulates every run of the data from the start that the law has there."""
    symbols = identifiers(law.names, RESERVED)
    head = [
        "# A system of ordinary differential equations, found in data and written by DoLQ.",
        f"# Run it:  julia {file}  writes the simulated runs as a table. Once before:",
        "#   julia -e 'using Pkg; Pkg.add(\"DifferentialEquations\")'",
        "#",
        *comment("#", about(law, symbols)),
        "",
        "using DifferentialEquations",
        "",
    ]
    guards = [_GUARDS[guard] for guard in sorted({REAL.get(name, name) for name in used_functions(law)} & set(_GUARDS))]
    if guards:
        head += ["# Where these have no real value they are NaN, as in the app.", *guards, ""]
    return "\n".join([*head, *_rates(law, symbols), "", *_data(law), "", _SIMULATE])


def _rates(law: Law, symbols: dict[str, str]) -> list[str]:
    states = [symbols[column.symbol] for column in law.dataset.states]
    inputs = [symbols[column.symbol] for column in law.dataset.inputs]
    said = [
        '"Put the time derivative of every state into dstate."',
        "function rates!(dstate, state, inputs, t)",
        f"    {_unpacked(states)} = state",
        *([f"    {_unpacked(inputs)} = inputs"] if inputs else []),
    ]
    for j, column in enumerate(law.dataset.states):
        said += [f"    # change of {one_line(column.name)}", *_sum(law, j, symbols)]
    return [*said, "    return nothing", "end"]


def _sum(law: Law, equation: int, symbols: dict[str, str]) -> list[str]:
    """Return the assignment; a line that goes on ends with its sign, or Julia would end it there."""
    said = trailing(law.fits[equation], symbols, SYNTAX)
    left = f"    dstate[{equation + 1}] ="
    if not said:
        return [f"{left} 0.0"]
    return [left, *with_errors(law, equation, [f"        {line}" for line in said], "#")]


def _unpacked(names: list[str]) -> str:
    return f"({names[0]},)" if len(names) == 1 else ", ".join(names)


def _data(law: Law) -> list[str]:
    dataset = law.dataset
    said = [
        f"const TIME = {quoted(dataset.time.name)}",
        f"const STATES = [{', '.join(quoted(column.name) for column in dataset.states)}]",
        f"const LARGEST = {list(law.largest)!r}  # the largest size of each state in the data",
        "const RUNS = [",
    ]
    for run in carried(law):
        said += _run(law, run)
    return [*said, "]"]


def _run(law: Law, run: LawRun) -> list[str]:
    times = run.t if law.driven else run.t[:1]
    inputs = run.inputs if law.driven else run.inputs[:1] * 0.0  # no term uses them
    columns = ", ".join(_vector(values) for values in inputs.T)
    return [
        "    (",
        f"        label = {quoted(run.label)},",
        f"        span = ({float(run.t[0])!r}, {float(run.t[-1])!r}),",
        f"        start = {list(run.start)!r},",
        f"        t = {_vector(times)},",
        f"        inputs = Vector{{Float64}}[{columns}],",
        "    ),",
    ]


def _vector(values: Floats) -> str:
    return f"[{', '.join(repr(v) if v == v else 'NaN' for v in values.tolist())}]"


def quoted(text: str) -> str:
    """Return a string of Julia: nothing in it is a command, an interpolation or the end of the string."""
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if char in '"\\$':
        return f"\\{char}"
    return char if char.isprintable() else f"\\U{0xFFFD if 0xD800 <= ord(char) < 0xE000 else ord(char):08x}"
