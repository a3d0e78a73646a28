"""A description may tell mechanisms; formulas are pointed out, and plain prose never is."""

import pytest

from dolq_core.bundled import bundled, load_bundled
from dolq_core.records import Dataset, Variable
from dolq_core.views.description import description_notes
from lab import campaign
from lab.campaign.tasks import problem_of

PROSE = """
The cup cools from 85 to 20 °C within 60 min.
Wind blows at 3-5 m/s from the south-west.
The density of the gas is 1.2 kg/m^3 at 20 °C.
Flow enters at a rate of 0.5 l/min and leaves at the same rate.
At t = 0 the cup is filled; at t = 60 min it is emptied.
The vessel holds N = 763 pupils, of whom 3 are ill.
Yield is given in g/(m²·d).
The heat transfer coefficient is near 15 W/(m^2*K).
Hares eat plants, and lynx eat hares/rabbits.
The light/dark cycle is 12 h/12 h.
Cells were counted twice (n = 3, mean ± sd).
The solution was diluted 1:10 and kept at pH 7.4 +/- 0.1.
A = black coffee, B = coffee with milk.
It is *very* cold, and **2 runs** were stopped early.
Growth slows as food runs out (Carlson, 1913).
The sample was taken from a 5 x 3 m plot.
A concentration of 2.5 x 10^6 cells/ml was reached after 18 h.
Acceleration due to gravity is 9.81 m/s^2, or 9.81 m s^-1 per second.
The reaction A + B goes to C without a catalyst.
Oxygen (O2) and carbon dioxide (CO2) are exchanged at the surface.
Weights are given in kg, lengths in mm, and areas in cm².
Data were digitised with C:\\tools\\digitizer, version 2.3.
Numbers are on a log scale (base 10), R² = 0.98 in the paper.
Each week, 10-20 animals/ha are removed by hunters.
The dose was 5 mg/kg/day for 14 days, i.e. 70 mg/kg.
Temperatures differ by 2-3 K between top and bottom; humidity is ~60 %.
The price was $5 in spring and $7 in autumn.
The rate is 0.3 1/h for yeast and about 0.1 h^-1 for moulds.
The stirrer runs at 200 rpm = 3.3 Hz.
The salt was NaCl at 0.9 % (w/v), in 50 mM Tris-HCl buffer.
The beam's length was L = 2.5 m and its mass m = 3 kg.
It dies off at a steady rate per animal and/or leaves.
Susceptible (S), infected (I) and recovered (R) people meet at school.
""".strip().splitlines()

DATA = Dataset("d", Variable("t", "t"), (Variable("hare", "x0", meaning="pelts sold"), Variable("I", "x1")), ())


def formulas(text):
    return [text[slice(*note.place)] for note in description_notes(text) if note.kind == "formula"]


@pytest.mark.parametrize("sentence", PROSE)
def test_plain_prose_with_numbers_and_units_is_no_formula(sentence):
    assert formulas(sentence) == []


@pytest.mark.parametrize("one", bundled(), ids=lambda one: one.id)
def test_no_story_that_comes_with_the_program_holds_a_formula(one):
    for text in (one.description, one.story, one.caveat, one.source, one.hook):
        assert formulas(text) == []
    dataset = load_bundled(one.id).dataset
    assert {note.kind for note in description_notes(one.description, dataset)} <= {"not measured"}


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("We know that dx/dt = r*x*(1 - x/K).", "dx/dt = r*x*(1 - x/K)"),
        ("The rate dN/dt falls.", "dN/dt"),
        ("d[A]/dt falls.", "d[A]/dt"),
        ("It follows x' = a x - b x y.", "x' = a x - b x y"),
        ("In short, growth = birth - death", "growth = birth - death"),
        ("S + I + R = N", "S + I + R = N"),
        ("uptake = Vmax*S/(Km + S)", "uptake = Vmax*S/(Km + S)"),
        ("The drag goes with v**2.", "v**2"),
        ("The drag goes with v^2.", "v^2"),
        ("The drag goes with v².", "v²"),
        ("It decays as exp(-k*t).", "exp(-k*t)"),
        ("The force is sin(theta).", "sin(theta)"),
        ("the term 0.4*x0*x1 matters", "0.4*x0*x1"),
        ("It has the form x/(1 + x).", "x/(1 + x)"),
        (r"The law is \frac{dx}{dt} = -kx.", r"\frac{dx}{dt} = -kx"),
        (r"We know $\dot{x} = -x$ holds.", r"$\dot{x} = -x$"),
    ],
)
def test_a_formula_is_named_with_its_place(text, quote):
    (note,) = (note for note in description_notes(text) if note.kind == "formula")
    assert quote in note.text
    first, last = note.place
    assert text[first:last] == quote


