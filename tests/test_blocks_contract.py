"""No road into a run passes a rule by: each declaration against those who propose, on clean and on noisy data.

What is asked of a law is written here a second time, on the numbers of the fits, and shares no code with `blocks`.
Every fit that a log holds is looked at: proposals, attempts, the best, refined ones and rivals.
"""

import dataclasses
import re
from dataclasses import replace

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.agents.builtin import BuiltinSampler, BuiltinScientist
from dolq_core.errors import DolqError
from dolq_core.estimator import DoLQ
from dolq_core.fitting import Workbench, names_of
from dolq_core.loop.advance import advance, begin
from dolq_core.loop.step import Setup, step
from dolq_core.records import (
    EquationFit,
    EquationNote,
    Intervention,
    ProposedTerm,
    Sampling,
    Settings,
    Start,
    TermKey,
    TermNote,
)
from dolq_core.store.memory import MemoryStore
from dolq_core.views.files import export
from tests.agents.problems import lynx_hare
from tests.every import every
from tests.test_blocks import swinging
from tests.test_blocks_numbers import noisy

AGAINST = (
    (("sin(x0)", "x0**3", "x1", "cos(t)"), ("sin(x0)", "x1", "x0**3", "x0/(params[0] + x1**2)", "t")),
    (("x0", "x1", "1/x1"), ("x0", "x1*x0", "exp(params[0]*x0)", "tanh(x1)")),
    (("x0",), ("x1",)),
)
"""Systems that break every rule below; x0' = x1 and x1' = -sin(x0) - 0.2 x1 are what the data follow."""


def no(pattern):
    return lambda j, terms: not any(re.search(pattern, skeleton) for skeleton in terms)


def only(equation, *known):
    return lambda j, terms: j != equation or set(terms) <= set(known)


def has(equation, skeleton, low=-np.inf, high=np.inf):
    return lambda j, terms: j != equation or (skeleton in terms and low <= terms[skeleton] <= high)


def within(equation, skeleton, low, high):
    return lambda j, terms: j != equation or low <= terms.get(skeleton, low) <= high


RULES = {
    'functions = ["cos"]': no(r"sin|exp|tanh|log|sqrt|abs"),
    "functions = []": no(r"[a-z]+\("),
    "degree = 1": no(r"\*\*|x\d\*x\d"),
    "ratios = false": no(r"/"),
    "inner = false": no(r"params"),
    "time = false": no(r"(?<![a-z])t(?![a-z])"),
    "[equations.x1]\nvariables = ['x0']": lambda j, terms: j != 1 or every_free(terms, "x1"),
    "[equations.x1]\nterms = ['x0', 'x1']": only(1, "x0", "x1"),
    "[equations.x1]\nsigns = {x1 = '+'}": within(1, "x1", 0.0, np.inf),
    "[equations.x1]\nmust = ['x0**3']": has(1, "x0**3"),
    "[equations.x0]\nfixed = {x1 = 1.5}": has(0, "x1", 1.5, 1.5),
    "[equations.x1]\nbounds = {x1 = [-0.15, 0]}": within(1, "x1", -0.15, 0.0),
}


WORDS = {
    "veto = ['x0**3', 'sin(x0)']": no(r"^x0\*\*3$|^sin\(x0\)$"),
    "[equations.x1]\nveto = ['x1']": lambda j, terms: j != 1 or "x1" not in terms,
    "[equations.x0]\npin = ['x0**3']": has(0, "x0**3"),
}
"""A person's first words: they hold until the person takes them back, so no road of a person is shut by them.

What else would follow the data as well (`Iteration.beside`) is told without regard to pins, which are wishes.
"""


def every_free(terms, symbol):
    return not any(re.search(rf"\b{symbol}\b", skeleton) for skeleton in terms)


class Headstrong:
    """A sampler that has not heard of any rule."""

    def propose(self, state, bench, rng):
        return Sampling(
            tuple(tuple(tuple(ProposedTerm(t, source="model") for t in own) for own in one) for one in AGAINST)
        )


def fits_in(node):
    """Return every fit that a record holds at any depth."""
    if isinstance(node, EquationFit):
        return [node]
    if dataclasses.is_dataclass(node):
        return [fit for field in dataclasses.fields(node) for fit in fits_in(getattr(node, field.name))]
    return [fit for part in node for fit in fits_in(part)] if isinstance(node, (tuple, list)) else []


def by_agents(state, sampler):
    bench = Workbench.of(state.problem.dataset, blocks=state.problem.blocks)
    done = step(state, Setup(sampler, BuiltinScientist(), bench))
    done = replace(done, shorter=())  # which is there to name what a person removed
    return fits_in(replace(done, beside=()) if state.pins else done)


