"""The ban list as a person reads it."""

from dataclasses import dataclass

from dolq_core.bans import family_name
from dolq_core.fitting import names_of
from dolq_core.records import Author, FamilyKey, RunState, TermKey
from dolq_core.terms import to_latex, to_text


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


def bans(state: RunState) -> tuple[BanRow, ...]:
    """Return the ban list, the person's own bans first, then by equation and age."""
    names = names_of(state.problem.dataset)
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
