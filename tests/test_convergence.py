"""The way of a run: the error on what was held out, and the tokens of every iteration."""

from dataclasses import replace

from dolq_core.bundled import generate
from dolq_core.loop import replay
from dolq_core.records import Intervention, ModelCall, Pause, TermKey, TermNote
from dolq_core.runs import Run
from dolq_core.terms import safe_names
from dolq_core.views import history
from dolq_core.views.history import Point, usage
from pages.ui import convergence
from tests.app.scenes import alts, app, read, two_attempts
from tests.every import every, none
from tests.stored import found, scripted

CALL = ModelCall("sampler", "openai", "m", "prompt", "reply", tokens_in=70, tokens_out=30)


def test_the_best_so_far_has_its_error_on_the_held_out_part():
    run = found(generate(2, points=200), steps=1)
    assert run.state.last is not None
    points = history.convergence(run)
    assert [point.held_out for point in points] == [fit and fit.held_out for fit in run.state.last.attempt]
    assert every(point.held_out is not None for point in points)


def test_without_a_held_out_part_there_is_no_such_error():
    assert {point.held_out for point in history.convergence(two_attempts(["x", "x**2"], ["x"]))} == {None}


def test_of_very_many_attempts_some_are_drawn_the_last_one_always():
    points = [Point(number, 0, 0.5, 0.5 + number) for number in range(1, 1001)]
    figure = convergence.convergence(points, [], ["x"])
    (marked,) = (trace for trace in figure.data if trace.mode == "markers")
    step = convergence.drawn_of(points)
    assert list(marked.x) == list(range(1000, 0, -step))[::-1]
    assert 100 < len(marked.x) <= 150
    assert convergence.drawn_of(points[:150]) == 1
    (best,) = (trace for trace in figure.data if trace.name == "x best")
    assert len(best.x) == 1000


def test_the_tokens_of_a_failed_attempt_count_for_the_iteration_that_came_of_it():
    start, first, second = two_attempts(["x"], ["x", "x**2"]).entries
    asked = replace(second, proposal=replace(second.proposal, calls=(CALL,)))
    log = (start, first, Pause("no answer", (CALL, CALL)), asked)
    found = usage(Run("usage", "", log, replay(log)))
    assert [(one.iteration, one.tokens) for one in found] == [(1, 0), (2, 300)]


def test_where_no_model_takes_part_there_are_no_tokens():
    run = two_attempts(["x"], ["x", "x**2"])
    assert usage(run) == ()
    assert none("Tokens" in alt for alt in alts(app("discover", run.id)))


def test_a_run_none_of_whose_attempts_could_be_fitted_says_so_and_draws_no_errors():
    beyond = ["log(-exp(params[0]*x0))"]
    run = scripted(generate(8, points=60), [[beyond, beyond]], [[beyond, beyond]])
    assert every(point.best is None and point.attempt is None for point in history.convergence(run))
    for page in ("discover", "history"):
        at = app(page, run.id)
        assert not at.exception
    assert "None of the equations that were tried could be fitted." in read(app("discover", run.id))
    assert none("Best error" in alt for alt in (*alts(app("discover", run.id)), ""))


def test_the_chart_of_several_equations_without_an_error_has_no_names_and_does_not_fail():
    points = [Point(number, equation, None, None) for number in (1, 2) for equation in (0, 1)]
    assert not convergence.convergence(points, [], ["x", "y"], usage(two_attempts(["x"], ["x"]))).layout.annotations
    assert "No iteration has one yet." in convergence.convergence_alt(points, [], ["x", "y"])


def test_what_was_done_is_told_with_names_that_no_program_allows():
    names = safe_names(("lambda", "N"))
    key = TermKey(1, f"{names.symbols[0]}**2")
    assert history.said(Intervention(ban=(TermNote(key),)), names) == "ban lambda**2 in dN/dt"
