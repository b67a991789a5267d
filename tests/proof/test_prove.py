"""Verdicts on rules: proofs, certificates, counterexamples, hints, reports."""

import json
import lzma
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from heuristic.rules.drawing import CellState, RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.board import Board
from solver.errors import WitnessError
from tests.doubles.exhaustion import refute_exhaustive
from tests.samples import book, proof_of
from verify.checker.position import find_fault
from verify.formatting import markdown_rows
from verify.proof import counterexample
from verify.proof.certificate import save_certificate
from verify.proof.checking import Checked, check_certificate, load_certificate
from verify.proof.counterexample import confirmed
from verify.proof.decision import Survivor
from verify.proof.encoding import UPPER_LEFT
from verify.proof.formula import Scope
from verify.proof.prove import (
    Proved,
    Unproved,
    book_rules,
    parts,
    provable,
    prove_rule,
)
from verify.verdict.conditions import advice_lines, missing
from verify.verdict.report import (
    cells_of,
    pictures_of,
    row_of,
    write_report,
)
from verify.verdict.verdict import Open, Refuted, judge

ROOT = Path(__file__).parents[2]
RULE = """
[[rule]]
name = "{name}"
claim = "sound"
origin = "a test"
reason = "a test"
{more}
drawing = '''
{drawing}
'''
"""


def rule(drawing: str, more: str = "", name: str = "mine") -> RuleSpec:
    (spec,) = parse_rules(RULE.format(name=name, more=more, drawing=drawing))
    return spec


STRAIGHT = rule("# # ?\n? X ?\n? @ x", "runs = [[[0, 2], [1, 2]]]")
CLOSED = 'area = [{side = "left", kind = "odd"}]'
FAR = "? # # ?\n. e . ?\n? s X ?\n? ? @ x"


def test_rules_have_the_parts_of_the_published_table() -> None:
    table = markdown_rows((ROOT / "docs/tables/verdicts.md").read_text())
    rows = [dict(zip(header, cells, strict=True)) for _, header, cells in table]
    published = {r["rule"]: r["parts"] for r in rows if r["verdict"] == "PROVED"}
    forms = provable(book_rules())
    assert len(published) > 120
    counted = {name: f"{len(list(parts(forms[name]))):,}" for name in published}
    assert counted == published


def test_a_wrong_rule_is_refuted_by_a_checked_position() -> None:
    verdict = judge(STRAIGHT)
    assert isinstance(verdict, Refuted)
    wrong = verdict.refutation
    assert find_fault(wrong.position.notation, wrong.completion) is None
    assert wrong.position.board == Board.square(5)
    with pytest.raises(WitnessError, match="does not forbid"):
        confirmed(book("c-shape"), wrong.position, wrong.completion, "a mistake")


def test_the_directed_search_finds_what_small_boards_do_not_show() -> None:
    verdict = judge(rule(FAR, CLOSED.replace("odd", "even")))
    assert isinstance(verdict, Refuted)
    assert verdict.refutation.position.board == Board.square(7)
    assert proof_of(rule(FAR, CLOSED))


def certificate(tmp_path: Path, name: str) -> Path:
    return save_certificate(proof_of(book(name)), tmp_path)


@pytest.mark.parametrize(
    ("name", "boards"),
    [
        ("near-border-side", UPPER_LEFT),
        ("area-near-border", Scope.RIM.value),
        ("close-mid-across-left", Scope.PLAIN.value),
    ],
)
def test_a_certificate_is_checked_without_the_prover(
    tmp_path: Path, name: str, boards: str
) -> None:
    path = certificate(tmp_path, name)
    assert [x.name for x in tmp_path.iterdir()] == [path.name]
    checked = check_certificate(path, {name: book(name)})
    assert checked == Checked(name, None, boards, meant=True)
    assert not check_certificate(path, {}).meant
    other = replace(STRAIGHT, name=name)
    assert "other drawings" in str(check_certificate(path, {name: other}).fault)


