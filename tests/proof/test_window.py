"""The window formula holds in every true world, and proves right rules alone."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from pysat.solvers import Solver

from heuristic.rules.drawing import AROUND, AreaSpec, Drawing, Kind, Spot
from solver.board import Board, Position, Symmetry
from solver.positions import completable_positions
from tests.doubles.worlds import World, truth
from tests.samples import in_one_piece
from verify.proof.decision import marked
from verify.proof.encoding import encode
from verify.proof.formula import Formula, Scope, cuts
from verify.proof.window import ANY, LIVE, Window, edge, neighbours, reached, rectangle

BITS = {"free": 1, "visited": 2, "out": 4}


def backbite(board: Board, rng: random.Random) -> list[int]:
    """Return a random Hamiltonian path of a rectangle, by end rotations."""
    path = [
        row * board.cols + (col if row % 2 == 0 else board.cols - 1 - col)
        for row in range(board.rows)
        for col in range(board.cols)
    ]
    for _ in range(20 * board.cells):
        if rng.random() < 0.5:
            path.reverse()
        near = [int(x) for x in board.neighbours[path[-1]] if x >= 0]
        at = path.index(rng.choice(near))
        if at < len(path) - 2:
            path[at + 1 :] = path[at + 1 :][::-1]
    return path


@cache
def cornered_walks() -> list[tuple[Board, list[int]]]:
    """Return the complete walks of small boards between opposite corners."""
    boards = [Board(rows, cols) for rows, cols in ((5, 5), (3, 5), (4, 5))]
    return [
        (board, list(position.walk))
        for board in boards
        for position, _ in completable_positions(board)
        if position.complete
    ]


def worlds(scope: Scope, count: int, seed: int) -> Iterator[World]:
    """Yield random worlds whose board belongs to the scope."""
    rng = random.Random(seed)
    while count:
        if scope is Scope.CORNERS:
            board, path = rng.choice(cornered_walks())
            path = path[:: rng.choice([1, -1])]  # start upper left or lower right
            if rng.randrange(2):  # start upper right or lower left
                cols = board.cols
                path = [cell // cols * cols + cols - 1 - cell % cols for cell in path]
        else:
            board = Board(rng.randint(2, 6), rng.randint(2, 6))
            path = backbite(board, rng)
            on_rim = (board.neighbours[[path[0], path[-1]]] < 0).any(axis=1).all()
            if scope is not Scope.PLAIN and not on_rim:
                continue
        board = Board(board.rows, board.cols, path[0], path[-1])
        cut = rng.randint(2, len(path) - 1)
        position = Position(board, tuple(path[:cut]))
        placements = Drawing("", (), (), (), (), turns=tuple(Symmetry)).placements()
        fitting = [p for p in placements if p.heading == position.heading]
        count -= 1
        yield World(position, tuple(path[cut:]), rng.choice(fitting))


def shown(world: World, rng: random.Random, corners: bool, crop: bool) -> Window:
    """Return a window that shows some of the world, as a drawing might."""
    top, left = -rng.randint(1, 3), -rng.randint(1, 3)
    bottom, right = rng.randint(1, 3), rng.randint(1, 3)
    areas = tuple(
        area for _ in range(rng.randint(0, 3)) if (area := random_area(world, rng))
    )
    for area in areas:
        for spot in area.cells:
            top, bottom = min(top, spot[0] - 1), max(bottom, spot[0] + 1)
            left, right = min(left, spot[1] - 1), max(right, spot[1] + 1)
    states = {}
    for row in range(top, bottom + 1):
        for col in range(left, right + 1):
            spot = row, col
            bit = BITS[world.state(spot)]
            states[spot] = rng.choice([bit, bit, ANY, bit | rng.choice([1, 2, 4])])
    del states[LIVE]
    near = {spot: i for i, spot in enumerate(neighbours(LIVE))}
    target = world.spot(world.completion[0])
    behind = world.spot(world.position.walk[-2])
    for area in areas:
        states |= dict.fromkeys(area.cells, 1)
        states[area.wall] = BITS[world.state(area.wall)]
    states |= {target: 1, behind: 2}
    walk = [world.spot(cell) for cell in world.position.walk]
    seen = [spot for spot in walk if top <= spot[0] <= bottom]
    seen = [spot for spot in seen if left <= spot[1] <= right]
    runs = []
    for _ in range(rng.randint(0, 2)):
        a, b = (rng.choice(seen) for _ in range(2))
        if walk.index(a) < walk.index(b):
            runs.append((a, b))
            states |= {spot: 2 for spot in (a, b) if spot != LIVE}
    end = world.spot(world.position.board.end)
    if crop:
        lines = [LIVE, *(spot for area in areas for spot in area.cells)]
        top = rng.randint(top, min(row for row, _ in lines))
        left = rng.randint(left, min(col for _, col in lines))
        bottom = rng.randint(max(row for row, _ in lines), bottom)
        right = rng.randint(max(col for _, col in lines), right)
    corner = None
    if corners:
        signs = []
        start = world.position.board.start
        for d in range(4):
            if world.position.board.neighbours[start, d] < 0:
                row, col = divmod(start, world.position.board.cols)
                dr, dc = ((-1, 0), (0, 1), (1, 0), (0, -1))[d]
                here, there = world.spot(start), world.spot_at(row + dr, col + dc)
                signs.append((there[0] - here[0], there[1] - here[1]))
        corner = sum(s[0] for s in signs), sum(s[1] for s in signs)
    window = Window(
        rectangle(top, left, bottom, right),
        states,
        near[target],
        frozenset(s for s in states if s != end and rng.random() < 0.3),
        behind,
        tuple(runs),
        areas,
        corner,
    )
    window = granting(world, window, rng)
    return nibbled(window, rng) if crop and rng.random() < 0.7 else window


def granting(world: World, window: Window, rng: random.Random) -> Window:
    """Grant some of what is true of the completion: steps, orders, its end."""
    rest = [world.spot(cell) for cell in world.completion]
    seen = [spot for spot in rest if window.holds(spot)]
    facts: dict[str, set[tuple[Spot, Spot]]] = {"passes": set(), "lacks": set()}
    facts["before"] = set()
    for _ in range(rng.randint(0, 3) if len(seen) > 1 else 0):
        a, b = rng.sample(seen, 2)
        facts["before"].add((a, b) if rest.index(a) < rest.index(b) else (b, a))
        near = [x for x in neighbours(a) if x in seen]
        if near:
            x = rng.choice(near)
            word = "passes" if rest.index(x) == rest.index(a) + 1 else "lacks"
            facts[word].add((a, x))
    facts |= forced(rest, rng)
    named = {spot for pairs in facts.values() for pair in pairs for spot in pair}
    lined = {spot for area in window.areas for spot in area.cells}
    end = rest[-1] if rest[-1] in set(seen) - lined and rng.random() < 0.3 else None
    named |= {end} if end else set()
    return replace(
        window,
        states=window.states | dict.fromkeys(named, 1),
        end=end,
        facts={word: tuple(sorted(pairs)) for word, pairs in facts.items()},
    )


def forced(rest: list[Spot], rng: random.Random) -> dict[str, set[tuple[Spot, Spot]]]:
    """Return edges of a completion, and ends of pieces of it with the first edges."""
    joined, mates = set[tuple[Spot, Spot]](), set[tuple[Spot, Spot]]()
    places = sorted(rng.sample(range(len(rest)), min(len(rest), rng.choice([0, 2, 4]))))
    ends = set()
    for first, last in zip(places[::2], places[1::2], strict=False):
        if last < len(rest) - 1:
            mates.add(edge(rest[first], rest[last]))
            joined.add(edge(rest[first], rest[first + 1]))
            joined.add(edge(rest[last - 1], rest[last]))
            ends |= {rest[first], rest[last]}
    for a, b in pairwise(rest):
        if rng.random() < 0.1 and ends.isdisjoint({a, b}):
            joined.add(edge(a, b))
    sides = [cell for side in joined for cell in side]
    if any(sides.count(end) != 1 for end in ends):  # a line ends beside another
        mates = set()
    return {"joined": joined, "mates": mates}


def nibbled(window: Window, rng: random.Random) -> Window:
    """Return a window without some cells, still in one piece without holes."""
    cells = sorted(set(window.cells()) - marked(window))
    for cell in rng.sample(cells, rng.randint(0, len(cells))):
        smaller = window.part(set(window.cells()) - {cell})
        if in_one_piece(smaller):
            window = smaller
    return window


def random_area(world: World, rng: random.Random) -> AreaSpec | None:
    """Return a closed area of the world, if a random line happens to cut one off.

    Most steps of the line lead to a side, some to a corner.
    """
    line = [rng.choice([LIVE, *AROUND])]
    while len(line) < 6:
        row, col = line[-1]
        corners = [(row + a, col + b) for a, b in AROUND] if rng.random() < 0.3 else []
        options = [
            spot
            for spot in neighbours(line[-1]) + corners
            if world.state(spot) == "free" and spot not in line
        ]
        if not options:
            break
        line.append(rng.choice(options))
        if rng.random() < 0.3:
            break
    cells = [spot for spot in line if spot != LIVE and world.state(spot) == "free"]
    if not cells:
        return None
    taken = [
        spot
        for spot in [(cells[-1][0] - a, cells[-1][1] - b) for a, b in AROUND]
        if world.state(spot) != "free"
    ]
    if not taken:
        return None
    base, wall = LIVE, rng.choice(taken)
    if max(abs(cells[0][0]), abs(cells[0][1])) > 1 or base == wall:
        return None
    spec = AreaSpec(
        cells=tuple(cells),
        side=rng.choice(["left", "right"]),
        base=(0, 0),
        wall=wall,
        kind=Kind.CLOSED,
        low=0,
        high=0,
        entry=cells[0],
        least=1,
    )
    if {*spec.inside} & {*spec.outside}:
        return None
    inner = set(cells)
    free = [s for s in spec.inside if world.state(s) == "free"]
    inner |= reached(
        free,
        lambda s: [
            x for x in neighbours(s) if x not in cells and world.state(x) == "free"
        ],
    )
    end = world.spot(world.position.board.end)
    if end in inner or any(
        s in inner for s in spec.outside if world.state(s) == "free"
    ):
        return None
    white = sum((row + col) % 2 for row, col in inner)
    surplus = 2 * white - len(inner)
    kind = rng.choice([Kind.CLOSED, Kind.WITHIN, Kind.BEYOND])
    kind = rng.choice([kind, Kind.EVEN if len(inner) % 2 == 0 else Kind.ODD])
    low, high = surplus - rng.randrange(2), surplus + rng.randrange(2)
    if kind is Kind.BEYOND:
        low = surplus + 1
        high = low + 1
    least = rng.randint(1, len(inner))
    return replace(spec, kind=kind, low=low, high=high, least=least)


def all_cuts(window: Window, formula: Formula, limit: int) -> list[tuple[int, ...]]:
    """Solve and cut until nothing is left to cut, or the limit comes."""
    added: list[tuple[int, ...]] = []
    with Solver(name="minisat22", bootstrap_with=formula.clauses) as solver:
        while len(added) < limit and solver.solve():
            new = cuts(window, formula, {x for x in solver.get_model() if x > 0})
            if not new:
                break
            added += new
            for clause in new:
                solver.add_clause(list(clause))
    return added


def check_world(world: World, rng: random.Random, scope: Scope, limit: int) -> None:
    corners = scope is Scope.CORNERS and rng.random() < 0.5
    crop = scope.planar and rng.random() < 0.5
    window = shown(world, rng, corners, crop)
    formula = encode(window, scope)
    more = all_cuts(window, formula, limit)
    values = truth(world, window, formula)
    assumed = [
        n if values[name] else -n for name, n in formula.names.items() if name in values
    ]
    with Solver(name="minisat22", bootstrap_with=formula.clauses + more) as solver:
        if solver.solve(assumptions=assumed):
            return
        core = set(solver.get_core() or ())
    names = {n: name for name, n in formula.names.items()}
    excluded = [(names[abs(x)], x > 0) for x in core]
    raise AssertionError(f"{world}\n{window}\nexcluded: {excluded}")


@pytest.mark.no_cover
@pytest.mark.parametrize("scope", list(Scope), ids=lambda scope: scope.name)
def test_no_true_world_is_excluded(scope: Scope) -> None:
    rng = random.Random(5)
    for world in worlds(scope, 80, 7):
        check_world(world, rng, scope, 60)
