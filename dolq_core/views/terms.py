"""Terms and kinds of terms as a person reads, types, bans and measures them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias, cast

from dolq_core.bans import ban_on, family_name, is_covered
from dolq_core.blocks import alone, is_joint, units_of
from dolq_core.errors import TermError
from dolq_core.fitting import names_of
from dolq_core.records import (
    Author,
    EquationNote,
    FamilyBan,
    FamilyKey,
    RunState,
    TermKey,
    derivative,
)
from dolq_core.runs import Run
from dolq_core.terms import (
    KINDS,
    Skeleton,
    ask_for_time,
    parse_equation,
    parse_term,
    summands,
    to_latex,
    to_text,
    variables,
    without_log,
)
from dolq_core.units import NoUnit, Unit, read_unit, sign_of, unit_of_term, units_inside
from dolq_core.views.history import right_side


def read_key(state: RunState, equation: int, text: str) -> TermKey:
    """Read a term as a person typed it; raise TermError."""
    names = names_of(state.problem.dataset, told=True)
    ask_for_time(text, names)
    return TermKey(equation, parse_term(text, names, letters=True).skeleton)


def read_equation(state: RunState, equation: int, text: str, reason: str = "") -> EquationNote:
    """Read a whole right-hand side as a person typed it; raise TermError, also for more terms than are allowed.

    A product of sums is the terms it consists of, so that r*x*(1 - x/K) and r*x - s*x**2 are one law.
    """
    limit, names = state.settings.max_terms, names_of(state.problem.dataset, told=True)
    ask_for_time(text.rpartition("=")[2], names)
    terms = parse_equation(text, names, equation, max_params=state.settings.max_params, letters=True)
    if len(terms) > limit:
        raise TermError(text, f"it has {len(terms)} terms, and {limit} is the limit", "Write fewer terms")
    typed = tuple(term.skeleton for term in terms)
    apart = tuple(dict.fromkeys(part for skeleton in typed for part in summands(skeleton)))
    return EquationNote(equation, apart if len(apart) <= limit else typed, reason, text)


def fitted_apart(state: RunState, text: str) -> str:
    """Return that letters typed for one of several equations are its own; empty where a rule joins equations."""
    dataset, blocks = state.problem.dataset, state.problem.blocks
    return "" if len(dataset.states) == 1 or is_joint(blocks) else alone(text, names_of(dataset))


def families(run: Run, equation: int) -> Mapping[FamilyKey, str]:
    """Return every family of terms that can be banned in one equation, in words: kinds, and kinds with a variable."""
    dataset = run.state.problem.dataset
    found = {FamilyKey(equation, kind): words for kind, words in KINDS.items() if kind != "any"}
    for variable in dataset.variables:
        for kind, words in KINDS.items():
            if kind not in ("constant", "linear"):
                found[FamilyKey(equation, kind, variable.symbol)] = f"{words} with {variable.name}"
    return found


def is_banned(run: Run, key: TermKey) -> bool:
    """Whether a ban stands on a term, its own or its family's."""
    return ban_on(run.state, key) is not None


def covered(run: Run, family: FamilyKey) -> tuple[TermKey, ...]:
    """Return the terms that were proposed so far and that a ban of this family would forbid."""
    ban = FamilyBan(family, run.state.iteration, "")
    return tuple(key for key in sorted(run.state.reasons) if is_covered(ban, key))


def family_text(run: Run, family: FamilyKey) -> str:
    """Return a family as a person reads it, with its equation."""
    return f"{family_name(run.state, family)} in {derivative(run.state.problem.dataset.states[family.equation].name)}"


def equation_text(run: Run, note: EquationNote) -> str:
    """Return an equation of the person's as it was typed, else with its coefficients still open."""
    dataset = run.state.problem.dataset
    return f"{derivative(dataset.states[note.equation].name)} = {right_side(note, names_of(dataset))}"


def text_of(run: Run, key: TermKey) -> str:
    """Return a term as a person reads it, in the columns' own names."""
    return to_text(key.skeleton, names_of(run.state.problem.dataset))


def short_names_of(run: Run) -> dict[str, str]:
    """Return the own names of all variables by their symbols, without units where that is unambiguous."""
    names = names_of(run.state.problem.dataset)
    return {symbol: names.short_of.get(symbol, symbol) for symbol in names.symbols}


def latex_of(run: Run, key: TermKey) -> str:
    """Return a term as LaTeX, in the columns' own names."""
    return to_latex(key.skeleton, names_of(run.state.problem.dataset))


