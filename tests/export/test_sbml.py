"""A law leaves as reactions or as rate rules: libSBML finds nothing wrong with either, and they are the law again."""

import math
from dataclasses import replace

import libsbml
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core.errors import ExportError
from dolq_core.export.sbml import is_no_amount, monomial, reactions, sbml, why_no_network
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import compile_rhs, parse_term
from dolq_core.views import system as system_view
from dolq_core.views.files import export, why_not_exported
from tests.export.laws import LAWS, network


def read(text):
    document = libsbml.readSBMLFromString(text)
    document.checkConsistency()
    found = [document.getError(k) for k in range(document.getNumErrors())]
    assert [e.getMessage() for e in found if e.getSeverity() >= libsbml.LIBSBML_SEV_ERROR] == []
    return document.getModel()


def value(node, at):
    """The value of a formula of the model, node by node, as libSBML has read it."""
    kids = [value(node.getChild(k), at) for k in range(node.getNumChildren())]
    if node.getType() == libsbml.AST_TIMES:
        return math.prod(kids)
    if node.getType() == libsbml.AST_PLUS:
        return sum(kids)
    if node.getType() in (libsbml.AST_POWER, libsbml.AST_FUNCTION_POWER):
        return kids[0] ** kids[1]
    if node.getType() == libsbml.AST_FUNCTION_PIECEWISE:
        return next((kids[k] for k in range(0, len(kids) - 1, 2) if kids[k + 1]), kids[-1])
    if node.getType() in CALLED:
        return CALLED[node.getType()](*kids)
    return at[node.getName()] if node.isName() else node.getValue()


CALLED = {
    libsbml.AST_MINUS: lambda a, b: a - b, libsbml.AST_FUNCTION_SIN: math.sin, libsbml.AST_FUNCTION_COS: math.cos,
    libsbml.AST_FUNCTION_TAN: math.tan, libsbml.AST_FUNCTION_EXP: math.exp, libsbml.AST_FUNCTION_LN: math.log,
    libsbml.AST_FUNCTION_ABS: abs, libsbml.AST_FUNCTION_SINH: math.sinh, libsbml.AST_FUNCTION_COSH: math.cosh,
    libsbml.AST_FUNCTION_TANH: math.tanh, libsbml.AST_FUNCTION_ARCSIN: math.asin,
    libsbml.AST_FUNCTION_ARCCOS: math.acos,
    libsbml.AST_FUNCTION_ARCTAN: math.atan, libsbml.AST_RELATIONAL_LT: lambda a, b: a < b,
    libsbml.AST_RELATIONAL_GT: lambda a, b: a > b,
}  # fmt: skip


def followed(model, times):
    """What the rules of a model make of its states, by SciPy."""
    rules = [rule for rule in model.getListOfRules() if rule.isRate()]
    given = [rule for rule in model.getListOfRules() if rule.isAssignment()]
    known = {p.getId(): p.getValue() for p in model.getListOfParameters()}
    names = [rule.getVariable() for rule in rules]

    def rate(t, x):
        at = {**known, "t": t, **dict(zip(names, x, strict=True))}
        at |= {rule.getVariable(): value(rule.getMath(), at) for rule in given}
        return [value(rule.getMath(), at) for rule in rules]

    starts = [known[name] for name in names]
    return solve_ivp(rate, (times[0], times[-1]), starts, t_eval=times, rtol=1e-9, atol=1e-9, max_step=0.05).y.T


def rates(model, states):
    """The change of every species: the sum over reactions of stoichiometry times rate."""
    at = {"cell": 1.0, **states, **{p.getId(): p.getValue() for p in model.getListOfParameters()}}
    change = dict.fromkeys(states, 0.0)
    for reaction in model.getListOfReactions():
        speed = value(reaction.getKineticLaw().getMath(), at)
        for one in reaction.getListOfReactants():
            change[one.getSpecies()] -= one.getStoichiometry() * speed
        for one in reaction.getListOfProducts():
            change[one.getSpecies()] += one.getStoichiometry() * speed
    return list(change.values())


