"""Rules along complete walks: kernels say what rules say position by position."""

from itertools import pairwise

import numpy as np
import pytest

from heuristic.boards import Boards
from heuristic.groups import drawn_rules, load_rules
from heuristic.matching.tables import FREE_CELL, WALL_CELL
from heuristic.rule import RuleSet, mask_of
from heuristic.rules.rulefile import parse_rules
from solver.board import LETTERS, STEPS, Board, Position, Walk
from solver.oracles.exact import exact_walk
from tests.samples import NEVER_AHEAD, NEVER_RIGHT
from verify.evidence.along import (
    RADIUS,
    SHARES,
    Follower,
    Source,
    _count,
    _pattern,
    more_walks,
    piece,
    walk_of,
)

WRONG = parse_rules(NEVER_AHEAD + NEVER_RIGHT, "here")


def naive_masks(rules: RuleSet, board: Board, walk: Walk) -> list[list[int]]:
    """Ask each rule at each position by its reasons."""
    rows = []
    for step in range(len(walk) - 1):
        forbids = rules.forbids(Position(board, walk[: step + 1]))
        rows.append(
            [
                mask_of({f.move for f in forbids if f.rule == rule.name})
                for rule in rules.rules
            ]
        )
    return rows


def naive_view(position: Position) -> str:
    """Return the cells around the live end, the heading up, as text."""
    board, ahead = position.board, STEPS[position.heading]
    right = STEPS[(position.heading + 1) % 4]
    row0, col0 = divmod(position.live_end, board.cols)
    text = ""
    for up in range(RADIUS, -RADIUS - 1, -1):
        for side in range(-RADIUS, RADIUS + 1):
            row = row0 + up * ahead[0] + side * right[0]
            col = col0 + up * ahead[1] + side * right[1]
            cell = row * board.cols + col
            inside = 0 <= row < board.rows and 0 <= col < board.cols
            if not inside or cell in board.walls:
                text += "#"
            else:
                text += "o" if cell in position.walk else "."
    return text


@pytest.mark.parametrize("names", ["seed-9-size", "universal-4", "seed-5,forced-edges"])
@pytest.mark.parametrize("kind", [Boards.CORNERS, Boards.ANY])
def test_masks_are_those_of_the_reasons(names: str, kind: Boards) -> None:
    rules, fired = load_rules(names), 0
    for source in more_walks(Source(Board(7, 6), kind, seed=4), 3):
        found = walk_of(source)
        assert found is not None
        masks = rules.walker(found[0]).along(found[1])
        assert masks.tolist() == naive_masks(rules, *found)
        fired += int(np.count_nonzero(masks))
    assert fired


def test_what_is_counted() -> None:
    rules = drawn_rules("wrong", WRONG)
    follower, views = Follower(rules), dict[int, str]()
    steps = wrong = 0
    for source in more_walks(Source(Board(5, 6), Boards.ANY, seed=2), 12):
        found = walk_of(source)
        assert found is not None
        board, walk = found
        along = follower.follow(board, walk, np.array([True, True]))
        firings = along.firings.tolist()
        assert along.fired.tolist() == np.count_nonzero(along.masks, axis=0).tolist()
        assert [(k, r) for k, r, _ in firings] == [
            tuple(at) for at in np.argwhere(along.masks).tolist()
        ]
        first: dict[int, int] = {}
        for step, (here, after) in enumerate(pairwise(walk)):
            taken = mask_of(LETTERS[board.direction(here, after)])
            for rule in (0, 1):
                if along.masks[step, rule] & taken:
                    first.setdefault(rule, step)
        assert along.wrong == first
        for step, rule, pattern in firings:
            position = Position(board, walk[: step + 1])
            moves = int(along.masks[step, rule])
            turned = [
                LETTERS[(d - position.heading) % 4] for d in range(4) if moves >> d & 1
            ]
            view = f"{rule} {sorted(turned)} {naive_view(position)}"
            assert views.setdefault(pattern, view) == view
        steps += len(firings)
        wrong += len(first)
    assert steps > wrong > 10
    assert len(set(views.values())) == len(views)


def test_a_rule_that_is_not_accused_says_nothing() -> None:
    rules = drawn_rules("wrong", WRONG)
    board = Board(5, 6)
    walk = exact_walk(board, 1).position.walk
    along = Follower(rules).follow(board, walk, np.array([False, True]))
    assert along.fired.tolist()[0] == 0
    assert along.fired.tolist()[1] > 0
    assert set(along.wrong) == {1}


@pytest.mark.plain
def test_kernels_as_python() -> None:
    board, shape = Board.parse("3x4!2,2"), (3, 4)
    order = np.full(12, FREE_CELL, np.int32)
    order[5] = WALL_CELL
    walk = np.array([0, 4, 8, 9, 10, 11, 7, 6, 2], np.int32)
    order[walk[:3]] = 0, 1, 2
    slow = getattr(_pattern, "py_func", _pattern)
    assert slow(order, shape, 8, 2) == _pattern(order, shape, 8, 2)
    order[walk] = FREE_CELL
    masks = np.array([[0], [4], [2], [2], [8], [3], [0], [1]], np.int32)
    results = []
    for kernel in (_count, getattr(_count, "py_func", _count)):
        counts, firings = np.array([[0, 0, -1]]), np.zeros((3, 3), np.int64)
        listed = kernel(masks, walk, order, shape, counts, firings)
        results.append((listed, counts.tolist(), firings.tolist()))
    assert results[0] == results[1]
    assert results[0][:2] == (3, [[6, 5, 1]])
    assert board.open_cells == 11


def test_pieces_are_cut_where_the_shares_say() -> None:
    board = Board(4, 5)
    walk = exact_walk(board, 3).position.walk
    half, kept = piece(board, walk, (SHARES // 4, SHARES // 2), Boards.ANY)
    assert kept == walk[5:11]
    assert half.start == walk[5]
    assert half.end == walk[10]
    assert set(half.walls) == set(walk) - set(kept)
    assert piece(board, walk, (0, SHARES), Boards.ANY) == (board, walk)
    assert piece(board, walk, (7, 7), Boards.ANY) == (board, walk)
    for cut in range(0, SHARES, 37):
        rim, _ = piece(board, walk, (cut, SHARES - cut // 2), Boards.RIM)
        assert Boards.RIM.admits(rim)


def test_choices_come_before_the_seed() -> None:
    board = Board.square(5)
    one = exact_walk(board, 1, choices=bytes([1] * 25)).position
    assert one == exact_walk(board, 2, choices=bytes([1] * 25)).position
    assert exact_walk(board, 1, choices=bytes([0])).position.moves[0] == "R"
    assert exact_walk(board, 1, choices=bytes([1])).position.moves[0] == "D"
    walks = {exact_walk(board, 1, choices=bytes([0, k])).position for k in range(3)}
    assert len(walks) == 2
