"""Areas are counted as the naive double counts them, by a fill and by the contour."""

from dataclasses import replace
from itertools import chain
from random import Random

import pytest

from heuristic.matching import areas
from heuristic.matching.areas import new_contour
from heuristic.matching.pattern import (
    ALL_MOVES,
    list_matching,
    new_drawn,
    new_matching,
    new_order,
)
from heuristic.matching.tables import AREAS, SHAPE, compile_rules
from heuristic.rule import RuleSet
from heuristic.rules.drawing import (
    AROUND,
    TAKEN,
    AreaSpec,
    CellNeed,
    CellState,
    Drawing,
    Kind,
    RuleSpec,
    Spot,
)
from solver.board import LETTERS, STEPS, Board, Position, Symmetry
from tests.doubles import rules as naive_rules
from tests.heuristic.test_forced import random_positions
from tests.heuristic.test_matching import masks_of
from verify.proof.window import reached

BOARDS = [
    "5",
    "7x6",
    "7@4,4>3,1",
    "6x7@2,1>5,6!3,4;4,4",
    "8x5@3,3>6,3",
    "5@1,3>5,3!3,3",
]


def area_at(position: Position, rng: Random) -> AreaSpec | None:
    """Return an area whose line runs through free cells near the live end."""
    ahead, left = STEPS[position.heading], STEPS[(position.heading + 3) % 4]
    landed = {
        (x, y): complex(-x * ahead[1] - y * left[1], x * ahead[0] + y * left[0])
        for x in range(-8, 9)
        for y in range(-8, 9)
    }
    _, state = naive_rules.found_there(position, landed)

    def near(at: Spot, ways: tuple[Spot, ...], *, free: bool) -> list[Spot]:
        cells = [(at[0] + x, at[1] + y) for x, y in ways]
        return [c for c in cells if any(c) and (state(c) is CellState.FREE) == free]

    bases = [(0, 0), (0, 0), *near((0, 0), AROUND, free=False)]
    base = rng.choice(bases)
    line = rng.sample(firsts, 1) if (firsts := near(base, AROUND, free=True)) else []
    while line and rng.random() < 0.7 and len(line) < 6:
        nexts = [x for x in near(line[-1], AROUND[::2], free=True) if x not in line]
        line += rng.sample(nexts, bool(nexts))
    walls = [x for x in near(line[-1], AROUND, free=False) if x != base] if line else []
    crossed = [(line[-1][0] - line[0][0], line[-1][1] - line[0][1])] if line else []
    walls = [x for x in walls if (base[0] - x[0], base[1] - x[1]) not in crossed]
    if not walls:
        return None
    low = rng.randrange(-3, 4)
    return AreaSpec(
        cells=tuple(line),
        side=rng.choice(["left", "right"]),
        base=base,
        wall=rng.choice(walls),
        kind=rng.choice([Kind.CLOSED, *Kind, *Kind]),
        low=low,
        high=low + rng.randrange(3),
        entry=rng.choice(line),
        least=len(line) + rng.choice([0, 0, 0, 2, 5]),
    )


def rule_of(areas: list[AreaSpec], name: str, move: Spot) -> RuleSpec:
    """Return a rule that asks for areas, and that their lines can be."""
    states = {at: CellState.FREE for area in areas for at in area.cells}
    ends = {at for area in areas for at in (area.base, area.wall) if any(at)}
    needs = [CellNeed(at, x) for at, x in (states | dict.fromkeys(ends, TAKEN)).items()]
    drawing = Drawing("", tuple(needs), tuple(areas), (), (move,))
    return RuleSpec(name, "sound", "a test", "it was drawn so", (drawing,))


def cases(
    board: Board, seed: int, count: int, *, closed: bool = False
) -> list[tuple[RuleSpec, Position]]:
    """Return rules with areas, and positions at which those have their lines.

    Most areas are open; with `closed` each rule has a placement where none is.
    """
    rng, chosen = Random(seed), list[tuple[RuleSpec, Position]]()
    places = [p for p in random_positions(board, seed, 12) if p.heading >= 0]
    places = [p for p in places if p.live_end != board.end and p.options()]
    while len(chosen) < count:
        position = rng.choice(places)
        areas = [x for _ in range(2) if (x := area_at(position, rng))]
        areas = areas[: rng.choice([1, 2])]
        if areas:
            way = LETTERS.index(rng.choice(sorted(position.options())))
            move = AROUND[2 * ((position.heading - way) % 4)]
            rule = rule_of(areas, f"areas-{len(chosen)}", move)
            image = rng.choice([*Symmetry]).position(position)
            counts = naive_counts(rule, image) if closed else set()
            if not closed or any(min(areas)[0] >= 0 for areas in counts):
                chosen.append((rule, image))
    return chosen


def holes(position: Position) -> bool:
    """Return whether cells that are not free form a piece away from the rim."""
    board, free = position.board, position.free
    missing = {
        (row, col)
        for row in range(-1, board.rows + 1)
        for col in range(-1, board.cols + 1)
        if not (0 <= row < board.rows and 0 <= col < board.cols)
        or not free[row * board.cols + col]
    }

    def near(at: Spot) -> set[Spot]:
        return missing & {(at[0] + r, at[1] + c) for r, c in AROUND}

    return missing != reached([(-1, -1)], near)


Counts = set[tuple[tuple[int, int], ...]]


