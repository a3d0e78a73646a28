"""What the built-in Scientist says: sentences that a person can argue with, in the person's own names."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dolq_core.agents.builtin.facts import facts_of
from dolq_core.agents.builtin.hints import hint
from dolq_core.agents.builtin.objections import on_whole_runs, share
from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.loop.evaluate import grade_ablation
from dolq_core.loop.status import SETTLED, status
from dolq_core.mechanisms import explanations
from dolq_core.records import Ablation, Dataset, Problem, TermKey, Trajectory, Variable
from dolq_core.terms import parse_term, safe_names
from tests.agents.problems import begun, problem, run, simulated
from tests.every import every

RNG = np.random.default_rng(0)


def named(given, *own, meanings=()):
    """The same problem with the person's own names."""
    symbols = safe_names(own).symbols
    meant = meanings or ("",) * len(own)
    states = tuple(Variable(o, s, "", m) for o, s, m in zip(own, symbols, meant, strict=True))
    return replace(given, dataset=replace(given.dataset, states=states))


def review(given, *equations, needed=None):
    """(grades, reasons) by (equation, text); `needed`: texts that the numbers need, by default as they are."""
    state, setup = begun(given)
    bench = setup.bench
    skeletons = [[parse_term(text, bench.names).skeleton for text in texts] for texts in equations]
    fits = [bench.fit(j, row) for j, row in enumerate(skeletons)]
    ablations = [
        Ablation(TermKey(f.equation, s), z, r, grade_ablation(z, r, state.settings))
        for f in fits
        for s, z, r in bench.ablate(f)
    ]
    if needed is not None:
        keep = {parse_term(text, bench.names).skeleton for text in needed}
        ablations = [replace(a, grade="good" if a.key.skeleton in keep else "neutral") for a in ablations]
    done = setup.scientist.review(state, fits, ablations, bench, RNG)
    text = {(j, s): t for j, texts in enumerate(equations) for s, t in zip(skeletons[j], texts, strict=True)}
    found = {(r.key.equation, text[r.key.equation, r.key.skeleton]): r for r in done.terms}
    return {k: r.grade for k, r in found.items()}, {k: r.reason for k, r in found.items()}, done


def decay(description=""):
    return simulated(lambda t, x: [-0.5 * x[0]], [2.0], 6.0, description, points=200)


def closed_epidemic(description=""):
    rhs = lambda t, x: [-0.6 * x[0] * x[1], 0.6 * x[0] * x[1] - 0.3 * x[1], 0.3 * x[1]]  # noqa: E731
    return named(simulated(rhs, [2.9, 0.1, 0.0], 20.0, description, points=400), "S", "I", "R")


def pendulum():
    return named(simulated(lambda t, x: [x[1], -math.sin(x[0])], [2.0, 0.0], 20.0, points=400), "angle", "rate")


def test_a_reason_quotes_the_word_and_says_what_the_term_does():
    _, reasons, _ = review(decay("The drug decays in the blood."), ["x0"])
    assert reasons[0, "x0"] == (
        "x0 grows or decays in proportion to itself; the word 'decays' speaks for it. It lowers x0 and acts alone."
    )


def test_no_word_of_a_gain_speaks_for_a_loss():
    _, reasons, _ = review(decay("The cells multiply in the flask."), ["x0"])
    assert "speaks for it" not in reasons[0, "x0"]
    assert "The word 'multiply' speaks of a gain, but here it makes x0 shrink." in reasons[0, "x0"]
    _, reasons, _ = review(decay("The cells multiply, and die later."), ["x0"])
    assert "the word 'die' speaks for it" in reasons[0, "x0"]
    _, reasons, _ = review(decay("A colony grows while it has food."), ["x0"])
    assert "speaks" not in reasons[0, "x0"]  # for a loss, nor against it: what grows can shrink


