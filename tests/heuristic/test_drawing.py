"""Rule files: what their drawings say, and what is refused, where."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from heuristic.rules.drawing import (
    AROUND,
    LIMIT,
    CellState,
    Drawing,
    Kind,
    LineEnd,
    area_behind,
    between,
    needs_of,
)
from heuristic.rules.letters import LEGEND, area_lines, area_table, page_text, rule_text
from heuristic.rules.picture import draw_rule
from heuristic.rules.rulefile import load_file, parse_rules
from heuristic.rules.schema import REASON
from solver.board import Symmetry
from solver.errors import RuleError
from tests.doubles.rules import beside

HEAD = '[[rule]]\nname = "r"\nclaim = "sound"\norigin = "a test"\nreason = "so it is"\n'
PLAIN = HEAD + 'drawing = """\n? x ?\n# @ ?\n"""\n'
AREA = HEAD + 'drawing = """\n? # ?\n. e .\n? s X\n? ? @\n"""\n'
LINE = 'area = [{ side = "left", kind = "odd" }]'


def fault(text: str) -> str:
    with pytest.raises(RuleError) as caught:
        parse_rules(text, "f.toml")
    assert str(caught.value).startswith("f.toml")
    return str(caught.value)


def test_a_drawing_says_what_every_cell_may_be() -> None:
    text = PLAIN.replace("? x ?", "? . K # B % o x ?" + 91 * " ?")
    text = text.replace(
        "# @ ?", "? ? ? ? ? ? ? @ ?" + 91 * " ?" + 98 * f"\n{100 * '? '}"
    )
    (rule,) = parse_rules(text)
    drawing = rule.drawings[0]
    row = [drawing.need((-1, k - 7)) for k in range(9)]
    assert [int(need.states) for need in row] == [7, 1, 1, 2, 4, 6, 3, 7, 7]
    assert [need.not_end for need in row] == [False, False, True, *[False] * 6]
    assert drawing.forbidden == ((-1, 0),)
    assert drawing.turns == (Symmetry.IDENTITY,)
    assert drawing.mirror
    short = PLAIN.replace('origin = "a test"\nreason = "so it is"\n', "")
    (rule,) = parse_rules(short, "mine.toml")
    assert (rule.origin, rule.reason) == ("mine.toml", REASON)


def test_an_area_is_read_from_its_marks() -> None:
    (rule,) = parse_rules(AREA + LINE)
    (area,) = rule.drawings[0].areas
    assert area.cells == ((-1, -1), (-2, -1))
    assert (area.base, area.wall) == ((0, 0), (-3, -1))
    assert set(area.inside) == {(0, -1), (-1, -2), (-2, -2)}
    assert set(area.outside) == {(-1, 0), (-2, 0)}
    assert (area.kind, area.entry, area.least) == (Kind.ODD, (-1, -1), 2)
    (rule,) = parse_rules(AREA + 'area = [{ side = "left", kind = "beyond", low = 1 }]')
    (area,) = rule.drawings[0].areas
    assert (area.low, area.high) == (1, LIMIT)
    old = {"pair": "even", "impair": "odd", "impair-determined": "odd-determined"}
    for word, now in old.items():  # the words of version 0.2
        (rule,) = parse_rules(AREA + LINE.replace("odd", word))
        assert rule.drawings[0].areas[0].kind is Kind(now)


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


ALLOWED = {  # surpluses from -3 to 3; the entry black, then white
    Kind.CLOSED: ("1111111", "1111111"),
    Kind.EVEN: ("0101010", "0101010"),
    Kind.ODD: ("1010101", "1010101"),
    Kind.DETERMINED: ("1000101", "1010001"),
    Kind.WITHIN: ("0011100", "0011100"),
    Kind.BEYOND: ("1100011", "1100011"),
}


@pytest.mark.parametrize("kind", Kind)
def test_the_surpluses_that_a_condition_allows(kind: Kind) -> None:
    for entry, allowed in zip(((-1, -1), (-1, 0)), ALLOWED[kind], strict=True):
        area = area_behind([entry], (-2, 0), kind=kind, bounds=(-1, 1))
        found = [area.allows(surplus) for surplus in range(-3, 4)]
        assert "".join(str(int(good)) for good in found) == allowed


