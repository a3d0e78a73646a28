"""Between a person's word and the next iteration nothing speaks of another law than the one that is shown."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core import loop, runs
from dolq_core.bundled import generate
from dolq_core.cli.showing import report
from dolq_core.export import latex
from dolq_core.fitting import names_of
from dolq_core.grades import VAGUE, acts, verdict_on
from dolq_core.loop import replay
from dolq_core.loop.status import ALLOWED, ALONE
from dolq_core.records import (
    Ban,
    EquationNote,
    FamilyKey,
    FamilyNote,
    Intervention,
    Iteration,
    ModelChoice,
    Models,
    Override,
    Pin,
    Settings,
    TermKey,
    TermNote,
    TrajectoryScore,
)
from dolq_core.store.memory import MemoryStore
from dolq_core.views.amounts import figure
from dolq_core.views.equations import panels
from dolq_core.views.files import export
from dolq_core.views.history import points
from dolq_core.views.phase import phase_line
from dolq_core.views.summary import equations, result, summary_of, verdict
from dolq_core.views.veto import cost_of_veto
from pages.ui.words import dropped
from tests.agents.problems import noise, noisy, problem
from tests.app.scenes import app, read
from tests.stored import found, scripted

LINEAR = TermKey(0, "T")
PIN = (TermNote(TermKey(0, "T**2"), "It radiates"),)


def mug():
    t = np.arange(0.0, 122.0, 2.0)
    temp = 21.0 + 67.0 * np.exp(-t / 37.0) + np.random.default_rng(4).normal(0.0, 0.2, 61)
    return problem(t, temp[:, None], ["T"], "A mug cools in a room, in proportion to how much warmer it is.")


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
def vetoed():
    """Two laws were tried; the person removes a term of the better one, and no iteration has followed."""
    store = runs.open_store()
    run = scripted(mug(), [[["1"]]], [[["1", "T"]]], place=store)
    assert run.state.trajectory is not None
    assert summary_of(run.state).error < 0.01
    said = Override(LINEAR, "remove", "No"), Override(TermKey(0, "1"), "keep", "It is the room")
    return runs.intervene(store, run.id, Intervention(overrides=said))


def test_no_error_is_told_of_a_law_that_no_iteration_has_simulated(vetoed):
    assert vetoed.state.last.trajectory is not None
    assert vetoed.state.trajectory is None
    assert summary_of(vetoed.state).error is None
    (scores,) = [equation["scores"] for equation in result(vetoed)["equations"].values()]
    assert (scores["integral_nmse"], scores["held_out_integral_nmse"]) == (None, None)


def test_the_list_of_runs_and_the_run_itself_say_the_same_of_an_equation_that_waits(store):
    """History said "no law" of what Discover called not fitted yet."""
    run = scripted(mug(), [[["1", "T"]]], place=store)
    vetoed = runs.intervene(store, run.id, Intervention(overrides=(Override(LINEAR, "remove", "No"),)))
    assert (summary_of(vetoed.state).status, verdict(vetoed.state).words) == ("not fitted yet", "Not fitted yet")
    run = scripted(generate(2, points=60), [[["x0"], ["x0", "x1"]]], place=store)
    vetoed = runs.intervene(store, run.id, Intervention(overrides=(Override(TermKey(1, "x1"), "remove", "No"),)))
    assert "not fitted yet 1 of 2" in summary_of(vetoed.state).status


def test_no_export_and_no_command_says_no_law_of_an_equation_that_waits(store, capsys):
    run = scripted(mug(), [[["1", "T"]]], place=store)
    both = tuple(Override(TermKey(0, term), "remove", "No") for term in ("1", "T"))
    vetoed = runs.intervene(store, run.id, Intervention(overrides=both))
    pinned = runs.intervene(store, scripted(mug(), [[["1", "T"]]], place=store).id, Intervention(pin=PIN))
    for waiting in (vetoed, pinned):
        assert equations(waiting) == ["d T / d t: not fitted yet"]
        assert export(waiting, "text").content.decode().splitlines()[1:] == ["# dT_dt: not fitted yet"]
        assert not report(waiting, None)
        said = capsys.readouterr().out
        assert "not fitted yet: You ruled out every law" in said
        assert "no law" not in said.lower()
        assert result(waiting)["equations"]["T"]["status"] == "none"


def test_a_term_is_not_graded_by_what_was_said_of_it_in_another_law(store):
    run = scripted(mug(), [[["1", "T"]], [["1"]]], place=store)
    assert {row.key.skeleton: row.graded for row in panels(run)[0].terms} == {"1": True, "T": True}
    vetoed = runs.intervene(store, run.id, Intervention(overrides=(Override(LINEAR, "remove", "No"),)))
    (row,) = panels(vetoed)[0].terms
    assert (row.key.skeleton, row.graded) == ("1", False)


def test_a_law_that_was_graded_before_keeps_its_grades(vetoed):
    (row,) = panels(vetoed)[0].terms
    assert (row.key.skeleton, row.graded) == ("1", True)


@pytest.mark.parametrize("kind", ["term", "kind"])
def test_what_was_ruled_out_is_no_best_so_far(kind, store):
    run = scripted(mug(), [[["1"]]], [[["1", "T"]]], place=store)
    word = Intervention(ban=(TermNote(LINEAR, "no"),))
    if kind == "kind":
        word = Intervention(ban_families=(FamilyNote(FamilyKey(0, "linear"), "no"),))
    spoken = runs.intervene(store, run.id, word)
    first = run.entries[1]
    assert points(run.entries)[1].best < points(run.entries)[0].best
    assert points((*run.entries, first))[-1].best == points(run.entries)[1].best
    assert points((*spoken.entries, first))[-1].best == points(run.entries)[0].best


def test_a_law_without_rivals_says_whose_word_left_it_none():
    run = found(mug())
    assert loop.status(run.state, 0) == ("settled", ALONE)
    store = MemoryStore()
    run = found(mug(), store)
    spoken = runs.intervene(store, run.id, Intervention(ban=(TermNote(TermKey(0, "T**2"), "no"),)))
    assert loop.status(spoken.state, 0) == ("settled", ALLOWED)
    assert panels(spoken)[0].says_alone
    assert loop.is_narrowed(spoken.state, 0)
    assert not loop.is_narrowed(run.state, 0)
    term = run.state.best[0].fit.terms[0].skeleton
    key = TermKey(0, term)
    pinned = replace(run.state, pins={key: Pin(key, 1, "yes")})  # no law without it was compared
    assert loop.status(pinned, 0) == ("settled", ALLOWED)


def test_a_rate_too_small_for_a_computer_is_no_rest(store):
    run = scripted(mug(), [[["exp(-params[0]/T)"]]], place=store)
    shown = phase_line(run, 200)
    assert shown is not None
    assert shown.equilibria == ()


def test_more_iterations_that_are_asked_for_are_done_though_all_that_were_set_are_used(store):
    run = runs.start(store, noise(40, 1, 1), Settings(iterations=1))
    first = runs.auto(store, run)
    assert (first.state.iteration, loop.is_found(first.state)) == (1, False)
    assert runs.auto(store, run, 1).state.iteration == 1
    assert runs.auto(store, run, 1, beyond=True).state.iteration == 2
    more = runs.load(store, run).state
    assert loop.reason_to_stop(more, standing=False) == "Stopped: all 2 iterations are used."


def test_a_word_in_one_equation_says_nothing_of_what_another_was_compared_with():
    state = found(mug()).state
    elsewhere, here = TermKey(1, "T**2"), TermKey(0, "T**2")
    for key, said in ((elsewhere, ALONE), (here, ALLOWED)):
        assert loop.status(replace(state, bans={key: Ban(key, "human", 1, "no")}), 0) == ("settled", said)


def test_what_was_said_of_a_term_in_another_law_is_not_said_of_the_best_one(store):
    run = scripted(mug(), [[["1", "T"]]], [[["T"]]], place=store)
    done = [entry for entry in run.entries if isinstance(entry, Iteration)]
    assert verdict_on(run.state, LINEAR, done)[1] in done[0].evaluation.ablations
    chosen = replace(run.state, ended=run.state.best, best=(run.state.archive[0, ("T",)],))
    assert verdict_on(chosen, LINEAR, done)[1] in done[1].evaluation.ablations
    unheard = replace(chosen, best=(replace(chosen.best[0], fit=replace(chosen.best[0].fit, terms=())),))
    assert verdict_on(unheard, LINEAR, done) == (None, None)


def test_a_language_model_grades_the_best_law_beside_every_attempt(store):
    run = scripted(mug(), [[["1", "T"]]], [[["T"]]], place=store)
    first, second = [entry for entry in run.entries if isinstance(entry, Iteration)]
    state = replace(run.state, models=Models(ModelChoice("scripted", "script"), ModelChoice("scripted", "script")))
    constant = TermKey(0, "1")
    said = next(one for one in first.verdicts if one.key == constant)
    figures = next(one for one in first.evaluation.ablations if one.key == constant)
    evaluation = replace(second.evaluation, ablations=(*second.evaluation.ablations, replace(figures, zeroed=7.0)))
    done = [first, replace(second, verdicts=(*second.verdicts, said), evaluation=evaluation)]
    assert verdict_on(state, constant, done)[1].zeroed == 7.0
    assert verdict_on(state, LINEAR, done)[1] in first.evaluation.ablations
    chosen = replace(state, ended=state.best, best=(state.archive[0, ("T",)],))
    assert verdict_on(chosen, LINEAR, done)[1] in second.evaluation.ablations


def test_of_a_term_that_only_other_laws_were_graded_with_no_share_is_told(store):
    run = scripted(mug(), [[["1", "T"]]], [[["T"]]], place=store)
    done = [entry for entry in run.entries if isinstance(entry, Iteration)]
    verdict, figures = verdict_on(run.state, LINEAR, done)
    assert figures in done[0].evaluation.ablations
    shares = (
        acts("raises", "T", "47 %"),
        acts("sometimes raises, sometimes lowers", "T of 3.5 l", "under 1 %"),
        acts("lowers", "T"),
    )
    beside = " ".join((*shares, VAGUE))
    form = "It is a form of T*u, for which the word 'heat' speaks."
    said = f"T grows in proportion. {form} {beside} Strange."
    others = [replace(one, attempt=done[1].attempt, verdicts=(replace(verdict, reason=said),)) for one in done[1:]]
    told = f"Graded in another law, iteration 2. T grows in proportion. {form} Strange."
    assert verdict_on(run.state, LINEAR, others) == (replace(verdict, reason=told), None)
    assert verdict_on(run.state, TermKey(0, "T**3"), done) == (None, None)
    elsewhere = replace(run, entries=(run.entries[0], *others))
    shown = next(row for row in panels(elsewhere)[0].terms if row.key == LINEAR)
    assert (shown.graded, shown.reason, shown.is_of_another) == (True, told, True)
    assert dropped(shown.refitted, shown.nats) == "–"
    assert not next(row for row in panels(run)[0].terms if row.key == LINEAR).is_of_another


SIGNED = (
    "One would expect a positive coefficient; the fit gives a negative one.",
    "Its coefficient would be positive, here it is negative.",  # as older logs have it
    "The word 'heat' speaks of a gain, but here it makes T of 3.5 l shrink.",
)


def turned(fit):
    return replace(fit, terms=tuple(replace(term, coefficient=-term.coefficient) for term in fit.terms))


def reasoned(run, reason, nats, attempt=lambda fit: fit):
    """The run whose terms were graded with this reason and these nats, on the coefficients that `attempt` gives."""
    done = run.entries[1]
    ablations = tuple(replace(one, nats=nats) for one in done.evaluation.ablations)
    told = replace(
        done, attempt=tuple(map(attempt, done.attempt)), evaluation=replace(done.evaluation, ablations=ablations),
        verdicts=tuple(replace(one, reason=reason) for one in done.verdicts),
    )  # fmt: skip
    return next(row for row in panels(replace(run, entries=(run.entries[0], told)))[0].terms if row.key == LINEAR)


@pytest.mark.parametrize("nats", [12.0, None])
@pytest.mark.parametrize("signed", SIGNED)
def test_no_reason_speaks_of_a_sign_beside_the_other_one(signed, nats, store):
    run = scripted(mug(), [[["1", "T"]]], place=store)
    does = acts("lowers", "T", "47 %")
    said = f"T cools. {signed} {does}"
    assert reasoned(run, said, nats).reason == said
    row = reasoned(run, said, nats, turned)
    kept = f" {does}" if nats else ""  # of whole runs, as the coefficient that is shown
    assert row.coefficient < 0.0
    other = "in which this term had the other sign: positive, and here negative"
    assert row.reason == f"Graded on an earlier fit of this law, {other}. T cools.{kept}"
    assert row.nats == nats
    assert nats or np.isnan(row.refitted)


def test_a_coefficient_far_from_zero_is_not_told_to_be_insignificant(store):
    run = scripted(mug(), [[["1", "T"]]], place=store)
    row = reasoned(run, f"T cools. {VAGUE} Strange.", 12.0)
    assert abs(row.coefficient) > 2.0 * row.std_error
    assert row.reason == "T cools. Strange."


def test_what_was_tried_has_the_coefficients_that_its_grades_speak_of(vetoed):
    """Those of whole runs, as it had them while it was the best law, and not those of the rates alone."""
    before = vetoed.state.archive[0, ("1", "T")]
    assert before.refined is not None
    assert before.refined != before.fit
    (panel,) = panels(vetoed)
    assert [row.coefficient for row in panel.others] == [
        term.coefficient for term in before.refined.terms if term.skeleton == "T"
    ]
    assert panel.tried == latex.equation(before.refined, names_of(vetoed.state.problem.dataset))


def test_before_a_choice_the_law_has_the_numbers_that_were_shown(store):
    run = scripted(mug(), [[["1", "T"]]], place=store)
    (shown,) = panels(run)
    assert shown.latex != latex.equation(run.state.last.attempt[0], names_of(run.state.problem.dataset))
    gone = tuple(TermNote(TermKey(0, term), "no") for term in ("1", "T"))
    (panel,) = panels(runs.intervene(store, run.id, Intervention(ban=gone, equations=(EquationNote(0, ("T**2",)),))))
    assert panel.awaited
    assert panel.tried == shown.latex


def test_what_a_veto_costs_is_told_by_the_rates_until_the_law_is_simulated(vetoed, capsys):
    told = cost_of_veto(vetoed)
    best, other = (vetoed.state.archive[0, terms].fit.nmse for terms in (("1", "T"), ("1",)))
    errors = f"{figure(other, 2)}, it was {figure(best, 2)}."
    assert told == f"Worse since your veto (remove T): error (NMSE) of the rate of T {errors}"
    assert told in read(app("discover", vetoed.id))
    assert told in read(app("equations", vetoed.id))
    report(vetoed, None)
    assert told in capsys.readouterr().out


def test_what_a_veto_costs_is_told_by_the_simulation_and_not_where_it_cost_nothing(vetoed):
    first, second = vetoed.entries[1:3]
    before = replay(vetoed.entries[:3]).trajectory.nmse[0]

    def heard(nmse):
        done = replace(second, number=3, refined=(), trajectory=TrajectoryScore((nmse,)))
        entries = (*vetoed.entries, done)
        return replace(vetoed, entries=entries, state=loop.replay(entries))

    told = f"simulated error (NMSE) of T 0.5, it was {figure(before, 2)}."
    assert cost_of_veto(heard(0.5)) == f"Worse since your veto (remove T): {told}"
    assert cost_of_veto(heard(np.inf)).endswith(f"of T failed, it was {figure(before, 2)}.")
    assert cost_of_veto(heard(before)) == ""
    other = Intervention(ban=(TermNote(TermKey(0, "T**2"), "no"),))
    assert cost_of_veto(replace(vetoed, entries=(*vetoed.entries[:3], other), state=replay(vetoed.entries[:3]))) == ""
    assert cost_of_veto(replace(vetoed, entries=(vetoed.entries[0], first), state=replay(vetoed.entries[:2]))) == ""


def test_the_way_of_a_run_is_that_of_its_best_law_not_of_the_least_error(store):
    given = noisy(lambda _, x: [0.9 * x[0] - 0.3 * x[0] ** 2], [0.3], 8.0, 0.03, 200, names=("x",))
    run = scripted(given, [[["x", "x**2", "x**3", "1"]]], [[["x", "x**2"]]], place=store)
    longer, shorter = points(run.entries)
    assert shorter.attempt > longer.attempt == longer.best
    assert shorter.best == shorter.attempt == run.state.best[0].fit.nmse