def pairing(description, own=("A", "B"), units=("", "")):
    rhs = lambda t, x: [-0.06 * x[0] ** 2 + 0.2 * x[1], 0.03 * x[0] ** 2 - 0.1 * x[1]]  # noqa: E731
    given = named(simulated(rhs, [10.0, 0.5], 20.0, description, points=200), *own)
    states = tuple(replace(one, unit=unit) for one, unit in zip(given.dataset.states, units, strict=True))
    return replace(given, dataset=replace(given.dataset, states=states))


@pytest.mark.parametrize("own", [("A", "B"), ("[A]", "[B]")])
@pytest.mark.parametrize(
    ("words", "joins", "falls"),
    [
        ("Two A join to B and B falls apart into two A, in a closed vessel.", "join", "apart"),
        ("A pairs up to B, which dissociates.", "pairs", "dissociates"),
        ("Two A combine to B; B splits again.", "combine", "splits"),
        ("A forms a dimer B, and B breaks up.", "dimer", "breaks"),
    ],
)
def test_what_joins_speaks_for_a_square_and_what_falls_apart_for_a_decay(words, joins, falls, own):
    _, reasons, _ = review(pairing(words, own), ["A**2", "B"], ["A**2", "B"])
    assert f"; the word '{joins}' speaks for it." in reasons[0, "A**2"]
    assert reasons[1, "A**2"].startswith(f"{own[1]} changes with the square of {own[0]}; the word '{joins}' speaks")
    assert f"; the word '{falls}' speaks for it." in reasons[1, "B"]


def test_what_is_far_apart_falls_nowhere():
    words = "Two A join to B. The vessels stand far apart, and the further apart they are the better."
    _, reasons, _ = review(pairing(words), ["A**2", "B"], ["A**2", "B"])
    assert "apart" not in reasons[1, "B"]


def test_that_a_vessel_is_closed_is_no_reason_for_a_square():
    _, reasons, _ = review(pairing("A substance in a closed vessel."), ["A**2", "B"], ["A**2", "B"])
    assert "closed" not in reasons[0, "A**2"]


@pytest.mark.parametrize(
    ("words", "units", "speaks"),
    [
        ("The vessel cools to the room.", ("mM", "°C"), (False, True)),
        ("The vessel cools to the room.", ("", ""), (True, True)),
        ("T cools to the room.", ("", ""), (False, True)),
        ("C decays and gives off heat, T cools.", ("", ""), (True, True)),
    ],
)
def test_a_word_on_another_state_speaks_for_no_term(words, units, speaks):
    rhs = lambda t, x: [-0.3 * x[0], 0.5 * x[0] - 0.1 * x[1]]  # noqa: E731
    given = named(simulated(rhs, [5.0, 20.0], 20.0, words, points=200), "C", "T")
    states = tuple(replace(one, unit=unit) for one, unit in zip(given.dataset.states, units, strict=True))
    _, reasons, _ = review(replace(given, dataset=replace(given.dataset, states=states)), ["C"], ["C", "T"])
    assert ("speaks for it" in reasons[0, "C"], "'cools' speaks for it" in reasons[1, "T"]) == speaks


def test_the_reason_does_not_repeat_the_figure_of_the_numbers():
    _, reasons, done = review(closed_epidemic(), ["S*I"], ["S*I", "I"], ["I"])
    assert every("left-out" not in reason and "error" not in reason for reason in reasons.values())
    assert reasons[1, "I"].endswith("It lowers I and is 51 % of all that acts on it.")


@pytest.mark.parametrize(
    ("start", "words", "says"),
    [
        (5.0, "A body falls through water, braked by the square of its speed.", True),
        (-5.0, "A body falls through water, braked by the square of its speed.", False),
        (5.0, "Flies multiply.", False),
    ],
)
def test_what_words_speak_for_and_is_the_same_while_a_state_keeps_its_sign_is_named(start, words, says):
    given = named(simulated(lambda t, x: [2.0 - 0.3 * abs(x[0]) * x[0]], [start], 6.0, words), "speed")
    _, reasons, _ = review(given, ["1", "speed**2"])
    told = "While speed keeps its sign, as in these data, speed*abs(speed) says the same."
    assert reasons[0, "speed**2"].endswith(told) == says


