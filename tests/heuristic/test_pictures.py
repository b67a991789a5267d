"""Rule pictures: what is read, what is refused, and what comes out as a drawing."""

import re

import pytest

from heuristic.pictures import drawn_border, import_rule, read_picture, surplus_in_name
from heuristic.rules.drawing import CellState, Kind, RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.errors import PictureError
from tests.pictures import ahead, picture
from verify.verdict.comparison import kin_of

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


def rule(data: bytes, stem: str = "a", forbid: str = "", turns: str = "") -> RuleSpec:
    words = {"forbid": forbid.split(), "turns": turns.split()}
    (spec,) = parse_rules(import_rule(read_picture(data), stem, "a.svg", **words))
    return spec


def drawn(text: str, more: str = "") -> RuleSpec:
    head = 'name = "a"\nclaim = "unargued"\norigin = "a.svg"\n'
    (spec,) = parse_rules(f'[[rule]]\n{head}{more}drawing = """\n{text}"""\n')
    return spec


def test_cells_crosses_and_corners() -> None:
    dead_end = rule(picture(DEAD_END))
    assert kin_of(dead_end, [drawn("? % ?\n% K ?\nx @ x\n")])[0]
    assert not kin_of(dead_end, [drawn("? % ?\n% . ?\nx @ x\n")])[0]
    numbered = re.sub(rb"<!-- (. .) \d+ -->", rb"<!-- \1 9 -->", picture(DEAD_END))
    assert kin_of(rule(numbered), [dead_end])[0]


def test_one_of_several_other_obstacles_must_be_there() -> None:
    (single,) = rule(picture("? l ?\n? ? ?\n? @ x")).drawings
    assert [(run.first, run.then) for run in single.runs] == [((-2, 0), (-2, -1))]
    assert (single.text, single.variant) == ("# # ?\n? ? ?\n? @ x", "")
    several = rule(picture("u ? l\n? ? ?\n? @ x")).drawings
    assert [d.variant for d in several] == ["either 1", "either 2"]
    (up,), (left,) = (drawing.runs for drawing in several)
    assert (up.first, up.then) == ((-2, -1), (-3, -1))
    assert (left.first, left.then) == ((-2, 1), (-2, 0))


@pytest.mark.parametrize(
    ("flags", "turns"), [("|False|True|", '"0", "ccw"'), ("|True|False|", '"0", "cw"')]
)
def test_turns_are_those_of_the_comment_before_the_picture(
    flags: str, turns: str
) -> None:
    turned = drawn("? % ?\n% K ?\nx @ x\n", f"turns=[{turns}]\n")
    read = rule(picture(DEAD_END, flags=flags), turns="180")
    assert kin_of(read, [turned])[0]


def test_a_border_of_black_and_grey_is_filled_on_the_side_of_the_area() -> None:
    line = drawn_border(read_picture(picture(STAIR)))
    assert line
    assert line.cells == ((-1, -1), (-1, -2), (-2, -2), (-2, -3), (-2, -4))
    assert (line.base, line.side, line.wall) == ((0, 0), "left", (-1, -5))
    beside = picture(STAIR.replace("? @", ". @"))  # a mere free cell
    assert drawn_border(read_picture(beside)) == line
    stair = rule(picture(STAIR), "Stair_E_1", "straight right", "0 cw")
    (drawing,) = stair.drawings
    (area,) = drawing.areas
    assert (area.kind, area.low, area.high) == (Kind.WITHIN, 0, 0)
    assert drawing.forbidden == ((-1, 0), (0, 1))
    assert [*drawing.poses] == ["NONE", "CW"]
    runs = [(run.first, run.then) for run in drawing.runs]
    assert runs == [((-4, -5), (-4, -6)), ((-4, -1), (-4, -2))]
    assert stair.name == "stair-e-1"
    assert "its count stands in the name" in stair.note


