"""Minimal rules about forced edges that need planarity, a rim or corners; true worlds.

A dead move beside the rim is taken from a position. What the position shows of some
cells, with its forced edges and lines, makes the move impossible on the boards of a
scope; on every board it does not, and without the edges it does not. Then facts are
left out in random order while the rest still does. So the rule that is left needs the
scope, needs each of its facts, and has forced edges among them.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from heuristic.groups import load_rules
from heuristic.matching.tables import Ints, compile_rules, fitting
from heuristic.matching.walks import Drawn, ask, new_drawn, step_to
from heuristic.rules.drawing import LIVE_END, AreaSpec, CellState, RuleSpec, Turn
from solver.board import Board
from solver.counting.backbite import BackbiteWalks
from solver.errors import NoWalkError, OptionError, RuleError
from solver.jit import njit
from solver.positions import PositionTree, completable_positions
from verify.discovery.areas import cuts_of, exactly
from verify.discovery.explaining import (
    Page,
    _weaker,
    facts_of,
    page_of,
    picture_of,
    square,
    ties_of,
)
from verify.discovery.families import conditions
from verify.discovery.gaps import Gaps, missed_by
from verify.discovery.question import Ask, Fact, question
from verify.discovery.sketch import Found, Picture, read_rule
from verify.proof.formula import Scope
from verify.proof.prove import Proved, prove_rule
from verify.proof.view import OUT, rc
from verify.refute.first_wrong import walked
from verify.verdict.scopes import boards_in

NARROW = (Scope.PLANAR, Scope.RIM, Scope.CORNERS)
_SMALL = {
    Scope.PLANAR: ((4, 5), (5, 5), (5, 6), (4, 7)),
    Scope.RIM: ((5, 6), (6, 6), (5, 7)),
    Scope.CORNERS: ((5, 7), (7, 5), (7, 7)),
}
_NEAR = 2  # lines and columns from the live end to the rim, at most
_EACH = 3000  # dead moves taken from one board


@cache
def plain_rules() -> tuple[RuleSpec, ...]:
    """Return rules that are right on every board: what they forbid is left out."""
    found = []
    for rule in load_rules("seed-7").rules:
        spec: RuleSpec = rule.spec  # type: ignore[attr-defined] # drawn rules
        needs = [need for drawing in spec.drawings for need in drawing.needs]
        if all(need.states is not CellState.OUTSIDE for need in needs):
            found.append(spec)
    return tuple(found)


def gaps_in(scope: Scope, rng: random.Random) -> Iterator[Gaps]:
    """Yield the dead moves of small boards of a scope that the rules above miss."""
    while True:
        rows, cols = rng.choice(_SMALL[scope])
        for board in boards_in(scope, rows, cols, rng, most=1):
            tree = completable_positions(board)
            if len(tree) > 1:
                yield missed_by(() if scope is Scope.PLANAR else plain_rules(), tree)


def _by_the_rim(gaps: Gaps, number: int) -> bool:
    board = gaps.board
    row, col = divmod(int(gaps.live[number]), board.cols)
    return min(row, board.rows - 1 - row, col, board.cols - 1 - col) < _NEAR


def _looks(
    page: Page, scope: Scope, rng: random.Random
) -> Iterator[tuple[Ask, list[Fact], list[Fact], tuple[AreaSpec, ...]]]:
    """Yield what is asked, what the page shows, forced edges, and areas counted.

    States of few cells, of those outside all: so forced edges have something to say.
    """
    near = square(2 if scope is Scope.PLANAR else rng.choice((1, 1, 2)))
    if scope is not Scope.RIM:
        radius = 2 if scope is Scope.PLANAR else rng.choice((2, 3))
        cells = square(radius)
        shown = [x for x in cells if x in near or page.state(x) == OUT]
        yield (
            Ask(page.move, radius, scope),
            facts_of(page.bare, shown),
            ties_of(page, cells, cells),
            (),
        )
        return
    # only an area whose wall may lie outside shows a rim without planarity
    for cut in cuts_of(page, (1, 3)):
        wall = rc(cut.area.wall)
        if cut.area.base == LIVE_END and page.state(wall) == OUT:
            ask = Ask(page.move, rng.choice((1, 2)), scope, (cut.area,))
            cells = list(ask.window().cells())
            shown = [x for x in cells if x in near or page.state(x) == OUT]
            yield (
                ask,
                facts_of(page.bare, shown),
                ties_of(page, cells, cells),
                (exactly(cut.area, cut.surplus),),
            )


def minimal(page: Page, scope: Scope, rng: random.Random) -> tuple[Picture, int] | None:
    """Return a picture as the module says, and its move; None if there is none."""
    if not page.ties:
        return None
    for one, facts, ties, areas in _looks(page, scope, rng):
        wide = question(Ask(one.move, one.radius, Scope.PLAIN, one.areas))
        fixed = conditions(wide, areas)
        if not ties or wide.core([*facts, *ties, *fixed]) is not None:
            continue
        asked = question(one)
        fixed = conditions(asked, areas)
        core = asked.core([*facts, *ties, *fixed])
        if core is None or asked.core([*facts, *fixed]) is not None:
            continue
        picture = picture_of(page, core, areas)
        while True:
            options = [fewer for _, fewer in _weaker(picture)]
            rng.shuffle(options)
            for fewer in options:
                if asked.core([*fewer.known(), *fixed]) is not None:
                    picture = fewer
                    break
            else:
                return picture, one.move
    return None


def tied_rules(scope: Scope, seed: int) -> Iterator[tuple[Proved | None, str]]:
    """Yield proofs of minimal rules, each once, with their text; None where none is.

    A picture that the formula of all drawings excludes, and no proof is found for, is
    yielded with None.
    """
    rng, seen = random.Random(seed), set[Picture]()
    for gaps in gaps_in(scope, rng):
        near = [i for i in range(len(gaps)) if _by_the_rim(gaps, i)]
        for number in rng.sample(near, min(len(near), _EACH)):
            found = minimal(page_of(gaps, number), scope, rng)
            if found is None or found[0] in seen:
                continue
            picture, move = found
            seen.add(picture)
            moved = Found(picture, ((Turn.NONE, (move,)),))
            name = f"{scope.name.lower()}-{seed}-{len(seen)}"
            text = moved.toml(name, "generated", "its formula has no model")
            try:
                rule = read_rule(text)
            except RuleError:  # no rule file says it
                continue
            proved = prove_rule(rule, seconds=10.0, within=scope)
            yield proved if isinstance(proved, Proved) else None, text


# Worlds -----------------------------------------------------------------------


def worlds_of(scope: Scope, seed: int) -> Iterator[PositionTree]:
    """Yield positions of boards of a scope with moves known to be completable.

    In turn all positions of a small board, with all such moves, and those along random
    walks of a larger one, each with its next step.
    """
    rng = random.Random(seed)
    while True:
        rows, cols = rng.randint(3, 6), rng.randint(3, 6)
        for board in boards_in(scope, rows, cols, rng, most=1):
            tree = completable_positions(board)
            if len(tree) > 1:
                yield tree
        rows, cols = rng.randint(5, 12), rng.randint(5, 12)
        for board in boards_in(scope, rows, cols, rng, most=1):
            try:
                walks = BackbiteWalks(board, seed=rng.randrange(1 << 30), effort=0.05)
                some = [walks.draw().walk for _ in range(40)]
            except (NoWalkError, OptionError):
                continue
            yield walked(board, np.array(some, dtype=np.int32))


@njit
def _count(
    drawn: Drawn,
    tree: tuple[npt.NDArray[np.int16], Ints, npt.NDArray[np.uint8]],
    walk: Ints,
    fired: npt.NDArray[np.int64],
    wrong: npt.NDArray[np.int64],
) -> None:
    """Kernel of `tried`."""
    depths, cells, good = tree
    length, masks = 0, drawn.masks
    for i in range(len(depths)):
        length = step_to(drawn, walk, length, depths[i], cells[i])
        if ask(drawn, walk, length):
            for rule in range(len(masks)):
                if masks[rule]:
                    fired[rule] += 1
                    if masks[rule] & good[i]:
                        wrong[rule] = i


def tried(
    rules: Sequence[RuleSpec], tree: PositionTree
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return how often each rule fires, and a position where it is wrong, or -1."""
    fired = np.zeros(len(rules), dtype=np.int64)
    wrong = np.full(len(rules), -1, dtype=np.int64)
    drawn = new_drawn(fitting(compile_rules(rules), tree.board), tree.board)
    walk = np.zeros(tree.board.cells, dtype=np.int32)
    _count(drawn, (tree.depth, tree.cell, tree.good), walk, fired, wrong)
    return fired, wrong


def board_in(scope: Scope, board: Board) -> bool:
    """Tell whether a board is one that a scope speaks of."""
    ends = (board.start, board.end)
    rim = all((board.neighbours[cell] < 0).any() for cell in ends)
    if scope is Scope.CORNERS:
        return not board.walls and board.start + board.end == board.cells - 1
    return (scope.walled or not board.walls) and (rim or scope is Scope.PLAIN)
