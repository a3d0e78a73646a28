"""What is known in general about mechanisms, as data: forms of terms, words that suggest them, what they mean.

Templates stand in the language of terms; {x} is the state whose equation it is, {y} and {z} are other variables.
Stems are beginnings of English words, or whole words where they end with a dot; a family is suggested when the
description, or the name or meaning of a variable, has a word that begins with one of them, and spoken against when the
description denies one ("without drag").
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from dolq_core.mechanisms.words import Words, begins, listed

Sign: TypeAlias = Literal["+", "-", "any"]
Stage: TypeAlias = Literal[1, 2, 3, 4, 5]
Range: TypeAlias = Literal["any", "not negative"]


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of mechanism.

    Attributes:
        name: what a person calls it.
        forms: templates of its terms.
        meaning: a sentence in which {x}, {y}, {z} are the variables' own names.
        stems: beginnings of words that suggest it.
        rises, falls: those of the stems that say the sign of its coefficient.
        sign: the sign that its coefficient has where the mechanism works as described.
        range: what its variables have to be where the mechanism works as described.
        subject: the only subject of `SUBJECTS` that it belongs to; empty where it is at home in all.
        stage: iteration from which it is tried without being suggested; 5 is never.
        plain: needs no word in the description to make sense.
        simpler: templates of what its terms become where an inner parameter has a special value or none at all; they
            are tried in place of a fitted term.
    """

    name: str
    forms: tuple[str, ...]
    meaning: str
    stems: tuple[str, ...] = ()
    rises: tuple[str, ...] = ()
    falls: tuple[str, ...] = ()
    sign: Sign = "any"
    range: Range = "any"
    subject: str = ""
    stage: Stage = 2
    plain: bool = False
    simpler: tuple[str, ...] = ()


MOTION = "motion and angles"
SUBJECTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        MOTION: (
            "angle", "angular", "turn", "rotat", "spin", "swing", "pendul", "orbit", "planet", "phase", "oscillat",
            "rhythm", "wave", "magnet", "orient", "direction", "heading", "speed", "veloc", "motion", "mov", "flight",
            "fly", "flies", "glid", "aircraft", "force", "torque", "spring", "weight", "drag", "friction", "gravit",
            "altitude", "distance", "stretch", "vibrat", "bead.", "ball.", "body", "particle", "trajector", "satellit",
        ),
        "chemistry": (
            "chemi", "react", "substance", "concentrat", "catal", "enzym", "precursor", "molecul", "compound",
            "dissolv", "solution", "inhibitor", "activator", "isomer", "dimer",
        ),
        "living things": (
            "populat", "species", "predat", "prey.", "hunt", "disease", "infect", "epidemic", "people", "cell.",
            "bacteri", "animal", "plant.", "tumo", "cancer", "yeast", "birth", "immun", "susceptib", "grazing",
        ),
        "heat and flow": ("heat", "cool", "warm", "temperature", "tank", "water", "evaporat", "boil"),
        "nerves": ("nerve", "neur", "firing", "perception", "synap"),
        "electricity": ("voltage", "capacit", "coil", "resistor", "circuit", "diode"),
    }
)  # fmt: skip
"""Words that tell what a description is about."""
ELSEWHERE = 2
"""Words on another subject from which a description is about that."""
MINOR = 0.25
"""Share of the words on subjects below which a subject is only touched."""

_OWN = ("{x}", "{x}**2", "sqrt({x})", "1/{x}", "exp({x})", "exp(-{x})", "sin({x})", "cos({x})", "log({x})", "tanh({x})")
"""Shapes of one variable; stage 4 tries the product of each with each of another variable."""

