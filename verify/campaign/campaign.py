"""What a campaign is: units in order, what is done to each, and what comes of it.

A *unit* is the smallest piece that is done or not done. Its *payload* is a small JSON
value that says what it is; `work` turns a payload into a *result*, which is a JSON
value or bytes. `fold` turns the results, in the order of the units, into the answer.
A *maker* is a function at the top of a module that makes the campaign from its
parameters; whoever executes units calls it too, so nothing else has to travel.
Below stands what goes into a ledger and comes out of it, as values.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from heuristic.groups import rule_file, words_of
from heuristic.rules.rulefile import MOST_BYTES
from solver.errors import OnewayError, OptionError
from solver.files import read_regular

A = TypeVar("A")
T = TypeVar("T")


# One for all: `json.dumps` makes a new one for each call that is not the default.
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)


class CampaignError(OnewayError, RuntimeError):
    """A campaign that cannot go on, or go on here; says why."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One independent piece.

    - `name`: what people read: ``9: walks 200-299``.
    - `payload`, JSON value: what `work` is given; small.
    - `weight`: about how many seconds it takes, above 0. Only proportions matter to
      progress; the sum says whether processes are worth starting.
    """

    name: str
    payload: Any
    weight: float = 1.0


def spans(
    count: int, size: int, seconds: float, noun: str, *place: Any
) -> Iterator[Unit]:
    """Yield units of up to so many of `count` things: [*place, first, how many].

    A thing takes about so many `seconds`.

    >>> [(unit.name, unit.payload) for unit in spans(5, 3, 1.0, "walks", "9")]
    [('walks 1-3', ['9', 0, 3]), ('walks 4-5', ['9', 3, 2])]
    """
    for first in range(0, count, size):
        many = min(size, count - first)
        name = f"{noun} {first + 1}-{first + many}"
        yield Unit(name, [*place, first, many], many * seconds)


_listeners: list[Callable[[float, float], None]] = []


def advance(done: float, total: float) -> None:
    """Say, from inside a unit, how many walks, positions ... of how many are done.

    It costs a microsecond, and nothing of it enters the answer.
    """
    if _listeners:
        _listeners[-1](done, total)


def advancing(items: Iterable[T], total: float) -> Iterator[T]:
    """Yield the items of a unit; each is done when the next one is asked for."""
    for number, item in enumerate(items, 1):
        yield item
        advance(number, total)


@contextmanager
def listening(listener: Callable[[float, float], None]) -> Iterator[None]:
    """Let a function hear what `advance` says."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.pop()