CONDITIONS = {
    "surplus 2 at most": (Kind.WITHIN, -LIMIT, 2),
    "surplus -1 at least": (Kind.WITHIN, -1, LIMIT),
    "surplus 0 to 1": (Kind.WITHIN, 0, 1),
    "surplus below 0 or above 1": (Kind.BEYOND, 0, 1),
    "surplus above 1": (Kind.BEYOND, -LIMIT, 1),
    "surplus below 0": (Kind.BEYOND, 0, LIMIT),
    "any surplus": (Kind.BEYOND, 1, 0),
    "odd, determined": (Kind.DETERMINED, -LIMIT, LIMIT),
}


@pytest.mark.parametrize("words", CONDITIONS)
def test_areas_in_words(words: str) -> None:
    kind, low, high = CONDITIONS[words]
    area = area_behind([(-1, 0), (-2, 0)], (-3, 0), kind=kind, bounds=(low, high))
    alone = Drawing(areas=(area,))
    assert area_lines(alone) == [f"area on the left: {words}"]
    side = area_behind([(0, 1)], (0, 2), "right")
    assert area_lines(replace(alone, areas=(replace(area, entry=(-2, 0)), side))) == [
        f"area 1 on the left: {words}; its line is [0, 1] [0, 2], entered at [0, 2]",
        "area 2 on the right: closed; its line is [-1, 0]",
        "cells are [left, ahead] of the live end",
    ]


def test_a_picture_of_areas_and_facts_is_the_one_looked_at() -> None:
    line, other = [(-1, 0), (-1, -1)], [(0, 1), (1, 1)]
    mates = ("joined", (-1, 0), (-1, -1)), ("mates", (-1, -1), (1, 1))
    drawing = Drawing(
        needs=needs_of(dict.fromkeys([*line, *other], CellState.FREE), other[1:]),
        areas=(area_behind(line, (0, -1)), area_behind(other, (2, 1), "right")),
        forbidden=((0, -1), (-1, 0)),
        facts=mates,
    )
    svg = draw_rule([drawing, *5 * [Drawing(forbidden=((1, 0),))]], "six")
    assert sha256(svg.encode()).hexdigest()[:16] == "f32b6f6822aaf1f3"


def test_the_side_of_a_move_is_clear_behind_a_single_cell() -> None:
    area = area_behind([(-1, 0)], (-1, -1))
    assert [area.faces(at, (1, 0)) for at in ((0, -1), (0, 1))] == [True, False]
    assert area.faces((-1, 0), (1, 0)) is None
    assert area.faces((0, -1), None) is None
    crossed = area_behind([(-1, 0), (-1, -1)], (0, -1))
    assert crossed.faces((0, 1), (1, 0)) is None


def test_placements_of_both_frames() -> None:
    (rule,) = parse_rules(PLAIN + 'turns = ["0", "cw"]\nmirror = false')
    plain, turned, *others = rule.drawings[0].placements()
    assert len(others) == 6
    assert plain == (0, Symmetry.IDENTITY)
    assert turned == (0, Symmetry.ROTATE_RIGHT)
    plain, mirrored, *others = parse_rules(PLAIN)[0].drawings[0].placements()
    assert mirrored == (0, Symmetry.FLIP_COLS)
    assert len(others) == 6
    text = PLAIN + 'frame = "board"\nsymmetries = ["IDENTITY", "TRANSPOSE"]\n'
    (rule,) = parse_rules(text + 'heading = "U"')
    places = rule.drawings[0].placements()
    assert places == ((0, Symmetry.IDENTITY), (3, Symmetry.TRANSPOSE))


def test_alternatives_become_drawings_of_one_rule() -> None:
    text = PLAIN + "".join(
        f"[[rule.either]]\ndrawing = '''\n{letter} @\n'''\n" for letter in "B#"
    )
    assert "the cell would have to be" in fault(text)
    (rule,) = parse_rules(text.replace("# @ ?", "% @ ?"))
    assert [d.variant for d in rule.drawings] == ["either 1", "either 2"]
    states = [d.need((0, -1)).states for d in rule.drawings]
    assert states == [CellState.OUTSIDE, CellState.VISITED]


