"""Rules on pages: read, edited in their text, proved or refuted, saved."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from heuristic.groups import group_names, load_rules, rule_names
from heuristic.rules.picture import draw_rule
from heuristic.rules.rulefile import parse_rules
from solver.board import Position
from solver.svg import draw
from tests.lab.served import ROOT
from tests.lab.test_messages import ask, lab_settings, only, place
from tests.pictures import picture
from verify.checker.proof import check, read, unpacked
from verify.corpus.cases import cases_against
from verify.lab.messages import AreaDrawn, EditRule, Judged, JudgeRule
from verify.lab.rules import (
    book_groups,
    edited,
    judge_rule,
    letter_of,
    source_of,
    spec_of,
)

TEXT = '''# a note that stays
[[rule]]
name = "corner-ahead"   # and this one
claim = "sound"
drawing = """
? % ?
% . ?
x @ x
"""
'''
MENDED = TEXT.replace("% . ?", "% K ?")
DOOR = '''[[rule]]
name = "door"
claim = "sound"
drawing = """
? # ?
. . .
? @ x
"""
'''


AREA = """[[rule.area]]
cells = [[0, 1]]
side = "left"
kind = "closed"
wall = [0, 2]
"""


def test_a_rule_is_read_for_the_editor(tmp_path: Path) -> None:
    area: dict[str, Any] = dict.fromkeys(("low", "high", "entry", "least"))
    area |= {"cells": [[0, 1]], "side": "left", "kind": "closed"}
    area |= {"base": [0, 0], "wall": [0, 2]}
    text = TEXT + DOOR.replace(". . .", ". s .") + AREA
    corner = {
        **{"name": "corner-ahead", "forms": 0, "family": False, "areas": []},
        **{"rows": ["? % ?", "% . ?", "x @ x"], "turns": ["0"], "mirror": True},
        **{"frame": "heading", "svg": picture_of(text, 0)},
    }
    door = corner | {"name": "door", "rows": ["? # ?", ". s .", "? @ x"]}
    door |= {"areas": [area], "svg": picture_of(text, 1)}
    for rule, model in ((0, corner), (1, door), (9, door)):
        reply = ask(tmp_path, "readrule", text=text, rule=rule)[0]
        names = ["corner-ahead", "door"]
        assert reply == {"reply": "ruleread", "id": 7, "names": names, "model": model}


def picture_of(text: str, number: int) -> str:
    spec = parse_rules(text)[number]
    return draw_rule(spec.drawings, spec.name)


@pytest.mark.parametrize(
    ("name", "forms", "family"), [("found-13-54", 2, False), ("found-13-1", 0, True)]
)
def test_forms_and_families_are_locked(
    name: str, forms: int, family: bool, tmp_path: Path
) -> None:
    spec = spec_of(name)
    assert spec is not None
    model = ask(tmp_path, "readrule", text=source_of(spec))[0]["model"]
    kind = model["forms"], model["family"], model["areas"]
    assert kind == (forms, family, [])


def test_each_cell_has_its_letter() -> None:
    rows = ["? # o", "% K .", "x @ X", "? B ?"]
    [drawing] = parse_rules(TEXT.replace("? % ?\n% . ?\nx @ x", "\n".join(rows)))[
        0
    ].drawings
    for down, row in enumerate(rows, -2):
        for right, letter in enumerate(row.split(), -1):
            if letter != "@":
                assert letter_of(drawing, (down, right)) == letter


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (TEXT.replace("% . ?", "% ; ?"), "line 2: row 2, column 2: unknown cell"),
        ("[[rule]", "not TOML"),
        ("", "there is no rule"),
    ],
)
def test_a_fault_names_its_place(text: str, why: str, tmp_path: Path) -> None:
    shown = only(ask(tmp_path, "readrule", text=text), "ruleread")
    assert shown["fault"].startswith(why)


def test_a_picture_is_read_or_refused_in_a_line(tmp_path: Path) -> None:
    drawn = picture("? % ?\n% .K ?\nx @ x\n").decode()
    reply = only(ask(tmp_path, "readpicture", text=drawn, name='a "b".svg'), "ruleread")
    assert reply["model"]["rows"] == ["? % ?", "% K ?", "x @ x"]
    [spec] = parse_rules(reply["text"])
    assert (spec.name, spec.origin) == ("a-b", 'a "b".svg')
    bare = only(ask(tmp_path, "readpicture", text=drawn, name="b"), "ruleread")
    assert bare["names"] == ["b"]
    plain = picture("? % ?\n% .K ?\n? @ ?\n").decode()
    hostile = [
        *("", "<svg>", drawn.replace("<svg", "<!DOCTYPE a><svg", 1), drawn + "x"),
        *(plain, drawn.replace("<svg", '<svg><image href="x"/>', 1), "\x00", "é" * 9),
    ]
    for text in hostile:
        (fault,) = ask(tmp_path, "readpicture", text=text, name="b.svg")
        assert fault["reply"] == "fault"
        assert fault["why"].startswith("b.svg")
        assert "\n" not in fault["why"]
    more = {"text": plain, "name": "b.svg", "forbid": ["left"]}
    reply = only(ask(tmp_path, "readpicture", **more), "ruleread")
    assert reply["model"]["rows"][-1] == "x @"
    with pytest.raises(msgspec.ValidationError):
        ask(tmp_path, "readpicture", text="a" * 100_001, name="b.svg")


def test_a_change_of_the_grid_keeps_all_else(tmp_path: Path) -> None:
    rows = ["? % ?", "% K ?", "x @ x"]
    shown = only(ask(tmp_path, "editrule", text=TEXT, rows=rows), "ruleread")
    assert shown["text"] == MENDED
    turned = edited(EditRule(1, MENDED, turns=["0", "cw"], mirror=False))
    assert "# a note that stays" in turned
    [drawing] = parse_rules(turned)[0].drawings
    assert len(drawing.turns) == 2
    assert not drawing.mirror


def test_an_area_is_put_and_taken() -> None:
    rows = ["? # ?", ". s .", "? @ x"]
    area = AreaDrawn([(0, 1)], "left", "closed", base=(0, 0), wall=(0, 2))
    with_area = edited(EditRule(1, DOOR, rows=rows, areas=[area]))
    (area_read,) = parse_rules(with_area)[0].drawings[0].areas
    assert (area_read.cells, area_read.wall, area_read.side) == (
        ((-1, 0),),
        (-2, 0),
        "left",
    )
    without = edited(EditRule(1, with_area, rows=["? # ?", ". . .", "? @ x"], areas=[]))
    assert parse_rules(without)[0].drawings == parse_rules(DOOR)[0].drawings


def test_verdicts_and_what_would_prove_it(tmp_path: Path) -> None:
    judged, *advice, _ = ask(tmp_path, "judgerule", text=TEXT)
    assert judged.pop("seconds") < 60
    here, rest = Position.parse("5:RRRRDDD"), judged["completion"]
    whole = Position.parse(f"{here.notation}{rest}")
    assert (whole.complete, rest[0]) == (True, "L")
    cells = whole.walk[len(here.walk) :]
    assert judged == {
        **{"reply": "judged", "id": 7, "name": "corner-ahead", "word": "REFUTED"},
        "lines": ["5:RRRRDDD can be completed by L", "found by: all of 5"],
        "svg": draw(here, forbidden="L", witness=cells),
        **{"position": "5:RRRRDDD", "move": "L", "completion": rest},
    }
    part = "drawing 1, as drawn, move to the cell on the right"
    assert {item["part"] for item in advice} == {part}
    assert [(a["text"], a.get("at"), a.get("letter")) for a in advice] == [
        ("the cell ahead is not the end cell", [0, 1], "K"),
        ("the cell on the left is on the board", [1, 0], None),  # x forbids it, too
        ("the cell 1 to the right and 2 ahead is on the board", [-1, 2], "o"),
        ("the cell 1 to the left and 2 ahead is on the board", [1, 2], "o"),
        ("the cell 1 to the right and 1 ahead is not free", [-1, 1], "%"),
        ("the cell 2 ahead is visited", [0, 2], "#"),
    ]
    judged, _ = ask(tmp_path, "judgerule", text=MENDED)
    assert judged.pop("seconds") < 60
    assert judged == {
        **{"reply": "judged", "id": 7, "name": "corner-ahead", "word": "PROVED"},
        "lines": ["for every board, with any walls and ends", "2 parts, 2 clauses"],
        "svg": picture_of(MENDED, 0),
    }


def test_a_proved_rule_has_a_certificate_that_the_checker_takes(tmp_path: Path) -> None:
    [file] = only(ask(tmp_path, "certify", text=MENDED), "written")["files"]
    assert Path(file).parent == tmp_path / "lab" / "proofs"
    certificate = read(unpacked(Path(file).read_bytes()))
    check(certificate)
    assert certificate.rule.name == "corner-ahead"
    replies = ask(tmp_path, "certify", text=TEXT)
    assert "is not proved" in only(replies, "fault")["why"]


def test_a_rule_of_the_book_has_its_text_and_its_verdict(tmp_path: Path) -> None:
    reply = only(ask(tmp_path, "bookrule", name="c-shape"), "ruledetails")
    assert reply["text"].startswith('[[rule]]\nname = "c-shape"')
    assert reply["text"].count("[[rule]]") == 1
    [spec] = parse_rules(reply["text"])
    assert reply["card"] == {
        **{"name": "c-shape", "claim": "sound", "origin": spec.origin},
        "groups": [g for g in group_names() if "c-shape" in rule_names(g)],
        **{"svg": draw_rule(spec.drawings, "c-shape"), "verdict": "PROVED", "cases": 0},
    }
    assert (reply["reason"], reply["note"]) == (spec.reason, spec.note)
    assert [drawn["svg"] for drawn in reply["drawn"]] == [reply["card"]["svg"]]
    assert reply["evidence"]["verdict"] == "PROVED"
    assert reply["evidence"]["for"] == "every board, with any walls and ends"
    kin = only(ask(tmp_path, "comparerule", text=reply["text"]), "compared")
    assert {"c-shape", "sa-c-shape"} <= set(kin["same"])
    unknown = ask(tmp_path, "bookrule", name="c-shap")
    assert "did you mean 'c-shape'" in only(unknown, "fault")["why"]


def test_a_file_is_saved_in_the_folder_and_can_be_named(tmp_path: Path) -> None:
    reply = only(ask(tmp_path, "saverule", text=MENDED, file="my.toml"), "written")
    assert reply["files"] == [str(tmp_path / "lab" / "my.toml")]
    looked = ask(tmp_path, "look", place=place("7:RRRRRRD"), rules="my.toml")
    assert only(looked, "seen")["forbidden"] == []
    outside = f"{tmp_path}/out.toml"  # the command named it, so pages may read it
    for file in ("../my.toml", "/tmp/my.toml", "my.txt", ".my.toml", outside):
        replies = ask(tmp_path, "saverule", text=MENDED, file=file)
        assert only(replies, "fault")["why"]
    assert not Path(outside).exists()
    bad = ask(tmp_path, "saverule", text="[[rule", file="bad.toml")
    assert only(bad, "fault")["why"]
    assert [path.name for path in (tmp_path / "lab").iterdir()] == ["my.toml"]


def accuse(rule: str, folder: Path) -> Path:
    """Copy a case against a rule into a corpus; return its file."""
    case = cases_against(ROOT / "corpus")[rule][0].path
    assert case is not None
    inside = folder / "corpus" / "unsound"
    inside.mkdir(parents=True)
    return Path(shutil.copy(case, inside))


def test_the_book_and_its_pictures(tmp_path: Path) -> None:
    accuse("double-area-4-dist", tmp_path)
    *parts, _ = ask(tmp_path, "book")
    cards = [card for part in parts for card in part["rules"]]
    assert [card["name"] for card in cards] == [*book_groups()]
    assert [len(part["rules"]) for part in parts[:-1]] == [24] * (len(parts) - 1)
    counts = {card["name"]: card["cases"] for card in cards if card["cases"]}
    assert counts == {"double-area-4-dist": 1}
    names = {rule.name for rule in load_rules("seed-2024").rules}
    assert all("<svg" in card["svg"] for card in cards if card["name"] in names)


def test_cases_of_the_corpus_are_tried_first(tmp_path: Path) -> None:
    spec = spec_of("double-area-4-dist")
    assert spec is not None
    text = source_of(spec)
    renamed = text.replace('"double-area-4-dist"', '"mine"')
    case = accuse("double-area-4-dist", tmp_path)
    for drawn in (text, renamed):
        judged = next(judge_rule(JudgeRule(1, drawn), lab_settings(tmp_path)))
        assert isinstance(judged, Judged)
        assert judged.word == "REFUTED"
        assert judged.lines[1] == f"found by: case {case.stem}"
