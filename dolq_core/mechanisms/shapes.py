"""Shapes that a description names outright: "with the square of the speed" says more than that there is drag.

A phrase is looked for in one clause at a time, and not after a negation; it speaks for the terms of its shape whatever
mechanism they stand for.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from dolq_core.mechanisms.family import forms

_LEVELLING = forms(
    "{x}/(params[0] + {x}); {y}/(params[0] + {y}); {x}*{y}/(params[0] + {x}); {x}*{y}/(params[0] + {y}); "
    "{y}*{z}/(params[0] + {y})"
)
_SHARP = forms(
    "{x}**2/(params[0] + {x}**2); {y}**2/(params[0] + {y}**2); {x}**2*{y}/(params[0] + {x}**2); "
    "{x}*{y}**2/(params[0] + {y}**2); {x}**params[1]/(params[0] + {x}**params[1]); "
    "{y}**params[1]/(params[0] + {y}**params[1]); 1/(params[0] + {y}**params[1]); 1/(params[0] + {x}**params[1]); "
    "1/(1 + exp(params[0]*{y} - params[1])); 1/(1 + exp(params[0]*{x} - params[1]))"
)
_STEADY = (
    "current drip drive feed flow force friction heat(?:ing)? inflow influx infusion input load loss power "
    "production pull push rain source stream supply thrust torque wind"
).replace(" ", "|")

_PERIODS = "day|hour|minute|month|night|orbit|second|week|year"
_OUTSIDE = (
    "ambient delivery demand drive feed force ground heater inflow influx inlet input investment leader light "
    "outdoors? outside pump rain savings? sunlight supply weather wind"
).replace(" ", "|")
"""What drives a state and is none itself: where it swings there is a rhythm; that a pendulum does says nothing."""
_SWINGS = "(?:goe?s?|moves?) up and down|oscillat(?:es?|ing)|pulses?|pulsing|rises? and falls?|swings?|swinging"

_TREATED = "chemotherapy|dosing|drug|feeding|heating|irrigation|treatment|watering"
_RUNS = "(?:follows|goes through|has|runs through)"
_OWN_CYCLE = r"(?!cell |limit )(?:\w+ )?"
"""Cycles that are set from outside: those of predators and prey, of cells or of a limit cycle need no rhythm."""
_MOVES = r"driven|drives|engine|motor|pedals?|propel\w*|pull(?:s|ed)|push(?:es|ed)|ridden|rides|thrust"
_NEAR = ".{0,60}"
"""What stands between two parts of a phrase: few letters, or a long text takes the square of its time."""
_NO_UNIT = r"(?! (?:\w+ ){0,3}(?:watts?|kilowatts?|megawatts?|kw|mw|hp|horsepower)\b)"
_DENIED = re.compile(r"\b(?:not(?! only)|no|never|neither|nor|without|hardly)\b")


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of terms, and how a description says it.

    Attributes:
        forms: templates of its terms, as those of a family.
        said: what a clause has to hold, in lower case with one space between words and no hyphens.
    """

    forms: tuple[str, ...]
    said: re.Pattern[str]


