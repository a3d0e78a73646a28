"""One declaration, whichever way it comes in: estimator, options, a TOML file and the Data page store one start."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from dolq_core import DoLQ, runs
from dolq_core.cli import codes, main
from tests.app.scenes import app, press

TABLE = "t,x,v\n" + "".join(f"{k / 10:g},{0.9**k:.9f},{1 - 0.9**k:.9f}\n" for k in range(60))


DECLARED = {
    "functions": {"toml": 'functions = ["sin", "sqrt"]', "ticks": {"Functions": ["sin", "sqrt"]}},
    "no function": {"toml": "functions = []", "ticks": {"Functions": []}},
    "degree": {"toml": "degree = 2", "ticks": {"Highest degree of a term": 2}},
    "kinds of terms": {"toml": "ratios = false\ntime = false", "ticks": {"Also allowed": ["inner"]}},
    "variables": {"toml": "[equations.v]\nvariables = ['x']", "ticks": {"Variables in the equation of v": ["x"]}},
    "sign": {"toml": '[equations.x]\nsigns = {"x*v" = "-", x = "+"}', "fields": {"Signs": "-x*v, +x"}},
    "bound": {"toml": '[equations.x]\nbounds = {x = [-2, 0], "x/(K + x)" = {K = [0.1, 5]}}'},
    "terms": {"toml": '[equations.x]\nterms = ["v*x"]\n[equations.v]\nterms = ["x", "x**2"]',
              "library": "x: x*v  # one spelling\nv: x\nv: x**2"},
    "the same terms": {"toml": '[equations.x]\nterms = ["x", "v"]\n[equations.v]\nterms = ["x", "v"]',
                       "library": "x\nv"},
    "terms and more": {"toml": 'degree = 2\n[equations.x]\nterms = ["x", "v"]\nsigns = {x = "-"}\n'
                               '[equations.v]\nterms = ["x", "v"]',
                       "allow": 'degree = 2\n[equations.x]\nsigns = {x = "-"}', "library": "x\nv"},
    "known and open parts": {"toml": "[equations.x]\nfixed = {v = 1}\nterms = ['v']\n[equations.v]\nmust = ['x']"},
    "equations in another order": {"toml": "[equations.v]\nmust = ['x']\n[equations.x]\nterms = ['v']"},
    "rules for the system": {"toml": "conserved = ['x + v']\npositive = ['x']\nmonotone = {x = '-'}"},
    "functions of one's own": {"toml": "[define]\nsinc = 'sin(x)/x'\n[equations.v]\nmust = ['sinc(x)']"},
    "second order": {"toml": "second_order = ['x']", "options": ["--second-order", "x"],
                     "ticks": {"Second-order law for": ["x"]}},
    "hidden state": {"toml": "hidden = ['v: x*z']", "options": ["--hidden", "v: x*z"]},
    "hidden state and more": {"toml": "degree = 2\nhidden = ['v: x*z']\n[equations.z]\nmust = ['x']",
                              "allow": "degree = 2\n[equations.z]\nmust = ['x']", "options": ["--hidden", "v: x*z"]},
    "second order and more": {"toml": "second_order = ['x']\n[equations.x_dot]\nsigns = {x = '-'}",
                              "allow": "[equations.x_dot]\nsigns = {x = '-'}", "options": ["--second-order", "x"]},
    "units": {"toml": "units = 'must'", "units": {"t": "s", "x": "m", "v": "m/s"}},
    "words": {"units": {"x": "m"}, "meanings": {"v": "speed = rate of x"}, "description": "A cart that rolls."},
    "veto": {"toml": "[equations.x]\nveto = ['x*v']\n[equations.v]\nveto = ['sin(x)', 'min(x, v)']",
             "options": ["--veto", "x: v*x", "--veto", "v: sin(x)", "--veto", "v: min(x, v)"],
             "fields": {"Vetoes": "x: x*v, v: sin(x), v: min(x, v)"}},
    "veto everywhere": {"toml": "veto = ['sin(x)']", "options": ["--veto", "sin(x)"], "fields": {"Vetoes": "sin(x)"}},
    "pin": {"toml": "[equations.v]\npin = ['x/(K + x)']", "options": ["--pin", "v: x/(K + x)"],
            "fields": {"Pins": "v: x/(K + x)"}},
    "veto and rules": {"toml": "degree = 2\n[equations.x]\nveto = ['x*v']\n[equations.v]\npin = ['x']",
                       "allow": "degree = 2\n[equations.x]\nveto = ['x*v']", "options": ["--pin", "v: x"],
                       "ticks": {"Highest degree of a term": 2}, "fields": {"Vetoes": "x: v*x", "Pins": "v: x"}},
}  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("cart.csv").write_text(TABLE)


def started(run):
    """What is stored of a run that has done nothing yet; the samples are one table's in all ways."""
    state, data = run.state, run.state.problem.dataset
    assert state.iteration == 0
    columns = (data.time, data.states, data.inputs, data.unmeasured, data.functions)
    problem = (state.problem.blocks, state.problem.description, columns)
    return (*problem, state.settings, state.seed, state.agents, state.bans, state.pins, state.wishes)


