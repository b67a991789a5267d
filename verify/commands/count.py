"""`oneway count`: how many completions a position has, and each of its moves."""

from collections.abc import Iterator

from typer import Exit, Option

from solver.board import Board, Position
from solver.counting import count as counting
from solver.counting.paths import count_paths
from solver.errors import OptionError
from solver.notation import print_board
from solver.oracles.oracle import why_dead
from verify.commands import console, options
from verify.formatting import counted


def count(
    position: options.Position,
    cycles: bool = Option(False, "--cycles", help="Count Hamiltonian cycles."),
    paths: bool = Option(False, "--paths", help="Count paths between any two cells."),
    b_file: bool = Option(False, "--b-file", help="Add a line for each smaller board."),
    rank: bool = Option(False, "--rank", help="Print the rank of a position."),
    number: int | None = Option(None, "--walk", help="Print the walk of this rank."),
    memory: options.Memory = 4.0,
    jobs: options.Jobs = options.CORES,
    as_json: options.Json = False,
) -> None:
    """Count completions exactly: of a position, and of every move.

    No walks are listed, so a count takes milliseconds on 9 x 9 and minutes on 19 x 19.

    In left-first order the move left of the last step comes first, then straight, then
    right. The rank of a position is the number of complete walks before it.

    Exit code 1 if a position has no completion.

    \b
    A position and its moves:
      oneway count 9:RRDD
    Cycles of squares, OEIS A003763:
      oneway count 8 --cycles --b-file
    """
    room = int(memory * 10**9)
    kinds = [cycles, paths, rank, number is not None]
    if sum(kinds) > 1 or (b_file and (rank or number is not None)):
        raise OptionError("--cycles, --paths, --rank and --walk are several counts")
    if cycles or paths or b_file:
        kind = "cycles" if cycles else "paths" if paths else "completions"
        for name, total in _totals(position, kind, b_file, room, jobs):
            if as_json:
                console.emit({"board": name, kind: total})
            elif b_file:
                console.say(f"{Board.parse(name, without_ends=True).cols} {total}")
            else:
                console.say(f"{name}  {counted(total, kind.removesuffix('s'))}")
    elif number is not None:
        board = options.read_board(position)
        with console.progress("steps", board.open_cells) as bar:
            walk = counting.unrank(board, number, progress=bar.advance)
        if as_json:
            console.emit({"position": walk.notation, "rank": number})
        else:
            console.say_position(walk)
    elif rank:
        for place in options.input_positions(position):
            with console.progress("steps", len(place.moves)) as bar:
                before = counting.rank(place, progress=bar.advance)
            if as_json:
                console.emit({"position": place.notation, "rank": before})
            else:
                console.say(f"{place.notation}  {before:,}")
    else:
        good = True
        for place in options.input_positions(position):
            good &= _print_moves(place, room, jobs, as_json) > 0
        raise Exit(0 if good else 1)


def _print_moves(place: Position, memory: int, jobs: int, as_json: bool) -> int:
    """Print the completions of a position and of its moves; return their number."""
    why = why_dead(place)
    moves = dict.fromkeys(place.options(), 0)
    if not why:
        with console.progress(f"states of {place.notation[:40]}") as bar:
            moves = counting.count_moves(
                place, memory=memory, jobs=jobs, progress=bar.advance
            )
    total = 1 if place.complete else sum(moves.values())
    if as_json:
        data = {"position": place.notation, "completions": total, "moves": moves}
        console.emit(data | ({"why": why} if why else {}))
    else:
        console.say(f"{place.notation}  {total:,}" + (f": {why}" if why else ""))
        console.say(*(f"  {move}  {many:,}" for move, many in moves.items()))
    return total


def _totals(
    text: str, kind: str, sequence: bool, memory: int, jobs: int
) -> Iterator[tuple[str, int]]:
    """Yield a board and its count; of a sequence each board that leads to it."""
    free = kind != "completions"  # cycles and paths have no ends
    board = options.read_board(text, walkable=False, without_ends=free)
    rows, cols = board.rows, board.cols
    if sequence and board != Board(rows, cols):
        why = "takes a rectangle without walls or ends, such as 8 or 4x9"
        name = print_board(board, without_ends=free)
        raise OptionError(f"--b-file {why}, not {name}")
    boards = [board]
    if sequence:
        square = rows == cols
        boards = [Board(n if square else rows, n) for n in range(1, cols + 1)]
    for board in boards:
        name = print_board(board, without_ends=free)
        with console.progress(f"{kind} of {name[:40]}") as bar:
            if kind == "cycles":
                total = counting.count_cycles(board, memory=memory, jobs=jobs)
            elif kind == "paths":
                total = count_paths(board, memory=memory, progress=bar.update)
            else:
                total = counting.count_completions(
                    Position(board), memory=memory, jobs=jobs
                )
        yield name, total
