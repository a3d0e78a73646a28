"""Does the tasks of a campaign in a pool: each result is stored as it comes, a worker that dies costs its task only.

When a process of a pool dies, nobody says which task it was at. So all that were under way are suspects: each is done
again, alone. A task that takes its worker down with it when alone, `TRIES` times in all, is given up.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field

from dolq_core.store import codec
from lab.campaign.ledger import Ledger, Writer
from lab.campaign.pools import Pool
from lab.campaign.records import Result, Task
from lab.campaign.worker import work, work_and_keep

TRIES = 3


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a campaign stands.

    Attributes:
        done: tasks with a result, failures among them; before: how many of them this call found done already.
        lost: how often a worker died.
        seconds: since this call began; left_s: what is left at the present pace, None before the first result.
    """

    total: int
    done: int
    failed: int
    before: int
    lost: int
    seconds: float
    left_s: float | None


def run_campaign(
    ledger: Ledger,
    tasks: Mapping[str, Task],
    pool: Pool,
    tell: Callable[[Progress], None] | None = None,
    *,
    keep_logs: bool = False,
) -> Progress:
    """Do the tasks that have no result yet, and those that failed; return where it stands at the end.

    keep_logs: whether the whole log of each run that is done now is stored too, as a bundle that can be imported.
    Ctrl-C ends what is running and is raised again; what is done is stored. Raises StoreError while another process
    writes to the folder.
    """
    with ledger.writing() as writer:
        writer.enter(tasks)
        good = {name for name, result in ledger.results().items() if not result.failure}
        left = {name: task for name, task in tasks.items() if name not in good}
        job = work_and_keep if keep_logs else work
        campaign = _Campaign(writer, pool, len(tasks), len(tasks) - len(left), tell or _silent, job)
        return campaign.run(left)


def _silent(_: Progress) -> None:
    pass


@dataclass
class _Campaign:
    """The tasks on their way through the pool."""

    writer: Writer
    pool: Pool
    total: int
    before: int
    tell: Callable[[Progress], None]
    job: Callable[[str], str]
    done: int = 0
    failed: int = 0
    lost: int = 0
    began: float = field(default_factory=time.monotonic)
    waiting: deque[str] = field(default_factory=deque[str])
    suspects: deque[str] = field(default_factory=deque[str])
    tries: Counter[str] = field(default_factory=Counter[str])
    running: dict[Future[str], str] = field(default_factory=dict[Future[str], str])

    def run(self, tasks: Mapping[str, Task]) -> Progress:
        texts = {name: codec.to_json(task) for name, task in tasks.items()}
        self.waiting.extend(tasks)
        executor = self.pool.make()
        try:
            while self.waiting or self.suspects or self.running:
                if self._fill(executor, texts) and self._collect():
                    continue
                executor.shutdown(wait=False)  # it broke
                executor = self.pool.make()
        finally:
            self.pool.stop(executor)
        return self.progress()

    def _fill(self, executor: Executor, texts: Mapping[str, str]) -> bool:
        """Submit what there is room for; return False when the pool turns out to be broken."""
        while len(self.running) < self.pool.room():
            if self.suspects and self.running:
                return True  # a suspect is done alone
            queue = self.suspects or self.waiting
            if not queue:
                return True
            alone = queue is self.suspects
            name = queue.popleft()
            try:
                self.running[executor.submit(self.job, texts[name])] = name
            except BrokenExecutor:
                queue.appendleft(name)
                self._lose_all()
                return False
            if alone:
                return True
        return True

    def _collect(self) -> bool:
        """Wait for a task to end and store its result; return False when the pool broke."""
        ended, _ = wait(self.running, return_when=FIRST_COMPLETED)
        broke = False
        for future in ended:
            name = self.running.pop(future)
            error = _error_of(future)
            if error is None:
                self._store(future.result())
            elif isinstance(error, self.pool.lost):
                self._lose(name)
                broke |= isinstance(error, BrokenExecutor)
            else:
                self._give_up(name, f"{type(error).__name__}: {error}")
        if broke:
            self._lose_all()
        return not broke

    def _lose_all(self) -> None:
        self.lost += 1
        for name in self.running.values():
            self._lose(name)
        self.running.clear()

    def _lose(self, name: str) -> None:
        self.tries[name] += 1
        if self.tries[name] < TRIES:
            self.suspects.append(name)
        else:
            self._give_up(name, f"Its worker died {TRIES} times: out of memory, or a fault of a library.")

    def _give_up(self, name: str, reason: str) -> None:
        self._store(codec.to_json(Result(name, failure=reason)))

    def _store(self, said: str) -> None:
        text, _, log = said.partition("\n")
        result = codec.from_json(Result, text)
        if log:
            self.writer.keep(result.task, log, result.versions)
        self.writer.add(text)
        self.done += 1
        self.failed += bool(result.failure)
        self.tell(self.progress())

    def progress(self) -> Progress:
        seconds = time.monotonic() - self.began
        left = self.total - self.before - self.done
        return Progress(
            total=self.total,
            done=self.before + self.done,
            failed=self.failed,
            before=self.before,
            lost=self.lost,
            seconds=seconds,
            left_s=left * seconds / self.done if self.done else None,
        )


def _error_of(future: Future[str]) -> BaseException | None:
    """Return what went wrong; a task that was cancelled for us is one too."""
    try:
        return future.exception()
    except CancelledError as error:
        return error
