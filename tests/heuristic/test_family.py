"""Families of drawings: how they grow, and what is refused."""

import pytest

from heuristic.rules.rulefile import parse_rules
from solver.errors import RuleError

HEAD = """
[[rule]]
name = "growing"
claim = "sound"
drawing = '''
{drawing}
'''
area = [{{ side = "left", kind = "{kind}"{more} }}]
{rest}
"""
COLUMN = "% e ?\n? s @"
GROW = 'grow = [{ name = "D", first = 2, ahead = 1, by = [0, 1], count = 3 }]'
CASES = '\n[[rule.cases]]\nforbid = ["straight"]\nlow = [0, 0, -1]\nhigh = [0, 1, 1]\n'


def text(
    drawing: str = COLUMN,
    kind: str = "beyond",
    more: str = "",
    rest: str = GROW + CASES,
) -> str:
    return HEAD.format(drawing=drawing, kind=kind, more=more, rest=rest)


def test_a_column_grows_ahead() -> None:
    drawing = "% ?\ne ?\ns ?\n? @"
    (rule,) = parse_rules(text(drawing))
    assert [d.variant for d in rule.drawings] == ["D 2", "D 3", "D 4"]
    for number, one in enumerate(rule.drawings):
        (area,) = one.areas
        assert area.cells == tuple((-1 - k, -1) for k in range(2 + number))
        assert (area.wall, area.entry) == ((-3 - number, -1), (-1, -1))
        assert area.least == 2 + number
    bounds = [(d.areas[0].low, d.areas[0].high) for d in rule.drawings]
    assert bounds == [(0, 0), (0, 1), (-1, 1)]
    (rule,) = parse_rules(text(drawing, more=", entry = [1, 2], least = 4"))
    areas = [d.areas[0] for d in rule.drawings]
    assert [area.entry for area in areas] == [(-2, -1), (-3, -1), (-4, -1)]
    assert [area.least for area in areas] == [4, 4, 4]


def test_a_stair_grows_by_steps_and_then_in_its_row() -> None:
    grow = """grow = [
    { name = "x", first = 2, ahead = 1, by = [1, 1], count = 2 },
    { name = "more", first = 0, left = 1, by = [1, 0], count = 2 },
]"""
    cases = '\n[[rule.cases]]\nforbid = ["left"]\nturns = ["cw"]\n'
    cases += "low = [[0, 1], [2]]\nhigh = [[3, 4], [5]]\n"
    drawing = "# . ? ?\n. e ? ?\n? m s ?\n? ? ? @"
    more = ", wall = [3, 3]"
    (rule,) = parse_rules(text(drawing, more=more, rest=grow + cases))
    found = {d.variant: d.areas[0] for d in rule.drawings}
    assert list(found) == ["x 2, more 0", "x 2, more 1", "x 3, more 0"]
    _, wider, longer = found.values()
    assert wider.cells == ((-1, -1), (-1, -2), (-1, -3), (-2, -3))
    assert longer.cells == ((-1, -1), (-1, -2), (-2, -2), (-2, -3), (-3, -3))
    assert (wider.wall, longer.wall) == ((-3, -4), (-4, -4))
    assert [*rule.drawings[0].poses] == ["CW"]


def test_alternatives_and_listed_cells_grow_along() -> None:
    drawing = "# . ?\n? e ?\n? s ?\n? @ ?"
    more = ", cells = [[0, 1], [0, 2]], wall = [1, 3]"
    either = """
[[rule.either]]
drawing = '''
? s e #
? ? ? ?
? ? ? ?
? @ ? ?
'''
area = [{ side = "left", kind = "closed", base = [1, 3], wall = [-2, 3] }]
"""
    (rule,) = parse_rules(text(drawing, more=more, rest=GROW + either + CASES))
    first, second = rule.drawings[1].areas
    assert first.cells == ((-1, 0), (-2, 0), (-3, 0))
    assert second.cells == ((-4, 0), (-4, 1))
    assert (second.base, second.wall) == ((-4, -1), (-4, 2))


