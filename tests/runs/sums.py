"""Small long runs for tests, made as every long run is."""

import json
import os
import random
import signal
import time
from collections.abc import Callable
from typing import Any, TypeVar

from solver.errors import RuleError
from verify.runs.work import LongRun, Unit, perform, plain, work_of

A = TypeVar("A")


def squaring(
    seconds: float = 0.0,
    wrong: tuple[int, ...] = (),
    deadly: tuple[int, ...] = (),
    refused: tuple[int, ...] = (),
    version: int = 1,
) -> Callable[[int], int]:
    """Return what squares a number; some are wrong, kill their process, or refuse."""

    def square(number: int) -> int:
        time.sleep(seconds)
        if number in wrong:
            raise ValueError(f"{number} is wrong")
        if number in refused:
            raise RuleError("rules.toml", "square", f"{number} is refused")
        if number in deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number

    return square


def answer_of(run: LongRun[A], seed: int | None = None) -> A:
    """Work at all units here, in a random order if there is a seed, and fold."""
    units = run.units
    order = list(range(len(units)))
    if seed is not None:
        random.Random(seed).shuffle(order)
    results: dict[int, Any] = {}
    for place in order:
        reply = perform(run.work, plain(units[place].payload))
        assert not reply.error, reply.error
        results[place] = json.loads(reply.result)
    reached = run.enough() if run.enough else lambda _: False
    counting = []
    for _, result in sorted(results.items()):
        counting.append(result)
        if reached(result):
            break
    return run.fold(iter(counting))


def squares(
    count: int, *, weight: float = 1.0, enough: int | None = None, **parameters: Any
) -> LongRun[list[int]]:
    """Square the numbers below `count`, until the squares add up to `enough`."""

    def reaching() -> Callable[[int], bool]:
        total = 0

        def reached(square: int) -> bool:
            nonlocal total
            total += square
            return total >= (enough or 0)

        return reached

    return LongRun(
        "squares",
        work_of(squaring, parameters, __name__),
        [Unit(f"square of {number}", number, weight) for number in range(count)],
        list,
        reaching if enough else None,
    )


def _spinning(rounds: int) -> Callable[[int], int]:
    from tests.runs.kernels import spin

    return lambda number: int(spin(rounds + number))


def spinning(count: int, rounds: int) -> LongRun[list[int]]:
    """Compute in a kernel that nobody can interrupt, for `rounds` rounds a unit."""
    units = [Unit(str(number), number, 100.0) for number in range(count)]
    return LongRun("spinning", work_of(_spinning, {"rounds": rounds}), units, list)
