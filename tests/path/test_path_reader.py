"""The reader of the contest's format: right boards, and faults with their place."""

import io
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.errors import GridFileError
from solver.path.board import MAX_SIDE, PathBoard
from solver.path.reader import read_boards

SAMPLE = """7

WBBUUUU
WWBUWWW
UWBBBWB
BWBBWWB
BWWBWBB
UBWWWBU
UWBBBWW

3

WBB
WWU
WBB

0
"""


class Dribble(io.BytesIO):
    """A stream that gives a few bytes at a time, as a slow pipe does."""

    step = 1

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(self.step)


class Terminal(Dribble):
    """A terminal: whoever reads on after the 0 waits for ever."""

    step = 4

    def read1(self, size: int | None = -1, /) -> bytes:
        assert b"0" not in self.getvalue()[: self.tell()], "read on after the 0"
        return super().read1(size)

    def isatty(self) -> bool:
        return True


def read(text: bytes, step: int = 1 << 16) -> tuple[list[PathBoard], str | None]:
    """Return the boards and the complaint without the file's name."""
    stream = Dribble(text)
    stream.step = step
    boards: list[PathBoard] = []
    try:
        boards.extend(read_boards(stream, "f"))  # keeps what came before an error
    except GridFileError as error:
        where = f"f, line {error.line}, column {error.col}: "
        complaint = str(error).removeprefix(where)
        return boards, f"{error.line}:{error.col} {complaint}"
    return boards, None


def naive(text: bytes) -> tuple[list[PathBoard], bool]:
    """Read by the words alone; True if all is well."""
    words = text.removeprefix(b"\xef\xbb\xbf").split()
    boards: list[PathBoard] = []
    while words:
        size = words.pop(0)
        if not re.fullmatch(rb"0*\d{1,4}", size) or int(size) > MAX_SIDE:
            return boards, False
        n = int(size)
        if n == 0:
            return boards, not words
        rows, words = words[:n], words[n:]
        if len(rows) < n or not all(re.fullmatch(rb"[WBU]{%d}" % n, r) for r in rows):
            return boards, False
        boards.append(PathBoard(n, b"".join(rows)))
    return boards, False


def test_both_copies_of_the_sample() -> None:
    boards, fault = read(SAMPLE.encode())
    assert fault is None
    assert [board.n for board in boards] == [7, 3]
    assert boards[1] == PathBoard.parse("WBB/WWU/WBB")
    for other in [
        SAMPLE.replace("\n\n", "\n"),  # no blank line after the size
        SAMPLE.replace("\n", "\r\n"),
        "\ufeff" + SAMPLE,
        " ".join(SAMPLE.split()),
        SAMPLE.replace("\n", "\t \n\n").rstrip(),
        SAMPLE.replace("7", "007", 1),
        SAMPLE.replace("7", "0000007", 1)[:-2] + "00000",
    ]:
        assert read(other.encode()) == (boards, None)


@pytest.mark.parametrize(
    ("text", "count", "complaint"),
    [
        ("", 0, "1:1 the input ends without the size 0 that must close it"),
        ("\n\n ", 0, "3:2 the input ends without the size 0 that must close it"),
        ("1\nW\n", 1, "3:1 the input ends without the size 0 that must close it"),
        ("1 W", 1, "1:4 the input ends without the size 0 that must close it"),
        ("2\nWB\n", 0, "3:1 the input ends after row 1 of 2"),
        ("2", 0, "1:2 the input ends after row 0 of 2"),
        ("1 W\n3\nWBU\nWB\nWBU 0", 1, "4:3 row 2 of 3 has 2 letters only"),
        ("2\nWB\nWBW\n0", 0, "3:3 row 2 of 2 has more than 2 letters"),
        ("2\nWB\nWx\n0", 0, "3:2 letter 'x' in row 2 of 2 is none of W, B and U"),
        ("2\nwb\nWB\n0", 0, "2:1 letter 'w' in row 1 of 2 is none of W, B and U"),
        ("2\nWé\n", 0, "2:2 letter 'é' in row 1 of 2 is none of W, B and U"),
        ("é", 0, "1:1 expected the size of a board, or 0 to end the input, got 'é'"),
        ("3\nWBW\nWBW\n\n0\n", 0, "5:1 expected row 3 of 3, got the number '0'"),
        ("3 WBW WBW 12", 0, "1:11 expected row 3 of 3, got the number '12'"),
        ("1\nW\nB\n0", 1, "3:1 more than 1 rows for a size of 1: got 'B'"),
        ("-3\nWBW", 0, "1:1 a size of '-3' is below 1; only 0 ends the input"),
        ("+3", 0, "1:1 expected the size of a board, or 0 to end the input, got '+3'"),
        (
            "3.0",
            0,
            "1:1 expected the size of a board, or 0 to end the input, got '3.0'",
        ),
        (
            "WBU",
            0,
            "1:1 expected the size of a board, or 0 to end the input, got 'WBU'",
        ),
        (" 4097", 0, "1:2 a size of '4097' is above 4096"),
        ("9" * 5000, 0, "1:1 a size of '99999999999999999...' is above 4096"),
        ("1 W 0\n 1 B 0", 1, "2:2 nothing may follow the 0 that ends the input"),
        ("1 W 0\nhello", 1, "2:1 nothing may follow the 0 that ends the input"),
        ("0 0", 0, "1:3 nothing may follow the 0 that ends the input"),
        ("2 " + "W" * 100_000, 0, "1:5 row 1 of 2 has more than 2 letters"),
    ],
)
@pytest.mark.parametrize("step", [3, 1 << 16])
def test_faults_have_a_place(text: str, count: int, complaint: str, step: int) -> None:
    boards, fault = read(text.encode(), step)
    assert (len(boards), fault) == (count, complaint)


