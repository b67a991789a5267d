"""PATH by the words of the game alone."""

from solver.puzzles.path import PathBoard

Spot = tuple[int, int]


def four(r: int, c: int) -> list[Spot]:
    return [(r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)]


def pieces(board: PathBoard, letters: str) -> set[Spot]:
    cells = enumerate(board.cells.decode())
    return {divmod(cell, board.n) for cell, letter in cells if letter in letters}


def path_cells(board: PathBoard, letter: str) -> int | None:
    """Cells of a shortest winning path: it grows by one cell a round."""
    axis, mine = int(letter == "W"), pieces(board, letter)
    fresh, cells = {spot for spot in mine if spot[axis] == 0}, 1
    reached: set[Spot] = set()
    while fresh:
        if any(spot[axis] == board.n - 1 for spot in fresh):
            return cells
        reached |= fresh
        fresh = {near for spot in fresh for near in four(*spot)} & mine - reached
        cells += 1
    return None


def put(board: PathBoard, letter: str, spot: Spot) -> PathBoard:
    """Return the board with a piece on a cell, whatever stands there."""
    at = spot[0] * board.n + spot[1]
    return PathBoard(
        board.n, board.cells[:at] + letter.encode() + board.cells[at + 1 :]
    )
