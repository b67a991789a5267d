"""PATH, a board game of two players (UVa 601, ZOJ 1255), and its referee.

White owns the left edge (home) and the right edge (target) of an n x n board, Black
the top (home) and the bottom (target). A *piece* W or B fills a cell, U is unfilled.
A *winning path* joins a player's home edge to the target edge over neighbouring cells
with that player's pieces. A *winning move* is one more piece that makes such a path.

A cell is ``row * n + col``, from 0 with row 0 on top. Exchanging rows with columns and
the colours exchanges the players, so `wins` searches for Black as for White.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import product

import numpy as np
import numpy.typing as npt

from solver.errors import GridFileError
from solver.jit import njit

LETTERS = b"WBU"
_PRICES = bytes.maketrans(LETTERS, bytes([0, 2, 1]))  # pieces White must add; 2: none


class Player(Enum):
    """A player, by the letter of the pieces."""

    WHITE = "W"
    BLACK = "B"


class Sentence(Enum):
    """The five sentences of the referee, in order."""

    WHITE_PATH = "White has a winning path."
    BLACK_PATH = "Black has a winning path."
    WHITE_MOVE = "White can win in one move."
    BLACK_MOVE = "Black can win in one move."
    NONE = "There is no winning path."


@dataclass(frozen=True, slots=True)
class PathBoard:
    """An n x n board."""

    n: int
    cells: bytes  # n * n letters W, B or U, row by row

    def row_col(self, cell: int) -> tuple[int, int]:
        """Return (row, col) from 1, as people see the cell."""
        return cell // self.n + 1, cell % self.n + 1

    def seen_by(self, player: Player) -> "PathBoard":
        """Return the board on which the player plays White."""
        if player is Player.WHITE:
            return self
        mirrored = b"".join(self.cells[col :: self.n] for col in range(self.n))
        return PathBoard(self.n, mirrored.translate(bytes.maketrans(b"WB", b"BW")))


@njit
def _search(
    prices: npt.NDArray[np.uint8],
    n: int,
    home: int,
    reached: npt.NDArray[np.int32],
    queues: npt.NDArray[np.int32],
) -> int:
    """Kernel: search from the column `home`; the first cell reached opposite, or -1.

    `reached` gets the cost of each cell reached, the cells of a way from home to it,
    and the cell before it. The way is a shortest one to cells of cost 0 and next to
    them. The queues hold the cells of even and of odd cost, each after its length.
    """
    queues[0, 0] = queues[1, 0] = paid = 0
    for cell in range(home, n * n, n):
        if prices[cell] < 2:
            reached[0, cell], reached[1, cell] = prices[cell], 1
            queues[prices[cell], 0] += 1
            queues[prices[cell], queues[prices[cell], 0]] = cell
    while queues[0, 0] + queues[1, 0] > 0:
        side, at = paid % 2, 0
        while at < queues[side, 0]:
            at += 1
            cell = queues[side, at]
            row, col = cell // n, cell % n
            if col == n - 1 - home:
                return int(cell)
            for near, inside in (
                (cell - n, row > 0),
                (cell + 1, col < n - 1),
                (cell + n, row < n - 1),
                (cell - 1, col > 0),
            ):
                if not inside or prices[near] == 2 or reached[0, near] >= 0:
                    continue
                cost = paid + int(prices[near])
                reached[0, near], reached[1, near] = cost, reached[1, cell] + 1
                reached[2, near], queue = cell, cost % 2
                queues[queue, 0] += 1
                queues[queue, queues[queue, 0]] = near
        queues[side, 0], paid = 0, paid + 1
    return -1


def _searched(view: PathBoard, home: int) -> tuple[int, npt.NDArray[np.int32]]:
    n = view.n
    prices = np.frombuffer(view.cells.translate(_PRICES), dtype=np.uint8)
    reached = np.full((3, n * n), -1, dtype=np.int32)
    queues = np.empty((2, n * n + 1), dtype=np.int32)
    return int(_search(prices, n, home, reached, queues)), reached


def _way(reached: npt.NDArray[np.int32], cell: int) -> list[int]:
    """Return the way from a cell back to where the search began."""
    way = []
    while cell >= 0:
        way.append(cell)
        cell = int(reached[2, cell])
    return way


@dataclass(frozen=True, slots=True)
class Wins:
    """The way a player wins."""

    missing: int | None  # pieces; None if cut off for good
    path: tuple[int, ...] = ()  # the shortest after the best move; if 0 or 1 is missing
    moves: tuple[int, ...] = ()  # all winning moves in reading order, if 1 is missing


def wins(board: PathBoard, player: Player) -> Wins:
    """Return how the player wins, ignoring the rival's moves. O(n^2).

    Without a path, a piece on an unfilled cell wins if and only if the cell costs 1
    from home and 1 from the target edge.

    >>> wins(PathBoard(3, b"WBBWWUWBB"), Player.WHITE)
    Wins(missing=1, path=(3, 4, 5), moves=(5,))
    """
    view, n = board.seen_by(player), board.n
    end, home = _searched(view, 0)
    if end < 0:
        return Wins(None)
    if (missing := int(home[0, end])) > 1:
        return Wins(missing)
    cells = np.arange(n * n).reshape(n, n)  # how the board counts those of the view
    mine = (cells if player is Player.WHITE else cells.T).ravel()
    if missing == 0:
        return Wins(0, tuple(mine[_way(home, end)[::-1]].tolist()))
    target = _searched(view, n - 1)[1]
    unfilled = np.frombuffer(view.cells, dtype=np.uint8) == ord("U")
    moves = np.flatnonzero(unfilled & (home[0] == 1) & (target[0] == 1))
    moves = moves[np.argsort(mine[moves])]
    best = int(moves[np.argmin(home[1, moves] + target[1, moves])])
    path = _way(home, best)[::-1] + _way(target, best)[1:]
    return Wins(1, tuple(mine[path].tolist()), tuple(mine[moves].tolist()))


def judge_path(board: PathBoard) -> tuple[Sentence, Wins]:
    """Return the first true sentence, and how the player it names wins."""
    both = [wins(board, player) for player in Player]
    for outcome, (missing, win) in zip(Sentence, product((0, 1), both), strict=False):
        if win.missing == missing:
            return outcome, win
    return Sentence.NONE, Wins(None)


def path_boards(data: bytes, file: str) -> Iterator[PathBoard]:
    """Yield the boards of a text in the contest's format.

    Each board is a size n, then n rows of n letters. A size of 0 ends the input, and
    only white space may follow it. White space separates words and means nothing else.

    Raises `GridFileError`, which calls the text `file` and knows line and column.
    """
    words = re.finditer(rb"\S+", data.removeprefix(b"\xef\xbb\xbf"))

    def fault(word: re.Match[bytes] | None, why: str, letter: int = 0) -> GridFileError:
        before = word.string[: word.start() + letter] if word else data
        line = before.rpartition(b"\n")[2].decode("utf-8", "replace")
        return GridFileError(file, before.count(b"\n") + 1, len(line) + 1, why)

    while True:
        word = next(words, None)
        if word is None or not re.fullmatch(rb"0*[0-9]{1,4}", word[0]):
            raise fault(word, "expected the size of a board, or 0 to end the input")
        if not (n := int(word[0][-4:])):
            break
        rows = []
        for row in range(1, n + 1):
            word = next(words, None)
            letters = word[0] if word else b""
            good = min(n, len(letters) - len(letters.lstrip(LETTERS)))
            if good < n or len(letters) > n:
                raise fault(word, f"row {row} of {n} is not {n} letters W, B, U", good)
            rows.append(letters)
        yield PathBoard(n, b"".join(rows))
    if word := next(words, None):
        raise fault(word, "nothing may follow the 0 that ends the input")
