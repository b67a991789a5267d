"""The loop: takes open units from the ledger, has them executed, writes the results.

Only this process knows the ledger. What it wrote stays; what was at work when it
ended, however it ended, is open still and is done again by the next run.

The ledger of a new run stays in memory for a minute (`KEEP_AFTER`), so that short runs
leave no file. Then it is written, with all that was done. If it cannot be written, the
run ends without it, and cannot be resumed.
"""

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any, Generic, TypeVar

from solver.errors import OptionError
from solver.files import make_folder
from solver.system import STOPS, note_stop
from verify.campaign.campaign import (
    CampaignError,
    Counts,
    Failure,
    Maker,
    Report,
    Task,
    reference,
)
from verify.campaign.cluster import Cluster
from verify.campaign.ledger import Ledger
from verify.campaign.places import ledger_of, take_over
from verify.campaign.schema import (
    TRIES,
    LedgerError,
    create,
    held,
    in_memory,
    is_ledger,
)
from verify.campaign.worker import Executor, Inline, Local

A = TypeVar("A")

KEEP_AFTER = 60.0  # seconds that a new ledger stays in memory
SMALL = 3.0  # seconds of work, by weight, for which no process is worth its start
_BATCH = 64  # results written at once
_OFTEN = 1.0  # seconds a result waits to be written
_SOON = 500  # of so many parts one is done before the time left is shown
_LOOK = 0.1  # seconds between two looks at Ctrl-C and the clock


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is, for whoever shows it.

    - `units`, `done`, `failed`, `running`: `running` counts those handed out.
    - `weight`, `done_weight`: `done_weight` has what failed too: it is not waited for.
    - `noun`: what is counted, in the plural; may be empty.
    - `rate`: things of that name a second, in this run.
    - `left`: seconds left, by weight; None as long as next to nothing was done.
    """

    units: int
    done: int
    failed: int
    running: int
    weight: float
    done_weight: float
    noun: str
    rate: float
    left: float | None


@dataclass(frozen=True, slots=True)
class Outcome(Generic[A]):
    """What came of a run.

    - `answer`: there if every unit that counts is done, or a time limit cut the run.
    - `complete`: whether every unit that counts is done.
    - `stopped`, `interrupted`: `stopped` if Ctrl-C or the time limit ended it;
      `interrupted` by Ctrl-C.
    - `ledger`: the file that remembers what was done; `kept` if it is there.
    - `failures`: units set aside.
    - `efforts`: seconds that each unit took, by its name, if they are asked for.
    """

    answer: A | None
    complete: bool
    stopped: bool
    interrupted: bool
    ledger: Path
    kept: bool
    counts: Counts
    failures: list[Failure]
    efforts: dict[str, float]


def run(
    maker: Maker[A],
    parameters: dict[str, Any],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    ledger: Path | None = None,
    fresh: bool = False,
    seconds: float | None = None,
    share: tuple[int, int] = (1, 1),
    small: float = SMALL,
    command: str = "",
    progress: Callable[[Progress], None] = lambda _: None,
    arrived: Callable[[int, Any], None] = lambda *_: None,
    kept: Callable[[Path, str], None] = lambda *_: None,
    partial: bool = False,
    timed: bool = False,
) -> Outcome[A]:
    """Run a campaign, or go on with it, until nothing is open.

    Whatever executes it, however often it was stopped, the answer is the same.

    - `maker`, `parameters`: what makes the campaign: a function at the top of a module,
      JSON values.
    - `jobs`: processes, unless there is little to do (`small` seconds, by weight): then
      this one works.
    - `cluster`: address of a Dask scheduler, whose workers do the work then.
    - `ledger`: where to remember; by default a name made of the parameters, in
      `folder()`.
    - `fresh`: begin anew; what the ledger knew is lost.
    - `seconds`: stop after so long.
    - `share`: do the part of the units alone: (2, 3) for the second of three.
    - `command`: the command that resumes it, for `campaign show`.
    - `progress`: called about ten times a second.
    - `arrived`: called with the place and the result of each unit done now, in any
      order, after it was written.
    - `kept`: called when a ledger leaves memory: with its file, and the reason if it
      cannot be written.
    - `partial`: whether there is an answer although units were set aside.
    - `timed`: whether the outcome has the seconds of each unit.

    A ledger that nobody named is kept in memory for `KEEP_AFTER` seconds.

    Raises `LedgerError` if the ledger is of something else, damaged, in use, or a named
    one cannot be written; `CampaignError` if the workers are another program, the
    cluster is gone, or a rule raises an error.
    """
    named = reference(maker)
    campaign = maker(parameters)
    file = ledger or ledger_of(campaign)
    waits = ledger is None and share == (1, 1) and not file.exists()
    with ExitStack() as stack:
        locks = stack.enter_context(ExitStack())  # released after the ledger is closed
        keeper = _Keeper(file, locks, kept, KEEP_AFTER if waits else 0.0)
        new = fresh or not file.exists()
        if keeper.waiting:
            memory = in_memory(campaign, maker=named, command=command)
            book = stack.enter_context(Ledger(file, write=True, memory=memory))
        else:
            keeper.hold()
            if file.is_file() and fresh and not is_ledger(file):
                raise LedgerError(file, "is no ledger, so --fresh does not replace it")
            if new:
                create(file, campaign, maker=named, command=command)
            book = stack.enter_context(Ledger(file, write=True))
        if new and not fresh and campaign.extent:
            take_over(book, campaign)
        if why := book.differs(campaign):
            raise LedgerError(file, f"{why}; --fresh begins anew")
        before = book.counts()
        stopped = interrupted = False
        if before.open:
            asked = stack.enter_context(_asked_to_stop())
            need = campaign.name, campaign.parameters, campaign.deciding
            executor: Executor
            moved: list[Callable[[], None]] = []
            if cluster is not None:
                executor = Cluster(cluster, named, *need[1:])
            elif before.open_weight <= small:
                executor = Inline(campaign, lambda: moved[0]())
            else:
                executor = Local(named, *need[1:], jobs=min(jobs, before.open))
            inorder = None if campaign.enough is None else _InOrder(campaign.enough())
            loop = _Loop(book, executor, before, arrived, share, inorder)
            loop.noun = campaign.noun
            moved.append(lambda: progress(loop.progress()))
            until = float("inf") if seconds is None else monotonic() + seconds
            stopped = loop.run(progress, asked, until, keeper)
            interrupted = asked.now
            book.verify()
        counts, failures = book.counts(), book.failures()
        complete = counts.done == counts.units
        if failures:
            keeper.keep(book)  # they may be tried again
        answer = None
        cut = stopped and not interrupted
        if complete or cut or (partial and not counts.open):
            expected = counts.units if complete else None
            answer = campaign.fold(book.results(expected))
        efforts = dict(book.efforts()) if timed else {}
    ended = complete, stopped, interrupted, file, keeper.kept
    return Outcome(answer, *ended, counts, failures, efforts)


class _Keeper:
    """Writes a ledger that waits in memory, once it is time."""

    def __init__(
        self,
        file: Path,
        locks: ExitStack,
        told: Callable[[Path, str], None],
        after: float,
    ) -> None:
        self._file, self._locks, self._told = file, locks, told
        self._time = monotonic() + after
        self.waiting = after > 0
        self.kept = False

    def hold(self) -> None:
        """Make the folder and take the lock of the file."""
        make_folder(self._file.parent)
        self._locks.enter_context(held(self._file))
        self.kept = True

    def look(self, book: Ledger) -> None:
        """Write the ledger if it is time."""
        if self.waiting and monotonic() >= self._time:
            self.keep(book)

    def keep(self, book: Ledger) -> None:
        """Write the ledger if it waits; where that fails it stays in memory."""
        if not self.waiting:
            return
        self.waiting = False
        try:
            self.hold()
            if self._file.exists():
                raise LedgerError(self._file, "was made by another run meanwhile")
            book.keep()
        except (LedgerError, OptionError) as error:
            self.kept = False
            self._told(self._file, str(error))
        else:
            self._told(self._file, "")


class _Asked:
    """Whether Ctrl-C, or the request to end, came."""

    def __init__(self) -> None:
        self.now = False
        self.inline = False  # then nobody looks at `now` while a unit is at work

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Be the handler of the signal."""
        first, self.now = not self.now, True
        note_stop(number)
        if self.inline and first:
            raise KeyboardInterrupt


