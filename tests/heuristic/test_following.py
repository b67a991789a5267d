"""Steps that placements follow with their areas, against the slow double."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import TypeAlias

import pytest

from heuristic.rule import RuleSet, mask_moves
from heuristic.rules.drawing import (
    AROUND,
    TAKEN,
    CellState,
    Drawing,
    Fact,
    RuleSpec,
    Spot,
    area_behind,
    needs_of,
)
from solver.board import ROTATIONS, STEPS, Board, Cell, Position
from tests.doubles import rules as naive_rules
from tests.doubles.forced import forced_edges, mates_of
from tests.heuristic.test_forced import BOARDS, COUNTED, random_positions
from tests.heuristic.test_matching import masks_of

At: TypeAlias = tuple[int, int]
Line: TypeAlias = tuple[str, list[At]]
Tie: TypeAlias = tuple[str, Collection[Cell]]  # "joined" or "mates", and two cells


def next_to(at: At, d: int) -> At:
    return at[0] + STEPS[d][0], at[1] + STEPS[d][1]


def straight_lines(position: Position, most: int = 5) -> Iterator[Line]:
    """Yield sides of straight free lines, with what they come from and run into."""
    board = position.board

    def free(at: At) -> bool:
        inside = 0 <= at[0] < board.rows and 0 <= at[1] < board.cols
        return inside and bool(position.free[at[0] * board.cols + at[1]])

    for cell in range(board.cells):
        for d in range(4):
            first = divmod(cell, board.cols)
            line = [next_to(first, d ^ 2), first]
            while free(line[-1]):
                line.append(next_to(line[-1], d))
            if 2 < len(line) < most + 3 and not free(line[0]):
                yield from ((side, line) for side in ("left", "right"))


def rule_of(
    position: Position, lines: Sequence[Line], moves: str, tied: Sequence[Tie] = ()
) -> RuleSpec | None:
    """Return a rule that follows some moves, with the areas behind lines counted.

    It wants what is forced, too. Without moves it forbids every step.
    """
    board, cols = position.board, position.board.cols
    up, right = STEPS[position.heading], STEPS[(position.heading + 1) % 4]
    here = divmod(position.live_end, cols)

    def offset(at: At) -> Spot:
        row, col = at[0] - here[0], at[1] - here[1]
        return -row * up[0] - col * up[1], row * right[0] + col * right[1]

    targets = [offset(divmod(position.options()[move], cols)) for move in moves]
    states = dict.fromkeys(targets, CellState.FREE)
    areas = []
    for side, (base, *cells, wall) in lines:
        if wall == here:
            return None
        states |= {offset(at): CellState.FREE for at in cells}
        states |= {offset(at): TAKEN for at in (base, wall) if at != here}
        line = [*map(offset, cells)]
        areas.append(area_behind(line, offset(wall), side, base=offset(base)))
    facts: list[Fact] = []
    for word, pair in tied:
        a, b = sorted(offset(divmod(cell, cols)) for cell in pair)
        facts.append((word, a, b))
        states |= {a: CellState.FREE, b: CellState.FREE}
    facts += [("dead", (0, 0), target) for target in targets]
    drawing = Drawing(
        needs=needs_of(states, {*states} if board.end % 2 else ()),
        areas=tuple(areas),
        forbidden=tuple(targets[:1]) or AROUND[::2],
        turns=ROTATIONS[: 1 if moves else 3],
        mirror=len(moves) % 2 == 0,
        facts=tuple(facts),
    )
    return RuleSpec(f"{len(areas)}-{moves}", "unargued", "a test", "", (drawing,))


def ties_at(position: Position) -> list[Tie]:
    """Return what is forced at a position, but for the step."""
    edges = forced_edges(position) or set()
    ties: list[Tie] = [("joined", e) for e in edges if position.live_end not in e]
    return ties + [("mates", pair) for pair in mates_of(position, edges)]


def rules_at(position: Position, rng: Random, count: int) -> Iterator[RuleSpec]:
    lines, moves = [*straight_lines(position)], sorted(position.options())
    if position.heading < 0 or not moves or position.live_end == position.board.end:
        return
    ties = ties_at(position)
    for _ in range(count):
        some = rng.sample(lines, min(len(lines), rng.choice([0, 1, 1, 2, 3])))
        steps = rng.sample(moves, rng.choice([1, 1, 1, min(2, len(moves))]))
        rule = rule_of(position, some, "".join(steps))
        if rule is not None:
            yield rule
    for tie in ties[:1] + ties[-1:]:
        tied = rule_of(position, [], moves[0], [tie])
        assert tied
        yield tied


@pytest.mark.parametrize("board", BOARDS[:5], ids=repr)
def test_a_walker_follows_steps_as_the_slow_double_does(board: Board) -> None:
    rng, fired = Random(6), 0
    for seed in range(3):
        walk = random_positions(board, seed, walks=1)
        made = [rule for position in walk for rule in rules_at(position, rng, 3)]
        rules = [replace(rule, name=f"rule-{k}") for k, rule in enumerate(made)]
        walker = RuleSet("all", rules).walker(board)
        for position in walk[1:]:
            walker.follow(position.walk)
            masks = walker.masks() if position.live_end != board.end else []
            for rule, mask in zip(rules, masks, strict=False):
                moves = set(mask_moves(mask))
                assert moves == naive_rules.forbidden(rule, position), (rule, position)
                fired += bool(moves and rule.drawings[0].areas)
    assert fired > 5


@pytest.mark.parametrize("moves", COUNTED)
def test_steps_are_followed_with_the_areas_behind_all_lines(moves: str) -> None:
    position, rng, by_areas = Position.parse(f"13:{moves}"), Random(7), 0
    lines = [*straight_lines(position)]
    for line, move in product(lines, position.options()):
        for some in ([line], [rng.choice(lines), line]):
            rule = rule_of(position, some, move)
            if rule is not None:
                expected = naive_rules.forbidden(rule, position)
                drawing = replace(rule.drawings[0], areas=())
                plain = replace(rule, name="plain", drawings=(drawing,))
                moves_with, moves_without = masks_of([rule, plain], position)
                assert moves_with == expected, rule
                by_areas += expected > moves_without
    assert by_areas
