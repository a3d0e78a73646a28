"""Two entries of a log are identical, alike or different; a replay says which it saw, and where it was recorded."""

from dataclasses import replace
from math import inf

import pytest

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.numerics.machine import machine
from dolq_core.records import EquationFit, FittedTerm, Iteration, SystemFit
from dolq_core.runs.likeness import TOLERANCE, Likeness, alike, compared
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import Skeleton
from tests.store.examples import iteration


@pytest.fixture
def done() -> Iteration:
    terms = (FittedTerm(Skeleton("x0"), 1.5, 0.01), FittedTerm(Skeleton("sin(x0)"), -2.0))
    fit = EquationFit(0, terms, mse=1e-3, nmse=1e-2, cv_nmse=2e-2, floor_ratio=3.0, score=-12.3)
    return replace(iteration(1), fits=(SystemFit(0, (fit,)),))


def with_first_term(done: Iteration, **changes) -> Iteration:
    system, *others = done.fits
    fit, *rest = system.equations
    term, *terms = fit.terms
    changed = replace(fit, terms=(replace(term, **changes), *terms))
    return replace(done, fits=(replace(system, equations=(changed, *rest)), *others))


def first_term(done: Iteration):
    return done.fits[0].equations[0].terms[0]


def test_times_and_the_machine_do_not_count(done):
    other = replace(done, seconds={"fit": 99.0}, machine={"blas": "another"})
    assert compared(done, other).same == "identical"


@pytest.mark.parametrize(("part", "same"), [(0.5, "alike"), (2.0, "different")])
def test_a_coefficient_may_move_within_a_part_of_its_standard_error(done, part, same):
    term = first_term(with_first_term(done, std_error=10.0))
    before = with_first_term(done, std_error=10.0)
    after = with_first_term(before, coefficient=term.coefficient + part * TOLERANCE * 10.0)
    found = compared(before, after)
    assert found.same == same
    assert found.largest == pytest.approx(part * TOLERANCE)
    assert found.place == "iteration.fits[0].equations[0].terms[0].coefficient"


def test_a_coefficient_without_an_error_is_compared_with_itself(done):
    before = with_first_term(done, std_error=None, coefficient=2.0)
    assert compared(before, with_first_term(before, coefficient=2.1)).largest == pytest.approx(0.1 / 2.1)


def test_another_term_is_another_decision(done):
    found = compared(done, with_first_term(done, skeleton="cos(x0)"))
    assert (found.same, found.largest) == ("different", inf)
    assert found.place.endswith("terms[0].skeleton")


def test_what_rounding_leaves_of_an_exact_law_counts_as_none(done):
    system, *others = done.fits

    def with_error(nmse: float) -> Iteration:
        fit = replace(system.equations[0], nmse=nmse)
        return replace(done, fits=(replace(system, equations=(fit, *system.equations[1:])), *others))

    assert compared(with_error(1e-25), with_error(9e-24)).same == "alike"
    assert compared(with_error(1e-5), with_error(2e-5)).same == "different"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("It is 12.3 times the noise.", "It is 12.4 times the noise.", "alike"),
        ("It is 12.3 times the noise.", "It is 19.4 times the noise.", "different"),
        ("Better in 3 iterations.", "Better in 4 iterations.", "different"),
        ("x0 grows.", "x0 falls.", "different"),
    ],
)
def test_a_sentence_may_print_another_last_digit_and_no_other_word(done, one, other, same):
    a, b = (replace(done, target=replace(done.target, reason=text)) for text in (one, other))
    assert compared(a, b).same == same


def test_logs_of_unequal_length_are_not_alike(done):
    assert alike((done,), (replace(done, seconds={}),))
    assert not alike((done,), (done, done))


NEAR = Likeness("alike", 3e-8, "iteration.refined[0].nmse")


def test_every_entry_says_how_it_came_out_and_where_it_differs_most():
    assert runs.likeness_in_words(Likeness("identical")) == "as recorded, to the last bit"
    assert (
        runs.likeness_in_words(NEAR)
        == "the same decisions, numbers 3.0e-08 apart at most, in iteration.refined[0].nmse"
    )
    assert runs.likeness_in_words(Likeness("different", inf, "iteration.verdicts")) == (
        "DIFFERENT from the record: iteration.verdicts"
    )
    assert "DIFFERENT" in runs.likeness_in_words(Likeness("different", 0.2, "iteration.refined[0].nmse"))


def test_a_run_that_is_alike_in_part_does_not_claim_the_last_bit():
    assert "to the last bit" in runs.played_in_words([Likeness("identical")])
    said = runs.played_in_words([Likeness("identical"), NEAR])
    assert "to the last bit" not in said
    assert "agree to 3.0e-08, where 0.01 is allowed" in said


def test_an_iteration_records_what_computed_it_and_another_machine_is_named():
    store = MemoryStore()
    run = runs.start(store, load_bundled("yeast"))
    runs.step_once(store, run)
    start, done = runs.load(store, run).entries
    assert isinstance(done, Iteration)
    assert done.machine == machine()
    assert runs.where_computed((start, done)) == "Recorded with the same libraries and kernels as here."
    other = replace(done, machine={**done.machine, "blas": "openblas 0.1 Katmai"})
    assert runs.where_computed((start, other)).startswith("Recorded with blas openblas 0.1 Katmai (here ")
    assert runs.where_computed((start, replace(done, machine={}))).startswith("The record does not say")
