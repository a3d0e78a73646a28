"""What is shown of a person's own equations, and of words as they changed."""

from dolq_core.panels import equation_trial, versions
from dolq_core.records import EquationNote, Intervention
from tests.loop.test_step import BENCH, LOGISTIC, run


def test_an_equation_of_ones_own_is_compared_with_the_best():
    log, state = run([LOGISTIC])
    same = equation_trial(state, BENCH, EquationNote(0, ("x**2", "x")))
    assert (same.worth, same.words) == (True, "It is the best equation so far.")
    worse = equation_trial(state, BENCH, EquationNote(0, ("x**3",)))
    assert not worse.worth
    assert worse.share > 1.0
    assert worse.words.endswith("with 1 term fewer. The best so far stays ahead.")
    assert log[-1] == state.last


def test_words_are_told_version_by_version_with_author_and_first_iteration():
    said = Intervention(description="It grows, then stops.", insight="Crowding.")
    log, _ = run([LOGISTIC, LOGISTIC], said=[said])
    (first, second) = versions(log, "description")
    assert (second.number, second.by, second.since) == (2, "you", 2)
    assert {piece.mark for piece in second.pieces} <= {"same", "added", "removed"}
    assert " ".join(p.text for p in second.pieces if p.mark != "removed") == "It grows, then stops."
    assert " ".join(p.text for p in second.pieces if p.mark != "added") == first.text
    assert [v.text for v in versions(log, "insight") if v.by == "you"] == ["Crowding."]
