"""Proofs that a position is dead, as files that any DRAT or LRAT checker reads."""

import hashlib
from pathlib import Path

from solver.board import Position
from solver.errors import OptionError, WitnessError
from solver.files import make_folder, write_whole
from solver.oracles.oracle import Oracle, Proof
from solver.system import file_name
from verify.checker.position import find_proof_fault
from verify.proof.lrat import lrat_of


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


def stem(position: Position) -> str:
    """Return a file name for a position, without its ending."""
    name = file_name(position.notation)
    if len(name) < len(position.notation):  # cut: names of others may begin alike
        digest = hashlib.sha256(position.notation.encode()).hexdigest()[:10]
        name = f"{name}-{digest}"
    return name


def write_proof(position: Position, oracle: Oracle, folder: Path) -> tuple[Path, ...]:
    """Write formula and proof, as DRAT and LRAT, of a dead position; return the paths.

    The independent checker accepts both first: the clauses are true of the position,
    and the proof refutes them.

    Raises
    ------
    OptionError
        If the oracle gives no proof, or the folder cannot be written.
    WitnessError
        If the checker finds a fault.
    """
    proof = oracle.decide(position).proof
    if proof is None:
        raise OptionError(
            f"oracle {oracle.name!r} gives no proof that {position.notation} is dead"
        )
    fault = find_proof_fault(position.notation, proof)
    if fault is not None:
        raise WitnessError(f"{position.notation}: {fault}")
    name = stem(position)
    texts = {
        folder / f"{name}.cnf": dimacs(position, proof),
        folder / f"{name}.drat": "\n".join(proof.lines) + "\n",
        folder / f"{name}.lrat": lrat_of(proof),
    }
    make_folder(folder)
    for path, text in texts.items():
        write_whole(path, text)
    return tuple(texts)