def test_the_count_in_a_name() -> None:
    names = {"a_E_3": 0, "a_2B_1": -2, "a_vB": -3, "a_(h-1)W_2": 4, "a_(vp1)B_1": -4}
    for stem, surplus in names.items():
        assert surplus_in_name(stem, (-3, -5)) == surplus
    for stem in ("a", "2024_0711_rule"):
        assert surplus_in_name(stem, (-3, -5)) is None


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("<!-- 2 3 1 -->", "<!-- 4 3 1 -->", "outside 3 x 3"),
        ("<!-- 2 3 1 -->", "<!-- 2 4 1 -->", "outside 3 x 3"),
        ("<!-- 2 3 1 -->", "<!-- 2 0 1 -->", "outside 3 x 3"),
        ("<!-- 2 3 1 -->", "<!-- 1 3 1 -->", "no sign of the rule editor on this cell"),
        ("<!-- 2 3 1 -->", "<!-- 2 3 -->", "is no cell"),
        ("#dddddd", "#123456", "column 2, row 2: the shapes are no sign"),
        ("#000000", "#008000", "marks of areas are not read"),
        ('viewBox="0 0 3 3"', 'viewBox="0 0 99 3"', "above 30"),
        ("h 1 v 1", "h 1 v 1e999", "a path holds"),
        ("</svg>", "", "is not XML"),
        ("</style>", "</style><script />", "<script> is none"),
        ("<svg", '<!DOCTYPE svg [<!ENTITY a "b">]><svg', "document type"),
        ("<svg", "<?go?><svg", "an instruction is not allowed"),
        ("</svg>", '<path d="M 0 0 h 1" fill="red" /></svg>', "drawn by hand"),
    ],
)
def test_a_file_that_is_no_rule_picture(old: str, new: str, why: str) -> None:
    good = picture(DEAD_END).decode()
    assert old in good
    with pytest.raises(PictureError, match=rf"^<bytes>.*{re.escape(why)}"):
        rule(good.replace(old, new, 1).encode())


@pytest.mark.parametrize(
    ("rows", "stem", "forbid", "why"),
    [
        ("@ x @\n? ? ?", "a", "", "2 live ends"),
        ("? x %", "a", "", "no live end"),
        ("? %.\nx @", "a", "", "the cell has two signs"),
        ("x @\n? %", "a", "", "is the walk"),
        ("? %\n? @", "a", "", "no cell is crossed"),
        ("x ? ?\n? ? @", "a", "", "does not touch the live end"),
        ("K x\n? @", "a", "", "not drawn free"),
        ("? x\n? @", "a", "left", "other moves are crossed"),
        ("? %x\n? @", "a", "", "cannot be forbidden"),
        (". < .\n? ? ?\n? @ x", "a", "", "both cells beside"),
        (STAIR, "a", "straight", "count must end the file's name"),
        (STAIR.replace("v", "?"), "a_E", "straight", "no arrow at the border's end"),
        (STAIR.replace("? b . b", "v b . b"), "a_E", "straight", "more than one arrow"),
        ("? < ?\n? b ?\n? @ x", "a_E", "", "column 2, row 2: an opaque black cell of"),
        ("? ? v\n. b .\n? . ?\n? @ x", "a_E", "", "are no line"),
    ],
)
def test_signs_that_do_not_go_together(
    rows: str, stem: str, forbid: str, why: str
) -> None:
    with pytest.raises(PictureError, match=rf"^<bytes>.*{why}"):
        rule(picture(rows), stem, forbid)


def test_an_arrow_does_not_run_onto_a_line_ahead() -> None:
    """An arrow fits two orders; where its tip is on a blue line, one is left."""
    rows = "? ? ? ?\n? < ? ?\n? ? ? @"
    (plain,) = rule(picture(rows), forbid="straight").drawings
    blue = picture(rows, ahead("M 0.5 0.5 L 0.5 1.5 L 0.5 2.5"))
    (drawing,) = rule(blue, forbid="straight").drawings
    runs = [(run.first, run.then) for run in (*plain.runs, *drawing.runs)]
    assert runs == [((-1, -2), (-1, -3)), ((-1, -1), (-1, -2))]
    free = {n.at for n in drawing.needs if n.states is CellState.FREE}
    assert free == {(0, -3), (-1, -3), (-2, -3)}


def test_the_cells_of_a_line_ahead() -> None:
    bent = "M 0.5 0.5 L 0.5 1 A 0.5 0.5 0 0 0 1 1.5 L 2.5 1.5 l 0.3 0 m -0.2 -0.2"
    curved = read_picture(picture("? ? ? ?\n? ? ? ?\n? ? ? @", ahead(bent)))
    assert curved.ahead == {(-2, -3), (-1, -3), (-1, -2), (-1, -1)}
    straight = picture("? ? ?\n? ? @", ahead("M 0.5 0.5 h 1 v 1"))
    assert read_picture(straight).ahead == {(-1, -2), (-1, -1), (0, -1)}
    between = picture("? ? ?\n? ? @", ahead("M 1 0.5 v 1"))
    assert not read_picture(between).ahead
    white = ahead("M 0.5 0.5 h 2").replace("blue", "white")
    assert not read_picture(picture("? ? ?\n? ? @", white)).ahead
