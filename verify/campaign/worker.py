"""What a worker does, wherever it runs: makes the campaign again, works at units.

An *executor* hands tasks to workers; the simplest one is this process. That of one
machine has pipes of our own, and no pool of the library: a pool whose worker dies fails
all that is running, and cannot say which unit killed it. Here a pipe closes, and the
first unit in that worker's hand is the one.
"""

import os
import platform
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any, Protocol

from solver.errors import RuleError
from verify.campaign.campaign import (
    Ahead,
    Campaign,
    CampaignError,
    Found,
    Report,
    Task,
    listening,
    make,
    plain,
)
from verify.workers import Worker

_OFTEN = 0.2  # seconds between two words about how far a unit is
_TEXT = 4000  # characters of an error that are kept


class OtherProgramError(Exception):
    """A worker whose program or rules are not those of the campaign."""


def worker_name() -> str:
    """Return a worker's name: its machine and its process."""
    return f"{platform.node()} {os.getpid()}"


def make_here(maker: str, parameters: dict[str, Any], deciding: str) -> Campaign[Any]:
    """Make the campaign in a worker, and see that it is the same one.

    Raises `OtherProgramError` if this program, or a rule file here, is another.
    """
    campaign = make(maker, parameters)
    if campaign.deciding != deciding:
        raise OtherProgramError(
            f"worker {worker_name()} has another version of the program or of the rules"
        )
    return campaign


def perform(
    campaign: Campaign[Any], task: Task, ahead: Callable[[Ahead], None] = lambda _: None
) -> Report:
    """Work at one unit; whatever it raises becomes the error of the report.

    Some times a second `ahead` is given how far it is.
    """
    import json

    begun = said = monotonic()
    things = 0.0

    def listener(done: float, total: float) -> None:
        nonlocal said, things
        things = done
        if monotonic() - said >= _OFTEN:
            said = monotonic()
            ahead(Ahead(task.place, done / total if total else 1.0, done))

    try:
        with listening(listener):
            result = campaign.work(json.loads(task.payload))
        found = result if isinstance(result, Found) else Found(result, ())
        kept = found.result
        value = kept if isinstance(kept, bytes) else plain(kept)
        # From the text, so that a result read later is judged the same.
        last = campaign.last(kept if isinstance(kept, bytes) else json.loads(value))
    except RuleError as error:
        return Report(task.place, worker_name(), error=str(error), refused=True)
    except Exception as error:
        line = " ".join(f"{type(error).__name__}: {error}".split())
        where = "".join(traceback.format_tb(error.__traceback__)[-3:])
        text = f"{line[:_TEXT]}\n{where}"[:_TEXT]
        return Report(task.place, worker_name(), monotonic() - begun, error=text)
    spent = monotonic() - begun
    return Report(
        task.place, worker_name(), spent, value, found.cases, last, things=things
    )


class Executor(Protocol):
    """Takes tasks and gives reports, in any order; work-ahead is its own affair.

    A task that was taken is reported, unless the executor is closed first. One that a
    worker died of is reported as an error; one that only lay with that worker goes
    back into the queue of the executor.
    """

    ahead: dict[int, Ahead]  # how far units are that are at work, by place

    def room(self) -> int:
        """Return how many tasks it would take now."""
        ...

    def take(self, tasks: Sequence[Task]) -> None:
        """Take tasks, no more than there is room for."""
        ...

    def reports(self, seconds: float) -> list[Report]:
        """Return what was finished; wait for something, but not longer."""
        ...

    def close(self) -> None:
        """Give up what is running; return within two seconds."""
        ...


class Inline:
    """Works at units in this process, one after the other."""

    def __init__(self, campaign: Campaign[Any], moved: Callable[[], None]) -> None:
        self._campaign, self._moved = campaign, moved
        self.ahead: dict[int, Ahead] = {}
        self._tasks: deque[Task] = deque()

    def room(self) -> int:
        """Return 1 if nothing waits."""
        return 1 - len(self._tasks)

    def take(self, tasks: Sequence[Task]) -> None:
        """Take a task."""
        self._tasks.extend(tasks)

    def reports(self, seconds: float) -> list[Report]:
        """Work at what was taken, however long it takes."""
        done = [perform(self._campaign, task, self._hear) for task in self._tasks]
        self._tasks.clear()
        self.ahead.clear()
        return done

    def _hear(self, ahead: Ahead) -> None:
        self.ahead[ahead.place] = ahead
        self._moved()

    def close(self) -> None:
        """Do nothing."""
        self._tasks.clear()


