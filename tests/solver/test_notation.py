import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board import Board, Position
from solver.errors import NotationError
from verify.strategies.positions import boards, positions

ALPHABET = "0123456789xURDL@>!;,: ürd-^()"


@pytest.mark.parametrize(
    "text",
    ["9:RRDDLDRR", "7x9:RRD", "7x9@2,1>7,9:RRD", "5!2,2;3,4:", "1:", "3@1,2>3,2!2,2:R"],
)
def test_reads_and_prints_the_same(text: str) -> None:
    position = Position.parse(text)
    assert position.notation == text
    assert eval(repr(position)) == position


def test_what_says_the_same_prints_the_same() -> None:
    assert Position.parse("9:D^4(RRU)^2").notation == "9:DDDDRRURRU"
    assert Position.parse("9:((R^2)^2D)^1((L))").notation == "9:RRRRDL"
    assert Position.parse("3x3@1,1>3,3:R").notation == "3:R"
    assert Board.parse("5!3,4;2,2").notation == "5!2,2;3,4"


@pytest.mark.parametrize(
    ("text", "char", "why"),
    [
        ("", 1, "number of rows"),
        ("9", 2, "expected ':'"),
        ("9;", 2, "expected ':' after the board, found ';'"),
        ("0:", 1, "the number of rows must be 1 or more"),
        ("-5:", 1, "the number of rows must be 1 or more"),
        ("5x0:", 3, "the number of columns must be 1 or more"),
        ("05:", 1, "begins with 0"),
        ("5:Rr", 4, "capital letters"),
        ("x5:", 1, "number of rows"),
        ("5x:", 3, "number of columns"),
        ("5:RX", 4, "found 'X'"),
        ("5:(RX)", 5, "found 'X'"),
        ("5:R)", 4, "found ')'"),
        ("5:(R", 5, "expected ')'"),
        ("5:()^2", 3, "nothing in parentheses"),
        ("5:R^", 5, "how often, a number"),
        ("5:R^0", 5, "how often must be 1"),
        ("5:^2", 3, "found '^'"),
        ("5:RD(LU)^9999999", 7, "visited at step 0"),
        ("5:(R^9999999)^9999999", 4, "leaves the board"),
        ("5:" + 9 * "(" + "R" + 9 * ")", 11, "more than 8"),
        ("5:r", 3, "found 'r'"),
        ("5:RR ", 5, "found ' '"),
        ("5:U", 3, "U from (1, 1) leaves the board"),
        ("5:RRL", 5, "visited at step 1"),
        ("5!2,1:D", 7, "enters a wall"),
        ("5@1,1:", 6, "expected '>'"),
        ("5@6,1>1,1:", 3, "the start (6, 1) lies outside"),
        ("5@1,1>1,1:", 2, "same cell"),
        ("5!:", 3, "row of a wall"),
        ("5!2,2;:", 7, "row of a wall"),
        ("5!2,2;2,2:", 7, "named already"),
        ("5!5,5:", 3, "stands on the start or the end"),
        ("5!2,2@1,1>5,5:", 6, "expected ':'"),
        ("\u0665:", 1, "number of rows"),
        ("12345678:", 1, "too large"),
        ("9999x9999:", 1, "more than 1048576 cells"),
    ],
)
def test_bad_text_names_the_character_and_why(text: str, char: int, why: str) -> None:
    with pytest.raises(NotationError) as error:
        Position.parse(text)
    assert error.value.char == char
    assert why in str(error.value)


def test_a_board_needs_no_colon_and_takes_nothing_after() -> None:
    assert Board.parse("7x9") == Board(7, 9)
    with pytest.raises(NotationError, match="unexpected ':' after the board"):
        Board.parse("7x9:")


@settings(max_examples=300)
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
    assert len(str(position).splitlines()) == position.board.rows


@given(boards(corners=False, max_walls=3))
def test_every_board_reads_back(board: Board) -> None:
    assert Board.parse(board.notation) == board
    assert eval(repr(board)) == board
