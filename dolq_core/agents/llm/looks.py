"""What a model may look at before it answers: fits, gains, residuals, simulations, units. Every look is on record.

The same looks are offered as functions, where a provider knows them, and as a list in the reply where it does not.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np
from pydantic import ValidationError

from dolq_core.agents.llm.account import as_shown, behind, whole
from dolq_core.agents.llm.schemas import LookReply, faults, schema_of
from dolq_core.agents.llm.telling import key_of
from dolq_core.bans import ban_on, why_banned
from dolq_core.errors import TermError
from dolq_core.fitting import Workbench
from dolq_core.fitting.merit import merit, pruned
from dolq_core.fitting.prior import Prior
from dolq_core.numerics.rounding import nats
from dolq_core.ports import Ask, Tool
from dolq_core.records import EquationFit, RunState, TermKey, Visited
from dolq_core.terms import Skeleton, parse_term, variables
from dolq_core.units import NoUnit, read_unit, unit_of_term

MOST_TERMS, MOST_SHOWN, MOST_PRUNED = 24, 6, 2
"""Terms of one look; those of them that are shown, the best first; those whose law is shown."""
BINS, ROWS = 6, 8
LONGEST = 2000
"""Characters of the answer to one look."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A look: the arguments it takes, what it does, and whether it tells figures of the data."""

    takes: tuple[str, ...]
    does: str
    of_data: bool


KINDS: Mapping[str, Kind] = {
    "fit": Kind(("variable", "terms"), "Fit the equation of a variable with these terms.", of_data=False),
    "gain": Kind(
        ("variable", "terms"), f"What each of up to {MOST_TERMS} terms would add to the best law.", of_data=True
    ),
    "residual": Kind(
        ("variable", "against"), "What the best law misses, averaged over ranges of a variable or t.", of_data=True
    ),
    "simulate": Kind(("start",), "Simulate the best system from a start; an empty one is the data's.", of_data=True),
    "units": Kind(("variable", "terms"), "Which unit the number in front of each term would have.", of_data=False),
}


class Unanswered(Exception):
    """A look that cannot be taken, and why."""


