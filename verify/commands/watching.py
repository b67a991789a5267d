"""`--watch`: the same work again whenever a rule file is saved."""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import sleep
from typing import Annotated

import typer

from solver.errors import OnewayError, OptionError
from verify.commands.console import note
from verify.commands.ending import refuse

EVERY = 0.3  # seconds between two looks at the files

WatchOption = Annotated[
    bool,
    typer.Option(
        "--watch", help="Do it again whenever a rule file is saved, until Ctrl-C."
    ),
]


def again_when_saved(rules: str | Sequence[str], work: Callable[[], bool]) -> bool:
    """Do the work, and again whenever a file among the rules has changed.

    Faults in the files are printed, and waited out. Ctrl-C is the end; what the last
    work returned is returned.

    Raises
    ------
    OptionError
        If no rule file is named.
    """
    from heuristic.groups import words_of

    files = [Path(word) for word in words_of(rules) if ".toml" in word]
    if not files:
        raise OptionError("--watch needs a rule file to watch, such as my-rule.toml")
    good = False
    try:
        while True:
            seen = _stamps(files)
            try:
                good = work()
            except OnewayError as error:
                good = False
                refuse(str(error))
            note(f"watching {', '.join(map(str, files))}; Ctrl-C ends")
            while _stamps(files) == seen:
                sleep(EVERY)
    except KeyboardInterrupt:
        return good


def _stamps(files: Sequence[Path]) -> list[tuple[int, int] | None]:
    """Return when each file was written and its size; None if it is not there."""
    stamps: list[tuple[int, int] | None] = []
    for file in files:
        try:
            found = file.stat()
            stamps.append((found.st_mtime_ns, found.st_size))
        except OSError:  # an editor may be writing it anew
            stamps.append(None)
    return stamps
