"""Propositional proofs as files: DIMACS, DRAT and LRAT.

A line of LRAT is a lemma's number, its literals, 0, and the numbers of the clauses that
it follows from, 0: suppose that it fails, and each of them in turn has one literal left
that can hold, the last has none. Clauses are numbered from 1, then the lemmas.

Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, Efficient certified RAT
verification, CADE 2017.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import dratify
from pysat.formula import CNF
from pysat.solvers import Solver

from heuristic.rules.drawing import RuleSpec
from solver.board import Position
from solver.errors import CertificateError, OptionError, WitnessError
from solver.files import make_folder, write_whole
from solver.oracles.oracle import Oracle, Proof
from verify.checker.position import find_proof_fault
from verify.checker.proof import Part, proof_of, read
from verify.proof.certificate import SUFFIX
from verify.proof.checking import check_certificate, load_certificate
from verify.proof.dead import stem
from verify.proof.refutation import Clause, Step, follow


def lrat(clauses: Sequence[Clause], steps: Iterable[Step]) -> str:
    """Return the proof whose lemmas follow from the clauses named, in LRAT."""
    lines = [
        " ".join(map(str, (number, *lemma, 0, *used, 0)))
        for number, (lemma, used) in enumerate(steps, len(clauses) + 1)
    ]
    return "\n".join(lines) + "\n"


def export(path: Path, folder: Path, rules: Mapping[str, RuleSpec]) -> list[Path]:
    """Write the propositional half of a certificate: a CNF and an LRAT for each part.

    That each clause follows from the drawing is what `oneway proof check` judges; no
    SAT tool does. So the certificate is checked first.

    Raises `CertificateError` if it cannot be read, or the checker finds a fault.
    """
    checked = check_certificate(path, rules)
    if checked.fault is not None:
        raise CertificateError(path.name, checked.fault)
    certificate = read(load_certificate(path))
    name = path.name.removesuffix(SUFFIX)
    texts = {}
    for number, part in enumerate(certificate.parts, 1):
        _, clauses, steps = proof_of(part)
        formula = "\n".join(_formula(certificate.rule.name, part, clauses)) + "\n"
        texts[folder / f"{name}-{number}.cnf"] = formula
        texts[folder / f"{name}-{number}.lrat"] = lrat(clauses, steps)
    return _written(folder, texts)


def _formula(rule: str, part: Part, clauses: Sequence[Clause]) -> Iterator[str]:
    """Yield the lines of a part's formula in DIMACS."""
    move = [-part.move[1], -part.move[0]]
    poses = ", ".join(part.poses)
    yield f"c {rule}, drawing {part.drawing + 1}, move {move}, {poses}: {part.scope}"
    for number, name in enumerate(part.names, 1):
        yield f"c variable {number}: {name}"
    yield f"p cnf {len(part.names)} {len(clauses)}"
    for clause in clauses:
        yield " ".join(map(str, (*clause, 0)))


def _written(folder: Path, texts: Mapping[Path, str]) -> list[Path]:
    make_folder(folder)
    for path, text in texts.items():
        write_whole(path, text)
    return list(texts)


def lrat_of(proof: Proof) -> str:
    """Return a proof that a position is dead in LRAT, over all of its clauses."""
    return lrat(proof.clauses, follow(proof.clauses, proof.lines))


def refute(formula: str, conflicts: int) -> tuple[str, str] | None:
    """Return DRAT and LRAT that a formula in DIMACS has no model; None at the limit.

    CaDiCaL finds the proof, dratify checks what is left of it.

    Raises `WitnessError` if the formula has a model, or the proof does not hold.
    """
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
    return _written(folder, texts)