# Units in a worker's hand, by their mean seconds: one is at work, the others spare it
# the wait for this process. Where units are long, others could take them instead.
_IN_HAND = ((0.1, 4), (2.0, 2))
_GRACE = 0.5  # seconds between asking a worker to end and killing it
_LATER = 3  # workers that may die before their first report


class _Worker(Worker):
    """A process, and the tasks in its hand."""

    def __init__(self, named: tuple[str, dict[str, Any], str]) -> None:
        super().__init__(_serve, *named)
        self.hand: deque[Task] = deque()
        self.seen = False  # it has answered


class Local:
    """Processes of this machine.

    - `maker`, `parameters`, `deciding`: by which a worker makes the campaign again.
    - `jobs`: processes. Other ones than the first start when that one has answered, if
      kernels have yet to be compiled.
    """

    def __init__(
        self, maker: str, parameters: dict[str, Any], deciding: str, *, jobs: int
    ) -> None:
        from solver.jit import compiled_before  # numba, which not all workers need

        self._named = maker, parameters, deciding
        self._jobs = jobs
        self.ahead: dict[int, Ahead] = {}
        self._spare: deque[Task] = deque()  # that lay with a worker that died
        self._mean = 10.0  # seconds a unit, of late
        self._died = 0  # one after the other, without an answer
        self._workers: list[_Worker] = []
        self._start(jobs if compiled_before() else 1)

    def _start(self, count: int) -> None:
        for _ in range(count):
            worker = _Worker(self._named)
            worker.start()
            self._workers.append(worker)

    @property
    def _in_hand(self) -> int:
        return next((hand for most, hand in _IN_HAND if self._mean < most), 1)

    def room(self) -> int:
        """Return how many tasks workers would take."""
        held = sum(len(worker.hand) for worker in self._workers) + len(self._spare)
        return max(0, self._in_hand * len(self._workers) - held)

    def take(self, tasks: Sequence[Task]) -> None:
        """Hand out tasks, to the worker that has the fewest."""
        self._spare.extend(tasks)
        self._hand_out()

    def _hand_out(self) -> None:
        while self._spare and self._workers:
            worker = min(self._workers, key=lambda one: len(one.hand))
            if len(worker.hand) >= self._in_hand:
                return
            task = self._spare.popleft()
            worker.hand.append(task)
            try:
                worker.pipe.send(task)
            except OSError:  # it died; its pipe says so at the next look
                return

    def reports(self, seconds: float) -> list[Report]:
        """Return what workers sent; replace those that died."""
        found: list[Report] = []
        ready = wait([worker.pipe for worker in self._workers], seconds)
        for worker in [one for one in self._workers if one.pipe in ready]:
            found += self._heard(worker)
        if any(worker.seen for worker in self._workers):
            self._died = 0
            self._start(self._jobs - len(self._workers))
        elif not self._workers:
            self._start(1)
        self._hand_out()
        return found

    def _heard(self, worker: _Worker) -> list[Report]:
        found: list[Report] = []
        try:
            while worker.pipe.poll():
                report = worker.pipe.recv()
                if isinstance(report, str):
                    raise CampaignError(report)
                if isinstance(report, Ahead):
                    self.ahead[report.place] = report
                    continue
                worker.seen = True
                self.ahead.pop(report.place, None)
                worker.hand.popleft()
                found.append(report)
                self._mean += (report.seconds - self._mean) / 4
        except (EOFError, OSError):
            found += self._lost(worker)
        return found

    def _lost(self, worker: _Worker) -> list[Report]:
        self._workers.remove(worker)
        worker.pipe.close()
        worker.process.join()
        code = worker.process.exitcode
        self._died += 1
        if not worker.seen and self._died >= _LATER and not worker.hand:
            raise CampaignError(f"workers die as they start, exit code {code}")
        if not worker.hand:
            return []
        suspect = worker.hand.popleft()
        self.ahead.pop(suspect.place, None)
        self._spare.extendleft(reversed(worker.hand))
        error = f"its worker died, exit code {code}"
        name = f"{platform.node()} {worker.process.pid}"
        return [Report(suspect.place, name, error=error)]

    def close(self) -> None:
        """End all workers: asked first, killed half a second later."""
        workers = list(self._workers)
        self._workers.clear()
        for worker in workers:
            worker.process.terminate()
        until = monotonic() + _GRACE
        for worker in workers:
            worker.process.join(max(0.0, until - monotonic()))
            worker.kill()


def _serve(
    pipe: Connection, maker: str, parameters: dict[str, Any], deciding: str
) -> None:
    """Be a worker, until the pipe closes."""
    try:
        campaign = make_here(maker, parameters, deciding)
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")
        return
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(perform(campaign, task, pipe.send))
