"""Small positions that show what a large one shows, by descent and by exhaustion.

*Descent*: `minimise` simplifies a position while a claim survives. Every step makes the
board smaller or the walk shorter, so it ends, and no single simplification keeps the
claim. Rows and columns go that the walk crosses straight, and detours of the walk. If
walls are allowed, cells become walls, those of the walk's beginning too. `shrink_gap`
does this with a gap, whose completion can be cut short too. The small gap must be dead
for the reason of the large one: the same universal rule is needed to detect it.

*Exhaustion*: `smallest_wrong` returns the smallest position at which a rule is wrong,
by open cells and then by moves, if a small board without walls has one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, combinations, permutations, product, starmap
from typing import TypeAlias

import numpy as np

from heuristic.groups import load_rules
from heuristic.rule import Boards, RuleSet
from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Position, canonical_position
from solver.errors import BoardError
from solver.oracles.exact import repairable
from solver.oracles.oracle import Oracle
from solver.positions import completable_positions
from verify.truth import forbidden_moves, gap_moves, is_asked, wrong_moves

Holds: TypeAlias = Callable[[Position], bool]
Simplify: TypeAlias = Callable[[Position], Iterator[Position]]
_CAUSES = ("forced-edges", "fragments", "block-chain", "two-factor")
_OPPOSITE = (Boards.CORNERS, Boards.UPPER_LEFT)  # kinds with ends in opposite corners
_CORNERS, _PLAIN = 35, 25  # most cells of boards that are exhausted; rules in Python 25
_PYTHON = "heuristic.python_rule:"  # the engine of rules in Python


def size(position: Position) -> tuple[int, int, int, str]:
    """Return the order of simplicity: open cells, cells, steps of the walk, text."""
    board = position.board
    return board.open_cells, board.cells, len(position.walk), position.notation


def _cut(position: Position, rows: set[int], cols: set[int]) -> Position | None:
    """Remove whole rows and columns; None if the walk or an end does not survive.

    A walk survives when it crosses what is removed straight, so that the cells before
    and after touch.
    """
    board = position.board
    keep_rows = [r for r in range(board.rows) if r not in rows]
    keep_cols = [c for c in range(board.cols) if c not in cols]
    cells = [r * board.cols + c for r, c in product(keep_rows, keep_cols)]
    moved = {cell: number for number, cell in enumerate(cells)}
    corners = board.start == 0 and board.end == board.cells - 1
    start = 0 if corners else moved.get(board.start)
    end = len(cells) - 1 if corners else moved.get(board.end)
    if start is None or end is None:
        return None
    walls = tuple(moved[wall] for wall in board.walls if wall in moved)
    walk = tuple(moved[cell] for cell in position.walk if cell in moved)
    try:
        return Position(Board(len(keep_rows), len(keep_cols), start, end, walls), walk)
    except BoardError:
        return None


def _smaller_boards(position: Position) -> Iterator[Position]:
    board = position.board
    square = board.rows == board.cols
    for count in (2, 1):
        rows = [set(range(r, r + count)) for r in range(board.rows - count + 1)]
        cols = [set(range(c, c + count)) for c in range(board.cols - count + 1)]
        selections = [*product(rows, cols)]
        if not square or board.walls:
            selections += [*product(rows, [set[int]()]), *product([set[int]()], cols)]
        yield from filter(None, starmap(partial(_cut, position), selections))


def _shorter_walks(position: Position) -> Iterator[Position]:
    """Yield positions without a detour between two touching cells of the walk."""
    board, walk = position.board, position.walk
    for i, j in combinations(range(len(walk)), 2):
        if j > i + 1 and board.direction(walk[i], walk[j]) >= 0:
            yield Position(board, walk[: i + 1] + walk[j:])


def _later_starts(position: Position) -> Iterator[Position]:
    """Yield positions with the first steps of the walk as walls, most of them first."""
    board, walk = position.board, position.walk
    for steps in (len(walk) - 1, len(walk) - 2, len(walk) // 2, 1):
        if 0 < steps < len(walk):
            walls = (*board.walls, *walk[:steps])
            with suppress(BoardError):  # the end cell was visited already
                shorter = replace(board, start=walk[steps], walls=walls)
                yield Position(shorter, walk[steps:])


def _walled(position: Position) -> Iterator[Position]:
    """Yield positions with unvisited cells as walls, in pairs and one by one."""
    board, walk = position.board, position.walk
    taken = {*walk, *board.walls, board.end}
    free = [cell for cell in range(board.cells) if cell not in taken]
    neighbours = board.neighbours.tolist()
    pairs = [(a, b) for a in free for b in neighbours[a] if a < b in free]
    for cells in [*pairs, *((cell,) for cell in free)]:
        yield Position(replace(board, walls=(*board.walls, *cells)), walk)


def _shorter_completions(oracle: Oracle, position: Position) -> Iterator[Position]:
    """Yield positions with a piece of a completion as walls, long ones first.

    The piece lies where the completion touches itself, or at its end.
    """
    board, walk = position.board, position.walk
    path = (walk[-1], *(oracle.decide(position).witness or ()))
    length = position.unvisited // 2
    while length > 0:
        for i in range(len(path) - length, 0, -1):
            piece, rest = path[i : i + length], path[i + length :]
            end = board.end if rest else path[i - 1]
            apart = bool(rest) and board.direction(path[i - 1], rest[0]) < 0
            if end != board.start and not apart:
                walls = (*board.walls, *piece)
                yield Position(replace(board, end=end, walls=walls), walk)
        length //= 2


def minimise(position: Position, holds: Holds, *, walls: bool = False) -> Position:
    """Return a minimal position for which `holds` is still true.

    - `holds`: the claim, true of `position`; called with legal positions only.
    - `walls`: whether cells may become walls and the walk's beginning may be cut off.

    Quadratic in the walk and in the cells for each step of the descent, each candidate
    costing one call of `holds`.
    """
    more = [_later_starts, _walled] if walls else []
    return _descend(position, holds, [_smaller_boards, _shorter_walks, *more])


def _descend(position: Position, holds: Holds, sources: Sequence[Simplify]) -> Position:
    smaller: Position | None = position
    while smaller is not None:
        position = smaller
        candidates = chain.from_iterable(source(position) for source in sources)
        smaller = next(filter(holds, candidates), None)
    return position


@cache
def _first_rules(count: int) -> RuleSet:
    return load_rules(",".join(_CAUSES[:count]))


def cause(position: Position, moves: str) -> str:
    """Return the last of the first universal rules that together forbid all the moves.

    ``beyond`` if all of them do not.
    """
    for count, name in enumerate(_CAUSES, 1):
        if set(moves) <= set(forbidden_moves(_first_rules(count), position)):
            return name
    return "beyond"


def shrink_gap(
    rule_set: RuleSet,
    position: Position,
    oracle: Oracle,
    *,
    any_board: bool = False,
    progress: Callable[[Position], None] = lambda _: None,
) -> Position:
    """Return a small gap made from a gap of the rules, by greedy descent.

    - `any_board`: whether cells may become walls and the ends move.
    - `progress`: called with every smaller gap on the way.
    """
    wanted = cause(position, gap_moves(rule_set, position, oracle))

    def holds(candidate: Position) -> bool:
        if not is_asked(rule_set, candidate):
            return False
        moves = gap_moves(rule_set, candidate, oracle)
        if not moves or cause(candidate, moves) != wanted:
            return False
        progress(candidate)
        return True

    sources: list[Simplify] = [_smaller_boards, _shorter_walks]
    if any_board:
        shorter = partial(_shorter_completions, oracle)
        sources = [_later_starts, shorter, *sources, _walled]
    return _descend(position, holds, sources)


def image_of_gap(rule_set: RuleSet, position: Position, oracle: Oracle) -> Position:
    """Return the canonical image of a gap; the gap itself if the image has no gap."""
    image = canonical_position(position)
    same = is_asked(rule_set, image) and gap_moves(rule_set, image, oracle)
    return image if same else position


@dataclass(frozen=True, slots=True)
class WrongRule:
    """A rule that forbids completable moves, and the boards on which that counts."""

    rule_set: RuleSet
    rule: str
    boards: Boards
    oracle: Oracle

    def moves(self, position: Position) -> str:
        """Return the completable moves that the rule forbids, letters."""
        if not self.boards.admits(position.board):
            return ""
        return wrong_moves(self.rule_set, position, self.oracle, self.rule)


def boards_like(board: Board) -> Boards:
    """Return the narrowest kind of boards that admits a board.

    >>> boards_like(Board.square(5)).value, boards_like(Board.parse("3!2,2")).value
    ('upper-left', 'rim')
    """
    return next(kind for kind in reversed(Boards) if kind.admits(board))


def smallest_wrong(
    wrong: WrongRule,
    position: Position,
    search: Callable[[WrongRule, Position], Position | None] = lambda *_: None,
) -> Position:
    """Return a small position at which a rule is wrong, made from a larger one.

    The smallest of all boards without walls if a small one shows the fault, in seconds.
    Otherwise, and where walls may come, no single simplification keeps the fault.

    - `search`: returns a position of fewer open cells at which the rule is wrong, or
      None, where no small board shows the fault. It is called until it returns None.
    """
    alone = replace(wrong, rule_set=part_with(wrong.rule_set, wrong.rule))

    def minimised(place: Position) -> Position:
        walls = wrong.boards in (Boards.ANY, Boards.RIM)
        return minimise(place, lambda other: bool(alone.moves(other)), walls=walls)

    if (smallest := _exhausted(alone, position)) is not None:
        return minimised(smallest)
    best = minimised(position)
    while (smaller := search(alone, best)) is not None:
        best = min(best, minimised(smaller), key=size_by_moves)
    return best


def part_with(rule_set: RuleSet, name: str) -> RuleSet:
    """Return the smallest part of a rule set in which a rule forbids the same."""
    [rule] = [rule for rule in rule_set.rules if rule.name == name]
    kind = [other for other in rule_set.rules if other.engine == rule.engine]
    specs = [other for other in kind if isinstance(other, RuleSpec)]
    tied = any(spec.stops or spec.unless or spec.reads_lines for spec in specs)
    if rule.related or tied:  # universal rules share one search
        return RuleSet(rule_set.name, kind)
    return RuleSet(rule_set.name, [rule])


def _exhausted(wrong: WrongRule, position: Position) -> Position | None:
    """Return the smallest position of small boards that are no larger; seconds."""
    slow = any(rule.engine.startswith(_PYTHON) for rule in wrong.rule_set.rules)
    most = _CORNERS if wrong.boards in _OPPOSITE and not slow else _PLAIN
    for cells in range(2, min(position.board.open_cells, most) + 1):
        places = map(partial(_on_board, wrong), plain_boards(wrong.boards, cells))
        smaller = min(filter(None, places), key=size_by_moves, default=None)
        if smaller is not None:
            return smaller
    return None


def size_by_moves(position: Position) -> tuple[int, int, int, str]:
    """Return the order of counterexamples: open cells, moves, cells, text."""
    board = position.board
    return board.open_cells, len(position.walk), board.cells, position.notation


def plain_boards(kind: Boards, cells: int) -> Iterator[Board]:
    """Yield the boards without walls of a kind, of `cells` cells and with a walk.

    Their ends are on the rim. For `CORNERS` start is upper left and end lower right, as
    for `UPPER_LEFT`; other opposite corners are the same boards turned.
    """
    ends = [(0, cells - 1)]
    if kind not in _OPPOSITE:
        ends = [*permutations(range(cells), 2)]
    for rows in range(1, cells + 1):
        if cells % rows == 0:
            for start, end in ends:
                board = Board(rows, cells // rows, start, end)
                if Boards.PLAIN.admits(board) and repairable(board):
                    yield board


def _on_board(wrong: WrongRule, board: Board) -> Position | None:
    """Return the position with the shortest walk of a board that shows the fault."""
    tree = completable_positions(board)
    if not tree.walks:
        return None
    column = [rule.name for rule in wrong.rule_set.rules].index(wrong.rule)
    batches = list(wrong.rule_set.walker(board).tree(tree))
    good = np.concatenate([batch.masks[:, column] & batch.good for batch in batches])
    depth = np.concatenate([batch.depth for batch in batches])
    where = np.flatnonzero(good)
    return tree.position(int(where[np.argmin(depth[where])])) if len(where) else None
