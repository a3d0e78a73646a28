"""Where to start the search for inner parameters: read off the term and the data, never a blind grid.

| where params[k] stands                 | starts                                                        |
|----------------------------------------|---------------------------------------------------------------|
| added to something                     | a few times the median of what it is added to, or its size     |
| added to params[j]*something in exp ...| minus the quantiles of that, for each start of params[j]       |
| taken from params[j]*something in exp ..| the quantiles of that, for each start of params[j]            |
| added to something**params[j]          | a few times the median of that, for each start of params[j]    |
| times something, or under it, in a sum | a tenth, once, ten times what makes it as large as the rest     |
| times something inside a function      | a few over the size of it; for sin and cos a scan of frequencies|
| taken from something, in no function   | a few parts of its least value                                |
| taken from something under a root      | the same; what something is taken from: a few above its largest|
| added inside sin or cos                | 0 and a quarter turn                                           |
| over something inside a function       | a few times the size of it                                     |
| exponent                               | 0.3, 0.7, 1.4, ..                                              |
| times or over something, elsewhere    | 0.3, 1, 3 times what makes it one                              |
| elsewhere                              | 0.3, 1, 3                                                      |
"""

import ast
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from dolq_core.arrays import Bools, Floats
from dolq_core.fitting.parameters import addends, has_parameters, index, is_exponent, scaled

