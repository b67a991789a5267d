"""`oneway knight` as a shell sees it."""

import json
from pathlib import Path

import pytest

from tests.puzzles.knights import EXAMPLE
from tests.puzzles.samples import ROOT
from tests.runner import assert_refused, run

JUDGED = """1 yes consecutive numbers a knight's move apart
2 yes every number once
3 yes equal column sums
4 yes equal row sums
5 yes closed
6 yes symmetric about the centre
7 no  both diagonals sum like a row: a diagonal sums to 264, row 1 to 260
rows      260 260 260 260 260 260 260 260
columns   260 260 260 260 260 260 260 260
diagonals 264 256
a tour: closed, symmetric, semi-magic
"""


def test_check_reads_and_draws_the_example(tmp_path: Path) -> None:
    pictures = [tmp_path / "tour.png", tmp_path / "tour.svg"]
    for picture in pictures:
        ran = run("knight", "check", "-", "-o", str(picture), stdin=EXAMPLE)
        assert ran.code == 0
        assert ran.out.startswith("43 46  1 24 41 20 63 22\n 2 25 42")
        assert ran.out.endswith("\n54 31 52  9 56 33 14 11\n" + JUDGED)
    assert pictures[0].read_bytes().startswith(b"\x89PNG")
    published = ROOT / "docs" / "img" / "knight-example.svg"
    assert pictures[1].read_text() == published.read_text()
    data = json.loads(run("knight", "check", "-", "--json", stdin=EXAMPLE).out)
    holds = [condition["holds"] for condition in data["conditions"].values()]
    assert holds == [True] * 6 + [False]


def test_check_of_no_tour_says_why() -> None:
    ran = run("knight", "check", "-", stdin="1 2 / 3 4")
    assert ran.code == 1
    assert "1 at (1, 1) and 2 at (1, 2) are no knight's move apart" in ran.out
    assert ran.out.endswith("not a tour\n")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1, column 1: no number"),
        ("1 2\n3", "line 2, column 1: a row of 1 numbers after rows of 2"),
        ("123456789 2 / 3 1234567890", "line 1, column 1: a number of more than 9"),
        ("1 " * 1_000_001, "line 1, column 1: more than 1,000,000 cells"),
    ],
)
def test_bad_boards_are_refused(text: str, why: str) -> None:
    ran = run("knight", "check", "-", stdin=text)
    assert_refused(ran)
    assert why in ran.err


def test_symmetric_ends_with_the_counts(tmp_path: Path) -> None:
    lines = run("knight", "symmetric", "--json").out.splitlines()
    last = json.loads(lines[-1])
    assert last["classes"] == 17
    assert last["hits"] == len(lines) - 1 == 18
    assert sum(json.loads(line)["same_as"] is not None for line in lines[:-1]) == 1
    picture = tmp_path / "tour.svg"
    first = run("knight", "symmetric", "-n", "1", "-o", str(picture))
    assert picture.read_text().startswith("<svg")
    assert run("knight", "check", "-", stdin=first.out).code == 0
    end = run("knight", "symmetric").out.splitlines()[-7:]
    counts = ["18", "17", "17", "0", "17", "0", "37,437,098"]
    assert [line.split()[0] for line in end] == counts


def test_tour_and_its_reasons(tmp_path: Path) -> None:
    ran = run("knight", "tour", "5x4")
    assert ran.code == 0
    assert run("knight", "check", "-", stdin=ran.out).code == 0
    none = run("knight", "tour", "4")
    assert none.code == 1
    assert "4 x 4 has none" in none.err
    closed = json.loads(run("knight", "tour", "6", "--closed", "--json").out)
    assert (closed["status"], len(closed["tour"])) == ("found", 36)
    picture = tmp_path / "big.svg"
    assert run("knight", "tour", "60", "-o", str(picture)).code == 0
    assert 'class="tour"' in picture.read_text()
    named = run("knight", "tour", "8", "--start", "6,3", "--json").out
    assert json.loads(named)["tour"][0] == 42


@pytest.mark.parametrize(
    "words",
    [
        ("tour", "0x4"),
        ("tour", "5", "--start", "9,9"),
        ("tour", "5", "--start", "1,x"),
        ("tour", "101"),
        ("enumerate", "--start", "a2"),
    ],
)
def test_bad_words_are_refused(words: tuple[str, ...]) -> None:
    assert_refused(run("knight", *words))


def test_an_estimate_has_a_line_for_each_level() -> None:
    words = ("knight", "enumerate", "--start", "c3", "--estimate", "200")
    values = json.loads(run(*words, "--json").out)
    assert len(values["width"]) == len(values["error"]) == 65
    assert values["width"][2] == 4
    assert run(*words).out.startswith("level  branching  width\n")