def test_an_open_power_is_no_square_that_another_term_could_be():
    _, reasons, _ = review(simulated(lambda t, x: [-0.3 * x[0] ** 2.5], [4.0], 6.0, "A drag."), ["x0**2.5"])
    assert "keeps its sign" not in reasons[0, "x0**2.5"]


def test_a_denied_mechanism_is_bad_and_the_phrase_is_quoted():
    falling = simulated(lambda t, x: [9.8 - 0.2 * x[0] ** 2], [0.0], 3.0, "A ball falls without drag.", points=200)
    grades, reasons, done = review(falling, ["1", "x0**2"])
    assert grades[0, "x0**2"] == "bad"
    assert "The description says 'without drag'." in reasons[0, "x0**2"]
    assert done.conflict == "Words and numbers disagree on x0**2 in the equation of x0: the next iteration looks again."
    assert done.conflict in done.insight


def test_no_loss_does_not_deny_growth():
    growing = simulated(lambda t, x: [0.5 * x[0]], [0.2], 4.0, "Cells without any loss.", points=200)
    assert review(growing, ["x0"])[0] == {(0, "x0"): "good"}


def test_a_mechanism_of_another_subject_is_bad_and_both_subjects_are_named():
    turning = simulated(lambda t, x: [1.0 - 0.5 * math.sin(x[0])], [0.0], 12.0, "Two chemicals react.", points=300)
    grades, reasons, _ = review(turning, ["1", "sin(x0)"])
    assert grades[0, "sin(x0)"] == "bad"
    assert (
        "The description speaks of chemistry ('chemicals' and 'react'); this belongs to motion and angles."
        in (reasons[0, "sin(x0)"])
    )


@pytest.mark.parametrize("description", ["", "A thing.", "A needle turns; chemicals react and react with a substance."])
def test_without_another_subject_silence_is_not_held_against_a_term(description):
    turning = simulated(lambda t, x: [1.0 - 0.5 * math.sin(x[0])], [0.0], 12.0, description, points=300)
    assert review(turning, ["1", "sin(x0)"])[0][0, "sin(x0)"] != "bad"


def test_a_decay_that_grows_is_objected_to():
    growing = simulated(lambda t, x: [0.5 * x[0]], [0.2], 4.0, "A substance decays.", points=200)
    grades, reasons, _ = review(growing, ["x0"])
    assert grades[0, "x0"] == "neutral"
    assert "The word 'decays' speaks of a loss, but here it makes x0 grow." in reasons[0, "x0"]
    assert review(growing, ["x0"], needed=[])[0][0, "x0"] == "bad"


@pytest.mark.parametrize(
    ("description", "is_objected"),
    [
        ("S decays, and E is watched.", False),
        ("The substrate decays.", False),
        ("S decays into E.", True),  # it may be either one
        ("E decays.", True),
        ("The pool of enzymes decays beside the substrate.", True),
        ("The pool of substrates decays.", False),
        ("Something decays.", True),
        ("The substrate is held by the enzyme and decays.", False),
        ("The substrate is held by its enzyme and decays.", False),
        ("The enzyme is held by the substrate and decays.", True),
    ],
)
def test_a_word_on_another_state_is_no_objection(description, is_objected):
    given = simulated(lambda t, x: [-0.5 * x[0], 0.5 * x[1]], [2.0, 0.2], 4.0, description, points=200)
    _, reasons, _ = review(named(given, "S", "E", meanings=("substrate", "enzyme")), ["S"], ["E"])
    assert ("The word 'decays' speaks of a loss, but here it makes E grow." in reasons[1, "E"]) == is_objected


