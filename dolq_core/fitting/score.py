"""The score that decides between structures: description length in nats, smaller is better.

    score = Meff / 2 * log((mse * Meff / (Meff - p) + floor^2) / power) + sum over terms of cost

    Meff      number of independent rows of the target (about 2 N / half-width of the test functions)
    p         fitted numbers in the equation: outer coefficients and inner parameters
    floor     error of the target itself: below it no structure can be better than another
    power     mean square of the target, so that the score has no unit and the empty structure has about 0
    cost      NAMING + complexity + (1 + inner parameters) * log(Meff) / 2 + INNER * inner parameters

complexity counts variables, functions and powers: what it takes to name the term among all terms.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import inf, log

from dolq_core.numerics.rounding import nats
from dolq_core.units import ZERO_CELSIUS

NAMING = 2.5
INNER = 1.5

TIME = 4.0
"""What the time counts in a term: a law that changes as time goes by is a last resort."""
_NAME = re.compile(r"[A-Za-z_]\w*")
FRACTION = 2.0
"""What an exponent counts that is no whole number, or that is fitted: as x**3 does, beside x."""
_POWER = re.compile(r"\*\*\s*\(?\s*-?\s*(\d+(?:\.\d+)?)")
_OPEN = re.compile(r"\*\*\s*\(?\s*-?\s*params\[\d+\]")
_PARAM = re.compile(r"params\[(\d+)\]")
_WARMTH = re.compile(rf"(\w+)/\({re.escape(str(ZERO_CELSIUS))} \+ \1\)")
"""How far a temperature in degrees Celsius is above 0 °C, by its kelvins: one variable."""


@lru_cache(maxsize=20_000)
def complexity(skeleton: str) -> float:
    """Return the number of variables, functions and extra powers in a term; 1 for a constant, TIME for t."""
    text = _PARAM.sub("1", _OPEN.sub("**0.5", _WARMTH.sub(r"\1", skeleton)))
    powers = sum(min(v, 9.0) - 1.0 if v.is_integer() else FRACTION for v in map(float, _POWER.findall(text)))
    names = _NAME.findall(text)
    return max(len(names) + powers + (TIME - 1.0) * names.count("t"), 1.0)


def term_cost(skeleton: str, inner: int, effective: float) -> float:
    """Return the cost of one term in nats."""
    return NAMING + complexity(skeleton) + 0.5 * (1 + inner) * log(max(effective, 2.0)) + INNER * inner


def description_length(
    mse: float, floor: float, power: float, effective: float, terms: Sequence[tuple[str, int]]
) -> float:
    """Return the score of a structure; terms are (skeleton, number of inner parameters)."""
    fitted = sum(1 + inner for _, inner in terms)
    if not mse < inf or effective - fitted < 0.5:
        return inf
    cost = sum(term_cost(skeleton, inner, effective) for skeleton, inner in terms)
    error = (mse * effective / (effective - fitted) + floor**2) / power if power > 0.0 else 1.0
    return nats(0.5 * effective * log(max(error, 1e-300)) + cost)
