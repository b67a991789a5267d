"""The smallest counterexample of a rule: by exhaustion of small boards, then greedily.

*Size* is open cells, then moves. Boards without walls are exhausted by all their
completable positions. Boards with walls are exhausted by paths: a counterexample is a
path and a cell of it before which the rule forbids the next step, on the board whose
open cells are those of the path. What lies beyond the exhausted sizes is made smaller
by `verify.evidence.completeness.minimise`, whose result no simplification improves.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heuristic.boards import Boards
from heuristic.matching.drawn import DrawnRule, DrawnRuleSet
from heuristic.mixed import MixedRuleSet
from heuristic.rule import RuleSet, choices, letters, mask_of, union_mask
from solver.board import STEPS, Board, Position
from solver.oracles.oracle import Oracle, Verdict
from solver.positions import completable_positions
from solver.solid.repair import repairable
from verify.evidence.along import Follower
from verify.evidence.completeness import is_asked, minimise, rule_masks

MOST_CORNERS, MOST_PLAIN, MOST_PATH = 35, 25, 9  # open cells of exhausted boards


def fault_size(position: Position) -> tuple[int, int, int, str]:
    """Order of counterexamples: open cells, moves, cells, text."""
    board = position.board
    return board.open_cells, len(position.walk), board.cells, position.notation


def part_with(rule_set: RuleSet, name: str) -> RuleSet:
    """Return the smallest part of a rule set in which a rule says the same."""
    if isinstance(rule_set, MixedRuleSet):
        for part in rule_set.parts:
            if any(rule.name == name for rule in part.rules):
                return part_with(part, name)
    if isinstance(rule_set, DrawnRuleSet):
        specs = [rule.spec for rule in rule_set.drawn]
        if not any(spec.stops or spec.unless for spec in specs):
            [spec] = [spec for spec in specs if spec.name == name]
            return DrawnRuleSet(rule_set.name, [DrawnRule(spec)])
    return rule_set


@dataclass(frozen=True, slots=True)
class Fault:
    """What a counterexample shows.

    - `rule_set`: who is asked.
    - `kind`: the boards that count.
    - `rule`: the rule that forbids a completable move; empty for a gap: a dead move
      that all rules allow.
    - `judge`: decides moves; a wrong ban needs its witness, a gap its verdict DEAD.
    """

    rule_set: RuleSet
    kind: Boards
    rule: str
    judge: Oracle

    @property
    def column(self) -> int:
        """The number of the rule."""
        names = [rule.name for rule in self.rule_set.rules]
        return names.index(self.rule) if self.rule else -1

    def forbidden(self, position: Position) -> int:
        """Return the moves that the rule forbids, or all rules for a gap, as bits."""
        masks = rule_masks(self.rule_set, position)
        return masks[self.column] if self.rule else union_mask(masks)

    def moves(self, position: Position) -> str:
        """Return the moves that show the fault, letters; empty if there are none."""
        if not self.kind.admits(position.board):
            return ""
        options = position.options()
        if not self.rule and (
            len(options) < 2 or not is_asked(self.rule_set, position)
        ):
            return ""
        forbidden = self.forbidden(position)
        if self.rule:
            banned = [move for move in letters(forbidden) if move in options]
            return "".join(m for m in banned if self._is(position, m, "COMPLETABLE"))
        left = [m for m in choices(position) if not forbidden & mask_of(m)]
        dead = "".join(m for m in left if self._is(position, m, "DEAD"))
        alive = dead and any(self._is(position, m, "COMPLETABLE") for m in options)
        return dead if alive else ""

    def _is(self, position: Position, move: str, verdict: str) -> bool:
        return self.judge.decide(position.step(move)).verdict is Verdict[verdict]


def minimised(fault: Fault, position: Position) -> Position:
    """Return a position that no single simplification makes smaller."""
    walls = fault.kind in (Boards.ANY, Boards.RIM)

    def holds(candidate: Position) -> bool:
        return bool(fault.moves(candidate))

    return minimise(position, holds, walls=walls)


def exhausted(fault: Fault, position: Position) -> Position | None:
    """Return the smallest position of all small boards; None if there is none.

    Boards of the kinds `CORNERS` and `UPPER_LEFT` have up to 35 cells, of `PLAIN` up to
    25, and for wrong bans boards with walls have up to 9 open cells. Positions larger
    than the one given are not looked at. Seconds.
    """
    most = position.board.open_cells
    if fault.kind in (Boards.ANY, Boards.RIM):
        return _on_paths(fault, min(most, MOST_PATH)) if fault.rule else None
    plain = fault.kind is Boards.PLAIN
    most = min(most, MOST_PLAIN if plain else MOST_CORNERS)
    for cells in range(2, most + 1):
        found = [
            hit
            for board in plain_boards(fault.kind, cells)
            if (hit := _on_board(fault, board)) is not None
        ]
        if found:
            return min(found, key=fault_size)
    return None


def plain_boards(kind: Boards, cells: int) -> Iterator[Board]:
    """Yield the boards without walls of a kind that have so many cells and a walk.

    For `CORNERS` start is upper left and end lower right, as for `UPPER_LEFT`; other
    opposite corners are the same boards turned.
    """
    for rows in range(1, cells + 1):
        if cells % rows:
            continue
        cols = cells // rows
        ends = [(0, cells - 1)]
        if kind is Boards.PLAIN:
            rim = [
                cell
                for cell in range(cells)
                if cell // cols in (0, rows - 1) or cell % cols in (0, cols - 1)
            ]
            ends = [(a, b) for a in rim for b in rim if a != b]
        for start, end in ends:
            board = Board(rows, cols, start, end)
            if repairable(board):
                yield board


def _on_board(fault: Fault, board: Board) -> Position | None:
    """Return the position with the shortest walk of a board that shows the fault."""
    tree = completable_positions(board)
    if not tree.walks:
        return None
    best, at, begin = board.cells + 1, -1, 0
    for batch in fault.rule_set.followed(tree):
        if fault.rule:
            shown = batch.masks[:, fault.column] & batch.good
        else:
            united = np.bitwise_or.reduce(batch.masks, axis=1)
            shown = batch.options & ~united & ~batch.good
            shown[batch.good == 0] = 0
            if not is_asked(fault.rule_set, Position(board)):
                shown[batch.depth == 0] = 0
        where = np.flatnonzero(shown)
        if len(where):
            first = int(where[np.argmin(batch.depth[where])])
            if batch.depth[first] < best:
                best, at = int(batch.depth[first]), begin + first
        begin += len(batch.good)
    return tree.position(at) if at >= 0 else None


def _on_paths(fault: Fault, most: int) -> Position | None:
    """Return the smallest position with walls that shows the fault, up to `most`."""
    accused = np.zeros(len(fault.rule_set.rules), np.bool_)
    accused[fault.column] = True
    follower = Follower(fault.rule_set, MOST_PATH)
    for cells in range(3, most + 1):
        found = []
        for board, walk in paths(cells):
            if not fault.kind.admits(board):
                continue
            wrong = follower.follow(board, walk, accused).wrong
            for step in wrong.values():
                found.append(Position(board, walk[: step + 1]))
        if found:
            return min(found, key=fault_size)
    return None


def paths(cells: int) -> Iterator[tuple[Board, tuple[int, ...]]]:
    """Yield every path of so many cells as a walk of the board around it.

    Paths that differ by a shift count once; 2,172 for 8 cells, 5,916 for 9.
    """

    def grow(path: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
        if len(path) == cells:
            yield path
            return
        row, col = path[-1]
        for down, right in STEPS:
            after = row + down, col + right
            if after not in path:
                yield from grow([*path, after])

    for path in grow([(0, 0)]):
        top, left = min(row for row, _ in path), min(col for _, col in path)
        rows = 1 + max(row for row, _ in path) - top
        cols = 1 + max(col for _, col in path) - left
        walk = tuple((row - top) * cols + col - left for row, col in path)
        walls = tuple(sorted(set(range(rows * cols)) - set(walk)))
        yield Board(rows, cols, walk[0], walk[-1], walls), walk
