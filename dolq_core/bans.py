"""What may not be proposed: single terms and whole families of them, and by whose word."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, TypeAlias

from dolq_core.blocks import required, unit_fault, why_not
from dolq_core.records import Ban, FamilyBan, FamilyKey, RunState, TermKey
from dolq_core.terms import KINDS, Skeleton, is_of_kind


@dataclass(frozen=True, slots=True)
class NotAllowed:
    """A term that the building blocks of the run do not give."""

    reason: str


WHO: Final[dict[str, str]] = {"human": "you", "scientist": "the Scientist", "numbers": "the numbers"}
"""Whose word a ban is."""
Bar: TypeAlias = Ban | FamilyBan | NotAllowed


def ban_on(state: RunState, key: TermKey, beside: Collection[Skeleton] | None = None) -> Bar | None:
    """Return what stands against a term: building blocks, its own ban, that of a family; None where it may be tried.

    beside: the other terms of its equation, where they are known: a ban of the machine may lapse beside them.
    """
    blocks = state.problem.blocks
    missing = why_not(blocks, key) or (unit_fault(state.problem.dataset, key.skeleton) if blocks.units else "")
    if missing:
        return NotAllowed(missing)
    if key.skeleton in required(blocks, key.equation):
        return None
    own = state.bans.get(key)
    if own is not None and is_in_force(state, own, beside):
        return own
    return next((ban for ban in state.families.values() if is_covered(ban, key)), None)


def is_in_force(state: RunState, ban: Ban, beside: Collection[Skeleton] | None) -> bool:
    """Whether a ban holds beside these terms: one of the machine while more than half of all terms are as they were.

    The paper's bans never lapse (`Settings.strikes`).
    """
    if ban.by == "human" or ban.beside is None or beside is None or state.settings.strikes == "paper":
        return True
    before, now = set(ban.beside), set(beside) - {ban.key.skeleton}
    return before == now or 2 * len(before & now) > len(before | now)


def is_covered(ban: FamilyBan, key: TermKey) -> bool:
    """Whether a family's ban stands on the term: it is of the family, and was not let in by name."""
    family = ban.key
    return (
        family.equation == key.equation
        and key.skeleton not in ban.spared
        and is_of_kind(key.skeleton, family.kind, family.symbol)
    )


def by_person(state: RunState, key: TermKey) -> bool:
    """Whether a person's word forbids the term; the machine may pardon only its own."""
    ban = ban_on(state, key)
    return isinstance(ban, FamilyBan | NotAllowed) or (ban is not None and ban.by == "human")


def why_banned(state: RunState, ban: Bar) -> str:
    """Return who banned what since when, and why, for the record of a refusal."""
    if isinstance(ban, NotAllowed):
        return f"it is outside the building blocks of this run: {ban.reason}"
    if isinstance(ban, FamilyBan):
        name = family_name(state, ban.key)
        return f"you banned {name} since iteration {ban.since}: {ban.reason}".removesuffix(": ")
    return f"banned by {WHO[ban.by]} since iteration {ban.since}: {ban.reason}"


def family_name(state: RunState, key: FamilyKey) -> str:
    """Return a family in words, its variable by its own name: "ratios with prey"."""
    dataset = state.problem.dataset
    own = {variable.symbol: variable.name for variable in dataset.variables}
    return KINDS[key.kind] + (f" with {own.get(key.symbol, key.symbol)}" if key.symbol else "")
