"""Runs so small that forty take seconds."""

from dolq_core.records import Settings, Variable
from lab import campaign
from lab.campaign.records import Case, Variant

DECAY = Case(
    id="decay",
    title="decay",
    description="A substance breaks down in proportion to its amount.",
    states=(Variable("amount", "amount"),),
    equations=("-0.5*amount",),
    initial=((2.0,), (5.0,)),
    t=(0.0, 2.0),
    t_ext=(0.0, 4.0),
    points=40,
)


def tasks(count=40):
    """Return tasks that differ in seed and words."""
    grid = campaign.TaskGrid(
        "small",
        (DECAY,),
        seeds=tuple(range(count // 2)),
        words=("given", "none"),
        variants=(Variant("one iteration", Settings(iterations=1, held_out=0.0)),),
    )
    return campaign.unique(campaign.tasks_of(grid))
