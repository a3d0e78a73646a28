"""How the built-in Scientist grades."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.agents.builtin.objections import ReviewCase, share
from dolq_core.agents.builtin.scientist import _is_captured
from dolq_core.arrays import frozen
from dolq_core.bundled import load_bundled
from dolq_core.fitting import Workbench, names_of
from dolq_core.grades import _BESIDE
from dolq_core.loop.evaluate import grade_ablation
from dolq_core.mechanisms import explanations, words_of
from dolq_core.records import Ablation, Dataset, FittedTerm, Pin, Problem, TermKey, Trajectory, Variable
from dolq_core.terms import Skeleton, parse_term
from tests.agents.problems import begun, lynx_hare, noisy, simulated, yeast
from tests.every import every

RNG = np.random.default_rng(0)


def review(given, *equations, change=None):
    """Grades by skeleton for structures written as texts, and the whole review."""
    state, setup = begun(given)
    state = change(state) if change else state
    bench = setup.bench
    fits = [
        bench.fit(j, [parse_term(text, bench.names).skeleton for text in texts]) for j, texts in enumerate(equations)
    ]
    ablations = [
        Ablation(TermKey(fit.equation, s), z, r, grade_ablation(z, r, state.settings))
        for fit in fits
        for s, z, r in bench.ablate(fit)
    ]
    done = setup.scientist.review(state, fits, ablations, bench, RNG)
    return {(r.key.equation, r.key.skeleton): r.grade for r in done.terms}, done


def test_every_term_gets_one_grade_and_a_reason():
    grades, done = review(lynx_hare(), ["hare", "hare*lynx", "atan(lynx)"], ["lynx", "hare*lynx"])
    assert len(done.terms) == len(grades) == 5
    assert every(r.reason.endswith(".") for r in done.terms)


def test_the_terms_of_the_law_are_good_without_any_description():
    grades, _ = review(lynx_hare(), ["hare", "hare*lynx"], ["lynx", "hare*lynx"])
    assert set(grades.values()) == {"good"}


def test_at_most_three_terms_of_an_equation_are_good():
    grades, done = review(lynx_hare(), ["hare", "lynx", "hare*lynx", "1", "hare**2"], ["lynx"])
    assert sum(grade == "good" for (j, _), grade in grades.items() if j == 0) == 3
    cut = [r for r in done.terms if "It makes sense;" in r.reason]
    told = " It makes sense; but at most 3 terms of an equation may be good, and without others the fit loses more."
    assert every(r.reason.endswith(told) and r.grade == "neutral" for r in cut)
    assert "It makes sense" not in _BESIDE.sub("", cut[0].reason), "it is said of this law alone"


def test_a_needed_term_is_not_bad_because_the_description_is_silent():
    given = simulated(lambda t, x: [-x[0] + np.cos(3.0 * x[0]) ** 2], [3.0], 4.0, points=300)
    grades, _ = review(given, ["x0", "cos(3*x0)**2"])
    assert grades[0, parse_term("cos(3*x0)**2", ["x0"]).skeleton] == "neutral"


def test_a_term_that_nothing_explains_and_nobody_needs_is_bad():
    grades, done = review(yeast(), ["yeast", "yeast**2", "atan(yeast)**2"])
    assert grades[0, "atan(yeast)**2"] == "bad"
    assert "No mechanism" in next(r.reason for r in done.terms if r.grade == "bad")


def test_a_pinned_term_is_never_bad():
    key = TermKey(0, "atan(yeast)**2")
    pinned = lambda state: replace(state, pins={key: Pin(key, 0, "mine")})  # noqa: E731
    grades, _ = review(yeast(), ["yeast", "yeast**2", "atan(yeast)**2"], change=pinned)
    assert grades[0, key.skeleton] == "neutral"


def test_far_from_the_floor_nothing_is_bad():
    grades, _ = review(yeast(), ["1", "atan(yeast)**2"])
    assert grades[0, "atan(yeast)**2"] == "neutral"


def test_a_sign_against_the_mechanism_is_not_good():
    grades, done = review(simulated(lambda t, x: [0.3 * x[0] ** 2], [1.0], 2.0), ["x0**2"])
    assert grades == {(0, "x0**2"): "neutral"}
    assert "positive" in done.terms[0].reason


@pytest.mark.parametrize(
    ("structure", "word"),
    [(["yeast", "yeast**2"], "fitted to within the error"), (["1"], "missing"), (["log(0 - yeast)"], "No usable")],
)
def test_the_insight_says_where_the_equation_stands(structure, word):
    _, done = review(yeast(), structure)
    assert word in done.insight
    assert done.insight.count(". ") <= 2


def test_a_fit_to_few_samples_that_a_random_walk_explains_as_well_is_not_called_fitted():
    given = load_bundled("alpha-pinene")
    a, b = given.dataset.states[0].symbol, given.dataset.states[3].symbol
    _, done = review(given, [a], [a], [a], [a], [f"{a}*{b}"])
    assert "a random walk explains dimer as well" in done.insight
    assert "dimer" not in done.insight.split("fitted to within the error")[0]


def test_a_poor_fit_to_few_samples_is_told_with_the_walk_that_its_status_tells_of():
    _, done = review(yeast(), ["1"])
    assert "Something is still missing in yeast (" in done.insight
    assert "; with so few samples a random walk explains yeast as well." in done.insight


def test_a_term_of_what_noise_alone_takes_below_zero_acts_one_way():
    def rhs(_, s):
        eaten = s[0] * s[1] / (2 + s[0])
        return [-1.5 * eaten, 0.9 * eaten - 0.02 * s[1]]

    eaten = noisy(rhs, [6.0, 0.4], 60.0, sigma=0.05)
    (one,) = eaten.dataset.trajectories
    assert np.mean(one.x[:, 0] < 0.0) > 0.2
    bench = Workbench.of(eaten.dataset)
    found = bench.null(1)
    terms = (
        FittedTerm(Skeleton("x0*x1/(params[0] + x0)"), 0.9, 0.01, (2.0,)),
        FittedTerm(Skeleton("x1"), -0.02, 0.001),
    )
    assert share(bench, replace(found, terms=terms), terms[0]).startswith("It raises x1 and is")


def test_the_insight_points_at_what_the_residual_grows_with():
    given = simulated(lambda t, x: [-x[0] + 0.5 * x[1], -0.3 * x[1]], [1.0, 4.0], 6.0, points=300)
    _, done = review(given, ["x0"], ["x1"])
    assert "x1" in done.insight.split("residual of dx0/dt")[1]


def test_what_whole_runs_explain_is_not_said_to_lack_something():
    state, setup = begun(lynx_hare())
    fit = replace(setup.bench.fit(0, ["hare", "hare*lynx"]), floor_ratio=1.7)
    case = ReviewCase(state.problem, setup.bench, words_of(state.problem), [fit], 1)
    assert not _is_captured(case, fit)
    assert _is_captured(replace(case, fitted={0: replace(fit, floor_ratio=1.0)}), fit)


def test_nothing_turns_into_an_input_and_a_spring_is_not_what_drives():
    x, v, force = (Variable(name, name) for name in ("x", "v", "F"))
    t = np.linspace(0.0, 9.0, 100)
    run = Trajectory(frozen(t), frozen(np.column_stack([np.sin(t), np.cos(t)])), frozen(np.sin(2 * t)[:, None]))
    dataset = Dataset("driven", Variable("t", "t"), (x, v), (run,), (force,))
    known = explanations(Problem(dataset, "A mass on a spring, driven by a known force"), names_of(dataset), 1)
    assert known["F"].reason == "F drives v in proportion; suggested by the word 'driven'."
    assert known["x"].reason == "x turns into v or drives it in proportion."
    assert known["x"].word
