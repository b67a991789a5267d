"""Paper, and a picture of ours as one page of a PDF: the same lines, no pixels.

Reads the SVG that `solver` and `heuristic` write, and no other: rectangles, circles,
polylines, groups, and paths of M, L, H, V, Q, C and Z, large or small.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from solver.errors import OptionError

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.pdfgen.pathobject import PDFPathObject

MM = 72 / 25.4  # points of a PDF
SIZES = {"a4": (210 * MM, 297 * MM), "letter": (612.0, 792.0)}
EDGE = 12 * MM  # what printers cannot reach, and some air
_CAPTION, _LINE = 8, 100  # points, and characters a line
_MOST = 40  # lines of a caption: what fits below a picture
_POINTS = 2.0  # a pixel at most: a cell of 24 pixels is 17 mm wide
_NUMBER = re.compile(r"-?[\d.]+(?:e[-+]?\d+)?")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "C": 6, "Z": 0}


def signed_canvas(out: BytesIO, paper: str, *, title: str, subject: str) -> "Canvas":
    """Return pages to draw on, which say what they are and are the same every time."""
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(out, pagesize=SIZES[paper], invariant=True, pageCompression=1)
    canvas.setTitle(title)
    canvas.setAuthor("oneway")
    canvas.setCreator("oneway")
    canvas.setSubject(subject)
    return canvas


def picture_pdf(svg: str) -> bytes:
    """Return a page of A4: the picture, as large as it fits, and its title below.

    >>> picture_pdf('<svg viewBox="0 0 2 2" width="2" height="2"></svg>')[:5]
    b'%PDF-'

    Raises `OptionError` if the picture holds what this does not read.
    """
    root = ElementTree.fromstring(svg)
    left, top, wide, high = map(float, root.attrib["viewBox"].split())
    title = next((one.text or "" for one in root if _name(one) == "title"), "")
    width, height = SIZES["a4"]
    lines = [title[at : at + _LINE] for at in range(0, len(title), _LINE)][:_MOST]
    below = len(lines) * _CAPTION * 1.25 + EDGE / 2
    unit = min(
        (width - 2 * EDGE) / wide,
        (height - 2 * EDGE - below) / high,
        _POINTS * float(root.attrib["width"]) / wide,
    )
    out = BytesIO()
    canvas = signed_canvas(
        out, "a4", title=title[:_LINE], subject="Hamiltonian walks on grids"
    )
    canvas.setFont("Courier", _CAPTION)
    for number, line in enumerate(lines, 1):
        y = height - EDGE - high * unit - EDGE / 4 - number * _CAPTION * 1.25
        canvas.drawCentredString(width / 2, y, line)
    canvas.saveState()
    canvas.translate((width - wide * unit) / 2, height - EDGE)
    canvas.scale(unit, -unit)
    canvas.translate(-left, -top)
    for element in root:
        _paint(canvas, element)
    canvas.restoreState()
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _paint(canvas: "Canvas", element: ElementTree.Element) -> None:
    """Paint an element, and what a group holds."""
    name, said = _name(element), element.attrib
    if name == "title":
        return
    canvas.saveState()
    for word, numbers in re.findall(r"(\w+)\(([^)]*)\)", said.get("transform", "")):
        values = [float(one) for one in _NUMBER.findall(numbers)]
        {"translate": canvas.translate, "rotate": canvas.rotate}[word](*values)
    if name == "g":
        for inner in element:
            _paint(canvas, inner)
    else:
        _style(canvas, said)
        path = canvas.beginPath()
        _outline(path, name, said)
        stroked = said.get("stroke", "none") != "none"
        filled = said.get("fill", "#000000") != "none"
        canvas.drawPath(path, stroke=int(stroked), fill=int(filled))
    canvas.restoreState()


def _style(canvas: "Canvas", said: dict[str, str]) -> None:
    from reportlab.lib.colors import HexColor

    if (fill := said.get("fill", "#000000")) != "none":
        canvas.setFillColor(HexColor(fill), float(said.get("fill-opacity", 1)))
    if (stroke := said.get("stroke", "none")) != "none":
        canvas.setStrokeColor(HexColor(stroke), float(said.get("stroke-opacity", 1)))
    canvas.setLineWidth(float(said.get("stroke-width", 1)))
    canvas.setLineCap(int(said.get("stroke-linecap") == "round"))
    canvas.setLineJoin(int(said.get("stroke-linejoin") == "round"))
    if dashes := _NUMBER.findall(said.get("stroke-dasharray", "")):
        canvas.setDash([float(one) for one in dashes])


def _outline(path: "PDFPathObject", name: str, said: dict[str, str]) -> None:
    def number(key: str) -> float:
        return float(said.get(key, 0))

    if name == "rect":
        corner = number("x"), number("y"), number("width"), number("height")
        path.roundRect(*corner, number("rx")) if "rx" in said else path.rect(*corner)
    elif name == "circle":
        path.circle(number("cx"), number("cy"), number("r"))
    elif name == "polyline":
        _trace(path, f"M{said['points']}")
    elif name == "path":
        _trace(path, said["d"])
    else:
        raise OptionError(f"no <{name}> can be printed")


def _trace(path: "PDFPathObject", data: str) -> None:
    """Draw the data of a path."""
    x = y = u = v = 0.0  # here, and where the line began
    for letter, taken in _steps(data):
        large = letter.upper()
        if letter.islower():
            shift = {"H": (x,), "V": (y,)}.get(large, (x, y) * 3)
            taken = [a + b for a, b in zip(taken, shift, strict=False)]
        if large == "Z":
            path.close()
            x, y = u, v
            continue
        before = x, y
        x = taken[-2] if large in "MLQC" else taken[0] if large == "H" else x
        y = taken[0] if large == "V" else y if large == "H" else taken[-1]
        if large == "M":
            u, v = x, y
            path.moveTo(x, y)
        elif large == "Q":  # as a cubic curve
            (a, b), (c, d) = before, taken[:2]
            first = a + (c - a) * 2 / 3, b + (d - b) * 2 / 3
            path.curveTo(*first, x + (c - x) * 2 / 3, y + (d - y) * 2 / 3, x, y)
        elif large == "C":
            path.curveTo(*taken)
        else:
            path.lineTo(x, y)


def _steps(data: str) -> Iterator[tuple[str, list[float]]]:
    """Yield the steps of a path: a letter and its numbers, never more than it takes."""
    for letter, numbers in re.findall(r"([A-Za-z])([^A-DF-Za-df-z]*)", data):
        values = [float(one) for one in _NUMBER.findall(numbers)]
        takes = _TAKES.get(letter.upper())
        if takes is None or len(values) % (takes or 1) or bool(values) != bool(takes):
            raise OptionError(f"the path {letter}{numbers[:20]!r} cannot be printed")
        for at in range(0, max(len(values), 1), takes or 1):
            yield letter, values[at : at + takes]
            # more points of a move are lines
            letter = {"M": "L", "m": "l"}.get(letter, letter)
