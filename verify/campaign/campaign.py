"""What a campaign is: units in order, what is done to each, and what comes of it.

A *unit* is the smallest piece that is done or not done. Its *payload* is a small JSON
value that says what it is; `work` turns a payload into a *result*, which is a JSON
value or bytes. `fold` turns the results, in the order of the units, into the answer.
A *maker* is a function at the top of a module that makes the campaign from its
parameters; whoever executes units calls it too, so nothing else has to travel.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

from solver.errors import OnewayError

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

    Attributes
    ----------
    name : str
        What people read: ``9: walks 200-299``.
    payload : JSON value
        What `work` is given; small.
    weight : float
        About how many seconds it takes, above 0. Only proportions matter to progress;
        the sum says whether processes are worth starting.
    """

    name: str
    payload: Any
    weight: float = 1.0


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


def _no_lines(_: Any) -> list[str]:
    return []


def _never(_: Any) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Campaign(Generic[A]):
    """A long run, as a value.

    Attributes
    ----------
    name : str
        The command: ``stats``.
    parameters : dict of JSON values
        All that decides the answer and that a user chose.
    deciding : str
        Hash of what else decides it (`verify.campaign.deciding`).
    units : callable
        Lists the units, in their order, lazily: there may be a million.
    work : callable
        Payload -> result, a JSON value, bytes, or `Found`. Pure: no clock, no process,
        no order of sets decides it; randomness comes from seeds in the payload.
    fold : callable
        Results in the order of the units -> answer.
    summary : callable
        Answer -> lines for people; what `oneway campaign show` prints.
    last : callable
        Result -> whether later units are not needed. The first unit of which it is
        true is the last one that counts, whatever was executed.
    enough : callable or None
        The same, where it takes the results before, too: makes a function that is
        given the results in the order of the units, and says of each whether later
        ones are not needed.
    noun : str
        What its work counts by `advance`, in the plural: ``walks``.
    extent : tuple of str
        Parameters that say only how many units there are: with a larger one a campaign
        takes over what was done with a smaller one.
    """

    name: str
    parameters: dict[str, Any]
    deciding: str
    units: Callable[[], Iterable[Unit]]
    work: Callable[[Any], Any]
    fold: Callable[[Iterator[Any]], A]
    summary: Callable[[A], list[str]] = field(default=_no_lines)
    last: Callable[[Any], bool] = field(default=_never)
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

    Raises
    ------
    CampaignError
        If it is no JSON value.
    """
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError) as error:
        raise CampaignError(f"no JSON value: {error}") from None


def reference(maker: Maker[Any]) -> str:
    """Return ``module:function``, by which another process finds the maker.

    Raises
    ------
    CampaignError
        If it does not stand at the top of a module.
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
