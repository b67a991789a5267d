"""What a long run is: one function, many small units, and what decides the results.

A *unit* is the smallest piece that is finished or not. Its *payload* is a small JSON
value. `Work.prepare` is a function at the top of a module. A process calls it once with
the parameters and gets the function that turns a payload into a result, a JSON value.
That function may say how far it is, by its second argument.
So only values cross the border of a process: rules travel as the text that `load_rules`
reads.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from heuristic.groups import rule_file, words_of
from heuristic.rules.rulefile import MOST_BYTES
from solver.errors import OnewayError, OptionError, RuleError
from solver.files import read_regular, stop_heard

A = TypeVar("A")
T = TypeVar("T")
Advance = Callable[[float, float], None]  # what is done of a unit, and the total
Prepare = Callable[..., Callable[[Any, Advance], Any]]

_SOURCES = {".py", ".toml"}
_ERROR = 1000  # characters of an error that a reply holds
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)


class RunError(OnewayError, RuntimeError):
    """A long run that cannot continue."""


def plain(value: Any) -> str:
    """Return the one text that stands for a JSON value.

    >>> plain({"b": 1, "a": [None, "é"]})
    '{"a":[null,"é"],"b":1}'

    Raises `RunError` if it is not a JSON value.
    """
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError) as error:
        raise RunError(f"not a JSON value: {error}") from None


class Unit(NamedTuple):
    """One independent piece.

    - `payload`: a small JSON value, different for each unit of a run.
    - `weight`: about the seconds it takes, above 0.
    """

    payload: Any
    weight: float = 1.0


def spans(count: int, size: int, seconds: float, *place: Any) -> list[Unit]:
    """Return units of up to `size` of `count` things: [*place, first, number].

    A thing takes about so many `seconds`.

    >>> [unit.payload for unit in spans(5, 3, 1.0, "9")]
    [['9', 0, 3], ['9', 3, 2]]
    """
    units = []
    for first in range(0, count, size):
        number = min(size, count - first)
        units.append(Unit([*place, first, number], number * seconds))
    return units


class Work(NamedTuple):
    """What a process needs to work at units; hashable, small, and made by `work_of`."""

    prepare: Prepare
    parameters: str
    modules: tuple[str, ...]
    rules: str
    digest: str

    @property
    def key(self) -> str:
        """Text that identifies the work and the version of what decides it."""
        return plain([f"{self.prepare.__module__}:{self.prepare.__name__}", *self[1:]])


def work_of(
    prepare: Prepare,
    parameters: dict[str, Any],
    *modules: str,
    rules: str = "",
) -> Work:
    """Return the work of a function at the top of a module.

    - `prepare`: returns the function of a unit. That is pure: its randomness comes
      from seeds in parameters and payload.
    - `parameters`: of `prepare`, JSON values: all that decides what a unit gives.
    - `modules`, `rules`: what else decides it; see `digest_of`.

    Raises `RunError` if another process could not find the function.
    """
    if "." in prepare.__qualname__:
        raise RunError(f"{prepare.__qualname__} is not at the top of a module")
    digest = digest_of(modules, rules)
    return Work(prepare, plain(parameters), modules, rules, digest)


@dataclass(frozen=True, slots=True)
class LongRun(Generic[A]):
    """A long run, as a value.

    - `name`: the command: ``stats``.
    - `units`: in the order of their results. A run of the same work with more units
      uses the same ledger.
    - `fold`: results in the order of the units -> answer.
    """

    name: str
    work: Work
    units: Sequence[Unit]
    fold: Callable[[Iterator[Any]], A]


def digest_of(modules: tuple[str, ...], rules: str = "") -> str:
    """Return a hash of the sources that decide results; takes a few milliseconds.

    - `modules`: modules, and packages with all that lies in them, rule books too.
    - `rules`: as `load_rules` reads them. If there are any, all of `solver` and
      `heuristic` counts, and the rule files.

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
            if source.suffix in _SOURCES:
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


def advancing(items: Iterable[T], total: float, advance: Advance) -> Iterator[T]:
    """Yield items of a unit; each is done when the next one is requested."""
    for number, item in enumerate(items, 1):
        yield item
        advance(number, total)


class Reply(NamedTuple):
    """The JSON text of a unit's result, or an error.

    `fatal`: all other units would fail the same way, such as by an error in a rule.
    """

    result: str = ""
    error: str = ""
    fatal: bool = False


def line_of(error: BaseException) -> str:
    """Return an error as one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:_ERROR]


@lru_cache(maxsize=1)
def _prepared(work: Work) -> Callable[[Any, Advance], Any]:
    if digest_of(work.modules, work.rules) != work.digest:
        raise RunError("a worker has another version of the program or of the rules")
    return work.prepare(**json.loads(work.parameters))


def perform(
    work: Work, payload: str, advance: Advance = lambda done, total: None
) -> Reply:
    """Work at one unit, in any process; an exception becomes the reply's error."""
    prepared = False
    try:
        function = _prepared(work)
        prepared = True
        return Reply(plain(function(json.loads(payload), advance)))
    except Exception as error:
        if stop_heard():  # a signal can surface as any error of a library
            raise KeyboardInterrupt from None
        if isinstance(error, RuleError) or not prepared:
            return Reply(error=str(error), fatal=True)
        return Reply(error=line_of(error))
