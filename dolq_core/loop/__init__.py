"""The paper's loop, one file per phase: sample, fit, evaluate, decide; `step` joins them."""

from dolq_core.loop.advance import advance, begin, calls_of, replay, standing, taken_back
from dolq_core.loop.answers import unanswered, ungraded
from dolq_core.loop.calibration import record, record_in_words
from dolq_core.loop.ranking import dodged, may_stand
from dolq_core.loop.status import asks_person, is_awaited, is_found, is_narrowed, over_floor, reason_to_stop, status
from dolq_core.loop.step import PHASES, OnPhase, Setup, step

__all__ = [
    "PHASES", "OnPhase", "Setup", "advance", "asks_person", "begin", "calls_of", "dodged", "is_awaited", "is_found",
    "is_narrowed", "may_stand", "over_floor", "reason_to_stop", "record", "record_in_words", "replay", "standing",
    "status", "step", "taken_back", "unanswered", "ungraded",
]  # fmt: skip
