"""Labyrinths and puzzles for paper: pages of a PDF, several drawings to a page.

Vector lines, black on white, on A4 or letter paper. What is drawn alike makes the same
bytes. Solutions go into a file of their own, so that one can be handed out without the
other.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, TypeAlias

from solver.board import Board, Cell, Position
from solver.errors import OptionError, UnknownNameError
from solver.labyrinth import (
    INSTRUCTIONS,
    Side,
    doorless,
    doors_of,
    outside,
    walls,
)

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

MM = 72 / 25.4  # points of a PDF
SIZES = {"a4": (210 * MM, 297 * MM), "letter": (612.0, 792.0)}
EDGE = 12 * MM  # what printers cannot reach, and some air
MOST = 48  # drawings on a page
_HEAD = 18 * MM  # height of the title, the name line and the instructions
_CAPTION = 6 * MM  # height of the line below a drawing
_LEAST = 1.2  # points a cell: finer lines run together in print


@dataclass(frozen=True, slots=True)
class Sheet:
    """How drawings lie on a page."""

    paper: str = "a4"  # a name of `SIZES`
    per_page: int = 1  # how many, 1 to `MOST`

    def __post_init__(self) -> None:
        if self.paper not in SIZES:
            raise UnknownNameError("paper", self.paper, sorted(SIZES))
        if not 1 <= self.per_page <= MOST:
            raise OptionError(f"{self.per_page} a page is not between 1 and {MOST}")

    @classmethod
    def parse(cls, text: str) -> "Sheet":
        """Read paper and drawings on a page, `a4` or `letter:4`.

        >>> Sheet.parse("letter:4")
        Sheet(paper='letter', per_page=4)
        """
        paper, _, many = text.partition(":")
        return cls(paper, int(many or 1) if re.fullmatch("[0-9]{0,4}", many) else 0)

    def grid(self, rows: int, cols: int) -> tuple[int, int, float]:
        """Return drawings down and across a page, and the points of a cell.

        The grid that makes cells of a board of `rows` x `cols` largest.

        >>> down, across, cell = Sheet("letter", 4).grid(31, 31)
        >>> down, across, round(cell, 1)
        (2, 2, 8.2)
        """
        width, height = SIZES[self.paper]
        best = (0, 0, 0.0)
        for across in range(1, self.per_page + 1):
            down = -(-self.per_page // across)
            wide = (width - 2 * EDGE) / across - EDGE / 2
            high = (height - 2 * EDGE - _HEAD) / down - _CAPTION - EDGE / 2
            cell = min(wide / cols, high / rows)
            if cell > best[2]:
                best = down, across, cell
        return best


Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Pen:
    """Where one drawing lies on a page: its upper left corner, points a cell."""

    canvas: "Canvas"
    board: Board
    left: float
    top: float
    cell: float

    def point(self, row: float, col: float) -> Point:
        """Return the place of a grid point, from (0, 0) to (rows, cols)."""
        return self.left + col * self.cell, self.top - row * self.cell

    def centre(self, at: Cell) -> Point:
        """Return the middle of a cell."""
        row, col = divmod(at, self.board.cols)
        return self.point(row + 0.5, col + 0.5)

    def lines(self, width: float, lines: Iterable[Sequence[Point]]) -> None:
        """Draw lines through points; `width` in cells, never finer than a hair."""
        self.canvas.setLineWidth(max(width * self.cell, 0.25))
        self.canvas.setLineCap(1)
        self.canvas.setLineJoin(1)
        path = self.canvas.beginPath()
        for first, *others in lines:
            path.moveTo(*first)
            for point in others:
                path.lineTo(*point)
        self.canvas.drawPath(path)

    def sides(self, width: float, sides: Iterable[Side]) -> None:
        """Draw sides of cells."""
        self.lines(
            width,
            (
                [self.point(row, col), self.point(row + down, col + (not down))]
                for row, col, down in sides
            ),
        )

    def solution(self, walk: Position) -> None:
        """Draw a walk, thin and red."""
        self.canvas.setStrokeColorRGB(0.8, 0.1, 0.1)
        self.lines(0.14, [[self.centre(at) for at in walk.walk]])
        self.canvas.setStrokeColorRGB(0, 0, 0)

    def walls(self) -> None:
        """Fill the walls of the board; those on its outside stay white."""
        for wall in sorted(set(self.board.walls) - outside(self.board)):
            row, col = divmod(wall, self.board.cols)
            x, y = self.point(row + 1, col)
            self.canvas.rect(x, y, self.cell, self.cell, 0, 1)

    def mark(self, at: Cell) -> None:
        """Mark the start by a dot, the end by a ring."""
        x, y = self.centre(at)
        self.canvas.setLineWidth(self.cell * 0.08)
        self.canvas.circle(x, y, self.cell * 0.2, 1, int(at == self.board.start))

    def door(self, at: Cell, d: int) -> None:
        """Draw an arrow through a door, in at the start; `d` leads out of the cell."""
        x, y = self.centre(at)
        out_x, out_y = ((0, 1), (1, 0), (0, -1), (-1, 0))[d]
        tip, base = (0.6, 0.95) if at == self.board.start else (0.95, 0.6)
        points = [
            (
                x + self.cell * (along * out_x + aside * out_y),
                y + self.cell * (along * out_y + aside * out_x),
            )
            for along, aside in ((tip, 0), (base, 0.22), (base, -0.22))
        ]
        path = self.canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        path.close()
        self.canvas.drawPath(path, stroke=0, fill=1)


@dataclass(frozen=True, slots=True)
class Drawing:
    """One drawing on a page: its board, a line of text, and who draws it."""

    board: Board
    caption: str
    paint: Callable[[Pen], None]


def pages_pdf(
    parts: Sequence[Sequence[Drawing]],
    sheet: Sheet,
    *,
    title: str,
    instructions: str,
    footer: str = "",
) -> bytes:
    """Return a PDF of drawings, with title, instructions and a line for a name.

    Every part begins on a page of its own, and its drawings are numbered. Fewer
    drawings than a page holds are drawn larger.

    - `footer`: one line at the bottom of each page.

    Raises `OptionError` if there is none, or a cell would be smaller than 1.2 points:
    its walls would run together.
    """
    from reportlab.pdfgen.canvas import Canvas

    drawings = [drawing for part in parts for drawing in part]
    if not drawings:
        raise OptionError("nothing to print")
    most = max(len(part) for part in parts)
    sheet = replace(sheet, per_page=min(sheet.per_page, most))
    rows = max(drawing.board.rows for drawing in drawings)
    cols = max(drawing.board.cols for drawing in drawings)
    down, across, cell = sheet.grid(rows, cols)
    if cell < _LEAST:
        raise OptionError(
            f"{sheet.per_page} of {rows} x {cols} a page leave cells of "
            f"{cell / MM:.2f} mm, below {_LEAST / MM:.2f}: put fewer on a page"
        )
    width, height = SIZES[sheet.paper]
    out = BytesIO()
    canvas = Canvas(out, pagesize=SIZES[sheet.paper], invariant=True, pageCompression=1)
    canvas.setTitle(title)
    canvas.setAuthor("oneway")
    canvas.setCreator("oneway")
    canvas.setSubject(instructions)
    slot_wide = (width - 2 * EDGE) / across
    slot_high = (height - 2 * EDGE - _HEAD) / down
    numbers = [number for part in parts for number in range(len(part))]
    for at, (number, drawing) in enumerate(zip(numbers, drawings, strict=True)):
        row, col = divmod(number % sheet.per_page, across)
        if row == col == 0:
            if at:
                canvas.showPage()
            canvas.setFont("Helvetica-Bold", 14)
            line = height - EDGE - 6 * MM
            canvas.drawString(EDGE, line, title)
            canvas.setFont("Helvetica", 10)
            canvas.drawRightString(width - EDGE, line, f"Name {'_' * 28}")
            canvas.drawString(EDGE, line - 6 * MM, instructions)
            canvas.setFont("Helvetica", 8)
            canvas.drawCentredString(width / 2, EDGE / 2, footer)
        board = drawing.board
        spare = slot_high - _CAPTION - board.rows * cell
        left = EDGE + col * slot_wide + (slot_wide - board.cols * cell) / 2
        top = height - EDGE - _HEAD - row * slot_high - spare / 2
        drawing.paint(Pen(canvas, board, left, top, cell))
        canvas.setFont("Helvetica", 8)
        middle, below = left + board.cols * cell / 2, top - board.rows * cell
        text = f"{number + 1}   {drawing.caption}"
        canvas.drawCentredString(middle, below - _CAPTION * 0.7, text)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def labyrinth_pdf(
    walks: Sequence[Position],
    captions: Sequence[str],
    sheet: Sheet,
    *,
    title: str = "",
    footer: str = "",
    solved: bool = False,
    answers: bool = False,
) -> bytes:
    """Return a PDF of labyrinths, each with a line of text below it.

    - `walks`: complete walks.
    - `captions`: one for each.
    - `title`, `footer`: the first and the last line of each page.
    - `solved`: whether the walks are drawn in, thin and red.
    - `answers`: whether all follow once more, solved.

    Raises `OptionError` if there is no walk, one is not complete, or the cells would be
    too small.
    """
    parts = [
        [
            Drawing(walk.board, caption, partial(_labyrinth, walk, drawn))
            for walk, caption in zip(walks, captions, strict=True)
        ]
        for drawn in ((False, True) if answers else (solved,))
    ]
    title = title or ("Labyrinth" if len(walks) == 1 else "Labyrinths")
    return pages_pdf(
        *(parts, sheet),
        title=f"{title}: solutions" if solved else title,
        instructions=INSTRUCTIONS,
        footer=footer,
    )


def _labyrinth(walk: Position, solved: bool, pen: Pen) -> None:
    pen.walls()
    if solved:
        pen.solution(walk)
    pen.sides(0.12, sorted(walls(walk)))
    for at in doorless(walk.board):
        pen.mark(at)
    for at, d in doors_of(walk.board):
        pen.door(at, d)
