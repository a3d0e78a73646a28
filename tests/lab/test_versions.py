"""What is shown of a person's own equations, and of words as they changed."""

from dolq_core.records import EquationNote, Intervention
from dolq_core.runs import Run
from dolq_core.views.history import versions
from dolq_core.views.trial import what_if_equation
from tests.loop.test_step import LOGISTIC, run


def test_an_equation_of_ones_own_is_compared_with_the_best():
    log, state = run([LOGISTIC])
    known = Run("versions", "", tuple(log), state)
    same = what_if_equation(known, EquationNote(0, ("x**2", "x")))
    assert (same.worth, same.words) == (True, "It is the best equation so far.")
    worse = what_if_equation(known, EquationNote(0, ("x**3",)))
    assert not worse.worth
    assert worse.share > 1.0
    assert worse.words.endswith("with 1 term fewer. The best so far stays ahead.")
    assert log[-1] == state.last


def test_words_are_told_version_by_version_with_author_and_first_iteration():
    said = Intervention(description="It grows, then stops.", insight="Crowding.")
    log, state = run([LOGISTIC, LOGISTIC], said=[said])
    known = Run("versions", "", tuple(log), state)
    (first, second) = versions(known, "description")
    assert (second.number, second.by, second.since) == (2, "you", 2)
    assert {piece.mark for piece in second.pieces} <= {"same", "added", "removed"}
    assert " ".join(p.text for p in second.pieces if p.mark != "removed") == "It grows, then stops."
    assert " ".join(p.text for p in second.pieces if p.mark != "added") == first.text
    assert [v.text for v in versions(known, "insight") if v.by == "you"] == ["Crowding."]
