"""What a hypothesis of a language model states of its numbers: from the wire to the record and the next prompt."""

import json
from math import inf

import pytest

from dolq_core.blocks import FORMS, merged, read_statement
from dolq_core.errors import DataError
from dolq_core.records import Blocks, Bound, EquationBlocks, Mirror, Tie
from dolq_core.terms import safe_names
from tests.agents.llm.replies import SYSTEM_2, TRUE_2, grades, proposal
from tests.agents.llm.server import serving
from tests.agents.llm.test_runs_with_models import _no_waiting, started, stepped
from tests.every import every

__all__ = ["_no_waiting"]
NAMES = safe_names(["x", "y"])
SATURATING = "x*y/(params[0] + x)"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("same: x*y in x, x*y in y", Blocks(ties=(Tie((0, "x*y"), (1, "x*y")),))),
        ("opposite: x*y in x, x*y in y", Blocks(ties=(Tie((0, "x*y"), (1, "x*y"), -1.0),))),
        (f"shared: {SATURATING} in x, {SATURATING} in y", Blocks(ties=(Tie((0, SATURATING), (1, SATURATING), None),))),
        ("sign: y in x is negative.", Blocks(equations=(EquationBlocks(0, bounds=(Bound("y", None, 0.0),)),))),
        ("bounds: y in x from -2 to 0", Blocks(equations=(EquationBlocks(0, bounds=(Bound("y", -2.0, 0.0),)),))),
        ("fixed: y in x is 1", Blocks(equations=(EquationBlocks(0, fixed=(("y", 1.0),)),))),
        ("conserved: x + 2*y = const", Blocks(conserved=(((0, 1.0), (1, 2.0)),))),
        ("Symmetric: x and y", Blocks(mirrors=(Mirror(0, 1, ("x", "y")),))),
    ],
)
def test_each_form_is_read(text, wanted):
    assert read_statement(text, NAMES, 2) == wanted


@pytest.mark.parametrize("text", ["sin(x1) weighs", "sign: y in x is small", "same: y in x", "fixed: y in z is 1"])
def test_what_cannot_be_read_is_refused_with_what_can_be_said(text):
    with pytest.raises(DataError):
        read_statement(text, NAMES, 2)


def test_of_two_words_on_one_number_the_persons_counts():
    person = Blocks(equations=(EquationBlocks(0, fixed=(("y", 2.0),)),))
    (own,) = merged(person, [read_statement("fixed: y in x is 1", NAMES, 2)]).equations
    assert own.fixed == (("y", 2.0),)
    assert merged(Blocks(), []) == Blocks()


def test_a_statement_is_held_against_the_data_kept_where_it_holds_and_told():
    said = json.loads(proposal(TRUE_2))
    said["hypotheses"][0]["statements"] = [
        "fixed: sin(x1) in x0 is -1", "sign: x0 in x1 is negative", "sin(x1) weighs", "sin(x1) weighs",
        *(f"conserved: x0 + {k}*x1" for k in range(1, 6)),
    ]  # fmt: skip
    with serving(json.dumps(said), grades("Two go on."), *SYSTEM_2) as server:
        store, run = started(server)
        done = stepped(store, run)
        (fit,) = [one for one in done.state.last.fits if one.stated]
        held = {one.text: one.holds for one in fit.stated}
        assert held["fixed: sin(x1) in x0 is -1"] is True
        assert held["sign: x0 in x1 is negative"] is False
        weight = [t for t in fit.equations[0].terms if t.skeleton == "sin(x1)"]
        assert [t.coefficient for t in weight] == [-1.0]
        refused = {one.text: one.reason for one in done.state.last.proposal.refused}
        assert FORMS[0] in refused["sin(x1) weighs"]
        assert "at most 6 statements" in refused["conserved: x0 + 5*x1"]
        stepped(store, run)
        prompt = server.asked[2][2]["messages"][1]["content"]
    assert "<<<fixed: sin(x1) in x0 is -1>>>: it holds" in prompt
    assert "<<<sign: x0 in x1 is negative>>>: the data speak against it" in prompt
    assert every(one.nats is None or abs(one.nats) < inf for one in fit.stated)