@dataclass(frozen=True, slots=True)
class Found:
    """A result and the cases met with it, each a line of text; kept in the ledger."""

    result: Any
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Campaign(Generic[A]):
    """A long run, as a value.

    - `name`: the command: ``stats``.
    - `parameters`, dict of JSON values: all that decides the answer and that a user
      chose.
    - `deciding`: hash of what else decides it, by the function `deciding`.
    - `units`: lists the units, in their order, lazily: there may be a million.
    - `work`: payload -> result, a JSON value, bytes, or `Found`. Pure: no clock, no
      process, no order of sets decides it; randomness comes from seeds in the payload.
    - `fold`: results in the order of the units -> answer.
    - `summary`: answer -> lines for people; what `oneway campaign show` prints.
    - `last`: result -> whether later units are not needed. The first unit of which it
      is true is the last one that counts, whatever was executed.
    - `enough`: the same, where it takes the results before, too: makes a function that
      is given the results in the order of the units, and says of each whether later
      ones are not needed.
    - `noun`: what its work counts by `advance`, in the plural: ``walks``.
    - `extent`: parameters that say only how many units there are: with a larger one a
      campaign takes over what was done with a smaller one.
    """

    name: str
    parameters: dict[str, Any]
    deciding: str
    units: Callable[[], Iterable[Unit]]
    work: Callable[[Any], Any]
    fold: Callable[[Iterator[Any]], A]
    summary: Callable[[A], list[str]] = lambda _: []
    last: Callable[[Any], bool] = lambda _: False
    enough: Callable[[], Callable[[Any], bool]] | None = None
    noun: str = ""
    extent: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Return a hash of name, parameters and what else decides the answer."""
        text = plain([self.name, self.parameters, self.deciding])
        return sha256(text.encode()).hexdigest()


Maker = Callable[[dict[str, Any]], Campaign[A]]


def plain(value: Any) -> str:
    """Return a JSON value as the one text that stands for it.

    >>> plain({"b": 1, "a": [None, "é"]})
    '{"a":[null,"é"],"b":1}'

    Raises `CampaignError` if it is no JSON value.
    """
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError) as error:
        raise CampaignError(f"no JSON value: {error}") from None


def reference(maker: Maker[Any]) -> str:
    """Return ``module:function``, by which another process finds the maker.

    Raises `CampaignError` if it does not stand at the top of a module.
    """
    name = f"{maker.__module__}:{maker.__qualname__}"
    if "<" in name or "." in maker.__qualname__ or maker.__module__ == "__main__":
        raise CampaignError(f"{name} does not stand at the top of a module")
    return name


def make(named: str, parameters: dict[str, Any]) -> Campaign[Any]:
    """Make the campaign of a maker that is named as ``module:function``."""
    module, function = named.split(":")
    maker = cast(Maker[Any], getattr(import_module(module), function))
    return maker(parameters)


@dataclass(frozen=True, slots=True)
class Spec:
    """What a ledger is of: the campaign, its parameters, and what made it."""

    name: str
    parameters: dict[str, Any]
    deciding: str
    maker: str
    units: int
    weight: float
    command: str
    program: str

    def what(self) -> tuple[object, ...]:
        """Return what two ledgers of one campaign have in common."""
        return self.name, self.parameters, self.deciding, self.units


@dataclass(frozen=True, slots=True)
class Counts:
    """How far it is: units, and their weights.

    `units` and `weight` are of those that count: the ones up to the last.
    """

    units: int
    open: int
    failed: int
    weight: float
    open_weight: float

    @property
    def done(self) -> int:
        """Return the units that have a result."""
        return self.units - self.open - self.failed

    @property
    def share(self) -> float:
        """Return how much is done, by weight, from 0 to 1."""
        return 1 - self.open_weight / self.weight if self.weight else 1.0


@dataclass(frozen=True, slots=True)
class Task:
    """A unit as it is handed out: its place from 0, and its payload as JSON text."""

    place: int
    payload: str
    weight: float


@dataclass(frozen=True, slots=True)
class Ahead:
    """How far a unit is that is at work: its share, and the things done."""

    place: int
    share: float
    things: float


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a task.

    Either `value` is there, JSON text or bytes, or `error` is. `things` are those that
    its work counted by `advance`. `refused` if a rule failed: no try mends that.
    """

    place: int
    worker: str
    seconds: float = 0.0
    value: str | bytes | None = None
    cases: tuple[str, ...] = ()
    last: bool = False
    error: str | None = None
    things: float = 0.0
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """A unit set aside, and the error of its last try."""

    place: int
    unit: str
    error: str


@dataclass(frozen=True, slots=True)
class Row:
    """A unit as it is exported; `result` is JSON text, or bytes as hexadecimal."""

    place: int
    unit: str
    payload: str
    state: str
    result: str


_DECIDES = {".py", ".toml"}


def deciding(*modules: str, texts: Iterable[str] = ()) -> str:
    """Return a hash of the sources of modules and packages, and of texts.

    Name what a changed line could change results in: a package stands for all that
    lies in it, rule books too. About a millisecond a hundred files.

    >>> deciding("solver.board") == deciding("solver.board", texts=["one more rule"])
    False
    """
    digest = hashlib.sha256()
    for module in modules:
        found = find_spec(module)
        if found is None or found.origin is None:
            raise OptionError(f"there is no module {module!r}")
        origin = Path(found.origin)
        folder = origin.parent if found.submodule_search_locations else None
        files = sorted(folder.rglob("*")) if folder else [origin]
        for file in files:
            if file.suffix in _DECIDES:
                name = file.relative_to(folder or origin.parent).as_posix()
                source = file.read_bytes()
                digest.update(f"{module} {name} {len(source)}\n".encode())
                digest.update(source)
    for text in texts:
        digest.update(f"text {len(text.encode())}\n{text}".encode())
    return digest.hexdigest()[:16]


def deciding_rules(rules: str, *modules: str, texts: Iterable[str] = ()) -> str:
    """Return `deciding` of what `load_rules` takes: its files, the solver, modules.

    Raises `OptionError` if a file cannot be read.
    """
    found = [*texts]
    for word in words_of(rules):
        file = rule_file(word)
        if file is not None:
            try:
                found.append(read_regular(file, MOST_BYTES).decode(errors="replace"))
            except OptionError as error:
                raise OptionError(f"{word}: {error}") from None
    return deciding("solver", "heuristic", *modules, texts=found)
