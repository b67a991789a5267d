"""Certificates of dead positions as files: one page of JSON each."""

import json
from pathlib import Path

from solver.board import Position
from solver.errors import CertificateError, WitnessError
from solver.files import make_folder, write_whole
from solver.oracles.strips import why_not
from solver.solid.certificate import Certificate, find_certificate
from verify.checker.dead import find_dead_fault
from verify.proof.proof_files import stem

SUFFIX = ".dead.json"
_BYTES = 50_000_000  # of a file that is read; ten times that of a million cells


def judged_certificate(position: Position) -> Certificate | None:
    """Return a certificate that a position is dead, judged; None if there is none.

    Raises
    ------
    WitnessError
        If the checker finds a fault.
    """
    found = find_certificate(position, solid=why_not(position.board) is None)
    if found and (fault := find_dead_fault(position.notation, found.data)):
        raise WitnessError(f"{position.notation}: {fault}")
    return found


def write_dead(position: Position, folder: Path) -> Path | None:
    """Write a dead position with its certificate, judged; None if it has none."""
    found = judged_certificate(position)
    if found is None:
        return None
    content = {"position": position.notation, "certificate": found.data}
    path = folder / f"{stem(position)}{SUFFIX}"
    make_folder(folder)
    write_whole(path, json.dumps(content, separators=(",", ":")) + "\n")
    return path


def check_dead(path: Path) -> tuple[Position, str | None]:
    """Judge a file of `write_dead`: the position, and the first fault or None.

    Raises
    ------
    CertificateError
        If it is no such file.
    """
    try:
        if path.stat().st_size > _BYTES:
            raise ValueError(f"more than {_BYTES:,} bytes")
        content = json.loads(path.read_text(encoding="utf-8"))
        position = Position.parse(content["position"])
        certificate = content["certificate"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise CertificateError(str(path), f"no certificate: {error}") from None
    return position, find_dead_fault(position.notation, certificate)
