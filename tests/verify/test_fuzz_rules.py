"""The search for counterexamples: found, small, witnessed, and the same each time."""

from pathlib import Path
from typing import Any

import pytest

from heuristic.groups import (
    load_rules,
    rules_together,
    without_precedence,
)
from heuristic.python_rule import PythonRule
from heuristic.rule import Boards, RuleSet
from heuristic.rules.rulefile import parse_rules
from solver.board import Board, Position, Symmetry
from solver.errors import NoWalkError, OptionError, WitnessError
from solver.oracles.oracle import get_oracle
from tests.doubles.frontier import count_completions
from tests.samples import GAP, MENDED, rule_text
from verify import fuzz
from verify.checker.position import find_fault
from verify.corpus.cases import Case, save_case
from verify.evidence.evidence import verify_exhaustive
from verify.formatting import markdown_rows
from verify.fuzz import Counterexample, FuzzResult, fuzz_rules, variants
from verify.shrink import size_by_moves
from verify.truth import truth

ROOT = Path(__file__).parents[2]
FIRST = str(ROOT / "docs/examples/first-rule.toml")
# Drawings that forbid a completable move; each is one that somebody might draw.
WRONG = {
    "straight": "x\n@",
    "turn": "@ x",
    "corner-open": "? % ?\n% . ?\nx @ x",
    "next to the walk": "# . ?\n# @ x",
    "behind": "x @ .\n. ? .",
    "edge-ahead": "B B B\n? . ?\n? @ x",
    "long-lane": "% . ?\n% . ?\n% @ x",
}
FALLS = [
    ("sa-corner-big-first", 81),
    ("count-area-across-border-c", 49),
    ("straight-mid-across-3-end-c-crossed", 81),
]


def rule(picture: str, boards: str = "corners") -> RuleSet:
    text = rule_text("wrong", picture, f'boards = "{boards}"\n')
    return rules_together("wrong", parse_rules(text, "here"))


def counterexample(result: FuzzResult, rules: RuleSet) -> Counterexample:
    """Return the wrong rule: it forbids the moves, and a completion begins with one."""
    found = result.counterexample
    assert found is not None
    forbidden = {f.move for f in rules.forbids(found.position) if f.rule == found.rule}
    assert found.moves
    assert set(found.moves) <= forbidden
    assert find_fault(found.position.notation, found.witness) is None
    assert found.witness[0] == found.position.step(found.moves[0]).live_end
    assert size_by_moves(found.position) <= size_by_moves(found.original)
    return found


def smallest_by_exhaustion(rules: RuleSet) -> tuple[int, int]:
    """Return open cells and cells of the walk, of all corner boards up to 5 x 5."""
    sizes = []
    for rows in range(1, 6):
        for cols in range(1, 6):
            try:
                evidence = verify_exhaustive(rules, Board(rows, cols))
            except NoWalkError:
                continue
            example = evidence.rules[0].first_wrong
            if example is not None:
                sizes.append((rows * cols, len(example.position.walk)))
    return min(sizes)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_rules_shrink_to_the_smallest(name: str) -> None:
    rules = rule(WRONG[name])
    position = counterexample(fuzz_rules(rules, examples=200, seed=5), rules).position
    assert Boards.CORNERS.admits(position.board)
    size = position.board.open_cells, len(position.walk)
    assert size == smallest_by_exhaustion(rules)


def test_the_same_seed_gives_the_same_answer() -> None:
    rules = load_rules(FIRST)
    one = fuzz_rules(rules, examples=40, seed=2)
    assert one.counterexample is not None
    assert 1 < one.examples < 40
    assert fuzz_rules(rules, examples=one.examples, seed=2) == one
    assert fuzz_rules(rules, examples=one.examples - 1, seed=2).counterexample is None
    assert fuzz_rules(rules, examples=40, seed=4) != one
    clean = fuzz_rules(load_rules("c-shape"), examples=8, seed=1)
    assert clean.examples == 8
    assert clean.firings > clean.patterns > 0


def test_of_wrong_rules_the_first_at_the_smallest_position_is_named() -> None:
    def late(position: Position) -> str:
        return "".join(position.options()) if len(position.walk) == 4 else ""

    def early(position: Position) -> str:
        return "".join(position.options()) if len(position.walk) == 2 else ""

    def other(position: Position) -> str:
        return early(position)

    rules = RuleSet("mine", [*map(PythonRule, (late, early, other))])
    assert counterexample(fuzz_rules(rules, examples=30), rules).rule == "early"


@pytest.mark.parametrize("boards", ["plain", "rim", "any"])
def test_a_rule_is_asked_on_boards_it_is_meant_for(boards: str) -> None:
    rules = rule(WRONG["straight"], boards)
    result = fuzz_rules(rules, examples=60, seed=1)
    assert result.boards == (Boards(boards),)
    board = counterexample(result, rules).position.board
    assert Boards(boards).admits(board)
    assert board.open_cells == 3


