"""Cases of knight's tours are replayed, and bad case files are refused."""

from pathlib import Path

import pytest

from solver.errors import CaseError
from verify.knight.cases import KnightCase, load_cases, parse_case

FOLDER = Path(__file__).parents[2] / "corpus" / "knight"
CASES = load_cases(FOLDER)
STUCK = (FOLDER / "stuck-5x5-first.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_still_shows_what_it_claims(case: KnightCase) -> None:
    assert case.fault() is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('kind = "stuck"', 'kind = "lost"'),
        ("seed = 0", "seed = -1"),
        ("seed = 0", ""),
        ("seed = 0", "seed = 0\nmore = 1"),
        ("board = [5, 5]", "board = [5, 500]"),
        ("start = [", "start = [9, "),
        ('rule = "first"', 'rule = "second"'),
        ("why", "="),
        ("source", "sauce"),
    ],
)
def test_bad_cases_are_refused(old: str, new: str) -> None:
    assert old in STUCK
    with pytest.raises(CaseError):
        parse_case(STUCK.replace(old, new, 1), "x.toml")


def test_false_claims_are_found_out() -> None:
    wrong = STUCK.replace("blame = ", "blame = 1", 1)
    assert parse_case(wrong, "x.toml").fault() is not None
    wrong = STUCK.replace("cells = ", "cells = 1", 1)
    assert parse_case(wrong, "x.toml").fault() is not None


def test_a_start_off_the_board_and_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(CaseError):
        load_cases(tmp_path)
    (tmp_path / "x.toml").write_bytes(b"\xff")
    with pytest.raises(CaseError):
        load_cases(tmp_path)
