"""Sheets to print: the number of pages, what lies on them, what is refused."""

import re
import zlib
from base64 import a85decode
from pathlib import Path

import pytest

from solver.board import Board
from solver.errors import OptionError, UnknownNameError
from solver.labyrinth import draw_labyrinth
from solver.oracles.exact import exact_walk
from solver.paper import SIZES, Drawing, Sheet, pages_pdf
from tests.runner import assert_refused, run

RED = ".8 .101961 .101961 RG"


def pages(pdf: bytes) -> list[str]:
    """Return the drawing of each page as text; a reader of what reportlab writes."""
    streams = re.findall(rb"stream\s(.*?)endstream", pdf, re.DOTALL)
    parts = [body.strip().removesuffix(b"~>") for body in streams]
    return [zlib.decompress(a85decode(part)).decode("latin-1") for part in parts]


def drawings(side: int, count: int, *, solved: bool = False) -> list[Drawing]:
    walks = (exact_walk(Board.square(side), seed).position for seed in range(count))
    return [(draw_labyrinth(walk, solved=solved), "x") for walk in walks]


def printed(*parts: list[Drawing], sheet: Sheet) -> bytes:
    return pages_pdf(parts, sheet, title="Title", instructions="Do it", footer="again")


@pytest.mark.parametrize("paper", sorted(SIZES))
@pytest.mark.parametrize("per_page", [1, 5, 12])
def test_pages_hold_every_drawing(paper: str, per_page: int) -> None:
    some = drawings(7, 13)
    pdf = printed(some, sheet=Sheet(paper, per_page))
    assert pdf == printed(some, sheet=Sheet(paper, per_page))
    text = pages(pdf)
    assert len(text) == -(-13 // per_page)
    width, height = SIZES[paper]
    assert f"/MediaBox [ 0 0 {width:.6g}"[:17].encode() in pdf
    for page in text:
        for words in ("Title", "Do it", "again", "Name ____"):
            assert words in page
        fonts = re.findall(r"/F(\d \d+) Tf", page)
        assert fonts[:4] == ["1 12", "2 14", "1 10", "1 8"]
        assert {*fonts[4:]} == {"1 8"}
        places = re.findall(r"1 0 0 1 ([\d.]+) ([\d.]+) cm\s+([\d.]+) 0 0 -", page)
        for left, top, unit in places:
            side = float(unit) * (7 * 24 + 12)
            assert 0 < float(left) < float(left) + side < width
            assert 0 < float(top) - side < float(top) < height
    sides = sum(len(re.findall(r" m\b", page)) for page in text)
    drawn = sum(len(re.findall(r"M\d", svg)) + 2 for svg, _ in some)  # two arrows
    assert sides == drawn


def test_solutions_follow_on_pages_of_their_own() -> None:
    plain, solved = drawings(5, 3), drawings(5, 3, solved=True)
    sheet = Sheet("a4", 3)
    (whole,) = pages(printed(plain, sheet=sheet))
    first, second = pages(printed(plain[:2], solved, sheet=sheet))
    assert (whole.count(RED), first.count(RED), second.count(RED)) == (0, 0, 3)
    lines = [len(re.findall(r" l\b", page)) for page in (whole, second)]
    assert lines[1] - lines[0] == 3 * 24
    alone, full = (printed(plain[:1], sheet=Sheet("a4", most)) for most in (4, 1))
    assert alone == full


def test_sheets_that_cannot_be_printed_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="a4"):
        Sheet("a5")
    for text in ("a4:0", "a4:49", "a4:x"):
        with pytest.raises(OptionError, match="a page"):
            Sheet.parse(text)
    with pytest.raises(OptionError, match="fewer on a page"):
        printed(drawings(81, 1) * 48, sheet=Sheet("a4", 48))
    with pytest.raises(OptionError, match="nothing to print"):
        printed([], sheet=Sheet())


def test_the_command_writes_labyrinths_and_solutions_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("mazes.pdf")
    words = ("walk", "9", "--exact", "-n", "5", "--seed", "3", "-o", "mazes.pdf")
    assert run(*words, "--paper", "letter:4").code == 0
    plain, solved = (
        pages(p.read_bytes()) for p in (file, tmp_path / "mazes-solutions.pdf")
    )
    assert len(plain) == len(solved) == 2
    assert "Go in at one door and out at the other" in plain[0]
    assert f"oneway {' '.join(words)} --paper letter:4" in plain[0]
    assert "Labyrinths" in plain[0]
    assert "Labyrinths: solutions" in solved[0]
    run(*words, "--title", "For Anna")
    assert "For Anna" in pages(file.read_bytes())[0]
    walls = ";".join(f"1,{col}" for col in range(2, 41))
    run("walk", "--exact", "-o", "mazes.pdf", f"40@2,1>2,2!1,1;{walls}")
    assert "oneway walk --exact -o mazes.pdf ..." in pages(file.read_bytes())[0]
    assert_refused(run(*words, "--paper", "a5"))
