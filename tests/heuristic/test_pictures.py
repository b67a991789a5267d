"""Rule pictures: what is read, what is refused, and what comes out as a drawing."""

import re
from pathlib import Path

import msgspec
import pytest

from heuristic.pictures.picture import load_picture, read_picture
from heuristic.pictures.rule import (
    Facts,
    drawn_border,
    import_rule,
    load_facts,
    surplus_in_name,
)
from heuristic.rules.drawing import CellState, Kind, RuleSpec, left_ahead
from heuristic.rules.rulefile import parse_rules
from solver.errors import PictureError
from tests.pictures import ahead, picture
from verify.verdict.comparison import forms

DEAD_END = """
? % ?
% .K ?
x @ x
"""
STAIR = """
< ? ? ? < ? ?
? ? ? ? ? ? ?
? b . b ? ? ?
v ? ? ? b ? ?
? ? ? ? ? @ ?
"""


FORBIDS = Facts(names=["a"], source="here", forbid=["straight"])
FREE = msgspec.structs.replace(FORBIDS, free=[(1, 1)])


def rule(data: bytes, stem: str = "a", facts: Facts | None = None) -> RuleSpec:
    return import_rule(read_picture(data), stem, "a.svg", facts=facts).rule


def drawn(text: str, more: str = "") -> RuleSpec:
    head = 'name = "a"\nclaim = "unargued"\norigin = "a.svg"\n'
    (one,) = parse_rules(f'[[rule]]\n{head}{more}drawing = """\n{text}"""\n')
    return one


def test_cells_crosses_and_corners() -> None:
    found = rule(picture(DEAD_END))
    assert forms(found) == forms(drawn("? % ?\n% K ?\nx @ x\n"))
    assert forms(found) != forms(drawn("? % ?\n% . ?\nx @ x\n"))


def test_the_numbers_of_comments_mean_nothing() -> None:
    numbered = re.sub(rb"<!-- (. .) \d+ -->", rb"<!-- \1 9 -->", picture(DEAD_END))
    assert forms(rule(numbered)) == forms(rule(picture(DEAD_END)))


def test_of_several_other_obstacles_one_must_be_there() -> None:
    (one,) = rule(picture("? l ?\n? ? ?\n? @ x")).drawings
    assert [(run.first, run.then) for run in one.runs] == [((-2, 0), (-2, -1))]
    assert not one.variant
    several = rule(picture("u ? l\n? ? ?\n? @ x")).drawings
    assert [d.variant for d in several] == ["either 1", "either 2"]
    assert [d.runs[0].first for d in several] == [(-2, -1), (-2, 1)]


def test_turns_are_those_of_the_comment_before_the_picture() -> None:
    for flags, turns in (("|False|True|", '"0", "ccw"'), ("|True|False|", '"0", "cw"')):
        found = rule(picture(DEAD_END, flags=flags))
        turned = drawn("? % ?\n% K ?\nx @ x\n", f"turns=[{turns}]\n")
        assert forms(found) == forms(turned)


def test_a_border_of_black_and_grey_is_filled_on_the_side_of_the_area() -> None:
    line = drawn_border(read_picture(picture(STAIR)))
    assert line is not None
    assert line.cells == ((-1, -1), (-1, -2), (-2, -2), (-2, -3), (-2, -4))
    assert (line.base, line.side, line.wall) == ((0, 0), "left", (-1, -5))
    beside = picture(STAIR.replace("? @", ". @"))  # a mere free cell
    assert drawn_border(read_picture(beside)) == line
    facts = Facts(
        names=["a"], source="here", forbid=["straight", "right"], turns=["0", "cw"]
    )
    found = import_rule(
        read_picture(picture(STAIR)), "Stair_E_1", "x", prefix="his-", facts=facts
    )
    (area,) = found.rule.drawings[0].areas
    assert (area.kind, area.low, area.high) == (Kind.WITHIN, 0, 0)
    assert [(run.first, run.then) for run in found.rule.drawings[0].runs] == [
        ((-4, -5), (-4, -6)),
        ((-4, -1), (-4, -2)),
    ]
    assert found.rule.name == "his-stair-e-1"
    assert found.rule.note == (
        "its count stands in the name, not in the picture; what it forbids is from here"
    )
    (same,) = parse_rules(found.text)
    assert forms(same) == forms(found.rule)