def by_person(state):
    """Terms, pins and whole equations typed by a person; one that a rule refuses outright is as good."""
    words = [Intervention(equations=(EquationNote(j, terms),)) for one in AGAINST for j, terms in enumerate(one)]
    keys = [TermNote(TermKey(j, s)) for one in AGAINST for j, terms in enumerate(one) for s in terms]
    words += [Intervention(propose=(key,)) for key in keys] + [Intervention(pin=(key,)) for key in keys[4:6]]
    for word in words:
        try:
            state = advance(state, word)
        except DolqError:
            continue
    return by_agents(state, Headstrong())


ROADS = {
    "built-in": lambda state: by_agents(state, BuiltinSampler()),
    "headstrong": lambda state: by_agents(state, Headstrong()),
    "person": by_person,
}


def ruled(text):
    return runs.with_blocks(short(), text)


def short():
    given = swinging()
    (run,) = given.dataset.trajectories
    part = replace(run, t=run.t[:160:2], x=run.x[:160:2])
    return replace(given, dataset=replace(given.dataset, trajectories=(part,)))


@pytest.mark.parametrize("text", RULES)
@pytest.mark.parametrize("road", ROADS)
def test_no_fit_of_a_run_breaks_a_rule_whoever_proposes(text, road):
    found = ROADS[road](begin(Start(ruled(text), Settings())))
    sound = [fit for fit in found if not fit.failure and fit.terms]
    assert len(sound) > 3
    assert every(RULES[text](fit.equation, {t.skeleton: t.coefficient for t in fit.terms}) for fit in sound)


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("road", [road for road in ROADS if road != "person"])
def test_no_fit_of_a_run_passes_a_veto_or_a_pin_by_whoever_proposes(text, road):
    found = ROADS[road](begin(Start(runs.with_blocks(short(), text), Settings())))
    sound = [fit for fit in found if not fit.failure and fit.terms]
    assert len(sound) > 3
    assert every(WORDS[text](fit.equation, {t.skeleton: t.coefficient for t in fit.terms}) for fit in sound)


UNDER_NOISE = {
    "degree = 1": [RULES["degree = 1"]],
    "[equations.x1]\nsigns = {x1 = '+'}": [RULES["[equations.x1]\nsigns = {x1 = '+'}"]],
    "veto = ['sin(x0)']\n[equations.x1]\nveto = ['x1']\n[equations.x0]\npin = ['x0**3']": [
        no(r"^sin\(x0\)$"), *list(WORDS.values())[1:],
    ],
}  # fmt: skip


@pytest.mark.parametrize("text", UNDER_NOISE)
def test_nor_does_the_search_under_noise(text):
    found = ROADS["built-in"](begin(Start(noisy(ruled(text)), Settings())))
    sound = [fit for fit in found if not fit.failure and fit.terms]
    assert len(sound) > 3
    for rule in UNDER_NOISE[text]:
        assert every(rule(fit.equation, {t.skeleton: t.coefficient for t in fit.terms}) for fit in sound)


def test_nor_do_the_rivals_of_few_samples():
    text = "degree = 2\n[equations.hare]\nmust = ['hare*lynx']"
    found = ROADS["built-in"](begin(Start(runs.with_blocks(lynx_hare(), text), Settings())))
    sound = [fit for fit in found if not fit.failure and fit.terms]
    assert len({frozenset(t.skeleton for t in fit.terms) for fit in sound}) > 3
    for rule in (no(r"\*\*[3-9]|\w+\*\w+\*"), has(0, "hare*lynx")):
        assert every(rule(fit.equation, {t.skeleton: t.coefficient for t in fit.terms}) for fit in sound)


@pytest.fixture(scope="module")
def free():
    """Every fit of a run without a rule."""
    return by_agents(begin(Start(short(), Settings())), Headstrong())


@pytest.mark.parametrize("text", [*RULES, *WORDS])
def test_the_audit_sees_a_law_that_breaks_the_rule(text, free):
    found = [fit for fit in free if not fit.failure]
    assert not every(
        {**RULES, **WORDS}[text](fit.equation, {t.skeleton: t.coefficient for t in fit.terms}) for fit in found
    )


@pytest.mark.parametrize("text", [*RULES, *WORDS])
def test_a_declaration_is_the_same_on_every_way_in_and_out(text, tmp_path):
    given = ruled(text)
    file = tmp_path / "allow.toml"
    file.write_text(text, encoding="utf-8")
    assert DoLQ().fit(short(), allow=file, steps=0).run_.state.problem.blocks == given.blocks
    store, other = MemoryStore(), MemoryStore()
    started = runs.start(store, given)
    back = runs.import_run(other, export(runs.load(store, started), "bundle").content)
    assert runs.load(other, back).state.problem.blocks == given.blocks
    assert given.blocks != short().blocks
    assert names_of(given.dataset).symbols == ("x0", "x1")
