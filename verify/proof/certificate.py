"""Certificates: a proved rule as one compressed file, and its independent check.

The file is JSON, compressed by lzma. It holds the rule's drawings in full with their
hash, and for every part the poses that it does for, the cells looked at, the variable
names, the clauses (DIMACS) and the DRAT proof. Checking it needs neither the prover nor
a SAT solver: dratify replays each proof, and `verify.checker.clauses` judges every
clause by the drawing.
"""

import hashlib
import json
import lzma
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from heuristic.language.drawing import AreaSpec, Drawing, Offset, RuleSpec
from solver.errors import CertificateError
from solver.files import make_folder, write_whole
from verify.checker.part import Task, find_part_fault
from verify.proof.prove import Part, Proved
from verify.proof.settle import Impossible
from verify.proof.view import poses
from verify.proof.window import Scope
from verify.workers import workers

FORMAT = 3
SUFFIX = ".proof.xz"
_MANY = 20_000  # clauses and lines of proofs: worth starting processes


def rule_record(rule: RuleSpec) -> dict[str, Any]:
    """Return what a proof of the rule depends on, as JSON values."""
    return {"name": rule.name, "drawings": [_drawing(d) for d in rule.drawings]}


def _drawing(drawing: Drawing) -> dict[str, Any]:
    return {
        "needs": [[*n.at, int(n.states), n.not_end] for n in drawing.needs],
        "areas": [_area(area) for area in drawing.areas],
        "runs": [[*run.first, *run.then] for run in drawing.runs],
        "forbidden": [list(at) for at in drawing.forbidden],
        "frame": drawing.frame.value,
        "heading": drawing.heading,
        "poses": [
            pose.name
            for pose in (
                drawing.turns
                if drawing.frame.value == "heading"
                else drawing.symmetries
            )
        ],
    }


def _area(area: AreaSpec) -> dict[str, Any]:
    return {
        "cells": [list(at) for at in area.cells],
        "side": area.side,
        "base": list(area.base),
        "wall": list(area.wall),
        "inside": [list(at) for at in area.inside],
        "outside": [list(at) for at in area.outside],
        "kind": area.kind.value,
        "low": area.low,
        "high": area.high,
        "entry": list(area.entry),
        "least": area.least,
    }