def test_words_for_gain_and_loss_together_object_to_neither():
    both = "Cells multiply, other cells decay."
    assert review(simulated(lambda t, x: [0.5 * x[0]], [0.2], 4.0, both, points=200), ["x0"])[0][0, "x0"] == "good"


def test_a_term_that_drives_an_amount_below_zero_is_objected_to():
    t = np.linspace(0.0, 6.0, 200)
    falls = problem(t, (2.0 / (1.0 + np.exp(3.0 * (t - 3.0))))[:, None], ["N"])
    grades, reasons, _ = review(falls, ["1"])
    assert grades[0, "1"] == "neutral"
    assert "It would push N below zero where N = 0." in reasons[0, "1"]


def test_terms_that_run_away_at_zero_in_both_directions_push_nowhere():
    """Infinity less infinity: a warning on the terminal, and no number."""
    slow = simulated(lambda t, x: [-0.5 * np.log(x[0]) - 0.4 / x[0]], [3.0], 3.0, points=200)
    given = named(slow, "N", meanings=("number of cells",))
    _, reasons, _ = review(given, ["log(N_)", "1/N_"])
    assert every("below zero" not in reason for reason in reasons.values())
    assert len(reasons) == 2


def test_a_distance_that_starts_at_zero_is_no_amount():
    t = np.linspace(0.0, 12.0, 300)
    way = problem(t, np.column_stack((t + 2.5 * np.sin(t), t)), ["distance", "clock"])
    assert "below zero" not in review(way, ["1", "cos(clock)"], ["1"])[1][0, "cos(clock)"]


def test_a_declared_amount_needs_not_come_close_to_zero():
    t = np.linspace(0.0, 2.0, 200)
    falls = problem(t, (2.0 - 0.5 * t)[:, None], ["N"])
    assert "below zero" not in review(falls, ["1"])[1][0, "1"]
    declared = named(falls, "N", meanings=("number of cells",))
    assert "It would push N below zero where N = 0." in review(declared, ["1"])[1][0, "1"]


def test_a_supply_that_another_term_balances_is_not_objected_to():
    given = named(simulated(lambda t, x: [1.0 - 0.5 * x[0]], [0.0], 8.0, points=300), "c", meanings=("concentration",))
    assert set(review(given, ["1", "c"])[0].values()) == {"good"}


def test_a_constant_total_is_found_and_a_term_without_its_partner_is_named():
    given = closed_epidemic()
    assert [total.text("SIR") for total in facts_of(begun(given)[1].bench).totals] == ["S + I + R"]
    assert set(review(given, ["S*I"], ["S*I", "I"], ["I"])[0].values()) == {"good"}
    grades, reasons, _ = review(given, ["S*I"], ["S*I", "I"], ["S*I"])
    assert grades[2, "S*I"] == "neutral"
    assert "S + I + R is constant in these data, but the other equations do not balance I*S." in reasons[2, "S*I"]
    assert grades[0, "S*I"] == grades[1, "I"] == "good"


def test_a_total_with_weights_is_found_and_none_where_there_is_none():
    paired = simulated(lambda t, x: [-2.0 * x[0] ** 2, x[0] ** 2], [2.0, 0.1], 5.0, points=300)
    assert [total.text(["A", "B"]) for total in facts_of(begun(paired)[1].bench).totals] == ["A + 2*B"]
    assert facts_of(begun(pendulum())[1].bench).totals == ()


def test_a_settled_law_names_the_total_that_it_is_known_up_to():
    said = "S + I + R is constant in these data: with another total the law may be another one."
    given = closed_epidemic()
    done = run(given)
    assert [status(done, j) for j in range(3)] == [("settled", f"{SETTLED} {said}")] * 3
    (one,) = given.dataset.trajectories
    more = replace(given.dataset, trajectories=(one, replace(one, x=frozen(1.5 * one.x), label="b")))
    assert Workbench.of(more).info.total == ""
    assert Workbench.of(replace(more, trajectories=(one, replace(one, label="b")))).info.total == said
    assert Workbench.of(pendulum().dataset).info.total == ""


