"""The law in SBML (Level 3 Version 1): as a network of reactions where it is one, else as a rate rule for each state.

A polynomial system is the law of mass action of some network if and only if every term that lowers a state has that
state as a factor (Hárs and Tóth, "On the inverse problem of reaction kinetics", 1981). Terms with one monomial, in
whichever equations, become one reaction: its reactants are the monomial's factors, and what each equation gains or
loses is the stoichiometry, which may be a fraction.

A saturating rate, such as those of Michaelis and Menten or Hill, is a reaction too: it takes from what it lowers, gives
to what it raises, and everything else in it is a modifier. Any other law, and one of a temperature or of another state
that is no amount of a substance, has its right-hand sides as formulas, known inputs as straight lines from one time at
which they bend or jump to the next.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dolq_core.errors import ExportError, grouped
from dolq_core.export.expressions import about, identifiers
from dolq_core.export.law import Law, LawRun, is_driven
from dolq_core.export.mathml import NAMED
from dolq_core.export.templates import render
from dolq_core.fitting import names_of
from dolq_core.records import Dataset, EquationFit
from dolq_core.terms import Skeleton, calls, read, to_text, variables
from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Pow, Sym
from dolq_core.terms.show import with_numbers
from dolq_core.units import read_unit

MOST_PIECES = 2_000
"""Samples of an input that a formula is made of; simulators read thousands of pieces slowly."""
_UNKNOWN: Final = frozenset({"erf"})
"""Functions that SBML has no word for."""
_NO_AMOUNT: Final = frozenset({"[temperature]", "[current]", "[time]", "[luminosity]"})
"""What no amount of a substance is measured by, nor a concentration."""
_TIME: Final = '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">t</csymbol>'


@dataclass(frozen=True, slots=True)
class Reaction:
    """Stoichiometries of reactants and products, by symbol, and k of the rate: k times the product of x**n.

    Attributes:
        skeleton, inner: of a saturating rate, which is k times this term; empty for mass action.
        modifiers: symbols of the rate that the reaction neither takes nor gives.
    """

    rate: float
    reactants: Mapping[str, float]
    products: Mapping[str, float]
    skeleton: Skeleton | None = None
    inner: tuple[float, ...] = ()
    modifiers: tuple[str, ...] = ()


def why_no_network(fits: Sequence[EquationFit], dataset: Dataset) -> str:
    """Return why a law is no network of reactions, as a clause; empty where it is one."""
    if other := next((column for column in dataset.states if is_no_amount(column.unit)), None):
        return f"{other.name} in {other.unit} is no amount of a substance"
    states, names = [column.symbol for column in dataset.states], names_of(dataset)
    for fit in fits:
        for term in fit.terms:
            shown, powers = to_text(term.skeleton, names), monomial(term.skeleton)
            driven = _drives(term.skeleton, term.inner) if powers is None else powers.keys()
            if driven is None or not variables(term.skeleton) <= set(states):
                return f"the term {shown} is neither a product of whole powers of states nor a saturating rate of them"
            if term.coefficient < 0.0 and states[fit.equation] not in driven:
                return f"the term {shown} lowers {dataset.states[fit.equation].name}, which takes no part in it"
    return ""


def is_no_amount(unit: str) -> bool:
    """Whether a unit is known and neither of an amount nor of a concentration: of a temperature, voltage or speed."""
    found = read_unit(unit)
    measures = dict(found.measures) if found is not None else {}
    return bool(measures.keys() & _NO_AMOUNT) or measures in ({"[length]": 1}, {"[length]": 2})


def monomial(skeleton: Skeleton) -> dict[str, int] | None:
    """Return the power of each symbol in a product of whole positive powers; None for any other term."""
    if skeleton == "1":
        return {}
    tree = read(skeleton)
    found: dict[str, int] = {}
    for factor in tree.parts if isinstance(tree, Mul) else (tree,):
        match factor:
            case Sym(name):
                found[name] = found.get(name, 0) + 1
            case Pow(Sym(name), Num(value)) if value.is_integer() and value > 0.0:
                found[name] = found.get(name, 0) + int(value)
            case _:
                return None
    return found


def reactions(fits: Sequence[EquationFit], dataset: Dataset) -> list[Reaction]:
    """Return the network; raise ExportError for a law that is none."""
    if why := why_no_network(fits, dataset):
        raise ExportError("The law", f"it is no network of reactions: {why}", "Take it in another form.")
    states = [column.symbol for column in dataset.states]
    changes: dict[tuple[Skeleton, tuple[float, ...]], dict[str, float]] = {}
    for fit in fits:
        for term in fit.terms:
            change = changes.setdefault((term.skeleton, term.inner), {})
            change[states[fit.equation]] = change.get(states[fit.equation], 0.0) + term.coefficient
    return [_reaction(skeleton, inner, change) for (skeleton, inner), change in changes.items() if any(change.values())]


def _reaction(skeleton: Skeleton, inner: tuple[float, ...], change: Mapping[str, float]) -> Reaction:
    powers = monomial(skeleton)
    lost = {symbol: -value for symbol, value in change.items() if value < 0.0}
    rate = max(lost.values()) if lost else max(change.values())  # the largest loss takes one away
    if powers is None:
        gained = {symbol: value / rate for symbol, value in change.items() if value > 0.0}
        beside = tuple(sorted(variables(skeleton) - lost.keys() - gained.keys()))
        return Reaction(rate, {symbol: value / rate for symbol, value in lost.items()}, gained, skeleton, inner, beside)
    left = {symbol: powers.get(symbol, 0) + change.get(symbol, 0.0) / rate for symbol in {**powers, **change}}
    return Reaction(rate, {s: float(n) for s, n in powers.items()}, {s: n for s, n in left.items() if n != 0.0})


def why_no_sbml(fits: Sequence[EquationFit], dataset: Dataset) -> str:
    """Return why a law is no model in SBML, as a clause; empty where it is one."""
    names = names_of(dataset)
    for term in (term for fit in fits for term in fit.terms):
        if name := next((name for name in calls(term.skeleton) if name in _UNKNOWN), ""):
            return f"the term {to_text(term.skeleton, names)} has {name} in it, which SBML has no word for"
    longest = max(len(run.t) for run in dataset.trajectories)
    if is_driven(fits, dataset) and longest > MOST_PIECES:
        return (
            f"its inputs have {grouped(longest)} samples, and a formula of {grouped(MOST_PIECES)} pieces is the limit"
        )
    return ""


def sbml(law: Law) -> str:
    """Return the model; it starts where the law does in the first run that has a known start. Raises ExportError."""
    first = next((run for run in law.runs if run.start), None)
    starts = first.start if first else (0.0,) * len(law.fits)
    if why_no_network(law.fits, law.dataset):
        return _rules(law, starts, first or law.runs[0])
    found = reactions(law.fits, law.dataset)
    reserved = {"cell", "model", *(f"{letter}{k}" for letter in "kr" for k in range(1, len(found) + 1))}
    symbols = identifiers(law.names, reserved)
    return render(
        "reactions.xml",
        law=law,
        about=about(law, symbols),
        symbols=symbols,
        species=list(zip(law.dataset.states, starts, strict=True)),
        reactions=found,
        mathml=mathml,
    )


def _rules(law: Law, starts: Sequence[float], run: LawRun) -> str:
    if why := why_no_sbml(law.fits, law.dataset):
        raise ExportError("The law", why, "Take it in another form.")
    count = sum(len(fit.terms) for fit in law.fits)
    symbols = identifiers(law.names, {"model", *(f"k{n}" for n in range(1, count + 1))})
    numbers: list[float] = []
    rules: list[tuple[str, list[str]]] = []
    for fit, column in zip(law.fits, law.dataset.states, strict=True):
        flows: list[str] = []
        for term in fit.terms:
            numbers.append(term.coefficient)
            body = mathml(term.skeleton, term.inner, symbols)
            flows.append(f"<apply><times/><ci>k{len(numbers)}</ci>{body}</apply>")
        rules.append((symbols[column.symbol], flows))
    times, driving = run.driving
    inputs = [
        (symbols[column.symbol], column.name, _interpolated(times.tolist(), values.tolist()))
        for column, values in zip(law.dataset.inputs, driving.T if law.driven else (), strict=False)
    ]
    return render(
        "rules.xml",
        law=law,
        about=about(law, symbols),
        states=[
            (symbols[column.symbol], column.name, start)
            for column, start in zip(law.dataset.states, starts, strict=True)
        ],
        inputs=inputs,
        numbers=numbers,
        rules=rules,
    )


# --- saturating rates ---------------------------------------------------------------------------------


def _drives(skeleton: Skeleton, inner: Sequence[float]) -> set[str] | None:
    """Return the symbols that the rate is proportional to, or grows with by a power; None where it is no such rate.

    A rate is a product of powers of symbols over sums of numbers and powers, every number in it positive: it is
    zero without what drives it, and nowhere infinite.
    """
    tree = with_numbers(read(skeleton), inner)
    found = set[str]()
    for factor in tree.parts if isinstance(tree, Mul) else (tree,):
        match factor:
            case Sym(name):
                found.add(name)
            case Pow(Sym(name), Num(value)) if value > 0.0:
                found.add(name)
            case Pow(Add() as below, Num(value)) if value < 0.0 and _is_bounded(below):
                pass
            case Num() | Pow(Num(), Num()) if _is_positive(factor):
                pass
            case _:
                return None
    return found


def _is_bounded(node: Expr) -> bool:
    """Whether a node stays above zero wherever its symbols are not negative."""
    match node:
        case Num(value) | Pow(Num(value), Num()):
            return value > 0.0
        case Add(parts):
            return all(map(_is_positive, parts)) and any(map(_is_bounded, parts))
        case Mul(parts):
            return all(map(_is_bounded, parts))
        case _:
            return False


def _is_positive(node: Expr) -> bool:
    match node:
        case Num(value):
            return value > 0.0
        case Sym():
            return True
        case Pow(Num(base), Num()):
            return base > 0.0
        case Pow(base, Num(value)):
            return value > 0.0 and _is_positive(base)
        case Mul(parts) | Add(parts):
            return all(map(_is_positive, parts))
        case _:
            return False


# --- content MathML, numbers in full precision --------------------------------------------------------


def mathml(skeleton: Skeleton, inner: Sequence[float], symbols: Mapping[str, str]) -> str:
    """Return a term; `symbols` says what its variables are called."""
    return "".join(_written(with_numbers(read(skeleton), inner), symbols))


def _number(value: float) -> str:
    shown = repr(float(value))
    if "e" not in shown:
        return f"<cn>{shown}</cn>"
    mantissa, exponent = shown.split("e")
    return f'<cn type="e-notation">{mantissa}<sep/>{int(exponent)}</cn>'


def _interpolated(t: Sequence[float], values: Sequence[float]) -> str:
    """Return samples as a function of time: straight between them, constant before and after."""
    pieces = [f"<piece>{_number(values[0])}<apply><lt/>{_TIME}{_number(t[0])}</apply></piece>"]
    for k in range(len(t) - 1):
        slope = (values[k + 1] - values[k]) / (t[k + 1] - t[k])
        since = f"<apply><minus/>{_TIME}{_number(t[k])}</apply>"
        line = f"<apply><plus/>{_number(values[k])}<apply><times/>{_number(slope)}{since}</apply></apply>"
        until = f"<apply><lt/>{_TIME}{_number(t[k + 1])}</apply>"
        pieces.append(f"<piece>{line if slope else _number(values[k])}{until}</piece>")
    return f"<piecewise>{''.join(pieces)}<otherwise>{_number(values[-1])}</otherwise></piecewise>"


def _written(node: Expr, symbols: Mapping[str, str]) -> Iterator[str]:
    match node:
        case Num(value):
            yield _number(value)
        case Sym("t"):
            yield _TIME
        case Sym(name):
            yield f"<ci>{symbols[name]}</ci>"
        case Add(parts) | Mul(parts):
            yield f"<apply><{'plus' if isinstance(node, Add) else 'times'}/>"
            for part in parts:
                yield from _written(part, symbols)
            yield "</apply>"
        case Pow(base, exponent):
            yield "<apply><power/>"
            yield from _written(base, symbols)
            yield from _written(exponent, symbols)
            yield "</apply>"
        case Call("sign", arg):
            inside = "".join(_written(arg, symbols))
            above, below = (f"<apply><{word}/>{inside}<cn>0</cn></apply>" for word in ("gt", "lt"))
            yield f"<piecewise><piece><cn>1</cn>{above}</piece><piece><cn>-1</cn>{below}</piece>"
            yield "<otherwise><cn>0</cn></otherwise></piecewise>"
        case Call(name, arg):
            yield f"<apply><{NAMED.get(name, name)}/>"
            yield from _written(arg, symbols)
            yield "</apply>"
        case _:
            raise TypeError(f"no formula has {node!r} in it")
