"""Labyrinths for paper: complete walks as pages of a PDF, several to a page.

Vector lines, black on white, on A4 or letter paper. The same walks make the same bytes.
Solutions go into a file of their own, so that one can be handed out without the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from solver.board import Cell, Position
from solver.errors import OptionError, UnknownNameError
from solver.labyrinth import doorless, strokes

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

MOST = 48  # labyrinths on a page
_MM = 72 / 25.4  # points of a PDF
SIZES = {"a4": (210 * _MM, 297 * _MM), "letter": (612.0, 792.0)}
_EDGE = 12 * _MM  # what printers cannot reach, and some air
_CAPTION = 6 * _MM  # height of the line below a labyrinth
_LEAST = 1.2  # points a cell: finer lines run together in print


@dataclass(frozen=True, slots=True)
class Sheet:
    """How labyrinths lie on a page.

    Attributes
    ----------
    paper : str
        A name of `SIZES`.
    per_page : int
        How many, 1 to `MOST`.
    """

    paper: str = "a4"
    per_page: int = 1

    def __post_init__(self) -> None:
        if self.paper not in SIZES:
            raise UnknownNameError("paper", self.paper, sorted(SIZES))
        if not 1 <= self.per_page <= MOST:
            raise OptionError(f"{self.per_page} a page is not between 1 and {MOST}")

    def grid(self, rows: int, cols: int) -> tuple[int, int, float]:
        """Return labyrinths down and across a page, and the points of a cell.

        The grid that makes cells of a board of `rows` x `cols` largest.

        >>> down, across, cell = Sheet("letter", 4).grid(31, 31)
        >>> down, across, round(cell, 1)
        (2, 2, 8.2)
        """
        width, height = SIZES[self.paper]
        best = (0, 0, 0.0)
        for across in range(1, self.per_page + 1):
            down = -(-self.per_page // across)
            wide = (width - 2 * _EDGE) / across - _EDGE / 2
            high = (height - 2 * _EDGE) / down - _CAPTION - _EDGE / 2
            cell = min(wide / cols, high / rows)
            if cell > best[2]:
                best = down, across, cell
        return best


def labyrinth_pdf(
    walks: Sequence[Position],
    captions: Sequence[str],
    sheet: Sheet,
    *,
    solved: bool = False,
    answers: bool = False,
) -> bytes:
    """Return a PDF of labyrinths, numbered, each with a line of text below it.

    Parameters
    ----------
    walks : sequence of Position
        Complete walks, all on boards of one size.
    captions : sequence of str
        One for each.
    solved : bool
        Whether the walks are drawn in, thin and red.
    answers : bool
        Whether all follow once more, solved, on pages at the end.

    Raises
    ------
    OptionError
        If there is no walk, one is not complete, or the cells would be smaller than
        1.2 points: their walls would run together.
    """
    from reportlab.pdfgen.canvas import Canvas

    if not walks or len(walks) != len(captions):
        raise OptionError(f"{len(walks)} walks with {len(captions)} captions")
    board = walks[0].board
    _, _, cell = sheet.grid(board.rows, board.cols)
    if cell < _LEAST:
        raise OptionError(
            f"{sheet.per_page} of {board.rows} x {board.cols} a page leave cells of "
            f"{cell / _MM:.2f} mm, below {_LEAST / _MM:.2f}: put fewer on a page"
        )
    width, height = SIZES[sheet.paper]
    out = BytesIO()
    canvas = Canvas(out, pagesize=(width, height), invariant=True, pageCompression=1)
    canvas.setTitle("Solutions" if solved else "Labyrinths")
    canvas.setCreator("oneway")
    for drawn in (False, True) if answers else (solved,):
        _pages(canvas, walks, captions, sheet, drawn)
    canvas.save()
    return out.getvalue()


def _pages(
    canvas: "Canvas",
    walks: Sequence[Position],
    captions: Sequence[str],
    sheet: Sheet,
    solved: bool,
) -> None:
    """Draw all labyrinths on pages of their own."""
    board = walks[0].board
    down, across, cell = sheet.grid(board.rows, board.cols)
    width, height = SIZES[sheet.paper]
    slot_wide = (width - 2 * _EDGE) / across
    slot_high = (height - 2 * _EDGE) / down
    for number, (walk, caption) in enumerate(zip(walks, captions, strict=True)):
        place = number % sheet.per_page
        if number and place == 0:
            canvas.showPage()
        row, col = divmod(place, across)
        left = _EDGE + col * slot_wide + (slot_wide - board.cols * cell) / 2
        top = height - _EDGE - row * slot_high
        spare = slot_high - _CAPTION - board.rows * cell
        _labyrinth(canvas, walk, left, top - spare / 2, cell, solved)
        told = f"{number + 1}   {caption}{'   solution' if solved else ''}"
        canvas.setFont("Helvetica", 8)
        below = top - spare / 2 - board.rows * cell - _CAPTION * 0.7
        canvas.drawCentredString(left + board.cols * cell / 2, below, told)
    canvas.showPage()


def _labyrinth(
    canvas: "Canvas", walk: Position, left: float, top: float, cell: float, solved: bool
) -> None:
    board = walk.board

    def centre(at: Cell) -> tuple[float, float]:
        row, col = divmod(at, board.cols)
        return left + (col + 0.5) * cell, top - (row + 0.5) * cell

    for wall in board.walls:
        row, col = divmod(wall, board.cols)
        canvas.rect(left + col * cell, top - (row + 1) * cell, cell, cell, 0, 1)
    if solved:
        canvas.setStrokeColorRGB(0.8, 0.1, 0.1)
        canvas.setLineWidth(cell * 0.14)
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        line = canvas.beginPath()
        line.moveTo(*centre(walk.walk[0]))
        for at in walk.walk[1:]:
            line.lineTo(*centre(at))
        canvas.drawPath(line)
        canvas.setStrokeColorRGB(0, 0, 0)
    canvas.setLineWidth(max(cell * 0.12, 0.25))
    canvas.setLineCap(1)
    path = canvas.beginPath()
    for row, col, runs_down, length in strokes(walk):
        x, y = left + col * cell, top - row * cell
        path.moveTo(x, y)
        if runs_down:
            path.lineTo(x, y - length * cell)
        else:
            path.lineTo(x + length * cell, y)
    canvas.drawPath(path)
    for at, filled in doorless(board):
        x, y = centre(at)
        canvas.circle(x, y, cell * 0.2, 1, int(filled))
