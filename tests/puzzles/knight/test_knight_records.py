"""Finished start classes of the enumeration: the tours they found are judged again."""

import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from solver.puzzles.knight.semimagic import below
from solver.puzzles.knight.tour import STARTS, Tour, class_of, named_cell, stored
from tests.puzzles.knight.samples import images, near, sums
from verify.puzzles.knight.boards import read_numbers
from verify.puzzles.knight.enumeration import tally
from verify.puzzles.knight.judge import judge

FILES = sorted((Path(__file__).parents[3] / "docs" / "tables").glob("knight-*.toml"))
KNOWN = {"c3": (9, 9, 6, 3, 1)}  # tours, classes, closed, open, symmetric


def read(file: Path) -> tuple[dict[str, Any], list[Tour]]:
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    tours = []
    for one in table["tour"]:
        flat = [number for row in read_numbers(one["numbers"]) for number in row]
        tours.append(tuple(flat.index(number) for number in range(1, 65)))
    return table, tours


def test_there_are_records() -> None:
    assert [file.stem for file in FILES] == [f"knight-{name}" for name in KNOWN]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_tours_of_a_record_are_semi_magic(file: Path) -> None:
    table, tours = read(file)
    for one, tour in zip(table["tour"], tours, strict=True):
        assert judge(read_numbers(one["numbers"])).semimagic  # by code of its own
        assert set(sums(tour)) == {260}
        assert sorted(tour) == list(range(64))
        assert all(b in near(a) for a, b in pairwise(tour))
        assert [named_cell(end) for end in one["ends"]] == [tour[0], tour[-1]]
        (start,) = table["starts"]
        assert tour[0] == named_cell(start)
        assert STARTS.index(class_of(tour[-1])) >= STARTS.index(start)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_counts_of_a_record(file: Path) -> None:
    table, tours = read(file)
    count = tally(tours)
    for name in ("hits", "classes", "closed", "open", "symmetric", "labelled"):
        assert table[name] == getattr(count, name), name
    forms = [min(i for one in (t, t[::-1]) for i in images(one)) for t in tours]
    assert len(set(forms)) == table["classes"]
    (start,) = table["starts"]
    found = (len(tours), count.classes, count.closed, count.open, count.symmetric)
    assert found == KNOWN[start]
    assert table["taken"][64] == len(tours)
    assert sum(table["taken"]) <= table["steps"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_search_finds_the_tours_of_a_record_again(file: Path) -> None:
    table, tours = read(file)
    units = Counter(len(unit.cells) for unit in stored()[table["starts"][0]])
    assert sum(units.values()) > 100
    for tour in tours:
        assert tour in below(tour[:22]).tours
        holding = [
            unit
            for unit in stored()[table["starts"][0]]
            if tour[: len(unit.cells)] == unit.cells
        ]
        assert len(holding) == 1
