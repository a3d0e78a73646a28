"""Runs under different conditions, compared on the Equations page."""

import pytest

from tests.app.scenes import alts, app, disputed, press, read, section
from tests.conditions.test_conditions import flasks
from tests.stored import fitted


@pytest.fixture
def grown() -> str:
    return fitted(flasks(samples=20), [["biomass", "biomass**2"]]).id


def test_the_law_of_all_conditions_is_shown_once_it_is_asked_for(grown):
    at = section(grown, "Conditions")
    assert not at.exception
    assert not at.code
    (by,) = [box for box in at.selectbox if box.label == "A condition is"]
    assert by.options == ["each run", "kelvin"]
    at = press(by.select("kelvin").run(), "Compare the runs")
    assert not at.exception
    assert [one.value for one in at.code] == ["d biomass / d hour = k1*biomass + k2*biomass**2"]
    assert "k1: differs from condition to condition. It follows kelvin" in read(at).replace("**", "")
    assert "k2/k1 is" in read(at)
    (alt,) = [alt for alt in alts(at) if alt.startswith("Constants by condition")]
    assert "kelvin = 330" in alt


def test_one_run_has_no_conditions():
    at = app("equations", disputed())
    assert "Conditions" not in [tab.label for tab in at.tabs]
    assert "Residuals" in [tab.label for tab in at.tabs]
