"""What leaves the other equations is tried in each one: the missing equation of a closed system."""

from types import SimpleNamespace

from dolq_core.agents.builtin.changing import entering
from dolq_core.agents.builtin.choice import Library
from dolq_core.agents.builtin.pursuit import Pursuit
from dolq_core.fitting.likelihood import shape
from dolq_core.records import FittedTerm

SLOW, BACK = FittedTerm("A", -0.04), FittedTerm("B*C_", 10.0)
FAST = FittedTerm("B**2", 300.0)


def test_what_one_state_takes_from_another_does_not_leave_the_two():
    both = entering([[SLOW, BACK], [FittedTerm("A", 0.041), FittedTerm("B*C_", -9.8), FittedTerm("B**2", -299.0)]])
    assert both == [FittedTerm("B**2", 299.0)]
    assert entering([[SLOW, BACK], [FAST]]) == [
        FittedTerm("A", 0.04), FittedTerm("B**2", -300.0), FittedTerm("B*C_", -10.0),
    ]  # fmt: skip


def tried(library, most=8):
    """The systems that are tried beside a law whose second equation is wrong."""
    found = []
    search = Pursuit.__new__(Pursuit)
    search.d, search.most, search.libraries = 3, most, [library] * 3
    search.best = SimpleNamespace(system=((SLOW, BACK), (FittedTerm("A**3", 0.06), FittedTerm("B", -8.0)), (FAST,)))
    search._try = lambda system, near: found.append(shape(system)) and False
    search._close()
    return found


def test_the_missing_equation_of_a_closed_system_is_tried():
    language = ("A", "A**3", "B", "B**2", "B*C_")
    truth = (("A", "B*C_"), ("A", "B**2", "B*C_"), ("B**2",))
    assert truth in tried(Library((language,)))
    assert truth not in tried(Library((language,)), most=2)
    assert truth not in tried(Library((language[:-1],)))
    assert truth not in tried(Library((language,), forced=("B",)))
