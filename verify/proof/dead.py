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
from solver.oracles.oracle import Oracle, Proof
from solver.solid.certificate import Certificate, find_certificate
from verify.checker.dead import find_dead_fault
from verify.checker.position import find_proof_fault

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


def lrat_of(proof: Proof) -> str:
    """Return a proof that a position is dead in LRAT, over all of its clauses."""
    from verify.proof.refutation import follow, lrat

    return lrat(proof.clauses, follow(proof.clauses, proof.lines))


def dimacs(position: Position, proof: Proof) -> str:
    """Print the formula in DIMACS, with comments on what variables and clauses say."""
    board = position.board
    lines = [f"c {position.notation}"]
    for variable, edge in enumerate(proof.edges, 1):
        ends = " - ".join("{},{}".format(*board.row_col(cell)) for cell in edge)
        lines.append(f"c variable {variable}: the edge {ends}")
    lines.append(f"p cnf {len(proof.edges)} {len(proof.clauses)}")
    for clause, ground in zip(proof.clauses, proof.grounds, strict=True):
        cells = " ".join("{},{}".format(*board.row_col(cell)) for cell in ground.cells)
        lines.append(f"c {ground.kind} {cells}".rstrip())
        lines.append(" ".join(map(str, (*clause, 0))))
    return "\n".join(lines) + "\n"


def write_proof(position: Position, oracle: Oracle, folder: Path) -> list[Path]:
    """Write formula and proof, as DRAT and LRAT, of a dead position; return the paths.

    The independent checker accepts both first: the clauses are true of the position,
    and the proof refutes them.

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
    name = stem(position)
    texts = {
        folder / f"{name}.cnf": dimacs(position, proof),
        folder / f"{name}.drat": "\n".join(proof.lines) + "\n",
        folder / f"{name}.lrat": lrat_of(proof),
    }
    make_folder(folder)
    for path, text in texts.items():
        write_whole(path, text)
    return list(texts)


def refute_dimacs(formula: str, conflicts: int) -> tuple[str, str] | None:
    """Return DRAT and LRAT that a formula in DIMACS has no model; None at the limit.

    CaDiCaL finds the proof, dratify checks what is left of it.

    Raises `WitnessError` if the formula has a model, or the proof does not hold.
    """
    import dratify
    from pysat.formula import CNF
    from pysat.solvers import Solver

    from verify.proof.refutation import follow, lrat

    clauses = [tuple(clause) for clause in CNF(from_string=formula).clauses]
    with Solver("cadical153", clauses, with_proof=True) as solver:
        solver.conf_budget(conflicts)
        found = solver.solve_limited()
        lines = [] if found else solver.get_proof()
    if found is None:
        return None
    if found:
        raise WitnessError("the formula of a dead position has a model")
    steps = follow(clauses, lines)
    drat = "".join(" ".join(map(str, (*lemma, 0))) + "\n" for lemma, _ in steps)
    result = dratify.check_proof(dratify.parse_dimacs(formula), drat, engine="python")
    if not result.ok:
        raise WitnessError("the proof of an exported formula does not hold")
    return drat, lrat(clauses, steps)
