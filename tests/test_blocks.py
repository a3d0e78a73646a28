"""Building blocks: what laws may be made of is read, obeyed by every road into a run, and said."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.agents.llm.telling import bans_part, wishes_part
from dolq_core.blocks import (
    FREE,
    in_words,
    read_blocks,
    read_functions,
    read_hidden,
    read_second_order,
    why_not,
    wrong_sign,
)
from dolq_core.errors import DataError
from dolq_core.estimator import DoLQ
from dolq_core.export.tables import decisions
from dolq_core.fitting import Workbench, names_of
from dolq_core.loop.advance import advance, begin
from dolq_core.loop.fit import fit
from dolq_core.loop.sample import sample
from dolq_core.loop.status import status
from dolq_core.records import (
    Blocks,
    Candidate,
    EquationBlocks,
    EquationNote,
    FittedTerm,
    Intervention,
    Proposal,
    Sampling,
    Settings,
    Start,
    Term,
    TermKey,
    TermNote,
)
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import Names, parse_term
from dolq_core.views.files import export
from dolq_core.views.history import marks
from dolq_core.views.terms import bans
from tests.agents.problems import problem, run, simulated
from tests.every import every
from tests.test_likelihood import prey

NAMES = Names(("x", "v (m/s)", "u"), ("x", "v", "u"))
GUIDE = Path(__file__).parents[1] / "docs" / "building-blocks.md"


def swinging(points=400, **more):
    """x' = v, v' = -sin(x) - 0.2 v, exactly; or with noise."""
    return replace(
        simulated(lambda _, s: [s[1], -np.sin(s[0]) - 0.2 * s[1]], [2.0, 0.0], 15.0, points=points),
        blocks=Blocks(**more),
    )


def terms_of(state):
    return {(j, term.skeleton) for j, best in enumerate(state.best) if best for term in best.fit.terms}


def test_the_guides_example_is_read_as_it_says():
    text, *others = re.findall(r"```toml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert every(
        read_blocks(other, NAMES, 2) != FREE
        or read_functions(other, NAMES)
        or read_second_order(other)
        or read_hidden(other)
        for other in others
    )
    blocks = read_blocks(text, NAMES, 2)
    assert (blocks.functions, blocks.degree) == (("sin", "abs"), 3)
    assert (blocks.ratios, blocks.inner, blocks.time) == (False, False, False)
    own = (EquationBlocks(0, terms=("v",)), EquationBlocks(1, ("x", "v"), signs=(("v", "negative"),)))
    assert blocks.equations == own
    said = " ".join(in_words(blocks, NAMES))
    assert "at most 3" in said
    assert "v (m/s)" in said
    assert in_words(FREE, NAMES) == []


REFUSED = [
    ("functions = ['sine']", "functions", "Did you mean 'sin'?"),
    ("degree = -1", "degree", "greater than or equal to 0"),
    ("degree = 'two'", "degree", "valid integer"),
    ("ratio = false", "ratio", "Extra inputs"),
    ("[equations.u]\nvariables = []", "equations", "there is no 'u'"),
    ("[equations.x]\nvariables = ['y']", "equations.x.variables", "There are x"),
    ("[equations.x]\nterms = ['x +']", "equations.x", "is no term"),
    ("[equations.x]\nsigns = {x = 'minus'}", "equations.x.signs.x", "'+' or '-'"),
    ("[equations.x]\nonly = ['x']", "equations.x.only", "Extra inputs"),
    ("degree = ", "cannot be read", "TOML"),
    ("veto = 'sin(x)'", "veto", "valid list"),
    ("veto = ['sin(']", "veto", "'sin(' is no term"),
    ("[equations.x]\npin = ['y']", "equations.x.pin", "'y' is no term"),
]


@pytest.mark.parametrize(("text", "place", "way_out"), REFUSED)
def test_what_cannot_be_used_is_refused_with_its_place_and_a_way_out(text, place, way_out):
    with pytest.raises(DataError) as told:
        read_blocks(text, NAMES, 2)
    assert place in str(told.value)
    assert way_out in str(told.value)


RULES = [
    (Blocks(functions=("sin",)), "cos(x)", "cos is not among"),
    (Blocks(functions=("sin",)), "sin(x)", ""),
    (Blocks(functions=("sin",)), "sqrt(x)", "sqrt is not among"),
    (Blocks(functions=("sqrt",)), "sqrt(x)*v", ""),
    (Blocks(degree=2), "x*v**2", "above 2"),
    (Blocks(degree=2), "x*v", ""),
    (Blocks(ratios=False), "x/(1 + v)", "ratios"),
    (Blocks(ratios=False), "x/3", ""),
    (Blocks(inner=False), "x/(params[0] + v)", "fitted inside"),
    (Blocks(time=False), "x*t", "time itself"),
    (Blocks(equations=(EquationBlocks(0, ("x",)),)), "x*v", "v is not allowed"),
    (Blocks(equations=(EquationBlocks(1, ("x",)),)), "x*v", ""),
    (Blocks(equations=(EquationBlocks(0, terms=("v",)),)), "x", "other terms"),
    (Blocks(equations=(EquationBlocks(0, terms=("v",)),)), "v", ""),
]


@pytest.mark.parametrize(("blocks", "text", "said"), RULES)
def test_each_rule_says_which_term_it_does_not_let_in(blocks, text, said):
    found = why_not(blocks, TermKey(0, parse_term(text, NAMES).skeleton))
    assert (said in found) if said else found == ""


def test_a_sign_holds_for_one_equation_and_one_term():
    blocks = Blocks(equations=(EquationBlocks(1, signs=(("v", "negative"),)),))
    up, down = FittedTerm("v", 0.5, None), FittedTerm("v", -0.5, None)
    assert "may only be negative" in wrong_sign(blocks, 1, [up])
    assert wrong_sign(blocks, 1, [down]) == wrong_sign(blocks, 0, [up]) == wrong_sign(FREE, 1, [up]) == ""


def test_the_search_keeps_to_them_on_clean_data():
    free = run(swinging(), iterations=3)
    assert (1, "sin(x0)") in terms_of(free)
    bound = run(swinging(functions=(), degree=2, ratios=False, inner=False, time=False), iterations=3)
    assert terms_of(bound)
    assert every(not why_not(bound.problem.blocks, TermKey(*key)) for key in terms_of(bound))
    assert status(bound, 1)[0] != "settled"


def test_the_search_keeps_to_them_under_noise():
    own = EquationBlocks(0, ("x0", "x1"), signs=(("x0*x1", "negative"),)), EquationBlocks(1, terms=("x0*x1", "x1"))
    blocks = Blocks((), 2, ratios=False, inner=False, time=False, equations=own)
    state = run(replace(prey(points=200), blocks=blocks), iterations=1)
    assert terms_of(state) == {(0, "x0"), (0, "x0*x1"), (1, "x0*x1"), (1, "x1")}
    for system in state.last.fits:
        for found in system.equations:
            assert every(not why_not(blocks, TermKey(found.equation, term.skeleton)) for term in found.terms)
            assert found.failure or not wrong_sign(blocks, found.equation, found.terms)


def test_a_structure_with_a_sign_that_is_not_allowed_is_set_aside_and_says_so():
    blocks = Blocks(equations=(EquationBlocks(1, signs=(("x1", "positive"),)),))
    state = begin(Start(replace(swinging(), blocks=blocks), Settings()))
    terms = ((Term("x1", "", "", "model"),), (Term("sin(x0)", "", "", "model"), Term("x1", "", "", "model")))
    bench = Workbench.of(state.problem.dataset)
    (system,) = fit(state, Proposal((Candidate(0, terms),), ()), bench)
    assert not system.equations[0].failure
    assert "x1 may only be positive" in system.equations[1].failure


def test_what_a_person_types_or_pins_is_refused_too_and_the_rule_is_named():
    state = begin(Start(swinging(degree=1), Settings()))
    asked = replace(
        state,
        proposals=(TermNote(TermKey(1, "x0**3")),),
        equations=(EquationNote(0, ("x0*x1",)),),
    )

    class Silent:
        def propose(self, state, bench, rng):
            return Sampling((((), ()),))

    proposal = sample(asked, Silent(), Workbench.of(state.problem.dataset), np.random.default_rng(0))
    assert {terms for candidate in proposal.candidates for terms in candidate.terms} <= {()}
    assert {r.text for r in proposal.refused} >= {"x0**3", "x0*x1"}
    assert every("outside the building blocks" in r.reason for r in proposal.refused if r.text == "x0**3")


def test_a_language_model_is_told_the_rules():
    state = begin(Start(swinging(functions=("sin",), degree=2), Settings()))
    told = bans_part(state, names_of(state.problem.dataset))
    assert "Functions: sin." in told
    assert "Building blocks" not in bans_part(begin(Start(swinging(), Settings())), NAMES)


def test_a_language_model_is_told_a_veto_and_a_pin_as_long_as_they_stand():
    given = runs.with_blocks(swinging(), 'degree = 3\nveto = ["x0**3"]\n[equations.x1]\npin = ["x0"]')
    state, names = begin(Start(given, Settings())), names_of(given.dataset)
    assert "x0: x0**3 (by the person)" in bans_part(state, names)
    assert "x0 in d x1/dt must be in every hypothesis" in wishes_part(state, names).replace("x1: x0", "x0 in d x1/dt")
    lifted = Intervention(unban=tuple(TermKey(j, "x0**3") for j in range(2)), unpin=(TermKey(1, "x0"),))
    later = advance(state, lifted)
    assert "x0**3" not in bans_part(later, names)
    assert wishes_part(later, names) == ""
    said = " ".join(in_words(given.blocks, names))
    assert "Vetoed from the start in the equations of x0, x1: x0**3." in said
    assert "Pinned from the start in the equation of x1: x0." in said


def test_a_veto_and_a_pin_said_before_the_run_are_among_its_decisions():
    given = runs.with_blocks(swinging(), 'veto = ["x0**3"]\n[equations.x1]\npin = ["x0"]')
    store = MemoryStore()
    run = runs.load(store, runs.start(store, given))
    (mark,) = marks(run)
    assert (mark.iteration, mark.words) == (0, "ban x0**3 in dx0/dt, ban x0**3 in dx1/dt, pin x0 in dx1/dt")
    rows = [line.split(",")[3:7] for line in decisions(run.entries, (), names_of(given.dataset)).splitlines()[1:]]
    assert rows == [["human", "x0", "x0**3", "ban"], ["human", "x1", "x0**3", "ban"], ["human", "x1", "x0", "pin"]]
    assert [(one.equation_name, one.text, one.by) for one in bans(run)] == [
        ("x0", "x0**3", "human"),
        ("x1", "x0**3", "human"),
    ]


def test_they_are_kept_with_the_run_its_fork_and_its_bundle():
    store, given = MemoryStore(), swinging(degree=2)
    started = runs.start(store, given)
    runs.intervene(store, started, Intervention(remark="now"))
    forked = runs.fork(store, started, 1)
    other = MemoryStore()
    back = runs.import_run(other, export(runs.load(store, started), "bundle").content)
    for at, name in ((store, started), (store, forked), (other, back)):
        assert runs.load(at, name).state.problem.blocks == given.blocks


def test_the_estimator_takes_them(tmp_path):
    data = problem(np.linspace(0.0, 5.0, 60), np.exp(-np.linspace(0.0, 5.0, 60))[:, None], ["x"])
    path = tmp_path / "blocks.toml"
    path.write_text("degree = 1", encoding="utf-8")
    for allow in ("degree = 1", path):
        model = DoLQ().fit(data, allow=allow, steps=0)
        assert model.run_.state.problem.blocks == Blocks(degree=1)


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('degree = 3\nconserved = ["S + P"', 2, "unclosed array"),
        ("degree: 3\n", 1, "expected '=' after a key"),
        ("degree = 3\nratios = no\n", 2, "invalid value"),
    ],
)
def test_what_is_no_toml_is_told_with_its_line_and_what_to_write(text, line, why):
    with pytest.raises(DataError, match=f"Building blocks, line {line}: it cannot be read as TOML: {why}") as told:
        read_second_order(text)
    assert str(told.value).endswith('such as conserved = ["S + P"] or degree = 3.')