def test_the_reactions_are_the_law_again():
    run = network()
    law = system_view.law(run)
    model = read(export(run, "sbml").content.decode("utf-8"))
    ids = [species.getId() for species in model.getListOfSpecies()]
    assert [species.getName() for species in model.getListOfSpecies()] == ["prey", "hunter <&>"]
    assert [species.getInitialConcentration() for species in model.getListOfSpecies()] == list(law.runs[0].start)
    assert model.getNumReactions() == 5
    parts = [[(t.skeleton, t.coefficient, t.inner) for t in fit.terms] for fit in law.fits]
    rhs = compile_rhs(parts, law.names.symbols)
    rng = np.random.default_rng(1)
    for point in rng.uniform(0.1, 3.0, (5, 2)).tolist():
        assert rates(model, dict(zip(ids, point, strict=True))) == pytest.approx(rhs(0.0, point), rel=1e-12)


def test_the_words_are_notes_and_nothing_in_them_is_markup():
    text = sbml(system_view.law(network()))
    notes = read(text).getNotesString()
    assert "\\end{document}" in notes
    assert 'name="hunter &lt;&amp;&gt;"' in text


def system(*equations):
    numbers = {"mse": 0.0, "nmse": 0.0, "cv_nmse": 0.0, "floor_ratio": 1.0, "score": 0.0}
    made = [tuple(FittedTerm(skeleton, c) for skeleton, c in terms) for terms in equations]
    return tuple(EquationFit(k, terms, **numbers) for k, terms in enumerate(made))


def test_what_one_loses_and_another_gains_is_one_reaction():
    dataset = network().state.problem.dataset
    (hunt,) = reactions(system([("hunter*prey", -0.4)], [("hunter*prey", 0.1)]), dataset)
    assert (hunt.rate, dict(hunt.reactants)) == (0.4, {"hunter": 1.0, "prey": 1.0})
    assert dict(hunt.products) == {"hunter": 1.25}


@pytest.mark.parametrize(
    ("term", "inner"),
    [
        ("prey/(params[0] + prey)", (0.5,)),
        ("hunter*prey/(params[0] + prey)", (0.5,)),
        ("prey**params[1]/(params[0] + prey**params[1])", (1e-7, 2.5)),
        ("prey/(params[0]*(1 + hunter/params[1]) + prey)", (0.5, 3.0)),
        ("prey**2/(params[0] + prey + prey**2/params[1])", (0.5, 2.0)),
    ],
)
def test_a_saturating_rate_is_a_reaction_with_the_same_rate(term, inner):
    law = system_view.law(network())
    skeleton = parse_term(term, law.names).skeleton
    fits = tuple(
        replace(fit, terms=(FittedTerm(skeleton, c, inner=inner), *more))
        for fit, c, more in zip(system([], []), (-2.0, 0.5), ((), (FittedTerm("hunter", -0.3),)), strict=True)
    )
    model = read(sbml(replace(law, fits=fits)))
    assert model.getNumReactions() == 2
    ids = [species.getId() for species in model.getListOfSpecies()]
    rhs = compile_rhs([[(t.skeleton, t.coefficient, t.inner) for t in f.terms] for f in fits], law.names.symbols)
    for point in ([0.3, 1.2], [2.0, 0.1]):
        assert rates(model, dict(zip(ids, point, strict=True))) == pytest.approx(rhs(0.0, point), rel=1e-12)


@pytest.mark.parametrize(
    ("equations", "why"),
    [
        ([[("hunter", -1.0)], []], "the term hunter lowers prey, which takes no part in it"),
        ([[("1", -1.0)], []], "the term 1 lowers prey, which takes no part in it"),
        ([[("sin(prey)", 1.0)], []], "is neither a product of whole powers of states"),
        ([[("prey*t", 1.0)], []], "is neither a product of whole powers of states"),
        ([[("1/(1 + prey)", -1.0)], []], "the term 1/(1 + prey) lowers prey, which takes no part in it"),
        ([[("prey/(prey - 1)", 1.0)], []], "is neither a product of whole powers of states nor a saturating rate"),
        ([[("prey/hunter", 1.0)], []], "is neither a product of whole powers of states"),
    ],
)
def test_a_law_that_is_no_network_is_said_with_the_term_and_leaves_as_rate_rules(equations, why):
    dataset = network().state.problem.dataset
    fits = system(*equations)
    assert why in why_no_network(fits, dataset)
    with pytest.raises(ExportError, match="it is no network of reactions"):
        reactions(fits, dataset)
    model = read(sbml(replace(system_view.law(network()), fits=fits)))
    assert (model.getNumReactions(), model.getNumRules()) == (0, 2)


