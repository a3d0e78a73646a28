"""Families in a model's terms: `saturating(S)*X` says the mechanism, the search chooses the member that fits best.

A family that stands in several equations has one member in all of them: what leaves one state enters another by the
same law. Every combination of members is fitted to the rates; under noise the leading ones are compared on whole runs.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from math import inf
from typing import Final

from dolq_core.errors import TermError
from dolq_core.fitting import Workbench
from dolq_core.fitting.merit import merit
from dolq_core.fitting.prior import Prior
from dolq_core.records import AT_FLOOR, EquationFit, ProposedTerm, RunState
from dolq_core.terms import Skeleton, parse_term

MEMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "saturating": (
        "{u}/(@0 + {u})", "{u}**2/(@0 + {u}**2)", "{u}**@1/(@0 + {u}**@1)", "(1 - exp(-@0*{u}))", "tanh(@0*{u})",
        "{u}/(@0 + {u} + @1*{u}**2)",
    ),
    "saturating with": ("{u}/(@0 + {u} + @1*{v})", "{u}/(@0*{v} + {u})", "{u}/((@0 + {u})*(1 + @1*{v}))"),
    "inhibited": ("1/(1 + @0*{u})", "1/(1 + @0*{u}**2)", "1/(1 + @0*{u}**@1)", "exp(-@0*{u})"),
    "crowded": ("{u}*(1 - @0*{u})", "{u}*log(@0/{u})", "{u}*(1 - (@0*{u})**@1)"),
    "resisting": ("{u}", "{u}*abs({u})", "sign({u})", "tanh(@0*{u})"),
}  # fmt: skip
"""Members of each family, @k for a number to be fitted; {v} is a second argument. Monod, Hill, Tessier, Haldane and,
with a second variable, Beddington and DeAngelis, Contois; Verhulst, Gompertz, Richards; drag, dry friction."""
MOST: Final = 36
"""Combinations of members of one hypothesis: each is a fit of every equation that holds one."""
SAID: Final = "saturating(u), saturating(u, v) where v competes, inhibited(u), crowded(u), resisting(u)"
EXPLAINED: Final = -1e9
"""What a combination costs that leaves nothing to explain, before its numbers are counted."""
LEADERS: Final = 4
"""Combinations that are compared on whole runs: the rates of noisy samples tell the members of a family badly apart."""
_NAME: Final = r"\s*([A-Za-z_]\w*)\s*"
_CALL: Final = re.compile(rf"\b(saturating|inhibited|crowded|resisting)\({_NAME}(?:,{_NAME})?\)")
_PARAMS: Final = re.compile(r"params\[(\d+)\]")

Hypothesis = tuple[tuple[ProposedTerm, ...], ...]
Chosen = Mapping[str, str]
"""The member, by the call as it was written."""


def chosen(hypothesis: Hypothesis, state: RunState, bench: Workbench) -> tuple[Hypothesis, Chosen]:
    """Return a hypothesis with the members that fit best in the place of families, and which they are."""
    calls = list(dict.fromkeys(m.group() for terms in hypothesis for one in terms for m in _CALL.finditer(one.text)))
    ways = [dict(zip(calls, way, strict=True)) for way in islice(product(*map(_members, calls)), MOST)] if calls else []
    if not ways or not all(map(_members, calls)):
        return hypothesis, {}
    ranked = sorted(ways, key=lambda way: _cost(hypothesis, way, state, bench))
    best = _on_whole_runs(hypothesis, ranked[:LEADERS], state, bench) if bench.likelihoods else ranked[0]
    count = len(ways)
    told = tuple(tuple(_told(one, best, count) for one in terms) for terms in hypothesis)
    return told, best


def written(text: str, way: Chosen) -> str:
    """Return a text with members in the place of families; their numbers go on where those of the text end."""
    for call, member in way.items():
        used = [int(number) + 1 for number in _PARAMS.findall(text)]
        offset = max(used, default=0)
        body = re.sub(r"@(\d)", lambda m, offset=offset: f"params[{int(m.group(1)) + offset}]", member)
        text = text.replace(call, f"({body})")
    return text


def _members(call: str) -> tuple[str, ...]:
    """Return the members that a call stands for, its arguments filled in; none for a call that names no such family."""
    found = _CALL.fullmatch(call)
    if found is None:
        return ()
    name, first, second = found.groups()
    forms = MEMBERS[name] if second is None else MEMBERS.get(f"{name} with", ())
    return tuple(form.format(u=first, v=second) for form in forms)


def _told(one: ProposedTerm, way: Chosen, count: int) -> ProposedTerm:
    if not _CALL.search(one.text):
        return one
    named = ", ".join(call for call in way if call in one.text)
    reason = f"{one.reason.rstrip('. ')}. {named}: the best of {count} forms." if one.reason else f"{named}: best form."
    return replace(one, text=written(one.text, way), reason=reason)


def _cost(hypothesis: Hypothesis, way: Chosen, state: RunState, bench: Workbench) -> float:
    """Return what the equations with families cost together; inf where one cannot be read or fitted.

    Where the rates are explained to their own error, what is left is rounding: there fewer numbers are better.
    """
    fits: list[EquationFit] = []
    for j, terms in enumerate(hypothesis):
        if any(_CALL.search(one.text) for one in terms):
            skeletons = _read([written(one.text, way) for one in terms], bench)
            fits += [bench.rough(j, skeletons)] if skeletons else []
    if not fits or any(fit.failure for fit in fits):
        return inf
    if all(fit.floor_ratio <= AT_FLOOR for fit in fits):
        return EXPLAINED + sum(len(term.inner) for fit in fits for term in fit.terms)
    return sum(merit(state, fit) for fit in fits)


def _on_whole_runs(hypothesis: Hypothesis, ways: Sequence[Chosen], state: RunState, bench: Workbench) -> Chosen:
    """Return the combination whose system describes whole runs most shortly; the first where none can."""
    systems: list[tuple[EquationFit, ...]] = []
    for way in ways:
        texts = [[written(one.text, way) for one in terms] for terms in hypothesis]
        systems.append(tuple(bench.rough(j, _read(own, bench)) for j, own in enumerate(texts)))
    found = bench.lengths(systems, Prior(state.problem))
    return ways[0] if found is None else ways[found[1].index(min(found[1]))]


def _read(texts: Sequence[str], bench: Workbench) -> list[Skeleton]:
    try:
        return list(dict.fromkeys(parse_term(text, bench.names).skeleton for text in texts))
    except TermError:
        return []
