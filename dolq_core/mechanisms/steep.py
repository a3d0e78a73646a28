"""Rates that switch: steeply, by powers, or through an S-shaped curve."""

from collections.abc import Sequence

from dolq_core.mechanisms.family import Family, forms, stems

_RESPONSE = forms(
    "{x}**params[1]/(params[0] + {x}**params[1]); {y}**params[1]/(params[0] + {y}**params[1]); "
    "1/(params[0] + {y}**params[1]); 1/(params[0] + {x}**params[1])"
)
_GATE = forms("{y}*{x}**params[1]/(params[0] + {x}**params[1]); {x}*{y}**params[1]/(params[0] + {y}**params[1])")


def _with_powers(templates: Sequence[str], least: int, most: int) -> tuple[str, ...]:
    """Return the templates with whole numbers in the place of the open power."""
    powers = ["" if n == 1 else f"**{n}" for n in range(least, most + 1)]
    return tuple(template.replace("**params[1]", power) for power in powers for template in templates)


STEEP: tuple[Family, ...] = (
    Family(
        "steep response",
        _RESPONSE,
        "a switch whose steepness is open",
        stems("hill. switch repress gene. genetic express toggle cooperat sigmoid"),
        range="not negative",
        stage=4,
        simpler=_with_powers(_RESPONSE, 1, 6),
    ),
    Family(
        "steep gate",
        _GATE,
        "one is let through in proportion, by a gate that the other opens steeply: a release that releases more",
        stems("hill. cooperat releas gate channel switch"),
        range="not negative",
        stage=5,
        simpler=_with_powers(_GATE, 2, 4),
    ),
    Family(
        "sigmoid",
        forms(
            "1/(1 + exp(params[0]*{y} - params[1])); 1/(1 + exp(params[0]*{x} - params[1])); "
            "1/(1 + exp(params[0] + params[1]*{x} + params[2]*{y}))"
        ),
        "a population answers {y} through an S-shaped curve",
        stems("neur nerve sigmoid rival firing suppress perception threshold graded"),
        stage=3,
        simpler=forms(
            "1/(1 + exp(params[0]*{y} - params[1])); 1/(1 + exp(params[0]*{x} - params[1])); 1; {x}; {y}; {x}**2; "
            "{y}**2"
        ),
    ),
    Family(
        "sigmoid of two others",
        ("1/(1 + exp(params[0] + params[1]*{y} + params[2]*{z}))",),
        "a population answers {y} and {z} together through an S-shaped curve",
        stems("sigmoid s-shaped rival perception"),
        stage=5,
        simpler=forms("1/(1 + exp(params[0]*{y} - params[1])); 1/(1 + exp(params[0]*{z} - params[1])); 1; {y}; {z}"),
    ),
    Family(
        "gate",
        forms("{x}/(1 + exp(params[0]*{x} - params[1])); {x}/(1 + exp(params[0]*{y} - params[1]))"),
        "a current through a gate that opens through an S-shaped curve",
        stems("gate channel membran voltage conductanc"),
        stage=4,
        simpler=("1/(1 + exp(params[0]*{x} - params[1]))", "{x}"),
    ),
    Family(
        "gate with its driving force",
        ("({x} - params[2])/(1 + exp(params[0]*{x} - params[1]))",),
        "a current through a gate that {x} opens and shuts, in proportion to how far {x} is from a reversal level",
        stems("gate channel membran conductanc calcium sodium potassium"),
        stage=5,
        simpler=("1/(1 + exp(params[0]*{x} - params[1]))", "{x}/(1 + exp(params[0]*{x} - params[1]))", "{x}"),
    ),
)
