"""Bounds of a family for every distance at once, as a certificate of chains.

The checker judges every number of it afresh (`verify.checker.family`). Member by member
`verify.families.bounds` finds the same bounds by another way.
"""

import json
import lzma
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from heuristic.rules.drawing import Drawing
from solver.errors import WitnessError
from solver.files import make_folder, write_whole
from verify.checker.chain import STEPS, Border, Chain, Offset
from verify.checker.describe import family_lines
from verify.checker.family import FORMAT, TURNS, Family, check_family, read_family
from verify.checker.reading import unpacked
from verify.checker.values import Fault
from verify.families.bounds import WAYS
from verify.families.chains import Way, chains
from verify.families.tables import CORNER, NAMES, Place, Table, member, places
from verify.proof.formula import Scope
from verify.proof.surplus import Bounds, NoBounds

SUFFIX = ".family.xz"
_SIDE = 16  # cells of a border, and to a corner, that are told drawing by drawing


def steps_of(drawing: Drawing) -> str:
    """Return the steps of a drawing's border.

    >>> steps_of(member("up-big", (4,))), steps_of(member("corner", (5, 4)))
    ('AAA', 'LLALA')
    """
    called = {step: letter for letter, step in STEPS.items()}
    line = drawing.areas[0].cells
    return "".join(called[b[0] - a[0], b[1] - a[1]] for a, b in pairwise(line))


def border_of(drawing: Drawing) -> Border:
    """Return the two ends of a drawing's border, as the checker reads them."""
    (area,) = drawing.areas
    last = area.cells[-1]

    def beyond_last(at: Offset) -> Offset:
        return at[0] - last[0], at[1] - last[1]

    return Border(
        area.cells[0],
        area.side == "left",
        beyond_last(area.wall),
        int(drawing.need(area.wall).states),
        tuple(
            (beyond_last(need.at), int(need.states))
            for need in drawing.needs
            if need.at not in (*area.cells, area.wall)
        ),
    )


def every_distance(name: str) -> dict[str, Any]:
    """Return a family's certificate as JSON values: all members, all ways to go on.

    Raises
    ------
    UnknownNameError
        If there is no such family.

    Notes
    -----
    A second or less. What it says is true when `check_family` accepts it, not before.
    """
    drawings = [member(name, place) for place in places(name, _SIDE)]
    border = border_of(drawings[-1])
    steps = [steps_of(drawing) for drawing in drawings]
    found = []
    for turn, move in WAYS.values():
        way = Way(border, move, TURNS[turn.name])
        for chain in chains(way, steps):
            found.append(chain | {"turn": turn.name, "move": list(move)})
    return {
        "family_format": FORMAT,
        "name": name,
        "members": "corner" if name == CORNER else "border",
        "first": list(border.first),
        "side": "left" if border.left else "right",
        "wall": list(border.wall),
        "wall_states": border.wall_states,
        "beside": [[*at, states] for at, states in border.beside],
        "chains": found,
    }


def prove_every_distance(name: str, most: int, folder: Path | None = None) -> Table:
    """Prove the bounds of a family for every distance; return those up to one.

    The certificate is checked as `oneway proof check` does it. If there is a folder, it
    is written there.

    Raises
    ------
    WitnessError
        If the checker finds a fault.
    """
    certificate = family_certificate(every_distance(name))
    checked = check_family_certificate(unpacked(certificate))
    if checked.family is None:
        raise WitnessError(f"family {name}: {checked.fault}")
    if folder is not None:
        make_folder(folder)
        write_whole(folder / f"{name}{SUFFIX}", certificate)
    return table_of(checked.family, most)


def family_certificate(data: dict[str, Any]) -> bytes:
    """Return a certificate as its file holds it: JSON compressed by xz."""
    return lzma.compress(json.dumps(data, separators=(",", ":")).encode())


@dataclass(frozen=True, slots=True)
class CheckedFamily:
    """What a family's certificate proves, or its first fault.

    Attributes
    ----------
    name : str
        The name that the file gives; empty if it cannot be read.
    fault : str or None
    scope : Scope or None
        The boards for which it is a proof.
    meant : bool
        Whether it speaks of the family of that name, with all ways to go on.
    claims : tuple of str
        What is proved, as the checker read it.
    family : Family or None
    """

    name: str
    fault: str | None
    scope: Scope | None = None
    meant: bool = False
    claims: tuple[str, ...] = ()
    family: Family | None = None


def check_family_certificate(data: Any) -> CheckedFamily:
    """Check a family's certificate, given as the JSON value of its file."""
    try:
        family = read_family(data)
    except Fault as fault:
        return CheckedFamily("", str(fault))
    try:
        check_family(family)
    except Fault as fault:
        return CheckedFamily(family.name, str(fault))
    meant = family.name in NAMES
    if meant and not _speaks_of(family):
        why = f"it speaks of other drawings than family {family.name!r}"
        return CheckedFamily(family.name, why)
    if meant and (weaker := _weaker(family)):
        return CheckedFamily(family.name, weaker)
    claims = tuple(family_lines(family))
    return CheckedFamily(family.name, None, Scope[family.scope], meant, claims, family)


def _weaker(family: Family) -> str | None:
    """Return where a certificate proves less than the published bounds, or None.

    The published bounds are those of the prover (`docs/tables/families.md`).
    """
    published = read_family(every_distance(family.name))
    known = table_of(published, _SIDE)
    for place, ways in table_of(family, _SIDE).bounds.items():
        for way, (low, high) in _numbers(ways):
            least, most = dict(_numbers(known.bounds[place]))[way]
            if low < least or high > most:
                return (
                    f"its bounds of {member(family.name, place).text}, {way}, are "
                    f"{low} to {high}; published are {least} to {most}"
                )
    return None


def _numbers(ways: dict[str, Bounds]) -> list[tuple[str, tuple[int, int]]]:
    """Return bounds as numbers; a way that never is has none between 0 and -1."""
    return [(w, x if isinstance(x, tuple) else (0, -1)) for w, x in ways.items()]


def _speaks_of(family: Family) -> bool:
    """Tell whether a certificate is of the family it names, with all ways to go on."""
    last = member(family.name, places(family.name, _SIDE)[-1])
    ways = {(turn.name, move) for turn, move in WAYS.values()}
    kind = "corner" if family.name == CORNER else "border"
    return (
        family.border == border_of(last)
        and family.members == kind
        and set(family.ways()) == ways
    )


def table_of(family: Family, most: int) -> Table:
    """Return the bounds that a checked certificate proves, up to a distance."""
    found: dict[Place, dict[str, Bounds]] = {}
    for place in places(family.name, most):
        steps = steps_of(member(family.name, place))
        found[place] = {}
        for way, (turn, move) in WAYS.items():
            chains = family.ways()[turn.name, move]
            low, high = next(filter(None, (_bounds(one, steps) for one in chains)))
            found[place][way] = (low, high) if low <= high else NoBounds.NEVER
    return Table(family.name, found, every=True)


def _bounds(chain: Chain, steps: str) -> tuple[int, int] | None:
    """Return the bounds that a chain gives for a drawing, None if it gives none."""
    match = re.fullmatch(
        "".join(f"((?:{w})*)" if often else w for w, often in chain.words), steps
    )
    if match is None:
        return None
    repeats = [word for word, often in chain.words if often]
    times = [
        len(found) // len(word)
        for found, word in zip(match.groups(), repeats, strict=True)
    ]
    low, high = (
        first + sum(a * b for a, b in zip(more, times, strict=True))
        for first, *more in chain.bounds
    )
    return low, high
