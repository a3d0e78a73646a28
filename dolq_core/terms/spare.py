"""Inner parameters that the free factor of a term makes superfluous."""

from collections import Counter

from dolq_core.terms.expr import ONE, Add, Expr, Mul, Num, Param, Pow, has_symbols, multiply
from dolq_core.terms.order import params_in


def without_spare(core: Expr) -> Expr:
    """Return `core`, or the same family of functions with fewer parameters.

    In x0/(params[0] + params[1]*x0) every summand has a parameter of its own, so one of them is only a factor of the
    whole: x0/(1 + params[0]*x0). A fit could not tell them apart.
    """
    uses = Counter(params_in(core))
    if len(uses) < 2:
        return core
    freed: Expr = ONE
    for factor in core.parts if isinstance(core, Mul) else (core,):
        freed = multiply(freed, _freed(factor, uses))
    return freed


def _freed(factor: Expr, uses: Counter[int]) -> Expr:
    if isinstance(factor, Pow) and isinstance(factor.exponent, Num) and factor.exponent.value.is_integer():
        return Pow(_freed(factor.base, uses), factor.exponent)
    if not isinstance(factor, Add) or not all([_own(part, uses) for part in factor.parts]):
        return factor
    parts = list(factor.parts)
    spare = next((k for k, part in enumerate(parts) if not has_symbols(part)), 0)
    parts[spare] = _without_own(parts[spare], uses)
    return Add(tuple(parts))


def _own(part: Expr, uses: Counter[int]) -> bool:
    """Whether a factor of the summand is a parameter that stands nowhere else."""
    factors = part.parts if isinstance(part, Mul) else (part,)
    return any([isinstance(factor, Param) and uses[factor.index] == 1 for factor in factors])


def _without_own(part: Expr, uses: Counter[int]) -> Expr:
    """Return the summand without its own parameters and its number."""
    rest: Expr = ONE
    for factor in part.parts if isinstance(part, Mul) else (part,):
        if not isinstance(factor, Num) and not (isinstance(factor, Param) and uses[factor.index] == 1):
            rest = multiply(rest, factor)
    return rest
