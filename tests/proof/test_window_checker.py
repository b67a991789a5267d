"""The independent judge of clauses accepts no clause that a true world breaks."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from heuristic.rules.drawing import AreaSpec
from tests.doubles.worlds import World, truth
from tests.proof.test_window import shown, worlds
from verify.checker import claim
from verify.checker.claim import ClaimedArea, Sketch
from verify.checker.clauses import Judge, check_names
from verify.checker.scene import Scene
from verify.proof.certificate import _area
from verify.proof.encoding import encode
from verify.proof.formula import Scope
from verify.proof.window import LIVE, Window, neighbours


def sketched(window: Window) -> Sketch:
    """Return a window as the checker reads it from a file."""
    behind = window.behind or neighbours(LIVE)[0]
    turns = {cell: pose for pose, cell in claim.TURNS.items()}
    corners = {corner: pose for pose, corner in claim.CORNERS.items()}
    board = window.start_corner is not None
    pose = corners[window.start_corner] if window.start_corner else turns[behind]
    words: Any = claim.WORDS
    needs = dict.fromkeys(window.not_end, 7) | dict(window.states)
    return Sketch(
        needs=tuple(
            (x, states, x in window.not_end)
            for x, states in needs.items()
            if x != LIVE and (states != 7 or x in window.not_end)
        ),
        areas=tuple(map(area_read, window.areas)),
        runs=window.runs,
        lines=tuple((word, *pair) for word in words for pair in window.pairs(word)),
        end=window.end,
        moves=(neighbours(LIVE)[window.move],),
        frame="board" if board else "heading",
        heading=(neighbours(LIVE).index(behind) + 2) % 4 if board else 0,
        poses=(pose,),
    )


def area_read(area: AreaSpec) -> ClaimedArea:
    """Return an area of a line that comes from the live end."""
    for side in ("left", "right"):
        record = json.dumps(_area(area) | {"base": LIVE, "side": side})
        read = claim.read_as(json.loads(record), ClaimedArea)
        if read.inside == frozenset(area.inside):
            assert read.outside == frozenset(area.outside)
            return read
    raise AssertionError(area)


def judged(world: World, scope: Scope, rng: random.Random) -> tuple[int, int]:
    """Judge clauses of the formula, and ones made up; count what is accepted."""
    corners = scope is Scope.CORNERS and rng.random() < 0.5
    window = shown(world, rng, corners, scope.planar)
    runs = dict.fromkeys(run for run in window.runs if LIVE not in run)
    window = replace(window, runs=tuple(runs))
    orders = len(window.runs) + len(window.pairs("before"))
    if orders > claim.ORDERS or any(area.wall is None for area in window.areas):
        return 0, 0
    formula = encode(window, scope)
    values = truth(world, window, formula)
    names = list(formula.names)[1:]  # the first is true
    sketch, cells = sketched(window), frozenset(window.cells())
    scene = Scene(sketch, sketch.poses, sketch.moves[0], scope.name, cells)
    used = {abs(x) for clause in formula.clauses[1:] for x in clause}
    check_names(scene, tuple(names[x - 2] for x in sorted(used)))
    own = [x for x in formula.clauses[1:] if not any(-literal in x for literal in x)]
    own = rng.sample(own, min(20, len(own)))
    known = [name for name in names if name in values]
    broken = []  # every literal false in the true world
    for _ in range(60):
        some = rng.sample(known, min(len(known), rng.randint(1, 4)))
        broken.append({name: values[name] for name in some})
    judge = Judge(scene)
    for told in broken:
        assert not judge.explains(told), (world, window, told)
    told_of = [{names[abs(x) - 2]: x < 0 for x in clause} for clause in own]
    return sum(map(judge.explains, told_of)), len(own)


@pytest.mark.parametrize("count", [4, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("scope", list(Scope), ids=lambda scope: scope.name)
def test_no_clause_broken_by_a_true_world_is_accepted(scope: Scope, count: int) -> None:
    """And every clause of the encoder is."""
    rng, total = random.Random(11), 0
    for world in worlds(scope, count, 23):
        accepted, clauses = judged(world, scope, rng)
        assert accepted == clauses
        total += clauses
    assert total > 0
