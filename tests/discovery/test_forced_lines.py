"""Gaps of large boards explained by forced edges and forced lines."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from solver.board import Board, Position
from solver.errors import OptionError
from tests.doubles.forced import forced_edges, mates_of
from tests.runner import assert_refused, run
from tests.samples import proof_of
from verify.discovery import search
from verify.discovery.book import grounds_of, load_pool, reason_of, save_pool
from verify.discovery.explaining import (
    facts_of,
    page_of,
    square,
    ties_of,
    views_of,
    with_ties,
)
from verify.discovery.families import families, pictures_of
from verify.discovery.gaps import columns_of, gaps_at
from verify.discovery.question import Ask, Picture, question, sound_ties
from verify.discovery.search import Pool, Search
from verify.proof.formula import Scope

THIRTEEN = Board.square(13)
STRAIGHT = (
    "13:DDDRRRUULDLUURRRRRRDRURRRRDDLULLDRDRRDDDLDRDDLULLLUULDLDRDRRRDRRDLLLULLLULDLDLL"
    "URURURU"
)
LINES = "13:DDRDLDRDLDDRURURULUURDRURULLLLURRRRRRRDDDRRULUURDRURDDLDRDLDRDLLL"
AREA = "13:DDRDLDDDRUURURULULURRDRURRRRDRURRRDDDDDDDLULLLDLUURRU"


@pytest.fixture(autouse=True)
def _nothing_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "by_following", lambda _: iter(()))


def pool_of(text: str, move: str) -> Pool:
    """Return a pool of one gap on a board too large to list."""
    return Pool(gaps_at(THIRTEEN, [(Position.parse(text), move)]), quick=True)


@pytest.mark.parametrize(
    ("text", "move", "facts", "areas"),
    [(STRAIGHT, "U", 3, 0), (LINES, "D", 6, 0), (AREA, "L", 8, 1)],
)
def test_a_gap_is_explained_by_what_is_forced(
    text: str, move: str, facts: int, areas: int, tmp_path: Path
) -> None:
    pool = pool_of(text, move)
    entry = next(Search(pool, 0, np.ones(1)).glance())
    picture = entry.found.picture
    if areas:
        *_, entry = Search(pool_of(text, move), 0, np.ones(1)).glance()
        picture = entry.found.picture
    assert picture.ties
    assert (entry.facts, len(picture.areas)) == (facts, areas)
    assert columns_of((entry.rule,), pool.gaps).all()
    proved = proof_of(entry.rule)
    assert proved.scope is Scope.PLAIN
    assert "forced before the move" in reason_of(proved, entry.found)
    kept = pool_of(text, move)
    kept.add(entry)
    save_pool(tmp_path / "pool.json", kept, "")
    again = pool_of(text, move)
    assert load_pool(tmp_path / "pool.json", again, "") == 1
    assert again.entries[0].found == entry.found
    assert load_pool(tmp_path / "pool.json", again, "") == 0  # it is there already


def test_pages_show_what_is_forced_as_the_double_has_it() -> None:
    for text, move in ((LINES, "D"), (AREA, "L"), (STRAIGHT, "U")):
        position = Position.parse(text)
        page = page_of(gaps_at(THIRTEEN, [(position, move)]), 0)
        edges = forced_edges(position)
        assert edges is not None
        live = position.live_end
        words = [tie[0] for tie in page.ties]
        assert words.count("joined") == sum(live not in edge for edge in edges)
        assert words.count("mates") == len(mates_of(position, edges))
        assert not page.bare.ties
        assert replace(page, ties=page.mirrored()).mirrored() == page.ties


def test_views_show_the_forced_edges_of_pages() -> None:
    gaps = gaps_at(THIRTEEN, [(Position.parse(STRAIGHT), "U")])
    views = with_ties(views_of(gaps, 3), gaps)
    page = page_of(gaps, 0)
    assert [*views.straight] == [True, True]  # one view is mirrored
    assert views.ties == (page.ties, page.mirrored())
    side = min(page.ties)
    assert [*views.fitting(side)] == [True, side in page.mirrored()]


def test_without_its_lines_the_same_window_says_nothing() -> None:
    pool = pool_of(LINES, "D")
    page = pool.page(0)
    asked = question(Ask(page.move, 6, Scope.PLAIN))
    near = facts_of(page.bare, square(1))
    assert asked.core(near) is None
    assert asked.core([*near, *ties_of(page, square(2), square(6))]) is not None


def test_a_drawing_with_forced_edges_grows_with_its_line() -> None:
    *_, entry = Search(pool_of(AREA, "L"), 0, np.ones(1)).glance()
    (picture,) = pictures_of(entry.rule)
    assert picture.ties
    for family in families(picture, 9):
        rule = family.rule()
        assert all(drawing.pairs("joined") for drawing in rule.drawings)
        assert proof_of(rule)
        break
    else:
        pytest.fail("no family")


@pytest.mark.parametrize(
    ("joined", "mates", "good"),
    [
        ([[[-1, 0], [-2, 0]]], [], True),
        ([[[-1, 0], [-2, 0]]], [[[-1, 0], [-1, 2]]], False),
        ([[[-1, 0], [-3, 0]]], [], False),
        ([[[-1, 0], [0, 0]]], [], False),
        ([[[-1, 0], [-2, 0]], [[-1, 2], [-1, 3]]], [[[-1, 0], [-1, 2]]], True),
        ([[[-1, 0]]], [], False),
        ("no list", [], False),
    ],
)
def test_spoiled_ties_of_a_pool_are_refused(
    joined: object, mates: object, good: bool, tmp_path: Path
) -> None:
    entry = next(Search(pool_of(STRAIGHT, "U"), 0, np.ones(1)).glance())
    pool = pool_of(STRAIGHT, "U")
    pool.add(entry)
    path = tmp_path / "pool.json"
    save_pool(path, pool, "")
    data = json.loads(path.read_text("utf-8"))
    data["found"][0] |= {"joined": joined, "mates": mates, "cells": []}
    path.write_text(json.dumps(data), "utf-8")
    if good:
        assert load_pool(path, pool_of(STRAIGHT, "U"), "") == 1
        return
    with pytest.raises(
        OptionError, match=r"pool\.json(: drawing 1| holds no pool).*: "
    ):
        load_pool(path, pool_of(STRAIGHT, "U"), "")


def test_lines_are_left_by_one_edge_each() -> None:
    one, two = ("joined", (-1, 0), (-2, 0)), ("joined", (-1, 2), (-1, 3))
    line = ("mates", (-1, 0), (-1, 2))
    assert sound_ties(Picture((), (), (one, two, line)))
    assert not sound_ties(Picture((), (), (one, line)))
    assert not sound_ties(Picture((), (), (one, two, line, line)))


def test_a_loop_is_reported_where_lines_close_it() -> None:
    entry = next(Search(pool_of(LINES, "D"), 0, np.ones(1)).glance())
    proved = proof_of(entry.rule)
    tied = entry.found.picture.of_ties()
    assert any("loop" in grounds_of(proof, tied) for _, proof in proved.proofs)


def test_what_another_run_found_is_taken_over(tmp_path: Path) -> None:
    one, two = (["--ledger", str(tmp_path / f"{k}.json")] for k in (1, 2))
    words = ["discover", "3x9", "--reach", "0", "--proofs", str(tmp_path), "--json"]
    assert run(*words, "-n", "20", *one).code == 0
    known = json.loads((tmp_path / "1.json").read_text("utf-8"))
    result = run(*words, "-n", "1", *two, "--take", one[1])
    assert result.code == 0
    taken = json.loads((tmp_path / "2.json").read_text("utf-8"))
    assert len(taken["found"]) >= len(known["found"]) > 0
    assert {gap for gap, _ in known["met"]} <= {gap for gap, _ in taken["met"]}
    assert taken["walked"] >= known["walked"] > 0
    for wrong in (["9", "--take", "nowhere.json"], ["5", "--take", one[1]]):
        assert_refused(run("discover", *wrong))
