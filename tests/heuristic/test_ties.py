"""Drawings that ask for forced edges and for the two ends of a forced line."""

import xml.etree.ElementTree as ET
from pathlib import Path
from random import Random

import pytest

from heuristic.rule import RuleSet
from heuristic.rules.drawing import CellState, RuleSpec
from heuristic.rules.letters import area_lines
from heuristic.rules.picture import draw_rule
from heuristic.rules.rulefile import parse_rules
from solver.board import Board, Symmetry
from solver.errors import RuleError
from solver.positions import completable_positions
from solver.svg import FUTURE
from tests.doubles import rules as naive_rules
from tests.heuristic.test_following import rule_of, ties_at
from tests.heuristic.test_forced import random_positions
from tests.heuristic.test_matching import masks_of
from tests.samples import rule_text
from verify.verdict.comparison import kin_of

LOOP = """
[[rule]]
name = "loop"
claim = "sound"
origin = "a test"
reason = "the cell ahead would close a loop"
drawing = '''
? . ?
. K %
x @ x
'''
joined = [[[2, 1], [1, 1]], [[0, 2], [0, 3]]]
mates = [[[1, 1], [0, 2]]]
"""
FOLLOWED = """
[[rule]]
name = "followed"
claim = "sound"
turns = ["0", "cw", "ccw"]
dead = [[[0, 1], [0, 0]]]
drawing = '''
X
@
'''
"""
BOARDS = [Board.square(5), Board.square(7), Board.parse("6x7@2,1>5,6!3,4;4,4")]


def loop(**changed: str) -> RuleSpec:
    """Return the rule `loop` with keys in place of its own, or without them."""
    lines = [
        line
        for line in LOOP.splitlines()
        if not line.startswith(tuple(f"{key} =" for key in changed))
    ]
    lines += [f"{key} = {value}" for key, value in changed.items() if value]
    (rule,) = parse_rules("\n".join(lines))
    return rule


def test_ties_are_read_printed_and_compared() -> None:
    drawing = loop().drawings[0]
    assert drawing.pairs("joined") == (((-1, -1), (-1, -2)), ((-2, 0), (-3, 0)))
    assert drawing.pairs("mates") == (((-2, 0), (-1, -1)),)
    for at in ((-1, -2), (-3, 0)):  # nothing is drawn there
        assert drawing.need(at).states == CellState.FREE
    assert not loop().reads_lines
    (followed,) = parse_rules(FOLLOWED)
    assert followed.drawings[0].pairs("dead") == (((0, 0), (-1, 0)),)
    assert [*area_lines(drawing), *area_lines(followed.drawings[0])] == [
        "forced: [1, 1] to [2, 1]",
        "forced: [0, 2] to [0, 3]",
        "one forced line ends at [0, 2] and [1, 1]",
        "dead when followed: the step from [0, 0] to [0, 1]",
    ]
    turned = loop(joined="[[[0, 3], [0, 2]], [[1, 1], [2, 1]]]")
    other = loop(joined="[[[1, 2], [1, 1]], [[0, 2], [0, 3]]]")
    kin = [kin_of(loop(), [rule]) for rule in (turned, loop(mates=""), other)]
    assert kin == [(["loop"], [], []), ([], ["loop"], []), ([], [], [])]


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("joined", "[[[1, 1]]]", "of length 2, got 1"),
        ("joined", "[[[1, 1], [1, 1]]]", "joined names one cell twice"),
        ("joined", "[[[1, 1], [2, 2]]]", "joined cells must touch"),
        ("joined", "[[[0, 0], [0, 1]]]", "joined names the live end"),
        ("joined", "[[[-1, 1], [-1, 2]]]", "VISITED|visited or outside, and free"),
        (
            "joined",
            "[[[3, 3], [3, 4]], [[3, 3], [4, 3]], [[3, 3], [2, 3]]]",
            "in three pairs of joined",
        ),
        ("mates", "[[[1, 1], [0, 2]], [[0, 2], [2, 1]]]", "in two pairs of mates"),
        ("mates", "[[[1, 1], [0, 1]]]", "one pair of joined says"),
        ("dead", "[[[1, 0], [1, 1]]]", "dead is said of steps from the live end"),
        ("dead", "[[[0, 0], [-1, 1]]]", "dead cells must touch|and free"),
        ("joined", "[[[1, 1], [2, 1]]]", "one pair of joined says"),
    ],
)
def test_what_no_position_can_have_is_refused(key: str, value: str, why: str) -> None:
    with pytest.raises(RuleError, match=why):
        loop(**{key: value})


FAMILY = """
[[rule]]
name = "family"
claim = "sound"
origin = "a test"
reason = "a test"
joined = {joined}
drawing = \"\"\"
? % . .
? e ? ?
? s ? ?
? @ ? ?
\"\"\"
[[rule.area]]
side = "left"
kind = "beyond"
[[rule.grow]]
name = "D"
first = 2
ahead = 1
by = [0, 1]
count = 3
[[rule.cases]]
forbid = ["left"]
low = [0, 0, 0]
high = [0, 0, 0]
"""


