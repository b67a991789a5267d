"""Certificates: a proved rule as one compressed file.

The file is JSON, compressed by xz. It holds the rule's drawings. Each part has the
poses that its proof serves, the cells of its window, names, clauses and lemmas, and the
clauses that each lemma follows from. The same proof gives the same bytes.
`verify.proof.checking` checks a file.
"""

import lzma
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from heuristic.rules.drawing import FACTS, AreaSpec, Drawing, RuleSpec, Spot
from solver.errors import CertificateError
from solver.files import make_folder, write_whole
from verify.checker.claim import Flaw, read_as
from verify.checker.proof import FORMAT, ClaimedRule
from verify.proof.prove import Proved
from verify.proof.window import granted, not_end

SUFFIX, FAMILY_SUFFIX = ".proof.xz", ".family.xz"
FAMILIES = ("straight", "up-small", "up-big", "corner")  # of `verify.proof.families`


def rule_record(rule: RuleSpec) -> dict[str, Any]:
    """Return what a proof of the rule depends on, as JSON values."""
    return {"name": rule.name, "drawings": [_drawing(d) for d in rule.drawings]}


def _drawing(drawing: Drawing) -> dict[str, Any]:
    ends = not_end(drawing)
    return {
        "needs": [[n.at, int(n.states), n.at in ends] for n in drawing.needs],
        "areas": [_area(area) for area in drawing.areas],
        "runs": [[run.first, run.then] for run in drawing.runs],
        "lines": [[word, a, b] for word in FACTS for a, b in granted(drawing, word)],
        "end": drawing.end,
        "moves": drawing.forbidden,
        "frame": drawing.frame.value,
        "heading": drawing.heading,
        "poses": [*drawing.poses],
    }


def _area(area: AreaSpec) -> dict[str, Any]:
    fields = {"line": area.cells} | asdict(area) | {"kind": area.kind.value}
    del fields["cells"]
    return fields


def certificate_of(proved: Proved) -> bytes:
    """Return the certificate of a proved rule as the bytes of its file.

    Raises `CertificateError` if the rule has a drawing that the checker refuses.
    """
    record, scope = rule_record(proved.rule), proved.scope.name
    try:
        read_as(record, ClaimedRule)
    except Flaw as fault:
        name = proved.rule.name
        raise CertificateError(name, f"the checker refuses it: {fault}") from None
    parts = _parts(proved)
    return packed({"format": FORMAT, "rule": record, "scope": scope, "parts": parts})


def _parts(proved: Proved) -> list[dict[str, Any]]:
    """Return the parts of a proved rule; poses with one proof are one part."""
    records: dict[tuple[int, Spot, str], dict[str, Any]] = {}
    for part, proof in proved.proofs:
        drawing = proved.rule.drawings[part.drawing]
        (pose,) = [name for name, turn in drawing.poses.items() if turn is part.pose]
        record = records.setdefault(
            (part.drawing, part.move, "" if proof.wide else pose),
            {
                "drawing": part.drawing,
                "poses": [],
                "move": part.move,
                "scope": proof.scope.name,
                "cells": proof.window.cells(),
                "names": proof.names,
                "clauses": proof.clauses,
                "steps": proof.steps,
            },
        )
        record["poses"].append(pose)
    return list(records.values())


def packed(data: Mapping[str, Any]) -> bytes:
    """Return a JSON value as the bytes of a certificate file."""
    return lzma.compress(msgspec.json.encode(data))


def save_certificate(proved: Proved, folder: Path) -> Path:
    """Write the certificate of a proved rule."""
    return write_certificate(proved.rule.name, certificate_of(proved), folder)


def write_certificate(rule: str, certificate: bytes, folder: Path) -> Path:
    """Write the bytes of a rule's certificate, all or none."""
    make_folder(folder)
    path = folder / f"{rule}{SUFFIX}"
    write_whole(path, certificate)
    return path
