"""`oneway knight` as a shell sees it."""

import json
from pathlib import Path

import pytest

from tests.puzzles.knights import EXAMPLE
from tests.runner import assert_refused, run


def test_check_reads_the_example(tmp_path: Path) -> None:
    ran = run("knight", "check", "-", stdin=EXAMPLE)
    assert ran.code == 0
    assert "closed, symmetric, semi-magic" in ran.out
    assert "diagonals 264 256" in ran.out
    data = json.loads(run("knight", "check", "-", "--json", stdin=EXAMPLE).out)
    holds = [condition["holds"] for condition in data["conditions"].values()]
    assert holds == [True] * 6 + [False]
    picture = tmp_path / "tour.png"
    run("knight", "check", "-", "-o", str(picture), stdin=EXAMPLE)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_check_of_no_tour_says_why() -> None:
    ran = run("knight", "check", "-", stdin="1 2 / 3 4")
    assert ran.code == 1
    assert "1 at (1, 1) and 2 at (1, 2) are no knight's move apart" in ran.out


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no number"),
        ("1 2\n3", "a row of 1 numbers after rows of 2"),
        ("12345678901 2 / 3 4", "a number of more than 9 digits"),
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
