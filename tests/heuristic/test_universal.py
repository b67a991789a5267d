"""The universal rules: sound, switchable, and with reasons that survive a check."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from heuristic.groups import load_rules
from heuristic.rule import mask_of, union_mask
from heuristic.universal import universal
from heuristic.universal.universal import UniversalWalker
from solver.board import Board, Position
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict, get_oracle
from solver.positions import completable_positions
from solver.propagation.propagate import Propagator, Rules
from solver.solid.certificate import find_certificate
from tests.doubles.propagate import follow
from tests.doubles.reasons import find_reason_fault
from verify.strategies import boards, positions

NAMES = ("forced-edges", "fragments", "block-chain", "two-factor")
ALL = (*NAMES, "strips")
SETS = [*((name,) for name in NAMES), NAMES]
SOME = st.lists(st.sampled_from(ALL), min_size=1, max_size=5, unique=True)
ODD_ONES = boards(max_side=8, max_walls=4, corners=False)


@pytest.mark.no_cover
@pytest.mark.parametrize("names", SETS, ids=lambda names: "+".join(names))
@pytest.mark.parametrize(
    "board",
    [
        *("5", "4x5", "5@3,3>5,3", "5!2,3;2,4"),
        pytest.param("5x6@3,3>4,3", marks=pytest.mark.slow),
    ],
)
def test_no_completable_move_is_refuted(board: str, names: tuple[str, ...]) -> None:
    place, count = Board.parse(board), 0
    propagator = Propagator(place, UniversalWalker(names, place).rules)
    for position, good in completable_positions(place):
        follow(propagator, position.walk)
        assert not propagator.refuted
        assert not set(propagator.forbidden()) & set(good)
        count += 1
    assert count > 50


def check(position: Position, names: tuple[str, ...]) -> None:
    """What is forbidden is dead, told by `sat`, and its reason has no fault."""
    rules = load_rules(",".join(names))
    forbids = rules.forbids(position)
    tracker = rules.walker(position.board)
    for cell in position.walk[1:]:
        tracker.push(cell)
    told = ["".join(f.move for f in forbids if f.rule == rule) for rule in names]
    masks = [sum(1 << "URDL".index(move) for move in moves) for moves in told]
    assert tracker.masks() == masks
    sat = get_oracle("sat")
    for forbid in forbids:
        after = position.step(forbid.move)
        assert sat.decide(after).verdict is Verdict.DEAD
        assert forbid.reason.sentence
        fault = find_reason_fault(position.notation, forbid.move, forbid.reason)
        assert fault is None


@given(positions(ODD_ONES), SOME)
@settings(deadline=None, max_examples=48)
@example(  # a loop closes away from the edge that is looked at
    Position.parse("9@3,3>5,5:DDDDDRUURRUUL"), ["two-factor", "fragments"]
)
def test_any_board(position: Position, names: list[str]) -> None:
    check(position, tuple(names))


@given(positions(boards(min_side=9, max_side=21, square=True, odd=True)))
@settings(deadline=None, max_examples=15)
def test_large_squares(position: Position) -> None:
    check(position, NAMES)


@pytest.mark.parametrize(("side", "seed"), [(9, 1), (13, 2), (21, 3)])
def test_along_exact_walks(side: int, seed: int) -> None:
    walk = exact_walk(Board.square(side), seed).position
    for back in range(3, side * side - 1, side + 4):
        check(walk.back(back), NAMES)


def test_a_reason_is_for_its_move_alone() -> None:
    [forbid] = load_rules(NAMES[0]).forbids(Position.parse("5:RRDL"))
    assert forbid.move == "D"
    assert find_reason_fault("5:RRDL", "L", forbid.reason) is not None
    assert find_reason_fault("5:RR", "D", forbid.reason) is not None


def test_groups_and_names() -> None:
    universal = load_rules("universal").rules
    assert [rule.name for rule in universal] == list(ALL)
    assert [rule.name for rule in load_rules("universal-4").rules] == list(NAMES)
    assert load_rules("two-factor").rules[0].claim == "sound"
    assert all(rule.origin for rule in universal)


def test_a_refuted_position_has_all_its_moves_forbidden() -> None:
    position = Position.parse("5:RRDLD")
    moves = {f.move for f in load_rules("universal-4").forbids(position)}
    assert moves == set(position.options())


@pytest.mark.parametrize("text", ["9", "13", "8x11@1,4>8,11"])
def test_walks_are_those_that_the_rules_alone_make(text: str) -> None:
    walker = load_rules("universal").walker(Board.parse(text))
    assert isinstance(walker, UniversalWalker)
    for seed in range(1, 20):
        assert walker.walk(seed) == walker._alone(seed)


def test_a_walk_that_the_rules_do_not_make_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = Board.square(7)
    walker, right = load_rules("universal").walker(board), exact_walk(board, 5).position
    monkeypatch.setattr(universal, "strips_walk", lambda *_: None)
    assert walker.walk(5).position == right  # a walk that takes a search
    monkeypatch.setattr(universal, "strips_walk", lambda *_: Position(board))
    assert walker.walk(5).position == Position(board)
    with pytest.raises(AssertionError, match="seed 255"):
        walker.walk(255)  # one of those that are made in both ways


@pytest.mark.parametrize("side", [5, 7])
def test_rules_2_to_4_forbid_what_cuts_refute_and_no_more(side: int) -> None:
    """At all positions of 5 x 5 with a completion, and along drawn walks of 7 x 7."""
    board, seen = Board.square(side), set[tuple[str, bool, bool, bool]]()
    flow, blocks = Rules.TWO_FACTOR, Rules.BLOCK_CHAIN
    rules = [flow, flow | blocks, flow | blocks | Rules.FRAGMENTS]
    four, three, two = (Propagator(board, one) for one in rules)
    if side == 5:
        places = [place for place, _ in completable_positions(board)]
    else:
        walks = [exact_walk(board, seed).position for seed in range(6)]
        places = [walk.back(back) for walk in walks for back in range(2, 48)]
    for position in places:
        for propagator in (four, three, two):
            follow(propagator, position.walk)
        refuted = [set(one.forbidden()) for one in (four, three, two)]
        for move, cell in position.options().items():
            if cell != board.end:  # entered last, says the problem itself
                found = find_certificate(position.step(move))
                a, b, c = (move in one for one in refuted)
                seen.add((found.kind if found else "", a, b, c))
    assert seen == {
        ("", False, False, False),
        ("cuts", False, True, True),
        ("colours", True, True, True),
    }


def test_strips_alone_forbids_what_has_a_factor_and_is_dead() -> None:
    rules = load_rules("strips")
    for position, _ in completable_positions(Board.square(5)):
        wanted = set()
        for move, cell in position.options().items():
            found = find_certificate(position.step(move))
            if cell != position.board.end and found and found.kind != "colours":
                wanted.add(move)
        assert {f.move for f in rules.forbids(position)} == wanted
    apart = rules.forbids(Position.parse("4x2@2,1>1,1:R"))  # the square below is left
    assert "U" in {f.move for f in apart}


STUCK = sorted(Path("corpus/verdict").glob("31x31-*.toml"))


@pytest.mark.no_cover
@pytest.mark.parametrize("path", STUCK, ids=lambda path: path.stem[-6:])
def test_every_move_of_the_walks_that_stuck_under_probing(path: Path) -> None:
    """`strips` forbids what rules 1 to 4 leave and is dead; reasons are judged."""
    rules, search, sat = (
        load_rules("universal"),
        get_oracle("search"),
        get_oracle("sat"),
    )
    last = Position.parse(tomllib.loads(path.read_text())["position"])
    tracker = rules.walker(last.board)
    counted = 0
    for steps in range(1, len(last.walk) + 1):
        now = last.back(len(last.walk) - steps)
        mask = union_mask(tracker.masks())
        for move in now.options():
            after = now.step(move)
            dead = search.decide(after).verdict is Verdict.DEAD
            assert dead == bool(mask_of(move) & mask), after.notation
        if tracker.masks()[4]:
            for forbid in rules.forbids(now):
                fault = find_reason_fault(now.notation, forbid.move, forbid.reason)
                assert fault is None
                counted += forbid.rule == "strips"
        if steps < len(last.walk):
            tracker.push(last.walk[steps])
    assert counted >= 2
    assert all(
        sat.decide(last.step(f.move)).verdict is Verdict.DEAD
        for f in rules.forbids(last)
    )


def test_a_certificate_is_for_its_move_alone() -> None:
    now = Position.parse(tomllib.loads(STUCK[0].read_text())["position"])
    first, *_ = load_rules("universal").forbids(now)
    good = {"U", "R", "D", "L"} & set(now.options()) - set(first.move)
    for move in good:
        assert find_reason_fault(now.notation, move, first.reason) is not None
    for text in ("", "{}", "[1"):
        wrong = replace(first.reason, certificate=text)
        assert find_reason_fault(now.notation, first.move, wrong) is not None


@pytest.mark.parametrize("rules", ["universal", "universal-4", "strips", "fragments"])
def test_a_tracker_that_steps_back_answers_as_a_fresh_one(rules: str) -> None:
    rule_set = load_rules(rules)
    board = Board.square(7)
    position = Position.parse("7:RRDRURDDLDLLDLD")
    tracker = rule_set.walker(board)
    for cell in position.walk[1:]:
        tracker.push(cell)
    for steps in range(1, len(position.walk)):
        tracker.pop()
        fresh = rule_set.walker(board)
        for cell in position.back(steps).walk[1:]:
            fresh.push(cell)
        assert tracker.masks() == fresh.masks(), steps
