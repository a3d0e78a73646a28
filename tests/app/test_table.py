"""Table view: the same choices in a grid; an edit lands on the term of its row in its iteration, and nowhere else."""

from dolq_core import runs
from dolq_core.records import Intervention, TermKey
from dolq_core.views.equations import panels
from pages.discover.table import CHOICE, REASON
from pages.ui.words import cell_term
from tests.app.scenes import app, disputed, press, read, two_attempts

SQUARE = TermKey(0, "x**2")


def opened(run: str):
    at = app("discover", run)
    at.toggle(key="table.view").set_value(True).run()
    assert not at.exception
    return at


def edit(at, position: int, **cells: str):
    """Edit cells of a row, as the browser reports it: by the row's position."""
    run = at.query_params["run"]
    name = run if isinstance(run, str) else run[0]
    key = f"table·{name}·{runs.load(runs.open_store(), name).state.iteration}·0"
    at.session_state[key] = {"edited_rows": {position: cells}, "added_rows": [], "deleted_rows": []}
    return at.run()


def rows(at) -> list[str]:
    return list(at.dataframe[0].value["Term"])


def test_the_table_is_off_until_it_is_wanted():
    at = app("discover", disputed())
    assert len(at.dataframe) == 0
    assert at.segmented_control


def test_the_table_has_a_row_per_term_with_what_everybody_says():
    at = opened(disputed())
    frame = at.dataframe[0].value
    assert sorted(frame["Term"]) == ["x", "x²"]
    first = frame.iloc[rows(at).index("x²")]
    assert (first["Scientist"], first["Numbers"], first["Verdict"]) == ("bad", "good", "remove, disputed")
    assert first[CHOICE] == "remove"
    assert [control.key for control in at.segmented_control if str(control.key).startswith("choice")] == []


def test_an_edit_goes_into_the_same_draft_and_is_applied_as_a_persons_word():
    run = disputed()
    at = opened(run)
    edit(at, rows(at).index("x²"), **{CHOICE: "keep", REASON: "Food runs out"})
    assert "**1 change.** Keep $x^{2}$; the machine would remove it." in read(at)
    press(at, "Apply")
    (word,) = [one for one in runs.load(runs.open_store(), run).entries if isinstance(one, Intervention)]
    (override,) = word.overrides
    assert (override.key, override.choice, override.reason) == (SQUARE, "keep", "Food runs out")
    assert "change." not in read(at).split("The machine")[0]


def test_an_edit_never_lands_on_another_term():
    run = two_attempts(["x", "x**2"], ["sin(x)", "x"])
    at = opened(run.id)
    edit(at, rows(at).index("x"), **{CHOICE: "pin"})
    (panel,) = panels(run)
    wished = {row.key.skeleton for row in panel.rows if f"Pin ${row.latex}$" in read(at)}
    assert wished == {"x"}
    runs.step_once(runs.open_store(), run.id)  # the run goes on in another window
    at.run()
    assert "Still to be applied: pin x." in read(at)
    now = runs.load(runs.open_store(), run.id)
    chosen = dict(zip(at.dataframe[0].value["Term"], at.dataframe[0].value[CHOICE], strict=True))
    stands = {cell_term(row.text): row.action for panel in panels(now) for row in panel.rows}
    assert chosen == stands | ({"x": "pin"} if "x" in stands else {})
    assert "**1 change.** Pin $x$" in read(at)
    press(at, "Apply")
    assert list(runs.load(runs.open_store(), run.id).state.pins) == [TermKey(0, "x")]


def test_what_was_chosen_in_either_view_stands_in_the_other():
    at = app("discover", disputed())
    [c for c in at.segmented_control if "·x**2·" in str(c.key)][0].set_value("hold").run()
    at.toggle(key="table.view").set_value(True).run()
    assert at.dataframe[0].value[CHOICE].iloc[rows(at).index("x²")] == "hold"
    edit(at, rows(at).index("x²"), **{CHOICE: "keep"})
    at.toggle(key="table.view").set_value(False).run()
    assert [c.value for c in at.segmented_control if "·x**2·" in str(c.key)] == ["keep"]


def test_withdraw_empties_the_table_too():
    at = opened(disputed())
    edit(at, rows(at).index("x²"), **{CHOICE: "keep"})
    press(at, "Withdraw")
    assert "1 change" not in read(at)
    assert at.dataframe[0].value[CHOICE].iloc[rows(at).index("x²")] == "remove"