@dataclass(frozen=True, slots=True)
class BanRow:
    """One line of the ban list: a term, or a family, which has no LaTeX."""

    key: TermKey | FamilyKey
    equation_name: str
    text: str
    latex: str
    by: Author
    since: int
    reason: str


def bans(run: Run) -> tuple[BanRow, ...]:
    """Return the ban list, the person's own bans first, then by equation and age."""
    state, names = run.state, names_of(run.state.problem.dataset)
    states = state.problem.dataset.states
    rows = [
        BanRow(
            key,
            states[key.equation].name,
            to_text(key.skeleton, names),
            to_latex(key.skeleton, names),
            ban.by,
            ban.since,
            ban.reason,
        )
        for key, ban in state.bans.items()
    ]
    rows += [
        BanRow(key, states[key.equation].name, family_name(state, key), "", "human", ban.since, ban.reason)
        for key, ban in state.families.items()
    ]
    return tuple(sorted(rows, key=lambda row: (row.by != "human", row.key.equation, row.since, row.text)))


UnitKind: TypeAlias = Literal["consistent", "constant", "impossible"]

_LONG: Final = {"year": "year"}
"""Units whose own sign nobody knows."""
_UNIT_WORD: Final = re.compile(r"[^\W\d_]+|[%°Ω]\w*")
_RAISED: Final = str.maketrans("-.0123456789", "⁻·⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class UnitBadge:
    """What the units say of a term.

    Attributes:
        coefficient: the unit of its coefficient; empty for none or unknown.
        inside: those of its inner numbers, by their index, where the symbols leave no choice.
    """

    kind: UnitKind
    words: str
    coefficient: str = ""
    inside: Mapping[int, str] = field(default_factory=dict[int, str])


def unit_badge(run: Run, key: TermKey) -> UnitBadge | None:
    """Return what the units say of a term in its equation; None where a unit that it needs is not known.

    The unit of what a logarithm is taken of only shifts it, and the same term without it beside takes that up.
    """
    dataset = run.state.problem.dataset
    known = units_of(dataset)
    shown = {name: text for v in dataset.columns for name, text in _shown(v.unit).items()}
    if not variables(key.skeleton) <= known.keys():
        return None
    try:
        unit = unit_of_term(key.skeleton, known)
        inside = {k: unit_text(one, shown) for k, one in units_inside(key.skeleton, known).items()}
    except NoUnit as none:
        if none.outer == "log" and (found := _taken_up(run, key)):
            return found
        return UnitBadge("impossible", f"The units do not agree: {_why(none, shown)}.")
    if unit is None:
        return UnitBadge("constant", "The units agree: the numbers inside take them.", inside=inside)
    own, time = known.get(dataset.states[key.equation].symbol), known.get(dataset.time.symbol)
    if own is None or time is None:
        return None
    left = own.times(time, -1.0).times(unit, -1.0)
    written = unit_text(left, shown)
    if left.measures or written:
        return UnitBadge("constant", f"The units agree: its coefficient is in {written}.", written, inside)
    return UnitBadge("consistent", "The units agree, and its coefficient has none.", inside=inside)


def _taken_up(run: Run, key: TermKey) -> UnitBadge | None:
    """Return what the units say where the law has the same term without its logarithm; None where it has not."""
    rest = without_log(key.skeleton)
    if rest is None or rest not in _law(run.state, key.equation):
        return None
    beside = TermKey(key.equation, rest)
    found = unit_badge(run, beside)
    said = f"; {text_of(run, beside)} takes up that of the logarithm."
    return None if found is None else replace(found, words=f"{found.words.removesuffix('.')}{said}", inside={})


def _law(state: RunState, equation: int) -> set[Skeleton]:
    """Return the terms of the best law of a state."""
    best = state.best[equation]
    return {term.skeleton for term in best.reported.terms} if best is not None else set()


def _why(none: NoUnit, shown: Mapping[str, str]) -> str:
    unit = unit_text(none.unit, shown) or "a plain number"
    if none.other is not None:
        return f"it adds {unit} and {unit_text(none.other, shown) or 'a plain number'}"
    return f"it takes {none.outer} of something in {unit}"


def _shown(text: str) -> dict[str, str]:
    """Return by unit name how a person wrote it, alone or in a product such as g/L; else its sign."""
    unit = read_unit(text)
    if unit is None:
        return {}
    typed: dict[str, str] = {}
    for written in (*_UNIT_WORD.findall(text), " ".join(text.split())):
        part = read_unit(written)
        if part is not None and [*part.powers.values()] == [1.0]:
            typed |= dict.fromkeys(part.powers, written)
    return {name: typed.get(name) or _LONG.get(name) or sign_of(name) for name in unit.powers}


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
