"""Forced edges and lines in proofs: what follows from them, and what is forged."""

import json
import lzma
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from heuristic.groups import drawn_rules
from heuristic.rules.drawing import RuleSpec, Spot
from heuristic.rules.rulefile import parse_rules
from solver.board import Board
from tests.proof.test_clause_search import stands_of
from tests.proof.test_hostile import judged_forgeries
from tests.samples import proof_of
from verify.checker.reading import unpacked
from verify.evidence.evidence import verify_exhaustive
from verify.proof.certificate import rule_hash, save_certificate
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
    checked = check_certificate(save_certificate(found, tmp_path), {})
    assert checked.fault is None
    assert not checked.assumes
    (told,) = checked.claims
    assert "the completion uses the edge [1,1] to [2,1]" in told
    assert "follows one forced line from [-1,1] to [1,1], or back" in told


@pytest.mark.parametrize("why", list(NEVER))
def test_what_does_not_follow_has_no_proof_and_a_model_stands(why: str) -> None:
    assert not isinstance(prove_rule(NEVER[why], seconds=2.0), Proved)
    assert stands_of(NEVER[why]) > 0


def test_what_is_proved_spoils_no_board_and_what_is_not_does() -> None:
    for board in ("5", "5x7", "6x6@1,2>6,5!3,3"):
        rules = drawn_rules("looping", [GOOD])
        assert verify_exhaustive(rules, Board.parse(board)).sound
    loose = drawn_rules("loose", [NEVER["no line"]])
    assert not verify_exhaustive(loose, Board.parse("5x7")).sound


def forged(found: Proved, change: dict[str, Any]) -> bytes:
    """Return a certificate whose drawing says something else of forced lines."""
    data = unpacked(certificate(found))
    (drawing,) = data["rule"]["drawings"]
    drawing |= change
    data["hash"] = rule_hash(data["rule"])
    return lzma.compress(json.dumps(data).encode())


def certificate(found: Proved) -> bytes:
    from verify.proof.certificate import certificate_of

    return certificate_of(found)


EDGE, OTHER = ["joined", 1, 1, 2, 1], ["joined", -1, 0, -1, 1]
LINE = ["mates", -1, 1, 1, 1]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([EDGE, OTHER], "does not follow"),
        ([LINE], "one forced edge"),
        ([EDGE, EDGE, OTHER, LINE], "given twice"),
        ([EDGE, OTHER, LINE, ["mates", 1, 1, -1, 0]], "or two lines"),
        ([EDGE, OTHER, ["joined", 1, 1, -1, 1]], "no edge"),
        ([EDGE, OTHER, LINE, ["joined", 0, 1, 1, 1]], "one forced edge"),
        ([EDGE, OTHER, LINE, ["joined", 0, 0, -1, 0]], "needed free"),
    ],
)
def test_a_certificate_of_another_line_is_refused(
    lines: list[list[Any]], why: str, tmp_path: Path
) -> None:
    path = tmp_path / "looping.proof.xz"
    path.write_bytes(forged(proof_of(GOOD), {"lines": lines}))
    fault = check_certificate(path, {}).fault
    assert fault is not None
    assert why in fault


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
STEP = ["dead", 0, 0, 0, 1]


def test_a_step_that_is_dead_when_followed_is_proved(tmp_path: Path) -> None:
    found = proof_of(FOLLOWED)
    assert found.boards == "every board, with any walls and ends"
    checked = check_certificate(save_certificate(found, tmp_path), {})
    assert checked.fault is None
    assert "the completion cannot begin with [0,0] to [0,1]" in checked.claims[0]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"lines": []}, "the empty clause"),
        ({"lines": [["dead", 0, 0, 1, 0]]}, "the empty clause"),
        ({"lines": [["dead", 0, 0, -1, 1]]}, "no edge"),
        ({"lines": [["dead", 0, 1, -1, 1]]}, "none of the live end"),
        ({"lines": [["passes", 0, 0, 0, 1]]}, "the empty clause"),
        ({"lines": [STEP, STEP]}, "twice"),
        ({"lines": [STEP], "frame": "away"}, ""),
    ],
)
def test_a_certificate_of_another_step_is_refused(
    change: dict[str, Any], why: str, tmp_path: Path
) -> None:
    path = tmp_path / "followed.proof.xz"
    path.write_bytes(forged(proof_of(FOLLOWED), change))
    fault = check_certificate(path, {}).fault
    assert fault is not None
    assert why in fault


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
