"""Forces with numbers inside that the fit finds."""

from dolq_core.mechanisms.family import MOTION, Family, forms, stems

FORCES: tuple[Family, ...] = (
    Family(
        "drag in thinning air",
        forms("{x}**2*exp(params[0]*{y}); {x}*abs({x})*exp(params[0]*{y})"),
        "drag with the square of {x} in a medium whose density depends exponentially on {y}",
        stems("thins thinner thinning atmospher stratospher rarefi"),
        subject=MOTION,
        stage=5,
        simpler=("{x}**2", "{x}*abs({x})", "{x}**2*{y}"),
    ),
    Family(
        "bond of two atoms",
        ("exp(-2*params[0]*{y}) - params[1]*exp(-params[0]*{y})",),
        "a bond with {y}: stiff when pressed together, and it lets go when pulled far apart (Morse)",
        stems("morse bond molecul dissoci"),
        subject=MOTION,
        stage=4,
        simpler=("exp(-{y})", "{y}"),
    ),
    Family(
        "circling the vertical",
        ("cos({x})/sin({x})**3", "cos({y})/sin({y})**3"),
        "what circles the vertical is driven away from it, the more the narrower its circle: angular momentum is kept",
        stems("momentum precess gyroscop circles circling"),
        subject=MOTION,
        stage=5,
        simpler=("1/{x}**3", "1/{y}**3"),
    ),
    Family(
        "softened central force",
        forms(
            "{y}/(params[0] + {y}**2 + params[1]*{z}**2); {y}/(params[0] + {y}**2 + {z}**2); "
            "{y}/(params[0] + {y}**2 + {z}**2)**1.5"
        ),
        "an attraction along {y} to a centre that is spread out: a soft core, a halo, a flattened mass",
        stems("halo. galax plummer softened core. cored bulge"),
        sign="-",
        subject=MOTION,
        stage=5,
        simpler=forms("{y}/({y}**2 + {z}**2); {y}/({y}**2 + {z}**2)**1.5; {y}"),
    ),
)
