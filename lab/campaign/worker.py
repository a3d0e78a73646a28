"""What a worker does: one task in, its result out, both as text. It keeps nothing and needs nothing else.

text of a Task --> problem --> the loop, or a baseline --> scores --> text of a Result
"""

import os
import platform
import socket
import time
from dataclasses import replace
from datetime import UTC, datetime

from dolq_core.errors import DolqError
from dolq_core.numerics.machine import machine
from dolq_core.records import Entry
from dolq_core.store import codec
from dolq_core.store.files import run_text
from lab.campaign.looping import run_loop
from lab.campaign.memory import Peak
from lab.campaign.records import Cost, Result, Task
from lab.campaign.sindy import run_sindy, run_sindy_best
from lab.campaign.tasks import name_of, task_id

METHODS = {"builtin": run_loop, "models": run_loop, "pysindy": run_sindy, "pysindy-best": run_sindy_best}
"""Who may be asked to find a law: `Task.agents`."""


def work(text: str) -> str:
    """Do the task that the text says and return the result as text; what a person can put right is a failure in it."""
    return codec.to_json(do(codec.from_json(Task, text)))


def work_and_keep(text: str) -> str:
    """Do the same; the log of the run (`dolq-run/1`), where it has one, follows the result on lines of its own."""
    task = codec.from_json(Task, text)
    log: list[Entry] = []
    result = codec.to_json(do(task, log))
    return f"{result}\n{run_text(name_of(task), log)}" if log else result


def do(task: Task, log: list[Entry] | None = None) -> Result:
    """Do a task; where a list is given, the entries of its log are added to it."""
    peak = Peak()
    cpu, wall = time.process_time(), time.perf_counter()
    try:
        result = METHODS[task.agents](task, [] if log is None else log)
    except DolqError as error:
        result = Result(task_id(task), failure=str(error))
    spent = Cost(
        cpu_s=round(time.process_time() - cpu, 3),
        wall_s=round(time.perf_counter() - wall, 3),
        peak_mib=peak.mib(),
        calls=result.cost.calls,
        tokens_in=result.cost.tokens_in,
        tokens_out=result.cost.tokens_out,
    )
    where = f"{socket.gethostname()}, process {os.getpid()}, {platform.machine()}"
    finished = datetime.now(UTC).isoformat(timespec="seconds")
    used = {**machine(), **result.versions}
    return replace(result, cost=spent, versions=used, worker=where, finished=finished)


def alike(one: Result, other: Result) -> bool:
    """Whether two results say the same but for times, memory and place."""
    return _timeless(one) == _timeless(other)


def _timeless(result: Result) -> Result:
    return replace(
        result, cost=replace(result.cost, cpu_s=0.0, wall_s=0.0, peak_mib=0.0), worker="", finished="", versions={}
    )
