"""Families whose terms change with time itself: rhythms, drifts, and supplies that come and go."""

from dolq_core.mechanisms.family import MOTION, Family, forms, stems

IN_TIME: tuple[Family, ...] = (
    Family(
        "rhythm from outside",
        forms(
            "sin(params[0]*t + params[1]); {x}*sin(params[0]*t + params[1]); {y}*sin(params[0]*t + params[1]); "
            "{x}*{y}*sin(params[0]*t + params[1]); {y}*{z}*sin(params[0]*t + params[1])"
        ),
        "a rhythm in time drives {x}",
        stems(
            "season forcing forced daily tide. tidal rhythm drive driven annual circad alternat periodic shak "
            "summer winter yearly month diurnal night sine. sinusoid paced pulsed modulat cyclic"
        ),
        stage=4,
        simpler=forms(
            "sin(params[0]*t); cos(params[0]*t); {x}*sin(params[0]*t); {x}*cos(params[0]*t); {y}*sin(params[0]*t); "
            "{y}*cos(params[0]*t); {x}*{y}*sin(params[0]*t); {x}*{y}*cos(params[0]*t); {y}*{z}*sin(params[0]*t); "
            "{y}*{z}*cos(params[0]*t)"
        ),
    ),
    Family(
        "rhythm of crowding",
        ("{x}**2*sin(params[0]*t + params[1])",),
        "{x} meets itself, more at one time than at another: the rate of a growth that crowding limits has a rhythm",
        stems("season daily tide. tidal rhythm diurnal annual yearly circad cyclic periodic wax modulat rains"),
        stage=5,
        simpler=forms("{x}**2*sin(params[0]*t); {x}**2*cos(params[0]*t)"),
    ),
    Family(
        "rhythm shared out",
        ("sin(params[0]*t + params[1])/{x}", "sin(params[0]*t + params[1])/{y}"),
        "what comes in a rhythm in time is spread over {x} or {y}: the more of it there is, the less each part gets",
        stems("season daily tide. tidal rhythm diurnal summer annual yearly sunrise daylight"),
        stage=4,
        simpler=forms("sin(params[0]*t)/{x}; cos(params[0]*t)/{x}; sin(params[0]*t)/{y}; cos(params[0]*t)/{y}"),
    ),
    Family(
        "angle in a rhythm",
        ("sin({x})*sin(params[0]*t + params[1])", "sin({y})*sin(params[0]*t + params[1])"),
        "a rhythm in time shakes the point that an angle swings about",
        stems("forcing forced rhythm drive driven periodic shak vibrat"),
        subject=MOTION,
        stage=4,
        simpler=forms(
            "sin({x})*sin(params[0]*t); sin({x})*cos(params[0]*t); sin({y})*sin(params[0]*t); sin({y})*cos(params[0]*t)"
        ),
    ),
    Family(
        "entrainment",
        ("sin({x} - params[0]*t)", "sin({x} + params[0]*t + params[1])"),
        "a rhythm from outside pulls {x} along, by the difference of the two phases",
        stems("phase. entrain clock circadian"),
        stage=5,
        simpler=("sin({x} - params[0]*t)",),
    ),
    Family(
        "drift in time",
        ("t", "{x}*t", "{x}*exp(params[0]*t)"),
        "conditions change as time goes on",
        stems("drift time-dependent ramp. transient warming"),
        stage=4,
        simpler=("1", "t", "{x}", "{x}*t"),
    ),
    Family(
        "supply that fades",
        ("exp(params[0]*t)",),
        "something that fades, or grows, by itself as time goes on feeds {x}",
        stems("dose absor fading fade transient decaying emission stomach swallow drink drank"),
        stage=5,
        simpler=("1", "t"),
    ),
    Family(
        "supply that fades slowly",
        ("1/(params[0] + t)",),
        "something that fades as one over time, as walls give off gas, feeds {x}",
        stems("outgas degas desorb vacuum aftershock hyperbolic"),
        stage=5,
        simpler=("1",),
    ),
    Family(
        "effect that wears off",
        ("{x}/(1 + exp(params[0]*t - params[1]))", "{x}*exp(params[0]*t)"),
        "what was given once acts on {x}, in proportion or at its limit, and wears off as it fades away",
        stems("antibiotic antimicrob drug dose poison pesticid herbicid wears"),
        range="not negative",
        stage=5,
        simpler=("{x}*exp(params[0]*t)", "{x}"),
    ),
    Family(
        "one wave in time",
        ("exp(-(params[0] + params[1]*t)**2)",),
        "something that comes once, swells and ebbs away feeds {x}",
        stems("rush bump. bumps hump humped burst. bolus puff pulse campaign episode storm surge peak"),
        stage=5,
        simpler=("1",),
    ),
    Family(
        "supply that comes late",
        ("t*exp(params[0]*t)",),
        "what was taken in at once reaches {x} through a second place: it rises, then fades",
        stems("meal drink drank swallow stomach gut. absor bolus peak"),
        stage=5,
        simpler=("exp(params[0]*t)", "t"),
    ),
)