def test_the_count_in_a_name() -> None:
    names = {"a_E_3": 0, "a_2B_1": -2, "a_vB": -3, "a_(h-1)W_2": 4, "a": None}
    for stem, surplus in names.items():
        assert surplus_in_name(stem, (-3, -5)) == surplus
    assert surplus_in_name("2024_0711_rule", (-3, -5)) is None


def refused(data: bytes, facts: Facts | None = None) -> str:
    with pytest.raises(PictureError) as error:
        rule(data, facts=facts)
    message = str(error.value)
    assert message.startswith("<bytes>")
    return message


def test_a_picture_that_is_none() -> None:
    good = picture(DEAD_END).decode()
    for old, new, why in (
        ("<!-- 2 3 1 -->", "<!-- 9 3 1 -->", "outside 3 x 3"),
        ("<!-- 2 3 1 -->", "<!-- 1 3 1 -->", "no sign of the rule editor on this cell"),
        ("<!-- 2 3 1 -->", "<!-- 2 3 -->", "is no cell"),
        ("#dddddd", "#123456", "column 2, row 2: the shapes are no sign"),
        ("#000000", "#008000", "marks of areas are not read"),
        ('viewBox="0 0 3 3"', 'viewBox="0 0 99 3"', "above 30"),
        ("h 1 v 1", "h 1 v 1e999", "a path holds"),
        ("</svg>", "", "is not XML"),
        ("</style>", "</style><script />", "<script> is none"),
        ("</style>", '</style><g transform="rotate(45, 1, 1)" />', "turned by hand"),
        ("<svg", '<!DOCTYPE svg [<!ENTITY a "b">]><svg', "document type"),
        ("<svg", "<?go?><svg", "an instruction is not allowed"),
        ("</svg>", '<rect fill="red" /></svg>', "squares without comments"),
    ):
        assert old in good
        assert why in refused(good.replace(old, new, 1).encode())


def test_signs_that_go_together() -> None:
    left = Facts(names=["a"], source="x", forbid=["left"])
    odd = msgspec.structs.replace(FORBIDS, kind="even", high=1)
    two_arrows = STAIR.replace("? b . b", "v b . b")
    for rows, facts, why in (
        ("@ x @\n? ? ?", None, "2 live ends"),
        ("? x %", None, "no live end"),
        ("? ? ?", None, "no cell is drawn"),
        ("? %.\nx @", None, "the cell has two signs"),
        ("x @\n? %", None, "is the walk"),
        ("? %\n? @", None, "needs forbid"),
        ("x ? ?\n? ? @", None, "does not touch the live end"),
        ("K x\n? @", None, "not drawn free"),
        ("? x\n? @", left, "other moves are crossed"),
        ("? %x\n? @", None, "cannot be forbidden"),
        (". < .\n? ? ?\n? @ x", None, "both cells beside"),
        ("% ?\n? @", FREE, "is free by the facts"),
        (STAIR, None, "and forbid ("),
        (STAIR, odd, "low and high go with"),
        (STAIR.replace("v", "?"), FORBIDS, "no arrow at the border's end"),
        (two_arrows, FORBIDS, "more than one arrow"),
        ("? < ?\n? b ?\n? @ x", None, "of the other colour"),
        ("? ? v\n. b .\n? . ?\n? @ x", None, "are no line"),
    ):
        assert why in refused(picture(rows), facts)


