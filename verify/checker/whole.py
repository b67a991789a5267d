"""A certificate judged from beginning to end: what it proves, or its first fault.

Every drawing, pose and move has a part, or is void; every part's cells and names are
such as a proof can speak of; each of its clauses follows from the drawing; and lemma by
lemma they come to the empty clause. Then no position on a board of the scope, that one
of the drawings matches, is completable by a move that it forbids.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from verify.checker.clauses import check_clauses, check_names
from verify.checker.reading import Certificate, Clause, Part, Sketch, Step
from verify.checker.scene import scene_of, scope_of
from verify.checker.values import Fault

Task: TypeAlias = tuple[Sketch, Part]
Judged: TypeAlias = Callable[[list[Task]], Iterable[str | None]]


def check(
    certificate: Certificate,
    judged: Judged | None = None,
    good: set[bytes] | None = None,
) -> None:
    """Raise `Fault` if a certificate does not prove what it says.

    `judged` may share out the parts: `part_fault` of each, in order. `good` are the
    hashes of parts that were judged before, without a fault, and it grows: rules that
    share drawings share proofs.
    """
    known = set[bytes]() if good is None else good
    shown: set[Any] = set()
    for part in certificate.parts:
        for pose in part.poses:
            if (part.drawing, pose, part.move) in shown:
                raise Fault("two parts prove the same")
            shown.add((part.drawing, pose, part.move))
    for number, sketch in enumerate(certificate.sketches):
        for pose in sketch.poses:
            for move in sketch.moves:
                void = move == sketch.behind(pose)
                if not void and (number, pose, move) not in shown:
                    at = [-move[1], -move[0]]
                    name = f"drawing {number + 1}, pose {pose}, move {at}"
                    raise Fault(f"{name} has no proof")
    scope = scope_of(certificate.parts)
    if certificate.scope != scope:
        raise Fault(f"it says {certificate.scope}, its parts prove {scope}")
    parts = [(n, x) for n, x in enumerate(certificate.parts, 1) if x.hash not in known]
    tasks = [(certificate.sketches[part.drawing], part) for _, part in parts]
    faults = judged(tasks) if judged else map(part_fault, tasks)
    for (number, part), fault in zip(parts, faults, strict=True):
        if fault is not None:
            raise Fault(f"part {number}: {fault}")
        known.add(part.hash)


def part_fault(task: Task) -> str | None:
    """Return the first fault of a part, or None."""
    sketch, part = task
    try:
        scene = scene_of(sketch, part)
        check_names(scene, part.names)
        check_clauses(scene, part.names, part.clauses)
        check_steps(part.clauses, part.steps)
    except Fault as fault:
        return str(fault)
    return None


def check_steps(clauses: tuple[Clause, ...], steps: tuple[Step, ...]) -> None:
    """Raise `Fault` unless every lemma follows, the last of them the empty clause.

    Suppose a lemma fails. The clauses it is said to follow from are taken in turn: each
    has one literal left that can hold, which then does, until one has none.
    """
    known: list[frozenset[int]] = list(map(frozenset, clauses))
    for number, (lemma, used) in enumerate(steps, 1):
        failing = set(lemma)  # literals that do not hold
        for clause in used:
            left = known[clause - 1] - failing
            if not left:
                break
            if len(left) > 1:
                raise Fault(f"the proof fails: step {number} does not follow")
            failing.add(-next(iter(left)))
        else:
            raise Fault(f"the proof fails: step {number} does not follow")
        known.append(frozenset(lemma))
    if known[-1]:
        raise Fault("the proof fails: it does not end with the empty clause")
