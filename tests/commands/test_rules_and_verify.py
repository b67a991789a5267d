"""`oneway rules` and `oneway verify`: drawings shown, rules tested and saved."""

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from solver.errors import OptionError
from tests.runner import run
from tests.samples import NEVER_RIGHT
from verify.corpus.cases import load_corpus

BOOK = Path(__file__).parents[2] / "heuristic" / "book"


def test_verify_saves_what_a_wrong_rule_shows() -> None:
    rule = Path("mine.toml")
    rule.write_text(NEVER_RIGHT)
    args = ("verify", "mine.toml", "5", "--save", "--corpus", "cases")
    assert run(*args).code == 1
    cases = {case.kind: case for case in load_corpus(Path("cases"))}
    assert cases.keys() == {"unsound", "gap"}
    assert cases["unsound"].position.board.cells < 25
    assert run("corpus", "replay", "--corpus", "cases").code == 1
    assert "already saved" in run(*args).out
    rule.write_text((BOOK / "seed-5.toml").read_text())
    assert run("corpus", "replay", "--corpus", "cases").code == 0


@pytest.mark.parametrize(("board", "number"), [("7", None), ("5x10", 2000)])
def test_verify_tries_all_positions_of_up_to_49_cells(
    board: str, number: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Any] = []

    def trials(groups: Any, boards: Any, **_: Any) -> None:
        tried.extend(boards)
        raise OptionError("nothing is tried here")

    monkeypatch.setattr("verify.commands.verify.trials", trials)
    assert run("verify", "c-shape", board).code == 2
    assert [positions for *_, positions in tried] == [number]


TWO_AREAS = "straight-mid-across-3-end-area"


def test_the_areas_of_a_rule_are_shown_by_number() -> None:
    shown = run("rules", TWO_AREAS).out
    first = "area 1 on the left: closed; its line is [0, 4] [-1, 4]"
    second = "area 2 on the left: even; its line is [0, 1] [0, 2] [0, 3]"
    assert f"{first}\n    {second}\n" in shown
    assert "area on the" in run("rules", "area-near-border").out
    family = run("rules", "sa-up-small").out
    assert family.count("; the last step runs up the page") == 12
    assert " more drawings" in family


GREEN, SAND = "#cdebd8", "#ffe0a3"  # the lines of the first and the second area


def test_rules_are_drawn_into_pictures() -> None:
    assert run("rules", TWO_AREAS, "c-shape", "-o", "r.svg").code == 0
    svgs = [Path(f"r-{number}.svg").read_text() for number in (1, 2)]
    fills = Counter(node.get("fill") for node in ET.fromstring(svgs[0]).iter())
    assert (fills[GREEN], fills[SAND]) == (2, 3)
    for svg, name in zip(svgs, (TWO_AREAS, "c-shape"), strict=True):
        assert f"<title>{name}</title>" in svg
    assert run("rules", "sa-up-small", "-o", "family.svg").code == 0
    drawings = ET.fromstring(Path("family.svg").read_text()).findall("{*}g")
    assert len(drawings) == 12
