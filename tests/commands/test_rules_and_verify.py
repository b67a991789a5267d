"""`oneway rules` and `oneway verify`: drawings shown, rules tested and saved."""

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from solver.errors import OptionError
from tests.runner import prints
from tests.samples import NEVER_RIGHT
from verify.corpus.cases import load_corpus
from verify.evidence.comparing import Comparison

BOOK = Path(__file__).parents[2] / "heuristic" / "book"


def test_verify_saves_what_a_wrong_rule_shows() -> None:
    rule, line = Path("mine.toml"), "verify mine.toml 5 --save --corpus cases"
    rule.write_text(NEVER_RIGHT)
    prints(line, 1, "case saved: cases/unsound/", "case saved: cases/gap/")
    cases = {case.kind: case for case in load_corpus(Path("cases"))}
    assert cases.keys() == {"unsound", "gap"}
    assert cases["unsound"].position.board.cells < 25
    prints("corpus replay --corpus cases", 1)
    prints(line, 1, "case already saved")
    rule.write_text((BOOK / "seed-5.toml").read_text())
    prints("corpus replay --corpus cases", 0)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        *(("verify c-shape 7", None), ("verify c-shape 5x10", 2000)),
        *(("report c-shape 7 -n 9", None), ("report c-shape 5x10 -n 9", 9)),
    ],
)
def test_all_positions_of_up_to_49_cells_are_tried(
    line: str, number: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Any] = []

    def trials(groups: Any, boards: Any, **_: Any) -> None:
        tried.extend(boards)
        raise OptionError("nothing is tried here")

    monkeypatch.setattr(f"verify.commands.{line.split()[0]}.trials", trials)
    prints(line, 2)
    assert [positions for *_, positions in tried] == [number]


def test_a_disagreement_becomes_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Comparison(5, {"sat DEAD": 2}, ("5:RD sat and search disagree",))
    monkeypatch.setattr("verify.commands.console.conduct", lambda *_: found)
    printed = "a disagreement: 5:RD sat and search disagree\ncase saved: c/verdict/"
    head = "5 positions compared, 1 disagreements\n  sat DEAD: 2\n"
    prints("selftest --corpus c", 1, head, printed)


def test_a_gap_without_a_drawing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.discovery.running.explain_all", lambda *_: [(0, None)])
    why = "R is dead, and allowed\n  no drawing within four cells of the live end"
    prints(
        "discover 3x4", 1, why, "0 rules, the fewest of a pool of 0", "11 dead moves"
    )


TWO_AREAS = "straight-mid-across-3-end-area"


def test_the_areas_of_a_rule_are_shown_by_number() -> None:
    first = "area 1 on the left: closed; its line is [0, 4] [-1, 4]"
    second = "area 2 on the left: even; its line is [0, 1] [0, 2] [0, 3]"
    prints(f"rules {TWO_AREAS}", 0, f"{first}\n    {second}\n")
    prints("rules area-near-border", 0, "area on the")
    family = prints("rules sa-up-small", 0, " more drawings").out
    assert family.count("; the last step runs up the page") == 12


GREEN, SAND = "#cdebd8", "#ffe0a3"  # the lines of the first and the second area


def test_rules_are_drawn_into_pictures() -> None:
    prints(f"rules {TWO_AREAS} c-shape -o r.svg", 0, "picture: r-1.svg\n")
    svgs = [Path(f"r-{number}.svg").read_text() for number in (1, 2)]
    fills = Counter(node.get("fill") for node in ET.fromstring(svgs[0]).iter())
    assert (fills[GREEN], fills[SAND]) == (2, 3)
    for svg, name in zip(svgs, (TWO_AREAS, "c-shape"), strict=True):
        assert f"<title>{name}</title>" in svg
    prints("rules sa-up-small -o family.svg", 0, "picture: family.svg\n")
    drawings = ET.fromstring(Path("family.svg").read_text()).findall("{*}g")
    assert len(drawings) == 12
