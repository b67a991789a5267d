from pathlib import Path

import pytest

from heuristic.rules.drawing import (
    AROUND,
    CellState,
    Frame,
    Kind,
    LineEnd,
    between,
)
from heuristic.rules.letters import LEGEND
from heuristic.rules.rulefile import load_file, parse_rules
from solver.errors import RuleError
from solver.symmetry import Symmetry
from tests.doubles.rules import beside

HEAD = '[[rule]]\nname = "r"\nclaim = "sound"\norigin = "a test"\nreason = "so it is"\n'
PLAIN = HEAD + 'drawing = """\n? x ?\n# @ ?\n"""\n'
AREA = HEAD + 'drawing = """\n? # ?\n. e .\n? s X\n? ? @\n"""\n'


def fault(text: str) -> str:
    with pytest.raises(RuleError) as caught:
        parse_rules(text, "f.toml")
    assert str(caught.value).startswith("f.toml")
    return str(caught.value)


def test_a_drawing_says_what_every_cell_may_be() -> None:
    letters = "? . K # B % o x X"
    text = PLAIN.replace("? x ?\n# @ ?", f"{letters}\n? ? ? ? ? ? ? @ ?")
    text = text.replace("x X", "x o")
    (rule,) = parse_rules(text)
    drawing = rule.drawings[0]
    row = {-at[1]: drawing.need(at) for at in [(-1, k - 7) for k in range(9)]}
    assert row[7].states == CellState(7)
    assert (row[6].states, row[6].not_end) == (CellState.FREE, False)
    assert (row[5].states, row[5].not_end) == (CellState.FREE, True)
    assert row[4].states == CellState.VISITED
    assert row[3].states == CellState.OUTSIDE
    assert row[2].states == CellState.VISITED | CellState.OUTSIDE
    assert row[1].states == CellState.FREE | CellState.VISITED
    assert row[0].states == CellState(7)
    assert drawing.forbidden == ((-1, 0),)
    assert rule.claim == "sound"
    assert drawing.turns == (Symmetry.IDENTITY,)
    assert drawing.mirror


def test_an_area_is_read_from_its_marks() -> None:
    (rule,) = parse_rules(AREA + 'area = [{ side = "left", kind = "impair" }]')
    (area,) = rule.drawings[0].areas
    assert area.cells == ((-1, -1), (-2, -1))
    assert (area.base, area.wall) == ((0, 0), (-3, -1))
    assert set(area.inside) == {(0, -1), (-1, -2), (-2, -2)}
    assert set(area.outside) == {(-1, 0), (-2, 0)}
    assert (area.kind, area.entry, area.least) == (Kind.IMPAIR, (-1, -1), 2)
    # the wall is needed taken, though it is drawn free: that cannot be
    assert "row 1" in fault(
        AREA.replace("? # ?", "# K .") + 'area = [{ side = "left", kind = "pair" }]'
    )


def test_the_sides_of_a_line_are_those_of_its_angles() -> None:
    for before in AROUND:
        for after in AROUND:
            if before == after:
                continue
            left, right = (between(after, before, left=s) for s in (True, False))
            straight = {at for at in (before, after) if 0 in at}
            assert set(left) | set(right) | straight == set(AROUND[::2])
            assert not set(left) & set(right)
    for rule in load_file(Path("heuristic/book/seed-close.toml")):
        for drawing in rule.drawings:
            for area in drawing.areas:
                assert set(area.inside) == beside(area, area.side)


def test_placements_of_the_heading_frame() -> None:
    (rule,) = parse_rules(PLAIN + 'turns = ["0", "cw"]\nmirror = false')
    placements = rule.drawings[0].placements()
    assert len(placements) == 8
    plain, turned = placements[0], placements[1]
    assert plain.heading == 0
    assert plain.turn is Symmetry.IDENTITY
    assert turned.turn.turn((-1, 0)) == (0, 1)  # turned clockwise, ahead is right


def test_placements_of_the_board_frame() -> None:
    text = PLAIN + 'frame = "board"\nsymmetries = ["IDENTITY", "TRANSPOSE"]\n'
    (rule,) = parse_rules(text + 'heading = "U"')
    plain, flipped = rule.drawings[0].placements()
    assert rule.drawings[0].frame is Frame.BOARD
    assert (plain.heading, flipped.heading) == (0, 3)
    assert flipped.turn.turn((0, -1)) == (-1, 0)  # the left edge becomes the top edge