def test_runs_and_ends_of_lines_grow_along() -> None:
    rest = "runs = [[[0, 3], [1, 3]]]\n" + GROW + CASES
    (rule,) = parse_rules(text("F # #\n? e ?\n? s ?\n? ? @", rest=rest))
    last = rule.drawings[2]
    assert [(run.first, run.then) for run in last.runs] == [((-5, 0), (-5, -1))]
    assert [mark.at for mark in last.marks] == [(-5, -2)]
    assert last.text.splitlines()[0] == "F # #"


def grown(count: int, every: int = 1) -> str:
    low = ", ".join(["0"] * count)
    grow = GROW.replace("count = 3", f"every = {every}, count = {count}")
    cases = f'\n[[rule.cases]]\nforbid = ["straight"]\nlow = [{low}]\n'
    return f"{grow}{cases}high = [{low}]\n"


def test_a_family_grows_forty_steps() -> None:
    (rule,) = parse_rules(text(rest=grown(40)))
    assert [len(one.areas[0].cells) for one in rule.drawings] == [*range(2, 42)]
    (rule,) = parse_rules(text(rest=grown(20, every=2)))
    assert [len(one.areas[0].cells) for one in rule.drawings] == [*range(2, 42, 2)]


SECOND = GROW + CASES + "\n[[rule.cases]]\n"


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (GROW, "key 'cases' is missing"),
        (CASES, "key 'grow' is missing"),
        (GROW.replace("ahead", "up") + CASES, "unknown key 'up'"),
        (GROW.replace("ahead = 1", "left = 1, ahead = 1") + CASES, "left or ahead"),
        (GROW.replace("ahead = 1", "ahead = 0") + CASES, "expected int >="),
        (grown(41), "grow 1, count: expected int <="),
        (grown(21, every=2), "grow 1: an entry of grow grows 40 steps at most"),
        (GROW + CASES + "kind = 1\n", "cases 1: unknown key 'kind'"),
        (GROW + CASES.replace("straight", "up"), "'up' is none of straight, l"),
        (GROW + CASES.replace("[0, 0, -1]", "[[0], 0]"), "expected a whole number"),
        (SECOND + 'forbid = ["left"]\nlow = [2]\nhigh = [1]', "cases 2: low 2 is abov"),
        (SECOND + "low = [0]\nhigh = [9999999]", "high 1: expected int <="),
        (SECOND + "low = [0]\nhigh = [1]", "cases 2: the case forbids no move"),
        (SECOND + "low = [0]", "cases 2: low and high of a case must be lists"),
    ],
)
def test_a_faulty_family_is_refused(rest: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        parse_rules(text(kind="within", rest=rest))


def test_each_case_has_moves_turns_and_bounds_of_its_own() -> None:
    more = '\n[[rule.cases]]\nforbid = ["left", "right"]\nturns = ["cw"]\n'
    (rule,) = parse_rules(text(rest=GROW + CASES + more + "low = [2]\nhigh = [1]\n"))
    *first, last = rule.drawings
    assert len(first) == 3
    assert {d.forbidden for d in first} == {((-1, 0),)}
    assert last.forbidden == ((0, -1), (0, 1))
    assert [*last.poses] == ["CW"]
    assert (last.areas[0].low, last.areas[0].high) == (2, 1)


def test_a_family_of_a_closed_area_has_no_bounds() -> None:
    cases = '\n[[rule.cases]]\nforbid = ["straight"]\n'
    (rule,) = parse_rules(text(kind="closed", rest=GROW + cases))
    assert [len(d.areas[0].cells) for d in rule.drawings] == [2, 3, 4]
    with pytest.raises(RuleError, match="no meaning where the area is closed"):
        parse_rules(text(kind="closed"))


def test_a_family_needs_an_area_with_bounds_and_free_forbidden_cells() -> None:
    with pytest.raises(RuleError, match="low and high go with"):
        parse_rules(text(kind="even"))
    with pytest.raises(RuleError, match="where a case forbids a move"):
        parse_rules(text("% e #\n? s @"))
