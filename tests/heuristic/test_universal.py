"""The universal rules: sound, switchable, and with reasons that hold."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from heuristic import universal
from heuristic.groups import load_rules
from heuristic.rule import Reason, mask_of, union_mask
from heuristic.universal import UniversalWalker, conflict_reason
from heuristic.walker import Walker
from solver.board import Board, Position
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict, get_oracle
from solver.positions import completable_positions
from solver.propagation.propagate import Propagator, Rules
from solver.solid.certificate import find_certificate
from tests.doubles.propagate import follow
from tests.doubles.reasons import Judge
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


def check(position: Position, names: tuple[str, ...]) -> list[Reason]:
    """Forbidden moves are dead by `sat`, and their reasons hold; return these."""
    rules, board, sat = load_rules(",".join(names)), position.board, get_oracle("sat")
    forbids, walker = rules.forbids(position), rules.walker(board)
    walker.follow(position.walk)
    moves = ["".join(f.move for f in forbids if f.rule == rule) for rule in names]
    assert walker.masks() == [*map(mask_of, moves)]
    propagator = Propagator(board, UniversalWalker(names, board).rules)
    follow(propagator, position.walk)
    for forbid in forbids:
        after = position.step(forbid.move)
        assert sat.decide(after).verdict is Verdict.DEAD
        if forbid.rule == "strips":
            certificate = find_certificate(after)
            assert certificate
            assert forbid.reason.sentence == certificate.sentence
            assert forbid.reason.area == certificate.region
            continue
        propagator.push(after.live_end)
        assert Judge(propagator).accepts(forbid.reason), forbid
        propagator.pop()
    return [forbid.reason for forbid in forbids if forbid.rule != "strips"]


@given(positions(ODD_ONES), SOME)
@settings(deadline=None, max_examples=48)
@example(  # a loop closes away from the decided edge
    Position.parse("9@3,3>5,5:DDDDDRUURRUUL"), ["two-factor", "fragments"]
)
def test_any_board(position: Position, names: list[str]) -> None:
    check(position, tuple(names))


@pytest.mark.parametrize(("side", "seed"), [(9, 1), (13, 2), (21, 3)])
def test_along_exact_walks(side: int, seed: int) -> None:
    walk = exact_walk(Board.square(side), seed).position
    for back in range(3, side * side - 1, side + 4):
        check(walk.back(back), NAMES)


CONFLICTS = {
    "dead end: cell 1,2 needs 2 edges and can have 1": "5:DR block-chain",
    "cell 1,2 needs 2 edges and can have 0": "7:DRRU block-chain",
    "cell 2,5 would have 3 edges": "5:RRDDR forced-edges",
    "the edges close a loop that leaves cells out": "5!2,3:D forced-edges,fragments",
    "6 cells are cut off: no possible edge leads there": "5:RRDDDRR block-chain",
    "the region of 7 cells has one entrance, cell 5,2": "5:RRDDD block-chain",
    "a way from cell 1,2 to cell 5,5 has black minus white +0 between them, not 11 "
    "minus 10": "5!2,3: block-chain",
    "the black cells of the area still need 22 edges and its white cells 21, and 0 can "
    "leave at black cells": "9:DDRUURDDRDDDDRUR universal-4",
}


@pytest.mark.parametrize("sentence", CONFLICTS)
def test_a_conflict_of_each_form_has_its_reason(sentence: str) -> None:
    text, rules = CONFLICTS[sentence].split()
    names = tuple(rule.name for rule in load_rules(rules).rules)
    reasons = check(Position.parse(text), names)
    assert sentence in {reason.sentence for reason in reasons}


def test_a_reason_is_for_its_move_alone() -> None:
    [forbid] = load_rules(NAMES[0]).forbids(Position.parse("5:RRDL"))
    propagator = Propagator(Board.square(5), Rules.FOUR)
    follow(propagator, Position.parse("5:RRDLL").walk)
    assert not Judge(propagator).accepts(forbid.reason)
    with pytest.raises(AssertionError, match="no conflict"):
        conflict_reason(propagator)


def test_groups_and_names() -> None:
    rules = load_rules("universal").rules
    assert [rule.name for rule in rules] == list(ALL)
    assert [rule.name for rule in load_rules("universal-4").rules] == list(NAMES)
    assert all(rule.origin and rule.claim == "sound" for rule in rules)
    assert rules[4].related == ("strips",) != rules[0].related == ("search",)


def test_a_refuted_position_has_all_its_moves_forbidden() -> None:
    position = Position.parse("5:RRDLD")
    moves = {f.move for f in load_rules("universal-4").forbids(position)}
    assert moves == set(position.options())


@pytest.mark.parametrize("text", ["9", "13", "8x11@1,4>8,11"])
def test_walks_are_those_that_the_rules_alone_make(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board.parse(text)
    walker = load_rules("universal").walker(board)
    exact = [walker.walk(seed) for seed in range(1, 20)]
    assert exact == [Walker.walk(walker, seed) for seed in range(1, 20)]
    monkeypatch.setattr(universal, "strips_walk", lambda *_: None)
    assert walker.walk(5) == exact[4]  # a walk that takes a search
    monkeypatch.setattr(universal, "strips_walk", lambda *_: Position(board))
    assert walker.walk(5) == Position(board)
    assert load_rules("strips").walker(board).walk(5) != Position(board)


@pytest.mark.parametrize("side", [5, 7])
def test_rules_2_to_4_forbid_what_cuts_refute_and_no_more(side: int) -> None:
    """At all positions of 5 x 5 with a completion, and along drawn walks of 7 x 7."""
    board, seen = Board.square(side), set[tuple[str, bool, bool, bool]]()
    flow, blocks = Rules.TWO_FACTOR, Rules.BLOCK_CHAIN
    rules = [flow, flow | blocks, flow | blocks | Rules.FRAGMENTS]
    propagators = [Propagator(board, some) for some in rules]
    if side == 5:
        places = [place for place, _ in completable_positions(board)]
    else:
        walks = [exact_walk(board, seed).position for seed in range(6)]
        places = [walk.back(back) for walk in walks for back in range(2, 48)]
    for position in places:
        for propagator in propagators:
            follow(propagator, position.walk)
        refuted = [propagator.forbidden() for propagator in propagators]
        for move, cell in position.options().items():
            if cell != board.end:  # entered last, says the problem itself
                certificate = find_certificate(position.step(move))
                a, b, c = (move in moves for moves in refuted)
                seen.add((certificate.kind if certificate else "", a, b, c))
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
            certificate = find_certificate(position.step(move))
            if cell != position.board.end and certificate:
                wanted |= {move} if certificate.kind != "colours" else set()
        assert {f.move for f in rules.forbids(position)} == wanted
    apart = rules.forbids(Position.parse("4x2@2,1>1,1:R"))  # the square below is left
    assert "U" in {f.move for f in apart}


STUCK = sorted(Path("corpus/verdict").glob("31x31-*.toml"))


@pytest.mark.no_cover
@pytest.mark.parametrize("path", STUCK, ids=lambda path: path.stem[-6:])
def test_every_move_of_the_walks_that_stuck_under_probing(path: Path) -> None:
    rules, search = load_rules("universal"), get_oracle("search")
    last = Position.parse(tomllib.loads(path.read_text())["position"])
    walker = rules.walker(last.board)
    counted = 0
    for steps in range(1, len(last.walk) + 1):
        now = last.back(len(last.walk) - steps)
        masks = walker.masks()
        for move in now.options():
            after = now.step(move)
            dead = search.decide(after).verdict is Verdict.DEAD
            assert dead == bool(mask_of(move) & union_mask(masks)), after.notation
        if masks[4]:
            check(now, ALL)
            counted += masks[4].bit_count()
        if steps < len(last.walk):
            walker.push(last.walk[steps])
    assert counted >= 2
    check(last, ALL)
