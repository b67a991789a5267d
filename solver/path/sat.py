"""The exact oracle: a winning path as a SAT formula without any search of ours.

Choose a set of cells, and think of two more, HOME and TARGET, next to every cell of
the home and of the target edge. Demand that HOME and TARGET have exactly one chosen
neighbour each, and every chosen cell exactly two (HOME and TARGET counting). Then
the chosen cells joined to HOME form a path, for all degrees are 2 but HOME's; the
handshake lemma wants a second odd end, and only TARGET is left to be it. Loops
elsewhere do no harm. Conversely a shortest winning path has no shortcuts, so it meets
the demands. No cuts, no distances: O(n^2) clauses.

One formula serves all boards of a size: pieces and unfilled cells are assumptions.
"""

import atexit
from collections.abc import Collection
from functools import lru_cache
from itertools import combinations

from solver.errors import OptionError, WitnessError
from solver.path.board import Outcome, PathBoard, Player

MAX_SAT_SIDE = 64  # larger boards make the solver slow, not wrong


class SatReferee:
    """White's formula of all n x n boards; Black asks it of the mirrored board.

    Variables, for each cell: `on` the chosen set, `own` White's piece stands there,
    `put` a piece is put there now. At most one `put` is true.

    Raises
    ------
    OptionError
        If n lies outside 1 to 64.
    """

    def __init__(self, n: int) -> None:
        from pysat.card import CardEnc, EncType
        from pysat.solvers import Solver

        if not 1 <= n <= MAX_SAT_SIDE:
            raise OptionError(f"a side of {n} lies outside 1 to {MAX_SAT_SIDE}")
        cells = range(n * n)
        self.near = [
            [
                r * n + c
                for r, c in _around(*divmod(cell, n))
                if 0 <= min(r, c) <= max(r, c) < n
            ]
            for cell in cells
        ]
        self.on, self.own, self.put = (
            range(first, first + n * n) for first in (1, 1 + n * n, 1 + 2 * n * n)
        )
        self.solver = Solver(name="glucose4")
        home, target = list(self.on[0::n]), list(self.on[n - 1 :: n])
        self.solver.append_formula([home, target])
        top = 3 * n * n
        for literals in (home, target, list(self.put)):
            most = CardEnc.atmost(literals, 1, top_id=top, encoding=EncType.seqcounter)
            top = max(top, most.nv)
            self.solver.append_formula(most.clauses)
        for cell in cells:
            on = self.on[cell]
            self.solver.add_clause([-on, self.own[cell], self.put[cell]])
            near = [self.on[other] for other in self.near[cell]]
            wanted = 2 - (cell % n == 0) - (cell % n == n - 1)
            for some in combinations(near, len(near) - wanted + 1):
                self.solver.add_clause([-on, *some])
            for many in combinations(near, wanted + 1):
                self.solver.add_clause([-on, *(-one for one in many)])

    def path(self, board: PathBoard, put: Collection[int] = ()) -> list[int] | None:
        """Return a winning path of White, None if there is none.

        It may use one of the cells of `put`, which must be unfilled. The path is read
        off the model from HOME on, and checked.
        """
        assumptions = [
            own if letter == ord("W") else -own
            for own, letter in zip(self.own, board.cells, strict=True)
        ]
        assumptions += [-put_ for c, put_ in enumerate(self.put) if c not in put]
        if not self.solver.solve(assumptions=assumptions):
            return None
        n, model = board.n, self.solver.get_model()
        chosen = {cell for cell, on in enumerate(self.on) if model[on - 1] > 0}
        path = [min(cell for cell in chosen if cell % n == 0)]
        while path[-1] % n != n - 1:
            chosen.remove(path[-1])
            path.append(next(c for c in self.near[path[-1]] if c in chosen))
        if any(board.cells[cell] != ord("W") and cell not in put for cell in path):
            raise WitnessError(f"{board!r}: path {path} is not White's")
        return path

    def moves(self, board: PathBoard) -> list[int]:
        """Return all winning moves of White, who has no winning path, in order.

        A path found must use its one new piece, so each call yields another move,
        until the formula has no model left.
        """
        left = {cell for cell, letter in enumerate(board.cells) if letter == ord("U")}
        moves = []
        while path := self.path(board, left):
            move = next(cell for cell in path if cell in left)
            moves.append(move)
            left.remove(move)
        return sorted(moves)


def _around(row: int, col: int) -> list[tuple[int, int]]:
    return [(row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)]


@lru_cache(maxsize=16)
def _referee(n: int) -> SatReferee:
    return SatReferee(n)


atexit.register(_referee.cache_clear)  # PySAT's solvers cannot outlive its module


def _views(board: PathBoard) -> dict[Player, PathBoard]:
    """Return the board as each player sees it: as if playing White."""
    return {Player.WHITE: board, Player.BLACK: board.mirrored()}


def sat_has_path(board: PathBoard, player: Player) -> bool:
    """Tell whether the player has a winning path.

    >>> sat_has_path(PathBoard.parse("WBB/WWW/WBB"), Player.WHITE)
    True
    """
    return _referee(board.n).path(_views(board)[player]) is not None


def sat_moves(board: PathBoard, player: Player) -> tuple[int, ...]:
    """Return every winning move of the player, none if a path is there already.

    >>> sat_moves(PathBoard.parse("WBB/WWU/WBB"), Player.WHITE)
    (5,)
    """
    n, view = board.n, _views(board)[player]
    if _referee(n).path(view):
        return ()
    moves = _referee(n).moves(view)
    if player is Player.BLACK:
        moves = sorted(cell % n * n + cell // n for cell in moves)
    return tuple(moves)


def sat_judge(board: PathBoard) -> Outcome:
    """Say which sentence is true of the board; of boards up to 64 x 64.

    >>> sat_judge(PathBoard.parse("WBB/WWU/WBB"))
    <Outcome.WHITE_MOVE: 'White can win in one move.'>
    """
    views, referee = _views(board), _referee(board.n)
    for player, outcome in [
        (Player.WHITE, Outcome.WHITE_PATH),
        (Player.BLACK, Outcome.BLACK_PATH),
    ]:
        if referee.path(views[player]):
            return outcome
    for player, outcome in [
        (Player.WHITE, Outcome.WHITE_MOVE),
        (Player.BLACK, Outcome.BLACK_MOVE),
    ]:
        unfilled = {
            c for c, letter in enumerate(views[player].cells) if letter == ord("U")
        }
        if referee.path(views[player], unfilled):
            return outcome
    return Outcome.NONE
