"""`oneway path`: the referee of PATH."""

from textwrap import wrap

from typer import Argument, Option

from solver.files import read_most
from solver.puzzles.path import PathBoard, Player, Wins, judge_path, path_boards, wins
from verify.commands import console

_MOST = 1 << 27  # bytes of input
_WIDE = 100  # larger boards are not printed


def path(
    file: str = Argument(
        "-", help="Boards in the contest's format; - is standard input."
    ),
    explain: bool = Option(
        False, "--explain", help="Add the path, moves or missing pieces."
    ),
) -> None:
    """Judge boards of the game PATH.

    PATH is a game of two players (UVa 601, ZOJ 1255). White joins the left edge to the
    right one, Black the top to the bottom, by neighbouring pieces. For each board the
    first true sentence is printed: White has a winning path. Black has a winning path.
    White can win in one move. Black can win in one move. There is no winning path.

    Each board is a size n, then n rows of n letters W, B and U (unfilled). A size of 0
    ends the input. Sentences printed before an error are right.

    Exit code 0 on success, 2 on bad input.

    \b
    With the reason:
      echo "3 WBB WWU WBB 0" | oneway path --explain
    """
    name = "standard input" if file == "-" else file
    for number, board in enumerate(path_boards(read_most(file, _MOST), name), start=1):
        outcome, win = judge_path(board)
        console.say(outcome.value)
        if explain:
            console.say(*_reasons(board, number, win))


def _reasons(board: PathBoard, number: int, win: Wins) -> list[str]:
    reasons = [f"board {number}, {board.n} x {board.n}"]
    if win.moves:
        reasons.append(f"winning moves (row,col): {_cells(board, win.moves)}")
    if win.path:
        cells = f"{len(win.path)} cells (row,col): {_cells(board, win.path)}"
        reasons.append(f"a shortest path covers {cells}")
    else:
        for player in Player:
            missing = wins(board, player).missing
            lacks = f"needs at least {missing} more pieces"
            why = "is cut off" if missing is None else lacks
            reasons.append(f"{player.name.capitalize()} {why}")
    lines = []
    for reason in reasons:
        lines += wrap(reason, 88, initial_indent="  ", subsequent_indent="    ")
    if board.n <= _WIDE:
        lines += ["", *(f"  {line}" for line in _printed(board, win)), ""]
    return lines


def _cells(board: PathBoard, cells: tuple[int, ...]) -> str:
    return " ".join("({},{})".format(*board.row_col(cell)) for cell in cells)


def _printed(board: PathBoard, win: Wins) -> list[str]:
    """Return the board with capitals on the path and * for a winning move."""
    n, letters = board.n, list(board.cells.decode().lower().replace("u", "."))
    for cell in win.path:
        letters[cell] = letters[cell].upper()
    for cell in win.moves:
        letters[cell] = "*"
    names = [str(at).rjust(len(str(n))) for at in range(1, n + 1)]
    lines = list(zip(" " * len(names[0]), *names, strict=True))
    lines += [(name, *letters[r * n : r * n + n]) for r, name in enumerate(names)]
    return [" ".join(line) for line in lines]
