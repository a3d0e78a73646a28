"""A comparison of conditions in words."""

from dolq_core.conditions.comparison import Comparison, Constant
from dolq_core.conditions.following import Followed
from dolq_core.export.latex import measured

SURE = 6.0
"""Nats from which it is said without a doubt that a constant differs, or is the same: odds of 400 to 1."""


def lines(found: Comparison) -> list[str]:
    """Return the law, its constants and what speaks against it, line by line."""
    said = [*found.equations, ""]
    for one in found.constants:
        said.append(f"{one.name}: {verdict(one)}")
        if one.differs:
            said += [f"  {label:<20} {measured(value, error)}" for label, value, error in rows(found, one)]
            said += [
                f"  follows {form.column}: {one.name} = {form.formula} ({chance(form)})" for form in one.follows[:2]
            ]
        else:
            said.append(f"  {measured(one.values[0], one.errors[0])}")
    said += ["", *(f"{ratio_text}" for ratio_text in ratios(found)), against(found)]
    return [line.rstrip() for line in said]


def rows(found: Comparison, one: Constant) -> list[tuple[str, float, float | None]]:
    """Return (label, value, error) of a constant for each condition."""
    return list(zip(found.labels, one.values, one.errors, strict=True))


def verdict(one: Constant) -> str:
    """Return whether a constant differs, and how sure that is."""
    if not one.differs and one.errors[0] is None:
        return "known, and the same in all conditions"
    said = "differs from condition to condition" if one.differs else "the same in all conditions"
    if one.nats >= SURE:
        return said
    return f"{said}; the other way is only {max(one.nats, 0.0):.1f} nats behind, so this is not sure"


def chance(form: Followed) -> str:
    """Return what the deviations from a formula say."""
    return f"larger deviations by chance: {form.chance:.0%}"


def ratios(found: Comparison) -> list[str]:
    """Return the constants that differ in proportion, as sentences."""
    return [
        f"{one.second}/{one.first} is {one.value:.4g} +- {one.error:.2g} in all conditions: they differ in proportion."
        for one in found.ratios
    ]


def against(found: Comparison) -> str:
    """Return what else explains the runs, as a sentence."""
    if not found.rivals:
        return "No other structure that was compared explains all conditions about as well."
    laws = "; ".join(", ".join(equations) + f" ({behind:.1f} nats behind)" for equations, behind in found.rivals)
    who = "another structure explains" if len(found.rivals) == 1 else "other structures explain"
    return f"Provisional: {who} them about as well: {laws}."
