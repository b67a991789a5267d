"""Gaps that mining found in the book of 2024: found drawings close them all."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from heuristic.groups import load_rules
from solver.board import Position
from tests.samples import proof_of
from verify.corpus.cases import Case, corpus_folder, load_corpus
from verify.discovery.gaps import gaps_at
from verify.discovery.search import Candidate, Pool, Search
from verify.truth import forbidden_moves

ROOT = Path(__file__).parents[2]
QUICK = "13:DDDDRRDRDDDRRULURRRRD"


def mined() -> dict[str, Case]:
    """Return the cases of gaps of `seed-2024`, by position."""
    return {
        case.position.notation: case
        for case in load_corpus(corpus_folder())
        if case.kind == "gap" and case.rules == "seed-2024"
    }


def explanations(case: Case) -> Iterator[Candidate]:
    """Yield drawings that forbid the dead move of a case."""
    position = case.position
    pool = Pool(gaps_at(position.board, [(position, case.subject)]))
    for drawing in Search(pool, 0, np.ones(len(pool.gaps))).explain():
        if pool.add([drawing])[0]:
            yield drawing


def test_a_gap_of_the_book_is_closed_by_a_proved_drawing() -> None:
    case = mined()[QUICK]
    drawing = next(explanations(case))
    assert proof_of(drawing.rule, seconds=5)
    assert drawing.picture.areas


def test_cases_of_gaps_that_the_pictures_of_2026_close() -> None:
    rules = load_rules("researcher-2026")
    closed = [
        case.subject in forbidden_moves(rules, case.position)
        for case in mined().values()
    ]
    assert (sum(closed), len(closed)) == (7, 9)


@pytest.mark.parametrize(
    ("group", "positions", "moves"),
    [
        ("researcher-2026", 25, 29),
        pytest.param("found-13", 135, 151, marks=pytest.mark.slow),
    ],
)
def test_gaps_of_saved_walks_that_rules_close(
    group: str, positions: int, moves: int
) -> None:
    rules = load_rules(group)
    text = (ROOT / "docs/found/saved-gaps.txt").read_text(encoding="utf-8")
    lines = [
        line.split()[:2] for line in text.splitlines() if line[:1] not in ("", "#")
    ]
    assert (len(lines), sum(len(dead) for _, dead in lines)) == (137, 154)
    closed = [
        set(forbidden_moves(rules, Position.parse(place))) & set(dead)
        for place, dead in lines
    ]
    assert (sum(map(bool, closed)), sum(map(len, closed))) == (positions, moves)


@pytest.mark.slow
def test_all_gaps_of_the_book_are_closed() -> None:
    cases = mined()
    assert len(cases) >= 8
    for case in cases.values():
        drawing = min(explanations(case), key=lambda drawing: drawing.picture.facts)
        assert drawing.picture.facts <= 12
        assert proof_of(drawing.rule, seconds=5)
