"""What other ledgers know is taken over: of one campaign, or of a smaller one.

Ledgers of one campaign, made on several machines, become one. A random campaign with a
larger count begins with the units of the one with a smaller count. A unit follows from
its payload and from the other parameters, so its result is the same in both.
"""

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from verify.campaign.campaign import Campaign, Spec
from verify.campaign.ledger import Ledger
from verify.campaign.places import ENDING, folder
from verify.campaign.schema import LedgerError, held

_BATCH = 10_000


def merge(target: Path, others: Sequence[Path]) -> int:
    """Add to a ledger what others know; return how many results were new.

    Nothing that the target knows is changed, and the others are only read.

    Raises
    ------
    LedgerError
        If they are not of the same campaign, are damaged, or know different results
        of one unit; results written before stay.
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


def take_over(book: Ledger, campaign: Campaign[Any]) -> int:
    """Copy the results of the ledger that knows most of a new one's units.

    Only where the campaigns differ in nothing but the parameters that `extent` names,
    and only units that stand at the same place with the same payload. The other ledger
    is read, not changed; one that is damaged is passed over. Returns how many results
    were copied.
    """
    there = []
    for path in folder().glob(f"{campaign.name}-*{ENDING}"):
        if path != book.file and (count := _results(path, campaign)):
            there.append((count, path))
    for _, path in sorted(there, reverse=True):
        with suppress(LedgerError), Ledger(path) as other:
            return _copied(book, other)
    return 0


def _copied(book: Ledger, other: Ledger) -> int:
    before, same = book.results_there(), 0
    for ours, theirs in zip(book.units(), other.units(), strict=False):
        if ours != theirs:
            break
        same += 1
    reports = (one for one in other.reports() if one.place < same)
    while batch := list(islice(reports, _BATCH)):
        book.record(batch)
    return book.results_there() - before


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
