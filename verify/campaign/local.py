"""The executor of one machine: processes that this one feeds through pipes.

Pipes of our own, and no pool of the library: a pool whose worker dies fails all that
is running, and cannot say which unit killed it. Here a pipe closes, and the first
unit in that worker's hand is the one.
"""

import platform
from collections import deque
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

from verify.campaign.campaign import CampaignError
from verify.campaign.records import Ahead, Report, Task
from verify.campaign.worker import make_here, perform
from verify.workers import Worker

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

    Parameters
    ----------
    maker, parameters, deciding
        By which a worker makes the campaign again.
    jobs : int
        Processes. Other ones than the first start when that one has answered, if
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
