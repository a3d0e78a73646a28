"""How the errors of an equation's coefficients hang together, and what that says in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import copysign, floor, log10, sqrt

from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Names, to_text

STRONG = 0.95
"""Correlation, either way, from which two coefficients are said to be tied."""
VAGUE = 0.05
"""Relative error of a coefficient from which it is not told well."""
GAIN = 0.5
"""A plain ratio, sum or difference is named where its error is below this share of the smaller one of the two."""
CONSTANT = "the constant"


@dataclass(frozen=True, slots=True)
class Correlation:
    """The correlation of an equation's coefficients.

    Attributes:
        texts: the k terms, in the order of the equation.
        values: (k, k); None beside a coefficient that has no standard error.
        words: a sentence on the strongest tie, and how many more there are; empty when no two coefficients are tied.
    """

    texts: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    words: str


def correlation_of(fit: EquationFit | None, names: Names) -> Correlation | None:
    """Return the correlation of the coefficients of a fit; None with fewer than two terms or without errors."""
    if fit is None or len(fit.terms) < 2 or not fit.correlation:
        return None
    texts = tuple(CONSTANT if term.skeleton == "1" else to_text(term.skeleton, names, term.inner) for term in fit.terms)
    return Correlation(texts, fit.correlation, _words(fit, texts))


def _words(fit: EquationFit, texts: Sequence[str]) -> str:
    pairs: list[tuple[float, int, int]] = []
    for i, j in combinations(range(len(texts)), 2):
        r = fit.correlation[i][j]
        if r is not None and abs(r) > STRONG:
            pairs.append((r, i, j))
    pairs.sort(key=lambda pair: -abs(pair[0]))
    said = [_sentence(fit.terms[i], fit.terms[j], (texts[i], texts[j]), r) for r, i, j in pairs[:1]]
    rest = len(pairs) - 1
    more = [f"{rest} more {'pair is' if rest == 1 else 'pairs are'} tied beyond {STRONG}."] if rest > 0 else []
    return " ".join([*said, *more])


def _sentence(one: FittedTerm, other: FittedTerm, texts: tuple[str, str], r: float) -> str:
    """Say which combination of two coefficients the data tell, with its value and standard error."""
    a, b, sa, sb = one.coefficient, other.coefficient, one.std_error, other.std_error
    if not a or not b or not sa or not sb:
        return ""
    names = [text if text == CONSTANT else f"the coefficient of {text}" for text in texts]
    what, value, error = _combination(a, b, sa, sb, r)
    both = " and ".join(names) if CONSTANT in texts else f"the coefficients of {' and '.join(texts)}"
    what = what.format(both=both, one=names[0], other=names[1])
    well = max(sa / abs(a), sb / abs(b)) <= VAGUE
    tell = f"The data tell {what} better than either alone" if well else f"The data tell only {what} well"
    also = "so is the other" if r * a * b > 0.0 else "the other is smaller"
    known = f"{_number(value, error)}; correlation {_near_one(r)}".replace("-", "\N{MINUS SIGN}")
    return f"{tell} ({known}): if one is larger in size, {also}."


def _number(value: float, error: float) -> str:
    """Return `value ± error`, the value to the second digit of its error; a power of ten stands behind both."""
    power = floor(log10(max(abs(value), error)))
    if not -2 <= power < 6:
        raised = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return f"({_number(value / 10.0**power, error / 10.0**power)})×10{raised}"
    if error < 1e-9 * abs(value):
        return f"{value:.10g}"
    digits = max(1, 2 + floor(log10(abs(value) or error)) - floor(log10(error)))
    return f"{value:#.{digits}g} ± {error:#.2g}".replace(". ", " ").removesuffix(".")


def _near_one(r: float) -> str:
    return f"{r:.3f}" if abs(r) < 0.9995 else "over 0.999" if r > 0 else "below -0.999"


def _combination(a: float, b: float, sa: float, sb: float, r: float) -> tuple[str, float, float]:
    """Return name (with gaps for the two), value and standard error of what is told best of a +- sa and b +- sb.

    The ratio by the relative errors, to first order; the plain sum or difference; else the weighted sum of least
    variance, a + w b with w = -r sa / sb and the error sa sqrt(1 - r^2).
    """
    ra, rb, sign = sa / abs(a), sb / abs(b), copysign(1.0, a * b)
    relative = sqrt(max(ra**2 + rb**2 - 2.0 * r * sign * ra * rb, 0.0))
    if relative < GAIN * min(ra, rb):
        return "the ratio of {both}", a / b, abs(a / b) * relative
    way = -copysign(1.0, r)
    plain = sqrt(max(sa**2 + sb**2 + 2.0 * way * r * sa * sb, 0.0))
    if plain < GAIN * min(sa, sb):
        return f"the {'sum' if way > 0 else 'difference'} of {{both}}", a + way * b, plain
    weight = -r * sa / sb
    joint = "plus" if weight > 0 else "minus"
    return f"{{one}} {joint} {abs(weight):.3g} times {{other}}", a + weight * b, sa * sqrt(max(1.0 - r**2, 0.0))
