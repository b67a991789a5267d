from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import SavedPathError
from verify.corpus.saved_path import parse_saved_path, read_saved

SAMPLE = "5|1-1,1;0,1-2,1;0,1-3,1;0,1-3,2;0,1,3-2,2;0,3"


def test_a_saved_path_is_a_position_with_options() -> None:
    saved = parse_saved_path(SAMPLE)
    assert saved.position.notation == "5:RRDL"
    assert saved.options == ("RD", "RD", "RD", "RDL")
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
        ("x|1-1,1", 1, "found 'x'"),
        ("0|1-1,1", 1, "not between"),
        ("5|", 3, "expected a cell"),
        ("5|1-2,2", 5, "does not begin at 1,1"),
        ("5|1-1,1;0-3,1", 11, "does not touch"),
        ("5|1-1,1;0-2,1;0-1,1", 17, "visited already"),
        ("5|1-1,1;0-6,1", 11, "lies outside"),
        ("5|1-1,1;4-2,1", 9, "expected a direction"),
        ("5|1-1,1;;0-2,1", 9, "expected options"),
        ("5|1-1,1;0-2,x", 13, "expected the row"),
    ],
)
def test_bad_text_names_the_character(text: str, char: int, why: str) -> None:
    with pytest.raises(SavedPathError, match=why) as error:
        parse_saved_path(text, "a.txt")
    assert error.value.char == char
    assert str(error.value).startswith("a.txt, character")


def place_of_fault(text: str) -> int:
    try:
        parse_saved_path(text)
    except SavedPathError as error:
        return error.char
    return 1


@given(st.text("0123456789,;-|:TrueFalsx", max_size=30) | st.text(max_size=10))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert 1 <= place_of_fault(text) <= len(text) + 1


@given(st.integers(0, len(SAMPLE) - 1), st.sampled_from("0129,;-|:x"))
def test_a_changed_character_is_read_or_refused(at: int, char: str) -> None:
    assert 1 <= place_of_fault(SAMPLE[:at] + char + SAMPLE[at + 1 :]) <= len(SAMPLE) + 1


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(SAMPLE)
    assert read_saved(path) == parse_saved_path(SAMPLE)
    path.write_bytes(b"\xff")
    with pytest.raises(SavedPathError, match="cannot be read"):
        read_saved(path)
    with pytest.raises(SavedPathError, match="cannot be read"):
        read_saved(tmp_path / "none.txt")