def stored():
    store = runs.open_store()
    (info,) = runs.list_runs(store)
    return started(runs.load(store, info.id))


def by_estimator(said):
    words = {name: said.get(name, {}) for name in ("units", "meanings")}
    allow, description = said.get("toml", ""), said.get("description", "")
    DoLQ(database=True).fit("cart.csv", "t", description=description, allow=allow, **words, steps=0)
    return stored()


def by_command(said, rules, *options):
    asked = [f"--description={said.get('description', '')}", *options]
    for option, name in (("--unit", "units"), ("--meaning", "meanings")):
        asked += [part for column, text in said.get(name, {}).items() for part in (option, f"{column}={text}")]
    if rules:
        Path("rules.toml").write_text(rules)
        asked += ["--allow", "rules.toml"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(runs, "auto", at_once)
        done = CliRunner().invoke(main, ["discover", "cart.csv", *asked])
    assert done.exit_code == codes.INTERRUPTED, done.output
    return stored()


def at_once(*_, **__):
    raise KeyboardInterrupt


def by_file(said):
    return by_command(said, said.get("toml", ""))


def by_options(said):
    options = list(said.get("options", ()))
    if "library" in said:
        Path("terms.txt").write_text(said["library"])
        options += ["--library", "terms.txt"]
    replaced = options and "allow" not in said
    return by_command(said, "" if replaced else said.get("allow", said.get("toml", "")), *options)


def opened(said):
    at = app("data")
    at.file_uploader[0].set_value(("cart.csv", TABLE.encode(), "text/csv")).run()
    for what, words in (("Unit", said.get("units", {})), ("Meaning", said.get("meanings", {}))):
        for column, text in words.items():
            (field,) = [one for one in at.text_input if one.label in (what, f"{what} of {column}")][:1]
            field.set_value(text).run()
    at.text_area[0].set_value(said.get("description", "")).run()
    return at


def by_text(said):
    at = opened(said)
    (further,) = [one for one in at.text_area if one.label == "Further rules"]
    further.set_value(said.get("toml", "")).run()
    press(at, "Start discovery")
    return stored()


def by_ticks(said):
    at = opened(said)
    for label, chosen in said.get("ticks", {}).items():
        (group,) = [one for one in at.button_group if one.label == label]
        group.set_value(chosen).run()
    for label, text in said.get("fields", {}).items():
        next(one for one in at.text_input if one.label == label).set_value(text).run()
    press(at, "Start discovery")
    return stored()


def ways_of(said):
    """The text on the Data page is read as a file is; what has a tick or a field there comes in by that alone."""
    yield by_file
    if {"options", "library"} & set(said):
        yield by_options
    yield by_ticks if {"ticks", "fields"} & set(said) else by_text


@pytest.mark.parametrize(
    ("name", "way"), [(name, way) for name, said in DECLARED.items() for way in ways_of(said)],
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)  # fmt: skip
def test_what_is_declared_is_stored_alike(name, way, monkeypatch):
    said = DECLARED[name]
    found = way(said)
    monkeypatch.setenv("DOLQ_DB", "another.db")
    expected = by_estimator(said)
    assert found == expected
    monkeypatch.setenv("DOLQ_DB", "nothing said.db")
    assert expected != by_estimator({})


def test_a_word_said_before_the_run_is_the_word_said_of_it():
    said = "[equations.x]\nveto = ['x*v', 'sin(x)']\n[equations.v]\npin = ['x/(K + x)']"
    before, after = (DoLQ().fit("cart.csv", "t", allow=allow, steps=0) for allow in (said, ""))
    after.veto("x*v", "x").veto("sin(x)", "x").pin("x/(K + x)", "v")
    first, second = (model.run_.state for model in (before, after))
    assert (first.bans, first.pins, first.wishes) == (second.bans, second.pins, second.wishes)
    assert len(first.bans) == 2
    before.allow("x*v", "x").allow("x/(K + x)", "v")
    assert [key.skeleton for key in before.run_.state.bans] == ["sin(x)"]
    assert not before.run_.state.pins
