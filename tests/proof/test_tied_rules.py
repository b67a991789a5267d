"""Generated rules about forced edges near the rim: proved, checked, and right."""

from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from heuristic.rules.rulefile import parse_rules
from solver.board import Board
from solver.positions import completable_positions
from tests.proof.lines import away_drawings, shows
from tests.proof.tied_rules import NARROW, board_in, tied_rules, tried, worlds_of
from verify.proof.certificate import check_certificate, save_certificate
from verify.proof.formula import Scope
from verify.proof.prove import Proved, prove_rule

RULES = 12
# Found by the generator: it needs start and end in opposite corners, and each fact.
CORNER = """
[[rule]]
name = "corner"
claim = "sound"
origin = "generated"
reason = "its formula has no model"
joined = [[[1, 2], [1, 1]]]
drawing = \"\"\"
% . . o
? . ? %
? x @ x
? ? ? ?
? ? ? %
\"\"\"
"""


def test_a_generated_rule_needs_its_forced_edge_and_the_corners() -> None:
    (rule,) = parse_rules(CORNER, "test")
    proved = prove_rule(rule, seconds=10.0)
    assert isinstance(proved, Proved)
    assert proved.scope is Scope.CORNERS
    (loose,) = parse_rules(CORNER.replace("joined", "# joined"), "test")
    assert not isinstance(prove_rule(loose, seconds=2.0, most=1), Proved)
    board = Board.parse("5x6")
    fired, wrong = tried([rule], completable_positions(board))
    assert wrong[0] == -1
    assert fired[0] > 0


@pytest.mark.parametrize("scope", NARROW, ids=lambda scope: scope.name)
def test_worlds_are_of_their_scope(scope: Scope) -> None:
    for tree in islice(worlds_of(scope, 5), 6):
        assert board_in(scope, tree.board)
        assert np.count_nonzero(tree.good) > 0


def test_a_wrong_rule_is_seen_in_the_worlds() -> None:
    """Without its forced edge the rule forbids a good move somewhere."""
    (loose,) = parse_rules(CORNER.replace("joined", "# joined"), "test")
    wrong = 0
    for tree in islice(worlds_of(Scope.CORNERS, 1), 60):
        wrong += tried([loose], tree)[1][0] >= 0
    assert wrong > 0


@pytest.mark.slow
@pytest.mark.parametrize("scope", [Scope.PLANAR, Scope.CORNERS], ids=lambda s: s.name)
def test_generated_rules_are_right_in_worlds_of_their_scope(
    scope: Scope, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some proved rules of a scope, each certificate checked; a million positions."""
    rules, told = [], Counter[str]()
    for proved, _ in tied_rules(scope, 1):
        if proved is None:
            told["no proof"] += 1
            continue
        checked = check_certificate(save_certificate(proved, tmp_path))
        assert checked.fault is None
        told[proved.scope.name] += 1
        if proved.scope is scope:
            rules.append(proved.rule)
        if len(rules) == RULES:
            break
    positions, fired = 0, np.zeros(len(rules), dtype=np.int64)
    for tree in worlds_of(scope, 2):
        count, wrong = tried(rules, tree)
        assert (wrong < 0).all(), [rules[i] for i in np.flatnonzero(wrong >= 0)]
        positions, fired = positions + len(tree), fired + count
        if positions > 1_000_000:
            break
    with capsys.disabled():
        print(f"\n{scope.name}: {dict(told)}; {positions:,} positions, ", end="")
        print(f"{fired.sum():,} firings of {np.count_nonzero(fired)} rules, none wrong")


@pytest.mark.slow
def test_no_walk_of_any_scope_shows_what_is_said_away_from_the_live_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Drawings of ends of lines, asked at walks with walls, rims and corners."""
    drawings, asked = away_drawings(), 0
    for scope in Scope:
        for tree in islice(worlds_of(scope, 3), 12):
            whole = np.flatnonzero(tree.good == 0)
            for index in whole[:: max(1, len(whole) // 4)]:
                walk = list(tree.position(int(index)).walk)
                if tree.board.cells > 36:
                    continue
                for drawing in drawings[::4]:
                    assert not shows(drawing, walk, tree.board, 8), (drawing, walk)
                asked += 1
    assert asked > 40
    with capsys.disabled():
        print(f"\n{asked} complete walks, {len(drawings[::4])} drawings: none is shown")
