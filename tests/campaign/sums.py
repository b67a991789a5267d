"""Small campaigns for tests, made as every campaign is."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from verify.campaign.campaign import Campaign, Found, Unit, deciding


def squares(parameters: dict[str, Any]) -> Campaign[list[int]]:
    """Square the numbers below `count`, each in `seconds`; the answer lists them.

    It ends when squares add up to `enough`.

    `wrong` fail always; `struck` fails once, by Ctrl-C; `kills` kill their worker;
    `once` is a folder: unit 3 fails as long as it holds fewer than two files. From
    `last` on, nothing counts.
    """

    def units() -> Iterator[Unit]:
        for number in range(parameters["count"]):
            yield Unit(f"square of {number}", number, parameters.get("weight", 1.0))

    struck = [parameters.get("struck")]

    def work(number: int) -> Any:
        time.sleep(parameters.get("seconds", 0.0))
        if number in struck:
            struck.clear()
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                raise ValueError("as a compiler is") from None
        if number in parameters.get("wrong", ()):
            raise ValueError(f"{number} is wrong")
        if number in parameters.get("kills", ()):
            os.kill(os.getpid(), signal.SIGKILL)
        if number == 3 and "once" in parameters:
            tries = Path(parameters["once"])
            if len(list(tries.iterdir())) < 2:
                (tries / str(time.monotonic_ns())).touch()
                raise ValueError("not yet")
        square = number * number
        if number % 10 == 7:
            return Found(square, (f"{number} ends in 7",))
        return square

    def enough() -> Callable[[int], bool]:
        total = 0

        def reached(square: int) -> bool:
            nonlocal total
            total += square
            return total >= int(parameters["enough"])

        return reached

    return Campaign(
        "squares",
        parameters,
        deciding("tests.campaign.sums", texts=[parameters.get("text", "")]),
        units,
        work,
        fold=list,
        summary=lambda answer: [f"{len(answer)} squares, {sum(answer)} together"],
        last=lambda square: square == parameters.get("last", -1),
        enough=enough if "enough" in parameters else None,
        noun="squares",
        extent=("count",),
    )


def scaled(parameters: dict[str, Any]) -> Campaign[list[int]]:
    """Give ten payloads of their own, then ones that depend on how many there are."""
    count = parameters["count"]
    payloads = [*range(10), *range(count, 2 * count - 10)]
    return Campaign(
        "scaled",
        parameters,
        os.environ.get("VERSION_OF_SCALED", "1"),
        lambda: (Unit("one of them", payload) for payload in payloads),
        lambda number: number,
        list,
        extent=("count",),
    )


def letters(parameters: dict[str, Any]) -> Campaign[bytes]:
    """Give bytes as results."""
    return Campaign(
        "letters",
        parameters,
        "1",
        lambda: (Unit(letter, letter, 0.01) for letter in "abc"),
        lambda letter: letter.encode() * 2,
        b"".join,
    )


def naps(parameters: dict[str, Any]) -> Campaign[str]:
    """Compute in a kernel that nobody can interrupt, for `rounds` rounds a unit."""
    from tests.campaign.kernels import spin

    return Campaign(
        "naps",
        parameters,
        "1",
        lambda: (Unit(str(n), n, 100.0) for n in range(parameters["count"])),
        lambda n: int(spin(parameters["rounds"] + n)),
        lambda results: " ".join(str(result) for result in results),
    )
