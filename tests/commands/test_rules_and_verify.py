"""The commands that ask rules and put them on trial."""

import json
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

from tests.runner import assert_refused, run
from tests.samples import GAP, NEVER_RIGHT
from verify.corpus.cases import load_corpus

BOOK = Path(__file__).parents[2] / "heuristic" / "book"


def test_check_reads_a_stream_and_prints_objects() -> None:
    ran = run("check", "-", "--json", "--oracle", "frontier", stdin=f"5:RD\n\n{GAP}\n")
    first, second = (json.loads(line) for line in ran.out.splitlines())
    assert first["position"] == "5:RD"
    assert set(first["moves"]) == {"R", "D", "L"}
    assert {m["verdict"] for m in first["moves"].values()} == {"COMPLETABLE", "DEAD"}
    for move in first["moves"].values():
        wanted = {"rule", "reason", "cells", "area"}
        assert all(set(f) == wanted for f in move["forbidden"])
    why = second["moves"]["L"].pop("why")
    assert why.startswith("the marked region has 9 black and 7 white cells")
    assert len(second["moves"]["L"].pop("region")) == 16
    assert second["moves"]["L"] == {"verdict": "DEAD", "forbidden": []}


def test_proofs_of_dead_moves_are_files_that_a_checker_accepts(tmp_path: Path) -> None:
    ran = run("check", "5:RD", "--proof", str(tmp_path / "out"))
    assert ran.code == 0
    files = sorted((tmp_path / "out").iterdir())
    assert [f.name for f in files] == [f"5-RD{move}.dead.json" for move in "DR"]
    for file in files:
        assert run("proof", "check", str(file)).code == 0
    assert_refused(run("check", "5:RD", "--proof", str(files[0])))


def test_verify_tells_sound_rules_from_wrong_ones(tmp_path: Path) -> None:
    ran = run("verify", "seed-5", "5", "--json")
    assert ran.code == 0
    evidence = json.loads(ran.out)
    assert (evidence["positions"], evidence["missed"]) == (1583, 12)
    assert evidence["sound"]
    assert not evidence["complete"]
    rule = tmp_path / "mine.toml"
    rule.write_text(NEVER_RIGHT)
    corpus = tmp_path / "cases"
    args = ("verify", str(rule), "5", "--save", "--corpus", str(corpus))
    ran = run(*args)
    assert ran.code == 1
    assert "never-right forbids" in ran.out
    assert "unsound" in ran.out
    cases = list(load_corpus(corpus))
    assert {case.kind for case in cases} == {"unsound", "gap"}
    unsound = next(case for case in cases if case.kind == "unsound")
    assert unsound.position.board.cells < 25
    assert run("corpus", "replay", "--corpus", str(corpus)).code == 1
    assert "already saved" in run(*args).out
    rule.write_text((BOOK / "seed-5.toml").read_text())
    assert run("corpus", "replay", "--corpus", str(corpus)).code == 0


def test_verify_draws_positions_of_larger_boards() -> None:
    ran = run("verify", "seed-5", "9", "-n", "120", "--json")
    assert json.loads(ran.out)["positions"] == 120
    ran = run("verify", "c-shape", "3x17")
    assert "3x17: 2,000 random positions" in ran.err


TWO_AREAS = "straight-mid-across-3-end-area"


def test_the_areas_of_a_rule_are_shown_by_number() -> None:
    shown = run("rules", TWO_AREAS).out
    first = "area 1 on the left: closed; its line is [0, 4] [-1, 4]"
    second = "area 2 on the left: even; its line is [0, 1] [0, 2] [0, 3]"
    assert f"{first}\n    {second}\n" in shown
    alone = run("rules", "area-near-border").out
    assert "area on the" in alone


GREEN, SAND = "#cdebd8", "#ffe0a3"  # the lines of the first and the second area


def test_rules_are_drawn_into_pictures(tmp_path: Path) -> None:
    ran = run("rules", TWO_AREAS, "c-shape", "-o", str(tmp_path / "r.svg"))
    assert ran.code == 0
    svgs = [(tmp_path / f"r-{number}.svg").read_text() for number in (1, 2)]
    squares = Counter(one.get("fill") for one in ET.fromstring(svgs[0]).iter())
    assert (squares[GREEN], squares[SAND]) == (2, 3)
    for svg, name in zip(svgs, (TWO_AREAS, "c-shape"), strict=True):
        assert f"<title>{name}</title>" in svg
    one = run("rules", "sa-up-small", "-o", str(tmp_path / "one.svg"))
    assert one.code == 0
    family = ET.fromstring((tmp_path / "one.svg").read_text())
    assert len(family.findall("{*}g")) == 12


UPRIGHT = "5@5,1>1,5"  # near-border-front is proved for start upper left alone


def test_a_rule_is_asked_only_on_the_boards_that_it_is_meant_for() -> None:
    ran = run("verify", "near-border-front", "c-shape", UPRIGHT, "--json")
    assert ran.code == 0
    (found,) = [json.loads(line) for line in ran.out.splitlines()]
    assert [rule["name"] for rule in found["rules"]] == ["c-shape"]
    assert "near-border-front is left out" in ran.err
    wide = run("verify", "near-border-front", UPRIGHT, "--boards", "any")
    assert wide.code == 1
    assert "unsound" in wide.out
