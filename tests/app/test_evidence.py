"""What the evidence pages say: the aim of the fits, what failed, the plane of two states, the decisions."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core import runs
from dolq_core.bundled import generate
from dolq_core.data import read_table, understand
from dolq_core.records import Intervention, Problem, Settings, TermKey, TermNote
from dolq_core.views.equations import panels
from dolq_core.views.rivals import identifiability
from pages.ui import words
from tests.app.scenes import app, disputed, press, read, shown
from tests.every import every
from tests.loop.states import logistic_problem
from tests.stored import fitted, found, scripted


def failing() -> str:
    """Store a run whose second hypothesis has a pole on the data, and whose third has no real value anywhere."""
    return scripted(
        logistic_problem(60), [[["x", "x**2"]], [["x", "1/(x-0.1)"]], [["log(-exp(params[0]*x))"]]], name="Failing"
    ).id


def test_the_aim_of_the_fits_is_said_with_its_reason_and_its_units():
    at = app("discover", disputed())
    said = read(at)
    assert "**Weighted means of the rates (weak form).**" in said
    assert "Weak form on the samples themselves: 60 samples per run" in said
    (table,) = [table.value for table in at.table if "Error of the rate" in table.value]
    assert list(table["State"]) == ["x"]


def test_the_error_of_a_rate_has_its_unit_and_no_one_in_it():
    given = logistic_problem(60)
    timed = replace(given, dataset=replace(given.dataset, time=replace(given.dataset.time, unit="day")))
    at = app("discover", scripted(timed, [[["x", "x**2"]]]).id)
    (table,) = [table.value for table in at.table if "Error of the rate" in table.value]
    (said,) = table["Error of the rate"]
    assert said.endswith(" per day")
    assert "× 1" not in said


def test_every_fit_that_failed_is_shown_with_its_reason():
    said = read(app("discover", failing()))
    assert "1 proposal refused, 1 fit failed in iteration 1" in said
    assert "(dx/dt): not finite where x = 0.1" in said
    assert "(dx/dt, hypothesis 3): " in said


def test_a_term_that_the_data_cannot_tell_from_the_others_is_said_under_its_equation():
    run = scripted(logistic_problem(60), [[["x", "x**2", "x*(1 - x)"]]])
    assert "on these data a combination of the other terms, or zero" in read(app("discover", run.id))


def test_the_persons_word_is_counted_in_the_words_of_the_heatmap():
    run = disputed(2)
    runs.intervene(runs.open_store(), run, Intervention(ban=(TermNote(TermKey(0, "x"), "no"),)))
    at = app("discover", run)
    (chart,) = [c.proto.alt for c in at.get("plotly_chart") if "decided" in c.proto.alt]
    assert "x: 1 kept, 1 removed, 1 by you" in chart


@pytest.fixture
def glider() -> str:
    return found(generate(2, points=200), runs.open_store(), steps=1).id


def test_two_states_have_a_phase_portrait_told_in_numbers(glider):
    at = app("discover", glider)
    assert "**Phase plane.** Nullclines: dashed x0, dotted x1." in shown(at)
    (alt,) = [c.proto.alt for c in at.get("plotly_chart") if "Phase" in c.proto.alt]
    assert alt.startswith("Phase portrait of x0 and x1 with the flow of the discovered law. x0 from 0.00 to")
    assert "The run starts at (5.00, 0.700)" in alt


def test_one_state_has_no_phase_portrait():
    assert "**Phase plane.**" not in shown(app("discover", disputed()))


def test_the_held_out_part_has_its_own_answer(glider):
    at = app("discover", glider)
    assert "Held-out part: yes" in shown(at)
    (alt,) = [c.proto.alt for c in at.get("plotly_chart") if c.proto.alt.startswith("Measured")]
    assert "On the held-out part, grey: x0" in alt


def test_a_run_that_is_held_out_whole_is_named_and_has_its_own_error():
    store, problem = runs.open_store(), logistic_problem(60)
    (first,) = problem.dataset.trajectories
    both = tuple(replace(first, label=label) for label in ("one", "two"))
    several = replace(problem, dataset=replace(problem.dataset, trajectories=both))
    run = runs.start(store, several, Settings(held_out=0.0, held_out_runs=("two",)), name="Two runs")
    runs.step_once(store, run)
    at = app("discover", run)
    assert "○ one · □ two (held out) · :blue[— model] · grey marks: held out" in read(at)
    (alt,) = [c.proto.alt for c in at.get("plotly_chart") if c.proto.alt.startswith("Measured")]
    assert "On the held-out run, grey: x" in alt
    assert "Held-out run: yes" in read(at)
    assert "** held out." in read(app("equations", run))


def test_scores_and_intervals_stand_beside_the_equation(glider):
    at = app("equations", glider)
    said = read(at)
    assert "cross-validated" in said
    assert "** held out." in said
    assert "finally on all rows" in said
    assert "Errors and curves: of coefficients that have not seen the held-out part." in said
    (panel, _) = panels(runs.load(runs.open_store(), glider))
    told = at.table[0].value["95 % interval"].iloc[0].replace("\N{MINUS SIGN}", "-")
    low, high = re.split(r"\sto\s", told)
    assert float(low) <= panel.terms[0].coefficient <= float(high)


def test_the_front_of_every_equation_is_drawn_and_told(glider):
    at = app("equations", glider)
    fronts = [c.proto.alt for c in at.get("plotly_chart") if c.proto.alt.startswith("Front")]
    assert [alt.split(":")[0] for alt in fronts] == ["Front of x0", "Front of x1"]
    assert every("Shown: " in alt for alt in fronts)
    assert every("least error on held-out data" in alt for alt in fronts)
    assert "the error of the rate as first fitted, held out. Click one to see it." in read(at)


def test_the_knee_is_told_where_a_front_has_one(glider, monkeypatch):
    monkeypatch.setattr("dolq_core.views.rivals.knee", lambda points: 0)
    assert "held out. Right of the knee more terms bring little. Click one" in read(app("equations", glider))


def test_a_table_of_coefficients_holds_numbers_and_the_reasons_stand_below(glider):
    at = app("equations", glider)
    assert list(at.table[0].value) == ["Term", "Coefficient", "95 % interval", "Decided"]
    assert [expander.label for expander in at.expander] == ["Why these terms", "Why these terms"]


def test_two_coefficients_have_one_correlation_in_words(glider):
    (first, _) = panels(runs.load(runs.open_store(), glider))
    r = first.correlation.values[0][1]
    assert f"Correlation of the two coefficients: {r:.2f}".replace("-", "\N{MINUS SIGN}") in read(
        app("equations", glider)
    )


def test_tied_coefficients_are_said_and_all_correlations_drawn():
    run = scripted(logistic_problem(60), [[["x", "x**2", "sin(x)"]]])
    at = app("equations", run.id)
    (panel,) = panels(run)
    assert "fix only the" in panel.correlation.words
    assert panel.correlation.words in read(at)
    (alt,) = [c.proto.alt for c in at.get("plotly_chart") if c.proto.alt.startswith("Correlation")]
    assert alt.startswith("Correlation of the coefficients of dx/dt: ")
    assert alt.count(" and ") == 3


def test_laws_that_fit_as_well_are_counted_and_the_next_experiment_lies_in_the_range_that_was_typed():
    ambiguous = found(generate(4, noise=0.01, points=60, seed=1), runs.open_store(), steps=1)
    at, tied = app("equations", ambiguous.id), identifiability(ambiguous)
    assert not at.exception
    labels = [expander.label for expander in at.expander]
    assert every(any(label.startswith(f"{one.count} rival") for label in labels) for one in tied if one.count)
    assert f"{tied[0].count} rivals of the law of x0" in " ".join(labels)
    links = [one.proto for one in app("discover", ambiguous.id).get("page_link")]
    assert [link.label for link in links] == [words.plural(one.count, "rival") for one in tied if one.count]
    assert {(link.page, link.query_string) for link in links} == {("equations", f"run={ambiguous.id}")}
    at.number_input[0].set_value(9.0)
    press(at, "Find the start")
    assert "x0: “from” must be below “to”." in read(at)
    for field, value in zip(at.number_input, (0.5, 0.9, 0.1, 0.3), strict=True):
        field.set_value(value)
    press(at, "Find the start")
    (table,) = [table.value for table in at.table if "Start at" in table.value]
    first, second = (float(cell) for cell in table["Start at"].str.replace("\\", ""))
    assert 0.5 <= first <= 0.9
    assert 0.1 <= second <= 0.3
    assert "Start a run at x0 = " in read(at)


def test_a_law_without_rivals_says_so(glider):
    at = app("equations", glider)
    assert "among the laws compared." in read(at)
    assert not at.number_input


def test_a_number_inside_a_denominator_has_its_row():
    t = np.linspace(0.0, 8.0, 120)
    s = solve_ivp(lambda _, x: -2.0 * x / (0.5 + x), (0.0, 8.0), [6.0], t_eval=t, rtol=1e-10, atol=1e-12).y[0]
    rows = "".join(f"{a},{b}\n" for a, b in zip(t, s, strict=True))
    problem = Problem(understand(read_table(f"t,S\n{rows}".encode())).dataset, "Michaelis-Menten kinetics.")
    run = fitted(problem, [["S/(params[0] + S)"]]).id
    shown = app("equations", run).table[0].value
    (inside,) = [k for k, term in enumerate(shown["Term"]) if term.startswith("$p_{1}$ in ")]
    assert shown["Coefficient"].iloc[inside].startswith("0.5")
    assert shown["95 % interval"].iloc[inside] != ""


def test_a_law_has_its_terms_in_one_order_on_both_pages():
    run = scripted(logistic_problem(60), [[["x**3", "x", "x**2"]]])
    (panel,) = panels(run)
    assert [row.key.skeleton for row in panel.terms] == ["x**3", "x", "x**2"]
    assert panel.terms[0].action != "keep"
    for page in ("discover", "equations"):
        said = next(one.value for one in app(page, run.id).markdown if r"\displaystyle" in one.value)
        assert re.findall(r"\^\{([23])\}", said) == ["3", "2"]
