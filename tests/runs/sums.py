"""Small long runs for tests, made as every long run is."""

import json
import os
import signal
import time
from collections.abc import Callable
from typing import Any, TypeVar

from solver.errors import RuleError
from verify.runs.longrun import Advance, LongRun, Unit, json_text, perform, work_of

A = TypeVar("A")


def squaring(
    seconds: float = 0.0,
    wrong: tuple[int, ...] = (),
    deadly: tuple[int, ...] = (),
    refused: tuple[int, ...] = (),
    version: int = 1,
) -> Callable[[int, Advance], int]:
    """Return what squares a number; some are wrong, kill their process, or refuse."""

    def square(number: int, _: Advance) -> int:
        time.sleep(seconds)
        if number in wrong:
            raise ValueError(f"{number} is wrong")
        if number in refused:
            raise RuleError("rules.toml", "square", f"{number} is refused")
        if number in deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number

    return square


def answer_of(run: LongRun[A]) -> A:
    """Work at all units here, the last ones first, and fold."""
    results: dict[int, Any] = {}
    for place, unit in reversed([*enumerate(run.units)]):
        reply = perform(run.work, json_text(unit.payload))
        assert not reply.error, reply.error
        results[place] = json.loads(reply.result)
    return run.fold(result for _, result in sorted(results.items()))


def squares(
    count: int, *, weight: float = 1.0, **parameters: Any
) -> LongRun[list[int]]:
    """Square the numbers below `count`."""
    units = [Unit(number, weight) for number in range(count)]
    work = work_of(squaring, parameters, __name__)
    return LongRun("squares", work, units, list)


def _spinning(rounds: int) -> Callable[[int, Advance], int]:
    from tests.runs.kernels import spin

    return lambda number, _: int(spin(rounds + number))


def spinning(count: int, rounds: int) -> LongRun[list[int]]:
    """Compute in a kernel without an interrupt, for `rounds` rounds a unit."""
    units = [Unit(number, 100.0) for number in range(count)]
    return LongRun("spinning", work_of(_spinning, {"rounds": rounds}), units, list)
