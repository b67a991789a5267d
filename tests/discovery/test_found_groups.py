"""The groups that the machine found, and gaps of the book that its drawings close."""

from itertools import islice
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from heuristic.groups import APART, DISCOVERED, about, load_rules, rule_names
from heuristic.rules.drawing import RuleSpec, area_behind
from solver.board import Board, Position
from tests.samples import proof_of, specs
from verify.corpus.cases import Case, corpus_folder, load_corpus
from verify.discovery.gaps import gaps_at
from verify.discovery.question import Picture
from verify.discovery.search import Pool, Search
from verify.evidence.evidence import verify_exhaustive
from verify.proof import prove
from verify.proof.formula import Scope
from verify.proof.prove import drawn_bans
from verify.truth import forbidden_moves

ROOT = Path(__file__).parents[2]
QUICK = "13:DDDDRRDRDDDRRULURRRRD"


def facts(rule: RuleSpec) -> int:
    """Cells that are asked, and areas, lines and followed steps; of the smallest."""
    drawing = min(rule.drawings, key=lambda one: len(one.needs))
    lined = {at for a in drawing.areas for at in (*a.cells, a.base, a.wall)}
    led = {at for _, at in drawing.pairs("dead")} - lined
    more = [word for word, *_ in drawing.facts if word in ("dead", "mates")]
    return len({n.at for n in drawing.needs} - led) + len(drawing.areas) + len(more)


@pytest.mark.parametrize(
    ("group", "board"),
    [
        ("found-5", "5"),
        ("found-7", "5x7"),
        ("found-7", "7x5"),
        pytest.param("found-7", "7", marks=pytest.mark.slow),
    ],
)
def test_nothing_is_missed_and_nothing_wrong(group: str, board: str) -> None:
    evidence = verify_exhaustive(load_rules(group), Board.parse(board))
    assert evidence.complete
    assert evidence.sound


@pytest.mark.parametrize(
    ("group", "most"), [*zip(DISCOVERED, (8, 8, 18, 12), strict=True)], ids=DISCOVERED
)
def test_they_are_small_and_say_why(group: str, most: int) -> None:
    counted = {rule.name: facts(rule) for rule in specs(group)}
    small = ("found-5-", "found-7-")
    assert all(f <= 8 for name, f in counted.items() if name.startswith(small))
    assert len(counted) <= 250
    assert median(counted.values()) <= 7
    assert max(counted.values()) <= most
    for rule in specs(group):
        assert rule.name.startswith("found-")
        assert rule.origin == "oneway discover"
        assert len(rule.reason) > 40
    assert about(group).startswith("discovered by machine")


@pytest.mark.parametrize(
    "group",
    [
        "found-5",
        "found-7",
        *(pytest.param(group, marks=pytest.mark.slow) for group in DISCOVERED[2:]),
    ],
)
def test_they_are_proved_for_every_board(group: str) -> None:
    for rule in specs(group):
        assert proof_of(rule, seconds=5).scope is Scope.PLAIN


def test_they_are_no_part_of_the_book_of_the_researcher(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(prove, "group_names", lambda: ["seed-5", *APART])
    assert list(drawn_bans(prove.book_rules())) == rule_names("seed-5")
    assert list(drawn_bans(load_rules("found-5").rules)) == rule_names("found-5")


def test_hardly_a_walk_on_9_x_9_gets_stuck() -> None:
    walker = load_rules("found-9").walker(Board.square(9))
    walks = map(walker.walk, range(1_000_000, 1_000_300))
    assert sum(not walk.complete for walk in walks) < 3


@pytest.mark.parametrize("step", [None, ((0, 0), (0, 1)), ((-1, 0), (0, 0))])
def test_facts_are_cells_areas_and_a_step_but_not_where_it_leads(
    step: tuple[tuple[int, int], tuple[int, int]] | None,
) -> None:
    assert Picture((((0, 2), "%"), ((1, 1), "."))).facts == 2
    area = area_behind([(-1, -1), (-1, -2)], (-1, -3))
    # two marked cells, a wall, the area, the step
    assert Picture((), (area,), step).facts == 4 + (step is not None)


def mined() -> list[Case]:
    """Return the cases of gaps of `seed-2024`."""
    cases = load_corpus(corpus_folder())
    return [case for case in cases if case.kind == "gap" and case.rules == "seed-2024"]


@pytest.mark.parametrize(
    ("quick", "cases"), [(True, 1), pytest.param(False, 9, marks=pytest.mark.slow)]
)
def test_a_gap_of_the_book_is_closed_by_a_proved_drawing(
    quick: bool, cases: int
) -> None:
    some = [case for case in mined() if not quick or case.position.notation == QUICK]
    assert len(some) == cases
    for case in some:
        pool = Pool(gaps_at(case.position.board, [(case.position, case.subject)]))
        drawings = Search(pool, 0, np.ones(len(pool.gaps))).explain()
        good = (drawing for drawing in drawings if pool.add([drawing])[0])
        some_good = islice(good, 1) if quick else good
        drawing = min(some_good, key=lambda one: one.picture.facts)
        assert drawing.picture.facts <= 12
        assert proof_of(drawing.rule, seconds=5)


def test_cases_of_gaps_that_the_pictures_of_2026_close() -> None:
    rules = load_rules("researcher-2026")
    closed = [case.subject in forbidden_moves(rules, case.position) for case in mined()]
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
    lines = [x.split()[:2] for x in text.splitlines() if x[:1] not in ("", "#")]
    assert (len(lines), sum(len(dead) for _, dead in lines)) == (137, 154)
    closed = [
        set(forbidden_moves(rules, Position.parse(place))) & set(dead)
        for place, dead in lines
    ]
    assert (sum(map(bool, closed)), sum(map(len, closed))) == (positions, moves)