def test_ties_of_a_family_move_with_the_cells_farther_out() -> None:
    (rule,) = parse_rules(FAMILY.format(joined="[[[-1, 3], [-2, 3]]]"), "test")
    assert isinstance(rule, RuleSpec)
    assert [d.pairs("joined") for d in rule.drawings] == [
        (((-3, 2), (-3, 1)),),
        (((-4, 2), (-4, 1)),),
        (((-5, 2), (-5, 1)),),
    ]
    torn = FAMILY.format(joined="[[[-1, 3], [-1, 2]]]").replace("ead = 1", "ead = 3")
    with pytest.raises(RuleError, match="not touch"):
        parse_rules(torn, "test")


def test_the_kernel_and_the_slow_double_forbid_the_same() -> None:
    rng, fired, silent, ends = Random(3), 0, 0, 0
    places = [p for b in BOARDS for p in random_positions(b, 4, 8) if p.heading >= 0]
    for origin in rng.sample(places, 80):
        ties = ties_at(origin)
        tied = rng.sample(ties, min(len(ties), rng.randrange(1, 6)))
        pairs = [tuple(pair) for word, pair in ties if word == "mates"]
        if pairs and rng.random() < 0.3:  # two ends of other lines, and no line at all
            tied += [("mates", (rng.choice(pairs)[0], rng.choice(pairs)[1]))]
        rule = rule_of(origin, [], "", tied)
        assert rule
        turned = [s.position(origin) for s in rng.sample(list(Symmetry), 2)]
        for position in [origin, *turned, *rng.sample(places, 3)] if tied else ():
            expected = naive_rules.forbidden(rule, position)
            assert masks_of([rule], position) == [expected], (rule, position)
            fired, silent = fired + bool(expected), silent + (not expected)
            ends += bool(expected and rule.drawings[0].pairs("mates"))
    assert min(fired, silent, ends) > 20, (fired, silent, ends)


CORNER = """
[[rule]]
name = "corner"
claim = "unargued"
drawing = '''
x @ x
'''
joined = [[[0, 3], [1, 3]], [[1, 2], [1, 3]]]
mates = [[[0, 3], [1, 2]]]
"""
FULL = """
[[rule]]
name = "full"
claim = "sound"
turns = ["0", "cw"]
drawing = '''
X @
'''
joined = [[[1, 0], [1, 1]], [[1, 0], [2, 0]]]
"""


def test_the_rules_of_the_language_page_are_never_wrong() -> None:
    page = Path("docs/reference/rules.md").read_text()
    text = page.split('```toml title="forced.toml"\n')[1].split("```")[0]
    specs = parse_rules(text)
    assert [rule.name for rule in specs] == ["has-both-edges", "loop-behind"]
    rules, fired = RuleSet("page", specs), 0
    for board in ("5", "6x5@1,1>6,5", "5!2,3;4,2"):
        tree = completable_positions(Board.parse(board))
        for batch in rules.walker(Board.parse(board)).tree(tree):
            assert not (batch.masks & batch.good[:, None]).any()
            fired += int((batch.masks[:, 0] & batch.options > 0).sum())
    assert fired > 200


def test_a_picture_shows_forced_edges_and_an_arc_between_mates() -> None:
    svg = ET.fromstring(draw_rule(loop().drawings[0]))
    lines = {kind: [] for kind in ("joined", "mates")}  # type: dict[str, list[str]]
    for part in svg.iter():
        if part.get("class") in lines:
            assert part.get("stroke") == FUTURE
            lines[part.get("class") or ""].append(part.get("d") or "")
    # 2, 2 is the corner of the picture; the cells are [2, 3] there, [-1, 0] below right
    assert lines["joined"] == ["M38 62L14 62", "M62 38L62 14"]
    (arc,) = lines["mates"]
    assert arc.startswith("M62 38Q")
    assert arc.endswith(" 38 62")
    assert 'class="joined"' not in draw_rule(loop(joined="", mates="").drawings[0])


def test_a_step_is_followed_with_thirty_areas_at_most() -> None:
    area = 'side = "left", kind = "closed", cells = [[{}, 0]], base = [{}, 0]'

    def read(areas: int) -> RuleSpec:
        tables = [
            f"{{ {area.format(2 * k + 1, 2 * k)}, wall = [{2 * k + 2}, 0] }}"
            for k in range(areas)
        ]
        more = f"dead = [[[0, 0], [1, 0]]]\narea = [{', '.join(tables)}]\n"
        (rule,) = parse_rules(rule_text("many", "% s " * (areas - 1) + "% S @", more))
        return rule

    assert len(read(30).drawings[0].areas) == 30
    with pytest.raises(RuleError, match="30 areas at most"):
        read(31)
