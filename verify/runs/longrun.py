"""Long runs: many small units of work, executed and resumed until none is open.

A *unit* is the smallest piece that is finished or not. Its *payload* is a small JSON
value. `Work.prepare` is a function at the top of a module. A process calls it once with
the parameters and gets the function that turns a payload into a result, a JSON value.
So only values cross the border of a process: rules travel as the text that `load_rules`
reads.

Results stay in memory for the first minute (`KEEP_AFTER`), so that short runs leave no
file. Then they are written to the ledger. The same command finds the ledger and works
on the missing units. A run whose ledger cannot be written continues without it.
"""

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from heuristic.groups import rule_file, words_of
from heuristic.rules.rulefile import MOST_BYTES
from solver.errors import OptionError, RuleError, RunError
from solver.files import read_regular, stop_heard
from verify.runs.ledger import Ledger
from verify.runs.pool import Team, exit_code, machines, processes

A = TypeVar("A")
T = TypeVar("T")
Advance: TypeAlias = Callable[[float, float], None]  # what is done of a unit, of what
Prepare: TypeAlias = Callable[..., Callable[[Any, Advance], Any]]
ProgressCall: TypeAlias = Callable[[float, int, float | None], None]

FOLDER = "ONEWAY_RUNS"  # environment: the folder of ledgers
KEEP_AFTER = 60.0  # seconds that the results of a new run stay in memory
SMALL = 3.0  # seconds of work, by weight, that are not worth a worker process
_OFTEN = 1.0  # seconds between two writes to the ledger
_POLL = 0.1  # seconds between two progress reports
_SOON = 1 / 500  # share of the work after which the time left is estimated
_DIGITS = 8  # of a hash, in the name of a ledger
_ERROR = 1000  # characters of an error that a reply holds
json_text = json.JSONEncoder(  # the canonical text of a JSON value
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode


class Unit(NamedTuple):
    """An independent piece of a run."""

    payload: Any  # a small JSON value, different for each unit of a run
    weight: float = 1.0  # about the seconds it takes, above 0


def spans(count: int, size: int, seconds: float, *place: Any) -> list[Unit]:
    """Return units of up to `size` of `count` items: [*place, first, number].

    >>> [unit.payload for unit in spans(5, 3, 1.0, "9")]
    [['9', 0, 3], ['9', 3, 2]]
    """
    units = []
    for first in range(0, count, size):
        number = min(size, count - first)
        units.append(Unit([*place, first, number], number * seconds))
    return units


def advancing(items: Iterable[T], total: float, advance: Advance) -> Iterator[T]:
    """Yield items of a unit; an item is done when the next one is requested."""
    for number, item in enumerate(items, 1):
        yield item
        advance(number, total)


class Work(NamedTuple):
    """The function of a run with its parameters and sources; `work_of` makes it."""

    prepare: Prepare
    parameters: str
    modules: tuple[str, ...]
    rules: str
    digest: str

    @property
    def key(self) -> str:
        """Text that identifies the work and the version of what decides it."""
        name = f"{self.prepare.__module__}:{self.prepare.__name__}"
        return json_text([name, *self[1:]])


def work_of(
    prepare: Prepare, parameters: dict[str, Any], *modules: str, rules: str = ""
) -> Work:
    """Return the work of a function at the top of a module.

    - `prepare`: returns the function of a unit, which must be pure: its randomness
      comes from seeds in the parameters and the payload.
    - `parameters`: of `prepare`, JSON values: all that decides the result of a unit.
    - `modules`, `rules`: the code and the rules that decide it; see `digest_of`.
    """
    assert "." not in prepare.__qualname__, "no other process could find it"
    digest = digest_of(modules, rules)
    return Work(prepare, json_text(parameters), modules, rules, digest)


@dataclass(frozen=True, slots=True)
class LongRun(Generic[A]):
    """A long run; one of the same work with more units uses the same ledger."""

    name: str  # the command: ``stats``
    work: Work
    units: Sequence[Unit]
    fold: Callable[[Iterator[Any]], A]  # results in the order of the units -> answer

    def ledger(self) -> Ledger:
        """Return its ledger, named by a hash of the run and one of its version."""
        work = self.work
        run = sha256(f"{work.parameters}\n{work.rules}".encode()).hexdigest()
        version = sha256(work.key.encode()).hexdigest()
        folder = Path(os.environ.get(FOLDER) or "out/runs")
        name = f"{self.name}-{run[:_DIGITS]}-{version[:_DIGITS]}.ledger"
        return Ledger(folder / name, work.key)


def digest_of(modules: tuple[str, ...], rules: str = "") -> str:
    """Return a hash of the sources that decide results; takes a few milliseconds.

    - `modules`: modules, and packages with everything inside, rule books too.
    - `rules`: as `load_rules` reads them. They bring in all of `solver` and
      `heuristic`, and the rule files.

    Raises `OptionError` if a rule file cannot be read.
    """
    digest = sha256()

    def add(name: str, source: bytes) -> None:
        digest.update(f"{name} {len(source)}\n".encode())
        digest.update(source)

    under_rules = ("solver", "heuristic") if rules else ()
    for module in dict.fromkeys((*modules, *under_rules)):
        spec = find_spec(module)
        if spec is None or spec.origin is None:
            raise OptionError(f"there is no module {module!r}")
        file = Path(spec.origin)
        whole = spec.submodule_search_locations is not None
        for source in sorted(file.parent.rglob("*")) if whole else [file]:
            if source.suffix in {".py", ".toml"}:
                name = source.relative_to(file.parent).as_posix()
                add(f"{module} {name}", source.read_bytes())
    for word in words_of(rules) if rules else ():
        path = rule_file(word)
        if path is not None:
            try:
                add("rules", read_regular(path, MOST_BYTES))
            except OptionError as error:
                raise OptionError(f"{word}: {error}") from None
    return digest.hexdigest()


class UnitReply(NamedTuple):
    """The JSON text of a unit's result, or an error."""

    result: str = ""
    error: str = ""
    fatal: bool = False  # all units would fail so, for example by an error in a rule


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:_ERROR]


