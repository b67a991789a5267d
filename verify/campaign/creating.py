"""A new ledger: written aside with all its units, then put in its place."""

import platform
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from verify.campaign.campaign import Campaign, CampaignError, plain
from verify.campaign.schema import (
    APPLICATION,
    SCHEMA,
    VERSION,
    LedgerError,
    as_bytes,
    faults_told,
    row_digest,
)

MOST = 2_000_000  # units; the ledger of a million has 64 MB


def program() -> str:
    """Return the versions that make results, for people."""
    from importlib.metadata import PackageNotFoundError, version

    versions = [f"python {platform.python_version()}"]
    for name in ("oneway", "numba", "numpy", "python-sat", "ortools"):
        with suppress(PackageNotFoundError):
            versions.append(f"{name} {version(name)}")
    return ", ".join(versions)


def create(
    file: Path, campaign: Campaign[Any], *, maker: str = "", command: str = ""
) -> None:
    """Write a new ledger with all units open: aside, then renamed over what is there.

    The caller holds the lock. About 10 s a million units.

    Raises
    ------
    LedgerError
        If it cannot be written.
    CampaignError
        If a payload is no JSON value, a weight not above 0, or there are more than
        2,000,000 units.
    """
    if len(list(islice(campaign.units(), MOST, MOST + 1))):
        raise CampaignError(f"more than {MOST:,} units; ask for less")
    for old in file.parent.glob(f".{file.name}.part*"):
        old.unlink(missing_ok=True)
    aside = file.with_name(f".{file.name}.part")
    try:
        with faults_told(file):
            db = sqlite3.connect(aside, isolation_level=None)
            try:
                _fill(db, campaign, maker, command)
            finally:
                db.close()
        for ending in ("-wal", "-shm"):  # of an old one, which would be read as ours
            file.with_name(file.name + ending).unlink(missing_ok=True)
        aside.replace(file)
    except OSError as error:
        raise LedgerError(file, f"cannot be written: {error.strerror}") from None
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            aside.with_name(aside.name + ending).unlink(missing_ok=True)


def _fill(
    db: sqlite3.Connection, campaign: Campaign[Any], maker: str, command: str
) -> None:
    total, units, digest = 0.0, 0, 0

    def rows() -> Iterator[tuple[int, str, str, float]]:
        nonlocal total, units, digest
        for place, unit in enumerate(campaign.units()):
            if not 0 < unit.weight < float("inf"):
                raise CampaignError(f"unit {unit.name}: weight {unit.weight}")
            payload, weight = plain(unit.payload), float(unit.weight)
            total, units = total + weight, place + 1
            row = place, unit.name, payload, weight
            digest += row_digest("unit", row)
            yield row

    db.execute("PRAGMA synchronous = OFF")  # it is renamed into place when complete
    db.execute("BEGIN IMMEDIATE")
    for statement in filter(str.strip, SCHEMA.split(";")):
        db.execute(statement)
    db.executemany(
        "INSERT INTO unit (place, name, payload, weight) VALUES (?, ?, ?, ?)", rows()
    )
    facts = {
        "name": campaign.name,
        "parameters": plain(campaign.parameters),
        "deciding": campaign.deciding,
        "maker": maker,
        "units": str(units),
        "weight": repr(total),
        "command": command,
        "program": program(),
    }
    db.executemany("INSERT INTO campaign VALUES (?, ?)", facts.items())
    digest += sum(row_digest("campaign", fact) for fact in facts.items())
    db.execute("INSERT INTO digest VALUES (0, ?)", (as_bytes(digest),))
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {VERSION}")
    db.execute("COMMIT")
    # Now, since a kill in the middle of this would leave a file for no reader's eyes.
    db.execute("PRAGMA journal_mode = WAL")
