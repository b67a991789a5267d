"""More of the same: a campaign that is larger takes over what a smaller one did.

A random campaign with a larger count begins with the units of the one with a smaller
count. A unit follows from its payload and from the other parameters, so its result is
the same in both.
"""

from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from verify.campaign.campaign import Campaign
from verify.campaign.ledger import Ledger
from verify.campaign.places import ENDING, folder
from verify.campaign.records import Spec
from verify.campaign.schema import LedgerError

_BATCH = 10_000


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