def changed(path: Path, data: dict[str, Any], jobs: int = 1) -> str:
    """Return the fault of a changed certificate."""
    path.write_bytes(lzma.compress(json.dumps(data).encode()))
    name = data["rule"]["name"]
    return str(check_certificate(path, {name: book(name)}, jobs=jobs).fault)


@pytest.mark.parametrize(
    ("number", "poses", "fault"),
    [
        (0, ["NONE"], "has no proof"),
        (1, [], "length >= 1"),
        (1, ["NONE", "CW"], "does not follow"),
        (0, ["NONE", "CW", "HALF"], "not one of its drawing"),
    ],
)
def test_a_proof_of_one_pose_is_refused_for_two(
    tmp_path: Path, number: int, poses: list[str], fault: str
) -> None:
    """One proof serves both poses of the first move, the second has its own."""
    path = certificate(tmp_path, "count-area-2-across")
    data = load_certificate(path)
    assert [part["poses"] for part in data["parts"]] == [["NONE", "CW"], ["NONE"]]
    data["parts"][number]["poses"] = poses
    assert fault in changed(path, data)


def test_parts_checked_by_several_processes_are_reported_by_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verify.proof.checking._MANY", 0)
    path = certificate(tmp_path, "area-near-border")
    rules = {"area-near-border": book("area-near-border")}
    assert check_certificate(path, rules, jobs=2).fault is None
    data = load_certificate(path)
    data["parts"][1]["steps"] = [[[], [1]]]
    assert changed(path, data, jobs=2).startswith("part 2: the proof fails")


def test_sharpening_lists_the_weakest_conditions() -> None:
    attempt = prove_rule(STRAIGHT)
    assert isinstance(attempt, Unproved)
    ((part, _),) = attempt.survivors
    changes = missing(STRAIGHT.drawings[0], part.pose, part.move)
    # "visited" and "outside" would be enough for [-1, 1], and are more than is needed
    texts = ["[-1, 1] is not free", "[1, 0] is free", "[1, 1] is free"]
    assert [change.text for change in changes] == texts
    for change in changes:
        sharp = replace(STRAIGHT, drawings=(change.drawing,))
        assert isinstance(prove_rule(sharp), Proved), change.text
        assert CellState.FREE in change.drawing.need(part.move).states
    lines = advice_lines(judge(STRAIGHT))
    assert any("proved if [1, 1] is free" in line for line in lines)


def test_the_report_has_every_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = [book("c-shape"), STRAIGHT, replace(STRAIGHT, name="unsettled")]
    verdicts = [judge(rule) for rule in rules[:2]]
    monkeypatch.setattr(counterexample, "refute", lambda *_, **limits: None)
    verdicts.append(judge(rules[2]))
    left = verdicts[2]
    assert isinstance(left, Open)
    ((part, survivor),) = left.survivors
    assert (left.proved, part.move) == (1, (-1, 0))
    assert isinstance(survivor, Survivor)
    assert ("c", (-1, 0), (0, 0)) in survivor.true
    # drawings, a counterexample, a survivor
    assert [len(pictures_of(verdict)) for verdict in verdicts] == [1, 2, 2]
    evidence = refute_exhaustive(rules, Board.square(5))[1]
    rows = [*map(row_of, verdicts)]
    assert "1 parts proved, 1 with a model; tried: " in rows[2].why
    write_report(rows, [evidence], tmp_path, {"other": "has no drawing"})
    text = (tmp_path / "verdicts.md").read_text()
    assert "3 rules: 1 PROVED, 1 REFUTED, 1 OPEN." in text
    assert f"Positions seen: {evidence.scope}." in text
    assert "Not put to a proof, as each has no drawing: `other`." in text
    cells = cells_of(rows, [evidence])
    assert [row["wrong"] == "0" for row in cells] == [True, False, False]
