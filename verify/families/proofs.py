"""Certificates of distance families: the rule that a member's bounds make, proved.

Bounds are found by one solver that answers many questions (`verify.proof.surplus`),
which leaves no proof. Here every bound is settled afresh as a rule's window is, so that
`oneway proof check` can judge it without a solver.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from heuristic.rules.drawing import Drawing, Kind, RuleSpec
from solver.errors import CertificateError, WitnessError
from verify.families.bounds import WAYS, scope_of
from verify.families.tables import Table, member
from verify.proof.certificate import SUFFIX, check_certificate, save_certificate
from verify.proof.prove import Proved, parts
from verify.proof.settle import GaveUp, Survivor, settle
from verify.proof.surplus import Bounds, NoBounds, strip


def as_rule(drawing: Drawing, found: dict[str, Bounds]) -> RuleSpec:
    """Return the rule that a member's bounds make.

    It forbids each way with a surplus beyond its bounds, and altogether a way that no
    completion begins with; a way whose bounds are unknown is left out.
    """
    drawings = []
    for way, beyond in found.items():
        if beyond is NoBounds.UNKNOWN:
            continue
        turn, move = WAYS[way]
        (area,) = drawing.areas
        if not isinstance(beyond, NoBounds):
            area = replace(area, kind=Kind.BEYOND, low=beyond[0], high=beyond[1])
        drawings.append(
            replace(
                drawing, areas=(area,), forbidden=(move,), turns=(turn,), variant=way
            )
        )
    return RuleSpec(
        name=drawing.text,
        claim="sound",
        origin="verify.families.bounds",
        reason="the border cannot be served with such a surplus",
        drawings=tuple(drawings),
    )


def prove_member(
    drawing: Drawing, found: dict[str, Bounds], *, seconds: float = 60.0
) -> Proved | None:
    """Prove the rule of a member's bounds once more, for a certificate.

    Each window is settled afresh, another solver writes the proof, and the window's
    checker can judge it. None if the time limit came first, for one of the windows.

    Raises
    ------
    WitnessError
        If a window has a model though its bounds say no: a fault of the prover.
    """
    began = time.process_time()
    rule = as_rule(drawing, found)
    proofs = []
    for part, window in parts(rule):
        outcome = settle(strip(window), scope_of(drawing), seconds=seconds)
        if isinstance(outcome, Survivor):
            raise WitnessError(f"{rule.name}, {part}: the bounds have no proof")
        if isinstance(outcome, GaveUp):
            return None
        proofs.append((part, outcome))
    return Proved(rule, tuple(proofs), time.process_time() - began)


def certify(
    table: Table,
    folder: Path,
    *,
    seconds: float = 60.0,
    progress: Callable[[int], None] | None = None,
) -> list[str]:
    """Write a certificate for each member of a table, but those that are there.

    A certificate that is there is kept if it holds for the member, and replaced if not.
    Returns the members that a time limit left without one.
    """
    left_out = []
    for number, (place, ways) in enumerate(table.bounds.items(), 1):
        drawing = member(table.name, place)
        if not _kept(as_rule(drawing, ways), folder):
            proved = prove_member(drawing, ways, seconds=seconds)
            if proved is None:
                left_out.append(drawing.text)
            else:
                save_certificate(proved, folder)
        if progress:
            progress(number)
    return left_out


def _kept(rule: RuleSpec, folder: Path) -> bool:
    """Tell whether a folder has a certificate of a rule, and it holds."""
    path = folder / f"{rule.name}{SUFFIX}"
    if not path.exists():
        return False
    try:
        return check_certificate(path, {rule.name: rule}).fault is None
    except CertificateError:
        return False
