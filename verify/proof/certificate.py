"""Certificates: a proved rule as one compressed file, and its independent check.

The file is JSON, compressed by xz. It holds the rule's drawings with their hash, and
for every part the poses that it does for, the cells looked at, the variable names, the
clauses and the lemmas, a line each, with the clauses that each lemma follows from.
Checking it (`verify.checker.whole`) needs neither the prover nor a SAT solver. The same
proof gives the same bytes.
"""

import json
import lzma
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

from heuristic.rules.drawing import (
    FACTS,
    AreaSpec,
    Drawing,
    RuleSpec,
    Spot,
    left_ahead,
    written,
)
from heuristic.rules.letters import area_table
from solver.errors import CertificateError, OptionError
from solver.files import make_folder, read_regular, write_whole
from verify.checker.describe import drawing_lines
from verify.checker.reading import (
    FORMAT,
    PACKED,
    hash_of,
    read,
    read_rule,
    unpacked,
)
from verify.checker.scene import upper_left
from verify.checker.values import Fault
from verify.checker.whole import Task, check, part_fault
from verify.proof.formula import Scope
from verify.proof.prove import Proved
from verify.proof.view import IF_RIGHT, assumes, granted, not_end
from verify.proof.window import UPPER_LEFT
from verify.runs.pool import each

SUFFIX = ".proof.xz"
_MANY = 30_000  # clauses and lemmas: worth starting processes


@dataclass(frozen=True, slots=True)
class Checked:
    """What a certificate proves, or its first fault.

    - `name`: of the rule or family, by the file; empty if it cannot be read.
    - `scope`: the boards for which it is a proof: the narrowest of its parts.
    - `claims`: what is proved, as the checker read it: a text for each drawing, or a
      line each of a family; none if there is a fault, or a rule that it was compared
      with.
    - `meant`: whether it was compared with the rule or family of that name.
    - `upper_left`: whether the start is taken for the upper left corner of the board.
    - `assumes`: whether future lines are taken for granted.
    """

    name: str
    fault: str | None
    scope: Scope | None = None
    claims: tuple[str, ...] = ()
    meant: bool = False
    upper_left: bool = False
    assumes: bool = False

    @property
    def boards(self) -> str:
        """The boards for which it is a proof, in words."""
        boards = self.scope.value if self.scope else ""
        return (UPPER_LEFT if self.upper_left else boards) + IF_RIGHT * self.assumes


def rule_record(rule: RuleSpec) -> dict[str, Any]:
    """Return what a proof of the rule depends on, as JSON values."""
    return {"name": rule.name, "drawings": [_drawing(d) for d in rule.drawings]}


def _drawing(drawing: Drawing) -> dict[str, Any]:
    return {
        "needs": [
            [*written(n.at), int(n.states), n.at in not_end(drawing)]
            for n in drawing.needs
        ],
        "areas": [_area(area) for area in drawing.areas],
        "runs": [[*written(run.first), *written(run.then)] for run in drawing.runs],
        "lines": [
            [word, *written(a), *written(b)]
            for word in FACTS
            for a, b in granted(drawing, word)
        ],
        "end": [written(drawing.end)] if drawing.end else [],
        "forbidden": [written(at) for at in drawing.forbidden],
        "frame": drawing.frame.value,
        "heading": drawing.heading,
        "poses": [*drawing.poses],
    }


def _area(area: AreaSpec) -> dict[str, Any]:
    table = area_table(area) | {"low": area.low, "high": area.high}
    table |= {"entry": written(area.entry), "least": area.least}
    order = "cells side base wall kind low high entry least"
    return {key: table[key] for key in order.split()}


def rule_hash(record: dict[str, Any]) -> str:
    """Return the hash of a rule record: what a certificate speaks of."""
    return hash_of(record)


def _parts(proved: Proved) -> list[dict[str, Any]]:
    """Return the parts of a proved rule, those of one proof as one."""
    found: dict[tuple[int, Spot, str], dict[str, Any]] = {}
    for part, proof in proved.proofs:
        drawing = proved.rule.drawings[part.drawing]
        (pose,) = [name for name, turn in drawing.poses.items() if turn is part.pose]
        record = found.setdefault(
            (part.drawing, part.move, "" if proof.wide else pose),
            {
                "drawing": part.drawing,
                "poses": [],
                "move": left_ahead(part.move),
                "scope": proof.scope.name,
                "cells": proof.cells,
                "names": [name_text(name) for name in proof.names],
                "clauses": lines_of(proof.clauses),
                "lemmas": lines_of(lemma for lemma, _ in proof.steps),
                "used": lines_of(used for _, used in proof.steps),
            },
        )
        record["poses"].append(pose)
    return list(found.values())