def test_the_line_of_a_formula_is_named_and_no_more_than_three_are():
    text = "It grows.\n\nx**2\nx**3\nx**4\nx**5"
    notes = description_notes(text)
    assert [text[slice(*note.place)] for note in notes] == ["x**2", "x**3", "x**4"]
    assert "in line 3 " in notes[0].text


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("", ["empty"]),
        ("  \n", ["empty"]),
        ("Something grows.", ["no variable"]),
        ("I do not know what it is.", ["no variable"]),
        ("Hares multiply.", []),
        ("What was sold were pelts.", []),
        ("Hares multiply. The lynx were not counted.", ["not measured"]),
    ],
)
def test_a_description_that_cannot_help_gets_a_hint(text, kinds):
    assert [note.kind for note in description_notes(text, DATA)] == kinds


@pytest.mark.parametrize(
    ("names", "text", "kinds"),
    [
        (("[A]", "[B]"), "Two A join to B.", []),
        (("[A]", "[C]"), "Two A join.", []),
        (("A", "C"), "Two A join.", []),
        (("[A]", "[C]"), "A vessel cools.", ["no variable"]),
        (("[X]", "[C]"), "Two A join.", ["no variable"]),
    ],
)
def test_a_name_in_brackets_is_named_by_what_is_inside(names, text, kinds):
    states = tuple(Variable(name, f"x{k}") for k, name in enumerate(names))
    assert [note.kind for note in description_notes(text, Dataset("d", Variable("t", "t"), states, ()))] == kinds


@pytest.mark.parametrize(
    ("name", "meaning", "text", "quote"),
    [
        ("u", "", "The applied voltage u turns the motor at speed w.", "applied voltage u"),
        ("u", "voltage", "The motor's speed w follows the applied voltage.", "applied voltage"),
        ("u", "applied voltage", "A motor of speed w.", "applied"),
        ("T_ambient", "", "The speed w falls.", "ambient"),
        ("q", "pump rate", "The pump rate is set by the operator, and w follows.", "pump rate is set by the operator"),
        ("u", "force", "An external push: w is moved by a force u.", ""),
        ("u", "force", "The speed w is set by the balance of u and friction. The force is controlled by w.", ""),
        ("u", "temperature above ambient", "The speed w heats u.", ""),
    ],
)
def test_a_state_that_is_called_external_may_be_an_input(name, meaning, text, quote):
    states = (Variable("w", "x0"), Variable(name, "x1", meaning=meaning))
    notes = description_notes(text, Dataset("d", Variable("t", "t"), states, ()))
    said = f"“{quote}”: if {name} is set from outside and has no law here, make it an input."
    assert [note.text for note in notes] == ([said] if quote else [])


def test_a_single_state_is_no_input():
    states = (Variable("u", "x0", meaning="applied voltage"),)
    assert description_notes("The voltage u.", Dataset("d", Variable("t", "t"), states, ())) == ()


@pytest.mark.parametrize("suite", ["textbook", "open", "trades-aside", "typed-aside", "notebooks-aside"])
def test_no_state_of_a_suite_is_taken_for_an_input(suite):
    for case in campaign.read_suite(suite):
        given = problem_of(campaign.Task(suite, case))
        assert "from outside" not in {note.kind for note in description_notes(given.description, given.dataset)}