def test_forms_are_several_drawings_of_one_rule() -> None:
    forms = "".join(
        f"[[rule.form]]\nvariant = '{turn}'\nturns = ['{turn}']\ndrawing = 'x @'\n"
        for turn in ("0", "180")
    )
    (rule,) = parse_rules(HEAD + forms)
    assert [d.variant for d in rule.drawings] == ["0", "180"]
    assert "'turns' belongs to a form" in fault(HEAD + 'turns = ["0"]\n' + forms)
    far = "'x ? @'".join(forms.rsplit("'x @'", 1))
    assert "column 1: form 2: a forbidden" in fault(HEAD + far)


WITHIN = 'area = [{ side = "left", kind = "within", low = 2, high = 1 }]'
FAR = HEAD + 'drawing = """\n? s ?\n? X ?\n? @ ?\n"""\n'
SIDE = 'area = [{ side = "left", kind = "closed"'
TWO = HEAD + f'drawing = """\n? e ?\n# s ?\n? @ x\n"""\n{SIDE}'
CROSSED = HEAD + f'drawing = """\ns e ?\n# @ x\n"""\n{SIDE}'
HOOK = HEAD + f'drawing = """\n? m m m\nx m # m\n@ s ? e\n"""\n{SIDE}'
APART = AREA.replace(". e .", ". . e") + SIDE
APART += ", cells = [[1, 1], [0, 2]], wall = [0, 3] }]"
CORNER = HEAD + 'drawing = """\ns X\n? @\n"""\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing yet", "there is no rule in it"),
        ("a = " + "[" * 5000, "nested too deeply"),
        ("#\n" + PLAIN + "colour = 3", "line 2, rule 'r': unknown key 'colour'"),
        ('"x - at `$.rule[0]" = 3\nrule = 3', "f.toml: "),
        (PLAIN + "miror = 3", "did you mean 'mirror'?"),
        (PLAIN + PLAIN, "line 10, rule 'r': two rules have this name"),
        (PLAIN.replace('"r"', '"R 2"'), "name: expected str matching regex"),
        (PLAIN.replace('"sound"', '"true"'), "claim: 'true' is none of sound, sup"),
        (PLAIN.replace("# @ ?", "# @"), "row 2, column 3: the row has 2 cells"),
        (PLAIN.replace("# @ ?", "# @ Q"), "line 1, rule 'r', row 2, column 3: unknown"),
        (PLAIN.replace("# @ ?", "# @ @"), "row 2, column 3: a second live end"),
        (PLAIN.replace("# @ ?", "# ? ?"), "has no live end"),
        (PLAIN.replace("? x ?", "? " * 101), "at most 100 rows and columns"),
        (PLAIN.replace("? x ?", "? x ?" + 99 * "\n? ? ?"), "at most 100 rows"),
        (PLAIN + "one_line = true", "one_line needs two ends of a future line"),
        (PLAIN.replace("? x ?", "F x ?") + "stops = true", "has no stops and no unl"),
        (PLAIN + 'kind = "inference"', "the kind inference goes with these names"),
        (PLAIN + 'found_by = "stairs"', "drawings or found_by, one of them"),
        (HEAD + 'found_by = "luck"', "found_by is none of corners along the wall"),
        (PLAIN + "either = [{ drawing = 'F @' }]", "column 1: either 1: an altern"),
        (PLAIN.replace("? x ?", "x ? ?"), "row 1, column 1: a forbidden cell does"),
        (PLAIN.replace("? x ?", "? ? ?"), "forbids no move"),
        (PLAIN.replace("? x ?", "? X ^"), "row 1, column 3: the arrow belongs to no"),
        (PLAIN + 'turns = ["2"]', "turns 1: '2' is none of 0, cw"),
        (PLAIN + 'heading = "U"', "heading has no meaning in the heading frame"),
        (PLAIN + 'frame = "board"\nmirror = true', "mirror has no meaning in the bo"),
        (PLAIN + "runs = [[[1, 0]]]", "runs 1: expected array of length 2, got 1"),
        (PLAIN + "runs = [[[1, 0], [1, 0]]]", "row 2, column 1: a run names one cell"),
        (PLAIN + "runs = [[[1, 0], [0, 0]]]", "a live end cannot be a cell of a"),
        (PLAIN + "runs = [[[5, 0], [1, 0]], [[5, 0], [5, 0]]]", "cell [5, 0]: a run"),
        (PLAIN + 'unless = ["r"]', "named in its own unless"),
        (AREA, "row 2, column 2: a marked cell belongs to no [[area]]"),
        (AREA + "area = [{}]", "area 1: object missing required field side"),
        (AREA + LINE.replace("odd", "within"), "low and high go with the kinds"),
        (AREA + LINE.replace("}", ", low = 1 }"), "low and high go with the kinds"),
        (AREA + WITHIN, "low 2 is above high 1"),
        (AREA + LINE.replace("}", ", wall = [3, 3] }"), "the wall does not touch"),
        (AREA + LINE.replace("}", ", wall = [1, 1] }"), "the wall is a cell of the"),
        (AREA + LINE.replace("}", ", wall = [2, 2] }"), "row 2, column 1: the cell"),
        (AREA + LINE.replace("}", ", cells = [] }"), "cells must be a line of one"),
        (AREA + LINE.replace("}", ", cells = [[0, 1]] }"), "column 3: the area's cell"),
        (AREA.replace("? # ?", "# K .") + LINE, "row 1, column 2: the cell would"),
        (AREA + LINE.replace("}", ", entry = [0, 2] }"), "one entry, a cell of its"),
        (AREA.replace(". e .", "? e .\n? + ?\n? + ?") + LINE, "an area has one entry"),
        (AREA.replace("? s X", "s s X") + LINE, "one s or S"),
        (AREA.replace(". e .", ". m .") + LINE, "the line does not end at e"),
        (AREA.replace("? s X", "m s X") + LINE, "does not go on one way"),
        (APART, "row 2, column 3: the area's cell does not touch the one before"),
        (TWO + ", base = [1, 1], wall = [1, 1] }]", "the line ends where it comes"),
        (CROSSED + ", wall = [1, 0] }]", "the line crosses itself"),
        (HOOK + ", wall = [-2, 1] }]", "the cell lies on both sides of the area's"),
        (FAR + LINE, "far from the live end needs a base"),
        (CORNER + LINE, "comes around a corner needs its wall"),
    ],
)
def test_every_fault_is_reported_with_its_place(text: str, message: str) -> None:
    assert message in fault(text)


