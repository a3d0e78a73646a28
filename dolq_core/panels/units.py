"""Do the units of a term agree with its equation? It informs; nothing is ever forbidden for its unit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

from dolq_core.records import Dataset, RunState, TermKey, Variable
from dolq_core.terms import NoUnit, Unit, unit_of_term, variables
from dolq_core.units import read_unit, sign_of

UnitKind: TypeAlias = Literal["consistent", "constant", "impossible"]

_LONG: Final = {"year": "year"}
"""Units whose own sign nobody knows."""
_RAISED: Final = str.maketrans("-.0123456789", "⁻·⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class UnitBadge:
    """What the units say of a term: `coefficient` is the unit that its coefficient has; empty for none or unknown."""

    kind: UnitKind
    words: str
    coefficient: str = ""


def unit_badge(state: RunState, key: TermKey) -> UnitBadge | None:
    """Return what the units say of a term in its equation; None where a unit that it needs is not known."""
    dataset = state.problem.dataset
    known = {v.symbol: read for v in _variables(dataset) if (read := read_unit(v.unit)) is not None}
    shown = {name: text for v in _variables(dataset) for name, text in _shown(v.unit).items()}
    if not variables(key.skeleton) <= known.keys():
        return None
    try:
        unit = unit_of_term(key.skeleton, known)
    except NoUnit as none:
        return UnitBadge("impossible", f"The units do not agree: {_why(none, shown)}.")
    if unit is None:
        return UnitBadge("constant", "The units agree: the numbers inside take them.")
    own, time = known.get(dataset.states[key.equation].symbol), known.get(dataset.time.symbol)
    if own is None or time is None:
        return None
    left = own.times(time, -1.0).times(unit, -1.0)
    written = unit_text(left, shown)
    if left.measures or written:
        return UnitBadge("constant", f"The units agree: its coefficient is in {written}.", written)
    return UnitBadge("consistent", "The units agree, and its coefficient has none.")


def _variables(dataset: Dataset) -> tuple[Variable, ...]:
    return (dataset.time, *dataset.states, *dataset.inputs)


def _why(none: NoUnit, shown: Mapping[str, str]) -> str:
    unit = unit_text(none.unit, shown) or "a plain number"
    if none.other is not None:
        return f"it adds {unit} and {unit_text(none.other, shown) or 'a plain number'}"
    return f"it takes {none.outer} of something in {unit}"


def _shown(text: str) -> dict[str, str]:
    """Return by unit name how a person wrote it, as far as a unit stands alone; else its sign."""
    clean = " ".join(text.split())
    unit = read_unit(clean)
    if unit is None:
        return {}
    if [*unit.powers.values()] == [1.0]:
        return {next(iter(unit.powers)): clean}
    return {name: _LONG.get(name) or sign_of(name) for name in unit.powers}


def unit_text(unit: Unit, shown: Mapping[str, str]) -> str:
    """Return a unit for reading, such as 1/(pelts·year); empty for a plain number."""
    powers = cast(Mapping[str, float], unit.powers)
    above = sorted(_powered(shown.get(name, name), power) for name, power in powers.items() if power > 0)
    below = sorted(_powered(shown.get(name, name), -power) for name, power in powers.items() if power < 0)
    if not below:
        return "·".join(above)
    under = "·".join(below)
    return f"{'·'.join(above) or '1'}/{f'({under})' if len(below) > 1 else under}"


def _powered(name: str, power: float) -> str:
    return name if power == 1.0 else f"{name}{f'{power:g}'.translate(_RAISED)}"
