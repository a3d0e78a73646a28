"""Which runs are being worked on, how far they are, and the ways to pause and to stop them."""

import os
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from dolq_core.errors import StoreError
from dolq_core.jobs.process import Worker, packed, unpacked
from dolq_core.ports import LOCAL
from dolq_core.store.standby import Standby
from dolq_core.terms import Skeleton

Mode: TypeAlias = Literal["step", "auto"]
Wanted: TypeAlias = Literal["go", "pause", "stop"]
Key: TypeAlias = tuple[str, str, str]
"""Provider, address, key."""

_Place: TypeAlias = tuple[str, str]  # owner and run

LISTENS_S = 0.1
MOVED = "The run went on in the meantime, so this step was dropped. Look at it as it stands now."
GONE = "The process that computed has ended; every finished iteration is kept. Start it again."
SPARE = 2
"""Workers that wait for the next job; further ones end with theirs."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a job in auto mode ends by itself, besides the run's own reasons.

    Attributes:
        iterations: so many more, or None.
        seconds: so long, or None.
        idle_s: so long without anybody looking (`Board.snapshot`).
    """

    iterations: int | None = None
    seconds: float | None = None
    idle_s: float = 1800.0


@dataclass(frozen=True, slots=True)
class Seen:
    """The best structure of its size so far: equation, terms as skeletons, error of the rate (NMSE) where fitted."""

    equation: int
    terms: tuple[Skeleton, ...]
    error: float


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where a job stands.

    Attributes:
        at: entries of the run that the job has seen or written; iteration: how many are done.
        phase, done, of: what is being done now ("sample", "fit" ..., "wait" for a processor), and how much of it.
        tried: structures that the iteration under way has looked at; front: the best of each size, see `Seen`.
        equations, whole: those of which structures were fitted in the last moment, and whether whole systems were.
        wanted: what the person asked for; the job ends when the iteration under way has ended, or at once for stop.
        seconds: since it began.
        ended: whether it has ended; words: why, as a sentence; failed: it could not go on.
        pid: the process that computes; began: on the machine's monotonic clock, which tells two jobs on a run apart.
    """

    run: str
    mode: Mode
    at: int
    iteration: int = 0
    phase: str = ""
    done: int = 0
    of: int = 0
    tried: int = 0
    front: tuple[Seen, ...] = ()
    equations: tuple[int, ...] = ()
    whole: bool = False
    wanted: Wanted = "go"
    seconds: float = 0.0
    ended: bool = False
    failed: bool = False
    words: str = ""
    pid: int = 0
    began: float = 0.0


class _Job:
    """One job and its thread's view of it; guarded by the board's lock."""

    def __init__(self, state: Snapshot, limits: Limits, store: Standby, queues: bool) -> None:
        self.state = state
        self.queues = queues
        self.store = store
        self.limits = limits
        self.began = self.looked = time.monotonic()
        self.finished = 0


class Board:
    """All jobs of one program, each known to the owner of its run alone. Safe to share between threads.

    As many jobs in auto mode compute at once as there are processors; the others wait between two iterations. A step
    does not wait, since a person does, nor does a run whose time goes into waiting for a language model.
    """

    def __init__(self, processors: int | None = None) -> None:
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(processors or os.cpu_count() or 1)
        self._jobs: dict[_Place, _Job] = {}
        self._spare: list[Worker] = []

    def warm(self) -> None:
        """Start a worker that waits, so that the first job need not load the core."""
        worker = Worker()
        with self._lock:
            self._spare.append(worker)

    def start(
        self, place: Path | Standby, run: str, at: int, mode: Mode, keys: Sequence[Key] = (),
        limits: Limits | None = None, owner: str = LOCAL,
    ) -> None:  # fmt: skip
        """Begin to work on a run of which the caller has seen `at` entries; raise StoreError when one is at it.

        place: the database, or the store in which a run goes on in memory while the database takes nothing.
        owner: who asks, where the place is a database; a store knows. The run of somebody else is not found.
        """
        store = place if isinstance(place, Standby) else Standby(place, owner)
        owner = store.owner
        with self._lock:
            old = self._jobs.get((owner, run))
            if old is not None and not old.state.ended:
                raise StoreError("This run", "it is being worked on already", "Pause or stop it first.")
            job = _Job(
                Snapshot(run, mode, at, began=time.monotonic()), limits or Limits(), store, mode == "auto" and not keys
            )
            self._jobs[owner, run] = job
        asked = {"database": str(store.path.resolve()), "run": run, "keys": [list(key) for key in keys], "owner": owner}
        threading.Thread(target=self._work, args=(job, asked), daemon=True, name=f"job {run}").start()

    def pause(self, run: str, owner: str = LOCAL) -> None:
        """Let the job end when the iteration under way has ended."""
        self._want((owner, run), "pause")

    def stop(self, run: str, owner: str = LOCAL) -> None:
        """End the job now; the iteration under way is dropped."""
        self._want((owner, run), "stop")

    def snapshot(self, run: str, owner: str = LOCAL) -> Snapshot | None:
        """Return where the job on a run stands, None when there was none; whoever asks is looking."""
        with self._lock:
            job = self._jobs.get((owner, run))
            if job is None:
                return None
            job.looked = time.monotonic()
            return job.state

    def forget(self, run: str, owner: str = LOCAL) -> None:
        """Forget a job that has ended: its words have been read."""
        with self._lock:
            job = self._jobs.get((owner, run))
            if job is not None and job.state.ended:
                del self._jobs[owner, run]

    def close(self) -> None:
        """Stop all jobs and end all workers."""
        with self._lock:
            running = [place for place, job in self._jobs.items() if not job.state.ended]
        for place in running:
            self._want(place, "stop")
        while any(job.state.ended is False for job in self._jobs.values()):
            time.sleep(LISTENS_S)
        with self._lock:
            spare, self._spare = self._spare, []
        for worker in spare:
            worker.end()

    def _want(self, place: _Place, wanted: Wanted) -> None:
        with self._lock:
            job = self._jobs.get(place)
            if job is not None and not job.state.ended:
                job.state = replace(job.state, wanted=wanted)

    # --- the thread of a job --------------------------------------------------------------------------

    def _work(self, job: _Job, asked: dict[str, Any]) -> None:
        worker = self._borrowed()
        self._note(job, pid=worker.pid)
        words, failed, asked_at = "", False, time.monotonic()
        while not words:
            with self._processor(job):
                asked_at = time.monotonic()
                worker.ask({**asked, "at": job.state.at, "held": packed(job.store.waiting(job.state.run))})
                words, failed = self._iteration(job, worker)
        if job.state.wanted == "stop" or not worker.is_alive:
            worker.end()
            with suppress(StoreError):  # the iteration that was dropped was computed all the same
                job.store.spend(time.monotonic() - asked_at, 0)
        else:
            self._return(worker)
        self._note(job, ended=True, failed=failed, words=words, phase="")

    @contextmanager
    def _processor(self, job: _Job) -> Generator[None]:
        """Wait for a free processor, or for the end that the person asks for; give it back afterwards."""
        if not job.queues:
            yield
            return
        has = self._free.acquire(blocking=False)
        while not has and job.state.wanted == "go":
            self._note(job, phase="wait")
            has = self._free.acquire(timeout=LISTENS_S)
        try:
            yield
        finally:
            if has:
                self._free.release()

    def _iteration(self, job: _Job, worker: Worker) -> tuple[str, bool]:
        """Wait for the end of one iteration; return why the job ends ("" when it goes on), and whether it failed."""
        while True:
            if job.state.wanted == "stop":
                return "Stopped. The iteration under way was dropped; every finished one is kept.", False
            match _taken_over(job, worker.answer(LISTENS_S)):
                case {"kind": "phase", "phase": phase, "done": done, "of": of}:
                    self._note(job, phase=phase, done=done, of=of, equations=(), whole=False)
                case {"kind": "seen", "tried": tried, "front": front, "equations": equations, "whole": whole}:
                    seen = tuple(
                        Seen(one["equation"], tuple(map(Skeleton, one["terms"])), one["error"]) for one in front
                    )
                    self._note(job, tried=tried, front=seen, equations=tuple(equations), whole=whole)
                case {"kind": "done", "at": at, "iteration": iteration, "reason": reason}:
                    job.finished += 1
                    self._note(job, at=at, iteration=iteration, tried=0, front=())
                    return self._why_end(job, reason), False
                case {"kind": "moved", "at": at}:
                    self._note(job, at=at)
                    return (MOVED, True) if job.state.mode == "step" else (self._asked_to_end(job), False)
                case {"kind": "failed", "words": words}:
                    return words, True
                case {"kind": "gone"}:
                    return GONE, True
                case _:
                    self._note(job)

    def _why_end(self, job: _Job, reason: str) -> str:
        limits, now = job.limits, time.monotonic()
        if job.state.mode == "step":
            return reason or "One iteration is done."
        if reason:
            return reason
        if words := self._asked_to_end(job):
            return words
        if limits.iterations is not None and job.finished >= limits.iterations:
            return f"Paused: {job.finished} more iterations are done, as asked."
        if limits.seconds is not None and now - job.began >= limits.seconds:
            return f"Paused: the limit of {limits.seconds:g} s is reached."
        if now - job.looked >= limits.idle_s:
            return f"Paused: nobody looked for {limits.idle_s / 60.0:.3g} minutes."
        return ""

    def _asked_to_end(self, job: _Job) -> str:
        return "Paused." if job.state.wanted == "pause" else ""

    def _note(self, job: _Job, **changes: Any) -> None:
        with self._lock:
            job.state = replace(job.state, seconds=round(time.monotonic() - job.began, 1), **changes)

    def _borrowed(self) -> Worker:
        with self._lock:
            while self._spare:
                worker = self._spare.pop()
                if worker.is_alive:
                    return worker
                worker.end()
        return Worker()

    def _return(self, worker: Worker) -> None:
        with self._lock:
            if len(self._spare) < SPARE:
                self._spare.append(worker)
                return
        worker.end()


def _taken_over(job: _Job, answer: dict[str, Any] | None) -> dict[str, Any] | None:
    """Take over what the worker could not store; where a person's word came first, the run has moved."""
    if answer is None or "held" not in answer:
        return answer
    if job.store.hold(job.state.run, unpacked(answer["held"]), answer["error"]):
        return answer
    return {"kind": "moved", "at": len(job.store.entries(job.state.run))}
