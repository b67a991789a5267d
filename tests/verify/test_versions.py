"""Two versions of rules compared, against a look at every position in turn."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from heuristic.groups import load_rules
from heuristic.rule import choices
from solver.board import Board, Position
from solver.oracles.oracle import Verdict, get_oracle
from solver.positions import completable_positions
from tests.runner import assert_refused, run
from verify.evidence.evidence import Versions, compare_versions, small_boards

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
WRONG, RIGHT = str(EXAMPLES / "first-rule.toml"), str(EXAMPLES / "second-rule.toml")
SEARCH = get_oracle("search")
Kinds = dict[tuple[bool, bool], tuple[int, tuple[int, int] | None]]


def one_by_one(new: str, old: str, boards: list[Board]) -> tuple[int, Kinds]:
    """Return moves forbidden by both, and of each kind how many and the least size."""
    newer, older = load_rules(new), load_rules(old)
    both = 0
    kinds: dict[Any, list[Any]] = {x: [] for x in product((True, False), repeat=2)}
    for board in boards:
        for position, _ in completable_positions(board):
            now = {forbid.move for forbid in newer.forbids(position)}
            before = {forbid.move for forbid in older.forbids(position)}
            for move in choices(position):
                both += move in now and move in before
                if (move in now) != (move in before):
                    verdict = SEARCH.decide(position.step(move)).verdict
                    size = board.open_cells, len(position.moves)
                    kinds[move in now, verdict is Verdict.DEAD].append(size)
    return both, {k: (len(s), min(s, default=None)) for k, s in kinds.items()}


def as_kinds(versions: Versions) -> Kinds:
    kinds: Kinds = {}
    for x in versions.differences:
        place = x.smallest.position if x.smallest else None
        least = (place.board.open_cells, len(place.moves)) if place else None
        kinds[x.newer, x.dead] = x.moves, least
    return kinds


@pytest.mark.parametrize(
    ("new", "old"), [(RIGHT, WRONG), (WRONG, "seed-5"), ("seed-close", "seed-5")]
)
def test_versions_differ_as_a_look_at_each_position_says(new: str, old: str) -> None:
    boards = [*map(Board.parse, ("3x5", "4x4@1,1>4,1", "4x5"))]
    versions = compare_versions(load_rules(new), load_rules(old), boards[::-1])
    both, kinds = one_by_one(new, old, boards)
    assert versions.both == both
    assert as_kinds(versions) == kinds
    assert versions.positions == sum(len(completable_positions(b)) for b in boards)


def test_small_boards_begin_with_the_smallest() -> None:
    boards = [*small_boards()]
    cells = [board.open_cells for board in boards]
    assert cells == sorted(cells)
    assert (boards[0].notation, cells[-1]) == ("1x3", 25)
    for board in boards:
        assert SEARCH.decide(Position(board)).verdict is Verdict.COMPLETABLE


def test_the_command_shows_what_a_mended_rule_lost() -> None:
    assert run("report", RIGHT, "5", "--against", WRONG).code == 0
    again = run("report", WRONG, "5", "--against", RIGHT)
    assert again.code == 1  # the new one is wrong
    assert "start and end in opposite corners" in again.out
    assert "to see one: oneway check 5:" in again.out
    board = "5@1,1>1,5"
    assert_refused(refused := run("report", RIGHT, board, "--against", WRONG))
    assert "--boards any" in refused.err
    assert run("report", RIGHT, board, "--against", WRONG, "--boards", "any").code == 0
