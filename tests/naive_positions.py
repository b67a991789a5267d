"""The slow, obvious double of `solver.positions`."""

from solver.board import Board, Position


def completable(position: Position) -> bool:
    """Try every way to go on."""
    if position.complete:
        return True
    return any(completable(position.step(move)) for move in position.options())


def completable_positions(board: Board) -> dict[str, set[str]]:
    """Return the notation of every completable position with its good moves."""
    found = {}

    def visit(position: Position) -> None:
        if completable(position):
            steps = {move: position.step(move) for move in position.options()}
            found[position.notation] = {m for m, p in steps.items() if completable(p)}
            for after in steps.values():
                visit(after)

    visit(Position(board))
    return found
