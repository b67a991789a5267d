"""Labyrinths: complete walks of a board, as pictures and as pages for a printer."""

from collections.abc import Iterator

from solver.board import Board, Position
from solver.counting.uniform import UniformWalks
from solver.errors import NoWalkError, OptionError
from solver.labyrinth import draw_labyrinth
from solver.notation import unquoted
from solver.nowalk import check_walkable
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict
from solver.paper import Sheet, labyrinth_pdf
from solver.svg import draw, png
from solver.system import file_name
from verify.lab.messages import Labyrinths
from verify.lab.places import exported, position_of
from verify.lab.replies import Labyrinth, LabyrinthsDrawn, Reply
from verify.lab.settings import Settings

SHOWN = 6  # pictures on the page
MEMORY = 800_000_000


def walks_of(ask: Labyrinths, board: Board) -> list[Position]:
    """Return complete walks of a board, of a seed and those that follow.

    Raises `NoWalkError` or `OptionError` if the board has none, or a limit came before
    one was found.
    """
    check_walkable(board)
    seeds = range(ask.seed, ask.seed + ask.count)
    if ask.how == "uniform":
        walks = UniformWalks(board, seed=ask.seed, memory=MEMORY)
        return [walks.draw() for _ in seeds]
    found = []
    for seed in seeds:
        walk = exact_walk(board, seed)
        if walk.verdict is Verdict.DEAD:
            raise NoWalkError(board.notation)
        if walk.verdict is Verdict.UNKNOWN:
            raise OptionError("no walk was found within the limit")
        found.append(walk.position)
    return found


def labyrinths(ask: Labyrinths, settings: Settings) -> Iterator[Reply]:
    """Draw labyrinths; with a file asked for, make that."""
    board = position_of(ask.place).board
    walks = walks_of(ask, board)
    how = "each alike" if ask.how == "uniform" else "step by step"
    caption = f"{board.notation}, {how}, seed {ask.seed}"
    if not ask.file:
        shown = walks[:SHOWN]
        drawn = [Labyrinth(_picture(ask, x), unquoted(x.notation)) for x in shown]
        yield LabyrinthsDrawn(ask.id, drawn, caption)
        return
    name = file_name(f"labyrinth-{board.rows}x{board.cols}-{ask.seed}")
    if ask.file == "pdf":
        yield exported(ask.id, name, "pdf", _pages(ask, walks, caption))
    else:
        svg = _picture(ask, walks[0])
        yield exported(ask.id, name, ask.file, svg if ask.file == "svg" else png(svg))


def _picture(ask: Labyrinths, walk: Position) -> str:
    return draw_labyrinth(walk) if ask.look == "walls" else draw(walk)


def _pages(ask: Labyrinths, walks: list[Position], caption: str) -> bytes:
    sheet = Sheet(ask.paper, ask.per_page)
    captions = [caption] * len(walks)
    if ask.look == "line":
        return labyrinth_pdf(walks, captions, sheet, solved=True)
    return labyrinth_pdf(walks, captions, sheet, answers=ask.solutions)
