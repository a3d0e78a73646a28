"""Terms that no mechanism writes down: products of powers of the variables, alone and times one curve.

A law of a subject that is not known here is mostly made of these, as the power that a plasma's impurities take where
neutrals choke them, E*Z/(p + N**4), or what leaves a vessel that widens, sqrt(level)/level**2. One in a thousand fits
noisy samples by chance: there each has a price (`fitting.prior.UNKNOWN`), clean ones tell them apart.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, permutations
from math import inf

from dolq_core.terms import Names, Skeleton, read_form

POWERS = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
LARGEST = 3.0
"""Sizes of the powers of a product together; a power that is no whole number counts as one more."""
BESIDE_TWO, BESIDE_ANGLE, BESIDE_TIME = 2.0, 1.0, 1.0
"""The same beside a curve of two variables, the sine of a variable, and time itself."""
MOST_PLAIN, MOST_CURVED = 400, 1500
"""Terms at most, the simplest first."""
MOST_VARIABLES = 4
"""Variables up to which terms are composed: of four they cost 38 s of CPU for an equation, of six 47 s."""
LATER = 0.1
"""Size of each place further down the list of curves."""
POWER = "{v}**params[0]"
CURVES = (
    "1/(params[0] + {v})",
    "exp(params[0]*{v})",
    "1/(params[0] + {v}**2)",
    "1/(params[0] + {v})**2",
    POWER,
    "sin(params[0]*{v})",
    "cos(params[0]*{v})",
    "tanh(params[0]*{v})",
    "exp(params[0]*{v}**2)",
    "exp(-params[0]/{v})",
    "1/(params[0] + {v}**3)",
    "1/(params[0] + {v}**4)",
    "sqrt(params[0] + {v})",
    "log(params[0] + {v})",
    "1/(params[0] - {v})",
    "1/(params[0] - {v})**2",
)
"""Curves of one variable with one number inside, the most common first."""
CURVES_OF_TWO = (
    "1/(params[0]*{v} + {u})",
    "1/(params[0] + {v} + {u})",
    "1/(params[0] + {v}*{u})",
    "exp(params[0]*{v}/{u})",
    "exp(params[0]*{v}*{u})",
    "1/(params[0]*{v}**2 + {u}**2)",
)
WAVES = ("sin(params[0]*t)", "cos(params[0]*t)")
IN_TIME = (*WAVES, "exp(params[0]*t)", "t*exp(params[0]*t)", "1/(params[0] + t)")
ANGLES = ("sin({v})", "cos({v})")
MEETING = "{v}*{u}/({v} + {u})"


@dataclass(frozen=True)
class Composed:
    """The terms of one set of variables, the simplest first.

    Attributes:
        plain: without numbers inside; curved: with one.
        bases: sets of plain terms that laws are written over: the constant and the variables, all times or over one
            power of a variable, for each such power; these beside meetings in proportion to the fewer; and of a
            variable that is alone all falling powers, and all rising ones.
    """

    plain: tuple[Skeleton, ...]
    curved: tuple[Skeleton, ...]
    bases: tuple[tuple[Skeleton, ...], ...]

    @cached_property
    def terms(self) -> frozenset[Skeleton]:
        """All of them."""
        return frozenset((*self.plain, *self.curved))


@lru_cache(maxsize=8)
def composed(names: Names) -> Composed:
    """Return the products of powers of all variables, times time and times one curve; none of too many variables."""
    symbols = names.symbols
    if len(symbols) > MOST_VARIABLES:
        return Composed((), (), ())
    products = _products(symbols)
    angles = [angle.format(v=v) for v in symbols for angle in ANGLES]
    meetings = [MEETING.format(v=v, u=u) for v, u in combinations(symbols, 2)]
    plain = [text for text, _ in products]
    plain += [f"t*({text})" for text, powers in products if _size(powers) <= BESIDE_TIME]
    plain += [f"({text})*{angle}" for angle in angles for text, powers in products if _size(powers) <= BESIDE_ANGLE]
    curved = [trial for text, powers in products for trial in _curved(text, powers, symbols)]
    curved += [(1.0, f"{angle}*{wave}") for angle in angles for wave in WAVES]
    powers = dict.fromkeys(_text([v], [power]) for v in symbols for power in POWERS if power and power <= 1.0)
    linear = ("1", *symbols)
    bases = [_read((f"({power})*{v}" for v in linear), names) for power in powers]
    bases += [_read((*linear, *meetings), names)]
    if len(symbols) == 1:
        bases += [_read((_text(symbols, [p]) for p in POWERS if sign * p >= 0.0), names) for sign in (-1.0, 1.0)]
    return Composed(
        _read([*plain, *meetings], names, MOST_PLAIN),
        _read((text for _, text in sorted(curved)), names, MOST_CURVED),
        tuple(bases),
    )


def is_composed(names: Names, skeleton: Skeleton) -> bool:
    """Return whether a term is one of these."""
    known = composed(names)
    return skeleton in known.terms


def _curved(text: str, powers: Sequence[float], symbols: Sequence[str]) -> Iterator[tuple[float, str]]:
    """A product of powers times each curve, as (size, text)."""
    size = _size(powers)
    for wave in IN_TIME:
        yield size, f"({text})*{wave}"
    if any(power != int(power) for power in powers):
        return
    for symbol, power in zip(symbols, powers, strict=True):
        for k, curve in enumerate(CURVES):
            if power == 0.0 or (power > 0.0 and curve != POWER):
                yield size + LATER * k, f"({text})*{curve.format(v=symbol)}"
    for v, u in permutations(symbols, 2) if size <= BESIDE_TWO else ():
        for curve in CURVES_OF_TWO:
            yield size + 1.0, f"({text})*{curve.format(v=v, u=u)}"


def _products(symbols: Sequence[str]) -> list[tuple[str, tuple[float, ...]]]:
    """Return products of powers as (text, powers), the simplest first; one of them negative at most, one broken."""
    found: list[tuple[float, ...]] = [()]
    for _ in symbols:
        found = [(*powers, power) for powers in found for power in POWERS if _is_simple((*powers, power))]
    found.sort(key=lambda powers: (_size(powers), [-power for power in powers]))
    return [(_text(symbols, powers), powers) for powers in found]


def _is_simple(powers: Sequence[float]) -> bool:
    falling, broken = (power < 0.0 for power in powers), (power != int(power) for power in powers)
    return _size(powers) <= LARGEST and sum(falling) <= 1 and sum(broken) <= 1


def _size(powers: Iterable[float]) -> float:
    return sum(abs(power) + (power != int(power)) for power in powers)


def _text(symbols: Sequence[str], powers: Sequence[float]) -> str:
    above = [_power(symbol, power) for symbol, power in zip(symbols, powers, strict=True) if power > 0.0]
    below = [_power(symbol, -power) for symbol, power in zip(symbols, powers, strict=True) if power < 0.0]
    return "*".join(above or ["1"]) + "".join(f"/{factor}" for factor in below)


def _power(symbol: str, power: float) -> str:
    return {0.5: f"sqrt({symbol})", 1.0: symbol}.get(power, f"{symbol}**{power:g}")


def _read(texts: Iterable[str], names: Names, most: float = inf) -> tuple[Skeleton, ...]:
    """Return the first terms that texts say, each once; what is none is left out."""
    found: dict[Skeleton, None] = {}
    for text in texts:
        if len(found) >= most:
            break
        skeleton = read_form(text, names)
        if skeleton is not None:
            found.setdefault(skeleton)
    return tuple(found)