@lru_cache(maxsize=1)
def _prepared(work: Work) -> Callable[[Any, Advance], Any]:
    if digest_of(work.modules, work.rules) != work.digest:
        raise RunError("a worker has another version of the program or of the rules")
    return work.prepare(**json.loads(work.parameters))


def perform(
    work: Work, payload: str, advance: Advance = lambda done, total: None
) -> UnitReply:
    """Work on one unit, in any process; an exception becomes the reply's error."""
    prepared = False
    try:
        function = _prepared(work)
        prepared = True
        return UnitReply(json_text(function(json.loads(payload), advance)))
    except Exception as error:
        if stop_heard():  # a signal can surface as any error of a library
            raise KeyboardInterrupt from None
        if isinstance(error, RuleError) or not prepared:
            return UnitReply(error=str(error), fatal=True)
        return UnitReply(error=_line(error))


@dataclass(frozen=True, slots=True)
class RunOutcome(Generic[A]):
    """The outcome of a run; the same command tries failed units again."""

    answer: A | None  # from the finished units; None if Ctrl-C came before the end
    done: int  # finished units
    units: int
    ledger: Path | None  # the file with the results; None for a short run
    failures: list[tuple[str, str]]  # payload and error, in the order of the units


def execute(
    run: LongRun[A],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    seconds: float | None = None,
    progress: ProgressCall = lambda *_: None,
    arrived: Callable[[Any], None] = lambda _: None,
    opened: Callable[[Path, str], None] = lambda *_: None,
) -> RunOutcome[A]:
    """Start or resume a run, and work until no unit is open.

    The answer depends neither on the workers nor on interruptions.

    - `jobs`: processes. This process works alone if little work or one unit is left.
    - `cluster`: address of a Dask scheduler, whose workers do the work instead.
    - `seconds`: time limit.
    - `progress`: called about ten times a second with the finished share of the work,
      the number of failed units, and the seconds left or None.
    - `arrived`: called with each new result.
    - `opened`: called when the ledger is made, with its file; or with the reason if it
      cannot be made.

    Raises `RunError` if the ledger is damaged or in use, workers have another version,
    the cluster is gone, or a rule raises an error.
    """
    limit = monotonic() + (float("inf") if seconds is None else seconds)
    interrupted = False
    ledger = run.ledger()
    with closing(ledger):
        if ledger.file.exists():
            ledger.open()
        loop = _Loop(run, ledger, progress, arrived, opened)
        open_units = loop.open_units()
        small = len(open_units) < 2 or sum(unit.weight for unit in open_units) <= SMALL
        try:
            with ExitStack() as stack:
                replies = loop.replies_here()
                if open_units and cluster is not None:
                    team = stack.enter_context(machines(cluster))
                    replies = loop.replies_of(team)
                elif not small:
                    team = stack.enter_context(processes(min(jobs, len(open_units))))
                    replies = loop.replies_of(team)
                stack.callback(ledger.write)  # before workers end, taking a second
                loop.work(replies, limit)
        except KeyboardInterrupt:
            interrupted = True
        if loop.failures:
            loop.open_ledger()  # so that the next run only repeats the failed units
        file = ledger.file if ledger.is_open else None
    results = loop.results()
    answer = None
    if not interrupted or len(results) == len(run.units):
        answer = run.fold(json.loads(result) for result in results)
    failures = [(p, loop.failures[p]) for p in loop.units if p in loop.failures]
    return RunOutcome(answer, len(results), len(run.units), file, failures)


