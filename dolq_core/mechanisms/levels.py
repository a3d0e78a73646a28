"""Rates that know a level: above it, below it, near it, or with places that fill up."""

from dolq_core.mechanisms.family import Family, forms, stems

LEVELS: tuple[Family, ...] = (
    Family(
        "runs away near a limit",
        forms(
            "1/(params[0] - {x})**2; {x}/(params[0] - {y}); {y}/(params[0] - {x}); {x}/(params[0] - {y})**2; "
            "{y}/(params[0] - {x})**2"
        ),
        "a rate that rises ever more steeply as {x} or {y} gets near a limit",
        stems("ceiling full. fully capacity congest jam. jammed crowd steeply"),
        range="not negative",
        stage=5,
        simpler=("1/(params[0] - {x})", "{x}", "{y}", "{x}*{y}"),
    ),
    Family(
        "pull across a gap",
        ("1/(params[0] - {y})**2",),
        "a force with the inverse square of the gap that {y} leaves, as between charged plates",
        stems("electrode electrostatic"),
        range="not negative",
        stage=5,
        simpler=("1", "{y}"),
    ),
    Family(
        "what another leaves",
        ("{x}/(params[0] - {y})",),
        "a rate for each {x} that is shared out over what {y} leaves of a whole",
        stems("graz brows leftover"),
        range="not negative",
        stage=5,
        simpler=("{x}/(1 - {y})", "{x}"),
    ),
    Family(
        "root above a level",
        ("sqrt({x} - params[0])", "sqrt({y} - params[0])"),
        "outflow with the square root of what lies above a level: the sill of a weir, the pressure outside",
        stems("weir sill orific nozzle valve"),
        range="not negative",
        stage=5,
        simpler=("sqrt({x})", "sqrt({y})"),
    ),
    Family(
        "root below a level",
        ("sqrt(params[0] - {x})", "sqrt(params[0] - {y})"),
        "inflow with the square root of what is missing to a level: the pressure of a main, the water of a higher tank",
        stems("orific nozzle valve"),
        range="not negative",
        stage=5,
        simpler=("1",),
    ),
    Family(
        "above a level",
        ("({x} - params[0])**params[1]", "({y} - params[0])**params[1]"),
        "a rate that follows a power of what lies above a level: the sill of a weir, the moisture that stays",
        stems("weir sill drying"),
        range="not negative",
        stage=4,
        simpler=("sqrt({x} - params[0])", "sqrt({y} - params[0])", "{x}**params[0]", "{y}**params[0]"),
    ),
    Family(
        "below a level",
        ("(params[0] - {x})**params[1]",),
        "a rate that follows a power of what {x} lacks to a level: who can still be won, what has not reacted yet",
        stems("untapped unreacted"),
        range="not negative",
        stage=4,
        simpler=("sqrt(params[0] - {x})", "(1 - {x})**params[0]"),
    ),
    Family(
        "vacant places",
        forms(
            "(1 - {x} - {y})**2; {x}*(1 - {x} - {y})**2; {y}*(1 - {x} - {y})**2; {x}*{y}*(1 - {x} - {y})**2; "
            "{x}*{y}*(1 - {x} - {y})"
        ),
        "a rate that needs places which neither {x} nor {y} has taken",
        stems("vacan site. sites catalyst adsor"),
        range="not negative",
        stage=5,
    ),
    Family(
        "level in a ball",
        ("1/({x}*(params[0] - {x}))", "1/(sqrt({x})*(params[0] - {x}))"),
        "what flows in or out of a ball, over a surface that is widest in the middle",
        stems("ball-shaped spherical hemispherical"),
        range="not negative",
        stage=5,
    ),
    Family(
        "level in a lying cylinder",
        ("1/sqrt({x}*(params[0] - {x}))", "1/sqrt(params[0] - {x})"),
        "what flows in or out of a lying cylinder, over a surface that is widest in the middle",
        stems("lying."),
        range="not negative",
        stage=5,
    ),
)
