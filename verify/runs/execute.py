"""The loop of a long run: hands out the open units and keeps what comes back.

For a minute (`KEEP_AFTER`) results stay in memory, so that short runs leave no file.
Then the ledger is written. If it cannot be written, the run continues without it and
cannot be resumed. The same command finds the ledger at once, and works at what is
missing.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Generic, TypeAlias, TypeVar

from solver.errors import OptionError
from verify.runs.ledger import Ledger
from verify.runs.pool import Team, machines, processes, reply_of
from verify.runs.work import LongRun, Reply, RunError, perform, plain

A = TypeVar("A")
ProgressCall: TypeAlias = Callable[[float, int, float | None], None]

KEEP_AFTER = 60.0  # seconds that the results of a new run stay in memory
SMALL = 3.0  # seconds of work, by weight, for which no process is worth its start
_OFTEN = 1.0  # seconds that a result waits to be written
_LOOK = 0.1  # seconds between two looks at the clock
_SOON = 1 / 500  # share of the work after which the time left is estimated


@dataclass(frozen=True, slots=True)
class Outcome(Generic[A]):
    """What came of a run.

    - `answer`: of the units that are done; None if Ctrl-C came before the end.
    - `done`, `units`: units that have a result, and all.
    - `ledger`: the file with the results; None if there is none.
    - `failures`: payload and error of units that failed, in the order of the units. The
      same command tries them again.
    """

    answer: A | None
    done: int
    units: int
    ledger: Path | None
    failures: list[tuple[str, str]]


def execute(
    run: LongRun[A],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    seconds: float | None = None,
    progress: ProgressCall = lambda *_: None,
    arrived: Callable[[Any], None] = lambda _: None,
    kept: Callable[[Path, str], None] = lambda *_: None,
) -> Outcome[A]:
    """Work at a run, or resume it, until no unit is open.

    The answer does not depend on who works at it and how often it was stopped.

    - `jobs`: processes. If one unit or little work is left, this one works alone.
    - `cluster`: address of a Dask scheduler, whose workers do the work then.
    - `seconds`: time limit.
    - `progress`: called about ten times a second with the share of the work that is
      done, the number of failed units, and the seconds left if they are known.
    - `arrived`: called with each new result.
    - `kept`: called when the ledger is made, with its file and why it cannot be.

    Raises `RunError` if the ledger is damaged or in use, workers are of another
    version, the cluster is gone, or a rule raises an error.
    """
    ledger = Ledger(run.name, run.work)
    limit = monotonic() + (float("inf") if seconds is None else seconds)
    interrupted = False
    with closing(ledger):
        if ledger.file.exists():
            ledger.open()
        loop = _Loop(run, ledger, progress, arrived, kept)
        try:
            with ExitStack() as stack:
                places = loop.open_places()
                team = None
                if places and cluster is not None:
                    team = stack.enter_context(machines(run.work, cluster))
                elif len(places) > 1 and loop.weight_of(places) > SMALL:
                    jobs = min(jobs, len(places))
                    team = stack.enter_context(processes(run.work, jobs))
                try:
                    loop.work(loop.by(team) if team else loop.here(), limit)
                finally:
                    ledger.write()  # before workers end, which may take a second
        except KeyboardInterrupt:
            interrupted = True
        if loop.failures:
            loop.keep()  # what succeeded, as the rest will be tried again
        file = ledger.file if ledger.is_open else None
    results = loop.results()
    answer = None
    if not interrupted or len(results) == len(run.units):
        answer = run.fold(json.loads(result) for result in results)
    return Outcome(answer, len(results), len(run.units), file, loop.named_failures())


class _Loop:
    """The units of a run and what came of them."""

    def __init__(
        self,
        run: LongRun[Any],
        ledger: Ledger,
        progress: ProgressCall,
        arrived: Callable[[Any], None],
        kept: Callable[[Path, str], None],
    ) -> None:
        self._work, self._ledger = run.work, ledger
        self._progress, self._arrived, self._kept = progress, arrived, kept
        self._units = run.units
        self._payloads = [plain(unit.payload) for unit in run.units]
        self.failures: dict[int, str] = {}  # by place
        self._begun = self._written = monotonic()
        self._keep_at = self._begun + KEEP_AFTER
        self._open = self.weight_of(self.open_places())
        self._total = self.weight_of(range(len(run.units)))
        self._weight = 0.0  # of what was done or failed in this run

    def open_places(self) -> list[int]:
        """Return the places of the units that have no result."""
        there = self._ledger.results
        return [n for n, payload in enumerate(self._payloads) if payload not in there]

    def weight_of(self, places: Iterable[int]) -> float:
        """Return about the seconds that units take."""
        return sum(self._units[place].weight for place in places)

    def results(self) -> list[str]:
        """Return the results there are, in the order of their units."""
        there = self._ledger.results
        return [there[payload] for payload in self._payloads if payload in there]

    def work(self, replies: Iterator[tuple[int, Reply] | None], limit: float) -> None:
        """Take what comes back, until nothing is left or the time is over."""
        for item in replies:
            if item is not None:
                self._note(*item)
            now = monotonic()
            if now >= self._keep_at:
                self.keep()
            if now >= self._written + _OFTEN:
                self._ledger.write()
                self._written = now
            self._report()
            if now > limit:
                return

    def keep(self) -> None:
        """Make the ledger if there is none, and report where, or why it cannot be."""
        self._keep_at = float("inf")
        if not self._ledger.is_open:
            try:
                self._ledger.open()
                self._ledger.write()
            except (RunError, OptionError) as error:
                self._ledger.close()
                self._kept(self._ledger.file, str(error))
            else:
                self._kept(self._ledger.file, "")

    def here(self) -> Iterator[tuple[int, Reply] | None]:
        """Work in this process."""
        for place in self.open_places():
            advance = partial(self._report, self._units[place].weight)
            yield place, perform(self._work, self._payloads[place], advance)

    def by(self, team: Team) -> Iterator[tuple[int, Reply] | None]:
        """Hand out units, the first ones first; yield what comes back, and None."""
        waiting = deque(self.open_places())
        live: dict[Any, int] = {}
        while waiting or live:
            for _ in range(min(len(waiting), team.room() - len(live))):
                place = waiting.popleft()
                live[team.submit(self._payloads[place])] = place
            done, _ = wait(live, timeout=_LOOK, return_when=FIRST_COMPLETED)
            yield None
            for future in done:
                yield live.pop(future), reply_of(future)

    def named_failures(self) -> list[tuple[str, str]]:
        """Return payload and error of the units that failed, in their order."""
        return [(self._payloads[at], why) for at, why in sorted(self.failures.items())]

    def _note(self, place: int, reply: Reply) -> None:
        payload = self._payloads[place]
        if reply.fatal:
            raise RunError(reply.error)
        self._weight += self._units[place].weight
        if reply.error:
            self.failures[place] = reply.error
            return
        self._ledger.add(payload, reply.result)
        self._arrived(json.loads(reply.result))

    def _report(self, weight: float = 0.0, part: float = 0.0, of: float = 1.0) -> None:
        """Report how far the run is, with the part of a unit at work."""
        done = self._weight + weight * part / (of or 1.0)
        rest = max(self._open - done, 0.0)
        left = None
        if done > rest * _SOON:
            left = rest * (monotonic() - self._begun) / done
        whole = 1.0 - rest / self._total if self._total else 1.0
        self._progress(whole, len(self.failures), left)