def test_alternatives_become_drawings_of_one_rule() -> None:
    text = PLAIN + "".join(
        f"[[rule.either]]\ndrawing = '''\n{letter} @\n'''\n" for letter in "B#"
    )
    assert "the cell would have to be" in fault(text)
    (rule,) = parse_rules(text.replace("# @ ?", "% @ ?"))
    assert [d.variant for d in rule.drawings] == ["either 1", "either 2"]
    assert [d.need((0, -1)).states for d in rule.drawings] == [
        CellState.OUTSIDE,
        CellState.VISITED,
    ]


def test_forms_are_several_drawings_of_one_rule() -> None:
    forms = "".join(
        f"[[rule.form]]\nvariant = '{turn}'\nturns = ['{turn}']\ndrawing = 'x @'\n"
        for turn in ("0", "180")
    )
    (rule,) = parse_rules(HEAD + forms)
    assert [d.variant for d in rule.drawings] == ["0", "180"]
    assert "'turns' belongs to a form" in fault(HEAD + 'turns = ["0"]\n' + forms)


LINE = 'area = [{ side = "left", kind = "impair" }]'
WITHIN = 'area = [{ side = "left", kind = "within", low = 2, high = 1 }]'
FAR = HEAD + 'drawing = """\n? s ?\n? X ?\n? @ ?\n"""\n'
CORNER = HEAD + 'drawing = """\ns X\n? @\n"""\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing yet", "there is no rule in it"),
        ("rule = 3", "rule is 3, expected array"),
        ("rule = [3]", "rule is 3, expected object"),
        ("[[rule]", "not TOML"),
        ("a = " + "[" * 5000, "nested too deeply"),
        (PLAIN + "colour = 3", "line 10, rule 'r': unknown key 'colour'"),
        (PLAIN + "miror = 3", "did you mean 'mirror'?"),
        (PLAIN + PLAIN, "two rules have this name"),
        (PLAIN.replace('"r"', '"R 2"'), "lower case letters"),
        (PLAIN.replace('"r"', "3"), "line 2: name is 3, expected str"),
        (PLAIN.replace('"so it is"', '""'), "line 5, rule 'r': reason is ''"),
        (PLAIN.replace('"sound"', '"true"'), "'true', expected one of sound, sup"),
        (PLAIN.replace("# @ ?", "# @"), "row 2, column 3: the row has 2 cells"),
        (PLAIN.replace("# @ ?", "# @ Q"), "line 8, rule 'r', row 2, column 3: unknown"),
        (PLAIN.replace("# @ ?", "# @ @"), "row 2, column 3: a second live end"),
        (PLAIN.replace("# @ ?", "# ? ?"), "has no live end"),
        (PLAIN + "one_line = true", "one_line needs two ends of a future line"),
        (PLAIN + 'kind = "inference"', "the kind inference goes with these names"),
        (PLAIN.replace('"r"', '"future-1x2"'), "goes with these names and no other"),
        (PLAIN + "either = [{ drawing = 'F @' }]", "row 1, column 1: an alternative"),
        (PLAIN.replace("? x ?", "x ? ?"), "row 1, column 1: a forbidden cell does"),
        (PLAIN.replace("? x ?", "? ? ?"), "forbids no move"),
        (PLAIN.replace("? x ?", "? X ^"), "row 1, column 3: the arrow belongs to no"),
        (PLAIN + 'turns = ["2"]', "turns is '2', expected one of 0, cw"),
        (PLAIN + "turns = []", "turns is [], expected array of length >= 1"),
        (PLAIN + 'heading = "U"', "heading has no meaning in the heading frame"),
        (PLAIN + 'frame = "board"\nmirror = true', "mirror has no meaning in the bo"),
        (PLAIN + "runs = [[[1, 0]]]", "of length 2, got 1; cells are [left, ahead]"),
        (PLAIN + "runs = [[[1, 0], [200, 0]]]", "expected int <= 100; cells are"),
        (PLAIN + "runs = [[[1, 0], [1, 0]]]", "row 2, column 1: a run names one cell"),
        (PLAIN + "runs = [[[1, 0], [0, 0]]]", "a live end cannot be a cell of a"),
        (PLAIN + 'unless = ["r"]', "named in its own unless"),
        (AREA, "row 2, column 2: a marked cell belongs to no [[area]]"),
        (AREA + "area = [{}]", "key 'side' is missing"),
        (AREA + LINE.replace("impair", "odd"), "'odd', expected one of closed, pair"),
        (AREA + LINE.replace("impair", "within"), "low and high go with the kinds"),
        (AREA + LINE.replace("}", ", low = 1 }"), "low and high go with the kinds"),
        (AREA + WITHIN, "low 2 is above high 1"),
        (AREA + LINE.replace("}", ", wall = [3, 3] }"), "the wall does not touch"),
        (AREA + LINE.replace("}", ", wall = [1, 1] }"), "the wall is a cell of the"),
        (AREA + LINE.replace("}", ", wall = [2, 2] }"), "row 2, column 1: the cell"),
        (AREA + LINE.replace("}", ", cells = [] }"), "cells must be a line of one"),
        (AREA + LINE.replace("}", ", cells = [[0, 1]] }"), "column 3: the area's cell"),
        (AREA + LINE.replace("}", ", entry = [0, 2] }"), "one entry, a cell of its"),
        (AREA.replace("? s X", "s s X") + LINE, "one s or S"),
        (AREA.replace(". e .", ". m .") + LINE, "the line does not end at e"),
        (AREA.replace("? s X", "m s X") + LINE, "does not go on one way"),
        (FAR + LINE, "far from the live end needs a base"),
        (CORNER + LINE, "comes around a corner needs its wall"),
    ],
)
def test_every_fault_is_reported_with_its_place(text: str, message: str) -> None:
    assert message in fault(text)


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.toml", Path("bad\0name.toml")):
        with pytest.raises(RuleError, match="cannot read the file"):
            load_file(path)
    bad = tmp_path / "bad.toml"
    bad.write_bytes(b"\xff")
    with pytest.raises(RuleError, match=r"bad\.toml: cannot read .* not UTF-8"):
        load_file(bad)


