"""Forced edges and lines in proofs: what follows from them, and what is forged."""

from dataclasses import replace
from pathlib import Path

import pytest

from heuristic.groups import rules_together
from heuristic.rules.drawing import RuleSpec, Spot
from heuristic.rules.rulefile import parse_rules
from solver.board import Board
from tests.proof.test_clause_search import stands_of
from tests.proof.test_hostile import judged_forgeries
from tests.samples import proof_of
from verify.evidence.evidence import verify_exhaustive
from verify.proof.certificate import save_certificate
from verify.proof.checking import check_certificate
from verify.proof.prove import Proved, prove_rule

TEXT = """
[[rule]]
name = "{name}"
claim = "sound"
origin = "a test"
reason = "else a forced line is closed"
drawing = \"\"\"
{drawing}
\"\"\"
joined = {joined}
mates = {mates}
"""
# After a step to the left the cell ahead has two ways, to the ends of one line.
LOOPING = """
? ? % ?
. . K .
? x @ .
"""
FIRST: list[list[Spot]] = [[(2, 1), (1, 1)], [(-1, 1), (-1, 0)]]
BOTH: list[list[Spot]] = [[(1, 1), (-1, 1)]]
# The same by two lines, and a cell between them.
TWO = """
? % ? ? % ? ?
. . K . . K .
? ? x @ ? % ?
"""


def rule_of(
    name: str,
    joined: list[list[Spot]],
    mates: list[list[Spot]],
    drawing: str = LOOPING,
) -> RuleSpec:
    def told(pairs: list[list[Spot]]) -> str:
        return str([[list(at) for at in pair] for pair in pairs])

    text = TEXT.format(
        name=name, drawing=drawing.strip(), joined=told(joined), mates=told(mates)
    )
    (rule,) = parse_rules(text, "test")
    assert isinstance(rule, RuleSpec)
    return rule


GOOD = rule_of("looping", FIRST, BOTH)
NEVER = {
    "no line": rule_of("no-line", FIRST, []),
    "nothing forced": rule_of("nothing-forced", [], []),
    "it comes by the cell ahead": rule_of(
        "comes-by", [[(0, 1), (1, 1)], FIRST[1]], BOTH
    ),
}


def test_a_forced_line_closes_a_loop_on_every_board(tmp_path: Path) -> None:
    found = proof_of(GOOD)
    assert found.boards == "every board, with any walls and ends"
    path = save_certificate(found, tmp_path)
    checked = check_certificate(path, {GOOD.name: GOOD})
    assert (checked.fault, checked.boards) == (None, found.boards)


@pytest.mark.parametrize("why", list(NEVER))
def test_what_does_not_follow_has_no_proof_and_a_model_stands(why: str) -> None:
    assert not isinstance(prove_rule(NEVER[why], seconds=2.0), Proved)
    assert stands_of(NEVER[why]) > 0


def test_what_is_proved_spoils_no_board_and_what_is_not_does() -> None:
    for board in ("5", "5x7", "6x6@1,2>6,5!3,3"):
        rules = rules_together("looping", [GOOD])
        assert verify_exhaustive(rules, Board.parse(board)).sound
    loose = rules_together("loose", [NEVER["no line"]])
    assert not verify_exhaustive(loose, Board.parse("5x7")).sound


DEAD = """
[[rule]]
name = "{name}"
claim = "sound"
dead = [[[0, 0], [0, 1]]]
drawing = '''
? {ahead} .
{left} @ ?
'''
"""
FOLLOWED = parse_rules(DEAD.format(name="followed", ahead="X", left="."))[0]


def test_a_step_that_is_dead_when_followed_is_proved(tmp_path: Path) -> None:
    found = proof_of(FOLLOWED)
    assert found.boards == "every board, with any walls and ends"
    path = save_certificate(found, tmp_path)
    assert check_certificate(path, {FOLLOWED.name: FOLLOWED}).fault is None


@pytest.mark.no_cover
def test_no_forgery_about_forced_lines_is_believed(tmp_path: Path) -> None:
    counts = judged_forgeries(
        150, tmp_path, 1, {"looping": GOOD, "other": other(), "followed": FOLLOWED}
    )
    assert sum(counts.values()) == 150
    assert counts["refused when judged"] > 5


def other() -> RuleSpec:
    """Return a rule whose line is drawn whole: its edges are the loop's."""
    joined = [[(1, 1), (1, 2)], [(1, 2), (0, 2)], [(0, 2), (-1, 2)]]
    joined += [[(-1, 2), (-1, 1)]]
    drawing = ". . .\n. K .\nx @ ?"
    rule = rule_of("other", joined, [], drawing)
    return replace(rule, name="other")
