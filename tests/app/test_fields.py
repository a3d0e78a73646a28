"""What a person typed in a field, after another page was drawn."""

import pytest
from streamlit.testing.v1 import AppTest

PAGE = """
import streamlit as st
from pages.ui import session

if not st.toggle("Another page"):
    session.follow("words", st.session_state.get("stored", "as stored"))
    session.hold("words", st.text_area("Words", key="words"))
"""


@pytest.fixture
def fields():
    return AppTest.from_string(PAGE).run()


def gone_and_back(fields):
    fields.toggle[0].set_value(True).run()
    assert not fields.text_area
    return fields.toggle[0].set_value(False).run().text_area[0].value


def test_it_is_still_there(fields):
    fields.text_area[0].set_value("A new wording").run()
    assert gone_and_back(fields) == "A new wording"
    assert gone_and_back(fields) == "A new wording"


def test_a_field_that_nobody_wrote_in_shows_what_holds_now(fields):
    assert gone_and_back(fields) == "as stored"
    fields.session_state["stored"] = "stored since"
    assert gone_and_back(fields) == "stored since"


def test_what_was_saved_is_no_edit_any_more(fields):
    fields.text_area[0].set_value("A new wording").run()
    fields.session_state["stored"] = "A new wording"
    assert gone_and_back(fields) == "A new wording"
    fields.session_state["stored"] = "another, by somebody else"
    assert gone_and_back(fields) == "another, by somebody else"
