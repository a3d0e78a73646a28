"""What a campaign counts of a run."""

from dataclasses import replace

from dolq_core.records import FittedTerm, Iteration, SystemFit, TermKey
from dolq_core.terms import Skeleton
from lab import campaign
from lab.campaign.looping import _actions, run_loop


def test_a_graded_term_that_stands_in_no_attempt_has_its_numbers_all_the_same():
    """Where a language model grades, terms of the best law so far are graded beside those of the attempt."""
    case = next(one for one in campaign.read_suite("textbook") if one.id == "immigration-death")
    log = []
    run_loop(campaign.Task("textbook", case), log)
    (done,) = (entry for entry in log if isinstance(entry, Iteration))
    curve = Skeleton("count/(params[0] + count)")
    other = replace(done.attempt[0], terms=(FittedTerm(curve, 2.0, inner=(3.0,)),))
    graded = replace(done.verdicts[0], key=TermKey(0, curve))
    seen = replace(done, fits=(*done.fits, SystemFit(9, (other,))), verdicts=(*done.verdicts, graded))
    assert {one.term for one in _actions(case, [seen])} == {"1", "count", curve}
