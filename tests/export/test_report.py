"""The report is one page that needs nothing else, says what was found, and lets no word of a run act."""

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from html.parser import HTMLParser

import numpy as np
import pytest
from playwright.sync_api import expect, sync_playwright

from dolq_core import runs
from dolq_core.cli.showing import inside
from dolq_core.export import mathml
from dolq_core.export.latex import RAISED
from dolq_core.export.report import Figure, _numbers, labelled, picture, report, ticks
from dolq_core.records import EquationFit, FittedTerm, Intervention, TermKey, TermNote
from dolq_core.terms import safe_names
from dolq_core.views import goodness
from dolq_core.views.files import export
from dolq_core.views.summary import result
from dolq_core.views.trajectories import curves
from tests.app.scenes import disputed
from tests.e2e.server import FLAGS
from tests.every import every, none
from tests.export.laws import LAWS, by_hand

HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\u202e"
VOID = {"meta", "input", "br", "mspace", "line", "circle", "rect", "path"}


class Tags(HTMLParser):
    """The elements of a page in order; fails where one is not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open, self.seen = [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def page_of(run):
    return export(run, "report").content.decode("utf-8")


def hostile():
    """A run whose data, columns, description and reasons would like to be a script."""
    return runs.load(runs.open_store(), disputed(1, HOSTILE))


def test_a_number_inside_a_term_has_its_error_in_the_report_and_the_result():
    run = LAWS["awkward"]()
    (saturating,) = (term for term in result(run)["equations"]["lambda"]["terms"] if term["parameters"])
    (value,), (error,) = saturating["parameters"], saturating["parameter_errors"]
    assert 0.0 < error < 1e-3
    assert abs(value - 0.8) < 4.0 * error
    assert every(not term["parameter_errors"] for term in result(run)["equations"]["x0"]["terms"])
    (cell,) = re.findall(r"<i>p</i><sub>1</sub> in it</td><td[^>]*>([^<]*)</td>", page_of(run))
    mantissa, power = f"{error:.2g}".split("e-0")
    assert cell == f"{value:.{digits(value, error)}g} ± {mantissa}×10⁻{power.translate(RAISED)}"
    assert list(inside(saturating)) == [f"p1 in it: {value:.{digits(value, error)}g} +- {error:.2g}"]


def digits(value, error):
    return min(int(np.log10(value / error)) + 2, 12)


def test_every_element_is_closed_and_nothing_comes_from_elsewhere():
    for run in (LAWS["awkward"](), hostile()):
        page = page_of(run)
        tags = Tags(page)
        names = [tag for tag, _ in tags.seen]
        assert names.count("script") == 2
        assert not {"img", "iframe", "link", "a", "object"} & set(names)
        assert none(key in ("src", "href") or key.startswith("on") for _, attrs in tags.seen for key in attrs)
        assert "\u202e" not in page


def test_the_browser_may_run_the_one_script_and_nothing_else():
    page = page_of(hostile())
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)[1]
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'")
    assert b64encode(sha256(script.encode()).digest()).decode() in policy


def test_it_says_where_every_equation_stands_and_why_each_term_is_there():
    run = hostile()
    page = page_of(run)
    document = result(run)
    (equation,) = document["equations"].values()
    assert f"{equation['status']}. " in page
    assert every(term["reason"].split("'")[0] in page for term in equation["terms"])
    assert "&lt;/script&gt;" in page


def test_a_law_that_is_not_claimed_is_not_claimed_there_either():
    document = {
        "stopped": "",
        "conflict": "",
        "insight": "",
        "constants": [],
        "pins": [],
        "bans": [],
        "models": None,
        "iterations": 3,
        "seed": 0,
    }
    terms = {"E": {"terms": []}, "temp (°C)": {"terms": []}}
    law = by_hand()
    (run,) = law.dataset.trajectories
    drawn = Figure("1", run.t, run.x, run.t, None, failure="It blew up <here>.")
    page = report(law, {**document, "versions": {}, "settings": {}, "equations": terms}, [drawn], {})
    assert "1: It blew up &lt;here&gt;." in page
    assert "<b>d/dt temp (°C)</b>: no law. A random walk explains" in page


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (0.0, 8.0, [0, 2, 4, 6, 8]),
        (-0.31, 0.29, [-0.3, -0.2, -0.1, 0, 0.1, 0.2]),
        (1e6, 1e6 + 3, [1e6 + 0.5 * k for k in range(7)]),
    ],
)
def test_marks_on_an_axis_are_round(low, high, marks):
    assert ticks(low, high) == pytest.approx(marks)


def test_marks_close_to_each_other_are_written_with_the_digits_that_tell_them_apart():
    t = np.array([0.0, 1.0])
    shown = picture([Figure("a", t, np.array([[1e6], [1e6 + 2.0]]), t, None)], 0, "x", "t")
    marks = re.findall(r'class="tick end"[^>]*>([^<]*)<', shown)
    assert marks == ["1000000", "1000000.5", "1000001", "1000001.5", "1000002"]


def test_gaps_and_failures_are_left_out_of_a_picture_and_a_still_state_has_room():
    t = np.linspace(0.0, 1.0, 5)
    data = np.array([[1.0], [np.nan], [1.0], [1.0], [1.0]])
    model = np.array([[1.0], [1.0], [np.nan], [1.0], [1.0]])
    shown = picture([Figure("a", t, data, t, model, 0.5), Figure("b", t, data, t, None)], 0, "x", "t")
    assert shown.count("<circle") == 8
    (path,) = re.findall(r'<path class="law" d="([^"]*)"', shown)
    assert path.count("M") == 2
    assert "nan" not in shown
    assert shown.count('class="held"') == 1


def test_mathematics_is_set_with_fractions_roots_and_names():
    names = safe_names(["x0", "E", "theta", "P_wolf", "a<b"], "t")
    e, odd = names.symbols[1], names.symbols[4]
    terms = [
        FittedTerm(f"{e}/({e} + params[0])", -2.5e-7, None, (0.5,)),
        FittedTerm(f"sqrt(theta)*{odd}", 1.0),
        FittedTerm("P_wolf**2*exp(-x0)", 3.0),
        FittedTerm("2 - x0", 4.0),
        FittedTerm(f"1/({e} + params[0])", 1.0, None, (-0.13,)),
        FittedTerm("1", -1.0),
    ]
    shown = mathml.system([EquationFit(0, tuple(terms), 0.0, 0.0, 0.0, 0.0, 0.0)], names)
    Tags(shown)
    for part in (
        "<msub><mi>x</mi><mn>0</mn></msub>", "<mfrac><mi>E</mi>", "<msqrt><mi>θ</mi></msqrt>", "<mtext>a&lt;b</mtext>",
        "<msub><mi>P</mi><mtext>wolf</mtext></msub>", "<mn>2.5</mn><mo>×</mo><msup><mn>10</mn><mn>−7</mn></msup>",
        "<mo>(</mo><mrow><mn>2</mn><mrow><mo>−</mo>", "<mrow><mi>E</mi><mo>−</mo><mn>0.13</mn></mrow>",
    ):  # fmt: skip
        assert part in shown, part


def test_in_a_browser_the_pointer_reads_values_runs_can_be_hidden_and_no_word_acts(chromium, tmp_path):
    for name, run in (("awkward", LAWS["awkward"]()), ("hostile", hostile())):
        (tmp_path / f"{name}.html").write_text(page_of(run), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto((tmp_path / "awkward.html").as_uri())
        figure = page.locator("figure").first
        figure.locator("svg").hover()
        expect(figure.locator("output")).to_contain_text('run "1": data ')
        assert page.locator("g[data-run='0']:visible").count() == 4
        page.get_by_role("checkbox", name='run "1"').uncheck()
        assert page.locator("g[data-run='0']:visible").count() == 0
        figure.locator("svg").hover(position={"x": 300, "y": 50})
        expect(figure.locator("output")).not_to_contain_text('run "1"')
        page.goto((tmp_path / "hostile.html").as_uri())
        assert page.title() == "Logistic"
        assert page.get_by_text("document.title='owned'").count() == 1
        assert said == []
        browser.close()


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0.0, 700.0, ["0", "200", "400", "600"]),
        (0.05, 0.31, ["0.1", "0.2", "0.3"]),
        (1999.0, 2021.0, ["2000", "2005", "2010", "2015", "2020"]),
        (0.0, 3e7, ["0", "1e+07", "2e+07", "3e+07"]),
    ],
)
def test_marks_of_an_axis_are_written_as_people_write_them(low, high, labels):
    assert [label for _, label in labelled(ticks(low, high, 5), float)] == labels


def test_whose_word_a_ban_is_is_said_as_on_the_page():
    run = disputed()
    ban = TermNote(TermKey(0, "sin(x)"), "No angle here")
    page = page_of(runs.intervene(runs.open_store(), run, Intervention(ban=(ban,))))
    assert re.search(r"<td[^>]*>you</td>\s*<td[^>]*>No angle here</td>", page)


def test_a_number_has_a_power_of_ten_as_people_write_it():
    assert _numbers(-2213.4, 12.0) == ("−2213 ± 12", "−2237 to −2190")
    assert _numbers(7886.0, 1.7e11) == ("7.9×10³ ± (1.7×10¹¹)", "−3.3×10¹¹ to 3.3×10¹¹")


def test_the_question_whether_it_fits_is_answered_as_on_the_page():
    for run in (LAWS["awkward"](), hostile()):
        said = goodness.of_curves(run, curves(run))
        assert re.match(r"(Yes|Close|Roughly|Not yet|No)\b.*:", said)
        assert f"<h2>Does it fit?</h2>\n<p>{escape(said)}</p>" in page_of(run)