class _Loop:
    """The units of a run by payload, and the state of their execution."""

    def __init__(
        self,
        run: LongRun[Any],
        ledger: Ledger,
        progress: ProgressCall,
        arrived: Callable[[Any], None],
        opened: Callable[[Path, str], None],
    ) -> None:
        self._work, self._ledger = run.work, ledger
        self._progress, self._arrived, self._opened = progress, arrived, opened
        self.units = {json_text(unit.payload): unit for unit in run.units}
        self.failures: dict[str, str] = {}
        self._begun = self._written = monotonic()
        self._keep_at = self._begun + KEEP_AFTER
        self._open = sum(unit.weight for unit in self.open_units())
        self._total = sum(unit.weight for unit in run.units)
        self._done = 0.0  # weight of what was finished or failed in this run

    def open_units(self) -> list[Unit]:
        """Return the units without a result."""
        there = self._ledger.results
        return [unit for payload, unit in self.units.items() if payload not in there]

    def results(self) -> list[str]:
        """Return the available results, in the order of their units."""
        there = self._ledger.results
        return [there[payload] for payload in self.units if payload in there]

    def work(
        self, replies: Iterator[tuple[str, UnitReply] | None], limit: float
    ) -> None:
        """Process replies until none is left or the time is over."""
        for item in replies:
            if item is not None:
                self._note(*item)
            now = monotonic()
            if now >= self._keep_at:
                self.open_ledger()
            if now >= self._written + _OFTEN:
                self._ledger.write()
                self._written = now
            self._report()
            if now > limit:
                return

    def open_ledger(self) -> None:
        """Open the ledger unless it is open, and report its file or the fault."""
        self._keep_at = float("inf")
        if not self._ledger.is_open:
            why = ""
            try:
                self._ledger.open()
                self._ledger.write()
            except (RunError, OptionError) as error:
                self._ledger.close()
                why = str(error)
            self._opened(self._ledger.file, why)

    def replies_here(self) -> Iterator[tuple[str, UnitReply] | None]:
        """Work in this process."""
        for unit in self.open_units():
            payload = json_text(unit.payload)
            advance = partial(self._report, unit.weight)
            yield payload, perform(self._work, payload, advance)

    def replies_of(self, team: Team) -> Iterator[tuple[str, UnitReply] | None]:
        """Yield the replies of workers, in any order, and None at each look.

        Raises `CancelledError` if the cluster is gone; `RunError` if workers die as
        they start.
        """
        waiting = deque(json_text(unit.payload) for unit in self.open_units())
        live: dict[Future[UnitReply], str] = {}
        while waiting or live:
            for _ in range(min(len(waiting), team.room() - len(live))):
                payload = waiting.popleft()
                live[team.submit(perform, self._work, payload)] = payload
            done, _ = wait(live, timeout=_POLL, return_when=FIRST_COMPLETED)
            yield None
            for future in done:
                yield live.pop(future), _reply(future)

    def _note(self, payload: str, reply: UnitReply) -> None:
        if reply.fatal:
            raise RunError(reply.error)
        self._done += self.units[payload].weight
        if reply.error:
            self.failures[payload] = reply.error
            return
        self._ledger.add(payload, reply.result)
        self._arrived(json.loads(reply.result))

    def _report(self, weight: float = 0.0, part: float = 0.0, of: float = 1.0) -> None:
        """Report the progress of the run, with a part of the current unit."""
        done = self._done + weight * part / (of or 1.0)
        rest = max(self._open - done, 0.0)
        left = None
        if done > rest * _SOON:
            left = rest * (monotonic() - self._begun) / done
        share = 1.0 - rest / self._total if self._total else 1.0
        self._progress(share, len(self.failures), left)


def _reply(future: "Future[UnitReply]") -> UnitReply:
    """Return the reply of a finished call, also if its worker died."""
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, BrokenExecutor):
        raise RunError("worker processes die as they start")
    if (code := exit_code(error)) is not None:
        return UnitReply(error=f"its process died, exit code {code}")
    return UnitReply(error=_line(error))
