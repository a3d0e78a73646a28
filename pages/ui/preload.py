"""What a server does before its first visitor comes: it loads the core, in a thread of its own."""

import importlib
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

MODULES = ("pages.ui.frame", "plotly.graph_objects")
"""What the first page would wait for; the first brings the whole core."""
TURN_S = 0.0005
"""How long the thread works before the one that answers browsers has its turn; ten times as long by Python's habit."""


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """Begin to load what the pages need; the server answers meanwhile."""
    threading.Thread(target=load, name="preload", daemon=True).start()
    yield


def load() -> None:
    """Import what the first page would need more than a second to import."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(TURN_S)
    try:
        for module in MODULES:
            importlib.import_module(module)
    finally:
        sys.setswitchinterval(usual)