def rule_hash(record: dict[str, Any]) -> str:
    """Return the hash of a rule record: what a certificate speaks of."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _parts(proved: Proved) -> list[dict[str, Any]]:
    """Return the parts of a proved rule, those of one proof as one."""
    found: dict[tuple[int, Offset, str], dict[str, Any]] = {}
    for part, proof in proved.proofs:
        record = found.setdefault(
            (part.drawing, part.move, "" if proof.wide else part.pose.name),
            {
                "drawing": part.drawing,
                "poses": [],
                "move": list(part.move),
                "scope": proof.scope.name,
                "cells": [list(cell) for cell in proof.cells],
                "names": [list(name) for name in proof.names],
                "clauses": [list(clause) for clause in proof.clauses],
                "drat": list(proof.drat),
            },
        )
        record["poses"].append(part.pose.name)
    return list(found.values())


def save_certificate(proved: Proved, folder: Path) -> Path:
    """Write the certificate of a proved rule; the file appears whole or not at all."""
    record = rule_record(proved.rule)
    data = {
        "format": FORMAT,
        "rule": record,
        "hash": rule_hash(record),
        "scope": proved.scope.name,
        "seconds": round(proved.seconds, 3),
        "parts": _parts(proved),
    }
    make_folder(folder)
    path = folder / f"{proved.rule.name}{SUFFIX}"
    write_whole(path, lzma.compress(json.dumps(data, separators=(",", ":")).encode()))
    return path


def load_certificate(path: Path) -> dict[str, Any]:
    """Read a certificate; nothing in it is believed yet.

    Raises
    ------
    CertificateError
        If the file cannot be read or is no certificate of this format.
    """
    try:
        data = json.loads(lzma.decompress(path.read_bytes()))
    except (OSError, lzma.LZMAError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or "it is not lzma-compressed JSON"
        raise CertificateError(path.name, f"cannot be read: {reason}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise CertificateError(path.name, f"is no certificate of format {FORMAT}")
    return data


def kept_proof(rule: RuleSpec, folder: Path) -> Proved | None:
    """Return the proof that a folder keeps of a rule as it is drawn now, unchecked.

    Raises
    ------
    CertificateError
        If there is such a file, but it is no certificate.
    """
    path = folder / f"{rule.name}{SUFFIX}"
    if not path.exists():
        return None
    data = load_certificate(path)
    if data.get("rule") != rule_record(rule):
        return None
    try:
        proofs = tuple(one for part in data["parts"] for one in _kept(rule, part))
        return Proved(rule, proofs, float(data["seconds"]))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise CertificateError(path.name, f"is malformed: {error!r}") from None


def _kept(rule: RuleSpec, part: dict[str, Any]) -> list[tuple[Part, Impossible]]:
    drawing = rule.drawings[part["drawing"]]
    named = {pose.name: pose for pose in poses(drawing)}
    left, ahead = part["move"]
    proof = Impossible(
        Scope[part["scope"]],
        tuple((row, col) for row, col in part["cells"]),
        tuple(_thaw(name) for name in part["names"]),
        tuple(tuple(clause) for clause in part["clauses"]),
        tuple(part["drat"]),
        wide=len(part["poses"]) > 1,
    )
    return [
        (Part(part["drawing"], named[pose], (left, ahead)), proof)
        for pose in part["poses"]
    ]


def _thaw(value: Any) -> Any:
    return tuple(_thaw(x) for x in value) if isinstance(value, list) else value


def check_certificate(
    path: Path, rule: RuleSpec | None = None, *, jobs: int = 1
) -> str | None:
    """Return the first fault of a certificate, or None if the rule is proved by it.

    Parameters
    ----------
    path : Path
    rule : RuleSpec, optional
        The rule as it is drawn now; a certificate of another drawing is a fault.
    jobs : int
        Processes that share the parts of a large certificate.

    Raises
    ------
    CertificateError
        If the file cannot be read.

    Notes
    -----
    Three things are checked: that there is a part for every drawing, pose and move;
    that every clause follows from the drawing (`verify.checker.clauses`); and that
    dratify accepts the proof that the clauses have no model; equal proofs are replayed
    once. Linear in the proof but for dratify, which is Python: a second for ten
    thousand lines.
    """
    data = load_certificate(path)
    try:
        return _fault(data, rule, jobs)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise CertificateError(path.name, f"is malformed: {error!r}") from None


def _fault(data: dict[str, Any], rule: RuleSpec | None, jobs: int) -> str | None:
    record = data["rule"]
    if rule_hash(record) != data["hash"]:
        return "the hash is not that of the drawings stored"
    if rule is not None and rule_record(rule) != record:
        return f"it speaks of other drawings than rule {rule.name!r} has now"
    shown = {
        (part["drawing"], pose, tuple(part["move"]))
        for part in data["parts"]
        for pose in part["poses"]
    }
    for number, drawing in enumerate(record["drawings"]):
        for pose, move in product(drawing["poses"], drawing["forbidden"]):
            if (number, pose, tuple(move)) not in shown and not _void(
                drawing, pose, move
            ):
                return f"drawing {number + 1}, pose {pose}, move {move} has no proof"
    known: set[str] = set()
    tasks = []
    for part in data["parts"]:
        told = json.dumps([part["clauses"], part["drat"]])
        tasks.append((record["drawings"][part["drawing"]], part, told not in known))
        known.add(told)
    for number, fault in enumerate(_judged(tasks, jobs), 1):
        if fault:
            return f"part {number}: {fault}"
    return None


def _judged(tasks: list[Task], jobs: int) -> Iterator[str | None]:
    """Yield the fault of each part; many are shared out."""
    size = sum(len(part["drat"]) + len(part["clauses"]) for _, part, _ in tasks)
    if size < _MANY or min(jobs, len(tasks)) == 1:
        yield from map(find_part_fault, tasks)
        return
    with workers(jobs) as pool:
        yield from pool.map(find_part_fault, tasks, chunksize=-(-len(tasks) // 32))


_BEHIND = {"NONE": [0, -1], "CW": [-1, 0], "CCW": [1, 0], "HALF": [0, 1]}


def _void(drawing: dict[str, Any], pose: str, move: list[int]) -> bool:
    """Tell whether the move leads back to the cell before the live end."""
    if drawing["frame"] == "board":
        return move == [[0, -1], [1, 0], [0, 1], [-1, 0]][drawing["heading"]]
    return move == _BEHIND[pose]
