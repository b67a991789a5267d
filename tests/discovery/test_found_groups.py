"""The groups of the book that the machine found: what their files say of them."""

from statistics import median

import pytest

from heuristic.groups import APART, DISCOVERED, about, load_rules, rule_names
from heuristic.rules.drawing import AreaSpec, Kind, RuleSpec
from solver.board import Board
from tests.samples import proof_of, specs
from verify.discovery.question import Picture
from verify.evidence.evidence import verify_exhaustive
from verify.proof import prove
from verify.proof.formula import Scope
from verify.proof.prove import drawn_bans


def facts(rule: RuleSpec) -> int:
    """Cells that are asked, and areas, lines and followed steps; of the smallest."""
    drawing = min(rule.drawings, key=lambda one: len(one.needs))
    lined = {at for a in drawing.areas for at in (*a.cells, a.base, a.wall)}
    led = {at for _, at in drawing.pairs("dead")} - lined
    more = [word for word, *_ in drawing.facts if word in ("dead", "mates")]
    return len({n.at for n in drawing.needs} - led) + len(drawing.areas) + len(more)


def board_of(text: str) -> Board:
    return Board.parse(text)


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
    evidence = verify_exhaustive(load_rules(group), board_of(board))
    assert evidence.complete
    assert evidence.sound


def test_a_person_can_read_the_book_of_large_boards() -> None:
    counted = [facts(rule) for rule in specs("found-13")]
    assert len(counted) <= 250
    assert median(counted) <= 7
    assert max(counted) <= 12


@pytest.mark.parametrize("group", DISCOVERED)
def test_they_are_small_and_say_why(group: str) -> None:
    for rule in specs(group):
        assert rule.name.startswith("found-")
        assert rule.origin == "oneway discover"
        assert facts(rule) <= 8 or not rule.name.startswith(("found-5-", "found-7-"))
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
        attempt = proof_of(rule, seconds=5)
        assert attempt.scope is Scope.PLAIN


def test_they_are_no_part_of_the_book_of_the_researcher(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(prove, "group_names", lambda: ["seed-5", *APART])
    assert list(drawn_bans(prove.book_rules())) == rule_names("seed-5")


def test_hardly_a_walk_on_9_x_9_gets_stuck() -> None:
    rules, board = load_rules("found-9"), Board.square(9)
    walker = rules.walker(board)
    walks = map(walker.walk, range(1_000_000, 1_000_300))
    assert sum(not walk.complete for walk in walks) < 3
    assert list(drawn_bans(load_rules("found-5").rules)) == rule_names("found-5")


def test_facts_are_cells_and_areas() -> None:
    assert Picture((((0, 2), "%"), ((1, 1), "."))).facts == 2


def test_where_a_followed_step_leads_is_no_fact_more() -> None:
    area = AreaSpec(
        ((-1, -1), (-1, -2)), "left", (0, 0), (-1, -3), Kind.CLOSED, 0, 0, (-1, -1), 2
    )
    for step in (((0, 0), (0, 1)), ((-1, 0), (0, 0))):
        picture = Picture((), (area,), step)
        assert picture.facts == 5  # two marked cells, a wall, the area, the step
