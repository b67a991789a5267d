"""Independent check of one part of a certificate: imports nothing of the toolkit.

Light on purpose: processes that check parts side by side import no more than this.
"""

from typing import Any, TypeAlias

from verify.checker.clauses import find_clause_fault

Task: TypeAlias = tuple[dict[str, Any], dict[str, Any], bool]


def find_part_fault(task: Task) -> str | None:
    """Return the first fault of a part, or None.

    Parameters
    ----------
    task : (drawing, part, whether its proof is to be replayed)
        Shapes as in `verify.proof.certificate`.
    """
    drawing, part, replayed = task
    fault = find_clause_fault(drawing, part)
    return fault or (_drat_fault(part) if replayed else None)


def _drat_fault(part: dict[str, Any]) -> str | None:
    import dratify

    clauses = part["clauses"]
    if [] in clauses:
        return None  # the drawing contradicts itself; nothing is left to refute
    formula = dratify.CNF()
    for clause in clauses:
        formula.add_dimacs(clause)
    proof = "\n".join(part["drat"]) + "\n"
    result = dratify.check_proof(formula, proof, engine="python", check_rat=False)
    return None if result.ok else f"the proof fails: {result}"
