"""A new ledger: written aside with all its units, then put in its place."""

import platform
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from verify.campaign.campaign import Campaign, CampaignError, Unit, plain
from verify.campaign.schema import (
    APPLICATION,
    SCHEMA,
    VERSION,
    LedgerError,
    checksum,
    faults_told,
)


def program() -> str:
    """Return the versions that make results, for people."""
    from importlib.metadata import PackageNotFoundError, version

    told = [f"python {platform.python_version()}"]
    for name in ("oneway", "numba", "numpy", "python-sat", "ortools"):
        with suppress(PackageNotFoundError):
            told.append(f"{name} {version(name)}")
    return ", ".join(told)


def create(
    file: Path, campaign: Campaign[Any], *, maker: str = "", command: str = ""
) -> None:
    """Write a new ledger with all units open: aside, then renamed over what is there.

    The caller holds the lock. About 4 s a million units.

    Raises
    ------
    LedgerError
        If it cannot be written.
    CampaignError
        If a payload is no JSON value or a weight not above 0.
    """
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
    total, units = 0.0, 0

    def rows() -> Iterator[tuple[int, str, str, float, int]]:
        nonlocal total, units
        for place, unit in enumerate(campaign.units()):
            if not 0 < unit.weight < float("inf"):
                raise CampaignError(f"unit {unit.name}: weight {unit.weight}")
            payload, weight = plain(unit.payload), float(unit.weight)
            total, units = total + weight, place + 1
            yield place, unit.name, payload, weight, _unit_sum(place, unit, payload)

    db.execute("PRAGMA synchronous = OFF")  # it is renamed into place when complete
    db.execute("BEGIN IMMEDIATE")
    for statement in filter(str.strip, SCHEMA.split(";")):
        db.execute(statement)
    db.executemany(
        "INSERT INTO unit (place, name, payload, weight, sum) VALUES (?, ?, ?, ?, ?)",
        rows(),
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
    db.executemany(
        "INSERT INTO campaign VALUES (?, ?, ?)",
        [(key, value, checksum(key, value)) for key, value in facts.items()],
    )
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {VERSION}")
    db.execute("COMMIT")
    # Now, since a kill in the middle of this would leave a file for no reader's eyes.
    db.execute("PRAGMA journal_mode = WAL")


def _unit_sum(place: int, unit: Unit, payload: str) -> int:
    return checksum(place, unit.name, payload, float(unit.weight))
