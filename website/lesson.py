"""The lesson: a page for a class that needs no installation and no network.

It holds the truth of every position of its board: a letter for each completable one.
"""

import base64
import zlib
from pathlib import Path

from solver.board import Board
from solver.positions import completable_positions

SIDE = 7


def lesson_pages() -> dict[str, str]:
    """Return the page by its place on the site."""
    text = (Path(__file__).parent / "lesson.html").read_text(encoding="utf-8")
    packed = base64.b64encode(zlib.compress(tree().encode(), 9)).decode()
    return {"lesson.html": text.replace("@tree@", packed).replace("@side@", str(SIDE))}


def tree(side: int = SIDE) -> str:
    """Return which moves keep a position completable, in depth-first preorder.

    A hexadecimal digit a position: U 1, R 2, D 4, L 8. Walks that begin with D are the
    mirrored other half, and left out.

    >>> tree(3)
    '624884220'
    """
    good = completable_positions(Board.square(side)).good.tolist()
    return "".join(f"{mask:x}" for mask in good[: (len(good) + 1) // 2])