def test_a_total_is_found_under_noise():
    given = closed_epidemic()
    (run,) = given.dataset.trajectories
    noisy = Trajectory(run.t, frozen(run.x + 0.03 * np.random.default_rng(1).normal(size=run.x.shape)))
    bench = Workbench.of(replace(given.dataset, trajectories=(noisy,)))
    assert [total.text("SIR") for total in facts_of(bench).totals] == ["S + I + R"]


def test_an_even_term_breaks_a_symmetry_that_the_data_show():
    grades, reasons, _ = review(pendulum(), ["rate"], ["sin(angle)", "angle**2"])
    said = "All that the data need here is odd in the states; this term is even."
    assert grades[1, "angle**2"] == "bad"
    assert said in reasons[1, "angle**2"]
    assert said not in reasons[1, "sin(angle)"]


def test_samples_of_one_sign_show_no_symmetry():
    grades, reasons, _ = review(decay(), ["x0", "x0**2"], needed=["x0"])
    assert "is odd in the states" not in reasons[0, "x0**2"]


def test_a_range_against_the_mechanism_is_objected_to():
    given = simulated(lambda t, x: [1.0 + x[0] / (1.0 + x[0])], [-0.2], 2.0, points=300)
    grades, reasons, _ = review(given, ["1", "x0/(params[0] + x0)"])
    assert grades[0, "x0/(params[0] + x0)"] == "neutral"
    assert "That works only where x0 is not negative, and x0 goes down to -0.2." in reasons[0, "x0/(params[0] + x0)"]


def test_where_only_the_curve_through_the_samples_is_negative_that_is_said():
    t = np.linspace(0.0, 6.0, 240)
    pulses = 400.0 * np.maximum(0.0, np.sin(2.0 * np.pi * t))[:, None]
    reasons = review(problem(t, pulses, ["x0"]), ["1", "x0/(params[0] + x0)"])[1]
    said = "x0 is not negative, and the curve through its samples goes down to -"
    assert said in reasons[0, "x0/(params[0] + x0)"]


def test_what_differs_between_runs_is_said():
    t = np.linspace(0.0, 4.0, 200)
    runs = tuple(Trajectory(frozen(t), frozen((s + c * t)[:, None]), None, str(c)) for s, c in ((0.0, 1.0), (1.0, 2.0)))
    given = Problem(Dataset("two", Variable("t", "t"), (Variable("level", "level"),), runs))
    bench = Workbench.of(given.dataset)
    assert hint(bench.fit(0, [parse_term("1", bench.names).skeleton]), bench) == (
        "The residual of d/dt level differs between runs: something not in the table changes from run to run."
    )


def test_a_rate_that_differs_between_runs_is_said():
    t = np.linspace(0.0, 8.0, 200)
    runs = tuple(Trajectory(frozen(t), frozen((3.0 * np.exp(-k * t))[:, None]), None, str(k)) for k in (0.2, 0.5))
    bench = Workbench.of(problem(t, None, ["drug"], runs=runs).dataset)
    assert hint(bench.fit(0, [parse_term("sqrt(drug)", bench.names).skeleton]), bench) == (
        "At nearly the same drug, d/dt drug differs between runs: something not in the table changes from run to run."
    )


@pytest.mark.parametrize(("description", "is_said"), [("", True), ("A seasonal swing.", False)])
def test_an_equation_that_only_time_explains_is_told_apart(description, is_said):
    swing = simulated(lambda t, x: [math.cos(2.0 * t)], [0.0], 12.0, description, points=400)
    insight = review(swing, ["cos(2*t)"])[2].insight
    said = "Only time itself explains dx0/dt: unless a rhythm or a drift drives it, a state or an input is missing."
    assert insight == ("x0: fitted to within the error of the training data." + (f" {said}" if is_said else ""))


