"""Where ledgers lie, and how people name them.

Ledgers of one campaign, made on several machines, become one. A random campaign with a
larger count begins with the units of the one with a smaller count. A unit follows from
its payload and from the other parameters, so its result is the same in both.
"""

import os
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from solver.errors import OptionError
from verify.campaign.campaign import Campaign, Spec
from verify.campaign.ledger import Ledger
from verify.campaign.schema import LedgerError, held

VARIABLE = "ONEWAY_CAMPAIGNS"
ENDING = ".ledger"
_SHOWN = 8  # digits of a key


def folder() -> Path:
    """Return the folder of ledgers: ``out/campaigns``, or what the variable says.

    Raises `OptionError` if that is a file.
    """
    path = Path(os.environ.get(VARIABLE) or "out/campaigns")
    if path.exists() and not path.is_dir():
        raise OptionError(f"{VARIABLE}: {path} is no folder")
    return path


def ledger_of(campaign: Campaign[Any]) -> Path:
    """Return where the ledger of a campaign lies unless another place is named."""
    return folder() / f"{campaign.name}-{campaign.key[:_SHOWN]}{ENDING}"


def ledgers() -> list[Path]:
    """Return all files in the folder that are named as ledgers, by name."""
    return sorted(folder().glob(f"*{ENDING}"))


def find(named: str) -> Path:
    """Return the ledger that people mean: a file, its name, or how its name begins.

    Raises `OptionError` if there is none, or more than one.
    """
    path = Path(named)
    if path.is_file():
        return path
    there = ledgers()
    for fits in (
        [one for one in there if one.name.removesuffix(ENDING) == named],
        [one for one in there if one.name.startswith(named)],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            names = ", ".join(one.name.removesuffix(ENDING) for one in fits[:8])
            raise OptionError(f"{len(fits)} campaigns are called {named!r}: {names}")
    names = ", ".join(one.name.removesuffix(ENDING) for one in there[:8])
    here = f"; there: {names}" if there else ""
    raise OptionError(f"no campaign in {folder()} is called {named!r}{here}")


def left_behind(campaign: Campaign[Any]) -> Path | None:
    """Return a ledger of the same parameters that another version made, if any."""
    for path in folder().glob(f"{campaign.name}-*{ENDING}"):
        try:
            with Ledger(path, check=False) as ledger:
                spec = ledger.spec
        except LedgerError:
            continue
        same = (spec.name, spec.parameters) == (campaign.name, campaign.parameters)
        if same and spec.deciding != campaign.deciding:
            return path
    return None


_BATCH = 10_000


def merge(target: Path, others: Sequence[Path]) -> int:
    """Add to a ledger what others know; return how many results were new.

    Nothing that the target knows is changed, and the others are only read.

    Raises `LedgerError` if they are not of the same campaign, are damaged, or know
    different results of one unit; results written before stay.
    """
    with ExitStack() as stack:
        stack.enter_context(held(target))
        book = stack.enter_context(Ledger(target, write=True))
        begun = book.results_there()
        for path in others:
            other = stack.enter_context(Ledger(path))
            ours, theirs = book.spec, other.spec
            if ours.what() != theirs.what():
                raise LedgerError(path, f"is not of the campaign of {target}")
            new = other.reports()
            while reports := list(islice(new, _BATCH)):
                book.record(reports)
        return book.results_there() - begun


def take_over(book: Ledger, campaign: Campaign[Any]) -> None:
    """Copy the results of the ledger that knows most of a new one's units.

    Only where the campaigns differ in nothing but the parameters that `extent` names,
    and only units that stand at the same place with the same payload. The other ledger
    is read, not changed; one that is damaged is passed over.
    """
    there = []
    for path in folder().glob(f"{campaign.name}-*{ENDING}"):
        if path != book.file and (count := _results(path, campaign)):
            there.append((count, path))
    for _, path in sorted(there, reverse=True):
        with suppress(LedgerError), Ledger(path) as other:
            _copy(book, other)
            return


def _copy(book: Ledger, other: Ledger) -> None:
    same = 0
    for ours, theirs in zip(book.units(), other.units(), strict=False):
        if ours != theirs:
            break
        same += 1
    reports = (one for one in other.reports() if one.place < same)
    while batch := list(islice(reports, _BATCH)):
        book.record(batch)


def _results(path: Path, campaign: Campaign[Any]) -> int:
    """Return how many results a ledger has that are of use; 0 if it is none."""
    try:
        with Ledger(path, check=False) as ledger:
            fits = _rest(ledger.spec, campaign) == _rest(campaign, campaign)
            return ledger.results_there() if fits else 0
    except LedgerError:
        return 0


def _rest(
    one: Spec | Campaign[Any], campaign: Campaign[Any]
) -> tuple[str, str, dict[str, Any]]:
    """Return what has to be the same of both for results to be taken over."""
    given = one.parameters.items()
    kept = {key: value for key, value in given if key not in campaign.extent}
    return one.name, one.deciding, kept
