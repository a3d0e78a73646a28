"""Noisy samples: terms that only words bring in, or that no mechanism writes down, where the libraries have no law."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.agents.builtin import pursuit
from dolq_core.agents.builtin.changing import replaced
from dolq_core.agents.builtin.choice import Library
from dolq_core.agents.builtin.outside import Outside
from dolq_core.agents.builtin.pursuing import library_of, pursued
from dolq_core.agents.builtin.references import polynomials
from dolq_core.agents.builtin.scan import Scan
from dolq_core.fitting.likelihood import shape
from dolq_core.fitting.prior import Prior
from dolq_core.fitting.symmetry import kin
from dolq_core.mechanisms import is_composed
from dolq_core.records import Ban, FittedTerm, TermKey
from dolq_core.terms import Skeleton
from tests.agents.problems import begun, noisy, simulated
from tests.every import every, none

PULSE = Skeleton("exp(-(params[0] + params[1]*t)**2)")


def choked(points=300):
    return noisy(lambda _, x: [2.0 / (1.0 + x[0] ** 3) - 0.5 * x[0] ** 1.5], [0.1], 6.0, 0.003, points)


def best_of(given, **changes):
    state, setup = begun(given)
    return pursued(replace(state, **changes), setup.bench)[0][0]


def test_a_law_of_two_terms_that_no_mechanism_writes_down_together_is_found_and_varied(monkeypatch):
    varied, vary = [], pursuit.Pursuit._vary
    monkeypatch.setattr(pursuit.Pursuit, "_vary", lambda self: varied.append(self.best) or vary(self))
    assert best_of(choked()) == (("1/(params[0] + x0**3)", "x0**1.5"),)
    assert varied


def test_a_removed_term_is_not_composed_again():
    key = TermKey(0, Skeleton("x0**1.5"))
    (law,) = best_of(choked(), bans={key: Ban(key, "human", 0, "not this")})
    assert "x0**1.5" not in law


def test_a_pulse_that_no_word_speaks_of():
    def rhs(t, x):
        return [0.4 + 3.0 * np.exp(-(((t - 4.0) / 1.5) ** 2)) - 0.5 * x[0]]

    assert best_of(noisy(rhs, [1.0], 15.0, 0.01, 100)) == (("1", PULSE, "x0"),)


def test_a_law_that_explains_the_samples_in_plain_terms_is_not_searched_past(monkeypatch):
    asked = []
    monkeypatch.setattr(pursuit.Pursuit, "_outside", lambda self: asked.append(self.best) or False)
    decay = noisy(lambda _, x: [0.8 - 0.5 * x[0]], [3.0], 8.0, 0.02, 200)
    assert best_of(decay) == (("1", "x0"),)
    assert not asked
    best_of(choked(200))
    assert asked


def test_five_variables_are_too_many():
    given = simulated(lambda _, x: -np.arange(1.0, 6.0) * x, [1.0] * 5, 3.0, points=100)
    state, setup = begun(given)
    assert library_of(state, setup.bench, 0).composed.terms == frozenset()


def test_a_library_holds_what_is_outside_of_its_stages_too():
    state, setup = begun(choked())
    known = library_of(state, setup.bench, 0)
    assert PULSE in known.rare
    assert every(known.holds(term) for term in (PULSE, "x0", "x0**1.5*sin(params[0]*t)"))
    assert none(term in known.stages[-1] for term in (PULSE, "x0**1.5*sin(params[0]*t)"))
    assert not known.holds("x0**7")
    assert is_composed(setup.bench.names, Skeleton("x0**1.5*sin(params[0]*t)"))


def outside(given, own=(), forced=()):
    state, setup = begun(given)
    law = (FittedTerm("1/(params[0] + x0**3)", 2.0, None, (1.0,)), FittedTerm("x0**1.5", -0.5, None))
    near = setup.bench.output_error([replace(setup.bench.null(0), terms=law)], 0)
    library = replace(library_of(state, setup.bench, 0), forced=tuple(map(Skeleton, forced)))
    return Outside(near, 0, library, own, Prior(given), 300)


@pytest.fixture(scope="module")
def of_choked():
    return outside(choked())


def test_what_is_too_many_goes_while_the_description_gets_shorter(of_choked):
    true = [(Skeleton("1/(params[0] + x0**3)"), (1.0,)), (Skeleton("x0**1.5"), ())]
    plain = [(Skeleton(s), ()) for s in ("1", "x0")]
    nats, left = of_choked._pruned([*true, *plain], 5)
    assert sorted(left) == sorted(true)
    assert nats < of_choked._pruned(plain, 5)[0] - 20.0
    assert len(of_choked._pruned([*true, *plain], 1)[1]) == 1


def test_a_term_that_must_be_in_stays():
    asked = outside(choked(), forced=["cos(x0)"])
    _, left = asked._pruned([(Skeleton(s), ()) for s in ("1", "x0", "x0**2", "cos(x0)")], 2)
    assert ("cos(x0)", ()) in left
    assert every(("cos(x0)", ()) in base for base in asked._bases())


def test_products_with_all_columns_say_what_the_columns_themselves_do(of_choked):
    scan, base = of_choked.scan, [(Skeleton("1"), ()), (Skeleton("1/(params[0] + x0)"), (0.7,))]
    exactly = Scan(of_choked.near, 0, [curve.skeleton for curve in scan.curves], grid=scan.grid, finer=scan.finer)
    rough, exact = (one._gains(base, *one._projected(base)) for one in (scan, exactly))
    told = (exact > 1e-3 * exact.max()) & (rough > 0.0)  # but for the few that are all but one of the base
    assert np.count_nonzero(told) > 0.99 * np.count_nonzero(exact > 1e-3 * exact.max())
    assert rough[told] == pytest.approx(exact[told], rel=1e-4)


def test_a_cheap_term_leads_a_dear_one_that_explains_little_more():
    given = noisy(lambda _, x: [1.3 - 0.8 * x[0] ** 2], [0.2], 3.0, 0.01, 200)
    _, setup = begun(given)
    near = setup.bench.output_error(polynomials(setup.bench, 3), 0)
    both = [Skeleton("x0"), Skeleton("x0**2")]
    first = {
        dear: Scan(near, 0, both, {both[0]: 0.0, both[1]: dear}).beside([(Skeleton("1"), ())], 1)[0][0]
        for dear in (0.0, 500.0)
    }
    assert first == {0.0: "x0**2", 500.0: "x0"}


def test_a_new_term_takes_the_place_of_an_old_one_in_every_equation():
    old, new = FittedTerm("x0*exp(params[0]*x1)", -2.0, None, (0.1,)), FittedTerm("x0/x1", -6.0, None)
    heat = FittedTerm("x0*exp(params[0]*x1)", 4.0, None, (0.1,))
    loss = FittedTerm("x1", -1.0, None)
    (system,) = replaced(((old,), (heat, loss)), 0, (new,))
    assert system == ((new,), (replace(new, coefficient=12.0), loss))
    assert replaced(((old,), (loss,)), 0, (new,)) == []  # nowhere else
    assert replaced(((old,), (heat, loss)), 0, (new, FittedTerm("1", 1.0, None))) == []  # two are new


def test_a_library_without_stages_to_speak_of_is_searched_all_the_same():
    state, setup = begun(choked(200))
    one = Library((("1", "x0", "x0**2"),))
    found = pursuit.Pursuit(setup.bench, setup.bench.likelihoods, Prior(state.problem), [one], 3).run()
    assert found


def test_a_term_that_must_be_in_has_its_numbers_in_every_set():
    must = FittedTerm("x0/(params[0] + x0)", 1.0, None, (0.7,))
    asked = outside(choked(200), own=[must], forced=[must.skeleton])
    assert every((must.skeleton, (0.7,)) in base for base in asked._bases())
    assert every(must.skeleton in {term.skeleton for term in law} for law in asked.structures(4))


def test_a_term_outside_of_the_libraries_is_compared_with_what_it_is_by_a_state():
    """Shares of wages and of work: close to full employment e/(1 - e)**2 is hardly another curve than 1/(1 - e)**2."""
    given = noisy(
        lambda _, s: [(6.4e-5 / (1 - s[1]) ** 2 - 0.065) * s[0], (0.278 - 0.333 * s[0]) * s[1]],
        [0.8, 0.92],
        60.0,
        points=300,
    )
    state, setup = begun(given)
    bench = setup.bench.whole
    libraries = [library_of(state, bench, j) for j in range(2)]
    search = pursuit.Pursuit(bench, bench.new_likelihoods(), Prior(given), libraries, 4)
    curve = FittedTerm(Skeleton("x0*x1/(params[0] - x1)**2"), 6.4e-5, None, (1.0,))
    falls, grows, meets = (
        FittedTerm(Skeleton(s), v, None) for s, v in (("x0", -0.065), ("x1", 0.278), ("x0*x1", -0.333))
    )
    search._try(((falls, curve), (meets, grows)))
    search._vary()
    seen = {shape(judged.system)[0]: judged.fit for judged in search.like.known}
    assert seen["x0", "x0/(params[0] - x1)**2"] < seen["x0", curve.skeleton] + 6.0


def test_the_kin_of_a_term_have_a_factor_more_or_less():
    assert kin(Skeleton("x0*x1/(params[0] - x1)**2"), ("x0", "x1")) == (
        "x0**2*x1/(params[0] - x1)**2",
        "x1/(params[0] - x1)**2",
        "x0*x1**2/(params[0] - x1)**2",
        "x0/(params[0] - x1)**2",
    )
    assert kin(Skeleton("sqrt(x0)"), ("x0",))[0] == "x0**1.5"
    assert kin(Skeleton("u*x0*t"), ("x0",)) == ("t*u*x0**2", "t*u"), "what drives it is no state, and stays"
    longest = "a" * 150
    assert kin(Skeleton(f"{longest}*x0"), ("x0", longest)) == (f"{longest}*x0**2", longest), "a text has an end"


def test_plain_terms_that_do_not_explain_the_samples_are_no_law(monkeypatch):
    given = noisy(lambda _, x: [0.8 - 0.5 * x[0]], [3.0], 8.0, 0.02, 200)
    state, setup = begun(given)
    library = library_of(state, setup.bench, 0)
    search = pursuit.Pursuit(setup.bench, setup.bench.likelihoods, Prior(given), [library], 4)
    search._try(((FittedTerm("1", 0.8, None), FittedTerm("x0", -0.5, None)),))
    assert search._is_law()
    monkeypatch.setattr(search, "_explains", lambda: False)
    assert not search._is_law()


def test_one_term_is_replaced_in_two_equations_at_once(monkeypatch):
    def rhs(_, x):
        flow = 0.4 * x[0] * np.sqrt(x[1])
        return [1.0 - flow, 0.6 * flow - 0.3 * x[1]]

    given = noisy(rhs, [1.0, 0.3], 12.0, 0.01, 300)
    state, setup = begun(given)
    libraries = [library_of(state, setup.bench, j) for j in range(2)]
    search = pursuit.Pursuit(setup.bench, setup.bench.likelihoods, Prior(given), libraries, 4)
    one, old, loss = FittedTerm("1", 1.0, None), FittedTerm("x0*x1", -0.3, None), FittedTerm("x1", -0.3, None)
    search._try(((one, old), (replace(old, coefficient=0.2), loss)))
    assert search.best is not None
    new = (one, FittedTerm("x0*sqrt(x1)", -0.4, None))
    monkeypatch.setattr(pursuit.Outside, "structures", lambda self, _: [new] if self.equation == 0 else [])
    monkeypatch.setattr(search, "_is_odd", lambda j: j == 0)
    assert search._outside()
    assert [{term.skeleton for term in terms} for terms in search.best.system] == [
        {"1", "x0*sqrt(x1)"}, {"x0*sqrt(x1)", "x1"},
    ]  # fmt: skip


@pytest.mark.parametrize("removed", ["x0**1.5*sin(params[0]*t)", PULSE])
def test_a_ban_on_what_is_outside_of_the_stages_is_a_new_question(monkeypatch, removed):
    """A run that is resumed has no search of before to go on with."""
    asked = []
    monkeypatch.setattr(pursuit.Pursuit, "run", lambda self: asked.append(self.libraries) or [])
    state, setup = begun(choked(200))
    key = TermKey(0, Skeleton(removed))
    for bans in ({}, {key: Ban(key, "human", 0, "no")}, {}):
        pursued(replace(state, bans=bans), setup.bench)
    assert len(asked) == 2
    assert [one[0].holds(Skeleton(removed)) for one in asked] == [True, False]


def test_products_are_kept_with_the_sets_alone():
    asked = outside(choked(200))
    assert asked.structures(4)
    assert set(asked.scan._met) <= {term for base in asked._bases() for term in base}