class Looker:
    """Takes the looks of one question; `left` says how many more there are."""

    def __init__(self, state: RunState, bench: Workbench, most: int) -> None:
        self._state, self._bench, self.left = state, bench, most
        shown = state.models is None or state.models.portrait
        self.kinds = {name: kind for name, kind in KINDS.items() if shown or not kind.of_data}

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The looks as functions."""
        schema = schema_of(LookReply)
        return tuple(
            Tool(
                name,
                kind.does,
                {
                    "type": "object",
                    "properties": {key: schema["properties"][key] for key in kind.takes},
                    "required": list(kind.takes),
                    "additionalProperties": False,
                },
            )
            for name, kind in self.kinds.items()
        )

    @property
    def offer(self) -> str:
        """The looks in words, for a prompt: short where they are functions too."""
        lines = [f"- {name}({', '.join(kind.takes)}): {kind.does}" for name, kind in self.kinds.items()]
        form = '{"looks": [{"look": "gain", "variable": "a variable", "terms": ["a term", "another"]}]}'
        return (
            f"# Look first, if it helps\nUp to {self.left} looks are left. To look, answer with looks alone, in the "
            f"form {form}; what you see stands in the next prompt.\n" + "\n".join(lines)
        )

    @property
    def count(self) -> str:
        """How many looks are left, in words."""
        return f"Up to {self.left} looks by the functions are left; then call the function answer."

    def take(self, ask: Ask) -> str:
        """Return what a look shows, or why it shows nothing; it counts either way."""
        if self.left < 1:
            return "no looks are left"
        self.left -= 1
        try:
            if ask.name not in self.kinds:
                raise Unanswered(f"there is no look {ask.name!r}; there are {', '.join(self.kinds)}")
            said = LookReply.model_validate({**_object(ask.arguments), "look": ask.name})
            ways = {
                "fit": self._fit,
                "gain": self._gain,
                "residual": self._residual,
                "simulate": self._simulate,
                "units": self._units,
            }
            return ways[ask.name](said)[:LONGEST]
        except ValidationError as error:
            return faults(error)
        except (Unanswered, TermError) as error:
            return str(error)

    # --- the looks -----------------------------------------------------------------------------------

    def _fit(self, said: LookReply) -> str:
        j, skeletons = self._terms(said)
        for skeleton in skeletons:
            ban = ban_on(self._state, TermKey(j, skeleton), set(skeletons) - {skeleton})
            if ban is not None:
                raise Unanswered(f"{skeleton}: {why_banned(self._state, ban)}")
        fit = self._bench.fit(j, skeletons, self._state.settings.optimizer)
        if fit.failure:
            raise Unanswered(f"it could not be fitted: {fit.failure}")
        return f"{whole(self._state, self._bench, fit)}; {self._against_best(fit)}{self._on_runs([fit])[0]}"

    def _gain(self, said: LookReply) -> str:
        j, skeletons = self._terms(said)
        base = [term.skeleton for term in self._best(j).terms]
        old = self._bench.fit(j, base)
        new = [skeleton for skeleton in skeletons if skeleton not in base]
        fits = [(skeleton, self._bench.fit(j, [*base, skeleton])) for skeleton in new]
        sound = [(merit(self._state, fit) - merit(self._state, old), s, fit) for s, fit in fits if not fit.failure]
        ranked = sorted(sound, key=lambda one: one[:2])
        told = self._on_runs([fit for _, _, fit in ranked[:MOST_SHOWN]])
        lines = [
            self._gained(old, *one, shown=k < MOST_PRUNED) + said
            for k, (one, said) in enumerate(zip(ranked[:MOST_SHOWN], told, strict=True))
        ]
        lines += [f"and {len(ranked) - MOST_SHOWN} that add less"] if len(ranked) > MOST_SHOWN else []
        lines += [f"{skeleton}: {fit.failure}" for skeleton, fit in fits if fit.failure][:MOST_SHOWN]
        lines += (
            [f"in the best law already: {', '.join(known)}"] if (known := [s for s in skeletons if s in base]) else []
        )
        return "\n".join(["with the sign of each and the others fitted again; less is better", *lines])

    def _gained(self, old: EquationFit, more: float, skeleton: Skeleton, fit: EquationFit, *, shown: bool) -> str:
        """What a term adds; for the first few also the law that is left without what it makes needless."""
        sign = "+" if fit.terms[-1].coefficient > 0.0 else "-"
        line = f"{sign} {skeleton}: {more:+.3g} nats, NMSE {old.nmse:.2g} -> {fit.nmse:.2g}"
        if not shown or more >= 0.0:
            return line
        left = pruned(self._state, self._bench, fit.equation, [term.skeleton for term in fit.terms])
        named = ", ".join(term.skeleton for term in left.terms)
        return f"{line}; needed then: {named} (NMSE {left.nmse:.2g}{self._on_runs([left])[0]})"

    def _on_runs(self, fits: Sequence[EquationFit]) -> list[str]:
        """Say for each law by how many nats the best system with it explains whole runs better; noisy data only."""
        best = [self._best(j) for j in range(self._bench.d)]
        systems = [best, *([fit if fit.equation == j else own for j, own in enumerate(best)] for fit in fits)]
        found = self._bench.lengths(systems, Prior(self._state.problem)) if self._bench.likelihoods else None
        if found is None:
            return [""] * len(fits)
        first, *rest = found[1]
        return [", on whole runs " + (f"{nats(one - first):+.3g} nats" if one < inf else "it fails") for one in rest]

    def _residual(self, said: LookReply) -> str:
        j = self._equation(said.variable)
        symbols = self._bench.symbols
        known = {**self._bench.names.known, **{s: s for s in symbols}, "t": "t"}
        against = known.get(said.against.strip(), "")
        if against not in (*symbols, "t"):
            raise Unanswered(f"{said.against!r} is no variable")
        values = self._bench.t if against == "t" else self._bench.values[symbols.index(against)]
        left = self._bench.residual(self._best(j))
        parts = np.array_split(np.argsort(values, kind="stable"), min(BINS, len(values)))
        lines = [
            f"{against} {values[part].min():.3g}..{values[part].max():.3g}: {float(np.mean(left[part])):+.3g}"
            for part in parts
        ]
        return "\n".join([f"the data's rate of {symbols[j]} less the law's, mean", *lines])

    def _simulate(self, said: LookReply) -> str:
        best = [self._best(j) for j in range(self._bench.d)]
        if said.start and len(said.start) != self._bench.d:
            raise Unanswered(f"a start has {self._bench.d} numbers, one for each state")
        if not all(map(isfinite, said.start)):
            raise Unanswered("a start is finite")
        times = self._bench.times(0)
        t = np.linspace(float(times[0]), float(times[-1]), ROWS)
        path = self._bench.simulate(best, 0, t, np.array(said.start) if said.start else None)
        if path.failure:
            raise Unanswered(f"the simulation fails: {path.failure}")
        head = ", ".join(["t", *self._bench.symbols[: self._bench.d]])
        rows = [", ".join(f"{v:.4g}" for v in (path.t[i], *path.x[i])) for i in range(len(path.t))]
        return "\n".join([head, *rows])

    def _units(self, said: LookReply) -> str:
        j, skeletons = self._terms(said)
        data = self._state.problem.dataset
        known = {v.symbol: unit for v in (data.time, *data.states, *data.inputs) if (unit := read_unit(v.unit))}
        rate = known[data.states[j].symbol].times(known[data.time.symbol], -1.0) if len(known) > 1 else None
        lines: list[str] = []
        for skeleton in skeletons:
            if rate is None or not variables(skeleton) <= known.keys():
                lines.append(f"{skeleton}: not every unit is known")
                continue
            try:
                unit = unit_of_term(skeleton, known)
                said_of = "any, by its inner numbers" if unit is None else str(rate.times(unit, -1.0).powers)
            except NoUnit as none:
                said_of = f"none: {none} of something with a unit"
            lines.append(f"{skeleton}: {said_of}")
        return "\n".join(lines)

    # --- what they need -------------------------------------------------------------------------------

    def _equation(self, variable: str) -> int:
        j = key_of(variable, self._bench, self._bench.d)
        if j is None:
            raise Unanswered(
                f"{variable!r} is no state; the states are {', '.join(self._bench.symbols[: self._bench.d])}"
            )
        return j

    def _terms(self, said: LookReply) -> tuple[int, list[Skeleton]]:
        j = self._equation(said.variable)
        most = self._state.settings.max_params
        fits = [v.reported for (i, _), v in self._state.archive.items() if i == j]
        shown = as_shown(fits, self._bench.names)
        read = [parse_term(text, self._bench.names, max_params=most).skeleton for text in said.terms[:MOST_TERMS]]
        if not read:
            raise Unanswered("no term is named")
        return j, list(dict.fromkeys(shown.get(skeleton, skeleton) for skeleton in read))

    def _best(self, equation: int) -> EquationFit:
        best = self._state.best[equation]
        return self._bench.null(equation) if best is None else best.reported

    def _against_best(self, fit: EquationFit) -> str:
        best = self._state.best[fit.equation]
        return (
            "the first of its equation" if best is None else f"{behind(self._state, Visited(fit, 0), best)} to the best"
        )


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise Unanswered("its arguments are no JSON object") from None
    if not isinstance(found, dict):
        raise Unanswered("its arguments are no JSON object")
    return found  # pyright: ignore[reportUnknownVariableType]