def test_a_hidden_state_is_said():
    whole = pendulum()
    (run,) = whole.dataset.trajectories
    alone = problem(run.t, run.x[:, :1], ["angle"])
    _, _, done = review(alone, ["angle"])
    assert done.insight == (
        "angle passes the same values rising and falling: no law in angle alone can do that. Something that was not "
        "measured, or time itself, moves it. Say in the description where a rhythm or a drift does; else ask for a "
        "second-order law of angle, or for a hidden state by the term in which it acts (on the Data page under "
        "Building blocks; in a terminal by --second-order and --hidden). "
        "No law of angle yet: standing still explains the data as well."
    )


def test_a_complete_table_hides_nothing():
    _, _, done = review(pendulum(), ["rate"], ["angle"])
    assert "not in the table" not in done.insight


def test_noise_is_said_to_show_no_law():
    given = problem(np.arange(200.0), np.random.default_rng(3).normal(size=(200, 1)), ["x"])
    assert review(given, ["x**3"])[2].insight == "No law shows in x: standing still explains the data as well."


@pytest.mark.parametrize("own", ["E", "I", "S", "N", "temp (°C)", "Räuber", "x y", "{x}", "a"])
def test_names_are_written_as_the_person_wrote_them(own):
    symbol = safe_names([own]).symbols[0]
    _, reasons, done = review(named(decay(), own), [symbol, f"sin({symbol})**2"])
    assert reasons[0, symbol].startswith(f"{own} grows or decays in proportion to itself")
    in_a_term = own if own.isidentifier() else symbol
    assert f"explains sin({in_a_term})**2 in the equation of {own}" in reasons[0, f"sin({symbol})**2"]
    assert done.insight.startswith(f"{own}: fitted to within the error")


@pytest.mark.parametrize("terms", [["sin(x0)"], ["sin(x0)", "x1"], ["x0"]])
def test_the_period_of_a_drive_is_named_right_whatever_else_the_law_lacks(terms):
    driven = simulated(
        lambda t, x: [x[1], -math.sin(x[0]) - 0.2 * x[1] + 0.5 * math.cos(2 * t / 3)], [0.5, 0.0], 60.0, points=600
    )
    bench = Workbench.of(driven.dataset, "auto")
    said = hint(bench.fit(1, terms), bench)
    assert float(said.removesuffix(".").rsplit(" ", 1)[1]) == pytest.approx(3 * math.pi, rel=0.02)
    timed = Workbench.of(replace(driven.dataset, time=Variable("t", "t", "h")), "auto")
    assert hint(timed.fit(1, terms), timed) == said.removesuffix(".") + " h."


def test_a_swing_that_the_states_have_themselves_is_no_hint():
    free = simulated(lambda t, x: [x[1], -math.sin(x[0])], [1.5, 0.0], 40.0, points=400)
    bench = Workbench.of(free.dataset, "auto")
    assert "swings in time" not in hint(bench.fit(1, ["x0"]), bench)


def test_what_is_said_of_a_term_is_said_of_the_numbers_that_the_pages_show():
    """Those of whole runs: of rates that tell nothing a term was called not significant beside its narrow interval."""
    exact = simulated(lambda _, x: [x[0] - 0.5 * x[0] * x[1], 0.4 * x[0] * x[1] - x[1]], [3.0, 1.0], 12.0, points=500)
    (one,) = exact.dataset.trajectories
    x = one.x + 0.02 * one.x.std(axis=0) * np.random.default_rng(0).normal(size=one.x.shape)
    given = problem(one.t, x, ["x0", "x1"])
    state, setup = begun(given)
    rates = [setup.bench.fit(0, ["x0", "x0*x1"]), setup.bench.fit(1, ["x0*x1", "x1"])]
    vague = [replace(f, terms=tuple(replace(t, std_error=9.0 * abs(t.coefficient)) for t in f.terms)) for f in rates]
    ablations = [Ablation(TermKey(f.equation, t.skeleton), 9.0, 9.0, "good") for f in vague for t in f.terms]
    said = setup.scientist.review(state, vague, ablations, setup.bench, RNG)
    assert every("of all that acts on it" in review.reason for review in said.terms)
    whole = on_whole_runs(setup.bench, [replace(fit, floor_ratio=9.0) for fit in vague])
    assert [fit.floor_ratio for fit in whole.values()] == pytest.approx([1.0, 1.0], abs=0.15)
    first = whole[0].terms[0]
    assert first.coefficient == pytest.approx(1.0, abs=4.0 * first.std_error)
    assert 0.0 < first.std_error < 0.05


