"""The naive referee: tries every placement; the double that says what is right."""

from solver.path.board import Outcome, PathBoard, Player


def brute_has_path(board: PathBoard, player: Player) -> bool:
    """Tell whether the player has a winning path."""
    return brute_cells(board, player) is not None


def brute_cells(board: PathBoard, player: Player) -> int | None:
    """Return the cells of a shortest winning path, None if there is none.

    The set it could be in grows from the home edge, by one cell of path a round.

    >>> brute_cells(PathBoard.parse("WBB/WWW/WBB"), Player.WHITE)
    3
    """
    n, letter = board.n, ord(player.value)
    pieces = {divmod(i, n) for i, found in enumerate(board.cells) if found == letter}
    axis = 1 if player is Player.WHITE else 0  # the coordinate that must run to n - 1
    reached: set[tuple[int, int]] = set()
    fresh = {cell for cell in pieces if cell[axis] == 0}
    cells = 0
    while fresh:
        cells += 1
        if any(cell[axis] == n - 1 for cell in fresh):
            return cells
        reached |= fresh
        around = {
            near
            for r, c in fresh
            for near in ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1))
        }
        fresh = (around & pieces) - reached
    return None


def brute_moves(board: PathBoard, player: Player) -> tuple[int, ...]:
    """Return every unfilled cell on which a piece makes a winning path."""
    return tuple(
        cell
        for cell, letter in enumerate(board.cells)
        if letter == ord("U") and brute_has_path(board.place(player, cell), player)
    )


def brute_judge(board: PathBoard) -> Outcome:
    """Try the five sentences in order. O(n^4).

    >>> brute_judge(PathBoard.parse("WBB/WWU/WBB"))
    <Outcome.WHITE_MOVE: 'White can win in one move.'>
    """
    for player, outcome in [
        (Player.WHITE, Outcome.WHITE_PATH),
        (Player.BLACK, Outcome.BLACK_PATH),
    ]:
        if brute_has_path(board, player):
            return outcome
    for player, outcome in [
        (Player.WHITE, Outcome.WHITE_MOVE),
        (Player.BLACK, Outcome.BLACK_MOVE),
    ]:
        if brute_moves(board, player):
            return outcome
    return Outcome.NONE