FAMILIES: tuple[Family, ...] = (
    Family(
        "rate in proportion",
        ("{x}",),
        "{x} grows or decays in proportion to itself",
        (
            "grow",
            "birth",
            "born",
            "reproduc",
            "multipl",
            "death",
            "decay",
            "loss",
            "lose",
            "recover",
            "cool",
            "relax",
            "degrad",
            "fade",
            "fading",
            "dies",
            "die.",
            "damp",
            "removed",
            "wash",
            "leak",
            "drag",
            "friction",
            "resist",
            "proportion",
            "yeast",
            "prey",
        ),
        rises=("birth", "born", "reproduc", "multipl"),
        falls=(
            "death",
            "decay",
            "loss",
            "lose",
            "recover",
            "cool",
            "degrad",
            "fade",
            "fading",
            "dies",
            "die.",
            "damp",
            "drag",
            "friction",
        ),
        stage=1,
        plain=True,
    ),
    Family(
        "constant rate",
        ("1",),
        "{x} changes at a constant rate: a supply, a loss or a level it is drawn to",
        (
            "suppl",
            "feed",
            "fed.",
            "constant",
            "steady",
            "source",
            "ambient",
            "room.",
            "immigra",
            "inflow",
            "gravit",
            "inject",
            "flows",
            "harvest",
        ),
        rises=("suppl", "feed", "fed.", "source", "immigra", "inflow", "inject"),
        falls=("harvest",),
        stage=1,
        plain=True,
    ),
    Family(
        "crowding",
        ("{x}**2",),
        "{x} meets itself: crowding, competition or drag that grows with its square",
        (
            "limit",
            "capacit",
            "compet",
            "crowd",
            "closed",
            "vessel",
            "drag",
            "aerodynam",
            "resist",
            "logist",
            "friction",
        ),
        sign="-",
        stage=1,
        plain=True,
    ),
    Family(
        "encounter",
        ("{x}*{y}",),
        "{x} and {y} meet: the rate is in proportion to both",
        (
            "contact",
            "predat",
            "prey.",
            "infect",
            "transmi",
            "bind",
            "react",
            "encount",
            "interact",
            "spread",
            "hunt",
            "meet",
            "eat",
            "consume",
            "compet",
        ),
        stage=1,
        plain=True,
    ),
    Family(
        "transfer",
        ("{y}",),
        "{y} turns into {x} or drives it in proportion",
        (
            "transf",
            "convert",
            "conversion",
            "coupl",
            "flow",
            "diffus",
            "exchang",
            "product",
            "isomer",
            "rearrang",
            "move",
            "promot",
            "drive",
            "speed",
            "veloc",
            "position",
        ),
        stage=1,
        plain=True,
    ),
    Family(
        "encounter elsewhere",
        ("{y}*{z}",),
        "{y} and {z} meet and change {x}",
        ("react", "bind", "complex", "catal", "enzyme", "rotat"),
        stage=1,
        plain=True,
    ),
    Family(
        "pairs of another",
        ("{y}**2",),
        "{x} changes with the square of {y}",
        ("dimer", "pair", "lift", "drag", "energ"),
        stage=1,
    ),
    Family(
        "third order",
        ("{x}**3", "{x}**2*{y}", "{x}*{y}**2", "{y}**3", "{y}**2*{z}", "{x}*{y}*{z}"),
        "three partners meet, or a force that stiffens: third order in the variables",
        ("autocatal", "cubic", "meet", "spring", "allee", "excit", "amplif", "nonlinear", "trimol"),
        stage=1,
    ),
    Family(
        "higher powers",
        ("{x}**4", "{x}**5", "{y}**4", "{y}**5"),
        "a force or rate that stiffens with a high power",
        ("quintic", "stiffen", "fifth", "power."),
    ),
    Family(
        "central force",
        (
            "{y}/({y}**2 + {z}**2)**1.5",
            "{y}/({y}**2 + {z}**2)",
            "{x}/({x}**2 + {y}**2)**1.5",
            "{x}/({x}**2 + {y}**2)",
            "{y}/({x}**2 + {y}**2)**1.5",
            "{y}/({x}**2 + {y}**2)",
        ),
        "an attraction along the line to the centre that weakens with distance, here along {y}",
        ("attract", "planet", "gravit", "orbit", "sun.", "star.", "moon", "satellit", "comet", "central", "vort"),
        sign="-",
        subject=MOTION,
    ),
    Family(
        "drag with direction",
        ("{x}*abs({x})", "{y}*abs({y})", "{x}*sqrt({x}**2 + {y}**2)"),
        "drag that grows with the square and always opposes the motion",
        ("drag", "friction", "aerodynam", "parachut", "resistance", "air.", "wind"),
        sign="-",
        subject=MOTION,
    ),
    Family(
        "kink",
        ("sign({x})", "abs({x})", "abs({y})", "sign({y})"),
        "a force or rate that depends on the sign alone, or on the size: dry friction, a rectifier, a relay",
        ("dry.", "friction", "coulomb", "slid", "relay", "rectif", "backlash", "piecewise"),
        stage=4,
    ),
    Family(
        "flow by a difference",
        ("{x}*abs({x} - {y})", "{y}*abs({x} - {y})", "{x}*abs({y} - {z})"),
        "{x} is carried by a flow as strong as the difference between two variables, whichever is larger",
        ("circulat", "overturn", "convect", "ventilat", "flush", "differen"),
        stage=4,
    ),
    Family(
        "angle",
        ("sin({x})", "cos({x})", "sin({y})", "cos({y})"),
        "a force or rate that depends on an angle through sine or cosine",
        (
            "angle",
            "pendul",
            "gravit",
            "magnet",
            "orient",
            "rotat",
            "phase",
            "oscillat",
            "glid",
            "swing",
            "heading",
            "weight",
        ),
        subject=MOTION,
    ),
    Family(
        "difference of angles",
        ("sin({x} - {y})", "cos({x} - {y})", "sin({x} + {y})"),
        "{x} and {y} act on each other through the angle between them",
        ("magnet", "orient", "phase", "oscillat", "coupl", "synchron", "rotat", "angle"),
        subject=MOTION,
    ),
    Family(
        "components of motion",
        (
            "{x}*cos({y})",
            "{x}*sin({y})",
            "{y}*cos({x})",
            "{y}*sin({x})",
            "cos({x})/{y}",
            "sin({x})/{y}",
            "cos({y})/{x}",
            "sin({y})/{x}",
            "{y}*cos({z})",
            "{y}*sin({z})",
            "cos({z})/{y}",
            "sin({z})/{y}",
        ),
        "a speed split by a direction, or a force across the path divided by the speed",
        ("angle", "glid", "flight", "path", "veloc", "speed", "heading", "altitude", "trajector"),
        subject=MOTION,
    ),
    Family(
        "angles together",
        ("sin({x})*cos({y})", "cos({x})*sin({y})", "sin({x})*sin({y})", "cos({x})*cos({y})", "sin({x})*cos({x})"),
        "two angles or phases act through the product of their sines and cosines",
        ("oscillat", "phase", "coupl", "angle", "rotat", "synchron"),
        subject=MOTION,
    ),
    Family(
        "steep forces",
        ("1/{x}**3", "1/{y}**3", "1/{x}**4", "1/{y}**4", "{y}**2/{x}**2", "{y}**2/{z}**2", "{x}*{y}/{z}"),
        "a force that falls steeply with distance, or one felt by what turns at a changing distance",
        (
            "orbit",
            "distanc",
            "gravit",
            "dipole",
            "repuls",
            "levitat",
            "radius",
            "radial",
            "relativ",
            "centrifug",
            "coriolis",
        ),
        subject=MOTION,
        stage=4,
    ),
    Family(
        "inverse",
        ("1/{x}", "1/{y}", "1/{x}**2", "1/{y}**2", "{y}/{x}", "{x}/{y}", "{x}*{y}/({x} + {y})"),
        "a rate that falls as its variable grows: a ratio, a repulsion, a dilution",
        ("invers", "repel", "repuls", "distanc", "dilut", "ratio", "potential", "coulomb", "gravit"),
    ),
    Family(
        "root",
        ("sqrt({x})", "sqrt({y})", "sign({x} - {y})*sqrt(abs({x} - {y}))"),
        "outflow or growth with the square root, as from a tank or over a surface",
        ("tank", "outflow", "drain", "torricelli", "orific", "bertalanffy"),
        range="not negative",
    ),
    Family(
        "slowing growth",
        ("log({x})", "{x}*log({x})"),
        "growth that slows with the logarithm of size",
        ("tumo", "gompertz", "cancer", "ageing", "aging"),
        range="not negative",
    ),
    Family(
        "exponential",
        ("exp({x})", "exp(-{x})", "exp({y})", "exp(-{y})"),
        "a rate that depends exponentially on its variable",
        ("exponent", "diode", "arrhenius"),
    ),
    Family(
        "soft switch",
        ("tanh({x})", "tanh({y})"),
        "a response that levels off on both sides",
        ("neur", "satur", "switch", "saturat"),
    ),
    Family(
        "saturation",
        (
            "{x}/(params[0] + {x})",
            "{y}/(params[0] + {y})",
            "{x}*{y}/(params[0] + {x})",
            "{x}*{y}/(params[0] + {y})",
        ),
        "a rate that levels off when there is plenty: uptake, enzyme or appetite at its limit",
        (
            "satur",
            "michaelis",
            "enzym",
            "uptake",
            "satiat",
            "full.",
            "handl",
            "monod",
            "holling",
            "limit",
            "eat",
            "graz",
            "chemostat",
            "substrate",
        ),
        range="not negative",
        stage=3,
        simpler=("{x}", "{y}", "1", "{x}*{y}"),
    ),
    Family(
        "sharp saturation",
        (
            "{x}**2/(params[0] + {x}**2)",
            "{y}**2/(params[0] + {y}**2)",
            "{x}**2*{y}/(params[0] + {x}**2)",
            "{x}*{y}**2/(params[0] + {y}**2)",
        ),
        "a rate that rises late and then levels off: several partners act together",
        (
            "cooperat",
            "switch",
            "hill.",
            "gene.",
            "genetic",
            "express",
            "toggle",
            "outbreak",
            "threshold",
            "sharp",
            "predat",
        ),
        range="not negative",
        stage=3,
        simpler=("1", "{x}**2", "{y}", "{y}**2", "{x}**2*{y}", "{x}*{y}**2", "{x}"),
    ),
    Family(
        "inhibition",
        (
            "1/(params[0] + {x})",
            "1/(params[0] + {y})",
            "1/(params[0] + {y}**2)",
            "{x}/(params[0] + {x}**2)",
            "{x}/(params[0] + {y})",
            "{x}*{y}/(params[0] + {x}**2)",
            "{x}*{y}/(params[0] + {y}**2)",
        ),
        "a rate that is held down by plenty of a variable",
        ("inhib", "suppress", "repress", "feedback", "block", "chok"),
        range="not negative",
        sign="+",
        stage=3,
        simpler=("1", "1/{x}", "1/{y}", "{x}", "{x}/{y}", "{y}/{x}", "{x}*{y}", "1/{x}**2", "1/{y}**2"),
    ),
    Family(
        "share for each",
        ("{x}*{y}/(params[0]*{x} + {y})",),
        "a rate that depends on how much of one there is for each of the other",
        ("ratio", "share", "contois", "per head", "per capita", "interfer", "crowd", "frequency"),
        range="not negative",
        stage=4,
        simpler=("{x}", "{y}", "{x}*{y}/({x} + {y})"),
    ),
    Family(
        "two compete for a place",
        (
            "{x}*{y}/(params[0] + {x} + params[1]*{y})",
            "{x}*{y}/(params[0] + {y} + params[1]*{x})",
            "{x}/(params[0] + {x} + params[1]*{y})",
            "{y}/(params[0] + {y} + params[1]*{x})",
        ),
        "a rate that levels off with plenty of one variable and is held back by the other: both need the same place",
        ("compet", "interfer", "inhib", "crowd", "hinder", "disturb", "adsor", "beddington", "block"),
        range="not negative",
        stage=4,
        simpler=(
            "{x}/(params[0] + {x})",
            "{y}/(params[0] + {y})",
            "{x}*{y}/(params[0] + {x})",
            "{x}*{y}/(params[0] + {y})",
            "{x}*{y}/({x} + {y})",
        ),
    ),
    Family(
        "room that another makes",
        ("{x}**2/(params[0] + {y})",),
        "{x} is crowded the less the more there is of {y}",
        ("mutual", "habitat", "carrying", "support", "symbio", "host"),
        range="not negative",
        sign="-",
        stage=4,
        simpler=("{x}**2", "{x}**2/{y}"),
    ),
    Family(
        "inhibition by its own plenty",
        (
            "{x}/(params[0] + {x} + params[1]*{x}**2)",
            "{y}/(params[0] + {y} + params[1]*{y}**2)",
            "{x}*{y}/(params[0] + {x} + params[1]*{x}**2)",
            "{x}*{y}/(params[0] + {y} + params[1]*{y}**2)",
        ),
        "a rate that rises, passes its best level and is then held down by too much",
        ("inhib", "toxic", "poison", "haldane", "excess"),
        stage=4,
        simpler=(
            "{x}/(params[0] + {x})",
            "{y}/(params[0] + {y})",
            "{x}*{y}/(params[0] + {x})",
            "{x}*{y}/(params[0] + {y})",
            "{x}/(params[0] + {x}**2)",
            "{y}/(params[0] + {y}**2)",
            "{x}*{y}/(params[0] + {x}**2)",
            "{x}*{y}/(params[0] + {y}**2)",
        ),
    ),
    Family(
        "steep response",
        (
            "{x}**params[1]/(params[0] + {x}**params[1])",
            "{y}**params[1]/(params[0] + {y}**params[1])",
            "1/(params[0] + {y}**params[1])",
            "1/(params[0] + {x}**params[1])",
        ),
        "a switch whose steepness is open",
        ("hill.", "switch", "repress", "gene.", "genetic", "express", "toggle", "cooperat"),
        range="not negative",
        stage=4,
        simpler=tuple(
            form
            for n in ("", "**2", "**3", "**4", "**5", "**6")
            for form in (
                f"{{x}}{n}/(params[0] + {{x}}{n})",
                f"{{y}}{n}/(params[0] + {{y}}{n})",
                f"1/(params[0] + {{y}}{n})",
                f"1/(params[0] + {{x}}{n})",
            )
        ),
    ),
    Family(
        "sigmoid",
        (
            "1/(1 + exp(params[0]*{y} - params[1]))",
            "1/(1 + exp(params[0]*{x} - params[1]))",
            "1/(1 + exp(params[0] + params[1]*{x} + params[2]*{y}))",
        ),
        "a population answers {y} through an S-shaped curve",
        ("neur", "nerve", "sigmoid", "rival", "firing", "suppress", "perception", "threshold", "graded"),
        stage=3,
        simpler=(
            "1/(1 + exp(params[0]*{y} - params[1]))",
            "1/(1 + exp(params[0]*{x} - params[1]))",
            "1",
            "{x}",
            "{y}",
            "{x}**2",
            "{y}**2",
        ),
    ),
    Family(
        "own exponent",
        ("{x}**params[0]",),
        "{x} changes with an open power of itself",
        ("power", "allometr", "scaling", "bertalanffy"),
        range="not negative",
        stage=4,
        simpler=("1", "sqrt({x})", "{x}", "{x}**2", "{x}**3", "{x}**4", "{x}**5"),
    ),
    Family(
        "fading",
        (
            "exp(params[0]*{x})",
            "exp(params[0]*{y})",
            "{x}*exp(params[0]*{x})",
            "{x}*exp(params[0]*{y})",
            "{y}*exp(params[0]*{y})",
            "{y}*exp(params[0]*{x})",
        ),
        "a rate that rises or fades exponentially at its own pace",
        ("exponent", "ricker", "fading", "fade", "diode"),
        stage=3,
        simpler=("1", "{x}", "{y}", "{x}**2", "{y}**2", "{x}*{y}"),
    ),
    Family(
        "activation by heat",
        (
            "exp(-params[0]/{x})",
            "exp(-params[0]/{y})",
            "{x}*exp(-params[0]/{x})",
            "{x}*exp(-params[0]/{y})",
            "{y}*exp(-params[0]/{x})",
        ),
        "a rate that sets in with heat: few partners have the energy that it takes",
        ("arrhenius", "reactor", "combust", "burn", "ignit", "exotherm", "activation energy", "heat"),
        stage=4,
        simpler=("1", "{x}", "{y}", "1/{x}", "1/{y}"),
    ),
    Family(
        "own angle scale",
        ("sin(params[0]*{x})", "cos(params[0]*{x})", "sin(params[0]*{y})", "cos(params[0]*{y})"),
        "a periodic dependence with its own period",
        ("period", "wave", "lattice", "josephson", "angle"),
        subject=MOTION,
        stage=4,
        simpler=("1", "{x}", "{y}", "{x}**2", "{y}**2", "sin({x})", "cos({x})", "sin({y})", "cos({y})"),
    ),
    Family(
        "rhythm from outside",
        (
            "sin(params[0]*t + params[1])",
            "{x}*sin(params[0]*t + params[1])",
            "{y}*sin(params[0]*t + params[1])",
            "{x}*{y}*sin(params[0]*t + params[1])",
        ),
        "a rhythm in time drives {x}",
        (
            "season",
            "forcing",
            "forced",
            "daily",
            "tide.",
            "tidal",
            "rhythm",
            "drive",
            "driven",
            "annual",
            "circad",
            "alternat",
            "periodic",
            "shak",
            "summer",
            "winter",
            "yearly",
            "month",
        ),
        stage=4,
        simpler=(
            "sin(params[0]*t)",
            "cos(params[0]*t)",
            "{x}*sin(params[0]*t)",
            "{x}*cos(params[0]*t)",
            "{y}*sin(params[0]*t)",
            "{y}*cos(params[0]*t)",
            "{x}*{y}*sin(params[0]*t)",
            "{x}*{y}*cos(params[0]*t)",
        ),
    ),
    Family(
        "angle in a rhythm",
        ("sin({x})*sin(params[0]*t + params[1])", "sin({y})*sin(params[0]*t + params[1])"),
        "a rhythm in time shakes the point that an angle swings about",
        ("forcing", "forced", "rhythm", "drive", "driven", "periodic", "shak", "vibrat"),
        subject=MOTION,
        stage=4,
        simpler=(
            "sin({x})*sin(params[0]*t)",
            "sin({x})*cos(params[0]*t)",
            "sin({y})*sin(params[0]*t)",
            "sin({y})*cos(params[0]*t)",
        ),
    ),
    Family(
        "drift in time",
        ("t", "{x}*t", "{x}*exp(params[0]*t)"),
        "conditions change as time goes on",
        ("drift", "time-dependent", "ramp.", "transient", "warming"),
        stage=4,
        simpler=("1", "t", "{x}", "{x}*t"),
    ),
    Family(
        "supply that fades",
        ("exp(params[0]*t)",),
        "something that fades by itself as time goes on feeds {x}",
        ("dose", "absor", "fading", "fade", "transient", "decaying"),
        stage=5,
        simpler=("1", "t"),
    ),
    Family(
        "shapes together",
        (
            *(f"{own}*{other.replace('{x}', '{y}')}" for own in _OWN for other in _OWN),
            "sin({x})*{x}",
            "cos({x})*{x}",
            "{y}**2*sin({x})*cos({x})",
            "{y}*{z}*cos({x})",
            "{y}*{z}*sin({x})",
            "{y}/{x}**2",
            "{x}**3*{y}",
        ),
        "two one-variable shapes multiply",
        stage=4,
    ),
)


def family(name: str) -> Family:
    """Return the family of this name."""
    return next(f for f in FAMILIES if f.name == name)


def foreign(family: Family, words: Words) -> str:
    """Say that a family belongs to a subject that the description does not speak of; empty when nothing tells so."""
    if not family.subject or words.suggesting(family.stems):
        return ""
    on = {subject: [word for word in words.said if suggests(word, stems)] for subject, stems in SUBJECTS.items()}
    whole = sum(map(len, on.values()))
    most = max(on, key=lambda subject: len(on[subject]))
    if len(on[family.subject]) >= max(1.0, MINOR * whole) or len(on[most]) < ELSEWHERE:
        return ""
    return f"The description speaks of {most} ({listed(on[most][:2], chr(39))}); this belongs to {family.subject}."


def suggests(word: str, stems: Iterable[str]) -> bool:
    """Whether a word begins with one of the stems."""
    return any(begins(word, stem) for stem in stems)
