"""Building blocks in words: the same sentences on every page, in prompts and reports."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from dolq_core.records import Blocks, Bound, EquationBlocks
from dolq_core.terms import Names, Skeleton, to_text

Text: TypeAlias = Callable[[Skeleton, Names], str]


def in_words(blocks: Blocks, names: Names, text: Text = to_text) -> list[str]:
    """Return the rules as short sentences, variables by their own names; none where everything is allowed.

    text: how a term is written.
    """
    said = [f"A function of your own: {name}(x) = {body}." for name, body in names.functions]
    if blocks.functions is not None:
        said.append(f"Functions: {', '.join(blocks.functions) or 'none'}.")
    if blocks.degree is not None:
        said.append(f"Degree of a term: at most {blocks.degree}.")
    missing = [
        what
        for what, allowed in (
            ("ratios", blocks.ratios),
            ("fitted numbers inside terms", blocks.inner),
            ("the time itself", blocks.time),
        )
        if not allowed
    ]
    if missing:
        said.append(f"Not allowed: {', '.join(missing)}.")
    if blocks.units:
        said.append("Units have to agree.")
    for own in blocks.equations:
        state = names.own[own.equation]
        if own.variables is not None:
            columns = [names.own_of.get(symbol, names.time) for symbol in own.variables]
            said.append(f"Variables in the equation of {state}: {', '.join(columns) or 'none'}.")
        if own.terms is not None:
            terms = [text(term, names) for term in own.terms]
            said.append(f"Terms in the equation of {state}: {', '.join(terms) or 'none'}.")
        said += [f"In the equation of {state}, {text(t, names)} is {sign}." for t, sign in own.signs]
        said += _numbers(own, state, names, text)
    return said + _of_systems(blocks, names, text) + _of_terms(blocks, names, text)


def _of_terms(blocks: Blocks, names: Names, text: Text) -> list[str]:
    """Vetoes and pins: what was said first, since the run may have taken it back."""
    said: list[str] = []
    for what, places in (("Vetoed", blocks.vetoes), ("Pinned", blocks.pins)):
        by_term: dict[Skeleton, list[int]] = {}
        for j, term in places:
            by_term.setdefault(term, []).append(j)
        for term, equations in by_term.items():
            where = f"equation{'s' * (len(equations) > 1)} of {', '.join(names.own[j] for j in equations)}"
            said.append(f"{what} from the start in the {where}: {text(term, names)}.")
    return said


def _of_systems(blocks: Blocks, names: Names, text: Text) -> list[str]:
    said: list[str] = []
    for tie in blocks.ties:
        (j, first), (i, second) = tie.first, tie.second
        both = f"{text(first, names)} in {names.own[j]} and {text(second, names)} in {names.own[i]} are one"
        of = "" if tie.ratio is None else f", the coefficient of the second {tie.ratio:g} times that of the first"
        said.append(f"{both}{of}.")
    for members in blocks.conserved:
        said.append(f"Conserved: {sum_text(members, names.own)}.")
    said += [f"{names.own[m.first]} and {names.own[m.second]} can be exchanged." for m in blocks.mirrors]
    said += [f"{names.own[j]} is never below zero." for j in blocks.positive]
    return said + [f"{names.own[j]} only {'rises' if c == 'rising' else 'falls'}." for j, c in blocks.monotone]


def sum_text(members: Sequence[tuple[int, float]], own: Sequence[str]) -> str:
    """Return a sum of states, (state, weight), as a person writes it: A + 2 B - C."""
    parts = [("-" if w < 0.0 else "+", "" if abs(w) == 1.0 else f"{abs(w):g} ", own[j]) for j, w in members]
    return " ".join(f"{sign} {weight}{name}" for sign, weight, name in parts).removeprefix("+ ")


def _numbers(own: EquationBlocks, state: str, names: Names, text: Text) -> list[str]:
    said = [f"The equation of {state} begins with {' + '.join(_texts(own.start, names, text))}."] if own.start else []
    if own.must:
        said.append(f"Always in the equation of {state}: {', '.join(_texts(own.must, names, text))}.")
    said += [f"In the equation of {state}, the coefficient of {text(t, names)} is {v:g}." for t, v in own.fixed]
    return said + [f"In the equation of {state}, {_bound(bound, names, text)}." for bound in own.bounds]


def _texts(terms: tuple[Skeleton, ...], names: Names, text: Text) -> list[str]:
    return [text(term, names) for term in terms]


def _bound(bound: Bound, names: Names, text: Text) -> str:
    what = "the coefficient of" if bound.inner is None else f"p{bound.inner + 1} in"
    of = f"{what} {text(bound.skeleton, names)} is"
    if bound.low is None:
        return f"{of} at most {bound.high:g}"
    return f"{of} at least {bound.low:g}" if bound.high is None else f"{of} from {bound.low:g} to {bound.high:g}"
