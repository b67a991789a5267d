"""Letters as strokes, for pictures that must look the same where no font is installed.

A glyph is drawn on a grid 6 units wide and 9 high, the origin at its upper left. A
stroke is a run of points, each two digits ``xy``; strokes are parted by blanks. The
path is to be drawn with ``fill="none"``, a stroke width of about a tenth of the height,
and round caps and joins.
"""

from typing import Literal, TypeAlias

from solver.errors import OptionError

Anchor: TypeAlias = Literal["start", "middle", "end"]

_WIDTH, _HEIGHT, _ADVANCE = 6.0, 9.0, 8.5

_GLYPHS = {
    " ": "",
    "0": "204062674929070220",
    "1": "123039 1959",
    "2": "02204062630969",
    "3": "01204062634424 446667492908",
    "4": "49400666",
    "5": "60100434446667492908",
    "6": "514020020729496766442406",
    "7": "006029",
    "8": "2402204062442406072949676644",
    "9": "182949676240200203254563",
    "A": "093069 1656",
    "B": "0040624404 446667490900",
    "C": "6240200207294967",
    "D": "00306366390900",
    "E": "60000969 0444",
    "F": "600009 0444",
    "G": "62402002072949676535",
    "H": "0009 6069 0464",
    "I": "1050 3039 1959",
    "J": "6067492907",
    "K": "0009 6005 2469",
    "L": "000969",
    "M": "0900356069",
    "N": "09006960",
    "O": "204062674929070220",
    "P": "09004062634505",
    "Q": "204062674929070220 4669",
    "R": "09004062634505 3569",
    "S": "624020020324446667492907",
    "T": "0060 3039",
    "U": "000729496760",
    "V": "003960",
    "W": "0019345960",
    "X": "0069 6009",
    "Y": "003460 3439",
    "Z": "00600969",
    "-": "1555",
    "+": "1454 3236",
    "=": "1353 1656",
    ".": "3839",
    ",": "3719",
    ":": "3233 3738",
    "/": "6009",
    "%": "6009 0010120200 5767695957",
    "?": "02204062633536 3839",
    "(": "40222749",
    ")": "20424729",
    "*": "3137 1256 1652",
    ">": "115418",
    "<": "511458",
    "#": "2019 5049 1363 0656",
}


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
        if char not in _GLYPHS:
            raise OptionError(f"no glyph for {char!r} in {text!r}")
        at = left + index * _ADVANCE * unit
        for stroke in _GLYPHS[char].split():
            points = [
                f"{at + int(col) * unit:.5g} {top + int(row) * unit:.5g}"
                for col, row in zip(stroke[::2], stroke[1::2], strict=True)
            ]
            parts.append("M" + "L".join(points))
    return "".join(parts)
