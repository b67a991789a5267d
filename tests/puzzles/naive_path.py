"""PATH by the words of the game alone, and wrong solutions for the corpus to catch."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from solver.puzzles.path import PathBoard

Spot = tuple[int, int]
SENTENCES = ["White has a winning path.", "Black has a winning path."]
SENTENCES += ["White can win in one move.", "Black can win in one move."]
SENTENCES += ["There is no winning path."]


def four(r: int, c: int) -> list[Spot]:
    return [(r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)]


def eight(r: int, c: int) -> list[Spot]:
    return [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]


def pieces(board: PathBoard, letters: str) -> set[Spot]:
    found = enumerate(board.cells.decode())
    return {divmod(cell, board.n) for cell, one in found if one in letters}


def path_cells(
    board: PathBoard,
    letter: str,
    *,
    near: Callable[[int, int], list[Spot]] = four,
    home: int | None = None,
    target: int | None = None,
) -> int | None:
    """Cells of a shortest winning path: it grows by one cell a round."""
    axis, n = int(letter == "W"), board.n
    home, target = (axis if one is None else one for one in (home, target))
    mine = pieces(board, letter)
    fresh, cells = {spot for spot in mine if spot[home] == 0}, 1
    reached: set[Spot] = set()
    while fresh:
        if any(spot[target] == n - 1 for spot in fresh):
            return cells
        reached |= fresh
        fresh = {one for spot in fresh for one in near(*spot)} & mine - reached
        cells += 1
    return None


def put(board: PathBoard, letter: str, spot: Spot) -> PathBoard:
    """Put a piece on a cell, whatever stands there."""
    at = spot[0] * board.n + spot[1]
    return PathBoard(
        board.n, board.cells[:at] + letter.encode() + board.cells[at + 1 :]
    )


def winning(board: PathBoard, letter: str, over: str = "U") -> list[Spot]:
    tried = sorted(pieces(board, over))
    return [s for s in tried if path_cells(put(board, letter, s), letter) is not None]


Moves = Callable[[PathBoard, str], Iterable[Spot]]
Path = Callable[[PathBoard, str], object]


def said(
    board: PathBoard, moves: Moves = winning, path: Path = path_cells, order: str = "WB"
) -> str:
    """The right referee, unless a part is exchanged."""
    for at, letter in enumerate("WB"):
        if path(board, letter) is not None:
            return SENTENCES[at]
    for letter in order:
        if list(moves(board, letter)):
            return SENTENCES[2 + "WB".index(letter)]
    return SENTENCES[4]


def over_whole_flood(board: PathBoard, letter: str) -> list[Spot]:
    """Count the unfilled cells of a whole flood, not along one path."""
    axis, open_cells = int(letter == "W"), pieces(board, letter + "U")
    flood: set[Spot] = set()
    fresh = {spot for spot in open_cells if spot[axis] == 0}
    while fresh:
        flood |= fresh
        fresh = {one for spot in fresh for one in four(*spot)} & open_cells - flood
    met = list(flood & pieces(board, "U"))
    through = any(spot[axis] == board.n - 1 for spot in flood)
    return met if through and len(met) == 1 else []


def in_one_line(board: PathBoard, letter: str) -> list[Spot]:
    """Look for the unfilled cell between two parts in one row or column only."""
    axis = int(letter == "W")
    return [
        (r, c)
        for r, c in winning(board, letter)
        if all(
            not 0 <= spot[axis] < board.n or spot in pieces(board, letter)
            for spot in four(r, c)[1 - axis :: 2]
        )
    ]


def with_path(**changed: Any) -> Callable[[PathBoard], str]:
    return lambda board: said(board, path=partial(path_cells, **changed))


MUTANTS: dict[str, Callable[[PathBoard], str]] = {
    "unfilled cells counted over a whole flood": lambda b: said(b, over_whole_flood),
    "unfilled cell sought in one line": lambda b: said(b, in_one_line),
    "black's flood from column 0": with_path(home=1),
    "black's target by column": with_path(target=1),
    "corners touch": with_path(near=eight),
    "never up": with_path(near=lambda r, c: four(r, c)[1:]),
    "black's move first": lambda b: said(b, order="BW"),
    "pieces on the rival's": lambda b: said(b, lambda b, x: winning(b, x, "UWB")),
}
