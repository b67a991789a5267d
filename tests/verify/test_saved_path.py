"""The researcher's saved walks, texts and pictures, read and written."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from solver.board import Board, Position
from solver.errors import OptionError, SavedPathError
from verify.corpus.saved_path import (
    SavedPath,
    parse_saved_path,
    parse_saved_picture,
    print_saved_path,
    read_saved,
)
from verify.strategies import positions

SAMPLE = "5|1-1,1;0,1-2,1;0,1-3,1;0,1-3,2;0,1,3-2,2;0,3"


def test_a_saved_path_is_a_position_with_options() -> None:
    saved = parse_saved_path(SAMPLE)
    assert saved.position.notation == "5:RRDL"
    assert saved.trailer == "DL"


@pytest.mark.parametrize(
    ("text", "trailer"),
    [
        ("5|1-1,1;0,1-2,1", None),  # nothing stored
        ("5|1-1,1;-2,1;0", "D"),  # a step by hand, against the rules
        ("5|1-1,1;0,1-2,1;1:1,10,3,False", "R"),  # exits of 2023 are left out
        ("5|1,1;2,1", None),  # coordinates only
    ],
)
def test_the_forms_that_occur(text: str, trailer: str | None) -> None:
    saved = parse_saved_path(text)
    assert saved.position.notation == "5:R"
    assert saved.trailer == trailer


@pytest.mark.parametrize(
    ("text", "char", "why"),
    [
        ("", 1, "expected the board size"),
        ("x|1-1,1", 1, "expected the board size"),
        ("0|1-1,1", 1, "not between"),
        ("5|", 3, "expected 0,1-x,y"),
        ("5|1-2,2", 3, "does not begin at 1,1"),
        ("5|1-1,1;0-3,1", 9, "does not touch"),
        ("5|1-1,1;0-2,1;0-1,1", 15, "visited already"),
        ("5|1-1,1;0-6,1", 9, "lies outside"),
        ("5|1-1,1;4-2,1", 9, "expected 0,1-x,y"),
        ("5|1-1,1;;0-2,1", 9, "expected 0,1-x,y"),
        ("5|1-1,1;0-2,x", 9, "expected 0,1-x,y"),
    ],
)
def test_bad_text_names_the_character(text: str, char: int, why: str) -> None:
    with pytest.raises(SavedPathError, match=why) as error:
        parse_saved_path(text, "a.txt")
    assert error.value.char == char
    assert str(error.value).startswith("a.txt, character")


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(SAMPLE)
    assert read_saved(path) == parse_saved_path(SAMPLE)
    path.write_bytes(b"\xff")
    with pytest.raises(SavedPathError, match="cannot be read"):
        read_saved(path)
    with pytest.raises(SavedPathError, match="cannot be read"):
        read_saved(tmp_path / "none.txt")


PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5 5">
\t<path d="M0,0 h5 v5 h-5 z" fill="#dddddd" />
\t<rect x="1.25" y="0.25" width="0.5" height="0.5" fill="black" fill-opacity="0.5"  />
\t<rect width="1" height="1" x="0" y="0" fill="#ff0000" fill-opacity="0.15" />
\t<rect width="1" height="1" x="1" y="0" fill="#ff0000" fill-opacity="0.15" />
\t<rect width="1" height="1" x="1" y="1" fill="#ff0000" fill-opacity="0.15" />
\t<rect width="1" height="1" x="3" y="3" fill="#000000" fill-opacity="0.25" />
\t<rect width="1" height="1" x="2" y="1" fill="#000000" fill-opacity="0.1" />
\t<rect width="1" height="1" x="0" y="1" fill="#000000" fill-opacity="0.1" />
\t<path fill="transparent" stroke="gray" stroke-width="0.02" d="M 0.01 0 v 5" />
</svg>
"""


def test_a_picture_is_read() -> None:
    assert parse_saved_picture(PICTURE) == SavedPath(Position.parse("5:RD"), "RL")
    cropped = PICTURE.replace("0 0 5 5", "1 0 3 2")  # its grid has the size
    assert parse_saved_picture(cropped).position == Position.parse("5:RD")
    plain = PICTURE.replace("M 0.01 0 v 5", "")
    assert parse_saved_picture(plain).position == Position.parse("5:RD")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('x="0" y="0"', 'x="1" y="0"', "does not begin at 1,1"),
        ('x="1" y="1" fill="#ff', 'x="3" y="1" fill="#ff', "does not touch"),
        ('x="1" y="1" fill="#ff', 'x="0" y="0" fill="#ff', "visited already"),
        ('x="1" y="0"', 'x="9" y="0"', "outside the board"),
        ('x="1" y="0"', 'x="1e9" y="0"', "whole x and y"),
        ("#ff0000", "#00ff00", "no walk is drawn"),
        ("v 5", "v 0", "not between 1"),
    ],
)
def test_a_bad_picture_is_refused(old: str, new: str, why: str) -> None:
    text = PICTURE.replace(old, new)
    with pytest.raises(SavedPathError, match=why):
        parse_saved_picture(text, "x.svg")


@settings(max_examples=60)
@given(positions())
def test_what_is_written_is_read_again(position: Position) -> None:
    allowed = "".join(position.options())
    if position.board != Board.square(position.board.rows):
        with pytest.raises(OptionError, match="no square"):
            print_saved_path(position, allowed)
        return
    text = print_saved_path(position, allowed)
    assert parse_saved_path(text) == SavedPath(position, allowed or None)
