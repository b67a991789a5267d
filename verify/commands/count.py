"""`oneway count`: how many completions a position has, and each of its moves.

`oneway rank`: where walks stand in left-first order.
"""

from typing import TYPE_CHECKING

import typer

from solver.errors import OptionError
from solver.system import cores
from verify.commands import console, options
from verify.commands.console import emit, say
from verify.commands.options import argument, flag
from verify.words import counted

if TYPE_CHECKING:
    from solver.board import Board, Position

GIGABYTE = 1e9
_MOST = 1e9  # gigabytes, more than any machine has: a number that bytes fit in
_CORES = cores()


def bytes_of(memory: float) -> int:
    """Return the bytes that --memory allows."""
    if not 0 < memory <= _MOST:
        raise OptionError(f"--memory {memory:g} is not above 0 and at most {_MOST:g}")
    return int(memory * GIGABYTE)


def count(
    position: str = argument("A position such as 9:RRDD, or - for one a line."),
    cycles: bool = flag("--cycles", "Of a board: its Hamiltonian cycles."),
    paths: bool = flag("--paths", "Of a board: its Hamiltonian paths of any ends."),
    b_file: bool = flag(
        "--b-file", "A line a board, as OEIS: squares up to 8, or 4 x n up to 4x9."
    ),
    memory: options.Memory = 4.0,
    jobs: options.Jobs = _CORES,
    as_json: options.Json = False,
) -> None:
    """Count completions exactly: of a position, and of every move.

    By frontier dynamic programming, without listing them: milliseconds on 9 x 9, less
    than a second on 13 x 13, where there are 17,337,631,013,706,758,184,626, minutes on
    19 x 19. The shorter side is what costs. A count that needs more than --memory is
    refused before it begins, with the estimate.

    Exit code 1 if a position has no completion.

    Try: oneway count 9:RRDD

    All walks from corner to corner: oneway count 11:

    Hamiltonian cycles of squares, OEIS A003763: oneway count 8 --cycles --b-file
    """
    from solver.counting.count import count_moves
    from solver.nowalk import why_dead

    room = bytes_of(memory)
    if cycles and paths:
        raise OptionError("--cycles and --paths are two counts: give one")
    if cycles or paths or b_file:
        kind = "cycles" if cycles else "paths" if paths else "completions"
        board = console.read_board(
            position, walkable=False, without_ends=cycles or paths
        )
        _print_totals(board, kind, b_file, room, jobs, as_json)
        return
    alive = True
    for where, text in console.lines_or(position):
        place = console.parse_line(where, text)
        why = why_dead(place)
        moves = dict.fromkeys(place.options(), 0)
        if not why:
            with console.ticking(f"states of {place.notation[:40]}") as tick:
                moves = count_moves(place, memory=room, jobs=jobs, progress=tick)
        total = 1 if place.complete else sum(moves.values())
        alive &= total > 0
        if as_json:
            result = {"position": place.notation, "completions": total, "moves": moves}
            emit(result | ({"why": why} if why else {}))
            continue
        say(f"{place.notation}  {total:,}" + (f": {why}" if why else ""))
        for move, number in moves.items():
            say(f"  {move}  {number:,}")
    raise typer.Exit(0 if alive else 1)


def _print_totals(
    board: "Board", kind: str, b_file: bool, memory: int, jobs: int, as_json: bool
) -> None:
    """Print one number of a board, or those of a sequence that ends with it."""
    from solver.board import Board, Position
    from solver.counting.count import count_completions, count_cycles, count_paths
    from solver.notation import print_board
    from solver.nowalk import why_dead

    rows, cols = board.rows, board.cols
    if b_file and board != Board(rows, cols):
        raise OptionError(
            "--b-file takes a rectangle without walls or ends, such as 8 or 4x9, not "
            f"{print_board(board, without_ends=kind != 'completions')}"
        )
    boards = [board]
    if b_file:
        boards = [Board(n if rows == cols else rows, n) for n in range(1, cols + 1)]
    for one in boards:
        named = print_board(one, without_ends=kind != "completions")
        if kind == "cycles":
            number = count_cycles(one, memory=memory, jobs=jobs)
        elif kind == "paths":
            with console.counting(f"pairs of ends of {one.notation[:40]}") as moved:
                number = count_paths(one, memory=memory, jobs=jobs, progress=moved)
        else:
            place = Position(one)
            number = 0
            if not why_dead(place):
                number = count_completions(place, memory=memory, jobs=jobs)
        if as_json:
            emit({"board": named, kind: number})
        elif b_file:
            say(f"{one.cols} {number}")
        else:
            say(f"{named}  {counted(number, kind.removesuffix('s'))}")


WIDEST = 2_000_000  # states of a layer: 15 x 15, a second a count


def rank(
    position: str = argument("A position such as 9:RRDD, or - for one a line."),
    number: int | None = argument(
        "A rank, from 0 on: the complete walk of that rank.", None
    ),
    as_json: options.Json = False,
) -> None:
    """Print how many complete walks come before a position in left-first order.

    At each step the move left of the last step comes first, then straight, then right;
    the first step R before D. Of a complete walk that is its number, from 0 on. It is
    the sum of the completions of all earlier siblings of the walk's steps, counted
    exactly: less than 0.1 s on 9 x 9, about a second on 11 x 11.

    With a board and a NUMBER the other way round: the complete walk of that rank.

    Try: oneway rank 9:RRRRRRRRDDDDDDDLLLLLLLURURDRURDRRULURULURULLDLULD

    The walk with a million before it: oneway rank 9 1000000
    """
    from solver.board import Position
    from solver.counting.count import rank as rank_of
    from solver.counting.count import unrank

    if number is not None:
        place = Position(console.read_board(position))
        _check(place)
        with console.ticking("steps", place.unvisited) as tick:
            walk = unrank(place.board, number, progress=tick)
        if as_json:
            emit(position=walk.notation, rank=number)
        else:
            console.say_position(walk)
        return
    for where, text in console.lines_or(position):
        place = console.parse_line(where, text)
        _check(place)
        with console.ticking("steps", len(place.moves)) as tick:
            found = rank_of(place, progress=tick)
        if as_json:
            emit(position=place.notation, rank=found)
        else:
            say(f"{place.notation}  {found:,}")


def _check(place: "Position") -> None:
    """Refuse boards on which every count would take more than about a second."""
    from solver.board import Position
    from solver.counting.count import known_count
    from solver.counting.plan import TooLargeError, make_plan

    start = Position(place.board)
    plan = make_plan(start) if known_count(start) is None else None
    if plan and plan.widest > WIDEST:
        raise TooLargeError(
            f"a rank on {place.board.notation} takes hundreds of counts of "
            f"{plan.total:,} states each: too many; up to {WIDEST:,} states in a "
            "layer will do"
        )
