"""What a person chose since the last iteration and did not apply yet; the widgets that show it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, TypeAlias

import streamlit as st

from dolq_core.records import Choice, EquationNote, Override, TermKey, TermNote
from pages.ui import shelf

_DRAFTS = "dolq.drafts"
_MET = "dolq.met"  # runs whose choices from another tab this one has taken over, or whose own it has
_WITHDRAWN = "dolq.withdrawn"  # how often: a table of edits has no other way to forget them


@dataclass(frozen=True)
class Pending:
    """A choice for one term that was made and not applied yet; seen: what was said of the term when it was made."""

    choice: Choice
    reason: str = ""
    seen: Override | None = None


@dataclass(frozen=True)
class Draft:
    """What the person chose since the last iteration and did not apply yet."""

    wishes: Mapping[TermKey, Pending] = field(default_factory=dict[TermKey, Pending])
    proposals: tuple[TermNote, ...] = ()
    pins: tuple[TermNote, ...] = ()
    equations: tuple[EquationNote, ...] = ()

    def __len__(self) -> int:
        """Return the number of changes that wait."""
        return len(self.wishes) + len(self.proposals) + len(self.pins) + len(self.equations)


Drafts: TypeAlias = Mapping[tuple[str, int], Draft]
"""By run and iteration."""


def _all() -> Drafts:
    if _DRAFTS not in st.session_state:
        st.session_state[_DRAFTS] = shelf.found("draft") or {}
    return st.session_state[_DRAFTS]


def _of(run: str) -> Drafts:
    """Return all that waits, with what another tab has left on this run where this one holds nothing of it."""
    drafts, met = _all(), st.session_state.get(_MET, frozenset[str]())
    if run not in met:
        st.session_state[_MET] = met | {run}
        left = shelf.waiting(run)
        if left and not any(place[0] == run for place in drafts):
            _keep({**drafts, **left})
    return _all()


def _keep(drafts: Drafts) -> None:
    for run in {place[0] for place in (*_all(), *drafts)}:
        shelf.wait(run, {place: kept for place, kept in drafts.items() if place[0] == run})
    st.session_state[_DRAFTS] = drafts
    if drafts:
        shelf.put("draft", drafts)
    else:
        shelf.forget("draft")


def draft(run: str, iteration: int) -> Draft:
    """Return what waits for `iteration` of `run`: choices of another iteration never show up here."""
    return _of(run).get((run, iteration), Draft())


def keep_draft(run: str, iteration: int, new: Draft) -> None:
    """Replace what waits for `iteration` of `run`."""
    drafts = {place: old for place, old in _of(run).items() if place != (run, iteration)}
    _keep({**drafts, (run, iteration): new} if len(new) else drafts)


def wish(run: str, iteration: int, key: TermKey, new: Pending | None) -> None:
    """Note the wish for one term, or withdraw it."""
    old = draft(run, iteration)
    others = {other: kept for other, kept in old.wishes.items() if other != key}
    keep_draft(run, iteration, replace(old, wishes={**others, key: new} if new else others))


def propose(run: str, iteration: int, note: TermNote, *, pin: bool = False) -> None:
    """Note a term of the person's own for the next iteration, or for every one from then on."""
    old = draft(run, iteration)
    proposals = tuple(other for other in old.proposals if other.key != note.key)
    pins = tuple(other for other in old.pins if other.key != note.key)
    added = replace(old, proposals=proposals, pins=(*pins, note)) if pin else None
    keep_draft(run, iteration, added or replace(old, proposals=(*proposals, note), pins=pins))


def propose_equation(run: str, iteration: int, note: EquationNote) -> None:
    """Note a whole equation of the person's own for the next iteration."""
    old = draft(run, iteration)
    others = tuple(other for other in old.equations if replace(other, reason=note.reason) != note)
    keep_draft(run, iteration, replace(old, equations=(*others, note)))


def carry(run: str, iteration: int) -> Draft:
    """Move what waited at other iterations of `run` to this one; return it, empty where nothing did.

    A choice names its term, so it means the same beside other numbers; only a person takes it back.
    """
    drafts = _of(run)
    shelf.show("draft")
    stale = sorted(place for place in drafts if place[0] == run and place[1] != iteration)
    moved = reduce(_merged, (drafts[place] for place in stale), Draft())
    if stale:
        _keep({place: kept for place, kept in drafts.items() if place not in stale})
        keep_draft(run, iteration, _merged(moved, draft(run, iteration)))
    return moved


def _merged(old: Draft, new: Draft) -> Draft:
    return Draft(
        {**old.wishes, **new.wishes},
        tuple(dict.fromkeys((*old.proposals, *new.proposals))),
        tuple(dict.fromkeys((*old.pins, *new.pins))),
        tuple(dict.fromkeys((*old.equations, *new.equations))),
    )


def withdraw(run: str, iteration: int | None = None) -> None:
    """Forget everything that waits, for one iteration or for whichever, the widgets that show it included."""
    for key in [key for key in st.session_state if str(key).startswith((f"choice·{run}·", f"reason·{run}·"))]:
        del st.session_state[key]
    st.session_state[_WITHDRAWN] = st.session_state.get(_WITHDRAWN, 0) + 1
    drafts = _of(run)
    _keep({place: kept for place, kept in drafts.items() if place[0] != run or iteration not in (None, place[1])})


def table_widget(run: str, iteration: int) -> str:
    """Return the key of the table of terms: an edit belongs to an iteration, and ends when everything is withdrawn."""
    return f"table·{run}·{iteration}·{st.session_state.get(_WITHDRAWN, 0)}"


def edited_rows(widget: str) -> dict[int, dict[str, Any]]:
    """Return what was edited in a table: per position of a row, the new cells by the names of their columns."""
    found = st.session_state.get(widget) or {}
    return {int(position): cells for position, cells in found.get("edited_rows", {}).items()}


def term_widget(what: str, run: str, key: TermKey, holds: str) -> str:
    """Return the key of a term's widget: by run and term, so that no edit lands on another term.

    It is the same in every iteration: what a person has open stays open while the run goes on. It is another one
    after everything was withdrawn: a closed popover would send its old choice with the next click. And it is another
    one when something else holds for the term: the browser sends what it shows with every click and every look, and
    what held before would be taken for a choice of the person's.
    """
    return f"{what}·{run}·{st.session_state.get(_WITHDRAWN, 0)}·{key.equation}·{key.skeleton}·{holds}"
