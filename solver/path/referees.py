"""The referees side by side: three procedures and a search that share no code."""

from collections.abc import Callable

from solver.path.board import Outcome, PathBoard, Player
from solver.path.brute import brute_judge, brute_moves
from solver.path.judge import explain, judge, needs
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

    Compares the outcome by all four, and all winning moves by floods, SAT and brute
    force. Brute force takes O(n^4), so this is for boards up to about 20 x 20.

    >>> disagreement(PathBoard.parse("WBB/WWU/WBB"))
    """
    outcomes = {name: referee(board) for name, referee in REFEREES.items()}
    if len(set(outcomes.values())) > 1:
        said = "; ".join(f"{name}: {one.value}" for name, one in outcomes.items())
        return f"{board!r}: {said}"
    found = explain(board)
    player = found.outcome.player
    if player is None or found.outcome.won:
        return None
    moves = {
        "floods": found.moves,
        "SAT": sat_moves(board, player),
        "brute force": brute_moves(board, player),
    }
    if len(set(moves.values())) > 1:
        return f"{board!r}: winning moves {moves}"
    return None
