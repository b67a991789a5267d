"""Left-first runs as campaigns: cut into pieces, they tell what one run tells."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from heuristic.groups import load_rules
from solver.board import Board, Position
from tests.runner import run
from verify.campaign import engine
from verify.campaign.campaign import Campaign
from verify.evidence import milestones as module
from verify.evidence.milestones import Ahead, milestones, walk_ahead, without_each


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        *(("_FREE_FAST", 14), ("_FREE_SLOW", 14)),
        *(("_MOST", 30), ("_UNIT", 3)),
    ):
        monkeypatch.setattr(module, name, value)


def answer(campaign: Campaign[Ahead], seed: int) -> Ahead:
    """Work at the units in any order, as processes do, and fold."""
    units = [*enumerate(campaign.units())]
    random.Random(seed).shuffle(units)
    results = {
        place: json.loads(json.dumps(campaign.work(unit.payload)))
        for place, unit in units
    }

    def told() -> Iterator[Any]:
        reached = campaign.enough() if campaign.enough else lambda _: False
        for _, result in sorted(results.items()):
            yield result
            if reached(result):
                return

    return campaign.fold(told())


def whole(board: str, rules: str, walks: int, stop_stuck: bool) -> Ahead:
    """Walk in one go."""
    start = Position(Board.parse(board))
    one = walk_ahead(
        load_rules(rules), start, walks=walks or None, stop_stuck=stop_stuck
    )
    needed = {rule: (n, f"{board}:{way}") for rule, (n, way) in one.needed.items()}
    stuck_at = [(before, f"{board}:{way}") for before, way in one.stuck_at]
    return replace(one, needed=needed, stuck_at=stuck_at)


@pytest.mark.parametrize(
    ("rules", "walks", "stop_stuck"),
    [
        *(("seed-5", walks, False) for walks in (0, 1, 2, 30, 104, 105)),
        *(("seed-5", walks, True) for walks in (0, 50)),
        *((rules, 30, False) for rules in ("seed-2024", "universal-4")),
        *((rules, 0, True) for rules in ("seed-2024", "universal-4")),
    ],
)
def test_pieces_tell_what_one_run_tells(
    rules: str, walks: int, stop_stuck: bool
) -> None:
    parameters = {
        "board": "5",
        "rules": rules,
        "walks": walks,
        "stop_stuck": stop_stuck,
    }
    campaign = milestones(parameters)
    assert len([*campaign.units()]) > 1
    assert answer(campaign, seed=walks) == whole("5", rules, walks, stop_stuck)


@pytest.mark.parametrize(
    ("rules", "walks"), [("seed-5", 0), ("seed-9-size", 0), ("seed-9-size", 11_711)]
)
def test_pieces_of_7x7(rules: str, walks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FREE_FAST", 36)
    parameters = {"board": "7", "rules": rules, "walks": walks, "stop_stuck": False}
    campaign = milestones(parameters)
    assert len([*campaign.units()]) > 5
    assert answer(campaign, seed=3) == whole("7", rules, walks, False)


def test_what_is_not_known_yet_cuts_the_run() -> None:
    parameters = {"board": "5", "rules": "seed-7", "walks": 104, "stop_stuck": False}
    campaign = milestones(parameters)
    results = [campaign.work(unit.payload) for unit in campaign.units()]
    found = campaign.fold(iter(results[:20]))
    assert found.cut
    assert 0 < found.completed < 104
    assert campaign.summary(found)[0].endswith("the run is not finished")
    assert campaign.fold(iter([])).completed == 0


def test_results_are_folded_without_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    parameters = {"board": "7", "rules": "seed-2024", "walks": 0, "stop_stuck": False}
    campaign = milestones(parameters)
    results = [campaign.work(unit.payload) for unit in campaign.units()]
    right = campaign.fold(iter(results))
    assert not right.cut
    for name in ("load_rules", "split"):
        monkeypatch.setattr(module, name, None)
    kept = json.loads(json.dumps(results))
    assert milestones(parameters).fold(iter(kept)) == right


def test_the_rest_of_a_run_without_a_rule() -> None:
    rules = "seed-9-size"
    parameters = {"board": "7", "rules": rules, "walks": 600, "stop_stuck": False}
    found = answer(milestones(parameters), seed=1)
    assert found.needed["double-area-c-shape"][0] == 462
    needed = [[rule, *first] for rule, first in found.needed.items()]
    asked = {"rules": rules, "needed": needed, "walks": 300}
    campaign = without_each(asked)
    fewer = campaign.fold(campaign.work(unit.payload) for unit in campaign.units())
    for rule, one in fewer.items():
        limit = found.needed[rule][0] + 300
        alone = whole("7", f"{rules},-{rule}", limit, True)
        if one.stuck_at is None:
            assert not alone.stuck_at
            assert one.completed == alone.completed == limit
        else:
            assert alone.stuck_at == [(one.completed, one.stuck_at)]
    assert fewer["double-area-c-shape"].completed == 464


FIRST_NEEDED = {
    "double-area-c-shape": 462,
    "double-c-shape-rotated": 1_861,
    "count-area-2-across": 9_121,
    "straight-across-end-area": 22_328,
    "straight-mid-across-3-end-area": 22_328,
    "straight-across-end-c": 25_157,
    "square-4x2-c-shape": 227_250,
    "square-4x2-area": 232_080,
    "straight-across-3-end-area": 740_293,
    "triple-area": 740_527,
    "double-area-stair": 2_023_047,
    "double-area-stair-2": 2_023_482,
    "mid-across-3-impair-determined": 2_060_226,
}


@pytest.mark.slow
def test_the_first_milestones_of_9x9(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FREE_FAST", 66)
    later = "mid-across-3-impair-determined-2"
    found = answer(
        milestones(
            {
                "board": "9",
                "rules": f"seed-9-size,-double-c-shape,-{later}",
                "walks": 2_061_000,
                "stop_stuck": False,
            }
        ),
        seed=1,
    )
    assert found.stuck == 0
    assert {rule: found.needed[rule][0] for rule in FIRST_NEEDED} == FIRST_NEEDED


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine, "KEEP_AFTER", 0.0)
    told = run("milestones", "5", "-r", "seed-7", "--json")
    assert json.loads(told.out)["completed"] == 104
    assert run("milestones", "5", "-r", "seed-7", "--json").out == told.out
    told = run("milestones", "5", "-r", "seed-5", "--stop-stuck")
    assert "stuck after 0 walks: 5:RRRRDDDLLLUULDDDRRR" in told.out
    assert run("milestones", "5", "-n", "-1").code == 2
    assert run("milestones", "5", "--without-each", "-1").code == 2
    short = ("milestones", "5", "-r", "seed-7", "--without-each", "200")
    assert "5:RRDRURDDLDR" in run(*short).out
    without = json.loads(run(*short, "--json").out)["without"]
    assert without["c-shape"]["completed"] == 2
    shown = run("campaign", "show", "milestones-without")
    assert "2 without c-shape: " in shown.out
