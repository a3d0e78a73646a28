"""A server loads the core before its first visitor comes, and not later."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
STARTED = """
import asyncio, sys, threading
import app
assert not any(name.startswith("dolq_core") for name in sys.modules), "the server would answer later"

async def started():
    async with app.preload.lifespan(app.app):
        for thread in threading.enumerate():
            if thread.name == "preload":
                await asyncio.to_thread(thread.join)

asyncio.run(started())
print("dolq_core.runs" in sys.modules, sys.getswitchinterval())
"""


def test_a_server_loads_the_core_before_its_first_visitor():
    done = subprocess.run([sys.executable, "-c", STARTED], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split()[-2:] == ["True", "0.005"]
