"""Forced edges and lines in proofs: what follows from them."""

from pathlib import Path

import pytest

from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.board import Board
from tests.proof.test_clause_search import remaining_models
from tests.samples import proof_of
from verify.evidence.evidence import verify_exhaustive
from verify.proof.certificate import save_certificate
from verify.proof.checking import check_certificate
from verify.proof.counterexample import alone
from verify.proof.prove import Proved, prove_rule

TEXT = """
[[rule]]
name = "{name}"
claim = "sound"
joined = {joined}
mates = {mates}
drawing = \"\"\"
{drawing}
\"\"\"
"""
# After a step to the left the cell ahead has two ways, to the ends of one line.
LOOPING = "? ? % ?\n. . K .\n? x @ ."
Pairs = list[list[list[int]]]
FIRST: Pairs = [[[2, 1], [1, 1]], [[-1, 1], [-1, 0]]]
BOTH: Pairs = [[[1, 1], [-1, 1]]]
ROUND: Pairs = [[[1, 1], [1, 2]], [[1, 2], [0, 2]], [[0, 2], [-1, 2]]]
ROUND += [[[-1, 2], [-1, 1]]]


def rule_of(name: str, joined: Pairs, mates: Pairs, drawing: str = LOOPING) -> RuleSpec:
    text = TEXT.format(name=name, joined=joined, mates=mates, drawing=drawing)
    return parse_rules(text, "test")[0]


GOOD = rule_of("looping", FIRST, BOTH)
DRAWN_WHOLE = rule_of("other", ROUND, [], ". . .\n. K .\nx @ ?")
UNPROVABLE = {
    "no line": rule_of("no-line", FIRST, []),
    "nothing forced": rule_of("nothing-forced", [], []),
    "by the cell ahead": rule_of("by-ahead", [[[0, 1], [1, 1]], FIRST[1]], BOTH),
}
EVERY_BOARD = "every board, with any walls and ends"


FOLLOWED = parse_rules(
    """
[[rule]]
name = "followed"
claim = "sound"
dead = [[[0, 0], [0, 1]]]
drawing = "? X .\\n. @ ?"
"""
)[0]


@pytest.mark.parametrize("rule", [GOOD, FOLLOWED], ids=lambda rule: rule.name)
def test_forced_edges_prove_a_rule_for_every_board(
    rule: RuleSpec, tmp_path: Path
) -> None:
    proved = proof_of(rule)
    assert proved.boards == EVERY_BOARD
    path = save_certificate(proved, tmp_path)
    checked = check_certificate(path, {rule.name: rule})
    assert (checked.fault, checked.boards) == (None, EVERY_BOARD)


@pytest.mark.parametrize("why", UNPROVABLE)
def test_a_rule_that_does_not_follow_keeps_a_model(why: str) -> None:
    assert not isinstance(prove_rule(UNPROVABLE[why], seconds=2.0), Proved)
    assert remaining_models(UNPROVABLE[why]) > 0


def test_only_the_proved_rule_is_right_on_small_boards() -> None:
    for board in ("5", "5x7", "6x6@1,2>6,5!3,3"):
        assert verify_exhaustive(alone(GOOD), Board.parse(board)).sound
    loose = alone(UNPROVABLE["no line"])
    assert not verify_exhaustive(loose, Board.parse("5x7")).sound