def test_a_term_that_dips_below_zero_in_a_noisy_curve_acts_one_way():
    t = np.linspace(0.0, 8.0, 200)
    growing = np.exp(0.4 * t)[:, None] - 1.0 + 0.05 * np.random.default_rng(2).normal(size=(200, 1))
    given = problem(t, growing, ["x"])
    bench = Workbench.of(given.dataset, "auto")
    fit = bench.fit(0, ["x", "1"])
    (own,) = [term for term in fit.terms if term.skeleton == "x"]
    assert float(bench.values[0].min()) < 0.0
    assert share(bench, fit, own).startswith("It raises x and is ")


def test_a_total_may_have_any_weights():
    """Of 1 g of sugar 0.43 g of alcohol arise: with either of the two the law is the same in this vat."""

    def rhs(_, x):
        eaten = 0.9 * x[0] * x[2] / (11.0 + x[0])
        return [-eaten, 0.43 * eaten, 0.1 * eaten - 0.2 * x[2]]

    given = simulated(rhs, [60.0, 1.0, 2.0], 40.0, points=200).dataset
    assert Workbench.of(given).info.total == (
        "x0 + 2.33*x1 is constant in these data: with another total the law may be another one."
    )
    apart = simulated(lambda t, x: [*rhs(t, x)[:1], rhs(t, x)[1] - 0.01 * x[1], rhs(t, x)[2]], [60.0, 1.0, 2.0], 40.0)
    assert Workbench.of(apart.dataset).info.total == ""
    both = simulated(lambda _, x: [-x[0] * x[1], -2.0 * x[0] * x[1]], [3.0, 5.0], 4.0, points=200)
    assert Workbench.of(both.dataset).info.total.startswith("x0 - 0.5*x1 is constant")
    like = simulated(lambda _, x: [-x[0] * x[1], -x[0] * x[1]], [3.0, 5.0], 4.0, points=200)
    assert Workbench.of(like.dataset).info.total.startswith("x0 - x1 is constant")


def test_of_noisy_samples_only_whole_weights_are_told():
    """Two states in one rhythm lie near a line: some sum of them stays within the noise though none is conserved."""
    (one,) = simulated(lambda _, x: [-0.3 * x[0], -0.33 * x[1]], [6.0, 4.0], 12.0, points=300).dataset.trajectories
    noise = 0.05 * np.random.default_rng(3).normal(size=one.x.shape) * one.x.std(axis=0)
    given = simulated(lambda _, x: [-0.3 * x[0], -0.33 * x[1]], [6.0, 4.0], 12.0, points=300).dataset
    assert Workbench.of(replace(given, trajectories=(replace(one, x=frozen(one.x + noise)),))).info.total == ""


def test_a_name_that_ends_with_a_full_stop_brings_the_one_of_its_sentence():
    given = named(simulated(lambda _, x: [-x[0], x[0] - x[1]], [1.0, 0.0], 5.0, points=60), "Plasma conc.", "Effect")
    entries = explanations(given, Workbench.of(given.dataset).names, 1).values()
    assert any(entry.meaning.endswith("Plasma conc.") for entry in entries)
    assert every(entry.reason.count(".") == entry.reason.rstrip(".").count(".") + 1 for entry in entries)