@contextmanager
def _asked_to_stop() -> Iterator[_Asked]:
    asked = _Asked()
    if threading.current_thread() is not threading.main_thread():
        yield asked  # signals are the main thread's
        return
    old = {one: signal.signal(one, asked.hear) for one in STOPS}
    try:
        yield asked
    finally:
        for one, handler in old.items():
            signal.signal(one, handler)


class _InOrder:
    """Gives results to a campaign's `enough` in the order of their units."""

    def __init__(self, reached: Callable[[Any], bool]) -> None:
        self._reached, self._next = reached, 0
        self._early: dict[int, Any] = {}

    def note(self, place: int, result: Any) -> int | None:
        """Note a result; return the place of the last unit that counts, once known."""
        self._early[place] = result
        while self._next in self._early:
            here, self._next = self._next, self._next + 1
            if self._reached(self._early.pop(here)):
                self._early.clear()
                self._next = -1
                return here
        return None


class _Loop:
    def __init__(
        self,
        book: Ledger,
        executor: Executor,
        before: Counts,
        arrived: Callable[[int, Any], None],
        share: tuple[int, int],
        inorder: _InOrder | None,
    ) -> None:
        self._part, self._parts = share[0] - 1, share[1]
        self._book, self._executor, self._arrived = book, executor, arrived
        self._before, self._begun = before, monotonic()
        self._live: dict[int, Task] = {}
        self._again: deque[Task] = deque()
        self._waiting: list[Report] = []  # to be written
        self._written = monotonic()
        self._done = self._failed = 0
        self._weight = 0.0  # of what was done or failed in this run
        self._things, self.noun = 0.0, ""
        self._last = book.last()
        self._inorder = inorder
        if inorder is not None:
            for place, result in [*book.placed()]:
                self._note_in_order(place, result)

    def _note_in_order(self, place: int, result: Any) -> None:
        last = None if self._inorder is None else self._inorder.note(place, result)
        if last is not None and last < self._last:
            self._book.end_at(last)
            self._last = last

    def run(
        self,
        progress: Callable[[Progress], None],
        asked: _Asked,
        until: float,
        keeper: _Keeper,
    ) -> bool:
        """Work until nothing is open; return whether it was stopped before."""
        stopped = False
        tasks = (
            task
            for task in self._book.open_tasks()
            if task.place % self._parts == self._part
        )
        try:
            while True:
                stopped = asked.now or monotonic() > until
                if stopped:
                    break
                self._fill(tasks)
                if all(place > self._last for place in self._live):
                    break  # nothing is left, or nothing that counts
                progress(self.progress())
                for report in self._heard(asked):
                    self._note(report)
                self._write(_OFTEN)
                keeper.look(self._book)
        finally:
            try:
                self._write(0.0)
            finally:
                self._executor.close()
        progress(self.progress())
        return stopped

    def _heard(self, asked: _Asked) -> list[Report]:
        asked.inline = isinstance(self._executor, Inline)
        try:
            found = [] if asked.now else self._executor.reports(_LOOK)
            # A unit that the signal struck did not fail: it is open, as it was.
            return [one for one in found if one.error is None or not asked.now]
        except KeyboardInterrupt:
            asked.now = True
            return []
        finally:
            asked.inline = False

    def _fill(self, tasks: Iterator[Task]) -> None:
        room = self._executor.room()
        new: list[Task] = []
        while room > len(new) and self._again:
            new.append(self._again.popleft())
        new += islice(tasks, max(0, room - len(new)))
        new = [task for task in new if task.place < self._last]
        self._live.update((task.place, task) for task in new)
        self._executor.take(new)

    def _note(self, report: Report) -> None:
        task = self._live.pop(report.place)
        if report.refused:
            raise CampaignError(report.error)
        if report.error is not None:
            self._waiting.append(report)
            self._write(0.0)
            if self._book.tries(report.place) < TRIES:
                self._again.append(task)
                return
            self._failed += 1
        else:
            self._done += 1
            self._things += report.things
            self._waiting.append(report)
        self._weight += task.weight
        if report.last and report.place < self._last:
            self._last = report.place

    def _write(self, after: float) -> None:
        waited = monotonic() - self._written
        if not self._waiting or (len(self._waiting) < _BATCH and waited < after):
            return
        reports, self._waiting = self._waiting, []
        self._book.record(reports)
        self._written = monotonic()
        for report in reports:
            if report.value is not None:
                result = _read(report.value)
                self._note_in_order(report.place, result)
                self._arrived(report.place, result)

    def progress(self) -> Progress:
        """Return how far the run is, with what units at work say of themselves."""
        before = self._before
        spent = max(monotonic() - self._begun, 1e-9)
        left = None
        ahead = [
            one for one in self._executor.ahead.values() if one.place in self._live
        ]
        begun = sum(self._live[one.place].weight * one.share for one in ahead)
        weight = self._weight + begun
        things = self._things + sum(one.things for one in ahead)
        rest = max(before.open_weight / self._parts - weight, 0.0)
        if weight > rest / _SOON:
            left = rest * spent / weight
        return Progress(
            before.units,
            before.done + self._done,
            before.failed + self._failed,
            len(self._live),
            before.weight,
            before.weight - before.open_weight + weight,
            self.noun,
            things / spent,
            left,
        )


def _read(value: str | bytes) -> Any:
    import json

    return json.loads(value) if isinstance(value, str) else value
