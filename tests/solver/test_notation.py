import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board import Board, Position
from solver.errors import NotationError
from solver.notation import MAX_CELLS, position_text, unquoted
from verify.strategies import boards, positions

ALPHABET = "0123456789xURDL@>!;,: ürd-^()"


def test_texts_of_the_same_position_print_the_same() -> None:
    for text in ("7x9:RRD", "7x9@2,1>7,9:R", "3@1,2>3,2!2,2;3,1:R"):
        assert Position.parse(text).notation == text
    assert Position.parse("9:D^4(RRU)^2").notation == "9:DDDDRRURRU"
    assert Position.parse("9:(RR)^2(D)L").notation == "9:RRRRDL"
    assert Position.parse("3x3@1,1>3,3:R").notation == "3:R"
    assert Board.parse("5!3,4;2,2").notation == "5!2,2;3,4"
    assert Board.parse("1024x1024").cells == MAX_CELLS
    with pytest.raises(NotationError, match="unexpected ':' after the board"):
        Board.parse("7x9:")


@pytest.mark.parametrize(
    ("text", "char", "why"),
    [
        ("", 1, "expected the number of rows, a number from 1 to 9999999"),
        ("9", 2, "expected ':' after the board, found the end of the text"),
        ("12345678:", 1, "expected the number of rows, a number from 1 to 9999999"),
        ("5x0:", 3, "expected the number of columns, a number from 1 to 9999999"),
        ("05:", 1, "expected the number of rows, a number from 1 to 9999999"),
        ("5:(RX)", 5, "expected a move U, R, D or L, found 'X'"),
        ("5:(R", 5, "expected a move U, R, D or L, found the end of the text"),
        ("5:()^2", 4, "expected a move U, R, D or L, found ')'"),
        ("5:R^0", 5, "expected how often, a number from 1 to 9999999"),
        ("5:RD(LU)^9999999", 7, "U from (2, 1) enters a cell visited at step 0"),
        (
            "5:r",
            3,
            "expected a move U, R, D or L, found 'r'; moves are capital letters",
        ),
        ("5:U", 3, "U from (1, 1) leaves the board or enters a wall"),
        ("5:RRL", 5, "L from (1, 3) enters a cell visited at step 1"),
        ("5!2,1:D", 7, "D from (1, 1) leaves the board or enters a wall"),
        ("5@1,1:", 6, "expected '>' and the end, such as 5@1,1>5,5"),
        ("5@6,1>1,1:", 3, "the start (6, 1) lies outside the board of 5 x 5"),
        ("5@1,1>1,1:", 2, "start and end are the same cell (1, 1)"),
        ("5!2,2;2,2:", 7, "this wall was named already"),
        ("5!5,5:", 3, "a wall stands on the start or the end"),
        ("5!2,2@1,1>5,5:", 6, "expected ':' after the board, found '@'"),
        ("\u0665:", 1, "expected the number of rows, a number from 1 to 9999999"),
        ("9999x9999:", 1, "9999 x 9999 are more than 1048576 cells"),
        ("5@1,1>5,", 9, "expected the column of the end, a number from 1 to 9999999"),
        ("5@1,1>5,6:", 7, "the end (5, 6) lies outside the board of 5 x 5"),
        ("5!2,6:", 3, "a wall (2, 6) lies outside the board of 5 x 5"),
    ],
)
def test_bad_text_names_the_character_and_why(text: str, char: int, why: str) -> None:
    with pytest.raises(NotationError) as error:
        Position.parse(text)
    assert (error.value.char, error.value.why) == (char, why)


def test_characters_that_a_shell_takes_have_others() -> None:
    text = "7x9@1,1>7,8!2,2;3,4:RRD"
    assert unquoted(text) == "7x9@1.1-7.8_2.2_3.4:RRD"
    assert Position.parse(unquoted(text)).notation == text


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("3@2,2>1,1!3,3:", "◎   ·   ·|·   ○   ·|·   ·   █"),
        ("4:DDDRUURDD", "○   ·   ·   ·|│   ┌───┐   ·|│   │   │   ·|└───┘   ▼   ◎"),
        ("3@3,1>3,3:UURRDL", "┌───────┐|│   ◀───┘|○   ·   ◎"),
        ("3@3,1>3,3:RUU", "·   ▲   ·|·   │   ·|○───┘   ◎"),
        ("2:R", "○───▶|·   ◎"),
    ],
)
def test_pictures(text: str, drawn: str) -> None:
    assert position_text(Position.parse(text)) == drawn.replace("|", "\n")


@settings(deadline=None, max_examples=120)  # boards of a million cells take longer
@given(st.text(ALPHABET, max_size=20) | st.text(max_size=12))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    try:
        position = Position.parse(text)
    except NotationError as error:
        char = error.char
    else:
        assert Position.parse(position.notation) == position
        char = 1
    assert 1 <= char <= len(text) + 1


@given(positions(boards(corners=False, max_walls=3)))
def test_every_position_reads_back(position: Position) -> None:
    assert Position.parse(position.notation) == position
    assert eval(repr(position)) == position
    assert eval(repr(position.board)) == position.board
    assert len(str(position).splitlines()) == position.board.rows
