"""Certificates that positions are dead: found, judged, written and read as JSON."""

import hashlib
import json
from collections.abc import Container
from dataclasses import replace
from pathlib import Path

from solver.board import Position
from solver.errors import CertificateError, OptionError, WitnessError
from solver.files import file_name, make_folder, read_regular, write_whole
from solver.nowalk import find_sealed
from solver.solid.certificate import Certificate, find_certificate
from verify.checker.dead import find_dead_fault

SUFFIX = ".dead.json"
_BYTES = 50_000_000  # of a file that is read; ten times that of a million cells


def stem(position: Position) -> str:
    """Return a file name for a position, without its ending."""
    notation = position.notation
    name = file_name(notation)
    if len(name) < len(notation):  # cut: names of others may begin alike
        name += "-" + hashlib.sha256(notation.encode()).hexdigest()[:10]
    return name


def judged_certificate(position: Position) -> Certificate | None:
    """Return a certificate that a position is dead, judged; None if there is none.

    Raises `WitnessError` if the checker finds a fault.
    """
    certificate = find_certificate(position)
    if certificate and (fault := find_dead_fault(position.notation, certificate.data)):
        raise WitnessError(f"{position.notation}: {fault}")
    return certificate


LARGE = 10_000  # cells of a board; on a larger one a certificate takes seconds


def certificates(position: Position, moves: Container[str]) -> dict[str, Certificate]:
    """Return why moves are dead, as far as certificates show it; each is checked.

    Where a region is sealed off, the sentence, region and doors are those of
    `solver.nowalk`, which people see at a glance; the certificate stays.

    None on boards of more than `LARGE` cells. Errors as `judged_certificate`.
    """
    if position.board.cells > LARGE:
        return {}
    found = {}
    for move in position.options():
        after = position.step(move)
        certificate = judged_certificate(after) if move in moves else None
        if certificate is None:
            continue
        if sealed := find_sealed(after):
            plain = sealed.sentence, sealed.region, sealed.doors
            certificate = replace(
                certificate, sentence=plain[0], region=plain[1], doors=plain[2]
            )
        found[move] = certificate
    return found


def write_dead(position: Position, certificate: Certificate, folder: Path) -> Path:
    """Write a dead position with its certificate, which was judged; return the path."""
    content = {"position": position.notation, "certificate": certificate.data}
    make_folder(folder)
    path = folder / f"{stem(position)}{SUFFIX}"
    write_whole(path, json.dumps(content, separators=(",", ":")) + "\n")
    return path


def check_dead(path: Path) -> tuple[Position, str | None]:
    """Judge a file of `write_dead`: the position, and the first fault or None.

    Raises `CertificateError` if it is no such file.
    """
    try:
        content = json.loads(read_regular(path, _BYTES).decode())
        position = Position.parse(content["position"])
        certificate = content["certificate"]
    except OptionError as error:
        raise CertificateError(str(path), f"cannot be read: {error}") from None
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise CertificateError(str(path), f"no certificate: {error}") from None
    return position, find_dead_fault(position.notation, certificate)
