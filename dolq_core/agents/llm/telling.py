"""Parts of prompts that both agents get: the system, its variables, what is known, what is banned, what was wished.

Terms are written in symbols. Whatever a person or a file wrote stands between marks that no text can contain, and
the system prompt says that it is never an instruction.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isfinite

from dolq_core.blocks import in_words
from dolq_core.fitting import Workbench
from dolq_core.records import EquationFit, FamilyBan, RunState, TermKey, Variable
from dolq_core.terms import KINDS, Names

OPEN, CLOSE = "<<<", ">>>"
LONGEST = 6000
"""Characters of one text of a person that are told."""
MOST_BANS, MOST_REASONS = 30, 6
"""Bans per equation that are told, the newest, and those of the machine with a reason; the loop enforces all."""
SHORT = 100
"""Characters of a reason that stands in a list."""


def quoted(text: str) -> str:
    """Return a text from outside between marks, without control characters and marks of its own."""
    plain = "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    plain = re.sub(r"<{3,}|>{3,}", "...", plain).strip()
    return f"{OPEN}{plain[:LONGEST]}{CLOSE}"


def named(text: str) -> str:
    """Return a name, a unit or a meaning on one line, in quotation marks."""
    one_line = " ".join(quoted(text).removeprefix(OPEN).removesuffix(CLOSE).split())
    return f'"{one_line[:200]}"'


def system_part(state: RunState, bench: Workbench) -> str:
    """Return what the system is, in the person's words, and its variables with meanings and units."""
    dataset = state.problem.dataset
    said = quoted(state.problem.description) if state.problem.description.strip() else "There is no description."
    count = len(dataset.states)
    symbols = bench.names.symbols
    lines = [_variable(s, v) for s, v in zip(symbols[:count], dataset.states, strict=True)]
    lines += [f"{_variable(s, v)}; a known input" for s, v in zip(symbols[count:], dataset.inputs, strict=True)]
    lines.append(_variable("t", dataset.time))
    return f"# The system\n{said}\n\nVariables, as terms must name them:\n" + "\n".join(lines)


def _variable(symbol: str, variable: Variable) -> str:
    name = "" if variable.name == symbol else f": the column {named(variable.name)}"
    meaning = f", {named(variable.meaning)}" if variable.meaning else ""
    unit = f", in {named(variable.unit)}" if variable.unit else ""
    return f"- {symbol}{name}{meaning}{unit}"


def insight_part(state: RunState) -> str:
    """Return what is understood so far, and what the person adds."""
    known = quoted(state.insight) if state.insight else "Nothing yet."
    own = f"\nThe person adds: {quoted(state.remark)}" if state.remark.strip() else ""
    return f"# What is understood so far\n{known}{own}"


def bans_part(state: RunState, names: Names) -> str:
    """Return what laws may be made of, and the ban list by equation, the person's bans first."""
    lines: list[str] = []
    for j, symbol in enumerate(names.symbols[: len(state.problem.dataset.states)]):
        own = [ban for key, ban in state.bans.items() if key.equation == j]
        ranked = sorted(own, key=lambda ban: (ban.by != "human", -ban.since, ban.key))[:MOST_BANS]
        terms = [_kind(ban) for ban in state.families.values() if ban.key.equation == j]
        terms += [f"{b.key.skeleton} (by the person{_because(b.reason)})" for b in ranked if b.by == "human"]
        soft = [ban for ban in ranked if ban.by != "human"]
        terms += [f"{b.key.skeleton} (by the {b.by}{_because(b.reason, SHORT)})" for b in soft[:MOST_REASONS]]
        terms += [ban.key.skeleton for ban in soft[MOST_REASONS:]]
        if terms:
            lines.append(f"- {symbol}: {', '.join(terms)}")
    banned = "# Banned terms: do not propose them\n" + ("\n".join(lines) or "None.")
    rules = replace(state.problem.blocks, vetoes=(), pins=())  # those that still stand are told as such
    allowed = in_words(rules, Names(names.symbols, names.symbols, functions=names.functions))
    said = "".join(f"- {rule}\n" for rule in allowed)
    return f"# What laws may be made of: nothing else is fitted\n{said}\n{banned}" if said else banned


def _kind(ban: FamilyBan) -> str:
    """Return a banned family in symbols, with what is let in of it."""
    holding = f" with {ban.key.symbol}" if ban.key.symbol else ""
    spared = f", but not {' and '.join(ban.spared)}" if ban.spared else ""
    return f"all {KINDS[ban.key.kind].removeprefix('every ')}{holding}{spared} (by the person{_because(ban.reason)})"


def wishes_part(state: RunState, names: Names) -> str:
    """Return what the person decided on single terms; empty when they decided nothing."""
    said: list[tuple[TermKey, str, str]] = []
    said += [(pin.key, "must be in every hypothesis", pin.reason) for pin in state.pins.values()]
    said += [
        (key, "is to be kept" if wish.choice == "keep" else "stays open", wish.reason)
        for key, wish in state.wishes.items()
        if wish.choice in ("keep", "hold")
    ]
    said += [(note.key, "is to be tried now", note.reason) for note in state.proposals]
    lines = [
        f"- {names.symbols[note.equation]}: the whole equation {' + '.join(note.skeletons)} is tried now"
        + _because(note.reason)
        for note in state.equations
    ]
    lines += [f"- {names.symbols[key.equation]}: {key.skeleton} {what}{_because(why)}" for key, what, why in said]
    return "# What the person decided\n" + "\n".join(lines) if lines else ""


def _because(reason: str, most: int = LONGEST) -> str:
    return f", because {quoted(reason if len(reason) <= most else f'{reason[:most]}...')}" if reason.strip() else ""


def error_text(fit: EquationFit) -> str:
    """Return the error of a fit in words that compare: share of the signal, and times the data's own error."""
    if fit.failure or not isfinite(fit.nmse):
        return "no error to tell"
    ahead = "" if fit.held_out is None else f", {fit.held_out:.3g} on data it has not seen"
    return f"NMSE {fit.nmse:.3g}{ahead}, {fit.floor_ratio:.3g} times the error of the data"


def listed(parts: Iterable[str]) -> str:
    """Join the parts of a prompt that are not empty."""
    return "\n\n".join(part for part in parts if part)


def by_equation(keys: Sequence[tuple[TermKey, str]], names: Names) -> list[str]:
    """Return lines under one heading per equation."""
    lines: list[str] = []
    for j in sorted({key.equation for key, _ in keys}):
        lines.append(f"d {names.symbols[j]}/dt:")
        lines += [f"- {text}" for key, text in keys if key.equation == j]
    return lines


def key_of(symbol: str, bench: Workbench, d: int) -> int | None:
    """Return the number of the equation that a reply names: by symbol, own name, or either with the paper's `_t`."""
    plain = symbol.strip()
    for text in (plain, plain.removesuffix("_t"), plain.removeprefix("d").removesuffix("/dt").strip()):
        found = bench.names.known.get(text, text)
        if found in bench.names.symbols[:d]:
            return bench.names.symbols.index(found)
    return None
