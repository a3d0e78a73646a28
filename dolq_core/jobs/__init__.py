"""Iterations in a process of their own: they survive clicks, page changes and a closed tab.

    page --start, pause, stop--> Board --one line of JSON--> worker process --entry--> store
    page <------snapshot-------- Board <--phases, the end--- worker process

The store is the truth: a job adds entries to it, one transaction each, and may end at any moment without losing one.
"""

from dolq_core.jobs.board import Board, Limits, Mode, Seen, Snapshot

__all__ = ["Board", "Limits", "Mode", "Seen", "Snapshot"]
