"""The reasons of the referee of PATH."""

from textwrap import wrap

from solver.puzzles.path import PathBoard, Player, Wins, judge, wins

_WIDE = 100  # larger boards are not printed


def as_text(board: PathBoard, number: int) -> str:
    """Return the sentence and, indented, the reasons a person can check."""
    outcome, found = judge(board)
    reasons = [f"board {number}, {board.n} x {board.n}"]
    if found.moves:
        reasons.append(f"winning moves (row,col): {_cells(board, found.moves)}")
    if found.path:
        cells = f"{len(found.path)} cells (row,col): {_cells(board, found.path)}"
        reasons.append(f"a shortest path covers {cells}")
    else:
        for player in Player:
            missing, name = wins(board, player).missing, player.name.capitalize()
            if missing is None:
                reasons.append(f"{name} is cut off")
            else:
                reasons.append(f"{name} needs at least {missing} more pieces")
    lines = [line for one in reasons for line in wrap(one, 86, subsequent_indent="  ")]
    if board.n <= _WIDE:
        lines += ["", *_printed(board, found), ""]
    return "\n".join([outcome.value, *(f"  {line}".rstrip() for line in lines)])


def _cells(board: PathBoard, cells: tuple[int, ...]) -> str:
    return " ".join("({},{})".format(*board.row_col(cell)) for cell in cells)


def _printed(board: PathBoard, found: Wins) -> list[str]:
    """Return the board with capitals on the path and * for a winning move."""
    n, letters = board.n, list(board.cells.decode().lower().replace("u", "."))
    for cell in found.path:
        letters[cell] = letters[cell].upper()
    for cell in found.moves:
        letters[cell] = "*"
    names = [str(at).rjust(len(str(n))) for at in range(1, n + 1)]
    lines = list(zip(" " * len(names[0]), *names, strict=True))
    lines += [(name, *letters[r * n : r * n + n]) for r, name in enumerate(names)]
    return [" ".join(line) for line in lines]
