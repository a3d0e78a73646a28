"""What is known in general about mechanisms, as data: forms of terms, words that suggest them, what they mean.

Those whose terms have no number inside stand here, the others in `fitted.py`, in the order in which they are tried.
"""

from dolq_core.mechanisms.family import MOTION, Family, forms, stems
from dolq_core.mechanisms.fitted import FITTED

JOINS = stems(
    "dimer join. pairs. pairing combine recombin associate. association merge coalesc coagul aggregat annihilat"
)
"""What two partners do that become one, of one kind or of two."""

FAMILIES: tuple[Family, ...] = (
    Family(
        "rate in proportion",
        ("{x}",),
        "{x} grows or decays in proportion to itself",
        stems(
            "grow birth born reproduc multipl death decay loss lose recover cool relax degrad fade fading "
            "dies die. damp removed wash leak drag friction resist proportion dissociat apart. break. breakdown split. "
            "splits yeast prey"
        ),
        rises=stems("birth born reproduc multipl"),
        falls=stems(
            "death decay loss lose recover cool degrad fade fading dies die. damp drag friction dissociat apart. "
            "breakdown"
        ),
        stage=1,
        plain=True,
    ),
    Family(
        "constant rate",
        ("1",),
        "{x} changes at a constant rate: a supply, a loss or a level it is drawn to",
        stems("suppl feed fed. constant steady source ambient room. immigra inflow gravit inject flows harvest"),
        rises=stems("suppl feed fed. source immigra inflow inject"),
        falls=stems("harvest"),
        stage=1,
        plain=True,
    ),
    Family(
        "crowding",
        ("{x}**2",),
        "{x} meets itself: crowding, competition or drag that grows with its square",
        stems("limit capacit compet crowd drag aerodynam resist logist friction") + JOINS + stems("closed"),
        of_life=("closed",),
        sign="-",
        stage=1,
        plain=True,
    ),
    Family(
        "encounter",
        ("{x}*{y}",),
        "{x} and {y} meet: the rate is in proportion to both",
        stems("contact predat prey. infect transmi bind react encount interact spread hunt meet eat consume compet")
        + JOINS,
        stage=1,
        plain=True,
    ),
    Family(
        "transfer",
        ("{y}",),
        "{y} turns into {x} or drives it in proportion",
        stems(
            "transf convert conversion coupl flow diffus exchang product isomer rearrang move promot "
            "speed veloc position drive absor dissociat apart. break. split. splits"
        ),
        of_input="{y} drives {x} in proportion",
        only_of_inputs=("driven.",),
        stage=1,
        plain=True,
    ),
    Family(
        "encounter elsewhere",
        ("{y}*{z}",),
        "{y} and {z} meet and change {x}",
        stems("react bind complex catal enzyme rotat") + JOINS,
        stage=1,
        plain=True,
    ),
    Family(
        "pairs of another",
        ("{y}**2",),
        "{x} changes with the square of {y}",
        stems("dimer pair lift drag energ") + JOINS,
        stage=1,
    ),
    Family(
        "third order",
        forms("{x}**3; {x}**2*{y}; {x}*{y}**2; {y}**3; {y}**2*{z}; {x}*{y}*{z}; {y}*{z}*{w}"),
        "three partners meet, or a force that stiffens: third order in the variables",
        stems("autocatal cubic meet spring stiff harden soften allee threshold excit amplif nonlinear trimol"),
        stage=1,
    ),
    Family(
        "higher powers",
        ("{x}**4", "{x}**5", "{y}**4", "{y}**5"),
        "a force or rate that stiffens with a high power",
        stems("quintic stiffen fifth radiat emissiv stefan"),
    ),
    Family(
        "central force",
        forms(
            "{y}/({y}**2 + {z}**2)**1.5; {y}/({y}**2 + {z}**2); {x}/({x}**2 + {y}**2)**1.5; {x}/({x}**2 + {y}**2); "
            "{y}/({x}**2 + {y}**2)**1.5; {y}/({x}**2 + {y}**2)"
        ),
        "an attraction along the line to the centre that weakens with distance",
        stems("attract planet gravit orbit sun. star. moon satellit comet central vort"),
        sign="-",
        subject=MOTION,
    ),
    Family(
        "pull of the same strength everywhere",
        forms("{x}/sqrt({x}**2 + {y}**2); {y}/sqrt({x}**2 + {y}**2); {y}/sqrt({y}**2 + {z}**2)"),
        "a motion or force straight to or from a point, as strong near it as far off",
        stems("pursu chas. chase homing swim steer tether"),
        subject=MOTION,
        stage=5,
    ),
    Family(
        "drag with direction",
        ("{x}*abs({x})", "{y}*abs({y})", "{x}*sqrt({x}**2 + {y}**2)"),
        "drag that grows with the square and always opposes the motion",
        stems("drag friction aerodynam parachut resistance air. wind"),
        sign="-",
        subject=MOTION,
    ),
    Family(
        "kink",
        ("sign({x})", "abs({x})", "abs({y})", "sign({y})"),
        "a force or rate that depends on the sign alone, or on the size: dry friction, a rectifier, a relay",
        stems("dry. friction coulomb slid relay rectif backlash piecewise"),
        stage=4,
    ),
    Family(
        "flow by a difference",
        ("{x}*abs({x} - {y})", "{y}*abs({x} - {y})", "{x}*abs({y} - {z})"),
        "{x} is carried by a flow as strong as the difference between two variables, whichever is larger",
        stems("circulat overturn convect ventilat flush differen"),
        stage=4,
    ),
    Family(
        "angle",
        ("sin({x})", "cos({x})", "sin({y})", "cos({y})"),
        "a force or rate that depends on an angle through sine or cosine",
        stems("angle pendul gravit magnet orient rotat phase oscillat glid swing heading weight longitude azimuth"),
        subject=MOTION,
    ),
    Family(
        "difference of angles",
        ("sin({x} - {y})", "cos({x} - {y})", "sin({x} + {y})"),
        "{x} and {y} act on each other through the angle between them",
        stems("magnet orient phase oscillat coupl synchron rotat angle"),
        subject=MOTION,
    ),
    Family(
        "angle between two others",
        ("sin({y} - {z})",),
        "the angle between {y} and {z} acts on {x}: a line between two machines, a joint between two links",
        stems("generator grid coupl joint link tie. angle"),
        subject=MOTION,
    ),
    Family(
        "components of motion",
        forms(
            "{x}*cos({y}); {x}*sin({y}); {y}*cos({x}); {y}*sin({x}); cos({x})/{y}; sin({x})/{y}; cos({y})/{x}; "
            "sin({y})/{x}; {y}*cos({z}); {y}*sin({z}); cos({z})/{y}; sin({z})/{y}"
        ),
        "a speed split by a direction, or a force across the path divided by the speed",
        stems("angle glid flight path veloc speed heading altitude trajector"),
        subject=MOTION,
    ),
    Family(
        "components along a sum of angles",
        forms("{y}*cos({z} + {w}); {y}*sin({z} + {w}); {y}*cos({x} + {z}); {y}*sin({x} + {z})"),
        "{y} is split by the sum of two angles: a car's speed by heading and slip, the force on an arm's second link",
        stems("heading slip steer vehicle car. wheel arm. joint link. robot"),
        subject=MOTION,
        stage=4,
    ),
    Family(
        "angles together",
        forms(
            "sin({x})*cos({y}); cos({x})*sin({y}); sin({x})*sin({y}); cos({x})*cos({y}); sin({x})*cos({x}); "
            "sin({y})*cos({y})"
        ),
        "two angles or phases act through the product of their sines and cosines",
        stems("oscillat phase coupl angle rotat synchron longitude"),
        subject=MOTION,
    ),
    Family(
        "steep forces",
        ("1/{x}**3", "1/{y}**3", "1/{x}**4", "1/{y}**4", "{y}**2/{x}**2", "{y}**2/{z}**2", "{x}*{y}/{z}"),
        "a force that falls steeply with distance, or one felt by what turns at a changing distance",
        stems("orbit distanc gravit dipole repuls levitat radius radial relativ centrifug coriolis"),
        subject=MOTION,
        stage=4,
    ),
    Family(
        "inverse",
        ("1/{x}", "1/{y}", "1/{x}**2", "1/{y}**2", "{y}/{x}", "{x}/{y}", "{x}*{y}/({x} + {y})"),
        "a rate that falls as its variable grows: a ratio, a repulsion, a dilution",
        stems("invers repel repuls distanc dilut ratio potential coulomb gravit"),
    ),
    Family(
        "root",
        ("sqrt({x})", "sqrt({y})", "sign({x} - {y})*sqrt(abs({x} - {y}))"),
        "outflow or growth with the square root, as from a tank or over a surface",
        stems("tank outflow drain torricelli orific bertalanffy"),
        range="not negative",
    ),
    Family(
        "surface of what shrinks",
        ("{x}**(2/3)", "{x}**(5/3)", "{y}**(2/3)", "{x}**(2/3)*{y}"),
        "what goes on at the surface of grains or drops, which shrinks with what is left of them",
        stems("dissol grain tablet droplet shrink"),
        range="not negative",
        stage=5,
    ),
    Family(
        "by the size of another",
        forms("{x}*abs({y}); {y}*abs({x})"),
        "a rate that goes with the size of one variable, whatever its sign, times another, as in hysteresis",
        stems("hystere magnitude whichever"),
        stage=3,
    ),
    Family(
        "slowing growth",
        ("log({x})", "{x}*log({x})", "log({y})"),
        "a rate that slows with the logarithm: growth near its full size, a response to doublings",
        stems("tumo gompertz cancer ageing aging logarithm"),
        range="not negative",
    ),
    Family(
        "exponential",
        ("exp({x})", "exp(-{x})", "exp({y})", "exp(-{y})"),
        "a rate that depends exponentially on its variable",
        stems("exponent diode arrhenius"),
    ),
    Family(
        "soft switch",
        ("tanh({x})", "tanh({y})"),
        "a response that levels off on both sides",
        stems("neur satur switch saturat"),
    ),
    *FITTED,
)


def family(name: str) -> Family:
    """Return the family of this name."""
    return next(f for f in FAMILIES if f.name == name)