def test_an_arrow_does_not_run_onto_a_line_ahead() -> None:
    """An arrow fits two orders; where its tip is on a blue line, one is left."""
    rows = "? ? ? ?\n? < ? ?\n? ? ? @"
    ((run,),) = (d.runs for d in rule(picture(rows), facts=FORBIDS).drawings[:1])
    assert (run.first, run.then) == ((-1, -2), (-1, -3))
    found = rule(picture(rows, ahead("M 0.5 0.5 L 0.5 1.5 L 0.5 2.5")), facts=FORBIDS)
    ((run,),) = (d.runs for d in found.drawings[:1])
    assert (run.first, run.then) == ((-1, -1), (-1, -2))
    free = {n.at for n in found.drawings[0].needs if n.states is CellState.FREE}
    assert free == {(0, -3), (-1, -3), (-2, -3)}


def test_the_cells_of_a_line_ahead() -> None:
    bent = "M 0.5 0.5 L 0.5 1 A 0.5 0.5 0 0 0 1 1.5 L 2.5 1.5 l 0.3 0 m -0.2 -0.2"
    found = read_picture(picture("? ? ? ?\n? ? ? ?\n? ? ? @", ahead(bent)))
    assert found.ahead == {(-2, -3), (-1, -3), (-1, -2), (-1, -1)}
    between = picture("? ? ?\n? ? @", ahead("M 1 0.5 v 1"))
    assert not read_picture(between).ahead
    white = ahead("M 0.5 0.5 h 2").replace("blue", "white")
    assert not read_picture(picture("? ? ?\n? ? @", white)).ahead


def test_a_picture_that_lies_on_its_side() -> None:
    upright = picture(STAIR).decode()
    turned = upright.replace("0 0 7 5", "0 0 5 7").replace(
        "</style>", '</style><g transform="rotate(90, 2, 2)">'
    )
    turned = turned.replace("</svg>", "</g></svg>")
    assert read_picture(turned.encode()).cells == read_picture(upright.encode()).cells


def test_a_border_drawn_by_hand_is_given() -> None:
    rows = STAIR.replace("? b . b ? ? ?", "? b ? ? ? ? ?")
    hand = '<path d="M 3 3 v 1" fill="transparent" stroke="black" />'
    data = picture(rows, hand)
    assert "drawn by hand may stand for cells that are not drawn" in refused(data)
    line = [(1, 1), (2, 1), (2, 2), (3, 2), (4, 2)]
    facts = msgspec.structs.replace(FORBIDS, border=line, low=1, kind="beyond")
    (area,) = rule(data, facts=facts).drawings[0].areas
    assert [left_ahead(at) for at in area.cells] == line
    assert (area.wall, area.low) == ((-1, -5), 1)
    assert area.kind is Kind.BEYOND


def test_cells_that_the_program_asks_to_be_free() -> None:
    found = rule(picture("? ?\n? @"), facts=FREE)
    assert forms(found) == forms(drawn(". x\n? @\n"))


def test_facts(tmp_path: Path) -> None:
    file = tmp_path / "facts.toml"
    good = '[[picture]]\nnames = ["a", "b"]\nforbid = ["left"]\nlow = 1\nsource = "s"\n'
    file.write_text(good)
    one = Facts(names=["a", "b"], forbid=["left"], low=1, source="s")
    assert load_facts(file) == {"a": [one], "b": [one]}
    file.write_text(good + good)
    assert load_facts(file)["a"] == [one, one]
    for text, why in (
        (good.replace("left", "up"), "Invalid enum value 'up'"),
        (good + good.replace("low = 1", 'unread = "x"'), "'a' is a rule and is unread"),
    ):
        file.write_text(text)
        with pytest.raises(PictureError, match=why):
            load_facts(file)


def test_the_facts_and_the_example_of_the_docs() -> None:
    assert len(load_facts(Path("docs/tables/pictures-facts.toml"))) == 272
    assert load_picture(Path("docs/examples/picture.svg")).crosses
