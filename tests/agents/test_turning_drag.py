"""A resistance that turns with the motion, where the data never turn: u*abs(u) and u**2 are one there."""

from dataclasses import replace

import pytest

from dolq_core.agents.builtin.library import on_data
from dolq_core.records import Ban, Pin, TermKey
from tests.agents.problems import begun, law, run, simulated

TUNNEL = "The level in a shaft and the water's speed in the tunnel, braked by friction with the square of the speed"
TUMBLING = "Spin rates about three axes, each resisted by the air with the square of its rate."


def tunnel(words):
    """Samples of half a swing: the speed x1 falls from 3 to nearly 0."""

    def rhs(t, x):
        return [0.5 * x[1], -0.3 * x[0] - 0.2 * x[1] * abs(x[1])]

    return simulated(rhs, [-1.0, 3.0], 2.5, words, points=300)


def tumbling(unit):
    """Samples of three spin rates of which the last keeps its sign."""

    def rhs(t, x):
        p, q, r = x
        return [-0.5 * q * r - 0.05 * p * abs(p), 0.67 * p * r - 0.04 * q * abs(q), 0.08 - 0.06 * r * abs(r)]

    given = simulated(rhs, [0.4, 2.0, 0.3], 25.0, TUMBLING, points=400)
    states = tuple(replace(v, unit=own) for v, own in zip(given.dataset.states, ("rad/s", "rad/s", unit), strict=True))
    return replace(given, dataset=replace(given.dataset, states=states))


def tried(state, setup, equation):
    """Which of the two the library has."""
    own = f"x{equation}"
    return {f"{own}**2", f"{own}*abs({own})"} & {entry.skeleton for entry in on_data(state, setup.bench, equation, 2)}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (", always against it.", "x1*abs(x1)"),
        (" and by bends, whichever way it flows.", "x1*abs(x1)"),
        (".", "x1**2"),
        (" of those who walk back and forth.", "x1*abs(x1)"),
    ],
)
def test_the_words_say_whether_it_turns(said, kept):
    assert tried(*begun(tunnel(TUNNEL + said)), 1) == {kept}


def test_a_way_that_words_do_not_speak_of_as_drag_stays_a_square():
    assert tried(*begun(tunnel("A level and a flow, in either direction.")), 1) == {"x1**2"}


@pytest.mark.parametrize(("unit", "kept"), [("rad/s", "x2*abs(x2)"), ("1/s", "x2**2"), ("", "x2**2")])
def test_it_turns_where_another_state_in_its_unit_does(unit, kept):
    assert tried(*begun(tumbling(unit)), 2) == {kept}


def test_a_square_that_a_person_pinned_stays():
    state, setup = begun(tunnel(f"{TUNNEL}, always against it."))
    pin = Pin(TermKey(1, "x1**2"), 0, "As in the book.")
    assert tried(replace(state, pins={pin.key: pin}), setup, 1) == {"x1**2"}


def test_what_a_person_removed_is_not_tried_under_its_other_name():
    state, setup = begun(tunnel(f"{TUNNEL}, always against it."))
    ban = Ban(TermKey(1, "x1*abs(x1)"), "human", 0, "It never turns.")
    assert tried(replace(state, bans={ban.key: ban}), setup, 1) == set()


def test_it_is_the_law_and_the_square_is_said_to_be_the_same_here():
    done = run(tunnel(f"{TUNNEL}, always against it."))
    assert law(done, 1) == {"x0": pytest.approx(-0.3, rel=1e-4), "x1*abs(x1)": pytest.approx(-0.2, rel=1e-4)}
    (reason,) = {r.reason for r in done.last.evaluation.review.terms if r.key == TermKey(1, "x1*abs(x1)")}
    assert reason.endswith("While x1 keeps its sign, as in these data, x1**2 says the same.")
