from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from solver.board import Position
from solver.errors import OptionError
from solver.svg import draw, png, write_picture
from verify.strategies import boards, positions

PLACE = Position.parse("5:RRD")


def classes(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [e.get("class", "") for e in root.iter() if e.get("class")]


def test_overlays_are_there_when_asked_for() -> None:
    assert classes(draw(PLACE)) == ["end", "walk", "start"]
    svg = draw(
        PLACE,
        areas=[(3, 4, 8), (10, 11)],
        forbidden="DL",
        edges=[(15, 20), (20, 21)],
        cells=[12],
        witness=[12, 11],
    )
    found = classes(svg)
    assert found.count("area") == 5
    assert found.count("forbidden") == 2
    assert found.count("future") == 2
    assert found.count("witness") == found.count("mark") == 1
    # cells 4 and 8 are black, 3 is white: row + col even is black
    assert 'data-counts="2 BLACK 1 WHITE"' in svg
    assert 'data-counts="1 BLACK 1 WHITE"' in svg


@settings(max_examples=30)
@given(positions(boards(corners=False, max_walls=3)))
def test_every_position_can_be_drawn(position: Position) -> None:
    svg = draw(position, forbidden="".join(position.options()))
    assert classes(svg).count("forbidden") == len(position.options())
    assert position.notation in "".join(ElementTree.fromstring(svg).itertext())


def test_png_is_a_picture_of_that_size() -> None:
    data = png(draw(Position.parse("5:")), zoom=1)
    assert data.startswith(b"\x89PNG")
    width = int.from_bytes(data[16:20], "big")
    assert width == 5 * 24 + 12


def test_a_png_that_would_fill_the_memory_is_refused() -> None:
    large = draw(Position.parse("150:"), scale=0.5)
    assert int.from_bytes(png(large, zoom=20)[16:20], "big") == 150 * 12 + 6
    with pytest.raises(OptionError, match="too large for PNG"):
        png(draw(Position.parse("5:"), scale=100), zoom=2)


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    for name in ("a.svg", "a.png"):
        write_picture(draw(PLACE), tmp_path / name)
    with pytest.raises(OptionError, match="must end in"):
        write_picture(draw(PLACE), tmp_path / "a.gif")
    with pytest.raises(OptionError, match="cannot write"):
        write_picture(draw(PLACE), tmp_path / "none" / "a.svg")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.png", "a.svg"]


@pytest.mark.parametrize("scale", [0, 1e9, float("nan")])
def test_a_scale_out_of_range(scale: float) -> None:
    with pytest.raises(OptionError, match="scale"):
        draw(PLACE, scale=scale)
