"""Dead positions: certificates, and propositional proofs for any checker.

A certificate is a short JSON file that `verify.checker.dead` checks. For other dead
positions `write_proof` writes the SAT oracle's proof: the formula as DIMACS, the proof
as DRAT and LRAT (see `verify.proof.refutation.lrat`).
"""

import hashlib
import json
from collections.abc import Container
from dataclasses import asdict, replace
from pathlib import Path

from solver.board import Position
from solver.errors import CertificateError, OptionError, WitnessError
from solver.files import file_name, make_folder, read_regular, write_whole
from solver.oracles.oracle import Oracle, Proof, find_sealed
from solver.solid.certificate import DeadCertificate, find_certificate
from verify.checker.dead import find_dead_fault
from verify.checker.position import find_proof_fault
from verify.proof.refutation import lrat, proof_steps

SUFFIX = ".dead.json"
LARGE = 10_000  # cells of a board; on a larger one a certificate takes seconds
_BYTES = 50_000_000  # of a file that is read; ten times that of a million cells


def stem(position: Position) -> str:
    """Return a file name for a position, without its ending."""
    notation = position.notation
    name = file_name(notation)
    if len(name) < len(notation):  # cut: other names may begin in the same way
        name += "-" + hashlib.sha256(notation.encode()).hexdigest()[:10]
    return name


def judged_certificate(position: Position) -> DeadCertificate | None:
    """Return a checked certificate that a position is dead, or None.

    Raises `WitnessError` if the checker finds a fault, which is an internal error.
    """
    certificate = find_certificate(position)
    if certificate and (fault := find_dead_fault(position.notation, certificate.data)):
        raise WitnessError(f"{position.notation}: {fault}")
    return certificate


def certificates(
    position: Position, moves: Container[str]
) -> dict[str, DeadCertificate]:
    """Return checked certificates that moves are dead, by move, where there are any.

    Where a region is sealed off, people see at a glance what `find_sealed` says. None
    on boards of more than `LARGE` cells. Errors as `judged_certificate`.
    """
    reasons = {}
    for move in position.options() if position.board.cells <= LARGE else ():
        after = position.step(move)
        certificate = judged_certificate(after) if move in moves else None
        if certificate and (sealed := find_sealed(after)):
            certificate = replace(certificate, **asdict(sealed))
        if certificate:
            reasons[move] = certificate
    return reasons


def write_dead(position: Position, certificate: DeadCertificate, folder: Path) -> Path:
    """Write a dead position with its checked certificate; return the path."""
    content = {"position": position.notation, "certificate": certificate.data}
    make_folder(folder)
    path = folder / f"{stem(position)}{SUFFIX}"
    write_whole(path, json.dumps(content, separators=(",", ":")) + "\n")
    return path


def check_dead(path: Path) -> tuple[Position, str | None]:
    """Check a file of `write_dead`; return the position, and a fault or None.

    Raises `CertificateError` if it is not such a file.
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


def dimacs(position: Position, proof: Proof) -> str:
    """Return the formula of a proof in DIMACS, with comments on edges and grounds."""

    def cells(cells: tuple[int, ...], between: str) -> str:
        return between.join("{},{}".format(*position.board.row_col(x)) for x in cells)

    lines = [f"c {position.notation}"]
    for variable, edge in enumerate(proof.edges, 1):
        lines.append(f"c variable {variable}: the edge {cells(edge, ' - ')}")
    lines.append(f"p cnf {len(proof.edges)} {len(proof.clauses)}")
    for clause, ground in zip(proof.clauses, proof.grounds, strict=True):
        lines.append(f"c {ground.kind} {cells(ground.cells, ' ')}".rstrip())
        lines.append(" ".join(map(str, (*clause, 0))))
    return "\n".join(lines) + "\n"


def write_proof(position: Position, oracle: Oracle, folder: Path) -> list[Path]:
    """Write formula and proof, which the checker has accepted; return the paths.

    Raises `OptionError` if the oracle gives no proof, or the folder cannot be written;
    `WitnessError` if the checker finds a fault.
    """
    notation, proof = position.notation, oracle.decide(position).proof
    if proof is None:
        raise OptionError(
            f"oracle {oracle.name!r} gives no proof that {notation} is dead"
        )
    if fault := find_proof_fault(notation, proof):
        raise WitnessError(f"{notation}: {fault}")
    texts = {
        "cnf": dimacs(position, proof),
        "drat": "\n".join(proof.lines) + "\n",
        "lrat": lrat(proof.clauses, proof_steps(proof.clauses, proof.lines)),
    }
    make_folder(folder)
    paths = {folder / f"{stem(position)}.{end}": text for end, text in texts.items()}
    for path, text in paths.items():
        write_whole(path, text)
    return list(paths)


def refute_dimacs(formula: str, conflicts: int) -> tuple[str, str] | None:
    """Return a DRAT and an LRAT proof that a formula in DIMACS has no model.

    CaDiCaL proves it, and dratify checks the lemmas that the proof needs. None if the
    solver reaches the limit of conflicts.

    Raises `WitnessError` if the formula has a model, or the proof fails.
    """
    import dratify
    from pysat.formula import CNF
    from pysat.solvers import Solver

    clauses = [tuple(clause) for clause in CNF(from_string=formula).clauses]
    with Solver("cadical153", clauses, with_proof=True) as solver:
        solver.conf_budget(conflicts)
        answer = solver.solve_limited()
        lines = [] if answer else solver.get_proof()
    if answer is None:
        return None
    if answer:
        raise WitnessError("the formula of a dead position has a model")
    steps = proof_steps(clauses, lines)
    drat = "".join(" ".join(map(str, (*lemma, 0))) + "\n" for lemma, _ in steps)
    result = dratify.check_proof(dratify.parse_dimacs(formula), drat, engine="python")
    if not result.ok:
        raise WitnessError("the proof of an exported formula does not hold")
    return drat, lrat(clauses, steps)
