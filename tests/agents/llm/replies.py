"""Replies of language models for tests, as a model would write them."""

import json
from collections.abc import Mapping, Sequence

Hypothesis = Mapping[str, Sequence[str]]


def proposal(*hypotheses: Hypothesis) -> str:
    """A Sampler's reply: each hypothesis is terms by variable."""
    return json.dumps(
        {
            "hypotheses": [
                {
                    "equations": [
                        {"variable": name, "terms": [{"term": t, "reason": f"{t} may act on {name}."} for t in terms]}
                        for name, terms in hypothesis.items()
                    ]
                }
                for hypothesis in hypotheses
            ]
        }
    )


def grades(insight: str = "Go on.", **by_variable: Mapping[str, str]) -> str:
    """A Scientist's reply: grades by term, by variable."""
    said = [
        {"variable": name, "term": term, "grade": grade, "reason": f"{term} is {grade} in {name}."}
        for name, terms in by_variable.items()
        for term, grade in terms.items()
    ]
    return json.dumps({"grades": said, "insight": insight})


TRUE_2 = {"x0": ["x0**2", "sin(x1)"], "x1": ["x0", "cos(x1)/x0"]}
SYSTEM_2 = (
    proposal({"x0": ["x0", "x1"], "x1": ["x0", "x1"]}, {"x0": ["x0**2", "1"], "x1": ["x0", "1"]}),
    grades(
        "Resistance grows with the square of the speed; the weight along the path is missing.",
        x0={"x0**2": "good", "1": "bad", "x0": "neutral", "x1": "neutral"},
        x1={"x0": "good", "1": "neutral", "x1": "bad"},
    ),
    proposal({"x0": ["x0**2", "sin(x1)"], "x1": ["x0", "cos(x1)"]}),
    grades(
        "The speed is understood. The turn of the path needs the weight across it over the speed.",
        x0={"x0**2": "good", "sin(x1)": "good"},
        x1={"x0": "good", "cos(x1)": "neutral"},
    ),
    proposal(TRUE_2),
    grades(
        "Resistance, weight along and across the path, lift: nothing is missing.",
        x0={"x0**2": "good", "sin(x1)": "good"},
        x1={"x0": "good", "cos(x1)/x0": "good"},
    ),
)
"""A conversation that finds the glider of system 2 in three iterations."""
