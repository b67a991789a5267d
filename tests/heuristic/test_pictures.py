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
    rule_name,
    surplus_in_name,
)
from heuristic.rules.drawing import CellState, Kind, RuleSpec, left_ahead
from heuristic.rules.rulefile import parse_rules
from solver.errors import PictureError
from tests.pictures import ahead, picture
from verify.verdict.implied import forms

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


@pytest.mark.parametrize(
    ("stem", "surplus"),
    [
        *(("a_E_3", 0), ("a_2B_1", -2), ("a_vB", -3), ("a_(h-1)W_2", 4)),
        *(("a", None), ("2024_0711_rule", None)),
    ],
)
def test_the_count_in_a_name(stem: str, surplus: int | None) -> None:
    assert surplus_in_name(stem, (-3, -5)) == surplus
    assert rule_name(stem)


def refused(data: bytes, facts: Facts | None = None) -> str:
    with pytest.raises(PictureError) as error:
        rule(data, facts=facts)
    message = str(error.value)
    assert message.startswith("<bytes>")
    return message


GOOD = picture(DEAD_END).decode()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("<!-- 2 3 1 -->", "<!-- 9 3 1 -->", "outside 3 x 3"),
        ("<!-- 2 3 1 -->", "<!-- 1 3 1 -->", "no sign of the rule editor on this cell"),
        ("<!-- 2 3 1 -->", "<!-- 2 3 -->", "is no cell"),
        ("#dddddd", "#123456", "column 2, row 2: the shapes are no sign"),
        ('viewBox="0 0 3 3"', 'viewBox="0 0 99 3"', "above 30"),
        ("h 1 v 1", "h 1 v 1e999", "a path holds"),
        ("</svg>", "", "is not XML"),
        (
            "<style>\n\t\tsvg { background-color: white; }\n\t</style>",
            "<script />",
            "<script> is none",
        ),
        ("</style>", '</style><g transform="rotate(45, 1, 1)" />', "turned by hand"),
        ("<svg", '<!DOCTYPE svg [<!ENTITY a "b">]><svg', "document type"),
        ("<svg", "<?go?><svg", "an instruction is not allowed"),
        ("</svg>", '<rect fill="red" /></svg>', "squares without comments"),
    ],
)
def test_a_picture_that_is_none(old: str, new: str, why: str) -> None:
    assert old in GOOD
    assert why in refused(GOOD.replace(old, new, 1).encode())


def test_signs_that_go_together() -> None:
    assert "2 live ends" in refused(picture("@ x @\n? ? ?"))
    assert "no live end" in refused(picture("? x %"))
    assert "no cell is drawn" in refused(picture("? ? ?"))
    assert "the cell has two signs" in refused(picture("? %.\nx @"))
    assert "is the walk" in refused(picture("x @\n? %"))
    assert "needs forbid" in refused(picture("? %\n? @"))
    assert "does not touch the live end" in refused(picture("x ? ?\n? ? @"))
    assert "not drawn free" in refused(picture("K x\n? @"))
    assert "other moves are crossed" in refused(
        picture("? x\n? @"), Facts(names=["a"], source="x", forbid=["left"])
    )
    assert "cannot be forbidden" in refused(picture("? %x\n? @"))
    assert "and forbid (" in refused(picture(STAIR))
    odd = msgspec.structs.replace(FORBIDS, kind="pair", high=1)
    assert "low and high go with" in refused(picture(STAIR), odd)
    assert "of the other colour" in refused(picture("? < ?\n? b ?\n? @ x"))
    assert "both cells beside" in refused(picture(". < .\n? ? ?\n? @ x"))


def test_borders_that_are_not_whole() -> None:
    assert "no arrow" in refused(picture(STAIR.replace("v", "?")), FORBIDS)
    assert "more than one arrow" in refused(
        picture(STAIR.replace("? b . b", "v b . b")), FORBIDS
    )
    assert "are no line" in refused(picture("? ? v\n. b .\n? . ?\n? @ x"))
    marked = picture("? < ?\n? @ x").replace(
        b"</svg>", b'<!-- 1 1 13 --><path d="M 0 0 h 1 v 1 z" fill="#008000"/></svg>'
    )
    assert "marks of areas are not read" in refused(marked)


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
    facts = msgspec.structs.replace(FORBIDS, free=[(1, 1)])
    found = rule(picture("? ?\n? @"), facts=facts)
    assert forms(found) == forms(drawn(". x\n? @\n"))
    assert "is free by the facts" in refused(picture("% ?\n? @"), facts)


def test_facts(tmp_path: Path) -> None:
    file = tmp_path / "facts.toml"
    good = '[[picture]]\nnames = ["a", "b"]\nforbid = ["left"]\nlow = 1\nsource = "s"\n'
    file.write_text(good)
    one = Facts(names=["a", "b"], forbid=["left"], low=1, source="s")
    assert load_facts(file) == {"a": [one], "b": [one]}
    file.write_text(good + good)
    assert load_facts(file)["a"] == [one, one]
    for text, why in (
        ("[[picture]]\n", "missing required field `names`"),
        (good.replace("left", "up"), "Invalid enum value 'up'"),
        (good.replace("low = 1", "less = 1"), "unknown field `less`"),
        (good + good.replace("low = 1", 'unread = "x"'), "'a' is a rule and is unread"),
        ("[[picture", "cannot be read"),
    ):
        file.write_text(text)
        with pytest.raises(PictureError, match=why):
            load_facts(file)


def test_the_facts_of_the_docs() -> None:
    facts = load_facts(Path("docs/tables/pictures-facts.toml"))
    sources = [one.source for several in facts.values() for one in several]
    assert len(facts) == 272
    assert all(source.startswith(("Path.cs, ", "readme0.md")) for source in sources)
    assert load_picture(Path("docs/examples/picture.svg"))
