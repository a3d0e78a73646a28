"""What a hypothesis may state of itself: the rules of building blocks, each as one line of text."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from dolq_core.blocks.reading import agree, blocks_of
from dolq_core.blocks.rules import FREE, own_of
from dolq_core.errors import DataError
from dolq_core.records import Blocks, EquationBlocks
from dolq_core.terms import Names, to_text

FORMS: Final = (
    "same: TERM in x, TERM in y", "opposite: TERM in x, TERM in y", "shared: TERM in x, TERM in y",
    "sign: TERM in x is negative", "bounds: TERM in x from -2 to 0", "fixed: TERM in x is 1",
    "conserved: x + y", "symmetric: x, y",
)  # fmt: skip
"""What can be stated; shared: the numbers inside are one, the coefficients are not."""
_LINE = re.compile(r"\s*([A-Za-z]+)\s*:\s*(.+?)\s*\.?\s*")
_PLACE = re.compile(r"(.+)\s+in\s+(\S+)")
_SIGN = re.compile(r"(.+)\s+in\s+(\S+)\s+is\s+(positive|negative)")
_FIXED = re.compile(r"(.+)\s+in\s+(\S+)\s+is\s+(\S+)")
_BOUNDS = re.compile(r"(.+)\s+in\s+(\S+)\s+from\s+(\S+)\s+to\s+(\S+)")
_RATIOS = {"same": "equal", "opposite": "opposite", "shared": "free"}


def read_statement(text: str, names: Names, states: int) -> Blocks:
    """Return what one line states, as building blocks; raise DataError with what can be said."""
    line = _LINE.fullmatch(text)
    said = _said(line[1].casefold(), line[2]) if line else None
    if said is None:
        raise DataError(f"The statement {text[:100]!r}", "it has none of the forms", f"Write {'; '.join(FORMS)}.")
    return blocks_of(said, names, states)


def _said(kind: str, rest: str) -> dict[str, Any] | None:
    if kind == "conserved":
        return {"conserved": [re.sub(r"\s*=.*", "", rest)]}
    if kind == "symmetric":
        return {"symmetric": [re.split(r"\s*,\s*|\s+and\s+", rest)]}
    if kind in _RATIOS:
        places = [_PLACE.fullmatch(part) for part in listed(rest)]
        known = [place for place in places if place]
        whole = len(known) == len(places) == 2
        return {"ties": [{"places": [(p[2], p[1]) for p in known], "ratio": _RATIOS[kind]}]} if whole else None
    if kind == "sign" and (found := _SIGN.fullmatch(rest)):
        limits = [0.0, float("inf")] if found[3] == "positive" else [float("-inf"), 0.0]
        return {"equations": {found[2]: {"bounds": {found[1]: limits}}}}
    if kind == "bounds" and (found := _BOUNDS.fullmatch(rest)):
        limits = [_number(found[3]), _number(found[4])]
        return None if None in limits else {"equations": {found[2]: {"bounds": {found[1]: limits}}}}
    if kind == "fixed" and (found := _FIXED.fullmatch(rest)) and (value := _number(found[3])) is not None:
        return {"equations": {found[2]: {"fixed": {found[1]: value}}}}
    return None


def listed(text: str) -> list[str]:
    """Split at commas that stand in no bracket; empty parts are left out."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "([") - (char in ")]")
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def merged(blocks: Blocks, more: Iterable[Blocks]) -> Blocks:
    """Return a person's rules with what hypotheses state besides; of two words on one number the person's counts."""
    now = blocks
    for one in more:
        own = {
            j: _both(own_of(now, j), own_of(one, j))
            for j in sorted({e.equation for e in (*now.equations, *one.equations)})
        }
        now = replace(
            now,
            equations=tuple(own.values()),
            ties=tuple(dict.fromkeys((*now.ties, *one.ties))),
            conserved=tuple(dict.fromkeys((*now.conserved, *one.conserved))),
            mirrors=tuple(dict.fromkeys((*now.mirrors, *one.mirrors))),
        )
    return FREE if now == FREE else now


def both(ticked: Blocks, written: Blocks, names: Names) -> Blocks:
    """Return the rules of the ticks and of the text together: what either does not allow is not allowed.

    Raises DataError where the one asks for what the other does not allow.
    """
    functions = [one for one in (ticked.functions, written.functions) if one is not None]
    equations = sorted({one.equation for one in (*ticked.equations, *written.equations)})
    joined = replace(
        written,
        functions=tuple(name for name in functions[0] if all(name in one for one in functions)) if functions else None,
        degree=min((one for one in (ticked.degree, written.degree) if one is not None), default=None),
        ratios=ticked.ratios and written.ratios,
        inner=ticked.inner and written.inner,
        time=ticked.time and written.time,
        equations=tuple(_ticked(own_of(ticked, j), own_of(written, j), names) for j in equations),
        vetoes=tuple(sorted({*ticked.vetoes, *written.vetoes})),
        pins=tuple(sorted({*ticked.pins, *written.pins})),
    )
    agree(joined, names)
    return joined


def _ticked(ticked: EquationBlocks, written: EquationBlocks, names: Names) -> EquationBlocks:
    known = [one for one in (ticked.variables, written.variables) if one is not None]
    variables = tuple(name for name in known[0] if all(name in one for one in known)) if known else None
    signs = dict((*written.signs, *ticked.signs))
    other = next((term for term, sign in written.signs if signs[term] != sign), None)
    if other is not None:
        said = to_text(other, names)
        reason = f"its coefficient may only be {signs[other]} by the ticks and {dict(written.signs)[other]} by the text"
        raise DataError(f"The sign of {said}", reason, "Take one of the two rules out.")
    return replace(written, variables=variables, signs=tuple(signs.items()))


def _both(first: EquationBlocks, second: EquationBlocks) -> EquationBlocks:
    known = {term for term, _ in first.fixed} | {bound.skeleton for bound in first.bounds}
    fixed = tuple(pair for pair in second.fixed if pair[0] not in known)
    bounds = tuple(bound for bound in second.bounds if bound.skeleton not in known)
    return replace(first, fixed=(*first.fixed, *fixed), bounds=(*first.bounds, *bounds))
