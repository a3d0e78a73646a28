"""The law as a network of reactions in SBML (Level 3 Version 1), where it is one.

A polynomial system is the law of mass action of some network if and only if every term that lowers a state has that
state as a factor (Hárs and Tóth, "On the inverse problem of reaction kinetics", 1981). Terms with one monomial, in
whichever equations, become one reaction: its reactants are the monomial's factors, and what each equation gains or
loses is the stoichiometry, which may be a fraction.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as Xml

from dolq_core.errors import ExportError
from dolq_core.export.comments import about
from dolq_core.export.expressions import identifiers
from dolq_core.export.law import Law
from dolq_core.fitting import names_of
from dolq_core.records import Dataset, EquationFit
from dolq_core.terms import Skeleton, read, to_text
from dolq_core.terms.expr import Expr, Mul, Num, Pow, Sym

CORE: Final = "http://www.sbml.org/sbml/level3/version1/core"
MATH: Final = "http://www.w3.org/1998/Math/MathML"
HTML: Final = "http://www.w3.org/1999/xhtml"


@dataclass(frozen=True, slots=True)
class Reaction:
    """Stoichiometries of reactants and products, by symbol, and k of the rate: k times the product of x**n."""

    rate: float
    reactants: Mapping[str, float]
    products: Mapping[str, float]


def why_no_network(fits: Sequence[EquationFit], dataset: Dataset) -> str:
    """Return why a law is no network of reactions, as a clause; empty where it is one."""
    states, names = [column.symbol for column in dataset.states], names_of(dataset)
    for fit in fits:
        for term in fit.terms:
            powers, shown = monomial(term.skeleton), to_text(term.skeleton, names)
            if powers is None or not powers.keys() <= set(states):
                return f"the term {shown} is no product of whole powers of states"
            if term.coefficient < 0.0 and states[fit.equation] not in powers:
                return f"the term {shown} lowers {dataset.states[fit.equation].name}, which takes no part in it"
    return ""


def monomial(skeleton: Skeleton) -> dict[str, int] | None:
    """Return the power of each symbol in a product of whole positive powers; None for any other term."""
    if skeleton == "1":
        return {}
    tree = read(skeleton)
    found: dict[str, int] = {}
    for factor in tree.parts if isinstance(tree, Mul) else (tree,):
        one = _power(factor)
        if one is None:
            return None
        found[one[0]] = found.get(one[0], 0) + one[1]
    return found


def _power(factor: Expr) -> tuple[str, int] | None:
    match factor:
        case Sym(name):
            return name, 1
        case Pow(Sym(name), Num(value)) if value.is_integer() and value > 0.0:
            return name, int(value)
        case _:
            return None


def reactions(fits: Sequence[EquationFit], dataset: Dataset) -> list[Reaction]:
    """Return the network; raise ExportError where the law is none."""
    if why := why_no_network(fits, dataset):
        raise ExportError("The law", f"it is no network of reactions: {why}", "Take it in another form.")
    states = [column.symbol for column in dataset.states]
    changes: dict[tuple[tuple[str, int], ...], dict[str, float]] = {}
    for fit in fits:
        for term in fit.terms:
            key = tuple(sorted((monomial(term.skeleton) or {}).items()))
            change = changes.setdefault(key, {})
            change[states[fit.equation]] = change.get(states[fit.equation], 0.0) + term.coefficient
    return [_reaction(dict(key), change) for key, change in changes.items() if any(change.values())]


def _reaction(powers: Mapping[str, int], change: Mapping[str, float]) -> Reaction:
    lost = [-value for value in change.values() if value < 0.0]
    rate = max(lost) if lost else max(change.values())  # the largest loss takes one away
    left = {symbol: powers.get(symbol, 0) + change.get(symbol, 0.0) / rate for symbol in {**powers, **change}}
    return Reaction(rate, {s: float(n) for s, n in powers.items()}, {s: n for s, n in left.items() if n != 0.0})


def sbml(law: Law) -> str:
    """Return the model; species start where the law starts in the first run that has a known start."""
    found = reactions(law.fits, law.dataset)
    reserved = {"cell", "model", *(f"{letter}{k}" for letter in "kr" for k in range(1, len(found) + 1))}
    symbols = identifiers(law.names, reserved)
    root = Xml.Element("sbml", {"xmlns": CORE, "level": "3", "version": "1"})
    model = Xml.SubElement(root, "model", {"id": "model", "name": _text(law.title)})
    notes = Xml.SubElement(Xml.SubElement(model, "notes"), "body", {"xmlns": HTML})
    for line in about(law, symbols):
        Xml.SubElement(notes, "p").text = _text(line)
    places = Xml.SubElement(model, "listOfCompartments")
    Xml.SubElement(places, "compartment", {"id": "cell", "size": "1", "spatialDimensions": "3", "constant": "true"})
    model.append(_species(law, symbols))
    constants = Xml.SubElement(model, "listOfParameters")
    for k, one in enumerate(found, 1):
        Xml.SubElement(constants, "parameter", {"id": f"k{k}", "value": repr(one.rate), "constant": "true"})
    steps = Xml.SubElement(model, "listOfReactions")
    steps.extend(_step(k, one, symbols) for k, one in enumerate(found, 1))
    for part in [part for part in model if len(part) == 0]:
        model.remove(part)  # a list without anything in it is not allowed
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _species(law: Law, symbols: Mapping[str, str]) -> Xml.Element:
    starts = next((run.start for run in law.runs if run.start), (0.0,) * len(law.fits))
    listed = Xml.Element("listOfSpecies")
    for column, start in zip(law.dataset.states, starts, strict=True):
        Xml.SubElement(
            listed,
            "species",
            {
                "id": symbols[column.symbol],
                "name": _text(column.name),
                "compartment": "cell",
                "initialConcentration": repr(start),
                "hasOnlySubstanceUnits": "false",
                "boundaryCondition": "false",
                "constant": "false",
            },
        )
    return listed


def _step(k: int, one: Reaction, symbols: Mapping[str, str]) -> Xml.Element:
    step = Xml.Element("reaction", {"id": f"r{k}", "reversible": "false", "fast": "false"})
    for kind, side in (("listOfReactants", one.reactants), ("listOfProducts", one.products)):
        if side:
            step.append(_side(kind, side, symbols))
    math = Xml.SubElement(Xml.SubElement(step, "kineticLaw"), "math", {"xmlns": MATH})
    factors = Xml.SubElement(math, "apply")
    Xml.SubElement(factors, "times")
    for factor in ("cell", f"k{k}"):  # an amount in the compartment, whose size is 1
        Xml.SubElement(factors, "ci").text = factor
    factors.extend(_factors(one, symbols))
    return step


def _side(kind: str, side: Mapping[str, float], symbols: Mapping[str, str]) -> Xml.Element:
    listed = Xml.Element(kind)
    for symbol, n in side.items():
        attributes = {"species": symbols[symbol], "stoichiometry": repr(n), "constant": "true"}
        Xml.SubElement(listed, "speciesReference", attributes)
    return listed


def _factors(one: Reaction, symbols: Mapping[str, str]) -> Iterator[Xml.Element]:
    for symbol, n in one.reactants.items():
        species = Xml.Element("ci")
        species.text = symbols[symbol]
        if n == 1.0:
            yield species
            continue
        power = Xml.Element("apply")
        Xml.SubElement(power, "power")
        power.append(species)
        Xml.SubElement(power, "cn", {"type": "integer"}).text = str(int(n))
        yield power


def _text(text: str) -> str:
    """Return what XML can hold of a text."""
    return "".join(char if char.isprintable() else " " for char in text)
