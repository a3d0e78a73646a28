"""Known inputs, weights and given derivatives are columns with a role; nothing of it is guessed in silence."""

import numpy as np
import pytest

from dolq_core.data import read_table, understand
from dolq_core.data.roles import guess_roles
from dolq_core.errors import DataError
from dolq_core.inspection import clean, inspect_table, lines, report
from dolq_core.records import Given


def table(text: str):
    return read_table(text.encode(), "a.csv")


def rows(header: str, line: str, n: int = 8):
    """A table of n rows: `{i}` is the number of the row, `{s}` goes up and down, `{d}` falls and stays above zero."""
    return table("\n".join([header, *(line.format(i=i, s=i % 3, d=2.0**-i) for i in range(n))]))


def test_an_input_is_no_state_and_has_a_symbol_of_its_own():
    data = understand(rows("t,x,lambda (W)", "{i},{s},{i}"), inputs=["lambda (W)"]).dataset
    assert [state.name for state in data.states] == ["x"]
    (known,) = data.inputs
    assert (known.name, known.unit) == ("lambda (W)", "W")
    assert known.symbol not in ("lambda (W)", "lambda", "x")
    assert data.trajectories[0].inputs[:, 0].tolist() == list(range(8))


def test_an_input_that_is_constant_in_a_run_is_kept():
    text = "t,run,x,dose\n" + "".join(f"{i},{r},{i % 3},{r}\n" for r in (1, 2) for i in range(6))
    first, second = understand(table(text), inputs=["dose"]).dataset.trajectories
    assert (first.inputs[0, 0], second.inputs[0, 0]) == (1.0, 2.0)


def test_a_gap_of_an_input_is_filled_and_said():
    text = "t,x,u\n0,1,\n1,2,10\n2,3,\n3,2,30\n4,1,\n5,2,\n"
    reading = understand(table(text), inputs=["u"])
    assert reading.dataset.trajectories[0].inputs[:, 0].tolist() == [10, 10, 20, 30, 30, 30]
    (said,) = [one for one in reading.findings if one.code == "input-gap"]
    assert said.rows == (2, 4, 6, 7)


def test_an_input_that_a_run_never_saw_is_refused():
    text = "t,run,x,u\n" + "".join(f"{i},{r},{i % 3},{'' if r == 2 else 1}\n" for r in (1, 2) for i in range(6))
    with pytest.raises(DataError, match="no value of this input"):
        understand(table(text), inputs=["u"])


def test_a_weight_counts_for_one_state_or_for_the_row_and_a_missing_one_is_zero():
    text = "t,x,y,w,wx\n" + "".join(f"{i},{i % 3},{i % 2},{2},{'' if i == 3 else 5}\n" for i in range(6))
    data = understand(table(text), weights={"w": "", "wx": "x"}).dataset
    assert data.weights == (Given("w"), Given("wx", "x"))
    (run,) = data.trajectories
    assert run.weights[:, 0].tolist() == [10, 10, 10, 0, 10, 10]
    assert set(run.weights[:, 1]) == {2.0}
    assert [state.name for state in data.states] == ["x", "y"]


def test_a_given_derivative_stands_beside_its_state():
    data = understand(rows("t,x,y,slope", "{i},{s},{d},{i}"), derivatives={"slope": "y"}).dataset
    (run,) = data.trajectories
    assert np.isnan(run.derivatives[:, 0]).all()
    assert run.derivatives[:, 1].tolist() == list(range(8))


@pytest.mark.parametrize("name", ["dx/dt", "dxdt", "dx_dt", "x_dot", "xdot", "x'", "dx/dt (m/s)"])
def test_a_derivative_is_guessed_by_its_name_and_said(name):
    reading = understand(rows(f"t,x (m),{name}".replace("x (m)", "x"), "{i},{d},{d}"))
    assert reading.dataset.derivatives == (Given(name, "x"),)
    (said,) = [one for one in reading.findings if one.code == "derivative-guess"]
    assert (said.column, "as a state" in said.way_out) == (name, True)


def test_a_rate_with_both_signs_beside_one_state_is_a_state():
    assert guess_roles(rows("t,theta,theta_dot", "{i},{s},-1{i}\n{i}.5,{s},1{i}")).states == ("theta", "theta_dot")


def test_nothing_is_guessed_where_the_states_are_named_or_derivatives_are_denied():
    assert guess_roles(rows("t,x,dx/dt", "{i},{d},{d}"), states=["x"]).derivatives == ()
    assert guess_roles(rows("t,x,dx/dt", "{i},{d},{d}"), derivatives={}).states == ("x", "dx/dt")
    assert guess_roles(rows("t,x,dx/dt", "{i},{d},{d}"), states=["x", "dx/dt"]).derivatives == ()


def test_an_input_is_guessed_by_its_name_and_said():
    reading = understand(rows("t,x,forcing", "{i},{d},{s}"))
    assert [one.name for one in reading.dataset.inputs] == ["forcing"]
    assert "input-guess" in {one.code for one in reading.findings}
    assert understand(rows("t,x,forcing", "{i},{d},{s}"), inputs=[]).dataset.inputs == ()


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"inputs": ["nope"]}, "no such column"),
        ({"inputs": ["x"], "states": ["x"]}, "named twice"),
        ({"inputs": ["u"], "weights": {"u": ""}}, "named twice"),
        ({"inputs": ["word"]}, "not a number"),
        ({"weights": {"u": "z"}}, "'z', which is no state"),
        ({"weights": {"below": ""}}, "Row 2, column 'below': a weight is negative"),
        ({"derivatives": {"u": ""}}, "which is no state"),
        ({"derivatives": {"u": "x", "y": "x"}}, "two derivatives of 'x'"),
    ],
)
def test_a_role_that_cannot_be_is_refused(said, message):
    with pytest.raises(DataError, match=message):
        understand(rows("t,x,y,u,word,below", "{i},{d},{s},{s},a,-1"), **said)


def test_a_report_and_a_clean_table_have_every_role():
    given = {"inputs": ["u"], "weights": {"w": "y"}, "derivatives": {"r": "x"}}
    found = inspect_table(rows("t,x,y,u,w,r", "{i},{d},{s},5,{i},{s}"), **given)
    plain = report(found)
    assert plain["inputs"] == [{"name": "u", "symbol": "u", "unit": ""}]
    assert (plain["weights"], plain["derivatives"]) == (
        [{"column": "w", "state": "y"}], [{"column": "r", "state": "x"}],
    )  # fmt: skip
    assert "given derivatives: r of x" in list(lines(found))
    assert "weights: w of y" in list(lines(found))
    again = understand(table(clean(found.reading.dataset, None)), **given).dataset
    assert again.trajectories == found.reading.dataset.trajectories
