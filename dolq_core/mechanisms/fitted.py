"""Families whose terms have numbers inside that the fit finds, and products of shapes."""

from dolq_core.mechanisms.family import MOTION, Family, forms, stems
from dolq_core.mechanisms.forces import FORCES
from dolq_core.mechanisms.heat import HEAT
from dolq_core.mechanisms.in_time import IN_TIME
from dolq_core.mechanisms.levels import LEVELS
from dolq_core.mechanisms.steep import STEEP

_OWN = ("{x}", "{x}**2", "sqrt({x})", "1/{x}", "exp({x})", "exp(-{x})", "sin({x})", "cos({x})", "log({x})", "tanh({x})")
"""Shapes of one variable; stage 4 tries the product of each with each of another variable."""

FITTED: tuple[Family, ...] = (
    Family(
        "saturation",
        forms(
            "{x}/(params[0] + {x}); {y}/(params[0] + {y}); {x}*{y}/(params[0] + {x}); {x}*{y}/(params[0] + {y}); "
            "{y}*{z}/(params[0] + {y})"
        ),
        "a rate that levels off when there is plenty: uptake, enzyme or appetite at its limit",
        stems("satur michaelis enzym uptake satiat full. handl monod holling limit eat graz chemostat substrate"),
        range="not negative",
        stage=3,
        simpler=("{x}", "{y}", "1", "{x}*{y}"),
    ),
    Family(
        "saturation held back",
        forms("{x}*{y}*{z}/(params[0] + {y}); {x}*{y}*{z}/(params[0] + {x}); {x}**2*{y}/(params[0] + {y})"),
        "a rate that levels off with {y} and that a product, or its own plenty, holds back in proportion",
        stems("inhib ferment"),
        range="not negative",
        stage=4,
        simpler=("{x}*{y}*{z}", "{x}*{z}", "{y}*{z}", "{x}**2*{y}", "{x}**2"),
    ),
    Family(
        "saturation that a third chokes",
        forms(
            "{x}*{y}/(params[0] + {y})*exp(-params[1]*{z}); {x}*{y}/(params[0] + {x})*exp(-params[1]*{z}); "
            "{y}*{z}/(params[0] + {z})*exp(-params[1]*{x}); {x}*{y}/((params[0] + {y})*(params[1] + {z})); "
            "{x}*{y}/((params[0] + {x})*(params[1] + {z})); {y}*{z}/((params[0] + {z})*(params[1] + {x}))"
        ),
        "a rate that levels off with one variable and that another holds down more and more, never quite to nothing",
        stems("inhib ferment chok poison toxic slows."),
        range="not negative",
        stage=5,
        simpler=forms("{x}*{y}/(params[0] + {y}); {x}*{y}/(params[0] + {x}); {y}*{z}/(params[0] + {z})"),
    ),
    Family(
        "saturation that another chokes",
        forms(
            "{x}/((params[0] + {x})*(params[1] + {y})); {y}/((params[0] + {y})*(params[1] + {x})); "
            "{y}/((params[0] + {y})*(params[1] + {z}))"
        ),
        "a rate that levels off with one variable and that another holds down, however much there is of the first",
        stems("inhib chok poison toxic"),
        range="not negative",
        stage=5,
        simpler=forms(
            "{x}/(params[0] + {x}); {y}/(params[0] + {y}); 1/(params[0] + {x}); 1/(params[0] + {y}); "
            "{x}/(params[0] + {y}); {y}/(params[0] + {x})"
        ),
    ),
    Family(
        "two limits at once",
        forms(
            "{x}*{y}/((params[0] + {x})*(params[1] + {y})); {y}*{z}/((params[0] + {y})*(params[1] + {z})); "
            "{x}*{y}*{z}/((params[0] + {y})*(params[1] + {z}))"
        ),
        "a rate that levels off with each of two: both are needed, or hunters are in each other's way",
        stems("interfer crowley dual double co-limit colimit"),
        range="not negative",
        stage=5,
        simpler=forms(
            "{x}*{y}/(params[0] + {x}); {x}*{y}/(params[0] + {y}); {y}*{z}/(params[0] + {y}); {x}*{y}; {y}*{z}"
        ),
    ),
    Family(
        "crowded surface",
        forms("{x}/(params[0] + {x})**2; {y}/(params[0] + {y})**2; {x}*{y}/(params[0] + {x})**2"),
        "a rate that needs a place beside another on a surface: it falls again where one kind takes them all",
        stems("adsor surface cataly langmuir hinshelwood crowd"),
        range="not negative",
        stage=5,
        simpler=forms("{x}; {y}; {x}*{y}; {x}/(params[0] + {x}); {y}/(params[0] + {y}); 1/{x}; 1/{y}"),
    ),
    Family(
        "light through a depth",
        ("log(1 + params[0]*exp(-{x}/params[1]))",),
        "growth of all that stands in a depth of which {x} takes the light, at its limit where there is plenty",
        stems("shade shades shaded shading self-shad canopy turbid"),
        range="not negative",
        stage=5,
        simpler=("{x}", "1"),
    ),
    Family(
        "sharp saturation",
        forms(
            "{x}**2/(params[0] + {x}**2); {y}**2/(params[0] + {y}**2); {x}**2*{y}/(params[0] + {x}**2); "
            "{x}*{y}**2/(params[0] + {y}**2); {y}**2*{z}/(params[0] + {y}**2)"
        ),
        "a rate that rises late and then levels off: several partners act together",
        stems("cooperat switch hill. gene. genetic express toggle outbreak threshold sharp predat sigmoid"),
        range="not negative",
        stage=3,
        simpler=("1", "{x}**2", "{y}", "{y}**2", "{x}**2*{y}", "{x}*{y}**2", "{x}", "{y}**2*{z}", "{y}*{z}"),
    ),
    Family(
        "inhibition",
        forms(
            "1/(params[0] + {x}); 1/(params[0] + {y}); 1/(params[0] + {y}**2); {x}/(params[0] + {x}**2); "
            "{x}/(params[0] + {y}); {y}/(params[0] + {x}); {x}*{y}/(params[0] + {x}**2); {x}*{y}/(params[0] + {y}**2)"
        ),
        "a rate that is held down by plenty of a variable",
        stems("inhib suppress repress feedback block chok cooperat gene. genetic"),
        range="not negative",
        sign="+",
        stage=3,
        simpler=("1", "1/{x}", "1/{y}", "{x}", "{x}/{y}", "{y}/{x}", "{x}*{y}", "1/{x}**2", "1/{y}**2"),
    ),
    Family(
        "what is left",
        ("1/(params[0] - {x})",),
        "a rate that depends on what {x} leaves of a whole: it falls or runs away where nothing is left",
        stems("saturat share fraction ceiling phosph packing jam. jammed queue"),
        range="not negative",
        stage=4,
        simpler=("1", "{x}", "{x}**2"),
    ),
    Family(
        "share for each",
        ("{x}*{y}/(params[0]*{x} + {y})",),
        "a rate that depends on how much of one there is for each of the other",
        stems("ratio share contois interfer crowd frequency"),
        range="not negative",
        stage=4,
        simpler=("{x}", "{y}", "{x}*{y}/({x} + {y})"),
    ),
    Family(
        "two compete for a place",
        forms(
            "{x}*{y}/(params[0] + {x} + params[1]*{y}); {x}*{y}/(params[0] + {y} + params[1]*{x}); "
            "{x}/(params[0] + {x} + params[1]*{y}); {y}/(params[0] + {y} + params[1]*{x})"
        ),
        "a rate that levels off with plenty of one variable and is held back by the other: both need the same place",
        stems("compet interfer inhib crowd hinder disturb adsor beddington block"),
        range="not negative",
        stage=4,
        simpler=forms(
            "{x}/(params[0] + {x}); {y}/(params[0] + {y}); {x}*{y}/(params[0] + {x}); {x}*{y}/(params[0] + {y}); "
            "{x}*{y}/({x} + {y})"
        ),
    ),
    Family(
        "saturation with the sum of two",
        forms(
            "({x} + {y})/(params[0] + {x} + {y}); {x}/(params[0] + {x} + {y}); {y}/(params[0] + {x} + {y}); "
            "1/(params[0] + {x} + {y})"
        ),
        "a rate that levels off with how much there is of {x} and {y} together",
        stems("whole total colony combined compet proteas"),
        range="not negative",
        stage=5,
        simpler=("1", "{x}", "{y}"),
    ),
    Family(
        "switch between two enzymes",
        ("{y}*(1 - {x})/((params[0] + {y})*(params[1] - {x}))",),
        "an enzyme that {y} works, levelling off with it, on the part of {x} that is left",
        stems("kinase phosphoryl protease"),
        range="not negative",
        stage=5,
        simpler=forms("{y}*(1 - {x})/(params[0] + {y}); {y}/(params[0] + {y}); {y}/(params[0] - {x}); {y}"),
    ),
    Family(
        "expanding space",
        ("sqrt(params[0]/{x} + params[1]/{x}**2 + {x}**2)",),
        "space grows as the root of what matter, radiation and empty space make up",
        stems("universe cosmolog friedmann hubble"),
        range="not negative",
        stage=5,
        simpler=forms(
            "sqrt(params[0]/{x} + {x}**2); sqrt(params[0]/{x}**2 + {x}**2); sqrt(params[0]/{x} + 1/{x}**2); "
            "sqrt(params[0] + {x}**2); sqrt(params[0] + 1/{x}); {x}; 1/sqrt({x}); 1/{x}"
        ),
    ),
    Family(
        "room that another makes",
        ("{x}**2/(params[0] + {y})",),
        "{x} is crowded the less the more there is of {y}",
        stems("mutual habitat carrying support symbio host"),
        range="not negative",
        sign="-",
        stage=4,
        simpler=("{x}**2", "{x}**2/{y}"),
    ),
    Family(
        "inhibition by its own plenty",
        forms(
            "{x}/(params[0] + {x} + params[1]*{x}**2); {y}/(params[0] + {y} + params[1]*{y}**2); "
            "{x}*{y}/(params[0] + {x} + params[1]*{x}**2); {x}*{y}/(params[0] + {y} + params[1]*{y}**2)"
        ),
        "a rate that rises, passes its best level and is then held down by too much",
        stems("inhib toxic poison haldane excess"),
        stage=4,
        simpler=forms(
            "{x}/(params[0] + {x}); {y}/(params[0] + {y}); {x}*{y}/(params[0] + {x}); {x}*{y}/(params[0] + {y}); "
            "{x}/(params[0] + {x}**2); {y}/(params[0] + {y}**2); {x}*{y}/(params[0] + {x}**2); "
            "{x}*{y}/(params[0] + {y}**2)"
        ),
    ),
    *STEEP,
    Family(
        "own exponent",
        ("{x}**params[0]", "{y}**params[0]"),
        "a rate that follows an open power: of a surface, of a body's size, of a level above a weir",
        stems("allometr scaling surface metabol weir bertalanffy"),
        range="not negative",
        stage=4,
        simpler=(
            "1",
            *(
                f"{variable}**({exponent})"
                for variable in ("{x}", "{y}")
                for exponent in ("1/3", "1/2", "2/3", "3/4", "1", "5/4", "3/2", "5/3", "2", "5/2", "3", "4", "5")
            ),
        ),
    ),
    Family(
        "falling power",
        ("1/{x}**params[0]", "1/{y}**params[0]"),
        "a rate that falls with an open power of {x} or {y}: a resistance that grows, a force that fades with distance",
        stems("filament tungsten invers"),
        range="not negative",
        stage=4,
        simpler=forms(
            "1; 1/{x}; 1/{y}; 1/{x}**2; 1/{y}**2; 1/{x}**3; 1/{y}**3; 1/sqrt({x}); 1/sqrt({y}); 1/{x}**1.5; 1/{y}**1.5"
        ),
    ),
    Family(
        "open powers together",
        forms("{x}**params[0]*{y}**params[1]; {x}**params[0]/{y}**params[1]; {y}**params[0]/{x}**params[1]"),
        "a rate that follows a power of each of two variables, as of two factors of production or two signals",
        stems("allometr scaling elasticit cobb douglas synerg autocrine paracrine"),
        range="not negative",
        stage=4,
        simpler=forms(
            "{x}**params[0]*{y}; {x}*{y}**params[0]; {x}**params[0]/{y}; {x}/{y}**params[0]; {y}**params[0]/{x}; "
            "{y}/{x}**params[0]; {x}**params[0]; {y}**params[0]"
        ),
    ),
    *LEVELS,
    Family(
        "change of mind",
        ("(1 - {x})*exp(params[0]*{x})", "(1 + {x})*exp(params[0]*{x})"),
        "those who are on one side go over to the other at a rate that depends exponentially on {x}",
        stems("opinion mood attitude vote voting referendum"),
        stage=5,
    ),
    Family(
        "fading",
        forms(
            "exp(params[0]*{x}); exp(params[0]*{y}); {x}*exp(params[0]*{x}); {x}*exp(params[0]*{y}); "
            "{y}*exp(params[0]*{y}); {y}*exp(params[0]*{x})"
        ),
        "a rate that rises or fades exponentially at its own pace",
        stems("exponent ricker recruit spawn cannibal fading fade diode"),
        stage=3,
        simpler=("1", "{x}", "{y}", "{x}**2", "{y}**2", "{x}*{y}"),
    ),
    Family(
        "meeting that fades",
        forms("{x}*{y}*exp(params[0]*{x}); {x}*{y}*exp(params[0]*{y})"),
        "partners that meet less, or more, the more there are of one: caution, crowding, hiding",
        stems("exponent cautio careful avoid fading fade ricker"),
        range="not negative",
        stage=4,
        simpler=("{x}*{y}", "{x}**2*{y}", "{x}*{y}**2"),
    ),
    Family(
        "deterred by a share",
        ("{x}*exp(params[0]*{y}/{x})",),
        "a rate for each {x} that depends exponentially on how much {y} there is for each {x}",
        stems("deters deterred deterrent discourag"),
        range="not negative",
        stage=5,
        simpler=("{x}", "{x}*exp(params[0]*{y})"),
    ),
    Family(
        "exchange by a flow",
        ("{x}*abs({y} - params[0]*{x})",),
        "a flow that carries {x} away, as strong as two of them differ, whichever way it runs",
        stems("whichever. overturn thermohalin"),
        stage=5,
        simpler=("{x}", "{x}**2", "{x}*{y}", "{x}*abs({x})", "{x}*abs({y})"),
    ),
    Family(
        "straight pieces",
        forms("abs({x} + params[0]) - abs({x} - params[0]); abs({y} + params[0]) - abs({y} - params[0])"),
        "straight between two kinks and level beyond them: a diode, an amplifier at its limit, a clipped signal",
        stems("piecewise pieces kink diode clip limiter amplif rails chua"),
        stage=4,
        simpler=forms("{x}; {y}; sign({x}); sign({y})"),
    ),
    Family(
        "two camps",
        forms("(1 - {x})*{x}**params[0]; {x}*(1 - {x})**params[0]"),
        "members of one camp go over to the other at a rate that grows with a power of its share",
        stems("language tongue prestige faction speakers"),
        range="not negative",
        stage=5,
        simpler=("{x}", "{x}**2", "{x}**3"),
    ),
    Family(
        "degree of conversion",
        forms(
            "(1 - {x})**params[0]; {x}**params[0]*(1 - {x})**params[1]; "
            "(params[0] + {x}**params[1])*(1 - {x})**params[2]"
        ),
        "what is left, to an open order, turns over, helped by what has turned already",
        stems("cure. cured curing resin epoxy crystalli conversion autocatal hydration sinter"),
        range="not negative",
        stage=5,
        simpler=forms("1; {x}; {x}**2; {x}*(1 - {x})**params[0]; {x}**params[0]*(1 - {x})**params[1]"),
    ),
    Family(
        "nuclei that grow",
        ("(1 - {x})*(-log(1 - {x}))**params[0]",),
        "what has not turned over is taken by nuclei that grow until they meet (Avrami)",
        stems("avrami nuclei nucleat spherulit crystalli recrystalli"),
        range="not negative",
        stage=5,
        simpler=forms(
            "1 - {x}; (1 - {x})*sqrt(-log(1 - {x})); (1 - {x})*(-log(1 - {x}))**(2/3); (1 - {x})*(-log(1 - {x}))**(3/4)"
        ),
    ),
    *HEAT,
    Family(
        "soft step",
        ("tanh(params[0]*{x})", "tanh(params[0]*{y})"),
        "a response that turns over at zero and levels off on both sides: dry friction, a relay, a saturated coil",
        stems("dry. coulomb slid relay rub. rubs. rubbing"),
        stage=3,
        simpler=("{x}", "{y}", "sign({x})", "sign({y})", "tanh({x})", "tanh({y})"),
    ),
    *FORCES,
    Family(
        "own angle scale",
        ("sin(params[0]*{x})", "cos(params[0]*{x})", "sin(params[0]*{y})", "cos(params[0]*{y})"),
        "a periodic dependence with its own period",
        stems("period wave lattice josephson angle longitude"),
        subject=MOTION,
        stage=4,
        simpler=forms(
            "1; {x}; {y}; {x}**2; {y}**2; sin({x}); cos({x}); sin({y}); cos({y}); sin(2*{x}); cos(2*{x}); sin(2*{y}); "
            "cos(2*{y})"
        ),
    ),
    *IN_TIME,
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