def naive_counts(rule: RuleSpec, position: Position) -> Counts:
    """Return size and black cells of the areas in each placement; -1, 0 if open."""
    (drawing,), counted = rule.drawings, set()
    own = position.board.black(position.live_end)
    for landed in naive_rules.layouts(drawing, LETTERS[position.heading]):
        if naive_rules.needs_hold(drawing, position, landed):
            there = naive_rules.found_there(position, landed)
            counts = []
            for area in drawing.areas:
                cells = naive_rules.cells_of(area, position, *there)
                black = sum(position.board.black(c) == own for c in cells)
                closed = naive_rules.is_closed(area, position, *there)
                counts.append((len(cells), black) if closed else (-1, 0))
            counted.add(tuple(counts))
    return counted


def counted(rule: RuleSpec, position: Position) -> tuple[Counts, Counts]:
    """Return what fills count at a position, and its contour: -2, 0 if it cannot."""
    drawing = replace(rule.drawings[0], forbidden=AROUND[::2])
    tables, board = compile_rules([replace(rule, drawings=(drawing,))]), position.board
    bare = tables.leaves.copy()
    bare[:, [AREAS, AREAS + 1]] = 0  # so needs alone decide which leaves match
    drawn = new_drawn(tables._replace(leaves=bare), board)
    drawn.order[:] = new_order(board, position.walk)
    room = drawn.room._replace(contour=new_contour(board))
    place = areas.Place(drawn.board, position.live_end, position.heading)
    matching = new_matching(tables)
    count = list_matching(drawn, *place[1:], ALL_MOVES, matching)
    fills: Counts = set()
    along: Counts = set()
    for row in tables.leaves[matching[:count]]:
        by_fill, by_contour = list[tuple[int, int]](), list[tuple[int, int]]()
        for shape in tables.areas[slice(*row[[AREAS, AREAS + 1]]), SHAPE].tolist():
            areas.fill_number(tables, shape, room, place)
            state, size, black = room.shapes[shape, areas.STATE :].tolist()
            by_fill.append((size, black) if state == areas.CLOSED else (-1, 0))
            cells = [c for c in range(board.cells) if areas.is_filled(room, c)]
            assert len(cells) == size or state == areas.OPEN
            by_contour.append(
                areas.count_along(room.contour, room, tables, shape, place)
            )
        fills.add(tuple(by_fill))
        along.add(tuple(by_contour))
    return fills, along


@pytest.mark.parametrize("text", BOARDS)
def test_fills_and_the_contour_count_as_the_naive_double(text: str) -> None:
    board, seen = Board.parse(text), list[tuple[int, int]]()
    for rule, position in cases(board, 3, 100):
        expected = naive_counts(rule, position)
        fills, along = counted(rule, position)
        assert fills == expected, (rule, position)
        end, free = position.board.end, position.free
        beside = position.board.neighbours[end].tolist()
        if holes(position) or all(c >= 0 and free[c] for c in beside):
            expected = {tuple((-2, 0) for _ in areas) for areas in expected}
        assert along == expected, (rule, position)
        seen += [count for counts in expected for count in counts]
    assert sum(size > 0 for size, _ in seen) > 15 < sum(size < 0 for size, _ in seen)


@pytest.mark.parametrize("text", BOARDS)
def test_areas_are_judged_as_the_naive_double_judges(text: str) -> None:
    fired, rng = 0, Random(4)
    places = cases(Board.parse(text), 5, 40, closed=True)
    for rule, position in places:
        others = [other for other, _ in rng.sample(places, 3) if other is not rule]
        rules = [rule, *others]
        expected = [naive_rules.forbidden(each, position) for each in rules]
        assert masks_of(rules, position) == expected, (rule, position)
        fired += bool(expected[0])
    assert fired > 6


Cells = tuple[int, ...]


def naive_reasons(
    rule: RuleSpec, position: Position, move: str
) -> set[tuple[Cells, tuple[Cells, ...]]]:
    """Return the cells of needs, and of each area, wherever a rule forbids a move."""
    (drawing,), reasons = rule.drawings, set()
    step = {"U": 1j, "R": 1, "D": -1j, "L": -1}[move]
    for landed in naive_rules.layouts(drawing, LETTERS[position.heading]):
        moves = {landed[at] for at in drawing.forbidden}
        if step in moves and naive_rules.matches(drawing, position, landed):
            cell, state = naive_rules.found_there(position, landed)
            needs = sorted(c for need in drawing.needs if (c := cell(need.at)) >= 0)
            areas = [
                tuple(sorted(naive_rules.cells_of(area, position, cell, state)))
                for area in drawing.areas
            ]
            reasons.add((tuple(needs), tuple(areas)))
    return reasons


def test_a_reason_has_the_cells_of_needs_and_areas() -> None:
    several = 0
    places = [cases(Board.parse(text), 6, 20, closed=True) for text in BOARDS]
    for spec, position in chain(*places):
        black = position.board.black
        for forbid in RuleSet(spec.name, [spec]).forbids(position):
            reason = forbid.reason
            reasons = naive_reasons(spec, position, forbid.move)
            assert (reason.cells, reason.areas) in reasons
            assert reason.area == tuple(sorted({*chain(*reason.areas)}))
            sentence = spec.reason
            for number, cells in enumerate(reason.areas, 1):
                tones = sum(map(black, cells)), len(cells) - sum(map(black, cells))
                which = f"area {number}" if len(reason.areas) > 1 else "its area"
                sentence += f"; {which} has {len(cells)} cells, "
                sentence += f"{tones[0]} black and {tones[1]} white"
            assert reason.sentence == sentence
            several += len(reason.areas) > 1
    assert several > 2
