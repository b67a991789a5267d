"""Drawings that ask for forced edges and for the two ends of a forced line."""

import xml.etree.ElementTree as ET
from pathlib import Path
from random import Random

import pytest

from heuristic.rule import RuleSet
from heuristic.rules.drawing import CellState, RuleSpec, Spot
from heuristic.rules.letters import area_lines
from heuristic.rules.picture import draw_rule
from heuristic.rules.rulefile import parse_rules
from solver.board import STEPS, Board, Position, Symmetry
from solver.errors import RuleError
from solver.positions import completable_positions
from solver.svg import FUTURE
from tests.doubles import rules as naive_rules
from tests.doubles.forced import forced_edges, mates_of
from tests.heuristic.test_forced import random_positions
from tests.heuristic.test_matching import masks_of
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


def test_ties_are_read_in_order_and_their_cells_are_free() -> None:
    drawing = loop().drawings[0]
    assert drawing.pairs("joined") == (((-1, -1), (-1, -2)), ((-2, 0), (-3, 0)))
    assert drawing.pairs("mates") == (((-2, 0), (-1, -1)),)
    for at in ((-1, -2), (-3, 0)):  # nothing is drawn there
        assert drawing.need(at).states == CellState.FREE
    assert not loop().reads_lines


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


def test_forced_edges_are_printed_and_compared() -> None:
    assert area_lines(loop().drawings[0]) == [
        "forced: [1, 1] to [2, 1]",
        "forced: [0, 2] to [0, 3]",
        "one forced line ends at [0, 2] and [1, 1]",
    ]
    turned = loop(joined="[[[0, 3], [0, 2]], [[1, 1], [2, 1]]]")
    assert kin_of(loop(), [turned])[0]
    assert not kin_of(loop(), [loop(mates="")])[0]
    other = loop(joined="[[[1, 2], [1, 1]], [[0, 2], [0, 3]]]")
    assert kin_of(loop(), [other]) == ([], [], [])


def masks(rule: RuleSpec, position: Position) -> set[str]:
    """Return what the kernel forbids."""
    return masks_of([rule], position)[0]


def offset_of(position: Position, cell: int) -> Spot:
    """Return a cell as the drawing of the walk's heading names it."""
    ahead, left = STEPS[position.heading], STEPS[(position.heading + 3) % 4]
    here, there = (divmod(c, position.board.cols) for c in (position.live_end, cell))
    row, col = there[0] - here[0], there[1] - here[1]
    return row * left[0] + col * left[1], row * ahead[0] + col * ahead[1]


def rule_from(position: Position, rng: Random) -> RuleSpec | None:
    """Return a rule that asks for some of what is forced at a position."""
    forced = forced_edges(position)
    if not forced:
        return None
    edges = set(rng.sample(sorted(forced), rng.randrange(min(len(forced), 4)) + 1))
    pairs = sorted(tuple(sorted(pair)) for pair in mates_of(position, forced))
    mates = rng.sample(pairs, min(len(pairs), rng.randrange(3)))
    for cell in (c for pair in mates for c in pair):
        edges |= {e for e in forced if cell in e}
    if rng.random() < 0.3 and pairs:  # two ends of other lines, and no line at all
        mates = [(rng.choice(pairs)[0], rng.choice(pairs)[1])]
        edges = {e for e in forced if set(e) & set(mates[0])}
    live = position.live_end
    edges = {e for e in edges if live not in e}
    lists = {
        key: str([[list(offset_of(position, c)) for c in pair] for pair in chosen])
        for key, chosen in (("joined", sorted(edges)), ("mates", mates))
    }
    frame = rng.choice(["", 'turns = ["0", "cw", "ccw", "180"]', "mirror = false"])
    text = "\n".join(
        [
            '[[rule]]\nname = "drawn"\nclaim = "unargued"',
            f"drawing = '''\n? x ?\nx @ x\n? x ?\n'''\n{frame}",
            f"joined = {lists['joined']}\nmates = {lists['mates']}",
        ]
    )
    try:
        (rule,) = parse_rules(text)
    except RuleError:
        return None
    return rule


def test_the_kernel_and_the_slow_double_forbid_the_same() -> None:
    rng, fired, silent, ends = Random(3), 0, 0, 0
    places = [p for b in BOARDS for p in random_positions(b, 4, 8) if p.heading >= 0]
    made = [(r, p) for p in rng.sample(places, 160) if (r := rule_from(p, rng))]
    assert len(made) > 30
    for rule, origin in made:
        turned = [s.position(origin) for s in rng.sample(list(Symmetry), 2)]
        for position in [origin, *turned, *rng.sample(places, 3)]:
            expected = naive_rules.forbidden(rule, position)
            assert masks(rule, position) == expected, (rule, position)
            fired, silent = fired + bool(expected), silent + (not expected)
            ends += bool(expected and rule.drawings[0].pairs("mates"))
    assert min(fired, silent, ends) > 5, (fired, silent, ends)


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


def test_a_dead_step_is_read_and_printed() -> None:
    (rule,) = parse_rules(FOLLOWED)
    assert rule.drawings[0].pairs("dead") == (((0, 0), (-1, 0)),)
    assert area_lines(rule.drawings[0]) == [
        "dead when followed: the step from [0, 0] to [0, 1]"
    ]


def test_a_step_is_followed_with_thirty_areas_at_most() -> None:
    def read(areas: int) -> RuleSpec:
        ends = [
            f"{{ cells = [[{2 * k + 1}, 0]], base = [{2 * k}, 0], "
            for k in range(areas)
        ]
        tables = [
            f'{end}wall = [{2 * k + 2}, 0], side = "left", kind = "closed" }}'
            for k, end in enumerate(ends)
        ]
        (rule,) = parse_rules(
            f"""
            [[rule]]
            name = "many"
            claim = "sound"
            origin = "a test"
            dead = [[[0, 0], [1, 0]]]
            drawing = '{"% s " * (areas - 1)}% S @'
            area = [{", ".join(tables)}]
            """
        )
        return rule

    assert len(read(30).drawings[0].areas) == 30
    with pytest.raises(RuleError, match="30 areas at most"):
        read(31)