def test_the_line_of_a_rule_is_that_of_its_header() -> None:
    second = PLAIN.replace('"r"', '"s"').replace('"so it is"', '"""\n[[rule]]\n"""')
    rules = parse_rules("# two rules\n" + PLAIN + " [[ rule ]]" + second[8:])
    assert [rule.line for rule in rules] == [2, 11]
    (rule,) = parse_rules("rule = [{ name = 'r', claim = 'sound', drawing = 'x @' }]")
    assert rule.line == 1


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
    words = [f"`{word}`" for word in (*LEGEND, *(kind.value for kind in Kind))]
    assert [word for word in words if word not in page] == []
    assert rules["two"].drawings[0].areas[1].inside == ((-1, 2), (0, 1))


@pytest.mark.parametrize("group", ["seed-composite", "seed-9-size"])
def test_the_tables_of_areas_read_back(group: str) -> None:
    rules = load_file(Path(f"heuristic/book/{group}.toml"))
    for drawing in (one for rule in rules for one in rule.drawings if one.areas):
        tables = [area_table(area) for area in drawing.areas]
        rows = page_text(drawing).splitlines()
        rule = {"name": "r", "claim": "sound", "drawing": rows, "area": tables}
        (again,) = parse_rules(rule_text(rule))
        assert again.drawings[0].areas == drawing.areas
        for area, table in zip(drawing.areas, tables, strict=True):
            assert ("least" in table) == (area.least > len(area.cells))


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
    text = HEAD.replace('"r"', '"future-connect"') + 'kind = "inference"'
    (rule,) = parse_rules(text)
    assert (rule.kind, rule.drawings, rule.reads_lines) == ("inference", (), True)
