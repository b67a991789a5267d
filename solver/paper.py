"""Sheets to print: pages of a PDF with several drawings each.

A drawing is an SVG document of rectangles, discs, lines and polygons, as `labyrinth`
and the puzzles make them. The pages hold its vector lines on A4 or letter paper. The
same drawings make the same bytes.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from xml.etree import ElementTree

from solver.errors import OptionError, UnknownNameError
from solver.files import write_together
from solver.svg import CELL

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

MM = 72 / 25.4  # points of a PDF
SIZES = {"a4": (210 * MM, 297 * MM), "letter": (612.0, 792.0)}
EDGE = 12 * MM  # margin of the page
MOST = 48  # drawings on a page
_HEAD = 18 * MM  # height of the title and the instructions
_CAPTION = 6 * MM  # height of the line below a drawing
_LEAST = 1.2  # points a cell: the walls of smaller cells run together
_HAIR = 0.25  # points of the finest line
_SIDE = re.compile(r"M(\d+) (\d+)([hv])(\d+)")  # a side of a cell

Drawing: TypeAlias = tuple[str, str]  # an SVG document, and the line of text below it


@dataclass(frozen=True, slots=True)
class Sheet:
    """The paper, `a4` or `letter`, and 1 to 48 drawings on a page.

    Raises `UnknownNameError` for other paper; `OptionError` for other numbers.
    """

    paper: str = "a4"
    per_page: int = 1

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

    def grid(self, width: float, height: float) -> tuple[int, int, float]:
        """Return drawings down and across a page, and the points of an SVG unit.

        The grid makes drawings of `width` x `height` units as large as possible.
        """
        page_width, page_height = SIZES[self.paper]
        grids = []
        for across in range(1, self.per_page + 1):
            down = -(-self.per_page // across)
            wide = (page_width - 2 * EDGE) / across - EDGE / 2
            high = (page_height - 2 * EDGE - _HEAD) / down - _CAPTION - EDGE / 2
            grids.append((down, across, min(wide / width, high / height)))
        return max(grids, key=lambda grid: grid[2])


def pages_pdf(
    parts: Sequence[Sequence[Drawing]],
    sheet: Sheet,
    *,
    title: str,
    instructions: str,
    footer: str = "",
) -> bytes:
    """Return a PDF of drawings, with title, instructions and a line for a name.

    Each part begins on a new page, and its drawings are numbered. Fewer drawings than a
    page holds are drawn larger.

    Raises `OptionError` if there is no drawing, or a cell is smaller than 1.2 points.
    """
    from reportlab.pdfgen.canvas import Canvas

    drawings = [drawing for part in parts for drawing in part]
    if not drawings:
        raise OptionError("nothing to print")
    sheet = replace(sheet, per_page=min(sheet.per_page, max(map(len, parts))))
    sizes = [_size(svg) for svg, _ in drawings]
    width, height = (max(sides) for sides in zip(*sizes, strict=True))
    down, across, unit = sheet.grid(width, height)
    if unit * CELL < _LEAST:
        why = f"cells of {unit * CELL:.2f} points are too small to print"
        raise OptionError(f"{why}; put fewer on a page")
    page_width, page_height = SIZES[sheet.paper]
    slot_width = (page_width - 2 * EDGE) / across
    slot_height = (page_height - 2 * EDGE - _HEAD) / down
    out = BytesIO()
    canvas = Canvas(out, pagesize=(page_width, page_height), invariant=True)
    canvas.setTitle(title)
    canvas.setCreator("oneway")
    for part in parts:
        for number, (svg, caption) in enumerate(part):
            row, col = divmod(number % sheet.per_page, across)
            if row == col == 0:
                _write_head(canvas, sheet, title, instructions, footer)
            width, height = (side * unit for side in _size(svg))
            middle = EDGE + (col + 0.5) * slot_width
            spare = slot_height - _CAPTION - height
            top = page_height - EDGE - _HEAD - row * slot_height - spare / 2
            canvas.saveState()
            canvas.translate(middle - width / 2, top)
            canvas.scale(unit, -unit)  # then y runs down, as in SVG
            _paint(canvas, svg, _HAIR / unit)
            canvas.restoreState()
            canvas.setFont("Helvetica", 8)
            text = f"{number + 1}   {caption}"
            canvas.drawCentredString(middle, top - height - _CAPTION * 0.7, text)
            if (number + 1) % sheet.per_page == 0 or number + 1 == len(part):
                canvas.showPage()
    canvas.save()
    return out.getvalue()


def write_with_solutions(
    output: Path,
    drawings: Callable[[bool], Sequence[Drawing]],
    sheet: Sheet,
    *,
    title: str,
    instructions: str,
    footer: str,
) -> Path:
    """Write a PDF of drawings, and one of their solutions; return its path.

    - `drawings`: returns the drawings, or those with solutions if its argument is True.
    - others: as in `pages_pdf`.
    """
    solutions = output.with_stem(f"{output.stem}-solutions")
    files = []
    for path, head in ((output, title), (solutions, f"{title}: solutions")):
        parts = [drawings(path == solutions)]
        text = {"title": head, "instructions": instructions, "footer": footer}
        files.append((path, pages_pdf(parts, sheet, **text)))
    write_together(files)
    return solutions


def _size(svg: str) -> tuple[float, float]:
    _, _, width, height = ElementTree.fromstring(svg).attrib["viewBox"].split()
    return float(width), float(height)


def _write_head(
    canvas: "Canvas", sheet: Sheet, title: str, instructions: str, footer: str
) -> None:
    """Write the title, a line for a name, the instructions and the footer."""
    width, height = SIZES[sheet.paper]
    canvas.setFont("Helvetica-Bold", 14)
    canvas.drawString(EDGE, height - EDGE - 11, title)
    canvas.setFont("Helvetica", 10)
    canvas.drawRightString(width - EDGE, height - EDGE - 11, f"Name {'_' * 28}")
    canvas.drawString(EDGE, height - EDGE - 30, instructions)
    canvas.setFont("Helvetica", 8)
    canvas.drawCentredString(width / 2, EDGE / 2, footer)


def _paint(canvas: "Canvas", svg: str, hair: float) -> None:
    """Draw an SVG document, lines at least a `hair` wide; its paths are sides."""
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    for element in ElementTree.fromstring(svg):
        kind, look = element.tag.rpartition("}")[2], element.attrib
        fill, stroke = look.get("fill", "#000000"), look.get("stroke", "none")
        paint = int(stroke != "none"), int(fill != "none")
        if paint[0]:
            canvas.setStrokeColor(stroke)
            canvas.setLineWidth(max(float(look["stroke-width"]), hair))
        if paint[1]:
            canvas.setFillColor(fill)
        if kind == "rect":
            sides = [float(look.get(name, 0)) for name in ("x", "y", "width", "height")]
            canvas.rect(*sides, *paint)
        elif kind == "circle":
            x, y, radius = (float(look[name]) for name in ("cx", "cy", "r"))
            canvas.circle(x, y, radius, *paint)
        elif kind in ("polyline", "polygon"):
            points = [pair.split(",") for pair in look["points"].split()]
            path = canvas.beginPath()
            path.moveTo(*map(float, points[0]))
            for point in points[1:]:
                path.lineTo(*map(float, point))
            canvas.drawPath(path, *paint)
        elif kind == "path":
            path = canvas.beginPath()
            for left, top, way, length in _SIDE.findall(look["d"]):
                x, y, step = int(left), int(top), int(length)
                path.moveTo(x, y)
                path.lineTo(x + step * (way == "h"), y + step * (way == "v"))
            canvas.drawPath(path, *paint)
