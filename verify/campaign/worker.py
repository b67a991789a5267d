"""What a worker does, wherever it runs: makes the campaign again, works at units."""

import os
import platform
import traceback
from collections.abc import Callable
from time import monotonic
from typing import Any

from verify.campaign.campaign import Campaign, Found, listening, make, plain
from verify.campaign.records import Ahead, Report, Task

_OFTEN = 0.2  # seconds between two words about how far a unit is
_TEXT = 4000  # characters of an error that are kept


class OtherProgramError(Exception):
    """A worker whose program or rules are not those of the campaign."""


def worker_name() -> str:
    """Return a worker's name: its machine and its process."""
    return f"{platform.node()} {os.getpid()}"


def make_here(maker: str, parameters: dict[str, Any], deciding: str) -> Campaign[Any]:
    """Make the campaign in a worker, and see that it is the same one.

    Raises
    ------
    OtherProgramError
        If this program, or a rule file here, is another.
    """
    campaign = make(maker, parameters)
    if campaign.deciding != deciding:
        raise OtherProgramError(
            f"worker {worker_name()} has another version of the program or of the rules"
        )
    return campaign


def _unheard(_: Ahead) -> None:
    pass


def perform(
    campaign: Campaign[Any], task: Task, ahead: Callable[[Ahead], None] = _unheard
) -> Report:
    """Work at one unit; whatever it raises becomes the error of the report.

    Some times a second `ahead` is given how far it is.
    """
    import json

    begun = said = monotonic()
    things = 0.0

    def listener(done: float, total: float) -> None:
        nonlocal said, things
        things = done
        if monotonic() - said >= _OFTEN:
            said = monotonic()
            ahead(Ahead(task.place, done / total if total else 1.0, done))

    try:
        with listening(listener):
            result = campaign.work(json.loads(task.payload))
        found = result if isinstance(result, Found) else Found(result, ())
        kept = found.result
        value = kept if isinstance(kept, bytes) else plain(kept)
        # From the text, so that a result read later is judged the same.
        last = campaign.last(kept if isinstance(kept, bytes) else json.loads(value))
    except Exception as error:
        line = " ".join(f"{type(error).__name__}: {error}".split())
        where = "".join(traceback.format_tb(error.__traceback__)[-3:])
        text = f"{line[:_TEXT]}\n{where}"[:_TEXT]
        return Report(task.place, worker_name(), monotonic() - begun, error=text)
    spent = monotonic() - begun
    return Report(
        task.place, worker_name(), spent, value, found.cases, last, things=things
    )
