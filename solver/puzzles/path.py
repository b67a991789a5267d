"""PATH, a board game of two players (UVa 601, ZOJ 1255), and its referee.

White owns the left edge (home) and the right edge (target) of an n x n board, Black
the top (home) and the bottom (target). A *piece* W or B fills a cell, U is unfilled.
A *winning path* joins a player's home edge to the target edge by neighbouring cells,
up, down, left or right, all filled with that player's pieces; two such paths would
cross, so at most one player has one. A *winning move* is one more piece on an unfilled
cell that makes a winning path. Unlike Hex, a full board can be without winner.

A cell is ``row * n + col``, from 0 with row 0 on top; people see (row, col) from 1.
Exchanging rows and columns and the colours exchanges the players, so every question
about Black is asked of White on that *mirrored* board.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from solver.errors import GridFileError
from solver.jit import njit

LETTERS = b"WBU"
MAX_SIDE = 4096  # sixteen times the cells of n = 1000; more is a typing error
_LONGEST = 1 << 25  # bytes of a line; the largest board on one line has half of it
_PRICES = bytes.maketrans(LETTERS, bytes([0, 2, 1]))  # pieces White must add; 2: none


class Player(Enum):
    """A player, by the letter of the pieces."""

    WHITE = "W"
    BLACK = "B"


class Outcome(Enum):
    """What the referee says of a board: the first of these that is true."""

    WHITE_PATH = "White has a winning path."
    BLACK_PATH = "Black has a winning path."
    WHITE_MOVE = "White can win in one move."
    BLACK_MOVE = "Black can win in one move."
    NONE = "There is no winning path."


@dataclass(frozen=True, slots=True)
class PathBoard:
    """An n x n board: `cells` holds n * n letters W, B or U, row by row."""

    n: int
    cells: bytes

    def row_col(self, cell: int) -> tuple[int, int]:
        """Return (row, col) from 1, as people see the cell."""
        return cell // self.n + 1, cell % self.n + 1

    def seen_by(self, player: Player) -> "PathBoard":
        """Return the board as the player sees it: as if playing White."""
        if player is Player.WHITE:
            return self
        mirrored = b"".join(self.cells[col :: self.n] for col in range(self.n))
        return PathBoard(self.n, mirrored.translate(bytes.maketrans(b"WB", b"BW")))


@njit
def _search(
    prices: npt.NDArray[np.uint8],
    n: int,
    home: int,
    found: npt.NDArray[np.int32],
    queues: npt.NDArray[np.int32],
) -> int:
    """Search from the column `home`; return the first cell reached opposite, or -1.

    For each cell reached `found` gets its cost, the cells of a way from home to it and
    the cell before it. Those of cost 0 are reached in the order of their distance, so
    the way is a shortest one to them and to the unfilled cells beside them. One queue
    holds the cells of even cost, one those of odd cost, both from place 1 on, and
    their lengths stand at place 0.
    """
    queues[0, 0] = queues[1, 0] = paid = 0
    for cell in range(home, n * n, n):
        if prices[cell] < 2:
            found[0, cell], found[1, cell] = prices[cell], 1
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
                if not inside or prices[near] == 2 or found[0, near] >= 0:
                    continue
                cost = paid + int(prices[near])
                found[0, near], found[1, near] = cost, found[1, cell] + 1
                found[2, near], queue = cell, cost % 2
                queues[queue, 0] += 1
                queues[queue, queues[queue, 0]] = near
        queues[side, 0], paid = 0, paid + 1
    return -1


def _searched(
    view: PathBoard, *, back: bool = False
) -> tuple[int, npt.NDArray[np.int32]]:
    """Search for White from home, or back from the target edge, as `_search` says."""
    n = view.n
    prices = np.frombuffer(view.cells.translate(_PRICES), dtype=np.uint8)
    found = np.full((3, n * n), -1, dtype=np.int32)
    queues = np.empty((2, n * n + 1), dtype=np.int32)
    end = _search(prices, n, n - 1 if back else 0, found, queues)
    return int(end), found


def _way(found: npt.NDArray[np.int32], cell: int) -> list[int]:
    """Return the way from a cell back to where the search began, both included."""
    way = []
    while cell >= 0:
        way.append(cell)
        cell = int(found[2, cell])
    return way


@dataclass(frozen=True, slots=True)
class Wins:
    """How a player wins: `missing` pieces, None if cut off for good.

    With 0 or 1 missing, `path` holds the cells of a shortest winning path, from home
    to target, the best move made. With 1 missing, `moves` are all winning moves in
    reading order, and `lengths` says how many cells the shortest path by each has.
    """

    missing: int | None
    path: tuple[int, ...] = ()
    moves: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()


def wins(board: PathBoard, player: Player) -> Wins:
    """Find how the player wins, leaving the rival's moves out of account. O(n^2).

    Without a path, a piece on an unfilled cell wins exactly if the cell costs 1 from
    home and 1 from the target edge. The two ways that meet there share no other cell,
    for such a cell would be joined to both edges.

    >>> wins(PathBoard(3, b"WBBWWUWBB"), Player.WHITE)
    Wins(missing=1, path=(3, 4, 5), moves=(5,), lengths=(3,))
    """
    view, n = board.seen_by(player), board.n
    end, home = _searched(view)
    if end < 0:
        return Wins(None)
    if (missing := int(home[0, end])) > 1:
        return Wins(missing)
    cells = np.arange(n * n).reshape(n, n)  # how the board counts those of the view
    mine = (cells if player is Player.WHITE else cells.T).ravel()
    if missing == 0:
        return Wins(0, tuple(mine[_way(home, end)[::-1]].tolist()))
    target = _searched(view, back=True)[1]
    unfilled = np.frombuffer(view.cells, dtype=np.uint8) == ord("U")
    moves = np.flatnonzero(unfilled & (home[0] == 1) & (target[0] == 1))
    moves = moves[np.argsort(mine[moves])]
    lengths = home[1, moves] + target[1, moves] - 1
    best = int(moves[np.argmin(lengths)])
    path = _way(home, best)[::-1] + _way(target, best)[1:]
    return Wins(1, *(tuple(a.tolist()) for a in (mine[path], mine[moves], lengths)))


def judge(board: PathBoard) -> tuple[Outcome, Wins]:
    """Say which of the five sentences is true, and how the player it names wins.

    >>> judge(PathBoard(2, b"BUBW"))[0]
    <Outcome.BLACK_PATH: 'Black has a winning path.'>
    """
    both = [wins(board, player) for player in Player]
    for outcome, (missing, found) in zip(Outcome, product((0, 1), both), strict=False):
        if found.missing == missing:
            return outcome, found
    return Outcome.NONE, Wins(None)


_Word = tuple[bytes, int, bytes, int]  # line number from 1, the line, where it begins


def read_boards(stream: BinaryIO, file: str) -> Iterator[PathBoard]:
    """Yield the boards of a text in the contest's format; `file` names it in errors.

    A size n, then n rows of n letters; so for each board, and a size of 0 ends the
    input. White space alone parts words: copies of the statement differ in it. Every
    board yielded is right, whatever comes after it. After the closing 0 only white
    space may follow, lest boards be passed over in silence; at a terminal nothing more
    is awaited. Memory: one board and one line.

    Raises `GridFileError` if the text is not in the format; it knows line and column.
    """
    words = _words(stream, file)
    while n := _size(next(words), file):
        rows = [_row(next(words), row, n, file) for row in range(1, n + 1)]
        yield PathBoard(n, b"".join(rows))
    if not stream.isatty() and (after := next(words))[0]:
        raise _fault(file, after, "nothing may follow the 0 that ends the input")


def _words(stream: BinaryIO, file: str) -> Iterator[_Word]:
    """Yield the words; the last, empty one stands where the input ends."""
    number, line = 1, b""
    while more := stream.readline(_LONGEST + 1):
        number, line = number + line.endswith(b"\n"), more
        if len(line) > _LONGEST:
            raise GridFileError(file, number, 1, f"more than {_LONGEST} bytes")
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")  # some editors begin a file so
        for word in re.finditer(rb"\S+", line):
            yield word[0], number, line, word.start()
    ended = line.endswith(b"\n")
    yield b"", number + ended, b"" if ended else line, 0 if ended else len(line)


def _fault(file: str, word: _Word, why: str, letter: int = 0) -> GridFileError:
    _, number, line, start = word
    col = len(line[: start + letter].decode("utf-8", "replace")) + 1
    return GridFileError(file, number, col, why)


def _size(word: _Word, file: str) -> int:
    size = word[0].lstrip(b"0") or word[0][:1]
    if word[0].isdigit() and len(size) <= 4 and int(size) <= MAX_SIDE:
        return int(size)
    got = repr(word[0][:20].decode("utf-8", "replace")) if word[0] else "nothing more"
    why = f"expected a size up to {MAX_SIDE}, or 0 to end the input, got {got}"
    raise _fault(file, word, why)


def _row(word: _Word, row: int, n: int, file: str) -> bytes:
    letters = word[0]
    good = min(n, len(letters) - len(letters.lstrip(LETTERS)))
    if good == n == len(letters):
        return letters
    got = f"then {letters[good : good + 9].decode('utf-8', 'replace')!r}"
    what = got if letters[good:] else "no more"
    raise _fault(file, word, f"row {row} of {n}: {good} letters, {what}", good)
