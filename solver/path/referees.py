"""The referees side by side: three procedures and a search that share no code."""

from collections.abc import Callable
from itertools import pairwise

from solver.path.board import Outcome, PathBoard, Player
from solver.path.brute import brute_cells, brute_judge, brute_moves
from solver.path.judge import Explanation, explain, judge, needs
from solver.path.sat import sat_judge, sat_moves


def judge_by_needs(board: PathBoard) -> Outcome:
    """Judge by the number of missing pieces: 0 is a path, 1 a winning move.

    >>> judge_by_needs(PathBoard.parse("WBB/WWU/WBB"))
    <Outcome.WHITE_MOVE: 'White can win in one move.'>
    """
    missing = [needs(board, player) for player in Player]
    for count, outcomes in enumerate(
        [
            (Outcome.WHITE_PATH, Outcome.BLACK_PATH),
            (Outcome.WHITE_MOVE, Outcome.BLACK_MOVE),
        ]
    ):
        if count in missing:
            return outcomes[missing.index(count)]
    return Outcome.NONE


REFEREES: dict[str, Callable[[PathBoard], Outcome]] = {
    "floods": judge,
    "0-1 search": judge_by_needs,
    "SAT": sat_judge,
    "brute force": brute_judge,
}


def disagreement(board: PathBoard) -> str | None:
    """Return what the referees contradict each other in, None if they agree.

    Compares the outcome by all four, all winning moves by floods, SAT and brute force,
    and the lengths of shortest paths by floods and brute force; walks the path that is
    shown. Brute force takes O(n^4), so this is for boards up to about 20 x 20.

    >>> disagreement(PathBoard.parse("WBB/WWU/WBB"))
    """
    outcomes = {name: referee(board) for name, referee in REFEREES.items()}
    if len(set(outcomes.values())) > 1:
        said = "; ".join(f"{name}: {one.value}" for name, one in outcomes.items())
        return f"{board!r}: {said}"
    found = explain(board)
    player = found.outcome.player
    if player is None:
        return None
    if found.outcome.won:
        return _path_fault(found, board, player)
    moves = {
        "floods": found.moves,
        "SAT": sat_moves(board, player),
        "brute force": brute_moves(board, player),
    }
    if len(set(moves.values())) > 1:
        return f"{board!r}: winning moves {moves}"
    made = [board.place(player, move) for move in found.moves]
    lengths = tuple(brute_cells(one, player) for one in made)
    if lengths != found.lengths:
        return f"{board!r}: paths of {found.lengths} cells, brute force {lengths}"
    best = made[found.lengths.index(min(found.lengths))]
    return _path_fault(found, best, player)


def _path_fault(found: Explanation, board: PathBoard, player: Player) -> str | None:
    """Walk the path shown on a board that has it; say what is wrong, None if right."""
    why = _broken(found.path, board, player)
    return why and f"{found.board!r}, path {found.path}: {why}"


def _broken(path: tuple[int, ...], board: PathBoard, player: Player) -> str | None:
    """Go by rows and columns alone, so that nothing is shared with the floods."""
    places = [board.row_col(cell) for cell in path]
    axis = 1 if player is Player.WHITE else 0
    for row, col in places:
        if board.rows[row - 1][col - 1] != player.value:
            return f"{(row, col)} is not {player.label}'s"
    for (row, col), (r, c) in pairwise(places):
        if abs(row - r) + abs(col - c) != 1:
            return f"{(row, col)} and {(r, c)} do not touch"
    if not places:
        return "there is no path"
    if places[0][axis] != 1:
        return f"{places[0]} is not on {player.label}'s home edge"
    if places[-1][axis] != board.n:
        return f"{places[-1]} is not on {player.label}'s target edge"
    cells = brute_cells(board, player)
    return None if len(path) == cells else f"{len(path)} cells, brute force {cells}"
