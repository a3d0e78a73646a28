"""A person's words in a notebook: each is one entry of the log, and counts from the next iteration on."""

from typing import Self

from dolq_core import runs
from dolq_core.errors import TermError
from dolq_core.ports import Store
from dolq_core.records import Choice, FamilyKey, FamilyNote, Intervention, TermKey, TermNote
from dolq_core.terms import KINDS, Kind
from dolq_core.views.terms import read_equation, read_key


class Interventions:
    """What a person may say of a run that was begun.

    `equation` is the name of a state, or its number from 0; it may be left out where there is one state only. Terms
    are typed in the columns' own names. All of them return the model and raise TermError for a text that is no term.
    """

    run_: runs.Run
    _store: Store

    def veto(self, term: str, equation: str | int | None = None, reason: str = "") -> Self:
        """Remove a term for good: it is never proposed again, until `allow` or `try_term` lets it in."""
        return self._choose(term, equation, "remove", reason)

    def keep(self, term: str, equation: str | int | None = None, reason: str = "") -> Self:
        """Keep a term, whatever the machine would decide."""
        return self._choose(term, equation, "keep", reason)

    def hold(self, term: str, equation: str | int | None = None, reason: str = "") -> Self:
        """Leave a term open: neither kept nor removed."""
        return self._choose(term, equation, "hold", reason)

    def pin(self, term: str, equation: str | int | None = None, reason: str = "") -> Self:
        """Want a term in every hypothesis."""
        return self._choose(term, equation, "pin", reason)

    def allow(self, term: str, equation: str | int | None = None) -> Self:
        """Lift a ban or a pin from a term."""
        key = self._key(term, equation)
        return self._say(Intervention(unban=(key,), unpin=(key,) if key in self.run_.state.pins else ()))

    def try_term(self, term: str, equation: str | int | None = None, reason: str = "") -> Self:
        """Have a term of one's own tried in the next iteration."""
        return self._say(Intervention(propose=(TermNote(self._key(term, equation), reason),)))

    def try_equation(self, text: str, equation: str | int | None = None, reason: str = "") -> Self:
        """Have a whole right-hand side of one's own tried in the next iteration."""
        note = read_equation(self.run_.state, self._number(equation), text, reason)
        return self._say(Intervention(equations=(note,)))

    def veto_kind(
        self, kind: Kind, equation: str | int | None = None, variable: str | None = None, reason: str = ""
    ) -> Self:
        """Ban a kind of terms, such as "ratio" or "power"; with a variable, those of them that hold it."""
        dataset = self.run_.state.problem.dataset
        symbols = {one.name: one.symbol for one in dataset.variables}
        if kind not in KINDS or (variable is not None and variable not in symbols):
            known = f"kinds are {', '.join(KINDS)}; variables are {', '.join(symbols)}"
            raise TermError(kind if variable is None else f"{kind} with {variable}", f"there is no such kind: {known}")
        key = FamilyKey(self._number(equation), kind, "" if variable is None else symbols[variable])
        return self._say(Intervention(ban_families=(FamilyNote(key, reason),)))

    def describe(self, description: str | None = None, insight: str | None = None, remark: str | None = None) -> Self:
        """Say anew what the system is, correct what is understood of it, or add a remark of one's own."""
        return self._say(Intervention(description=description, insight=insight, remark=remark))

    def undo(self, reason: str = "") -> Self:
        """Take back the last entry, an iteration or a word; the log keeps both."""
        self.run_ = runs.take_back(self._store, self.run_.id, reason)
        return self

    def _choose(self, term: str, equation: str | int | None, choice: Choice, reason: str) -> Self:
        said = runs.override(self.run_, self._key(term, equation), choice, reason)
        return self._say(Intervention(overrides=(said,)))

    def _say(self, said: Intervention) -> Self:
        self.run_ = runs.intervene(self._store, self.run_.id, said)
        return self

    def _key(self, term: str, equation: str | int | None) -> TermKey:
        return read_key(self.run_.state, self._number(equation), term)

    def _number(self, equation: str | int | None) -> int:
        names = [one.name for one in self.run_.state.problem.dataset.states]
        if equation is None and len(names) == 1:
            return 0
        if isinstance(equation, int) and 0 <= equation < len(names):
            return equation
        if isinstance(equation, str) and equation in names:
            return names.index(equation)
        raise ValueError(f"Name the equation by its state: {', '.join(names)}.")