def test_a_rule_is_accused_only_of_boards_it_is_meant_for() -> None:
    """It is proved from the upper left to the lower right corner alone."""
    rules = load_rules("near-border-front,c-shape")  # the other is for any boards
    clean = fuzz_rules(rules, examples=40, seed=1, max_side=9)
    assert clean.counterexample is None
    assert all(clean.fired.values())
    wide = fuzz_rules(rules, examples=40, seed=1, boards=Boards.ANY, max_side=9)
    assert counterexample(wide, rules).rule == "near-border-front"


def test_a_rule_in_python_is_asked_next_to_others() -> None:
    def corner_ahead(position: Position) -> list[str]:
        return [position.turn("left")] if len(position.walk) == 2 else []

    rules = RuleSet("mine", [*load_rules("c-shape").rules, PythonRule(corner_ahead)])
    found = counterexample(fuzz_rules(rules, examples=30, max_side=5), rules)
    assert found.rule == "corner-ahead"
    assert found.position.board.open_cells <= 6


def test_gaps_are_proved() -> None:
    rules = load_rules("seed-5")
    gap = fuzz_rules(rules, examples=60, gaps=True, max_side=7).counterexample
    assert gap is not None
    assert gap.rule == ""
    assert find_fault(gap.position.notation, gap.witness) is None
    forbidden = {f.move for f in rules.forbids(gap.position)}
    moves = {move: gap.position.step(move) for move in gap.position.options()}
    dead = {move for move, place in moves.items() if not count_completions(place)}
    assert set(gap.moves) == dead - forbidden != set()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"examples": 0}, "1 or more"),
        ({"max_side": 0}, "1 or more"),
        ({"seconds": 0}, "not above 0"),
    ],
)
def test_a_search_of_nothing_is_refused(options: dict[str, Any], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        fuzz_rules(load_rules("c-shape"), **options)


def test_the_search_begins_with_the_corpus(tmp_path: Path) -> None:
    rules, place = load_rules(FIRST), Position.parse("3:DDR")
    moves = truth(place, get_oracle("sat"))
    save_case(Case("verdict", "a test", "a test", place, moves), tmp_path)
    result = fuzz_rules(rules, examples=1, corpus=tmp_path)
    assert (result.examples, result.walks) == (0, 0)
    assert result.saved
    assert counterexample(result, rules).original.board.cells == 9
    assert fuzz_rules(rules, examples=1, corpus=tmp_path / "none").saved == 0
    late = fuzz_rules(rules, seconds=1e-9, corpus=tmp_path)
    assert (late.saved, late.examples) == (0, 0)


def test_variants_are_a_turn_a_move_or_a_near_wall_away() -> None:
    position = Position.parse(GAP)
    near = [position.back(), position, *map(position.step, position.options())]
    row, col = divmod(position.live_end, 7)
    free = set(range(48)) - {*position.walk}
    close = [c for c in free if abs(c // 7 - row) <= 2 >= abs(c % 7 - col)]
    walled = {Position(Board(7, 7, walls=(c,)), position.walk) for c in close}
    turned = {turn.position(one) for turn in Symmetry for one in near}
    assert {*variants([position])} == turned | walled
    start = Position.parse("3:")
    assert {one.notation for one in variants([start])} >= {"3:", "3:R", "3!2,2:"}


def test_a_sound_rule_is_not_accused() -> None:
    rules = rules_together("mended", parse_rules(MENDED, "here"))
    result = fuzz_rules(rules, examples=60, seed=3)
    assert result.counterexample is None
    assert result.fired["corner-ahead"] > 100
    assert result.positions > result.walks > 0
    assert result.saved == 0


def test_a_rule_that_seldom_fires_is_asked_at_positions_built_around_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = load_rules("double-area-1-rotated")
    assert fuzz_rules(rules, examples=30, seed=1).firings
    monkeypatch.setattr(fuzz, "_PLACES", 0)
    assert not fuzz_rules(rules, examples=30, seed=1).firings


def test_nothing_is_reported_without_a_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rule(WRONG["turn"])
    monkeypatch.setattr(fuzz, "find_fault", lambda *_: "the checker says no")
    with pytest.raises(WitnessError, match="the checker says no"):
        fuzz_rules(rules, examples=20)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("name", "cells"), FALLS)
def test_wrong_drawings_of_the_book_fall(name: str, cells: int, seed: int) -> None:
    rules = load_rules(name)
    found = counterexample(fuzz_rules(rules, seconds=20, seed=seed), rules)
    assert found.position.board.open_cells <= cells


@pytest.mark.slow
def test_proved_rules_are_not_accused_side_by_side() -> None:
    rows = markdown_rows((ROOT / "docs/tables/verdicts.md").read_text(encoding="utf-8"))
    names = [cells[0] for _, _, cells in rows if cells[2] == "PROVED"]
    assert len(names) >= 127
    rules = without_precedence(load_rules(",".join(names)))
    result = fuzz_rules(rules, seconds=600, seed=1)
    assert result.counterexample is None
    assert result.examples > 100
