"""The commands that count, rank and draw uniformly."""

import json
from pathlib import Path

import pytest

from tests.runner import assert_refused, run
from verify.campaign import engine


def test_ranks_there_and_back() -> None:
    ran = run("rank", "-", stdin="5:RDDL\n5:D\n")
    assert (ran.code, ran.out) == (0, "5:RDDL  38\n5:D  52\n")
    ran = run("rank", "5", "46", "--json")
    walk = json.loads(ran.out)
    assert walk == {"position": "5:RDLDDDRUURRULURRDDDLLDRR", "rank": 46}
    assert json.loads(run("rank", walk["position"], "--json").out) == walk
    refused = run("rank", "5", "104")
    assert_refused(refused)
    assert "rank 104 is not below the 104 walks of 5" in refused.err
    refused = run("rank", "31:R")
    assert_refused(refused)


def test_what_a_count_takes_is_printed_before() -> None:
    ran = run("count", "15:", "--states", "--json")
    told = json.loads(ran.out)
    assert (told["widest"], told["states"]) == (366908, 70579176)
    assert told["moduli"] == 2
    assert max(told["rows"].values()) == told["widest"]
    assert "widest 1,129 states" in run("count", "9:", "--states").out


def test_counts_that_do_not_fit_are_refused() -> None:
    refused = run("count", "23:")
    assert_refused(refused)
    assert "a count takes 18.8 GB" in refused.err
    assert_refused(run("count", "9:", "--memory", "0"))
    for memory in ("1e308", "inf", "nan"):
        assert_refused(run("count", "9:", "--memory", memory))
    refused = run("walk", "17", "--uniform")
    assert_refused(refused)
    assert "--method backbite needs none" in refused.err


def test_a_count_as_a_campaign_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONEWAY_CAMPAIGNS", str(tmp_path))
    monkeypatch.setattr(engine, "KEEP_AFTER", 0.0)
    args = ("count", "11:", "--json")
    plain, twice = run(*args), run(*args, "--twice", "--jobs", "1")
    assert json.loads(twice.out) == json.loads(plain.out)
    assert len(list(tmp_path.glob("count-*.ledger"))) == 1
    assert "all  1,445,778,936,756,068" in run("campaign", "show", "count").out


def test_backbites_are_drawn_and_shown() -> None:
    ran = run("walk", "21", "--uniform", "--method", "backbite", "--json", "-n", "2")
    assert ran.out.count("21:") == 2
    assert "bites tried" in ran.err
    assert_refused(run("walk", "5", "--uniform", "--method", "magic"))
