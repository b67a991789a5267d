"""Certificate files checked, without the prover and without a SAT solver.

`verify.checker.proof` judges what a file proves. Here files are read and compared with
the rule of their name, and their parts are distributed to processes. A certificate that
holds can be exported, as formulas and LRAT proofs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import json

from heuristic.rules.drawing import RuleSpec, written
from solver.errors import CertificateError, OptionError
from solver.files import make_folder, read_regular, write_whole
from verify.checker.claim import Flaw, read_as
from verify.checker.clauses import text_of
from verify.checker.proof import (
    PACKED,
    ClaimedRule,
    Part,
    Task,
    check,
    part_fault,
    read,
    unpacked,
)
from verify.proof.certificate import SUFFIX, rule_record
from verify.proof.encoding import UPPER_LEFT
from verify.proof.formula import Scope
from verify.proof.refutation import lrat
from verify.proof.window import IF_RIGHT, assumes
from verify.runs.pool import each

_MANY = 30_000  # clauses and lemmas that are worth starting processes


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check: what a certificate proves, or its first fault.

    - `name`: of the rule or family in the file; empty if it cannot be read.
    - `boards`: in words, with what it assumes about the start or about future lines.
    - `claims`: the bounds of a family, in lines; or each drawing of a rule that it was
      not compared with, as the checker read it, in JSON.
    - `meant`: whether it was compared with the rule or family of that name.
    """

    name: str
    fault: str | None
    boards: str = ""
    claims: tuple[str, ...] = ()
    meant: bool = False


def load_certificate(path: Path) -> Any:
    """Return the JSON value in a certificate's file, unchecked.

    Raises `CertificateError` if it cannot be read, is too large or holds no JSON value.
    """
    try:
        return unpacked(read_regular(path, PACKED))
    except OptionError as error:
        raise CertificateError(path.name, f"cannot be read: {error}") from None
    except Flaw as fault:
        raise CertificateError(path.name, str(fault)) from None


def check_certificate(
    path: Path,
    rules: Mapping[str, RuleSpec],
    *,
    jobs: int = 1,
    good: set[bytes] | None = None,
) -> Checked:
    """Check a certificate. Takes a second for forty thousand clauses and lemmas.

    - `rules`: by name. A certificate of one of them must prove its drawings. A
      certificate of another name proves the drawings in its file.
    - `good`: keys of parts without a fault; grows, so that the same part of another
      certificate is not checked again.

    Raises `CertificateError` if the file cannot be read.
    """
    data, name = load_certificate(path), ""
    try:
        certificate = read(data)
        name = certificate.rule.name
        rule = rules.get(name)
        if rule is not None and certificate.rule != read_as(
            rule_record(rule), ClaimedRule
        ):
            raise Flaw(f"it speaks of other drawings than rule {name!r} has now")
        check(certificate, lambda tasks: _faults_of(tasks, jobs), good)
    except Flaw as fault:
        return Checked(name, str(fault))
    boards = UPPER_LEFT if certificate.upper_left else Scope[certificate.scope].value
    sketches = certificate.rule.drawings
    if assumes(rule) if rule else any(sketch.grants for sketch in sketches):
        boards += IF_RIGHT
    claims = () if rule else tuple(json.encode(x).decode() for x in sketches)
    return Checked(name, None, boards, claims, meant=rule is not None)


def _faults_of(tasks: list[Task], jobs: int) -> Iterator[str | None]:
    size = sum(len(part.clauses) + len(part.steps) for _, part in tasks)
    if size < _MANY or min(jobs, len(tasks)) == 1:
        yield from map(part_fault, tasks)
        return
    many = -(-len(tasks) // 32)
    chunks = [tasks[first : first + many] for first in range(0, len(tasks), many)]
    yield from chain.from_iterable(each(_part_faults, chunks, jobs))


def _part_faults(tasks: list[Task]) -> list[str | None]:
    return [part_fault(task) for task in tasks]


def export_lrat(path: Path, folder: Path, rules: Mapping[str, RuleSpec]) -> int:
    """Write each part of a certificate as a CNF and an LRAT proof; return the number.

    Only our checker judges that clauses follow from the drawing, so it comes first.

    Raises `CertificateError` if it cannot be read, or the checker finds a fault.
    """
    checked = check_certificate(path, rules)
    if checked.fault is not None:
        raise CertificateError(path.name, checked.fault)
    certificate = read(load_certificate(path))
    make_folder(folder)
    for number, part in enumerate(certificate.parts, 1):
        name = f"{path.name.removesuffix(SUFFIX)}-{number}"
        lines = _formula(certificate.rule.name, part)
        write_whole(folder / f"{name}.cnf", "\n".join(lines) + "\n")
        write_whole(folder / f"{name}.lrat", lrat(part.clauses, part.steps))
    return 2 * len(certificate.parts)


def _formula(rule: str, part: Part) -> Iterator[str]:
    move, poses = written(part.move), ", ".join(part.poses)
    yield f"c {rule}, drawing {part.drawing + 1}, move {move}, {poses}: {part.scope}"
    for number, name in enumerate(part.names, 1):
        yield f"c variable {number}: {text_of(name)}"
    yield f"p cnf {len(part.names)} {len(part.clauses)}"
    for clause in part.clauses:
        yield " ".join(map(str, (*clause, 0)))