def name_text(name: Iterable[Any]) -> str:
    """Return a name as a certificate spells it: ``c -1,0 0,0``."""
    return " ".join(
        ",".join(map(str, x)) if isinstance(x, list | tuple) else str(x) for x in name
    )


def lines_of(lists: Iterable[Iterable[int]]) -> str:
    """Return lists of numbers as a certificate has them, a line each."""
    return "\n".join(" ".join(map(str, numbers)) for numbers in lists)


def certificate_of(proved: Proved) -> bytes:
    """Return the certificate of a proved rule, as its file holds it.

    Raises `CertificateError` if the rule has a drawing that the checker refuses.
    """
    record = rule_record(proved.rule)
    try:
        read_rule(json.loads(json.dumps(record)))
    except Fault as fault:
        name = proved.rule.name
        raise CertificateError(name, f"the checker refuses it: {fault}") from None
    data = {
        "format": FORMAT,
        "rule": record,
        "hash": rule_hash(record),
        "scope": proved.scope.name,
        "parts": _parts(proved),
    }
    return packed(data)


def packed(data: Mapping[str, Any]) -> bytes:
    """Return a JSON value as the file of a certificate: compressed by xz."""
    return lzma.compress(json.dumps(data, separators=(",", ":")).encode())


def save_certificate(proved: Proved, folder: Path) -> Path:
    """Write the certificate of a proved rule; the file appears whole or not at all."""
    return write_certificate(proved.rule, certificate_of(proved), folder)


def write_certificate(rule: RuleSpec, certificate: bytes, folder: Path) -> Path:
    """Write the bytes of a rule's certificate."""
    make_folder(folder)
    path = folder / f"{rule.name}{SUFFIX}"
    write_whole(path, certificate)
    return path


def load_certificate(path: Path) -> Any:
    """Return the JSON value that a certificate's file holds; nothing of it is checked.

    Raises `CertificateError` if the file cannot be read, is too large or holds no JSON
    value.
    """
    try:
        return unpacked(read_regular(path, PACKED))
    except OptionError as error:
        raise CertificateError(path.name, f"cannot be read: {error}") from None
    except Fault as fault:
        raise CertificateError(path.name, str(fault)) from None


def check_certificate(
    path: Path,
    rules: Mapping[str, RuleSpec] = MappingProxyType({}),
    *,
    jobs: int = 1,
    good: set[bytes] | None = None,
) -> Checked:
    """Check a certificate, without the prover and without a SAT solver.

    - `rules`, mapping of names to RuleSpec: what the names mean: a certificate of one
      of them must prove its drawings, and one of another name proves what it draws
      itself.
    - `jobs`: processes that share the parts of a large certificate.
    - `good`, set of bytes: hashes of parts that were judged before without a fault; it
      grows.

    Raises `CertificateError` if the file cannot be read.

    Linear in the proof: about a second for forty thousand clauses and lemmas.
    """
    data, name, rule = load_certificate(path), "", None
    try:
        found = read(data, good or ())
        name, rule = found.rule, rules.get(found.rule)
        if rule is not None and data["hash"] != rule_hash(rule_record(rule)):
            raise Fault(f"it speaks of other drawings than rule {name!r} has now")
        check(found, lambda tasks: _judged(tasks, jobs), good)
    except Fault as fault:
        return Checked(name, str(fault), meant=rule is not None)
    drawings = ("\n".join(drawing_lines(one)) for one in found.sketches)
    return Checked(
        name,
        None,
        Scope[found.scope],
        () if rule else tuple(drawings),
        rule is not None,
        upper_left(found.sketches, found.parts),
        assumes(rule) if rule else any(one.grants for one in found.sketches),
    )


def _judged(tasks: list[Task], jobs: int) -> Iterator[str | None]:
    """Yield the fault of each part; many are shared out."""
    size = sum(len(part.steps) + len(part.clauses) for _, part in tasks)
    if size < _MANY or min(jobs, len(tasks)) == 1:
        yield from map(part_fault, tasks)
        return
    many = -(-len(tasks) // 32)
    chunks = [tasks[first : first + many] for first in range(0, len(tasks), many)]
    yield from chain.from_iterable(each(_faults, chunks, jobs))


def _faults(tasks: list[Task]) -> list[str | None]:
    return [part_fault(task) for task in tasks]
