"""Rule pictures: what is read, what is refused, and what comes out as a drawing."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heuristic.pictures.border import find_border
from heuristic.pictures.elements import MOST
from heuristic.pictures.naming import rule_name, surplus_told
from heuristic.pictures.picture import load_picture, read_picture
from heuristic.pictures.rule import Told, import_rule
from heuristic.pictures.same import borders, compare
from heuristic.pictures.told import load_told
from heuristic.rules.drawing import Kind, RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.errors import OnewayError, PictureError
from tests.pictures import picture

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
DOOR = """
? < ?
? .e ?
? .sx ?
? @ x
"""


def rule(data: bytes, stem: str = "a", told: Told | None = None) -> RuleSpec:
    return import_rule(read_picture(data), stem, "a.svg", told=told).rule


def drawn(text: str, more: str = "") -> RuleSpec:
    head = 'name = "a"\nclaim = "unargued"\norigin = "a.svg"\n'
    (one,) = parse_rules(f'[[rule]]\n{head}{more}drawing = """\n{text}"""\n')
    return one


def test_cells_crosses_and_corners() -> None:
    found = rule(picture(DEAD_END))
    assert compare(found, drawn("? % ?\n% K ?\nx @ x\n")) == "equal"
    assert compare(found, drawn("? % ?\n% . ?\nx @ x\n")) == ""


def test_turns_are_those_of_the_comment_before_the_picture() -> None:
    for flags, turns in (("|False|True|", '"0", "ccw"'), ("|True|False|", '"0", "cw"')):
        found = rule(picture(DEAD_END, flags=flags))
        assert compare(found, drawn("? % ?\n% K ?\nx @ x\n", f"turns=[{turns}]\n")) == (
            "equal"
        )


def test_a_marked_area_is_behind_its_line_where_the_arrow_says() -> None:
    for arrow, side in (("<", "left"), (">", "right")):
        found = rule(picture(DOOR.replace("<", arrow)))
        (area,) = found.drawings[0].areas
        assert (area.cells, area.side) == (((0, 1), (0, 2)), side)
        assert (area.kind, area.wall) == (Kind.PAIR, (0, 3))
    away = picture(
        """
        < .s .e ^
        ? ? ? ?
        ? x ? ?
        ? @ ? ?
        """
    )
    (area,) = rule(away).drawings[0].areas
    assert (area.kind, area.base, area.side) == (Kind.CLOSED, (1, 3), "left")


def test_a_border_of_black_and_grey_is_filled_on_the_side_of_the_area() -> None:
    line = find_border(read_picture(picture(STAIR)))
    assert line is not None
    assert line.cells == ((1, 1), (2, 1), (2, 2), (3, 2), (4, 2))
    assert (line.filled, line.side, line.wall) == (((2, 1),), "left", (5, 1))
    for a, b in pairwise(line.cells):
        assert abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
    told = Told(("straight", "right"), ("0", "cw"), source="here")
    found = import_rule(
        read_picture(picture(STAIR)), "Stair_E_1", "x", prefix="his-", told=told
    )
    (area,) = found.rule.drawings[0].areas
    assert (area.kind, area.low, area.high) == (Kind.WITHIN, 0, 0)
    assert [(run.first, run.then) for run in found.rule.drawings[0].runs] == [
        ((5, 4), (6, 4)),
        ((1, 4), (2, 4)),
    ]
    assert found.rule.name == "his-stair-e-1"
    assert found.notes == (
        "its count stands in the name, not in the picture",
        "what it forbids is from here",
    )
    (same,) = parse_rules(found.text)
    assert compare(same, found.rule) == "equal"
    assert borders(found.rule) == borders(same)


@pytest.mark.parametrize(
    ("stem", "surplus"),
    [
        *(("a_E", 0), ("a_E_3", 0), ("a_1W", 1), ("a_2B_1", -2), ("a_vB", -3)),
        *(("a_hW", 5), ("a_(vp1)B", -4), ("a_(h-1)W_2", 4), ("a", None)),
        *(("2n=2", None), ("a_x", None), ("2024_0711_rule", None), ("a_WB", None)),
    ],
)
def test_what_a_name_tells_of_the_count(stem: str, surplus: int | None) -> None:
    assert surplus_told(stem, (5, 3)) == surplus
    assert rule_name(stem)


def refused(data: bytes, told: Told | None = None) -> str:
    with pytest.raises(PictureError) as error:
        rule(data, told=told)
    message = str(error.value)
    assert message.startswith(("<bytes>", "a.svg"))
    assert "\n" not in message
    return message


GOOD = picture(DEAD_END).decode()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("<!-- 2 3 1 -->", "<!-- 9 3 1 -->", "outside 3 x 3"),
        ("<!-- 2 3 1 -->", "<!-- 0 3 1 -->", "outside 3 x 3"),
        ("<!-- 2 3 1 -->", "<!-- 2 3 77 -->", "the number 77"),
        ("<!-- 2 3 1 -->", "<!-- 2 3 2 -->", "no edition gives the number 2"),
        ("<!-- 2 3 1 -->", "<!-- 1 3 1 -->", "does not stand on the cell"),
        ("<!-- 2 3 1 -->", "<!-- 2 3 -->", "is no cell"),
        ("<!-- 2 3 1 -->", "<!-- 2 -3 1 -->", "is no cell"),
        ("#dddddd", "#123456", "the colour #123456"),
        ('viewBox="0 0 3 3"', 'viewBox="0 0 3"', "viewBox"),
        ('viewBox="0 0 3 3"', 'viewBox="0 0 99 3"', "above 30"),
        ('viewBox="0 0 3 3"', "", "viewBox"),
        ("h 1 v 1", "h 1 v 1e999", "a path holds"),
        ("</svg>", "", "is not XML"),
        ("<style>", "<script>", "<script> is none"),
        ("</style>", "</style><g>", "turned by hand"),
        ("</style>", "</style><style><path/></style>", "nested"),
        ("<svg", '<!DOCTYPE svg [<!ENTITY a "b">]><svg', "document type"),
        ("<svg", "<?php ?><svg", "processing instruction"),
        ("<svg", "<!-- 1 1 1 --><svg", "outside the picture"),
        ("</svg>", '<text x="1">n</text></svg>', "a family"),
        ("</svg>", '<rect fill="red" /></svg>', "squares without comments"),
        ('stroke="red"', 'stroke="green"', "stand on the cell"),
    ],
)
def test_a_picture_that_is_none(old: str, new: str, why: str) -> None:
    assert old in GOOD
    assert why in refused(GOOD.replace(old, new, 1).encode())


def test_signs_that_go_together() -> None:
    assert "2 live ends" in refused(picture("@ x @\n? ? ?"))
    assert "no live end" in refused(picture("? x %"))
    assert "no cell is drawn" in refused(picture("? ? ?"))
    assert "outside' already" in refused(picture("? %.\nx @"))
    assert "is the walk" in refused(picture("x @\n? %"))
    assert "forbids no move" in refused(picture("? %\n? @"))
    assert "does not touch the live end" in refused(picture("x ? ?\n? ? @"))
    assert "not drawn free" in refused(picture("K x\n? @"))
    assert "other moves are crossed" in refused(
        picture("? x\n? @"), Told(("left",), source="x")
    )
    assert "cannot be forbidden" in refused(picture("? %x\n? @"))
    assert "not when its count" in refused(picture(STAIR))
    assert "of the other colour" in refused(picture("? < ?\n? b ?\n? @ x"))
    assert "both cells beside" in refused(picture(". < .\n? ? ?\n? @ x"))


def test_areas_that_are_not_whole() -> None:
    assert "begin and" in refused(picture(DOOR.replace(".e", ".")))
    assert "no arrow" in refused(picture(DOOR.replace("<", "?")))
    assert "joined to it" in refused(picture("? < ?\n? .e ?\n? . ?\n? .sx ?\n? @ ?"))
    assert "belongs to no area" in refused(picture("? .m x\n? ? @"))
    both = picture("? < ?\n? e >\n? s b\nx @ .")
    assert "marks of areas and opaque black" in refused(both)
    assert "are no line" in refused(picture("? ? v\n. b .\n? . ?\n? @ x"))


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    with pytest.raises(PictureError, match=r"a\.svg: cannot be read"):
        load_picture(file)
    file.write_bytes(b"<svg>" + b" " * MOST)
    with pytest.raises(PictureError, match="larger than"):
        load_picture(file)
    file.write_bytes(picture(DEAD_END))
    assert load_picture(file).turns == ("0",)


@given(
    st.integers(0, len(GOOD)),
    st.sampled_from(["", "0", "-1", "1e9", "<", "<!--", "-->", "&a;", "M", "@", "\0"]),
)
@example(len(GOOD) // 2, "<!-- 1 1 8 -->")
def test_any_damage_is_refused_or_read(at: int, what: str) -> None:
    data = (GOOD[:at] + what + GOOD[at + 2 :]).encode()
    try:
        found = rule(data)
    except OnewayError as error:
        told = str(error)
    else:
        told = f"a.svg {found.drawings[0].text}"
    assert told.startswith(("<bytes>", "a.svg"))


def test_what_is_told(tmp_path: Path) -> None:
    file = tmp_path / "told.toml"
    good = '[[picture]]\nnames = ["a", "b"]\nforbid = ["left"]\nlow = 1\nsource = "s"\n'
    file.write_text(good)
    assert load_told(file) == {
        name: Told(("left",), (), 1, None, source="s") for name in ("a", "b")
    }
    for text, why in (
        ("", "no tables"),
        ("picture = 3", "no tables"),
        ("[[picture]]\n", "names no picture"),
        (good.replace("left", "up"), "none of straight"),
        (good.replace("low = 1", "low = 1.5"), "whole number"),
        (good.replace("low = 1", "less = 1"), "unknown key 'less'"),
        (good.replace('"s"', '""'), "source must say"),
        (good + good, "'a' twice"),
        ("[[picture", "cannot be read"),
    ):
        file.write_text(text)
        with pytest.raises(PictureError, match=why):
            load_told(file)


def test_what_stands_for_one_picture_stands_in_the_docs() -> None:
    told = load_told(Path("docs/tables/pictures-told.toml"))
    assert len(told) == 59
    assert all(one.source.startswith("Path.cs, ") for one in told.values())
    assert load_picture(Path("docs/examples/picture.svg"))