@pytest.mark.parametrize("unit", ["°C", "K", "m", "m/s", "V"])
def test_a_state_that_is_no_amount_is_a_parameter_and_no_species(unit):
    law = system_view.law(network())
    fits = system([("prey", -0.2)], [("prey", 0.7), ("hunter", -0.1)])
    assert read(sbml(replace(law, fits=fits))).getNumReactions() == 2
    prey, hunter = law.dataset.states
    dataset = replace(law.dataset, states=(prey, replace(hunter, unit=unit)))
    law = replace(law, fits=fits, problem=replace(law.problem, dataset=dataset))
    assert why_no_network(fits, law.dataset) == f"{hunter.name} in {unit} is no amount of a substance"
    model = read(sbml(law))
    assert (model.getNumSpecies(), model.getNumReactions(), model.getNumRules()) == (0, 0, 2)
    times = np.linspace(0.0, 2.0, 5)
    rhs = compile_rhs([[(t.skeleton, t.coefficient, t.inner) for t in f.terms] for f in fits], law.names.symbols)
    true = solve_ivp(rhs, (0.0, 2.0), next(run.start for run in law.runs if run.start), t_eval=times, rtol=1e-9).y.T
    np.testing.assert_allclose(followed(model, times), true, rtol=1e-6)


@pytest.mark.parametrize("unit", ["", "mM", "g/L", "cells", "1/mL", "kg", "pupils", "%"])
def test_amounts_concentrations_and_what_is_not_known_are_species(unit):
    assert not is_no_amount(unit)


@pytest.mark.parametrize("name", LAWS)
def test_every_law_is_a_model_that_simulates_as_the_program_does(name):
    law = system_view.law(LAWS[name]())
    if any("erf" in term.skeleton for term in law.terms):
        assert "erf in it" in why_not_exported(LAWS[name](), "sbml")
        return
    model = read(sbml(law))
    if why_no_network(law.fits, law.dataset):
        first = next(run for run in law.runs if run.start)
        times = first.t[first.t <= first.t[0] + 3.0]
        inputs = [column.symbol for column in law.dataset.inputs]
        symbols = [*law.names.symbols[: len(law.fits)], *inputs]
        rhs = compile_rhs([[(t.skeleton, t.coefficient, t.inner) for t in fit.terms] for fit in law.fits], symbols)

        def rate(t, x):
            return rhs(t, [*x, *(np.interp(t, first.t, own) for own in first.inputs.T)])

        true = solve_ivp(
            rate, (times[0], times[-1]), first.start, t_eval=times, rtol=1e-9, atol=1e-9, max_step=0.05
        ).y.T
        np.testing.assert_allclose(followed(model, times), true, rtol=1e-6, atol=1e-7)


def test_what_sbml_has_no_word_for_is_refused_by_name():
    law = replace(system_view.law(network()), fits=system([("erf(prey)", 1.0)], []))
    with pytest.raises(ExportError, match="erf in it, which SBML has no word for"):
        sbml(law)


@pytest.mark.parametrize(
    "skeleton", ["sign(prey)", "abs(prey)", "log(prey)", "asin(sin(prey))", "prey**1.5*t", "1e-9*exp(-prey)"]
)
def test_every_function_has_its_formula(skeleton):
    law = system_view.law(network())
    fits = (
        replace(system([], [])[0], terms=(FittedTerm(parse_term(skeleton, law.names).skeleton, 2.0),)),
        system([], [])[1],
    )
    model = read(sbml(replace(law, fits=fits)))
    (rule, _) = model.getListOfRules()
    rhs = compile_rhs([[(t.skeleton, t.coefficient, t.inner) for t in f.terms] for f in fits], law.names.symbols)
    for prey in (0.3, 1.2):
        at = {**{p.getId(): p.getValue() for p in model.getListOfParameters()}, "prey": prey, "t": 0.7}
        assert value(rule.getMath(), at) == pytest.approx(rhs(0.7, [prey, 1.0])[0], rel=1e-12)


def test_a_law_without_a_term_has_no_reaction_and_is_a_model_all_the_same():
    law = system_view.law(network())
    assert read(sbml(replace(law, fits=system([], [])))).getNumReactions() == 0


@pytest.mark.parametrize(
    ("skeleton", "powers"),
    [("1", {}), ("x", {"x": 1}), ("x**2*y", {"x": 2, "y": 1}), ("x**-1", None), ("x + y", None), ("2**x", None)],
)
def test_the_powers_of_a_monomial(skeleton, powers):
    assert monomial(skeleton) == powers