SHAPES = (
    Shape(
        forms("{x}**2; {y}**2; {x}*abs({x}); {y}*abs({y}); {x}*sqrt({x}**2 + {y}**2)"),
        re.compile(r"(?<!inverse )\bsquare of\b|\bsquared\b|\b(?:its|their|own|whose) square\b|\bquadratic(?:ally)?\b"),
    ),
    Shape(forms("{x}**3; {y}**3"), re.compile(r"\bcube of\b|\b(?:its|their|own) cube\b|\bcubed\b|\bthird power\b")),
    Shape(forms("{x}**4; {y}**4"), re.compile(r"\bfourth power\b|\b(?:black|gr[ae]y) body\b")),
    Shape(forms("{x}**5; {y}**5"), re.compile(r"\bfifth power\b")),
    Shape(
        forms("1/{x}; 1/{y}; {y}/{x}; {x}/{y}"),
        re.compile(
            rf"\bdivided by\b(?! the square)|\binversely\b(?!{_NEAR}\bsquare)|\binverse (?:of|proportion\w*)\b"
            r"|\breciprocal of\b"
        ),
    ),
    Shape(
        forms("1/{x}**2; 1/{y}**2; {y}/({y}**2 + {z}**2)**1.5; {x}/({x}**2 + {y}**2)**1.5; {y}/({x}**2 + {y}**2)**1.5"),
        re.compile(rf"\binverse square\b|\binversely\b{_NEAR}\bsquare\b|\bdivided by the square\b"),
    ),
    Shape(
        forms(
            "sqrt({x}); sqrt({y}); {x}*sqrt({y}); {y}*sqrt({x}); sqrt({x} - params[0]); sqrt({y} - params[0]); "
            "sqrt(params[0] - {x}); sqrt(params[0] - {y}); sign({x} - {y})*sqrt(abs({x} - {y}))"
        ),
        re.compile(r"\bsquare root\b|\broot of\b|\b(?:its|their) root\b"),
    ),
    Shape(
        forms(
            "{x}**params[0]; {y}**params[0]; {x}**params[0]*{y}**params[1]; {x}**params[0]/{y}**params[1]; "
            "{y}**params[0]/{x}**params[1]"
        ),
        re.compile(
            rf"\b(?:some|an?|fixed|fractional|open)(?: (?:certain|fixed|fractional|open|unknown))? power of\b{_NO_UNIT}"
            r"|\bto (?:some|a) power\b|\b(?:third|fourth|fifth) power\b|\bpower law\b|\ballometr\w*"
            r"|\b(?:less|more|slower|faster|steeper|stronger) than (?:in proportion|proportional|linear\w*)"
            r"|\bexponent\b|\bdiminishing returns\b"
        ),
    ),
    Shape(
        ("exp(params[0]*t)",),
        re.compile(
            rf"\b(?:dose|drive|feed|force|inflow|influx|input|rate|source|supply)\b{_NEAR}"
            r"\b(?:(?:decays?|dies|fades?|falls?|wears?|wanes?)(?: away| off| down)? exponentially"
            r"|(?:dies|dwindles|ebbs|fades|tails|wanes|wears) (?:away|off|out))\b"
            r"|\bexponentially (?:decaying|fading|falling|waning)\b"
        ),
    ),
    Shape(
        forms(
            "sin(params[0]*t + params[1]); {x}*sin(params[0]*t + params[1]); {y}*sin(params[0]*t + params[1]); "
            "{x}*{y}*sin(params[0]*t + params[1]); {y}*{z}*sin(params[0]*t + params[1])"
        ),
        re.compile(
            r"\bwax(?:es)? and wanes?\b|\bcomes? and goe?s?\b"
            r"|\brises? and falls? (?:along|over|through|with) (?:the|each) (?:day|month|orbit|season|tide|year)\b"
            r"|\b(?:over|through|with) the (?:time of (?:the )?(?:day|month|year)|hours? of the day)\b"
            rf"|\b(?:once|twice) (?:an?|per|each|every) (?:{_PERIODS})\b|\bpuls(?:es?|ing) regularly\b"
            rf"|\b(?:{_OUTSIDE})\b{_NEAR}\b(?:{_SWINGS})\b"
            r"|\bac (?:current|mains|source|supply|voltage)\b"
            r"|\b(?:dosed|fed|given|treated|watered) in (?:\w+ ){0,2}cycles\b"
            rf"|\b(?:{_TREATED}) cycles\b|\b(?:{_OUTSIDE}) (?:\w+ )?{_RUNS} (?:an?|its|the) {_OWN_CYCLE}cycle\b"
            r"|\bfollow(?:s|ing)? the (?:\w+ )?(?:calendar|seasons?|tides?|year)\b"
        ),
    ),
    Shape(forms("1/{x}; 1/{y}"), re.compile(rf"\b(?:{_MOVES})\b{_NEAR}\b(?:constant|fixed|steady) power\b")),
    Shape(("1",), re.compile(rf"\b(?:constant|fixed|steady|uniform) (?:{_STEADY})\b")),
    Shape(
        _LEVELLING, re.compile(r"\blevel(?:s|led|ling)? off\b|\bsaturat\w*|\bplateau\w*|\bmichaelis\b|\bupper limit\b")
    ),
    Shape(
        _SHARP,
        re.compile(
            rf"\bs shaped\b|\bsigmoid\w*|\bthreshold\b|\bsteep(?:ly)?\b(?={_NEAR}\blevel)"
            r"|\bswitch(?:es|ing) (?:from|off|on|over|smoothly)\b"
        ),
    ),
)


def shaped(clauses: Iterable[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Return (phrase, templates of terms) of every shape that a clause names."""
    texts = tuple(clauses)
    found = ((shape, text, match) for shape in SHAPES for text in texts if (match := shape.said.search(text)))
    return [(match.group(), shape.forms) for shape, text, match in found if not _DENIED.search(text, 0, match.start())]