INSIDE = re.compile(r"\([^()]*params\[[^()]*\)")
"""What holds the inner parameters of a term."""
MOST, MOST_OF_WAVES = 100, 200
"""Combinations of starts per term, and per term with one frequency and one other number, of which none is left out."""
FAR = 10.0
"""Times the median from which the root mean square is what a quantity is like: it has decayed in most samples."""
_LEVELS = (0.1, 0.5, 0.9)
_PHASES = (0.0, np.pi / 2.0)
TURNS = (0.25, *np.arange(0.5, 25.0, 0.5).tolist())
"""Periods in the whole span: steps of a half, so that the best start lies on the slope of the right one."""
_EXPONENTS = (0.3, 0.7, 2.5, 1.4, 4.0, 8.0)
"""The typical one in the middle. None is the exponent of a plain term, whose column would take the place of its own.

The last one is a switch: of a loop that a Hill curve of exponent ten shuts off, which swings for ever, 2 % noise, five
draws, the law is found in all with it and in none without, in 15 s in place of 39.
"""
_ELSEWHERE = (0.3, 1.0, 3.0)
_FUNCTIONS = {"sin": np.sin, "cos": np.cos, "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "tanh": np.tanh}


def starts(skeleton: str, values: Mapping[str, Floats]) -> list[Floats]:
    """Return inner parameters (p,) to start from; one empty start for a term without any.

    values: symbol -> samples (N,), "t" among them.
    """
    tree = _tree(skeleton)
    found: dict[int, tuple[float, ...]] = {}
    with np.errstate(all="ignore"):
        reader = _Reader(values, found)
        reader.size(tree)
    choices = [found.get(k, _ELSEWHERE) for k in range(max(found, default=-1) + 1)]
    combinations = list(product(*choices))
    is_wave = len(choices) == 2 and len(TURNS) in map(len, choices)
    chosen = combinations[:: -(-len(combinations) // (MOST_OF_WAVES if is_wave else MOST))]
    with np.errstate(all="ignore"):
        return list(_levelled(_centred(chosen, choices, reader.shifts, values), choices, reader.levels, values))


def _centred(
    plain: Sequence[tuple[float, ...]],
    choices: Sequence[Sequence[float]],
    shifts: Mapping[int, tuple[ast.expr, float]],
    values: Mapping[str, Floats],
) -> Floats:
    """Put the middle of exp(params[0] + params[1]*x) and the like on the data, for the params[1] of each start.

    shifts: parameter -> what it is added to (-1.0) or taken from (1.0), where that has parameters of its own.
    """
    moved = np.array(plain)
    for k, (other, sign) in shifts.items():
        used = sorted({i for part in ast.walk(other) if (i := index(part)) is not None})
        met = [tuple([start[i] for i in used]) for start in plain]
        place = {key: n for n, key in enumerate(dict.fromkeys(met))}
        given = dict(zip(used, np.array(list(place)).T[:, :, None], strict=True))
        middles = _at_levels(_Reader(values, {}, given).size(other))
        level = {value: min(i, len(_LEVELS) - 1) for i, value in reversed(list(enumerate(choices[k])))}
        there = middles[[place[key] for key in met], [level[start[k]] for start in plain]]
        moved[:, k] = np.where(np.isfinite(there), sign * there, moved[:, k])
    return moved


def _levelled(
    plain: Floats, choices: Sequence[Sequence[float]], levels: Mapping[int, ast.expr], values: Mapping[str, Floats]
) -> Floats:
    """Put params[0] of x**params[1]/(params[0] + x**params[1]) where x**params[1] is, for the exponent of each start.

    levels: parameter -> what it is added to, where that has exponents of its own. A start is as many times the level as
    it is for the typical exponent.
    """
    moved = plain.copy()
    for k, other in levels.items():
        typical = choices[k][len(choices[k]) // 2]
        used = sorted({i for part in ast.walk(other) if (i := index(part)) is not None})
        for row in moved:
            given = {i: np.array([[row[i]]]) for i in used}
            level = float(np.median(np.abs(_Reader(values, {}, given).size(other))))
            if 0.0 < level < np.inf:
                row[k] *= level / typical
    return moved


@lru_cache(maxsize=4096)
def _tree(skeleton: str) -> ast.expr:
    return ast.parse(skeleton, mode="eval").body


@lru_cache(maxsize=4096)
def free_signs(skeleton: str) -> tuple[bool, ...]:
    """Whether each inner parameter may change its sign: only one that is added to or multiplies inside a function."""
    tree = _tree(skeleton)
    signs: dict[int, bool] = {}
    for parent in ast.walk(tree):
        if isinstance(parent, ast.Call):
            for node in ast.walk(parent):
                k = index(node)
                if k is not None and not is_exponent(tree, node):
                    signs[k] = True
    count = max((k for k in map(index, ast.walk(tree)) if k is not None), default=-1) + 1
    return tuple(signs.get(k, False) for k in range(count))


@lru_cache(maxsize=4096)
def exponents(skeleton: str) -> tuple[bool, ...]:
    """Whether each inner parameter is an exponent."""
    tree = _tree(skeleton)
    found = {k: is_exponent(tree, node) for node in ast.walk(tree) if (k := index(node)) is not None}
    return tuple(found[k] for k in range(len(found)))


class _Reader:
    """Evaluates a tree bottom-up and notes starts for the parameters on the way."""

    def __init__(
        self,
        values: Mapping[str, Floats],
        found: dict[int, tuple[float, ...]],
        given: Mapping[int, Floats] | None = None,
    ) -> None:
        """`given`: values (s, 1) that parameters have, instead of starts: the node then has values (s, N)."""
        self.values = values
        self.found = found
        self.given = given or {}
        self.inside: list[str] = []
        self.shifts: dict[int, tuple[ast.expr, float]] = {}
        self.levels: dict[int, ast.expr] = {}

    def size(self, node: ast.expr) -> Floats:
        """Return the values (N,) of the node with every parameter at a typical start."""
        match node:
            case ast.Constant(value=value) if isinstance(value, int | float):
                return np.array([float(value)])
            case ast.Name(id=name):
                return self.values.get(name, np.array([np.pi if name == "pi" else 1.0]))
            case ast.UnaryOp(op=ast.USub(), operand=ast.BinOp(left=left, op=ast.Sub(), right=right)):
                return self._pair(right, ast.Sub(), left)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.size(operand)
            case ast.UnaryOp(operand=operand):
                return self.size(operand)
            case ast.Call(func=ast.Name(id=name), args=[argument]):
                self.inside.append(name)
                inner = self.size(argument)
                self.inside.pop()
                return np.asarray(_FUNCTIONS.get(name, np.abs)(inner), dtype=np.float64)
            case ast.BinOp(left=left, op=op, right=right):
                return self._pair(*(_apart(left, op, right) if self.inside else (left, op, right)))
            case _:
                return self._typical(node, _ELSEWHERE)

    def _typical(self, node: ast.expr, choices: tuple[float, ...]) -> Floats:
        k = index(node)
        if k is None:
            return np.array([1.0])
        return self.given[k] if k in self.given else self._typical_of(k, choices)

    def _typical_of(self, k: int, choices: tuple[float, ...]) -> Floats:
        self.found.setdefault(k, choices)
        return np.array([self.found[k][len(self.found[k]) // 2]])

    def _pair(self, left: ast.expr, op: ast.operator, right: ast.expr) -> Floats:
        if isinstance(op, ast.Pow):
            return self.size(left) ** self._exponent(right)
        if isinstance(op, ast.Add | ast.Sub) and not self.inside:
            self._note_sum([*addends(left), *addends(right, minus=isinstance(op, ast.Sub))])
        self._note_multiple(left, op, right)
        self._note_power(left, op, right)
        self._note_power(right, op, left)
        self._note_shift(left, op, right)
        self._note_shift(right, op, left)
        above = left.operand if isinstance(left, ast.UnaryOp) else left
        if isinstance(op, ast.Div) and self.inside and index(above) is not None and index(right) is None:
            other = self.size(right)
            self._typical(above, _multiples(other))
            return _apply(op, self.size(left), other)
        if above is not left and isinstance(op, ast.Add) and not self.inside and index(above) is not None:
            other = self.size(right)
            return other - self._typical(above, _below(other))
        if isinstance(op, ast.Sub) and self.inside[-1:] == ["sqrt"] and (index(left) is None) != (index(right) is None):
            if index(left) is None:
                mine = self.size(left)
                return mine - self._typical(right, _below(mine))
            other = self.size(right)
            return self._typical(left, _above(other)) - other
        if index(left) is not None and index(right) is None:
            other = self.size(right)
            return _apply(op, self._typical(left, self._choices(op, other)), other)
        mine = self.size(left)
        if index(right) is not None:
            return _apply(op, mine, self._typical(right, self._choices(op, mine)))
        return _apply(op, mine, self.size(right))

    def _note_sum(self, parts: Sequence[ast.expr]) -> None:
        """Note starts for what is times something, or under it, in a sum: by the addends that have no parameters."""
        plain = [part for part in parts if not has_parameters(part)]
        times = [found for part in parts if (found := scaled(part)) is not None]
        if not plain or not times:
            return
        level = float(np.median(np.abs(sum(self.size(a) for a in plain))))
        for k, power, other in times:
            size = float(np.median(np.abs(self.size(other))))
            if 0.0 < level < np.inf and 0.0 < size < np.inf:
                self._typical_of(k, tuple((level / size * f) ** (1.0 / power) for f in (0.1, 1.0, 10.0)))

    def _note_multiple(self, node: ast.expr, op: ast.operator, other: ast.expr) -> None:
        """Note starts for params[k] in 2*pi*params[k]*t and the like inside a function, by what the product meets."""
        above = node.operand if isinstance(node, ast.UnaryOp) else node
        if not self.inside or not isinstance(above, ast.BinOp) or not isinstance(above.op, ast.Mult):
            return
        k, number = index(above.right), above.left
        if k is None or has_parameters(other) or not isinstance(number, ast.Constant | ast.UnaryOp):
            return
        times, met = float(np.abs(self.size(number))[0]), self.size(other)
        found = _multiples(met) if isinstance(op, ast.Div) else self._choices(op, met)
        self._typical_of(k, tuple(one / times for one in found))

    def _note_power(self, node: ast.expr, op: ast.operator, other: ast.expr) -> None:
        """Note starts for the base of a power, params[k]**2 or params[k]**params[j], by what the power meets."""
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Pow) or (k := index(node.left)) is None:
            return
        met = self.size(other)
        power = float(np.median(self._exponent(node.right)))
        found = np.abs(self._choices(op, met))
        if power and k not in self.found and bool(np.all((found > 0.0) & np.isfinite(found))):
            self._typical_of(k, tuple((found ** (1.0 / power)).tolist()))

    def _note_shift(self, node: ast.expr, op: ast.operator, other: ast.expr) -> None:
        taken = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
        k = index(node.operand if isinstance(node, ast.UnaryOp) else node)
        waves = bool(self.inside) and self.inside[-1] in ("sin", "cos")
        if k is None or waves or not isinstance(op, ast.Add):
            return
        if any(is_exponent(other, part) for part in ast.walk(other) if index(part) is not None):
            self.levels[k] = other
        elif self.inside and has_parameters(other):
            self.shifts[k] = other, 1.0 if taken else -1.0

    def _exponent(self, node: ast.expr) -> Floats:
        if index(node) is not None:
            return self._typical(node, _EXPONENTS)
        return self.size(node)

    def _choices(self, op: ast.operator, other: Floats) -> tuple[float, ...]:
        """Starts for a parameter that meets `other` under `op`."""
        if isinstance(op, ast.Add | ast.Sub) and self.inside and self.inside[-1] in ("sin", "cos"):
            return _PHASES
        if isinstance(op, ast.Add | ast.Sub):
            return _quantiles(other, signed=bool(self.inside))
        if not self.inside:
            level = float(np.median(np.abs(other))) if len(other) > 1 else 0.0
            even = (level if isinstance(op, ast.Div) else 1.0 / level) if 0.0 < level < np.inf else 1.0
            return tuple(even * f for f in _ELSEWHERE)
        reach = float(np.std(other)) or float(np.mean(np.abs(other))) or 1.0
        if isinstance(op, ast.Div) and self.inside[-1] in ("sin", "cos"):
            span = float(np.ptp(other)) or reach
            return tuple(span / (2.0 * np.pi * k) for k in TURNS)
        if isinstance(op, ast.Div):
            return tuple(reach * f for f in (0.3, 1.0, 3.0))
        if self.inside[-1] in ("sin", "cos"):
            span = float(np.ptp(other)) or reach
            return tuple(2.0 * np.pi * k / span for k in TURNS)
        if self.inside[-1] == "tanh":
            return tuple(f / reach for f in (0.3, 1.0, 3.0, 10.0, 30.0))
        return tuple(f / reach for f in (-3.0, -1.0, -0.3, 0.3, 1.0, 3.0))


def _apart(left: ast.expr, op: ast.operator, right: ast.expr) -> tuple[ast.expr, ast.operator, ast.expr]:
    """Return params[0]*x/y as params[0]*(x/y): a parameter has the size of all that it is times."""
    if not (isinstance(op, ast.Div) and isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mult)):
        return left, op, right
    if index(left.left) is None or has_parameters(left.right) or has_parameters(right):
        return left, op, right
    return left.left, left.op, ast.BinOp(left.right, op, right)


def _quantiles(other: Floats, *, signed: bool) -> tuple[float, ...]:
    finite = other[np.isfinite(other)]
    if not len(finite):
        return _ELSEWHERE
    if signed:
        return tuple(_at_levels(finite).tolist())
    level, size = float(np.median(np.abs(finite))), float(np.sqrt(np.mean(np.square(finite))))
    level = (size if size > FAR * level else level) or 1.0
    return tuple(level * f for f in (0.1, 0.3, 1.0, 3.0, 10.0))


def _below(other: Floats) -> tuple[float, ...]:
    """Levels below a quantity that is positive: what lies above them has open powers."""
    least = float(np.min(other[np.isfinite(other)], initial=np.inf))
    return tuple(least * f for f in (0.2, 0.6, 0.9, 0.99)) if 0.0 < least < np.inf else _ELSEWHERE


def _above(other: Floats) -> tuple[float, ...]:
    """Levels above a quantity: it may come near the level, or use a part of what is below it."""
    finite = other[np.isfinite(other)]
    most, span = float(np.max(finite, initial=-np.inf)), float(np.ptp(finite)) if len(finite) else 0.0
    return tuple(most + span * f for f in (0.01, 0.1, 0.4, 1.5)) if span > 0.0 else _ELSEWHERE


def _at_levels(values: Floats) -> Floats:
    """Quantiles (..., 3) of values (..., n) at _LEVELS, each one of the values; NaN where one is not finite."""
    ordered = np.sort(values, axis=-1)
    last = ordered.shape[-1] - 1
    found = ordered[..., [0, *(round(level * last) for level in _LEVELS), last]]
    whole: Bools = np.isfinite(found[..., 0]) & np.isfinite(found[..., -1])
    return found[..., 1:-1] if bool(np.all(whole)) else np.where(whole[..., None], found[..., 1:-1], np.nan)


def _multiples(other: Floats) -> tuple[float, ...]:
    """Numerators over `other`."""
    finite = np.abs(other[np.isfinite(other)])
    level = float(np.median(finite)) if len(finite) else 0.0
    return tuple((level or 1.0) * f for f in (0.5, 1.0, 2.0, 4.0, 8.0, 16.0))


def _apply(op: ast.operator, a: Floats, b: Floats) -> Floats:
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case _:
            return a / b
