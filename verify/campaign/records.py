"""What goes into a ledger and comes out of it, as values."""

from dataclasses import dataclass
from typing import Any


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
    its work counted by `advance`.
    """

    place: int
    worker: str
    seconds: float = 0.0
    value: str | bytes | None = None
    cases: tuple[str, ...] = ()
    last: bool = False
    error: str | None = None
    things: float = 0.0


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
