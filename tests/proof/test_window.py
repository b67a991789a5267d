"""The window formula holds in every true world, and proves right rules alone."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest
from pysat.solvers import Solver

from heuristic.groups import load_rules
from heuristic.rules.drawing import (
    AROUND,
    AreaSpec,
    Drawing,
    Kind,
    Spot,
    area_behind,
    box_around,
)
from solver.board import Position, Symmetry
from solver.oracles.exact import exact_walk
from tests.doubles.worlds import World, flooded, truth
from tests.samples import in_one_piece
from verify.proof.decision import marked
from verify.proof.encoding import encode
from verify.proof.formula import Formula, Scope, cuts
from verify.proof.prove import parts, provable
from verify.proof.window import ANY, LIVE, Window, edge, neighbours, rectangle
from verify.verdict.verdict import boards_in

BITS = {"free": 1, "visited": 2, "out": 4}


def worlds(scope: Scope, count: int, seed: int) -> Iterator[World]:
    """Yield random worlds whose board belongs to the scope."""
    rng = random.Random(seed)
    pages = Drawing(turns=tuple(Symmetry)).placements()
    while count:
        rows, cols = rng.randint(2, 6), rng.randint(2, 6)
        for board in boards_in(scope, rows, cols, rng, 1):
            whole = exact_walk(board, rng.randrange(1 << 30)).position
            if whole.complete and len(whole.walk) > 2:
                cut = rng.randint(2, len(whole.walk) - 1)
                position = Position(board, whole.walk[:cut])
                fitting = [page for page in pages if page.heading == position.heading]
                count -= 1
                yield World(position, whole.walk[cut:], rng.choice(fitting))


def corner_of(world: World) -> Spot:
    """Return the signs of the corner where the start lies, on the page."""
    board = world.position.board
    row, col = divmod(board.start, board.cols)
    here = world.spot(board.start)
    beyond = world.spot_at(row + (1 if row else -1), col + (1 if col else -1))
    return beyond[0] - here[0], beyond[1] - here[1]


def shown(world: World, rng: random.Random, corners: bool, crop: bool) -> Window:
    """Return a window that shows some of the world, as a drawing might."""
    many = rng.randint(0, 3)
    areas = tuple(filter(None, (random_area(world, rng) for _ in range(many))))
    box = rectangle(*(-rng.randint(1, 3) for _ in "tl"), *rng.choices((1, 2, 3), k=2))
    marked_cells = [spot for area in areas for spot in area.cells]
    seen = rectangle(*box_around(box.union(*map(neighbours, marked_cells))))
    states = {}
    for spot in sorted(seen - {LIVE}):
        bit = BITS[world.state(spot)]
        states[spot] = rng.choice([bit, bit, ANY, bit | rng.choice([1, 2, 4])])
    for area in areas:
        states |= dict.fromkeys(area.cells, 1)
        states[area.wall] = BITS[world.state(area.wall)]
    walk = [world.spot(cell) for cell in world.position.walk]
    behind, target = walk[-2], world.spot(world.completion[0])
    states |= {target: 1, behind: 2}
    visited, runs = [spot for spot in walk if spot in seen], []
    for _ in range(rng.randint(0, 2)):
        a, b = sorted(rng.sample(visited, 2), key=walk.index)
        runs.append((a, b))
        states |= dict.fromkeys({a, b} - {LIVE}, 2)
    end = world.spot(world.position.board.end)
    window = Window(
        seen,
        states,
        neighbours(LIVE).index(target),
        frozenset(s for s in states if s != end and rng.random() < 0.3),
        behind,
        tuple(runs),
        areas,
        corner_of(world) if corners else None,
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
    cells = [rng.choice(AROUND)]
    if world.state(cells[0]) != "free":
        return None
    while len(cells) < 6 and rng.random() > 0.3:
        row, col = cells[-1]
        corners = [(row + a, col + b) for a, b in AROUND] if rng.random() < 0.3 else []
        near = [x for x in neighbours(cells[-1]) + corners if x not in cells]
        options = [x for x in near if world.state(x) == "free"]
        cells += rng.sample(options, min(1, len(options)))
    around = [(cells[-1][0] - a, cells[-1][1] - b) for a, b in AROUND]
    taken = [x for x in around if world.state(x) != "free" and x != LIVE]
    if not taken:
        return None
    spec = area_behind(cells, rng.choice(taken), rng.choice(["left", "right"]))
    inner, end = flooded(world, spec), world.spot(world.position.board.end)
    if {*spec.inside, *inner, end} & {*spec.outside} or end in inner:
        return None
    surplus = sum(1 if (row + col) % 2 else -1 for row, col in inner)
    kind = rng.choice([Kind.CLOSED, Kind.WITHIN, Kind.BEYOND])
    kind = rng.choice([kind, Kind.EVEN if len(inner) % 2 == 0 else Kind.ODD])
    low, high = surplus - rng.randrange(2), surplus + rng.randrange(2)
    if kind is Kind.BEYOND:
        low, high = surplus + 1, surplus + 2
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


TIED = str(Path(__file__).parents[1] / "data" / "tied_rules.toml")
FORMULAS = {
    TIED: "eb2e86f1df",
    "near-border-side": "871d4c4985",
    "area-near-border": "9e9c6baa6d",
    "triple-area": "65043c6c64",
    "sequence-1": "8dc6954b4a",
    "future-1x2": "acef8f3448",
    "future-step-away": "ea2f4393f2",
    "future-corner-pass": "d2b19f54c6",
    "future-connect": "8bb2a725da",
    "future-l": "9d2575a5b6",
    "sequence-recursion": "4b872a1a05",
    "mid-across-3-impair-determined": "8b30fb1f79",
}


def model_of(formula: Formula, rng: random.Random) -> set[int]:
    """Return true variables: no cell has more than two links, and one is the end."""
    names, met = formula.names, Counter[object]()
    true = {n for x, n in names.items() if x[0] == "free" or rng.random() < 0.1}
    true -= {n for x, n in names.items() if x[0] in ("c", "w", "v", "p", "T")}
    true |= {*rng.sample([n for x, n in names.items() if x[0] == "T"] or [1], 1)}
    for a, b, number in rng.sample(formula.links, len(formula.links)):
        if max(met[a], met[b]) < 2:
            met.update((a, b))
            true.add(number)
    return true


def digest(name: str) -> str:
    """Return a digest of formulas and cuts of some parts of rules, in every scope."""
    forms = provable(load_rules(name).rules).values()
    windows = [window for rule in forms for _, window in parts(rule)]
    some = [(x, y) for x in windows[:: 1 + len(windows) // 3] for y in Scope]
    formulas = [(x, encode(x, y)) for x, y in some if y is Scope.PLAIN or not x.away]
    rng, text = random.Random(name[-20:]), ""
    for window, x in formulas:
        broken = [cuts(window, x, model_of(x, rng)) for _ in range(6)]
        text += repr((x.names, x.clauses, x.usable, x.pairs, broken))
    return sha256(text.encode()).hexdigest()[:10]


@pytest.mark.parametrize("name", FORMULAS, ids=lambda name: Path(name).stem)
def test_formulas_are_as_they_were(name: str) -> None:
    """A clause that is left out makes no formula wrong, only proofs fewer."""
    assert digest(name) == FORMULAS[name]


def test_a_line_closes_a_curve_in_place_of_its_first_edges() -> None:
    ends, outer = ((-1, -1), (-1, 1)), ((-1, -2), (-1, 2))
    joined = tuple(edge(a, b) for a, b in zip(ends, outer, strict=True))
    facts = {"joined": joined, "mates": (ends,)}
    states = dict.fromkeys([*ends, *outer], 1)
    window = Window(rectangle(-3, -3, 3, 3), states, 0, facts=facts)
    formula = encode(window, Scope.PLAIN)
    curve = [ends[0], (-2, -1), (-2, 0), (-2, 1), ends[1]]
    over = {formula.var("c", *edge(a, b)) for a, b in pairwise(curve)}
    tail = {1, formula.var("c", (2, 1), (2, 2)), formula.var("c", (-2, -2), (-1, -2))}
    assert cuts(window, formula, over | tail) == [tuple(sorted(-x for x in over))]
    assert cuts(window, formula, over - {min(over)} | tail) == []