def test_every_example_of_the_language_page_is_a_rule() -> None:
    page = Path("docs/reference/rules.md").read_text()
    examples = [part.split("```")[0] for part in page.split("```toml\n")[1:]]
    rules = {rule.name: rule for text in examples for rule in parse_rules(text)}
    assert len(rules) == len(examples) == 13
    for letter in LEGEND:
        assert f"`{letter}`" in page, letter
    for kind in Kind:
        assert f"| `{kind.value}` |" in page
    assert rules["three"].drawings[0].areas[0].wall == (-4, -1)
    assert len(rules["second-obstacle"].drawings) == 2
    assert len(rules["upright"].drawings) == 6
    assert rules["two"].drawings[0].areas[1].inside == ((-1, 2), (0, 1))


def test_ends_of_future_lines_are_marked_free_cells() -> None:
    text = PLAIN.replace("? x ?\n# @ ?", "F x G\n# @ f") + "one_line = true"
    (rule,) = parse_rules(text)
    drawing = rule.drawings[0]
    assert drawing.forbidden == ((-1, 0), (0, 1))
    assert [(m.at, m.end, m.same) for m in drawing.marks] == [
        ((-1, -1), LineEnd.NEAR, False),
        ((-1, 1), LineEnd.FAR, True),
        ((0, 1), LineEnd.NEAR, True),
    ]
    assert drawing.need((-1, -1)).states == CellState.FREE
    assert drawing.need((-1, 1)).not_end
    assert rule.reads_lines
    assert not parse_rules(PLAIN)[0].reads_lines


def test_one_of_several_second_obstacles_is_taken() -> None:
    (rule,) = parse_rules(PLAIN.replace("? x ?", "y x y"))
    assert [d.variant for d in rule.drawings] == [
        "y at row 1, column 1",
        "y at row 1, column 3",
    ]
    for drawing, at in zip(rule.drawings, [(-1, -1), (-1, 1)], strict=True):
        assert drawing.need(at).states == CellState.VISITED | CellState.OUTSIDE
        assert drawing.need((-at[0], 1)).states == CellState(7)


def test_an_inference_needs_no_drawing() -> None:
    text = HEAD.replace('"r"', '"future-connect"') + 'kind = "inference"'
    (rule,) = parse_rules(text)
    assert (rule.kind, rule.drawings) == ("inference", ())
    assert rule.reads_lines
