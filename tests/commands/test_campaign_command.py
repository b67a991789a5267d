"""`oneway campaign` and what all commands that are campaigns share."""

import json
from pathlib import Path

import pytest

from tests.campaign.sums import squares
from tests.runner import assert_refused, run
from verify.campaign import engine


@pytest.fixture(autouse=True)
def _kept_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "KEEP_AFTER", 0.0)


STATS = ("stats", "5", "7", "--rules", "seed-5", "-n", "60")


def test_a_campaign_is_listed_shown_and_exported(tmp_path: Path) -> None:
    assert run("campaign", "show").out.startswith("no campaign in ")
    first = run(*STATS)
    assert run(*STATS).out == first.out
    (listed,) = run("campaign", "show", "--json").out.splitlines()
    told = json.loads(listed)
    assert (told["units"], told["done"], told["failed"]) == (2, 2, 0)
    assert told["command"] == "oneway stats 5 7 --rules seed-5 -n 60"
    assert "2 of 2" in run("campaign", "show").out
    shown = run("campaign", "show", "stats").out
    assert "2 of 2 units done, 0 failed, 0 open" in shown
    assert "7: 60 walks, " in shown
    run("campaign", "export", told["name"], "--csv", "-o", str(tmp_path / "x.csv"))
    lines = (tmp_path / "x.csv").read_text().splitlines()
    assert lines[0] == "place,unit,payload,state,result"
    assert lines[1].startswith('0,5: walks 1-60,"[0,0,60]",done,"[0,60,')
    rows = [
        json.loads(one)
        for one in run("campaign", "export", "stats").out.split("\n")
        if one
    ]
    assert [row["payload"] for row in rows] == [[0, 0, 60], [1, 0, 60]]


def test_the_answer_does_not_depend_on_the_jobs() -> None:
    first = run(*STATS, "--json").out
    assert run(*STATS, "--fresh", "--json", "--jobs", "2").out == first


def test_shares_are_merged(tmp_path: Path) -> None:
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    half = run(*STATS, "--ledger", a, "--share", "1/2")
    assert half.code == 1
    assert "share 1/2 is done; 1 units are kept, 1 unit left" in half.err
    run(*STATS, "--ledger", b, "--share", "2/2")
    assert run("campaign", "merge", a, b).out.endswith("a: 1 new result\n")
    assert run(*STATS, "--ledger", a).out == run(*STATS).out


def test_failed_units_are_reported_and_tried_again(tmp_path: Path) -> None:
    file = tmp_path / "a"
    engine.run(
        squares, {"count": 5, "wrong": [3]}, ledger=file, command="oneway squares"
    )
    shown = run("campaign", "show", str(file)).out
    assert "failed: square of 3: ValueError: 3 is wrong" in shown
    assert "4 of 5 units done, 1 failed, 0 open" in shown
    again = run("campaign", "retry", str(file)).out
    assert "1 unit open again\nto go on: oneway squares" in again


def test_what_is_wrong_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verify.campaign.cluster._ANSWER", 1)  # seconds
    assert_refused(run("campaign", "show", "nothing"))
    assert_refused(run(*STATS, "--share", "3/2"))
    assert_refused(run(*STATS, "--ledger", str(tmp_path)))
    run(*STATS, "--ledger", str(tmp_path / "a"))
    other = run(*STATS[:-1], "61", "--ledger", str(tmp_path / "a"))
    assert_refused(other)
    assert "count is 60 there and 61 here" in other.err
    assert_refused(run("stats", "5", "--cluster", "tcp://127.0.0.1:1"))


def test_a_run_made_by_another_version_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run(*STATS)
    monkeypatch.setattr(
        "verify.evidence.campaigns.deciding_rules", lambda *_, **__: "x"
    )
    assert "was made by another version" in run(*STATS).err
