"""Labyrinths for paper: pages, sizes, and what lies on them."""

import re
import zlib
from base64 import a85decode
from pathlib import Path

import pytest

from solver.board import Board, Position
from solver.errors import OptionError, UnknownNameError
from solver.labyrinth import draw_labyrinth, walls
from solver.oracles.exact import exact_walk
from solver.paper import SIZES, Sheet, labyrinth_pdf
from tests.runner import assert_refused, run


def pages(pdf: bytes) -> list[str]:
    """Return the drawing of each page as text; a reader of what reportlab writes."""
    found = []
    for body in re.findall(rb"stream\s(.*?)endstream", pdf, re.DOTALL):
        data = body.strip().removesuffix(b"~>")
        found.append(zlib.decompress(a85decode(data)).decode("latin-1"))
    return found


def walks(side: int, count: int) -> list[Position]:
    return [exact_walk(Board.square(side), seed).position for seed in range(count)]


@pytest.mark.parametrize("paper", sorted(SIZES))
@pytest.mark.parametrize("per_page", [1, 5, 12])
def test_pages_hold_what_was_asked_inside_their_edges(
    paper: str, per_page: int
) -> None:
    drawn = walks(7, 13)
    sheet = Sheet(paper, per_page)
    pdf = labyrinth_pdf(drawn, ["x"] * 13, sheet)
    assert pdf.startswith(b"%PDF-")
    told = pages(pdf)
    assert len(told) == -(-13 // per_page)
    width, height = SIZES[paper]
    box = f"/MediaBox [ 0 0 {width:.6g}"[:20].encode()
    assert box[:14] in pdf
    for page in told:
        points = re.findall(r"([\d.]+) ([\d.]+) [ml]\b", page)
        assert all(0 < float(x) < width and 0 < float(y) < height for x, y in points)
    strokes = sum(len(re.findall(r" m\b", page)) for page in told)
    assert strokes == sum(len(walls(walk)) + 2 for walk in drawn)  # two arrows


def test_solutions_add_one_line_a_labyrinth() -> None:
    drawn = walks(5, 4)
    plain, solved = (
        pages(labyrinth_pdf(drawn, ["x"] * 4, Sheet("a4", 4), solved=s))
        for s in (False, True)
    )
    lines = [len(re.findall(r" l\b", page)) for page in (plain[0], solved[0])]
    assert lines[1] - lines[0] == 4 * 24
    assert ".8 .1 .1 RG" in solved[0]
    both = pages(labyrinth_pdf(drawn, ["x"] * 4, Sheet("a4", 4), answers=True))
    assert both[0] == plain[0]
    assert len(both) == 2
    assert ".8 .1 .1 RG" in both[1]


def test_the_same_walks_make_the_same_bytes() -> None:
    first, second = (labyrinth_pdf(walks(5, 2), ["a", "b"], Sheet()) for _ in "12")
    assert first == second


def test_one_alone_fills_its_page() -> None:
    drawn = walks(5, 1)
    alone, full = (
        labyrinth_pdf(drawn, ["x"], Sheet("a4", per_page)) for per_page in (4, 1)
    )
    assert pages(alone) == pages(full)


def test_a_picture_says_how_to_walk_it() -> None:
    svg = draw_labyrinth(walks(5, 1)[0])
    assert "<title>labyrinth 5</title><desc>Go in at one door" in svg


def test_what_cannot_be_printed_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="a4"):
        Sheet("a5")
    with pytest.raises(OptionError, match="0 a page"):
        Sheet("a4", 0)
    with pytest.raises(OptionError, match="fewer on a page"):
        labyrinth_pdf(walks(81, 1) * 48, ["x"] * 48, Sheet("a4", 48))
    with pytest.raises(OptionError, match="complete walk"):
        labyrinth_pdf([Position.parse("3:RR")], ["x"], Sheet())


def test_the_command_writes_labyrinths_and_solutions_apart(tmp_path: Path) -> None:
    file = tmp_path / "mazes.pdf"
    line = ("walk", "9", "--exact", "-n", "5", "--seed", "3", "-o", str(file))
    ran = run(*line, "--paper", "letter:4")
    assert ran.code == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "mazes-solutions.pdf", "mazes.pdf"
    ]  # fmt: skip
    assert [len(pages(p.read_bytes())) for p in tmp_path.iterdir()] == [2, 2]
    first = pages(file.read_bytes())[0]
    assert "Go in at one door and out at the other" in first
    again = "oneway walk 9 --exact --count 5 --seed 3 --paper letter:4"
    assert again in first  # what makes it again
    assert "Labyrinths" in first
    run(*line, "--title", "For Anna")
    assert "For Anna" in pages(file.read_bytes())[0]
    ends = "4@1,1>4,3"
    run("walk", ends, "--exact", "-o", str(file))
    assert f"oneway walk '{ends}' --exact --seed 0" in pages(file.read_bytes())[0]
    walls = ";".join(f"1,{col}" for col in range(2, 41))
    run("walk", f"40@2,1>2,2!1,1;{walls}", "--exact", "-o", str(file))
    assert "oneway walk --seed 0" in pages(file.read_bytes())[0]
    assert_refused(run(*line, "--paper", "a5"))
