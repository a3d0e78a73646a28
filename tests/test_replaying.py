"""A replay says which of the two it saw, the same bits or the same decisions, and what the record was computed with."""

from dataclasses import replace
from math import inf

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.numerics.machine import machine
from dolq_core.records import Iteration
from dolq_core.runs.likeness import Likeness
from dolq_core.store.memory import MemoryStore

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
