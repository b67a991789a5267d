"""PATH by the words of the game alone."""

from solver.puzzles.path import PathBoard

Spot = tuple[int, int]
SENTENCES = ["White has a winning path.", "Black has a winning path."]
SENTENCES += ["White can win in one move.", "Black can win in one move."]
SENTENCES += ["There is no winning path."]


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
    """Put a piece on a cell, whatever stands there."""
    at = spot[0] * board.n + spot[1]
    return PathBoard(
        board.n, board.cells[:at] + letter.encode() + board.cells[at + 1 :]
    )


def winning(board: PathBoard, letter: str) -> list[Spot]:
    tried = sorted(pieces(board, "U"))
    return [s for s in tried if path_cells(put(board, letter, s), letter) is not None]


def sentence(board: PathBoard) -> str:
    """Return the sentence of the referee."""
    for at, letter in enumerate("WB"):
        if path_cells(board, letter) is not None:
            return SENTENCES[at]
    for at, letter in enumerate("WB"):
        if winning(board, letter):
            return SENTENCES[2 + at]
    return SENTENCES[4]
