"""Rules on pages: read, edited in their text, proved or refuted, saved."""

import base64
import shutil
from pathlib import Path

import msgspec
import pytest

from heuristic.groups import load_rules
from heuristic.rules.rulefile import parse_rules
from tests.lab.test_messages import ask, lab_settings, only, place
from tests.pictures import picture
from verify.checker.proof import check, read, unpacked
from verify.corpus.cases import cases_against
from verify.lab.messages import AreaDrawn, EditRule, Judged, JudgeRule
from verify.lab.rules import edited, judge_rule, letter_of, source_of, spec_of

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


def test_a_rule_is_read_for_the_grid(tmp_path: Path) -> None:
    shown = only(ask(tmp_path, "readrule", text=TEXT), "ruleread")
    assert shown["names"] == ["corner-ahead"]
    assert shown["model"]["rows"] == ["? % ?", "% . ?", "x @ x"]
    assert shown["model"]["svg"].startswith("<svg")


@pytest.mark.parametrize(
    ("rule", "name"), [(0, "corner-ahead"), (1, "door"), (9, "door")]
)
def test_a_rule_is_selected_by_number(rule: int, name: str, tmp_path: Path) -> None:
    shown = only(ask(tmp_path, "readrule", text=TEXT + DOOR, rule=rule), "ruleread")
    assert (shown["names"], shown["model"]["name"]) == (["corner-ahead", "door"], name)


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
    assert parse_rules(reply["text"])[0].origin == 'a "b".svg'
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
    replies = ask(tmp_path, "judgerule", text=TEXT)
    judged = only(replies, "judged")
    assert judged["word"] == "REFUTED"
    assert (judged["position"], judged["move"]) == ("5:RRRRDDD", "L")
    advice = [r for r in replies if r["reply"] == "advice"]
    mend = next(a for a in advice if "ahead is not the end" in a["text"])
    assert (mend["at"], mend["letter"]) == ([0, 1], "K")
    assert mend["part"] == "drawing 1, as drawn, move to the cell on the right"
    judged = only(ask(tmp_path, "judgerule", text=MENDED), "judged")
    assert judged["word"] == "PROVED"
    assert judged["lines"][0] == "for every board, with any walls and ends"


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
    assert reply["evidence"]["verdict"] == "PROVED"
    kin = only(ask(tmp_path, "comparerule", text=reply["text"]), "compared")
    assert {"c-shape", "sa-c-shape"} <= set(kin["same"])
    unknown = ask(tmp_path, "bookrule", name="c-shap")
    assert "did you mean 'c-shape'" in only(unknown, "fault")["why"]


def test_a_file_is_saved_in_the_folder_and_can_be_named(tmp_path: Path) -> None:
    reply = only(ask(tmp_path, "saverule", text=MENDED, file="my.toml"), "written")
    assert reply["files"] == [str(tmp_path / "lab" / "my.toml")]
    looked = ask(tmp_path, "look", place=place("7:RRRRRRD"), rules="my.toml")
    assert only(looked, "seen")["forbidden"] == []
    for file in ("../my.toml", "/tmp/my.toml", "my.txt", ".my.toml"):
        replies = ask(tmp_path, "saverule", text=MENDED, file=file)
        assert only(replies, "fault")["why"]
    bad = ask(tmp_path, "saverule", text="[[rule", file="bad.toml")
    assert only(bad, "fault")["why"]
    assert [path.name for path in (tmp_path / "lab").iterdir()] == ["my.toml"]


def test_the_book_and_its_pictures(tmp_path: Path) -> None:
    replies = ask(tmp_path, "book")
    cards = [c for r in replies if r["reply"] == "bookpart" for c in r["rules"]]
    assert len({card["name"] for card in cards}) == len(cards) > 100
    names = {rule.name for rule in load_rules("seed-2024").rules}
    card_of = {card["name"]: card for card in cards}
    assert all("<svg" in card_of[name]["svg"] for name in names)


@pytest.mark.parametrize("how", ["steps", "uniform"])
def test_labyrinths_are_complete_walks_of_the_seed(how: str, tmp_path: Path) -> None:
    fields = {"place": place("7:"), "how": how, "seed": 3, "count": 2}
    drawn = only(ask(tmp_path, "labyrinths", **fields), "labyrinthsdrawn")
    again = only(ask(tmp_path, "labyrinths", **fields), "labyrinthsdrawn")
    assert drawn == again
    assert len({labyrinth["plain"] for labyrinth in drawn["drawn"]}) == 2
    assert all(len(x["plain"]) == len("7:") + 48 for x in drawn["drawn"])
    file = only(ask(tmp_path, "sheets", **fields, file="pdf"), "exported")
    assert base64.b64decode(file["data"]).count(b"/Type /Page\n") == 4


def test_cases_of_the_corpus_are_tried_first(tmp_path: Path) -> None:
    spec = spec_of("double-area-4-dist")
    assert spec is not None
    text = source_of(spec)
    renamed = text.replace('"double-area-4-dist"', '"mine"')
    folder = Path(__file__).parents[2] / "corpus"
    case = cases_against(folder)["double-area-4-dist"][0].path
    assert case is not None
    (tmp_path / "corpus" / "unsound").mkdir(parents=True)
    shutil.copy(case, tmp_path / "corpus" / "unsound")
    for drawn in (text, renamed):
        judged = next(judge_rule(JudgeRule(1, drawn), lab_settings(tmp_path)))
        assert isinstance(judged, Judged)
        assert judged.word == "REFUTED"
        assert judged.lines[1] == f"found by: case {case.stem}"
