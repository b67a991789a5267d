"""Letters as strokes, for pictures that must look the same where no font is installed.

A glyph is drawn on a grid 6 units wide and 9 high, the origin at its upper left. A
stroke is a run of points, each two digits ``xy``; strokes are parted by blanks. The
path is to be drawn with ``fill="none"``, a stroke width of about a tenth of the height,
and round caps and joins.
"""

from functools import cache
from typing import Literal, TypeAlias

from solver.errors import OptionError
from solver.files import table_beside

Anchor: TypeAlias = Literal["start", "middle", "end"]

_WIDTH, _HEIGHT, _ADVANCE = 6.0, 9.0, 8.5


@cache
def _glyphs() -> dict[str, str]:
    return table_beside(__file__, "glyphs.toml")


def text_width(text: str, height: float) -> float:
    """Return the width of the text, in the units of `height`.

    >>> text_width("34", 9)
    14.5
    """
    if not text:
        return 0.0
    return (_ADVANCE * (len(text) - 1) + _WIDTH) * height / _HEIGHT


def text_path(
    text: str, x: float, y: float, height: float, *, anchor: Anchor = "middle"
) -> str:
    """Return SVG path data of a line of text, `y` being the middle of its height.

    - `text`: digits, capital letters, blanks and ``-+=.,:/%?()*<>#``; small letters are
      drawn as capitals.
    - `x`, `y`: where the text stands: its start, middle or end, as `anchor` says.
    - `height`: height of a capital letter.
    - `anchor`: "start", "middle" or "end".

    Raises `OptionError` if there is no glyph for a character.

    >>> text_path("L", 3, 4.5, 9)
    'M0 0L0 9L6 9'
    """
    unit = height / _HEIGHT
    left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * text_width(
        text, height
    )
    top = y - height / 2
    parts = []
    for index, char in enumerate(text.upper()):
        if char not in _glyphs():
            raise OptionError(f"no glyph for {char!r} in {text!r}")
        at = left + index * _ADVANCE * unit
        for stroke in _glyphs()[char].split():
            points = [
                f"{at + int(col) * unit:.5g} {top + int(row) * unit:.5g}"
                for col, row in zip(stroke[::2], stroke[1::2], strict=True)
            ]
            parts.append("M" + "L".join(points))
    return "".join(parts)
