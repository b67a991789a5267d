"""The independent judge of clauses accepts no clause that a true world breaks."""

import ast
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from heuristic.language.drawing import AreaSpec
from tests.proof.test_window import drawn, worlds
from tests.worlds import World, truth
from verify.checker.clauses import find_clause_fault
from verify.proof.view import LIVE, Area, Window, neighbours, rc
from verify.proof.window import Scope, encode

ROOM = Path(__file__).parents[2] / "verify" / "checker"
MODULES = sorted(path.stem for path in ROOM.glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_the_judge_imports_nothing_of_the_toolkit(name: str) -> None:
    """Only the standard library, and the judge's own modules."""
    path = ROOM / f"{name}.py"
    own = {f"verify.checker.{one}" for one in MODULES}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found = {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found = {str(node.module)}
        else:
            continue
        foreign = {n for n in found if n.split(".")[0] not in sys.stdlib_module_names}
        assert foreign <= own | {"dratify"}


BEHIND = {(0, -1): "NONE", (-1, 0): "CW", (1, 0): "CCW", (0, 1): "HALF"}


def offset(cell: tuple[int, int]) -> list[int]:
    return [-cell[1], -cell[0]]


def as_record(window: Window) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a window as a certificate would tell it."""
    behind = offset(neighbours(LIVE)[window.back or 0])
    move = offset(neighbours(LIVE)[window.move])
    pose = BEHIND[behind[0], behind[1]]
    drawing = {
        "needs": [
            [*offset(cell), bits, cell in window.not_end]
            for cell, bits in window.states.items()
        ],
        "areas": [area_record(area) for area in window.areas],
        "runs": [[*offset(a), *offset(b)] for a, b in window.runs],
        "forbidden": [move],
        "frame": "heading",
        "heading": 0,
        "poses": [pose],
    }
    part = {
        "poses": [pose],
        "move": move,
        "cells": [list(cell) for cell in window.cells()],
    }
    return drawing, part


def area_record(area: Area) -> dict[str, Any]:
    """Return an area of a line that comes from the live end."""
    assert area.wall is not None
    cells = tuple((-col, -row) for row, col in area.line)
    wall = -area.wall[1], -area.wall[0]
    spec = AreaSpec(
        cells,
        "left",
        (0, 0),
        wall,
        area.kind,
        area.low,
        area.high,
        cells[0],
        area.least,
    )
    here = frozenset(rc(at) for at in spec.inside) == area.inside
    there = frozenset(rc(at) for at in spec.outside) == area.inside
    assert here != there or not area.inside | area.outside
    return {
        "cells": [list(at) for at in cells],
        "side": "left" if here else "right",
        "base": [0, 0],
        "wall": list(wall),
        "inside": [offset(cell) for cell in area.inside],
        "outside": [offset(cell) for cell in area.outside],
        "kind": area.kind.value,
        "low": area.low,
        "high": area.high,
        "entry": offset(area.entry),
        "least": area.least,
    }


def judged(world: World, scope: Scope, rng: random.Random) -> tuple[int, int]:
    """Judge clauses of the formula, and ones made up; count what is accepted."""
    window = drawn(world, rng, False, scope.planar)
    if any(area.wall is None for area in window.areas):
        return 0, 0
    formula = encode(window, scope)
    values = truth(world, window, formula)
    names = list(formula.names)
    record, part = as_record(window)
    own = rng.sample(formula.clauses[1:], min(20, len(formula.clauses) - 1))
    known = [i for i, name in enumerate(names, 1) if name in values]
    broken = []  # every literal false in the true world
    for _ in range(60):
        some = rng.sample(known, min(len(known), rng.randint(1, 4)))
        broken.append([-i if values[names[i - 1]] else i for i in some])
    listed = [_listed(name) for name in names]

    def accepted(clause: list[int]) -> bool:
        claim = part | {"scope": scope.name, "names": listed, "clauses": [clause]}
        return find_clause_fault(record, claim) is None

    for clause in broken:
        told = [names[abs(x) - 1] for x in clause]
        assert not accepted(clause), (world, window, told, clause)
    return sum(accepted(list(clause)) for clause in own), len(own)


def _listed(value: Any) -> Any:
    return [_listed(x) for x in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("scope", list(Scope), ids=lambda scope: scope.name)
def test_no_clause_broken_by_a_true_world_is_accepted(scope: Scope) -> None:
    rng = random.Random(11)
    accepted = total = 0
    for world in worlds(scope, 4, 23):
        good, count = judged(world, scope, rng)
        accepted, total = accepted + good, total + count
    assert accepted == total > 0


@pytest.mark.slow
@pytest.mark.parametrize("scope", list(Scope), ids=lambda scope: scope.name)
def test_many_worlds(scope: Scope) -> None:
    rng = random.Random(12)
    for world in worlds(scope, 60, 24):
        good, count = judged(world, scope, rng)
        assert good == count