def test_a_board_comes_before_the_next_one_is_read() -> None:
    stream = Dribble(b"1 W\n2 x")
    boards = read_boards(stream, "f")
    assert next(boards) == PathBoard.parse("W")
    assert stream.tell() <= 4
    with pytest.raises(GridFileError):
        next(boards)


def test_the_end_of_an_endless_word_is_not_awaited() -> None:
    class Endless(io.BytesIO):
        reads = 0

        def read1(self, size: int | None = -1, /) -> bytes:
            self.reads += 1
            assert self.reads < 10, "reads on for ever"
            return b"W" * 1000

    with pytest.raises(GridFileError, match="line 1, column 1: expected the size"):
        next(read_boards(Endless(), "f"))


def test_at_a_terminal_the_zero_is_enough() -> None:
    assert len(list(read_boards(Terminal(b"1 W\n0\n"), "terminal"))) == 1


WORDS = st.one_of(
    st.sampled_from(["0", "1", "2", "W", "B", "U", "WB", "UW", "BBB", "3", "-1", "x"]),
    st.text("WBU012é", max_size=4),
)
SPACES = st.sampled_from([" ", "\n", "\n\n", "\r\n", "\t", " \n "])


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(WORDS, SPACES)), st.integers(1, 9))
@example([("1", " "), ("W", "\n"), ("0", "\n"), ("0", " ")], 1)
def test_any_words_are_read_as_the_naive_reader_does(
    pairs: list[tuple[str, str]], step: int
) -> None:
    text = "".join(word + space for word, space in pairs).encode()
    boards, fault = read(text, step)
    assert (boards, fault is None) == naive(text)
    assert read(text) == (boards, fault)


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=40), st.integers(1, 9))
def test_any_bytes_give_boards_or_a_place(text: bytes, step: int) -> None:
    boards, fault = read(text, step)
    assert (boards, fault is None) == naive(text)
    if fault:
        line, col = map(int, fault.split(" ")[0].split(":"))
        lines = text.decode("utf-8", "replace").split("\n")
        assert 1 <= line <= len(lines)
        assert 1 <= col <= len(lines[line - 1]) + 1


GOOD = st.lists(
    st.integers(1, 4).flatmap(
        lambda n: st.text("WBU", min_size=n * n, max_size=n * n).map(
            lambda cells: PathBoard(n, cells.encode())
        )
    ),
    max_size=4,
)


@settings(deadline=None, max_examples=200)
@given(GOOD, st.data())
def test_one_wrong_byte_spoils_no_board_before_it(
    boards: list[PathBoard], data: st.DataObject
) -> None:
    text = ("".join(board.contest_text + "\n" for board in boards) + "0\n").encode()
    assert read(text) == (boards, None)
    at = data.draw(st.integers(0, len(text) - 1))
    byte = data.draw(st.sampled_from(b"WBU012 \nx"))
    spoiled = text[:at] + bytes([byte]) + text[at + 1 :]
    found, fault = read(spoiled, data.draw(st.integers(1, 9)))
    assert (found, fault is None) == naive(spoiled)
    whole = max(0, len(read(text[:at])[0]) - 1)  # the last may end in the spoiled word
    assert found[:whole] == boards[:whole]
