"""Ledgers of one campaign, made on several machines, become one."""

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

from verify.campaign.ledger import Ledger
from verify.campaign.lock import held
from verify.campaign.schema import LedgerError

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
