"""The researcher's saved walks, texts and pictures, read and written."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from solver.board import Board, Position
from solver.errors import OptionError, SavedPathError
from verify.corpus.saved_path import (
    SavedPath,
    parse_saved_path,
    print_saved_path,
    read_saved,
)
from verify.strategies import positions

SAMPLE = "5|1-1,1;0,1-2,1;0,1-3,1;0,1-3,2;0,1,3-2,2;0,3"


@pytest.mark.parametrize(
    ("text", "position", "trailer"),
    [
        (SAMPLE, "5:RRDL", "DL"),
        ("5|1-1,1;0,1-2,1", "5:R", None),  # nothing stored
        ("5|1-1,1;-2,1;0", "5:R", "D"),  # a step by hand, against the rules
        ("5|1-1,1;0,1-2,1;1:1,10,3,False", "5:R", "R"),  # exits of 2023 are left out
        ("5|1,1;2,1\n", "5:R", None),  # coordinates only
        ("999|1-1,1", "999:", None),
    ],
)
def test_the_forms_that_occur(text: str, position: str, trailer: str | None) -> None:
    assert parse_saved_path(text) == SavedPath(Position.parse(position), trailer)


@pytest.mark.parametrize(
    ("text", "char", "why"),
    [
        ("", 1, "expected the board size"),
        ("x|1-1,1", 1, "expected the board size"),
        ("0|1-1,1", 1, "not between"),
        ("1000|1-1,1", 1, "not between"),
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
    for bad in (path, tmp_path / "none.txt"):
        with pytest.raises(SavedPathError, match="cannot be read"):
            read_saved(bad)


@settings(max_examples=30)
@given(positions())
def test_what_is_written_is_read_again(position: Position) -> None:
    allowed = "".join(position.options())
    if position.board != Board.square(position.board.rows):
        with pytest.raises(OptionError, match="no square"):
            print_saved_path(position, allowed)
        return
    text = print_saved_path(position, allowed)
    assert parse_saved_path(text) == SavedPath(position, allowed or None)
