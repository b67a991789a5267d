"""Drawings of positions: every overlay, every position, every stroke letter."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from solver.board import Position
from solver.errors import OptionError
from solver.svg import centre, draw, png, text_path, text_width, write_pictures
from verify.strategies import boards, positions

PLACE = Position.parse("5:RRD")
SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-+=.,:/%?()*<>#"


def classes(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [e.get("class", "") for e in root.iter() if e.get("class")]


def test_overlays_are_drawn_on_request() -> None:
    assert classes(draw(PLACE)) == ["end", "walk", "start"]
    svg = draw(
        PLACE,
        areas=[(3, 4, 8), (10, 11)],
        forbidden="DL",
        edges=[(15, 20), (20, 21)],
        cells=[12],
        witness=[12, 11],
        doors=[(8, 13)],
        gaps="R",
        why="D",
    )
    drawn = classes(svg)
    counts = {name: drawn.count(name) for name in drawn}
    assert counts == {
        **{"area": 5, "forbidden": 2, "future": 2, "witness": 1, "mark": 1},
        **{"door": 1, "gap": 1, "counts": 2, "note": 2},
        **{"end": 1, "walk": 1, "start": 1},
    }
    crosses = re.findall(r'd="M([\d.]+) ([\d.]+)l([\d.]+) ([\d.]+)m0', svg)
    middles = {
        (float(x) + float(w) / 2, float(y) + float(h) / 2) for x, y, w, h in crosses
    }
    assert middles == {centre(PLACE.board, cell) for cell in (6, 8, 12)}
    # cells 4 and 8 are black, 3 is white: row + col even is black
    assert 'data-counts="2 BLACK 1 WHITE"' in svg
    assert 'data-counts="1 BLACK 1 WHITE"' in svg
    with pytest.raises(OptionError, match="'x' is none of U, R, D, L"):
        draw(PLACE, forbidden="x")


@settings(max_examples=30)
@given(positions(boards(corners=False, max_walls=3)))
def test_every_position_can_be_drawn(position: Position) -> None:
    svg = draw(position, forbidden="".join(position.options()))
    assert classes(svg).count("forbidden") == len(position.options())
    assert position.notation in "".join(ElementTree.fromstring(svg).itertext())


def test_every_letter_differs_and_stays_in_its_box() -> None:
    paths = {sign: text_path(sign, 3, 4.5, 9) for sign in SIGNS}
    for sign, path in paths.items():
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
        assert numbers, sign
        assert all(0 <= x <= 6 for x in numbers[::2]), sign
        assert all(0 <= y <= 9 for y in numbers[1::2]), sign
    assert len(set(paths.values())) == len(paths) - 1  # only O and 0 look the same


def test_a_line_of_text_has_three_anchors() -> None:
    start = text_path("LL", 0, 0, 9, anchor="start")
    assert text_path("LL", text_width("LL", 9) / 2, 0, 9) == start
    assert text_path("LL", text_width("LL", 9), 0, 9, anchor="end") == start
    assert text_path("ll", 0, 0, 9, anchor="start") == start
    assert (text_path("", 0, 0, 9), text_width("", 9)) == ("", 0)
    with pytest.raises(OptionError, match="no glyph for"):
        text_path("é", 0, 0, 9)


def test_a_png_has_twice_the_size_or_less_if_it_would_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    svg = draw(Position.parse("5:"))  # 5 * 24 + 12 units wide and high
    for pixels, side in ((4 * 132**2, 264), (4 * 132**2 - 1, 132), (132**2, 132)):
        monkeypatch.setattr("solver.svg._PIXELS", pixels)
        data = png(svg)
        assert data.startswith(b"\x89PNG")
        assert int.from_bytes(data[16:20], "big") == side
    monkeypatch.setattr("solver.svg._PIXELS", 132**2 - 1)
    with pytest.raises(OptionError, match="132 x 132 pixels is too large for PNG"):
        png(svg)


def test_pictures_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    svg = draw(PLACE)
    write_pictures([(tmp_path / "a.svg", svg), (tmp_path / "a.png", svg)])
    with pytest.raises(OptionError, match="must end in"):
        write_pictures([(tmp_path / "b.svg", svg), (tmp_path / "b.gif", svg)])
    with pytest.raises(OptionError, match="cannot write"):
        write_pictures([(tmp_path / "none" / "a.svg", svg)])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.png", "a.svg"]
